//! Laplace's equation on a square plate by Jacobi's iteration: the plate stays on the device over a while loop, and only the
//! largest change comes back from each step.
mod pictures;

use clap::{Parser, ValueEnum};
use example_support::text;
use indicatif::{ProgressBar, ProgressStyle};
use omp::acc;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Heat on a plate whose edges are kept at given temperatures, on the best device of this machine.
#[derive(Parser)]
struct Options {
    /// Side of the plate, in cells
    #[arg(short, long, default_value_t = 4096)]
    n: usize,
    /// Stop when no cell changes by more
    #[arg(short, long, default_value_t = 1e-4)]
    tolerance: f32,
    /// Stop after as many steps
    #[arg(short, long, default_value_t = 200)]
    most: usize,
    /// How the two loops are spread; all ways without any
    #[arg(short, long, value_enum)]
    form: Vec<Form>,
    /// Where the picture goes
    #[arg(short, long, default_value = "laplace.png")]
    output: PathBuf,
    /// Where the plot of the changes goes
    #[arg(short, long, default_value = "laplace.svg")]
    plot: PathBuf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// Rows are spread, the cells of a row are done one after the other
    Outer,
    /// Rows go to teams, the cells of a row to the threads of its team
    Teams,
    /// All cells are spread
    Collapse,
    /// The same in OpenACC's spelling
    Acc,
}

/// The changes of all steps, until one is below `tolerance` or there are `most`.
type Run = fn(&mut [f32], usize, f32, usize, &mut dyn FnMut(f32)) -> Vec<f32>;

#[omp::offload]
fn outer(a: &mut [f32], n: usize, tolerance: f32, most: usize, step: &mut dyn FnMut(f32)) -> Vec<f32> {
    let mut new = a.to_vec();
    let mut changes = vec![];
    let mut change = f32::INFINITY;
    #[omp::target_data(map(tofrom: a), map(to: new))]
    while change > tolerance && changes.len() < most {
        change = 0.0;
        #[omp::target(reduction(max: change))]
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                let at = i * n + j;
                new[at] = 0.25 * (a[at - 1] + a[at + 1] + a[at - n] + a[at + n]);
                change = change.max((new[at] - a[at]).abs());
            }
        }
        #[omp::target]
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                a[i * n + j] = new[i * n + j];
            }
        }
        changes.push(change);
        step(change);
    }
    changes
}

#[omp::offload]
fn teams(a: &mut [f32], n: usize, tolerance: f32, most: usize, step: &mut dyn FnMut(f32)) -> Vec<f32> {
    let mut new = a.to_vec();
    let mut changes = vec![];
    let mut change = f32::INFINITY;
    #[omp::target_data(map(tofrom: a), map(to: new))]
    while change > tolerance && changes.len() < most {
        change = 0.0;
        #[omp::target_teams_distribute(reduction(max: change))]
        for i in 1..n - 1 {
            #[omp::parallel_for(reduction(max: change))]
            for j in 1..n - 1 {
                let at = i * n + j;
                new[at] = 0.25 * (a[at - 1] + a[at + 1] + a[at - n] + a[at + n]);
                change = change.max((new[at] - a[at]).abs());
            }
        }
        #[omp::target_teams_distribute]
        for i in 1..n - 1 {
            #[omp::parallel_for]
            for j in 1..n - 1 {
                a[i * n + j] = new[i * n + j];
            }
        }
        changes.push(change);
        step(change);
    }
    changes
}

#[omp::offload]
fn collapse(a: &mut [f32], n: usize, tolerance: f32, most: usize, step: &mut dyn FnMut(f32)) -> Vec<f32> {
    let mut new = a.to_vec();
    let mut changes = vec![];
    let mut change = f32::INFINITY;
    #[omp::target_data(map(tofrom: a), map(to: new))]
    while change > tolerance && changes.len() < most {
        change = 0.0;
        #[omp::target(collapse(2), reduction(max: change))]
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                let at = i * n + j;
                new[at] = 0.25 * (a[at - 1] + a[at + 1] + a[at - n] + a[at + n]);
                change = change.max((new[at] - a[at]).abs());
            }
        }
        #[omp::target(collapse(2))]
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                a[i * n + j] = new[i * n + j];
            }
        }
        changes.push(change);
        step(change);
    }
    changes
}

