//! GAP: connected components by Shiloach-Vishkin, and the betweenness back-propagation of one source.
use omp_tests::twice;

twice! {
    type NodeId = u32;

    pub struct Csr { index: Vec<usize>, neighs: Vec<NodeId> }

    impl Csr {
        fn num_nodes(&self) -> usize { self.index.len() - 1 }
        fn out_neigh(&self, u: NodeId) -> impl Iterator<Item = NodeId> + '_ {
            self.neighs[self.index[u as usize]..self.index[u as usize + 1]].iter().copied()
        }
    }

    pub fn components(g: &Csr) -> Vec<NodeId> {
        let n = g.num_nodes();
        let mut comp: Vec<NodeId> = (0..n as NodeId).collect();
        let mut change = true;
        while change {
            change = false;
            let old = comp.clone();
            #[omp::target(reduction(||: change))]
            for u in 0..n as NodeId {
                let mut low = old[u as usize];
                for v in g.out_neigh(u) {
                    low = low.min(old[v as usize]);
                }
                if low < old[u as usize] {
                    comp[u as usize] = low;
                    change = true;
                }
            }
            #[omp::target]
            for c in comp.iter_mut() {
                while *c != old[*c as usize] {
                    *c = old[*c as usize];
                }
            }
        }
        comp
    }

    pub fn dependencies(g: &Csr, depth: &[i32], paths: &[f64]) -> Vec<f32> {
        let n = g.num_nodes();
        let mut delta = vec![0f32; n];
        let deepest = depth.iter().copied().max().unwrap_or(0);
        for d in (0..deepest).rev() {
            let before = delta.clone();
            #[omp::target]
            for (u, du) in delta.iter_mut().enumerate() {
                if depth[u] != d {
                    continue;
                }
                *du = g
                    .out_neigh(u as NodeId)
                    .map(|v| v as usize)
                    .filter(|&v| depth[v] == d + 1)
                    .map(|v| (paths[u] / paths[v]) as f32 * (1.0 + before[v]))
                    .sum();
            }
        }
        delta
    }

    pub fn run() -> (Vec<NodeId>, Vec<f32>) {
        let n = 60u32;
        let (mut index, mut neighs) = (vec![0], vec![]);
        for u in 0..n {
            let group = u % 3;
            let mut e: Vec<u32> = vec![(u + 3) % n, (u + n - 3) % n, (u * 4 + 0) % n];
            e.retain(|v| v % 3 == group);
            neighs.extend(e);
            index.push(neighs.len());
        }
        let g = Csr { index, neighs };
        let mut depth = vec![-1; n as usize];
        let mut paths = vec![0.0; n as usize];
        (depth[0], paths[0]) = (0, 1.0);
        let mut queue = std::collections::VecDeque::from([0u32]);
        while let Some(u) = queue.pop_front() {
            for v in g.out_neigh(u) {
                if depth[v as usize] < 0 {
                    depth[v as usize] = depth[u as usize] + 1;
                    queue.push_back(v);
                }
                if depth[v as usize] == depth[u as usize] + 1 {
                    paths[v as usize] += paths[u as usize];
                }
            }
        }
        let paths: Vec<f64> = paths.iter().map(|&p: &f64| p.max(1.0)).collect();
        (components(&g), dependencies(&g, &depth, &paths))
    }
}
port!(gap_cc: run());
