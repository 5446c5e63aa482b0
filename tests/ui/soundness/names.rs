//! What phases of the macros tell each other can't be said by users.
#[omp::offload]
fn forged(y: &mut [u8], n: usize) {
    #[omp::target]
    for i in 0..n {
        let v = (#[__omp_access(0)] y[i]) + 1;
        assert!(v > #[__omp_access(0)] y[i]);
        let __omp_old = 3;
    }
}

#[omp::declare_target]
fn __omp_named(x: &[u8], i: usize) -> u8 {
    #[__omp_access(0)]
    x[i]
}

mod __private {
    pub fn nth(_: usize, _: usize, _: usize) -> usize {
        1 << 40
    }
}

#[omp::offload]
fn counted(y: &mut [u8]) {
    #[omp::target]
    for i in 0..y.len() {
        y[__private::nth(0, 1, 0)] = i as u8;
    }
}

fn main() {}
