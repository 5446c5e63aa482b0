//! Poly1305 tags and Salsa20 blocks: 128-bit products, a state with operators by words, quarter rounds by mutable references.
use omp_tests::{Values, twice};
twice! {
    const MASK44: u64 = (1 << 44) - 1;
    const MASK42: u64 = (1 << 42) - 1;

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Poly1305 { r: [u64; 3], h: [u64; 3], pad: [u64; 2] }

    #[omp::declare_target]
    fn load(b: &[u8]) -> u64 {
        let mut w = [0u8; 8];
        let n = b.len().min(8);
        w[..n].copy_from_slice(&b[..n]);
        u64::from_le_bytes(w)
    }

    #[omp::declare_target]
    impl Poly1305 {
        fn new(key: &[u8; 32]) -> Self {
            let (t0, t1) = (load(&key[0..8]), load(&key[8..16]));
            Poly1305 {
                r: [t0 & 0xffc0fffffff, (t0 >> 44 | t1 << 20) & 0xfffffc0ffff, (t1 >> 24) & 0x00ffffffc0f],
                pad: [load(&key[16..24]), load(&key[24..])],
                ..Default::default()
            }
        }
        fn block(&mut self, t0: u64, t1: u64, hibit: u64) {
            let [r0, r1, r2] = self.r;
            let (s1, s2) = (r1 * (5 << 2), r2 * (5 << 2));
            let [mut h0, mut h1, mut h2] = self.h;
            h0 += t0 & MASK44;
            h1 += (t0 >> 44 | t1 << 20) & MASK44;
            h2 += (t1 >> 24) & MASK42 | hibit;
            let m = |a: u64, b: u64| a as u128 * b as u128;
            let d0 = m(h0, r0) + m(h1, s2) + m(h2, s1);
            let mut d1 = m(h0, r1) + m(h1, r0) + m(h2, s2);
            let mut d2 = m(h0, r2) + m(h1, r1) + m(h2, r0);
            d1 += d0 >> 44;
            d2 += d1 >> 44;
            let c = (d2 >> 42) as u64;
            h0 = (d0 as u64 & MASK44) + c * 5;
            h1 = (d1 as u64 & MASK44) + (h0 >> 44);
            self.h = [h0 & MASK44, h1, d2 as u64 & MASK42];
        }
        fn update(&mut self, msg: &[u8]) -> &mut Self {
            let blocks = msg.chunks_exact(16);
            let rest = blocks.remainder();
            for b in blocks {
                self.block(load(b), load(&b[8..]), 1 << 40);
            }
            if !rest.is_empty() {
                let mut last = [0u8; 16];
                last[..rest.len()].copy_from_slice(rest);
                last[rest.len()] = 1;
                self.block(load(&last), load(&last[8..]), 0);
            }
            self
        }
        fn finish(&self) -> u128 {
            let [mut h0, mut h1, mut h2] = self.h;
            for _ in 0..2 {
                h1 += h0 >> 44;
                h0 &= MASK44;
                h2 += h1 >> 44;
                h1 &= MASK44;
                h0 += (h2 >> 42) * 5;
                h2 &= MASK42;
            }
            let h = h0 as u128 + ((h1 as u128) << 44) + ((h2 as u128) << 88);
            const P: u128 = u128::MAX >> 2;
            let (g, over) = (h as u128).overflowing_add(5);
            let wrapped = over || g >> 126 != 0 && h2 == MASK42 && h1 == MASK44;
            let tag = if wrapped { g } else { h };
            tag.wrapping_add(self.pad[0] as u128 | (self.pad[1] as u128) << 64)
        }
    }

    pub fn tags(messages: &[u8], len: usize, keys: &[[u8; 32]]) -> Vec<[u8; 16]> {
        let mut out = vec![[0; 16]; keys.len()];
        #[omp::target]
        for ((tag, key), msg) in out.iter_mut().zip(keys).zip(messages.chunks(len)) {
            let mut mac = Poly1305::new(key);
            *tag = mac.update(msg).finish().to_le_bytes();
        }
        out
    }

    #[omp::declare_target]
    fn quarter(y: &mut [u32; 16], [a, b, c, d]: [usize; 4]) {
        y[b] ^= y[a].wrapping_add(y[d]).rotate_left(7);
        y[c] ^= y[b].wrapping_add(y[a]).rotate_left(9);
        y[d] ^= y[c].wrapping_add(y[b]).rotate_left(13);
        y[a] ^= y[d].wrapping_add(y[c]).rotate_left(18);
    }

    const SIGMA: &[u8; 16] = b"expand 32-byte k";

    pub fn salsa20(key: &[u8; 32], nonce: u64, data: &mut [u8]) {
        let words: Vec<u32> = key.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect();
        #[omp::target]
        for (counter, block) in data.chunks_mut(64).enumerate() {
            let sigma = |i: usize| u32::from_le_bytes([SIGMA[4 * i], SIGMA[4 * i + 1], SIGMA[4 * i + 2], SIGMA[4 * i + 3]]);
            let mut state = [0u32; 16];
            for i in 0..4 {
                state[5 * i] = sigma(i);
                state[1 + i] = words[i];
                state[11 + i] = words[4 + i];
            }
            [state[6], state[7], state[8], state[9]] = [nonce as u32, (nonce >> 32) as u32, counter as u32, (counter as u64 >> 32) as u32];
            let mut x = state;
            for _ in 0..10 {
                for q in [[0, 4, 8, 12], [5, 9, 13, 1], [10, 14, 2, 6], [15, 3, 7, 11]] {
                    quarter(&mut x, q);
                }
                for q in [[0, 1, 2, 3], [5, 6, 7, 4], [10, 11, 8, 9], [15, 12, 13, 14]] {
                    quarter(&mut x, q);
                }
            }
            let stream = x.iter().zip(state.iter()).map(|(a, b)| a.wrapping_add(*b)).flat_map(u32::to_le_bytes);
            block.iter_mut().zip(stream).for_each(|(d, k)| *d ^= k);
        }
    }

    pub fn run() -> (Vec<[u8; 16]>, Vec<u8>) {
        let mut v = Values(30);
        let keys: Vec<[u8; 32]> = (0..8).map(|_| std::array::from_fn(|_| v.bits() as u8)).collect();
        let mut messages: Vec<u8> = (0..8 * 53).map(|_| (v.bits() >> 8) as u8).collect();
        let t = tags(&messages, 53, &keys);
        salsa20(&keys[0], 0x0123_4567_89ab_cdef, &mut messages);
        (t, messages)
    }
}
port!(poly1305: run());
