//! Operators of an item's type and another are not the operator that combines the values of the parts, and `+=` is not `+`.
#[derive(Clone, Copy, omp::Device)]
struct Weight(f32);

#[omp::declare_target]
impl std::ops::Add<Weight> for f32 {
    type Output = f32;
    fn add(self, w: Weight) -> f32 {
        self - w.0
    }
}
#[omp::declare_target]
impl std::ops::AddAssign<Weight> for f32 {
    fn add_assign(&mut self, w: Weight) {
        *self = *self * 2.0 + w.0;
    }
}

#[omp::offload]
fn scalar(x: &[Weight]) -> f32 {
    let mut s = 0.0f32;
    #[omp::target(reduction(+: s))]
    for i in 0..x.len() {
        s += x[i];
    }
    s
}

#[omp::offload]
fn written_out(x: &[Weight]) -> f32 {
    let mut s = 0.0f32;
    #[omp::parallel_for(reduction(+: s))]
    for i in 0..x.len() {
        s = s + x[i];
    }
    s
}

#[omp::offload]
fn elements(x: &[Weight], y: &mut [f32]) {
    #[omp::target(reduction(+: y))]
    for i in 0..x.len() {
        y[i % 2] += x[i];
    }
}

#[omp::offload]
fn atomically(x: &[Weight], y: &mut [f32]) {
    #[omp::target]
    for i in 0..x.len() {
        #[omp::atomic]
        y[i % 2] += x[i];
    }
}

#[omp::offload]
fn carried(x: &[Weight], y: &mut [f32]) {
    let mut s = 0.0f32;
    #[omp::target(scan(+: s))]
    for i in 0..x.len() {
        s += x[i];
        y[i] = s;
    }
}

#[omp::offload]
fn of_a_team(x: &[Weight], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut s = 0.0f32;
        #[omp::parallel_for(reduction(+: s))]
        for j in 0..x.len() {
            s += x[j];
        }
        y[i] = s;
    }
}

/// The second operator is of two types.
#[omp::offload]
fn in_chains(x: &[Weight], y: &mut [f32]) -> f32 {
    let mut s = 0.0f32;
    #[omp::target(reduction(+: s))]
    for i in 0..x.len() {
        s = s + 1.0 + x[i];
    }
    #[omp::target]
    for i in 0..x.len() {
        #[omp::atomic]
        y[i % 2] = y[i % 2] + 1.0 + x[i];
    }
    #[omp::target(scan(+: y))]
    for i in 1..x.len() {
        y[i] = y[i - 1] + 1.0 + x[i];
    }
    s
}

fn main() {}
