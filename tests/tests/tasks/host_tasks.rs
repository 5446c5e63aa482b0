//! Tasks on the host's threads: they run while the function goes on, in the order that their data demands, from any
//! thread, and what they own is theirs.
#![allow(clippy::needless_range_loop, reason = "every spelling that users may choose")]
#![allow(clippy::cast_lossless, reason = "bodies have `as`")]
mod slices;

use omp_tests::goes_on;
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// The number of the host.
fn host() -> usize {
    omp::get_num_devices()
}

/// Runs it in pools of rayon's of one and more threads, and outside of them.
fn in_pools(check: impl Fn() + Sync) {
    check();
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(&check);
        // From its threads, several at a time.
        pool.install(|| (0..6).into_par_iter().for_each(|_| check()));
    }
}

#[omp::offload]
fn long(d: usize, rounds: usize, y: &mut [u64], launched: &mut Duration) -> u64 {
    let start = Instant::now();
    #[omp::target(nowait, device(d))]
    for i in 0..y.len() {
        for k in 0..rounds {
            y[i] = y[i].wrapping_mul(6364136223846793005).wrapping_add(k as u64);
        }
    }
    *launched = start.elapsed();
    y[0]
}

#[test]
fn the_function_goes_on() {
    let mut y = vec![1; 64];
    let mut launched = Duration::ZERO;
    long(host(), 1, &mut y, &mut launched);
    goes_on(|| {
        long(host(), 200_000, &mut y, &mut launched);
        launched
    });
}

/// Host, device, host on the same data; how long the launches took.
#[omp::offload]
fn in_turns(rounds: usize, x: &mut [u64], y: &mut [u64], at: usize, launched: &mut Duration) -> u64 {
    let (d, host) = (omp::get_num_devices() - 1, omp::get_num_devices());
    let mut sum = 0;
    let start = Instant::now();
    #[omp::target(nowait, device(host))]
    for i in 0..x.len() {
        for k in 0..rounds {
            x[i] = x[i].wrapping_mul(6364136223846793005).wrapping_add(k as u64);
        }
    }
    #[omp::target(nowait, device(d))]
    for i in 0..x.len() {
        y[i] = x[i + at] ^ 5;
    }
    #[omp::target(nowait, device(host))]
    for i in 0..x.len() {
        x[i] = y[i].wrapping_add(1);
    }
    #[omp::target(nowait, device(d))]
    for i in 0..x.len() {
        y[i] = y[i].wrapping_add(x[i]);
    }
    #[omp::target(nowait, device(host), reduction(^: sum))]
    for i in 0..x.len() {
        sum ^= x[i].wrapping_add(y[i]);
    }
    *launched = start.elapsed();
    omp::taskwait!();
    sum
}

#[test]
fn host_and_device_take_turns() {
    if omp::get_num_devices() == 0 {
        omp_tests::skipped("opencl", "no OpenCL device");
        return;
    }
    for (n, rounds) in [(0, 1), (1, 3), (64, 100), (1000, 2)] {
        let (mut x, mut y) = ((0..n).collect::<Vec<u64>>(), vec![0; n as usize]);
        let mut want = x.clone();
        want.iter_mut().for_each(|v| {
            (0..rounds as u64).for_each(|k| *v = v.wrapping_mul(6364136223846793005).wrapping_add(k));
        });
        let left: Vec<u64> = want.iter().map(|v| (v ^ 5).wrapping_add(1)).collect();
        let right: Vec<u64> = want.iter().zip(&left).map(|(v, x)| (v ^ 5).wrapping_add(*x)).collect();
        let sum = left.iter().zip(&right).fold(0, |s, (x, y)| s ^ x.wrapping_add(*y));
        assert_eq!(in_turns(rounds, &mut x, &mut y, 0, &mut Duration::default()), sum, "{n}");
        assert_eq!((x, y), (left, right), "{n}");
    }
    // What follows a failure brings nothing back, of whichever kind.
    let (mut x, mut y) = (vec![1; 30], vec![7; 30]);
    let run = || in_turns(1, &mut x, &mut y, 1, &mut Duration::default());
    let payload = catch_unwind(AssertUnwindSafe(run)).expect_err("it is out of bounds");
    let text = payload.downcast_ref::<String>().expect("a text");
    assert!(text.contains("index is 30"), "{text}");
    assert_eq!(x[0], 6364136223846793005, "the first has run, the third has not");
    // No launch waits for what is under way.
    let (mut x, mut y, mut launched) = (vec![1; 64], vec![7; 64], Duration::ZERO);
    goes_on(|| {
        in_turns(400_000, &mut x, &mut y, 0, &mut launched);
        launched
    });
}

