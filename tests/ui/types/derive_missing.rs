//! Elements of a type without the derive, and a method of theirs: one error, at the array.
#[derive(Clone, Copy)]
struct Particle {
    x: f32,
}

#[omp::declare_target]
impl Particle {
    fn energy(&self) -> f32 {
        self.x * self.x
    }
}

impl Particle {
    fn moved(&mut self) {
        self.x += 1.0;
    }
}

#[omp::offload]
fn declared(p: &[Particle], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = p[i].energy();
    }
}

#[omp::offload]
fn undeclared(p: &mut [Particle]) {
    #[omp::target]
    for i in 0..p.len() {
        p[i].moved();
    }
}

fn main() {}
