//! Lonestar: triangles by merging sorted neighbour lists.
use omp_tests::twice;

twice! {
    use std::cmp::Ordering;

    #[omp::declare_target]
    fn common(a: &[u32], b: &[u32]) -> u64 {
        let (mut i, mut j, mut count) = (0, 0, 0);
        while i < a.len() && j < b.len() {
            match a[i].cmp(&b[j]) {
                Ordering::Less => i += 1,
                Ordering::Greater => j += 1,
                Ordering::Equal => {
                    count += 1;
                    i += 1;
                    j += 1;
                }
            }
        }
        count
    }

    pub fn triangles(offsets: &[usize], edges: &[u32]) -> u64 {
        let mut total = 0;
        #[omp::target(reduction(+: total))]
        for (u, w) in offsets.windows(2).enumerate() {
            let own = &edges[w[0]..w[1]];
            for &v in own.iter().filter(|&&v| v as usize > u) {
                let v = v as usize;
                total += common(own, &edges[offsets[v]..offsets[v + 1]]);
            }
        }
        total
    }

    pub fn run() -> u64 {
        let n = 50u32;
        let (mut offsets, mut edges) = (vec![0], Vec::new());
        for u in 0..n {
            edges.extend((0..n).filter(|&v| v != u && (u * v + u + v) % 7 < 3));
            offsets.push(edges.len());
        }
        triangles(&offsets, &edges)
    }
}
port!(triangles: run());
