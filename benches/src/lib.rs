//! What the benchmarks share: loops, data, the command line, timing, and the JSON line that every measurement prints.
//!
//! A line has `peer` (`omp_cuda`, `omp_host`, …), `work`, `ms` (device time on a device, host time on the host),
//! `wall_ms`, a rate, and `check`. Data are hashed indices, never zeros.
pub mod elements;
pub mod loops;

use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// `--once`: regions run once and are not measured, for tools under which a launch takes seconds.
static ONCE: AtomicBool = AtomicBool::new(false);

/// The command line of a benchmark: `NAME [--small] [--once] [WORK-PREFIX]`.
#[derive(Default)]
pub struct Works {
    /// Works whose name begins with this; all without it.
    only: Option<String>,
    /// Whether sizes are to be small (for compute-sanitizer, or a slow device).
    small: bool,
}

impl Works {
    /// The works that the command line names.
    #[must_use]
    pub fn from_args() -> Self {
        let mut works = Self::default();
        for arg in std::env::args().skip(1) {
            match arg.as_str() {
                "--small" => works.small = true,
                "--once" => ONCE.store(true, Ordering::Relaxed),
                _ => works.only = Some(arg),
            }
        }
        works
    }

    /// Whether `work` is to be measured.
    #[must_use]
    pub fn wants(&self, work: &str) -> bool {
        self.only.as_ref().is_none_or(|o| work.starts_with(o.as_str()))
    }

    /// The size to take: `n`, or `small`.
    #[must_use]
    pub fn size(&self, n: usize, small: usize) -> usize {
        if self.small { small } else { n }
    }

    /// The length of an array: `n`, or a thousandth of it.
    #[must_use]
    pub fn len(&self, n: usize) -> usize {
        self.size(n, n >> 10)
    }
}

/// A well-mixed integer for `i`.
#[must_use]
pub fn mix(i: u64) -> u32 {
    let mut x =
        (i as u32).wrapping_add(((i >> 32) as u32).wrapping_mul(0x9E37_79B9)).wrapping_add(0x7F4A_7C15);
    x ^= x >> 16;
    x = x.wrapping_mul(0x7FEB_352D);
    x ^= x >> 15;
    x = x.wrapping_mul(0x846C_A68B);
    x ^ (x >> 16)
}

/// A number in `[0, 1)` for `i`.
#[must_use]
pub fn unit(i: usize) -> f64 {
    f64::from(mix(i as u64)) / 4_294_967_296.0
}

/// `n` numbers of [`unit()`] from the `from`th on, less `less`.
#[must_use]
pub fn floats(n: usize, from: usize, less: f64) -> Vec<f32> {
    (from..from + n).into_par_iter().map(|i| (unit(i) - less) as f32).collect()
}

/// How often [`region`] takes the device time of a kernel; it runs nine times as often.
pub const REPEATS: usize = 15;

/// How often [`region`] runs the loop in all, given `reps`: what an accumulating loop has added up.
#[must_use]
pub fn runs(reps: usize) -> usize {
    if ONCE.load(Ordering::Relaxed) {
        return 1;
    }
    // Four launches before each one that is timed, and four before each measurement of an empty interval.
    let again = if omp::last_region().backend == "host" { 0 } else { 9 * REPEATS };
    reps + 3 + again
}