#[omp::offload]
fn openacc(a: &mut [f32], n: usize, tolerance: f32, most: usize, step: &mut dyn FnMut(f32)) -> Vec<f32> {
    let mut new = a.to_vec();
    let mut changes = vec![];
    let mut change = f32::INFINITY;
    #[acc::data(copy(a), copyin(new))]
    while change > tolerance && changes.len() < most {
        change = 0.0;
        #[acc::parallel_loop(collapse(2), reduction(max: change), present(a, new))]
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                let at = i * n + j;
                new[at] = 0.25 * (a[at - 1] + a[at + 1] + a[at - n] + a[at + n]);
                change = change.max((new[at] - a[at]).abs());
            }
        }
        #[acc::parallel_loop(collapse(2), present(a, new))]
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                a[i * n + j] = new[i * n + j];
            }
        }
        changes.push(change);
        step(change);
    }
    changes
}

fn serial(a: &mut [f32], n: usize, tolerance: f32, most: usize, step: &mut dyn FnMut(f32)) -> Vec<f32> {
    let mut new = a.to_vec();
    let mut changes = vec![];
    let mut change = f32::INFINITY;
    while change > tolerance && changes.len() < most {
        change = 0.0;
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                let at = i * n + j;
                new[at] = 0.25 * (a[at - 1] + a[at + 1] + a[at - n] + a[at + n]);
                change = change.max((new[at] - a[at]).abs());
            }
        }
        for i in 1..n - 1 {
            a[i * n + 1..i * n + n - 1].copy_from_slice(&new[i * n + 1..i * n + n - 1]);
        }
        changes.push(change);
        step(change);
    }
    changes
}

/// Cold inside, hot at the top, in a wave on the left, in between elsewhere.
fn plate(n: usize) -> Vec<f32> {
    let cell = |at: usize| {
        let (i, j) = (at / n, at % n);
        let wave = 0.5 + 0.5 * (i as f32 / n as f32 * 12.0).sin();
        match (i, j) {
            (0, _) => 1.0,
            (_, 0) => wave,
            _ if i == n - 1 || j == n - 1 => 0.3,
            _ => 0.0,
        }
    };
    (0..n * n).map(cell).collect()
}

/// One run, with a bar on a terminal.
fn run(name: &str, o: &Options, a: &mut [f32], way: Run) -> (Vec<f32>, Duration) {
    let style =
        ProgressStyle::with_template("{msg:10} {wide_bar} {pos}/{len} steps, change {prefix}, {eta} left");
    let bar = ProgressBar::new(o.most as u64).with_message(name.to_owned());
    bar.set_style(style.expect("the template is right"));
    let clock = Instant::now();
    let mut step = |change: f32| {
        bar.inc(1);
        if bar.position().is_multiple_of(16) {
            bar.set_prefix(format!("{change:.2e}"));
        }
    };
    let changes = way(a, o.n, o.tolerance, o.most, &mut step);
    let took = clock.elapsed();
    bar.finish_and_clear();
    let each = took / changes.len().max(1) as u32;
    let cells = (o.n - 2).pow(2) as f64 / each.as_secs_f64() / 1e6;
    println!("{name}: {}, {} a step, {cells:.0} million cells a second", text(took), text(each));
    (changes, took)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let o = Options::parse();
    if o.n < 3 {
        return Err(format!("-n {}: a plate has 3 x 3 cells at least", o.n).into());
    }
    let mut want = plate(o.n);
    let (changes, usual) = run("serial", &o, &mut want, serial);

    let forms = if o.form.is_empty() {
        &[Form::Outer, Form::Teams, Form::Collapse, Form::Acc][..]
    } else {
        &o.form[..]
    };
    for form in forms {
        let way: Run = match form {
            Form::Outer => outer,
            Form::Teams => teams,
            Form::Collapse => collapse,
            Form::Acc => openacc,
        };
        let mut a = plate(o.n);
        let (own, took) = run(&format!("{form:?}").to_lowercase(), &o, &mut a, way);
        println!("  last region: {}", omp::last_region());
        println!("  {:.2} times as fast as the serial program", usual.as_secs_f64() / took.as_secs_f64());
        // No sum of the program is reordered, and none can be fused with a product: all bits are the same.
        assert!(own == changes, "{form:?}: the changes of the steps");
        assert!(a == want, "{form:?}: the temperatures");
    }

    pictures::heat(&o.output, o.n, &want).map_err(|e| format!("{}: {e}", o.output.display()))?;
    pictures::changes(&o.plot, &changes).map_err(|e| format!("{}: {e}", o.plot.display()))?;
    let last = changes.last().copied().unwrap_or(0.0);
    println!(
        "checked: {} steps on {} x {} cells, the last changed {last:.2e}; written to {} and {}",
        changes.len(),
        o.n,
        o.n,
        o.output.display(),
        o.plot.display()
    );
    Ok(())
}
