//! Chunks of iterations on the host's threads.
//!
//! The iterations `0..count` are cut into chunks that depend on `count`, the schedule and the number of threads alone.
//! The thread that runs a chunk may vary, but the result of a reduction does not.
use super::pace::Pace;
use super::schedule::{Deal, MOST_LIGHT, Schedule};
use crate::device::team;
use crate::host::failure_record::carry;
use crate::host::reduction::reduce::Fold;
use crate::launch::HostRun;
use rayon::Scope;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

impl HostRun {
    /// Runs `body(lo, hi)` for all of `0..count`, in chunks, on the region's threads.
    ///
    /// # Panics
    /// When the body does.
    #[inline]
    pub fn for_each(self, count: u64, body: impl Fn(u64, u64) + Sync) {
        let nature = Nature {
            joined: true,
            light: self.light,
            shared: CLAIM * self.claims.unwrap_or_default() + SCATTER * self.scattered,
            // A few threads may be slower than one, but not many.
            few: self.scattered == 0 || self.threads <= FEW,
            pace: self.pace,
        };
        for_each_at(self.schedule, count, self.threads, nature, &body);
    }

    /// Runs `body(lo, hi)` for all of `0..count`, in blocks of at most `block`, on the region's threads, and combines
    /// what it gives in the order of the blocks.
    ///
    /// # Panics
    /// When the body does.
    pub fn reduce<R: Send>(
        self,
        count: u64,
        block: u64,
        body: impl Fn(u64, u64) -> R + Sync,
        combine: impl Fn(R, R) -> R + Sync,
    ) -> R {
        let nature = Nature { light: self.light, pace: self.pace, ..Nature::default() };
        reduce((self.schedule, nature), count, self.threads, block, body, combine)
    }

    /// Runs `body(lo, hi)` for all runs of `run` of the iterations `0..count`, on the region's threads. Gives what it gives, in
    /// the order of the runs.
    ///
    /// # Panics
    /// When the body does.
    pub fn runs<R: Send>(self, count: u64, run: u64, body: impl Fn(u64, u64) -> R + Sync) -> Vec<R> {
        runs(count, run, self.threads, body)
    }

    /// As [`Self::reduce`], by one tree whatever the number of threads: that of the devices (the tree `T` over runs
    /// of 64 iterations, see the emitters' `fixed`). Chunks are aligned runs of a power of two of leaves. (Where the loop
    /// has to run as it stands, its generated code makes the same tree.)
    ///
    /// # Panics
    /// When the body does.
    pub fn reduce_fixed<R: Send>(
        self,
        count: u64,
        body: impl Fn(u64, u64) -> R + Sync,
        combine: impl Fn(R, R) -> R + Sync,
    ) -> R {
        let leaves = count.div_ceil(64 * self.threads.max(1) as u64 * LEAF).max(1).next_power_of_two();
        let schedule = Schedule::Dynamic(leaves * LEAF);
        reduce((schedule, Nature::default()), count, self.threads, LEAF, body, combine)
    }
}

/// Iterations of a leaf of the tree of reproducible reductions.
pub const LEAF: u64 = 64;

/// Runs `body(lo, hi)` for all of `0..count`, cut into chunks, on up to `threads` threads. (A loop is called through a
/// pointer, once for each chunk: so there is one copy of the threads' machinery, not one for each region of a program.)
///
/// # Panics
/// When the body does; chunks that have begun are finished first.
pub fn for_each(schedule: Schedule, count: u64, threads: usize, body: &(dyn Fn(u64, u64) + Sync)) {
    for_each_at(schedule, count, threads, Nature { joined: true, ..Nature::default() }, body);
}

/// The same of a loop of which more is known.
fn for_each_at(
    schedule: Schedule,
    count: u64,
    threads: usize,
    nature: Nature,
    body: &(dyn Fn(u64, u64) + Sync),
) {
    if count == 0 {
        return;
    }
    let deal = Deal::new(schedule, count, threads, (8, 1), false);
    if deal.workers <= 1 {
        return team::enter(0, 1, || body(0, count));
    }
    deal_out(&deal, nature, &|_, lo, hi| body(lo, hi));
}

