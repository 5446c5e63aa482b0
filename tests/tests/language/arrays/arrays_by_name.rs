//! Arrays as values: assigned by their names, taken apart by patterns, and slices in tuples.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    #[omp::declare_target]
    fn cost(ys: &[f64], p: &[f64; 3]) -> f64 { ys.iter().map(|y| y * p[0] + p[1]).sum() }
    #[omp::declare_target]
    fn fit<const N: usize>(ys: &[f64], start: [f64; N], first: [f64; 3]) -> [f64; N] {
        let mut p = start;
        let mut c = cost(ys, &first);
        for k in 0..10 {
            let mut trial = p;
            for i in 0..N { trial[i] += ys[i] * 0.5; }
            let t = trial[0] + c;
            if t < 100.0 { (p, c) = (trial, t); } else if k > 3 { return p; } else { p = trial; }
        }
        p
    }
    #[omp::declare_target]
    fn sum(a: &[u64; 4]) -> u64 { a.iter().sum() }
    #[omp::declare_target]
    fn mid(t: [u64; 6]) -> u64 { let [_, m @ .., _, _] = t; m[0] * m[1] + m[2] }
    #[omp::declare_target]
    fn count(a: &[u64], b: &[u64]) -> u64 { a.iter().filter(|v| b.binary_search(v).is_ok()).count() as u64 }
    pub fn fits(x: &[f64], y: &mut [[f64; 3]]) {
        #[omp::target]
        for (o, v) in y.iter_mut().zip(x.chunks_exact(3)) { *o = fit::<3>(v, [1.0, 2.0, 3.0], [0.5, 0.25, 0.0]); }
    }
    pub fn limbs(x: &[[u64; 6]], y: &mut [u64]) {
        #[omp::target]
        for i in 0..x.len() {
            let mut t = x[i];
            t[1] += 1;
            let [low @ .., top, _] = t;
            let [first, rest @ .., _, _] = t;
            y[i] = sum(&low) + top + mid(t) + first + rest.len() as u64 + low[2];
        }
    }
    pub fn shorter(x: &[u64], off: &[usize], y: &mut [u64]) {
        #[omp::target]
        for i in 0..off.len() - 2 {
            let a = &x[off[i]..off[i + 1]];
            let b = &x[off[i + 1]..off[i + 2]];
            let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
            y[i] = count(short, long) + short.len() as u64;
            let (k, s) = if a.len() < 3 { (1, a) } else { (2, b) };
            y[i] += k * s.iter().sum::<u64>();
        }
    }
    #[omp::declare_target]
    fn word(x: &[u8], at: usize) -> Option<u32> {
        let Some(&[lo, hi]) = x.get(at..at + 2) else { return None };
        Some(lo as u32 | (hi as u32) << 8)
    }
    #[omp::declare_target]
    fn two(x: &[u8], at: usize) -> u32 {
        if let Some([a, b, ..]) = x.get(at..) { *a as u32 + *b as u32 } else { 7 }
    }
    #[omp::declare_target]
    fn three(x: &[u8], at: usize) -> u32 {
        match x.get(at..at + 3) { Some(&[a, b, c]) => a as u32 + b as u32 + c as u32, _ => 9 }
    }
    pub fn words(x: &[u8], y: &mut [u32]) {
        #[omp::target]
        for i in 0..y.len() { y[i] = word(x, i).unwrap_or(3) + two(x, i) * 1000 + three(x, i) * 1000000; }
    }
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Outcome { Done { n: u32 }, Failed(u8) }
    #[omp::declare_target]
    impl From<Result<u32, u8>> for Outcome {
        fn from(result: Result<u32, u8>) -> Self {
            match result { Ok(n) => Outcome::Done { n }, Err(e) => Outcome::Failed(e) }
        }
    }
    #[omp::declare_target]
    fn checked(v: u64) -> Result<u32, u8> { if v > 10 { Err(v as u8) } else { Ok(v as u32) } }
    pub fn outcomes(x: &[u64], y: &mut [Outcome]) {
        #[omp::target]
        for (o, v) in y.iter_mut().zip(x) { *o = checked(*v).into(); }
    }
}

#[test]
fn values_and_parts() {
    compare!(m, d => {
        omp::set_default_device(d);
        let x: Vec<f64> = (0..30).map(|i| i as f64).collect();
        let mut fits = vec![[0.0; 3]; 10];
        m::fits(&x, &mut fits);
        let x: Vec<[u64; 6]> = (0..20).map(|i| [i, i + 1, i * 2, 7, i, 9]).collect();
        let mut limbs = vec![0; 20];
        m::limbs(&x, &mut limbs);
        let off = [0, 3, 10, 12, 40, 99];
        let mut x: Vec<u64> = (0..100).map(|i| (i * 7) % 50).collect();
        off.windows(2).for_each(|w| x[w[0]..w[1]].sort());
        let mut sums = vec![0; 4];
        m::shorter(&x, &off, &mut sums);
        let mut outcomes = vec![m::Outcome::Failed(0); 100];
        m::outcomes(&x, &mut outcomes);
        let x: Vec<u8> = (0..10).map(|i| i * 3).collect();
        let mut words = vec![0; 10];
        m::words(&x, &mut words);
        let outcomes: Vec<_> = outcomes.iter().map(|o| match o { m::Outcome::Done { n } => (0, *n), m::Outcome::Failed(e) => (1, u32::from(*e)) }).collect();
        (fits, limbs, sums, words, outcomes)
    });
}
