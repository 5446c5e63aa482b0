//! The same for operators of a type that is not known before types are: matrices keep their order.

#[derive(Clone, Copy, omp::Device)]
struct Affine {
    a: i64,
    b: i64,
}

#[omp::declare_reduction(*: Affine, identity = Affine { a: 1, b: 0 })]
impl std::ops::Mul for Affine {
    type Output = Affine;
    fn mul(self, other: Affine) -> Affine {
        Affine { a: self.a * other.a, b: self.b * other.a + other.b }
    }
}

#[omp::offload]
fn composed(y: &mut [i64], n: usize, m: usize) -> Affine {
    let mut all = Affine { a: 1, b: 0 };
    #[omp::target(scan(+: y), reduction(*: all))]
    for i in 1..n {
        for j in 0..m {
            y[i * m + j] = y[(i - 1) * m + j] + 2;
            all = all * Affine { a: i as i64, b: j as i64 };
        }
    }
    all
}

fn main() {}
