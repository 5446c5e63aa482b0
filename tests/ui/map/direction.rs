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

fn main() {}
