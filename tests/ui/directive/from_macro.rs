//! A directive that a `macro_rules!` produces inside of a function with `offload`.
macro_rules! fill {
    ($y:ident, $v:expr) => {
        #[omp::target(map(from: $y))]
        for i in 0..$y.len() {
            $y[i] = $v;
        }
    };
}

#[omp::offload]
fn ones(y: &mut [f32]) {
    fill!(y, 1.0);
}

// A macro may produce the whole function.
macro_rules! filled {
    ($name:ident, $v:expr) => {
        #[omp::offload]
        fn $name(y: &mut [f32]) {
            #[omp::target(map(from: y))]
            for i in 0..y.len() {
                y[i] = $v;
            }
        }
    };
}

filled!(twos, 2.0);

fn main() {
    ones(&mut [0.0; 2]);
    twos(&mut [0.0; 2]);
}
