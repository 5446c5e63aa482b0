//! Detection of telephone tones: a bank of Goertzel filters for each block of samples.
use omp_tests::twice;

twice! {
    const ROWS: [f32; 4] = [697.0, 770.0, 852.0, 941.0];
    const COLS: [f32; 4] = [1209.0, 1336.0, 1477.0, 1633.0];
    const KEYS: [[u8; 4]; 4] = [*b"123A", *b"456B", *b"789C", *b"*0#D"];

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    struct Goertzel { coeff: f32, s1: f32, s2: f32 }

    #[omp::declare_target]
    impl Goertzel {
        fn new(freq: f32, rate: f32) -> Self {
            let omega = 2.0 * std::f32::consts::PI * freq / rate;
            Goertzel { coeff: 2.0 * omega.cos(), ..Default::default() }
        }
        fn push(&mut self, x: f32) {
            let s0 = x + self.coeff * self.s1 - self.s2;
            self.s2 = self.s1;
            self.s1 = s0;
        }
        fn power(self) -> f32 { self.s1 * self.s1 + self.s2 * self.s2 - self.coeff * self.s1 * self.s2 }
    }

    #[omp::declare_target]
    fn strongest(powers: &[f32; 4], threshold: f32) -> Option<usize> {
        let (best, &p) = powers.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
        let rest: f32 = powers.iter().enumerate().filter(|&(k, _)| k != best).map(|(_, p)| p).sum();
        (p > threshold && p > 4.0 * rest).then_some(best)
    }

    #[omp::declare_target]
    fn detect(block: &[f32], rate: f32) -> Option<u8> {
        let mut rows = ROWS.map(|f| Goertzel::new(f, rate));
        let mut cols = COLS.map(|f| Goertzel::new(f, rate));
        for (i, &sample) in block.iter().enumerate() {
            let window = 0.54 - 0.46 * (2.0 * std::f32::consts::PI * i as f32 / (block.len() - 1) as f32).cos();
            for g in rows.iter_mut().chain(cols.iter_mut()) {
                g.push(sample * window);
            }
        }
        let r = strongest(&rows.map(Goertzel::power), 10.0)?;
        let c = strongest(&cols.map(|g| g.power()), 10.0)?;
        Some(KEYS[r][c])
    }

    pub fn decode(samples: &[f32], block: usize) -> Vec<u8> {
        let mut keys = vec![b'.'; samples.len() / block];
        #[omp::target]
        for (key, chunk) in keys.iter_mut().zip(samples.chunks_exact(block)) {
            if let Some(k) = detect(chunk, 8000.0) { *key = k; }
        }
        keys
    }
    pub fn run() -> Vec<u8> {
        let text = [(0, 1), (1, 2), (3, 0), (2, 2), (9, 9), (0, 3), (3, 1)];
        let samples: Vec<f32> = text.iter().flat_map(|&(r, c)| (0..205).map(move |t| {
            let t = t as f32 / 8000.0 * 2.0 * std::f32::consts::PI;
            if r > 3 { 0.1 * (t * 300.0).sin() } else { (ROWS[r] * t).sin() + (COLS[c] * t).sin() }
        })).collect();
        decode(&samples, 205)
    }
}
port!(goertzel: run());
