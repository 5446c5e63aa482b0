//! What takes the whole of the data of tasks: each is one error that tells of the wait.
struct Table {
    cells: Vec<f32>,
    n: usize,
}

impl Table {
    fn sum(&self) -> f32 {
        self.cells.iter().sum()
    }

    #[omp::offload]
    fn owner(&mut self) -> usize {
        #[omp::target(nowait)]
        for i in 0..self.cells.len() {
            self.cells[i] = 1.0;
        }
        if self.n > 2 {
            println!("{}", self.sum());
        }
        let cells = &self.cells;
        cells.len()
    }
}

#[omp::offload]
fn grown(n: usize) {
    let mut y = vec![0.0; n];
    #[omp::target(nowait)]
    for i in 0..n {
        y[i] = 1.0;
    }
    y.push(1.0);
    omp::taskwait!();
}

#[omp::offload]
fn returned(n: usize) -> Vec<f32> {
    let mut y = vec![0.0; n];
    #[omp::target(nowait)]
    for i in 0..n {
        y[i] = 1.0;
    }
    if n > 3 {
        return y;
    }
    y
}

#[omp::offload]
fn printed(x: &[f32]) {
    let mut s = 0.0;
    #[omp::target(nowait, reduction(+: s))]
    for i in 0..x.len() {
        s += x[i];
    }
    println!("{s}");
    println!("{{s}} {}", s);
}

#[omp::offload]
fn moved_though_only_read(x: Vec<f32>, y: &mut [f32]) -> Vec<f32> {
    #[omp::target(nowait)]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    let z = x;
    omp::taskwait!();
    z
}

fn main() {}
