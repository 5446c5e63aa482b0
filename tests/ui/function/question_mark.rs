//! `?` returns from a device function, which has no loop around it.
#[omp::declare_target]
fn half(x: u32) -> Option<u32> {
    if x % 2 == 0 { Some(x / 2) } else { None }
}

#[omp::declare_target]
fn quarter(x: u32) -> Option<u32> {
    let h = half(x)?;
    half(h)
}

fn main() {}
