//! Operators that the item's type does not have.
#[derive(Clone, Copy, omp::Device)]
struct Pair {
    a: f32,
}

impl std::ops::AddAssign for Pair {
    fn add_assign(&mut self, other: Self) {
        self.a += other.a;
    }
}

#[omp::offload]
fn pairs(x: &[Pair]) -> Pair {
    let mut s = Pair { a: 0.0 };
    #[omp::target(reduction(+: s))]
    for i in 0..x.len() {
        s += x[i];
    }
    s
}

fn main() {}
