//! HeCBench sosfilt: cascades of second-order sections over many channels, with their states kept between blocks.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Section { b: [f64; 3], a: [f64; 2] }

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    struct State { z: [f64; 2] }

    #[omp::declare_target]
    impl Section {
        fn lowpass(cutoff: f64, q: f64) -> Self {
            let w = std::f64::consts::TAU * cutoff;
            let alpha = w.sin() / (2.0 * q);
            let cos = w.cos();
            let a0 = 1.0 + alpha;
            let b1 = (1.0 - cos) / a0;
            Self { b: [b1 / 2.0, b1, b1 / 2.0], a: [-2.0 * cos / a0, (1.0 - alpha) / a0] }
        }
        fn tick(&self, s: &mut State, x: f64) -> f64 {
            let [b0, b1, b2] = self.b;
            let [a1, a2] = self.a;
            let y = b0 * x + s.z[0];
            s.z = [b1 * x - a1 * y + s.z[1], b2 * x - a2 * y];
            y
        }
    }

    pub struct Bank<const S: usize> { sections: [Section; S], states: Vec<[State; S]> }

    impl<const S: usize> Bank<S> {
        pub fn new(cutoffs: [f64; S], channels: usize) -> Self {
            Self { sections: cutoffs.map(|c| Section::lowpass(c, 0.7)), states: vec![[State::default(); S]; channels] }
        }

        pub fn process(&mut self, block: &mut [f64]) {
            let per = block.len() / self.states.len();
            let sections = &self.sections;
            #[omp::target]
            for (samples, states) in block.chunks_exact_mut(per).zip(self.states.iter_mut()) {
                for x in samples {
                    *x = sections.iter().zip(states.iter_mut()).fold(*x, |x, (sec, st)| sec.tick(st, x));
                }
            }
        }
    }

    pub fn peaks(block: &[f64], channels: usize) -> Vec<(usize, f64)> {
        let per = block.len() / channels;
        let mut out = vec![(0, 0.0); channels];
        #[omp::target]
        for (c, o) in out.iter_mut().enumerate() {
            let samples = &block[c * per..][..per];
            *o = samples
                .iter()
                .map(|s| s.abs())
                .enumerate()
                .max_by(|(_, a), (_, b)| a.partial_cmp(b).unwrap())
                .unwrap_or_default();
        }
        out
    }

    pub fn run() -> (Vec<f64>, Vec<(usize, f64)>) {
        let channels = 6;
        let mut bank = Bank::new([0.1, 0.2, 0.05], channels);
        let mut block = vec![];
        for b in 0..3 {
            block = (0..channels * 25).map(|i| ((i * (b + 3)) as f64 * 0.37).sin()).collect();
            bank.process(&mut block);
        }
        let p = peaks(&block, channels);
        (block, p)
    }
}
port!(sosfilt: run());
