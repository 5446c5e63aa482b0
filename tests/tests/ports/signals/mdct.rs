//! A windowed cosine transform with overlapping blocks, quantised by bands with scale factors.
use omp_tests::twice;

twice! {
    const N: usize = 16;
    const BANDS: [usize; 5] = [0, 2, 5, 9, 16];

    mod window {
        use std::f32::consts::PI;
        #[omp::declare_target]
        pub fn sine(n: usize, len: usize) -> f32 { (PI / len as f32 * (n as f32 + 0.5)).sin() }
        #[omp::declare_target]
        pub fn kernel(k: usize, n: usize, half: usize) -> f32 {
            (PI / half as f32 * (n as f32 + 0.5 + half as f32 / 2.0) * (k as f32 + 0.5)).cos()
        }
    }
    use window::{kernel, sine};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Block { scale: [u8; 4], coeff: [i8; N] }

    #[omp::declare_target]
    fn bands() -> impl Iterator<Item = (usize, usize)> { BANDS.iter().copied().zip(BANDS.iter().copied().skip(1)) }

    #[omp::declare_target]
    fn transform(input: &[f32]) -> [f32; N] {
        std::array::from_fn(|k| input.iter().enumerate().map(|(n, x)| x * sine(n, 2 * N) * kernel(k, n, N)).sum())
    }
    #[omp::declare_target]
    fn quantise(spectrum: &[f32; N]) -> Block {
        let mut block = Block::default();
        for (b, w) in BANDS.windows(2).enumerate() {
            let peak = spectrum[w[0]..w[1]].iter().fold(0.0f32, |m, c| m.max(c.abs()));
            let exponent = if peak > 0.0 { (peak / 100.0).log2().ceil().max(-40.0) as i32 } else { -40 };
            block.scale[b] = (exponent + 64) as u8;
            for k in w[0]..w[1] { block.coeff[k] = (spectrum[k] * 2f32.powi(-exponent)).round() as i8; }
        }
        block
    }
    #[omp::declare_target]
    impl Block {
        fn dequantise(&self) -> [f32; N] {
            let mut out = [0.0; N];
            for (w, &s) in BANDS.windows(2).zip(self.scale.iter()) {
                let (lo, hi) = (w[0], w[1]);
                for (o, &c) in out[lo..hi].iter_mut().zip(&self.coeff[lo..hi]) { *o = c as f32 * 2f32.powi(s as i32 - 64); }
            }
            out
        }
    }

    pub fn analyse(signal: &[f32]) -> Vec<Block> {
        let mut blocks = vec![Block::default(); signal.len() / N - 1];
        #[omp::target]
        for (i, block) in blocks.iter_mut().enumerate() {
            *block = quantise(&transform(&signal[i * N..(i + 2) * N]));
        }
        blocks
    }
    pub fn synthesise(blocks: &[Block]) -> Vec<f32> {
        let mut out = vec![0.0; (blocks.len() - 1) * N];
        #[omp::target]
        for (i, part) in out.chunks_exact_mut(N).enumerate() {
            let (a, b) = (blocks[i].dequantise(), blocks[i + 1].dequantise());
            for (n, sample) in part.iter_mut().enumerate() {
                let tail: f32 = (0..N).map(|k| a[k] * kernel(k, n + N, N)).sum();
                let head: f32 = b.iter().enumerate().map(|(k, c)| c * kernel(k, n, N)).sum();
                *sample = (tail * sine(n + N, 2 * N) + head * sine(n, 2 * N)) * 2.0 / N as f32;
            }
        }
        out
    }
    pub fn run() -> Vec<f32> {
        let signal: Vec<f32> = (0..N * 12).map(|t| 40.0 * (t as f32 * 0.31).sin() + 15.0 * (t as f32 * 1.7).cos()).collect();
        synthesise(&analyse(&signal))
    }
}
port!(mdct: { let out = run(); out.iter().map(|v| (v * 0.2).round() as i32).collect::<Vec<_>>() });
