//! All Fibonacci numbers up to the n-th, modulo 2^64, by a scan with the product of 2 x 2 matrices.
use clap::Parser;
use example_support::{offloaded, timed};
use std::ops::Mul;

/// Fibonacci numbers modulo 2^64 on the best device of this machine.
#[derive(Parser)]
struct Options {
    /// How many
    #[arg(short, long, default_value_t = 1 << 22)]
    n: usize,
    /// How often to run it
    #[arg(short, long, default_value_t = 3)]
    repeat: usize,
    /// Numbers to print; without any, those of 10, 50 and 93 that are among the `n`
    show: Vec<usize>,
}

/// A 2 x 2 matrix, by rows.
#[derive(Clone, Copy, omp::Device)]
struct Matrix([[u64; 2]; 2]);

const ONE: Matrix = Matrix([[1, 0], [0, 1]]);

/// Takes (F(i), F(i-1)) to (F(i+1), F(i)).
const STEP: Matrix = Matrix([[1, 1], [1, 0]]);

#[omp::declare_reduction(*: Matrix, identity = ONE)]
impl Mul for Matrix {
    type Output = Matrix;

    fn mul(self, other: Matrix) -> Matrix {
        let [[a, b], [c, d]] = self.0;
        let [[e, f], [g, h]] = other.0;
        Matrix([[dot(a, e, b, g), dot(a, f, b, h)], [dot(c, e, d, g), dot(c, f, d, h)]])
    }
}

/// a b + c d
#[omp::declare_target]
fn dot(a: u64, b: u64, c: u64, d: u64) -> u64 {
    a.wrapping_mul(b).wrapping_add(c.wrapping_mul(d))
}

/// `f[i]` is the i-th Fibonacci number modulo 2^64, F(0) = 0.
#[omp::offload]
fn fibonacci(f: &mut [u64]) {
    let mut power = ONE;
    #[omp::scan(*, Matrix, map(from: f))]
    for i in 0..f.len() {
        f[i] = power.0[0][1];
        power = power * STEP;
    }
}

fn main() -> Result<(), String> {
    let mut o = Options::parse();
    if o.show.is_empty() {
        o.show.extend([10, 50, 93].into_iter().filter(|i| *i < o.n));
    }
    if let Some(i) = o.show.iter().find(|i| **i >= o.n) {
        return Err(format!("F({i}) is not among the first {} numbers: raise --n", o.n));
    }
    let fresh = || vec![u64::MAX; o.n];
    let (want, serial) = timed("serial", o.repeat, fresh, |mut f| {
        let (mut a, mut b) = (0u64, 1u64);
        for f in &mut f {
            *f = a;
            (a, b) = (b, a.wrapping_add(b));
        }
        f
    });
    let f = offloaded("offloaded", o.repeat, serial, fresh, |mut f| {
        fibonacci(&mut f);
        f
    });
    if let Some(i) = (0..o.n).find(|&i| f[i] != want[i]) {
        return Err(format!("F({i}): {}, not {}", f[i], want[i]));
    }
    for i in &o.show {
        println!("F({i}) = {}{}", f[*i], if *i > 93 { " modulo 2^64" } else { "" });
    }
    println!("checked: {} numbers", o.n);
    Ok(())
}
