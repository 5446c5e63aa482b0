//! Radio astronomy: dedispersed time series of a filter bank, and boxcar searches of several widths.
use omp_tests::{Values, twice};
twice! {
    pub struct Band { f_low: f64, width: f64, channels: usize, dt: f64 }

    impl Band {
        fn delay(&self, channel: usize, dm: f64) -> usize {
            let top = self.f_low + self.width * (self.channels as f64 - 1.0);
            let f = self.f_low + self.width * channel as f64;
            (4.148808e3 * dm * (f.powi(-2) - top.powi(-2)) / self.dt).round() as usize
        }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, omp::Device)]
    pub struct Candidate { snr: f32, sample: u32, width: u16, dm: u16 }

    #[omp::offload]
    pub fn search(band: &Band, data: &[f32], dms: &[f64], mask: &[bool]) -> Vec<Candidate> {
        const WIDTHS: [usize; 4] = [1, 2, 4, 8];
        let samples = data.len() / band.channels;
        let delays: Vec<usize> = dms.iter().flat_map(|&dm| (0..band.channels).map(move |c| band.delay(c, dm))).collect();
        let max_delay = delays.iter().copied().max().unwrap_or_default();
        let valid = samples - max_delay;
        let mut series = vec![0f32; dms.len() * valid];
        #[omp::target(map(to: data, delays, mask), map(from: series))]
        for (k, out) in series.iter_mut().enumerate() {
            let (dm, t) = (k / valid, k % valid);
            *out = delays[dm * band.channels..][..band.channels]
                .iter()
                .enumerate()
                .filter(|(c, _)| !mask[*c])
                .map(|(c, &delay)| data[c * samples + t + delay])
                .sum();
        }
        let mut best = vec![Candidate::default(); dms.len()];
        #[omp::target(map(to: series))]
        for (dm, (row, best)) in series.chunks(valid).zip(&mut best).enumerate() {
            let mean = row.iter().sum::<f32>() / row.len() as f32;
            let sigma = (row.iter().map(|v| (v - mean).powi(2)).sum::<f32>() / row.len() as f32).sqrt();
            *best = Candidate { snr: f32::NEG_INFINITY, ..*best };
            'width: for &w in WIDTHS.iter() {
                let mut window: f32 = match row.get(..w) {
                    Some(first) => first.iter().sum(),
                    None => break 'width,
                };
                for t in 0.. {
                    let snr = (window - mean * w as f32) / (sigma * (w as f32).sqrt());
                    if snr > best.snr {
                        *best = Candidate { snr, sample: t as u32, width: w as u16, dm: dm as u16 };
                    }
                    match row.get(t + w) {
                        Some(next) => window += next - row[t],
                        None => continue 'width,
                    }
                }
            }
        }
        best
    }
    pub fn run() -> crate::Shown {
        let mut v = Values(31);
        let band = Band { f_low: 1200.0, width: 10.0, channels: 8, dt: 1e-3 };
        let samples = 120;
        let mut data: Vec<f32> = (0..8 * samples).map(|_| v.unit() as f32).collect();
        for c in 0..8 { let at = 40 + band.delay(c, 20.0); data[c * samples + at] += 4.0; }
        let mask: Vec<bool> = (0..8).map(|c| c == 3).collect();
        crate::Shown::of(search(&band, &data, &[0.0, 10.0, 20.0, 30.0], &mask))
    }
}
port!(dedispersion: run());
