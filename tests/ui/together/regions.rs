//! What is wrong with one region of a function is told beside what is wrong with the others, whatever it is.
#[omp::offload]
fn four(x: &[f32], y: &mut [f32]) -> f32 {
    let mut s = 0.0;
    #[omp::target(colapse(1))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    #[omp::target(num_teams(-1))]
    for i in 0..y.len() {
        y[i] += x[i];
    }
    #[omp::target(reduction(+: s))]
    for i in 0..y.len() {
        s *= x[i];
    }
    #[omp::target]
    for i in 0..y.len() - 1 {
        y[i] = y[i + 1];
    }
    #[omp::target]
    for i in 0..y.len() {
        y[i] = vec![x[i]][0];
    }
    s
}

fn main() {}
