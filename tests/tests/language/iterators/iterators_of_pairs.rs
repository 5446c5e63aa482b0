//! Iterators of parts of slices, zipped, as arguments and under names that move on.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, twice};

twice! {
    #[omp::declare_target]
    fn total<'a>(mut pairs: impl Iterator<Item = (&'a u8, &'a u8)>) -> (usize, i32) {
        let (mut n, mut s) = (0, 0);
        while let Some((&a, &b)) = pairs.next() { n += 1; s += a as i32 * b as i32; if s > 3000 { break; } }
        (n, s)
    }
    pub fn f1(x: &[u8], y: &[u8], out: &mut [(usize, i32)]) {
        #[omp::target]
        for i in 0..out.len() { out[i] = total(x[i..].iter().zip(y[i..].iter())); }
    }
    pub fn f2(x: &[u8], y: &[u8], out: &mut [(usize, i32)]) {
        #[omp::target]
        for i in 0..out.len() { out[i] = total(x[i..].iter().zip(&y[i..])); }
    }
    pub fn f3(x: &[u8], y: &[u8], out: &mut [(usize, i32)]) {
        #[omp::target]
        for i in 0..out.len() {
            let (a, b) = x.split_at(i);
            let (c, d) = y.split_at(i);
            let (n, s) = total(a.iter().rev().zip(c.iter().rev()));
            let (k, t) = total(b[1..].iter().zip(&d[1..]));
            out[i] = (n + k, s - t);
        }
    }
    pub fn f4(x: &[u8], y: &[u8], out: &mut [(usize, i32)]) {
        #[omp::target]
        for i in 0..out.len() {
            let mut it = x[i..].iter().zip(&y[i..]);
            let mut s = 0;
            while let Some((a, b)) = it.next() { s += *a as i32 - *b as i32; }
            out[i] = (i, s);
        }
    }
    #[omp::declare_target]
    fn hsp(x: &[u8], y: &[u8], i: usize) -> (usize, i32) {
        let (a, b) = x.split_at(i);
        let (c, d) = y.split_at(i);
        let (n, s) = total(a.iter().rev().zip(c.iter().rev()));
        let (k, t) = total(b[1..].iter().zip(&d[1..]));
        (n + k, s - t)
    }
    pub fn f5(x: &[u8], y: &[u8], out: &mut [(usize, i32)]) {
        #[omp::target]
        for i in 0..out.len() { out[i] = hsp(x, y, i); }
    }
}

#[test]
fn pairs() {
    compare!(m, d => {
        omp::set_default_device(d);
        let x: Vec<u8> = (0..40).map(|i| i * 5 + 1).collect();
        let y: Vec<u8> = (0..40).map(|i| i * 3).collect();
        let mut o = vec![vec![(0, 0); 30]; 5];
        m::f1(&x, &y, &mut o[0]);
        m::f2(&x, &y, &mut o[1]);
        m::f3(&x, &y, &mut o[2]);
        m::f4(&x, &y, &mut o[3]);
        m::f5(&x, &y, &mut o[4]);
        o
    });
}
