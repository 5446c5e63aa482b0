//! Loops under a condition of the parallel loops, and loops over a part whose length is loaded.
#![allow(clippy::all, clippy::pedantic, unused, unreachable_patterns, reason = "as programs have them")]
use omp_tests::{compare, twice};

twice! {
    pub fn scores(n: usize, d: usize, q: &[f32], k: &[f32], s: &mut [f32]) {
        #[omp::target(collapse(2), fp(strict))]
        for i in 0..n {
            for j in 0..n {
                s[i * n + j] = if j <= i {
                    let mut dot = 0.0f32;
                    for e in 0..d { dot += q[i * d + e] * k[j * d + e]; }
                    dot * 0.5
                } else { f32::NEG_INFINITY };
            }
        }
    }
    pub fn band(n: usize, d: usize, q: &[i32], k: &[i32], s: &mut [i32]) {
        #[omp::target(collapse(2))]
        for i in 0..n {
            for j in 0..n {
                let mut dot = 7;
                if i < j + 40 && j < i + 3 {
                    for e in 0..d { dot = i32::wrapping_add(dot, q[i * d + e].wrapping_mul(k[j * d + e])); }
                    dot = dot.wrapping_mul(2);
                }
                s[i * n + j] = dot;
            }
        }
    }
    pub fn store(n: usize, d: usize, q: &[f32], k: &[f32], s: &mut [f32]) {
        #[omp::target(collapse(2), fp(strict))]
        for i in 0..n {
            for j in 0..n {
                if i > j {
                    let mut dot = 0.0f32;
                    for e in 0..d { dot += q[i * d + e] * k[j * d + e]; }
                    s[i * n + j] = dot;
                }
            }
        }
    }
    pub fn beyond_32_bits(n: usize, d: usize, q: &[i32], k: &[i32], s: &mut [i32]) {
        #[omp::target(collapse(2))]
        for i in 0..n {
            for j in 0..n {
                let mut dot = 7;
                if i < j + 4_000_000_000 {
                    for e in 0..d { dot = i32::wrapping_add(dot, q[i * d + e].wrapping_mul(k[j * d + e])); }
                }
                s[i * n + j] = dot;
            }
        }
    }
    pub fn sum_beyond_32_bits(first: usize, n: usize, d: usize, q: &[i32], k: &[i32], s: &mut [i32]) {
        #[omp::target(collapse(2))]
        for i in first..first + n {
            for j in first..first + n {
                let mut dot = 7;
                if i + j > 4_000_000_100 {
                    for e in 0..d { dot = i32::wrapping_add(dot, q[(i - first) * d + e].wrapping_mul(k[(j - first) * d + e])); }
                }
                s[(i - first) * n + j - first] = dot;
            }
        }
    }
    pub fn a(x: &mut [i32], y: &[i32], k: &[usize], n: usize) {
        #[omp::target]
        for (s, row) in x.chunks_exact_mut(n).enumerate() { let part = &y[s..s + k[s]]; for t in 0..k[s] { row[t] = part[t]; } }
    }
    pub fn b(x: &mut [i32], y: &[i32], k: &[usize], n: usize) {
        #[omp::target]
        for (s, row) in x.chunks_exact_mut(n).enumerate() { let part = &y[s..s + k[s]]; for t in 0..part.len() { row[t] = 1; } }
    }
    pub fn c(x: &mut [i32], y: &[i32], k: &[usize], n: usize) {
        #[omp::target]
        for (s, row) in x.chunks_exact_mut(n).enumerate() { let part = &y[s..k[s]]; for t in 0..part.len() { row[t] = 1; } }
    }
    pub fn e(x: &mut [i32], y: &[i32], k: &[usize], n: usize) {
        #[omp::target]
        for (s, row) in x.chunks_exact_mut(n).enumerate() { for t in 0..s + k[s] - s { row[t] = 1; } }
    }
    pub fn f(x: &mut [i32], y: &[i32], k: &[usize], n: usize) {
        #[omp::target]
        for (s, row) in x.chunks_exact_mut(n).enumerate() { let m = k[s]; for t in 0..m { row[t] = 1; } }
    }
    pub fn g(x: &mut [i32], y: &[i32], k: &[usize], n: usize) {
        #[omp::target]
        for (s, row) in x.chunks_exact_mut(n).enumerate() { let part = &y[..k[s]]; for t in 0..part.len() { row[t] = 1; } }
    }
}

