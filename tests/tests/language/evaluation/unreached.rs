//! Statements that nothing reaches, and values that are computed before something leaves: each program with its directives on
//! every device, and without them.
#![forbid(unsafe_code)]
#![allow(
    missing_docs,
    unused_mut,
    redundant_semicolons,
    unreachable_code,
    unreachable_patterns,
    arithmetic_overflow,
    unused_parens,
    unused_braces,
    clippy::all,
    clippy::pedantic
)]
use omp_tests::{compare, twice};
use std::panic::catch_unwind;

#[omp::declare_target]
pub fn shifted<T: omp::Device + std::ops::Shl<u32, Output = T>>(x: T) -> T {
    x << 9u32
}

#[omp::declare_target]
pub fn pair(a: u8, b: u8) -> u8 {
    a / 2 + b / 2
}

twice! {
    /// What is not written keeps its value, and is a `bool`.
    pub fn elements(d: usize, run: usize) -> Vec<bool> {
        let (mut y, x) = (vec![true; 36000], vec![1; 18000]);
        let n = 18000;
        match run {
            0 => {
                #[omp::target(device(d))]
                for i in 0..36000 { continue; y[i] = false; }
            }
            1 => {
                #[omp::target(device(d))]
                for i in 0..n { 'a: { break 'a; y[i] = false; } }
            }
            2 => {
                #[omp::target(device(d))]
                for i in 0..n { for k in 0..2 { continue; y[2 * i + k] = false; } }
            }
            3 => {
                #[omp::target(device(d))]
                for i in 0..n { let v = x[i] + { continue; 1 }; y[i] = v > 0; }
            }
            _ => {
                #[omp::target(device(d))]
                for i in 0..900 {
                    #[omp::parallel_for]
                    for j in 0..40 { continue; y[i * 40 + j] = false; }
                }
            }
        }
        y
    }

    /// A guard that leaves is one of its arm, arms behind one that always fits are none, and so are arguments behind one that leaves.
    pub fn arms(d: usize, _: usize) -> Vec<u64> {
        let (mut y, x) = (vec![0; 64], vec![7, 3]);
        #[omp::target(device(d))]
        for i in 0..y.len() {
            let mut s = 0;
            for k in 0..4 {
                s += match (i + k) % 5 {
                    1 | 2 if k > 2 => 50,
                    n @ (1 | 4) if { s += n; break } => 1,
                    2 => 2,
                    n => n,
                    0 => x[i],
                };
            }
            match i % 4 {
                1 if { y[i] = 7; continue } => y[i] = 1,
                2 => y[i] = 2,
                _ => y[i] = 3,
            };
            ;
            if i == 13 { y[i] = u64::from(pair({ continue }, x[i] as u8)); }
            y[i] += s as u64 * 10 + (({ 3_000_000_000 } as u64) ^ (!!3_000_000_000 as u64) << 1) + -(-3_000_000_000) as i64 as u64;
        }
        y
    }

    /// In a debug build all of these overflow, before they leave or whatever becomes of the value.
    pub fn overflows(d: usize, run: usize) -> Vec<u8> {
        let (mut y, x) = (vec![0u8; 16], vec![250u8; 16]);
        match run {
            0 => {
                #[omp::target(device(d))]
                for i in 0..16 { y[i] = (x[i] + 10) ^ { if i < 20 { continue; } 1 }; }
            }
            1 => {
                #[omp::target(device(d))]
                for i in 0..16 { y[i] = [x[i] + 10, { continue }][0]; }
            }
            2 => {
                #[omp::target(device(d))]
                for i in 0..16 { y[i] = pair(x[i] + 10, { continue }); }
            }
            3 => {
                #[omp::target(device(d))]
                for i in 0..16 { y[i] = (x[i] + 10).max({ if i < 20 { continue } 3 }); }
            }
            4 => {
                #[omp::target(device(d))]
                for i in 0..16 { match (x[i] + 10, { if i < 20 { continue } 3 }) { (a, b) => y[i] = a ^ b } }
            }
            5 => {
                #[omp::target(device(d))]
                for i in 0..16 { y[i] = shifted(i as u8); }
            }
            _ => {
                #[omp::target(device(d))]
                for i in 0..16 { y[i] = if i == 5 { (i as u32) << 40 } else { 2 } as u8; }
            }
        }
        y
    }
}

#[test]
fn what_nothing_reaches_writes_nothing() {
    for run in 0..5 {
        compare!(m, d => m::elements(d, run));
    }
    compare!(m, d => m::arms(d, 0));
}

#[test]
fn what_comes_before_a_jump_may_fail() {
    for run in 0..7 {
        compare!(m, d => catch_unwind(|| m::overflows(d, run)).map_err(|_| "failed"));
    }
}
