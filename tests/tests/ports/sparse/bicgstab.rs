//! Linear algebra: BiCGStab with a Jacobi preconditioner over an operator trait.
use omp_tests::twice;

twice! {
    pub trait LinearOperator {
        fn apply(&self, x: &[f64], y: &mut [f64]);
        fn diagonal(&self) -> Vec<f64>;
    }

    pub struct Convection { n: usize, wind: f64 }

    impl LinearOperator for Convection {
        fn apply(&self, x: &[f64], y: &mut [f64]) {
            let n = self.n;
            #[omp::target(collapse(2))]
            for i in 0..n {
                for j in 0..n {
                    let at = |di: isize, dj: isize| {
                        let (r, c) = (i as isize + di, j as isize + dj);
                        if r < 0 || c < 0 || r >= n as isize || c >= n as isize { 0.0 } else { x[r as usize * n + c as usize] }
                    };
                    y[i * n + j] = 4.0 * at(0, 0) - at(-1, 0) - at(1, 0) - (1.0 + self.wind) * at(0, -1) - (1.0 - self.wind) * at(0, 1);
                }
            }
        }
        fn diagonal(&self) -> Vec<f64> { vec![4.0; self.n * self.n] }
    }

    fn dot(a: &[f64], b: &[f64]) -> f64 {
        assert_eq!(a.len(), b.len());
        let mut s = 0.0;
        #[omp::target(reduction(+: s))]
        for (x, y) in a.iter().zip(b) {
            s += x * y;
        }
        s
    }

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub enum Outcome { Converged(usize), Breakdown, MaxIterations }

    pub fn bicgstab<A: LinearOperator>(a: &A, b: &[f64], x: &mut [f64], tol: f64) -> Outcome {
        let n = b.len();
        let inv: Vec<f64> = a.diagonal().iter().map(|d| d.recip()).collect();
        let mut r = vec![0.0; n];
        a.apply(x, &mut r);
        #[omp::target]
        for (r, b) in r.iter_mut().zip(b) {
            *r = b - *r;
        }
        let shadow = r.clone();
        let (mut p, mut v, mut s, mut t, mut y, mut z) = (r.clone(), vec![0.0; n], vec![0.0; n], vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        let mut rho = dot(&shadow, &r);
        for it in 0..100 {
            #[omp::target]
            for i in 0..n {
                y[i] = inv[i] * p[i];
            }
            a.apply(&y, &mut v);
            let denom = dot(&shadow, &v);
            if denom.abs() < 1e-300 {
                return Outcome::Breakdown;
            }
            let alpha = rho / denom;
            #[omp::target]
            for ((s, &r), &v) in s.iter_mut().zip(&r).zip(&v) {
                *s = r - alpha * v;
            }
            #[omp::target]
            for (z, (s, d)) in z.iter_mut().zip(s.iter().zip(&inv)) {
                *z = s * d;
            }
            a.apply(&z, &mut t);
            let (ts, tt) = (dot(&t, &s), dot(&t, &t));
            let omega = if tt > 0.0 { ts / tt } else { 0.0 };
            let mut norm = 0.0;
            #[omp::target(reduction(+: norm))]
            for i in 0..n {
                x[i] += alpha * y[i] + omega * z[i];
                r[i] = s[i] - omega * t[i];
                norm += r[i].powi(2);
            }
            if norm.sqrt() < tol {
                return Outcome::Converged(it + 1);
            }
            let next = dot(&shadow, &r);
            let beta = next / rho * alpha / omega;
            rho = next;
            #[omp::target]
            for (i, p) in p.iter_mut().enumerate() {
                *p = r[i] + beta * (*p - omega * v[i]);
            }
        }
        Outcome::MaxIterations
    }

    pub fn run() -> (Vec<f64>, bool) {
        let a = Convection { n: 9, wind: 0.3 };
        let b: Vec<f64> = (0..81).map(|i| (i as f64).cos()).collect();
        let mut x = vec![0.0; 81];
        let o = bicgstab(&a, &b, &mut x, 1e-11);
        (x, matches!(o, Outcome::Converged(_)))
    }
}
port!(bicgstab: run());
