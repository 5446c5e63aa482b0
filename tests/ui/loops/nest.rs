//! `collapse` and the nest under it.
#[omp::offload]
fn shallow(w: usize, h: usize, out: &mut [usize]) {
    #[omp::target(collapse(3))]
    for r in 0..h {
        for c in 0..w {
            out[r * w + c] = r + c;
        }
    }
}

#[omp::offload]
fn imperfect(w: usize, h: usize, out: &mut [usize]) {
    #[omp::target(collapse(2))]
    for r in 0..h {
        let base = r * w;
        for c in 0..w {
            out[base + c] = r + c;
        }
    }
}

#[omp::offload]
fn curved(n: usize, out: &mut [usize]) {
    #[omp::target(collapse(2))]
    for r in 0..n {
        for c in 0..r * r {
            out[r * n + c] = r + c;
        }
    }
}

fn main() {}
