//! Ascon: the permutation and a hash of many short messages.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, PartialEq, Eq, omp::Device)]
    pub struct State([u64; 5]);

    #[omp::declare_target]
    impl State {
        const RATE: usize = 8;
        const IV: Self = State([0xee9398aadb67f03d, 0x8bb21831c60f1002, 0xb48a92db98d5da62, 0x43189921b8f8e3e8, 0x348fa5c9d525e140]);

        #[inline(always)]
        fn round(&mut self, c: u64) {
            let [x0, x1, x2, x3, x4] = &mut self.0;
            *x2 ^= c;
            *x0 ^= *x4; *x4 ^= *x3; *x2 ^= *x1;
            let t = [!*x0 & *x1, !*x1 & *x2, !*x2 & *x3, !*x3 & *x4, !*x4 & *x0];
            *x0 ^= t[1]; *x1 ^= t[2]; *x2 ^= t[3]; *x3 ^= t[4]; *x4 ^= t[0];
            *x1 ^= *x0; *x0 ^= *x4; *x3 ^= *x2; *x2 = !*x2;
            const ROT: [(u32, u32); 5] = [(19, 28), (61, 39), (1, 6), (10, 17), (7, 41)];
            for (x, (a, b)) in self.0.iter_mut().zip(ROT) {
                *x ^= x.rotate_right(a) ^ x.rotate_right(b);
            }
        }

        fn permute<const ROUNDS: usize>(&mut self) {
            (12 - ROUNDS..12).map(|i| (0xf0 - i * 0x10 + i) as u64).for_each(|c| self.round(c));
        }

        fn absorb(&mut self, message: &[u8]) {
            let mut blocks = message.chunks_exact(Self::RATE);
            for block in blocks.by_ref() {
                self.0[0] ^= u64::from_be_bytes(block.try_into().unwrap());
                self.permute::<12>();
            }
            let rest = blocks.remainder();
            let mut last = [0u8; Self::RATE];
            last[..rest.len()].copy_from_slice(rest);
            last[rest.len()] = 0x80;
            self.0[0] ^= u64::from_be_bytes(last);
            self.permute::<12>();
        }

        fn squeeze(mut self) -> [u8; 32] {
            let mut digest = [0; 32];
            for (i, out) in digest.chunks_exact_mut(8).enumerate() {
                if i > 0 { self.permute::<12>(); }
                out.copy_from_slice(&self.0[0].to_be_bytes());
            }
            digest
        }
    }

    #[omp::target]
    pub fn hash_many(text: &[u8], ends: &[usize], digests: &mut [[u8; 32]]) {
        for i in 0..ends.len() {
            let start = i.checked_sub(1).map_or(0, |p| ends[p]);
            let mut state = State::IV;
            state.absorb(&text[start..ends[i]]);
            digests[i] = state.squeeze();
        }
    }

    pub fn run() -> Vec<[u8; 32]> {
        let mut v = Values(61);
        let text: Vec<u8> = (0..600).map(|_| v.bits() as u8).collect();
        let mut at = 0;
        let ends: Vec<usize> = (0..25).map(|i| { at += i; at }).collect();
        let mut d = vec![[0; 32]; 25];
        hash_many(&text, &ends, &mut d);
        d
    }
}
port!(ascon: run());