/// How long a loop may take on one thread before other threads join: several times what it takes to wake them.
const ALONE: Duration = Duration::from_micros(20);

/// A loop is shared if the rest of it takes longer than this: on 16 cores, loops of 25 microseconds are as fast alone.
pub(in crate::host) const COMING: Duration = Duration::from_micros(30);

/// Iterations that have taken at least this long are enough to estimate the time of others.
const TELLING: Duration = Duration::from_micros(2);

/// How much longer it takes to claim elements while other threads do so: the compare-and-swap, and memory that others have
/// written to.
const CLAIM: Duration = Duration::from_nanos(10);

/// How much longer it takes to write an element while other threads write to the same lines of the caches: with two threads and 400 KB
/// four to eight nanoseconds, with 4 MB two to three.
const SCATTER: Duration = Duration::from_nanos(4);

/// An iteration hardly takes less than a nanosecond, so more threads than this gain more than they lose by [`SCATTER`].
const FEW: usize = 5;

/// What it takes to read the clock: on some machines as long as a hundred short iterations.
fn clock() -> Duration {
    static CLOCK: OnceLock<Duration> = OnceLock::new();
    *CLOCK.get_or_init(|| {
        let one = || {
            let start = Instant::now();
            start.elapsed()
        };
        (0..16).map(|_| one()).min().unwrap_or_default()
    })
}

/// What is known of a loop whose chunks are dealt out.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::host) struct Nature {
    /// It does not matter where chunks begin.
    pub joined: bool,
    /// Iterations cost little.
    pub light: bool,
    /// So much longer takes an iteration once several threads run.
    pub shared: Duration,
    /// The threads are so few that they may be slower than one for that reason.
    pub few: bool,
    /// What its iterations took before.
    pub pace: Option<&'static Pace>,
}

/// Runs `chunk(thread, lo, hi)` for all chunks of a deal, on its threads. If chunks are a small part of the loop and any thread may run
/// them, this thread starts alone: a loop that ends before others could join is not shared, nor one that is faster on one thread.
pub(in crate::host) fn deal_out(deal: &Deal, nature: Nature, chunk: &(dyn Fn(usize, u64, u64) + Sync)) {
    let workers = deal.workers;
    let Nature { joined, light, shared, few, .. } = nature;
    if workers <= 1 {
        return team::enter(0, 1, || {
            while let Some((lo, hi)) = deal.take(0) {
                chunk(0, lo, hi);
            }
        });
    }
    // If one iteration is no small part of the loop, the last execution gives the estimate.
    let pace = nature.pace.filter(|_| deal.alone(light).is_none());
    let is_short = pace.and_then(|pace| pace.of(deal.count())).is_some_and(|time| time < ALONE);
    if let Some(mut row) = if is_short { deal.row() } else { deal.alone(light) } {
        let clock = clock();
        let start = Instant::now();
        let count = deal.count();
        // Chunks between two readings of the clock: so many that reading it costs little, but no great part of the loop.
        let (mut chunks, most) = (1, (row.chunks / 16).clamp(1, 16));
        // Takes so many chunks: how many iterations they have, and where they end.
        let mut next = |chunks: u64| {
            if joined {
                let (lo, hi) = row.take(chunks)?;
                chunk(0, lo, hi);
                return Some((hi - lo, hi));
            }
            let (lo, mut hi) = row.take(1)?;
            let first = lo;
            chunk(0, lo, hi);
            for _ in 1..chunks {
                let Some((lo, end)) = row.take(1) else { break };
                chunk(0, lo, end);
                hi = end;
            }
            Some((hi - first, hi))
        };
        // What the others save is no more than what is lost by sharing. That is not judged too soon: the first iterations may
        // find in other caches what threads have left there that shared the last loop.
        let is_faster = |time: Duration, iterations: u64, now: Duration| {
            let (time, lost) = (time.as_nanos(), shared.as_nanos() * u128::from(iterations));
            time * (workers as u128 - 1) <= lost || few && time <= 10 * lost && now < 10 * ALONE
        };
        let alone = || {
            let (mut before, mut worked) = (Duration::ZERO, Duration::ZERO);
            loop {
                let Some((iterations, end)) = next(chunks) else { return true };
                let now = start.elapsed();
                let time = (now - before).saturating_sub(clock);
                worked += time;
                if let Some(pace) = pace {
                    pace.set(worked, end);
                }
                // What the rest of the loop takes, if its iterations take as long as those before. (A time below the resolution of
                // the clock is no estimate.)
                let is_estimate = !worked.is_zero() && worked >= 2 * clock;
                let rest = worked.as_nanos() * u128::from(count - end) / u128::from(end.max(1));
                if joined && is_estimate && end < count && now.as_nanos() + rest < ALONE.as_nanos() {
                    chunk(0, end, count);
                    return true;
                }
                let pays =
                    if is_estimate && worked >= TELLING { rest >= COMING.as_nanos() } else { now >= ALONE };
                if pays && !is_faster(time, iterations, now) {
                    return false;
                }
                if time < 8 * clock {
                    chunks = (2 * chunks).min(most);
                }
                before = now;
            }
        };
        if team::enter_first(workers, || carry(alone)) {
            return;
        }
    }
    on_threads(workers, &|thread| {
        let timed = pace.filter(|_| thread == 0).map(|pace| (pace, Instant::now()));
        let mut iterations = 0;
        while let Some((lo, hi)) = deal.take(thread) {
            chunk(thread, lo, hi);
            iterations += hi - lo;
        }
        if let Some((pace, start)) = timed.filter(|_| iterations > 0) {
            pace.set(start.elapsed(), iterations);
        }
    });
}

