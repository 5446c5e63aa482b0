//! A pool of freed device memory.
//!
//! The pool does the bookkeeping; the backend knows what a block is (a CUDA address, a `cl_mem`) and how it is freed. The pool
//! may reuse a block while queued work still uses it: the next user comes later in the same queue, or the backend makes it
//! wait for the events that it keeps with the block.
use std::collections::BTreeMap;

/// Free blocks by capacity.
#[derive(Debug)]
pub(super) struct Pool<H> {
    free: BTreeMap<usize, Vec<H>>,
    cached: usize,
    limit: usize,
}

/// All memory of a device is a multiple of so many bytes: kernels load vectors that begin at an element and may end after the last.
const WHOLE: usize = 16;

/// The least capacity for `bytes`. A size beyond any memory is not rounded: the driver refuses it.
pub(super) fn least_for(bytes: usize) -> usize {
    bytes.checked_next_multiple_of(WHOLE).unwrap_or(bytes)
}

/// Bytes to request from the driver: one of a few size classes, so that blocks can be reused.
pub(super) fn capacity_for(bytes: usize) -> usize {
    const SMALLEST: usize = 512;
    const POWERS_UP_TO: usize = 64 << 10;
    const EXACT_FROM: usize = 16 << 20;
    const DRIVER_PAGE: usize = 2 << 20;
    if bytes <= SMALLEST {
        SMALLEST
    } else if bytes <= POWERS_UP_TO {
        bytes.next_power_of_two()
    } else {
        let step = if bytes >= EXACT_FROM { DRIVER_PAGE } else { (bytes.next_power_of_two() / 16).max(4096) };
        bytes.checked_next_multiple_of(step).unwrap_or(bytes)
    }
}

impl<H> Pool<H> {
    /// A pool that keeps at most `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self { free: BTreeMap::new(), cached: 0, limit }
    }

    /// The smallest free block that holds `bytes`, wastes at most a quarter of them and pleases, with its capacity.
    pub(super) fn take_if(
        &mut self,
        bytes: usize,
        mut pleases: impl FnMut(&H) -> bool,
    ) -> Option<(usize, H)> {
        let wanted = capacity_for(bytes);
        let most = wanted.saturating_add(wanted / 4);
        let mut all = self.free.range_mut(bytes..=most);
        let (capacity, block) = all.find_map(|(&capacity, blocks)| {
            let at = blocks.iter().rposition(&mut pleases)?;
            Some((capacity, blocks.remove(at)))
        })?;
        if self.free.get(&capacity).is_some_and(Vec::is_empty) {
            self.free.remove(&capacity);
        }
        self.cached -= capacity;
        Some((capacity, block))
    }

    /// Keeps a block; returns the blocks that must be freed to stay under the limit (the largest first).
    #[must_use]
    pub(super) fn put(&mut self, capacity: usize, block: H) -> Vec<H> {
        if capacity > self.limit {
            return vec![block];
        }
        let mut gone = Vec::new();
        while self.cached + capacity > self.limit {
            let Some(mut largest) = self.free.last_entry() else { break };
            let size = *largest.key();
            gone.extend(largest.get_mut().pop());
            if largest.get().is_empty() {
                largest.remove();
            }
            self.cached -= size;
        }
        self.cached += capacity;
        self.free.entry(capacity).or_default().push(block);
        gone
    }

    /// Empties the pool.
    #[must_use]
    pub(super) fn drain(&mut self) -> Vec<H> {
        self.cached = 0;
        std::mem::take(&mut self.free).into_values().flatten().collect()
    }

    /// Bytes kept.
    pub(super) fn cached(&self) -> usize {
        self.cached
    }
}

#[cfg(test)]
mod tests {
    use super::{Pool, capacity_for};

    #[test]
    fn classes_hold_the_requested_bytes() {
        for bytes in (0..40).flat_map(|e| [(1usize << e).saturating_sub(1), 1 << e, (1 << e) + 1]) {
            let capacity = capacity_for(bytes);
            assert!(capacity >= bytes, "{bytes} -> {capacity}");
            assert!(capacity <= bytes.max(256) * 2, "{bytes} -> {capacity}");
            if bytes > 1 << 20 {
                assert!(capacity <= bytes + bytes / 7, "{bytes} -> {capacity}");
            }
        }
        assert_eq!(capacity_for(usize::MAX), usize::MAX);
    }

    #[test]
    fn a_block_comes_back_for_a_like_size_only() {
        let mut pool = Pool::new(1 << 30);
        assert!(pool.put(capacity_for(1000), 'a').is_empty());
        assert!(pool.put(capacity_for(1 << 24), 'b').is_empty());
        assert_eq!(pool.take_if(1 << 20, |_| true), None);
        assert_eq!(pool.take_if(600, |_| true), Some((1024, 'a')));
        assert_eq!(pool.take_if(600, |_| true), None);
        assert_eq!(pool.take_if((1 << 24) - 5, |_| true), Some((1 << 24, 'b')));
        assert_eq!(pool.cached(), 0);
    }

    #[test]
    fn the_limit_holds() {
        let mut pool = Pool::new(4096);
        assert_eq!(pool.put(8192, 1), [1]);
        assert!(pool.put(2048, 2).is_empty());
        assert!(pool.put(1024, 3).is_empty());
        assert_eq!(pool.put(2048, 4), [2]);
        assert_eq!(pool.cached(), 3072);
        let mut rest = pool.drain();
        rest.sort_unstable();
        assert_eq!(rest, [3, 4]);
        assert_eq!(pool.cached(), 0);
    }
}
