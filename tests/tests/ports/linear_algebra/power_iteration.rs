//! Power iteration and Rayleigh quotients on a dense matrix; norms by a function chosen at run time.
use omp_tests::twice;

twice! {
    #[derive(Clone)]
    pub struct Dense { n: usize, a: Box<[f64]> }

    impl Dense {
        fn rows(&self) -> impl Iterator<Item = &[f64]> { self.a.chunks_exact(self.n) }

        pub fn mul(&self, x: &[f64], y: &mut [f64]) {
            let n = self.n;
            #[omp::target]
            for i in 0..n {
                let row = &self.a[i * n..][..n];
                y[i] = row.iter().zip(x.iter()).fold(0.0, |acc, (a, b)| a.mul_add(*b, acc));
            }
        }
    }

    fn normalise(x: &mut [f64], norm: fn(&[f64]) -> f64) -> f64 {
        let n = norm(x);
        #[omp::target]
        for x in x.iter_mut() { *x /= n; }
        n
    }

    fn euclid(x: &[f64]) -> f64 {
        let mut s = 0.0;
        #[omp::target(reduction(+: s))]
        for &x in x { s += x * x; }
        s.sqrt()
    }
    fn maximum(x: &[f64]) -> f64 {
        let mut m = 0.0f64;
        #[omp::target(reduction(max: m))]
        for v in x { m = m.max(v.abs()); }
        m
    }

    pub fn dominant(m: &Dense, norm: fn(&[f64]) -> f64, tol: f64) -> (f64, usize) {
        let mut x = vec![1.0; m.n];
        let mut y = vec![0.0; m.n];
        let mut last = 0.0;
        for it in 1.. {
            m.mul(&x, &mut y);
            let lambda = normalise(&mut y, norm);
            std::mem::swap(&mut x, &mut y);
            if (lambda - last).abs() < tol || it > 40 { return (lambda, it); }
            last = lambda;
        }
        unreachable!()
    }
    pub fn run() -> ((f64, usize), (f64, usize)) {
        let n = 16;
        let m = Dense { n, a: (0..n * n).map(|k| 1.0 / (1.0 + (k / n + k % n) as f64)).collect() };
        (dominant(&m, euclid, 1e-9), dominant(&m, maximum, 1e-9))
    }
}
port!(power_iteration: run());
