//! Statements that `atomic` may not stand on.
#[omp::offload]
fn store(y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        #[omp::atomic]
        y[0] = i as u32;
    }
}

#[omp::offload]
fn words(y: &mut [u32], x: &[u32]) -> u32 {
    let mut n = 0;
    #[omp::target(map(tofrom: n))]
    for i in 0..x.len() {
        #[omp::atomic(write)]
        y[0] += 1;
        #[omp::atomic(read)]
        y[0] = x[i] + 1;
        #[omp::atomic(capture)]
        {
            n += 1;
        }
        #[omp::atomic(compare)]
        if x[i] > 3 {
            y[1] = 3;
        }
        #[omp::atomic(compare)]
        if x[i] > y[1] {
            y[1] = x[i];
        } else {
            y[2] = x[i];
        }
        #[omp::atomic]
        let v = y[3];
        #[omp::atomic]
        drop(v);
    }
    n
}

#[omp::offload]
fn elsewhere(y: &mut [u32]) {
    #[omp::atomic]
    y[0] += 1;
}

fn main() {}
