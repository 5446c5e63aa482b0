//! Arrays at the ends of parts that may not be there.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    #[omp::declare_target]
    fn word(x: &[u8], at: usize) -> Option<u32> {
        x.get(at..at + 4).and_then(|s| s.first_chunk::<4>()).map(|c| u32::from_le_bytes(*c))
    }
    #[omp::declare_target]
    fn word2(x: &[u8], at: usize) -> Option<u16> {
        let c = x.get(at..).and_then(|s| s.first_chunk::<2>())?;
        Some(u16::from_be_bytes(*c))
    }
    pub fn run(x: &[u8], out: &mut [u32]) {
        #[omp::target]
        for i in 0..out.len() {
            out[i] = word(x, i).unwrap_or(7) ^ word2(x, i).unwrap_or(3) as u32;
            if let Some(c) = x.get(i..i + 2).and_then(|s| s.first_chunk::<2>()) { out[i] += c[1] as u32; }
            if let Some(&[a, b]) = x.get(i..i + 2).and_then(|s| s.last_chunk()) { out[i] += (a ^ b) as u32; }
        }
    }
}
#[test]
fn chunks() {
    for n in [0usize, 1, 6] {
        let x: Vec<u8> = (0..n).map(|i| (i * 77) as u8).collect();
        compare!(m, d => { omp::set_default_device(d); let mut out = vec![0; n]; m::run(&x, &mut out); out });
    }
}
