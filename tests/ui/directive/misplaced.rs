//! Directives inside a region that belong around it.
#[omp::offload]
fn target_in_target(y: &mut [f64], n: usize) {
    #[omp::target]
    for i in 0..n {
        #[omp::target]
        for j in 0..n {
            y[i * n + j] = 0.0;
        }
    }
}

#[omp::offload]
fn update_in_target(y: &mut [f64]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = 0.0;
        omp::target_update!(from(y));
    }
}

#[omp::offload]
fn on_a_while(y: &mut [f64]) {
    let mut i = 0;
    #[omp::target]
    while i < y.len() {
        y[i] = 0.0;
        i += 1;
    }
}

#[omp::offload]
fn store(y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        #[omp::atomic]
        y[i] = 1;
    }
}

fn main() {}
