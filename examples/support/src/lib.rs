//! What the examples share: clocks and made data.
use std::time::{Duration, Instant};

/// What several runs took.
#[derive(Clone, Copy)]
pub struct Times {
    /// The first, which finds nothing compiled or cached.
    pub first: Duration,
    /// The shortest.
    pub best: Duration,
}

/// Runs `work` `runs` times, at least once, each time on a fresh `start()`. Gives back the last result and the times.
pub fn timed_quietly<S, T>(
    runs: usize,
    mut start: impl FnMut() -> S,
    mut work: impl FnMut(S) -> T,
) -> (T, Times) {
    let mut run = || {
        let data = start();
        let clock = Instant::now();
        let result = work(data);
        (result, clock.elapsed())
    };
    let (mut result, first) = run();
    let mut best = first;
    for _ in 1..runs {
        let took;
        (result, took) = run();
        best = best.min(took);
    }
    (result, Times { first, best })
}

/// The same, and prints the times under `name`. Gives back the last result and the shortest time.
pub fn timed<S, T>(
    name: &str,
    runs: usize,
    start: impl FnMut() -> S,
    work: impl FnMut(S) -> T,
) -> (T, Duration) {
    let (result, Times { first, best }) = timed_quietly(runs, start, work);
    if runs > 1 {
        println!("{name}: {}, the first time {}", text(best), text(first));
    } else {
        println!("{name}: {}", text(best));
    }
    (result, best)
}

/// The same for what runs on a device: says too where the last of its regions ran, and how the time compares with `serial`.
pub fn offloaded<S, T>(
    name: &str,
    runs: usize,
    serial: Duration,
    start: impl FnMut() -> S,
    work: impl FnMut(S) -> T,
) -> T {
    let (result, best) = timed(name, runs, start, work);
    println!("  last region: {}", omp::last_region());
    println!("  {:.2} times as fast as the serial program", serial.as_secs_f64() / best.as_secs_f64());
    result
}

/// A time with three digits that matter.
pub fn text(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    if ms < 1.0 { format!("{:.1} us", ms * 1e3) } else { format!("{ms:.2} ms") }
}

/// 32 bits that look random, the same for the same `i`.
pub fn hash(i: usize) -> u32 {
    let mut v = (i as u64).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    v = (v ^ v >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (v >> 32) as u32
}

/// A number from 0 to below 1, the same for the same `i`.
pub fn unit(i: usize) -> f64 {
    f64::from(hash(i)) / (f64::from(u32::MAX) + 1.0)
}
