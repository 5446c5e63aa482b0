//! Where a scan puts the loops of a nest in another order, what else they do has to mean the same in both.

#[derive(Clone, Copy, omp::Device)]
struct Affine {
    a: i64,
    b: i64,
}

#[omp::declare_reduction(after: Affine, identity = Affine { a: 1, b: 0 })]
fn after(p: Affine, q: Affine) -> Affine {
    Affine { a: p.a * q.a, b: p.b * q.a + q.b }
}

#[omp::declare_reduction(*: Affine, identity = Affine { a: 1, b: 0 })]
impl std::ops::Mul for Affine {
    type Output = Affine;
    fn mul(self, other: Affine) -> Affine {
        after(self, other)
    }
}

#[omp::offload]
fn declared(y: &mut [i64], n: usize, m: usize) -> Affine {
    let mut all = Affine { a: 1, b: 0 };
    #[omp::target(scan(+: y), reduction(after: all))]
    for i in 1..n {
        for j in 0..m {
            y[i * m + j] = y[(i - 1) * m + j] + 2;
            all = after(all, Affine { a: i as i64, b: j as i64 });
        }
    }
    all
}

#[omp::offload]
fn unlike(y: &mut [i64], n: usize, m: usize) -> usize {
    let mut last = 0;
    #[omp::target(scan(+: y), lastprivate(last))]
    for i in 1..n {
        for j in 0..m {
            y[i * m + j] = y[(i - 1) * m + j] + 2;
            if (i + j) % 5 == 3 {
                last = i * 10 + j;
            }
        }
    }
    last
}

#[omp::offload]
fn left_out(y: &mut [i64], n: usize, m: usize) -> usize {
    let mut last = 0;
    #[omp::target(scan(+: y), lastprivate(last))]
    for i in 1..n {
        for j in 0..m {
            y[i * m + j] = y[(i - 1) * m + j] + 2;
            if (i + j) % 5 == 3 {
                continue;
            }
            last = i * 10 + j;
        }
    }
    last
}

#[omp::offload]
fn generic<T: omp::Device + std::ops::Mul<Output = T>>(y: &mut [i64], n: usize, m: usize, x: &[T], mut all: T) -> T {
    #[omp::target(scan(+: y), reduction(*: all))]
    for i in 1..n {
        for j in 0..m {
            y[i * m + j] = y[(i - 1) * m + j] + 2;
            all = all * x[i];
        }
    }
    all
}

#[omp::offload]
fn handed_on(y: &mut [i64], z: &mut [usize], n: usize, m: usize) {
    let mut before = 3;
    #[omp::target(scan(+: y), firstprivate(before))]
    for i in 1..n {
        for j in 0..m {
            y[i * m + j] = y[(i - 1) * m + j] + 2;
            if i > 1 {
                z[i * m + j] = before;
            }
            before = i * m + j;
        }
    }
}

#[omp::offload]
fn from_the_row_before(y: &mut [i64], z: &mut [usize], m: usize) {
    let mut rows = [3; 20];
    #[omp::target(scan(+: y), private(rows))]
    for i in 1..20 {
        for j in 0..m {
            y[i * m + j] = y[(i - 1) * m + j] + 2;
            rows[i] = i + j;
            if i > 1 {
                z[i * m + j] = rows[i - 1];
            }
        }
    }
}

/// Numbers have no order, rows scanned along the inner loop keep theirs, and the last iteration is the same.
#[omp::offload]
fn fine(y: &mut [i64], z: &mut [i64], n: usize, m: usize) -> (i64, f32, usize, Affine) {
    let (mut sum, mut top, mut last, mut all) = (0, 0.0, 0, Affine { a: 1, b: 0 });
    let (mut twice, more) = (0, 3);
    #[omp::target(scan(+: y), reduction(+: sum), reduction(max: top), lastprivate(last), private(twice), firstprivate(more))]
    for i in 1..n {
        for j in 0..m {
            y[i * m + j] = y[(i - 1) * m + j] + 2;
            twice = i as i64 * 2;
            twice += more;
            sum += 3 + twice;
            top = f32::max(top, (i * j) as f32);
            last = i * 10 + j;
            if i > j {
                last = 7;
            }
        }
    }
    #[omp::target(scan(+: z), reduction(after: all))]
    for i in 0..n {
        for j in 1..m {
            z[i * m + j] = z[i * m + j - 1] + 2;
            all = after(all, Affine { a: i as i64, b: j as i64 });
        }
    }
    (sum, top, last, all)
}

fn main() {}
