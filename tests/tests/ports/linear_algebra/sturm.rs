//! Eigenvalues of a symmetric tridiagonal matrix: Sturm counts and bisection; one eigenvalue a thread.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Interval { lo: f64, hi: f64 }

    #[omp::declare_target]
    impl Interval {
        fn mid(self) -> f64 { 0.5 * (self.lo + self.hi) }
        fn width(&self) -> f64 { self.hi - self.lo }
        fn split(self) -> (Interval, Interval) {
            let m = self.mid();
            (Interval { hi: m, ..self }, Interval { lo: m, ..self })
        }
    }

    pub struct SymTridiag { d: Vec<f64>, e: Vec<f64> }

    impl SymTridiag {
        fn gershgorin(&self) -> Interval {
            let n = self.d.len();
            let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
            let radius = |i: usize| {
                let left = if i > 0 { self.e[i - 1].abs() } else { 0.0 };
                let right = if i + 1 < n { self.e[i].abs() } else { 0.0 };
                left + right
            };
            #[omp::target(reduction(min: lo), reduction(max: hi))]
            for i in 0..n {
                lo = lo.min(self.d[i] - radius(i));
                hi = hi.max(self.d[i] + radius(i));
            }
            Interval { lo, hi }
        }

        fn count_below(&self, x: f64) -> usize {
            let mut count = 0;
            let mut q = 1.0;
            for (i, &d) in self.d.iter().enumerate() {
                let e2 = if i == 0 { 0.0 } else { self.e[i - 1] * self.e[i - 1] };
                q = d - x - e2 / q;
                if q == 0.0 { q = f64::EPSILON; }
                if q < 0.0 { count += 1; }
            }
            count
        }

        pub fn eigenvalues(&self, tol: f64) -> Vec<f64> {
            let bounds = self.gershgorin();
            let mut out = vec![0.0; self.d.len()];
            #[omp::target]
            for (k, value) in out.iter_mut().enumerate() {
                let mut i = bounds;
                while i.width() > tol * i.lo.abs().max(i.hi.abs()).max(1.0) {
                    let (left, right) = i.split();
                    i = if self.count_below(left.hi) > k { left } else { right };
                }
                *value = i.mid();
            }
            out
        }
    }
    pub fn run() -> Vec<f64> {
        let n = 20;
        SymTridiag { d: (0..n).map(|i| 2.0 + (i % 3) as f64).collect(), e: (0..n - 1).map(|i| -1.0 - 0.1 * (i % 4) as f64).collect() }.eigenvalues(1e-9)
    }
}
port!(sturm: run());
