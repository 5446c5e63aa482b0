//! A `let` of a `target` block that gives an array's name to something else; a macro that may stand for anything.
#[cfg(all())]
macro_rules! tell {
    ($($t:tt)*) => {};
}
#[omp::offload]
fn run(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    {
        let x = x[0];
        #[omp::parallel_for]
        for i in 0..y.len() {
            y[i] = x * 2.0;
        }
    }
    #[omp::target]
    {
        println!("begins");
        tell!("begins");
        #[omp::parallel_for]
        for i in 0..y.len() {
            y[i] = x[i] * 2.0;
        }
    }
}
fn main() {}
