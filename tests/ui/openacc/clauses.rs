//! Clauses of the other spelling, of other directives, and levels that exclude each other.
use omp::acc;

#[omp::offload]
fn spelling(x: &[f32], y: &mut [f32]) {
    #[acc::parallel_loop(map(to: x), num_teams(4))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    #[omp::target(copyin(x), num_gangs(4))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    #[acc::parallel_loop(colapse(2))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    #[acc::serial_loop(num_gangs(4))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
}

#[omp::offload]
fn levels(x: &[f32], y: &mut [f32]) {
    #[acc::parallel_loop(seq, independent)]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    #[acc::parallel_loop(gang, seq)]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    #[acc::parallel_loop(gang(4), num_gangs(3))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    #[acc::parallel_loop(vector_length(0), default(shared))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
}

#[omp::offload]
fn kinds(x: &[f32], y: &mut [f32]) {
    #[acc::parallel_loop(num_gangs(4), device_type(nvidia), num_gangs(8), collapse(2))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    #[acc::parallel_loop(device_type(gpu), vector_length(8))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    #[acc::parallel_loop(device_type(host), async(1), device_type(opencl, multicore), async(2))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    #[acc::serial_loop(async, device_type(*), wait)]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    #[acc::parallel(device_type(nvidia), num_gangs(8), num_gangs(16), vector_length(0))]
    {
        #[acc::loop_(device_type(nvidia), seq)]
        for i in 0..y.len() {
            y[i] = x[i];
        }
    }
    acc::enter_data!(copyin(x), device_type(nvidia), async(1));
}

#[acc::routine(seq, vector)]
fn routine(x: f32) -> f32 {
    x
}

fn main() {}
