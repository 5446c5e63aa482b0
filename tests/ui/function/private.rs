//! Functions and methods that are private elsewhere: told once.
mod shapes {
    #[omp::declare_target]
    fn half(x: f32) -> f32 {
        x / 2.0
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Disc {
        pub radius: f32,
    }

    #[omp::declare_target]
    impl Disc {
        fn area(self) -> f32 {
            self.radius * self.radius
        }

        fn of(radius: f32) -> Self {
            Self { radius }
        }
    }
}

#[omp::offload]
fn function(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = shapes::half(x[i]);
    }
}

#[omp::offload]
fn method(x: &[shapes::Disc], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i].area();
    }
}

#[omp::offload]
fn by_path(x: &[f32], y: &mut [shapes::Disc]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = shapes::Disc::of(x[i]);
    }
}

fn main() {}
