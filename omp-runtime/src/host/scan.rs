//! Scans on the host's threads, in two passes: what the parts of the loop add up to, then each part from what those
//! before it add up to. The loop runs once; only what the sums depend on runs twice.
use super::witness::carry;
use crate::device::team;
use crate::launch::HostRun;
use rayon::prelude::*;

/// Parts shorter than this are not worth a second pass.
const SHORTEST: u64 = 2048;

impl HostRun {
    /// Runs `run(lo, hi, from)` for all of `0..count` in parts, each from the carried values that the part before it
    /// ends with, and gives the last. `fold(lo, hi, first)` is what a part adds up to, `combine` the operators, in the order of
    /// iterations, `seed` what the first iteration starts from. `None` for an empty loop.
    ///
    /// # Panics
    /// When the loop does.
    pub fn scan<R: Copy + Send + Sync>(
        self,
        count: u64,
        fold: impl Fn(u64, u64, R) -> R + Sync,
        combine: impl Fn(R, R) -> R,
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
        // What the first part starts from is known: it runs while others are added up. What the last one adds up to is
        // not asked for. So there is a part more than threads, and all of them are busy in both passes.
        let parts = threads + 1;
        let bounds = |part: usize| (u128::from(count) * part as u128 / u128::from(parts)) as u64;
        let workers = threads as usize;
        let on = |k: usize, work: &(dyn Fn() -> R + Sync)| team::enter(k, workers, || carry(work));
        let sums: Vec<R> = (0..workers)
            .into_par_iter()
            .with_max_len(1)
            .map(|k| match k {
                0 => on(k, &|| run(0, bounds(1), first)),
                _ => on(k, &|| fold(bounds(k), bounds(k + 1), first)),
            })
            .collect();
        let mut starts = vec![sums[0]];
        for sum in &sums[1..] {
            starts.push(combine(starts[starts.len() - 1], *sum));
        }
        let ends: Vec<R> = starts
            .into_par_iter()
            .enumerate()
            .with_max_len(1)
            .map(|(k, from)| on(k, &|| run(bounds(k + 1), bounds(k + 2), from)))
            .collect();
        ends.last().copied()
    }
}
