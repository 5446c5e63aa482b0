//! Arithmetic expressions, one a thread: a tokeniser and the shunting yard over an enum with data.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    enum Token { Number(f64), Op(u8), Open, Close, End, Bad { at: u32 } }
    use Token::*;
    #[omp::declare_target]
    fn next_token(text: &[u8], at: &mut usize) -> Token {
        while *at < text.len() && text[*at] == b' ' { *at += 1; }
        if *at >= text.len() { return End; }
        let c = text[*at];
        *at += 1;
        match c {
            b'0'..=b'9' => {
                let mut v = (c - b'0') as f64;
                while *at < text.len() && text[*at].is_ascii_digit() {
                    v = v * 10.0 + (text[*at] - b'0') as f64;
                    *at += 1;
                }
                Number(v)
            }
            b'+' | b'-' | b'*' | b'/' => Op(c),
            b'(' => Open,
            b')' => Close,
            _ => Bad { at: *at as u32 - 1 },
        }
    }
    #[omp::declare_target]
    fn precedence(op: u8) -> u32 { if op == b'+' || op == b'-' { 1 } else { 2 } }
    #[omp::declare_target]
    fn apply(op: u8, a: f64, b: f64) -> f64 {
        match op { b'+' => a + b, b'-' => a - b, b'*' => a * b, _ => a / b }
    }
    #[omp::declare_target]
    fn evaluate(text: &[u8]) -> Token {
        let mut values = [0.0; 16];
        let mut ops = [End; 16];
        let (mut nv, mut no, mut at) = (0, 0, 0);
        loop {
            let token = next_token(text, &mut at);
            match token {
                Number(v) => { values[nv] = v; nv += 1; }
                Open => { ops[no] = Open; no += 1; }
                Op(op) => {
                    while no > 0 {
                        let Op(top) = ops[no - 1] else { break };
                        if precedence(top) < precedence(op) { break; }
                        if nv < 2 { return Bad { at: at as u32 }; }
                        values[nv - 2] = apply(top, values[nv - 2], values[nv - 1]);
                        nv -= 1;
                        no -= 1;
                    }
                    ops[no] = token;
                    no += 1;
                }
                Close | End => {
                    while no > 0 {
                        match ops[no - 1] {
                            Op(top) if nv >= 2 => {
                                values[nv - 2] = apply(top, values[nv - 2], values[nv - 1]);
                                nv -= 1;
                            }
                            Open if matches!(token, Close) => break,
                            _ => return Bad { at: at as u32 },
                        }
                        no -= 1;
                    }
                    if let End = token { return if nv == 1 { Number(values[0]) } else { Bad { at: 0 } }; }
                    if no == 0 { return Bad { at: at as u32 }; }
                    no -= 1;
                }
                Bad { at } => return Bad { at },
            }
        }
    }
    #[omp::offload]
    fn all(texts: &[[u8; 16]], out: &mut [Token]) {
        #[omp::target]
        for i in 0..texts.len() {
            out[i] = evaluate(&texts[i]);
        }
    }

    pub fn run() -> Vec<(u8, f64)> {
        let lines = ["1 + 2 * 3", "(1+2)*3 - 4/2", "2 * (3", "7 $ 2", "10/4/5", ")", ""];
        let texts: Vec<[u8; 16]> = lines
            .iter()
            .map(|l| {
                let mut t = [b' '; 16];
                t[..l.len()].copy_from_slice(l.as_bytes());
                t
            })
            .collect();
        let mut out = vec![End; lines.len()];
        all(&texts, &mut out);
        let shown = |t| match t {
            Number(v) => (0, v),
            Bad { at } => (1, at as f64),
            _ => (2, 0.0),
        };
        out.into_iter().map(shown).collect()
    }
}
port!(expressions: run());
