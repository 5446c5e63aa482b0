//! Consts that are ranges, as subscripts, loops and values; slices in tuples that a branch chooses.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};
use std::ops::Range;

const DATE: Range<usize> = 0..10;
const W: usize = 5;
const REST: Range<usize> = 2 * W..W * 3 + 1;

twice! {
    use super::{DATE, REST};
    #[omp::declare_target]
    fn total(x: &[u8]) -> u32 {
        let mut s = 0;
        for v in x { s += *v as u32; }
        s
    }
    pub fn ranges(x: &[u8], y: &mut [u32]) {
        #[omp::target]
        for (r, rec) in x.chunks_exact(20).enumerate() {
            let mut t = total(&rec[DATE]) * 3;
            for i in REST { t += rec[i] as u32; }
            y[r] = t + DATE.len() as u32 + REST.start as u32;
            if DATE.contains(&r) { y[r] += rec[DATE][r] as u32; }
        }
    }
    #[omp::declare_target]
    fn digits(f: &[u8]) -> Option<i64> {
        let mut v = 0;
        for &b in f {
            if !b.is_ascii_digit() { return None; }
            v = v * 10 + (b - b'0') as i64;
        }
        Some(v)
    }
    #[omp::declare_target]
    fn cents(field: &[u8]) -> Option<i64> {
        let text = &field[1..];
        let (negative, text) = match text[0] {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let (whole, fraction) = text.split_at(text.len() - 3);
        let c = 100 * digits(whole)? + digits(&fraction[1..])?;
        Some(if negative { -c } else { c })
    }
    pub fn amounts(x: &[u8], y: &mut [i64]) {
        #[omp::target]
        for (r, rec) in x.chunks_exact(10).enumerate() { y[r] = cents(rec).unwrap_or(i64::MIN); }
    }
}

#[test]
fn consts_and_tuples() {
    compare!(m, d => {
        omp::set_default_device(d);
        let x: Vec<u8> = (0..240).map(|i| i as u8).collect();
        let (mut y, mut z) = (vec![0; 12], vec![0; 4]);
        m::ranges(&x, &mut y);
        m::amounts(b" -12345.67 +00002.50 99999.999 -1x345.67", &mut z);
        assert_eq!(z, [-1234567, 250, i64::MIN, i64::MIN]);
        (y, z)
    });
}
