//! Single-source shortest paths: delta-stepping in pull form and plain Bellman-Ford, generic in the weight.
use omp_tests::twice;

twice! {
    use std::mem::swap;
    use std::ops::Add;

    #[omp::declare_target]
    pub trait Weight: omp::Device + Copy + PartialOrd + Add<Output = Self> {
        const ZERO: Self;
        const INFINITY: Self;
        fn bucket(self, delta: Self) -> usize;
    }

    #[omp::declare_target]
    impl Weight for u32 {
        const ZERO: u32 = 0;
        const INFINITY: u32 = u32::MAX;
        fn bucket(self, delta: u32) -> usize {
            (self / delta) as usize
        }
    }

    #[omp::declare_target]
    impl Weight for f64 {
        const ZERO: f64 = 0.0;
        const INFINITY: f64 = f64::INFINITY;
        fn bucket(self, delta: f64) -> usize {
            (self / delta).floor() as usize
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct InEdge<W> {
        pub from: u32,
        pub weight: W,
    }

    /// Incoming edges of vertex `v`: `edges[offsets[v]..offsets[v + 1]]`.
    #[derive(Clone, Debug, omp::Mapper)]
    pub struct Graph<W> {
        n: usize,
        offsets: Vec<usize>,
        edges: Vec<InEdge<W>>,
    }

    impl<W: Weight> Graph<W> {
        pub fn new(n: usize, list: &[(u32, u32, W)]) -> Self {
            let mut sorted = list.to_vec();
            sorted.sort_by_key(|e| e.1);
            let offsets = (0..=n).map(|v| sorted.partition_point(|e| (e.1 as usize) < v)).collect();
            let edges = sorted.iter().map(|&(from, _, weight)| InEdge { from, weight }).collect();
            Graph { n, offsets, edges }
        }
    }

    #[omp::declare_target]
    impl<W: Weight> Graph<W> {
        fn incoming(&self, v: usize) -> &[InEdge<W>] {
            &self.edges[self.offsets[v]..self.offsets[v + 1]]
        }

        fn relax<F>(&self, v: usize, dist: &[W], usable: F) -> W
        where
            F: Fn(&InEdge<W>) -> bool,
        {
            let mut best = dist[v];
            for e in self.incoming(v).iter().filter(|e| usable(e)) {
                let through = dist[e.from as usize] + e.weight;
                if through < best {
                    best = through;
                }
            }
            best
        }
    }

    pub fn delta_stepping<W: Weight>(g: &Graph<W>, source: usize, delta: W) -> Vec<W> {
        let n = g.n;
        let mut dist = vec![W::INFINITY; n];
        dist[source] = W::ZERO;
        let mut next = dist.clone();
        let mut active = vec![false; n];
        let mut next_active = vec![false; n];
        let mut bucket = 0;

        while bucket != usize::MAX {
            #[omp::target]
            for (a, &x) in active.iter_mut().zip(&dist) {
                *a = x < W::INFINITY && x.bucket(delta) == bucket;
            }
            // light edges, until nothing more falls into this bucket
            let mut again = true;
            while again {
                again = false;
                #[omp::target(schedule(dynamic), reduction(||: again))]
                for v in 0..n {
                    let best = g.relax(v, &dist, |e| active[e.from as usize] && e.weight <= delta);
                    let improved = best < dist[v] && best.bucket(delta) == bucket;
                    next[v] = best;
                    next_active[v] = improved;
                    again = again || improved;
                }
                swap(&mut dist, &mut next);
                swap(&mut active, &mut next_active);
            }
            // heavy edges, once
            #[omp::target]
            for v in 0..n {
                active[v] = dist[v] < W::INFINITY && dist[v].bucket(delta) == bucket;
            }
            #[omp::target(schedule(dynamic))]
            for (v, slot) in next.iter_mut().enumerate() {
                *slot = g.relax(v, &dist, |e| active[e.from as usize] && e.weight > delta);
            }
            swap(&mut dist, &mut next);

            let mut following = usize::MAX;
            #[omp::target(reduction(min: following))]
            for &x in &dist {
                if x < W::INFINITY && x.bucket(delta) > bucket {
                    following = following.min(x.bucket(delta));
                }
            }
            bucket = following;
        }
        dist
    }

    pub fn bellman_ford<W: Weight>(g: &Graph<W>, source: usize) -> (Vec<W>, usize) {
        let mut dist = vec![W::INFINITY; g.n];
        dist[source] = W::ZERO;
        let mut next = dist.clone();
        for round in 1..=g.n {
            let mut updates = 0usize;
            #[omp::target(reduction(+: updates))]
            for (v, (new, old)) in next.iter_mut().zip(dist.iter()).enumerate() {
                *new = g.relax(v, &dist, |e| dist[e.from as usize] < W::INFINITY);
                if *new < *old {
                    updates += 1;
                }
            }
            swap(&mut dist, &mut next);
            if updates == 0 {
                return (dist, round);
            }
        }
        (dist, g.n)
    }
}
port!(sssp_delta: crate::Shown::of({
    let n = 240u32;
    let mut roads = Vec::new();
    let mut seed = 2024u32;
    let mut random = move |bound: u32| {
        seed = seed.wrapping_mul(1103515245).wrapping_add(12345);
        (seed >> 12) % bound
    };
    for v in 0..n - 10 {
        roads.push((v, (v + 1) % (n - 10), 1 + random(40)));
        for _ in 0..3 {
            roads.push((v, random(n - 10), 5 + random(200)));
        }
    }
    let g = Graph::new(n as usize, &roads);
    let dist = delta_stepping(&g, 3, 25);
    let (check, rounds) = bellman_ford(&g, 3);
    assert_eq!(dist, check);

    let scaled: Vec<(u32, u32, f64)> = roads.iter().map(|&(u, v, w)| (u, v, w as f64 * 0.25)).collect();
    let h = Graph::new(n as usize, &scaled);
    let real = delta_stepping(&h, 3, 4.5);
    (dist, rounds, real, bellman_ford(&h, 200).0)
}));
