//! Compactions by `match`: variants and consts as patterns, guards, fields by their short form, and `let … else` with a type.
#![allow(clippy::all, clippy::pedantic, unused, unreachable_patterns, reason = "as programs have them")]
use omp_tests::{compare, twice};

twice! {
    pub const SKIP: i32 = 1;
    pub const KEEP: i32 = 2;
    pub mod err { pub const ONE: u8 = 3; pub const SAME: u8 = 3; }
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Cell { Live { age: u8, w: i32 }, Dead, Walled(i32) }
    #[omp::declare_target]
    fn half(x: i32) -> Option<i32> { if x % 2 == 0 { Some(x / 2) } else { None } }
    pub fn a(x: &[Option<i32>], out: &mut [i32], holes: &mut [usize]) -> (usize, usize) {
        let (mut n, mut m) = (0, 0);
        #[omp::target]
        for i in 0..x.len() {
            match x[i] { None => { holes[m] = i; m += 1; } Some(v) => { out[n] = v; n += 1; } }
        }
        (n, m)
    }
    pub fn b(x: &[i32], y: &[i32], out: &mut [i32]) -> usize {
        let mut n = 0;
        #[omp::target]
        for i in 0..x.len() {
            if let (Some(a), None) = (half(x[i]), half(y[i])) { out[n] = a; n += 1; }
        }
        n
    }
    pub fn c(x: &[i32], out: &mut [usize]) -> usize {
        let mut n = 0;
        #[omp::target]
        for i in 0..x.len() {
            match x[i] { SKIP => {}, KEEP => { out[n] = i; n += 1; } _ => {} }
        }
        n
    }
    pub fn d(x: &[Option<i32>], out: &mut [i32], holes: &mut [usize], rest: &mut [i32]) -> (usize, usize, usize) {
        let (mut n, mut m, mut k) = (0, 0, 0);
        #[omp::target]
        for i in 0..x.len() {
            match x[i] {
                Some(v) if v > 2 => { out[n] = v; n += 1; }
                None => { holes[m] = i; m += 1; }
                Some(_) => { rest[k] = i as i32; k += 1; }
            }
        }
        (n, m, k)
    }
    pub fn e(c: &[Cell], out: &mut [i32], walls: &mut [usize]) -> (usize, usize) {
        let (mut n, mut m) = (0, 0);
        #[omp::target]
        for i in 0..c.len() {
            if let Cell::Live { age, w } = c[i] { out[n] = w; n += 1; }
            match c[i] { Cell::Live { age, .. } if age > 3 => { walls[m] = i; m += 1; } Cell::Walled(3) => { walls[m] = 100 + i; m += 1; } _ => {} }
        }
        (n, m)
    }
    pub fn f(x: &[i32], out: &mut [i32]) -> usize {
        let mut n = 0;
        #[omp::target]
        for i in 0..x.len() {
            let Some(h): Option<i32> = half(x[i]) else { continue };
            out[n] = h;
            n += 1;
        }
        n
    }
    pub fn g(x: &[u8], a: &mut [usize], b: &mut [usize]) -> (usize, usize) {
        let (mut n, mut m) = (0, 0);
        #[omp::target]
        for i in 0..x.len() {
            match x[i] { err::ONE => { a[n] = i; n += 1; } err::SAME => { b[m] = i; m += 1; } _ => {} }
        }
        (n, m)
    }
}

#[test]
fn compact2() {
    compare!(m, d => {
        let x: Vec<i32> = (0..300).map(|k| k * 37 % 11).collect();
        let o: Vec<_> = (0..200).map(|k| if k % 3 == 0 { None } else { Some(k % 7) }).collect();
        let b: Vec<u8> = (0..100).map(|k| k % 5).collect();
        let c: Vec<_> = (0..90).map(|k| match k % 4 { 0 => m::Cell::Live { age: (k % 9) as u8, w: k }, 1 => m::Cell::Dead, _ => m::Cell::Walled(k % 5) }).collect();
        let y: Vec<i32> = x.iter().map(|v| v * 3 + 1).collect();
        let [mut p, mut q, mut r, mut s, mut t, mut v] = [(); 6].map(|()| vec![-1i32; 300]);
        let [mut h, mut i, mut j, mut k, mut l, mut g] = [(); 6].map(|()| vec![0usize; 300]);
        let n = (m::a(&o, &mut p, &mut h), m::b(&x, &y, &mut q), m::c(&x, &mut i), m::d(&o, &mut r, &mut j, &mut s), m::e(&c, &mut t, &mut k), m::f(&x, &mut v), m::g(&b, &mut l, &mut g));
        (n, p, q, r, s, t, v, (h, i, j, k, l, g))
    });
}
