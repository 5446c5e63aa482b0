//! Glob matching of lines, Boyer-Moore-Horspool counts, word statistics.
use omp_tests::twice;
twice! {
    #[omp::declare_target]
    fn glob(pattern: &[u8], text: &[u8]) -> bool {
        let (mut p, mut t) = (0, 0);
        let mut star: Option<(usize, usize)> = None;
        while t < text.len() {
            match pattern.get(p) {
                Some(b'*') => {
                    star = Some((p, t));
                    p += 1;
                }
                Some(&c) if c == b'?' || c == text[t] => {
                    p += 1;
                    t += 1;
                }
                _ => {
                    let Some((sp, st)) = star else { return false };
                    p = sp + 1;
                    t = st + 1;
                    star = Some((sp, t));
                }
            }
        }
        pattern[p..].iter().all(|&c| c == b'*')
    }

    #[omp::offload]
    fn match_lines(pattern: &[u8], text: &[u8], lines: &[(usize, usize)]) -> (Vec<bool>, usize) {
        let mut hits = vec![false; lines.len()];
        let mut total = 0;
        #[omp::target(reduction(+: total))]
        for (hit, &(start, end)) in hits.iter_mut().zip(lines) {
            *hit = glob(pattern, &text[start..end]);
            total += usize::from(*hit);
        }
        (hits, total)
    }

    struct Searcher<'p> {
        needle: &'p [u8],
        skip: [usize; 256],
    }

    impl<'p> Searcher<'p> {
        fn new(needle: &'p [u8]) -> Self {
            let mut skip = [needle.len(); 256];
            for (i, &b) in needle.iter().enumerate().take(needle.len() - 1) {
                skip[b as usize] = needle.len() - 1 - i;
            }
            Searcher { needle, skip }
        }

        #[omp::offload]
        fn count_in(&self, text: &[u8], lines: &[(usize, usize)], counts: &mut [u32]) {
            let m = self.needle.len();
            #[omp::target]
            for i in 0..lines.len() {
                let (start, end) = lines[i];
                let line = &text[start..end];
                let mut at = 0;
                let mut count = 0;
                while at + m <= line.len() {
                    if line[at..at + m] == *self.needle {
                        count += 1;
                    }
                    at += self.skip[line[at + m - 1] as usize];
                }
                counts[i] = count;
            }
        }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Stats {
        words: u32,
        digits: u32,
        longest: u32,
        upper: bool,
    }

    #[omp::offload]
    fn statistics(text: &[u8], lines: &[(usize, usize)], stats: &mut [Stats]) {
        #[omp::target]
        for (s, &(start, end)) in stats.iter_mut().zip(lines) {
            *s = Stats::default();
            let mut run = 0;
            for c in text[start..end].iter().map(|&b| b as char) {
                match c {
                    'A'..='Z' | 'a'..='z' => {
                        if run == 0 {
                            s.words += 1;
                        }
                        run += 1;
                        s.upper |= c.is_ascii_uppercase();
                    }
                    '0'..='9' => {
                        s.digits += c.to_digit(10).unwrap();
                        run = 0;
                    }
                    _ => run = 0,
                }
                s.longest = s.longest.max(run);
            }
        }
    }

    pub fn run(n: usize) -> (Vec<bool>, usize, Vec<u32>, Vec<Stats>) {
        let mut text = Vec::new();
        let mut lines = Vec::new();
        for i in 0..n {
            let s = text.len();
            text.extend_from_slice(format!("err{} Line {} abab{}ababab w{}", i % 3, i, "ab".repeat(i % 5), i * 7).as_bytes());
            lines.push((s, text.len()));
        }
        let (hits, total) = match_lines(b"err?*ab*w*1?", &text, &lines);
        let mut counts = vec![0; n];
        Searcher::new(b"abab").count_in(&text, &lines, &mut counts);
        let mut stats = vec![Stats::default(); n];
        statistics(&text, &lines, &mut stats);
        (hits, total, counts, stats)
    }
}
port!(wildcard: [0, 1, 77, 200].map(|n| crate::Shown::of(run(n))));
