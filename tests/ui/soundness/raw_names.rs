//! To rustc, `r#cfg` is `cfg` and `r#__omp_x` is `__omp_x`.
#[omp::offload]
fn statement(y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut q = i / 2;
        #[r#cfg(any())]
        { q = i; }
        y[q] += 1;
    }
}

#[omp::offload]
fn nested(y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        #[r#cfg_attr(all(), cfg(any()))]
        if i > 0 { continue; }
        y[i] = match i { #[r#cfg(any())] 0 => 1, _ => 2 };
    }
}

#[omp::offload]
fn directive(y: &mut [u64]) -> u64 {
    #[r#cfg(any())] #[omp::target] for i in 0..y.len() { y[i] += 1; }
    #[omp::target_data(map(tofrom: y))]
    {
        #[omp::target] for i in 0..y.len() { y[i] += 1; }
        #[r#cfg(any())]
        omp::target_update!(from(y));
    }
    y[0]
}

#[omp::offload]
fn wait(n: usize) -> u64 {
    let mut y = vec![1; n];
    #[omp::target(nowait)]
    for i in 0..y.len() { y[i] += 1; }
    #[r#cfg(any())]
    omp::taskwait!();
    y[0]
}

#[omp::declare_target]
fn called(v: u64, z: u64) -> u64 {
    let mut r = v;
    #[r#cfg(any())]
    { r = z; }
    r
}

#[omp::offload]
fn race(r#t: usize, y: &mut [u64], x: &[u64]) {
    #[omp::target(map(to: r#x))]
    for i in 0..y.len() { r#y[i % 2] = r#x[i]; }
    #[omp::target]
    for r#i in 0..x.len() { let t = r#t; y[t] = x[i]; }
}

#[omp::offload]
fn outside(t: bool, n: usize, y: &mut [u64]) {
    #[omp::target]
    for i in 0..n { let t = !t; let mut q = i; if r#t { q = i + 40; } y[q] = 9; }
}

#[omp::offload]
fn shadowed(y: &mut [u64], k: usize) -> u64 {
    #[omp::target_data(map(tofrom: y))]
    {
        #[omp::target]
        for i in 0..y.len() { y[i] += 1; }
        let mut r#y = [5u64; 4];
        if k == 1 { return r#y[0]; }
    }
    9
}

#[omp::offload]
fn ours(y: &mut [u64]) {
    #[omp::target]
    for i in 0..y.len() { let r#__omp_v = y[i]; y[i] = r#__omp_v; }
}

fn main() {}
