//! Copies of a field, and fields that are on the device, in a body that uses the whole of the variable.

#[derive(Clone, Copy, omp::Device)]
struct Cell {
    level: u32,
    parts: [u32; 4],
}

#[omp::declare_target]
impl Cell {
    fn sum(&self) -> u32 {
        self.level + self.parts[0]
    }
}

#[omp::offload]
fn copies(y: &mut [u32], mut c: Cell) -> u32 {
    #[omp::target(private(c.level))]
    for i in 0..y.len() {
        c.level = i as u32;
        y[i] = c.sum();
    }
    c.level = 0;
    #[omp::target(lastprivate(c.level))]
    for i in 0..y.len() {
        c.level = i as u32;
        let now = c;
        y[i] = now.level;
    }
    // None of the iterations assigns it.
    #[omp::target(firstprivate(c.level))]
    for i in 0..y.len() {
        y[i] = c.sum() + c.level;
    }
    c.level
}

#[omp::offload]
fn on_the_device(y: &mut [u32], mut c: Cell) {
    #[omp::target]
    {
        #[omp::parallel_for]
        for k in 0..4 {
            c.parts[k] = 7;
        }
        #[omp::parallel_for]
        for i in 0..y.len() {
            y[i] = c.sum();
        }
    }
    #[omp::target_data(map(tofrom: c.parts))]
    {
        #[omp::target]
        for k in 0..4 {
            c.parts[k] += 7;
        }
        #[omp::target]
        for i in 0..y.len() {
            let now = c;
            y[i] = now.parts[i % 4] + c.level;
        }
    }
}

fn main() {}
