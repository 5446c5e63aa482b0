//! xxHash64 of variable-length records, a MinHash signature and LSH bands.
use omp_tests::twice;
twice! {
    mod xxh {
        const P1: u64 = 0x9E3779B185EBCA87;
        const P2: u64 = 0xC2B2AE3D27D4EB4F;
        const P3: u64 = 0x165667B19E3779F9;
        const P4: u64 = 0x85EBCA77C2B2AE63;
        const P5: u64 = 0x27D4EB2F165667C5;

        #[omp::declare_target]
        fn round(acc: u64, lane: u64) -> u64 {
            acc.wrapping_add(lane.wrapping_mul(P2)).rotate_left(31).wrapping_mul(P1)
        }

        #[omp::declare_target]
        fn merge(acc: u64, v: u64) -> u64 {
            (acc ^ round(0, v)).wrapping_mul(P1).wrapping_add(P4)
        }

        #[omp::declare_target]
        fn word64(b: &[u8]) -> u64 {
            u64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]])
        }

        #[omp::declare_target]
        pub fn hash(input: &[u8], seed: u64) -> u64 {
            let stripes = input.chunks_exact(32);
            let mut tail = stripes.remainder();
            let mut h = if input.len() >= 32 {
                let mut v = [
                    seed.wrapping_add(P1).wrapping_add(P2),
                    seed.wrapping_add(P2),
                    seed,
                    seed.wrapping_sub(P1),
                ];
                for stripe in stripes {
                    for (acc, lane) in v.iter_mut().zip(stripe.chunks_exact(8)) {
                        *acc = round(*acc, word64(lane));
                    }
                }
                let h = v[0].rotate_left(1)
                    .wrapping_add(v[1].rotate_left(7))
                    .wrapping_add(v[2].rotate_left(12))
                    .wrapping_add(v[3].rotate_left(18));
                v.iter().fold(h, |h, &lane| merge(h, lane))
            } else {
                seed.wrapping_add(P5)
            };
            h = h.wrapping_add(input.len() as u64);
            while tail.len() >= 8 {
                let (head, rest) = tail.split_at(8);
                h = (h ^ round(0, word64(head))).rotate_left(27).wrapping_mul(P1).wrapping_add(P4);
                tail = rest;
            }
            if tail.len() >= 4 {
                let w = u32::from_le_bytes(tail[..4].try_into().unwrap());
                h = (h ^ u64::from(w).wrapping_mul(P1)).rotate_left(23).wrapping_mul(P2).wrapping_add(P3);
                tail = &tail[4..];
            }
            for &b in tail {
                h = (h ^ u64::from(b).wrapping_mul(P5)).rotate_left(11).wrapping_mul(P1);
            }
            h ^= h >> 33;
            h = h.wrapping_mul(P2);
            h ^= h >> 29;
            h = h.wrapping_mul(P3);
            h ^ (h >> 32)
        }
    }

    const K: usize = 16;

    #[omp::offload]
    fn hash_records(text: &[u8], offsets: &[u32], hashes: &mut [u64]) {
        #[omp::target]
        for (i, h) in hashes.iter_mut().enumerate() {
            let record = &text[offsets[i] as usize..offsets[i + 1] as usize];
            *h = xxh::hash(record, 0);
        }
    }

    #[omp::offload]
    fn minhash(text: &[u8], offsets: &[u32], shingle: usize) -> Vec<[u64; K]> {
        let mut sigs = vec![[u64::MAX; K]; offsets.len() - 1];
        #[omp::target]
        for (sig, span) in sigs.iter_mut().zip(offsets.windows(2)) {
            let record = &text[span[0] as usize..span[1] as usize];
            for window in record.windows(shingle) {
                for (k, slot) in sig.iter_mut().enumerate() {
                    *slot = (*slot).min(xxh::hash(window, k as u64));
                }
            }
        }
        sigs
    }

    #[omp::offload]
    fn similarity(sigs: &[[u64; K]], pairs: &[(usize, usize)]) -> Vec<f32> {
        let mut out = vec![0.0; pairs.len()];
        #[omp::target]
        for (out, &(a, b)) in out.iter_mut().zip(pairs) {
            let same = sigs[a].iter().zip(&sigs[b]).filter(|(x, y)| x == y).count();
            *out = same as f32 / K as f32;
        }
        out
    }

    pub fn run(n: usize) -> (Vec<u64>, Vec<[u64; K]>, Vec<f32>) {
        let mut offsets = vec![0u32];
        for i in 0..n as u32 {
            offsets.push(offsets[i as usize] + (i * 11) % 97);
        }
        let text: Vec<u8> = (0..*offsets.last().unwrap()).map(|i| b'a' + ((i / 3 * 5) % 23) as u8).collect();
        let mut hashes = vec![0; n];
        hash_records(&text, &offsets, &mut hashes);
        let sigs = minhash(&text, &offsets, 5);
        let pairs: Vec<_> = (1..n).map(|i| (i - 1, i)).collect();
        let s = similarity(&sigs, &pairs);
        (hashes, sigs, s)
    }
}
port!(xxh64: [0, 1, 15, 80].map(|n| crate::Shown::of(run(n))));
