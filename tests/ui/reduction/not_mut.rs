//! One error for a variable that is not `mut`, a parameter, too.

#[omp::offload]
fn reduced(x: &[f32]) -> f32 {
    let s = 0.0;
    #[omp::target(reduction(+: s))]
    for i in 0..x.len() {
        s += x[i];
    }
    s
}

#[omp::offload]
fn scanned(x: &[u32], y: &mut [u32]) -> u32 {
    let s: u32 = 0;
    #[omp::target(scan(+: s))]
    for i in 0..x.len() {
        s += x[i];
        y[i] = s;
    }
    s
}

#[omp::offload]
fn of_a_parameter(x: &[f32], s: f32) -> f32 {
    #[omp::target(reduction(+: s))]
    for i in 0..x.len() {
        s += x[i];
    }
    s
}

#[omp::offload]
fn behind_a_reference(x: &[f32], s: &mut f32) -> f32 {
    let t = &mut *s;
    #[omp::target(reduction(+: *t))]
    for i in 0..x.len() {
        *t += x[i];
    }
    *t
}

fn main() {}
