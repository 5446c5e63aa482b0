//! Monte Carlo integration with generators behind a trait, stratified and plain; error estimates by batches.
use omp_tests::twice;

twice! {
    #[omp::declare_target]
    pub trait Rng: Copy {
        fn seed(n: u64) -> Self;
        fn next_u32(&mut self) -> u32;
        fn unit(&mut self) -> f64 { self.next_u32() as f64 * (1.0 / 4294967296.0) }
    }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Pcg { state: u64 }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Wang { state: u32 }
    #[omp::declare_target]
    impl Rng for Pcg {
        fn seed(n: u64) -> Self { let mut r = Pcg { state: n.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1 }; r.next_u32(); r }
        fn next_u32(&mut self) -> u32 {
            let old = self.state;
            self.state = old.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let xored = (((old >> 18) ^ old) >> 27) as u32;
            xored.rotate_right((old >> 59) as u32)
        }
    }
    #[omp::declare_target]
    impl Rng for Wang {
        fn seed(n: u64) -> Self { Wang { state: n as u32 ^ 61 } }
        fn next_u32(&mut self) -> u32 {
            let mut s = self.state;
            s = (s ^ 61) ^ (s >> 16);
            s = s.wrapping_mul(9);
            s ^= s >> 4;
            s = s.wrapping_mul(0x27d4eb2d);
            s ^= s >> 15;
            self.state = s;
            s
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Estimate { mean: f64, error: f64 }

    pub fn pi<R: Rng + omp::Device>(batches: usize, per: u32) -> Estimate {
        let mut means = vec![0.0f64; batches];
        #[omp::target]
        for (b, m) in means.iter_mut().enumerate() {
            let mut rng = R::seed(b as u64 + 17);
            let mut hits = 0u32;
            for k in 0..per {
                let x = (rng.unit() + f64::from(k)) / f64::from(per);
                let y = rng.unit();
                if x * x + y * y <= 1.0 { hits += 1; }
            }
            *m = 4.0 * f64::from(hits) / f64::from(per);
        }
        let n = batches as f64;
        let mean = means.iter().sum::<f64>() / n;
        let var = means.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / (n - 1.0);
        Estimate { mean, error: (var / n).sqrt() }
    }
    pub fn run() -> ((f64, f64), (f64, f64)) {
        let (a, b) = (pi::<Pcg>(24, 100), pi::<Wang>(24, 100));
        ((a.mean, a.error), (b.mean, b.error))
    }
}
port!(xorshift_pi: run());
