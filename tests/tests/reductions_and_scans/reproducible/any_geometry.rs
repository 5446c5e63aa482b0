//! `reproducible`: the same bits on the host and every device, for any number of teams and threads, whatever is reduced and
//! wherever; and the error bound of sums of floats holds all the same.
#![allow(clippy::assign_op_pattern, reason = "every spelling of an update")]
use omp_tests::{Values, on_every_device};

const LENGTHS: [usize; 8] = [0, 1, 63, 65, 513, 1000, 4097, 20_011];
const GEOMETRIES: [(usize, usize); 6] = [(1, 1), (3, 32), (7, 48), (70, 256), (4096, 1), (513, 1024)];

type Geometry = (usize, usize);

/// Matrices: their product doesn't commute, and rounds.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Matrix([[f64; 2]; 2]);

#[omp::declare_reduction(*: Matrix, identity = Matrix([[1.0, 0.0], [0.0, 1.0]]))]
impl std::ops::Mul for Matrix {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([
            [a[0][0] * b[0][0] + a[0][1] * b[1][0], a[0][0] * b[0][1] + a[0][1] * b[1][1]],
            [a[1][0] * b[0][0] + a[1][1] * b[1][0], a[1][0] * b[0][1] + a[1][1] * b[1][1]],
        ])
    }
}

/// Means of parts, whose combination rounds in every step.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Mean {
    count: f64,
    mean: f64,
}

#[omp::declare_reduction(merge: Mean, identity = Mean { count: 0.0, mean: 0.0 })]
fn merge(a: Mean, b: Mean) -> Mean {
    let count = a.count + b.count;
    if count == 0.0 { a } else { Mean { count, mean: a.mean + (b.mean - a.mean) * (b.count / count) } }
}

#[omp::offload]
mod arrays {
    use super::{Geometry, Matrix, Mean, merge};

    /// A slice, a section that no launch can prove, an array of arrays, and a scalar beside them.
    pub fn bins(
        d: usize,
        (teams, threads): Geometry,
        (x, at): (&[f32], &[usize]),
        (h, g, pairs): (&mut [f32], &mut [f64], &mut [[f32; 2]; 3]),
    ) -> f32 {
        let (n, mut sum) = (g.len(), 0.5);
        #[omp::target(device(d), num_teams(teams), thread_limit(threads),
            reduction(reproducible, +: h, g[1..n], pairs), reduction(+: sum))]
        for i in 0..x.len() {
            h[at[i] % h.len()] += x[i] * 1.1;
            g[1 + at[i] % (n - 1)] -= f64::from(x[i]) / 3.0;
            pairs[at[i] % 3][i % 2] = x[i] + pairs[at[i] % 3][i % 2];
            sum += x[i];
        }
        sum
    }

    /// Every operator of floats, and declared ones.
    pub fn operators(
        d: usize,
        (teams, threads): Geometry,
        (x, at): (&[f32], &[usize]),
        (least, most, product): (&mut [f32; 5], &mut [f32; 5], &mut [f32]),
        (turned, means): (&mut [Matrix], &mut [Mean; 4]),
    ) -> Matrix {
        let mut all = Matrix([[1.0, 0.5], [0.0, 1.0]]);
        #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(reproducible, min: least),
            reduction(max: most), reduction(*: product, turned, all), reduction(merge: means))]
        for i in 0..x.len() {
            let m = Matrix([[1.0, f64::from(x[i]) * 1e-6], [-1e-3, 0.99]]);
            least[at[i] % 5] = least[at[i] % 5].min(x[i]);
            if x[i] > most[at[i] % 5] {
                most[at[i] % 5] = x[i];
            }
            product[at[i] % product.len()] *= 1.0 + x[i] * 1e-7;
            turned[i % turned.len()] = turned[i % turned.len()] * m;
            means[i % 4] = merge(means[i % 4], Mean { count: 1.0, mean: f64::from(x[i]) });
            all = all * m;
        }
        all
    }

    /// Through more elements than there are iterations, in a nest.
    pub fn wide(d: usize, (teams, threads): Geometry, x: &[f64], y: &mut [f64]) {
        let n = y.len();
        #[omp::target(device(d), num_teams(teams), thread_limit(threads), collapse(2), reduction(reproducible, +: y[..n]))]
        for i in 0..x.len() {
            for k in 0..3 {
                y[(i * 7 + k) % n] += x[i] / (k as f64 + 3.0);
            }
        }
    }

    pub fn generic<T: omp::Device + Copy + std::ops::AddAssign + std::ops::Mul<Output = T>>(
        d: usize,
        (teams, threads): Geometry,
        (x, at): (&[T], &[usize]),
        y: &mut [T; 6],
    ) {
        #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(reproducible, +: y))]
        for i in 0..x.len() {
            y[at[i] % 6] += x[i] * x[i];
        }
    }
}

