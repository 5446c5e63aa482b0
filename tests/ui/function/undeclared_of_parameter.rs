//! A method that has the name of a built-in one and whose trait lacks the attribute: one error, which is that it lacks it.
#![allow(dead_code)]

trait Number: Copy {
    fn sqrt(self) -> Self;
    fn len(&self) -> usize;
}

#[derive(Clone, Copy, omp::Device)]
struct Fixed {
    bits: u32,
}

impl Number for Fixed {
    fn sqrt(self) -> Self {
        self
    }

    fn len(&self) -> usize {
        32
    }
}

#[omp::offload]
fn captured(y: &mut [usize], fixed: Fixed) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = fixed.len();
    }
}

#[omp::offload]
fn captured_parameter<T: Number + omp::Device>(y: &mut [usize], of: T) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = of.len();
    }
}

#[omp::offload]
fn of_parameter<T: Number + omp::Device>(x: &mut [T]) {
    #[omp::target]
    for i in 0..x.len() {
        x[i] = x[i].sqrt();
    }
}

#[omp::declare_target]
fn in_a_function<T: Number + omp::Device>(x: T) -> T {
    x.sqrt()
}

fn main() {}
