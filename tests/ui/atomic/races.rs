//! Atomic beside plain accesses, and of what no other iteration sees.
#[omp::offload]
fn plain_read(x: &[u32], y: &mut [u32], out: &mut [u32]) {
    #[omp::target]
    for i in 0..x.len() {
        #[omp::atomic]
        y[(x[i] % 8) as usize] += 1;
        out[i] = y[0];
    }
}

#[omp::offload]
fn plain_scalar(x: &[u32], out: &mut [u32]) -> u32 {
    let mut n = 0;
    #[omp::target]
    for i in 0..x.len() {
        #[omp::atomic]
        n += x[i];
        out[i] = n;
    }
    n
}

#[omp::offload]
fn own(x: &[u32], out: &mut [u32]) {
    #[omp::target]
    for i in 0..x.len() {
        let mut s = 0;
        #[omp::atomic]
        s += x[i];
        out[i] = s;
    }
}

#[omp::offload]
fn mapped_to(x: &[u32]) -> u32 {
    let mut n = 0;
    #[omp::target(map(to: n))]
    for i in 0..x.len() {
        #[omp::atomic]
        n += x[i];
    }
    n
}

fn main() {}
