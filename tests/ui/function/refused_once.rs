//! A refused device function is one error: neither rustc's own of the same comes with it, nor one where the function is called.

#[omp::declare_target]
fn half(x: u32) -> Option<u32> {
    if x % 2 == 0 { Some(x / 2) } else { None }
}

#[omp::declare_target]
fn number(x: u32) -> u32 {
    let h = half(x)?;
    h + 1
}

#[omp::declare_target]
fn pair(x: u32) -> (u32, bool) {
    (half(half(x)?)?, true)
}

#[omp::declare_target]
fn nothing(x: &mut u32) {
    *x = half(*x)?;
}

#[omp::declare_target(device_type(nohost))]
fn with_arguments(x: u32) -> u32 {
    x + 2
}

#[omp::offload]
fn run(y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut t = number(y[i]) + pair(y[i]).0;
        nothing(&mut t);
        y[i] = t + with_arguments(y[i]);
    }
}

fn main() {}
