//! miniVite: one phase of Louvain's modularity gains.
use omp_tests::{Values, twice};
twice! {
    const MAX_NEIGHBOURS: usize = 32;

    #[derive(Clone, Copy, omp::Device)]
    struct CommunityMap { keys: [u32; MAX_NEIGHBOURS], weights: [f64; MAX_NEIGHBOURS], used: usize }

    #[omp::declare_target]
    impl CommunityMap {
        fn new() -> Self { CommunityMap { keys: [0; MAX_NEIGHBOURS], weights: [0.; MAX_NEIGHBOURS], used: 0 } }
        fn entry(&mut self, key: u32) -> &mut f64 {
            let at = match self.keys[..self.used].iter().position(|&k| k == key) {
                Some(at) => at,
                None => {
                    self.keys[self.used] = key;
                    self.used += 1;
                    self.used - 1
                }
            };
            &mut self.weights[at]
        }
        fn get(&self, key: u32) -> Option<f64> {
            self.keys.iter().take(self.used).position(|&k| k == key).map(|i| self.weights[i])
        }
        fn iter(&self) -> impl Iterator<Item = (u32, f64)> + '_ { self.keys.iter().copied().zip(self.weights.iter().copied()).take(self.used) }
    }

    pub struct Graph { index: Vec<usize>, edges: Vec<(u32, f64)> }

    pub struct Clustering { community: Vec<u32>, degree: Vec<f64>, total: Vec<f64> }

    fn sweep(g: &Graph, c: &Clustering, two_m: f64) -> (Vec<u32>, f64) {
        let n = g.index.len() - 1;
        let mut target = c.community.clone();
        let mut gain_sum = 0.0;
        #[omp::target(reduction(+: gain_sum))]
        for v in 0..n {
            let home = c.community[v];
            let mut around = CommunityMap::new();
            for &(u, w) in &g.edges[g.index[v]..g.index[v + 1]] {
                if u as usize == v { continue; }
                *around.entry(c.community[u as usize]) += w;
            }
            let k = c.degree[v];
            let e_home = around.get(home).unwrap_or(0.0);
            let a_home = c.total[home as usize] - k;
            let mut best = (home, 0.0);
            for (y, e) in around.iter().filter(|&(y, _)| y != home) {
                let gain = 2.0 * (e - e_home) / two_m - 2.0 * k * (c.total[y as usize] - a_home) / (two_m * two_m);
                if gain > best.1 || (gain == best.1 && gain != 0.0 && y < best.0) {
                    best = (y, gain);
                }
            }
            target[v] = best.0;
            gain_sum += best.1;
        }
        (target, gain_sum)
    }

    pub fn run() -> (Vec<u32>, f64) {
        let mut v = Values(88);
        let n = 48usize;
        let mut adj: Vec<Vec<(u32, f64)>> = vec![vec![]; n];
        for _ in 0..160 {
            let a = v.bits() as usize % n;
            let b = (a / 8 * 8 + v.bits() as usize % if v.bits() % 5 == 0 { 40 } else { 8 }) % n;
            if adj[a].len() < 30 && adj[b].len() < 30 { adj[a].push((b as u32, 1.0)); adj[b].push((a as u32, 1.0)); }
        }
        let mut index = vec![0];
        for a in &adj { index.push(index[index.len() - 1] + a.len()); }
        let degree: Vec<f64> = adj.iter().map(|a| a.iter().map(|e| e.1).sum()).collect();
        let two_m = degree.iter().sum();
        let g = Graph { index, edges: adj.concat() };
        let mut c = Clustering { community: (0..n as u32).collect(), degree: degree.clone(), total: degree.clone() };
        let mut last = 0.0;
        for _ in 0..3 {
            let (t, gain) = sweep(&g, &c, two_m);
            last = gain;
            c.total = vec![0.0; n];
            for (v, &t) in t.iter().enumerate() { c.total[t as usize] += degree[v]; }
            c.community = t;
        }
        (c.community, last)
    }
}
port!(louvain: run());
