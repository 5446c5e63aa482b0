//! All shortest paths with successor matrix.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Debug)]
    pub struct Distances { n: usize, dist: Vec<Option<u32>>, via: Vec<u16> }

    impl Distances {
        pub fn solve(&mut self) {
            let n = self.n;
            for k in 0..n {
                let row: Vec<Option<u32>> = self.dist[k * n..(k + 1) * n].to_vec();
                let dist = &mut self.dist;
                let via = &mut self.via;
                #[omp::target]
                for (i, (d, p)) in dist.chunks_exact_mut(n).zip(via.chunks_exact_mut(n)).enumerate() {
                    let Some(to_k) = d[k] else { continue };
                    if i == k { continue; }
                    for j in 0..n {
                        if let Some(from_k) = row[j] {
                            let through = to_k + from_k;
                            if d[j].is_none_or(|now| through < now) {
                                d[j] = Some(through);
                                p[j] = k as u16;
                            }
                        }
                    }
                }
            }
        }
    }

    pub fn run() -> (Vec<Option<u32>>, Vec<u16>) {
        let mut v = Values(69);
        let n = 18;
        let mut m = Distances { n, dist: vec![None; n * n], via: vec![u16::MAX; n * n] };
        for i in 0..n { m.dist[i * n + i] = Some(0); }
        for _ in 0..50 { let at = v.bits() as usize % (n * n); if m.dist[at].is_none() { m.dist[at] = Some(1 + v.bits() % 30); } }
        m.solve();
        (m.dist, m.via)
    }
}
port!(floyd_warshall: run());
