//! Items that the body does not update by their operator, or touches otherwise.
#[omp::offload]
fn other(x: &[u64]) -> u64 {
    let mut p = 1;
    #[omp::target(reduction(+: p))]
    for i in 0..x.len() {
        p *= x[i];
    }
    p
}

#[omp::offload]
fn mirrored(x: &[u64]) -> u64 {
    let mut least = u64::MAX;
    #[omp::target(reduction(max: least))]
    for i in 0..x.len() {
        if x[i] < least {
            least = x[i];
        }
    }
    least
}

#[omp::offload]
fn read(x: &[u32], y: &mut [u32]) -> u32 {
    let mut run = 0;
    #[omp::target(reduction(+: run))]
    for i in 0..y.len() {
        run += x[i];
        y[i] = run;
    }
    run
}

#[omp::offload]
fn stored(x: &[u32]) -> u32 {
    let mut last = 0;
    #[omp::target(reduction(max: last))]
    for i in 0..x.len() {
        last = x[i];
    }
    last
}

#[omp::offload]
fn unused(x: &[u32]) -> (u32, u32) {
    let (mut above, mut below) = (0, 0);
    #[omp::target(reduction(+: above, below))]
    for i in 0..x.len() {
        if x[i] > 3 {
            above += 1;
        }
    }
    below += 1;
    (above, below)
}

#[omp::offload]
fn truth(x: &[i32]) -> i32 {
    let mut all = 1;
    #[omp::target(reduction(&&: all))]
    for i in 0..x.len() {
        all = (all != 0 && x[i] % 2 == 0) as i32;
    }
    all
}

#[omp::offload]
fn ordering(x: &[i32]) -> (i32, i32) {
    let (mut high, mut low) = (0, 0);
    #[omp::target(reduction(max: high), reduction(min: low))]
    for i in 0..x.len() {
        match x[i].cmp(&high) {
            std::cmp::Ordering::Greater => high = x[i],
            _ => {}
        }
        if x[i] >= low {
            continue;
        }
        low = x[i];
    }
    (high, low)
}

fn main() {}
