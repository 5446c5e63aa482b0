//! `strip_prefix` and `strip_suffix` in forms that devices lack, on parts of arrays and slice variables.
#[omp::offload]
fn parts(x: &[u32], y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[..3].strip_prefix(&[3]).unwrap()[0];
        let s = &x[1..];
        y[i] += s.strip_suffix(&[3]).unwrap()[0];
    }
}

fn main() {}
