//! What is wrong with clauses and places of tasks.
#[omp::offload]
fn depend_alone(x: &mut [f32]) {
    omp::target_update!(to(x), depend(in: x));
}

#[omp::offload]
fn unknown_kind(x: &mut [f32]) {
    #[omp::target(nowait, depend(source: x))]
    for i in 0..x.len() {
        x[i] = 1.0;
    }
}

#[omp::offload]
fn no_section(x: &mut [f32]) {
    #[omp::target(nowait, depend(inout: x[3]))]
    for i in 0..x.len() {
        x[i] = 1.0;
    }
}

#[omp::offload]
fn of_a_scalar(x: &mut [f32], n: usize) {
    #[omp::target(nowait, depend(in: n[..1]))]
    for i in 0..n {
        x[i] = 1.0;
    }
}

#[omp::offload]
fn no_clause(x: &mut [f32]) {
    omp::taskwait!(nowait);
    #[omp::taskgroup(depend(in: x))]
    {
        x[0] = 1.0;
    }
}

#[omp::offload]
fn group_on_a_condition(x: &mut [f32]) {
    #[omp::taskgroup]
    if x.len() > 3 {
        x[0] = 1.0;
    }
}

#[omp::offload]
fn in_a_closure(x: &mut [f32]) {
    let mut run = || {
        #[omp::target(nowait)]
        for i in 0..x.len() {
            x[i] = 1.0;
        }
    };
    run();
}

#[omp::offload]
fn inner_data(x: &mut [f32]) {
    for k in 0..3 {
        let mut part = vec![0.0; x.len()];
        #[omp::target(nowait)]
        for i in 0..x.len() {
            part[i] = x[i] + k as f32;
        }
        x[k] = part[k];
    }
}

#[omp::offload]
fn rows(t: &mut [Vec<f32>]) {
    #[omp::taskgroup]
    {
        for row in t.iter_mut() {
            #[omp::target(nowait)]
            for j in 0..row.len() {
                row[j] += j as f32;
            }
        }
    }
}

fn main() {}
