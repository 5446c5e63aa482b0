//! Reductions of matrices: one sum of all elements, of several kinds at once, by rows and by columns.
use clap::Parser;
use example_support::{hash, offloaded, timed};

/// Sums square matrices on the best device of this machine.
#[derive(Parser)]
struct Options {
    /// Sides of the matrices
    #[arg(default_values_t = [512, 1024, 4096, 8192])]
    sides: Vec<usize>,
    /// How often to run it
    #[arg(short, long, default_value_t = 3)]
    repeat: usize,
}

/// The sum of all elements.
#[omp::offload]
fn total(a: &[i32], rows: usize, columns: usize) -> i64 {
    let mut sum = 0;
    #[omp::target(collapse(2), reduction(+: sum))]
    for i in 0..rows {
        for j in 0..columns {
            sum += i64::from(a[i * columns + j]);
        }
    }
    sum
}

/// Sum, minimum, maximum and whether any element is 0, in one pass.
#[omp::offload]
fn summary(a: &[i32], rows: usize, columns: usize) -> (i64, i32, i32, bool) {
    let (mut sum, mut least, mut most, mut zero) = (0, i32::MAX, i32::MIN, false);
    #[omp::target(collapse(2), reduction(+: sum), reduction(min: least), reduction(max: most), reduction(||: zero))]
    for i in 0..rows {
        for j in 0..columns {
            let v = a[i * columns + j];
            sum += i64::from(v);
            least = least.min(v);
            most = most.max(v);
            zero = zero || v == 0;
        }
    }
    (sum, least, most, zero)
}

/// The sum of each row: teams take the rows, the threads of a team share a row.
#[omp::offload]
fn row_sums(a: &[i32], columns: usize, sums: &mut [i64]) {
    #[omp::target]
    for i in 0..sums.len() {
        let mut sum = 0;
        #[omp::parallel_for(reduction(+: sum))]
        for j in 0..columns {
            sum += i64::from(a[i * columns + j]);
        }
        sums[i] = sum;
    }
}

/// The sum of each column, by the reduction of an array.
#[omp::offload]
fn column_sums(a: &[i32], rows: usize, sums: &mut [i64]) {
    let columns = sums.len();
    #[omp::target(collapse(2), reduction(+: sums[0..columns]))]
    for i in 0..rows {
        for j in 0..columns {
            sums[j] += i64::from(a[i * columns + j]);
        }
    }
}

fn main() {
    let o = Options::parse();
    for &n in &o.sides {
        println!("{n} x {n}");
        let a: Vec<i32> = (0..n * n).map(|i| (hash(i) % 2001) as i32 - 1000).collect();

        let (want, serial) =
            timed("serial sum", o.repeat, || (), |()| a.iter().map(|&v| i64::from(v)).sum::<i64>());
        assert_eq!(offloaded("sum", o.repeat, serial, || (), |()| total(&a, n, n)), want, "the sum");

        let (want, serial) = timed(
            "serial summary",
            o.repeat,
            || (),
            |()| {
                let start = (0, i32::MAX, i32::MIN, false);
                a.iter().fold(start, |(s, l, m, z), &v| (s + i64::from(v), l.min(v), m.max(v), z || v == 0))
            },
        );
        assert_eq!(
            offloaded("summary", o.repeat, serial, || (), |()| summary(&a, n, n)),
            want,
            "the summary"
        );

        let fresh = || vec![0; n];
        let (want, serial) = timed(
            "serial row sums",
            o.repeat,
            || (),
            |()| a.chunks(n.max(1)).map(|row| row.iter().map(|&v| i64::from(v)).sum()).collect::<Vec<i64>>(),
        );
        let got = offloaded("row sums", o.repeat, serial, fresh, |mut sums| {
            row_sums(&a, n, &mut sums);
            sums
        });
        assert!(got == want, "the sums of rows");

        let (want, serial) = timed("serial column sums", o.repeat, fresh, |mut sums| {
            for row in a.chunks(n.max(1)) {
                sums.iter_mut().zip(row).for_each(|(s, &v)| *s += i64::from(v));
            }
            sums
        });
        let got = offloaded("column sums", o.repeat, serial, fresh, |mut sums| {
            column_sums(&a, n, &mut sums);
            sums
        });
        assert!(got == want, "the sums of columns");
    }
    println!("checked: {} matrices", o.sides.len());
}
