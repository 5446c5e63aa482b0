//! `cloned` where the items' `Clone` is the user's, which a device doesn't run; `copied` takes the same items.
#[derive(Copy, omp::Device)]
struct P(u32);

#[allow(clippy::non_canonical_clone_impl)]
impl Clone for P {
    fn clone(&self) -> P {
        P(self.0 + 100)
    }
}

#[omp::offload]
fn head(x: &[P], y: &mut [u32]) {
    #[omp::target]
    for (a, p) in y.iter_mut().zip(x.iter().rev().cloned()) {
        *a = p.0;
    }
}

#[omp::offload]
fn inside(x: &[P], y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        for p in x[1..].iter().cloned() {
            y[i] += p.0;
        }
    }
}

#[omp::declare_target]
fn sum(x: &[(u32, P)]) -> u32 {
    let mut s = 0;
    for (a, p) in x.iter().cloned() {
        s += a + p.0;
    }
    s
}

#[omp::offload]
fn generic<T: omp::Device>(x: &[T], y: &mut [T]) {
    #[omp::target]
    for (a, p) in y.iter_mut().zip(x.iter().cloned()) {
        *a = p;
    }
}

#[omp::offload]
fn right(x: &[P], numbers: &[(u32, [i8; 2])], y: &mut [u32]) {
    #[omp::target]
    for ((a, p), (n, m)) in y.iter_mut().zip(x.iter().copied()).zip(numbers.iter().cloned()) {
        *a = p.0 + n + m[0] as u32;
    }
}

fn main() {}
