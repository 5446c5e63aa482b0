//! HeCBench mr: deterministic Miller-Rabin, and Pollard's rho of the composites.
use omp_tests::twice;

twice! {
    #[omp::declare_target]
    fn mul_mod(a: u64, b: u64, n: u64) -> u64 {
        (u128::from(a) * u128::from(b) % u128::from(n)) as u64
    }

    #[omp::declare_target]
    fn pow_mod(mut base: u64, mut exp: u64, n: u64) -> u64 {
        let mut acc = 1;
        base %= n;
        while exp > 0 {
            if exp & 1 == 1 {
                acc = mul_mod(acc, base, n);
            }
            base = mul_mod(base, base, n);
            exp >>= 1;
        }
        acc
    }

    #[omp::declare_target]
    fn is_prime(n: u64) -> bool {
        if n < 2 {
            return false;
        }
        const SMALL: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
        for p in SMALL {
            if n % p == 0 {
                return n == p;
            }
        }
        let s = (n - 1).trailing_zeros();
        let d = (n - 1) >> s;
        'bases: for &a in &SMALL {
            let mut x = pow_mod(a, d, n);
            if x == 1 || x == n - 1 {
                continue;
            }
            for _ in 1..s {
                x = mul_mod(x, x, n);
                if x == n - 1 {
                    continue 'bases;
                }
            }
            return false;
        }
        true
    }

    #[omp::declare_target]
    fn gcd(mut a: u64, mut b: u64) -> u64 {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    }

    #[omp::declare_target]
    fn rho(n: u64) -> Option<u64> {
        (1..20).find_map(|c| {
            let f = |x: u64| (mul_mod(x, x, n) + c) % n;
            let (mut x, mut y, mut d) = (2, 2, 1);
            while d == 1 {
                x = f(x);
                y = f(f(y));
                d = gcd(x.abs_diff(y), n);
            }
            (d != n).then_some(d)
        })
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Verdict {
        Unit,
        Prime,
        Composite { factor: u64 },
    }

    pub fn classify(numbers: &[u64]) -> (Vec<Verdict>, u32) {
        let mut out = vec![Verdict::Unit; numbers.len()];
        let mut primes = 0u32;
        #[omp::target(reduction(+: primes))]
        for (v, &n) in out.iter_mut().zip(numbers) {
            *v = match n {
                0 | 1 => Verdict::Unit,
                n if is_prime(n) => {
                    primes += 1;
                    Verdict::Prime
                }
                n if n % 2 == 0 => Verdict::Composite { factor: 2 },
                _ => Verdict::Composite { factor: rho(n).unwrap_or(n) },
            };
        }
        (out, primes)
    }

    pub fn run() -> (crate::Shown, u32) {
        let mut numbers: Vec<u64> = (0..60).map(|i| i * i + i + 41).collect();
        numbers.extend([0, 1, 561, 1_000_003 * 999_983, 4_294_967_291, 25]);
        let (v, n) = classify(&numbers);
        (crate::Shown::of(v), n)
    }
}
port!(miller_rabin: run());
