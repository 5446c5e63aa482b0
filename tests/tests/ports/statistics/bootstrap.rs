//! The bootstrap: resamples by a generator of one's own, order statistics on the stack, intervals.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct XorShift(u64);

    #[omp::declare_target]
    impl XorShift {
        pub fn seeded(seed: u64) -> Self {
            let mut s = Self(seed.wrapping_add(0x9E37_79B9_7F4A_7C15) | 1);
            for _ in 0..4 { s.next_u64(); }
            s
        }
        pub fn next_u64(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }
        pub fn below(&mut self, n: usize) -> usize { (self.next_u64() % n as u64) as usize }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Summary { mean: f64, variance: f64, median: f64, skew: f64 }

    #[omp::declare_target]
    fn summarise<const N: usize>(mut sample: [f64; N]) -> Summary {
        let n = N as f64;
        let mean = sample.iter().sum::<f64>() / n;
        let (m2, m3) = sample.iter().map(|v| v - mean).fold((0.0, 0.0), |(a, b), d| (a + d * d, b + d.powi(3)));
        let variance = m2 / (n - 1.0);
        sample.sort_unstable_by(|a, b| a.total_cmp(b));
        let median = if N % 2 == 1 { sample[N / 2] } else { 0.5 * (sample[N / 2 - 1] + sample[N / 2]) };
        Summary { mean, variance, median, skew: m3 / n / (m2 / n).powf(1.5) }
    }

    pub fn bootstrap<const N: usize>(data: &[f64; N], rounds: usize, seed: u64) -> Vec<Summary> {
        let mut out = vec![Summary::default(); rounds];
        #[omp::target]
        for (round, o) in out.iter_mut().enumerate() {
            let mut rng = XorShift::seeded(seed ^ round as u64);
            let sample = [(); N].map(|_| data[rng.below(N)]);
            *o = summarise(sample);
        }
        out
    }

    /// Moments of all rounds in one pass (Welford, merged by Chan).
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Moments { n: f64, mean: f64, m2: f64 }

    #[omp::declare_reduction(merge: Moments, identity = Moments { n: 0.0, mean: 0.0, m2: 0.0 })]
    fn merge(a: Moments, b: Moments) -> Moments {
        let n = a.n + b.n;
        if n == 0.0 { return a; }
        let d = b.mean - a.mean;
        Moments { n, mean: a.mean + d * b.n / n, m2: a.m2 + b.m2 + d * d * a.n * b.n / n }
    }

    pub fn spread(rounds: &[Summary]) -> (f64, f64) {
        let mut all = Moments { n: 0.0, mean: 0.0, m2: 0.0 };
        #[omp::target(reduction(merge: all))]
        for s in rounds {
            all = merge(all, Moments { n: 1.0, mean: s.median, m2: 0.0 });
        }
        (all.mean, (all.m2 / (all.n - 1.0)).sqrt())
    }

    pub fn run() -> (Vec<[f64; 4]>, (f64, f64)) {
        let mut v = Values(77);
        let data: [f64; 25] = std::array::from_fn(|_| (v.bits() % 1000) as f64 / 10.0);
        let r = bootstrap(&data, 200, 12345);
        let s = spread(&r);
        (r.iter().map(|s| [s.mean, s.variance, s.median, s.skew]).collect(), s)
    }
}
port!(bootstrap: run());
