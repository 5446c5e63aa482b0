//! Fuzzy matching of names: Soundex codes, Jaro–Winkler similarity, trigrams, the best match per query.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct Name { bytes: [u8; 16], len: u8 }

    impl Name {
        fn new(s: &str) -> Self {
            let mut bytes = [0; 16];
            bytes[..s.len()].copy_from_slice(s.as_bytes());
            Self { bytes, len: s.len() as u8 }
        }
    }

    #[omp::declare_target]
    impl Name {
        fn as_bytes(&self) -> &[u8] { &self.bytes[..self.len as usize] }

        fn soundex(&self) -> Option<[u8; 4]> {
            let (&first, rest) = self.as_bytes().split_first()?;
            let mut code = [b'0'; 4];
            code[0] = first.to_ascii_uppercase();
            let mut n = 1;
            let mut last = digit(first);
            for &c in rest {
                let d = digit(c);
                match d {
                    Some(d) if last != Some(d) => {
                        code[n] = d;
                        n += 1;
                        if n == 4 { break; }
                    }
                    _ => {}
                }
                if !matches!(c | 32, b'h' | b'w') { last = d; }
            }
            Some(code)
        }
    }

    #[omp::declare_target]
    fn digit(c: u8) -> Option<u8> {
        match c.to_ascii_lowercase() {
            b'b' | b'f' | b'p' | b'v' => Some(b'1'),
            b'c' | b'g' | b'j' | b'k' | b'q' | b's' | b'x' | b'z' => Some(b'2'),
            b'd' | b't' => Some(b'3'),
            b'l' => Some(b'4'),
            b'm' | b'n' => Some(b'5'),
            b'r' => Some(b'6'),
            _ => None,
        }
    }

    #[omp::declare_target]
    fn jaro(a: &[u8], b: &[u8]) -> f32 {
        if a.is_empty() && b.is_empty() { return 1.0; }
        let reach = (a.len().max(b.len()) / 2).saturating_sub(1);
        let (mut in_a, mut in_b) = (0u32, 0u32);
        for (i, x) in a.iter().enumerate() {
            let from = i.saturating_sub(reach);
            let to = (i + reach + 1).min(b.len());
            for j in from..to {
                if in_b >> j & 1 == 0 && b[j] == *x {
                    in_a |= 1 << i;
                    in_b |= 1 << j;
                    break;
                }
            }
        }
        let m = in_a.count_ones();
        if m == 0 { return 0.0; }
        let mut transposed = 0;
        let mut rest = in_b;
        for i in (0..a.len()).filter(|i| in_a >> i & 1 == 1) {
            let j = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if a[i] != b[j] { transposed += 1; }
        }
        let m = m as f32;
        (m / a.len() as f32 + m / b.len() as f32 + (m - (transposed / 2) as f32) / m) / 3.0
    }

    #[omp::declare_target]
    fn winkler(a: &[u8], b: &[u8]) -> f32 {
        let j = jaro(a, b);
        let prefix = a.iter().zip(b).take(4).take_while(|(x, y)| x == y).count();
        j + prefix as f32 * 0.1 * (1.0 - j)
    }

    #[omp::declare_target]
    fn trigrams(a: &[u8], b: &[u8]) -> u32 {
        a.windows(3).filter(|t| b.windows(3).any(|u| u == *t)).count() as u32
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Match { index: Option<u32>, score: f32, shared: u32, sounds_alike: bool }

    pub fn lookup(names: &[Name], queries: &[Name]) -> Vec<Match> {
        let mut out = vec![Match::default(); queries.len()];
        #[omp::target]
        for (q, o) in queries.iter().zip(&mut out) {
            let code = q.soundex();
            for (i, n) in names.iter().enumerate() {
                let sounds_alike = code.is_some() && n.soundex() == code;
                let score = winkler(q.as_bytes(), n.as_bytes()) + if sounds_alike { 0.05 } else { 0.0 };
                if score > o.score {
                    *o = Match { index: Some(i as u32), score, shared: trigrams(q.as_bytes(), n.as_bytes()), sounds_alike };
                }
            }
        }
        out
    }

    pub fn run() -> (Vec<Match>, Vec<Option<[u8; 4]>>) {
        let names = ["Robert", "Rupert", "Ashcraft", "Ashcroft", "Tymczak", "Pfister", "Honeyman", "Martha", "Dwayne", "Dixon", ""].map(Name::new);
        let queries = ["Rubin", "Marhta", "Duane", "Dicksonx", "Ashcrft", "honey", "", "Q"].map(Name::new);
        let found = lookup(&names, &queries);
        let mut codes = vec![None; names.len()];
        #[omp::target]
        for i in 0..names.len() { codes[i] = names[i].soundex(); }
        (found, codes)
    }
}
port!(jaro_winkler: crate::Shown::of(run()));
