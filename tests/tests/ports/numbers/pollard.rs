//! Pollard's rho by Brent with 128-bit products.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, omp::Device)]
    struct Modulus(u64);

    #[omp::declare_target]
    impl Modulus {
        const fn mul(self, a: u64, b: u64) -> u64 { (a as u128 * b as u128 % self.0 as u128) as u64 }
        const fn add(self, a: u64, b: u64) -> u64 {
            let (s, carry) = a.overflowing_add(b);
            if carry || s >= self.0 { s.wrapping_sub(self.0) } else { s }
        }
        fn pow(self, mut base: u64, mut e: u64) -> u64 {
            let mut r = 1;
            while e != 0 {
                if e & 1 == 1 { r = self.mul(r, base); }
                base = self.mul(base, base);
                e >>= 1;
            }
            r
        }
    }

    #[omp::declare_target]
    fn gcd(mut a: u64, mut b: u64) -> u64 {
        while b != 0 { (a, b) = (b, a % b); }
        a
    }

    #[omp::declare_target]
    fn is_prime(n: u64) -> bool {
        const BASES: [u64; 7] = [2, 325, 9375, 28178, 450775, 9780504, 1795265022];
        if n < 2 { return false; }
        for p in [2, 3, 5, 7, 11, 13] { if n % p == 0 { return n == p; } }
        let s = (n - 1).trailing_zeros();
        let m = Modulus(n);
        BASES.iter().map(|b| b % n).filter(|&b| b != 0).all(|b| {
            let mut x = m.pow(b, (n - 1) >> s);
            x == 1 || x == n - 1 || (1..s).any(|_| { x = m.mul(x, x); x == n - 1 })
        })
    }

    #[omp::declare_target]
    fn brent(n: u64) -> Option<u64> {
        if n % 2 == 0 { return Some(2); }
        let m = Modulus(n);
        for c in 1.. {
            let f = |x| m.add(m.mul(x, x), c);
            let (mut y, mut r, mut q, mut g) = (2, 1u32, 1, 1);
            let (mut x, mut ys) = (y, y);
            while g == 1 {
                x = y;
                for _ in 0..r { y = f(y); }
                let mut k = 0;
                while k < r && g == 1 {
                    ys = y;
                    for _ in 0..64.min(r - k) {
                        y = f(y);
                        q = m.mul(q, x.abs_diff(y));
                    }
                    g = gcd(q, n);
                    k += 64;
                }
                r *= 2;
            }
            if g == n {
                loop {
                    ys = f(ys);
                    g = gcd(x.abs_diff(ys), n);
                    if g != 1 { break; }
                }
            }
            if g != n { return Some(g); }
            if c > 20 { break; }
        }
        None
    }

    pub fn factor(numbers: &[u64], factors: &mut [[u64; 16]]) {
        #[omp::target]
        for (i, list) in factors.iter_mut().enumerate() {
            let mut stack = [0u64; 16];
            let (mut top, mut found) = (1usize, 0usize);
            stack[0] = numbers[i];
            while top > 0 {
                top -= 1;
                let n = stack[top];
                match n {
                    0 | 1 => {}
                    n if is_prime(n) => { list[found] = n; found += 1; }
                    n => if let Some(d) = brent(n) {
                        [stack[top], stack[top + 1]] = [d, n / d];
                        top += 2;
                    },
                }
            }
            list[..found].sort_unstable();
        }
    }

    pub fn run() -> Vec<[u64; 16]> {
        let n: Vec<u64> = vec![1, 2, 97, 91, 1024, 999_983 * 1_000_003, 4_294_967_291 * 3, 600_851_475_143, 18_446_744_073_709_551_557, 1_000_000_007 * 998_244_353, 360_360];
        let mut f = vec![[0; 16]; n.len()];
        factor(&n, &mut f);
        f
    }
}
port!(pollard: run());
