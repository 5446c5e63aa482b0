//! An array in a device type that rustc could not hold while it compiles.
#[derive(Clone, Copy, omp::Device)]
#[repr(u8)]
enum Huge {
    A([u64; 1 << 40]),
    B,
}
#[omp::offload]
fn run(v: &mut [Huge]) {
    #[omp::target]
    for i in 0..v.len() {
        v[i] = Huge::B;
    }
}
fn main() {}
