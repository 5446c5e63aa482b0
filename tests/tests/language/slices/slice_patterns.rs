//! Patterns of slices through whose names elements change.
#![allow(clippy::all, clippy::pedantic, unused, unreachable_patterns, reason = "as programs have them")]
use omp_tests::{compare, twice};

twice! {
    pub fn rope(x: &mut [f32], row: usize) {
        #[omp::target(map(tofrom: x))]
        for token in x.chunks_exact_mut(row) {
            for pair in token.chunks_exact_mut(2) {
                let [a, b] = pair else { continue };
                (*a, *b) = (*a * 2.0 - *b, *a + *b);
            }
        }
    }
    pub fn a(x: &mut [i32]) {
        #[omp::target]
        for part in x.chunks_mut(4) {
            if let [a, .., b] = part { (*a, *b) = (*b, *a + 1); }
        }
    }
    pub fn b(x: &mut [i32]) {
        #[omp::target]
        for part in x.chunks_mut(4) {
            match part {
                [first, _, _, _] => { *first += 100; }
                [first, rest @ ..] => { *first += rest.len() as i32; for r in rest { *r += 7; } }
                [] => {}
            }
        }
    }
    pub fn c(x: &mut [[i32; 3]]) {
        #[omp::target]
        for part in x.iter_mut() {
            let [a, b, c] = part;
            let t = *a; *a = *c; *c = t;
            *b += *a;
        }
    }
    pub fn d(x: &mut [i32]) {
        #[omp::target]
        for part in x.chunks_mut(3) {
            let [.., 1 | 2, last] = part else { continue };
            *last = -1;
        }
    }
    #[omp::declare_target]
    fn order(p: &mut [i32]) -> bool {
        let [a, b, ..] = p else { return false };
        if *a > *b { let t = *a; *a = *b; *b = t; }
        true
    }
    pub fn e(x: &mut [i32], ok: &mut [bool]) {
        #[omp::target]
        for (part, ok) in x.chunks_mut(3).zip(ok) {
            *ok = order(part);
        }
    }
}

#[test]
fn rope() {
    compare!(m, d => {
        let mut x: Vec<f32> = (0..12).map(|k| k as f32).collect();
        m::rope(&mut x, 4);
        x
    });
}

#[test]
fn rope2() {
    compare!(m, d => {
        let x: Vec<i32> = (0..22).map(|k| k * 7 % 5).collect();
        let [mut a, mut b, mut d, mut e] = [(); 4].map(|()| x.clone());
        let mut c: Vec<[i32; 3]> = (0..5).map(|k| [k, 2 * k, 3 - k]).collect();
        let mut ok = vec![false; 8];
        m::a(&mut a);
        m::b(&mut b);
        m::c(&mut c);
        m::d(&mut d);
        m::e(&mut e, &mut ok);
        (a, b, c, d, e, ok)
    });
}
