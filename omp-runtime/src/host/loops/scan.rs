//! Scans on the host's threads. The statements that a scanned value depends on run twice, the loop runs once.
//!
//! If those statements are cheap, threads draw *blocks* of iterations that fit the second-level cache, in order. A thread sums
//! its block, and then runs the block from the cache with the sum of the blocks before it: memory is read once. A block waits
//! only for earlier blocks, which running threads have drawn, so the wait ends. Within a block, several short *rows* are summed
//! and run at the same time, which hides the latency of the dependent additions.
//!
//! Otherwise there are two passes: the sums of the parts of the loop, then each part from the sums of the parts before it.
use super::parallel::on_threads;
use crate::device::team;
use crate::launch::HostRun;
use std::collections::VecDeque;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Parts shorter than this are not worth a second pass.
const SHORTEST: u64 = 2048;

/// Iterations of a row.
const ROW: u64 = 32;

/// Rows of a block, at most and at least: elements of a few bytes fit the second-level cache, and what a processor prefetches
/// is rarely another one's.
const ROWS: u64 = 2048;
const FEW_ROWS: u64 = 16;

/// Blocks of a loop that is long enough: they depend on its length alone, so that results don't depend on the number of threads.
const BLOCKS: u64 = 64;

/// Blocks that a thread adds up at most, before it runs the first of them.
const AHEAD: usize = 8;

/// How often a waiting thread spins before it yields.
const SPINS: u32 = 200;

/// Bytes of what is carried, at most, where rows are worth it.
const CARRIED: usize = 16;

impl HostRun {
    /// Runs `run(lo, hi, from)` for all of `0..count` in parts, each from the carried values that the part before it
    /// ends with, and gives the last. `fold(lo, hi, first)` is what a part adds up to, `combine` the operators, in the order of
    /// iterations, `seed` what the first iteration starts from. `light`: folds cost little. `None` for an empty loop.
    ///
    /// # Panics
    /// When the loop does.
    pub fn scan<R: Copy + Send + Sync>(
        self,
        (count, light): (u64, bool),
        fold: impl Fn(u64, u64, R) -> R + Sync,
        combine: impl Fn(R, R) -> R + Sync,
        seed: impl FnOnce() -> R,
        run: impl Fn(u64, u64, R) -> R + Sync,
    ) -> Option<R> {
        if count == 0 {
            return None;
        }
        let first = team::enter(0, 1, seed);
        let threads = (self.threads as u64).min(count / SHORTEST).max(1);
        if threads == 1 {
            return Some(team::enter(0, 1, || run(0, count, first)));
        }
        if light && size_of::<R>() <= CARRIED {
            return Some(in_blocks(count, threads as usize, first, fold, combine, run));
        }
        // The starting value of the first part is known, so it runs while the sums of others are computed. The sum of the last one is
        // not needed. So there is one part more than threads, and all threads are busy in both passes.
        let parts = threads + 1;
        let bounds = |part: usize| (u128::from(count) * part as u128 / u128::from(parts)) as u64;
        let workers = threads as usize;
        let sums = of_threads(workers, &|k| match k {
            0 => run(0, bounds(1), first),
            _ => fold(bounds(k), bounds(k + 1), first),
        });
        let mut starts = vec![sums[0]];
        for sum in &sums[1..] {
            starts.push(combine(starts[starts.len() - 1], *sum));
        }
        let ends = of_threads(workers, &|k| run(bounds(k + 1), bounds(k + 2), starts[k]));
        ends.last().copied()
    }
}

/// What `part` gives on each thread of a team.
fn of_threads<R: Copy + Send + Sync>(workers: usize, part: &(dyn Fn(usize) -> R + Sync)) -> Vec<R> {
    let gave: Vec<OnceLock<R>> = (0..workers).map(|_| OnceLock::new()).collect();
    on_threads(workers, &|k| {
        // No other thread sets it.
        let _ = gave[k].set(part(k));
    });
    gave.iter().filter_map(|one| one.get().copied()).collect()
}

