//! Where the type is not known, it might be one with NaN.
#[omp::offload]
fn maximum<T: omp::Device + PartialOrd>(x: &[T], start: T) -> T {
    let mut m = start;
    #[omp::target(reduction(max: m))]
    for i in 0..x.len() {
        m = if m > x[i] { m } else { x[i] };
    }
    m
}
fn main() {}
