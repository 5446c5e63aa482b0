//! NPB's block-tridiagonal kernels: small matrices with an `Index`.
use omp_tests::twice;
twice! {
    use std::ops::{Index, IndexMut, Mul, Sub};
    const N: usize = 4;

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Block { m: [f64; N * N] }
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Column([f64; N]);

    #[omp::declare_target]
    impl Index<(usize, usize)> for Block { type Output = f64; fn index(&self, (r, c): (usize, usize)) -> &f64 { &self.m[r * N + c] } }
    #[omp::declare_target]
    impl IndexMut<(usize, usize)> for Block { fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut f64 { &mut self.m[r * N + c] } }
    #[omp::declare_target]
    impl Index<usize> for Column { type Output = f64; fn index(&self, i: usize) -> &f64 { &self.0[i] } }
    #[omp::declare_target]
    impl IndexMut<usize> for Column { fn index_mut(&mut self, i: usize) -> &mut f64 { &mut self.0[i] } }

    #[omp::declare_target]
    impl Mul<Column> for Block {
        type Output = Column;
        fn mul(self, v: Column) -> Column {
            let mut out = Column([0.0; N]);
            for r in 0..N { for c in 0..N { out[r] += self[(r, c)] * v[c]; } }
            out
        }
    }
    #[omp::declare_target]
    impl Mul for Block {
        type Output = Block;
        fn mul(self, o: Block) -> Block {
            let mut out = Block { m: [0.0; N * N] };
            for r in 0..N {
                for c in 0..N {
                    out[(r, c)] = (0..N).map(|k| self[(r, k)] * o[(k, c)]).sum();
                }
            }
            out
        }
    }
    #[omp::declare_target]
    impl Sub for Column {
        type Output = Column;
        fn sub(mut self, o: Column) -> Column {
            for i in 0..N { self[i] -= o[i]; }
            self
        }
    }

    #[omp::declare_target]
    impl Block {
        pub fn identity() -> Self {
            let mut b = Block { m: [0.0; N * N] };
            for i in 0..N { b[(i, i)] = 1.0; }
            b
        }

        pub fn inverse(mut self) -> Option<Block> {
            let mut inv = Block::identity();
            for p in 0..N {
                let pivot = self[(p, p)];
                if pivot.abs() < 1e-12 { return None; }
                for c in 0..N {
                    self[(p, c)] /= pivot;
                    inv[(p, c)] /= pivot;
                }
                for r in (0..N).filter(|&r| r != p) {
                    let f = self[(r, p)];
                    for c in 0..N {
                        let (a, b) = (self[(p, c)], inv[(p, c)]);
                        self[(r, c)] -= f * a;
                        inv[(r, c)] -= f * b;
                    }
                }
            }
            Some(inv)
        }
    }

    pub fn jacobi(x: &mut [Column], diag: &[Block], off: &Block, rhs: &[Column]) {
        let old = x.to_vec();
        let n = x.len();
        #[omp::target]
        for i in 0..n {
            let mut r = rhs[i];
            if i > 0 { r = r - *off * old[i - 1]; }
            if i + 1 < n { r = r - *off * old[i + 1]; }
            x[i] = match diag[i].inverse() {
                Some(inv) => inv * r,
                None => old[i],
            };
        }
    }

    pub fn run() -> Vec<[f64; N]> {
        let diag: Vec<Block> = (0..9).map(|k| {
            let mut b = Block::identity();
            for r in 0..N { for c in 0..N { b[(r, c)] += if r == c { 5.0 + k as f64 } else { 1.0 / (1 + r + c) as f64 }; } }
            b
        }).collect();
        let mut off = Block::identity();
        off[(0, 3)] = 0.25;
        let rhs: Vec<Column> = (0..9).map(|k| Column([k as f64, 1.0, -2.0, 0.5])).collect();
        let mut x = vec![Column([0.0; N]); 9];
        for _ in 0..5 { jacobi(&mut x, &diag, &off, &rhs); }
        x.iter().map(|c| c.0).collect()
    }
}
port!(block_solver: run());
