//! What tasks use can be indexed, sliced and iterated; the whole of it waits.
struct Pair {
    a: Vec<f32>,
    b: Vec<f32>,
}

impl Pair {
    fn total(&self) -> f32 {
        self.a.iter().sum()
    }

    #[omp::offload]
    fn method_of_the_owner(&mut self) -> f32 {
        #[omp::target(nowait)]
        for i in 0..self.a.len() {
            self.a[i] = 1.0;
        }
        self.b[0] = 2.0;
        let total = self.total();
        omp::taskwait!();
        total
    }
}

#[omp::offload]
fn printed(y: &mut [f32]) {
    #[omp::target(nowait)]
    for i in 0..y.len() {
        y[i] = 1.0;
    }
    println!("{} of {y:?}", y[0]);
}

#[omp::offload]
fn moved() -> Vec<f32> {
    let mut y = vec![0.0; 10];
    #[omp::target(nowait)]
    for i in 0..y.len() {
        y[i] = 1.0;
    }
    let z = y;
    omp::taskwait!();
    z
}

#[omp::offload]
fn kept_from_before(y: &mut [f32]) -> f32 {
    #[omp::target(nowait)]
    for i in 0..y.len() {
        y[i] = 1.0;
    }
    let old = &y[1..3];
    #[omp::target(nowait)]
    for i in 0..y.len() {
        y[i] += 1.0;
    }
    old[0]
}

#[omp::offload]
fn moved_into_a_closure(y: &mut [f32]) {
    #[omp::target(nowait)]
    for i in 0..y.len() {
        y[i] = 1.0;
    }
    let first = move || y[0];
    println!("{}", first());
}

#[omp::offload]
fn grown_while_read(n: usize) {
    let mut x = vec![1.0f32; n];
    let mut y = vec![1.0f32; n];
    #[omp::target(nowait)]
    for i in 0..n {
        y[i] = x[i];
    }
    x.push(1.0);
    omp::taskwait!();
}

fn main() {}
