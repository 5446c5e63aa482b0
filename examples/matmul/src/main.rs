//! C = A B for any shapes in f32 or f64: a naive triple loop, its outer two loops on the device.
use clap::{Parser, ValueEnum};
use std::ops::{AddAssign, Mul};
use std::time::Instant;

#[derive(Clone, Copy, ValueEnum)]
enum Precision {
    F32,
    F64,
}

/// Matrix product of A (m × depth) and B (depth × n) on the best device of this machine.
#[derive(Parser)]
struct Options {
    /// Rows of A and C
    #[arg(short, default_value_t = 1000)]
    m: usize,
    /// Columns of B and C
    #[arg(short, default_value_t = 1000)]
    n: usize,
    /// Columns of A and rows of B
    #[arg(short, long, default_value_t = 1000)]
    depth: usize,
    /// Type of the elements
    #[arg(short, long, value_enum, default_value = "f32")]
    precision: Precision,
    /// How often to run it
    #[arg(short, long, default_value_t = 3)]
    repeat: usize,
}

#[omp::offload]
fn product<T>(m: usize, n: usize, depth: usize, zero: T, a: &[T], b: &[T], c: &mut [T])
where
    T: omp::Device + AddAssign + Mul<Output = T>,
{
    #[omp::target(collapse(2), map(to: a, b), map(from: c))]
    for i in 0..m {
        for j in 0..n {
            let mut sum = zero;
            for k in 0..depth {
                sum += a[i * depth + k] * b[k * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}

/// The same on one core, with the loops in the order that caches like.
fn serial<T: Copy + AddAssign + Mul<Output = T>>(n: usize, depth: usize, a: &[T], b: &[T], c: &mut [T]) {
    for (row, a) in c.chunks_mut(n.max(1)).zip(a.chunks(depth.max(1))) {
        for (a, b) in a.iter().zip(b.chunks(n.max(1))) {
            for (c, b) in row.iter_mut().zip(b) {
                *c += *a * *b;
            }
        }
    }
}

fn run<T>(o: &Options, from: fn(f64) -> T, epsilon: f64)
where
    T: omp::Device + AddAssign + Mul<Output = T> + Into<f64>,
{
    let (m, n, depth) = (o.m, o.n, o.depth);
    let value = |i: usize| (i * 7919 % 2003) as f64 / 2003.0 - 0.5;
    let a: Vec<T> = (0..m * depth).map(|i| from(value(i))).collect();
    let b: Vec<T> = (0..depth * n).map(|i| from(value(i + 77))).collect();

    let mut want = vec![from(0.0); m * n];
    let clock = Instant::now();
    serial(n, depth, &a, &b, &mut want);
    println!("serial: {:.3} ms", clock.elapsed().as_secs_f64() * 1e3);

    let mut c = vec![from(f64::NAN); m * n];
    for _ in 0..o.repeat.max(1) {
        product(m, n, depth, from(0.0), &a, &b, &mut c);
        println!("{}", omp::last_region());
    }

    // Each sum has `depth` terms of at most a quarter; two orders of summation differ by at most this.
    let bound = 2.0 * depth as f64 * epsilon * depth as f64 * 0.25;
    for (at, (got, want)) in c.iter().zip(&want).enumerate() {
        let (got, want): (f64, f64) = ((*got).into(), (*want).into());
        assert!((got - want).abs() <= bound, "element {at}: {got} and {want}");
    }
    println!("checked: {m} x {n} elements");
}

fn main() {
    let o = Options::parse();
    match o.precision {
        Precision::F32 => run::<f32>(&o, |v| v as f32, f64::from(f32::EPSILON)),
        Precision::F64 => run::<f64>(&o, |v| v, f64::EPSILON),
    }
}
