//! Problems whose operator is made for them: 3 (polynomials), 4 (linear recurrences), 7 (big integers).
use crate::Table;
use example_support::{hash, unit};

/// A stretch of coefficients: its value at x, and x to the power of its length.
#[derive(Clone, Copy, omp::Device)]
struct Stretch {
    value: f64,
    power: f64,
}

#[omp::declare_reduction(horner: Stretch, identity = Stretch { value: 0.0, power: 1.0 })]
fn horner(a: Stretch, b: Stretch) -> Stretch {
    Stretch { value: a.value * b.power + b.value, power: a.power * b.power }
}

#[omp::offload]
fn prefixes(c: &[f64], x: f64, values: &mut [f64]) {
    let mut sofar = Stretch { value: 0.0, power: 1.0 };
    #[omp::scan(horner, Stretch)]
    for i in 0..c.len() {
        sofar = horner(sofar, Stretch { value: c[i], power: x });
        values[i] = sofar.value;
    }
}

/// 3: the values at x of a polynomial and of all that its first coefficients make.
pub fn polynomial(t: &Table) {
    let c: Vec<f64> = (0..t.n).map(|i| unit(i) - 0.25).collect();
    let x = 1.0 - 1e-6;
    t.line(
        "3 polynomial evaluation",
        || {
            let mut value = 0.0;
            let step = |c: &f64| {
                value = value * x + c;
                value
            };
            c.iter().map(step).collect::<Vec<f64>>()
        },
        || {
            let mut values = vec![f64::NAN; c.len()];
            prefixes(&c, x, &mut values);
            values
        },
        |got, want| {
            // A term goes through 2 i + 3 roundings at most, and is at most 3/4.
            let bound = |i: usize| (2 * i + 3) as f64 * f64::EPSILON * 0.75 * (i + 1) as f64;
            got.iter().zip(want).enumerate().all(|(i, (got, want))| (got - want).abs() <= bound(i))
        },
    );
}

/// A 2 x 2 matrix of wrapping numbers.
#[derive(Clone, Copy, omp::Device)]
struct Matrix {
    a: u64,
    b: u64,
    c: u64,
    d: u64,
}

/// First `x`, then `y`: the product y x.
#[omp::declare_reduction(then: Matrix, identity = Matrix { a: 1, b: 0, c: 0, d: 1 })]
fn then(x: Matrix, y: Matrix) -> Matrix {
    Matrix {
        a: dot(y.a, x.a, y.b, x.c),
        b: dot(y.a, x.b, y.b, x.d),
        c: dot(y.c, x.a, y.d, x.c),
        d: dot(y.c, x.b, y.d, x.d),
    }
}

#[omp::declare_target]
fn dot(a: u64, b: u64, c: u64, d: u64) -> u64 {
    a.wrapping_mul(b).wrapping_add(c.wrapping_mul(d))
}

#[omp::offload]
fn recurrence(p: &[u64], q: &[u64], x: &mut [u64]) {
    let mut step = Matrix { a: 1, b: 0, c: 0, d: 1 };
    #[omp::scan(then, Matrix)]
    for i in 0..x.len() {
        step = then(step, Matrix { a: p[i], b: q[i], c: 1, d: 0 });
        x[i] = step.a.wrapping_add(step.b);
    }
}

/// 4: x\[i\] = p\[i\] x\[i-1\] + q\[i\] x\[i-2\], modulo 2^64, from x\[-1\] = x\[-2\] = 1.
pub fn linear_recurrence(t: &Table) {
    let p: Vec<u64> = (0..t.n).map(|i| u64::from(hash(i) % 5 + 1)).collect();
    let q: Vec<u64> = (0..t.n).map(|i| u64::from(hash(i + t.n) % 3 + 1)).collect();
    t.exact(
        "4 linear recurrence",
        || {
            let (mut last, mut before) = (1, 1);
            let next = |(p, q): (&u64, &u64)| {
                (last, before) = (dot(*p, last, *q, before), last);
                last
            };
            p.iter().zip(&q).map(next).collect::<Vec<u64>>()
        },
        || {
            let mut x = vec![0; t.n];
            recurrence(&p, &q, &mut x);
            x
        },
    );
}

/// What digits do to a carry: they make one, they make none, or they pass on the one that comes.
#[derive(Clone, Copy, PartialEq, omp::Device)]
enum Carry {
    None,
    One,
    Passed,
}

#[omp::declare_reduction(carried: Carry, identity = Carry::Passed)]
fn carried(low: Carry, high: Carry) -> Carry {
    match high {
        Carry::Passed => low,
        Carry::None | Carry::One => high,
    }
}

/// Of one pair of digits.
#[omp::declare_target]
fn carry(a: u32, b: u32) -> Carry {
    match a.overflowing_add(b) {
        (_, true) => Carry::One,
        (u32::MAX, false) => Carry::Passed,
        _ => Carry::None,
    }
}

#[omp::offload]
fn add(a: &[u32], b: &[u32], sum: &mut [u32]) -> bool {
    let mut state = Carry::None;
    #[omp::scan(carried, Carry)]
    for i in 0..a.len() {
        let one = match state {
            Carry::One => 1,
            Carry::None | Carry::Passed => 0,
        };
        sum[i] = a[i].wrapping_add(b[i]).wrapping_add(one);
        state = carried(state, carry(a[i], b[i]));
    }
    state == Carry::One
}

/// 7: the sum of two integers of n digits of 32 bits, the lowest first. Most digits pass a carry on.
pub fn addition(t: &Table) {
    let a: Vec<u32> = (0..t.n).map(hash).collect();
    let b: Vec<u32> =
        (0..t.n).map(|i| if hash(i + t.n).is_multiple_of(64) { hash(i + 2 * t.n) } else { !a[i] }).collect();
    t.exact(
        "7 adding big integers",
        || {
            let mut carry = 0u64;
            let digit = |(a, b): (&u32, &u32)| {
                carry = u64::from(*a) + u64::from(*b) + (carry >> 32);
                carry as u32
            };
            let sum: Vec<u32> = a.iter().zip(&b).map(digit).collect();
            (sum, carry >> 32 == 1)
        },
        || {
            let mut sum = vec![0; t.n];
            let over = add(&a, &b, &mut sum);
            (sum, over)
        },
    );
}
