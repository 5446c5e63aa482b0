//! A Bloom filter and a count-min sketch, with double hashing.
use omp_tests::{Values, twice};
twice! {
    #[omp::declare_target]
    fn mix(mut h: u64) -> u64 {
        h ^= h >> 33;
        h = h.wrapping_mul(0xff51_afd7_ed55_8ccd);
        h ^= h >> 33;
        h = h.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        h ^ (h >> 33)
    }

    #[omp::declare_target]
    fn probes(key: u64, k: u32, m: usize) -> impl Iterator<Item = usize> {
        let h1 = mix(key);
        let h2 = mix(h1) | 1;
        (0..k).map(move |i| (h1.wrapping_add((i as u64).wrapping_mul(h2)) % m as u64) as usize)
    }

    #[derive(omp::Mapper)]
    pub struct BloomFilter { words: Vec<u32>, bits: usize, k: u32 }

    impl BloomFilter {
        pub fn new(bits: usize, k: u32) -> Self { Self { words: vec![0; bits.div_ceil(32)], bits, k } }

        pub fn insert_all(&mut self, keys: &[u64]) {
            let Self { words, bits, k } = self;
            #[omp::target]
            for &key in keys {
                for bit in probes(key, *k, *bits) {
                    #[omp::atomic]
                    words[bit / 32] |= 1 << (bit % 32);
                }
            }
        }

        pub fn query(&self, keys: &[u64]) -> Vec<bool> {
            let mut hits = vec![false; keys.len()];
            #[omp::target]
            for (hit, &key) in hits.iter_mut().zip(keys) {
                *hit = probes(key, self.k, self.bits).all(|bit| self.words[bit / 32] >> (bit % 32) & 1 == 1);
            }
            hits
        }
    }

    pub struct CountMin<const ROWS: usize> { counts: Vec<u32>, width: usize, seeds: [u64; ROWS] }

    impl<const ROWS: usize> CountMin<ROWS> {
        pub fn new(width: usize) -> Self {
            Self { counts: vec![0; width * ROWS], width, seeds: std::array::from_fn(|i| mix(i as u64 + 1)) }
        }

        pub fn update(&mut self, keys: &[u64]) {
            let (width, seeds) = (self.width, self.seeds);
            let counts = &mut self.counts;
            #[omp::target]
            for key in keys.iter() {
                for (row, seed) in seeds.iter().enumerate() {
                    let column = (mix(key ^ seed) % width as u64) as usize;
                    #[omp::atomic]
                    counts[row * width + column] += 1;
                }
            }
        }

        pub fn estimate(&self, keys: &[u64], out: &mut Vec<u32>) {
            out.clear();
            out.resize(keys.len(), 0);
            let seeds = &self.seeds;
            #[omp::target]
            for (o, &key) in out.iter_mut().zip(keys.iter()) {
                *o = seeds
                    .iter()
                    .zip(self.counts.chunks(self.width))
                    .map(|(seed, row)| row[(mix(key ^ seed) % row.len() as u64) as usize])
                    .min()
                    .unwrap_or(0);
            }
        }
    }

    pub fn run() -> (Vec<bool>, Vec<u32>) {
        let mut v = Values(4);
        let keys: Vec<u64> = (0..300).map(|_| (v.bits() % 120) as u64).collect();
        let mut f = BloomFilter::new(1000, 5);
        f.insert_all(&keys[..100]);
        let hits = f.query(&(0..200).collect::<Vec<u64>>());
        let mut cm = CountMin::<4>::new(61);
        cm.update(&keys);
        let mut out = vec![];
        cm.estimate(&(0..130).collect::<Vec<u64>>(), &mut out);
        (hits, out)
    }
}
port!(bloom: run());
