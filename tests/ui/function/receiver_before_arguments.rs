//! A receiver by value is read before the arguments, one of which changes it; a receiver by reference can't be changed by them.
#[derive(Clone, Copy, omp::Device)]
struct Counter {
    n: u32,
}

#[omp::declare_target]
impl Counter {
    fn bump(&mut self) -> u32 {
        self.n += 1;
        self.n
    }
    fn get(&self) -> u32 {
        self.n
    }
    fn plus(self, by: u32) -> u32 {
        self.n + by
    }
    fn add(&mut self, by: u32) {
        self.n += by;
    }
}

#[omp::offload]
fn by_value(y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut c = Counter { n: i as u32 };
        y[i] = c.plus(c.bump());
    }
}

#[omp::offload]
fn by_reference(y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut c = Counter { n: i as u32 };
        c.add(c.get());
        y[i] = c.get();
    }
}

fn main() {
    let mut y = [0; 4];
    by_value(&mut y);
    by_reference(&mut y);
}
