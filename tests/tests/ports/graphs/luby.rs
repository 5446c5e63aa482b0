//! Luby's maximal independent set, k-core numbers, clustering coefficients of a CSR graph.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub enum Status { Undecided, In, Out }

    #[derive(omp::Mapper)]
    pub struct Graph { offsets: Vec<usize>, targets: Vec<u32> }

    #[omp::declare_target]
    impl Graph {
        pub fn len(&self) -> usize { self.offsets.len() - 1 }
        pub fn degree(&self, v: usize) -> usize { self.offsets[v + 1] - self.offsets[v] }
        pub fn neighbours(&self, v: usize) -> &[u32] { &self.targets[self.offsets[v]..self.offsets[v + 1]] }
        pub fn has_edge(&self, a: usize, b: u32) -> bool { self.neighbours(a).binary_search(&b).is_ok() }
    }

    impl Graph {
        pub fn from_edges(n: usize, edges: &[(u32, u32)]) -> Graph {
            let mut lists = vec![vec![]; n];
            for &(a, b) in edges {
                if a != b {
                    lists[a as usize].push(b);
                    lists[b as usize].push(a);
                }
            }
            let mut offsets = vec![0];
            let mut targets = vec![];
            for l in &mut lists {
                l.sort();
                l.dedup();
                targets.extend_from_slice(l);
                offsets.push(targets.len());
            }
            Graph { offsets, targets }
        }
    }

    #[omp::declare_target]
    fn priority(v: u32, round: u32) -> (u32, u32) {
        let mut x = v.wrapping_mul(0x9e37_79b9) ^ round.wrapping_mul(0x85eb_ca6b);
        x ^= x >> 15;
        x = x.wrapping_mul(0x2c1b_3c6d);
        (x ^ (x >> 12), v)
    }

    pub fn independent_set(g: &Graph) -> (Vec<Status>, u32) {
        let n = g.len();
        let mut status = vec![Status::Undecided; n];
        let mut round = 0;
        while status.contains(&Status::Undecided) {
            let old = status.clone();
            #[omp::target]
            for (v, s) in status.iter_mut().enumerate() {
                if *s != Status::Undecided {
                    continue;
                }
                let mine = priority(v as u32, round);
                let wins = g
                    .neighbours(v)
                    .iter()
                    .filter(|&&w| old[w as usize] == Status::Undecided)
                    .all(|&w| priority(w, round) < mine);
                if wins {
                    *s = Status::In;
                }
            }
            let chosen = status.clone();
            #[omp::target]
            for v in 0..n {
                if status[v] == Status::Undecided && g.neighbours(v).iter().any(|&w| matches!(chosen[w as usize], Status::In)) {
                    status[v] = Status::Out;
                }
            }
            round += 1;
        }
        (status, round)
    }

    pub fn core_numbers(g: &Graph) -> Vec<u32> {
        let mut core: Vec<u32> = (0..g.len()).map(|v| g.degree(v) as u32).collect();
        loop {
            let old = core.clone();
            let mut changed = false;
            #[omp::target(map(to: old), reduction(||: changed))]
            for v in 0..g.len() {
                // the h-index of the neighbours' values
                let mut counts = [0u32; 64];
                let limit = old[v].min(63);
                for &w in g.neighbours(v) {
                    counts[old[w as usize].min(limit) as usize] += 1;
                }
                let mut h = limit;
                let mut sum = counts[h as usize];
                while sum < h {
                    h -= 1;
                    sum += counts[h as usize];
                }
                if h < old[v] {
                    core[v] = h;
                    changed = true;
                }
            }
            if !changed {
                return core;
            }
        }
    }

    pub fn clustering(g: &Graph) -> (Vec<f32>, u64) {
        let mut coefficient = vec![0.0f32; g.len()];
        let mut triangles = 0u64;
        #[omp::target(reduction(+: triangles))]
        for (v, c) in coefficient.iter_mut().enumerate() {
            let around = g.neighbours(v);
            let mut links = 0u64;
            for (i, &a) in around.iter().enumerate() {
                links += around[i + 1..].iter().filter(|&&b| g.has_edge(a as usize, b)).count() as u64;
            }
            triangles += links;
            let d = around.len();
            *c = if d < 2 { 0.0 } else { 2.0 * links as f32 / (d * (d - 1)) as f32 };
        }
        (coefficient, triangles / 3)
    }

    pub fn run() -> (Vec<u8>, Vec<u32>, (Vec<f32>, u64)) {
        let mut v = Values(12);
        let edges: Vec<(u32, u32)> = (0..200).map(|_| (v.bits() % 50, v.bits() % 50)).collect();
        let g = Graph::from_edges(50, &edges);
        let (s, rounds) = independent_set(&g);
        let mut flat: Vec<u8> = s.iter().map(|s| *s as u8).collect();
        flat.push(rounds as u8);
        (flat, core_numbers(&g), clustering(&g))
    }
}
port!(luby: run());