/// A task that the thread pool runs, without `device`, on what stands on the device that this thread has chosen.
#[omp::offload]
fn on_the_chosen_device(x: &mut [u64], there: &mut [u64]) {
    let host = omp::get_num_devices();
    omp::target_enter_data!(map(to: there));
    #[omp::target]
    for i in 0..there.len() {
        there[i] = 7;
    }
    #[omp::target(nowait, device(host))]
    for i in 0..x.len() {
        x[i] += i as u64;
    }
    #[omp::target(nowait)]
    for i in 0..x.len() {
        x[i] += there[i];
    }
    omp::taskwait!();
    omp::target_exit_data!(map(delete: there));
}

#[test]
fn the_pool_uses_the_device_that_the_thread_has_chosen() {
    let Some(last) = omp::get_num_devices().checked_sub(1) else {
        omp_tests::skipped("opencl", "no OpenCL device");
        return;
    };
    let chosen = omp::get_default_device();
    omp::set_default_device(last);
    let (mut x, mut there) = (vec![1; 50], vec![1; 50]);
    on_the_chosen_device(&mut x, &mut there);
    omp::set_default_device(chosen);
    assert_eq!(x, (8..58).collect::<Vec<u64>>());
    assert_eq!(there, [1; 50]);
}

struct Grid {
    cells: Vec<i64>,
    shape: (usize, usize),
    gain: i64,
}

#[derive(Clone, Copy, omp::Device)]
struct Step {
    by: i64,
    twice: bool,
}

const SHIFT: i64 = 3;
static TABLE: [i64; 4] = [1, 10, 100, 1000];

/// Everything that a body may take with it: fields, references, structs, constants, statics, locals of inner blocks.
#[omp::offload]
fn captures(d: usize, grid: &mut Grid, steps: &[Step], factor: &i64, out: &mut Vec<i64>) -> i64 {
    let mut sum = 0;
    for step in steps {
        let step = *step;
        let offset = step.by + 1;
        #[omp::target(nowait, device(d))]
        for i in 0..grid.cells.len() {
            let by = if step.twice { 2 * step.by } else { step.by };
            grid.cells[i] += by * grid.gain + *factor + SHIFT + offset;
        }
        #[omp::target(nowait, device(d), map(to: TABLE))]
        for i in 0..out.len() {
            out[i] = grid.cells[i] * TABLE[i % 4] + grid.shape.1 as i64;
        }
        // What is read now is taken now.
        grid.gain += 1;
    }
    #[omp::target(nowait, device(d), reduction(+: sum))]
    for i in 0..out.len() {
        sum += out[i];
    }
    #[omp::target(nowait, device(d), reduction(+: sum))]
    for v in &grid.cells {
        sum += *v;
    }
    sum
}

fn captures_plainly(grid: &mut Grid, steps: &[Step], factor: i64, out: &mut [i64]) -> i64 {
    for step in steps {
        for c in &mut grid.cells {
            *c += step.by * (1 + i64::from(step.twice)) * grid.gain + factor + SHIFT + step.by + 1;
        }
        for (i, v) in out.iter_mut().enumerate() {
            *v = grid.cells[i] * TABLE[i % 4] + grid.shape.1 as i64;
        }
        grid.gain += 1;
    }
    out.iter().sum::<i64>() + grid.cells.iter().sum::<i64>()
}

#[test]
fn bodies_own_what_they_use() {
    in_pools(|| {
        for n in [0, 1, 2, 33, 1000] {
            let steps = [Step { by: 2, twice: true }, Step { by: -5, twice: false }];
            let fresh = || Grid { cells: (0..n as i64).collect(), shape: (1, n), gain: 2 };
            let (mut got, mut want) = (fresh(), fresh());
            let (mut x, mut y) = (vec![7; n], vec![7; n]);
            let total = captures_plainly(&mut want, &steps, 11, &mut y);
            assert_eq!(captures(host(), &mut got, &steps, &11, &mut x), total);
            assert_eq!((got.cells, x, got.gain), (want.cells, y, want.gain));
        }
    });
}

