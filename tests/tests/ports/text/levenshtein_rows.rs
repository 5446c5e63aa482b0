//! Edit distance of many words to a pattern, two rows on the stack.
use omp_tests::twice;
twice! {
    const MAX: usize = 32;

    #[omp::declare_target]
    fn distance(a: &[u8], b: &[u8]) -> usize {
        let mut row = [0usize; MAX + 1];
        for (j, r) in row.iter_mut().enumerate().take(b.len() + 1) {
            *r = j;
        }
        for (i, ca) in a.iter().enumerate() {
            let mut previous = row[0];
            row[0] = i + 1;
            for (j, cb) in b.iter().enumerate() {
                let substitute = previous + usize::from(ca != cb);
                previous = row[j + 1];
                row[j + 1] = substitute.min(row[j] + 1).min(previous + 1);
            }
        }
        row[b.len()]
    }

    pub struct Dictionary { text: Vec<u8>, ends: Vec<usize> }

    impl FromIterator<&'static str> for Dictionary {
        fn from_iter<I: IntoIterator<Item = &'static str>>(words: I) -> Self {
            let (mut text, mut ends) = (vec![], vec![]);
            for w in words {
                text.extend_from_slice(w.as_bytes());
                ends.push(text.len());
            }
            Self { text, ends }
        }
    }

    impl Dictionary {
        pub fn distances(&self, pattern: &str) -> Vec<usize> {
            let pattern = pattern.as_bytes();
            let Dictionary { text, ends } = self;
            let mut out = vec![0; ends.len()];
            #[omp::target]
            for i in 0..ends.len() {
                let start = if i == 0 { 0 } else { ends[i - 1] };
                let word = &text[start..ends[i]];
                out[i] = distance(word, pattern);
            }
            out
        }
    }

    pub fn run() -> Vec<usize> {
        let d: Dictionary = ["kitten", "sitting", "mitten", "", "smitten", "bitten", "knitting"].into_iter().collect();
        d.distances("sittin")
    }
}
port!(levenshtein_rows: run());
