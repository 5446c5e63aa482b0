//! What updates elements of arrays that iterations share, on the host, compared with the plain loop: reduced arrays, `atomic`,
//! `disjoint`, and sums that inner loops make in place. A table with a line for each loop, and in it the shortest time divided by
//! the shortest time of the plain loop, for each number of threads.
#![allow(clippy::needless_range_loop, reason = "indices are what is measured")]
use crate::mix;
use std::cell::RefCell;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A sum and the number of its terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
pub struct Moments {
    n: u64,
    sum: f64,
}

#[omp::declare_reduction(joined: Moments, identity = Moments { n: 0, sum: 0.0 })]
fn joined(a: Moments, b: Moments) -> Moments {
    Moments { n: a.n + b.n, sum: a.sum + b.sum }
}

/// Elements in a field.
#[derive(Debug, PartialEq)]
pub struct Held {
    bins: Vec<f32>,
}

/// Counts, and what each iteration has seen of them: by which order, is open.
#[derive(Debug)]
struct Captured {
    counts: Vec<u32>,
    seen: Vec<u32>,
}

impl PartialEq for Captured {
    fn eq(&self, other: &Self) -> bool {
        self.counts == other.counts
    }
}

/// Each loop as two functions of a module of its name: `by` with the directive, `plain` without.
macro_rules! loops {
    ($(#$directive:tt fn $name:ident $args:tt $body:tt)*) => { $(
        mod $name {
            #[allow(unused_imports, reason = "some loops name items of the file")]
            use super::*;

            #$directive
            #[inline(never)]
            pub fn by $args $body

            #[inline(never)]
            pub fn plain $args $body
        }
    )* };
}

loops! {
    #[omp::target(reduction(+: y))]
    fn count_i32(k: &[u32], y: &mut [i32]) {
        for i in 0..k.len() {
            y[k[i] as usize] += 1;
        }
    }

    #[omp::target(reduction(+: y))]
    fn count_u32(k: &[u32], y: &mut [u32]) {
        for i in 0..k.len() {
            y[k[i] as usize] += 1;
        }
    }

    #[omp::target(reduction(+: y))]
    fn count_u64(k: &[u32], y: &mut [u64]) {
        for i in 0..k.len() {
            y[k[i] as usize] += 1;
        }
    }

    #[omp::target(reduction(+: y))]
    fn sum_f32(k: &[u32], x: &[f32], y: &mut [f32]) {
        for i in 0..k.len() {
            y[k[i] as usize] += x[i];
        }
    }

    #[omp::target(reduction(+: y))]
    fn sum_f64(k: &[u32], x: &[f64], y: &mut [f64]) {
        for i in 0..k.len() {
            y[k[i] as usize] += x[i];
        }
    }

    #[omp::target(reduction(+: y[0..y.len()]))]
    fn section_f32(k: &[u32], x: &[f32], y: &mut [f32]) {
        for i in 0..k.len() {
            y[k[i] as usize] += x[i];
        }
    }

    #[omp::target(reduction(max: y))]
    fn max_f32(k: &[u32], x: &[f32], y: &mut [f32]) {
        for i in 0..k.len() {
            y[k[i] as usize] = y[k[i] as usize].max(x[i]);
        }
    }

    #[omp::target(reduction(min: y))]
    fn min_u32(k: &[u32], y: &mut [u32]) {
        for i in 0..k.len() {
            y[k[i] as usize] = y[k[i] as usize].min(i as u32);
        }
    }

    #[omp::target(reduction(&: y))]
    fn and_u32(k: &[u32], y: &mut [u32]) {
        for i in 0..k.len() {
            y[k[i] as usize] &= !(i as u32);
        }
    }

    #[omp::target(reduction(|: y))]
    fn or_u64(k: &[u32], y: &mut [u64]) {
        for i in 0..k.len() {
            y[k[i] as usize] |= i as u64;
        }
    }

    #[omp::target(reduction(+: y, z))]
    fn two_f32(k: &[u32], x: &[f32], y: &mut [f32], z: &mut [u32]) {
        for i in 0..k.len() {
            y[k[i] as usize] += x[i];
            z[k[i] as usize] += 1;
        }
    }

    #[omp::target(reduction(+: y, *all))]
    fn mixed_f32(k: &[u32], x: &[f32], y: &mut [f32], all: &mut f32) {
        for i in 0..k.len() {
            y[k[i] as usize] += x[i];
            *all += x[i];
        }
    }

    #[omp::target(reduction(+: y))]
    fn nested_f32(k: &[u32], x: &[f32], y: &mut [[f32; 4]]) {
        for i in 0..k.len() {
            y[k[i] as usize][i % 4] += x[i];
        }
    }

    #[omp::target(reduction(joined: y))]
    fn declared(k: &[u32], x: &[f64], y: &mut [Moments]) {
        for i in 0..k.len() {
            y[k[i] as usize] = joined(y[k[i] as usize], Moments { n: 1, sum: x[i] });
        }
    }

    #[omp::target(reduction(+: h.bins))]
    fn field_f32(k: &[u32], x: &[f32], h: &mut Held) {
        for i in 0..k.len() {
            h.bins[k[i] as usize] += x[i];
        }
    }
}

