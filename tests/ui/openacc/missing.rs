//! Clauses of the standards that are missing: what to write instead.
use omp::acc;

#[omp::offload]
fn openacc(x: &mut [f32]) {
    #[acc::parallel_loop(collapse(force: 2), copy(x))]
    for i in 0..x.len() {
        x[i] += 1.0;
    }
    #[acc::data(copy(x), attach(x))]
    {
        #[acc::kernels_loop(firstprivate(x))]
        for i in 0..x.len() {
            x[i] += 1.0;
        }
        #[acc::host_data(use_device(x), if_present)]
        {}
    }
}

#[acc::routine(seq, bind("other"))]
fn bound(x: f32) -> f32 {
    x
}

#[omp::offload]
fn openmp(x: &mut [f32], mut sum: f32) -> f32 {
    #[omp::target_teams_loop(bind(teams), order(concurrent))]
    for i in 0..x.len() {
        x[i] += 1.0;
    }
    #[omp::target(defaultmap(to), uses_allocators(omp_default_mem_alloc))]
    for i in 0..x.len() {
        #[omp::simd(safelen(4), linear(i), aligned(x))]
        for _ in 0..4 {
            x[i] += 1.0;
        }
    }
    #[omp::target(nowait, in_reduction(+: sum), priority(2))]
    for i in 0..x.len() {
        #[omp::atomic(update, seq_cst)]
        sum += x[i];
    }
    sum
}

fn main() {}
