//! SipHash-1-3 of words, with the state in a struct.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, Copy, omp::Device)]
    pub struct State { v0: u64, v1: u64, v2: u64, v3: u64 }

    #[omp::declare_target]
    impl State {
        fn new((k0, k1): (u64, u64)) -> Self {
            Self {
                v0: k0 ^ 0x736f6d6570736575,
                v1: k1 ^ 0x646f72616e646f6d,
                v2: k0 ^ 0x6c7967656e657261,
                v3: k1 ^ 0x7465646279746573,
            }
        }
        fn compress(&mut self) {
            self.v0 = self.v0.wrapping_add(self.v1);
            self.v2 = self.v2.wrapping_add(self.v3);
            self.v1 = self.v1.rotate_left(13) ^ self.v0;
            self.v3 = self.v3.rotate_left(16) ^ self.v2;
            self.v0 = self.v0.rotate_left(32);
            self.v2 = self.v2.wrapping_add(self.v1);
            self.v0 = self.v0.wrapping_add(self.v3);
            self.v1 = self.v1.rotate_left(17) ^ self.v2;
            self.v3 = self.v3.rotate_left(21) ^ self.v0;
            self.v2 = self.v2.rotate_left(32);
        }
        fn absorb(&mut self, m: u64) {
            self.v3 ^= m;
            self.compress();
            self.v0 ^= m;
        }
        fn finish(mut self) -> u64 {
            self.v2 ^= 0xff;
            for _ in 0..3 {
                self.compress();
            }
            self.v0 ^ self.v1 ^ self.v2 ^ self.v3
        }
    }

    pub fn hash_all(out: &mut [u64], words: &[u64], key: (u64, u64)) {
        let per = words.len() / out.len();
        #[omp::target]
        for (o, record) in out.iter_mut().zip(words.chunks(per)) {
            let mut s = State::new(key);
            record.iter().for_each(|&m| s.absorb(m));
            s.absorb((record.len() as u64 * 8) << 56);
            *o = s.finish();
        }
    }

    pub fn run() -> Vec<u64> {
        let mut v = Values(10);
        let words: Vec<u64> = (0..50 * 6).map(|_| v.wide()).collect();
        let mut out = vec![0; 50];
        hash_all(&mut out, &words, (0x0706050403020100, 0x0f0e0d0c0b0a0908));
        out
    }
}
port!(siphash: run());
