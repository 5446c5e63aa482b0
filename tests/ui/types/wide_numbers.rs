//! A signed number of 128 bits: one error where its type is written.
#[omp::offload]
fn run(x: &[u32], y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        let a = x[i] as i128;
        let b = a * a + 1;
        y[i] = (b >> 64) as u32;
    }
    #[omp::target]
    for i in 0..y.len() {
        let a: i128 = x[i].into();
        y[i] = (a * a >> 64) as u32;
    }
}
fn main() {}
