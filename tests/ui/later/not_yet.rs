//! What the language has, but not this version, is refused, never ignored.
#[omp::offload]
fn clauses(x: &[f32], y: &mut [f32]) {
    #[omp::target(nowait, depend(inout: y), disjoint(y))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    omp::taskwait!();
}

#[omp::offload]
fn directives(x: &[f32], y: &mut [f32]) {
    #[omp::scan(+)]
    for i in 1..y.len() {
        y[i] = y[i - 1] + x[i];
    }
}

fn main() {}
