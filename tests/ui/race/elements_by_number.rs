//! Strides in a slice: they are read before the loop.
#[omp::offload]
fn transposed(out: &mut [f32], x: &[f32], strides: &[usize]) {
    #[omp::target(collapse(2))]
    for i in 0..8 {
        for j in 0..4 {
            out[i * strides[1] + j] = x[j * 8 + i];
        }
    }
}

/// Of a fixed array they are numbers.
#[omp::offload]
fn fixed(out: &mut [f32], x: &[f32], strides: [usize; 2]) {
    #[omp::target(collapse(2))]
    for i in 0..8 {
        for j in 0..4 {
            out[i * strides[1] + j] = x[j * 8 + i];
        }
    }
}

fn main() {
    transposed(&mut [0.0; 32], &[0.0; 32], &[1, 4]);
    fixed(&mut [0.0; 32], &[0.0; 32], [1, 4]);
}
