//! Constructors of variants and tuple structs as functions: `map_or_else(Token::Bad, Token::Op)`.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

#[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
pub enum Token {
    Op(u8),
    Bad(u16),
    None,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
pub struct Meters(i32);
impl Token {
    const ZERO: Token = Token::Op(0);
}
#[omp::declare_target]
impl Token {
    fn of(b: u8) -> Self {
        Some(b).filter(|b| *b > 3).map_or(Self::None, Self::Op)
    }
    fn late(b: u8) -> Result<u8, Self> {
        Some(b).filter(|b| *b > 3).ok_or_else(|| Self::Bad(b as u16))
    }
}
twice! {
    #[omp::declare_target]
    fn lex(b: u8) -> Result<u8, u16> { if b % 3 == 0 { Err(b as u16 * 2) } else { Ok(b) } }
    #[omp::declare_target]
    fn token(b: u8) -> Token { lex(b).map_or_else(Token::Bad, Token::Op) }
    #[omp::declare_target]
    fn named(b: u8) -> Result<Token, Token> { lex(b).map(Token::Op).map_err(Token::Bad) }
    #[omp::declare_target]
    fn lexed(b: u8) -> Result<Meters, Token> { (b > 4).then_some(b as i32).map(Meters).ok_or(Token::Bad(1)) }
    pub fn run(x: &[u8], out: &mut [(Token, Token, i32)], opt: &mut [Option<Token>]) {
        #[omp::target]
        for i in 0..x.len() {
            let t = x.get(i + 1).copied().map_or(Token::None, Token::Op);
            let u = match named(x[i]) { Ok(t) => t, Err(t) => t };
            let m = lexed(x[i]).map_or(-1, |Meters(k)| k);
            out[i] = (t, u, m);
            opt[i] = x.get(i + 1).copied().map(Token::Op);
            if x[i] == 4 { opt[i] = Some(token(x[i])); }
            if x[i] == 5 { opt[i] = Token::late(x[i]).map(|k| Token::of(k)).ok(); }
            let s: Option<Option<u8>> = x.get(i + 1).copied().map(Some);
            if let Some(Some(k)) = s { out[i].2 += k as i32; }
            let q = x.get(i + 1).copied().map_or_else(|| Token::ZERO, Token::Op);
            if q == Token::ZERO { out[i].2 += 1; }
            let r: Result<Token, u16> = lex(x[i]).and_then(|b| Ok(b)).map(Token::Op);
            if let Err(e) = r { out[i].2 += e as i32; }
            let w = x.get(i + 1).copied().ok_or(x[i] as u16).map_or_else(Token::Bad, Token::Op);
            if w == Token::Bad(3) { out[i].2 += 100; }
        }
    }
    pub fn iterated(x: &[u8], out: &mut [Token]) -> i32 {
        let mut sum = 0;
        #[omp::target]
        for (o, t) in out.iter_mut().zip(x.iter().copied().map(Token::Op)) {
            *o = t;
        }
        #[omp::target(reduction(+: sum))]
        for i in 0..x.len() {
            let Meters(k) = x[..i].iter().map(|&v| v as i32).map(Meters).fold(Meters(0), |a, b| Meters(a.0 + b.0));
            sum += k;
            let a: [Meters; 2] = [1, 2].map(Meters);
            sum += a[1].0;
            if Token::Op(x[i]) == out[i] { sum += 1; }
            if x.iter().copied().map(Token::Op).any(|t| t == Token::Op(3)) { sum += 5; }
        }
        sum
    }
}
#[test]
fn constructors() {
    for n in [0u8, 1, 8] {
        let x: Vec<u8> = (0..n).collect();
        compare!(m, d => { omp::set_default_device(d);
            let mut out = vec![(Token::None, Token::None, 0); n as usize];
            let mut opt = vec![None; n as usize];
            m::run(&x, &mut out, &mut opt);
            let mut it = vec![Token::None; n as usize];
            let s = m::iterated(&x, &mut it);
            format!("{out:?} {opt:?} {it:?} {s}") });
    }
}

/// Functions with the names of others, which return results.
mod names_of_others {
    #[omp::declare_target]
    pub fn parsed(x: i32) -> Option<i32> {
        if x > 1 { Some(x * 2) } else { None }
    }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Limit(pub i32);
    #[omp::declare_target]
    impl Limit {
        pub fn number(v: i32) -> Option<i32> {
            if v < 5 { Some(v) } else { None }
        }
    }
}

mod same_names {
    use super::names_of_others as other;
    use omp_tests::on_every_device;

    #[omp::declare_target]
    fn checked_add(x: i32) -> Result<i32, u8> {
        if x > 2 { Ok(x + 1) } else { Err(7) }
    }
    #[omp::offload]
    fn run(x: &[i32], out: &mut [i32]) {
        #[omp::target]
        for i in 0..x.len() {
            out[i] = other::parsed(x[i]).map(|v| v + 1).unwrap_or(0);
            out[i] += i32::checked_add(x[i], 3).map(|v| v * 2).unwrap_or(1)
                + checked_add(x[i]).map_or_else(i32::from, |v| v * 10);
            out[i] += other::Limit::number(x[i]).map(|v| v + 1).unwrap_or_default();
        }
    }
    #[test]
    fn of_options() {
        let x = [0, 1, 2, 3, 7, i32::MAX - 1];
        let serial = |x: i32| {
            let parsed = if x > 1 { x.wrapping_mul(2) + 1 } else { 0 };
            let limit = if x < 5 { x + 1 } else { 0 };
            (parsed, x.checked_add(3).map_or(1, |v| v * 2), if x > 2 { (x + 1) * 10 } else { 7 }, limit)
        };
        on_every_device(|d| {
            omp::set_default_device(d);
            let mut out = [0; 5];
            run(&x[..5], &mut out);
            let want = x[..5].iter().map(|&x| {
                let (a, b, c, d) = serial(x);
                a + b + c + d
            });
            assert!(out.into_iter().eq(want), "device {d}: {out:?}");
        });
    }
}
