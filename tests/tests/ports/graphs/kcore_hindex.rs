//! k-core decomposition by iterating the h-index of the neighbours (Lue et al. 2016).
use omp_tests::twice;

twice! {
    use std::ops::Range;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
    pub struct NodeId(pub u32);

    #[omp::declare_target]
    impl NodeId {
        pub fn index(self) -> usize { self.0 as usize }
    }

    /// An undirected graph in compressed sparse row form.
    #[derive(Clone, Debug, omp::Mapper)]
    pub struct CsrGraph {
        offsets: Vec<u32>,
        targets: Vec<NodeId>,
    }

    #[omp::declare_target]
    impl CsrGraph {
        fn span(&self, v: NodeId) -> Range<usize> {
            self.offsets[v.index()] as usize..self.offsets[v.index() + 1] as usize
        }
        pub fn neighbors(&self, v: NodeId) -> impl Iterator<Item = NodeId> + '_ {
            self.targets[self.span(v)].iter().copied()
        }
        pub fn degree(&self, v: NodeId) -> u32 { self.span(v).len() as u32 }
        /// The largest h <= `bound` such that at least h neighbours have a value of h or more.
        fn h_index(&self, v: NodeId, value: &[u32], bound: u32) -> u32 {
            let (mut lo, mut hi) = (0, bound);
            while lo < hi {
                let h = (lo + hi + 1) / 2;
                let support = self.neighbors(v).filter(|u| value[u.index()] >= h).count();
                if support as u32 >= h {
                    lo = h;
                } else {
                    hi = h - 1;
                }
            }
            lo
        }
    }

    impl CsrGraph {
        pub fn from_edges(nodes: usize, edges: &[(u32, u32)]) -> Self {
            let mut arcs: Vec<(u32, u32)> = edges
                .iter()
                .filter(|(a, b)| a != b)
                .flat_map(|&(a, b)| [(a, b), (b, a)])
                .collect();
            arcs.sort_unstable();
            arcs.dedup();
            let mut offsets = vec![0; nodes + 1];
            for &(a, _) in &arcs {
                offsets[a as usize + 1] += 1;
            }
            for v in 0..nodes {
                offsets[v + 1] += offsets[v];
            }
            CsrGraph { offsets, targets: arcs.into_iter().map(|(_, b)| NodeId(b)).collect() }
        }
        pub fn node_count(&self) -> usize { self.offsets.len() - 1 }
    }

    #[derive(Clone, Debug, PartialEq)]
    pub struct Cores {
        pub number: Vec<u32>,
        pub sizes: Vec<u32>,
        pub innermost: Vec<NodeId>,
        pub rounds: usize,
    }

    pub fn core_decomposition(graph: &CsrGraph) -> Cores {
        let n = graph.node_count();
        let mut number = vec![0u32; n];
        #[omp::target]
        for (v, c) in number.iter_mut().enumerate() {
            *c = graph.degree(NodeId(v as u32));
        }

        let mut next = number.clone();
        let mut rounds = 0;
        loop {
            let mut changed = 0usize;
            #[omp::target(schedule(dynamic), reduction(+: changed))]
            for v in 0..n {
                let h = graph.h_index(NodeId(v as u32), &number, number[v]);
                changed += (h != number[v]) as usize;
                next[v] = h;
            }
            std::mem::swap(&mut number, &mut next);
            rounds += 1;
            if changed == 0 {
                break;
            }
        }

        let mut degeneracy = 0u32;
        #[omp::target(reduction(max: degeneracy))]
        for &c in number.iter() {
            degeneracy = degeneracy.max(c);
        }

        let mut sizes = vec![0u32; degeneracy as usize + 1];
        #[omp::target]
        for &c in number.iter() {
            #[omp::atomic]
            sizes[c as usize] += 1;
        }

        let mut innermost = vec![NodeId(0); n];
        let mut count = 0;
        #[omp::scan(+)]
        for v in 0..n {
            if number[v] == degeneracy {
                innermost[count] = NodeId(v as u32);
                count += 1;
            }
        }
        innermost.truncate(count);
        Cores { number, sizes, innermost, rounds }
    }
}
port!(kcore_hindex: crate::Shown::of({
    // Preferential attachment of sorts, so that degrees are skewed.
    let mut seed = 2024u32;
    let mut edges: Vec<(u32, u32)> = Vec::new();
    for v in 1..400u32 {
        for _ in 0..1 + v % 4 {
            seed = seed.wrapping_mul(1103515245).wrapping_add(12345);
            let r = (seed >> 8) as usize;
            let u = if edges.is_empty() || r % 3 == 0 { r as u32 % v } else { edges[r % edges.len()].1 };
            edges.push((v, u));
        }
    }
    let graph = CsrGraph::from_edges(400, &edges);
    let cores = core_decomposition(&graph);
    (cores.number, cores.sizes, cores.innermost, cores.rounds)
}));
