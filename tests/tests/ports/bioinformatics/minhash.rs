//! Mash: bottom sketches of k-mers by hash, Jaccard estimates of all pairs, distances.
use omp_tests::{Values, twice};
twice! {
    const S: usize = 16;
    const K: usize = 7;

    #[omp::declare_target]
    const fn fmix64(mut k: u64) -> u64 {
        k ^= k >> 33;
        k = k.wrapping_mul(0xff51afd7ed558ccd);
        k ^= k >> 33;
        k = k.wrapping_mul(0xc4ceb9fe1a85ec53);
        k ^ k >> 33
    }

    #[omp::declare_target]
    fn code(base: u8) -> Option<u64> {
        Some(match base.to_ascii_uppercase() {
            b'A' => 0,
            b'C' => 1,
            b'G' => 2,
            b'T' => 3,
            _ => return None,
        })
    }

    #[omp::declare_target]
    fn canonical(kmer: &[u8]) -> Option<u64> {
        let (mut forward, mut backward) = (0u64, 0u64);
        for (i, &b) in kmer.iter().enumerate() {
            let c = code(b)?;
            forward = forward << 2 | c;
            backward |= (3 - c) << (2 * i);
        }
        Some(forward.min(backward))
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Sketch { hashes: [u64; S], len: usize }

    #[omp::declare_target]
    impl Sketch {
        const EMPTY: Self = Self { hashes: [u64::MAX; S], len: 0 };

        fn insert(&mut self, h: u64) {
            let position = self.hashes[..self.len].iter().position(|&x| x >= h).unwrap_or(self.len);
            if position == S || (position < self.len && self.hashes[position] == h) {
                return;
            }
            let last = self.len.min(S - 1);
            for i in (position..last).rev() {
                self.hashes[i + 1] = self.hashes[i];
            }
            self.hashes[position] = h;
            self.len = (self.len + 1).min(S);
        }

        fn jaccard(&self, other: &Sketch) -> f64 {
            let (mut i, mut j, mut shared, mut union) = (0, 0, 0u32, 0u32);
            while i < self.len && j < other.len && union < S as u32 {
                match self.hashes[i].cmp(&other.hashes[j]) {
                    std::cmp::Ordering::Less => i += 1,
                    std::cmp::Ordering::Greater => j += 1,
                    std::cmp::Ordering::Equal => {
                        shared += 1;
                        i += 1;
                        j += 1;
                    }
                }
                union += 1;
            }
            f64::from(shared) / f64::from(union.max(1))
        }
    }

    pub fn sketch(genomes: &[u8], ends: &[usize]) -> Vec<Sketch> {
        let mut out = vec![Sketch::EMPTY; ends.len() - 1];
        #[omp::target]
        for (sketch, span) in out.iter_mut().zip(ends.windows(2)) {
            for h in genomes[span[0]..span[1]].windows(K).filter_map(canonical).map(fmix64) {
                sketch.insert(h);
            }
        }
        out
    }

    pub fn distances(sketches: &[Sketch]) -> Vec<f64> {
        let n = sketches.len();
        let mut d = vec![0.0; n * n];
        #[omp::target]
        for (i, row) in d.chunks_exact_mut(n).enumerate() {
            for (cell, other) in row.iter_mut().zip(sketches) {
                let j = sketches[i].jaccard(other);
                *cell = if j > 0.0 { (-(2.0 * j / (1.0 + j)).ln() / K as f64).max(0.0) } else { 1.0 };
            }
        }
        d
    }

    pub fn run() -> Vec<f64> {
        let mut v = Values(77);
        let base: Vec<u8> = (0..120).map(|_| b"ACGTacgt"[v.bits() as usize % 8]).collect();
        let mut genomes = vec![];
        let mut ends = vec![0];
        for g in 0..6 {
            genomes.extend(base.iter().map(|&b| if v.bits() % 40 < g * 2 { b"ACGTN"[v.bits() as usize % 5] } else { b }));
            ends.push(genomes.len());
        }
        distances(&sketch(&genomes, &ends))
    }
}
port!(minhash: run());
