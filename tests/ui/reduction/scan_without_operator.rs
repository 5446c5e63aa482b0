//! A scan of a type without a declared operator: told once.
#[derive(Clone, Copy, omp::Device)]
struct Matrix {
    a: f64,
    b: f64,
}

#[omp::declare_target]
impl std::ops::Mul for Matrix {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Self { a: self.a * o.a, b: self.b * o.b }
    }
}

#[omp::scan(*, Matrix)]
fn products(m: &[Matrix], y: &mut [Matrix], mut s: Matrix) {
    for i in 0..y.len() {
        s = s * m[i];
        y[i] = s;
    }
}

fn main() {
    let one = Matrix { a: 1.0, b: 1.0 };
    products(&[one], &mut [one], one);
}
