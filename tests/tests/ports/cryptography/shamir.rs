//! Shamir's secret sharing over GF(256).
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default, omp::Device)]
    pub struct Gf(pub u8);
    #[omp::declare_target]
    impl std::ops::Add for Gf { type Output = Gf; fn add(self, o: Gf) -> Gf { Gf(self.0 ^ o.0) } }
    #[omp::declare_target]
    impl std::ops::Mul for Gf {
        type Output = Gf;
        fn mul(self, o: Gf) -> Gf {
            let (mut a, mut b, mut p) = (self.0, o.0, 0);
            while b != 0 {
                if b & 1 == 1 { p ^= a; }
                let carry = a & 0x80 != 0;
                a <<= 1;
                if carry { a ^= 0x1b; }
                b >>= 1;
            }
            Gf(p)
        }
    }
    #[omp::declare_target]
    impl std::ops::Div for Gf { type Output = Gf; fn div(self, o: Gf) -> Gf { self * o.inverse() } }
    #[omp::declare_target]
    impl Gf {
        fn inverse(self) -> Gf { (0..6).fold(self, |acc, _| acc * acc * self).square() }
        fn square(self) -> Gf { self * self }
    }
    pub fn split<const K: usize>(d: usize, secret: &[u8], random: &[[u8; K]], shares: u8) -> Vec<Vec<Gf>> {
        (1..=shares).map(|x| {
            let x = Gf(x);
            let mut share = vec![Gf::default(); secret.len()];
            #[omp::target(device(d))]
            for ((out, &s), coefficients) in share.iter_mut().zip(secret).zip(random) {
                *out = coefficients.iter().rev().fold(Gf(0), |acc, &c| acc * x + Gf(c)) * x + Gf(s);
            }
            share
        }).collect()
    }
    pub fn join(d: usize, xs: &[u8], shares: &[Gf], n: usize) -> Vec<u8> {
        let mut secret = vec![0; n];
        #[omp::target(device(d))]
        for (i, out) in secret.iter_mut().enumerate() {
            let mut sum = Gf(0);
            for (j, &xj) in xs.iter().enumerate() {
                let mut basis = shares[j * n + i];
                for (m, &xm) in xs.iter().enumerate() {
                    if m != j { basis = basis * (Gf(xm) / (Gf(xm) + Gf(xj))); }
                }
                sum = sum + basis;
            }
            *out = sum.0;
        }
        secret
    }
}

#[test]
fn shamir() {
    let secret: Vec<u8> = (0..50).map(|i| (i * 17) as u8).collect();
    let r: Vec<[u8; 2]> = (0..50).map(|i| [(i * 5 + 1) as u8, (i * 11 + 3) as u8]).collect();
    compare!(m, d => {
        let s = m::split(d, &secret, &r, 5);
        let flat: Vec<_> = [&s[0], &s[2], &s[4]].into_iter().flatten().copied().collect();
        let back = m::join(d, &[1, 3, 5], &flat, 50);
        assert_eq!(back, secret);
        format!("{s:?}")
    });
}