/// A value that is gone before its task has run.
#[omp::offload]
fn short_lived(d: usize, y: &mut [u64]) {
    for round in 0..5u64 {
        let here = Box::new(round * 10);
        let there: &u64 = &here;
        let inner = 1;
        #[omp::target(nowait, device(d))]
        for i in 0..y.len() {
            y[i] = 3 * y[i] + *there + inner;
        }
    }
}

#[test]
fn values_may_go_before_the_task_runs() {
    in_pools(|| {
        let mut y = vec![1u64; 100];
        short_lived(host(), &mut y);
        let want = (0..5).fold(1, |v, round| 3 * v + round * 10 + 1);
        assert!(y.iter().all(|v| *v == want));
    });
}

/// Blocks of rows: neighbours overlap in what they read.
#[omp::offload]
fn blocks(d: usize, from: &[i64], to: &mut [i64], rows: usize) {
    let n = to.len();
    for first in (0..n).step_by(rows.max(1)) {
        let end = n.min(first + rows);
        #[omp::target(nowait, device(d), depend(out: to[first..end]))]
        for i in first..end {
            to[i] = from[i] * 2;
        }
    }
    for first in (1..n).step_by(rows.max(1)) {
        let end = n.min(first + rows);
        #[omp::target(nowait, device(d), depend(inout: to[first..end]))]
        for i in first..end {
            to[i] += from[i - 1];
        }
    }
    omp::taskwait!();
}

#[test]
fn blocks_of_rows() {
    in_pools(|| {
        for (n, rows) in [(0, 3), (1, 1), (10, 3), (64, 8), (1000, 7)] {
            let from: Vec<i64> = (0..n).map(|i| i * i % 17).collect();
            let mut to = vec![-1; n as usize];
            blocks(host(), &from, &mut to, rows);
            let want = |i: usize| 2 * from[i] + if i == 0 { 0 } else { from[i - 1] };
            assert!((0..n as usize).all(|i| to[i] == want(i)), "{n} {rows}");
        }
    });
}

/// Each calls functions with tasks of their own, while its own are under way.
#[omp::offload]
fn nested(d: usize, depth: usize, y: &mut [u64]) {
    #[omp::target(nowait, device(d))]
    for i in 0..y.len() {
        y[i] += 1;
    }
    let mut others = vec![vec![depth as u64; y.len()]; 3];
    if depth > 0 {
        others.par_iter_mut().for_each(|other| nested(d, depth - 1, other));
    }
    let more: u64 = others.iter().flatten().sum();
    #[omp::target(nowait, device(d))]
    for i in 0..y.len() {
        y[i] += more;
    }
}

#[test]
fn functions_with_tasks_inside_of_each_other() {
    fn plainly(depth: usize, y: &mut [u64]) {
        let mut others = vec![vec![depth as u64; y.len()]; 3];
        if depth > 0 {
            others.iter_mut().for_each(|other| plainly(depth - 1, other));
        }
        let more: u64 = others.iter().flatten().sum();
        y.iter_mut().for_each(|v| *v += 1 + more);
    }
    in_pools(|| {
        let (mut got, mut want) = (vec![0; 40], vec![0; 40]);
        nested(host(), 3, &mut got);
        plainly(3, &mut want);
        assert_eq!(got, want);
    });
}

#[omp::offload]
fn fails(d: usize, x: &[u32], at: &[usize], y: &mut [u32], z: &mut [u32]) {
    #[omp::target(nowait, device(d))]
    for i in 0..y.len() {
        y[i] = x[at[i]];
    }
    // Does not run.
    #[omp::target(nowait, device(d))]
    for i in 0..y.len() {
        y[i] += 100;
    }
    // Has nothing to do with it.
    #[omp::target(nowait, device(d))]
    for i in 0..z.len() {
        z[i] = i as u32;
    }
    assert!(z.len() == 7, "the function's own");
}