mod atomic_u32 {
    #[omp::offload]
    #[inline(never)]
    pub fn by(k: &[u32], y: &mut [u32]) {
        #[omp::target()]
        for i in 0..k.len() {
            #[omp::atomic]
            y[k[i] as usize] += 1;
        }
    }

    #[inline(never)]
    pub fn plain(k: &[u32], y: &mut [u32]) {
        for i in 0..k.len() {
            y[k[i] as usize] += 1;
        }
    }
}

mod atomic_f32 {
    #[omp::offload]
    #[inline(never)]
    pub fn by(k: &[u32], x: &[f32], y: &mut [f32]) {
        #[omp::target()]
        for i in 0..k.len() {
            #[omp::atomic]
            y[k[i] as usize] += x[i];
        }
    }

    #[inline(never)]
    pub fn plain(k: &[u32], x: &[f32], y: &mut [f32]) {
        for i in 0..k.len() {
            y[k[i] as usize] += x[i];
        }
    }
}

mod atomic_max_i64 {
    #[omp::offload]
    #[inline(never)]
    pub fn by(k: &[u32], y: &mut [i64]) {
        #[omp::target()]
        for i in 0..k.len() {
            #[omp::atomic]
            y[k[i] as usize] = y[k[i] as usize].max(i as i64);
        }
    }

    #[inline(never)]
    pub fn plain(k: &[u32], y: &mut [i64]) {
        for i in 0..k.len() {
            y[k[i] as usize] = y[k[i] as usize].max(i as i64);
        }
    }
}

mod captured_u32 {
    #[omp::offload]
    #[inline(never)]
    pub fn by(k: &[u32], y: &mut [u32], z: &mut [u32]) {
        #[omp::target()]
        for i in 0..k.len() {
            let v;
            #[omp::atomic(capture)]
            {
                v = y[k[i] as usize];
                y[k[i] as usize] += 1;
            }
            z[i] = v;
        }
    }

    #[inline(never)]
    pub fn plain(k: &[u32], y: &mut [u32], z: &mut [u32]) {
        for i in 0..k.len() {
            let v = y[k[i] as usize];
            y[k[i] as usize] += 1;
            z[i] = v;
        }
    }
}

mod rows_f32 {
    #[omp::offload]
    #[inline(never)]
    pub fn by(width: usize, x: &[f32], y: &mut [f32]) {
        #[omp::target]
        for r in 0..x.len() / width {
            #[omp::simd(reduction(+: y))]
            for c in 0..width {
                y[r] += x[r * width + c];
            }
        }
    }

    #[inline(never)]
    pub fn plain(width: usize, x: &[f32], y: &mut [f32]) {
        for r in 0..x.len() / width {
            for c in 0..width {
                y[r] += x[r * width + c];
            }
        }
    }
}

mod wander_f32 {
    #[omp::offload]
    #[inline(never)]
    pub fn by(width: usize, x: &[f32], y: &mut [f32]) {
        #[omp::target]
        for r in 0..x.len() / width {
            #[omp::simd(reduction(+: y))]
            for c in 0..width {
                y[8 * r + c % 8] += x[r * width + c];
            }
        }
    }

    #[inline(never)]
    pub fn plain(width: usize, x: &[f32], y: &mut [f32]) {
        for r in 0..x.len() / width {
            for c in 0..width {
                y[8 * r + c % 8] += x[r * width + c];
            }
        }
    }
}

mod disjoint_f32 {
    #[omp::target(disjoint(y))]
    #[inline(never)]
    pub fn by(k: &[u32], x: &[f32], y: &mut [f32]) {
        for i in 0..k.len() {
            y[k[i] as usize] = x[i];
        }
    }

    #[inline(never)]
    pub fn plain(k: &[u32], x: &[f32], y: &mut [f32]) {
        for i in 0..k.len() {
            y[k[i] as usize] = x[i];
        }
    }
}

mod disjoint_f64 {
    #[omp::target(disjoint(y))]
    #[inline(never)]
    pub fn by(k: &[u32], x: &[f64], y: &mut [f64]) {
        for i in 0..k.len() {
            y[k[i] as usize] += x[i];
        }
    }

