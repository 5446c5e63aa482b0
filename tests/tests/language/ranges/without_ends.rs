//! Ranges without an end, with adaptors.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    #[omp::declare_target]
    fn root(x: u32) -> u32 {
        for k in 0.. { if k * k >= x { return k; } }
        0
    }
    #[omp::declare_target]
    fn stepped(a: u8, limit: u8) -> u8 {
        let mut last = 0;
        for k in (a..).step_by(7) { if k > limit { break; } last = k; }
        last
    }
    pub fn run(x: &[i64], out: &mut [i64]) {
        #[omp::target]
        for i in 0..x.len() {
            for k in (x[i]..).step_by(7) { if k > 50 { break; } out[i] += k; }
            for (j, k) in (x[i]..).step_by(3).enumerate() { if j == 4 { break; } out[i] += k * j as i64; }
            for (k, v) in (0i64..).zip(x.iter()) { out[i] += k * v; }
            for k in (x[i]..).take(3) { out[i] += k; }
            for k in (x[i]..).skip(2).step_by(2).take_while(|&k| k < 30) { out[i] ^= k; }
            for k in (0i64..).map(|k| k * k).filter(|k| k % 3 == 1) { if k > 100 { break; } out[i] += k; }
            out[i] += root(x[i] as u32) as i64 + stepped(x[i] as u8, 240) as i64;
            let p = (2..).step_by(3).find(|k| k * k > x[i]).unwrap();
            out[i] += p;
            let q = (0..).position(|k: i64| k * 3 > x[i]).unwrap();
            out[i] += q as i64;
            'outer: for a in (1i64..).step_by(2) {
                for b in (a..).step_by(5) {
                    if a * b > 60 { break 'outer; }
                    if b > 20 { continue 'outer; }
                    out[i] += 1;
                }
            }
        }
    }
    pub fn overflows(x: &[u8], out: &mut [u8]) {
        #[omp::target]
        for i in 0..x.len() {
            for k in (x[i]..).step_by(100) { if k == 255 { break; } out[i] = k; }
        }
    }
    /// A step that is longer than any range: the second value overflows.
    pub fn huge(x: &[u8], out: &mut [u8]) {
        #[omp::target]
        for i in 0..x.len() {
            for (n, k) in (x[i]..).step_by(usize::MAX).enumerate() { if k > 100 || n > 3 { break; } out[i] = k + 1; }
        }
    }
    pub fn zero(x: &[u8], out: &mut [u8]) {
        #[omp::target]
        for i in 0..x.len() {
            for k in (x[i]..).step_by(x[i] as usize) { if k > 100 { break; } out[i] = k; }
        }
    }
}
#[test]
fn unbounded() {
    for n in [0i64, 1, 6] {
        let x: Vec<i64> = (0..n).map(|i| i * 5).collect();
        compare!(m, d => { omp::set_default_device(d); let mut out = vec![0; n as usize]; m::run(&x, &mut out); out });
    }
    for x in [55u8, 0, 56, 255] {
        compare!(m, d => { omp::set_default_device(d); let mut out = [0; 1];
            let p = std::panic::catch_unwind(move || { m::overflows(&[x], &mut out); out });
            p.ok() });
        compare!(m, d => { omp::set_default_device(d); let mut out = [0; 1];
            let p = std::panic::catch_unwind(move || { m::zero(&[x], &mut out); out });
            p.ok() });
        compare!(m, d => { omp::set_default_device(d); let mut out = [0; 1];
            let p = std::panic::catch_unwind(move || { m::huge(&[x], &mut out); out });
            p.ok() });
    }
}
