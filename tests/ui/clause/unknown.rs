//! Clauses that do not exist, stand twice, or belong to other directives.
#[omp::offload]
fn misspelt(x: &[u64]) -> u64 {
    let mut sum = 0;
    #[omp::target(map(to: x), reducton(+: sum))]
    for i in 0..x.len() {
        sum += x[i];
    }
    sum
}

#[omp::offload]
fn invented(y: &mut [u64]) {
    #[omp::target(priority(3))]
    for i in 0..y.len() {
        y[i] = 0;
    }
}

#[omp::offload]
fn twice(y: &mut [u64]) {
    #[omp::target(num_teams(64), map(tofrom: y), num_teams(128))]
    for i in 0..y.len() {
        y[i] = 0;
    }
}

#[omp::offload]
fn of_another(a: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        #[omp::parallel_for(map(to: a))]
        for j in 0..4 {
            y[4 * i + j] = a[j];
        }
    }
}

#[omp::offload]
fn in_parts(y: &mut [u64]) {
    #[omp::target(teams, distribute, parallel, for, map(tofrom: y))]
    for i in 0..y.len() {
        y[i] = 0;
    }
}

#[omp::offload]
fn in_fewer_parts(y: &mut [u64]) {
    #[omp::target(parallel)]
    for i in 0..y.len() {
        y[i] = 0;
    }
}

fn main() {}
