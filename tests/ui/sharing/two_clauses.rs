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

#[omp::offload]
#[allow(unused_assignments)]
fn parts(y: &mut [u32], mut p: (u32, u32), mut q: (u32, u32)) -> u32 {
    #[omp::target(private(p, p.1), lastprivate(q.0), reduction(+: q.1))]
    for i in 0..y.len() {
        p = (i as u32, 4);
        q.0 = p.1;
        q.1 += 1;
        y[i] = p.1;
    }
    #[omp::target]
    for i in 0..y.len() {
        let mut r = (0, 0);
        #[omp::simd(reduction(+: r.0), lastprivate(r))]
        for j in 0..4 {
            r.0 += j;
            r.1 = j;
        }
        y[i] = r.0 + r.1;
    }
    q.0 + q.1
}
