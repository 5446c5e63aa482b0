//! Near-duplicate detection: SimHash fingerprints of byte shingles and nearest neighbours by Hamming distance.
use omp_tests::twice;

twice! {
    type Fingerprint = u64;

    const SHINGLE: usize = 5;

    #[omp::declare_target]
    const fn finalise(mut h: u64) -> u64 {
        h ^= h >> 33;
        h = h.wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        h ^= h >> 33;
        h = h.wrapping_mul(0xC4CE_B9FE_1A85_EC53);
        h ^ (h >> 33)
    }

    /// Lower case, anything that is no letter or digit as a blank.
    #[omp::declare_target]
    fn fold_case(b: u8) -> u8 {
        match b {
            b'A'..=b'Z' => b | 0x20,
            b'a'..=b'z' | b'0'..=b'9' => b,
            _ => b' ',
        }
    }

    #[omp::declare_target]
    fn shingles(text: &[u8]) -> impl Iterator<Item = u64> + '_ {
        text.windows(SHINGLE)
            .filter(|w| !w.starts_with(b" "))
            .map(|w| w.iter().map(|&b| fold_case(b)).fold(0xCBF2_9CE4_8422_2325u64, |h, b| {
                (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01B3)
            }))
            .map(finalise)
    }

    #[omp::declare_target]
    fn fingerprint(text: &[u8]) -> Fingerprint {
        let votes = shingles(text).fold([0i32; 64], |mut sums, hash| {
            for (bit, vote) in sums.iter_mut().enumerate() {
                *vote += if hash >> bit & 1 == 1 { 1 } else { -1 };
            }
            sums
        });
        votes
            .iter()
            .enumerate()
            .filter(|(_, vote)| **vote > 0)
            .fold(0, |acc, (bit, _)| acc | 1 << bit)
    }

    pub fn fingerprints(text: &[u8], ends: &[usize], out: &mut [u64]) {
        let document = |i: usize| {
            let start = if i == 0 { 0 } else { ends[i - 1] };
            &text[start..ends[i]]
        };
        #[omp::target(schedule(dynamic))]
        for (i, print) in out.iter_mut().enumerate() {
            *print = fingerprint(document(i));
        }
    }

    /// For each print its nearest other one with their distance; ties go to the lower index.
    pub fn nearest(prints: &[u64], out: &mut [(u32, u32)]) {
        #[omp::target]
        for (i, best) in out.iter_mut().enumerate() {
            *best = prints
                .iter()
                .enumerate()
                .filter(|&(j, _)| j != i)
                .map(|(j, other)| ((prints[i] ^ other).count_ones(), j as u32))
                .min()
                .unwrap_or((u32::MAX, u32::MAX));
        }
    }

    /// Unordered pairs at most `radius` bits apart, and whether every print has a partner.
    pub fn close_pairs(prints: &[u64], radius: u32) -> (usize, bool) {
        let mut pairs = 0usize;
        let mut all_paired = true;
        let near = |a: u64, b: u64| (a ^ b).count_ones() <= radius;
        #[omp::target(reduction(+: pairs), reduction(&&: all_paired), schedule(dynamic))]
        for i in 0..prints.len() {
            let (before, rest) = prints.split_at(i);
            let (&me, after) = rest.split_first().expect("i is in range");
            let forward = after.iter().filter(|&&p| near(me, p)).count();
            pairs += forward;
            all_paired = all_paired && (forward > 0 || before.iter().any(|&p| near(me, p)));
        }
        (pairs, all_paired)
    }
}
port!(simhash_shingles: crate::Shown::of({
    const WORDS: [&str; 12] = [
        "Column", "store", "merges", "the", "Sorted", "runs,", "while", "readers", "scan", "older", "snapshots.", "42",
    ];
    let mut text = Vec::new();
    let mut ends = Vec::new();
    for doc in 0..60usize {
        let family = doc / 4;
        for w in 0..20 + family {
            let pick = if w % 9 == doc % 4 + 5 { w + doc } else { w * (family + 1) + family };
            text.extend_from_slice(WORDS[pick % WORDS.len()].as_bytes());
            text.push(b' ');
        }
        ends.push(text.len());
    }
    let mut prints = vec![0u64; 60];
    fingerprints(&text, &ends, &mut prints);
    let mut neighbours = vec![(0, 0); 60];
    nearest(&prints, &mut neighbours);
    let pairs: Vec<_> = [6, 14, 22].iter().map(|&r| close_pairs(&prints, r)).collect();
    (prints, neighbours, pairs)
}));
