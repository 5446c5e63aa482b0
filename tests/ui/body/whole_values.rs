//! Arrays as values that are none: the body writes them, or a data region or an entry holds them while they may change.
#[omp::offload]
fn written(y: &mut [f32]) {
    let mut x0 = [1.0f32, 2.0];
    #[omp::target(num_teams(1))]
    for i in 0..2 {
        x0[i] = 3.0;
        let s = x0;
        y[i] = s[0];
    }
}

#[omp::offload]
fn held(y: &mut [f32]) {
    let mut x0 = [1.0f32, 2.0];
    #[omp::target_data(map(x0))]
    {
        #[omp::target]
        for i in 0..2 {
            x0[i] = 3.0;
        }
        #[omp::target]
        for i in 0..y.len() {
            let s = x0;
            y[i] = s[0];
        }
    }
}

#[omp::offload]
fn entered(y: &mut [f32]) {
    let mut x0 = [1.0f32, 2.0];
    omp::target_enter_data!(map(to: x0));
    #[omp::target]
    for i in 0..2 {
        x0[i] = 3.0;
    }
    #[omp::target]
    for i in 0..y.len() {
        let s = x0;
        y[i] = s[0];
    }
    omp::target_exit_data!(map(from: x0));
}

fn main() {}
