//! Attributes below ours that rustc doesn't find: it says so, and nothing else is said.
#[omp::offload]
#[inlin]
fn misspelt(y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = 1;
    }
}

#[omp::target(nowait)]
#[not_linked::fast]
fn of_a_crate(y: &mut [u32]) {
    for i in 0..y.len() {
        y[i] = 1;
    }
}

struct S;

#[omp::offload]
impl S {
    #[hott]
    fn method(&self, y: &mut [u32]) {
        #[omp::target]
        for i in 0..y.len() {
            y[i] = 1;
        }
    }
}

#[omp::declare_target]
#[colld]
fn helper(x: f32) -> f32 {
    x
}

fn main() {}
