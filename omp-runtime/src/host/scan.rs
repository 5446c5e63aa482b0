//! Scans on the host's threads, in two passes: each thread adds up a part of the loop, then each runs its part from what
//! the parts before it add up to. The loop runs once; only what the sums depend on runs twice.
use super::witness::carry;
use crate::device::team;
use crate::launch::HostRun;
use rayon::prelude::*;

/// Parts shorter than this are not worth a second pass.
const SHORTEST: u64 = 2048;

impl HostRun {
    /// Runs `run(lo, hi, from)` for all of `0..count` in parts, each from the carried values that the part before it
    /// ends with, and gives the last. `fold(lo, hi)` is what a part adds up to, `combine` the operators, in the order of
    /// iterations, `seed` what the first iteration starts from. `None` for an empty loop.
    ///
    /// # Panics
    /// When the loop does.
    pub fn scan<R: Copy + Send + Sync>(
        &self,
        count: u64,
        fold: impl Fn(u64, u64) -> R + Sync,
        combine: impl Fn(R, R) -> R,
        seed: impl FnOnce() -> R,
        run: impl Fn(u64, u64, R) -> R + Sync,
    ) -> Option<R> {
        if count == 0 {
            return None;
        }
        let first = team::enter(0, 1, seed);
        let parts = (self.threads as u64).min(count / SHORTEST).max(1);
        if parts == 1 {
            return Some(team::enter(0, 1, || run(0, count, first)));
        }
        let bounds = |part: u64| (u128::from(count) * u128::from(part) / u128::from(parts)) as u64;
        let workers = parts as usize;
        // Nothing starts from what the last part adds up to.
        let sums: Vec<R> = (0..workers - 1)
            .into_par_iter()
            .with_max_len(1)
            .map(|k| team::enter(k, workers, || carry(|| fold(bounds(k as u64), bounds(k as u64 + 1)))))
            .collect();
        let mut starts = vec![first];
        for sum in sums {
            starts.push(combine(starts[starts.len() - 1], sum));
        }
        let ends: Vec<R> = starts
            .into_par_iter()
            .enumerate()
            .with_max_len(1)
            .map(|(k, from)| {
                team::enter(k, workers, || carry(|| run(bounds(k as u64), bounds(k as u64 + 1), from)))
            })
            .collect();
        ends.last().copied()
    }
}
