//! Data of a task, handed to another thread.
#[omp::offload]
fn scoped(x: &mut [f32]) {
    #[omp::target(nowait)]
    for i in 0..x.len() {
        x[i] += 1.0;
    }
    std::thread::scope(|s| {
        s.spawn(|| x[0] = 2.0);
    });
}

fn main() {}
