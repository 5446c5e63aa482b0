//! Directives of OpenMP's that are none here: each error tells what to write instead.
#[omp::offload]
fn host(y: &mut [f32]) {
    #[omp::parallel]
    for i in 0..y.len() {
        y[i] = 1.0;
    }
    #[omp::sections]
    {
        y[0] = 1.0;
    }
    #[omp::task]
    {
        y[1] = 1.0;
    }
    #[omp::r#for]
    for i in 0..y.len() {
        y[i] = 1.0;
    }
    omp::barrier!();
    omp::target!(map(y));
}

#[omp::offload]
fn device(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        #[omp::critical]
        {
            y[i] = 1.0;
        }
        #[omp::single]
        {
            y[i] = 2.0;
        }
    }
    #[omp::target_teams]
    for i in 0..y.len() {
        y[i] = 1.0;
    }
}

#[omp::offload]
#[omp::parallel]
fn on_a_function(y: &mut [f32]) {
    for i in 0..y.len() {
        y[i] = 1.0;
    }
}

fn main() {}
