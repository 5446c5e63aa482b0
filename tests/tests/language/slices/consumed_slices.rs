//! Slices that a loop consumes by `split_at_mut`, `std::mem::take` and `&mut rest[n..]`, and changes; values that references swap.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, twice};

twice! {
#[omp::declare_target]
fn runs(kind: u32, body: &[u32], out: &mut [i64]) {
    if kind == 0 { out.fill(7); return; }
    let mut rest = out;
    for run in body.chunks_exact(2) {
        let (value, len) = (run[0] as i32, run[1] as usize);
        let (head, tail) = rest.split_at_mut(len);
        head.fill(i64::from(value));
        rest = tail;
    }
}
#[omp::declare_target]
fn runs_in_arm(kind: u32, body: &[u32], out: &mut [i64]) {
    match kind {
        0 => out.fill(7),
        _ => {
            let mut rest = &mut out[..];
            for run in body.chunks_exact(2) {
                let (value, len) = (run[0] as i32, run[1] as usize);
                let (head, tail) = rest.split_at_mut(len);
                head.fill(i64::from(value));
                rest = tail;
            }
        }
    }
}
#[omp::declare_target]
fn taken(body: &[u32], out: &mut [i64]) -> usize {
    let mut rest: &mut [i64] = out;
    let mut n = 0;
    for run in body.chunks_exact(2) {
        let len = (run[1] as usize).min(rest.len());
        let (head, tail) = std::mem::take(&mut rest).split_at_mut(len);
        for (k, h) in head.iter_mut().enumerate() { *h += k as i64 + 10; }
        if !head.is_empty() { head[0] += 1; }
        rest = tail;
        n += 1;
        if rest.is_empty() { break; }
    }
    rest.fill(-1);
    n
}
#[omp::declare_target]
fn by_twos(out: &mut [i64]) {
    let mut rest = &mut out[..];
    while rest.len() >= 2 {
        rest[1] *= 2;
        rest = &mut rest[2..];
    }
}
#[omp::declare_target]
fn chunks_of(x: &[u32], n: usize) -> u32 {
    let mut rest = x;
    let mut s = 0;
    while rest.len() > n {
        let (a, b) = rest.split_at(n);
        s = s * 3 + a.iter().sum::<u32>();
        rest = b;
    }
    s + rest.len() as u32
}
pub fn consumed(d: usize, x: &[u32], y: &mut [i64]) {
    #[omp::target(device(d))]
    for (i, row) in y.chunks_exact_mut(4).enumerate() {
        let b = &x[4 * i..4 * i + 4];
        runs(i as u32 % 2, b, row);
        row[3] += taken(b, row) as i64;
        by_twos(row);
        runs_in_arm(2, &[7, 1, 2, 1], row);
        row[0] += chunks_of(x, 1 + i) as i64;
        let mut rest = &mut row[1..];
        for k in 0..2 {
            let (one, others) = rest.split_at_mut(1);
            one[0] += k;
            rest = others;
        }
    }
}
#[omp::declare_target]
fn sort2(a: &mut f64, b: &mut f64) { if *a > *b { std::mem::swap(a, b); } }
#[omp::declare_target]
fn bump(a: &mut u32) -> u32 { let old = std::mem::replace(a, 7); old + std::mem::take(a) }
#[omp::declare_target]
fn insert(top: &mut [Option<u32>; 4], mut v: u32) {
    for slot in top.iter_mut() {
        match slot {
            Some(held) if *held >= v => {}
            Some(held) => std::mem::swap(held, &mut v),
            None => { *slot = Some(v); return; }
        }
    }
}
#[omp::declare_target]
fn second(top: &mut [Option<u32>; 4]) -> u32 {
    if let Some(held) = &mut top[1] { std::mem::replace(held, 100) } else { 0 }
}
pub fn swapped(d: usize, x: &[f64], y: &mut [f64]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let (mut a, mut b) = (x[i], x[i + 1]);
        sort2(&mut a, &mut b);
        let mut k = 3;
        let mut t = [None; 4];
        for &v in x { insert(&mut t, v as u32); }
        let s = second(&mut t);
        y[i] = a + 2.0 * b + bump(&mut k) as f64 + k as f64 + t.iter().flatten().sum::<u32>() as f64 * 10.0 + s as f64;
        for j in 0..2 {
            let mut c = 3.0;
            let p = &mut a;
            std::mem::swap(p, &mut c);
            y[i] += c + j as f64;
        }
    }
}
}

#[test]
fn slices_are_consumed() {
    compare!(m, d => {
        let x = [1, 1, 2, 2, 3, 3, 4, 1, 0, 0, 5, 9];
        let mut y = vec![0; 12];
        m::consumed(d as _, &x, &mut y);
        y
    });
}

/// Beyond the end they fail as in Rust.
#[test]
fn consumed_beyond_the_end() {
    omp_tests::on_every_device(|d| {
        let run =
            std::panic::AssertUnwindSafe(|| device::consumed(d, &[1, 1, 1, 1, 1, 9, 1, 1], &mut [0; 8]));
        assert!(std::panic::catch_unwind(run).is_err());
    });
}

#[test]
fn references_swap_values() {
    compare!(m, d => {
        let x = [3.0, 1.0, 2.0, 9.0, 5.0];
        let mut y = vec![0.0; 4];
        m::swapped(d as _, &x, &mut y);
        y
    });
}