fn bits32(v: &[f32]) -> Vec<u64> {
    v.iter().map(|v| u64::from(v.to_bits())).collect()
}

fn bits64(v: &[f64]) -> Vec<u64> {
    v.iter().map(|v| v.to_bits()).collect()
}

fn of_matrix(m: Matrix) -> Vec<u64> {
    bits64(m.0.as_flattened())
}

/// Terms that nearly cancel, and where they go: mostly to few elements.
fn values(n: usize) -> (Vec<f32>, Vec<usize>) {
    let mut r = Values(n as u64 + 3);
    let x = (0..n).map(|_| (r.bits() as f32 - 2.1e9) * 1e-4).collect();
    let at =
        (0..n).map(|_| if r.bits().is_multiple_of(3) { r.bits() as usize % 10_007 } else { 1 }).collect();
    (x, at)
}

/// Runs `what` everywhere, and compares the bits that it gives.
fn compare(name: &str, what: impl Fn(usize, Geometry, &[f32], &[usize]) -> Vec<u64>) {
    for n in LENGTHS {
        let (x, at) = values(n);
        let mut first = None;
        on_every_device(|d| {
            for geometry in GEOMETRIES {
                let bits = what(d, geometry, &x, &at);
                let first = first.get_or_insert_with(|| bits.clone());
                let differs = first.iter().zip(&bits).position(|(a, b)| a != b);
                assert!(
                    first.len() == bits.len() && differs.is_none(),
                    "{name}, {n} by {geometry:?} on {d}: {:?}",
                    differs.map(|k| (k, first[k], bits[k]))
                );
            }
        });
    }
}

#[test]
fn elements_of_arrays() {
    compare("bins", |d, geometry, x, at| {
        let (mut h, mut g, mut pairs) = (vec![0.1f32; 300], vec![1e-3; 40], [[0.0; 2]; 3]);
        let sum = arrays::bins(d, geometry, (x, at), (&mut h, &mut g, &mut pairs));
        [bits32(&h), bits64(&g), bits32(pairs.as_flattened()), bits32(&[sum])].concat()
    });
    compare("operators", |d, geometry, x, at| {
        let (mut least, mut most, mut product) = ([1e9; 5], [f32::NAN, -1.0, 2.0, 3.0, -1e9], [1.0; 3]);
        let (mut turned, mut means) =
            ([Matrix([[1.0, 0.0], [0.5, 1.0]]); 3], [Mean { count: 2.0, mean: 0.3 }; 4]);
        let all = arrays::operators(
            d,
            geometry,
            (x, at),
            (&mut least, &mut most, &mut product),
            (&mut turned, &mut means),
        );
        let means = means.map(|m| bits64(&[m.count, m.mean])).concat();
        let most = most.map(|m| if m.is_nan() { 0.0 } else { m });
        let turned = turned.map(of_matrix).concat();
        [bits32(&least), bits32(&most), bits32(&product), turned, means, of_matrix(all)].concat()
    });
    compare("wide", |d, geometry, x, _| {
        let (x, mut y) = (x.iter().map(|v| f64::from(*v)).collect::<Vec<_>>(), vec![1.0; 9001]);
        arrays::wide(d, geometry, &x, &mut y);
        bits64(&y)
    });
    compare("generic", |d, geometry, x, at| {
        let mut y = [-0.0f32; 6];
        arrays::generic(d, geometry, (x, at), &mut y);
        bits32(&y)
    });
}

#[omp::offload]
mod checked {
    use super::Geometry;

    pub fn scattered(
        d: usize,
        (teams, threads): Geometry,
        (x, at): (&[f32], &[usize]),
        (y, h): (&mut [f32], &mut [f32]),
    ) -> f32 {
        let mut sum = 0.25;
        #[omp::target(device(d), num_teams(teams), thread_limit(threads), disjoint(y), reduction(reproducible, +: sum, h))]
        for i in 0..x.len() {
            y[at[i]] = x[i] * 3.0;
            sum += x[i] / 3.0;
            h[(at[i] + i) % 3] += x[i] / 7.0;
        }
        sum
    }

