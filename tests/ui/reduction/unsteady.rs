//! Updates in which something else happens that depends on a thread's own value, or on how often a subscript is evaluated.
#[derive(Clone, Copy, omp::Device)]
struct Count {
    n: u32,
}

#[omp::declare_target]
impl Count {
    fn up(&mut self) -> bool {
        self.n += 1;
        true
    }
}

#[omp::offload]
fn marks(x: &[u32], y: &mut [u32]) -> u32 {
    let mut top = 0;
    #[omp::target(reduction(max: top))]
    for i in 0..x.len() {
        if x[i] > top && { y[i] = 1; true } {
            top = x[i];
        }
    }
    top
}

#[omp::offload]
fn counts(x: &[u32], y: &mut [u32]) -> u32 {
    let mut top = 0;
    #[omp::target(reduction(max: top))]
    for i in 0..x.len() {
        let mut k = 0;
        top = if x[i] > top { { k += 1; x[i] } } else { top };
        y[i] = k;
    }
    top
}

#[omp::offload]
fn methods(x: &[u32], y: &mut [u32]) -> u32 {
    let mut top = 0;
    #[omp::target(reduction(max: top))]
    for i in 0..x.len() {
        let mut count = Count { n: 0 };
        if x[i] > top && count.up() {
            top = x[i];
        }
        y[i] = count.n;
    }
    top
}

#[omp::offload]
fn leaves(x: &[u32], y: &mut [u32]) -> u32 {
    let mut top = 0;
    #[omp::target(reduction(max: top))]
    for i in 0..x.len() {
        if x[i] > top && { continue; } {
            top = x[i];
        }
        y[i] = 1;
    }
    top
}

#[omp::offload]
fn subscripts(x: &[usize], bins: &mut [u32]) {
    #[omp::target(reduction(+: bins))]
    for i in 0..x.len() {
        let mut k = x[i];
        bins[{ k += 1; k & 3 }] = bins[{ k += 1; k & 3 }] + 1;
    }
}

#[omp::offload]
fn moves_on(x: &[usize], bins: &mut [u32]) {
    #[omp::target(reduction(+: bins))]
    for i in 0..x.len() {
        let mut k = x[i] & 3;
        bins[k] = bins[k] + { k = (k + 1) & 3; 1 };
    }
}

#[omp::declare_target]
fn max(a: u32, b: u32) -> u32 {
    a.saturating_sub(b)
}

#[omp::offload]
fn namesake(x: &[u32]) -> u32 {
    let mut top = 9;
    #[omp::target(reduction(max: top))]
    for i in 0..x.len() {
        top = max(top, x[i]);
    }
    top
}

fn main() {}
