//! Chunks of iterations on the host's threads.
//!
//! The iterations `0..count` are cut into chunks that depend on `count` and the number of threads alone. Each thread of
//! the team has a part of them in a row, which it streams through, and then helps the others; which thread gets which
//! chunk is open, the result of a reduction is not.
use super::reduce::Fold;
use crate::device::team;
use crate::launch::HostRun;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

impl HostRun {
    /// Runs `body(lo, hi)` for all of `0..count`, in chunks, on the region's threads.
    ///
    /// # Panics
    /// When the body does.
    pub fn for_each(&self, count: u64, body: impl Fn(u64, u64) + Sync) {
        for_each(count, self.threads, body);
    }

    /// Runs `body(lo, hi)` for all of `0..count`, in blocks of at most `block`, on the region's threads, and combines
    /// what it gives in the order of the blocks.
    ///
    /// # Panics
    /// When the body does.
    pub fn reduce<R: Send>(
        &self,
        count: u64,
        block: u64,
        body: impl Fn(u64, u64) -> R + Sync,
        combine: impl Fn(R, R) -> R + Sync,
    ) -> R {
        reduce(count, self.threads, block, body, combine)
    }
}

/// Chunks for each thread: enough to even out uneven iterations, few enough to cost nothing.
const CHUNKS_PER_THREAD: u64 = 64;

/// The cutting of a loop.
#[derive(Debug, Clone, Copy)]
struct Chunks {
    count: u64,
    len: u64,
    number: u64,
}

impl Chunks {
    /// Chunk lengths are multiples of `unit` (where there are so many iterations), so that blocks are whole.
    fn new(count: u64, threads: usize, unit: u64) -> Self {
        let aim = count.div_ceil(threads.max(1) as u64 * CHUNKS_PER_THREAD).max(1);
        let len = if aim > unit { aim.next_multiple_of(unit) } else { aim };
        Self { count, len, number: count.div_ceil(len) }
    }

    fn bounds(self, k: u64) -> (u64, u64) {
        let lo = k * self.len;
        (lo, (self.count - lo).min(self.len) + lo)
    }
}

/// Runs `body(lo, hi)` for all of `0..count`, cut into chunks, on up to `threads` threads.
///
/// # Panics
/// When the body does; chunks that have begun are finished first.
pub fn for_each(count: u64, threads: usize, body: impl Fn(u64, u64) + Sync) {
    if count == 0 {
        return;
    }
    let chunks = Chunks::new(count, threads, 8);
    let workers = threads.min(usize::try_from(chunks.number).unwrap_or(usize::MAX));
    if workers <= 1 {
        return team::enter(0, 1, || body(0, count));
    }
    let deal = Deal::new(chunks.number, workers);
    (0..workers).into_par_iter().with_max_len(1).for_each(|thread| {
        team::enter(thread, workers, || {
            while let Some(k) = deal.take(thread) {
                let (lo, hi) = chunks.bounds(k);
                body(lo, hi);
            }
        });
    });
}

/// Deals chunks to threads.
struct Deal {
    /// For each thread, how many chunks of its part are taken.
    taken: Vec<AtomicU64>,
    number: u64,
}

impl Deal {
    fn new(number: u64, workers: usize) -> Self {
        Self { taken: (0..workers).map(|_| AtomicU64::new(0)).collect(), number }
    }

    /// The first chunk of a thread's part; of the thread after the last, the number of chunks.
    fn start(&self, thread: usize) -> u64 {
        let (number, threads) = (u128::from(self.number), self.taken.len() as u128);
        (number * thread as u128 / threads) as u64
    }

    /// The next chunk for a thread: of its own part, else of the nearest that has one left.
    fn take(&self, thread: usize) -> Option<u64> {
        let threads = self.taken.len();
        (0..threads).map(|k| (thread + k) % threads).find_map(|owner| {
            let (start, end) = (self.start(owner), self.start(owner + 1));
            // Only which chunk is whose depends on the order; the data is ordered by the threads' join.
            let k = start + self.taken[owner].fetch_add(1, Ordering::Relaxed);
            (k < end).then_some(k)
        })
    }
}

/// Runs `body(lo, hi)` for all of `0..count`, cut into blocks of at most `block` iterations, on up to `threads` threads,
/// and combines what it gives pairwise in the order of the blocks. For an empty loop, what `body(0, 0)` gives.
///
/// # Panics
/// When the body does.
pub fn reduce<R: Send>(
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
    let chunks = Chunks::new(count, threads, block.min(64));
    let workers = threads.min(usize::try_from(chunks.number).unwrap_or(usize::MAX));
    if workers <= 1 && chunks.number <= 1 {
        return team::enter(0, 1, || one(0, count));
    }
    let deal = Deal::new(chunks.number, workers);
    let mut parts: Vec<(u64, R)> = (0..workers)
        .into_par_iter()
        .with_max_len(1)
        .flat_map_iter(|thread| {
            team::enter(thread, workers, || {
                let mut mine = Vec::new();
                while let Some(k) = deal.take(thread) {
                    let (lo, hi) = chunks.bounds(k);
                    mine.push((k, one(lo, hi)));
                }
                mine
            })
        })
        .collect();
    parts.sort_unstable_by_key(|(k, _)| *k);
    let mut fold = Fold::new();
    for (_, part) in parts {
        fold.push(part, &combine);
    }
    fold.finish(&combine).unwrap_or_else(|| body(0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn every_iteration_runs_once() {
        for count in [0u64, 1, 2, 31, 64, 65, 1000, 4097] {
            for threads in [1, 2, 3, 7] {
                let seen = Mutex::new(vec![0u8; count as usize]);
                for_each(count, threads, |lo, hi| {
                    for i in lo..hi {
                        seen.lock().unwrap()[i as usize] += 1;
                    }
                });
                assert!(seen.into_inner().unwrap().iter().all(|n| *n == 1), "{count} on {threads}");
            }
        }
    }

    #[test]
    fn operands_keep_their_order() {
        for count in [0u64, 1, 63, 64, 65, 1000] {
            for threads in [1, 2, 5] {
                let text = reduce(
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
        let n = 1_000_003u64;
        let x = |i: u64| ((i * 7919) % 1009) as f32 * 1e-3;
        let exact: f64 = (0..n).map(|i| f64::from(x(i))).sum();
        let sum = || reduce(n, 4, 64, |lo, hi| (lo..hi).fold(-0.0f32, |s, i| s + x(i)), |a, b| a + b);
        let got = sum();
        let bound = (64.0 + (n as f64).log2()) * f64::from(f32::EPSILON) / 2.0 * exact;
        assert!((f64::from(got) - exact).abs() <= bound, "{got} for {exact}");
        assert!((0..10).all(|_| sum().to_bits() == got.to_bits()));
    }

    #[test]
    fn a_panic_comes_out() {
        let run = || for_each(1000, 4, |lo, hi| assert!(!(lo..hi).contains(&777), "at 777"));
        let payload = std::panic::catch_unwind(run).unwrap_err();
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"at 777"));
    }
}
