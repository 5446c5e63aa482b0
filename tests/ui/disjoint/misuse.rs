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
        y[x[i]] = crate::rows::last(y);
    }
}

mod sparse {
    #[derive(Clone, Copy, omp::Device)]
    pub struct Row {
        pub at: u32,
    }
    #[omp::declare_target]
    impl Row {
        pub fn last(&self, row: &[u32]) -> u32 {
            row[row.len() - 1] + self.at
        }
    }
}

#[derive(Clone, Copy, omp::Device)]
struct Row {
    at: [u32; 2],
}

#[omp::declare_target]
impl Row {
    fn last(&self, row: &[u32]) -> u32 {
        row[row.len() - 1] + self.at[0]
    }
}

#[omp::offload]
fn to_another_type_of_the_name(rows: &[sparse::Row], own: &[Row], x: &[usize], y: &mut [u32]) {
    #[omp::target(disjoint(y))]
    for i in 0..x.len() {
        y[x[i]] = rows[i].last(y) + own[i].at[1];
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
