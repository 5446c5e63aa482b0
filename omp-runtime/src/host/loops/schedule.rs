//! OpenMP's schedules: which thread of the host runs which iterations.
//!
//! The boundaries of the chunks depend only on the trip count, the schedule and the number of threads. Under `dynamic` and
//! `guided`, and with work stealing, any thread may run a chunk.
use std::sync::atomic::{AtomicU64, Ordering};

/// `schedule(…)`, `OMP_SCHEDULE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Schedule {
    /// Each thread streams through a part of its own and then helps the others.
    #[default]
    Auto,
    /// Chunks are assigned to the threads round-robin; `None`: one chunk for each thread.
    Static(Option<u64>),
    /// A thread that has nothing to do takes the next chunk.
    Dynamic(u64),
    /// The same with chunks that get smaller, but not smaller than this.
    Guided(u64),
}

/// Chunks for each thread under [`Schedule::Auto`]: enough to even out uneven iterations, few enough to cost nothing.
const CHUNKS_PER_THREAD: u64 = 64;

/// Iterations of a chunk that is a small part of a loop if they cost little.
pub(super) const MOST_LIGHT: u64 = 1024;

/// The most chunks whose results a reduction keeps: beyond, chunks are multiples of those that were requested.
const MOST_RESULTS: u64 = 1 << 16;

/// The most threads that share a loop, whatever number was requested: each looks at all others when it is done.
pub(in crate::host) const MOST_WORKERS: usize = 1024;

/// Deals the iterations `0..count` to threads.
#[derive(Debug)]
pub(in crate::host) struct Deal {
    count: u64,
    /// How many threads get something.
    pub workers: usize,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// `number` chunks of `len`, a part in a row for each thread; for each thread, how many of its part are taken.
    Parts { len: u64, number: u64, taken: Vec<AtomicU64> },
    /// Chunks of `len`, round-robin; for each thread, how many it has taken.
    Cyclic { len: u64, taken: Vec<AtomicU64> },
    /// Chunks of `len`, first come, first served; how many are taken.
    Shared { len: u64, taken: AtomicU64 },
    /// Chunks of the share of one thread in what is left; where that begins.
    Guided { least: u64, next: AtomicU64 },
}

impl Deal {
    /// Deals for a loop. Chunk lengths under [`Schedule::Auto`] are multiples of `unit` and no less than `least` where there are so many
    /// iterations. `results`: the loop is a reduction.
    pub fn new(
        schedule: Schedule,
        count: u64,
        threads: usize,
        (unit, least): (u64, u64),
        results: bool,
    ) -> Self {
        let threads = threads.clamp(1, MOST_WORKERS);
        let fitting = |len: u64| {
            let len = len.clamp(1, count.max(1));
            let fewest = if results { count.div_ceil(MOST_RESULTS) } else { 1 };
            if fewest > len { fewest.div_ceil(len).saturating_mul(len) } else { len }
        };
        let most = |chunks: u64| threads.min(usize::try_from(chunks).unwrap_or(usize::MAX)).max(1);
        let taken = |workers: usize| (0..workers).map(|_| AtomicU64::new(0)).collect();
        let (workers, kind) = match schedule {
            Schedule::Auto => {
                let aim = count.div_ceil(threads as u64 * CHUNKS_PER_THREAD).max(least.min(count)).max(1);
                let len = if aim > unit { aim.next_multiple_of(unit) } else { aim };
                let number = count.div_ceil(len);
                let workers = most(number);
                (workers, Kind::Parts { len, number, taken: taken(workers) })
            }
            Schedule::Static(chunk) => {
                let len = chunk.map_or_else(|| count.div_ceil(threads as u64).max(1), fitting);
                let workers = most(count.div_ceil(len));
                (workers, Kind::Cyclic { len, taken: taken(workers) })
            }
            Schedule::Dynamic(chunk) => {
                let len = fitting(chunk);
                (most(count.div_ceil(len)), Kind::Shared { len, taken: AtomicU64::new(0) })
            }
            Schedule::Guided(chunk) => {
                let least = fitting(chunk);
                (most(count.div_ceil(least)), Kind::Guided { least, next: AtomicU64::new(0) })
            }
        };
        Self { count, workers, kind }
    }

    /// The chunks as the first thread takes them before others come: where any thread may take any chunk, and one chunk alone is a
    /// small part of the loop.
    ///
    /// `light`: iterations cost little.
    pub fn alone(&self, light: bool) -> Option<Row<'_>> {
        self.row().filter(|row| row.chunks >= CHUNKS_PER_THREAD || light && row.len <= MOST_LIGHT)
    }

    /// The same, however great a part of the loop a chunk is.
    pub fn row(&self) -> Option<Row<'_>> {
        match &self.kind {
            Kind::Parts { len, number, taken } => {
                Some(Row { deal: self, len: *len, chunks: *number, taken, owner: 0 })
            }
            Kind::Cyclic { .. } | Kind::Shared { .. } | Kind::Guided { .. } => None,
        }
    }

    /// How many iterations there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The chunks of a thread's own part.
    fn part(&self, number: u64, owner: usize) -> (u64, u64) {
        let start = |owner: usize| (u128::from(number) * owner as u128 / self.workers as u128) as u64;
        (start(owner), start(owner + 1))
    }

    /// Whether all iterations are one chunk.
    pub fn is_one_chunk(&self) -> bool {
        match &self.kind {
            Kind::Parts { len, .. } | Kind::Cyclic { len, .. } | Kind::Shared { len, .. } => {
                *len >= self.count
            }
            Kind::Guided { least, .. } => *least >= self.count,
        }
    }

    /// The next iterations `lo..hi` for a thread.
    pub fn take(&self, thread: usize) -> Option<(u64, u64)> {
        // Only which chunk is whose depends on the order; the data is ordered by the threads' join.
        let one = |taken: &AtomicU64| taken.fetch_add(1, Ordering::Relaxed);
        match &self.kind {
            Kind::Parts { len, number, taken } => {
                let k = (0..self.workers).map(|k| (thread + k) % self.workers).find_map(|owner| {
                    let (start, end) = self.part(*number, owner);
                    let k = start + one(&taken[owner]);
                    (k < end).then_some(k)
                })?;
                self.chunk(k, *len)
            }
            Kind::Cyclic { len, taken } => {
                let turn = one(&taken[thread]).checked_mul(self.workers as u64)?;
                self.chunk(turn.checked_add(thread as u64)?, *len)
            }
            Kind::Shared { len, taken } => self.chunk(one(taken), *len),
            Kind::Guided { least, next } => {
                let step = |at: u64| (at < self.count).then(|| at + self.share(at, *least));
                let lo = next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, step).ok()?;
                Some((lo, lo + self.share(lo, *least)))
            }
        }
    }

    /// Chunk `k` of those of one length.
    fn chunk(&self, k: u64, len: u64) -> Option<(u64, u64)> {
        let lo = k.checked_mul(len).filter(|lo| *lo < self.count)?;
        Some((lo, (self.count - lo).min(len) + lo))
    }

    /// The length of the chunk that begins here: a multiple of the least one.
    fn share(&self, at: u64, least: u64) -> u64 {
        let left = self.count - at;
        let share = left / self.workers as u64 / least * least;
        share.max(least).min(left)
    }
}

