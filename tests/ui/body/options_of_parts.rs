//! Options of parts whose array, or whose name, means something else later.
#[omp::target]
fn moved_on(x: &[u32], y: &mut [u32]) {
    for i in 0..y.len() {
        let mut rest = &x[..];
        let head = (i > 3).then(|| &rest[..3]);
        rest = &rest[1..];
        y[i] = head.map_or(0, |h| h[0]) + rest[0];
    }
}
#[omp::target]
fn renamed(x: &[u32], y: &mut [u32]) {
    for i in 0..y.len() {
        let head = (i > 3).then(|| &x[..3]);
        let other = head;
        y[i] = other.map_or(0, |h| h[0]);
    }
}

fn main() {}
