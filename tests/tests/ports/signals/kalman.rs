//! Kalman filters: matrices by const generics, chained updates.
use omp_tests::twice;
twice! {
    use std::ops::{Add, Mul, Sub, Index, IndexMut};

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Matrix<const R: usize, const C: usize> { a: [[f64; C]; R] }

    #[omp::declare_target]
    impl<const R: usize, const C: usize> Index<(usize, usize)> for Matrix<R, C> { type Output = f64; fn index(&self, (i, j): (usize, usize)) -> &f64 { &self.a[i][j] } }
    #[omp::declare_target]
    impl<const R: usize, const C: usize> IndexMut<(usize, usize)> for Matrix<R, C> { fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 { &mut self.a[i][j] } }

    #[omp::declare_target]
    impl<const R: usize, const C: usize> Matrix<R, C> {
        pub const ZERO: Self = Matrix { a: [[0.0; C]; R] };
        pub fn transpose(&self) -> Matrix<C, R> {
            let mut t = Matrix::<C, R>::ZERO;
            for i in 0..R { for j in 0..C { t[(j, i)] = self[(i, j)]; } }
            t
        }
    }
    #[omp::declare_target]
    impl<const N: usize> Matrix<N, N> {
        pub fn identity() -> Self {
            let mut m = Self::ZERO;
            for i in 0..N { m.a[i][i] = 1.0; }
            m
        }
    }
    #[omp::declare_target]
    impl<const R: usize, const K: usize, const C: usize> Mul<Matrix<K, C>> for Matrix<R, K> {
        type Output = Matrix<R, C>;
        fn mul(self, o: Matrix<K, C>) -> Matrix<R, C> {
            let mut out = Matrix::ZERO;
            for i in 0..R { for j in 0..C { for k in 0..K { out.a[i][j] += self.a[i][k] * o.a[k][j]; } } }
            out
        }
    }
    #[omp::declare_target]
    impl<const R: usize, const C: usize> Add for Matrix<R, C> {
        type Output = Self;
        fn add(mut self, o: Self) -> Self {
            for (x, y) in self.a.iter_mut().flatten().zip(o.a.iter().flatten()) { *x += y; }
            self
        }
    }
    #[omp::declare_target]
    impl<const R: usize, const C: usize> Sub for Matrix<R, C> {
        type Output = Self;
        fn sub(mut self, o: Self) -> Self {
            for i in 0..R { for j in 0..C { self.a[i][j] -= o.a[i][j]; } }
            self
        }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Kalman { x: Matrix<2, 1>, p: Matrix<2, 2>, q: Matrix<2, 2>, r: f64 }

    #[omp::declare_target]
    impl Kalman {
        fn predict(&mut self, dt: f64) -> &mut Self {
            let f = Matrix { a: [[1.0, dt], [0.0, 1.0]] };
            self.x = f * self.x;
            self.p = f * self.p * f.transpose() + self.q;
            self
        }
        fn update(&mut self, z: f64) -> &mut Self {
            let h = Matrix { a: [[1.0, 0.0]] };
            let y = z - (h * self.x)[(0, 0)];
            let s = (h * self.p * h.transpose()).a[0][0] + self.r;
            let mut k = self.p * h.transpose();
            for row in k.a.iter_mut() { row[0] /= s; }
            self.x.a[0][0] += k[(0, 0)] * y;
            self.x.a[1][0] += k[(1, 0)] * y;
            self.p = (Matrix::identity() - k * h) * self.p;
            self
        }
    }

    pub fn track(filters: &mut [Kalman], measured: &[f64], steps: usize, dt: f64) {
        #[omp::target]
        for (kf, zs) in filters.iter_mut().zip(measured.chunks(steps)) {
            for &z in zs {
                kf.predict(dt).update(z);
            }
        }
    }

    pub fn run() -> Vec<[f64; 4]> {
        let k = Kalman { x: Matrix::ZERO, p: Matrix::identity(), q: Matrix { a: [[1e-3, 0.0], [0.0, 1e-3]] }, r: 0.1 };
        let mut filters = vec![k; 6];
        let z: Vec<f64> = (0..60).map(|i| (i % 10) as f64 * 0.7 + ((i * 37) % 11) as f64 / 20.0).collect();
        track(&mut filters, &z, 10, 0.5);
        filters.iter().map(|f| [f.x.a[0][0], f.x.a[1][0], f.p.a[0][0], f.p.a[1][1]]).collect()
    }
}
port!(kalman: run());