/// Chunks in a row.
pub(in crate::host) struct Row<'d> {
    deal: &'d Deal,
    len: u64,
    /// How many there are.
    pub chunks: u64,
    taken: &'d [AtomicU64],
    /// Those of the parts before are taken.
    owner: usize,
}

impl Row<'_> {
    /// The next iterations, of at most so many chunks.
    pub fn take(&mut self, most: u64) -> Option<(u64, u64)> {
        while let Some(taken) = self.taken.get(self.owner) {
            let (start, end) = self.deal.part(self.chunks, self.owner);
            let k = start + taken.fetch_add(most, Ordering::Relaxed);
            if k < end {
                return Some((k * self.len, ((k + most).min(end) * self.len).min(self.deal.count)));
            }
            self.owner += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Schedule; 8] = [
        Schedule::Auto,
        Schedule::Static(None),
        Schedule::Static(Some(1)),
        Schedule::Static(Some(3)),
        Schedule::Dynamic(1),
        Schedule::Dynamic(u64::MAX),
        Schedule::Guided(1),
        Schedule::Guided(5),
    ];

    fn dealt(deal: &Deal) -> Vec<(u64, u64)> {
        let mut all: Vec<(u64, u64)> = Vec::new();
        let mut busy = true;
        while busy {
            busy = false;
            for thread in 0..deal.workers {
                let next = deal.take(thread);
                busy |= next.is_some();
                all.extend(next);
            }
        }
        all.sort_unstable();
        all
    }

    #[test]
    fn every_iteration_is_dealt_once() {
        for schedule in ALL {
            let most = if cfg!(miri) { 1001 } else { 200_001 };
            for count in [0u64, 1, 2, 63, 64, 1000, most] {
                for threads in [1, 2, 3, 7] {
                    for results in [false, true] {
                        let deal = Deal::new(schedule, count, threads, (8, 1), results);
                        assert!(deal.workers >= 1 && deal.workers <= threads);
                        let mut at = 0;
                        for (lo, hi) in dealt(&deal) {
                            assert!(lo == at && hi > lo, "{schedule:?} of {count} on {threads}");
                            at = hi;
                        }
                        assert_eq!(at, count, "{schedule:?} on {threads}");
                    }
                }
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "so many workers take an interpreter an hour, and there is nothing unsafe")]
    fn any_number_of_threads_can_be_requested() {
        for schedule in ALL {
            for threads in [2000, 1 << 58, 1 << 61, usize::MAX] {
                let deal = Deal::new(schedule, 20_000, threads, (8, 1), false);
                assert!(deal.workers <= MOST_WORKERS, "{schedule:?}");
                assert_eq!(dealt(&deal).iter().map(|(lo, hi)| hi - lo).sum::<u64>(), 20_000, "{schedule:?}");
            }
        }
    }

    #[test]
    fn static_chunks_go_round() {
        let deal = Deal::new(Schedule::Static(Some(3)), 20, 2, (1, 1), false);
        assert_eq!([deal.take(0), deal.take(0), deal.take(0)], [Some((0, 3)), Some((6, 9)), Some((12, 15))]);
        assert_eq!([deal.take(1), deal.take(1), deal.take(1)], [Some((3, 6)), Some((9, 12)), Some((15, 18))]);
        assert_eq!([deal.take(0), deal.take(0), deal.take(1)], [Some((18, 20)), None, None]);
    }

    #[test]
    fn guided_chunks_get_smaller() {
        let lens: Vec<u64> = dealt(&Deal::new(Schedule::Guided(4), 100, 4, (1, 1), false))
            .iter()
            .map(|(lo, hi)| hi - lo)
            .collect();
        assert!(lens.windows(2).all(|w| w[0] >= w[1]), "{lens:?}");
        assert_eq!(lens[0], 24);
    }

    #[test]
    #[cfg_attr(miri, ignore = "sixty thousand chunks, and there is nothing unsafe")]
    fn reductions_have_few_chunks_of_whole_chunks() {
        let deal = Deal::new(Schedule::Dynamic(3), 10_000_000, 2, (1, 1), true);
        let all = dealt(&deal);
        assert!(all.len() <= 1 << 16 && all.iter().all(|(lo, _)| lo % 3 == 0));
    }
}
