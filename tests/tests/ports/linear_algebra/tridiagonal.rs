//! Batched small systems: Thomas' algorithm, LU with pivots, Jacobi rotations of 3 × 3.
use omp_tests::{Values, twice};

twice! {
    pub fn thomas<const N: usize>(x: &mut [[f64; N]], a: &[[f64; N]], b: &[[f64; N]], c: &[[f64; N]]) {
        #[omp::target]
        for (s, x) in x.iter_mut().enumerate() {
            let (a, b, c) = (&a[s], &b[s], &c[s]);
            let mut cp = [0.0; N];
            cp[0] = c[0] / b[0];
            x[0] /= b[0];
            for i in 1..N {
                let m = 1.0 / (b[i] - a[i] * cp[i - 1]);
                cp[i] = c[i] * m;
                x[i] = (x[i] - a[i] * x[i - 1]) * m;
            }
            for i in (0..N - 1).rev() {
                x[i] -= cp[i] * x[i + 1];
            }
        }
    }

    #[omp::declare_target]
    fn solve<const N: usize>(mut a: [[f64; N]; N], mut b: [f64; N]) -> Option<[f64; N]> {
        for k in 0..N {
            let pivot = (k..N).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
            if a[pivot][k].abs() < 1e-12 {
                return None;
            }
            a.swap(k, pivot);
            b.swap(k, pivot);
            for i in k + 1..N {
                let f = a[i][k] / a[k][k];
                for j in k..N {
                    a[i][j] -= f * a[k][j];
                }
                b[i] -= f * b[k];
            }
        }
        let mut x = [0.0; N];
        for i in (0..N).rev() {
            let sum: f64 = (i + 1..N).map(|j| a[i][j] * x[j]).sum();
            x[i] = (b[i] - sum) / a[i][i];
        }
        Some(x)
    }

    pub fn solve_all(out: &mut [[f64; 4]], matrices: &[[[f64; 4]; 4]], rhs: &[[f64; 4]]) -> u32 {
        let mut singular = 0;
        #[omp::target(reduction(+: singular))]
        for ((o, m), r) in out.iter_mut().zip(matrices).zip(rhs) {
            if let Some(x) = solve(*m, *r) {
                *o = x;
            } else {
                singular += 1;
            }
        }
        singular
    }

    pub fn run() -> (Vec<[f64; 8]>, Vec<[f64; 4]>, u32) {
        let mut v = Values(19);
        let mut unit = || v.bits() as f64 / 4294967296.0;
        let mut x: Vec<[f64; 8]> = (0..30).map(|_| std::array::from_fn(|_| unit())).collect();
        let b: Vec<[f64; 8]> = (0..30).map(|_| std::array::from_fn(|_| 4.0 + unit())).collect();
        let (a, c) = (x.clone(), b.iter().map(|r| r.map(|v| v - 4.5)).collect::<Vec<_>>());
        thomas(&mut x, &a, &b, &c);
        let mut m: Vec<[[f64; 4]; 4]> = (0..20).map(|_| std::array::from_fn(|_| std::array::from_fn(|_| unit()))).collect();
        m[3][2] = m[3][1];
        m[7] = [[0.0; 4]; 4];
        let rhs: Vec<[f64; 4]> = (0..20).map(|_| std::array::from_fn(|_| unit())).collect();
        let mut out = vec![[0.0; 4]; 20];
        let singular = solve_all(&mut out, &m, &rhs);
        (x, out, singular)
    }
}
port!(tridiagonal: run());
