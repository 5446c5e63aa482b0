//! What stands under `atomic` is one access of one element, and what is computed for it may be computed again.

#[omp::offload]
fn two_elements(x: &mut [u32], y: &mut [usize]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut k = 0;
        #[omp::atomic]
        x[{
            k += 1;
            k
        }] = x[{
            k += 1;
            k
        }] + 1;
        #[omp::atomic]
        x[k] = x[k] + {
            k += 1;
            k as u32
        };
        y[i] = k;
    }
}

#[omp::offload]
fn captured(x: &mut [u32], y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut v = 1;
        #[omp::atomic(capture)]
        {
            v = x[0];
            x[0] += v;
        }
        #[omp::atomic(capture)]
        {
            v = x[v as usize];
            x[v as usize] += 1;
        }
        y[i] = v;
    }
}

#[omp::offload]
fn counted(x: &mut [u32], y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut k = 0;
        #[omp::atomic]
        x[1] = x[1]
            + if x[1] > 3 {
                k += 1;
                1
            } else {
                2
            };
        y[i] = k;
    }
}

/// The other way round it is used afterwards, and a variable of its own may be changed.
#[omp::offload]
fn fine(x: &mut [u32], y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut v = 1;
        #[omp::atomic(capture)]
        {
            x[v as usize] += i as u32;
            v = x[v as usize];
        }
        #[omp::atomic]
        x[0] = x[0] + {
            v += 1;
            v
        };
        #[omp::atomic]
        x[1] = if x[1] > 3 {
            let mut w = x[1];
            w += 2;
            w
        } else {
            2
        };
        y[i] = v;
    }
}

fn main() {}
