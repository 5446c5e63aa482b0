//! Methods that change what the iterations of an inner loop share, or have copies of.

#[derive(Clone, Copy, omp::Device)]
struct Count(u32);

#[omp::declare_target]
impl Count {
    fn next(&mut self) -> u32 {
        self.0 += 1;
        self.0
    }

    fn twice(&self) -> u32 {
        self.0 * 2
    }
}

#[omp::offload]
fn shared(y: &mut [u32], m: usize) {
    #[omp::target]
    for i in 0..y.len() / m {
        let mut q = Count(7);
        #[omp::parallel_for]
        for j in 0..m {
            y[i * m + j] = q.next();
        }
    }
}

#[omp::offload]
fn copied(y: &mut [u32], m: usize) {
    #[omp::target]
    for i in 0..y.len() / m {
        let mut q = Count(7);
        #[omp::parallel_for(firstprivate(q))]
        for j in 0..m {
            y[i * m + j] = q.next();
        }
    }
}

#[omp::offload]
fn fine(y: &mut [u32], m: usize) {
    #[omp::target]
    for i in 0..y.len() / m {
        let mut q = Count(7);
        q.next();
        #[omp::parallel_for]
        for j in 0..m {
            let mut own = q;
            own.next();
            y[i * m + j] = own.next() + q.twice();
        }
        q.next();
        y[i * m] += q.next();
    }
}

fn main() {}
