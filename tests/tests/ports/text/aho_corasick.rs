//! Many patterns in a text: an automaton of tables, run over overlapping pieces; a regular expression by bits.
use omp_tests::twice;
twice! {
    use std::collections::VecDeque;

    pub struct Automaton { next: Vec<[u16; 4]>, output: Vec<u32>, depth: usize }

    #[omp::declare_target]
    const fn code(c: u8) -> usize {
        match c { b'A' => 0, b'C' => 1, b'G' => 2, _ => 3 }
    }

    impl Automaton {
        pub fn new(patterns: &[&[u8]]) -> Self {
            let mut next = vec![[u16::MAX; 4]];
            let mut output = vec![0u32];
            for (id, p) in patterns.iter().enumerate() {
                let mut state = 0usize;
                for &c in *p {
                    if next[state][code(c)] == u16::MAX {
                        next.push([u16::MAX; 4]);
                        output.push(0);
                        next[state][code(c)] = (next.len() - 1) as u16;
                    }
                    state = next[state][code(c)] as usize;
                }
                output[state] |= 1 << id;
            }
            let mut fail = vec![0u16; next.len()];
            let mut queue = VecDeque::new();
            for c in 0..4 {
                if next[0][c] == u16::MAX { next[0][c] = 0 } else { queue.push_back(next[0][c]) }
            }
            while let Some(s) = queue.pop_front() {
                output[s as usize] |= output[fail[s as usize] as usize];
                for c in 0..4 {
                    let t = next[s as usize][c];
                    let f = next[fail[s as usize] as usize][c];
                    if t == u16::MAX {
                        next[s as usize][c] = f;
                    } else {
                        fail[t as usize] = f;
                        queue.push_back(t);
                    }
                }
            }
            Self { next, output, depth: patterns.iter().map(|p| p.len()).max().unwrap_or(0) }
        }

        pub fn count(&self, text: &[u8], piece: usize) -> [u32; 8] {
            let mut hits = [0u32; 8];
            let pieces = text.len().div_ceil(piece);
            #[omp::target(reduction(+: hits))]
            for p in 0..pieces {
                let start = p * piece;
                let warm_up = start.saturating_sub(self.depth - 1);
                let end = (start + piece).min(text.len());
                let mut state = 0u16;
                for (i, &c) in text[warm_up..end].iter().enumerate() {
                    state = self.next[state as usize][code(c)];
                    if warm_up + i < start {
                        continue;
                    }
                    let mut found = self.output[state as usize];
                    while found != 0 {
                        let id = found.trailing_zeros();
                        hits[id as usize] += 1;
                        found &= found - 1;
                    }
                }
            }
            hits
        }
    }

    /// Glushkov's automaton of `A(C|G)*T` by masks.
    #[derive(Clone, Copy, Default, omp::Device)]
    pub struct Nfa { follow: [u8; 8], first: u8, last: u8, class: [u8; 4] }

    #[omp::declare_target]
    impl Nfa {
        fn advance(&self, state: u8, c: usize) -> u8 {
            let mut reach = self.first;
            for (i, f) in self.follow.iter().enumerate() {
                if state & (1 << i) != 0 {
                    reach |= f;
                }
            }
            reach & self.class[c]
        }

        fn longest(&self, text: &[u8]) -> Option<usize> {
            let mut active = self.first & self.class[code(*text.first()?)];
            let mut best = None;
            for (i, c) in text.iter().enumerate().skip(1) {
                if active == 0 {
                    break;
                }
                let mut reach = 0;
                for (s, f) in self.follow.iter().enumerate() {
                    if (active >> s) & 1 == 1 {
                        reach |= f;
                    }
                }
                active = reach & self.class[code(*c)];
                if active & self.last != 0 {
                    best = Some(i + 1);
                }
            }
            best
        }
    }

    pub fn matches(nfa: &Nfa, text: &[u8]) -> Vec<Option<usize>> {
        let mut out = vec![None; text.len()];
        #[omp::target]
        for i in 0..text.len() {
            out[i] = nfa.longest(&text[i..]);
        }
        out
    }

    pub fn run() -> (Vec<u32>, Vec<usize>) {
        let text: Vec<u8> = (0..500usize).map(|i| b"ACGTACCGTGACT"[(i * i + i / 3) % 13]).collect();
        let a = Automaton::new(&[b"AC", b"CGT", b"GACT", b"T", b"CC"]);
        let nfa = Nfa { follow: [0b1110, 0b1110, 0b1110, 0, 0, 0, 0, 0], first: 1, last: 0b1000, class: [0b0001, 0b0010, 0b0100, 0b1000] };
        (a.count(&text, 37).to_vec(), matches(&nfa, &text).iter().map(|m| m.unwrap_or(0)).collect())
    }
}
port!(aho_corasick: run());