#[test]
fn failures_and_panics_wait() {
    in_pools(|| {
        let x: Vec<u32> = (0..20).collect();
        for (n, bad) in [(7, true), (7, false), (8, true), (8, false)] {
            let at: Vec<usize> = (0..10).map(|i| if bad && i == 4 { 99 } else { i }).collect();
            let (mut y, mut z) = (vec![0; 10], vec![9; n]);
            let result = catch_unwind(AssertUnwindSafe(|| fails(host(), &x, &at, &mut y, &mut z)));
            let text = result.err().map(|e| e.downcast_ref::<String>().cloned().unwrap_or_default());
            assert_eq!(text.is_some(), bad || n == 8);
            if let (true, 7, Some(text)) = (bad, n, &text) {
                assert!(text.contains("tasks/host_tasks.rs") && text.contains("the index is 99"), "{text}");
                assert!(text.contains("i = 4"), "{text}");
            }
            assert!(z.iter().enumerate().all(|(i, v)| *v == i as u32), "it has run: {z:?}");
            assert!(y.iter().all(|v| (*v < 100) == bad), "{y:?}");
        }
    });
}

/// Thousands of small ones, in chains.
#[omp::offload]
fn chains(d: usize, count: usize, a: &mut [u64], b: &mut [u64]) -> u64 {
    let mut sum = 0u64;
    for k in 0..count {
        let n = a.len();
        #[omp::target(nowait, device(d))]
        for i in 0..n {
            a[i] = a[i].wrapping_mul(3) + k as u64;
        }
        #[omp::target(nowait, device(d))]
        for i in 0..b.len() {
            b[i] ^= k as u64;
        }
        if k % 100 == 99 {
            sum = sum.wrapping_add(a[0]);
        }
    }
    sum
}

#[test]
fn thousands_of_small_ones() {
    let (mut a, mut b) = (vec![1; 8], vec![2; 8]);
    let got = chains(host(), 3000, &mut a, &mut b);
    let (mut v, mut want, mut w) = (1u64, 0u64, 2u64);
    for k in 0..3000u64 {
        v = v.wrapping_mul(3) + k;
        w ^= k;
        want = if k % 100 == 99 { want.wrapping_add(v) } else { want };
    }
    assert_eq!((got, a, b), (want, vec![v; 8], vec![w; 8]));
}

macro_rules! bind {
    ($name:ident, $value:expr) => {
        let $name = $value;
    };
}

#[omp::offload]
fn bound_by_a_macro(d: usize, x: &[u64], y: &mut [u64], z: &mut [u64]) {
    #[omp::target(nowait, device(d))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    {
        bind!(x, vec![7; 100]);
        #[omp::target(nowait, device(d))]
        for i in 0..z.len() {
            z[i] = x[i];
        }
    }
}

#[omp::offload]
fn read_behind_a_macro(d: usize, y: &mut [u64]) -> u64 {
    #[omp::target(nowait, device(d))]
    for i in 0..y.len() {
        y[i] = 1;
    }
    let other = {
        bind!(y, [7; 3]);
        y[2]
    };
    y[0] + other
}

/// Names that macros bind are unlike those of the tasks' data, however they look.
#[test]
fn macros_may_bind_the_name_of_guarded_data() {
    in_pools(|| {
        let (x, mut y, mut z) = (vec![1; 100], vec![0; 100], vec![0; 100]);
        let run = AssertUnwindSafe(|| bound_by_a_macro(host(), &x, &mut y, &mut z));
        let payload = catch_unwind(run).expect_err("it is told");
        let text = payload.downcast_ref::<&str>().expect("a text");
        assert!(text.contains("two variables of one name"), "{text}");
        assert_eq!((&y, z), (&x, vec![0; 100]));
        assert_eq!(read_behind_a_macro(host(), &mut y), 8);
    });
}

#[omp::offload]
fn clauses_look(d: usize, y: &mut [usize]) -> usize {
    let seen;
    #[omp::target(nowait, device(d))]
    for i in 0..y.len() {
        for _ in 0..200_000 {
            y[i] = y[i].wrapping_mul(3) | 1;
        }
        y[i] = 2;
    }
    #[omp::target(nowait, device(d), schedule(dynamic, {
        seen = y[0];
        seen
    }))]
    for i in 0..y.len() {
        y[i] += 1;
    }
    seen
}

#[test]
fn a_chunk_that_is_read_from_guarded_data_waits() {
    in_pools(|| {
        let mut y = vec![0; 8];
        assert_eq!((clauses_look(host(), &mut y), y), (2, vec![3; 8]));
    });
}