    #[inline(never)]
    pub fn plain(k: &[u32], x: &[f64], y: &mut [f64]) {
        for i in 0..k.len() {
            y[k[i] as usize] += x[i];
        }
    }
}

mod mixed_count {
    #[omp::offload]
    #[inline(never)]
    pub fn by(k: &[u32], y: &mut [u32]) -> (u64, u32) {
        let (mut sum, mut most) = (0u64, 0u32);
        #[omp::target(reduction(+: y, sum), reduction(max: most))]
        for i in 0..k.len() {
            y[k[i] as usize] += 1;
            sum += u64::from(k[i]);
            most = most.max(k[i]);
        }
        (sum, most)
    }

    #[inline(never)]
    pub fn plain(k: &[u32], y: &mut [u32]) -> (u64, u32) {
        let (mut sum, mut most) = (0u64, 0u32);
        for i in 0..k.len() {
            y[k[i] as usize] += 1;
            sum += u64::from(k[i]);
            most = most.max(k[i]);
        }
        (sum, most)
    }
}

/// What is measured: loops whose names begin so, on so many threads.
struct Table<'a> {
    only: Option<&'a str>,
    threads: Vec<usize>,
}

/// Times are taken for so long, of each loop on each number of threads, but of [`FEWEST`] runs at least.
const LONG: Duration = Duration::from_millis(50);
const FEWEST: usize = 5;
const MOST: usize = 500;

/// A loop that takes no longer is not shared.
const SHORT: Duration = Duration::from_micros(40);

/// What one thread may take, in times of the plain loop.
fn limit(name: &str) -> f64 {
    if name.starts_with("atomic") || name.starts_with("captured") || name.starts_with("disjoint") {
        3.0
    } else {
        1.3
    }
}

impl Table<'_> {
    fn wants(&self, name: &str) -> bool {
        self.only.is_none_or(|only| name.starts_with(only))
    }

    fn head(&self) {
        let threads = &self.threads;
        let columns: String = threads.iter().map(|t| format!(" {t} |")).collect();
        println!("| loop, elements, iterations |{columns} plain µs | limit | |");
        println!("|---|{}---|---|---|", "---|".repeat(threads.len()));
    }

    /// Measures a loop on each number of threads, alternately with the plain loop; `between` is not timed.
    fn line(
        &self,
        name: &str,
        (elements, n): (usize, usize),
        [by, plain]: [&mut dyn FnMut(); 2],
        between: &mut dyn FnMut(),
    ) {
        let time = |run: &mut dyn FnMut()| {
            let start = Instant::now();
            run();
            start.elapsed()
        };
        let mut least = Duration::MAX;
        let mut times = Vec::new();
        for &threads in &self.threads {
            omp::set_num_threads(threads);
            let (start, mut best) = (Instant::now(), Duration::MAX);
            for turn in 0..MOST {
                if turn >= FEWEST && start.elapsed() > LONG {
                    break;
                }
                between();
                let now = time(by);
                let of_plain = time(plain);
                if turn > 1 {
                    (best, least) = (best.min(now), least.min(of_plain));
                }
            }
            times.push(best);
        }
        let ratio = |time: Duration| time.as_secs_f64() / least.as_secs_f64();
        let columns: String = times.iter().map(|time| format!(" {:.2} |", ratio(*time))).collect();
        let limit = limit(name);
        // Short loops run alone, whatever the number of threads.
        let most = |threads: usize| if threads < 4 || least < SHORT { limit } else { 1.0 };
        let over = self.threads.iter().zip(&times).any(|(threads, time)| ratio(*time) > most(*threads));
        let verdict = if over { "over" } else { "" };
        println!(
            "| {name}, {elements}, {n} |{columns} {:.1} | {limit} | {verdict} |",
            least.as_secs_f64() * 1e6
        );
    }
}

/// Whole numbers, of which no order of additions loses anything.
fn whole(n: usize) -> Vec<f32> {
    (0..n).map(|i| (mix(!i as u64) % 3) as f32 - 1.0).collect()
}

