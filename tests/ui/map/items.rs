//! Map types, sections, and arrays that are mapped twice.
#[omp::offload]
fn types(x: &[f32], y: &mut [f32]) {
    #[omp::target(map(two: x), map(release: y))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
}

#[omp::offload]
fn sections(gain: f32, x: &[f32], y: &mut [f32]) {
    #[omp::target(map(to: x[3], gain[..1]), map(from: y[1, 2], f(y)))]
    for i in 0..y.len() {
        y[i] = gain * x[i];
    }
}

#[omp::offload]
fn scalar_section(gain: f32, y: &mut [f32]) {
    #[omp::target(map(to: gain[..1]), map(tofrom: y))]
    for i in 0..y.len() {
        y[i] *= gain;
    }
}

#[omp::offload]
fn twice(x: &[f32], y: &mut [f32]) {
    #[omp::target(map(to: x), map(tofrom: y, x))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
}

#[omp::offload]
fn leaving(x: &mut [f32]) {
    x[0] = 1.0;
    omp::target_exit_data!(map(to: x));
}

#[omp::offload]
fn backwards(x: &[f32], y: &mut [f32]) {
    #[omp::target(map(to: x[5..2]), map(from: y[3..=1]))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    #[omp::target_data(map(y[4..3]))]
    {
        y[0] = 1.0;
    }
}

fn main() {}
