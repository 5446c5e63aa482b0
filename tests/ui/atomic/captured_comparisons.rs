// The comparison of the value before is captured: it may not be evaluated with what it gives, nor with the new value.
#[omp::offload]
fn stores_what_it_captures(x: &mut [u32]) {
    #[omp::target]
    for i in 0..x.len() {
        let mut won = false;
        #[omp::atomic(capture, compare)]
        {
            won = x[i] == 0;
            if won {
                x[i] = 7 * u32::from(won)
            }
        }
        let _ = won;
    }
}

#[omp::offload]
fn compares_under_another_name(x: &mut [u32], y: &mut [bool]) {
    #[omp::target]
    for i in 0..x.len() {
        let (j, r) = (i, false);
        let mut r = r;
        #[omp::atomic(capture, compare)]
        {
            r = x[i] == x[j];
            if r {
                x[i] = 9
            }
        }
        y[i] = r;
    }
}

fn main() {}
