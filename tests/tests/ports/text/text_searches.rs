//! Text: searches, words, edit distances of rows, suffix order by compare, n-grams.
use omp_tests::twice;

twice! {
    pub fn starts(text: &[u8], words: &[[u8; 4]], found: &mut [u32]) {
        #[omp::target]
        for (f, w) in found.iter_mut().zip(words) {
            *f = text.windows(4).position(|t| t == w).map_or(u32::MAX, |i| i as u32);
        }
    }

    pub fn matches(text: &[u8], pattern: &[u8]) -> usize {
        let m = pattern.len();
        let mut n = 0;
        #[omp::target(reduction(+: n))]
        for i in 0..=text.len() - m {
            if &text[i..i + m] == pattern {
                n += 1;
            }
        }
        n
    }

    pub fn mismatches(text: &[u8], pattern: &[u8], most: usize, at: &mut [u8]) {
        #[omp::target]
        for (i, w) in text.windows(pattern.len()).enumerate() {
            let wrong = w.iter().zip(pattern.iter()).filter(|(a, b)| a != b).count();
            at[i] = u8::from(wrong <= most);
        }
    }

    #[omp::declare_target]
    fn common(a: &[u8], b: &[u8]) -> usize {
        a.iter().zip(b).take_while(|(x, y)| x == y).count()
    }

    pub fn prefixes(text: &[u8], starts: &[u32], out: &mut [u32]) {
        #[omp::target]
        for (o, pair) in out.iter_mut().zip(starts.windows(2)) {
            let [a, b] = [pair[0] as usize, pair[1] as usize];
            *o = common(&text[a..], &text[b..]) as u32;
        }
    }

    pub fn lines(text: &[u8], ends: &mut [usize]) -> usize {
        let mut n = 0;
        #[omp::target(scan(+: n))]
        for (i, &c) in text.iter().enumerate() {
            if c == b' ' {
                ends[n] = i;
                n += 1;
            }
        }
        n
    }

    pub fn distances(rows: &[u8], size: usize, to: &[u8], out: &mut [u32]) {
        #[omp::target]
        for (o, word) in out.iter_mut().zip(rows.chunks(size)) {
            let mut cost = [0u32; 32];
            for j in 0..=to.len() {
                cost[j] = j as u32;
            }
            for (i, a) in word.iter().enumerate() {
                let mut left_up = cost[0];
                cost[0] = i as u32 + 1;
                for (j, b) in to.iter().enumerate() {
                    let up = cost[j + 1];
                    cost[j + 1] = if a == b { left_up } else { 1 + left_up.min(up).min(cost[j]) };
                    left_up = up;
                }
            }
            *o = cost[to.len()];
        }
    }

    pub fn run() -> (Vec<Vec<u32>>, usize, Vec<u8>) {
        let text = b"the cat sat on the mat and the rat ate the cat that sat on the hat".to_vec();
        let words = [*b"the ", *b"cat ", *b"dogs", *b"rat "];
        let mut found = vec![0; 4];
        starts(&text, &words, &mut found);
        let n = matches(&text, b"the");
        let mut at = vec![0; text.len() - 2];
        mismatches(&text, b"sat", 1, &mut at);
        let mut out = vec![0; 20];
        prefixes(&text, &(0..21).map(|i| i * 3).collect::<Vec<u32>>(), &mut out);
        let mut ends = vec![0; text.len()];
        let count = lines(&text, &mut ends);
        let mut d = vec![0; text.len().div_ceil(4)];
        distances(&text, 4, b"that", &mut d);
        (vec![found, out, d], n * 10000 + count * 100 + ends[2], at)
    }
}
port!(search: run());
