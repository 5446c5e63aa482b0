//! A filter as people write it first.

#[omp::offload]
fn positive(x: &[i32], kept: &mut [i32]) -> usize {
    let mut n = 0;
    #[omp::target]
    for i in 0..x.len() {
        if x[i] > 0 {
            kept[n] = x[i];
            n += 1;
        }
    }
    n
}

#[omp::offload]
fn pushed(x: &[i32]) -> Vec<i32> {
    let mut kept = Vec::new();
    #[omp::target]
    for i in 0..x.len() {
        if x[i] > 0 {
            kept.push(x[i]);
        }
    }
    kept
}

#[omp::offload]
fn running(x: &[u32], y: &mut [u32]) {
    let mut s = 0;
    #[omp::target]
    for i in 0..x.len() {
        s += x[i];
        y[i] = s;
    }
}

#[omp::offload]
fn place_of_largest(x: &[f32]) -> usize {
    let mut best = (f32::MIN, 0);
    #[omp::target(reduction(max: best))]
    for (i, v) in x.iter().enumerate() {
        if *v > best.0 {
            best = (*v, i);
        }
    }
    best.1
}

fn main() {}
