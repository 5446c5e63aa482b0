//! Words of other languages, and near misses.
#[omp::offload]
fn map_types(x: &[f32], y: &mut [f32]) {
    #[omp::target(map(inout: y), map(copyin: x))]
    for i in 0..x.len() {
        y[i] += x[i];
    }
}

#[omp::offload]
fn clauses(x: &[f32], y: &mut [f32]) {
    #[omp::target(copyin(x), num_gangs(4))]
    for i in 0..x.len() {
        y[i] = x[i];
    }
}

#[omp::offload]
fn operators(x: &[f32]) -> (f32, f32) {
    let (mut s, mut m) = (0.0, 0.0f32);
    #[omp::target(reduction(plus: s), reduction(maxx: m))]
    for i in 0..x.len() {
        s += x[i];
        m = m.max(x[i]);
    }
    (s, m)
}

#[omp::offload]
fn no_colon(x: &[f32]) -> f32 {
    let mut s = 0.0;
    #[omp::target(reduction(+ s))]
    for i in 0..x.len() {
        s += x[i];
    }
    s
}

#[omp::offload]
fn borrowed(x: &[f32], y: &mut [f32]) {
    #[omp::target(map(to: x.as_slice()), map(from: &mut y))]
    for i in 0..x.len() {
        y[i] = x[i];
    }
}

#[omp::offload]
fn misspelt_item(x: &[f32]) -> f32 {
    let mut total = 0.0;
    #[omp::target(reduction(+: totl))]
    for i in 0..x.len() {
        total += x[i];
    }
    total
}

#[omp::offload]
fn negative(y: &mut [f32]) {
    #[omp::target(device(-1), simdlen(0))]
    for i in 0..y.len() {
        y[i] = 1.0;
    }
}

/// The clause's and the directive's own spelling of a scan.
#[omp::offload]
fn scanned(x: &[u64], y: &mut [u64], s: &mut u64) {
    #[omp::target(scan(+, u64: s))]
    for i in 0..x.len() {
        *s += x[i];
        y[i] = *s;
    }
    #[omp::target(scan(+))]
    for i in 1..x.len() {
        y[i] = y[i - 1] + x[i];
    }
}

fn main() {}
