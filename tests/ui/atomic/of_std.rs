//! What stands for the methods of std's atomic types.
use std::sync::atomic::{AtomicU32, Ordering, Ordering::Relaxed};

#[omp::offload]
fn updates(h: &[AtomicU32], x: &[u32]) {
    #[omp::target]
    for i in 0..x.len() {
        h[x[i] as usize].fetch_add(1, Ordering::Relaxed);
        h[0].fetch_max(x[i], Relaxed);
        h[1].store(x[i], Ordering::SeqCst);
    }
}

#[omp::offload]
fn values(n: &AtomicU32, x: &[u32], y: &mut [u32]) {
    #[omp::target]
    for i in 0..x.len() {
        y[i] = n.load(Ordering::Acquire);
        if x[i] > 3 {
            let k = n.swap(x[i], Ordering::AcqRel);
            let _ = n.compare_exchange(k, 3, Ordering::AcqRel, Ordering::Relaxed);
        }
    }
}

fn main() {}
