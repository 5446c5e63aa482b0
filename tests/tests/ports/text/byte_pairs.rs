//! A tokenizer: byte-pair merges by rank, pretokens of classes, vocabulary lookups in a sorted table.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
    pub struct Merge { pub left: u16, pub right: u16, pub rank: u16, pub into: u16 }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Class { Space, Letter, Digit, Other }

    #[omp::declare_target]
    impl From<u8> for Class {
        fn from(b: u8) -> Self {
            match b {
                b' ' | b'\t' | b'\n' => Class::Space,
                b'0'..=b'9' => Class::Digit,
                b if b.is_ascii_alphabetic() || b >= 0x80 => Class::Letter,
                _ => Class::Other,
            }
        }
    }

    /// Starts of pretokens: where the class changes; a space belongs to the word after it.
    pub fn boundaries(text: &[u8], starts: &mut [u32]) -> usize {
        let mut n = 0;
        #[omp::target]
        for i in 0..text.len() {
            let here = Class::from(text[i]);
            let is_start = match i.checked_sub(1).map(|p| Class::from(text[p])) {
                None => true,
                Some(Class::Space) => here == Class::Space,
                Some(before) => before != here,
            };
            if is_start {
                starts[n] = i as u32;
                n += 1;
            }
        }
        n
    }

    #[omp::declare_target]
    fn lookup(merges: &[Merge], left: u16, right: u16) -> Option<(u16, u16)> {
        merges
            .binary_search_by(|m| (m.left, m.right).cmp(&(left, right)))
            .ok()
            .map(|i| (merges[i].rank, merges[i].into))
    }

    pub const MAX: usize = 24;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct Word { pub ids: [u16; MAX], pub len: u8 }

    #[omp::declare_target]
    impl Word {
        pub const EMPTY: Self = Self { ids: [0; MAX], len: 0 };

        fn from_bytes(bytes: &[u8]) -> Option<Self> {
            if bytes.len() > MAX {
                return None;
            }
            let mut word = Self::EMPTY;
            for (id, &b) in word.ids.iter_mut().zip(bytes) {
                *id = u16::from(b);
            }
            word.len = bytes.len() as u8;
            Some(word)
        }

        fn as_slice(&self) -> &[u16] { &self.ids[..self.len as usize] }

        fn remove(&mut self, at: usize) {
            self.ids[at..self.len as usize].rotate_left(1);
            self.len -= 1;
        }

        fn merge_all(&mut self, merges: &[Merge]) {
            while let Some((_, at, into)) = self
                .as_slice()
                .windows(2)
                .enumerate()
                .filter_map(|(at, pair)| lookup(merges, pair[0], pair[1]).map(|(rank, into)| (rank, at, into)))
                .min()
            {
                self.ids[at] = into;
                self.remove(at + 1);
            }
        }
    }

    pub fn encode(text: &[u8], starts: &[u32], merges: &[Merge]) -> Vec<Word> {
        let mut words = vec![Word::EMPTY; starts.len()];
        #[omp::target]
        for (k, slot) in words.iter_mut().enumerate() {
            let from = starts[k] as usize;
            let to = starts.get(k + 1).map_or(text.len(), |&s| s as usize);
            if let Some(mut word) = Word::from_bytes(&text[from..to]) {
                word.merge_all(merges);
                *slot = word;
            }
        }
        words
    }

    pub fn flatten(words: &[Word]) -> Vec<u16> {
        let mut offsets = vec![0usize; words.len() + 1];
        #[omp::scan(+)]
        for i in 0..words.len() {
            offsets[i + 1] = offsets[i] + words[i].len as usize;
        }
        let mut ids = vec![0; offsets[words.len()]];
        #[omp::target(disjoint(ids))]
        for (word, &at) in words.iter().zip(&offsets) {
            ids[at..at + word.len as usize].copy_from_slice(&word.ids[..word.len as usize]);
        }
        ids
    }

    pub fn run() -> (Vec<u32>, Vec<u16>) {
        let text = b"the then there 1999 them, thesis; oh that other  mother42 with the breath of the thaw.";
        let mut starts = vec![0; text.len()];
        let n = boundaries(text, &mut starts);
        starts.truncate(n);
        let pairs: [(u16, u16); 8] = [(b't' as u16, b'h' as u16), (256, b'e' as u16), (b' ' as u16, 257), (b'o' as u16, 256), (b'e' as u16, b'r' as u16), (257, b'r' as u16), (b'a' as u16, b't' as u16), (b'9' as u16, b'9' as u16)];
        let mut merges: Vec<Merge> = pairs.iter().enumerate().map(|(k, &(left, right))| Merge { left, right, rank: k as u16, into: 256 + k as u16 }).collect();
        merges.sort();
        let words = encode(text, &starts, &merges);
        (starts, flatten(&words))
    }
}
port!(byte_pairs: { let (a, b) = run(); (a, b) });
