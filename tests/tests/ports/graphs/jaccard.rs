//! HeCBench jaccard: similarity of the neighbourhoods of the two ends of each edge.
use omp_tests::twice;

twice! {
    pub struct Graph {
        offsets: Vec<u32>,
        columns: Vec<u32>,
    }

    impl Graph {
        pub fn new(n: u32, edges: impl Fn(u32) -> Vec<u32>) -> Self {
            let (mut offsets, mut columns) = (vec![0], vec![]);
            for v in 0..n {
                let mut e = edges(v);
                e.sort();
                e.dedup();
                columns.extend(e);
                offsets.push(columns.len() as u32);
            }
            Self { offsets, columns }
        }
        fn vertices(&self) -> usize { self.offsets.len() - 1 }
        fn degree(&self, v: u32) -> u32 { self.offsets[v as usize + 1] - self.offsets[v as usize] }
        fn neighbours(&self, v: u32) -> &[u32] {
            let range = self.offsets[v as usize] as usize..self.offsets[v as usize + 1] as usize;
            &self.columns[range]
        }
    }

    #[omp::declare_target]
    fn intersection(a: &[u32], b: &[u32]) -> u32 {
        let (mut i, mut j, mut common) = (0, 0, 0);
        while i < a.len() && j < b.len() {
            match a[i].cmp(&b[j]) {
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
                std::cmp::Ordering::Equal => {
                    common += 1;
                    i += 1;
                    j += 1;
                }
            }
        }
        common
    }

    pub fn weights(g: &Graph) -> Vec<f32> {
        let mut w = vec![0.0f32; g.columns.len()];
        #[omp::target(disjoint(w))]
        for v in 0..g.vertices() as u32 {
            let first = g.offsets[v as usize] as usize;
            for (k, &u) in g.neighbours(v).iter().enumerate() {
                let common = intersection(g.neighbours(v), g.neighbours(u));
                let union = g.degree(v) + g.degree(u) - common;
                w[first + k] = if union == 0 { 0.0 } else { common as f32 / union as f32 };
            }
        }
        w
    }

    pub fn binary_search(g: &Graph) -> usize {
        let mut symmetric = 0;
        #[omp::target(reduction(+: symmetric))]
        for v in 0..g.vertices() as u32 {
            symmetric += g.neighbours(v).iter().filter(|&&u| g.neighbours(u).binary_search(&v).is_ok()).count();
        }
        symmetric
    }

    pub fn run() -> (Vec<f32>, usize) {
        let n = 70;
        let g = Graph::new(n, |v| vec![(v + 1) % n, (v + n - 1) % n, v * v % n, (3 * v + 5) % n, (v * 7 + 1) % n]);
        (weights(&g), binary_search(&g))
    }
}
port!(jaccard: run());
