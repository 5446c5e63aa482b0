//! `parallel` promises what the analysis then checks.
use omp::acc;

#[acc::parallel_loop(copy(x))]
fn carried(x: &mut [f32]) {
    for i in 1..x.len() {
        x[i] += x[i - 1];
    }
}

#[omp::offload]
fn inside(x: &[f32], y: &mut [f32], n: usize) {
    #[acc::parallel_loop(copyin(x), copyout(y))]
    for i in 0..y.len() {
        let mut s = 0.0;
        #[acc::loop_(vector)]
        for j in 0..n {
            s += x[i * n + j];
        }
        y[i] = s;
    }
}

fn main() {}
