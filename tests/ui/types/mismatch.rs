//! Types that do not fit are rustc's errors, each once, at the user's expression.
#[omp::offload]
fn assigned(x: &[f64], y: &mut [f32], z: &mut [[f32; 2]]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i];
        z[i][1] = x[i];
        y[i] = i;
    }
}

#[omp::offload]
fn literals(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = 1;
        let w: f32 = 2;
        y[i] = w;
    }
}

#[omp::offload]
fn conditions(x: &[f64], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = if x[i] { 1.0 } else { 2.0 };
        let t = [0.0f32; 4];
        let v: f64 = t[i % 4];
        y[i] = v as f32;
    }
}

#[omp::offload(try)]
fn error_type(y: &mut [f32]) -> Result<(), String> {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = 1.0;
    }
    Ok(())
}

#[derive(Clone, Copy, omp::Device)]
struct P {
    x: f32,
}

#[omp::declare_target]
impl P {
    fn new(x: f32) -> P {
        P { x }
    }

    fn get(&self) -> f32 {
        self.x
    }
}

#[omp::declare_target]
fn wide(x: f32) -> f64 {
    x as f64
}

#[omp::offload]
fn results(x: &[f32], p: &[P], n: &[i32], y: &mut [f32], z: &mut [i32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = wide(x[i]);
        y[i] = P::new(x[i]);
        z[i] = p[i].get();
        z[i] = n[i].checked_add(1);
        y[i] = match n[i] {
            0 => 1.0,
            1.0 => 2.0,
            _ => 3.0,
        };
    }
}

#[omp::declare_target]
fn bump(x: &mut f32) {
    *x += 1.0;
}

#[omp::declare_target]
fn first(x: &[f32]) -> f32 {
    x[0]
}

#[omp::offload]
fn arguments(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        bump(y[i]);
        y[i] = first(y[i]);
    }
}

#[omp::offload]
fn references(y: &mut [f32]) {
    #[omp::target]
    for v in y.iter_mut() {
        v = 1.0;
    }
}

#[omp::declare_target]
fn reference(x: &mut f32) {
    x = 1.0;
}

fn main() {}
