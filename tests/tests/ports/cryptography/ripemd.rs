//! RIPEMD-160 of padded messages, Base58 digits, HMAC-free address checks.
use omp_tests::twice;
twice! {
    const R1: [usize; 80] = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8, 3, 10, 14, 4, 9, 15, 8, 1, 2, 7, 0, 6, 13, 11, 5, 12,
        1, 9, 11, 10, 0, 8, 12, 4, 13, 3, 7, 15, 14, 5, 6, 2, 4, 0, 5, 9, 7, 12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13,
    ];
    const S1: [u32; 80] = [
        11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8, 7, 6, 8, 13, 11, 9, 7, 15, 7, 12, 15, 9, 11, 7, 13, 12, 11, 13, 6, 7, 14, 9, 13, 15, 14, 8, 13, 6, 5, 12, 7, 5,
        11, 12, 14, 15, 14, 15, 9, 8, 9, 14, 5, 6, 8, 6, 5, 12, 9, 15, 5, 11, 6, 8, 13, 12, 5, 12, 13, 14, 11, 8, 5, 6,
    ];
    const K1: [u32; 5] = [0, 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xa953fd4e];

    #[omp::declare_target]
    fn f(j: usize, x: u32, y: u32, z: u32) -> u32 {
        match j / 16 {
            0 => x ^ y ^ z,
            1 => (x & y) | (!x & z),
            2 => (x | !y) ^ z,
            3 => (x & z) | (y & !z),
            4 => x ^ (y | !z),
            _ => unreachable!("only 80 steps"),
        }
    }

    #[omp::declare_target]
    fn half(state: &[u32; 5], x: &[u32; 16]) -> [u32; 5] {
        let [mut a, mut b, mut c, mut d, mut e] = *state;
        for j in 0..80 {
            let t = a
                .wrapping_add(f(j, b, c, d))
                .wrapping_add(x[R1[j]])
                .wrapping_add(K1[j / 16])
                .rotate_left(S1[j])
                .wrapping_add(e);
            a = e;
            e = d;
            d = c.rotate_left(10);
            c = b;
            b = t;
        }
        [a, b, c, d, e]
    }

    #[omp::declare_target]
    fn digest(message: &[u8]) -> [u32; 5] {
        let mut state = [0x67452301u32, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
        let total = message.len();
        let blocks = (total + 8) / 64 + 1;
        for b in 0..blocks {
            let byte = |i: usize| -> u8 {
                let at = b * 64 + i;
                if at < total {
                    message[at]
                } else if at == total {
                    0x80
                } else if at >= blocks * 64 - 8 {
                    ((total as u64 * 8) >> ((at - (blocks * 64 - 8)) * 8)) as u8
                } else {
                    0
                }
            };
            let x: [u32; 16] = std::array::from_fn(|w| u32::from_le_bytes([byte(4 * w), byte(4 * w + 1), byte(4 * w + 2), byte(4 * w + 3)]));
            let out = half(&state, &x);
            for (s, o) in state.iter_mut().zip(out) {
                *s = s.wrapping_add(o);
            }
        }
        state
    }

    #[omp::declare_target]
    fn base58(mut n: u64, out: &mut [u8; 11]) -> usize {
        const ALPHABET: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
        let mut len = 0;
        loop {
            out[len] = ALPHABET[(n % 58) as usize];
            n /= 58;
            len += 1;
            if n == 0 {
                break;
            }
        }
        out[..len].reverse();
        len
    }

    #[omp::offload]
    fn addresses(keys: &[u8], key_len: usize, out: &mut [([u8; 11], u8)]) {
        #[omp::target]
        for (key, (text, len)) in keys.chunks(key_len).zip(out.iter_mut()) {
            let [a, b, ..] = digest(key);
            *len = base58((a as u64) << 32 | b as u64, text) as u8;
        }
    }

    pub fn run(n: usize) -> Vec<([u8; 11], u8)> {
        let keys: Vec<u8> = (0..n * 70).map(|i| (i * 31 + 7) as u8).collect();
        let mut out = vec![([0; 11], 0); n];
        addresses(&keys, 70, &mut out);
        out
    }
}
port!(ripemd: [0, 1, 17, 300].map(|n| crate::Shown::of(run(n))));
