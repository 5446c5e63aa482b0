//! Races through closures that functions are handed, and through slices that they return.
#[omp::declare_target]
fn each(n: usize, mut f: impl FnMut(usize)) {
    for k in 0..n {
        f(k);
    }
}

#[omp::declare_target]
fn row(a: &mut [f32], i: usize, n: usize) -> &mut [f32] {
    &mut a[i * n..][..n]
}

#[omp::offload]
fn closure(y: &mut [f32], x: &[f32]) {
    #[omp::target]
    for i in 0..x.len() {
        each(4, |k| y[k] += x[i]);
    }
}

#[omp::offload]
fn scalar(x: &[f32]) -> f32 {
    let mut total = 0.0;
    #[omp::target]
    for i in 0..x.len() {
        each(2, |_| total += x[i]);
    }
    total
}

#[omp::offload]
fn neighbours(y: &mut [f32], n: usize) {
    #[omp::target]
    for i in 0..n {
        let r = &mut y[i..][..2];
        r[0] = 1.0;
        r[1] = 2.0;
    }
}

#[omp::offload]
fn one_row(y: &mut [f32], n: usize) {
    #[omp::target]
    for i in 0..n {
        let r = row(y, 3, n);
        r[0] = i as f32;
    }
}

fn main() {}
