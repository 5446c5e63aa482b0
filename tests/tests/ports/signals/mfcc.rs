//! Speech features: mel filters, a cosine transform, and pitch by YIN.
use omp_tests::twice;
twice! {
    use std::f32::consts::PI;

    fn hz_to_mel(hz: f32) -> f32 { 2595.0 * (1.0 + hz / 700.0).log10() }
    fn mel_to_hz(mel: f32) -> f32 { 700.0 * (10f32.powf(mel / 2595.0) - 1.0) }

    pub struct MelBank { edges: Vec<usize>, bins: usize }

    impl MelBank {
        pub fn new(filters: usize, bins: usize, rate: f32) -> Self {
            let top = hz_to_mel(rate / 2.0);
            let edges = (0..filters + 2)
                .map(|i| (mel_to_hz(top * i as f32 / (filters + 1) as f32) / (rate / 2.0) * (bins - 1) as f32).round() as usize)
                .collect();
            Self { edges, bins }
        }

        pub fn apply(&self, spectra: &[f32]) -> Vec<f32> {
            let filters = self.edges.len() - 2;
            let frames = spectra.len() / self.bins;
            let mut out = vec![0.0; frames * filters];
            #[omp::target]
            for (frame, energies) in spectra.chunks_exact(self.bins).zip(out.chunks_exact_mut(filters)) {
                for (e, w) in energies.iter_mut().zip(self.edges.windows(3)) {
                    let (lo, mid, hi) = (w[0], w[1], w[2]);
                    let rise: f32 = frame[lo..mid].iter().enumerate().map(|(k, p)| p * k as f32 / (mid - lo) as f32).sum();
                    let fall: f32 = frame[mid..hi].iter().enumerate().map(|(k, p)| p * (1.0 - k as f32 / (hi - mid) as f32)).sum();
                    *e = (rise + fall).max(1e-10).ln();
                }
            }
            out
        }
    }

    pub fn dct<const N: usize>(energies: &[f32], filters: usize) -> Vec<[f32; N]> {
        let mut out = vec![[0.0; N]; energies.len() / filters];
        #[omp::target]
        for (c, row) in out.iter_mut().zip(energies.chunks(filters)) {
            *c = std::array::from_fn(|k| {
                let scale = if k == 0 { (1.0 / filters as f32).sqrt() } else { (2.0 / filters as f32).sqrt() };
                scale * row.iter().enumerate().map(|(i, e)| e * (PI * k as f32 * (i as f32 + 0.5) / filters as f32).cos()).sum::<f32>()
            });
        }
        out
    }

    /// The first dip of the normalised difference function under the threshold, refined by a parabola.
    pub fn yin(signal: &[f32], window: usize, hop: usize, rate: f32, threshold: f32) -> Vec<Option<f32>> {
        let frames = (signal.len() - 2 * window) / hop;
        let mut pitch = vec![None; frames];
        #[omp::target]
        for (f, p) in pitch.iter_mut().enumerate() {
            let x = &signal[f * hop..f * hop + 2 * window];
            let difference = |tau: usize| -> f32 {
                x[..window].iter().zip(&x[tau..]).map(|(a, b)| (a - b).powi(2)).sum()
            };
            let mut running = 0.0;
            let mut before = 1.0;
            for tau in 1..window {
                let d = difference(tau);
                running += d;
                let normal = if running == 0.0 { 1.0 } else { d * tau as f32 / running };
                if normal > before && before < threshold {
                    let (a, b, c) = (difference(tau - 2), difference(tau - 1), d);
                    let shift = 0.5 * (a - c) / (a - 2.0 * b + c);
                    *p = Some(rate / (tau as f32 - 1.0 + shift));
                    break;
                }
                before = normal;
            }
        }
        pitch
    }

    pub fn run() -> (Vec<f32>, Vec<[f32; 5]>, Vec<f32>) {
        let bank = MelBank::new(8, 65, 8000.0);
        let spectra: Vec<f32> = (0..6 * 65).map(|i| ((i * 37) % 101) as f32 / 50.0).collect();
        let mel = bank.apply(&spectra);
        let c = dct::<5>(&mel, 8);
        let signal: Vec<f32> = (0..1200).map(|i| (2.0 * PI * 200.0 * i as f32 / 8000.0).sin()).collect();
        (mel, c, yin(&signal, 100, 90, 8000.0, 0.1).into_iter().map(|p| p.map_or(0.0, |p| (p * 10.0).round())).collect())
    }
}
port!(mfcc: run());
