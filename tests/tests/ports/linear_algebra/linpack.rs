//! LINPACK: LU factorisation with partial pivoting by columns (`dgefa`), and its solution (`dgesl`).
use omp_tests::{Values, twice};

twice! {
    fn idamax(x: &[f64]) -> usize {
        let mut at = 0;
        for (i, v) in x.iter().enumerate() {
            if v.abs() > x[at].abs() {
                at = i;
            }
        }
        at
    }

    pub fn dgefa(a: &mut [f64], lda: usize, n: usize, ipvt: &mut [usize]) -> Option<usize> {
        let mut info = None;
        for k in 0..n - 1 {
            let l = k + idamax(&a[k * lda + k..k * lda + n]);
            ipvt[k] = l;
            if a[k * lda + l] == 0.0 {
                info = Some(k);
                continue;
            }
            a.swap(k * lda + l, k * lda + k);
            let t = -1.0 / a[k * lda + k];
            for v in &mut a[k * lda + k + 1..k * lda + n] {
                *v *= t;
            }
            let (left, right) = a.split_at_mut((k + 1) * lda);
            let col = &left[k * lda..k * lda + n];
            #[omp::target]
            for column in right.chunks_mut(lda) {
                let t = column[l];
                if l != k {
                    column[l] = column[k];
                    column[k] = t;
                }
                for (v, c) in column[k + 1..n].iter_mut().zip(&col[k + 1..]) {
                    *v += t * c;
                }
            }
        }
        ipvt[n - 1] = n - 1;
        info
    }

    pub fn dgesl(a: &[f64], lda: usize, n: usize, ipvt: &[usize], b: &mut [f64]) {
        for k in 0..n - 1 {
            let l = ipvt[k];
            b.swap(l, k);
            let t = b[k];
            #[omp::target]
            for i in k + 1..n {
                b[i] += t * a[k * lda + i];
            }
        }
        for k in (0..n).rev() {
            b[k] /= a[k * lda + k];
            let t = -b[k];
            let column = &a[k * lda..][..k];
            #[omp::target]
            for (v, c) in b[..k].iter_mut().zip(column) {
                *v += t * c;
            }
        }
    }

    pub fn residual(a: &[f64], lda: usize, n: usize, x: &[f64], b: &[f64]) -> f64 {
        let mut worst = 0.0f64;
        #[omp::target(reduction(max: worst))]
        for i in 0..n {
            let sum: f64 = (0..n).map(|j| a[j * lda + i] * x[j]).sum();
            worst = worst.max((sum - b[i]).abs());
        }
        worst
    }

    pub fn run() -> (f64, Vec<f64>) {
        let (n, lda) = (24, 25);
        let mut v = Values(5);
        let a: Vec<f64> = (0..lda * n).map(|_| (v.bits() % 1000) as f64 / 500.0 - 1.0).collect();
        let b: Vec<f64> = (0..n).map(|i| (0..n).map(|j| a[j * lda + i]).sum()).collect();
        let (mut lu, mut x, mut ipvt) = (a.clone(), b.clone(), vec![0; n]);
        assert!(dgefa(&mut lu, lda, n, &mut ipvt).is_none());
        dgesl(&lu, lda, n, &ipvt, &mut x);
        (residual(&a, lda, n, &x, &b).min(1e-9), x)
    }
}
port!(linpack: run());
