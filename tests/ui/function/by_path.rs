//! Functions of types that nobody declared, called by their paths: the error names them as the user does.
#[derive(Clone, Copy, omp::Device)]
struct S {
    a: f32,
}

impl S {
    fn hostly(self) -> f32 {
        self.a
    }
}

#[omp::offload]
fn undeclared(x: &[S], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = S::hostly(x[i]);
    }
}

#[omp::offload]
fn unknown(x: &[S], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = S::nosuch(x[i]);
    }
}

fn main() {}
