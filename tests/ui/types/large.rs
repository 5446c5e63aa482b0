//! An array in a device type that rustc could not hold while it compiles.
#[derive(Clone, Copy, omp::Device)]
struct Huge {
    of: [u64; 1 << 40],
}
#[omp::offload]
fn run(v: &mut [Huge]) {
    #[omp::target]
    for i in 0..v.len() {
        v[i].of[3] = 1;
    }
}
fn main() {}
