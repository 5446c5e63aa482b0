//! Sparse products: block rows and coordinates.
use omp_tests::twice;

twice! {
    pub struct Bsr<const B: usize> { ptr: Vec<usize>, col: Vec<usize>, val: Vec<[[f64; B]; B]> }
    pub struct Coo { entries: Vec<(u32, u32, f64)> }

    impl<const B: usize> Bsr<B> {
        pub fn spmv(&self, x: &[f64]) -> Vec<f64> {
            let mut y = vec![0.0; (self.ptr.len() - 1) * B];
            #[omp::target]
            for (row, out) in y.chunks_exact_mut(B).enumerate() {
                let mut acc = [0.0; B];
                for k in self.ptr[row]..self.ptr[row + 1] {
                    let xs = &x[self.col[k] * B..][..B];
                    for (a, r) in acc.iter_mut().zip(&self.val[k]) {
                        *a += r.iter().zip(xs).map(|(v, x)| v * x).sum::<f64>();
                    }
                }
                out.copy_from_slice(&acc);
            }
            y
        }
    }
    impl Coo {
        pub fn spmv(&self, x: &[f64], y: &mut [f64]) {
            #[omp::target]
            for &(r, c, v) in &self.entries {
                #[omp::atomic]
                y[r as usize] += v * x[c as usize];
            }
        }
        fn row_norms(&self, n: usize) -> Vec<f64> {
            let mut norms = vec![0.0f64; n];
            #[omp::target(reduction(max: norms))]
            for (r, _, v) in self.entries.iter() {
                norms[*r as usize] = norms[*r as usize].max(v.abs());
            }
            norms
        }
    }
    pub fn run() -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let b = Bsr::<3> { ptr: vec![0, 2, 3, 5], col: vec![0, 1, 1, 0, 2], val: (0..5).map(|k| std::array::from_fn(|i| std::array::from_fn(|j| (k + i * 2 + j) as f64 * 0.1))).collect() };
        let x: Vec<f64> = (0..9).map(|i| 1.0 + i as f64).collect();
        let coo = Coo { entries: (0..30u32).map(|k| (k * 7 % 9, k * 5 % 9, 0.3 * k as f64 - 2.0)).collect() };
        let mut y = vec![0.0; 9];
        coo.spmv(&x, &mut y);
        (b.spmv(&x), y, coo.row_norms(9))
    }
}
port!(bsr_coo: run());
