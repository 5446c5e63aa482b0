//! Sort-merge join: match counts by binary search, offsets by a scan, output pairs; semi and anti joins.
use omp_tests::twice;
twice! {
    use std::cmp::Ordering;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct Key {
        region: u16,
        id: u32,
    }

    #[omp::declare_target]
    impl Ord for Key {
        fn cmp(&self, other: &Self) -> Ordering {
            self.region.cmp(&other.region).then(self.id.cmp(&other.id))
        }
    }
    #[omp::declare_target]
    impl PartialOrd for Key {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    #[omp::declare_target]
    fn lower_bound(keys: &[Key], key: Key) -> usize {
        let (mut lo, mut hi) = (0, keys.len());
        while lo < hi {
            let mid = lo + (hi - lo) / 2;
            match keys[mid].cmp(&key) {
                Ordering::Less => lo = mid + 1,
                Ordering::Equal | Ordering::Greater => hi = mid,
            }
        }
        lo
    }

    #[omp::declare_target]
    fn equal_range(keys: &[Key], key: Key) -> (usize, usize) {
        let lo = lower_bound(keys, key);
        let hi = lo + keys[lo..].partition_point(|k| *k <= key);
        (lo, hi)
    }

    #[omp::offload]
    fn join(left: &[Key], right: &[Key]) -> Vec<(u32, u32)> {
        let mut offsets = vec![0usize; left.len() + 1];
        #[omp::target]
        for (key, count) in left.iter().zip(&mut offsets[1..]) {
            let (lo, hi) = equal_range(right, *key);
            *count = hi - lo;
        }
        #[omp::scan(+)]
        for i in 1..offsets.len() {
            offsets[i] += offsets[i - 1];
        }
        let mut pairs = vec![(0, 0); *offsets.last().unwrap()];
        #[omp::target(disjoint(pairs))]
        for (l, &key) in left.iter().enumerate() {
            let lo = lower_bound(right, key);
            for (k, at) in (offsets[l]..offsets[l + 1]).enumerate() {
                pairs[at] = (l as u32, (lo + k) as u32);
            }
        }
        pairs
    }

    #[omp::offload]
    fn anti_join(left: &[Key], right: &[Key], kept: &mut Vec<Key>) {
        kept.resize(left.len(), Key { region: 0, id: 0 });
        let mut n = 0;
        #[omp::target]
        for key in left {
            if right.binary_search(key).is_err() {
                kept[n] = *key;
                n += 1;
            }
        }
        kept.truncate(n);
    }

    pub fn run(n: usize) -> (Vec<(u32, u32)>, Vec<Key>) {
        let mut left: Vec<Key> = (0..n).map(|i| Key { region: (i % 5) as u16, id: (i * 7 % 61) as u32 }).collect();
        let mut right: Vec<Key> = (0..n * 2).map(|i| Key { region: (i % 4) as u16, id: (i * 3 % 97) as u32 }).collect();
        left.sort();
        right.sort();
        let mut kept = vec![];
        anti_join(&left, &right, &mut kept);
        (join(&left, &right), kept)
    }
}
port!(merge_join: [0, 1, 45, 300].map(|n| crate::Shown::of(run(n))));
