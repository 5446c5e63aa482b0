//! Stiff reactions in many cells: Rosenbrock's method with a small dense solver of any size.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Matrix<const N: usize> { a: [[f64; N]; N] }
    #[omp::declare_target]
    impl<const N: usize> Matrix<N> {
        fn identity() -> Self {
            let mut a = [[0.0; N]; N];
            for (i, row) in a.iter_mut().enumerate() { row[i] = 1.0; }
            Matrix { a }
        }
        /// Gaussian elimination with partial pivoting; none if the matrix is singular.
        fn solve(mut self, mut b: [f64; N]) -> Option<[f64; N]> {
            for k in 0..N {
                let pivot = (k..N).max_by(|&i, &j| self.a[i][k].abs().total_cmp(&self.a[j][k].abs()))?;
                if self.a[pivot][k].abs() < 1e-300 { return None; }
                self.a.swap(k, pivot);
                b.swap(k, pivot);
                for i in k + 1..N {
                    let f = self.a[i][k] / self.a[k][k];
                    for j in k..N { self.a[i][j] -= f * self.a[k][j]; }
                    b[i] -= f * b[k];
                }
            }
            for k in (0..N).rev() {
                let sum: f64 = (k + 1..N).map(|j| self.a[k][j] * b[j]).sum();
                b[k] = (b[k] - sum) / self.a[k][k];
            }
            Some(b)
        }
    }

    #[omp::declare_target]
    pub trait System<const N: usize> {
        fn rhs(&self, y: &[f64; N]) -> [f64; N];
        fn jacobian(&self, y: &[f64; N]) -> Matrix<N>;
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Robertson { k1: f64, k2: f64, k3: f64 }
    #[omp::declare_target]
    impl System<3> for Robertson {
        fn rhs(&self, &[a, b, c]: &[f64; 3]) -> [f64; 3] {
            let (r1, r2, r3) = (self.k1 * a, self.k2 * b * b, self.k3 * b * c);
            [-r1 + r3, r1 - r2 - r3, r2]
        }
        fn jacobian(&self, y: &[f64; 3]) -> Matrix<3> {
            let &[_, b, c] = y;
            Matrix { a: [
                [-self.k1, self.k3 * c, self.k3 * b],
                [self.k1, -2.0 * self.k2 * b - self.k3 * c, -self.k3 * b],
                [0.0, 2.0 * self.k2 * b, 0.0],
            ] }
        }
    }

    #[omp::declare_target]
    fn rosenbrock2<S: System<N>, const N: usize>(system: &S, y: [f64; N], dt: f64) -> Option<[f64; N]> {
        let gamma = 1.0 + 1.0 / 2f64.sqrt();
        let jac = system.jacobian(&y);
        let mut lhs = Matrix::<N>::identity();
        for i in 0..N { for j in 0..N { lhs.a[i][j] -= gamma * dt * jac.a[i][j]; } }
        let k1 = lhs.solve(system.rhs(&y))?;
        let mut mid = y;
        for (m, k) in mid.iter_mut().zip(&k1) { *m += dt * k; }
        let f = system.rhs(&mid);
        let mut right = [0.0; N];
        for i in 0..N { right[i] = f[i] - 2.0 * k1[i]; }
        let k2 = lhs.solve(right)?;
        let mut out = y;
        for (i, o) in out.iter_mut().enumerate() { *o += dt * (1.5 * k1[i] + 0.5 * k2[i]); }
        Some(out)
    }

    pub fn integrate(cells: &mut [[f64; 3]], rates: &[Robertson], steps: usize) -> usize {
        let mut failed = 0;
        #[omp::target(reduction(+: failed))]
        for (cell, system) in cells.iter_mut().zip(rates) {
            let mut y = *cell;
            let mut dt = 1e-3;
            for _ in 0..steps {
                match rosenbrock2(system, y, dt) {
                    Some(next) if next.iter().all(|v| v.is_finite()) => { y = next; dt *= 1.2; }
                    _ => { failed += 1; break }
                }
            }
            *cell = y;
        }
        failed
    }
    pub fn run() -> (Vec<[f64; 3]>, usize) {
        let mut cells = vec![[1.0, 0.0, 0.0]; 20];
        let rates: Vec<Robertson> = (0..20).map(|i| Robertson { k1: 0.04 * (1.0 + i as f64 * 0.1), k2: 3e7, k3: 1e4 }).collect();
        let failed = integrate(&mut cells, &rates, 25);
        (cells, failed)
    }
}
port!(rosenbrock: run());
