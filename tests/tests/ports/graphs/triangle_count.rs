//! Triangles by intersecting sorted neighbour lists.
use omp_tests::{Values, twice};
twice! {
    use std::cmp::Ordering;

    #[omp::declare_target]
    fn common(a: &[u32], b: &[u32]) -> u64 {
        let (mut i, mut j, mut n) = (0, 0, 0);
        while i < a.len() && j < b.len() {
            match a[i].cmp(&b[j]) {
                Ordering::Less => i += 1,
                Ordering::Greater => j += 1,
                Ordering::Equal => {
                    n += 1;
                    i += 1;
                    j += 1;
                }
            }
        }
        n
    }

    pub fn count(offsets: &[usize], adjacency: &[u32]) -> (u64, Vec<f64>) {
        let nodes = offsets.len() - 1;
        let neighbours = |v: usize| &adjacency[offsets[v]..offsets[v + 1]];
        let mut total = 0u64;
        let mut clustering = vec![0.0; nodes];
        #[omp::target(reduction(+: total))]
        for v in 0..nodes {
            let mine = neighbours(v);
            let twice: u64 = mine.iter().map(|&u| common(mine, neighbours(u as usize))).sum();
            total += mine.iter().filter(|&&u| u as usize > v).map(|&u| common(mine, neighbours(u as usize))).sum::<u64>();
            let d = mine.len();
            if d > 1 {
                clustering[v] = twice as f64 / (d * (d - 1)) as f64;
            }
        }
        (total / 3, clustering)
    }

    pub fn run() -> (u64, Vec<f64>) {
        let mut v = Values(28);
        let n = 24;
        let mut m = vec![vec![false; n]; n];
        for i in 0..n { for j in 0..i { let e = v.bits() % 3 == 0; m[i][j] = e; m[j][i] = e; } }
        let mut offsets = vec![0];
        let mut adj = vec![];
        for row in &m { adj.extend(row.iter().enumerate().filter(|(_, e)| **e).map(|(j, _)| j as u32)); offsets.push(adj.len()); }
        count(&offsets, &adj)
    }
}
port!(triangle_count: run());
