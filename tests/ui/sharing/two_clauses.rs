//! One data-sharing clause for each variable, and all named under `default(none)`.
#[omp::offload]
fn two(x: &[i64]) -> i64 {
    let mut sum = 0;
    #[omp::target(private(sum), reduction(+: sum))]
    for i in 0..x.len() {
        sum += x[i];
    }
    sum
}

#[omp::offload]
fn again(x: &[i64], y: &mut [i64]) {
    let (a, b) = (1, 2);
    #[omp::target(firstprivate(a, b), firstprivate(a), private(y), map(to: x), map(from: y))]
    for i in 0..x.len() {
        y[i] = a * x[i] + b;
    }
}

#[omp::offload]
fn unnamed(a: i64, x: &[i64], y: &mut [i64], n: usize) {
    #[omp::target(default(none), map(to: x), map(from: y))]
    for i in 0..n {
        y[i] = a * x[i];
    }
}

fn main() {}
