//! What rustc says of items that can't be mapped, or not as the directive says.
struct Grid {
    cells: Vec<f32>,
}

impl std::ops::Deref for Grid {
    type Target = [f32];
    fn deref(&self) -> &[f32] {
        &self.cells
    }
}

#[omp::offload]
fn types(grid: &Grid, words: &[String]) {
    omp::target_enter_data!(map(to: grid));
    omp::target_enter_data!(map(to: words));
}

#[omp::offload]
fn moved(x: Vec<f32>, shared: &[f32]) {
    let mut x = x;
    #[omp::target_data(map(tofrom: shared))]
    {
        let _ = shared;
    }
    #[omp::target_data(map(tofrom: x))]
    {
        drop(x);
    }
}

fn main() {}
