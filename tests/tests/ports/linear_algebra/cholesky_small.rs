//! Batched Cholesky factorisations of small matrices, with failures as values.
use omp_tests::twice;

twice! {
    pub type Mat<const N: usize> = [[f64; N]; N];

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub enum Failure { NotPositive, Singular }

    #[omp::declare_target]
    fn factor<const N: usize>(a: &Mat<N>) -> Result<Mat<N>, Failure> {
        let mut l = [[0.0; N]; N];
        for j in 0..N {
            for i in j..N {
                let dot: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
                let s = a[i][j] - dot;
                if i == j {
                    if s < 0.0 { return Err(Failure::NotPositive); }
                    if s == 0.0 { return Err(Failure::Singular); }
                    l[j][j] = s.sqrt();
                } else {
                    l[i][j] = s / l[j][j];
                }
            }
        }
        Ok(l)
    }

    #[omp::declare_target]
    fn log_det<const N: usize>(a: &Mat<N>) -> Result<f64, Failure> {
        let l = factor(a)?;
        Ok(2.0 * (0..N).map(|i| l[i][i].ln()).sum::<f64>())
    }

    pub fn log_dets<const N: usize>(ms: &[Mat<N>]) -> (Vec<f64>, usize) {
        let mut out = vec![f64::NAN; ms.len()];
        let mut failed = 0;
        #[omp::target(reduction(+: failed))]
        for (m, o) in ms.iter().zip(&mut out) {
            match log_det(m) {
                Ok(d) => *o = d,
                Err(Failure::Singular) => { *o = f64::NEG_INFINITY; failed += 1; }
                Err(_) => failed += 1,
            }
        }
        (out, failed)
    }
    pub fn run() -> (Vec<f64>, usize) {
        let ms: Vec<Mat<4>> = (0..40).map(|k| std::array::from_fn(|i| std::array::from_fn(|j| if i == j { (k % 8) as f64 } else { 0.3 / (1.0 + i.abs_diff(j) as f64) }))).collect();
        log_dets(&ms)
    }
}
port!(cholesky_small: run());
