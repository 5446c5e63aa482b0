//! `strip_prefix` and `strip_suffix` of slices, and a part that may be missing or the whole: `x.get(a..b).unwrap_or(x)`.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    const TAIL: &[u8] = b"zz";
    #[omp::declare_target]
    fn value(x: &[u8]) -> Option<u32> {
        let rest = x.strip_prefix(b"ab")?;
        Some(rest.len() as u32)
    }
    #[omp::declare_target]
    fn other(x: &[u8]) -> u32 {
        let body = x.strip_suffix(&[b'z', b'z']).unwrap_or(x);
        let b = x.strip_suffix(TAIL).unwrap_or(&[]);
        let c = x.strip_suffix(b"d").unwrap_or_default();
        let d = x.get(1..x.len().min(3)).unwrap_or(&x[..]);
        body.iter().map(|&b| b as u32).sum::<u32>() + b.len() as u32 + c.len() as u32 + d.len() as u32 * 3
    }
    #[omp::declare_target]
    fn third(x: &[u8]) -> u32 {
        let (neg, digits) = match x.strip_prefix(b"-") {
            Some(d) => (true, d),
            None => (false, x),
        };
        digits.len() as u32 * 2 + neg as u32
    }
    #[omp::declare_target]
    fn fourth(x: &[u8]) -> Result<u32, u8> {
        if let Some(r) = x.strip_prefix(b"-") { return Ok(r.len() as u32) }
        let Some(s) = x.strip_prefix(b"a") else { return Err(99) };
        let t = s.strip_suffix(b"z").ok_or(7u8)?;
        Ok(t[0] as u32 + x.strip_prefix(b"ab").is_some() as u32 + x.strip_prefix(b"ab").map_or(3, |p| p.len()) as u32)
    }
    #[omp::offload]
    pub fn f1(x: &[u8], out: &mut [u32]) {
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let part = &x[i..x.len().min(i + 5)];
            let whole = x[i..].strip_prefix(b"ab").unwrap_or(&[]);
            *o = value(part).unwrap_or(1000) + 7 * other(part) + 100 * third(part) + 10000 * fourth(part).unwrap_or_else(|e| e as u32) + whole.len() as u32;
        }
    }
    pub fn run() -> Vec<u32> {
        let mut out = vec![0; 17];
        f1(b"abc-d-zzzabqabzz", &mut out);
        out
    }
}

#[test]
fn as_without_directives() {
    compare!(m, d => {
        omp::set_default_device(d);
        m::run()
    });
}
