//! k-truss: edges supported by fewer than k - 2 triangles are peeled off.
use omp_tests::{Values, twice};
twice! {
    use std::cmp::Ordering;

    struct Csr<'g> { row: &'g [u32], col: &'g [u32] }

    impl<'g> Csr<'g> {
        fn neighbours(&self, v: u32) -> &'g [u32] { &self.col[self.row[v as usize] as usize..self.row[v as usize + 1] as usize] }
    }

    #[omp::declare_target]
    fn intersect(mut a: &[u32], mut b: &[u32], alive: impl Fn(usize, usize) -> bool) -> u32 {
        let (mut i, mut j, mut n) = (0, 0, 0);
        while let (Some(x), Some(y)) = (a.first(), b.first()) {
            match x.cmp(y) {
                Ordering::Less => { a = &a[1..]; i += 1; }
                Ordering::Greater => { b = &b[1..]; j += 1; }
                Ordering::Equal => {
                    n += alive(i, j) as u32;
                    a = &a[1..];
                    b = &b[1..];
                    i += 1;
                    j += 1;
                }
            }
        }
        n
    }

    pub fn ktruss(row: &[u32], col: &[u32], src: &[u32], k: u32) -> Vec<bool> {
        let g = Csr { row, col };
        let mut alive = vec![true; col.len()];
        loop {
            let mut next = alive.clone();
            let mut removed = 0usize;
            #[omp::target(reduction(+: removed))]
            for (e, (keep, (&u, &v))) in next.iter_mut().zip(src.iter().zip(col)).enumerate() {
                if !alive[e] { continue; }
                let (ou, ov) = (row[u as usize] as usize, row[v as usize] as usize);
                let support = intersect(g.neighbours(u), g.neighbours(v), |i, j| alive[ou + i] && alive[ov + j]);
                if support + 2 < k {
                    *keep = false;
                    removed += 1;
                }
            }
            alive = next;
            if removed == 0 { break alive; }
        }
    }

    pub fn run() -> Vec<bool> {
        let mut v = Values(31);
        let n = 40usize;
        let mut m = vec![vec![false; n]; n];
        for _ in 0..220 { let (a, b) = (v.bits() as usize % n, v.bits() as usize % n); if a != b { m[a][b] = true; m[b][a] = true; } }
        let (mut row, mut col, mut src) = (vec![0u32], vec![], vec![]);
        for (a, r) in m.iter().enumerate() {
            for (b, _) in r.iter().enumerate().filter(|x| *x.1) { col.push(b as u32); src.push(a as u32); }
            row.push(col.len() as u32);
        }
        ktruss(&row, &col, &src, 5)
    }
}
port!(ktruss: run());