/// Runs `work(thread)` for each thread of a team. (Through a pointer: see [`for_each`].)
///
/// # Panics
/// When the work does.
pub(in crate::host) fn on_threads(workers: usize, work: &(dyn Fn(usize) + Sync)) {
    let one = |thread: usize| team::enter(thread, workers, || carry(|| work(thread)));
    // Stacked Borrows reject what is below rayon, whose threads these are elsewhere.
    if cfg!(miri) && std::env::var_os("OMP_TEST_PLAIN_THREADS").is_some() {
        return std::thread::scope(|scope| {
            let others: Vec<_> = (1..workers).map(|thread| scope.spawn(move || one(thread))).collect();
            one(0);
            for other in others {
                if let Err(payload) = other.join() {
                    std::panic::resume_unwind(payload);
                }
            }
        });
    }
    let left = AtomicUsize::new(workers - 1);
    let other = |thread: usize| {
        let _ended = Ended(&left);
        one(thread);
    };
    rayon::in_place_scope(|scope| {
        submit(scope, (1, workers), &other);
        one(0);
        // Threads that end soon are not worth being put to sleep for.
        for _ in 0..if cfg!(miri) { 0 } else { SPINS } {
            if left.load(Ordering::Acquire) == 0 {
                break;
            }
            std::hint::spin_loop();
        }
    });
}

/// So often a thread looks whether others have ended, before it sleeps: some ten microseconds.
const SPINS: u32 = 1 << 9;

/// Counts a thread off, also by a panic.
struct Ended<'a>(&'a AtomicUsize);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

/// Submits the work of the threads `from..to` to the pool. Each of them submits half of the rest: to wake a thread takes some
/// microseconds, in which this one could work.
fn submit<'s>(scope: &Scope<'s>, (from, mut to): (usize, usize), work: &'s (dyn Fn(usize) + Sync)) {
    while from < to {
        let middle = from + (to - from) / 2;
        let end = to;
        scope.spawn(move |scope| {
            submit(scope, (middle + 1, end), work);
            work(middle);
        });
        to = middle;
    }
}

/// What a thread's chunks gave, with where each begins.
type Part<R> = Vec<(u64, Option<R>)>;

/// What the chunks of a reduction gave, by thread.
struct Parts<R>(Vec<Mutex<Part<R>>>);

impl<R: Send> Parts<R> {
    fn of(workers: usize) -> Self {
        Self((0..workers).map(|_| Mutex::default()).collect())
    }

