//! GAP: single-source shortest paths by rounds of relaxation with buckets.
use omp_tests::twice;

twice! {
    const UNREACHED: u32 = u32::MAX / 2;

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Edge { to: u32, weight: u32 }

    pub struct WGraph { first: Vec<u32>, edges: Vec<Edge> }

    impl std::ops::Index<u32> for WGraph {
        type Output = [Edge];
        fn index(&self, v: u32) -> &[Edge] {
            let v = v as usize;
            &self.edges[self.first[v] as usize..self.first[v + 1] as usize]
        }
    }

    impl WGraph {
        pub fn sssp(&self, source: u32, delta: u32) -> Vec<u32> {
            let n = self.first.len() - 1;
            let mut dist = vec![UNREACHED; n];
            dist[source as usize] = 0;
            let mut bucket = 0;
            loop {
                let mut settled = false;
                while !settled {
                    let mut relaxed = 0usize;
                    #[omp::target(reduction(+: relaxed))]
                    for v in 0..n as u32 {
                        let mine;
                        #[omp::atomic(read)]
                        mine = dist[v as usize];
                        if mine == UNREACHED || mine / delta != bucket {
                            continue;
                        }
                        for edge in &self[v] {
                            let Edge { to, weight } = *edge;
                            let through = mine + weight;
                            let old;
                            #[omp::atomic(capture)]
                            {
                                old = dist[to as usize];
                                dist[to as usize] = dist[to as usize].min(through);
                            }
                            if through < old {
                                relaxed += 1;
                            }
                        }
                    }
                    settled = relaxed == 0;
                }
                let next = dist.iter().filter(|&&d| d < UNREACHED).map(|d| d / delta).filter(|&b| b > bucket).min();
                match next {
                    Some(b) => bucket = b,
                    None => break dist,
                }
            }
        }
    }

    #[omp::declare_target]
    fn unsafe_free_read(dist: &[u32], v: u32) -> u32 {
        dist[v as usize]
    }

    pub fn run() -> Vec<u32> {
        let n = 48u32;
        let (mut first, mut edges) = (vec![0], vec![]);
        for v in 0..n {
            for k in 1..=3 {
                edges.push(Edge { to: (v * k + 7 * k) % n, weight: 1 + (v * 5 + k * 3) % 11 });
            }
            first.push(edges.len() as u32);
        }
        WGraph { first, edges }.sssp(0, 4)
    }
}
port!(gap_sssp: run());
