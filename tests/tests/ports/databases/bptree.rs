//! Rodinia b+tree: range and point queries in a flattened tree.
use omp_tests::twice;

twice! {
    const ORDER: usize = 8;

    #[derive(Clone, Copy, omp::Device)]
    struct Knode {
        location: i32,
        indices: [u32; ORDER],
        keys: [i32; ORDER],
        is_leaf: bool,
        num_keys: u8,
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    struct Record(i32);

    struct Tree {
        knodes: Vec<Knode>,
        records: Vec<Record>,
        root: u32,
        height: u32,
    }

    impl Tree {
        fn build(keys: &[i32]) -> Tree {
            let mut knodes = vec![];
            let mut level: Vec<(i32, u32)> = vec![];
            for (c, chunk) in keys.chunks(ORDER).enumerate() {
                let mut n = Knode { location: c as i32, indices: [0; ORDER], keys: [i32::MAX; ORDER], is_leaf: true, num_keys: chunk.len() as u8 };
                for (k, key) in chunk.iter().enumerate() {
                    n.keys[k] = *key;
                    n.indices[k] = (c * ORDER + k) as u32;
                }
                level.push((chunk[0], knodes.len() as u32));
                knodes.push(n);
            }
            let mut height = 0;
            while level.len() > 1 {
                height += 1;
                let mut up = vec![];
                for chunk in level.chunks(ORDER) {
                    let mut n = Knode { location: -1, indices: [0; ORDER], keys: [i32::MAX; ORDER], is_leaf: false, num_keys: chunk.len() as u8 };
                    for (k, &(key, child)) in chunk.iter().enumerate() {
                        n.keys[k] = key;
                        n.indices[k] = child;
                    }
                    up.push((chunk[0].0, knodes.len() as u32));
                    knodes.push(n);
                }
                level = up;
            }
            let root = level.first().map_or(0, |l| l.1);
            Tree { records: keys.iter().map(|k| Record(k * 10)).collect(), knodes, root, height }
        }

        #[omp::offload]
        fn find(&self, queries: &[i32]) -> Vec<i32> {
            let mut ans = vec![-1; queries.len()];
            #[omp::target]
            for (q, a) in queries.iter().zip(ans.iter_mut()) {
                let mut node = &self.knodes[self.root as usize];
                for _ in 0..self.height {
                    let n = node.num_keys as usize;
                    let slot = node.keys[..n].iter().rposition(|&k| k <= *q).unwrap_or(0);
                    node = &self.knodes[node.indices[slot] as usize];
                }
                if let Some(p) = node.keys[..node.num_keys as usize].iter().position(|k| k == q) {
                    let Record(value) = self.records[node.indices[p] as usize];
                    *a = value;
                }
            }
            ans
        }

        #[omp::offload]
        fn range_count(&self, from: &[i32], to: &[i32]) -> Vec<u32> {
            let leaves = self.knodes.iter().take_while(|k| k.is_leaf).count();
            let mut out = vec![0u32; from.len()];
            #[omp::target]
            for i in 0..from.len() {
                let (lo, hi) = (from[i], to[i]);
                let mut total = 0;
                for leaf in &self.knodes[..leaves] {
                    debug_assert!(leaf.is_leaf);
                    let keys = &leaf.keys[..leaf.num_keys as usize];
                    if keys[keys.len() - 1] < lo || keys[0] > hi {
                        continue;
                    }
                    total += keys.iter().filter(|k| (lo..=hi).contains(*k)).count() as u32;
                }
                out[i] = total;
            }
            out
        }
    }

    pub fn run(n: usize) -> Vec<f64> {
        let keys: Vec<i32> = (0..n as i32 + 1).map(|i| i * 3 + i % 2).collect();
        let t = Tree::build(&keys);
        let q: Vec<i32> = (0..n as i32).map(|i| (i * 7) % (3 * n as i32 + 1)).collect();
        let hi: Vec<i32> = q.iter().map(|q| q + 20).collect();
        t.find(&q).into_iter().map(f64::from).chain(t.range_count(&q, &hi).into_iter().map(f64::from)).collect()
    }
}
port!(bptree: (run(0), run(7), run(99)));
