//! A number-theoretic transform over the Goldilocks prime, and products of polynomials by it.
use omp_tests::{Values, twice};
twice! {
    use std::ops::{Add, Mul, Sub};

    pub const P: u64 = 0xffff_ffff_0000_0001;
    const EPSILON: u64 = 0xffff_ffff;

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, omp::Device)]
    pub struct Goldilocks(u64);

    #[omp::declare_target]
    fn reduce128(x: u128) -> u64 {
        let (lo, hi) = (x as u64, (x >> 64) as u64);
        let hi_hi = hi >> 32;
        let hi_lo = hi & EPSILON;
        let (mut t0, borrow) = lo.overflowing_sub(hi_hi);
        if borrow {
            t0 = t0.wrapping_sub(EPSILON);
        }
        let t1 = hi_lo * EPSILON;
        let (res, carry) = t0.overflowing_add(t1);
        let r = res.wrapping_add(EPSILON * carry as u64);
        if r >= P { r - P } else { r }
    }

    #[omp::declare_target]
    impl Add for Goldilocks {
        type Output = Self;
        fn add(self, rhs: Self) -> Self {
            let (sum, over) = self.0.overflowing_add(rhs.0);
            let (reduced, under) = sum.overflowing_sub(P);
            Self(if over || !under { reduced } else { sum })
        }
    }
    #[omp::declare_target]
    impl Sub for Goldilocks {
        type Output = Self;
        fn sub(self, rhs: Self) -> Self {
            let (diff, under) = self.0.overflowing_sub(rhs.0);
            Self(if under { diff.wrapping_add(P) } else { diff })
        }
    }
    #[omp::declare_target]
    impl Mul for Goldilocks {
        type Output = Self;
        fn mul(self, rhs: Self) -> Self { Self(reduce128(self.0 as u128 * rhs.0 as u128)) }
    }

    #[omp::declare_target]
    impl Goldilocks {
        pub const ONE: Self = Self(1);
        pub const fn new(v: u64) -> Self { Self(v % P) }
        pub fn pow(self, mut e: u64) -> Self {
            let mut base = self;
            let mut acc = Self::ONE;
            while e != 0 {
                if e & 1 != 0 {
                    acc = acc * base;
                }
                base = base * base;
                e >>= 1;
            }
            acc
        }
        pub fn inverse(self) -> Self { self.pow(P - 2) }
    }

    pub struct Ntt { log_n: u32, twiddles: Vec<Goldilocks>, inverse: Vec<Goldilocks> }

    impl Ntt {
        pub fn new(log_n: u32) -> Self {
            let n = 1usize << log_n;
            let root = Goldilocks::new(7).pow((P - 1) >> log_n);
            let powers = |w: Goldilocks| {
                let mut t = vec![Goldilocks::ONE; n / 2];
                for i in 1..n / 2 {
                    t[i] = t[i - 1] * w;
                }
                t
            };
            Self { log_n, twiddles: powers(root), inverse: powers(root.inverse()) }
        }

        fn transform(&self, data: &mut [Goldilocks], twiddles: &[Goldilocks]) {
            let n = data.len();
            assert_eq!(n, 1 << self.log_n);
            let mut scratch = vec![Goldilocks::default(); n];
            let log_n = self.log_n;
            #[omp::target]
            for i in 0..n {
                scratch[i] = data[i.reverse_bits() >> (usize::BITS - log_n)];
            }
            for stage in 0..log_n {
                let half = 1usize << stage;
                let stride = n >> (stage + 1);
                #[omp::target]
                for b in 0..n / 2 {
                    let (block, j) = (b / half, b % half);
                    let lo = block * 2 * half + j;
                    let t = twiddles[j * stride] * scratch[lo + half];
                    let u = scratch[lo];
                    scratch[lo] = u + t;
                    scratch[lo + half] = u - t;
                }
            }
            data.copy_from_slice(&scratch);
        }

        pub fn forward(&self, data: &mut [Goldilocks]) { self.transform(data, &self.twiddles) }

        pub fn backward(&self, data: &mut [Goldilocks]) {
            self.transform(data, &self.inverse);
            let scale = Goldilocks::new(data.len() as u64).inverse();
            #[omp::target]
            for x in data.iter_mut() {
                *x = *x * scale;
            }
        }
    }

    pub fn convolve(a: &[u64], b: &[u64]) -> Vec<u64> {
        let log_n = (a.len() + b.len() - 1).next_power_of_two().trailing_zeros();
        let ntt = Ntt::new(log_n);
        let pad = |x: &[u64]| {
            let mut v: Vec<Goldilocks> = x.iter().map(|&v| Goldilocks::new(v)).collect();
            v.resize(1 << log_n, Goldilocks::default());
            v
        };
        let (mut fa, mut fb) = (pad(a), pad(b));
        ntt.forward(&mut fa);
        ntt.forward(&mut fb);
        #[omp::target]
        for (x, y) in fa.iter_mut().zip(fb.iter()) {
            *x = *x * *y;
        }
        ntt.backward(&mut fa);
        fa.iter().map(|g| g.0).collect()
    }

    pub fn run() -> Vec<u64> {
        let mut v = Values(77);
        let a: Vec<u64> = (0..40).map(|_| v.wide()).collect();
        let b: Vec<u64> = (0..25).map(|_| v.wide()).collect();
        convolve(&a, &b)
    }
}
port!(ntt: run());
