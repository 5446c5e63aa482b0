//! What the guards of arms do, and that what an arm binds is hidden from the other arms.
#[omp::offload]
fn reads(x: &[u32], y: &mut [u32]) {
    #[omp::target]
    for i in 1..x.len() {
        match x[i] {
            v if y[i - 1] > v => y[i] = 1,
            _ => y[i] = 2,
        }
    }
}

#[omp::offload]
fn assigns(x: &[u32], y: &mut [u32]) {
    let mut t = 0;
    #[omp::target]
    for i in 0..x.len() {
        match x[i] {
            v if { t = v; true } => y[i] = t,
            _ => {}
        }
    }
}

#[omp::offload]
fn reduced(x: &[u32], y: &mut [u32]) -> u32 {
    let mut top = 0;
    #[omp::target(reduction(max: top))]
    for i in 0..x.len() {
        match x[i] {
            v if v > top => y[i] = 1,
            _ => {}
        }
        top = top.max(x[i]);
    }
    top
}

#[omp::offload]
fn hidden(x: &[u32], y: &mut [u32], k: usize) {
    #[omp::target]
    for i in 0..x.len() {
        match i {
            k if k < 3 => y[k] = 1,
            _ => y[k] = 2,
        }
    }
}

#[omp::offload]
fn after(x: &[u32], y: &mut [u32]) -> u32 {
    let mut t = 0;
    #[omp::target(private(t))]
    for i in 0..x.len() {
        t = x[i];
        y[i] = t;
    }
    match 3 {
        _ if t == 0 => 1,
        _ => 2,
    }
}

fn main() {}
