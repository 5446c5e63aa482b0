//! Odd-even transposition sort: n phases, in each of which every second pair of neighbours is put in order.
use clap::Parser;
use example_support::{hash, offloaded, timed};

/// Sorts by exchanges of neighbours on the best device of this machine.
#[derive(Parser)]
struct Options {
    /// Elements
    #[arg(default_values_t = [1000, 10_000, 100_000])]
    sizes: Vec<usize>,
    /// How often to run it
    #[arg(short, long, default_value_t = 1)]
    repeat: usize,
}

/// The data stays on the device for all phases.
#[omp::offload]
fn sort(a: &mut [i32]) {
    let n = a.len();
    #[omp::target_data(map(tofrom: a))]
    for phase in 0..n {
        #[omp::target]
        for i in (phase % 2 + 1..n).step_by(2) {
            if a[i - 1] > a[i] {
                a.swap(i - 1, i);
            }
        }
    }
}

fn serial_sort(a: &mut [i32]) {
    for phase in 0..a.len() {
        for pair in a[phase % 2..].chunks_exact_mut(2) {
            if pair[0] > pair[1] {
                pair.swap(0, 1);
            }
        }
    }
}

fn main() {
    let o = Options::parse();
    for &n in &o.sizes {
        println!("{n} elements");
        let start = || (0..n).map(|i| hash(i) as i32).collect::<Vec<i32>>();
        let (want, _) = timed("std's sort", o.repeat, start, |mut a| {
            a.sort_unstable();
            a
        });
        let (same, serial) = timed("serial", o.repeat, start, |mut a| {
            serial_sort(&mut a);
            a
        });
        assert!(same == want, "sorted by the serial program");
        let got = offloaded("offloaded", o.repeat, serial, start, |mut a| {
            sort(&mut a);
            a
        });
        assert!(got == want, "sorted on the device");
    }
    println!("checked: {} sizes", o.sizes.len());
}
