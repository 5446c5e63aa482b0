//! Lomb-Scargle periodograms of samples at uneven times.
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, omp::Device)]
    pub struct Sample { t: f64, y: f64 }
    pub fn sample(t: f64, y: f64) -> Sample { Sample { t, y } }
    pub fn periodogram(d: usize, samples: &[Sample], freqs: &[f64]) -> Vec<f64> {
        let mean = samples.iter().map(|s| s.y).sum::<f64>() / samples.len() as f64;
        let mut power = vec![0.0; freqs.len()];
        #[omp::target(device(d))]
        for (p, &f) in power.iter_mut().zip(freqs) {
            let omega = 2.0 * std::f64::consts::PI * f;
            let (s2, c2) = samples.iter().fold((0.0, 0.0), |(s, c), q| {
                let (sin, cos) = (2.0 * omega * q.t).sin_cos();
                (s + sin, c + cos)
            });
            let tau = s2.atan2(c2) / (2.0 * omega);
            let mut acc = [0.0f64; 4];
            for Sample { t, y } in samples {
                let (s, c) = (omega * (t - tau)).sin_cos();
                acc[0] += (y - mean) * c;
                acc[1] += c * c;
                acc[2] += (y - mean) * s;
                acc[3] += s * s;
            }
            let [yc, cc, ys, ss] = acc;
            *p = 0.5 * (yc.powi(2) / cc + ys.powi(2) / ss);
        }
        power
    }
}

#[test]
fn lomb_scargle() {
    compare!(m, d => {
        let s: Vec<_> = (0..60).map(|i| { let t = i as f64 * 0.37 + (i % 5) as f64 * 0.05; m::sample(t, (3.0 * t).sin() + 0.2 * (i % 3) as f64) }).collect();
        let f: Vec<f64> = (1..40).map(|i| i as f64 * 0.03).collect();
        m::periodogram(d, &s, &f).iter().map(|p| format!("{p:.7}")).collect::<Vec<_>>()
    });
}
