//! PageRank on CSR; sparse products in ELL and COO.
use omp_tests::twice;

twice! {
    #[derive(Clone, Debug)]
    pub struct Csr { row_ptr: Vec<usize>, col_idx: Vec<u32>, out_degree: Vec<u32> }

    impl Csr {
        pub fn ring(n: usize) -> Self {
            let mut row_ptr = vec![0];
            let mut col_idx = Vec::new();
            let mut out_degree = vec![0; n];
            for v in 0..n {
                for k in 1..=(v % 4) + 1 {
                    let from = (v + k * k) % n;
                    col_idx.push(from as u32);
                    out_degree[from] += 1;
                }
                row_ptr.push(col_idx.len());
            }
            Self { row_ptr, col_idx, out_degree }
        }
        pub fn vertices(&self) -> usize { self.row_ptr.len() - 1 }
    }

    pub fn pagerank(g: &Csr, damping: f64, tolerance: f64) -> (Vec<f64>, u32) {
        let n = g.vertices();
        let mut rank = vec![1.0 / n as f64; n];
        let mut next = rank.clone();
        for iteration in 1.. {
            let mut dangling = 0.0;
            #[omp::target(reduction(+: dangling))]
            for (r, &d) in rank.iter().zip(&g.out_degree) {
                if d == 0 { dangling += r; }
            }
            let base = (1.0 - damping + damping * dangling) / n as f64;
            let mut change = 0.0;
            #[omp::target(reduction(+: change))]
            for v in 0..n {
                let sum: f64 = g.col_idx[g.row_ptr[v]..g.row_ptr[v + 1]]
                    .iter()
                    .map(|&u| rank[u as usize] / g.out_degree[u as usize] as f64)
                    .sum();
                next[v] = base + damping * sum;
                change += (next[v] - rank[v]).abs();
            }
            std::mem::swap(&mut rank, &mut next);
            if change < tolerance || iteration == 20 {
                return (rank, iteration);
            }
        }
        unreachable!()
    }

    pub struct Ell { width: usize, cols: Vec<i32>, vals: Vec<f64> }

    impl Ell {
        pub fn spmv(&self, x: &[f64], y: &mut [f64]) {
            let rows = y.len();
            #[omp::target]
            for (r, y) in y.iter_mut().enumerate() {
                let mut acc = 0.0;
                for k in 0..self.width {
                    let c = self.cols[k * rows + r];
                    if c < 0 { break; }
                    acc += self.vals[k * rows + r] * x[c as usize];
                }
                *y = acc;
            }
        }
    }

    pub fn coo(rows: &[u32], cols: &[u32], vals: &[f64], x: &[f64], y: &mut [f64]) {
        #[omp::target]
        for ((&r, &c), &v) in rows.iter().zip(cols).zip(vals) {
            #[omp::atomic]
            y[r as usize] += v * x[c as usize];
        }
    }

    pub fn run() -> (Vec<f64>, Vec<f64>, u32) {
        let g = Csr::ring(40);
        let (rank, steps) = pagerank(&g, 0.85, 1e-9);
        let e = Ell { width: 3, cols: (0..120).map(|k| if k % 7 == 0 { -1 } else { k % 40 }).collect(), vals: (0..120).map(|k| k as f64).collect() };
        let mut y = vec![0.0; 40];
        e.spmv(&rank, &mut y);
        coo(&[0, 1, 1, 39], &[3, 2, 1, 0], &[1.0, 2.0, 3.0, 4.0], &rank, &mut y);
        (rank, y, steps)
    }
}
port!(pagerank: run());
