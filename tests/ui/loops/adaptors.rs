//! Adaptors of iterators that a parallel loop does not have: one error each, at the adaptor.
#[omp::offload]
fn skipped(x: &mut [f32]) {
    #[omp::target]
    for v in x.iter_mut().skip(2) {
        *v += 1.0;
    }
    #[omp::target]
    for v in x.chunks_mut(2) {
        v[0] += 1.0;
    }
}

#[omp::offload]
fn mapped(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for (i, v) in x.iter().take_while(|v| **v > 2.0).enumerate() {
        y[i] = *v;
    }
    #[omp::target]
    for (i, v) in x.iter().enumerate().skip_while(|(i, _)| i % 2 == 0) {
        y[i] = *v;
    }
}

#[omp::offload]
fn paired_with_anything(y: &mut [f32], a: impl Iterator<Item = f32>) {
    #[omp::target]
    for (v, a) in y.iter_mut().zip(a) {
        *v += a;
    }
}

#[omp::offload]
fn paired_with_parts(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for (v, a) in y.iter_mut().zip(x.chunks(4)) {
        *v += a[0];
    }
    #[omp::target]
    for (v, a) in y.iter_mut().zip(x.windows(2)) {
        *v += a[1];
    }
    #[omp::target]
    for (v, a) in y.iter_mut().zip([1.0, 2.0]) {
        *v += a;
    }
}

fn main() {}
