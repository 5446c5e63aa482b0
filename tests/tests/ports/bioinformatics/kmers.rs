//! Canonical k-mers counted, GC content.
use omp_tests::{Values, twice};
twice! {
    const K: usize = 7;
    const MASK: u32 = (1 << (2 * K)) - 1;

    #[omp::declare_target]
    const fn encode(base: u8) -> Option<u32> {
        match base.to_ascii_uppercase() {
            b'A' => Some(0),
            b'C' => Some(1),
            b'G' => Some(2),
            b'T' | b'U' => Some(3),
            _ => None,
        }
    }

    #[omp::declare_target]
    fn pack(window: &[u8]) -> Option<u32> {
        let mut code = 0;
        for &b in window {
            code = (code << 2) | encode(b)?;
        }
        Some(code)
    }

    #[omp::declare_target]
    fn reverse_complement(mut code: u32) -> u32 {
        let mut rc = 0;
        for _ in 0..K {
            rc = (rc << 2) | (3 - (code & 3));
            code >>= 2;
        }
        rc & MASK
    }

    pub struct Counter { counts: Vec<u32>, skipped: u64 }

    impl Counter {
        pub fn new() -> Self { Self { counts: vec![0; MASK as usize + 1], skipped: 0 } }
        pub fn count(&mut self, seq: &[u8]) {
            let Self { counts, skipped } = self;
            let mut bad = *skipped;
            #[omp::target(reduction(+: counts, bad))]
            for window in seq.windows(K) {
                match pack(window) {
                    Some(code) => {
                        let canonical = code.min(reverse_complement(code));
                        counts[canonical as usize] += 1;
                    }
                    None => bad += 1,
                }
            }
            *skipped = bad;
        }
        pub fn gc_content(seq: &[u8]) -> f64 {
            let mut gc = 0usize;
            #[omp::target(reduction(+: gc))]
            for b in seq.iter() {
                gc += matches!(b, b'G' | b'C' | b'g' | b'c') as usize;
            }
            gc as f64 / seq.len() as f64
        }
    }

    pub fn run() -> (Vec<u32>, u64, f64) {
        let mut v = Values(21);
        let seq: Vec<u8> = (0..2000).map(|i| if i % 97 == 0 { b'N' } else { b"ACGTacgt"[(v.bits() % 8) as usize] }).collect();
        let mut c = Counter::new();
        c.count(&seq);
        c.count(&seq[100..]);
        (c.counts, c.skipped, Counter::gc_content(&seq))
    }
}
port!(kmers: run());
