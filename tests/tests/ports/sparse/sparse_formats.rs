//! Sparse matrices in several formats behind one trait: COO, ELL, DIA, blocked rows.
use omp_tests::{Values, twice};
twice! {
    pub trait SpMv {
        fn multiply(&self, x: &[f64], y: &mut [f64]);
    }

    pub struct Coo { rows: Vec<u32>, cols: Vec<u32>, values: Vec<f64> }
    pub struct Ell { width: usize, n: usize, cols: Vec<Option<u32>>, values: Vec<f64> }
    pub struct Dia { n: usize, offsets: Vec<isize>, data: Vec<f64> }
    pub struct Bsr<const B: usize> { row_ptr: Vec<usize>, cols: Vec<usize>, blocks: Vec<[[f64; B]; B]> }

    impl SpMv for Coo {
        fn multiply(&self, x: &[f64], y: &mut [f64]) {
            y.fill(0.0);
            #[omp::target(reduction(+: y))]
            for ((&r, &c), &v) in self.rows.iter().zip(&self.cols).zip(&self.values) {
                y[r as usize] += v * x[c as usize];
            }
        }
    }

    impl SpMv for Ell {
        fn multiply(&self, x: &[f64], y: &mut [f64]) {
            let Ell { width, n, cols, values } = self;
            #[omp::target]
            for (i, yi) in y.iter_mut().enumerate() {
                *yi = (0..*width).map(|k| k * n + i).filter_map(|at| cols[at].map(|c| values[at] * x[c as usize])).sum();
            }
        }
    }

    impl SpMv for Dia {
        fn multiply(&self, x: &[f64], y: &mut [f64]) {
            let n = self.n as isize;
            #[omp::target]
            for i in 0..self.n {
                let mut sum = 0.0;
                for (diagonal, &offset) in self.data.chunks(self.n).zip(&self.offsets) {
                    let j = i as isize + offset;
                    if (0..n).contains(&j) {
                        sum += diagonal[i] * x[j as usize];
                    }
                }
                y[i] = sum;
            }
        }
    }

    impl<const B: usize> SpMv for Bsr<B> {
        fn multiply(&self, x: &[f64], y: &mut [f64]) {
            #[omp::target]
            for (row, out) in y.chunks_exact_mut(B).enumerate() {
                let mut acc = [0.0; B];
                for k in self.row_ptr[row]..self.row_ptr[row + 1] {
                    let xs = &x[self.cols[k] * B..][..B];
                    for (a, line) in acc.iter_mut().zip(&self.blocks[k]) {
                        *a += line.iter().zip(xs).map(|(m, x)| m * x).sum::<f64>();
                    }
                }
                out.copy_from_slice(&acc);
            }
        }
    }

    pub fn run() -> Vec<f64> {
        let n = 24;
        let mut v = Values(14);
        let mut dense = vec![0.0; n * n];
        for i in 0..n {
            for j in [i.saturating_sub(3), i, (i + 5).min(n - 1)] { dense[i * n + j] = 1.0 + (v.bits() % 9) as f64; }
        }
        let entries: Vec<(usize, usize, f64)> = (0..n * n).filter(|&k| dense[k] != 0.0).map(|k| (k / n, k % n, dense[k])).collect();
        let coo = Coo { rows: entries.iter().map(|e| e.0 as u32).collect(), cols: entries.iter().map(|e| e.1 as u32).collect(), values: entries.iter().map(|e| e.2).collect() };
        let mut ell = Ell { width: 3, n, cols: vec![None; 3 * n], values: vec![0.0; 3 * n] };
        for i in 0..n {
            for (k, e) in entries.iter().filter(|e| e.0 == i).enumerate() { ell.cols[k * n + i] = Some(e.1 as u32); ell.values[k * n + i] = e.2; }
        }
        let offsets: Vec<isize> = (-(n as isize) + 1..n as isize).collect();
        let data = offsets.iter().flat_map(|&o| (0..n).map(|i| i as isize + o).enumerate().map(|(i, j)| if (0..n as isize).contains(&j) { dense[i * n + j as usize] } else { 0.0 }).collect::<Vec<_>>()).collect();
        let dia = Dia { n, offsets, data };
        let mut bsr = Bsr::<4> { row_ptr: vec![0], cols: vec![], blocks: vec![] };
        for bi in 0..n / 4 {
            for bj in 0..n / 4 {
                let b: [[f64; 4]; 4] = std::array::from_fn(|i| std::array::from_fn(|j| dense[(bi * 4 + i) * n + bj * 4 + j]));
                if b.iter().flatten().any(|&v| v != 0.0) { bsr.cols.push(bj); bsr.blocks.push(b); }
            }
            bsr.row_ptr.push(bsr.cols.len());
        }
        let x: Vec<f64> = (0..n).map(|i| 1.0 + i as f64 / 4.0).collect();
        let formats: [&dyn SpMv; 4] = [&coo, &ell, &dia, &bsr];
        let mut all = vec![];
        for f in formats {
            let mut y = vec![0.0; n];
            f.multiply(&x, &mut y);
            all.extend(y);
        }
        all
    }
}
port!(sparse_formats: run());
