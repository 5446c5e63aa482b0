//! Bioinformatics: Smith-Waterman by anti-diagonals, edit distances of many pairs, k-mers.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Base { A, C, G, T }

    #[omp::declare_target]
    impl Base {
        fn parse(b: u8) -> Option<Base> {
            Some(match b.to_ascii_uppercase() {
                b'A' => Base::A,
                b'C' => Base::C,
                b'G' => Base::G,
                b'T' => Base::T,
                _ => return None,
            })
        }
    }

    pub fn smith_waterman(a: &[u8], b: &[u8], gap: i32) -> i32 {
        let (n, m) = (a.len(), b.len());
        let score = |x: u8, y: u8| if x == y { 3 } else { -2 };
        let mut older = vec![0; n + 1];
        let mut old = vec![0; n + 1];
        let mut new = vec![0; n + 1];
        let mut best = 0;
        for d in 2..=n + m {
            let lo = d.saturating_sub(m).max(1);
            let hi = n.min(d - 1);
            #[omp::target(reduction(max: best))]
            for i in lo..=hi {
                let j = d - i;
                let diagonal = older[i - 1] + score(a[i - 1], b[j - 1]);
                let h = [0, diagonal, old[i - 1] - gap, old[i] - gap].into_iter().max().unwrap();
                new[i] = h;
                best = best.max(h);
            }
            std::mem::swap(&mut older, &mut old);
            std::mem::swap(&mut old, &mut new);
            new.fill(0);
        }
        best
    }

    #[omp::declare_target]
    fn levenshtein<const N: usize>(a: &[u8], b: &[u8]) -> usize {
        let mut row = [0usize; N];
        for (j, r) in row.iter_mut().enumerate() {
            *r = j;
        }
        for (i, ca) in a.iter().enumerate() {
            let mut previous = std::mem::replace(&mut row[0], i + 1);
            for (j, cb) in b.iter().enumerate() {
                let substitution = previous + usize::from(ca != cb);
                previous = row[j + 1];
                row[j + 1] = substitution.min(row[j] + 1).min(previous + 1);
            }
        }
        row[b.len()]
    }

    #[omp::declare_target]
    fn kmer(window: &[u8]) -> Option<usize> {
        let mut code = 0;
        for &b in window {
            code = code << 2 | Base::parse(b)? as usize;
        }
        Some(code)
    }

    pub fn count_kmers<const K: usize>(seq: &[u8]) -> Vec<u32> {
        let mut counts = vec![0u32; 1 << (2 * K)];
        #[omp::target(reduction(+: counts))]
        for window in seq.windows(K) {
            if let Some(code) = kmer(window) {
                counts[code] += 1;
            }
        }
        counts
    }

    pub fn distances(out: &mut [usize], words: &[[u8; 12]], query: &[u8]) {
        #[omp::target]
        for (o, w) in out.iter_mut().zip(words) {
            *o = levenshtein::<13>(query, w);
        }
    }

    pub fn run() -> (i32, Vec<u32>, Vec<usize>) {
        let mut v = Values(11);
        let mut seq = |n: usize| (0..n).map(|_| b"ACGTacgtN"[(v.bits() % 9) as usize]).collect::<Vec<u8>>();
        let (a, b) = (seq(60), seq(47));
        let words: Vec<[u8; 12]> = a.windows(12).map(|w| w.try_into().unwrap()).collect();
        let mut out = vec![0; words.len()];
        distances(&mut out, &words, &b[..20]);
        (smith_waterman(&a, &b, 2), count_kmers::<3>(&a), out)
    }
}
port!(alignment: run());
