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

/// Bounds that are elements, or come with them.
#[omp::offload]
fn ragged(pairs: &[(usize, u32)], lens: &[usize], out: &mut [u32]) {
    let mut s = 0u32;
    #[omp::target(collapse(2), reduction(+: s))]
    for (i, &(len, v)) in pairs.iter().enumerate() {
        for j in i..len {
            s += v * j as u32;
        }
    }
    #[omp::target(collapse(2), reduction(+: s))]
    for len in lens.iter() {
        for j in 0..*len {
            s += j as u32;
        }
    }
    #[omp::target(collapse(2), reduction(+: s))]
    for (v, n) in lens.iter().zip(2..9) {
        for j in 0..n {
            s += *v as u32 + j;
        }
    }
    out[0] = s;
}

fn main() {}
