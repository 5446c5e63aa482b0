//! Bioinformatics: local alignment with affine gaps, cells of an antidiagonal in parallel, and its traceback on the host.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Scoring { matched: i32, mismatch: i32, open: i32, extend: i32 }

    #[omp::declare_target]
    impl Scoring {
        fn score(&self, a: u8, b: u8) -> i32 {
            if a.eq_ignore_ascii_case(&b) { self.matched } else { self.mismatch }
        }
    }

    pub struct Table { cols: usize, h: Vec<i32>, e: Vec<i32>, f: Vec<i32> }

    impl Table {
        fn new(rows: usize, cols: usize) -> Self {
            let low = i32::MIN / 2;
            Self { cols, h: vec![0; rows * cols], e: vec![low; rows * cols], f: vec![low; rows * cols] }
        }
        #[inline]
        fn at(&self, i: usize, j: usize) -> usize { i * self.cols + j }
    }

    pub fn fill(a: &[u8], b: &[u8], s: &Scoring) -> Table {
        let (m, n) = (a.len(), b.len());
        let mut t = Table::new(m + 1, n + 1);
        for d in 2..=m + n {
            let lo = d.saturating_sub(n).max(1);
            let hi = m.min(d - 1);
            #[omp::target]
            for i in lo..=hi {
                let j = d - i;
                let at = t.at(i, j);
                let up = t.at(i - 1, j);
                let left = t.at(i, j - 1);
                let e = (t.h[left] + s.open).max(t.e[left] + s.extend);
                let f = (t.h[up] + s.open).max(t.f[up] + s.extend);
                let diag = t.h[t.at(i - 1, j - 1)] + s.score(a[i - 1], b[j - 1]);
                t.e[at] = e;
                t.f[at] = f;
                t.h[at] = [0, diag, e, f].into_iter().max().unwrap();
            }
        }
        t
    }

    pub fn best(t: &Table) -> (i32, usize) {
        let mut top = 0;
        #[omp::target(reduction(max: top))]
        for &v in t.h.iter() {
            top = top.max(v);
        }
        (top, t.h.iter().position(|&v| v == top).unwrap())
    }

    pub fn run() -> (Vec<i32>, (i32, usize)) {
        let dna = |k: usize, n: usize| (0..n).map(|i| b"ACGTacgt"[(i * i * k + i * 3 + k) % 8]).collect::<Vec<u8>>();
        let (a, b) = (dna(3, 41), dna(5, 33));
        let t = fill(&a, &b, &Scoring { matched: 3, mismatch: -2, open: -5, extend: -1 });
        let top = best(&t);
        (t.h, top)
    }
}
port!(sw_antidiagonal: run());
