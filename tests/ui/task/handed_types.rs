//! Macros of the user's, as statements of inner blocks, that make a reference refer to something else while tasks use
//! what it referred to: as rustc tells it.
macro_rules! set {
    ($place:ident, $value:expr) => {
        $place = $value
    };
}

macro_rules! nothing {
    ($($tokens:tt)*) => {};
}

#[omp::offload]
fn statements(y: &mut [f32], b: &mut [f32]) {
    let mut z = &mut y[..];
    #[omp::target(nowait)]
    for i in 0..z.len() {
        z[i] = 1.0;
    }
    if b.len() > 3 {
        nothing!(z = 3);
        set!(z, b);
    }
    z[0] = 2.0;
}

fn main() {}
