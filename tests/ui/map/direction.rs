//! What is mapped one way but used the other.
#[omp::offload]
fn lost(x: &[f32], y: &mut [f32]) {
    #[omp::target(map(to: x, y))]
    for i in 0..y.len() {
        y[i] = 2.0 * x[i];
    }
}

struct Field {
    cells: Vec<f32>,
}

#[omp::offload]
impl Field {
    fn absent(&mut self) {
        #[omp::target(map(from: self.cells))]
        for i in 0..self.cells.len() {
            self.cells[i] += 1.0;
        }
    }
}

/// The data region has another variable of the name.
#[omp::offload]
fn hidden(y: &mut [f32]) -> f32 {
    #[omp::target_data(map(tofrom: y))]
    {
        #[omp::target(map(to: y))]
        for i in 0..y.len() {
            y[i] = 1.0;
        }
        let mut y = [0.0f32; 3];
        #[omp::target(map(to: y))]
        for i in 0..3 {
            y[i] = 1.0;
        }
        y[0]
    }
}

fn main() {}
