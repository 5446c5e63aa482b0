//! Twelve small problems whose parallel solution is a scan, timed beside serial programs.
mod arrays;
mod choice;
mod numbers;
mod sums;

use clap::Parser;
use example_support::{text, timed_quietly};

/// Twelve problems solved by scans on the best device of this machine, in a table with the times of serial programs.
#[derive(Parser)]
struct Options {
    /// Elements of each problem, at least 16
    #[arg(short, long, default_value_t = 1 << 20, value_parser = at_least_16)]
    n: usize,
    /// How often to run each; the shortest time counts
    #[arg(short, long, default_value_t = 5)]
    repeat: usize,
    /// Problems to solve, 1 to 12; all without any
    #[arg(value_parser = clap::value_parser!(u32).range(1..=12))]
    problems: Vec<u32>,
}

fn at_least_16(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n) if n >= 16 => Ok(n),
        Ok(_) => Err("some of the problems need 16 elements".into()),
        Err(e) => Err(format!("{e}")),
    }
}

/// What times a problem and prints its line of the table.
struct Table {
    n: usize,
    repeat: usize,
}

impl Table {
    /// Runs a problem's serial and its offloaded solution, and fails unless `agree` of the results.
    fn line<T>(
        &self,
        problem: &str,
        mut serial: impl FnMut() -> T,
        mut offloaded: impl FnMut() -> T,
        agree: impl Fn(&T, &T) -> bool,
    ) {
        let (want, usual) = timed_quietly(self.repeat, || (), |()| serial());
        let (got, took) = timed_quietly(self.repeat + 1, || (), |()| offloaded());
        let ratio = usual.best.as_secs_f64() / took.best.as_secs_f64();
        println!(
            "{problem:<58} {:>11} {:>11} {ratio:>7.2}  {:>11}",
            text(usual.best),
            text(took.best),
            text(took.first)
        );
        assert!(agree(&got, &want), "{problem}: not what the serial program gives");
    }

    /// The same for results that are equal to the bit.
    fn exact<T: PartialEq>(&self, problem: &str, serial: impl FnMut() -> T, offloaded: impl FnMut() -> T) {
        self.line(problem, serial, offloaded, T::eq);
    }
}

const PROBLEMS: [fn(&Table); 12] = [
    arrays::compaction,
    arrays::longest_span,
    numbers::polynomial,
    numbers::linear_recurrence,
    choice::draws,
    sums::tree,
    numbers::addition,
    sums::three_parts,
    sums::two_windows,
    sums::modular_sum,
    choice::most_covered,
    arrays::prime_sums,
];

fn main() {
    let o = Options::parse();
    let table = Table { n: o.n, repeat: o.repeat };
    println!(
        "{:<58} {:>11} {:>11} {:>7}  {:>11}",
        format!("n = {}", o.n),
        "serial",
        "offloaded",
        "ratio",
        "first time"
    );
    let mut solved = 0;
    for (number, problem) in (1..).zip(PROBLEMS) {
        if o.problems.is_empty() || o.problems.contains(&number) {
            problem(&table);
            solved += 1;
        }
    }
    println!("checked: {solved} problems; the last region was {}", omp::last_region());
}
