//! HeCBench murmurhash3: 128-bit hashes of keys of varying length, and a bloom of them.
use omp_tests::twice;

twice! {
    const C1: u64 = 0x87c3_7b91_1142_53d5;
    const C2: u64 = 0x4cf5_ad43_2745_937f;

    #[omp::declare_target]
    const fn fmix64(mut k: u64) -> u64 {
        k ^= k >> 33;
        k = k.wrapping_mul(0xff51_afd7_ed55_8ccd);
        k ^= k >> 33;
        k = k.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        k ^ (k >> 33)
    }

    #[omp::declare_target]
    fn read_u64(bytes: &[u8]) -> u64 {
        u64::from_le_bytes(bytes[..8].try_into().unwrap())
    }

    #[omp::declare_target]
    fn murmur(key: &[u8], seed: u64) -> (u64, u64) {
        let (mut h1, mut h2) = (seed, seed);
        let blocks = key.chunks_exact(16);
        let tail = blocks.remainder();
        for block in blocks {
            let k1 = read_u64(block);
            let k2 = read_u64(&block[8..]);
            h1 ^= k1.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2);
            h1 = h1.rotate_left(27).wrapping_add(h2).wrapping_mul(5).wrapping_add(0x52dc_e729);
            h2 ^= k2.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1);
            h2 = h2.rotate_left(31).wrapping_add(h1).wrapping_mul(5).wrapping_add(0x3849_5ab5);
        }
        let (mut k1, mut k2) = (0u64, 0u64);
        for (i, &b) in tail.iter().enumerate() {
            if i < 8 {
                k1 ^= (b as u64) << (8 * i);
            } else {
                k2 ^= (b as u64) << (8 * (i - 8));
            }
        }
        if k2 != 0 {
            h2 ^= k2.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1);
        }
        if !tail.is_empty() {
            h1 ^= k1.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2);
        }
        let len = key.len() as u64;
        h1 ^= len;
        h2 ^= len;
        h1 = h1.wrapping_add(h2);
        h2 = h2.wrapping_add(h1);
        h1 = fmix64(h1);
        h2 = fmix64(h2);
        h1 = h1.wrapping_add(h2);
        (h1, h2.wrapping_add(h1))
    }

    pub fn hash_all(keys: &[u8], offsets: &[u32], seed: u64, out: &mut [(u64, u64)]) {
        #[omp::target]
        for (o, span) in out.iter_mut().zip(offsets.windows(2)) {
            let &[start, end] = span else { unreachable!() };
            *o = murmur(&keys[start as usize..end as usize], seed);
        }
    }

    pub fn run() -> Vec<(u64, u64)> {
        let mut offsets = vec![0u32];
        for i in 0..50u32 {
            offsets.push(offsets[i as usize] + i % 37);
        }
        let keys: Vec<u8> = (0..*offsets.last().unwrap()).map(|i| (i * 31 + 7) as u8).collect();
        let mut out = vec![(0, 0); 50];
        hash_all(&keys, &offsets, 42, &mut out);
        out
    }
}
port!(murmur3: run());
