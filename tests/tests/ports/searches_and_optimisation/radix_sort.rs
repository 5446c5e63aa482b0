//! SHOC's radix sort: histograms of tiles and a stable scatter.
use omp_tests::{Values, twice};
twice! {
    const BITS: u32 = 4;
    const BUCKETS: usize = 1 << BITS;
    const TILE: usize = 32;

    pub trait Key: Copy + omp::Device { fn digit(self, pass: u32) -> usize; }
    impl Key for u32 { fn digit(self, pass: u32) -> usize { (self >> (pass * BITS)) as usize & (BUCKETS - 1) } }

    #[omp::declare_target]
    const fn digit(key: u32, pass: u32) -> usize { (key >> (pass * BITS)) as usize & (BUCKETS - 1) }

    fn histograms(counts: &mut [[u32; BUCKETS]], keys: &[u32], pass: u32) {
        #[omp::target]
        for (count, tile) in counts.iter_mut().zip(keys.chunks(TILE)) {
            count.fill(0);
            for &key in tile {
                count[digit(key, pass)] += 1;
            }
        }
    }

    fn offsets(counts: &mut [[u32; BUCKETS]]) {
        let mut total = 0;
        for b in 0..BUCKETS {
            for c in counts.iter_mut() {
                let n = c[b];
                c[b] = total;
                total += n;
            }
        }
    }

    fn scatter(out: &mut [u32], keys: &[u32], offsets: &[[u32; BUCKETS]], pass: u32) {
        #[omp::target(disjoint(out))]
        for (tile, start) in keys.chunks(TILE).zip(offsets) {
            let mut next = *start;
            for &key in tile {
                let d = digit(key, pass);
                out[next[d] as usize] = key;
                next[d] += 1;
            }
        }
    }

    pub fn sort(keys: &mut Vec<u32>) {
        let mut out = vec![0; keys.len()];
        let mut counts = vec![[0u32; BUCKETS]; keys.len().div_ceil(TILE)];
        for pass in 0..u32::BITS / BITS {
            histograms(&mut counts, keys, pass);
            offsets(&mut counts);
            scatter(&mut out, keys, &counts, pass);
            std::mem::swap(keys, &mut out);
        }
    }

    pub fn run() -> Vec<u32> {
        let mut v = Values(77);
        let mut keys: Vec<u32> = (0..300).map(|_| v.bits() as u32).collect();
        sort(&mut keys);
        keys
    }
}
port!(radix: run());