    /// A section that no launch can prove, and a written array that is handed on.
    pub fn handed_on(
        d: usize,
        (teams, threads): Geometry,
        (x, at, n): (&[f32], &[usize], usize),
        (y, h): (&mut [f32], &mut [f32]),
    ) -> f32 {
        #[omp::declare_target]
        fn put(to: &mut [f32], v: f32) -> f32 {
            to[0] = v;
            v / 3.0
        }
        let mut sum = 0.25;
        #[omp::target(device(d), num_teams(teams), thread_limit(threads), map(to: x[..n]),
            reduction(reproducible, +: sum, h[..3]))]
        for i in 0..at.len() {
            let v = put(&mut y[i..=i], x[at[i] % n]);
            sum += v;
            h[at[i] % 3] += v;
        }
        sum
    }
}

#[test]
fn what_is_checked_while_running() {
    compare("scattered", |d, geometry, x, _| {
        let n = x.len();
        let at: Vec<usize> = (0..n).map(|i| (i * 5 + 3) % n).collect();
        let at = if n % 5 == 0 { (0..n).rev().collect() } else { at };
        let (mut y, mut h) = (vec![0.0; n], vec![0.0; 3]);
        let sum = checked::scattered(d, geometry, (x, &at), (&mut y, &mut h));
        [bits32(&y), bits32(&h), bits32(&[sum])].concat()
    });
    compare("handed on", |d, geometry, x, at| {
        let (mut y, mut h) = (vec![0.0; x.len()], vec![0.0; 4]);
        let n = x.len();
        let sum = checked::handed_on(d, geometry, (x, at, n), (&mut y, &mut h));
        [bits32(&y), bits32(&h), bits32(&[sum])].concat()
    });
}

#[omp::offload]
mod nests {
    use super::{Geometry, Mean, merge};

    /// For the threads of a team, each in its own order.
    pub fn teams(d: usize, (teams, threads): Geometry, x: &[f32], m: usize, y: &mut [f32], z: &mut [f64]) {
        #[omp::target(device(d), num_teams(teams), thread_limit(threads))]
        for i in 0..y.len() {
            let (mut s, mut p, mut top) = (0.5, 1.0, -1.0f32);
            let mut mean = Mean { count: 0.0, mean: 0.0 };
            #[omp::parallel_for(reduction(reproducible, +: s), reduction(reproducible, *: p), reduction(max: top),
                reduction(reproducible, merge: mean))]
            for j in 0..m {
                s += x[i * m + j] / 3.0;
                p *= 1.0 + x[i * m + j] * 1e-7;
                top = top.max(x[i * m + j]);
                mean = merge(mean, Mean { count: 1.0, mean: f64::from(x[i * m + j]) });
            }
            let mut t = 0.0;
            #[omp::simd(reduction(reproducible, +: t))]
            for j in 0..m {
                t += f64::from(x[i * m + j]) / 7.0;
            }
            y[i] = s + p + top;
            z[i] = mean.mean + t;
        }
    }

    /// A region's own item, from the loops of iterations.
    pub fn sums(d: usize, (teams, threads): Geometry, x: &[f32], m: usize) -> (f32, f32, f64) {
        let (mut s, mut t, mut p) = (0.25, 0.5, 1.0);
        #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(reproducible, +: s, t), reduction(*: p))]
        for i in 0..x.len() / m {
            t += x[i];
            #[omp::parallel_for(reduction(+: s, t), reduction(*: p))]
            for j in 0..m {
                s += x[i * m + j] / 3.0;
                t -= x[i * m + j] / 7.0;
                p *= 1.0 + f64::from(x[i * m + j]) * 1e-9;
            }
            let mut j = 0;
            while j < m {
                if x[i * m + j] > 0.0 {
                    s = s + x[i * m + j] * 0.1 - 1.0;
                }
                s = x[i * m + j].mul_add(0.3, s);
                j += 1;
                s = if j % 3 == 0 { s + x[i] } else { s };
            }
            t = t + if i % 2 == 0 { x[i] } else { -0.0 };
        }
        (s, t, p)
    }

    /// Loops of a nest, of which one depends on another.
    pub fn triangle(d: usize, (teams, threads): Geometry, x: &[f32], n: usize) -> (f32, f32, f32) {
        let (mut s, mut t, mut r) = (0.0, 0.0, 0.0);
        #[omp::target(device(d), num_teams(teams), thread_limit(threads), collapse(2), reduction(reproducible, +: s))]
        for i in 0..n {
            for j in 0..i {
                s += x[i] / (x[j] + 0.3);
            }
        }
        #[omp::target(device(d), num_teams(teams), thread_limit(threads), collapse(3), reduction(reproducible, +: t))]
        for i in 0..n {
            for j in 0..5 {
                for k in 0..3 {
                    t += x[i] / (j as f32 + k as f32 * 0.3 + 0.3);
                }
            }
        }
        #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(reproducible, +: r))]
        for i in 0..n {
            let s = x[i] * 0.1;
            for j in 0..i % 7 {
                let r2 = s + j as f32;
                r += r2 / 3.0;
            }
        }
        (s, t, r)
    }
}