/// What a step of a random program does with elements `lo..hi`.
#[derive(Clone, Copy)]
struct Op {
    kind: u32,
    lo: usize,
    hi: usize,
}

const MOST: usize = 6000;

/// Tasks on large parts of two arrays, of all kinds that the host has.
#[omp::offload]
fn random(d: usize, ops: &[Op], a: &mut [u64], b: &mut [u64], at: &[usize]) -> u64 {
    let (mut sum, mut last, mut odd) = (0u64, 0u64, 0u64);
    let n = a.len();
    for op in ops {
        let Op { kind, lo, hi } = *op;
        match kind {
            0 =>
            {
                #[omp::target(nowait, device(d), depend(inout: a[lo..hi]))]
                for i in lo..hi {
                    a[i] = a[i].wrapping_mul(3) + 1;
                }
            }
            1 =>
            {
                #[omp::target(nowait, device(d))]
                for i in lo..hi {
                    b[i] = b[i].rotate_left(5) ^ a[n - 1 - i];
                }
            }
            2 => {
                // Subscripts that nobody knows before: it reads all of `a`.
                #[omp::target(nowait, device(d))]
                for i in lo..hi {
                    b[i] = b[i].wrapping_add(a[at[i]]);
                }
            }
            3 =>
            {
                #[omp::target(nowait, device(d), reduction(+: sum))]
                for i in lo..hi {
                    sum = sum.wrapping_add(b[i]);
                }
            }
            4 =>
            {
                #[omp::target(nowait, device(d), lastprivate(last))]
                for i in lo..hi {
                    last = a[i] ^ 1;
                }
            }
            5 =>
            {
                #[omp::target(nowait, device(d))]
                for i in lo..hi {
                    if b[i] % 2 == 1 {
                        #[omp::atomic]
                        odd += 1;
                    }
                }
            }
            6 => a[lo.min(n - 1)] ^= 77,
            _ => sum = sum.rotate_left(3) ^ b[lo.min(n - 1)],
        }
    }
    sum.wrapping_add(last).wrapping_mul(31).wrapping_add(odd)
}

fn random_plainly(ops: &[Op], a: &mut [u64], b: &mut [u64], at: &[usize]) -> u64 {
    let (mut sum, mut last, mut odd) = (0u64, 0u64, 0u64);
    let n = a.len();
    for &Op { kind, lo, hi } in ops {
        match kind {
            0 => (lo..hi).for_each(|i| a[i] = a[i].wrapping_mul(3) + 1),
            1 => (lo..hi).for_each(|i| b[i] = b[i].rotate_left(5) ^ a[n - 1 - i]),
            2 => (lo..hi).for_each(|i| b[i] = b[i].wrapping_add(a[at[i]])),
            3 => (lo..hi).for_each(|i| sum = sum.wrapping_add(b[i])),
            4 => (lo..hi).for_each(|i| last = a[i] ^ 1),
            5 => odd += b[lo..hi].iter().filter(|v| **v % 2 == 1).count() as u64,
            6 => a[lo.min(n - 1)] ^= 77,
            _ => sum = sum.rotate_left(3) ^ b[lo.min(n - 1)],
        }
    }
    sum.wrapping_add(last).wrapping_mul(31).wrapping_add(odd)
}

#[test]
fn random_programs() {
    in_pools(|| {
        for seed in 1..8u64 {
            let mut v = omp_tests::Values(seed * 77);
            let n = 1 + v.bits() as usize % MOST;
            let ops: Vec<Op> = (0..40)
                .map(|_| {
                    let (x, y) = (v.bits() as usize % (n + 1), v.bits() as usize % (n + 1));
                    Op { kind: v.bits() % 8, lo: x.min(y), hi: x.max(y) }
                })
                .collect();
            let at: Vec<usize> = (0..n).map(|_| v.bits() as usize % n).collect();
            let start = |k: u64| (0..n as u64).map(|i| i * k % 1009).collect::<Vec<u64>>();
            let (mut a, mut b, mut x, mut y) = (start(3), start(5), start(3), start(5));
            let want = random_plainly(&ops, &mut a, &mut b, &at);
            assert_eq!(random(host(), &ops, &mut x, &mut y, &at), want, "seed {seed}");
            assert!((x, y) == (a, b), "seed {seed}");
        }
    });
}
