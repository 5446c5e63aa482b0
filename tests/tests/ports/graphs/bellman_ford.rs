//! Shortest paths by relaxing all vertices (Bellman and Ford), over incoming edges with weights.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Edge { from: u32, weight: u32 }

    const UNREACHED: u32 = u32::MAX;

    pub fn shortest(offsets: &[u32], edges: &[Edge], source: usize) -> (Vec<u32>, Vec<Option<u32>>) {
        let n = offsets.len() - 1;
        let mut dist = vec![UNREACHED; n];
        dist[source] = 0;
        let mut next = dist.clone();
        for _ in 0..n {
            let mut improved = false;
            #[omp::target(reduction(||: improved))]
            for v in 0..n {
                let range = offsets[v] as usize..offsets[v + 1] as usize;
                let best = edges[range]
                    .iter()
                    .filter_map(|e| dist[e.from as usize].checked_add(e.weight))
                    .min()
                    .unwrap_or(UNREACHED);
                next[v] = dist[v].min(best);
                improved |= next[v] != dist[v];
            }
            std::mem::swap(&mut dist, &mut next);
            if !improved {
                break;
            }
        }
        let mut parent = vec![u32::MAX; n];
        #[omp::target]
        for (v, p) in parent.iter_mut().enumerate() {
            for e in &edges[offsets[v] as usize..offsets[v + 1] as usize] {
                match dist[e.from as usize] {
                    UNREACHED => continue,
                    d if d + e.weight == dist[v] => {
                        *p = e.from;
                        break;
                    }
                    _ => {}
                }
            }
        }
        let parents = parent.iter().map(|&p| (p != u32::MAX).then_some(p)).collect();
        (dist, parents)
    }

    pub fn run() -> (Vec<u32>, Vec<u32>) {
        let mut v = Values(5);
        let n = 120u32;
        let mut lists = vec![vec![]; n as usize];
        for _ in 0..300 {
            let (a, b) = (v.bits() % n, v.bits() % n);
            lists[b as usize].push(Edge { from: a, weight: 1 + v.bits() % 100 });
        }
        let mut offsets = vec![0u32];
        lists.iter().for_each(|l| offsets.push(offsets.last().unwrap() + l.len() as u32));
        let (d, p) = shortest(&offsets, &lists.concat(), 7);
        (d, p.into_iter().map(|p| p.unwrap_or(9999)).collect())
    }
}
port!(bellman_ford: run());
