//! A macro of the user's that has the name of one that bodies may have.
macro_rules! assert {
    ($($t:tt)*) => {};
}

#[omp::offload]
fn checked(x: &[i32], y: &mut [i32]) {
    #[omp::target]
    for i in 0..x.len() {
        assert!(x[i] > 0);
        y[i] = x[i];
    }
}

#[omp::offload]
fn fallible(x: &[i64], y: &mut [u32]) {
    #[omp::target]
    for i in 0..x.len() {
        y[i] = x[i].try_into().unwrap_or(0);
    }
}

#[derive(Clone, Copy, omp::Device)]
struct Metres(f32);

impl From<f32> for Metres {
    fn from(v: f32) -> Self {
        Self(v)
    }
}

#[omp::offload]
fn undeclared(x: &[f32], y: &mut [Metres]) {
    #[omp::target]
    for i in 0..x.len() {
        y[i] = Metres::from(x[i]);
    }
}

fn main() {}
