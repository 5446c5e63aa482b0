//! Clauses of inner loops: what speaks of the whole region stands on the region's directive, and so does a scan.
#[omp::offload]
fn clauses(x: &[f32], y: &mut [f32], n: usize) {
    #[omp::target]
    for i in 0..n {
        let (mut s, mut t) = (0.0, 0.0);
        #[omp::parallel_for(if(n > 3), default(none), shared(y), unsafe(disjoint(x), unchecked(y)), name("inner"), fp(fast))]
        for j in 0..n {
            y[i * n + j] = x[j];
        }
        #[omp::parallel_for(disjoint(z))]
        for j in 0..n {
            y[i * n + j] = x[j];
        }
        #[omp::parallel_for(private(t), reduction(+: s, t), private(j), firstprivate(x[0..n]))]
        for j in 0..n {
            s += x[j];
        }
        y[i] += s + t;
    }
}

#[omp::offload]
fn parsed(y: &mut [f32], n: usize) {
    #[omp::target]
    for i in 0..n {
        #[omp::simd(num_teams(3), schedul(static))]
        for j in 0..n {
            y[i * n + j] = 1.0;
        }
        #[omp::parallel_for(collapse(3))]
        for j in 0..n {
            for k in 0..n {
                y[(i * n + j) * n + k] = 2.0;
            }
        }
    }
}

#[omp::offload]
fn scans(x: &[i32], y: &mut [i32], n: usize) {
    #[omp::target]
    for i in 0..n {
        let mut s = 0;
        #[omp::scan(+)]
        for j in 0..n {
            s += x[i * n + j];
            y[i * n + j] = s;
        }
    }
}

fn main() {}
