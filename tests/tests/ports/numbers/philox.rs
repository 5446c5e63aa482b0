//! Pi by two random number generators behind a trait.
use omp_tests::twice;
twice! {
    #[omp::declare_target]
    pub trait Rng {
        fn next_u32(&mut self) -> u32;
        fn uniform(&mut self) -> f64 { f64::from(self.next_u32()) / 4_294_967_296.0 }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Philox { key: [u32; 2], counter: [u32; 4], buffer: [u32; 4], used: u8 }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Pcg { state: u64, inc: u64 }

    #[omp::declare_target]
    impl Philox {
        const M: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
        const W: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];

        pub fn new(seed: u64, stream: u32) -> Self {
            Philox { key: [seed as u32, (seed >> 32) as u32], counter: [0, 0, stream, 0], buffer: [0; 4], used: 4 }
        }
        fn mulhilo(a: u32, b: u32) -> (u32, u32) {
            let p = u64::from(a) * u64::from(b);
            ((p >> 32) as u32, p as u32)
        }
        fn block(&mut self) {
            let mut c = self.counter;
            let mut k = self.key;
            for _ in 0..10 {
                let (h0, l0) = Self::mulhilo(Self::M[0], c[0]);
                let (h1, l1) = Self::mulhilo(Self::M[1], c[2]);
                c = [h1 ^ c[1] ^ k[0], l1, h0 ^ c[3] ^ k[1], l0];
                for (k, w) in k.iter_mut().zip(Self::W) { *k = k.wrapping_add(w); }
            }
            self.buffer = c;
            self.used = 0;
            let (low, carry) = self.counter[0].overflowing_add(1);
            self.counter[0] = low;
            self.counter[1] = self.counter[1].wrapping_add(carry as u32);
        }
    }
    #[omp::declare_target]
    impl Rng for Philox {
        fn next_u32(&mut self) -> u32 {
            if self.used == 4 { self.block(); }
            let v = self.buffer[self.used as usize];
            self.used += 1;
            v
        }
    }
    #[omp::declare_target]
    impl Pcg {
        pub fn new(seed: u64, stream: u64) -> Self {
            let mut rng = Pcg { state: 0, inc: (stream << 1) | 1 };
            rng.next_u32();
            rng.state = rng.state.wrapping_add(seed);
            rng.next_u32();
            rng
        }
    }
    #[omp::declare_target]
    impl Rng for Pcg {
        fn next_u32(&mut self) -> u32 {
            let old = self.state;
            self.state = old.wrapping_mul(6364136223846793005).wrapping_add(self.inc);
            let xorshifted = (((old >> 18) ^ old) >> 27) as u32;
            xorshifted.rotate_right((old >> 59) as u32)
        }
    }

    #[omp::declare_target]
    fn hits<R: Rng + omp::Device>(rng: &mut R, samples: u32) -> u32 {
        (0..samples).filter(|_| { let (x, y) = (rng.uniform(), rng.uniform()); x * x + y * y <= 1.0 }).count() as u32
    }

    pub fn pi(streams: u32, samples: u32) -> (u64, u64) {
        let mut inside = 0u64;
        #[omp::target(reduction(+: inside))]
        for s in 0..streams {
            let mut rng = Philox::new(0xdead_beef_cafe, s);
            inside += u64::from(hits(&mut rng, samples));
        }
        let mut other = 0;
        #[omp::target(reduction(+: other))]
        for s in 0..streams {
            other += hits(&mut Pcg::new(42, s.into()), samples) as u64;
        }
        (inside, other)
    }

    pub fn run() -> (u64, u64) { pi(33, 40) }
}
port!(philox: run());
