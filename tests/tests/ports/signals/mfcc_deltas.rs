//! Mel-frequency cepstral coefficients with deltas: filter bank, logarithm, DCT-II, lifter, mean removal.
use omp_tests::twice;

twice! {
    use std::f32::consts::PI;

    const DELTA_SPAN: usize = 2;

    fn hz_to_mel(hz: f32) -> f32 {
        2595.0 * (1.0 + hz / 700.0).log10()
    }

    fn mel_to_hz(mel: f32) -> f32 {
        700.0 * (10f32.powf(mel / 2595.0) - 1.0)
    }

    /// One triangle: its weights stand at `offset` in the bank, and begin at bin `first` of a spectrum.
    #[derive(Debug, Clone, Copy, omp::Device)]
    struct Triangle {
        first: usize,
        offset: usize,
        len: usize,
    }

    #[derive(omp::Mapper)]
    struct MelBank {
        bins: usize,
        triangles: Vec<Triangle>,
        weights: Vec<f32>,
    }

    impl MelBank {
        fn new(count: usize, bins: usize, sample_rate: f32) -> Self {
            let nyquist = sample_rate / 2.0;
            let top = hz_to_mel(nyquist);
            let edges: Vec<f32> = (0..count + 2)
                .map(|i| mel_to_hz(top * i as f32 / (count + 1) as f32) / nyquist * (bins - 1) as f32)
                .collect();
            let mut triangles = Vec::with_capacity(count);
            let mut weights = Vec::new();
            for edge in edges.windows(3) {
                let (left, centre, right) = (edge[0], edge[1], edge[2]);
                let first = left.ceil() as usize;
                let last = (right.floor() as usize).min(bins - 1);
                let offset = weights.len();
                for bin in first..=last {
                    let f = bin as f32;
                    let w = if f <= centre { (f - left) / (centre - left) } else { (right - f) / (right - centre) };
                    weights.push(w.max(0.0));
                }
                triangles.push(Triangle { first, offset, len: weights.len() - offset });
            }
            Self { bins, triangles, weights }
        }
    }

    #[omp::declare_target]
    impl MelBank {
        fn log_energy(&self, mel: usize, spectrum: &[f32]) -> f32 {
            let Triangle { first, offset, len } = self.triangles[mel];
            let weights = &self.weights[offset..offset + len];
            let energy: f32 = spectrum[first..first + len].iter().zip(weights).map(|(p, w)| p * w).sum();
            energy.max(1e-10).ln()
        }
    }

    struct Extractor {
        bank: MelBank,
        coefficients: usize,
        /// The DCT-II matrix, `coefficients` rows, already liftered.
        dct: Vec<f32>,
    }

    struct Features {
        cepstra: Vec<f32>,
        deltas: Vec<f32>,
    }

    impl Extractor {
        fn new(bank: MelBank, coefficients: usize, lifter: f32) -> Self {
            let mels = bank.triangles.len();
            let norm = (2.0 / mels as f32).sqrt();
            let dct = (0..coefficients * mels)
                .map(|i| {
                    let (k, m) = ((i / mels) as f32, (i % mels) as f32);
                    let lift = 1.0 + lifter / 2.0 * (PI * k / lifter).sin();
                    lift * norm * (PI * k * (m + 0.5) / mels as f32).cos()
                })
                .collect();
            Self { bank, coefficients, dct }
        }
    }

    /// The regression slope of a coefficient over the frames around `t`; the ends are repeated.
    #[omp::declare_target]
    fn slope(cepstra: &[f32], frames: usize, count: usize, t: usize, k: usize) -> f32 {
        let (mut numerator, mut denominator) = (0.0, 0.0);
        for d in 1..=DELTA_SPAN {
            let after = cepstra[(t + d).min(frames - 1) * count + k];
            let before = cepstra[t.saturating_sub(d) * count + k];
            numerator += d as f32 * (after - before);
            denominator += 2.0 * (d * d) as f32;
        }
        numerator / denominator
    }

    #[omp::offload]
    impl Extractor {
        fn extract(&self, spectrogram: &[f32]) -> Features {
            let Self { bank, coefficients, dct } = self;
            let (bins, mels, count) = (bank.bins, bank.triangles.len(), *coefficients);
            let frames = spectrogram.len() / bins;
            let mut log_mel = vec![0.0f32; frames * mels];
            let mut cepstra = vec![0.0f32; frames * count];
            let mut deltas = vec![0.0f32; frames * count];

            #[omp::target_data(map(to: bank, dct, spectrogram), map(alloc: log_mel), map(from: cepstra, deltas))]
            {
                #[omp::target(name("filter bank"))]
                for (spectrum, out) in spectrogram.chunks_exact(bins).zip(log_mel.chunks_exact_mut(mels)) {
                    #[omp::parallel_for]
                    for (m, e) in out.iter_mut().enumerate() {
                        *e = bank.log_energy(m, spectrum);
                    }
                }

                #[omp::target(name("dct"))]
                for t in 0..frames {
                    let row = &log_mel[t * mels..(t + 1) * mels];
                    for k in 0..count {
                        let basis = &dct[k * mels..(k + 1) * mels];
                        cepstra[t * count + k] = row.iter().zip(basis).map(|(e, b)| e * b).sum();
                    }
                }

                #[omp::target(name("mean removal"))]
                for k in 0..count {
                    let mean = (0..frames).map(|t| cepstra[t * count + k]).sum::<f32>() / frames as f32;
                    for t in 0..frames {
                        cepstra[t * count + k] -= mean;
                    }
                }

                #[omp::target(collapse(2), name("deltas"))]
                for t in 0..frames {
                    for k in 0..count {
                        deltas[t * count + k] = slope(&cepstra, frames, count, t, k);
                    }
                }
            }
            Features { cepstra, deltas }
        }
    }

    /// The cepstra and their deltas.
    pub fn run() -> [Vec<f32>; 2] {
        const BINS: usize = 257;
        const FRAMES: usize = 40;
        let mut seed = 5u32;
        let spectrogram: Vec<f32> = (0..FRAMES * BINS)
            .map(|i| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let (t, bin) = ((i / BINS) as f32, (i % BINS) as f32);
                let formant = 40.0 + 20.0 * (t * 0.1).sin();
                let noise = (seed >> 8) as f32 / (1 << 24) as f32;
                (-((bin - formant) / 8.0).powi(2)).exp() * 50.0 + noise / (1.0 + 0.05 * bin)
            })
            .collect();
        let extractor = Extractor::new(MelBank::new(26, BINS, 16_000.0), 13, 22.0);
        let Features { cepstra, deltas } = extractor.extract(&spectrogram);
        [cepstra, deltas]
    }
}
#[test]
fn mfcc_deltas() {
    let wanted = plain::run();
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for (got, want) in device::run().iter().zip(&wanted) {
            let peak = want.iter().fold(0.0f32, |m, v| m.max(v.abs()));
            assert!(peak > 0.0 && got.len() == want.len());
            for (i, (g, w)) in got.iter().zip(want).enumerate() {
                assert!((g - w).abs() <= 1e-4 * peak, "device {d}, {i}: {g} and {w}");
            }
        }
    });
}
