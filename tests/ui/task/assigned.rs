//! A variable that is a reference comes to refer to something else, while tasks use what it referred to.
struct Part<'a> {
    x: &'a mut [f32],
    sum: f32,
}

#[omp::offload]
fn another(a: &mut [f32], b: &mut [f32]) -> f32 {
    let mut y = &mut a[..];
    #[omp::target(nowait)]
    for i in 0..y.len() {
        y[i] = 1.0;
    }
    y = b;
    y[0]
}

#[omp::offload]
fn swapped<'a>(mut a: &'a mut [f32], mut b: &'a mut [f32]) {
    for _ in 0..3 {
        #[omp::target(nowait)]
        for i in 0..a.len() {
            b[i] = a[i];
        }
        (a, b) = (b, a);
    }
}

#[omp::offload]
fn owners<'a>(mut part: &'a mut Part<'a>, other: &'a mut Part<'a>) {
    #[omp::target(nowait, reduction(+: part.sum))]
    for i in 0..part.x.len() {
        part.sum += part.x[i];
    }
    part = other;
    part.sum += 1.0;
}

#[omp::offload]
fn fields<'a>(part: &mut Part<'a>, x: &'a mut [f32]) {
    #[omp::target(nowait)]
    for i in 0..part.x.len() {
        part.x[i] = 1.0;
    }
    part.x = x;
}

#[omp::offload]
fn in_a_bound(y: &mut [f32], z: &mut [f32]) -> usize {
    let mut k = 0;
    #[omp::target(nowait, reduction(+: k))]
    for i in 0..y.len() {
        k += i;
    }
    #[omp::target(nowait)]
    for i in { k -= 1; 0 }..z.len() {
        z[i] = 1.0;
    }
    k
}

/// These are right.
#[omp::offload]
fn waited_for<'a>(mut a: &'a mut [f32], mut b: &'a mut [f32]) {
    for _ in 0..3 {
        #[omp::target(nowait)]
        for i in 0..a.len() {
            b[i] = a[i];
        }
        omp::taskwait!();
        (a, b) = (b, a);
    }
}

#[omp::offload]
fn only_read(x: &[f32], y: &mut [f32]) {
    let mut left = x;
    while !left.is_empty() {
        #[omp::target(nowait)]
        for i in 0..y.len() {
            y[i] += left[i];
        }
        left = &left[y.len()..];
    }
}

#[omp::offload]
fn values(y: &mut [f32]) -> f32 {
    let mut sum = 0.0;
    #[omp::target(nowait, reduction(+: sum))]
    for i in 0..y.len() {
        sum += y[i];
    }
    sum = 2.0 * sum;
    sum
}

fn main() {}