#[test]
fn loops_inside() {
    for m in [1, 3, 100] {
        compare("teams", |d, geometry, x, _| {
            let rows = x.len() / m;
            let (mut y, mut z) = (vec![0.0; rows], vec![0.0; rows]);
            nests::teams(d, geometry, x, m, &mut y, &mut z);
            [bits32(&y), bits64(&z)].concat()
        });
        compare("sums", |d, geometry, x, _| {
            let (s, t, p) = nests::sums(d, geometry, x, m);
            [bits32(&[s, t]), bits64(&[p])].concat()
        });
    }
    compare("triangle", |d, geometry, x, _| {
        let (s, t, r) = nests::triangle(d, geometry, x, x.len().min(200));
        bits32(&[s, t, r])
    });
}

/// A user's struct.
struct Statistics {
    total: f64,
    bins: Vec<f32>,
}

#[omp::offload]
impl Statistics {
    fn add(&mut self, d: usize, (teams, threads): Geometry, x: &[f32], at: &[usize]) {
        #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(reproducible, +: self.total, self.bins))]
        for i in 0..x.len() {
            self.total += f64::from(x[i]) / 3.0;
            self.bins[at[i] % 11] += x[i] / 3.0;
        }
    }
}

#[omp::offload]
fn as_a_task(d: usize, (teams, threads): Geometry, x: &[f32], at: &[usize], y: &mut [f32]) -> f32 {
    let mut sum = 0.0;
    #[omp::target(nowait, device(d), num_teams(teams), thread_limit(threads), reduction(reproducible, +: sum, y))]
    for i in 0..x.len() {
        sum += x[i] / 3.0;
        y[at[i] % 4] += x[i] / 3.0;
    }
    omp::taskwait!();
    sum
}

#[test]
fn fields_and_tasks() {
    compare("fields", |d, geometry, x, at| {
        let mut all = Statistics { total: 0.1, bins: vec![0.3; 11] };
        all.add(d, geometry, x, at);
        [bits64(&[all.total]), bits32(&all.bins)].concat()
    });
    compare("task", |d, geometry, x, at| {
        let mut y = [0.0; 4];
        let sum = as_a_task(d, geometry, x, at, &mut y);
        [bits32(&[sum]), bits32(&y)].concat()
    });
}

mod declared {
    #[omp::declare_target]
    pub(crate) fn seen(v: f32) -> f32 {
        v
    }

    #[omp::declare_target]
    pub(crate) fn hidden(v: f32) -> f32 {
        v
    }
}
#[allow(unused_imports)]
use declared::*;

/// What rustc calls is not what was declared: no device runs it, and the host runs the loop as it stands.
fn hidden(v: f32) -> f32 {
    v
}

macro_rules! sums {
    ($($name:ident $through:ident)*) => { $(
        #[omp::offload]
        fn $name(x: &[f32], at: &[usize], m: usize, h: &mut [f32], y: &mut [f32]) -> f32 {
            let mut sum = 0.25;
            #[omp::target(reduction(reproducible, +: sum, h))]
            for i in 0..x.len() {
                sum += $through(x[i]) / 3.0;
                sum -= x[i] / 7.0;
                h[at[i] % 5] -= x[i] / 3.0;
            }
            #[omp::target]
            for i in 0..y.len() {
                let mut s = 0.25;
                #[omp::parallel_for(reduction(reproducible, +: s))]
                for j in 0..m {
                    s = s - $through(x[i * m + j]) / 3.0;
                }
                y[i] = s;
            }
            sum
        }
    )* };
}
sums!(in_parallel seen as_it_stands hidden);

#[test]
fn loops_as_they_stand() {
    for n in LENGTHS {
        let (x, at) = values(n);
        let sums = [in_parallel, as_it_stands].map(|sums| {
            let (mut h, mut y) = (vec![0.5; 5], vec![0.0; n / 50]);
            let sum = sums(&x, &at, 50, &mut h, &mut y);
            [bits32(&[sum]), bits32(&h), bits32(&y)].concat()
        });
        assert_eq!(sums[0], sums[1], "{n}");
    }
}
