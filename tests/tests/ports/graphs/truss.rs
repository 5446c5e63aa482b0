//! Triangle counting, clustering coefficients and k-truss support on sorted adjacency slices.
use omp_tests::twice;

twice! {
    use std::cmp::Ordering;

    #[omp::declare_target]
    fn row<'a>(start: &[u32], adj: &'a [u32], v: u32) -> &'a [u32] {
        let v = v as usize;
        &adj[start[v] as usize..start[v + 1] as usize]
    }

    /// Calls `found` for each value that two ascending slices share.
    #[omp::declare_target]
    fn intersect(mut a: &[u32], mut b: &[u32], mut found: impl FnMut(u32)) {
        while let ([x, rest_a @ ..], [y, rest_b @ ..]) = (a, b) {
            match x.cmp(y) {
                Ordering::Less => a = rest_a,
                Ordering::Greater => b = rest_b,
                Ordering::Equal => {
                    found(*x);
                    (a, b) = (rest_a, rest_b);
                }
            }
        }
    }

    pub fn count(start: &[u32], adj: &[u32]) -> u64 {
        let n = start.len() as u32 - 1;
        let mut total = 0u64;
        #[omp::parallel_for(schedule(dynamic), reduction(+: total))]
        for u in 0..n {
            let mine = row(start, adj, u);
            let above = &mine[mine.partition_point(|&v| v <= u)..];
            for (i, &v) in above.iter().enumerate() {
                intersect(&above[i + 1..], row(start, adj, v), |_| total += 1);
            }
        }
        total
    }

    pub fn clustering(start: &[u32], adj: &[u32], out: &mut [f64]) {
        #[omp::parallel_for(schedule(dynamic))]
        for (u, c) in out.iter_mut().enumerate() {
            let mine = row(start, adj, u as u32);
            let degree = mine.len() as u64;
            *c = if degree < 2 {
                0.0
            } else {
                let mut closed = 0u64;
                for &v in mine {
                    intersect(mine, row(start, adj, v), |_| closed += 1);
                }
                closed as f64 / (degree * (degree - 1)) as f64
            };
        }
    }

    /// How many triangles each directed edge slot takes part in.
    pub fn support(start: &[u32], adj: &[u32], out: &mut [u32]) {
        let n = start.len() as u32 - 1;
        #[omp::parallel_for]
        for u in 0..n {
            let mine = row(start, adj, u);
            for &v in mine.iter().take_while(|&&v| v < u) {
                intersect(mine, row(start, adj, v), |w| {
                    if let Ok(at) = mine.binary_search(&w) {
                        let slot = start[u as usize] as usize + at;
                        #[omp::atomic]
                        out[slot] += 1;
                    }
                });
            }
        }
    }

    pub fn truss_core(start: &[u32], support: &[u32], k: u32) -> Vec<u32> {
        let n = start.len() - 1;
        let mut out = vec![0; n];
        let mut len = 0;
        #[omp::scan(+)]
        for v in 0..n {
            if support[start[v] as usize..start[v + 1] as usize].iter().any(|&s| s + 2 >= k) {
                out[len] = v as u32;
                len += 1;
            }
        }
        out.truncate(len);
        out
    }
}
port!(truss: crate::Shown::of({
    let n = 120u32;
    let linked = |a: u32, b: u32| a != b && (a.min(b) * 37 + a.max(b) * 101 + a * b) % 13 < 3;
    let mut start = vec![0u32];
    let mut adj = Vec::new();
    for u in 0..n {
        adj.extend((0..n).filter(|&v| linked(u, v)));
        start.push(adj.len() as u32);
    }
    let total = count(&start, &adj);
    let mut c = vec![0.0; n as usize];
    clustering(&start, &adj, &mut c);
    let mut s = vec![0; adj.len()];
    support(&start, &adj, &mut s);
    let core = truss_core(&start, &s, 9);
    (total, c.iter().map(|x| (x * 1e6).round()).collect::<Vec<_>>(), s, core)
}));
