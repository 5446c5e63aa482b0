// Single methods: the macro has to find the `impl` around one, by its place.
#[derive(Clone, Copy, omp::Device)]
struct A(i32);

#[derive(Clone, Copy, omp::Device)]
struct C(i32);

impl C {
    fn f(self) -> i32 {
        self.0 * 100
    }
}

macro_rules! make {
    ($ty:ty) => {
        impl $ty {
            #[omp::declare_target]
            fn f(self) -> i32 {
                self.0 * 2
            }
        }
    };
}
make!(A);

trait Twice {
    fn twice(self) -> i32;
}

impl Twice for A {
    #[omp::declare_target]
    fn twice(self) -> i32 {
        self.0 * 2
    }
}

#[omp::offload]
fn run(y: &mut [i32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = C(i as i32).f();
    }
}

fn main() {}
