//! Hashes of fixed records: xxHash32, FNV-1a, Murmur's finaliser, CRC-32 with a table made by a `const fn`.
use omp_tests::{Values, twice};

twice! {
    const P: [u32; 5] = [2654435761, 2246822519, 3266489917, 668265263, 374761393];

    const fn crc_table() -> [u32; 256] {
        let mut table = [0; 256];
        let mut n = 0;
        while n < 256 {
            let mut c = n as u32;
            let mut k = 0;
            while k < 8 {
                c = if c & 1 == 1 { 0xedb88320 ^ (c >> 1) } else { c >> 1 };
                k += 1;
            }
            table[n] = c;
            n += 1;
        }
        table
    }
    const CRC: [u32; 256] = crc_table();

    #[omp::declare_target]
    fn round(acc: u32, lane: u32) -> u32 {
        acc.wrapping_add(lane.wrapping_mul(P[1])).rotate_left(13).wrapping_mul(P[0])
    }

    #[omp::declare_target]
    fn xxh32(data: &[u8], seed: u32) -> u32 {
        let mut acc = [
            seed.wrapping_add(P[0]).wrapping_add(P[1]),
            seed.wrapping_add(P[1]),
            seed,
            seed.wrapping_sub(P[0]),
        ];
        let stripes = data.chunks_exact(16);
        let rest = stripes.remainder();
        for stripe in stripes {
            for (a, lane) in acc.iter_mut().zip(stripe.chunks_exact(4)) {
                *a = round(*a, u32::from_le_bytes(lane.try_into().unwrap()));
            }
        }
        let mut h = if data.len() >= 16 {
            acc[0].rotate_left(1)
                .wrapping_add(acc[1].rotate_left(7))
                .wrapping_add(acc[2].rotate_left(12))
                .wrapping_add(acc[3].rotate_left(18))
        } else {
            seed.wrapping_add(P[4])
        };
        h = h.wrapping_add(data.len() as u32);
        let words = rest.chunks_exact(4);
        let tail = words.remainder();
        for w in words {
            h = h.wrapping_add(u32::from_le_bytes([w[0], w[1], w[2], w[3]]).wrapping_mul(P[2])).rotate_left(17).wrapping_mul(P[3]);
        }
        for &b in tail {
            h = h.wrapping_add(u32::from(b).wrapping_mul(P[4])).rotate_left(11).wrapping_mul(P[0]);
        }
        h ^= h >> 15;
        h = h.wrapping_mul(P[1]);
        h ^= h >> 13;
        h = h.wrapping_mul(P[2]);
        h ^ (h >> 16)
    }

    #[omp::declare_target]
    fn fnv1a(data: &[u8]) -> u64 {
        data.iter().fold(0xcbf29ce484222325, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x100000001b3))
    }

    #[omp::declare_target]
    fn crc32(data: &[u8]) -> u32 {
        !data.iter().fold(!0u32, |c, &b| CRC[((c ^ b as u32) & 0xff) as usize] ^ (c >> 8))
    }

    pub fn run() -> Vec<(u32, u64, u32)> {
        let mut v = Values(9);
        let size = 45;
        let data: Vec<u8> = (0..size * 60).map(|_| v.bits() as u8).collect();
        let mut out = vec![(0, 0, 0); 60];
        #[omp::target]
        for (o, record) in out.iter_mut().zip(data.chunks_exact(size)) {
            *o = (xxh32(record, 7), fnv1a(record), crc32(record));
        }
        out
    }
}
port!(hashes: run());
