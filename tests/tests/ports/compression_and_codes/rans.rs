//! rANS: normalised frequencies, alias-free decode tables, interleaved streams per block.
use omp_tests::twice;
twice! {
    const SCALE_BITS: u32 = 10;
    const SCALE: usize = 1 << SCALE_BITS;
    const LOW: u32 = 1 << 16;

    #[derive(Clone, Copy, Default, Debug, omp::Device)]
    struct Symbol {
        start: u16,
        freq: u16,
    }

    struct Model {
        symbols: [Symbol; 16],
        lookup: Vec<u8>,
    }

    impl Model {
        fn new(counts: &[u32; 16]) -> Self {
            let total: u32 = counts.iter().sum::<u32>().max(1);
            let mut freqs: Vec<u16> = counts.iter().map(|&c| ((c as u64 * (SCALE as u64 - 16)) / total as u64) as u16 + 1).collect();
            let used: u16 = freqs.iter().sum();
            freqs[0] += SCALE as u16 - used;
            let mut symbols = [Symbol::default(); 16];
            let mut lookup = vec![0; SCALE];
            let mut start = 0;
            for (s, &freq) in freqs.iter().enumerate() {
                symbols[s] = Symbol { start, freq };
                lookup[start as usize..(start + freq) as usize].fill(s as u8);
                start += freq;
            }
            Model { symbols, lookup }
        }
    }

    #[omp::offload]
    fn encode(model: &Model, input: &[u8], block: usize, out: &mut [u16], lens: &mut [u32], states: &mut [[u32; 2]]) {
        let symbols = model.symbols;
        #[omp::target]
        for (((src, dst), len), state) in input.chunks(block).zip(out.chunks_mut(block)).zip(lens.iter_mut()).zip(states.iter_mut()) {
            let mut x = [LOW; 2];
            let mut n = 0;
            for (i, &byte) in src.iter().enumerate().rev() {
                let Symbol { start, freq } = symbols[byte as usize];
                let lane = &mut x[i & 1];
                let limit = ((LOW >> SCALE_BITS) << 16) as u64 * freq as u64;
                if *lane as u64 >= limit {
                    dst[n] = *lane as u16;
                    n += 1;
                    *lane >>= 16;
                }
                *lane = ((*lane / freq as u32) << SCALE_BITS) + *lane % freq as u32 + start as u32;
            }
            *len = n as u32;
            *state = x;
        }
    }

    #[omp::offload]
    fn decode(model: &Model, words: &[u16], lens: &[u32], states: &[[u32; 2]], block: usize, out: &mut [u8]) {
        #[omp::target]
        for (b, dst) in out.chunks_mut(block).enumerate() {
            let mut input = words[b * block..b * block + lens[b] as usize].iter().rev();
            let mut x = states[b];
            for (i, o) in dst.iter_mut().enumerate() {
                let state = &mut x[i % 2];
                let slot = *state as usize & (SCALE - 1);
                let s = model.lookup[slot];
                let sym = &model.symbols[s as usize];
                *state = sym.freq as u32 * (*state >> SCALE_BITS) + slot as u32 - sym.start as u32;
                if *state < LOW {
                    if let Some(&w) = input.next() {
                        *state = *state << 16 | w as u32;
                    }
                }
                *o = s;
            }
        }
    }

    pub fn run(n: usize) -> (Vec<u8>, Vec<u32>, bool) {
        let input: Vec<u8> = (0..n).map(|i| ((i * i / 3) % 16 & (i % 7)) as u8).collect();
        let mut counts = [0u32; 16];
        for &b in &input { counts[b as usize] += 1; }
        let model = Model::new(&counts);
        const BLOCK: usize = 64;
        let blocks = n.div_ceil(BLOCK);
        let mut words = vec![0; blocks * BLOCK];
        let (mut lens, mut states) = (vec![0; blocks], vec![[0; 2]; blocks]);
        encode(&model, &input, BLOCK, &mut words, &mut lens, &mut states);
        let mut back = vec![0; n];
        decode(&model, &words, &lens, &states, BLOCK, &mut back);
        let ok = back == input;
        (back, lens, ok)
    }
}
port!(rans: [0, 1, 65, 1200].map(|n| crate::Shown::of(run(n))));
