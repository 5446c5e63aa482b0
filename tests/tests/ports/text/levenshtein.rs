//! Edit distances and Soundex of words.
use omp_tests::twice;
twice! {
    const MAX: usize = 16;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct Word { letters: [u8; MAX], len: u8 }

    #[omp::declare_target]
    impl Word {
        pub fn as_bytes(&self) -> &[u8] { &self.letters[..self.len as usize] }
        pub fn len(&self) -> usize { self.len as usize }
    }

    impl From<&str> for Word {
        fn from(s: &str) -> Self {
            let mut letters = [0; MAX];
            letters[..s.len()].copy_from_slice(s.as_bytes());
            Word { letters, len: s.len() as u8 }
        }
    }

    #[omp::declare_target]
    pub fn levenshtein(a: &[u8], b: &[u8]) -> usize {
        let mut row: [usize; MAX + 1] = std::array::from_fn(|j| j);
        for (i, &ca) in a.iter().enumerate() {
            let mut diagonal = row[0];
            row[0] = i + 1;
            for (j, &cb) in b.iter().enumerate() {
                let cost = if ca == cb { diagonal } else { 1 + diagonal.min(row[j]).min(row[j + 1]) };
                diagonal = std::mem::replace(&mut row[j + 1], cost);
            }
        }
        row[b.len()]
    }

    #[omp::declare_target]
    fn soundex(word: &[u8]) -> [u8; 4] {
        let mut code = [b'0'; 4];
        let mut n = 0;
        let mut last = 0;
        for &c in word {
            let digit = match c.to_ascii_lowercase() {
                b'b' | b'f' | b'p' | b'v' => b'1',
                b'c' | b'g' | b'j' | b'k' | b'q' | b's' | b'x' | b'z' => b'2',
                b'd' | b't' => b'3',
                b'l' => b'4',
                b'm' | b'n' => b'5',
                b'r' => b'6',
                b'h' | b'w' => continue,
                _ => 0,
            };
            if n == 0 {
                code[0] = c.to_ascii_uppercase();
                n = 1;
            } else if digit != 0 && digit != last {
                code[n] = digit;
                n += 1;
                if n == code.len() { break; }
            }
            last = digit;
        }
        code
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
    pub struct Match { distance: usize, index: usize }

    pub fn nearest(dictionary: &[Word], queries: &[Word]) -> Vec<Match> {
        let mut best = vec![Match::default(); queries.len()];
        #[omp::target]
        for (q, out) in queries.iter().zip(&mut best) {
            let found = dictionary
                .iter()
                .enumerate()
                .filter(|(_, w)| w.len().abs_diff(q.len()) <= 3)
                .map(|(index, w)| Match { distance: levenshtein(w.as_bytes(), q.as_bytes()), index })
                .min();
            *out = found.unwrap_or(Match { distance: usize::MAX, index: usize::MAX });
        }
        best
    }

    pub fn codes(words: &[Word]) -> Vec<[u8; 4]> {
        let mut out = vec![[0; 4]; words.len()];
        #[omp::target]
        for (code, w) in out.iter_mut().zip(words) {
            *code = soundex(w.as_bytes());
        }
        out
    }

    pub fn run() -> (Vec<usize>, Vec<usize>, Vec<[u8; 4]>) {
        let dictionary: Vec<Word> = ["kernel", "device", "robert", "rupert", "ashcraft", "tymczak", "pfister", "honeyman", "iterate", "a"].map(Word::from).to_vec();
        let queries: Vec<Word> = ["colonel", "devise", "rubin", "", "aaaaaaaaaaaaaaaa", "iterator"].map(Word::from).to_vec();
        let m = nearest(&dictionary, &queries);
        (m.iter().map(|m| m.distance).collect(), m.iter().map(|m| m.index).collect(), codes(&dictionary))
    }
}
// Devices have no `min` of structs with `Ord` (`nearest`).
port!(part of spelling: run());
