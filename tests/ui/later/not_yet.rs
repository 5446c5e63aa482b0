//! What the language has, but not this version, is refused, never ignored.
#[omp::offload]
fn clauses(x: &[f32], y: &mut [f32]) {
    #[omp::target(nowait, depend(inout: y), disjoint(y))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    omp::taskwait!();
}

fn main() {}
