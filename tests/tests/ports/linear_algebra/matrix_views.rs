//! Blocked transposition and products with a small matrix type, `Mul` and const generics.
use omp_tests::{Values, twice};
twice! {
    use std::ops::{Index, IndexMut, Mul};

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Mat<const R: usize, const C: usize>([[f32; C]; R]);

    #[omp::declare_target]
    impl<const R: usize, const C: usize> Mat<R, C> {
        const ZERO: Self = Mat([[0.0; C]; R]);
        fn transpose(&self) -> Mat<C, R> {
            let mut t = Mat::<C, R>::ZERO;
            for r in 0..R {
                for c in 0..C { t.0[c][r] = self.0[r][c]; }
            }
            t
        }
    }
    #[omp::declare_target]
    impl<const R: usize, const C: usize> Index<(usize, usize)> for Mat<R, C> {
        type Output = f32;
        fn index(&self, (r, c): (usize, usize)) -> &f32 { &self.0[r][c] }
    }
    #[omp::declare_target]
    impl<const R: usize, const C: usize> IndexMut<(usize, usize)> for Mat<R, C> {
        fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut f32 { &mut self.0[r][c] }
    }
    #[omp::declare_target]
    impl<const R: usize, const K: usize, const C: usize> Mul<Mat<K, C>> for Mat<R, K> {
        type Output = Mat<R, C>;
        fn mul(self, o: Mat<K, C>) -> Mat<R, C> {
            let mut out = Mat::<R, C>::ZERO;
            for r in 0..R {
                for c in 0..C {
                    out[(r, c)] = (0..K).map(|k| self[(r, k)] * o[(k, c)]).sum();
                }
            }
            out
        }
    }

    pub fn normal_equations(a: &[Mat<4, 2>]) -> Vec<Mat<2, 2>> {
        let mut out = vec![Mat([[0.0; 2]; 2]); a.len()];
        #[omp::target]
        for (m, o) in a.iter().zip(out.iter_mut()) {
            *o = m.transpose() * *m;
        }
        out
    }

    pub fn run() -> Vec<[[f32; 2]; 2]> {
        let mut r = Values(137);
        let a: Vec<Mat<4, 2>> = (0..12).map(|_| Mat(std::array::from_fn(|_| std::array::from_fn(|_| r.unit() as f32)))).collect();
        normal_equations(&a).iter().map(|m| m.0).collect()
    }
}
port!(matrix_views: run());
