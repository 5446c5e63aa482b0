//! Directives need an offload item around them.
fn statement(y: &mut [f64]) {
    #[omp::target(map(tofrom: y))]
    for i in 0..y.len() {
        y[i] = 0.0;
    }
}

fn stand_alone() {
    omp::taskwait!();
}

#[omp::target]
struct NoFunction;

fn main() {}
