//! `m[(i, j)]` of a value whose type the text doesn't show.
mod small {
    use std::ops::Index;

    #[derive(Clone, Copy, omp::Device)]
    pub struct Matrix([[f64; 2]; 2]);

    #[omp::declare_target]
    impl Index<(usize, usize)> for Matrix {
        type Output = f64;
        fn index(&self, (i, j): (usize, usize)) -> &f64 {
            &self.0[i][j]
        }
    }

    #[omp::declare_target]
    pub fn scaled(by: f64) -> Matrix {
        Matrix([[by, 0.0], [0.0, by]])
    }
}

#[omp::offload]
fn traces(y: &mut [f64]) {
    #[omp::target]
    for i in 0..y.len() {
        let m = small::scaled(y[i]);
        y[i] = (0..2).map(|k| m[(k, k)]).sum();
    }
}

fn main() {}
