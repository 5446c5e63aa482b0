//! Reads of a sequencer: quality trimming by windows, adapters found with mismatches, summary statistics.
use omp_tests::{Values, twice};
twice! {
    use std::ops::Range;

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct TrimOptions { pub window: usize, pub quality: u8, pub min_len: usize, pub max_mismatch: usize }

    impl Default for TrimOptions {
        fn default() -> Self { TrimOptions { window: 4, quality: 20, min_len: 12, max_mismatch: 1 } }
    }

    const PHRED: u8 = 33;
    const ADAPTER: &[u8] = b"AGATCGG";

    #[omp::declare_target]
    fn mean_quality(qual: &[u8]) -> f32 {
        qual.iter().map(|&q| (q - PHRED) as f32).sum::<f32>() / qual.len() as f32
    }

    /// Where the first window starts whose mean is below the threshold.
    #[omp::declare_target]
    fn trim_tail(qual: &[u8], opt: &TrimOptions) -> usize {
        qual.windows(opt.window).position(|w| mean_quality(w) < opt.quality as f32).unwrap_or(qual.len())
    }

    #[omp::declare_target]
    fn trim_head(qual: &[u8], opt: &TrimOptions) -> usize {
        qual.iter().take_while(|&&q| q < PHRED + opt.quality).count()
    }

    #[omp::declare_target]
    fn hamming(a: &[u8], b: &[u8]) -> usize {
        a.iter().zip(b).filter(|(x, y)| x != y).count()
    }

    #[omp::declare_target]
    fn find_adapter(seq: &[u8], max: usize) -> Option<usize> {
        (0..seq.len()).find(|&i| {
            let tail = &seq[i..];
            let n = tail.len().min(ADAPTER.len());
            n >= 3 && hamming(&tail[..n], &ADAPTER[..n]) <= if n < ADAPTER.len() { 0 } else { max }
        })
    }

    pub fn trim_reads(seqs: &[u8], quals: &[u8], len: usize, opt: &TrimOptions) -> Vec<Option<(u32, u32)>> {
        let n = seqs.len() / len;
        let mut kept = vec![None; n];
        #[omp::target]
        for r in 0..n {
            let span = r * len..(r + 1) * len;
            let (seq, qual) = (&seqs[span.clone()], &quals[span]);
            let start = trim_head(qual, opt);
            let mut end = trim_tail(&qual[start..], opt) + start;
            if let Some(a) = find_adapter(&seq[start..end], opt.max_mismatch) {
                end = start + a;
            }
            kept[r] = if end - start >= opt.min_len { Some((start as u32, end as u32)) } else { None };
        }
        kept
    }

    pub fn base_composition(seqs: &[u8]) -> [u32; 5] {
        let mut counts = [0u32; 5];
        #[omp::target(reduction(+: counts))]
        for &b in seqs {
            let i = match b.to_ascii_uppercase() {
                b'A' => 0,
                b'C' => 1,
                b'G' => 2,
                b'T' | b'U' => 3,
                _ => 4,
            };
            counts[i] += 1;
        }
        counts
    }

    pub fn run() -> (Vec<Option<(u32, u32)>>, [u32; 5]) {
        let mut v = Values(9);
        let len = 48;
        let mut seqs: Vec<u8> = (0..len * 20).map(|_| b"ACGTacgtN"[v.bits() as usize % 9]).collect();
        let quals: Vec<u8> = (0..len * 20).map(|i| 33 + (if i % len < 30 + i / len { 26 } else { 8 }) + (v.bits() % 12) as u8).collect();
        for r in (0..20).step_by(3) {
            seqs[r * len + 20 + r..][..ADAPTER.len()].copy_from_slice(ADAPTER);
        }
        (trim_reads(&seqs, &quals, len, &TrimOptions::default()), base_composition(&seqs))
    }
}
port!(fastq: run());
