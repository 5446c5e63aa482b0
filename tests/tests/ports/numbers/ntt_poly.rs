//! Lattice arithmetic: batches of negacyclic polynomial products modulo 12289 by number-theoretic transform.
use omp_tests::twice;

twice! {
    use std::ops::{Add, AddAssign, Mul, Sub};

    pub const Q: u32 = 12_289;
    pub const LOG_N: u32 = 6;
    pub const N: usize = 1 << LOG_N;

    /// An element of Z/q, always reduced.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, omp::Device)]
    pub struct Zq(u32);

    pub type Poly = [Zq; N];

    #[omp::declare_target]
    impl Zq {
        pub const ZERO: Zq = Zq(0);

        pub const fn new(x: i64) -> Self {
            Zq(x.rem_euclid(Q as i64) as u32)
        }

        const fn pow(self, mut e: u32) -> Self {
            let (mut base, mut acc) = (self.0, 1);
            while e > 0 {
                if e & 1 == 1 {
                    acc = acc * base % Q;
                }
                base = base * base % Q;
                e >>= 1;
            }
            Zq(acc)
        }

        /// The representative in `-q/2..=q/2`.
        fn centred(self) -> i32 {
            let x = self.0 as i32;
            if x > Q as i32 / 2 { x - Q as i32 } else { x }
        }
    }

    #[omp::declare_target]
    impl Add for Zq {
        type Output = Self;
        fn add(self, rhs: Self) -> Self {
            match self.0 + rhs.0 {
                s if s >= Q => Zq(s - Q),
                s => Zq(s),
            }
        }
    }
    #[omp::declare_target]
    impl Sub for Zq {
        type Output = Self;
        fn sub(self, rhs: Self) -> Self { self + Zq((Q - rhs.0) % Q) }
    }
    #[omp::declare_target]
    impl Mul for Zq {
        type Output = Self;
        fn mul(self, rhs: Self) -> Self { Zq(self.0 * rhs.0 % Q) }
    }
    #[omp::declare_target]
    impl AddAssign for Zq {
        fn add_assign(&mut self, rhs: Self) { *self = *self + rhs; }
    }

    /// A primitive root of unity of order 2N.
    const PSI: Zq = Zq(11).pow((Q - 1) / (2 * N as u32));
    const N_INVERSE: Zq = Zq(N as u32).pow(Q - 2);
    const ZETAS: Poly = {
        let mut table = [Zq(1); N];
        let mut k = 1;
        while k < N {
            table[k] = PSI.pow((k as u32).reverse_bits() >> (32 - LOG_N));
            k += 1;
        }
        table
    };

    #[omp::declare_target]
    fn forward(mut a: Poly) -> Poly {
        let mut zetas = ZETAS.iter().skip(1);
        for level in (0..LOG_N).rev() {
            let len = 1usize << level;
            for block in a.chunks_exact_mut(2 * len) {
                let Some(&zeta) = zetas.next() else { return a };
                let (lo, hi) = block.split_at_mut(len);
                for (x, y) in lo.iter_mut().zip(hi) {
                    let t = zeta * *y;
                    (*x, *y) = (*x + t, *x - t);
                }
            }
        }
        a
    }

    #[omp::declare_target]
    fn inverse(mut a: Poly) -> Poly {
        let mut k = N;
        for level in 0..LOG_N {
            let len = 1usize << level;
            for start in (0..N).step_by(2 * len) {
                k -= 1;
                for j in start..start + len {
                    let (x, y) = (a[j], a[j + len]);
                    a[j] = x + y;
                    a[j + len] = ZETAS[k] * (y - x);
                }
            }
        }
        a.map(|x| x * N_INVERSE)
    }

    /// `out[i] = lhs[i] * rhs[i]`; returns the largest centred coefficient.
    pub fn multiply(lhs: &[Poly], rhs: &[Poly], out: &mut [Poly]) -> u32 {
        let mut largest = 0u32;
        #[omp::target(reduction(max: largest))]
        for (c, (a, b)) in out.iter_mut().zip(lhs.iter().zip(rhs)) {
            let (a, b) = (forward(*a), forward(*b));
            let product: Poly = std::array::from_fn(|i| a[i] * b[i]);
            *c = inverse(product);
            largest = c.iter().map(|x| x.centred().unsigned_abs()).fold(largest, u32::max);
        }
        largest
    }

    /// Schoolbook reference, one coefficient per iteration.
    pub fn schoolbook(lhs: &[Poly], rhs: &[Poly], out: &mut [Poly]) {
        #[omp::target]
        for (p, row) in out.iter_mut().enumerate() {
            for (k, c) in row.iter_mut().enumerate() {
                let mut sum = Zq::ZERO;
                for i in 0..N {
                    let term = lhs[p][i] * rhs[p][(N + k - i) % N];
                    sum += if i <= k { term } else { Zq::ZERO - term };
                }
                *c = sum;
            }
        }
    }
}
port!(ntt_poly: crate::Shown::of({
    let batch = |seed: i64| -> Vec<Poly> {
        (0..30i64)
            .map(|p| std::array::from_fn(|i| Zq::new((p * 977 + i as i64 * i as i64 * seed) % 20_011 - 7_000)))
            .collect()
    };
    let (a, b) = (batch(31), batch(57));
    let mut fast = vec![[Zq::ZERO; N]; 30];
    let mut slow = fast.clone();
    let largest = multiply(&a, &b, &mut fast);
    schoolbook(&a, &b, &mut slow);
    (largest, fast == slow, fast)
}));
