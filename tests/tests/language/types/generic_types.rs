//! Operators of types with several parameters, written out: in declarations, in clauses and in scans.
use omp_tests::{Values, on_every_device};
use std::ops::{Add, Mul};

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Matrix<T, const N: usize> {
    of: [[T; N]; N],
}

const ZERO: Matrix<u64, 3> = Matrix { of: [[0; 3]; 3] };
const ONE: Matrix<u64, 3> = Matrix { of: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] };

#[omp::declare_reduction(+: Matrix<u64, 3>, identity = ZERO)]
impl Add for Matrix<u64, 3> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let mut sum = self;
        for i in 0..3 {
            for j in 0..3 {
                sum.of[i][j] = sum.of[i][j].wrapping_add(other.of[i][j]);
            }
        }
        sum
    }
}

#[omp::declare_reduction(*: Matrix<u64, 3>, identity = Matrix::<u64, 3> { of: ONE.of },)]
impl Mul for Matrix<u64, 3> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let mut product = ZERO;
        for i in 0..3 {
            for j in 0..3 {
                for k in 0..3 {
                    let term = self.of[i][k].wrapping_mul(other.of[k][j]);
                    product.of[i][j] = product.of[i][j].wrapping_add(term);
                }
            }
        }
        product
    }
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Two<A, B> {
    a: A,
    b: B,
}

#[omp::declare_reduction(join: Two<u8, u64>, identity = Two { a: 0, b: u64::MAX })]
fn join(x: Two<u8, u64>, y: Two<u8, u64>) -> Two<u8, u64> {
    Two { a: x.a.wrapping_add(y.a), b: x.b.min(y.b) }
}

#[omp::offload]
fn reduced(
    d: usize,
    x: &[Matrix<u64, 3>],
    t: &[Two<u8, u64>],
) -> (Matrix<u64, 3>, Matrix<u64, 3>, Two<u8, u64>) {
    let (mut sum, mut product, mut both) = (ZERO, ONE, Two { a: 7, b: u64::MAX });
    #[omp::target(device(d), reduction(+: sum), reduction(*: product), reduction(join: both))]
    for i in 0..x.len() {
        sum = sum + x[i];
        product = product * x[i];
        both = join(both, t[i]);
    }
    (sum, product, both)
}

#[omp::offload]
fn scanned(d: usize, x: &[Matrix<u64, 3>], y: &mut [Matrix<u64, 3>]) {
    #[omp::scan(*, Matrix<u64, 3>, device(d))]
    for i in 1..x.len() {
        y[i] = y[i - 1] * x[i];
    }
}

#[omp::offload]
fn joined(d: usize, t: &[Two<u8, u64>], y: &mut [u64]) -> Two<u8, u64> {
    let mut both = Two { a: 1, b: u64::MAX };
    #[omp::scan(join, Two<u8, u64>, device(d))]
    for i in 0..t.len() {
        both = join(both, t[i]);
        y[i] = both.b;
    }
    both
}

#[test]
fn of_types_that_are_written_out() {
    for n in [0, 1, 33, 5000] {
        let mut r = Values(n as u64);
        let x: Vec<Matrix<u64, 3>> = (0..n)
            .map(|_| Matrix { of: std::array::from_fn(|_| std::array::from_fn(|_| r.wide())) })
            .collect();
        let t: Vec<Two<u8, u64>> = (0..n).map(|_| Two { a: r.bits() as u8, b: r.wide() }).collect();
        let want = (
            x.iter().fold(ZERO, |a, b| a + *b),
            x.iter().fold(ONE, |a, b| a * *b),
            t.iter().fold(Two { a: 7, b: u64::MAX }, |a, b| join(a, *b)),
        );
        let (mut products, mut least) = (x.clone(), Vec::new());
        for i in 1..n {
            products[i] = products[i - 1] * x[i];
        }
        let mut both = Two { a: 1, b: u64::MAX };
        for v in &t {
            both = join(both, *v);
            least.push(both.b);
        }
        on_every_device(|d| {
            assert_eq!(reduced(d, &x, &t), want, "{n} on {d}");
            let (mut y, mut z) = (x.clone(), vec![0; n]);
            scanned(d, &x, &mut y);
            assert!(y == products, "{n} on {d}");
            assert_eq!((joined(d, &t, &mut z), &z), (both, &least), "{n} on {d}");
        });
    }
}

#[omp::offload]
fn total<T: omp::Device + Add<Output = T>>(d: usize, zero: T, x: &[T]) -> (T, T) {
    let (mut sum, mut fixed) = (zero, zero);
    #[omp::target(device(d), reduction(+: sum), reduction(reproducible, +: fixed))]
    for i in 0..x.len() {
        sum = sum + x[i];
        fixed = fixed + x[i];
    }
    (sum, fixed)
}

#[omp::offload]
fn binned<T: omp::Device + Add<Output = T>>(d: usize, bins: &mut [T], fixed: &mut [T], x: &[T]) {
    let n = bins.len();
    #[omp::target(device(d), reduction(+: bins), reduction(reproducible, +: fixed[0..n]))]
    for i in 0..x.len() {
        bins[i % n] = bins[i % n] + x[i];
        fixed[i % n] = fixed[i % n] + x[i];
    }
}

#[omp::offload]
fn by_a_task<T: omp::Device + Mul<Output = T>>(d: usize, one: T, x: &[T]) -> T {
    let mut product = one;
    #[omp::target(device(d), nowait, reduction(*: product))]
    for i in 0..x.len() {
        product = product * x[i];
    }
    omp::taskwait!();
    product
}

