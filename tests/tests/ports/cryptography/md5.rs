//! MD5 of short candidates: SHOC's MD5Hash, a search for the key of a digest.
use omp_tests::twice;

twice! {
    const S: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

    #[omp::declare_target]
    fn block(key: u32, k: &[u32; 64]) -> [u32; 4] {
        let mut m = [0u32; 16];
        m[0] = key;
        m[1] = 0x80;
        m[14] = 32;
        const INIT: [u32; 4] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
        let [mut a, mut b, mut c, mut d] = INIT;
        for i in 0..64 {
            let (f, g) = match i / 16 {
                0 => ((b & c) | (!b & d), i),
                1 => ((d & b) | (!d & c), (5 * i + 1) % 16),
                2 => (b ^ c ^ d, (3 * i + 5) % 16),
                3 => (c ^ (b | !d), (7 * i) % 16),
                _ => unreachable!(),
            };
            let rotated = a.wrapping_add(f).wrapping_add(k[i]).wrapping_add(m[g]).rotate_left(S[i / 16][i % 4]);
            (a, d, c, b) = (d, c, b, b.wrapping_add(rotated));
        }
        let mut out = INIT;
        for (o, v) in out.iter_mut().zip([a, b, c, d]) {
            *o = o.wrapping_add(v);
        }
        out
    }

    pub fn find(digest: [u32; 4], keys: u32, k: &[u32; 64]) -> Option<u32> {
        let mut found = u32::MAX;
        #[omp::target(reduction(min: found))]
        for key in 0..keys {
            if block(key, k) == digest {
                found = found.min(key);
            }
        }
        (found != u32::MAX).then_some(found)
    }

    pub fn run() -> (u32, u32) {
        let k: [u32; 64] = std::array::from_fn(|i| (((i + 1) as f64).sin().abs() * 4294967296.0) as u32);
        let digest = block(777, &k);
        (find(digest, 2000, &k).unwrap_or(0), digest[2])
    }
}
port!(md5: run());
