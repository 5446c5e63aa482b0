//! Methods of types that are the host's: one error, at the receiver.
struct Settings {
    limit: f32,
    name: String,
}

impl Settings {
    fn limit(&self) -> f32 {
        self.limit + self.name.len() as f32
    }

    #[omp::offload]
    fn of_self(&self, y: &mut [f32]) {
        #[omp::target]
        for i in 0..y.len() {
            y[i] = self.limit();
        }
    }
}

#[omp::offload]
fn of_parameter(settings: &Settings, x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i].min(settings.limit());
    }
}

fn main() {}
