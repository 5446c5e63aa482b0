//! Residuals of linear prediction, coded by Golomb and Rice: the size of each block, its bits, and decoding.
use omp_tests::twice;

twice! {
    const BLOCK: usize = 32;
    const WORDS: usize = 48;

    #[omp::declare_target]
    fn zigzag(v: i32) -> u32 { ((v << 1) ^ (v >> 31)) as u32 }
    #[omp::declare_target]
    fn unzigzag(u: u32) -> i32 { (u >> 1) as i32 ^ -((u & 1) as i32) }

    pub struct BitWriter<'a> { words: &'a mut [u32], bits: usize }
    impl<'a> BitWriter<'a> {
        fn new(words: &'a mut [u32]) -> Self { BitWriter { words, bits: 0 } }
        fn put(&mut self, value: u32, count: u32) {
            for b in (0..count).rev() {
                if value >> b & 1 != 0 { self.words[self.bits / 32] |= 1 << (self.bits % 32); }
                self.bits += 1;
            }
        }
        fn unary(&mut self, n: u32) {
            for _ in 0..n { self.put(1, 1); }
            self.put(0, 1);
        }
    }

    pub struct BitReader<'a> { words: &'a [u32], at: usize }
    impl BitReader<'_> {
        fn bit(&mut self) -> Option<u32> {
            let word = self.words.get(self.at / 32)?;
            let bit = word >> (self.at % 32) & 1;
            self.at += 1;
            Some(bit)
        }
        fn bits(&mut self, n: u32) -> Option<u32> {
            let mut v = 0;
            for _ in 0..n { v = v << 1 | self.bit()?; }
            Some(v)
        }
        fn rice(&mut self, k: u32) -> Option<u32> {
            let mut q = 0;
            while self.bit()? == 1 { q += 1; }
            Some(q << k | self.bits(k)?)
        }
    }

    #[omp::declare_target]
    fn best_parameter(residuals: &[u32]) -> u32 {
        let cost = |k: u32| residuals.iter().map(|r| (r >> k) + 1 + k).sum::<u32>();
        (0..14).min_by_key(|&k| cost(k)).unwrap_or(0)
    }

    pub fn encode(samples: &[i32], words: &mut [u32], sizes: &mut [u16]) {
        #[omp::target]
        for ((block, out), size) in samples.chunks_exact(BLOCK).zip(words.chunks_exact_mut(WORDS)).zip(sizes.iter_mut()) {
            let mut residuals = [0u32; BLOCK];
            let (mut p1, mut p2) = (0, 0);
            for (r, &s) in residuals.iter_mut().zip(block) {
                *r = zigzag(s - (2 * p1 - p2));
                p2 = p1;
                p1 = s;
            }
            let k = best_parameter(&residuals);
            let mut w = BitWriter::new(out);
            w.put(k, 4);
            for &r in &residuals {
                w.unary(r >> k);
                w.put(r & ((1 << k) - 1), k);
            }
            *size = w.bits as u16;
        }
    }

    pub fn decode(words: &[u32], samples: &mut [i32]) -> usize {
        let mut broken = 0;
        #[omp::target(reduction(+: broken))]
        for (block, words) in samples.chunks_exact_mut(BLOCK).zip(words.chunks_exact(WORDS)) {
            let mut reader = BitReader { words, at: 0 };
            let Some(k) = reader.bits(4) else { broken += 1; continue };
            let (mut p1, mut p2) = (0i32, 0i32);
            for s in block.iter_mut() {
                match reader.rice(k) {
                    Some(u) => {
                        *s = unzigzag(u) + 2 * p1 - p2;
                        (p2, p1) = (p1, *s);
                    }
                    None => { broken += 1; break }
                }
            }
        }
        broken
    }
    pub fn run() -> (Vec<u16>, Vec<u32>, Vec<i32>, usize) {
        let samples: Vec<i32> = (0..BLOCK * 12).map(|t| ((t as f64 * 0.13).sin() * (40 + t % 90) as f64) as i32).collect();
        let mut words = vec![0u32; 12 * WORDS];
        let mut sizes = vec![0u16; 12];
        encode(&samples, &mut words, &mut sizes);
        let mut back = vec![0; samples.len()];
        let broken = decode(&words, &mut back);
        assert_eq!(back, samples);
        (sizes, words, back, broken)
    }
}
port!(golomb_rice: run());
