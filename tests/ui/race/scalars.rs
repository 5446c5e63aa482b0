//! A captured scalar is one for all iterations.
#[omp::offload]
fn sum(x: &[f64]) -> f64 {
    let mut s = 0.0;
    #[omp::target]
    for i in 0..x.len() {
        s += x[i];
    }
    s
}

#[omp::offload]
fn greatest(x: &[f64]) -> f64 {
    let mut s = 0.0;
    #[omp::target]
    for i in 0..x.len() {
        s = x[i].max(s);
    }
    s
}

#[omp::offload]
fn temporary(x: &[f64], out: &mut [f64]) {
    let mut d;
    #[omp::target]
    for i in 0..out.len() {
        d = x[i] - 1.0;
        out[i] = d * d;
    }
}

#[omp::offload]
fn found(x: &[u32]) -> usize {
    let mut at = 0;
    #[omp::target]
    for i in 0..x.len() {
        if x[i] == 7 {
            at = i;
        }
    }
    at
}

#[omp::offload]
fn carried(x: &[f64], out: &mut [f64]) {
    let mut d = 0.0;
    #[omp::target(firstprivate(d))]
    for i in 0..out.len() {
        out[i] = d;
        d = x[i];
    }
}

fn main() {}
