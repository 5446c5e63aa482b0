//! `omp::scan!` says what the order of the statements has to be.
#[omp::offload]
fn turned(x: &[u32], y: &mut [u32]) {
    let mut s = 0;
    #[omp::target(reduction(inscan, +: s))]
    for i in 0..y.len() {
        s += x[i];
        omp::scan!(exclusive(s));
        y[i] = s;
    }
}
#[omp::offload]
fn turned_too(x: &[u32], y: &mut [u32]) {
    let mut s = 0;
    #[omp::target(reduction(inscan, +: s))]
    for i in 0..y.len() {
        y[i] = s;
        omp::scan!(inclusive(s));
        s += x[i];
    }
}
#[omp::offload]
fn others(x: &[u32], y: &mut [u32]) {
    let (mut s, mut t) = (0, 0);
    #[omp::target(reduction(inscan, +: s, t))]
    for i in 0..y.len() {
        s += x[i];
        t += 1;
        omp::scan!(inclusive(s));
        y[i] = s + t;
    }
    #[omp::target(reduction(inscan, +: s))]
    for i in 0..y.len() {
        s += x[i];
        omp::scan!(inclusive(s, x));
        y[i] = s;
    }
    #[omp::target(reduction(inscan, +: s))]
    for i in 0..y.len() {
        s += x[i];
        omp::scan!(s);
        y[i] = s;
    }
}
#[omp::offload]
fn twice(x: &[u32], y: &mut [u32]) {
    let mut s = 0;
    #[omp::target(reduction(inscan, +: s))]
    for i in 0..y.len() {
        s += x[i];
        omp::scan!(inclusive(s));
        omp::scan!(inclusive(s));
        y[i] = s;
    }
}
#[omp::offload]
fn none(x: &[u32], y: &mut [u32]) {
    let mut s = 0;
    #[omp::target]
    for i in 0..y.len() {
        s += x[i];
        omp::scan!(inclusive(s));
        y[i] = s;
    }
}
#[omp::offload]
fn in_a_fixed_order(x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    #[omp::target(reduction(inscan, reproducible, +: s))]
    for i in 0..y.len() {
        s += x[i];
        omp::scan!(inclusive(s));
        y[i] = s;
    }
}
fn main() {}
