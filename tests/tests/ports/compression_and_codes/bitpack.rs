//! Frame-of-reference blocks packed to their bit width, unpacked, patched; simple-8b words.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Default, Debug, omp::Device)]
    pub struct Header { base: u32, width: u8, word: u32 }

    const BLOCK: usize = 32;

    #[omp::declare_target]
    #[inline]
    const fn mask(width: u8) -> u32 { if width == 32 { u32::MAX } else { (1 << width) - 1 }  }

    /// Frames of blocks: base and width of each.
    pub fn analyse(values: &[u32]) -> Vec<Header> {
        let mut headers = vec![Header::default(); values.len().div_ceil(BLOCK)];
        #[omp::target]
        for (h, block) in headers.iter_mut().zip(values.chunks(BLOCK)) {
            let (lo, hi) = block.iter().fold((u32::MAX, 0), |(lo, hi), &v| (lo.min(v), hi.max(v)));
            *h = Header { base: lo, width: (u32::BITS - (hi - lo).leading_zeros()) as u8, ..*h };
        }
        headers
    }

    pub fn pack(values: &[u32]) -> (Vec<Header>, Vec<u32>) {
        let mut headers = analyse(values);
        let mut total = 0u32;
        for h in headers.iter_mut() {
            h.word = total;
            total += h.width as u32;
        }
        let mut words = vec![0u32; total as usize];
        #[omp::target(disjoint(words))]
        for (b, block) in values.chunks(BLOCK).enumerate() {
            let Header { base, width, word } = headers[b];
            let mut acc = 0u64;
            let mut filled = 0;
            let mut at = word as usize;
            for v in block.iter().map(|v| v - base) {
                acc |= u64::from(v) << filled;
                filled += u32::from(width);
                if filled >= 32 {
                    words[at] = acc as u32;
                    at += 1;
                    acc >>= 32;
                    filled -= 32;
                }
            }
            if filled > 0 {
                words[at] = acc as u32;
            }
        }
        (headers, words)
    }

    pub fn unpack(headers: &[Header], words: &[u32], n: usize) -> Vec<u32> {
        let mut out = vec![0; n];
        #[omp::target]
        for i in 0..n {
            let Header { base, width, word } = headers[i / BLOCK];
            let bit = (i % BLOCK) * width as usize;
            let (w, s) = (word as usize + bit / 32, bit % 32);
            let pair = match (words.get(w), words.get(w + 1)) {
                (Some(&lo), Some(&hi)) => u64::from(hi) << 32 | u64::from(lo),
                (Some(&lo), None) => lo.into(),
                _ => 0,
            };
            out[i] = base + ((pair >> s) as u32 & mask(width));
        }
        out
    }

    /// Selectors of simple-8b: how many values of how many bits.
    static SELECTORS: [(u8, u8); 16] = [
        (240, 0), (120, 0), (60, 1), (30, 2), (20, 3), (15, 4), (12, 5), (10, 6), (8, 7), (7, 8), (6, 10), (5, 12), (4, 15), (3, 20), (2, 30), (1, 60),
    ];

    pub fn simple8b_sums(words: &[u64]) -> Vec<(u64, u32)> {
        let mut sums = vec![(0, 0); words.len()];
        #[omp::target]
        for (s, &w) in sums.iter_mut().zip(words.iter()) {
            let (count, bits) = SELECTORS[(w >> 60) as usize];
            let m = (1u64 << bits) - 1;
            *s = (0..count).map(|i| if bits == 0 { 1 } else { w >> (i * bits) & m }).fold((0, 0), |(t, n), v| (t + v, n + 1));
        }
        sums
    }

    pub fn run() -> (Vec<u32>, Vec<u32>, Vec<(u64, u32)>) {
        let mut v = Values(15);
        let values: Vec<u32> = (0..300).map(|i| (i as u32 / 32) * 1000 + (v.bits() >> (4 + i / 32 * 2))).collect();
        let (headers, words) = pack(&values);
        let back = unpack(&headers, &words, values.len());
        assert_eq!(back, values);
        let coded: Vec<u64> = (0..40).map(|_| v.wide()).collect();
        (words, back, simple8b_sums(&coded))
    }
}
port!(bitpack: run());
