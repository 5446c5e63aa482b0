//! The least and the greatest value of affine functions over the iterations of a nest.
use omp_ir::analysis::plan::{Affine, Nest};
use std::ops::Range;

/// The product, or the greatest number where that has no room for it.
pub(super) fn product(counts: impl Iterator<Item = u64>) -> u64 {
    counts.fold(1, u64::saturating_mul)
}

/// A number, and for each loop of a nest so many times the number of its iteration. Some loops may be in it twice, with two iterations.
pub(super) struct Sum<'a> {
    nest: &'a Nest,
    base: i128,
    /// By loop; then by loop once more, for the second iteration of those that are in it twice.
    strides: Vec<i128>,
    twice: Range<usize>,
    /// The parallel loop stays in iteration 0.
    fixed: bool,
}

impl<'a> Sum<'a> {
    /// A function in iteration 0 of the parallel loop.
    pub fn of(nest: &'a Nest, affine: &Affine) -> Self {
        let mut strides: Vec<_> = affine.strides.iter().map(|by| i128::from(*by)).collect();
        strides.resize(nest.loops.len(), 0);
        Self { nest, base: affine.base.into(), strides, twice: 0..0, fixed: true }
    }

    /// What a function is in one iteration of some loops, less what another one is in a second iteration of these.
    pub fn difference(nest: &'a Nest, a: &Affine, b: &Affine, twice: Range<usize>) -> Option<Self> {
        let (base, all) = (i128::from(a.base) - i128::from(b.base), nest.loops.len());
        let mut sum = Self { nest, base, strides: vec![0; 2 * all], twice, fixed: false };
        for l in 0..all {
            let second = sum.place(l, true);
            sum.strides[l] += i128::from(*a.strides.get(l)?);
            sum.strides[second] -= i128::from(*b.strides.get(l)?);
        }
        Some(sum)
    }

    /// Removes a loop that is in it twice; gives its factors.
    pub fn take(&mut self, l: usize) -> [i128; 2] {
        [self.place(l, false), self.place(l, true)].map(|at| std::mem::take(&mut self.strides[at]))
    }

    /// The least and the greatest value.
    pub fn range(&self) -> Option<(i128, i128)> {
        Some((self.extreme(false)?, self.extreme(true)?))
    }

    /// From the innermost loops outwards. Where the limits of a loop depend on those around it, their formulas take its place.
    fn extreme(&self, greatest: bool) -> Option<i128> {
        let (mut value, mut strides) = (self.base, self.strides.clone());
        let first = usize::from(self.fixed)..self.nest.loops.len();
        let second = self.twice.clone().rev().map(|l| (l, true));
        for (l, second) in second.chain(first.rev().map(|l| (l, false))) {
            let by = std::mem::take(&mut strides[self.place(l, second)]);
            let up = (by > 0) == greatest;
            let limits = self.nest.limits.get(&u32::try_from(l).ok()?);
            let limit = limits.and_then(|of| if up { of.upper.as_ref() } else { of.lower.as_ref() });
            // Of one that the parallel loop moves, other iterations have other values.
            match limit.filter(|of| !self.fixed || of.strides.first().is_none_or(|by| *by == 0)) {
                Some(limit) => {
                    value += by * (i128::from(limit.base) - i128::from(up));
                    for (l, of) in limit.strides.iter().enumerate() {
                        strides[self.place(l, second)] += by * i128::from(*of);
                    }
                }
                None if up => value += by * i128::from(self.nest.loops[l].count.checked_sub(1)?),
                None => {}
            }
        }
        Some(value)
    }

    /// Where the factor of a loop is.
    fn place(&self, l: usize, second: bool) -> usize {
        if second && self.twice.contains(&l) { l + self.nest.loops.len() } else { l }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use omp_ir::analysis::plan::{DimValues, Limits};
    use std::collections::BTreeMap;

    #[test]
    fn limits_of_loops_say_how_far_a_part_goes() {
        let value = |lo, hi| {
            let limits = Limits { lower: lo, upper: hi };
            let nest = Nest {
                loops: [100, 8, 8].map(|count| DimValues { first: 0, step: 1, count }).to_vec(),
                limits: BTreeMap::from([(2, limits)]),
                ..Nest::default()
            };
            Sum::of(&nest, &Affine { base: 3, strides: vec![64, 8, 1] }).range().expect("there are loops")
        };
        let line = |base, strides: [i64; 2]| Some(Affine { base, strides: strides.to_vec() });
        assert_eq!(value(None, None), (3, 3 + 7 * 8 + 7));
        // `k in 0..=j`, `k in 0..8 - j`, `k in j..8`
        assert_eq!(value(None, line(1, [0, 1])), (3, 3 + 7 * 9));
        assert_eq!(value(None, line(8, [0, -1])), (3, 3 + 7 + 7 * 7));
        assert_eq!(value(line(0, [0, 1]), None), (3, 3 + 7 * 8 + 7));
        // Limits by the parallel loop hold for its other iterations, too.
        assert_eq!(value(None, line(1, [1, 0])), (3, 3 + 7 * 8 + 7));
    }
}
