//! 256-bit integers in four limbs: carries by `u128`, operators, modular exponentiation.
use omp_tests::{Values, twice};
twice! {
    use std::cmp::Ordering;
    use std::ops::{Add, BitAnd, Shr, Sub};

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default, omp::Device)]
    pub struct U256([u64; 4]);

    #[omp::declare_target]
    const fn adc(a: u64, b: u64, carry: u64) -> (u64, u64) {
        let t = a as u128 + b as u128 + carry as u128;
        (t as u64, (t >> 64) as u64)
    }

    #[omp::declare_target]
    const fn sbb(a: u64, b: u64, borrow: u64) -> (u64, u64) {
        let t = (a as u128).wrapping_sub(b as u128 + borrow as u128);
        (t as u64, (t >> 127) as u64)
    }

    #[omp::declare_target]
    impl U256 {
        pub const ZERO: Self = U256([0; 4]);
        pub const ONE: Self = U256([1, 0, 0, 0]);

        fn overflowing_add(self, rhs: Self) -> (Self, bool) {
            let mut out = [0; 4];
            let mut carry = 0;
            for ((o, &a), &b) in out.iter_mut().zip(&self.0).zip(rhs.0.iter()) {
                (*o, carry) = adc(a, b, carry);
            }
            (U256(out), carry != 0)
        }
        fn overflowing_sub(self, rhs: Self) -> (Self, bool) {
            let mut out = [0u64; 4];
            let mut borrow = 0;
            for i in 0..4 {
                let (d, b) = sbb(self.0[i], rhs.0[i], borrow);
                out[i] = d;
                borrow = b;
            }
            (U256(out), borrow != 0)
        }
        fn bit(&self, i: usize) -> bool { self.0[i / 64] >> (i % 64) & 1 == 1 }
        fn bits(&self) -> usize {
            self.0.iter().rposition(|&l| l != 0).map_or(0, |i| 64 * (i + 1) - self.0[i].leading_zeros() as usize)
        }
        fn add_mod(self, rhs: Self, m: &U256) -> Self {
            let (s, over) = self.overflowing_add(rhs);
            if over || s >= *m { s - *m } else { s }
        }
        fn mul_mod(self, rhs: Self, m: &U256) -> Self {
            let mut acc = Self::ZERO;
            for i in (0..rhs.bits()).rev() {
                acc = acc.add_mod(acc, m);
                if rhs.bit(i) {
                    acc = acc.add_mod(self, m);
                }
            }
            acc
        }
        pub fn pow_mod(self, exp: &Self, m: &Self) -> Self {
            let mut base = self;
            let mut acc = Self::ONE;
            let n = exp.bits();
            for i in 0..n {
                if exp.bit(i) {
                    acc = acc.mul_mod(base, m);
                }
                base = base.mul_mod(base, m);
            }
            acc
        }
    }

    #[omp::declare_target]
    impl PartialOrd for U256 {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> { Some(self.cmp(other)) }
    }
    #[omp::declare_target]
    impl Ord for U256 {
        fn cmp(&self, other: &Self) -> Ordering {
            self.0.iter().rev().zip(other.0.iter().rev()).map(|(a, b)| a.cmp(b)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
        }
    }
    #[omp::declare_target]
    impl Add for U256 {
        type Output = Self;
        fn add(self, rhs: Self) -> Self { self.overflowing_add(rhs).0 }
    }
    #[omp::declare_target]
    impl Sub for U256 {
        type Output = Self;
        fn sub(self, rhs: Self) -> Self { self.overflowing_sub(rhs).0 }
    }
    #[omp::declare_target]
    impl From<u64> for U256 {
        fn from(x: u64) -> Self { U256([x, 0, 0, 0]) }
    }

    pub fn modexp_all(bases: &[U256], exps: &[u64], modulus: U256) -> Vec<U256> {
        let mut out = vec![U256::default(); bases.len()];
        #[omp::target(map(to: bases, exps))]
        for i in 0..bases.len() {
            out[i] = bases[i].pow_mod(&U256::from(exps[i]), &modulus) + exps[i].into();
        }
        out
    }

    pub fn run() -> Vec<[u64; 4]> {
        let mut v = Values(6);
        // 2^255 - 19
        let p = U256([u64::MAX - 18, u64::MAX, u64::MAX, u64::MAX >> 1]);
        let bases: Vec<_> = (0..12).map(|_| U256([v.wide(), v.wide(), v.wide(), v.wide() >> 2])).collect();
        let exps: Vec<u64> = (0..12).map(|i| v.wide() >> (i * 5)).collect();
        modexp_all(&bases, &exps, p).into_iter().map(|u| u.0).collect()
    }
}
port!(bignum: run());
