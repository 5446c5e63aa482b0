//! PageRank with dangling nodes and convergence.
use omp_tests::{Values, twice};
twice! {
    #[derive(Debug, Clone, omp::Mapper)]
    pub struct Csr { row_ptr: Vec<u32>, col_idx: Vec<u32>, out_degree: Vec<u32> }

    impl Csr {
        #[inline]
        fn in_edges(&self, v: usize) -> &[u32] { &self.col_idx[self.row_ptr[v] as usize..self.row_ptr[v + 1] as usize] }

        pub fn pagerank(&self, damping: f64, tol: f64, max_iter: usize) -> (Vec<f64>, usize) {
            let n = self.out_degree.len();
            let base = (1.0 - damping) / n as f64;
            let mut rank = vec![1.0 / n as f64; n];
            let mut next = vec![0.0; n];
            for iter in 1..=max_iter {
                let mut dangling = 0.0;
                #[omp::target(reduction(+: dangling))]
                for (r, d) in rank.iter().zip(&self.out_degree) {
                    if *d == 0 { dangling += r; }
                }
                let share = damping * dangling / n as f64;
                let mut delta = 0.0;
                #[omp::target(reduction(+: delta))]
                for v in 0..n {
                    let sum: f64 = self.in_edges(v).iter().map(|&u| rank[u as usize] / f64::from(self.out_degree[u as usize])).sum();
                    next[v] = base + share + damping * sum;
                    delta += f64::abs(next[v] - rank[v]);
                }
                std::mem::swap(&mut rank, &mut next);
                if delta < tol { return (rank, iter); }
            }
            (rank, max_iter)
        }
    }

    pub fn run() -> (Vec<f64>, usize) {
        let mut v = Values(66);
        let n = 30;
        let mut incoming = vec![vec![]; n];
        let mut out_degree = vec![0; n];
        for _ in 0..90 {
            let (a, b) = (v.bits() as usize % n, v.bits() as usize % n);
            incoming[b].push(a as u32);
            out_degree[a] += 1;
        }
        let mut row_ptr = vec![0];
        for l in &incoming { row_ptr.push(row_ptr.last().unwrap() + l.len() as u32); }
        Csr { row_ptr, col_idx: incoming.concat(), out_degree }.pagerank(0.85, 1e-8, 50)
    }
}
port!(pagerank_csr: run());
