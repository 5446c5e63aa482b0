//! Captured values and elements with an `Index` of the user's that nobody declared.
#[derive(Clone, Copy, omp::Device)]
struct Row([f32; 4]);

impl std::ops::Index<usize> for Row {
    type Output = f32;
    fn index(&self, i: usize) -> &f32 {
        &self.0[3 - i]
    }
}

impl std::ops::IndexMut<usize> for Row {
    fn index_mut(&mut self, i: usize) -> &mut f32 {
        &mut self.0[3 - i]
    }
}

#[omp::offload]
fn captured(y: &mut [f32], row: Row) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = row[1];
    }
}

fn main() {
    captured(&mut [], Row([0.0; 4]));
}