/// One measurement.
pub struct Line {
    peer: String,
    work: String,
    ms: f64,
    wall_ms: f64,
    rate: Option<(&'static str, f64)>,
}

/// Medians over `reps` runs of a region after two to warm up: device time, with the data on the device and the launch
/// hidden by other work, and host time of the whole region. On the host both are host time. In one more region, the kernel
/// runs [`REPEATS`] times on its own output.
pub fn region(work: &str, reps: usize, mut run: impl FnMut()) -> Line {
    run();
    if ONCE.load(Ordering::Relaxed) {
        let peer = format!("omp_{}", omp::last_region().backend);
        return Line { peer, work: work.into(), ms: 0.0, wall_ms: 0.0, rate: None };
    }
    run();
    let mut wall = Vec::new();
    for _ in 0..reps {
        let start = Instant::now();
        run();
        wall.push(start.elapsed().as_secs_f64() * 1e3);
    }
    omp::__private::repeat_kernels(REPEATS);
    run();
    omp::__private::repeat_kernels(0);
    let report = omp::last_region();
    let backend = report.backend;
    let ms =
        if backend == "host" { median(&mut wall.clone()) } else { report.kernel_time.as_secs_f64() * 1e3 };
    Line { peer: format!("omp_{backend}"), work: work.into(), ms, wall_ms: median(&mut wall), rate: None }
}

/// The device time of the kernels that `run` launches, each the median of `times`; `run` is called twice.
pub fn kernels(work: &str, times: usize, mut run: impl FnMut()) -> Line {
    let start = Instant::now();
    run();
    let wall = start.elapsed().as_secs_f64() * 1e3;
    omp::__private::repeat_kernels(times);
    run();
    let device = omp::__private::repeat_kernels(0).as_secs_f64() * 1e3;
    let backend = omp::last_region().backend;
    Line::new(&format!("omp_{backend}"), work, if backend == "host" { wall } else { device }, wall)
}

/// The median host time of anything.
pub fn host(peer: &str, work: &str, reps: usize, mut run: impl FnMut()) -> Line {
    run();
    run();
    let mut wall: Vec<f64> = (0..reps)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    let ms = median(&mut wall);
    Line { peer: peer.into(), work: work.into(), ms, wall_ms: ms, rate: None }
}

impl Line {
    /// The median of host times in milliseconds.
    #[must_use]
    pub fn of(peer: &str, work: &str, times: &mut [f64]) -> Self {
        let ms = median(times);
        Self { peer: peer.into(), work: work.into(), ms, wall_ms: ms, rate: None }
    }

    /// A measurement in milliseconds.
    #[must_use]
    pub fn new(peer: &str, work: &str, ms: f64, wall_ms: f64) -> Self {
        Self { peer: peer.into(), work: work.into(), ms, wall_ms, rate: None }
    }

    /// Sets the name of what was measured.
    #[must_use]
    pub fn by(mut self, peer: &str) -> Self {
        peer.clone_into(&mut self.peer);
        self
    }

    /// Adds GB/s for `bytes` moved.
    #[must_use]
    pub fn bytes(mut self, bytes: usize) -> Self {
        self.rate = Some(("gbps", bytes as f64 / self.ms / 1e6));
        self
    }

    /// Adds GFLOP/s.
    #[must_use]
    pub fn flop(mut self, flop: f64) -> Self {
        self.rate = Some(("gflops", flop / self.ms / 1e6));
        self
    }

    /// Divides the times by `n`, and gives them in microseconds under the same keys.
    #[must_use]
    pub fn per(mut self, n: usize) -> Self {
        self.ms *= 1e3 / n as f64;
        self.wall_ms = self.ms;
        self
    }

    /// The measured time in milliseconds.
    #[must_use]
    pub fn ms(&self) -> f64 {
        self.ms
    }

    /// Prints it.
    pub fn print(self, right: bool) {
        let rate = self.rate.map_or(String::new(), |(k, v)| format!(",\"{k}\":{v:.5}"));
        let check = if right { "ok" } else { "bad" };
        let Self { peer, work, ms, wall_ms, .. } = self;
        println!(
            "{{\"peer\":\"{peer}\",\"work\":\"{work}\",\"ms\":{ms:.6},\"wall_ms\":{wall_ms:.6}{rate},\"check\":\"{check}\"}}"
        );
    }
}

fn median(t: &mut [f64]) -> f64 {
    t.sort_by(f64::total_cmp);
    t[t.len() / 2]
}
