//! What `disjoint` can't check.
#[omp::offload]
fn atomic(x: &[usize], y: &mut [u32]) {
    #[omp::target(disjoint(y))]
    for i in 0..x.len() {
        #[omp::atomic]
        y[x[i]] += 1;
    }
}

mod rows {
    #[omp::declare_target]
    pub fn last(row: &[u32]) -> u32 {
        row[row.len() - 1]
    }
}

#[omp::offload]
fn handed_on(x: &[usize], y: &mut [u32]) {
    #[omp::target(disjoint(y))]
    for i in 0..x.len() {
        y[x[i]] = rows::last(y);
    }
}

#[omp::offload]
fn of_a_block(x: &[u32], y: &mut [u32]) {
    #[omp::target(disjoint(x))]
    {
        #[omp::parallel_for]
        for i in 0..x.len() {
            y[i] = x[i];
        }
    }
}

#[omp::offload]
fn another_of_its_name(p: &[usize], y: &mut [u32]) {
    #[omp::target(disjoint(y))]
    {
        #[omp::parallel_for]
        for i in 0..p.len() {
            y[p[i]] = 1;
        }
        for k in 0..2 {
            let mut own = vec![k; 8];
            let y = &mut own[..];
            #[omp::parallel_for]
            for i in 0..p.len() {
                y[i / 2] = 1;
            }
        }
    }
}

fn main() {}