#[omp::offload]
fn prefixes<T: omp::Device + Mul<Output = T>>(d: usize, x: &[T], y: &mut [T]) {
    #[omp::scan(*, T, device(d))]
    for i in 1..x.len() {
        y[i] = y[i - 1] * x[i];
    }
}

#[omp::offload]
fn rows<T: omp::Device + Add<Output = T>>(d: usize, n: usize, x: &[T], y: &mut [T]) {
    #[omp::target(device(d))]
    for r in 0..y.len() {
        let mut sum = y[r];
        #[omp::parallel_for(reduction(+: sum))]
        for c in 0..n {
            sum = sum + x[r * n + c];
        }
        y[r] = sum;
    }
}

/// A generic function does not find the operators of `Matrix<u64, 3>`: the host runs its loops as they stand, and a device
/// says what would help it.
#[test]
fn behind_a_type_parameter_the_host_computes() {
    let mut r = Values(19);
    for n in [0, 1, 100, 3000] {
        let x: Vec<_> = (0..n)
            .map(|_| Matrix { of: std::array::from_fn(|_| std::array::from_fn(|_| r.wide())) })
            .collect();
        let (sum, product) = (x.iter().fold(ZERO, |a, b| a + *b), x.iter().fold(ONE, |a, b| a * *b));
        for d in 0..=omp::get_num_devices() {
            let told = |what: &str| {
                let fallback = omp::last_region().fallback;
                let helps = fallback.as_ref().is_some_and(|f| f.contains("write the type out"));
                assert!(helps || d == omp::get_num_devices(), "{what} on {d}: {fallback:?}");
            };
            assert_eq!(total(d, ZERO, &x), (sum, sum), "on {d}");
            told("total");
            let (mut bins, mut fixed) = (vec![ONE; 3], vec![ONE; 4]);
            binned(d, &mut bins, &mut fixed, &x);
            for k in 0..3 {
                let want = x.iter().skip(k).step_by(3).fold(ONE, |a, b| a + *b);
                assert_eq!((bins[k], fixed[k]), (want, want), "bin {k} on {d}");
            }
            assert_eq!(fixed[3], ONE);
            told("binned");
            assert_eq!(by_a_task(d, ONE, &x), product, "on {d}");
            let mut y = x.clone();
            prefixes(d, &x, &mut y);
            assert!(y.last().is_none_or(|last| *last == product), "on {d}");
            told("prefixes");
            let mut y = vec![ONE; 10];
            rows(d, n / 10, &x, &mut y);
            for (k, y) in y.iter().enumerate() {
                let row = &x[k * (n / 10)..][..n / 10];
                assert_eq!(*y, row.iter().fold(ONE, |a, b| a + *b), "row {k} on {d}");
            }
            told("rows");
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Metres(f32);

#[derive(Clone, Copy, omp::Device)]
struct Feet(f32);

#[omp::declare_target]
impl From<Feet> for Metres {
    fn from(feet: Feet) -> Metres {
        Metres(feet.0 * 0.5)
    }
}

/// A way of the user's own, which is no `From`.
#[derive(Clone, Copy, omp::Device)]
struct Steps(u8);

#[allow(clippy::from_over_into, reason = "what is tested")]
impl Into<Metres> for Steps {
    fn into(self) -> Metres {
        Metres(f32::from(self.0))
    }
}

#[omp::declare_target]
fn raised<T: Into<f32> + omp::Device>(v: T) -> f32 {
    let v: f32 = v.into();
    v + 1.0
}

/// `Into` is all that is known of the type.
#[omp::offload]
fn turned<T: Into<f32> + omp::Device>(d: usize, x: &[T], y: &mut [f32]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = raised(x[i]) + x[i].into();
    }
}

#[omp::offload]
fn measured<T: Into<Metres> + omp::Device>(d: usize, x: &[T], y: &mut [Metres]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = x[i].into();
    }
}

#[test]
fn values_turn_into_others_by_their_bound() {
    on_every_device(|d| {
        let mut y = [0.0; 2];
        turned(d, &[3u16, 5], &mut y);
        assert_eq!(y, [7.0, 11.0], "on {d}");
    });
    for d in 0..=omp::get_num_devices() {
        let helps = || {
            let fallback = omp::last_region().fallback;
            let helps = fallback.as_ref().is_some_and(|f| f.contains("write the types out"));
            assert!(helps || d == omp::get_num_devices(), "on {d}: {fallback:?}");
        };
        let mut z = [Metres(0.0); 2];
        measured(d, &[Feet(3.0), Feet(5.0)], &mut z);
        assert_eq!(z, [Metres(1.5), Metres(2.5)], "on {d}");
        helps();
        measured(d, &[Steps(1), Steps(2)], &mut z);
        assert_eq!(z, [Metres(1.0), Metres(2.0)], "on {d}");
        helps();
    }
}

/// The same functions where the operators are known.
#[test]
fn tasks_reduce_what_a_type_parameter_is() {
    let x: Vec<u64> = (0..1000).map(|i| i * 7919).collect();
    on_every_device(|d| {
        assert_eq!(by_a_task(d, 3, &x[..5]), x[..5].iter().product::<u64>() * 3, "on {d}");
        assert_eq!(total(d, 0, &x), (x.iter().sum(), x.iter().sum()), "on {d}");
    });
}
