//! minimap2's minimizers: of each window of k-mers, the one with the least hash, on the canonical strand.
use omp_tests::{Values, twice};

twice! {
    const K: usize = 7;
    const W: usize = 5;
    const ENCODE: [u8; 256] = {
        let mut t = [4u8; 256];
        t[b'A' as usize] = 0;
        t[b'C' as usize] = 1;
        t[b'G' as usize] = 2;
        t[b'T' as usize] = 3;
        t
    };

    #[omp::declare_target]
    fn hash64(mut key: u64, mask: u64) -> u64 {
        key = (!key).wrapping_add(key << 21) & mask;
        key ^= key >> 24;
        key = (key + (key << 3) + (key << 8)) & mask;
        key ^= key >> 14;
        key = (key + (key << 2) + (key << 4)) & mask;
        key ^= key >> 28;
        (key + (key << 31)) & mask
    }

    #[omp::declare_target]
    fn canonical(kmer: &[u8]) -> Option<u64> {
        let (mut fwd, mut rev) = (0u64, 0u64);
        for (i, &b) in kmer.iter().enumerate() {
            let c = ENCODE[b as usize] as u64;
            if c > 3 {
                return None;
            }
            fwd = fwd << 2 | c;
            rev |= (3 - c) << (2 * i);
        }
        (fwd != rev).then(|| fwd.min(rev))
    }

    pub fn minimizers(seq: &[u8]) -> (Vec<u64>, Vec<usize>) {
        let mask = (1u64 << (2 * K)) - 1;
        let windows = seq.len() + 2 - K - W;
        let mut value = vec![u64::MAX; windows];
        let mut place = vec![usize::MAX; windows];
        #[omp::target]
        for (i, window) in seq.windows(W + K - 1).enumerate() {
            let best = window
                .windows(K)
                .enumerate()
                .filter_map(|(j, kmer)| canonical(kmer).map(|c| (hash64(c, mask), j)))
                .min();
            if let Some((h, j)) = best {
                value[i] = h;
                place[i] = i + j;
            }
        }
        (value, place)
    }

    pub fn distinct(place: &[usize]) -> (Vec<usize>, usize) {
        let mut kept = vec![0; place.len()];
        let mut n = 0;
        #[omp::scan(+)]
        for i in 0..place.len() {
            if place[i] != usize::MAX && (i == 0 || place[i] != place[i - 1]) {
                kept[n] = place[i];
                n += 1;
            }
        }
        (kept, n)
    }

    pub fn run() -> (Vec<u64>, Vec<usize>, usize) {
        let mut v = Values(15);
        let seq: Vec<u8> = (0..500).map(|_| b"ACGTACGTACGTACGN"[v.bits() as usize % 16]).collect();
        let (value, place) = minimizers(&seq);
        let (kept, n) = distinct(&place);
        (value, kept, n)
    }
}
port!(minimizers: run());
