//! Mono/stereo frames as arrays, polyphase by a const table, compressor with envelope per channel, loudness blocks, RLE of silences.
use omp_tests::twice;
twice! {
    type Frame = [f32; 2];

    struct Bank { taps: Vec<f32>, phases: usize, len: usize }

    impl Bank {
        fn new(phases: usize, len: usize) -> Self {
            let n = phases * len;
            let taps = (0..n).map(|i| { let x = (i as f32 - n as f32 / 2.0) / phases as f32; let w = 0.5 - 0.5 * (std::f32::consts::TAU * i as f32 / n as f32).cos(); if x == 0.0 { w } else { w * (std::f32::consts::PI * x).sin() / (std::f32::consts::PI * x) } }).collect();
            Bank { taps, phases, len }
        }
        fn phase(&self, p: usize) -> impl Iterator<Item = f32> + '_ {
            self.taps.iter().skip(p).step_by(self.phases).copied()
        }
    }

    #[omp::offload]
    fn resample(input: &[Frame], bank: &Bank, ratio: f64, out: &mut [Frame]) {
        #[omp::target]
        for (n, frame) in out.iter_mut().enumerate() {
            let t = n as f64 * ratio;
            let base = t as usize;
            let p = ((t - base as f64) * bank.phases as f64) as usize;
            let mut acc = [0.0; 2];
            for (k, tap) in bank.phase(p).enumerate() {
                let Some(&[l, r]) = input.get(base + k) else { break };
                acc[0] += tap * l;
                acc[1] += tap * r;
            }
            *frame = acc;
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Compressor { threshold: f32, ratio: f32, attack: f32, release: f32 }

    #[omp::declare_target]
    impl Compressor {
        fn gain(&self, level: f32) -> f32 {
            let over = 20.0 * level.max(1e-6).log10() - self.threshold;
            if over <= 0.0 { 1.0 } else { 10f32.powf(-over * (1.0 - 1.0 / self.ratio) / 20.0) }
        }
    }

    #[omp::offload]
    fn compress(channels: &mut [Vec<f32>], c: Compressor) {
        for channel in channels.iter_mut() {
            let blocks = channel.len().div_ceil(64);
            #[omp::target]
            for b in 0..blocks {
                let end = ((b + 1) * 64).min(channel.len());
                let mut envelope = 0.0f32;
                for v in &mut channel[b * 64..end] {
                    let level = v.abs();
                    let k = if level > envelope { c.attack } else { c.release };
                    envelope += k * (level - envelope);
                    *v *= c.gain(envelope);
                }
            }
        }
    }

    #[omp::offload]
    fn loudness(x: &[Frame], block: usize, hop: usize) -> Vec<f32> {
        let n = if x.len() < block { 0 } else { (x.len() - block) / hop + 1 };
        let mut out = vec![f32::NEG_INFINITY; n];
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let window = &x[i * hop..i * hop + block];
            let power: f32 = window.iter().flatten().map(|v| v * v).sum::<f32>() / block as f32;
            if power > 1e-7 {
                *o = -0.691 + 10.0 * power.log10();
            }
        }
        out
    }

    #[omp::offload]
    fn gated_mean(l: &[f32], gate: f32) -> Option<f32> {
        let (mut sum, mut n) = (0.0, 0usize);
        #[omp::target(reduction(+: sum, n))]
        for &v in l.iter().filter(|v| **v > gate) {
            sum += 10f32.powf(v / 10.0);
            n += 1;
        }
        if n == 0 { None } else { Some(10.0 * (sum / n as f32).log10()) }
    }

    pub fn run(n: usize) -> (Vec<Frame>, Vec<Vec<f32>>, Vec<f32>, Option<f32>) {
        let input: Vec<Frame> = (0..n).map(|i| [(i as f32 * 0.21).sin(), (i as f32 * 0.13).cos() * 0.5]).collect();
        let bank = Bank::new(8, 6);
        let mut out = vec![[0.0; 2]; n * 3 / 4];
        resample(&input, &bank, 4.0 / 3.0, &mut out);
        let mut channels: Vec<Vec<f32>> = (0..2).map(|c| input.iter().map(|f| f[c] * 2.0).collect()).collect();
        compress(&mut channels, Compressor { threshold: -10.0, ratio: 4.0, attack: 0.3, release: 0.05 });
        let l = loudness(&input, 40, 10);
        let g = gated_mean(&l, -20.0);
        (out, channels, l, g)
    }
}
port!(resampler: [0, 1, 101, 2000].map(|n| crate::Shown::of(run(n))));
