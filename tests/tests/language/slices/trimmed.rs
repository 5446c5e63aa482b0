//! `trim_ascii`, `trim_ascii_start` and `trim_ascii_end` of slices.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    #[omp::declare_target]
    fn trimmed(s: &[u8]) -> usize { s.trim_ascii().len() }
    #[omp::declare_target]
    fn first(s: &[u8]) -> Option<u8> { s.trim_ascii_start().first().copied() }
    #[omp::declare_target]
    fn number(s: &[u8]) -> Option<u32> {
        let s = s.trim_ascii();
        if s.is_empty() { return None; }
        let mut n = 0u32;
        for &b in s { n = n.checked_mul(10)?.checked_add(match b { b'0'..=b'9' => (b - b'0') as u32, _ => return None })?; }
        Some(n)
    }
    pub fn run(text: &[u8], w: usize, out: &mut [(usize, u8, u32, usize)]) {
        #[omp::target]
        for i in 0..out.len() {
            let line = &text[i * w..(i + 1) * w];
            out[i] = (trimmed(line), first(line).unwrap_or(0), number(line).unwrap_or(99999), line.trim_ascii_end().len());
            let core = line.trim_ascii();
            for k in 0..core.len() { out[i].3 += core[k] as usize * 100; }
            out[i].3 += line[1..].trim_ascii_end().trim_ascii_start().iter().filter(|b| b.is_ascii_digit()).count();
            if text[i * w..(i + 1) * w].trim_ascii().is_empty() { out[i].3 += 7; }
            let mut rest = line;
            rest = &rest[1..];
            rest = rest.trim_ascii_start();
            if let [a, b, ..] = rest.trim_ascii_end() { out[i].0 += (*a + *b) as usize; }
            out[i].0 += rest.len();
            if line.trim_ascii() == b"12" { out[i].0 += 1000; }
        }
        #[omp::target]
        for (line, o) in text.chunks_exact(w).zip(out.iter_mut()) {
            o.0 += line.trim_ascii().len();
            match line.trim_ascii() { [] => o.0 += 1, [b] => o.0 += *b as usize, _ => {} }
        }
    }
}
#[test]
fn trims() {
    for text in ["", "     ", " 12  ", "12345", "\t\n\r\x0c ", "  a b", "\x0bb   ", "  12 12   abc  12 4   "]
    {
        compare!(m, d => { omp::set_default_device(d);
            let mut out = vec![(0, 0, 0, 0); text.len() / 5];
            m::run(text.as_bytes(), 5, &mut out);
            out });
    }
}