    /// There is no contention: each thread has its own list.
    fn add(&self, thread: usize, lo: u64, part: R) {
        self.0[thread].lock().unwrap_or_else(PoisonError::into_inner).push((lo, Some(part)));
    }

    /// All of them, in the order of the iterations.
    fn in_order(self) -> Vec<R> {
        let mut lists: Vec<Vec<(u64, Option<R>)>> =
            self.0.into_iter().map(|l| l.into_inner().unwrap_or_else(PoisonError::into_inner)).collect();
        let mut places: Vec<(u64, usize, usize)> = Vec::new();
        for (thread, list) in lists.iter().enumerate() {
            for (k, (lo, _)) in list.iter().enumerate() {
                places.push((*lo, thread, k));
            }
        }
        sorted(&mut places);
        places.into_iter().filter_map(|(_, thread, k)| lists[thread][k].1.take()).collect()
    }
}

/// Compiled once for all loops, because generic code is compiled for each region.
#[inline(never)]
fn sorted(places: &mut [(u64, usize, usize)]) {
    places.sort_unstable();
}

/// See [`HostRun::runs`].
fn runs<R: Send>(count: u64, run: u64, threads: usize, body: impl Fn(u64, u64) -> R + Sync) -> Vec<R> {
    if count == 0 {
        return Vec::new();
    }
    let deal = Deal::new(Schedule::Dynamic(run), count, threads, (run, 1), false);
    let parts = Parts::of(deal.workers);
    deal_out(&deal, Nature::default(), &|thread, lo, hi| parts.add(thread, lo, body(lo, hi)));
    parts.in_order()
}

