//! BLAKE2s of many messages, XTEA in counter mode, CRC-64 by slices.
use omp_tests::{Values, twice};
twice! {
    const IV: [u32; 8] = [0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19];
    const SIGMA: [[usize; 16]; 10] = [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
    ];

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Blake2s { h: [u32; 8], t: u64 }

    #[omp::declare_target]
    impl Blake2s {
        pub fn new() -> Self {
            let mut h = IV;
            h[0] ^= 0x0101_0000 ^ 32;
            Self { h, t: 0 }
        }

        fn mix(v: &mut [u32; 16], [a, b, c, d]: [usize; 4], x: u32, y: u32) {
            v[a] = v[a].wrapping_add(v[b]).wrapping_add(x);
            v[d] = (v[d] ^ v[a]).rotate_right(16);
            v[c] = v[c].wrapping_add(v[d]);
            v[b] = (v[b] ^ v[c]).rotate_right(12);
            v[a] = v[a].wrapping_add(v[b]).wrapping_add(y);
            v[d] = (v[d] ^ v[a]).rotate_right(8);
            v[c] = v[c].wrapping_add(v[d]);
            v[b] = (v[b] ^ v[c]).rotate_right(7);
        }

        fn compress(&mut self, block: &[u8; 64], last: bool) {
            let m: [u32; 16] = std::array::from_fn(|i| {
                u32::from_le_bytes([block[4 * i], block[4 * i + 1], block[4 * i + 2], block[4 * i + 3]])
            });
            let mut v = [0; 16];
            v[..8].copy_from_slice(&self.h);
            v[8..].copy_from_slice(&IV);
            v[12] ^= self.t as u32;
            v[13] ^= (self.t >> 32) as u32;
            if last { v[14] = !v[14]; }
            for s in &SIGMA {
                for i in 0..4 {
                    Self::mix(&mut v, [i, i + 4, i + 8, i + 12], m[s[2 * i]], m[s[2 * i + 1]]);
                }
                for (i, idx) in [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]].into_iter().enumerate() {
                    Self::mix(&mut v, idx, m[s[8 + 2 * i]], m[s[9 + 2 * i]]);
                }
            }
            for (i, h) in self.h.iter_mut().enumerate() {
                *h ^= v[i] ^ v[i + 8];
            }
        }

        pub fn digest(mut self, message: &[u8]) -> [u8; 32] {
            let blocks = message.len().div_ceil(64).max(1);
            for (i, chunk) in message.chunks(64).enumerate() {
                let mut block = [0u8; 64];
                block[..chunk.len()].copy_from_slice(chunk);
                self.t += chunk.len() as u64;
                self.compress(&block, i + 1 == blocks);
            }
            if message.is_empty() { self.compress(&[0; 64], true); }
            let mut out = [0; 32];
            for (bytes, word) in out.chunks_exact_mut(4).zip(self.h) {
                bytes.copy_from_slice(&word.to_le_bytes());
            }
            out
        }
    }

    #[omp::declare_target]
    fn xtea(mut v: [u32; 2], key: &[u32; 4]) -> [u32; 2] {
        const DELTA: u32 = 0x9E37_79B9;
        let mut sum = 0u32;
        for _ in 0..32 {
            v[0] = v[0].wrapping_add((((v[1] << 4) ^ (v[1] >> 5)).wrapping_add(v[1])) ^ sum.wrapping_add(key[(sum & 3) as usize]));
            sum = sum.wrapping_add(DELTA);
            v[1] = v[1].wrapping_add((((v[0] << 4) ^ (v[0] >> 5)).wrapping_add(v[0])) ^ sum.wrapping_add(key[((sum >> 11) & 3) as usize]));
        }
        v
    }

    pub fn encrypt(data: &mut [u8], key: [u32; 4], nonce: u32) {
        #[omp::target]
        for (i, block) in data.chunks_mut(8).enumerate() {
            let [a, b] = xtea([nonce, i as u32], &key);
            let stream = ((a as u64) << 32 | b as u64).to_be_bytes();
            for (d, k) in block.iter_mut().zip(stream) {
                *d ^= k;
            }
        }
    }

    #[omp::declare_target]
    const CRC: [u64; 256] = {
        let mut table = [0; 256];
        let mut i = 0;
        while i < 256 {
            let mut c = i as u64;
            let mut k = 0;
            while k < 8 {
                c = if c & 1 != 0 { (c >> 1) ^ 0xC96C_5795_D787_0F42 } else { c >> 1 };
                k += 1;
            }
            table[i] = c;
            i += 1;
        }
        table
    };

    pub fn checksums(data: &[u8], starts: &[usize]) -> (Vec<u64>, Vec<[u8; 32]>) {
        let n = starts.len() - 1;
        let (mut crcs, mut digests) = (vec![0; n], vec![[0; 32]; n]);
        #[omp::target]
        for (w, (crc, digest)) in starts.windows(2).zip(crcs.iter_mut().zip(&mut digests)) {
            let &[from, to] = w else { unreachable!() };
            let message = &data[from..to];
            *crc = !message.iter().fold(!0, |c, &b| CRC[((c ^ b as u64) & 0xFF) as usize] ^ (c >> 8));
            *digest = Blake2s::new().digest(message);
        }
        (crcs, digests)
    }

    pub fn run() -> (Vec<u8>, Vec<u64>, Vec<[u8; 32]>) {
        let mut v = Values(12);
        let mut data: Vec<u8> = (0..700).map(|_| v.bits() as u8).collect();
        encrypt(&mut data, [1, 2, 3, 4], 99);
        let (c, d) = checksums(&data, &[0, 0, 3, 67, 131, 300, 699]);
        (data, c, d)
    }
}
port!(blake2s: run());
