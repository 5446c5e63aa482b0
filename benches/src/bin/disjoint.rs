//! Loops under `disjoint` on the host, compared with the serial loop: the shortest time divided by the shortest time of the
//! serial loop, for each number of threads, and for each way in which the subscripts lie in memory.
//!
//! `disjoint [ITERATIONS …] [THREADS=1,2,4 …] [ORDER] [KIND]`, with OMP_BACKEND=host: all sizes, and as many threads as there are cores, without. `same`: each
//! launch reads the same subscripts. `changed`: two of them are swapped between two launches. `unchecked`: the same loop under
//! `unsafe(disjoint(y))`, which is what threads can gain at all.
#![allow(clippy::needless_range_loop, reason = "indices are what is measured")]
use omp_benches::mix;
use std::hint::black_box;
use std::time::Instant;

/// Far from the element before, and not accessed by other iterations.
#[omp::declare_target]
fn turned(i: usize, n: usize) -> usize {
    (i * 7 + 3) % n
}

/// Each loop as functions of a module of its name.
macro_rules! loops {
    ($(fn $name:ident($k:ident: $_k:ty, $x:ident: $_x:ty, $y:ident: $_y:ty) by($($list:tt)*) $body:tt)*) => { $(
        mod $name {
            #[allow(unused_imports, reason = "some loops call a function of the file")]
            use super::*;

            #[omp::target(disjoint($($list)*))]
            #[inline(never)]
            pub fn by($k: $_k, $x: $_x, $y: $_y) $body

            #[omp::target(unsafe(disjoint($($list)*)))]
            #[inline(never)]
            pub fn unchecked($k: $_k, $x: $_x, $y: $_y) $body

            #[inline(never)]
            pub fn plain($k: $_k, $x: $_x, $y: $_y) $body
        }
    )* };
}

loops! {
    fn store_f32(k: &[u32], x: &[f32], y: &mut [f32]) by(y) {
        for i in 0..k.len() {
            y[k[i] as usize] = x[i];
        }
    }

    fn add_f64(k: &[u32], x: &[f64], y: &mut [f64]) by(y) {
        for i in 0..k.len() {
            y[k[i] as usize] += x[i];
        }
    }

    fn wide_f32(k: &[usize], x: &[f32], y: &mut [f32]) by(y) {
        for i in 0..k.len() {
            y[k[i]] = x[i];
        }
    }

    fn called_f32(k: &[u32], x: &[f32], y: &mut [f32]) by(y) {
        for i in 0..k.len() {
            y[turned(i, k.len())] = x[i];
        }
    }
}

mod two {
    #[omp::target(disjoint(y, z))]
    #[inline(never)]
    pub fn by(k: &[u32], x: &[f32], (y, z): (&mut [f32], &mut [u32])) {
        for i in 0..k.len() {
            y[k[i] as usize] = x[i];
            z[k[i] as usize] += 1;
        }
    }

    #[omp::target(unsafe(disjoint(y, z)))]
    #[inline(never)]
    pub fn unchecked(k: &[u32], x: &[f32], (y, z): (&mut [f32], &mut [u32])) {
        for i in 0..k.len() {
            y[k[i] as usize] = x[i];
            z[k[i] as usize] += 1;
        }
    }

    #[inline(never)]
    pub fn plain(k: &[u32], x: &[f32], (y, z): (&mut [f32], &mut [u32])) {
        for i in 0..k.len() {
            y[k[i] as usize] = x[i];
            z[k[i] as usize] += 1;
        }
    }
}

/// The shortest time of a run, in seconds; `between` is not timed.
fn shortest(n: usize, run: &mut dyn FnMut(), between: &mut dyn FnMut()) -> f64 {
    let mut best = f64::MAX;
    for turn in 0..(20_000_000 / n.max(1)).clamp(5, 100) {
        between();
        let start = Instant::now();
        run();
        if turn > 1 {
            best = best.min(start.elapsed().as_secs_f64());
        }
    }
    best
}

/// The orders in which iterations come to elements, each once.
fn subscripts(order: &str, n: usize) -> Vec<u32> {
    let shuffled = |n: usize| {
        let mut all: Vec<u32> = (0..n as u32).collect();
        (1..n).rev().for_each(|i| all.swap(i, mix(i as u64) as usize % (i + 1)));
        all
    };
    match order {
        "permuted" => shuffled(n),
        "blocks" => {
            let blocks = shuffled(n.div_ceil(64)).into_iter();
            blocks.flat_map(|b| (64 * b..64 * b + 64).filter(|i| (*i as usize) < n)).collect()
        }
        _ => {
            // All elements of one remainder, then those of the next.
            (0..7).flat_map(|r| (r..n as u32).step_by(7)).collect()
        }
    }
}

/// A loop, with its subscripts and its results.
type Run<'a, K, Y> = dyn Fn(&K, &mut Y) + 'a;

/// A row of the table.
struct Row<'a> {
    order: &'a str,
    n: usize,
    threads: &'a [usize],
    wanted: &'a [String],
}

