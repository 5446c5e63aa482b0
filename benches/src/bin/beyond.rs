//! Scans and sums of more than 2³² elements, checked: `beyond [ELEMENTS]`. Needs three bytes of host memory and two of the
//! device's for each; run it with OMP_BACKEND=cuda and OMP_TARGET_OFFLOAD=mandatory.
use omp_benches::{host, mix};
use rayon::prelude::*;

#[omp::offload]
fn sum(x: &[u8]) -> u64 {
    let mut sum = 0;
    #[omp::target(reduction(+: sum))]
    for i in 0..x.len() {
        sum += u64::from(x[i]);
    }
    sum
}

#[omp::offload]
fn inclusive(x: &[u8], y: &mut [u8]) {
    y[0] = x[0];
    #[omp::scan(+)]
    for i in 1..x.len() {
        y[i] = y[i - 1].wrapping_add(x[i]);
    }
}

#[omp::offload]
fn exclusive(x: &[u8], y: &mut [u8]) -> u8 {
    let mut sum = 7u8;
    #[omp::target(map(to: x), map(from: y), scan(+: sum))]
    for i in 0..x.len() {
        y[i] = sum;
        sum = sum.wrapping_add(x[i]);
    }
    sum
}

#[omp::offload]
fn backwards(x: &[u8], y: &mut [u8]) -> u8 {
    let mut sum = 0u8;
    #[omp::target(map(to: x), map(from: y), scan(+: sum))]
    for i in (0..x.len()).rev() {
        sum = sum.wrapping_add(x[i]);
        y[i] = sum;
    }
    sum
}

#[omp::offload]
fn odd(x: &[u8], kept: &mut [u8]) -> usize {
    let mut count = 0usize;
    #[omp::target(map(to: x), map(from: kept), scan(+: count), disjoint(kept))]
    for i in 0..x.len() {
        if x[i] & 1 == 1 {
            kept[count] = x[i];
        }
        count += usize::from(x[i] & 1 == 1);
    }
    count
}

fn main() {
    let n = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or((1 << 32) + 12_345);
    let x: Vec<u8> = (0..n).into_par_iter().map(|i| mix(i as u64) as u8).collect();
    let mut y = vec![0u8; n];
    let peer = || format!("omp_{}", omp::last_region().backend);
    let mut found = 0;
    let line = host("", "sum_u8", 1, || found = sum(&x));
    line.by(&peer()).print(found == x.par_iter().map(|v| u64::from(*v)).sum());

    let line = host("", "inclusive_u8", 1, || inclusive(&x, &mut y));
    line.by(&peer())
        .print(y[0] == x[0] && (1..n).into_par_iter().all(|i| y[i] == y[i - 1].wrapping_add(x[i])));

    let mut last = 0;
    let line = host("", "exclusive_u8", 1, || last = exclusive(&x, &mut y));
    let next = |i: usize| y.get(i + 1).copied().unwrap_or(last);
    line.by(&peer()).print(y[0] == 7 && (0..n).into_par_iter().all(|i| next(i) == y[i].wrapping_add(x[i])));

    let line = host("", "backwards_u8", 1, || last = backwards(&x, &mut y));
    let before = |i: usize| y.get(i + 1).copied().unwrap_or(0);
    line.by(&peer())
        .print(last == y[0] && (0..n).into_par_iter().all(|i| y[i] == before(i).wrapping_add(x[i])));

    let mut count = 0;
    let line = host("", "odd_u8", 1, || count = odd(&x, &mut y));
    let mut want = x.iter().filter(|v| *v & 1 == 1);
    line.by(&peer()).print(y[..count].iter().all(|v| want.next() == Some(v)) && want.next().is_none());
}
