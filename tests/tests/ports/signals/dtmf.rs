//! Signal: Goertzel filters over overlapping windows, and the DTMF keys that they tell.
use omp_tests::twice;

twice! {
    use std::f32::consts::TAU;

    const ROWS: [f32; 4] = [697.0, 770.0, 852.0, 941.0];
    const COLS: [f32; 4] = [1209.0, 1336.0, 1477.0, 1633.0];
    const KEYS: [[u8; 4]; 4] = [[b'1', b'2', b'3', b'A'], [b'4', b'5', b'6', b'B'], [b'7', b'8', b'9', b'C'], [b'*', b'0', b'#', b'D']];

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Goertzel { coeff: f32, s1: f32, s2: f32 }

    #[omp::declare_target]
    impl Goertzel {
        fn new(freq: f32, rate: f32) -> Self { Self { coeff: 2.0 * (TAU * freq / rate).cos(), ..Self::default() } }
        fn push(&mut self, x: f32) {
            let s = x + self.coeff * self.s1 - self.s2;
            self.s2 = self.s1;
            self.s1 = s;
        }
        fn power(&self) -> f32 { self.s1 * self.s1 + self.s2 * self.s2 - self.coeff * self.s1 * self.s2 }
    }

    #[omp::declare_target]
    fn strongest(freqs: &[f32; 4], window: &[f32], rate: f32) -> Option<usize> {
        let powers = freqs.map(|f| {
            let mut g = Goertzel::new(f, rate);
            for &x in window {
                g.push(x);
            }
            g.power()
        });
        let (at, &best) = powers.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
        let rest = powers.iter().sum::<f32>() - best;
        (best > 4.0 * rest && best > 1.0).then_some(at)
    }

    pub fn decode(signal: &[f32], window: usize, hop: usize, rate: f32) -> Vec<Option<u8>> {
        let frames = (signal.len() - window) / hop + 1;
        let mut keys = vec![None; frames];
        #[omp::target]
        for (f, key) in keys.iter_mut().enumerate() {
            let w = &signal[f * hop..f * hop + window];
            *key = match (strongest(&ROWS, w, rate), strongest(&COLS, w, rate)) {
                (Some(r), Some(c)) => Some(KEYS[r][c]),
                _ => None,
            };
        }
        keys
    }

    pub fn run() -> Vec<Option<u8>> {
        let rate = 8000.0;
        let mut signal = vec![];
        for key in [(0, 0), (1, 2), (3, 1), (2, 3)] {
            signal.extend((0..400).map(|t| {
                let t = t as f32 / rate;
                (TAU * ROWS[key.0] * t).sin() + (TAU * COLS[key.1] * t).sin()
            }));
            signal.extend([0.0; 200]);
        }
        decode(&signal, 205, 100, rate)
    }
}
port!(dtmf: run());
