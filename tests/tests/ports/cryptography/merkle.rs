//! BLAKE2b-256 Merkle tree, levels by pairs, and inclusion proofs.
use omp_tests::twice;
twice! {
    const IV: [u64; 8] = [
        0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
        0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
    ];
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

    pub type Digest = [u8; 32];

    #[omp::declare_target]
    fn mix(v: &mut [u64; 16], a: usize, b: usize, c: usize, d: usize, x: u64, y: u64) {
        v[a] = v[a].wrapping_add(v[b]).wrapping_add(x);
        v[d] = (v[d] ^ v[a]).rotate_right(32);
        v[c] = v[c].wrapping_add(v[d]);
        v[b] = (v[b] ^ v[c]).rotate_right(24);
        v[a] = v[a].wrapping_add(v[b]).wrapping_add(y);
        v[d] = (v[d] ^ v[a]).rotate_right(16);
        v[c] = v[c].wrapping_add(v[d]);
        v[b] = (v[b] ^ v[c]).rotate_right(63);
    }

    #[omp::declare_target]
    fn compress(h: &mut [u64; 8], block: &[u8; 128], count: u128, last: bool) {
        let mut m = [0u64; 16];
        for (word, bytes) in m.iter_mut().zip(block.chunks_exact(8)) {
            *word = u64::from_le_bytes(bytes.try_into().unwrap());
        }
        let mut v = [0; 16];
        v[..8].copy_from_slice(h);
        v[8..].copy_from_slice(&IV);
        v[12] ^= count as u64;
        v[13] ^= (count >> 64) as u64;
        if last {
            v[14] = !v[14];
        }
        for round in 0..12 {
            let s = &SIGMA[round % 10];
            mix(&mut v, 0, 4, 8, 12, m[s[0]], m[s[1]]);
            mix(&mut v, 1, 5, 9, 13, m[s[2]], m[s[3]]);
            mix(&mut v, 2, 6, 10, 14, m[s[4]], m[s[5]]);
            mix(&mut v, 3, 7, 11, 15, m[s[6]], m[s[7]]);
            mix(&mut v, 0, 5, 10, 15, m[s[8]], m[s[9]]);
            mix(&mut v, 1, 6, 11, 12, m[s[10]], m[s[11]]);
            mix(&mut v, 2, 7, 8, 13, m[s[12]], m[s[13]]);
            mix(&mut v, 3, 4, 9, 14, m[s[14]], m[s[15]]);
        }
        for i in 0..8 {
            h[i] ^= v[i] ^ v[i + 8];
        }
    }

    #[omp::declare_target]
    fn blake2b(data: &[u8]) -> Digest {
        let mut h = IV;
        h[0] ^= 0x0101_0000 ^ 32;
        let mut block = [0u8; 128];
        let mut done = 0;
        while data.len() - done > 128 {
            block.copy_from_slice(&data[done..done + 128]);
            done += 128;
            compress(&mut h, &block, done as u128, false);
        }
        let rest = data.len() - done;
        block = [0; 128];
        block[..rest].copy_from_slice(&data[done..]);
        compress(&mut h, &block, data.len() as u128, true);
        let mut out = [0; 32];
        for (bytes, word) in out.chunks_exact_mut(8).zip(h) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        out
    }

    #[omp::declare_target]
    fn node(left: &Digest, right: &Digest) -> Digest {
        let mut joined = [0; 65];
        joined[0] = 1;
        joined[1..33].copy_from_slice(left);
        joined[33..].copy_from_slice(right);
        blake2b(&joined)
    }

    #[omp::offload]
    fn leaves(data: &[u8], size: usize) -> Vec<Digest> {
        let mut out = vec![[0; 32]; data.len().div_ceil(size)];
        #[omp::target]
        for (digest, chunk) in out.iter_mut().zip(data.chunks(size)) {
            *digest = blake2b(chunk);
        }
        out
    }

    #[omp::offload]
    fn parents(level: &[Digest]) -> Vec<Digest> {
        let mut up = vec![Digest::default(); level.len().div_ceil(2)];
        #[omp::target]
        for (i, parent) in up.iter_mut().enumerate() {
            let left = &level[2 * i];
            *parent = match level.get(2 * i + 1) {
                Some(right) => node(left, right),
                None => *left,
            };
        }
        up
    }

    #[omp::offload]
    fn verify(leaf: &[Digest], proofs: &[Digest], depth: usize, root: &Digest) -> usize {
        let mut good = 0;
        #[omp::target(reduction(+: good))]
        for (i, &start) in leaf.iter().enumerate() {
            let mut digest = start;
            let mut index = i;
            for sibling in &proofs[i * depth..(i + 1) * depth] {
                digest = if index & 1 == 0 { node(&digest, sibling) } else { node(sibling, &digest) };
                index >>= 1;
            }
            if digest == *root {
                good += 1;
            }
        }
        good
    }

    pub fn run(n: usize) -> (Vec<Digest>, usize) {
        let data: Vec<u8> = (0..n * 150).map(|i| (i * 7 % 253) as u8).collect();
        let mut levels = vec![leaves(&data, 150)];
        while levels.last().unwrap().len() > 1 {
            levels.push(parents(levels.last().unwrap()));
        }
        let root = levels.last().unwrap().first().copied().unwrap_or_default();
        let depth = levels.len() - 1;
        let mut proofs = Vec::new();
        for i in 0..n {
            for (d, level) in levels[..depth].iter().enumerate() {
                proofs.push(*level.get((i >> d) ^ 1).unwrap_or(&[0; 32]));
            }
        }
        let good = verify(&levels[0], &proofs, depth, &root);
        (levels.concat(), good)
    }
}
port!(merkle: [0, 1, 7, 20].map(|n| crate::Shown::of(run(n))));
