//! A search is one mistake: the assignment right before the loop is left is no error of its own.
#[omp::offload]
fn first(x: &[f64], key: f64) -> usize {
    let mut at = x.len();
    #[omp::target]
    for i in 0..x.len() {
        if x[i] == key {
            at = i;
            break;
        }
    }
    at
}

#[omp::offload]
fn any(x: &[f64], key: f64) -> bool {
    let mut found = false;
    #[omp::target]
    for i in 0..x.len() {
        if x[i] == key {
            found = true;
            break;
        }
    }
    found
}

fn main() {
    first(&[], 1.0);
    any(&[], 1.0);
}