impl Row<'_> {
    /// Measures a loop: `plain`, then the others on each number of threads. `swap` exchanges two subscripts.
    fn print<Y: PartialEq + Clone, K>(
        &self,
        kind: &str,
        (k, swap): (&mut K, fn(&mut K, usize)),
        y: &Y,
        [by, unchecked, plain]: [&Run<'_, K, Y>; 3],
    ) {
        let kinds = ["store_f32", "add_f64", "wide_f32", "two", "called_f32"];
        if self.wanted.iter().any(|w| kinds.contains(&&**w)) && !self.wanted.iter().any(|w| w == kind) {
            return;
        }
        let n = self.n;
        let mut want = y.clone();
        let serial = shortest(n, &mut || plain(k, black_box(&mut want)), &mut || {});
        for (state, run) in [("same", by), ("changed", by), ("unchecked", unchecked)] {
            let mut cells = String::new();
            let mut right = true;
            for &threads in self.threads {
                omp::set_num_threads(threads);
                let (mut at, mut got) = (0, y.clone());
                let k = std::cell::RefCell::new(&mut *k);
                let time = shortest(n, &mut || run(*k.borrow(), black_box(&mut got)), &mut || {
                    at = (at + n / 3 + 1) % n;
                    if state == "changed" {
                        swap(*k.borrow_mut(), at);
                    }
                });
                let mut want = y.clone();
                let turns = (20_000_000 / n.max(1)).clamp(5, 100);
                if state != "changed" {
                    (0..turns).for_each(|_| plain(*k.borrow(), &mut want));
                    right &= got == want;
                }
                cells += &format!(" {:.2} |", time / serial);
            }
            println!(
                "| {kind}, {}, {n}, {state} |{cells} {:.1} | {} |",
                self.order,
                1e6 * serial,
                if right { "ok" } else { "bad" }
            );
        }
    }
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let named = wanted.iter().find_map(|w| w.strip_prefix("THREADS="));
    let named = named.map(|list| list.split(',').filter_map(|n| n.parse().ok()).collect::<Vec<usize>>());
    let threads = named.unwrap_or_else(|| [1, 2, 4, 8, 16].into_iter().filter(|t| *t <= cores).collect());
    let sizes: Vec<usize> = wanted.iter().filter_map(|w| w.parse().ok()).collect();
    let sizes = if sizes.is_empty() { vec![10_007, 100_003, 1_000_003, 10_000_019] } else { sizes };
    let orders = ["permuted", "blocks", "strided"];
    println!(
        "| loop, order, iterations |{} serial µs | check |",
        threads.iter().map(|t| format!(" {t} |")).collect::<String>()
    );
    println!("|---|{}---|---|", "---|".repeat(threads.len()));
    let any = |names: &[&str]| wanted.iter().any(|w| names.contains(&&**w));
    for n in sizes {
        for order in orders {
            if any(&orders) && !any(&[order]) {
                continue;
            }
            let row = Row { order, n, threads: &threads, wanted: &wanted };
            let mut k = subscripts(order, n);
            let mut wide: Vec<usize> = k.iter().map(|k| *k as usize).collect();
            // Whole numbers, of which no order of additions loses anything.
            let x: Vec<f32> = (0..n).map(|i| (mix(!i as u64) % 3) as f32 - 1.0).collect();
            let x64: Vec<f64> = x.iter().map(|x| f64::from(*x)).collect();
            let swap = |k: &mut Vec<u32>, at: usize| k.swap(at, 0);
            let y = vec![0f32; n];
            row.print(
                "store_f32",
                (&mut k, swap),
                &y,
                [&|k, y| store_f32::by(k, &x, y), &|k, y| store_f32::unchecked(k, &x, y), &|k, y| {
                    store_f32::plain(k, &x, y);
                }],
            );
            row.print(
                "add_f64",
                (&mut k, swap),
                &vec![0f64; n],
                [&|k, y| add_f64::by(k, &x64, y), &|k, y| add_f64::unchecked(k, &x64, y), &|k, y| {
                    add_f64::plain(k, &x64, y);
                }],
            );
            row.print(
                "wide_f32",
                (&mut wide, |k, at| k.swap(at, 0)),
                &y,
                [&|k, y| wide_f32::by(k, &x, y), &|k, y| wide_f32::unchecked(k, &x, y), &|k, y| {
                    wide_f32::plain(k, &x, y);
                }],
            );
            row.print(
                "two",
                (&mut k, swap),
                &(y.clone(), vec![0u32; n]),
                [
                    &|k, y| two::by(k, &x, (&mut y.0, &mut y.1)),
                    &|k, y| two::unchecked(k, &x, (&mut y.0, &mut y.1)),
                    &|k, y| two::plain(k, &x, (&mut y.0, &mut y.1)),
                ],
            );
            if n % 7 != 0 && order == "permuted" {
                row.print(
                    "called_f32",
                    (&mut k, swap),
                    &y,
                    [&|k, y| called_f32::by(k, &x, y), &|k, y| called_f32::unchecked(k, &x, y), &|k, y| {
                        called_f32::plain(k, &x, y);
                    }],
                );
            }
        }
    }
}
