//! A cuckoo filter and a bucketised cuckoo hash map: lookups in batches.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Slot { pub key: u32, pub value: u32 }

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Bucket { slots: [Option<Slot>; 4] }

    #[omp::declare_target]
    impl Bucket {
        fn find(&self, key: u32) -> Option<u32> {
            self.slots.iter().flatten().find(|s| s.key == key).map(|s| s.value)
        }
    }

    #[omp::declare_target]
    fn hash(key: u32, seed: u32) -> usize {
        let mut h = key ^ seed;
        h = (h ^ h >> 16).wrapping_mul(0x7feb352d);
        h = (h ^ h >> 15).wrapping_mul(0x846ca68b);
        (h ^ h >> 16) as usize
    }

    #[derive(omp::Mapper)]
    pub struct Map { buckets: Vec<Bucket>, mask: usize }

    #[omp::declare_target]
    impl Map {
        fn get(&self, key: u32) -> Option<u32> {
            let first = &self.buckets[hash(key, 1) & self.mask];
            first.find(key).or_else(|| self.buckets[hash(key, 2) & self.mask].find(key))
        }
        fn contains(&self, key: u32) -> bool { self.get(key).is_some() }
    }

    impl Map {
        pub fn with_capacity(buckets: usize) -> Self {
            Self { buckets: vec![Bucket::default(); buckets.next_power_of_two()], mask: buckets.next_power_of_two() - 1 }
        }

        pub fn insert(&mut self, mut item: Slot) -> bool {
            let mut at = hash(item.key, 1) & self.mask;
            for kick in 0..64 {
                if let Some(free) = self.buckets[at].slots.iter_mut().find(|s| s.is_none()) {
                    *free = Some(item);
                    return true;
                }
                let victim = self.buckets[at].slots[kick % 4].replace(item).unwrap();
                item = victim;
                let (a, b) = (hash(item.key, 1) & self.mask, hash(item.key, 2) & self.mask);
                at = if at == a { b } else { a };
            }
            false
        }

        pub fn lookup(&self, keys: &[u32]) -> Vec<Option<u32>> {
            let mut out = vec![None; keys.len()];
            #[omp::target]
            for (o, k) in out.iter_mut().zip(keys) {
                *o = self.get(*k);
            }
            out
        }

        pub fn load(&self) -> [usize; 5] {
            let mut counts = [0; 5];
            #[omp::target(reduction(+: counts))]
            for b in &self.buckets {
                counts[b.slots.iter().filter(|s| s.is_some()).count()] += 1;
            }
            counts
        }
    }

    pub fn join(map: &Map, probes: &[u32]) -> (usize, u64) {
        let (mut hits, mut total) = (0, 0u64);
        #[omp::target(reduction(+: hits, total))]
        for &p in probes {
            let Some(v) = map.get(p) else { continue };
            hits += usize::from(map.contains(p.wrapping_add(1)));
            total += u64::from(v);
        }
        (hits, total)
    }

    pub fn run() -> (Vec<Option<u32>>, Vec<usize>, (usize, u64)) {
        let mut v = Values(31);
        let mut m = Map::with_capacity(50);
        for i in 0..180 {
            m.insert(Slot { key: v.bits() % 400, value: i });
        }
        let keys: Vec<u32> = (0..400).collect();
        (m.lookup(&keys), m.load().to_vec(), join(&m, &keys))
    }
}
port!(cuckoo: run());
