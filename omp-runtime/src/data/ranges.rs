//! Sets of numbers as ranges.

/// Ranges `lo..hi`, in order, apart from each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranges<T>(Vec<(T, T)>);

impl<T> Default for Ranges<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Copy + Ord> Ranges<T> {
    /// Adds a range.
    pub fn insert(&mut self, lo: T, hi: T) {
        if lo >= hi {
            return;
        }
        let from = self.0.partition_point(|r| r.1 < lo);
        let to = self.0.partition_point(|r| r.0 <= hi);
        let joined = self.0[from..to].iter().fold((lo, hi), |all, r| (all.0.min(r.0), all.1.max(r.1)));
        self.0.splice(from..to, [joined]);
    }

    /// What of a range is in the set.
    pub fn inside(&self, lo: T, hi: T) -> impl Iterator<Item = (T, T)> + '_ {
        let from = self.0.partition_point(|r| r.1 <= lo);
        self.0[from..].iter().map(move |r| (r.0.max(lo), r.1.min(hi))).take_while(|r| r.0 < r.1)
    }

    /// What of a range is not in the set.
    #[must_use]
    pub fn missing(&self, lo: T, hi: T) -> Vec<(T, T)> {
        let (mut at, mut missing) = (lo, Vec::new());
        for (from, to) in self.inside(lo, hi) {
            if at < from {
                missing.push((at, from));
            }
            at = to;
        }
        if at < hi {
            missing.push((at, hi));
        }
        missing
    }

    /// The ranges.
    #[must_use]
    pub fn list(&self) -> &[(T, T)] {
        &self.0
    }
}

/// Joins ranges that are in order where no more than `gap` is between them.
#[must_use]
pub fn joined(ranges: &[(u64, u64)], gap: u64) -> Vec<(u64, u64)> {
    let mut out: Vec<(u64, u64)> = Vec::with_capacity(ranges.len());
    for &(lo, hi) in ranges {
        match out.last_mut() {
            Some(last) if lo - last.1 <= gap => last.1 = hi,
            _ => out.push((lo, hi)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ranges_are_sets(added in prop::collection::vec((0u8..40, 0u8..40), 0..12), (lo, hi) in (0u8..40, 0u8..40)) {
            let mut ranges = Ranges::default();
            let mut set = [false; 40];
            for (a, b) in added {
                ranges.insert(a, b);
                (a..b).for_each(|i| set[usize::from(i)] = true);
            }
            for pair in ranges.list().windows(2) {
                prop_assert!(pair[0].1 < pair[1].0);
            }
            prop_assert!(ranges.list().iter().all(|r| r.0 < r.1));
            let of = |list: &[(u8, u8)]| list.iter().flat_map(|r| r.0..r.1).collect::<Vec<_>>();
            let want = |inside: bool| (lo..hi).filter(|i| set[usize::from(*i)] == inside).collect::<Vec<_>>();
            prop_assert_eq!(of(&ranges.inside(lo, hi).collect::<Vec<_>>()), want(true));
            prop_assert_eq!(of(&ranges.missing(lo, hi)), want(false));
        }
    }

    #[test]
    fn small_gaps_are_joined() {
        assert_eq!(joined(&[(0, 3), (5, 6), (9, 10)], 2), [(0, 6), (9, 10)]);
    }
}
