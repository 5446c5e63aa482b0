//! A method that returns an iterator, and does more before that than to bind names.
#[derive(omp::Mapper)]
struct Grid {
    width: usize,
    cells: Vec<f64>,
}

impl Grid {
    fn row(&self, y: usize) -> impl Iterator<Item = &f64> {
        if y > self.cells.len() {
            return self.cells[..0].iter();
        }
        self.cells[y * self.width..][..self.width].iter()
    }
}

#[omp::offload]
fn sums(g: &Grid, y: &mut [f64]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = g.row(i).sum();
    }
}

fn main() {}
