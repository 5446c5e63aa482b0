//! Items of data directives.
#[omp::offload]
fn clauses(x: &mut [f32], y: &mut [f32]) {
    omp::target_enter_data!(map(tofrom: x));
    omp::target_exit_data!(map(release: y), nowat);
    omp::target_update!(both(x));
}

#[omp::offload]
fn items(n: usize, x: &mut [[f32; 4]], y: &mut [f32]) {
    #[omp::target_data(map(tofrom: x, y), map(to: y))]
    {
        y[0] = 1.0;
    }
    #[omp::target_data(map(to: n[..3]))]
    {
        y[0] = 2.0;
    }
    omp::target_enter_data!(map(to: x[..][0..2]));
    omp::target_update!();
    #[omp::target_data]
    while y[0] > 0.0 {
        y[0] -= 1.0;
    }
}

#[omp::offload]
fn places(y: &mut [f32]) {
    #[omp::target_data(map(tofrom: y))]
    y[0] = 1.0;
    #[omp::target_data(map(tofrom: y))]
    let z = 5;
    #[omp::target]
    for i in 0..y.len() {
        #[omp::target_data(map(to: y))]
        for _ in 0..3 {
            y[i] += 1.0;
        }
    }
    let _ = z;
}

fn main() {}
