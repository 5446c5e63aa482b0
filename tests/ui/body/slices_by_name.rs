//! Methods of slices that std has and devices don't.
#[omp::offload]
fn got(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..x.len() {
        y[i] = *x.get(i).unwrap_or(&0.0);
    }
}

#[omp::offload]
fn carried(x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    #[omp::scan(+: s)]
    for i in 0..x.len() {
        s += x[i];
        y[i] = s;
    }
}

#[omp::offload]
fn chosen(x: &[f32], z: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        let of = match i % 2 {
            0 => &x[1..],
            _ => z,
        };
        y[i] = of[i];
    }
}

fn main() {}
