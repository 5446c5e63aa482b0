//! A polyphonic synthesizer: oscillators and envelopes as enums, voices with an optional filter, frames mixed in parallel.
use omp_tests::twice;
twice! {
    use std::f32::consts::{PI, TAU};

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Waveform { Sine, Saw, Pulse { duty: f32 }, Fm { ratio: f32, index: f32 }, Noise(u32) }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Adsr { attack: f32, decay: f32, sustain: f32, release: f32 }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    enum Stage { Before, Attack, Decay, Sustain, Release, Done }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Note { midi: u8, velocity: u8, on: f32, off: f32 }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Patch { wave: Waveform, env: Adsr, detune: Option<f32>, gain: f32 }

    #[omp::declare_target]
    impl Waveform {
        fn sample(self, phase: f32, n: u32) -> f32 {
            let t = phase.fract();
            match self {
                Waveform::Sine => (TAU * t).sin(),
                Waveform::Saw => 2.0 * t - 1.0,
                Waveform::Pulse { duty } => if t < duty { 1.0 } else { -1.0 },
                Waveform::Fm { ratio, index } => (TAU * t + index * (TAU * (phase * ratio).fract()).sin()).sin(),
                Waveform::Noise(seed) => {
                    let mut h = seed ^ n.wrapping_mul(0x9e37_79b9);
                    h = (h ^ h >> 16).wrapping_mul(0x85eb_ca6b);
                    h = (h ^ h >> 13).wrapping_mul(0xc2b2_ae35);
                    (h ^ h >> 16) as f32 / u32::MAX as f32 * 2.0 - 1.0
                }
            }
        }
    }

    #[omp::declare_target]
    impl Adsr {
        fn stage(&self, t: f32, held: f32) -> (Stage, f32) {
            match t {
                t if t < 0.0 => (Stage::Before, 0.0),
                t if t >= held + self.release => (Stage::Done, 0.0),
                t if t >= held => (Stage::Release, (t - held) / self.release),
                t if t < self.attack => (Stage::Attack, t / self.attack),
                t if t < self.attack + self.decay => (Stage::Decay, (t - self.attack) / self.decay),
                _ => (Stage::Sustain, 0.0),
            }
        }
        fn level(&self, t: f32, held: f32) -> f32 {
            let lerp = |a: f32, b: f32, k: f32| a + (b - a) * k;
            match self.stage(t, held) {
                (Stage::Before | Stage::Done, _) => 0.0,
                (Stage::Attack, k) => k,
                (Stage::Decay, k) => lerp(1.0, self.sustain, k),
                (Stage::Sustain, _) => self.sustain,
                (Stage::Release, k) => lerp(self.sustain, 0.0, k.sqrt()),
            }
        }
    }

    #[omp::declare_target]
    fn midi_to_hz(note: u8) -> f32 { 440.0 * ((f32::from(note) - 69.0) / 12.0).exp2() }

    pub struct Synth { rate: f32, patches: Vec<Patch> }

    impl Synth {
        pub fn render(&self, notes: &[(usize, Note)], frames: usize) -> Vec<[f32; 2]> {
            let mut out = vec![[0.0f32; 2]; frames];
            let Self { rate, patches } = self;
            #[omp::target]
            for (n, frame) in out.iter_mut().enumerate() {
                let t = n as f32 / *rate;
                for (k, &(which, note)) in notes.iter().enumerate() {
                    let Patch { wave, env, detune, gain } = patches[which];
                    let level = env.level(t - note.on, note.off - note.on);
                    if level == 0.0 {
                        continue;
                    }
                    let hz = midi_to_hz(note.midi);
                    let local = t - note.on;
                    let mut s = wave.sample(local * hz, n as u32);
                    if let Some(cents) = detune {
                        s = 0.5 * (s + wave.sample(local * hz * 2f32.powf(cents / 1200.0), n as u32));
                    }
                    let amp = s * level * gain * f32::from(note.velocity) / 127.0;
                    let pan = (k as f32 * 0.7).sin() * 0.5 + 0.5;
                    let (r, l) = (pan * PI / 2.0).sin_cos();
                    frame[0] += amp * l;
                    frame[1] += amp * r;
                }
                *frame = frame.map(|x| x.tanh());
            }
            out
        }
    }

    pub fn run() -> Vec<[f32; 2]> {
        let env = Adsr { attack: 0.003, decay: 0.004, sustain: 0.6, release: 0.005 };
        let synth = Synth {
            rate: 8000.0,
            patches: vec![
                Patch { wave: Waveform::Sine, env, detune: None, gain: 0.5 },
                Patch { wave: Waveform::Fm { ratio: 2.0, index: 1.5 }, env, detune: None, gain: 0.4 },
                Patch { wave: Waveform::Sine, env: Adsr { release: 0.01, ..env }, detune: Some(7.0), gain: 0.3 },
                Patch { wave: Waveform::Noise(7), env, detune: None, gain: 0.1 },
            ],
        };
        let notes: Vec<_> = (0..8).map(|i| (i % 4, Note { midi: 50 + i as u8 * 3, velocity: 90, on: i as f32 * 0.002, off: i as f32 * 0.002 + 0.012 })).collect();
        synth.render(&notes, 256)
    }
}
port!(synth: run());
