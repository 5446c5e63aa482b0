//! Items that an iterator is asked for are elements that another iteration writes.
#[omp::offload]
fn asked(y: &mut [f32], n: usize) {
    #[omp::target]
    for i in 0..n {
        let first = {
            let mut later = y.iter().skip(1).copied().filter(|v| *v > 0.0);
            later.next().unwrap_or(0.0)
        };
        y[i] = first;
    }
}

fn main() {}
