//! HITS and personalised PageRank on a CSR graph that borrows its arrays; neighbours as an iterator.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, omp::Mapper)]
    pub struct Csr<'a> { offsets: &'a [usize], targets: &'a [u32] }

    #[omp::declare_target]
    impl<'a> Csr<'a> {
        pub fn len(&self) -> usize { self.offsets.len() - 1 }
        pub fn degree(&self, v: usize) -> usize { self.offsets[v + 1] - self.offsets[v] }
        pub fn neighbors(&self, v: usize) -> impl Iterator<Item = usize> + '_ {
            self.targets[self.offsets[v]..self.offsets[v + 1]].iter().map(|&t| t as usize)
        }
    }

    pub struct Graph { n: usize, out: (Vec<usize>, Vec<u32>), inn: (Vec<usize>, Vec<u32>) }

    impl Graph {
        pub fn from_edges(n: usize, edges: &[(u32, u32)]) -> Self {
            let build = |key: fn(&(u32, u32)) -> (u32, u32)| {
                let mut offsets = vec![0usize; n + 1];
                edges.iter().for_each(|e| offsets[key(e).0 as usize + 1] += 1);
                for i in 0..n {
                    offsets[i + 1] += offsets[i];
                }
                let mut fill = offsets.clone();
                let mut targets = vec![0; edges.len()];
                for e in edges {
                    let (s, t) = key(e);
                    targets[fill[s as usize]] = t;
                    fill[s as usize] += 1;
                }
                (offsets, targets)
            };
            Graph { n, out: build(|&e| e), inn: build(|&(s, t)| (t, s)) }
        }
        fn outgoing(&self) -> Csr<'_> { Csr { offsets: &self.out.0, targets: &self.out.1 } }
        fn incoming(&self) -> Csr<'_> { Csr { offsets: &self.inn.0, targets: &self.inn.1 } }
    }

    fn gather(csr: Csr<'_>, from: &[f64], to: &mut [f64]) {
        #[omp::target]
        for v in 0..csr.len() {
            to[v] = csr.neighbors(v).map(|u| from[u]).sum();
        }
        let mut norm = 0.0;
        #[omp::target(reduction(+: norm))]
        for x in to.iter() {
            norm += x * x;
        }
        let scale = 1.0 / norm.sqrt();
        #[omp::target]
        for x in to.iter_mut() {
            *x *= scale;
        }
    }

    pub fn hits(g: &Graph, rounds: usize) -> (Vec<f64>, Vec<f64>) {
        let mut hubs = vec![1.0; g.n];
        let mut auth = vec![0.0; g.n];
        for _ in 0..rounds {
            gather(g.incoming(), &hubs, &mut auth);
            gather(g.outgoing(), &auth, &mut hubs);
        }
        (hubs, auth)
    }

    pub fn personalized(g: &Graph, seed: usize, alpha: f64) -> Vec<f64> {
        let (inn, out) = (g.incoming(), g.outgoing());
        let mut rank = vec![0.0; g.n];
        rank[seed] = 1.0;
        for _ in 0..15 {
            let mut dangling = 0.0;
            #[omp::target(reduction(+: dangling))]
            for (v, r) in rank.iter().enumerate() {
                if out.degree(v) == 0 {
                    dangling += r;
                }
            }
            let mut next = vec![0.0; g.n];
            #[omp::target]
            for (v, slot) in next.iter_mut().enumerate() {
                let pulled = inn.neighbors(v).fold(0.0, |acc, u| acc + rank[u] / out.degree(u) as f64);
                let teleport = if v == seed { 1.0 - alpha + alpha * dangling } else { 0.0 };
                *slot = alpha * pulled + teleport;
            }
            rank = next;
        }
        rank
    }

    pub fn run() -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let mut v = Values(10);
        let edges: Vec<(u32, u32)> = (0..300).map(|_| (v.bits() % 60, v.bits() % 64)).collect();
        let g = Graph::from_edges(64, &edges);
        let (h, a) = hits(&g, 8);
        (h, a, personalized(&g, 5, 0.85))
    }
}
port!(hits: run());
