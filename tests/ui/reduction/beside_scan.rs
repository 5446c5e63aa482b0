//! Reductions beside a scan: of scalars, in the scan's order, without its values.
#[omp::offload]
fn beside(x: &[f32], y: &mut [f32], bins: &mut [u32], n: usize) -> f32 {
    let mut top = 0.0f32;
    #[omp::target(scan(+: y), reduction(+: bins))]
    for i in 1..n {
        y[i] = y[i - 1] + x[i];
        bins[i % 4] += 1;
    }
    #[omp::target(scan(+: y), reduction(reproducible, +: top))]
    for i in 1..n {
        y[i] = y[i - 1] + x[i];
        top += x[i];
    }
    #[omp::target(scan(+: y), reduction(max: top))]
    for i in 1..n {
        y[i] = y[i - 1] + x[i];
        top = top.max(y[i]);
    }
    top
}

#[omp::offload]
fn never_updated(x: &[f32], y: &mut [f32], n: usize) -> f32 {
    let top = 0.0f32;
    #[omp::target(scan(+: y), reduction(max: top))]
    for i in 1..n {
        y[i] = y[i - 1] + x[i];
    }
    top
}

fn main() {}
