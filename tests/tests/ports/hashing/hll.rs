//! HyperLogLog and count-min sketches with Murmur3.
use omp_tests::twice;
twice! {
    #[omp::declare_target]
    fn fmix(mut k: u64) -> u64 {
        k ^= k >> 33;
        k = k.wrapping_mul(0xff51afd7ed558ccd);
        k ^= k >> 33;
        k = k.wrapping_mul(0xc4ceb9fe1a85ec53);
        k ^ k >> 33
    }

    pub struct HyperLogLog<const P: u32> {
        registers: Vec<u8>,
    }

    impl<const P: u32> HyperLogLog<P> {
        const M: usize = 1 << P;

        pub fn new() -> Self {
            Self { registers: vec![0; Self::M] }
        }

        #[omp::offload]
        pub fn add_all(&mut self, keys: &[u64]) {
            let registers = &mut self.registers;
            #[omp::target(reduction(max: registers))]
            for &key in keys {
                let h = fmix(key);
                let index = (h >> (64 - P)) as usize;
                let rank = ((h << P) | 1 << (P - 1)).leading_zeros() as u8 + 1;
                registers[index] = registers[index].max(rank);
            }
        }

        #[omp::offload]
        pub fn estimate(&self) -> f64 {
            let mut sum = 0.0;
            let mut zeros = 0u32;
            #[omp::target(reduction(+: sum, zeros))]
            for &r in &self.registers {
                sum += 0.5f64.powi(r as i32);
                zeros += (r == 0) as u32;
            }
            let m = Self::M as f64;
            let raw = 0.7213 / (1.0 + 1.079 / m) * m * m / sum;
            if raw <= 2.5 * m && zeros != 0 { m * (m / zeros as f64).ln() } else { raw }
        }
    }

    #[derive(Clone)]
    struct CountMin {
        width: usize,
        depth: usize,
        table: Vec<u32>,
    }

    impl CountMin {
        #[omp::offload]
        fn add(&mut self, keys: &[u64]) {
            let (width, depth) = (self.width, self.depth);
            #[omp::target]
            for i in 0..keys.len() {
                for d in 0..depth {
                    let slot = fmix(keys[i] ^ (d as u64).wrapping_mul(0x9e3779b97f4a7c15)) as usize % width;
                    #[omp::atomic]
                    self.table[d * width + slot] += 1;
                }
            }
        }

        #[omp::offload]
        fn query(&self, keys: &[u64], counts: &mut [u32]) {
            #[omp::target]
            for (count, &key) in counts.iter_mut().zip(keys) {
                *count = (0..self.depth)
                    .map(|d| {
                        let h = fmix(key ^ (d as u64).wrapping_mul(0x9e3779b97f4a7c15));
                        self.table[d * self.width + h as usize % self.width]
                    })
                    .min()
                    .unwrap_or_default();
            }
        }
    }

    pub fn run(n: usize) -> (Vec<u8>, f64, Vec<u32>) {
        let keys: Vec<u64> = (0..n as u64).map(|i| i * i % 5003).collect();
        let mut hll = HyperLogLog::<10>::new();
        hll.add_all(&keys);
        let mut cm = CountMin { width: 512, depth: 4, table: vec![0; 2048] };
        cm.add(&keys);
        let mut counts = vec![0; n];
        cm.query(&keys, &mut counts);
        let e = hll.estimate();
        (hll.registers, e, counts)
    }
}
port!(hll: [0, 1, 99, 3000].map(|n| crate::Shown::of(run(n))));
