//! A mixing desk: pan laws, automation by breakpoints, a compressor with look-ahead, crossfades, true peaks, dither to 16 bits.
use omp_tests::twice;
twice! {
    use std::ops::{Add, Mul};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Stereo { l: f32, r: f32 }
    #[omp::declare_target]
    impl Add for Stereo { type Output = Self; fn add(self, o: Self) -> Self { Self { l: self.l + o.l, r: self.r + o.r } } }
    #[omp::declare_target]
    impl Mul<f32> for Stereo { type Output = Self; fn mul(self, k: f32) -> Self { Self { l: self.l * k, r: self.r * k } } }
    #[omp::declare_target]
    impl Stereo { fn peak(&self) -> f32 { self.l.abs().max(self.r.abs()) } }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub enum Pan { Linear(f32), ConstantPower(f32), Balance { left: f32, right: f32 } }

    #[omp::declare_target]
    impl Pan {
        fn gains(self) -> Stereo {
            match self {
                Pan::Linear(p) => Stereo { l: 0.5 * (1.0 - p), r: 0.5 * (1.0 + p) },
                Pan::ConstantPower(p) => {
                    let (r, l) = ((p + 1.0) * std::f32::consts::FRAC_PI_4).sin_cos();
                    Stereo { l, r }
                }
                Pan::Balance { left: l, right: r } => Stereo { l, r },
            }
        }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Track { pub start: usize, pub len: usize, pub pan: Pan, pub gain_db: f32, pub mute: bool, pub fade: u32 }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Breakpoint { pub at: u32, pub value: f32 }

    #[omp::declare_target]
    fn db(x: f32) -> f32 { 10f32.powf(x / 20.0) }

    #[omp::declare_target]
    fn automation(points: &[Breakpoint], at: u32) -> f32 {
        match points.binary_search_by_key(&at, |p| p.at) {
            Ok(i) => points[i].value,
            Err(0) => points.first().map_or(1.0, |p| p.value),
            Err(i) if i == points.len() => points[i - 1].value,
            Err(i) => {
                let (a, b) = (&points[i - 1], &points[i]);
                let t = (at - a.at) as f32 / (b.at - a.at) as f32;
                a.value + t * (b.value - a.value)
            }
        }
    }

    pub fn mix(tracks: &[Track], audio: &[f32], volume: &[Breakpoint], out: &mut [Stereo]) {
        #[omp::target]
        for (frame, sample) in out.iter_mut().enumerate() {
            let master = automation(volume, frame as u32);
            *sample = tracks
                .iter()
                .scan(0usize, |offset, t| {
                    let base = *offset;
                    *offset += t.len;
                    Some((base, t))
                })
                .filter(|(_, t)| !t.mute && (t.start..t.start + t.len).contains(&frame))
                .map(|(base, t)| {
                    let at = frame - t.start;
                    let fade_in = (at as f32 / t.fade.max(1) as f32).min(1.0);
                    let fade_out = ((t.len - at) as f32 / t.fade.max(1) as f32).min(1.0);
                    t.pan.gains() * (audio[base + at] * db(t.gain_db) * fade_in * fade_out * master)
                })
                .fold(Stereo::default(), |a, b| a + b);
        }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Compressor { pub threshold: f32, pub ratio: f32, pub knee: f32, pub lookahead: usize }

    #[omp::declare_target]
    impl Compressor {
        fn reduction(&self, level_db: f32) -> f32 {
            let over = level_db - self.threshold;
            let slope = 1.0 / self.ratio - 1.0;
            if over <= -self.knee / 2.0 {
                0.0
            } else if over < self.knee / 2.0 {
                slope * (over + self.knee / 2.0).powi(2) / (2.0 * self.knee)
            } else {
                slope * over
            }
        }
    }

    pub fn compress(c: &Compressor, x: &[Stereo], y: &mut [Stereo]) {
        let n = x.len();
        #[omp::target]
        for i in 0..n {
            let ahead = &x[i..(i + c.lookahead + 1).min(n)];
            let peak = ahead.iter().map(Stereo::peak).fold(1e-6, f32::max);
            y[i] = x[i] * db(c.reduction(20.0 * peak.log10()));
        }
    }

    pub fn loudness(x: &[Stereo], block: usize) -> Vec<Option<f32>> {
        let mut levels = vec![None; x.len() / block];
        #[omp::target]
        for (level, frames) in levels.iter_mut().zip(x.chunks_exact(block)) {
            let power = frames.iter().map(|&Stereo { l, r }| l * l + r * r).sum::<f32>() / block as f32;
            *level = Some(-0.691 + 10.0 * power.log10()).filter(|l| *l > -70.0);
        }
        levels
    }

    pub fn to_pcm(x: &[Stereo], seed: u32) -> (Vec<[i16; 2]>, usize) {
        let mut pcm = vec![[0i16; 2]; x.len()];
        let mut clipped = 0;
        #[omp::target(reduction(+: clipped))]
        for ((i, s), out) in x.iter().enumerate().zip(&mut pcm) {
            let noise = |k: u32| {
                let h = (seed ^ (2 * i as u32 + k)).wrapping_mul(0x9e37_79b1);
                ((h >> 16) as f32 - (h & 0xffff) as f32) / 65536.0
            };
            for (k, (o, v)) in out.iter_mut().zip([s.l, s.r]).enumerate() {
                let wide = (v * 32767.0 + noise(k as u32)).round();
                if !(-32768.0..=32767.0).contains(&wide) {
                    clipped += 1;
                }
                *o = wide as i16;
            }
        }
        (pcm, clipped)
    }

    pub fn run() -> (Vec<Stereo>, Vec<Option<f32>>, Vec<[i16; 2]>, usize) {
        let audio: Vec<f32> = (0..360).map(|i| 0.9 * (i as f32 * 0.31).sin() + 0.2 * (i % 7) as f32 - 0.6).collect();
        let tracks = [
            Track { start: 0, len: 120, pan: Pan::ConstantPower(-0.4), gain_db: 2.0, mute: false, fade: 10 },
            Track { start: 30, len: 100, pan: Pan::Linear(0.7), gain_db: -3.0, mute: false, fade: 20 },
            Track { start: 50, len: 60, pan: Pan::Linear(0.0), gain_db: 0.0, mute: true, fade: 5 },
            Track { start: 80, len: 80, pan: Pan::Balance { left: 0.2, right: 1.1 }, gain_db: 4.0, mute: false, fade: 0 },
        ];
        let volume = [Breakpoint { at: 10, value: 0.5 }, Breakpoint { at: 60, value: 1.4 }, Breakpoint { at: 140, value: 0.9 }];
        let mut m = vec![Stereo::default(); 170];
        mix(&tracks, &audio, &volume, &mut m);
        let mut c = m.clone();
        compress(&Compressor { threshold: -9.0, ratio: 4.0, knee: 6.0, lookahead: 8 }, &m, &mut c);
        let (pcm, clipped) = to_pcm(&m, 77);
        let l = loudness(&c, 20);
        (c, l, pcm, clipped)
    }
}
port!(mixing_desk: crate::Shown::of({ let (a, b, c, d) = run(); (a, b, c.len(), d > 0) }));
