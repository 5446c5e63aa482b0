//! Local alignment with affine gaps of many pairs of sequences; the end of the best path and its score.
use omp_tests::{Values, twice};

twice! {
    const MAX: usize = 48;
    const MATCH: i32 = 5;
    const MISMATCH: i32 = -4;
    const OPEN: i32 = 10;
    const EXTEND: i32 = 1;

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, omp::Device)]
    pub struct Best { score: i32, query_end: u16, target_end: u16 }

    #[derive(Clone, Copy, omp::Device)]
    struct Cell { h: i32, f: i32 }

    #[derive(omp::Mapper)]
    pub struct Batch { letters: Vec<u8>, offsets: Vec<usize> }

    impl Batch {
        fn new<'a>(seqs: impl IntoIterator<Item = &'a [u8]>) -> Self {
            let mut b = Batch { letters: vec![], offsets: vec![0] };
            for s in seqs {
                b.letters.extend_from_slice(s);
                b.offsets.push(b.letters.len());
            }
            b
        }
        fn len(&self) -> usize { self.offsets.len() - 1 }
        fn get(&self, i: usize) -> &[u8] { &self.letters[self.offsets[i]..self.offsets[i + 1]] }
    }

    #[inline]
    #[omp::declare_target]
    fn substitution(a: u8, b: u8) -> i32 { if a.eq_ignore_ascii_case(&b) { MATCH } else { MISMATCH } }

    #[omp::declare_target]
    fn align(query: &[u8], target: &[u8]) -> Best {
        let mut row = [Cell { h: 0, f: i32::MIN / 2 }; MAX + 1];
        let mut best = Best::default();
        for (i, &q) in query.iter().enumerate() {
            let mut diagonal = 0;
            let mut left = 0;
            let mut e = i32::MIN / 2;
            for (j, (cell, &t)) in row[1..].iter_mut().zip(target).enumerate() {
                e = (e - EXTEND).max(left - OPEN);
                cell.f = (cell.f - EXTEND).max(cell.h - OPEN);
                let h = (diagonal + substitution(q, t)).max(e).max(cell.f).max(0);
                diagonal = cell.h;
                cell.h = h;
                left = h;
                if h > best.score {
                    best = Best { score: h, query_end: i as u16 + 1, target_end: j as u16 + 1 };
                }
            }
        }
        best
    }

    pub fn align_all(queries: &Batch, targets: &Batch) -> Vec<Best> {
        let mut out = vec![Best::default(); queries.len()];
        #[omp::target]
        for (i, best) in out.iter_mut().enumerate() {
            *best = align(queries.get(i), targets.get(i));
        }
        out
    }
    pub fn run() -> Vec<(i32, u16, u16)> {
        let mut v = Values(17);
        let mut seq = |n: usize| -> Vec<u8> { (0..n).map(|_| b"ACGTacgt"[v.bits() as usize % 8]).collect() };
        let q: Vec<Vec<u8>> = (0..24).map(|i| seq(20 + i % 9)).collect();
        let t: Vec<Vec<u8>> = (0..24).map(|i| { let mut s = q[i].clone(); s.splice(4..8, seq(9)); s }).collect();
        let (q, t) = (Batch::new(q.iter().map(|s| &s[..])), Batch::new(t.iter().map(|s| &s[..])));
        align_all(&q, &t).iter().map(|b| (b.score, b.query_end, b.target_end)).collect()
    }
}
port!(gotoh: run());
