//! Many small systems: Cholesky factors with an error for what is not positive definite, forward and back substitution.
use omp_tests::{Values, twice};
twice! {
    use std::ops::{Index, IndexMut};

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Mat<const N: usize>([[f64; N]; N]);

    #[omp::declare_target]
    impl<const N: usize> Index<(usize, usize)> for Mat<N> {
        type Output = f64;
        fn index(&self, (i, j): (usize, usize)) -> &f64 { &self.0[i][j] }
    }
    #[omp::declare_target]
    impl<const N: usize> IndexMut<(usize, usize)> for Mat<N> {
        fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 { &mut self.0[i][j] }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Failure { NotPositive { row: u8 }, Singular }

    #[omp::declare_target]
    impl<const N: usize> Mat<N> {
        pub fn cholesky(&self) -> Result<Mat<N>, Failure> {
            let mut l = Mat([[0.0; N]; N]);
            for i in 0..N {
                for j in 0..=i {
                    let s: f64 = (0..j).map(|k| l[(i, k)] * l[(j, k)]).sum();
                    let v = self[(i, j)] - s;
                    if i == j {
                        if v <= 0.0 {
                            return Err(Failure::NotPositive { row: i as u8 });
                        }
                        l[(i, j)] = v.sqrt();
                    } else {
                        l[(i, j)] = v / l[(j, j)];
                    }
                }
            }
            Ok(l)
        }
        pub fn solve(&self, b: &[f64; N]) -> Result<[f64; N], Failure> {
            let l = self.cholesky()?;
            if (0..N).any(|i| l[(i, i)].abs() < 1e-12) { return Err(Failure::Singular); }
            let mut y = *b;
            for i in 0..N {
                for k in 0..i { y[i] -= l[(i, k)] * y[k]; }
                y[i] /= l[(i, i)];
            }
            for i in (0..N).rev() {
                for k in i + 1..N { y[i] -= l[(k, i)] * y[k]; }
                y[i] /= l[(i, i)];
            }
            Ok(y)
        }
    }

    pub fn solve_all<const N: usize>(a: &[Mat<N>], b: &[[f64; N]], x: &mut [[f64; N]]) -> (usize, usize) {
        let (mut failed, mut singular) = (0, 0);
        #[omp::target(reduction(+: failed, singular))]
        for ((m, rhs), out) in a.iter().zip(b).zip(x.iter_mut()) {
            match m.solve(rhs) {
                Ok(v) => *out = v,
                Err(Failure::NotPositive { row }) => {
                    *out = [f64::from(row); N];
                    failed += 1;
                }
                Err(Failure::Singular) => singular += 1,
            }
        }
        (failed, singular)
    }

    pub fn run() -> (Vec<[f64; 4]>, (usize, usize)) {
        let mut v = Values(14);
        let mut a = Vec::new();
        for k in 0..30 {
            let mut m = Mat([[0.0; 4]; 4]);
            for i in 0..4 { for j in 0..=i {
                let x = (v.bits() % 100) as f64 / 100.0;
                m[(i, j)] = x; m[(j, i)] = x;
            } m[(i, i)] += if k % 5 == 4 { -0.5 } else { 4.0 }; }
            a.push(m);
        }
        let b: Vec<[f64; 4]> = (0..30).map(|i| [i as f64, 1.0, -2.0, 0.5]).collect();
        let mut x = vec![[0.0; 4]; 30];
        let n = solve_all(&a, &b, &mut x);
        (x, n)
    }
}
port!(cholesky: run());
