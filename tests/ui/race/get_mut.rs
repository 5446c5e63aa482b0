#[omp::offload]
fn counted(h: &mut [u32], x: &[u8]) {
    #[omp::target]
    for &v in x {
        if let Some(c) = h.get_mut(v as usize) {
            *c += 1;
        }
    }
}

#[omp::offload]
fn neighbours(y: &mut [f64]) {
    #[omp::target]
    for i in 0..y.len() - 1 {
        if let Some(next) = y.get_mut(i + 1) {
            *next = 2.0;
        }
        if let (Some(&a), true) = (y.get(i), i > 2) {
            y[i + 1] += a;
        }
    }
}

fn main() {}
