//! The rest of an array that would be a new array.
fn main() {}

#[omp::target]
fn changed(y: &mut [i32]) {
    for i in 0..y.len() {
        let [p, mut rest @ ..] = [1, 2, 3];
        rest[0] = p;
        y[i] = rest[0];
    }
}
