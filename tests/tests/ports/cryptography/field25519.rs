//! Field arithmetic modulo 2^255 - 19 with five limbs.
use omp_tests::{Values, twice};
twice! {
    use std::ops::{Add, Mul, MulAssign, Sub};

    const MASK: u64 = (1 << 51) - 1;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct Fe([u64; 5]);

    #[omp::declare_target]
    impl Fe {
        pub const ONE: Fe = Fe([1, 0, 0, 0, 0]);
        fn carry(self) -> Fe {
            let Fe(mut l) = self;
            for i in 0..4 {
                l[i + 1] += l[i] >> 51;
                l[i] &= MASK;
            }
            l[0] += 19 * (l[4] >> 51);
            l[4] &= MASK;
            Fe(l)
        }
        fn square(self) -> Fe { self * self }
        fn pow2k(self, k: u32) -> Fe { (0..k).fold(self, |x, _| x.square()) }
        fn invert(self) -> Fe {
            let mut result = Fe::ONE;
            let mut base = self;
            // p - 2 = 2^255 - 21
            for bit in 0..255 {
                if bit >= 5 || 0b01011 >> bit & 1 == 1 { result *= base; }
                base = base.square();
            }
            result
        }
    }
    #[omp::declare_target]
    impl Add for Fe { type Output = Fe; fn add(self, o: Fe) -> Fe { Fe(std::array::from_fn(|i| self.0[i] + o.0[i])).carry() } }
    #[omp::declare_target]
    impl Sub for Fe {
        type Output = Fe;
        fn sub(self, o: Fe) -> Fe {
            const P2: [u64; 5] = [(MASK - 18) * 2, MASK * 2, MASK * 2, MASK * 2, MASK * 2];
            let mut r = [0; 5];
            for (i, r) in r.iter_mut().enumerate() { *r = self.0[i] + P2[i] - o.0[i]; }
            Fe(r).carry()
        }
    }
    #[omp::declare_target]
    impl Mul for Fe {
        type Output = Fe;
        fn mul(self, o: Fe) -> Fe {
            let (a, b) = (&self.0, &o.0);
            let mut wide = [0u128; 5];
            for i in 0..5 {
                for j in 0..5 {
                    let product = a[i] as u128 * b[j] as u128;
                    if i + j < 5 { wide[i + j] += product } else { wide[i + j - 5] += 19 * product }
                }
            }
            let mut out = [0u64; 5];
            let mut carry = 0u128;
            for (w, o) in wide.iter().zip(out.iter_mut()) {
                let t = w + carry;
                *o = t as u64 & MASK;
                carry = t >> 51;
            }
            out[0] += carry as u64 * 19;
            Fe(out).carry()
        }
    }
    #[omp::declare_target]
    impl MulAssign for Fe { fn mul_assign(&mut self, o: Fe) { *self = *self * o; } }

    pub fn inverses(values: &[Fe]) -> (Vec<Fe>, bool) {
        let mut out = vec![Fe::ONE; values.len()];
        let mut all = true;
        #[omp::target(reduction(&&: all))]
        for (v, o) in values.iter().zip(&mut out) {
            *o = v.invert();
            let one = (*o * *v).carry();
            all = all && one.0 == Fe::ONE.0 && (*v - *v + Fe::ONE).pow2k(3).carry().0 == Fe::ONE.0;
        }
        (out, all)
    }

    pub fn run() -> (Vec<[u64; 5]>, bool) {
        let mut r = Values(113);
        let values: Vec<Fe> = (0..6).map(|_| Fe(std::array::from_fn(|_| r.wide() & MASK))).collect();
        let (o, all) = inverses(&values);
        (o.iter().map(|f| f.0).collect(), all)
    }
}
port!(secp_field: run());
