//! Names in the clauses of inner loops.
#[omp::offload]
fn names(x: &[f32], y: &mut [f32], n: usize) {
    const HALF: f32 = 0.5;
    #[omp::target]
    for i in 0..n {
        let scale = 2.0;
        let mut s = 0.0;
        #[omp::parallel_for(default(none), shared(x, n), reduction(+: s))]
        for j in 0..n {
            s += x[i * n + j] * scale * HALF;
        }
        y[i] = s;
    }
}

#[omp::offload]
fn arrays(x: &[f32], y: &mut [f32], n: usize) {
    #[omp::target]
    for i in 0..n {
        #[omp::parallel_for(disjoint(z))]
        for j in 0..n {
            y[i * n + j] = x[j];
        }
    }
}

fn main() {}
