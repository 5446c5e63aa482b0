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

/// A module that bears a primitive's name.
mod shadowed {
    mod f32 {
        pub fn max(a: ::core::primitive::f32, b: ::core::primitive::f32) -> ::core::primitive::f32 {
            a + b
        }
    }

    #[omp::offload]
    pub fn sums(y: &mut [::core::primitive::f32]) {
        #[omp::target]
        for i in 0..y.len() {
            y[i] = f32::max(y[i], 2.5) + f32::abs(y[i]);
        }
    }
}

fn main() {}
