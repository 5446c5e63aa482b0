//! Lines of an arithmetic language, token by token: the signed sum of the numbers, and how deep the parentheses are.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Tok { Num(i32), Op(u8), Open, Close }
    #[derive(Clone, Copy, omp::Device)]
    struct Lexer { at: usize }
    #[omp::declare_target]
    impl Lexer {
        fn next(&mut self, s: &[u8]) -> Option<Tok> {
            while self.at < s.len() && s[self.at] == b' ' { self.at += 1; }
            let c = *s.get(self.at)?;
            self.at += 1;
            Some(match c {
                b'0'..=b'9' => {
                    let mut v = (c - b'0') as i32;
                    while let Some(d @ b'0'..=b'9') = s.get(self.at).copied() {
                        v = v * 10 + (d - b'0') as i32;
                        self.at += 1;
                    }
                    Tok::Num(v)
                }
                b'(' => Tok::Open,
                b')' => Tok::Close,
                op => Tok::Op(op),
            })
        }
    }
    pub fn lex(m: usize, text: &[u8], sum: &mut [i32], depth: &mut [i8]) {
        #[omp::target]
        for (r, line) in text.chunks_exact(m).enumerate() {
            let mut lx = Lexer { at: 0 };
            let (mut s, mut d, mut deepest) = (0, 0i8, 0i8);
            let mut sign = 1;
            while let Some(t) = lx.next(line) {
                match t {
                    Tok::Num(v) => { s += sign * v; sign = 1; }
                    Tok::Op(b'-') => sign = -sign,
                    Tok::Op(_) => {}
                    Tok::Open => { d += 1; deepest = deepest.max(d); }
                    Tok::Close => d -= 1,
                }
            }
            sum[r] = s;
            depth[r] = if d == 0 { deepest } else { -1 };
        }
    }

    pub fn run() -> (Vec<i32>, Vec<i8>) {
        let text: Vec<u8> = (0..90 * 24usize).map(|i| b"12 (-)+3 )(94"[(i * i / 3 + i / 24 * 5) % 13]).collect();
        let (mut sums, mut depths) = (vec![0; 90], vec![0; 90]);
        lex(24, &text, &mut sums, &mut depths);
        (sums, depths)
    }
}
port!(token_sums: run());
