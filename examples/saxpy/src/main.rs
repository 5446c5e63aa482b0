//! y = a x + y: the smallest offloaded loop, in OpenMP's and in OpenACC's spelling, timed beside the serial one and checked.
use clap::Parser;
use omp::acc;
use std::time::Instant;

/// y = a x + y on the best device of this machine.
#[derive(Parser)]
struct Options {
    /// Elements of x and y
    #[arg(short, long, default_value_t = 1 << 24)]
    n: usize,
    /// The factor
    #[arg(short, long, default_value_t = 2.0, allow_hyphen_values = true)]
    a: f32,
    /// How often to run it
    #[arg(short, long, default_value_t = 3)]
    repeat: usize,
}

#[omp::offload]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    #[omp::target(map(to: x), map(tofrom: y))]
    for i in 0..x.len() {
        y[i] += a * x[i];
    }
}

/// The same in OpenACC's spelling: the directive of a function that is one loop stands on the function.
#[acc::parallel_loop(copyin(x), copy(y))]
fn saxpy_acc(a: f32, x: &[f32], y: &mut [f32]) {
    for i in 0..x.len() {
        y[i] += a * x[i];
    }
}

fn serial(a: f32, x: &[f32], y: &mut [f32]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

fn main() {
    let o = Options::parse();
    let x: Vec<f32> = (0..o.n).map(|i| (i % 1000) as f32 / 1000.0).collect();
    let start: Vec<f32> = (0..o.n).map(|i| (i % 77) as f32).collect();

    let mut want = start.clone();
    let clock = Instant::now();
    for _ in 0..o.repeat {
        serial(o.a, &x, &mut want);
    }
    println!("serial: {:.3} ms a run", clock.elapsed().as_secs_f64() * 1e3 / o.repeat.max(1) as f64);

    for (spelling, run) in [("omp", saxpy as fn(f32, &[f32], &mut [f32])), ("acc", saxpy_acc)] {
        let mut y = start.clone();
        for _ in 0..o.repeat {
            run(o.a, &x, &mut y);
            println!("{spelling}: {}", omp::last_region());
        }

        // a*x + y may be fused on a device: half an ulp of the product, in every run.
        let worst = y.iter().zip(&want).map(|(y, w)| (y - w).abs() / w.abs().max(1.0)).fold(0.0, f32::max);
        assert!(worst <= 2.0 * o.repeat as f32 * f32::EPSILON, "{spelling}: the results differ by {worst:e}");
        println!("{spelling}: checked: {} elements, largest relative difference {worst:e}", o.n);
    }
}
