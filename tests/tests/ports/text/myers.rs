//! Bit-parallel edit distance (Myers), Hamming and Jaro similarity of candidate pairs.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, omp::Device)]
    struct Pattern {
        peq: [u64; 128],
        len: u32,
    }

    impl Pattern {
        fn compile(p: &str) -> Self {
            let mut peq = [0; 128];
            for (i, b) in p.bytes().enumerate() {
                peq[b as usize] |= 1 << i;
            }
            Self { peq, len: p.len() as u32 }
        }
    }

    #[omp::declare_target]
    impl Pattern {
        fn distance(&self, text: &[u8]) -> u32 {
            let (mut pv, mut mv) = (!0u64, 0u64);
            let mut score = self.len;
            let top = 1 << (self.len - 1);
            for &c in text {
                let eq = self.peq[(c & 127) as usize];
                let xv = eq | mv;
                let xh = (((eq & pv).wrapping_add(pv)) ^ pv) | eq;
                let mut ph = mv | !(xh | pv);
                let mut mh = pv & xh;
                if ph & top != 0 {
                    score += 1;
                } else if mh & top != 0 {
                    score -= 1;
                }
                ph = ph << 1 | 1;
                mh <<= 1;
                pv = mh | !(xv | ph);
                mv = ph & xv;
            }
            score
        }
    }

    #[omp::declare_target]
    fn jaro(a: &[u8], b: &[u8]) -> f32 {
        if a.is_empty() && b.is_empty() {
            return 1.0;
        }
        let reach = (a.len().max(b.len()) / 2).saturating_sub(1);
        let (mut used_a, mut used_b) = ([false; 32], [false; 32]);
        let mut matches = 0;
        for (i, &c) in a.iter().enumerate() {
            let lo = i.saturating_sub(reach);
            let hi = (i + reach + 1).min(b.len());
            if let Some(j) = (lo..hi).find(|&j| !used_b[j] && b[j] == c) {
                used_a[i] = true;
                used_b[j] = true;
                matches += 1;
            }
        }
        if matches == 0 {
            return 0.0;
        }
        let mut k = 0;
        let mut transposed = 0;
        for i in (0..a.len()).filter(|&i| used_a[i]) {
            while !used_b[k] {
                k += 1;
            }
            if a[i] != b[k] {
                transposed += 1;
            }
            k += 1;
        }
        let m = matches as f32;
        (m / a.len() as f32 + m / b.len() as f32 + (m - (transposed / 2) as f32) / m) / 3.0
    }

    #[omp::offload]
    fn score(words: &[[u8; 16]], lens: &[u8], pattern: &Pattern, query: &[u8]) -> (Vec<(u32, f32)>, u32) {
        let mut out = vec![(0, 0.0); words.len()];
        let mut best = u32::MAX;
        #[omp::target(reduction(min: best))]
        for ((word, &len), o) in words.iter().zip(lens).zip(&mut out) {
            let word = &word[..len as usize];
            let d = pattern.distance(word);
            *o = (d, jaro(query, word));
            best = best.min(d);
        }
        (out, best)
    }

    pub fn run(n: usize) -> (Vec<(u32, f32)>, u32) {
        let query = "kitchen sink";
        let words: Vec<[u8; 16]> = (0..n).map(|i| std::array::from_fn(|k| b"kitchens inmartha"[(i * 5 + k * (1 + i % 3)) % 17])).collect();
        let lens: Vec<u8> = (0..n).map(|i| (i % 17) as u8).collect();
        score(&words, &lens, &Pattern::compile(query), query.as_bytes())
    }
}
port!(myers: [0, 1, 55, 400].map(|n| crate::Shown::of(run(n))));
