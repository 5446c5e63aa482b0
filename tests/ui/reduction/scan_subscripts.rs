//! Subscripts that do not tell the element of the iteration before.
#[omp::offload]
fn taken(x: &[u32], y: &mut [u32]) {
    #[omp::scan(^)]
    for i in 1..x.len() / 2 {
        let i = 2 * i;
        y[i] = y[i - 1] ^ x[i];
    }
}
#[omp::offload]
fn doubled(x: &[u32], y: &mut [u32]) {
    #[omp::scan(^)]
    for k in 1..x.len() / 2 {
        let i = 2 * k;
        y[i] = y[i - 1] ^ x[i];
    }
}
#[omp::offload]
fn looked_up(at: &[usize], y: &mut [u32]) {
    #[omp::scan(^)]
    for i in 1..at.len() {
        let k = at[i];
        y[k] = y[k - 1] ^ 1;
    }
}
/// In release builds `i + 5` wraps after 250, `i as usize + 4` does not.
#[omp::offload]
fn wraps(y: &mut [u32]) {
    #[omp::scan(^)]
    for i in 1u8..255 {
        y[(i + 5) as usize] = y[i as usize + 4] ^ 1;
    }
}
#[omp::offload]
fn in_rows(x: &[u32], y: &mut [u32], w: usize, h: usize) {
    #[omp::scan(+)]
    for r in 0..h {
        let mut s = 0u32;
        for c in 0..w {
            s ^= x[r * w + c];
            y[r * w + c] = s;
        }
    }
}
/// The place of each iteration is its own.
#[omp::offload]
fn own_places(x: &[u32], y: &mut [u32]) {
    let mut k = 0;
    #[omp::target(scan(+: y), private(k))]
    for i in 1..x.len() {
        k = x[i] as usize;
        y[k + i] = y[k + i - 1] + x[i];
    }
}

fn width() -> usize {
    println!("asked");
    4
}

/// The inner loop runs around the other.
#[omp::offload]
fn columns(y: &mut [u32], mut w: usize) {
    #[omp::scan(+)]
    for i in 1..4 {
        for j in 0..width() {
            y[i * 4 + j] = y[(i - 1) * 4 + j] + 1;
        }
    }
    #[omp::target(scan(+: y), private(w))]
    for i in 1..4 {
        for j in 0..w {
            w = 3;
            y[i * 4 + j] = y[(i - 1) * 4 + j] + w as u32;
        }
    }
}

#[omp::offload]
fn words(x: &[i64], y: &mut [i64], k: u32, kasusize: usize) {
    #[omp::target(scan(+: y))]
    for i in 1..100 {
        y[i + kasusize] = y[i - 1 + k as usize] + x[i];
    }
}

fn main() {}
