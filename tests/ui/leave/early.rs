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

fn main() {}
