//! Slices in two parts, before `?`, `.ok_or(e)?` and `else`: `split_first`, `split_last`, `split_at_checked`; also with patterns that
//! compare the first element.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    #[omp::declare_target]
    fn first(x: &[u8]) -> Result<u32, u8> {
        let (&b, rest) = x.split_first().ok_or(4u8)?;
        let (head, tail) = rest.split_at_checked(b as usize % 3).ok_or(5u8)?;
        Ok(b as u32 + 3 * head.len() as u32 + 7 * tail.len() as u32)
    }
    #[omp::declare_target]
    fn fourth(x: &[u8]) -> Option<u32> {
        let (a, rest) = x.split_first()?;
        let (b, rest) = rest.split_last()?;
        Some(*a as u32 + *b as u32 * 3 + rest.len() as u32)
    }
    #[omp::declare_target]
    fn second(x: &[u8]) -> Option<u32> {
        let (n, rest) = x.split_at_checked(4)?;
        let (body, crc) = rest.split_at_checked(rest.len().saturating_sub(2))?;
        let (last, body) = body.split_last()?;
        Some(u32::from_le_bytes(n.try_into().unwrap()).wrapping_add(crc.len() as u32 * 3).wrapping_add(body.len() as u32 + *last as u32))
    }
    #[omp::declare_target]
    fn third(x: &[u8]) -> u32 {
        if let Some((a, rest)) = x.split_at_checked(3) { return a[1] as u32 + rest.len() as u32 }
        let Some((pair, rest)) = x.split_at_checked(2) else { return 1000 };
        pair[1] as u32 * 100 + rest.len() as u32
    }
    #[omp::declare_target]
    fn d(line: &[u8]) -> u32 {
        let Some((b'$', rest)) = line.split_first() else { return 1000 };
        rest.len() as u32
    }
    #[omp::declare_target]
    fn e(line: &[u8]) -> u32 {
        let Some((&b'$', rest)) = line.split_first() else { return 1000 };
        rest.len() as u32
    }
    #[omp::declare_target]
    fn g(line: &[u8]) -> u32 {
        if let Some((b'$', rest)) = line.split_first() { rest.len() as u32 } else { 1000 }
    }
    #[omp::offload]
    pub fn f1(x: &[u8], out: &mut [u32]) {
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let part = &x[i..x.len().min(i + 8)];
            *o = first(part).unwrap_or_else(|e| e as u32) ^ second(part).unwrap_or(9999) << 8 ^ third(part) << 4 ^ fourth(part).unwrap_or(17);
            *o += d(part) + 3 * e(part) + 5 * g(part);
        }
    }
    pub fn run() -> Vec<u32> {
        let mut out = vec![0; 17];
        f1(b"abc$d-zzz$bqabzz", &mut out);
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
