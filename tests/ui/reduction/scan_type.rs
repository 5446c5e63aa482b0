//! The type that a scan names is the one that its loop carries.

#[omp::offload]
fn elements(x: &[i64], y: &mut [i64]) {
    #[omp::scan(+, u32)]
    for i in 1..x.len() {
        y[i] = y[i - 1] + x[i];
    }
}

#[omp::offload]
fn scalar(x: &[f64], y: &mut [f64]) -> f64 {
    let mut s = 0.0;
    #[omp::scan(+, f32)]
    for i in 0..x.len() {
        s += x[i];
        y[i] = s;
    }
    s
}

fn main() {}
