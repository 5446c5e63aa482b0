//! An update by the operator of two types, where the type has one of its own, too.
use std::ops::Add;

#[derive(Clone, Copy, omp::Device)]
struct Q {
    x: f32,
}

#[omp::declare_reduction(+: Q, identity = Q { x: 0.0 })]
impl Add for Q {
    type Output = Q;
    fn add(self, o: Q) -> Q {
        Q { x: self.x + o.x }
    }
}

#[omp::declare_target]
impl Add<f32> for Q {
    type Output = Q;
    fn add(self, o: f32) -> Q {
        Q { x: self.x + o }
    }
}

#[omp::offload]
fn sum(x: &[(Q, f32)], y: &mut [Q]) {
    let mut s = Q { x: 0.0 };
    #[omp::target(reduction(+: s))]
    for i in 0..x.len() {
        s = s + x[i].0;
        s = s + x[i].1;
    }
    y[0] = s;
}

fn main() {}
