//! Polynomial evaluation by an operator on pairs that is associative and does not commute: all prefixes by a scan, the
//! value alone by a reduction.
use clap::Parser;
use example_support::{offloaded, timed, unit};

/// Evaluates a polynomial of a high degree on the best device of this machine.
#[derive(Parser)]
struct Options {
    /// Coefficients
    #[arg(short, long, default_value_t = 1 << 23)]
    n: usize,
    /// Where to evaluate it
    #[arg(short, long, default_value_t = 0.999_999, allow_hyphen_values = true)]
    x: f64,
    /// How often to run it
    #[arg(short, long, default_value_t = 3)]
    repeat: usize,
}

/// A stretch of coefficients: its value at x, and x to the power of its length.
#[derive(Clone, Copy, omp::Device)]
struct Stretch {
    value: f64,
    power: f64,
}

/// What Horner's rule makes of `a` followed by `b`.
#[omp::declare_reduction(horner: Stretch, identity = Stretch { value: 0.0, power: 1.0 })]
fn horner(a: Stretch, b: Stretch) -> Stretch {
    Stretch { value: a.value * b.power + b.value, power: a.power * b.power }
}

/// `values[i]` is the polynomial of the coefficients `c[0]`, …, `c[i]`, the highest power first.
#[omp::offload]
fn prefixes(c: &[f64], x: f64, values: &mut [f64]) {
    let mut sofar = Stretch { value: 0.0, power: 1.0 };
    #[omp::scan(horner, Stretch)]
    for i in 0..c.len() {
        sofar = horner(sofar, Stretch { value: c[i], power: x });
        values[i] = sofar.value;
    }
}

/// The last of them alone.
#[omp::offload]
fn value(c: &[f64], x: f64) -> f64 {
    let mut all = Stretch { value: 0.0, power: 1.0 };
    #[omp::target(reduction(horner: all))]
    for i in 0..c.len() {
        all = horner(all, Stretch { value: c[i], power: x });
    }
    all.value
}

fn main() -> Result<(), String> {
    let o = Options::parse();
    let c: Vec<f64> = (0..o.n).map(|i| unit(i) - 0.25).collect();
    // The sum of the terms' sizes, and the largest power.
    let grown =
        c.iter().fold((0.0f64, 1.0f64), |(sum, power), c| (sum * o.x.abs() + c.abs(), power * o.x.abs()));
    if !(grown.0.is_finite() && grown.1.is_finite()) {
        let (n, x) = (o.n, o.x);
        return Err(format!(
            "{n} terms at {x:e} are more than numbers can hold: take an x from -1 to 1, or a smaller --n"
        ));
    }
    let fresh = || vec![f64::NAN; o.n];

    let (want, serial) = timed("serial prefixes", o.repeat, fresh, |mut values| {
        let mut sofar = 0.0;
        for (value, c) in values.iter_mut().zip(&c) {
            sofar = sofar * o.x + c;
            *value = sofar;
        }
        values
    });
    let got = offloaded("prefixes", o.repeat, serial, fresh, |mut values| {
        prefixes(&c, o.x, &mut values);
        values
    });

    // A term has gone through at most 2 n + 3 roundings, here or there; together they differ by at most this much of the
    // sum of the terms' sizes, which is the same polynomial with all signs taken away.
    let (mut size, mut worst) = (0.0f64, 0.0f64);
    for (i, (got, want)) in got.iter().zip(&want).enumerate() {
        size = size * o.x.abs() + c[i].abs();
        let bound = (2 * i + 3) as f64 * f64::EPSILON * size;
        let off = (got - want).abs();
        assert!(off <= bound, "prefix {i}: {got} and {want}, more than {bound:e} apart");
        worst = worst.max(if size > 0.0 { off / size } else { 0.0 });
    }

    let (want, serial) = timed("serial value", o.repeat, || (), |()| c.iter().fold(0.0, |v, c| v * o.x + c));
    let got = offloaded("value", o.repeat, serial, || (), |()| value(&c, o.x));
    let bound = (2 * o.n + 3) as f64 * f64::EPSILON * size;
    assert!((got - want).abs() <= bound, "the value: {got} and {want}, more than {bound:e} apart");
    println!("checked: {} prefixes, off by at most {worst:e} of their terms; p({}) = {got}", o.n, o.x);
    Ok(())
}
