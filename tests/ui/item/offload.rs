//! Items that `offload` and the short form cannot be on.
#[omp::offload]
struct NoFunction;

#[omp::offload(hurry)]
fn argument() {}

#[omp::offload]
async fn asynchronous(y: &mut [f32]) {
    #[omp::target]
    for i in 0..3 {
        y[i] = 0.0;
    }
}

#[omp::offload(try)]
fn no_result(y: &mut [f32]) {
    #[omp::target]
    for i in 0..3 {
        y[i] = 0.0;
    }
}

#[omp::offload(try)]
fn an_option(y: &mut [f32]) -> Option<()> {
    #[omp::target]
    for i in 0..3 {
        y[i] = 0.0;
    }
    Some(())
}

#[omp::offload]
trait Doubles {
    fn data(&mut self) -> &mut [f32];
    fn double(&mut self) {
        let y = self.data();
        #[omp::target]
        for i in 0..y.len() {
            y[i] *= 2.0;
        }
    }
}

#[omp::target]
fn no_loop() {}

#[omp::target]
fn two_loops(y: &mut [f32]) {
    for i in 0..3 {
        y[i] = 0.0;
    }
    for i in 0..3 {
        y[i] = 1.0;
    }
}

fn main() {}
