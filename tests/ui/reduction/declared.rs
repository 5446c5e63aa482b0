//! What is no declared reduction of the item's type.
fn best(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[omp::offload]
fn own(x: &[f64]) -> f64 {
    let mut s = 1.0;
    #[omp::target(reduction(best: s))]
    for i in 0..x.len() {
        s = best(s, x[i]);
    }
    s
}

#[omp::declare_reduction(keep: u32, identity = 0)]
fn keep(a: u32, b: u32) -> u32 {
    if b > a { b } else { a }
}

#[omp::declare_reduction(lose: u32, identity = u32::MAX)]
fn lose(a: u32, b: u32) -> u32 {
    if b < a { b } else { a }
}

#[omp::offload]
fn another_function(x: &[u32]) -> u32 {
    let mut s = 1;
    #[omp::target(reduction(keep: s))]
    for i in 0..x.len() {
        s = lose(s, x[i]);
    }
    s
}

#[derive(Clone, Copy, omp::Device)]
struct Sum(u32);

#[omp::declare_reduction(+: Sum, identity = Sum(0))]
impl std::ops::Add for Sum {
    type Output = Sum;
    fn add(self, other: Sum) -> Sum {
        Sum(self.0 + other.0)
    }
}

/// `+` need not commute.
#[omp::offload]
fn on_the_right(x: &[Sum]) -> Sum {
    let mut s = Sum(0);
    #[omp::target(reduction(+: s))]
    for i in 0..x.len() {
        s = x[i] + s;
    }
    s
}

#[omp::offload]
fn on_the_right_of_a_scan(x: &[Sum], y: &mut [Sum]) {
    let mut s = Sum(0);
    #[omp::target(scan(+: s))]
    for i in 0..x.len() {
        s = x[i] + s;
        y[i] = s;
    }
}

fn main() {}
