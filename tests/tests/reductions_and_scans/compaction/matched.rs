//! Compactions of what matches a pattern: `if let`, `match`, `let … else { continue }`, several counters.
#![allow(clippy::all, clippy::pedantic, unused, unreachable_patterns, reason = "as programs have them")]
use omp_tests::{compare, twice};

twice! {
    #[omp::declare_target]
    fn half(x: i32) -> Option<i32> { if x % 2 == 0 { Some(x / 2) } else { None } }
    #[omp::declare_target]
    fn parity(x: i32) -> Result<u8, i32> { if x % 3 == 0 { Ok((x % 7) as u8) } else { Err(x) } }
    pub fn a(x: &[i32], out: &mut [i32]) -> usize {
        let mut n = 0;
        #[omp::target(scan(+: n))]
        for i in 0..x.len() {
            let Some(h) = half(x[i]) else { continue };
            out[n] = h;
            n += 1;
        }
        n
    }
    pub fn b(x: &[i32], out: &mut [i32]) -> usize {
        let mut n = 0;
        #[omp::target]
        for i in 0..x.len() {
            if let Some(h) = half(x[i]) {
                out[n] = h;
                n += 1;
            }
        }
        n
    }
    pub fn c(x: &[i32], out: &mut [i32], bad: &mut [i32]) -> (usize, usize) {
        let (mut n, mut m) = (0, 0);
        #[omp::target]
        for &v in x {
            if v < 3 { continue; }
            let w = v * 2;
            match parity(w) {
                Ok(p) => { out[n] = i32::from(p); n += 1; }
                Err(e) => { bad[m] = e; m += 1; }
            }
        }
        (n, m)
    }
    pub fn d(x: &[i32], out: &mut [i32], bad: &mut [i32]) -> (usize, usize) {
        let (mut n, mut m) = (0, 0);
        #[omp::target]
        for &v in x {
            if let Ok(p) = parity(v) { out[n] = i32::from(p); n += 1; } else { bad[m] = v; m += 1; }
        }
        (n, m)
    }
    pub fn e(x: &[i32], out: &mut [i32]) -> (usize, i64) {
        let (mut n, mut s) = (0, 0i64);
        #[omp::target(reduction(+: s))]
        for (i, &v) in x.iter().enumerate() {
            if v % 5 == 0 { s += 1; continue; }
            let Some(h) = half(v).filter(|h| *h > 1) else { continue };
            if i % 4 == 1 { continue; }
            out[n] = h + i as i32;
            n += 1;
            s += i64::from(h);
        }
        (n, s)
    }
    pub fn f(x: &[Option<i32>], out: &mut [i32]) -> usize {
        let mut n = 0;
        #[omp::target]
        for v in x {
            if let Some(v) = v {
                out[n] = *v;
                n += 1;
            }
        }
        n
    }
    pub fn g(x: &[i32], y: &[i32], out: &mut [(i32, i32)]) -> usize {
        let mut n = 0;
        #[omp::target]
        for (a, b) in x.iter().zip(y) {
            if let (Some(a), Ok(b)) = (half(*a), parity(*b)) {
                out[n] = (a, b.into());
                n += 1;
            }
        }
        n
    }
    pub fn h(x: &[i32], out: &mut [i32]) -> usize {
        let mut n = 0;
        #[omp::target]
        for i in 0..x.len() {
            if let Some(h) = half(x[i]) && h > 2 {
                out[n] = h;
                n += 1;
            }
        }
        n
    }
}

#[test]
fn compact() {
    compare!(m, d => {
        let x: Vec<i32> = (0..1000).map(|k| k * 37 % 101 - 20).collect();
        let o: Vec<_> = (0..200).map(|k| if k % 3 == 0 { None } else { Some(k) }).collect();
        let [mut p, mut q, mut r, mut s, mut t, mut u, mut v, mut w, mut y] = [(); 9].map(|()| vec![-1i32; 1000]);
        let mut z = vec![(0, 0); 1000];
        (m::a(&x, &mut p), m::b(&x, &mut q), m::c(&x, &mut r, &mut s), m::d(&x, &mut t, &mut u), m::e(&x, &mut v), m::f(&o, &mut w), m::g(&x, &x, &mut z), m::h(&x, &mut y), p, q, r, (s, t, u, v, w, z, y))
    });
}
