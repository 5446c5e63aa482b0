//! NAS EP: pairs of Gaussian deviates from the 46-bit linear congruential generator, counted by square rings.
use omp_tests::twice;

twice! {
    const A: u64 = 1_220_703_125;
    const MASK: u64 = (1 << 46) - 1;
    const PAIRS_PER_BATCH: u64 = 32;

    #[omp::declare_target]
    fn advance(seed: u64, steps: u64) -> u64 {
        let (mut s, mut a, mut n) = (seed, A, steps);
        while n > 0 {
            if n & 1 == 1 {
                s = s.wrapping_mul(a) & MASK;
            }
            a = a.wrapping_mul(a) & MASK;
            n >>= 1;
        }
        s
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Randlc { state: u64 }

    #[omp::declare_target]
    impl Randlc {
        pub fn at(seed: u64, steps: u64) -> Self {
            Self { state: advance(seed, steps) }
        }
        pub fn next(&mut self) -> f64 {
            self.state = self.state.wrapping_mul(A) & MASK;
            self.state as f64 / (1u64 << 46) as f64
        }
    }

    pub fn ep(batches: usize) -> ([u32; 10], f64, f64) {
        let mut counts = [0u32; 10];
        let (mut sx, mut sy) = (0.0, 0.0);
        #[omp::target(reduction(+: counts, sx, sy))]
        for batch in 0..batches {
            let mut rng = Randlc::at(271_828_183, 2 * PAIRS_PER_BATCH * batch as u64);
            for _ in 0..PAIRS_PER_BATCH {
                let x = 2.0 * rng.next() - 1.0;
                let y = 2.0 * rng.next() - 1.0;
                let t = x * x + y * y;
                if t > 1.0 {
                    continue;
                }
                let f = (-2.0 * t.ln() / t).sqrt();
                let (gx, gy) = (f * x, f * y);
                let ring = gx.abs().max(gy.abs()) as usize;
                counts[ring] += 1;
                sx += gx;
                sy += gy;
            }
        }
        (counts, sx, sy)
    }
}
port!(npb_ep: ep(64));
