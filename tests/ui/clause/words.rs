//! Words in clauses that are nearly those that are known, and characters.
fn main() {}

#[omp::offload]
mod words {
    fn schedule(y: &mut [f32]) {
        #[omp::target(schedule(dynamc))]
        for i in 0..y.len() {
            y[i] = 1.0;
        }
    }

    fn fp(y: &mut [f32]) {
        #[omp::target(fp(fats))]
        for i in 0..y.len() {
            y[i] = 1.0;
        }
    }

    fn default(y: &mut [f32]) {
        #[omp::target(default(nonee))]
        for i in 0..y.len() {
            y[i] = 1.0;
        }
    }

    fn depend(y: &mut [f32]) {
        #[omp::target(depend(inn: y), nowait)]
        for i in 0..y.len() {
            y[i] = 1.0;
        }
    }

    fn promise(y: &mut [f32]) {
        #[omp::target(unsafe(disjont(y)))]
        for i in 0..y.len() {
            y[i] = 1.0;
        }
    }

    fn atomic(y: &mut [f32]) {
        #[omp::target]
        for i in 0..y.len() {
            #[omp::atomic(swap)]
            y[0] = i as f32;
        }
    }

    fn characters(y: &mut [u8]) {
        #[omp::target]
        for i in 0..y.len() {
            y[i] = 'a';
        }
    }
}
