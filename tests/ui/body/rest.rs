//! Where the rest of an array has no name.
fn main() {}

#[omp::target]
fn guarded(y: &mut [i32]) {
    for i in 0..y.len() {
        let a = [1, 2, 3];
        y[i] = match a {
            [p, rest @ ..] if p > 0 => rest[0],
            _ => 0,
        };
    }
}

#[omp::target]
fn changed(y: &mut [i32]) {
    for i in 0..y.len() {
        let [p, mut rest @ ..] = [1, 2, 3];
        rest[0] = p;
        y[i] = rest[0];
    }
}
