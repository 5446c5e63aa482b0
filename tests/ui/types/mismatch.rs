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

fn main() {}
