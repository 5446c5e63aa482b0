//! Sections that are none: what stands for a bound is no number.
#[omp::offload]
fn ranges(signal: &[u32], v: &mut Vec<u32>) {
    #[omp::target(map(to: signal[..:..]))]
    for i in 0..v.len() {
        v[i] = signal[i];
    }
}

#[omp::offload]
fn strided(x: &[u32], v: &mut Vec<u32>) {
    #[omp::target(map(to: x[1:2:3]))]
    for i in 0..v.len() {
        v[i] = x[i];
    }
}

#[omp::offload]
fn others(a: &[u32], b: &[u32], c: &[u32], d: &[u32], e: &[u32], f: &[u32], v: &mut Vec<u32>) {
    #[omp::target(map(to: a[..=:3], b[0..2:3], c[1.5:3], d[..=], e[(..)..], f[]))]
    for i in 0..v.len() {
        v[i] = a[i] + b[i] + c[i] + d[i] + e[i] + f[i];
    }
}

fn main() {}