/// The loop by blocks, in one pass; what it ends with.
fn in_blocks<R: Copy + Send + Sync>(
    count: u64,
    threads: usize,
    first: R,
    fold: impl Fn(u64, u64, R) -> R + Sync,
    combine: impl Fn(R, R) -> R + Sync,
    run: impl Fn(u64, u64, R) -> R + Sync,
) -> R {
    let blocks = Blocks::new(count, first);
    on_threads(threads, &|_| blocks.work(&fold, &combine, &run));
    blocks.end.get().copied().unwrap_or(first)
}

/// The blocks of a loop, and what is known of them.
struct Blocks<R> {
    count: u64,
    /// Iterations of a block but the last one, whole rows.
    each: u64,
    first: R,
    next: AtomicU64,
    known: Vec<BlockState<R>>,
    /// What the loop ends with.
    end: OnceLock<R>,
    /// A thread has panicked: what others wait for may never come.
    failed: AtomicBool,
}

/// What a block adds up to, and what it starts from.
struct BlockState<R> {
    sum: OnceLock<R>,
    start: OnceLock<R>,
}

/// A block whose rows were added up.
struct Added<R> {
    block: u64,
    rows: Vec<R>,
}

/// Says that a thread has panicked, when it is dropped: only a panic does that.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl<R: Copy + Send + Sync> Blocks<R> {
    fn new(count: u64, first: R) -> Self {
        let nothing = || BlockState { sum: OnceLock::new(), start: OnceLock::new() };
        let each = ROW * (count / BLOCKS / ROW).clamp(FEW_ROWS, ROWS);
        let known: Vec<_> = (0..count.div_ceil(each)).map(|_| nothing()).collect();
        // No other thread sets it.
        let _ = known[0].start.set(first);
        let (next, failed) = (AtomicU64::new(0), AtomicBool::new(false));
        Self { count, each, first, next, known, end: OnceLock::new(), failed }
    }

    /// What a thread does: it draws blocks until there are none. Where a start is not known yet, because a thread that
    /// has drawn a lower block is not done with adding it up, it goes on with adding up.
    fn work(
        &self,
        fold: &impl Fn(u64, u64, R) -> R,
        combine: &impl Fn(R, R) -> R,
        run: &impl Fn(u64, u64, R) -> R,
    ) {
        let alarm = Alarm(&self.failed);
        let (mut waiting, mut spare, mut turn) = (VecDeque::new(), Vec::new(), 0u32);
        loop {
            while let Some(Added { block, .. }) = waiting.front()
                && let Some(from) = self.start(*block, combine)
                && let Some(added) = waiting.pop_front()
            {
                self.run(&added, from, combine, run);
                spare.push(added.rows);
                turn = 0;
            }
            let drawn = (waiting.len() < AHEAD).then(|| self.next.fetch_add(1, Ordering::Relaxed));
            if let Some(block) = drawn.filter(|k| *k < self.known.len() as u64) {
                waiting.push_back(self.add(block, spare.pop().unwrap_or_default(), fold, combine));
            } else if waiting.is_empty() || self.failed.load(Ordering::Relaxed) {
                // (The thread may be unwinding: a destructor may have a scan.)
                std::mem::forget(alarm);
                return;
            } else if turn < SPINS {
                turn += 1;
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
    }

    /// Computes the sum of a block, except for the last one, whose sum is not needed.
    fn add(
        &self,
        block: u64,
        mut rows: Vec<R>,
        fold: &impl Fn(u64, u64, R) -> R,
        combine: &impl Fn(R, R) -> R,
    ) -> Added<R> {
        rows.clear();
        if block + 1 < self.known.len() as u64 {
            let row = |k: u64| block * self.each + k * ROW;
            rows.extend((0..self.each / ROW).map(|k| fold(row(k), row(k) + ROW, self.first)));
            let all = rows[1..].iter().fold(rows[0], |all, sum| combine(all, *sum));
            // No other thread sets it.
            let _ = self.known[block as usize].sum.set(all);
        }
        Added { block, rows }
    }

    /// The starting value of a block, if the sums of all blocks before it are known. The parentheses are the same in every run.
    fn start(&self, block: u64, combine: &impl Fn(R, R) -> R) -> Option<R> {
        let before = &self.known[..=block as usize];
        let (at, mut start) =
            before.iter().enumerate().rev().find_map(|(k, b)| Some((k, *b.start.get()?)))?;
        for pair in before[at..].windows(2) {
            start = combine(start, *pair[0].sum.get()?);
            // Another thread may have been sooner, with the same.
            let _ = pair[1].start.set(start);
        }
        Some(start)
    }

    /// Runs a block, the last one as it stands.
    fn run(
        &self,
        Added { block, rows }: &Added<R>,
        mut from: R,
        combine: &impl Fn(R, R) -> R,
        run: &impl Fn(u64, u64, R) -> R,
    ) {
        let mut lo = block * self.each;
        for sum in rows {
            run(lo, lo + ROW, from);
            from = combine(from, *sum);
            lo += ROW;
        }
        if rows.is_empty() {
            // No other thread sets it.
            let _ = self.end.set(run(lo, self.count, from));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Mutex;

    /// Strings would not go: what is carried is the first and the last iteration that was added up, in their order.
    fn joined((a, b): (u64, u64), (c, d): (u64, u64)) -> (u64, u64) {
        assert_eq!(b, c, "neighbours alone are combined, in their order");
        (a, d)
    }

    #[test]
    fn every_iteration_runs_once_from_those_before_it() {
        // An interpreter is slow: there, blocks are the shortest ones.
        let (several, long) = if cfg!(miri) { (10_003, 1 << 13) } else { (100_003, 1 << 23) };
        for (count, threads) in
            [(1, 2), (ROW * FEW_ROWS, 3), (ROW * FEW_ROWS + 1, 2), (several, 4), (long, 2)]
        {
            let seen = Mutex::new(vec![0u8; count as usize]);
            let end = in_blocks(
                count,
                threads,
                (0, 0),
                |lo, hi, _| (lo, hi),
                joined,
                |lo, hi, from| {
                    assert_eq!(from, (0, lo), "it starts after all iterations before it");
                    seen.lock().expect("no thread panics")[lo as usize..hi as usize]
                        .iter_mut()
                        .for_each(|n| *n += 1);
                    (0, hi)
                },
            );
            assert_eq!(end, (0, count), "{count} by {threads}");
            assert!(
                seen.into_inner().expect("no thread panics").iter().all(|n| *n == 1),
                "{count} by {threads}"
            );
        }
    }

    #[test]
    fn a_scan_while_a_panic_unwinds_runs_to_its_end() {
        /// Scans when it is dropped; records how many iterations ran, and the last value.
        struct Scan<'a>(&'a AtomicU64, &'a AtomicU64);
        impl Drop for Scan<'_> {
            fn drop(&mut self) {
                // Threads that find no more blocks end before the others.
                let fold = |lo, hi, _| {
                    if lo > 97_000 {
                        std::thread::sleep(std::time::Duration::from_micros(50));
                    }
                    hi - lo
                };
                let run = |lo, hi, from: u64| {
                    self.0.fetch_add(hi - lo, Ordering::Relaxed);
                    from + (hi - lo)
                };
                self.1.store(in_blocks(100_000, 3, 0, fold, |a, b| a + b, run), Ordering::Relaxed);
            }
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("a pool");
        for _ in 0..if cfg!(miri) { 1 } else { 10 } {
            let (ran, end) = (AtomicU64::new(0), AtomicU64::new(0));
            let unwinds = || {
                let _scan = Scan(&ran, &end);
                std::panic::resume_unwind(Box::new(()));
            };
            pool.install(|| assert!(catch_unwind(AssertUnwindSafe(unwinds)).is_err()));
            assert_eq!((ran.into_inner(), end.into_inner()), (100_000, 100_000));
        }
    }

    #[test]
    fn no_thread_waits_for_one_that_has_panicked() {
        let run = |_, hi, from: u64| {
            assert!(hi < 50_000, "far enough");
            from
        };
        let all = || in_blocks(1 << 20, 3, 0u64, |_, _, _| 0, |a, b| a + b, run);
        assert!(catch_unwind(AssertUnwindSafe(all)).is_err());
    }
}
