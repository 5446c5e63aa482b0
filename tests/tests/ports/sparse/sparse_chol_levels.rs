//! Triangular solves by levels: rows of one level in parallel, rows as iterators.
use omp_tests::twice;

twice! {
    pub struct Lower { ptr: Vec<usize>, idx: Vec<usize>, val: Vec<f64>, diag: Vec<f64> }

    impl Lower {
        fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
            (self.ptr[i]..self.ptr[i + 1]).map(move |k| (self.idx[k], self.val[k]))
        }
        fn levels(&self) -> Vec<Vec<usize>> {
            let n = self.diag.len();
            let mut level = vec![0usize; n];
            for i in 0..n { level[i] = self.row(i).map(|(j, _)| level[j] + 1).max().unwrap_or(0); }
            let depth = level.iter().max().map_or(0, |d| d + 1);
            (0..depth).map(|d| (0..n).filter(|&i| level[i] == d).collect()).collect()
        }
        pub fn solve(&self, b: &[f64]) -> Vec<f64> {
            let mut x = vec![0.0; b.len()];
            for rows in self.levels() {
                #[omp::target(disjoint(x))]
                for &i in &rows {
                    let sum: f64 = self.row(i).map(|(j, v)| v * x[j]).sum();
                    x[i] = (b[i] - sum) / self.diag[i];
                }
            }
            x
        }
        pub fn residual(&self, x: &[f64], b: &[f64]) -> f64 {
            let mut worst = 0.0f64;
            #[omp::target(reduction(max: worst))]
            for (i, (&xi, &bi)) in x.iter().zip(b).enumerate() {
                let mut r = bi - self.diag[i] * xi;
                for (j, v) in self.row(i) { r -= v * x[j]; }
                worst = worst.max(r.abs());
            }
            worst
        }
    }
    pub fn run() -> (Vec<f64>, f64) {
        let n = 30;
        let (mut ptr, mut idx, mut val) = (vec![0], vec![], vec![]);
        for i in 0..n {
            for j in (0..i).filter(|j| (i * 7 + j * 3) % 11 == 0) { idx.push(j); val.push(0.1 * (j % 5) as f64 - 0.2); }
            ptr.push(idx.len());
        }
        let l = Lower { ptr, idx, val, diag: (0..n).map(|i| 1.0 + (i % 3) as f64).collect() };
        let b: Vec<f64> = (0..n).map(|i| i as f64).collect();
        let x = l.solve(&b);
        let r = l.residual(&x, &b);
        (x, r)
    }
}
port!(sparse_chol_levels: run());
