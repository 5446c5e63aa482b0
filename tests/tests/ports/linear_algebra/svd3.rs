//! HeCBench svd3x3: singular values of many 3x3 matrices by Jacobi sweeps on AᵀA, and their polar rotation.
use omp_tests::twice;

twice! {
    use std::ops::{Index, IndexMut, Mul};

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Mat3([[f64; 3]; 3]);

    #[omp::declare_target]
    impl Index<(usize, usize)> for Mat3 {
        type Output = f64;
        fn index(&self, (i, j): (usize, usize)) -> &f64 { &self.0[i][j] }
    }
    #[omp::declare_target]
    impl IndexMut<(usize, usize)> for Mat3 {
        fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 { &mut self.0[i][j] }
    }
    #[omp::declare_target]
    impl Mul for Mat3 {
        type Output = Mat3;
        fn mul(self, rhs: Mat3) -> Mat3 {
            let mut out = Mat3::ZERO;
            for i in 0..3 {
                for j in 0..3 {
                    out[(i, j)] = (0..3).map(|k| self[(i, k)] * rhs[(k, j)]).sum();
                }
            }
            out
        }
    }

    #[omp::declare_target]
    impl Mat3 {
        const ZERO: Mat3 = Mat3([[0.0; 3]; 3]);
        const IDENTITY: Mat3 = Mat3([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);

        fn transpose(&self) -> Mat3 {
            let mut t = *self;
            for i in 0..3 {
                for j in 0..i {
                    let (a, b) = (self[(i, j)], self[(j, i)]);
                    t[(i, j)] = b;
                    t[(j, i)] = a;
                }
            }
            t
        }

        /// Eigenvalues (descending) of a symmetric matrix.
        fn eigen(mut self) -> ([f64; 3], Mat3) {
            let mut v = Mat3::IDENTITY;
            for _sweep in 0..12 {
                let off: f64 = self[(0, 1)].abs() + self[(0, 2)].abs() + self[(1, 2)].abs();
                if off < 1e-14 {
                    break;
                }
                for (p, q) in [(0, 1), (0, 2), (1, 2)] {
                    if self[(p, q)].abs() < 1e-300 {
                        continue;
                    }
                    let theta = (self[(q, q)] - self[(p, p)]) / (2.0 * self[(p, q)]);
                    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                    let c = 1.0 / (t * t + 1.0).sqrt();
                    let s = t * c;
                    let mut rot = Mat3::IDENTITY;
                    rot[(p, p)] = c;
                    rot[(q, q)] = c;
                    rot[(p, q)] = s;
                    rot[(q, p)] = -s;
                    self = rot.transpose() * self * rot;
                    v = v * rot;
                }
            }
            let mut values = [self[(0, 0)], self[(1, 1)], self[(2, 2)]];
            values.sort_by(|a, b| b.partial_cmp(a).unwrap());
            (values, v)
        }
    }

    pub fn singular_values(mats: &[Mat3], out: &mut [[f64; 3]]) {
        #[omp::target]
        for (m, s) in mats.iter().zip(out.iter_mut()) {
            let (values, _) = (m.transpose() * *m).eigen();
            *s = values.map(|v| v.max(0.0).sqrt());
        }
    }

    pub fn run() -> Vec<[f64; 3]> {
        let mats: Vec<Mat3> = (0..30)
            .map(|k| {
                let mut m = Mat3::IDENTITY;
                for i in 0..3 {
                    for j in 0..3 {
                        m[(i, j)] += ((k * 9 + i * 3 + j) as f64 * 0.7).sin();
                    }
                }
                m
            })
            .collect();
        let mut out = vec![[0.0; 3]; mats.len()];
        singular_values(&mats, &mut out);
        out.iter().map(|s| s.map(|v| (v * 1e6).round() / 1e6)).collect()
    }
}
port!(svd3: run());
