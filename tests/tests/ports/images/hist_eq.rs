//! Histogram equalisation of 16-bit images and matching to another histogram.
use omp_tests::twice;
twice! {
    const BINS: usize = 1 << 12;

    #[derive(Clone, Debug)]
    struct Histogram {
        counts: Vec<u32>,
    }

    impl Histogram {
        #[omp::offload]
        fn of(image: &[u16]) -> Self {
            let mut counts = vec![0u32; BINS];
            #[omp::target]
            for &p in image {
                #[omp::atomic]
                counts[(p >> 4) as usize] += 1;
            }
            Histogram { counts }
        }

        fn cumulative(&self) -> Vec<u32> {
            self.counts
                .iter()
                .scan(0, |sum, &c| {
                    *sum += c;
                    Some(*sum)
                })
                .collect()
        }
    }

    #[omp::offload]
    fn equalise(image: &mut [u16], cdf: &[u32]) {
        let total = *cdf.last().unwrap() as f32;
        let lowest = cdf.iter().copied().find(|&c| c > 0).unwrap_or(0) as f32;
        #[omp::target]
        for p in image.iter_mut() {
            let c = cdf[(*p >> 4) as usize] as f32;
            *p = ((c - lowest) / (total - lowest).max(1.0) * u16::MAX as f32 + 0.5) as u16;
        }
    }

    #[omp::offload]
    fn match_lut(from: &[u32], to: &[u32]) -> Vec<u16> {
        let mut lut = vec![0u16; from.len()];
        #[omp::target]
        for (slot, c) in lut.iter_mut().zip(from.iter()) {
            let target = to.partition_point(|t| t < c);
            *slot = (target.min(BINS - 1) as u16) << 4;
        }
        lut
    }

    #[omp::offload]
    fn entropy(h: &Histogram, pixels: usize) -> f64 {
        let mut bits = 0.0;
        #[omp::target(reduction(+: bits))]
        for &c in h.counts.iter().filter(|&&c| c != 0) {
            let p = f64::from(c) / pixels as f64;
            bits -= p * p.log2();
        }
        bits
    }

    pub fn run(n: usize) -> (Vec<u16>, Vec<u16>, f64) {
        let mut a: Vec<u16> = (0..n as u32).map(|i| (i.wrapping_mul(2654435761) >> 17) as u16).collect();
        let b: Vec<u16> = (0..n as u32).map(|i| ((i * i) % 65521) as u16).collect();
        let (ha, hb) = (Histogram::of(&a), Histogram::of(&b));
        let (ca, cb) = (ha.cumulative(), hb.cumulative());
        equalise(&mut a, &ca);
        let e = entropy(&ha, n);
        (a, match_lut(&ca, &cb), e)
    }
}
port!(hist_eq: [0, 1, 333, 3000].map(|n| crate::Shown::of(run(n))));
