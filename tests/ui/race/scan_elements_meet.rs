// A scan carries what one iteration stores to the next; where two iterations meet in an element, it is a race.
#[derive(Clone, Copy, omp::Device)]
struct Part {
    n: u32,
    v: f64,
}

#[omp::offload]
mod meeting {
    use super::Part;

    pub fn there_and_back(y: &mut [u32], n: usize) {
        #[omp::target(scan(+: y))]
        for i in 1..n {
            y[i * n - i * i] = y[(i - 1) * n - (i - 1) * (i - 1)] + 1;
        }
    }

    pub fn from_behind(y: &mut [Part], n: usize) {
        #[omp::target(scan(+: y))]
        for i in 1..n {
            y[i].n = y[i - 1].n + y[n - i].v as u32;
            y[i].v = i as f64;
        }
    }

    pub fn beside(y: &mut [Part], n: usize) {
        #[omp::target(scan(+: y))]
        for i in 1..n {
            y[i].n = y[i - 1].n + y[i].v as u32;
            y[i - 1].v = i as f64;
        }
    }
}

fn main() {}
