//! What the condition of an `if let` binds is hidden in its first branch alone, and conditions of loops may leave them.
fn main() {}

#[omp::offload]
fn the_other_branch(x: &[u32], y: &mut [u32]) {
    let mut t = 0;
    #[omp::target]
    for i in 0..x.len() {
        if let Some(t) = if x[i] > 2 { Some(x[i]) } else { None } {
            y[i] = t;
        } else {
            t = x[i];
            y[i] = t;
        }
    }
}

#[omp::offload]
fn left_before(x: &[u32], y: &mut [u32]) -> u32 {
    let mut t = 7;
    #[omp::target(lastprivate(t))]
    for i in 0..x.len() {
        'a: while {
            if x[i] > 2 {
                break 'a;
            }
            t = x[i];
            false
        } {}
        y[i] = t;
    }
    t
}
