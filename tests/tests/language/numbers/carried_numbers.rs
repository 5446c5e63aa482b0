//! Methods of integers with carries and of characters that are written out with others. All devices, against the same functions without
//! directives.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{on_every_device, twice};

twice! {
    pub fn carries(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let (a, c) = x[i].carrying_add(u32::MAX - 40, i % 2 == 0);
            let (b, d) = x[i].borrowing_sub(30, i % 3 == 0);
            let (mut sum, mut carry) = ([0u8; 4], false);
            for (k, (p, q)) in x[i].to_le_bytes().iter().zip((x[i + 1] * 7 + 250).to_le_bytes()).enumerate() {
                (sum[k], carry) = p.carrying_add(q, carry);
            }
            let (e, f) = u64::MAX.carrying_add(u64::MAX, true);
            let (g, h) = 0u64.borrowing_sub(u64::MAX, true);
            let t = 'é';
            let all = ['a', '\n', 'é', '中', '😀', '\u{7f}', '\u{9f}', '\u{a0}', '\u{7ff}', '\u{800}', '\u{ffff}', '\u{10000}'];
            let s = all.iter().map(|c| c.len_utf8() * 2 + c.is_control() as usize).fold(0, |a, b| a * 11 + b) as u64;
            let v = all[i % 12];
            let z = v.len_utf8() as u64 + char::from(x[i] as u8).is_control() as u64 * 5;
            out[i] = a as u64 + b as u64 * 3 + c as u64 * 5 + d as u64 * 7 + (u32::from_le_bytes(sum) as u64) * 11 + carry as u64 * 13
                + e % 1000 + f as u64 + g + h as u64 * 17 + s + z + t.len_utf8() as u64;
        }
    }
}

fn numbers() -> Vec<u32> {
    (0..64u32).map(|i| i.wrapping_mul(2654435761) >> 26).collect()
}

#[test]
fn carries() {
    let x = numbers();
    let mut wanted = [0; 40];
    plain::carries(0, &x, &mut wanted);
    on_every_device(|d| {
        let mut out = [7; 40];
        device::carries(d, &x, &mut out);
        assert_eq!(out, wanted);
    });
}