/// Runs `body(lo, hi)` for all of `0..count`, cut into blocks of at most `block` iterations, on up to `threads` threads,
/// and combines what it gives pairwise in the order of the blocks. For an empty loop, what `body(0, 0)` gives.
///
/// # Panics
/// When the body does.
pub(in crate::host) fn reduce<R: Send>(
    (schedule, nature): (Schedule, Nature),
    count: u64,
    threads: usize,
    block: u64,
    body: impl Fn(u64, u64) -> R + Sync,
    combine: impl Fn(R, R) -> R + Sync,
) -> R {
    let one = |lo: u64, hi: u64| {
        if hi - lo <= block {
            return body(lo, hi);
        }
        let mut fold = Fold::new();
        let mut at = lo;
        while at < hi {
            let end = (hi - at).min(block) + at;
            fold.push(body(at, end), &combine);
            at = end;
        }
        fold.finish(&combine).expect("at least one block")
    };
    let least = if nature.light { MOST_LIGHT } else { 1 };
    let deal = Deal::new(schedule, count, threads, (block.min(64), least), true);
    if deal.workers <= 1 && deal.is_one_chunk() {
        return team::enter(0, 1, || one(0, count));
    }
    let parts = Parts::of(deal.workers);
    deal_out(&deal, nature, &|thread, lo, hi| parts.add(thread, lo, one(lo, hi)));
    let mut fold = Fold::new();
    for part in parts.in_order() {
        fold.push(part, &combine);
    }
    fold.finish(&combine).unwrap_or_else(|| body(0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn what_is_lost_by_sharing_is_not_shared() {
        let alone = AtomicU64::new(0);
        let body = |lo: u64, hi: u64| {
            // Longer than others need to come, and asleep, so that they can on a busy machine.
            std::thread::sleep(Duration::from_micros(50));
            if team::is_first() {
                alone.fetch_add(hi - lo, Ordering::Relaxed);
            }
        };
        let nature = Nature { joined: true, shared: Duration::from_secs(1), few: true, ..Nature::default() };
        for_each_at(Schedule::Auto, 1000, 3, nature, &body);
        assert_eq!(alone.swap(0, Ordering::Relaxed), 1000);
        for_each_at(Schedule::Auto, 1000, 3, Nature { shared: Duration::ZERO, ..nature }, &body);
        assert!((1..1000).contains(&alone.into_inner()));
        assert!(!team::is_first());
    }

    #[test]
    fn a_few_short_iterations_run_alone_once_they_are_known() {
        static PACE: Pace = Pace::new();
        let others = AtomicU64::new(0);
        let run = |each: Duration| {
            others.store(0, Ordering::Relaxed);
            let body = |lo: u64, hi: u64| {
                let start = Instant::now();
                while start.elapsed() < each * (hi - lo) as u32 {
                    std::thread::yield_now();
                }
                if !team::is_first() {
                    others.fetch_add(hi - lo, Ordering::Relaxed);
                }
            };
            let nature = Nature { joined: true, pace: Some(&PACE), ..Nature::default() };
            for_each_at(Schedule::Auto, 10, 3, nature, &body);
            others.load(Ordering::Relaxed)
        };
        // Long ones are shared, also where those before were short.
        let long = Duration::from_millis(20);
        assert!(run(long) > 0 && run(long) > 0);
        // On a busy machine a short one may take long, but not each time.
        assert!((0..100).any(|_| run(Duration::ZERO) == 0 && run(Duration::ZERO) == 0));
        assert!(run(long) > 0);
    }

    #[test]
    fn every_iteration_runs_once() {
        let few = if cfg!(miri) { 5 } else { 8 };
        for &count in &[0u64, 1, 2, 31, 65, 64, 1000, 4097][..few] {
            for threads in [1, 2, 3, 7] {
                let seen = Mutex::new(vec![0u8; count as usize]);
                for_each(Schedule::Auto, count, threads, &|lo, hi| {
                    for i in lo..hi {
                        seen.lock().unwrap()[i as usize] += 1;
                    }
                });
                assert!(seen.into_inner().unwrap().iter().all(|n| *n == 1), "{count} on {threads}");
            }
        }
    }

    #[test]
    fn runs_are_as_long_as_requested() {
        for (count, run, threads) in [(0, 8, 2), (1, 8, 2), (8, 8, 1), (1001, 8, 3), (64, 16, 9)] {
            let want: Vec<_> =
                (0..count).step_by(8.max(run as usize)).map(|lo| (lo, count.min(lo + run))).collect();
            assert_eq!(runs(count, run, threads, |lo, hi| (lo, hi)), want);
        }
    }

    #[test]
    fn operands_keep_their_order() {
        for count in [0u64, 1, 63, 64, 65, 1000] {
            for threads in [1, 2, 5] {
                let text = reduce(
                    (Schedule::Guided(3), Nature::default()),
                    count,
                    threads,
                    16,
                    |lo, hi| (lo..hi).map(|i| format!("{i} ")).collect::<String>(),
                    |a, b| a + &b,
                );
                assert_eq!(
                    text,
                    (0..count).map(|i| format!("{i} ")).collect::<String>(),
                    "{count} on {threads}"
                );
            }
        }
    }

    #[test]
    fn float_sums_are_accurate_and_repeatable() {
        let n = if cfg!(miri) { 2_003 } else { 1_000_003u64 };
        let x = |i: u64| ((i * 7919) % 1009) as f32 * 1e-3;
        let exact: f64 = (0..n).map(|i| f64::from(x(i))).sum();
        let sum = || {
            reduce(
                (Schedule::Auto, Nature { light: true, ..Nature::default() }),
                n,
                4,
                64,
                |lo, hi| (lo..hi).fold(-0.0f32, |s, i| s + x(i)),
                |a, b| a + b,
            )
        };
        let got = sum();
        let bound = (64.0 + (n as f64).log2()) * f64::from(f32::EPSILON) / 2.0 * exact;
        assert!((f64::from(got) - exact).abs() <= bound, "{got} for {exact}");
        assert!((0..if cfg!(miri) { 2 } else { 10 }).all(|_| sum().to_bits() == got.to_bits()));
    }

    #[test]
    fn a_panic_comes_out() {
        let run =
            || for_each(Schedule::Dynamic(5), 1000, 4, &|lo, hi| assert!(!(lo..hi).contains(&777), "at 777"));
        let record = crate::host::failure_record::watch(run).unwrap_err();
        assert_eq!(record.text(), Some("at 777"));
    }
}
