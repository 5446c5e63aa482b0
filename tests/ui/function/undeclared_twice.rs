//! A helper that lacks its attribute is one error, however often it is called.
fn halve(x: f64) -> f64 {
    x / 2.0
}

#[cfg_attr(all(), allow(dead_code))] struct Scale;

impl Scale {
    fn of(x: f64) -> f64 {
        3.0 * x
    }
}

#[omp::offload]
fn called(y: &mut [f64]) {
    #[omp::target]
    for i in 0..y.len() {
        let a = halve(i as f64) * halve(2.0);
        let b = halve(a);
        let c = b + 1.0;
        y[i] = c.sqrt();
    }
}

#[omp::offload]
fn by_its_type(y: &mut [f64]) {
    #[omp::target]
    for i in 0..y.len() {
        let a = Scale::of(i as f64);
        let b = Scale::of(a);
        y[i] = b.sqrt();
    }
}

#[derive(Clone, Copy, omp::Device)]
struct Pair {
    a: f64,
    b: f64,
}

impl Pair {
    fn sum(self) -> f64 {
        self.a + self.b
    }
}

#[omp::offload]
fn by_a_method(p: &[Pair], y: &mut [f64]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = p[i].sum() + p[0].sum();
        if y[i] > 0.0 {
            y[i] -= p[i].sum();
        }
    }
}

#[omp::offload]
fn by_the_same_elsewhere(p: &[Pair], q: &[Pair], y: &mut [f64]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = p[i].sum() + q[i].sum();
    }
}

fn main() {
    by_the_same_elsewhere(&[], &[], &mut []);
    by_a_method(&[], &mut []);
    called(&mut [0.0]);
    by_its_type(&mut [0.0]);
}
