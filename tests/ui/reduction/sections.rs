//! One array stands once among the items: with one section, of one operator.
#[omp::offload]
fn in_one_clause(x: &[u32], h: &mut [u32]) {
    #[omp::target(reduction(+: h[..16], h[16..]))]
    for i in 0..x.len() {
        h[x[i] as usize] += 1;
    }
}

#[omp::offload]
fn by_two_operators(x: &[u32], h: &mut [u32], n: usize) {
    #[omp::target(reduction(+: h[..n]), reduction(max: h[n..]))]
    for i in 0..x.len() {
        h[x[i] as usize] += 1;
        h[n + x[i] as usize] = h[n + x[i] as usize].max(x[i]);
    }
}

fn main() {}
