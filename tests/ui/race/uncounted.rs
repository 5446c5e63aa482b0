//! Compaction that is no scan as it stands: stores that iterations don't count, and a bound that reads the counter.
#[omp::offload]
fn stores_first(x: &[f32], y: &mut [f32]) -> usize {
    let mut n = 0;
    #[omp::target]
    for i in 0..x.len() {
        y[n] = x[i];
        if x[i] > 0.5 {
            n += 1;
        }
    }
    n
}

#[omp::offload]
fn under_a_clause(x: &[f32], y: &mut [f32]) -> usize {
    let mut n = 0;
    #[omp::target(scan(+: n))]
    for i in 0..x.len() {
        y[n] = x[i];
        if x[i] > 0.5 {
            n += 1;
        }
    }
    n
}

#[omp::offload]
fn by_a_truth(x: &[f32], y: &mut [f32]) -> usize {
    let mut n = 0;
    #[omp::scan(+)]
    for i in 0..x.len() {
        y[n] = x[i];
        n += usize::from(x[i] > 0.5);
    }
    n
}

#[omp::offload]
fn before_continue(x: &[f32], y: &mut [f32]) -> usize {
    let mut n = 0;
    #[omp::target]
    for i in 0..x.len() {
        y[n] = x[i];
        if x[i] > 0.5 {
            continue;
        }
        n += 1;
    }
    n
}

#[omp::offload]
fn bounded(x: &[f32], y: &mut [f32], limit: usize) -> usize {
    let mut n = 0;
    #[omp::target]
    for i in 0..x.len() {
        if x[i] > 0.5 && n < limit {
            y[n] = x[i];
            n += 1;
        }
    }
    n
}

fn main() {}
