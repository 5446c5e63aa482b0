//! Nothing leaves a parallel loop but the end of an iteration.
#[omp::offload]
fn all_ways(x: &[u32], y: &mut [u32]) -> Option<u32> {
    #[omp::target(collapse(2))]
    'rows: for i in 0..4 {
        for j in 0..4 {
            if x[i] == 0 {
                break;
            }
            if x[i] == 1 {
                return Some(1);
            }
            if x[i] == 2 {
                continue 'rows;
            }
            y[4 * i + j] = x[i].checked_add(x[j])?;
        }
    }
    None
}

#[omp::offload]
fn nowhere(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        for k in 0..10 {
            if k > 5 {
                break 'nowhere;
            }
            if k > 3 {
                continue 'neither;
            }
            y[i] += 1.0;
        }
    }
}

async fn later(x: f32) -> f32 {
    x
}

#[omp::offload]
fn waits(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = later(1.0).await;
    }
}

fn main() {}
