//! The type that a scan names is the one that its loop carries.

#[omp::offload]
fn elements(x: &[i64], y: &mut [i64]) {
    #[omp::scan(+, u32)]
    for i in 1..x.len() {
        y[i] = y[i - 1] + x[i];
    }
}

#[omp::offload]
fn scalar(x: &[f64], y: &mut [f64]) -> f64 {
    let mut s = 0.0;
    #[omp::scan(+, f32)]
    for i in 0..x.len() {
        s += x[i];
        y[i] = s;
    }
    s
}

#[omp::offload]
fn rows(h: usize, w: usize, x: &[i64], y: &mut [i64]) {
    #[omp::scan(+, u32)]
    for r in 0..h {
        for c in 1..w {
            y[r * w + c] = y[r * w + c - 1] + x[r * w + c]
        }
    }
}

#[omp::offload]
fn columns(y: &mut [[f32; 4]]) {
    #[omp::scan(max, f64)]
    for r in 1..y.len() {
        for c in 0..4 {
            y[r][c] = y[r][c].max(y[r - 1][c]);
        }
    }
}

#[omp::offload]
fn carried_in_rows(h: usize, w: usize, x: &[i64], y: &mut [i64]) {
    #[omp::scan(+, i32)]
    for r in 0..h {
        let mut s = 0;
        for c in 0..w {
            s += x[r * w + c];
            y[r * w + c] = s;
        }
    }
}

#[omp::offload]
fn rows_of_planes(n: usize, x: &[u8], y: &mut [u8]) {
    #[omp::scan(|, u16)]
    for p in 0..n {
        for r in 0..n {
            let mut s = 0;
            for c in 0..n {
                s |= x[(p * n + r) * n + c];
                y[(p * n + r) * n + c] = s;
            }
        }
    }
}

#[omp::offload]
fn right(h: usize, w: usize, x: &[i64], y: &mut [i64]) {
    #[omp::scan(+, i64)]
    for r in 0..h {
        for c in 1..w {
            y[r * w + c] = y[r * w + c - 1] + x[r * w + c]
        }
    }
}

fn main() {}
