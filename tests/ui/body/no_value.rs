//! A variable that has no value where it is read: told once.
#[omp::offload]
fn sometimes(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        let v: f32;
        if i > 3 {
            v = 1.0;
        }
        y[i] = v;
    }
}

#[omp::declare_target]
fn never(x: f32) -> f32 {
    let v: f32;
    v + x
}

fn main() {
    sometimes(&mut []);
    never(1.0);
}