/// The last region ran in tiles if it ran on a CUDA device.
fn in_tiles(d: usize) {
    let report = omp::last_region();
    if d != 0 && report.backend == "cuda" {
        assert_eq!((report.block[1], report.grid[1]), (1, 1), "{report}");
    }
}

#[test]
fn masked() {
    compare!(m, dev => {
        let (n, d) = (200, 67);
        let q: Vec<f32> = (0..n * d).map(|k| (k * 7 % 31) as f32 - 15.0).collect();
        let k: Vec<f32> = (0..n * d).map(|k| (k * 5 % 29) as f32 - 14.0).collect();
        let qi: Vec<i32> = q.iter().map(|v| *v as i32).collect();
        let ki: Vec<i32> = k.iter().map(|v| *v as i32).collect();
        let mut s = vec![0f32; n * n];
        m::scores(n, d, &q, &k, &mut s);
        in_tiles(dev);
        let mut t = vec![0; n * n];
        m::band(n, d, &qi, &ki, &mut t);
        in_tiles(dev);
        let mut u = vec![3f32; n * n];
        m::store(n, d, &q, &k, &mut u);
        let h = |v: &[f32]| v.iter().map(|v| u64::from(v.to_bits())).fold(7u64, |a, b| a.wrapping_mul(31).wrapping_add(b));
        (h(&s), t.iter().fold(7u64, |a, b| a.wrapping_mul(31).wrapping_add(*b as u64)), h(&u))
    });
}

/// Numbers in the condition that have more than the 32 bits of a program's.
#[test]
fn conditions_beyond_32_bits() {
    compare!(m, dev => {
        let (n, d) = (200, 67);
        let q: Vec<i32> = (0..n * d).map(|k| (k * 7 % 31) as i32 - 15).collect();
        let k: Vec<i32> = (0..n * d).map(|k| (k * 5 % 29) as i32 - 14).collect();
        let mut s = vec![0; n * n];
        m::beyond_32_bits(n, d, &q, &k, &mut s);
        let mut t = vec![0; n * n];
        m::sum_beyond_32_bits(2_000_000_000, n, d, &q, &k, &mut t);
        if dev != 0 && omp::last_region().backend == "cuda" {
            assert!(omp::last_region().grid[1] > 1, "no tiles");
        }
        (s, t)
    });
}

fn lengths() -> Vec<usize> {
    (0..5).map(|k| k % 3).collect()
}
fn values() -> Vec<i32> {
    (0..30).collect()
}
#[test]
fn a() {
    compare!(m, d => { let mut p = vec![-1; 20]; m::a(&mut p, &values(), &lengths(), 4); p });
}
#[test]
fn b() {
    compare!(m, d => { let mut p = vec![-1; 20]; m::b(&mut p, &values(), &lengths(), 4); p });
}
#[test]
fn c() {
    compare!(m, d => { let mut p = vec![-1; 20]; let k: Vec<usize> = (0..5).map(|k| k + 2).collect(); m::c(&mut p, &values(), &k, 4); p });
}
#[test]
fn e() {
    compare!(m, d => { let mut p = vec![-1; 20]; m::e(&mut p, &values(), &lengths(), 4); p });
}
#[test]
fn f() {
    compare!(m, d => { let mut p = vec![-1; 20]; m::f(&mut p, &values(), &lengths(), 4); p });
}
#[test]
fn g() {
    compare!(m, d => { let mut p = vec![-1; 20]; m::g(&mut p, &values(), &lengths(), 4); p });
}
