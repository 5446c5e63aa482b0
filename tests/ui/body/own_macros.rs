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

mod several {
    macro_rules! half {
        ($e:expr) => {
            $e / 2
        };
    }
    macro_rules! half {
        ($e:expr) => {
            $e / 2.0
        };
    }

    #[omp::offload]
    fn several(y: &mut [f32]) {
        #[omp::target]
        for i in 0..y.len() {
            y[i] = half!(y[i]);
        }
    }
}

#[omp::offload]
fn out_of_scope(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = later!(y[i]);
    }
}

macro_rules! later {
    ($e:expr) => {
        $e / 4.0
    };
}

#[omp::offload]
fn no_rule(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = later!(y[i], 2.0);
    }
}

macro_rules! next {
    ($y:expr) => {
        $y[i + 1]
    };
}

#[omp::offload]
fn captured(y: &mut [f32], x: &[f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = next!(x);
    }
}

#[omp::declare_target]
fn wrong_type(x: f32) -> u32 {
    later!(x)
}

#[omp::offload]
fn unknown(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = core::hint::must_use!(y[i]);
        y[i] = elsewhere!(y[i]);
    }
}

fn main() {}
