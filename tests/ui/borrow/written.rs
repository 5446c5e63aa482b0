//! Borrows and mutability are rustc's errors, each once.
#[omp::offload]
fn behind_a_reference(y: &[f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = 1.0;
    }
}

#[omp::offload]
fn not_mut() {
    let y = vec![0.0f32; 3];
    #[omp::target]
    for i in 0..y.len() {
        y[i] = 1.0;
    }
}

#[omp::offload]
fn borrowed(y: &mut [f32]) {
    let first = &y[0];
    #[omp::target]
    for i in 0..y.len() {
        y[i] = 1.0;
    }
    println!("{first}");
}

#[omp::offload]
fn moved(y: Vec<f32>) {
    drop(y);
    let mut z = [0.0; 3];
    #[omp::target]
    for i in 0..3 {
        z[i] = y[i];
    }
}

#[omp::offload]
fn by_iter(y: &mut [f32]) {
    #[omp::target]
    for v in y.iter() {
        *v = 1.0;
    }
}

#[derive(Clone, Copy, omp::Device)]
struct P {
    x: f32,
}

#[omp::declare_target]
impl P {
    fn bump(&self) {
        self.x += 1.0;
    }
}

#[omp::declare_target]
fn parameter(x: f32) -> f32 {
    x += 1.0;
    x
}

#[omp::declare_target]
fn through(x: &f32, y: &[f32]) {
    *x = 1.0;
    y[0] = 1.0;
}

#[omp::offload]
fn calls(p: &mut [P], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        p[i].bump();
        y[i] = parameter(y[i]);
    }
}

fn main() {}
