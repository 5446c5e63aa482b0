//! `target` on a block: clauses of loops, nested regions, and what comes back.
#[omp::offload]
fn clauses(x: &[f32], y: &mut [f32]) {
    let mut sum = 0.0;
    #[omp::target(reduction(+: sum), collapse(2))]
    {
        #[omp::parallel_for]
        for i in 0..x.len() {
            sum += x[i];
        }
    }
    #[omp::target(map(to: x, y))]
    {
        #[omp::parallel_for]
        for i in 0..x.len() {
            y[i] = x[i];
        }
    }
    y[0] = sum;
}

#[omp::offload]
fn nested(n: usize, y: &mut [f32]) {
    #[omp::target]
    {
        #[omp::target]
        for i in 0..n {
            y[i] = 1.0;
        }
        #[omp::parallel_for]
        while y[0] > 0.0 {
            y[0] -= 1.0;
        }
        omp::target_update!(from(y));
    }
}

#[omp::offload]
fn bounds(n: usize, y: &mut [f32], z: &mut [f32]) {
    #[omp::target]
    {
        #[omp::parallel_for(collapse(2))]
        for i in 0..n {
            for j in 0..y[0] as usize {
                z[i * n + j] = 1.0;
            }
        }
    }
}

fn of(s: &Sums) -> f32 {
    s.total
}

#[cfg_attr(all(), allow(dead_code))] struct Sums {
    total: f32,
}

#[omp::offload]
fn fields(s: &mut Sums, y: &mut [f32]) {
    #[omp::target]
    {
        s.total += y[0] + of(s);
        y[1] = std::fs::read("x").unwrap().len() as f32;
    }
}

fn main() {}
