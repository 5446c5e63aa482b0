//! Methods of slices that devices lack, on parts of arrays, slice variables and parameters.
#[omp::offload]
fn parts(x: &[u32], y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[..3].strip_prefix(&[3]).unwrap()[0];
        let s = &x[1..];
        y[i] += s.strip_suffix(&[3]).unwrap()[0];
    }
}

#[omp::declare_target]
fn parameter(x: &[u32]) -> bool {
    x.strip_suffix(&[3]).is_some()
}

fn main() {}