/// All of them. `only` is a prefix of names. Without `threads`, 1, 2, 4, 8 and 16, as far as there are cores.
///
/// # Panics
/// When a loop gives another result than the plain one.
pub fn run(only: Option<&str>, threads: &[usize]) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let usual = [1, 2, 4, 8, 16].into_iter().filter(|threads| *threads <= cores);
    let threads = if threads.is_empty() { usual.collect() } else { threads.to_vec() };
    let table = Table { only, threads };
    table.head();
    // Runs both forms of a loop on results of their own, which are equal in the end.
    macro_rules! compare {
        ($name:ident, $elements:expr, $n:expr, $init:expr, |$y:ident| ($($arg:expr),*)) => {
            compare!($name, "", $elements, $n, $init, |$y| ($($arg),*), {})
        };
        ($name:ident, $how:literal, $elements:expr, $n:expr, $init:expr, |$y:ident| ($($arg:expr),*), $between:expr) => {
            if table.wants(stringify!($name)) {
                let [mut by, mut plain] = [(); 2].map(|()| $init);
                table.line(
                    concat!(stringify!($name), $how),
                    ($elements, $n),
                    [
                        &mut || {
                            let $y = black_box(&mut by);
                            black_box($name::by($($arg),*));
                        },
                        &mut || {
                            let $y = black_box(&mut plain);
                            black_box($name::plain($($arg),*));
                        },
                    ],
                    &mut || $between,
                );
                assert!(by == plain, "{}: another result than the plain loop's", stringify!($name));
            }
        };
    }
    for (elements, n) in [
        (16, 1000),
        (16, 100_000),
        (16, 10_000_000),
        (256, 10_000),
        (256, 1_000_000),
        (4096, 1000),
        (4096, 1_000_000),
        (1_000_000, 1000),
        (1_000_000, 1_000_000),
        (1_000_000, 10_000_000),
    ] {
        let k: Vec<u32> = (0..n).map(|i| mix(i as u64) % elements as u32).collect();
        let x = whole(n);
        let wide: Vec<f64> = x.iter().map(|x| f64::from(*x)).collect();
        compare!(count_i32, elements, n, vec![0i32; elements], |y| (&k, y));
        compare!(count_u32, elements, n, vec![0u32; elements], |y| (&k, y));
        compare!(count_u64, elements, n, vec![0u64; elements], |y| (&k, y));
        compare!(sum_f32, elements, n, vec![0f32; elements], |y| (&k, &x, y));
        compare!(sum_f64, elements, n, vec![0f64; elements], |y| (&k, &wide, y));
        compare!(section_f32, elements, n, vec![0f32; elements], |y| (&k, &x, y));
        compare!(max_f32, elements, n, vec![-2f32; elements], |y| (&k, &x, y));
        compare!(min_u32, elements, n, vec![u32::MAX; elements], |y| (&k, y));
        compare!(and_u32, elements, n, vec![u32::MAX; elements], |y| (&k, y));
        compare!(or_u64, elements, n, vec![0u64; elements], |y| (&k, y));
        compare!(nested_f32, elements, n, vec![[0f32; 4]; elements], |y| (&k, &x, y));
        compare!(declared, elements, n, vec![Moments::default(); elements], |y| (&k, &wide, y));
        compare!(field_f32, elements, n, Held { bins: vec![0.0; elements] }, |h| (&k, &x, h));
        compare!(two_f32, elements, n, (vec![0f32; elements], vec![0u32; elements]), |y| (
            &k, &x, &mut y.0, &mut y.1
        ));
        compare!(mixed_f32, elements, n, (vec![0f32; elements], 0f32), |y| (&k, &x, &mut y.0, &mut y.1));
        compare!(atomic_u32, elements, n, vec![0u32; elements], |y| (&k, y));
        compare!(atomic_f32, elements, n, vec![0f32; elements], |y| (&k, &x, y));
        compare!(atomic_max_i64, elements, n, vec![0i64; elements], |y| (&k, y));
        compare!(captured_u32, elements, n, Captured { counts: vec![0; elements], seen: vec![0; n] }, |y| (
            &k,
            &mut y.counts,
            &mut y.seen
        ));
        compare!(mixed_count, elements, n, vec![0u32; elements], |y| (&k, y));
    }
    for n in [1000, 10_007, 100_003, 1_000_003, 10_000_019] {
        let mut k: Vec<u32> = (0..n as u32).collect();
        (1..n).rev().for_each(|i| k.swap(i, mix(i as u64) as usize % (i + 1)));
        let x = whole(n);
        let wide: Vec<f64> = x.iter().map(|x| f64::from(*x)).collect();
        compare!(disjoint_f32, n, n, vec![0f32; n], |y| (&k, &x, y));
        compare!(disjoint_f64, n, n, vec![0f64; n], |y| (&k, &wide, y));
        // Other subscripts at each launch.
        let k = RefCell::new(k);
        let mut at = 0;
        compare!(disjoint_f32, "_changed", n, n, vec![0f32; n], |y| (&k.borrow(), &x, y), {
            at = (at + n / 3 + 1) % n;
            k.borrow_mut().swap(at, 0);
        });
    }
    for (rows, width) in [(10, 100), (1000, 100), (1000, 1000), (100, 100_000)] {
        let x = whole(rows * width);
        compare!(rows_f32, rows, x.len(), vec![0f32; rows], |y| (width, &x, y));
        compare!(wander_f32, rows, x.len(), vec![0f32; 8 * rows], |y| (width, &x, y));
    }
}
