//! Schroeder's reverberator for many channels: comb and all-pass filters on delay lines, with a limiter.
use omp_tests::twice;

twice! {
    const COMBS: [usize; 4] = [29, 37, 41, 43];
    const ALLPASS: [usize; 2] = [13, 7];
    const LINE: usize = 48;

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Delay { buffer: [f32; LINE], len: usize, pos: usize }
    #[omp::declare_target]
    impl Delay {
        fn new(len: usize) -> Self { Self { buffer: [0.0; LINE], len, pos: 0 } }
        fn read(&self) -> f32 { self.buffer[self.pos] }
        fn write(&mut self, v: f32) {
            self.buffer[self.pos] = v;
            self.pos = if self.pos + 1 == self.len { 0 } else { self.pos + 1 };
        }
    }
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Comb { line: Delay, feedback: f32, damp: f32, store: f32 }
    #[omp::declare_target]
    impl Comb {
        fn process(&mut self, input: f32) -> f32 {
            let out = self.line.read();
            self.store = out * (1.0 - self.damp) + self.store * self.damp;
            self.line.write(input + self.store * self.feedback);
            out
        }
    }
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct AllPass { line: Delay }
    #[omp::declare_target]
    impl AllPass {
        fn process(&mut self, input: f32) -> f32 {
            let delayed = self.line.read();
            let out = delayed - input;
            self.line.write(input + delayed * 0.5);
            out
        }
    }
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Reverb { combs: [Comb; 4], allpasses: [AllPass; 2], wet: f32 }
    #[omp::declare_target]
    impl Reverb {
        pub fn new(room: f32, damp: f32, wet: f32) -> Self {
            Reverb {
                combs: COMBS.map(|n| Comb { line: Delay::new(n), feedback: room, damp, store: 0.0 }),
                allpasses: ALLPASS.map(|n| AllPass { line: Delay::new(n) }),
                wet,
            }
        }
        fn tick(&mut self, x: f32) -> f32 {
            let parallel: f32 = self.combs.iter_mut().map(|c| c.process(x)).sum();
            let y = self.allpasses.iter_mut().fold(parallel * 0.25, |v, a| a.process(v));
            x * (1.0 - self.wet) + y * self.wet
        }
    }

    #[omp::declare_target]
    fn soft_clip(x: f32) -> f32 {
        match x {
            x if x > 1.0 => 2.0 / 3.0,
            x if x < -1.0 => -2.0 / 3.0,
            x => x - x.powi(3) / 3.0,
        }
    }

    pub fn process(channels: &mut [f32], frames: usize, units: &mut [Reverb]) {
        #[omp::target]
        for (samples, unit) in channels.chunks_mut(frames).zip(units.iter_mut()) {
            for s in samples { *s = soft_clip(unit.tick(*s)); }
        }
    }
    pub fn run() -> Vec<f32> {
        let (channels, frames) = (6, 200);
        let mut x: Vec<f32> = (0..channels * frames).map(|k| if k % frames < 20 { ((k * 7) % 13) as f32 / 13.0 - 0.5 } else { 0.0 }).collect();
        let mut units: Vec<Reverb> = (0..channels).map(|c| Reverb::new(0.6 + 0.05 * c as f32, 0.2, 0.4)).collect();
        process(&mut x, frames, &mut units);
        x
    }
}
port!(reverb: run());
