//! Types that a device cannot hold: rustc judges, the traits word the error.
#[omp::offload]
fn text(names: &[String], y: &mut [u64]) {
    #[omp::target]
    for i in 0..y.len() {
        let _ = &names[i];
        y[i] = 1;
    }
}

#[derive(Clone, Copy)]
struct Particle {
    x: f32,
}

#[omp::offload]
fn no_derive(p: &mut [Particle]) {
    #[omp::target]
    for i in 0..p.len() {
        p[i].x += 1.0;
    }
}

#[omp::offload]
fn no_bound<T: Copy>(x: &[T], y: &mut [T]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i];
    }
}

#[derive(Clone, Copy)]
enum Kind {
    A,
    B,
}

/// Each field says it once.
#[derive(Clone, Copy, omp::Device)]
struct Outer {
    kinds: [Kind; 2],
    pair: (u32, Particle),
    alone: Particle,
}

fn main() {}
