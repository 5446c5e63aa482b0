//! Boruvka's minimum spanning forest: each component's lightest edge, then pointer jumping.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
    pub struct Edge { weight: u32, to: u32, from: u32 }

    pub struct Graph { offsets: Vec<usize>, targets: Vec<u32>, weights: Vec<u32> }

    impl Graph {
        fn edges(&self, v: usize) -> impl Iterator<Item = Edge> + '_ {
            let range = self.offsets[v]..self.offsets[v + 1];
            self.targets[range.clone()]
                .iter()
                .zip(&self.weights[range])
                .map(move |(&to, &weight)| Edge { weight, to, from: v as u32 })
        }
        fn len(&self) -> usize { self.offsets.len() - 1 }
    }

    pub fn msf(g: &Graph) -> (u64, usize) {
        let n = g.len();
        let mut comp: Vec<u32> = (0..n as u32).collect();
        let (mut total, mut picked) = (0u64, 0);
        loop {
            let mut lightest: Vec<Option<Edge>> = vec![None; n];
            #[omp::target]
            for (v, best) in lightest.iter_mut().enumerate() {
                *best = g.edges(v).filter(|e| comp[e.to as usize] != comp[v]).min();
            }
            let mut best_of = vec![u64::MAX; n];
            #[omp::target]
            for v in 0..n {
                if let Some(Edge { weight, to, .. }) = lightest[v] {
                    let (a, b) = (v as u64, u64::from(to));
                    let key = u64::from(weight) << 32 | a.min(b) << 16 | a.max(b);
                    let c = comp[v] as usize;
                    #[omp::atomic]
                    best_of[c] = best_of[c].min(key);
                }
            }
            let mut parent: Vec<u32> = (0..n as u32).collect();
            let mut added = 0u64;
            let mut count = 0;
            #[omp::target(reduction(+: added, count))]
            for c in 0..n {
                let key = best_of[c];
                if key == u64::MAX { continue; }
                let (w, a, b) = (key >> 32, (key >> 16 & 0xffff) as usize, (key & 0xffff) as usize);
                let other = if comp[a] as usize == c { comp[b] } else { comp[a] };
                let mutual = best_of[other as usize] == key;
                if !mutual || (c as u32) < other {
                    added += w;
                    count += 1;
                }
                if !(mutual && (c as u32) < other) {
                    parent[c] = other;
                }
            }
            if count == 0 { return (total, picked); }
            total += added;
            picked += count;
            #[omp::target]
            for c in comp.iter_mut() {
                let mut root = *c;
                while parent[root as usize] != root { root = parent[root as usize]; }
                *c = root;
            }
        }
    }

    pub fn run() -> (u64, usize) {
        let mut v = Values(17);
        let n = 60usize;
        let mut adj = vec![vec![]; n];
        for k in 0..150u32 {
            let (a, b) = (v.bits() as usize % n, v.bits() as usize % n);
            if a != b { let w = (v.bits() % 1000) * 256 + k; adj[a].push((b as u32, w)); adj[b].push((a as u32, w)); }
        }
        let mut offsets = vec![0];
        for a in &adj { offsets.push(offsets.last().unwrap() + a.len()); }
        let (targets, weights) = adj.into_iter().flatten().unzip();
        msf(&Graph { offsets, targets, weights })
    }
}
// Devices have no `min` of structs with `Ord` (`msf`).
port!(part of boruvka: run());
