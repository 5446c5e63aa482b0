//! Batched LU with partial pivoting of small matrices, solves and determinants.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Lu<const N: usize> { a: [[f64; N]; N], piv: [usize; N], sign: f64 }

    #[omp::declare_target]
    impl<const N: usize> Lu<N> {
        fn factor(m: &[[f64; N]; N]) -> Option<Self> {
            let mut lu = Lu { a: *m, piv: [0; N], sign: 1.0 };
            for i in 0..N {
                lu.piv[i] = i;
            }
            for k in 0..N {
                let mut p = k;
                let mut max = lu.a[k][k].abs();
                for i in k + 1..N {
                    if lu.a[i][k].abs() > max {
                        max = lu.a[i][k].abs();
                        p = i;
                    }
                }
                if max < 1e-12 {
                    return None;
                }
                if p != k {
                    lu.a.swap(p, k);
                    lu.piv.swap(p, k);
                    lu.sign = -lu.sign;
                }
                for i in k + 1..N {
                    lu.a[i][k] /= lu.a[k][k];
                    for j in k + 1..N {
                        lu.a[i][j] -= lu.a[i][k] * lu.a[k][j];
                    }
                }
            }
            Some(lu)
        }

        fn solve(&self, b: &[f64; N]) -> [f64; N] {
            let mut x = [0.0; N];
            for i in 0..N {
                x[i] = b[self.piv[i]] - (0..i).map(|j| self.a[i][j] * x[j]).sum::<f64>();
            }
            for i in (0..N).rev() {
                for j in i + 1..N {
                    x[i] -= self.a[i][j] * x[j];
                }
                x[i] /= self.a[i][i];
            }
            x
        }

        fn det(&self) -> f64 {
            (0..N).fold(self.sign, |d, i| d * self.a[i][i])
        }
    }

    pub fn solve_batch<const N: usize>(mats: &[[[f64; N]; N]], rhs: &[[f64; N]], x: &mut [[f64; N]], dets: &mut [f64]) -> usize {
        assert!(mats.len() == rhs.len() && rhs.len() == x.len());
        let mut singular = 0;
        #[omp::target(reduction(+: singular))]
        for (((m, b), x), det) in mats.iter().zip(rhs).zip(x.iter_mut()).zip(dets.iter_mut()) {
            match Lu::factor(m) {
                Some(lu) => {
                    *x = lu.solve(b);
                    *det = lu.det();
                }
                None => {
                    *det = 0.0;
                    singular += 1;
                }
            }
        }
        singular
    }

    fn case<const N: usize>(count: usize) -> (Vec<[f64; N]>, Vec<f64>, usize) {
        let mut v = Values(N as u64);
        let mats: Vec<[[f64; N]; N]> = (0..count)
            .map(|k| {
                let mut m: [[f64; N]; N] = std::array::from_fn(|_| std::array::from_fn(|_| v.bits() as f64 / 2e9 - 1.0));
                if k % 5 == 0 { m[1] = m[0]; }
                m
            })
            .collect();
        let rhs: Vec<[f64; N]> = (0..count).map(|k| std::array::from_fn(|i| (k + i) as f64)).collect();
        let mut x = vec![[0.0; N]; count];
        let mut dets = vec![1.0; count];
        let singular = solve_batch(&mats, &rhs, &mut x, &mut dets);
        (x, dets, singular)
    }

    pub fn run() -> ((Vec<[f64; 3]>, Vec<f64>, usize), (Vec<[f64; 6]>, Vec<f64>, usize)) {
        (case::<3>(22), case::<6>(17))
    }
}
port!(batched_lu: run());
