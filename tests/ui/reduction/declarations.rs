//! What a declaration lacks is said once; what uses it all the same is not at fault.

#[derive(Clone, Copy, omp::Device)]
struct Best {
    value: f32,
    index: usize,
}

#[omp::declare_reduction(best: Best)]
fn best(a: Best, b: Best) -> Best {
    if b.value > a.value { b } else { a }
}

#[omp::offload]
fn top(x: &[f32]) -> Best {
    let mut top = Best { value: 0.0, index: 0 };
    #[omp::target(reduction(best: top))]
    for i in 0..x.len() {
        top = best(top, Best { value: x[i], index: i });
    }
    top
}

#[omp::declare_reduction(least: Best, neutral = Best { value: f32::MAX, index: 0 })]
fn least(a: Best, b: Best) -> Best {
    if b.value < a.value { b } else { a }
}

#[omp::declare_reduction(most: Best, identity = Best { value: f32::MIN, index: 0 }, commutative)]
fn most(a: Best, b: Best) -> Best {
    best(a, b)
}

#[omp::offload]
fn modifier_alone(x: &[f32]) -> f32 {
    let mut sum = 0.0;
    #[omp::target(reduction(reproducible: sum))]
    for i in 0..x.len() {
        sum += x[i];
    }
    sum
}

#[omp::declare_reduction(first: Option<i32>, identity = None)]
fn first(a: Option<i32>, b: Option<i32>) -> Option<i32> {
    if a.is_some() { a } else { b }
}

#[omp::offload]
fn found(x: &[i32]) -> Option<i32> {
    let mut found = None;
    #[omp::target(reduction(first: found))]
    for i in 0..x.len() {
        found = first(found, if x[i] > 3 { Some(x[i]) } else { None });
    }
    found
}

fn main() {}
