//! Miller-Rabin primality of 64-bit numbers, and Montgomery products.
use omp_tests::{Values, twice};
twice! {
    #[omp::declare_target]
    fn mul_mod(a: u64, b: u64, m: u64) -> u64 {
        (a as u128 * b as u128 % m as u128) as u64
    }

    #[omp::declare_target]
    fn pow_mod(mut base: u64, mut exp: u64, m: u64) -> u64 {
        let mut result = 1;
        base %= m;
        while exp > 0 {
            if exp & 1 == 1 {
                result = mul_mod(result, base, m);
            }
            base = mul_mod(base, base, m);
            exp >>= 1;
        }
        result
    }

    const WITNESSES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

    #[omp::declare_target]
    fn is_prime(n: u64) -> bool {
        if n < 2 {
            return false;
        }
        for &p in &WITNESSES {
            if n % p == 0 {
                return n == p;
            }
        }
        let s = (n - 1).trailing_zeros();
        let d = (n - 1) >> s;
        'witness: for &a in WITNESSES.iter() {
            let mut x = pow_mod(a, d, n);
            if x == 1 || x == n - 1 {
                continue;
            }
            for _ in 1..s {
                x = mul_mod(x, x, n);
                if x == n - 1 {
                    continue 'witness;
                }
            }
            return false;
        }
        true
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Montgomery { n: u64, n_inv: u64, r2: u64 }

    #[omp::declare_target]
    impl Montgomery {
        pub fn new(n: u64) -> Self {
            let mut inv = n;
            for _ in 0..5 {
                inv = inv.wrapping_mul(2u64.wrapping_sub(n.wrapping_mul(inv)));
            }
            let r = (1u128 << 64) % n as u128;
            let r2 = (r * r % n as u128) as u64;
            Self { n, n_inv: inv.wrapping_neg(), r2 }
        }

        #[inline]
        fn reduce(&self, t: u128) -> u64 {
            let m = (t as u64).wrapping_mul(self.n_inv);
            let (sum, carry) = t.overflowing_add(m as u128 * self.n as u128);
            let r = (sum >> 64) as u64;
            if carry || r >= self.n { r.wrapping_sub(self.n) } else { r }
        }

        pub fn mul(&self, a: u64, b: u64) -> u64 {
            self.reduce(u128::from(a) * u128::from(b))
        }

        pub fn enter(&self, a: u64) -> u64 { self.mul(a % self.n, self.r2) }
        pub fn leave(&self, a: u64) -> u64 { self.reduce(a.into()) }
    }

    pub fn primes(candidates: &[u64]) -> (Vec<bool>, usize) {
        let mut prime = vec![false; candidates.len()];
        let mut count = 0;
        #[omp::target(reduction(+: count))]
        for (p, &n) in prime.iter_mut().zip(candidates) {
            *p = is_prime(n);
            count += *p as usize;
        }
        (prime, count)
    }

    pub fn powers(bases: &[u64], modulus: u64) -> Vec<u64> {
        let m = Montgomery::new(modulus);
        let mut out = vec![0; bases.len()];
        #[omp::target]
        for (o, &b) in out.iter_mut().zip(bases.iter()) {
            let x = m.enter(b);
            let mut acc = x;
            for _ in 0..5 {
                acc = m.mul(acc, acc);
                acc = m.mul(acc, x);
            }
            *o = m.leave(acc);
        }
        out
    }

    pub fn run() -> (Vec<bool>, usize, Vec<u64>) {
        let mut v = Values(3);
        let mut c: Vec<u64> = (0..40).collect();
        c.extend((0..30).map(|_| v.wide() | 1));
        c.extend([18446744073709551557, 4611686018427387847, 3215031751, 341550071728321]);
        let (p, n) = primes(&c);
        (p, n, powers(&c, 18446744073709551557))
    }
}
port!(montgomery: run());
