//! BLAKE3's compression over independent chunks.
use omp_tests::twice;
twice! {
    const IV: [u32; 8] = [0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19];
    const PERM: [usize; 16] = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];

    #[omp::declare_target]
    fn g(s: &mut [u32; 16], a: usize, b: usize, c: usize, d: usize, mx: u32, my: u32) {
        s[a] = s[a].wrapping_add(s[b]).wrapping_add(mx);
        s[d] = (s[d] ^ s[a]).rotate_right(16);
        s[c] = s[c].wrapping_add(s[d]);
        s[b] = (s[b] ^ s[c]).rotate_right(12);
        s[a] = s[a].wrapping_add(s[b]).wrapping_add(my);
        s[d] = (s[d] ^ s[a]).rotate_right(8);
        s[c] = s[c].wrapping_add(s[d]);
        s[b] = (s[b] ^ s[c]).rotate_right(7);
    }

    #[omp::declare_target]
    fn round(s: &mut [u32; 16], m: &[u32; 16]) {
        g(s, 0, 4, 8, 12, m[0], m[1]);
        g(s, 1, 5, 9, 13, m[2], m[3]);
        g(s, 2, 6, 10, 14, m[4], m[5]);
        g(s, 3, 7, 11, 15, m[6], m[7]);
        g(s, 0, 5, 10, 15, m[8], m[9]);
        g(s, 1, 6, 11, 12, m[10], m[11]);
        g(s, 2, 7, 8, 13, m[12], m[13]);
        g(s, 3, 4, 9, 14, m[14], m[15]);
    }

    #[omp::declare_target]
    fn compress(cv: &[u32; 8], block: &[u32; 16], counter: u64, len: u32, flags: u32) -> [u32; 8] {
        let mut state = [
            cv[0], cv[1], cv[2], cv[3], cv[4], cv[5], cv[6], cv[7],
            IV[0], IV[1], IV[2], IV[3], counter as u32, (counter >> 32) as u32, len, flags,
        ];
        let mut m = *block;
        for r in 0..7 {
            round(&mut state, &m);
            if r < 6 { m = PERM.map(|i| m[i]); }
        }
        let (lo, hi) = state.split_at(8);
        let mut out = [0; 8];
        for (o, (l, h)) in out.iter_mut().zip(lo.iter().zip(hi)) { *o = l ^ h; }
        out
    }

    pub fn chunk_values(input: &[u8]) -> Vec<[u32; 8]> {
        const CHUNK_START: u32 = 1 << 0;
        const CHUNK_END: u32 = 1 << 1;
        let mut out = vec![[0u32; 8]; input.len().div_ceil(256)];
        #[omp::target]
        for (n, (chunk, cv)) in input.chunks(256).zip(&mut out).enumerate() {
            *cv = IV;
            let blocks = chunk.len().div_ceil(64);
            for (b, bytes) in chunk.chunks(64).enumerate() {
                let mut words = [0u32; 16];
                for (i, &byte) in bytes.iter().enumerate() {
                    words[i / 4] |= u32::from(byte) << (8 * (i % 4));
                }
                let mut flags = 0;
                if b == 0 { flags |= CHUNK_START; }
                if b + 1 == blocks { flags |= CHUNK_END; }
                *cv = compress(cv, &words, n as u64, bytes.len() as u32, flags);
            }
        }
        out
    }

    pub fn run() -> Vec<[u32; 8]> {
        let input: Vec<u8> = (0..700u32).map(|i| (i % 251) as u8).collect();
        chunk_values(&input)
    }
}
port!(blake3_chunk: run());
