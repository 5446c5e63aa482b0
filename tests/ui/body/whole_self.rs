//! The owner as a whole has no meaning on a device: one error at each use.
struct Wave {
    at: Vec<f32>,
    speed: f32,
}

impl Wave {
    fn factor(&self) -> f32 {
        self.speed * 2.0
    }

    #[omp::offload]
    fn step(&mut self) {
        #[omp::target]
        for i in 0..self.at.len() {
            self.at[i] *= self.factor();
        }
        #[omp::target]
        for i in 0..self.at.len() {
            self.at[i] *= Wave::factor(&self);
        }
    }
}

fn main() {}
