//! Field arithmetic modulo 2^255 - 19 in five limbs of 51 bits.
use omp_tests::{Values, twice};
twice! {
    use std::ops::{Add, Mul, Sub};

    const MASK: u64 = (1 << 51) - 1;

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Fe(pub [u64; 5]);

    #[omp::declare_target]
    impl Add for Fe {
        type Output = Fe;
        fn add(self, rhs: Fe) -> Fe {
            let mut out = self;
            for i in 0..5 {
                out.0[i] += rhs.0[i];
            }
            out.carry()
        }
    }

    #[omp::declare_target]
    impl Sub for Fe {
        type Output = Fe;
        fn sub(self, rhs: Fe) -> Fe {
            let two_p = [0xfffffffffffda, 0xffffffffffffe, 0xffffffffffffe, 0xffffffffffffe, 0xffffffffffffe];
            let mut out = [0; 5];
            for (o, ((a, b), p)) in out.iter_mut().zip(self.0.iter().zip(rhs.0.iter()).zip(two_p.iter())) {
                *o = a + p - b;
            }
            Fe(out).carry()
        }
    }

    #[omp::declare_target]
    impl Mul for Fe {
        type Output = Fe;
        fn mul(self, rhs: Fe) -> Fe {
            let a = &self.0;
            let b = &rhs.0;
            let m = |x: u64, y: u64| x as u128 * y as u128;
            let b1_19 = b[1] * 19;
            let b2_19 = b[2] * 19;
            let b3_19 = b[3] * 19;
            let b4_19 = b[4] * 19;
            let c0 = m(a[0], b[0]) + m(a[4], b1_19) + m(a[3], b2_19) + m(a[2], b3_19) + m(a[1], b4_19);
            let mut c1 = m(a[1], b[0]) + m(a[0], b[1]) + m(a[4], b2_19) + m(a[3], b3_19) + m(a[2], b4_19);
            let mut c2 = m(a[2], b[0]) + m(a[1], b[1]) + m(a[0], b[2]) + m(a[4], b3_19) + m(a[3], b4_19);
            let mut c3 = m(a[3], b[0]) + m(a[2], b[1]) + m(a[1], b[2]) + m(a[0], b[3]) + m(a[4], b4_19);
            let mut c4 = m(a[4], b[0]) + m(a[3], b[1]) + m(a[2], b[2]) + m(a[1], b[3]) + m(a[0], b[4]);
            let mut out = [0u64; 5];
            c1 += ((c0 >> 51) as u64) as u128;
            out[0] = (c0 as u64) & MASK;
            c2 += ((c1 >> 51) as u64) as u128;
            out[1] = (c1 as u64) & MASK;
            c3 += ((c2 >> 51) as u64) as u128;
            out[2] = (c2 as u64) & MASK;
            c4 += ((c3 >> 51) as u64) as u128;
            out[3] = (c3 as u64) & MASK;
            let carry = (c4 >> 51) as u64;
            out[4] = (c4 as u64) & MASK;
            out[0] += carry * 19;
            out[1] += out[0] >> 51;
            out[0] &= MASK;
            Fe(out)
        }
    }

    #[omp::declare_target]
    impl Fe {
        pub const ONE: Fe = Fe([1, 0, 0, 0, 0]);

        fn carry(mut self) -> Fe {
            let mut c = 0;
            for limb in self.0.iter_mut() {
                *limb += c;
                c = *limb >> 51;
                *limb &= MASK;
            }
            self.0[0] += 19 * c;
            self
        }

        pub fn square(self) -> Fe { self * self }

        pub fn square_times(self, n: u32) -> Fe {
            (0..n).fold(self, |x, _| x.square())
        }

        pub fn invert(self) -> Fe {
            let z2 = self.square();
            let z9 = z2.square_times(2) * self;
            let z11 = z9 * z2;
            let z_5_0 = z11.square() * z9;
            let z_10_0 = z_5_0.square_times(5) * z_5_0;
            let z_20_0 = z_10_0.square_times(10) * z_10_0;
            let z_40_0 = z_20_0.square_times(20) * z_20_0;
            let z_50_0 = z_40_0.square_times(10) * z_10_0;
            let z_100_0 = z_50_0.square_times(50) * z_50_0;
            let z_200_0 = z_100_0.square_times(100) * z_100_0;
            let z_250_0 = z_200_0.square_times(50) * z_50_0;
            z_250_0.square_times(5) * z11
        }

        /// The canonical representative.
        pub fn normalise(self) -> Fe {
            let mut limbs = self.carry().carry().0;
            let mut q = (limbs[0] + 19) >> 51;
            for i in 1..5 {
                q = (limbs[i] + q) >> 51;
            }
            limbs[0] += 19 * q;
            for i in 0..4 {
                limbs[i + 1] += limbs[i] >> 51;
                limbs[i] &= MASK;
            }
            limbs[4] &= MASK;
            Fe(limbs)
        }
    }

    #[omp::declare_target]
    fn cswap(swap: bool, a: &mut Fe, b: &mut Fe) {
        let mask = (swap as u64).wrapping_neg();
        for (x, y) in a.0.iter_mut().zip(b.0.iter_mut()) {
            let t = mask & (*x ^ *y);
            *x ^= t;
            *y ^= t;
        }
    }

    #[omp::declare_target]
    fn ladder(scalar: &[u8; 32], u: Fe) -> Fe {
        let mut k = *scalar;
        k[0] &= 248;
        k[31] = (k[31] & 127) | 64;
        let (mut x2, mut z2) = (Fe::ONE, Fe([0; 5]));
        let (mut x3, mut z3) = (u, Fe::ONE);
        let mut swap = false;
        for t in (0..255).rev() {
            let bit = (k[t / 8] >> (t % 8)) & 1 == 1;
            cswap(swap ^ bit, &mut x2, &mut x3);
            cswap(swap ^ bit, &mut z2, &mut z3);
            swap = bit;
            let a = x2 + z2;
            let aa = a.square();
            let b = x2 - z2;
            let bb = b.square();
            let e = aa - bb;
            let da = (x3 - z3) * a;
            let cb = (x3 + z3) * b;
            x3 = (da + cb).square();
            z3 = u * (da - cb).square();
            x2 = aa * bb;
            z2 = e * (aa + Fe([121665, 0, 0, 0, 0]) * e);
        }
        cswap(swap, &mut x2, &mut x3);
        cswap(swap, &mut z2, &mut z3);
        (x2 * z2.invert()).normalise()
    }

    pub fn public_keys(secrets: &[[u8; 32]]) -> Vec<Fe> {
        let base = Fe([9, 0, 0, 0, 0]);
        let mut keys = vec![Fe::ONE; secrets.len()];
        #[omp::target]
        for (key, secret) in keys.iter_mut().zip(secrets) {
            *key = ladder(secret, base);
        }
        keys
    }

    pub fn run() -> Vec<[u64; 5]> {
        let mut v = Values(25519);
        let secrets: Vec<[u8; 32]> = (0..4).map(|_| std::array::from_fn(|_| v.bits() as u8)).collect();
        public_keys(&secrets).iter().map(|f| f.0).collect()
    }
}
port!(curve25519: run());
