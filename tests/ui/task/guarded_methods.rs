//! Methods of a user's trait that have the names of slices' methods: what tasks use has those of slices alone.
trait Own {
    fn fill(&mut self, value: u32);
    fn contains(&self, value: &u32) -> bool;
}

impl Own for Vec<u32> {
    fn fill(&mut self, value: u32) {
        self[0] = value;
    }
    fn contains(&self, _: &u32) -> bool {
        false
    }
}

trait Length: Sized {
    fn len(self) -> usize {
        1
    }
}

impl Length for [u32; 4] {}

#[omp::offload]
fn changed(y: &mut Vec<u32>) {
    let n = y.len();
    #[omp::target(nowait)]
    for i in 0..n {
        y[i] = 1;
    }
    y.fill(2);
}

#[omp::offload]
fn looked_at(mut y: Vec<u32>) -> bool {
    #[omp::target(nowait)]
    for i in 0..4 {
        y[i] = 1;
    }
    y.contains(&1)
}

#[omp::offload]
fn counted(mut y: [u32; 4]) -> usize {
    #[omp::target(nowait)]
    for i in 0..4 {
        y[i] = 1;
    }
    y.len()
}

/// The trait is not for these, and others are the slice's.
#[omp::offload]
fn fine(x: &mut [u32], mut y: Vec<u32>, mut z: [u32; 5]) -> usize {
    #[omp::target(nowait)]
    for i in 0..4 {
        x[i] = 1;
        y[i] = 2;
        z[i] = 3;
    }
    x.fill(2);
    z.fill(2);
    y.reverse();
    if x.contains(&2) && z.contains(&3) { y.iter().count() } else { z.len() }
}

fn main() {}
