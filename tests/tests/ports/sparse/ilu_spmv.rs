//! Sparse triangular solves by levels, ILU(0) on a fixed pattern, BiCGStab vector updates.
use omp_tests::twice;
use std::ops::Range;

twice! {
    #[derive(Clone, Debug, omp::Mapper)]
    pub struct Csr<T: omp::Device> { n: usize, ptr: Vec<usize>, col: Vec<usize>, val: Vec<T>, diag: Vec<usize> }

    impl Csr<f64> {
        #[inline]
        fn lower(&self, i: usize) -> Range<usize> { self.ptr[i]..self.diag[i] }
        #[inline]
        fn upper(&self, i: usize) -> Range<usize> { self.diag[i] + 1..self.ptr[i + 1] }
        #[inline]
        fn row(&self, i: usize) -> Range<usize> { self.ptr[i]..self.ptr[i + 1] }

        pub fn spmv(&self, x: &[f64], y: &mut [f64]) {
            #[omp::target]
            for i in 0..self.n {
                y[i] = self.row(i).map(|k| self.val[k] * x[self.col[k]]).sum();
            }
        }

        fn levels(&self) -> Vec<Vec<usize>> {
            let mut level = vec![0; self.n];
            let mut out: Vec<Vec<usize>> = vec![];
            for i in 0..self.n {
                level[i] = self.lower(i).map(|k| level[self.col[k]] + 1).max().unwrap_or(0);
                if out.len() <= level[i] { out.resize(level[i] + 1, vec![]); }
                out[level[i]].push(i);
            }
            out
        }

        pub fn ilu0(&mut self) {
            for rows in self.levels() {
                #[omp::target(disjoint(self.val))]
                for &i in &rows {
                    for k in self.lower(i) {
                        let j = self.col[k];
                        self.val[k] /= self.val[self.diag[j]];
                        let factor = self.val[k];
                        for m in self.upper(j) {
                            if let Some(at) = (k + 1..self.ptr[i + 1]).find(|&q| self.col[q] == self.col[m]) {
                                self.val[at] -= factor * self.val[m];
                            }
                        }
                    }
                }
            }
        }

        pub fn solve_lower(&self, b: &[f64], x: &mut [f64]) {
            for rows in self.levels().iter() {
                #[omp::target(disjoint(x))]
                for &i in rows {
                    let mut s = b[i];
                    for k in self.lower(i) {
                        s -= self.val[k] * x[self.col[k]];
                    }
                    x[i] = s;
                }
            }
        }

        pub fn scale_rows(&mut self, s: &[f64]) {
            #[omp::target]
            for (i, &f) in s.iter().enumerate() {
                for k in self.row(i) {
                    self.val[k] *= f;
                }
            }
        }

        pub fn row_sums(&self) -> (Vec<f64>, f64) {
            let mut sums = vec![0.0; self.n];
            let mut largest = f64::NEG_INFINITY;
            #[omp::target(reduction(max: largest))]
            for (i, s) in sums.iter_mut().enumerate() {
                *s = self.val[self.row(i)].iter().map(|v| v.abs()).sum();
                largest = largest.max(*s);
            }
            (sums, largest)
        }
    }

    pub fn bicg_update(p: &mut [f64], r: &[f64], v: &[f64], beta: f64, omega: f64) -> (f64, f64) {
        let (mut pp, mut pr) = (0.0, 0.0);
        #[omp::target(reduction(+: pp, pr))]
        for ((p, &r), &v) in p.iter_mut().zip(r).zip(v) {
            *p = r + beta * (*p - omega * v);
            pp += *p * *p;
            pr += *p * r;
        }
        (pp, pr)
    }

    fn matrix(n: usize) -> Csr<f64> {
        let mut a = Csr { n: n * n, ptr: vec![0], col: vec![], val: vec![], diag: vec![] };
        for i in 0..n * n {
            let mut put = |c: usize, v: f64| { a.col.push(c); a.val.push(v); };
            if i >= n { put(i - n, -1.0) }
            if i % n > 0 { put(i - 1, -1.1) }
            a.diag.push(a.col.len());
            a.col.push(i);
            a.val.push(4.5);
            let mut put = |c: usize, v: f64| { a.col.push(c); a.val.push(v); };
            if i % n + 1 < n { put(i + 1, -0.9) }
            if i + n < n * n { put(i + n, -1.0) }
            a.ptr.push(a.col.len());
        }
        a
    }

    pub fn run() -> (Vec<f64>, Vec<f64>, Vec<f64>, (f64, f64)) {
        let mut a = matrix(6);
        let x: Vec<f64> = (0..a.n).map(|i| (i as f64 * 0.3).sin()).collect();
        let mut y = vec![0.0; a.n];
        a.scale_rows(&x.iter().map(|v| 1.0 + v * v).collect::<Vec<_>>());
        a.spmv(&x, &mut y);
        let (mut sums, largest) = a.row_sums();
        sums.push(largest);
        let mut ilu = a.clone();
        ilu.ilu0();
        let mut z = vec![0.0; a.n];
        ilu.solve_lower(&y, &mut z);
        let mut p = x.clone();
        let dots = bicg_update(&mut p, &y, &z, 0.3, 0.7);
        (ilu.val, z, sums, dots)
    }
}
port!(ilu_spmv: run());
