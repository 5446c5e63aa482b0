//! Buffers change places where nothing waits for the tasks on them.

#[omp::offload]
fn early(steps: usize, a: &mut Vec<f32>, b: &mut Vec<f32>) {
    for _ in 0..steps {
        #[omp::target(nowait)]
        for i in 0..a.len() {
            b[i] = a[i] + 1.0;
        }
        std::mem::swap(a, b);
        omp::taskwait!();
    }
}

#[omp::offload]
fn never(steps: usize, a: &mut Vec<f32>, b: &mut Vec<f32>) {
    for _ in 0..steps {
        #[omp::target(nowait)]
        for i in 0..a.len() {
            b[i] = a[i] + 1.0;
        }
        std::mem::swap(a, b);
    }
}

/// This is right.
#[omp::offload]
fn late(steps: usize, a: &mut Vec<f32>, b: &mut Vec<f32>) {
    for _ in 0..steps {
        #[omp::target(nowait)]
        for i in 0..a.len() {
            b[i] = a[i] + 1.0;
        }
        omp::taskwait!();
        std::mem::swap(a, b);
    }
}

fn main() {}
