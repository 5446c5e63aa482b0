//! Macros of the user's that can't be expanded in bodies.
mod several {
    #[allow(unused_macros)]
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

#[omp::offload]
fn unknown(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = core::hint::must_use!(y[i]);
        y[i] = elsewhere!(y[i]);
    }
}

#[cfg(all())]
macro_rules! third {
    ($e:expr) => {
        $e / 3.0
    };
}

#[omp::declare_target]
fn conditional(x: f32) -> f32 {
    third!(x)
}

#[omp::offload]
fn caller(y: &mut [f32], x: &[f32], n: usize) {
    macro_rules! at {
        ($i:expr) => {
            x[$i % n]
        };
    }
    let n = n / 2;
    #[omp::target]
    for i in 0..y.len() {
        y[i] = at!(i + n);
    }
}

fn main() {}
