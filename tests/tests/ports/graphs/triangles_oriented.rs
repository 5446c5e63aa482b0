//! Triangle counting: degree-ordered orientation, then intersections of sorted neighbour lists.
use omp_tests::twice;

twice! {
    use std::cmp::Ordering;

    #[derive(Debug, Clone, omp::Mapper)]
    pub struct Dag {
        n: usize,
        begin: Vec<u32>,
        succ: Vec<u32>,
        degree: Vec<u32>,
    }

    impl Dag {
        /// Relabels the vertices by increasing degree and keeps each edge once, from low to high label.
        pub fn orient(n: usize, edges: &[(u32, u32)]) -> Dag {
            let mut clean: Vec<(u32, u32)> = edges
                .iter()
                .filter(|(u, v)| u != v)
                .map(|&(u, v)| (u.min(v), u.max(v)))
                .collect();
            clean.sort_unstable();
            clean.dedup();

            let mut old_degree = vec![0u32; n];
            for &(u, v) in &clean {
                old_degree[u as usize] += 1;
                old_degree[v as usize] += 1;
            }
            let mut order: Vec<u32> = (0..n as u32).collect();
            order.sort_by_key(|&v| (old_degree[v as usize], v));
            let mut label = vec![0u32; n];
            for (new, &old) in order.iter().enumerate() {
                label[old as usize] = new as u32;
            }

            let mut arcs: Vec<(u32, u32)> = clean
                .iter()
                .map(|&(u, v)| (label[u as usize], label[v as usize]))
                .map(|(a, b)| (a.min(b), a.max(b)))
                .collect();
            arcs.sort_unstable();
            let mut begin = vec![0u32; n + 1];
            for &(a, _) in &arcs {
                begin[a as usize + 1] += 1;
            }
            for v in 0..n {
                begin[v + 1] += begin[v];
            }
            let succ = arcs.iter().map(|&(_, b)| b).collect();
            let degree = order.iter().map(|&old| old_degree[old as usize]).collect();
            Dag { n, begin, succ, degree }
        }
    }

    #[omp::declare_target]
    impl Dag {
        fn successors(&self, v: u32) -> &[u32] {
            let v = v as usize;
            &self.succ[self.begin[v] as usize..self.begin[v + 1] as usize]
        }
    }

    #[omp::declare_target]
    fn intersection_size(mut a: &[u32], mut b: &[u32]) -> u64 {
        let mut common = 0;
        while let (Some((&x, rest_a)), Some((&y, rest_b))) = (a.split_first(), b.split_first()) {
            match x.cmp(&y) {
                Ordering::Less => a = rest_a,
                Ordering::Greater => b = rest_b,
                Ordering::Equal => {
                    common += 1;
                    a = rest_a;
                    b = rest_b;
                }
            }
        }
        common
    }

    pub fn count(dag: &Dag) -> u64 {
        let mut total = 0u64;
        #[omp::target(reduction(+: total), schedule(dynamic))]
        for u in 0..dag.n as u32 {
            let mine = dag.successors(u);
            total += mine
                .iter()
                .map(|&v| intersection_size(mine, dag.successors(v)))
                .sum::<u64>();
        }
        total
    }

    /// Triangles through each (relabelled) vertex.
    pub fn count_per_vertex(dag: &Dag) -> Vec<u32> {
        let mut through = vec![0u32; dag.n];
        #[omp::target(schedule(dynamic))]
        for u in 0..dag.n {
            let mine = dag.successors(u as u32);
            for (i, &v) in mine.iter().enumerate() {
                let theirs = dag.successors(v);
                for &w in &mine[i + 1..] {
                    if theirs.binary_search(&w).is_ok() {
                        for corner in [u, v as usize, w as usize] {
                            #[omp::atomic]
                            through[corner] += 1;
                        }
                    }
                }
            }
        }
        through
    }

    /// Local clustering coefficients and the global transitivity.
    pub fn clustering(dag: &Dag, through: &[u32], local: &mut [f64]) -> f64 {
        let (mut closed, mut wedges) = (0u64, 0u64);
        #[omp::target(reduction(+: closed, wedges))]
        for (c, (&t, &deg)) in local.iter_mut().zip(through.iter().zip(&dag.degree)) {
            let pairs = u64::from(deg) * u64::from(deg.saturating_sub(1)) / 2;
            *c = if pairs == 0 { 0.0 } else { f64::from(t) / pairs as f64 };
            closed += u64::from(t);
            wedges += pairs;
        }
        closed as f64 / wedges.max(1) as f64
    }
}
port!(triangles_oriented: crate::Shown::of({
    let n = 250;
    let mut edges = vec![];
    let mut x = 7u32;
    for _ in 0..2600 {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        let u = (x >> 4) % n;
        let v = ((x >> 16) % n) * ((x >> 9) % n) / n;
        edges.push((u, v));
    }
    let dag = Dag::orient(n as usize, &edges);
    let total = count(&dag);
    let through = count_per_vertex(&dag);
    assert_eq!(through.iter().map(|&t| t as u64).sum::<u64>(), 3 * total);
    let mut local = vec![0.0; n as usize];
    let transitivity = clustering(&dag, &through, &mut local);

    let k5: Vec<(u32, u32)> = (0..5).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
    assert_eq!(count(&Dag::orient(5, &k5)), 10);
    (total, through, local, transitivity)
}));
