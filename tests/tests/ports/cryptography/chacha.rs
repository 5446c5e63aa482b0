//! ChaCha20: a block a counter, xored over the message.
use omp_tests::twice;

twice! {
    #[omp::declare_target]
    fn quarter_round(s: &mut [u32; 16], a: usize, b: usize, c: usize, d: usize) {
        s[a] = s[a].wrapping_add(s[b]);
        s[d] = (s[d] ^ s[a]).rotate_left(16);
        s[c] = s[c].wrapping_add(s[d]);
        s[b] = (s[b] ^ s[c]).rotate_left(12);
        s[a] = s[a].wrapping_add(s[b]);
        s[d] = (s[d] ^ s[a]).rotate_left(8);
        s[c] = s[c].wrapping_add(s[d]);
        s[b] = (s[b] ^ s[c]).rotate_left(7);
    }

    #[omp::declare_target]
    fn keystream(key: &[u32; 8], counter: u32, nonce: &[u32; 3]) -> [u32; 16] {
        let mut state = [0u32; 16];
        state[..4].copy_from_slice(&[0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]);
        state[4..12].copy_from_slice(key);
        state[12] = counter;
        state[13..].copy_from_slice(nonce);
        let mut w = state;
        for _ in 0..10 {
            quarter_round(&mut w, 0, 4, 8, 12);
            quarter_round(&mut w, 1, 5, 9, 13);
            quarter_round(&mut w, 2, 6, 10, 14);
            quarter_round(&mut w, 3, 7, 11, 15);
            quarter_round(&mut w, 0, 5, 10, 15);
            quarter_round(&mut w, 1, 6, 11, 12);
            quarter_round(&mut w, 2, 7, 8, 13);
            quarter_round(&mut w, 3, 4, 9, 14);
        }
        w.iter_mut().zip(state.iter()).for_each(|(w, s)| *w = w.wrapping_add(*s));
        w
    }

    pub fn encrypt(data: &mut [u8], key: &[u32; 8], nonce: &[u32; 3]) {
        #[omp::target]
        for (i, block) in data.chunks_mut(64).enumerate() {
            let stream = keystream(key, i as u32 + 1, nonce);
            for (quad, word) in block.chunks_mut(4).zip(stream) {
                for (byte, k) in quad.iter_mut().zip(word.to_le_bytes()) {
                    *byte ^= k;
                }
            }
        }
    }

    pub fn run() -> Vec<u8> {
        let mut data: Vec<u8> = (0..1000).map(|i| i as u8).collect();
        encrypt(&mut data, &[1, 2, 3, 4, 5, 6, 7, 8], &[9, 10, 11]);
        data
    }
}
port!(chacha: run());
