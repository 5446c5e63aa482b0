//! A `&mut` under a name of its own refers to one place, and iterations may not meet there.
#[omp::offload]
fn moves(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut p = &mut y[i];
        *p += 1.0;
        p = &mut y[0];
        *p += 1.0;
    }
}
#[omp::offload]
fn one(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        let p = &mut y[0];
        *p += i as f32;
    }
}
#[omp::offload]
fn rows(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() - 1 {
        let p = &mut y[i..i + 2];
        p[0] = 1.0;
    }
}
#[omp::offload]
fn task(y: &[f32], total: &mut f32) {
    #[omp::target(nowait, reduction(+: total))]
    for i in 0..y.len() {
        *total += y[i];
    }
    omp::taskwait!();
}
fn main() {}
