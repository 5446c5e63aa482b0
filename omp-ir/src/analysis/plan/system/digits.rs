//! Quotients, remainders and bits: numbers as digits of mixed radix.
use super::Builder;
use super::linear::{Interval, Lin, System};

/// `of = by·quotient + rest`, with a rest of `0..by`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quotient {
    of: Lin,
    pub by: i64,
    quotient: Lin,
    rest: Lin,
}

/// Masks of more runs of ones than this are not looked at.
const MOST_RUNS: usize = 4;

impl Builder<'_> {
    /// Quotient (rounded down) and remainder (not negative) by a positive number.
    pub(super) fn divided(&mut self, a: &Lin, by: i64) -> Option<(Lin, Lin)> {
        if by < 1 {
            return None;
        }
        // What is a multiple of the divisor is a multiple of the quotient.
        let (large, small) = a.parted(by);
        let small = small.plus(a.konst.rem_euclid(by))?;
        let large = large.plus(a.konst.div_euclid(by))?;
        let (q, r) = self.digit(&small, by)?;
        Some((large.combine(1, &q, 1)?, r))
    }

    fn digit(&mut self, a: &Lin, by: i64) -> Option<(Lin, Lin)> {
        let range = self.system.range(a);
        let (lo, hi) = (range.0.div_euclid(by.into()), range.1.div_euclid(by.into()));
        if lo == hi {
            let q = Lin::number(lo)?;
            return Some((q, a.combine(1, &q, -by)?));
        }
        if let Some(known) = self.quotients.iter().find(|known| known.by == by && known.of == *a) {
            return Some((known.quotient, known.rest));
        }
        let quotient = self.system.var((lo, hi))?;
        let rest = match self.remainder(a, by) {
            Some(rest) => Lin::number(rest.into())?,
            None => self.system.var((0, i128::from(by) - 1))?,
        };
        self.system.equals(a.combine(1, &quotient, -by)?.minus(&rest)?);
        self.quotients.push(Quotient { of: *a, by, quotient, rest });
        Some((quotient, rest))
    }

    /// A multiple of a sum, in which quotients without a remainder are put back, and how often it is the sum.
    pub(super) fn without_quotients(&self, l: &Lin) -> (Lin, i64) {
        let (mut l, mut scale) = (*l, 1i64);
        for known in self.quotients.iter().rev() {
            let (Some(v), Some(rest)) = (known.quotient.only_var(), known.rest.is_number()) else { continue };
            let put = || {
                let c = l.at(v);
                let others = l.with(v, 0)?.times(known.by)?;
                Some((others.combine(1, &known.of.plus(-rest)?, c)?, scale.checked_mul(known.by)?))
            };
            if l.has(v) {
                (l, scale) = put().unwrap_or((l, scale));
            }
        }
        (l, scale)
    }

    /// The values that a sum may have.
    pub(super) fn range(&self, l: &Lin) -> Interval {
        let (lo, hi) = self.system.range(l);
        let (multiple, scale) = self.without_quotients(l);
        if scale == 1 {
            return (lo, hi);
        }
        let (x, y) = self.system.range(&multiple);
        (lo.max(-(-x).div_euclid(scale.into())), hi.min(y.div_euclid(scale.into())))
    }

    /// The sum itself, if it is known to be in the range where it surely is, else a variable that has its value.
    fn within(&mut self, l: &Lin, range: Interval) -> Option<Lin> {
        let (lo, hi) = self.range(l);
        if range.0 <= lo && hi <= range.1 {
            return Some(*l);
        }
        let named = self.system.var(range)?;
        self.system.equals(named.minus(l)?);
        Some(named)
    }

    /// `a | b` (`common` 1), `a ^ b` (2)
    pub(super) fn either_bits(&mut self, a: &Lin, b: &Lin, common: i64) -> Option<Lin> {
        let sum = a.combine(1, b, 1)?.combine(1, &self.common_bits(a, b)?, -common)?;
        let ((_, x), (_, y)) = (self.non_negative(a)?, self.non_negative(b)?);
        self.within(&sum, (0, ones(x.max(y)).into()))
    }

    fn non_negative(&self, l: &Lin) -> Option<Interval> {
        Some(self.range(l)).filter(|(lo, _)| *lo >= 0)
    }

    /// `a & b`
    pub(super) fn common_bits(&mut self, a: &Lin, b: &Lin) -> Option<Lin> {
        if a == b {
            return Some(*a);
        }
        let (of, mask) = match (a.is_number(), b.is_number()) {
            (_, Some(mask)) => (a, mask),
            (Some(mask), _) => (b, mask),
            (None, None) => return self.both(a, b),
        };
        if mask < 0 {
            return of.minus(&self.common_bits(of, &Lin::number((!mask).into())?)?);
        }
        // Each term that has bits of its own is in the mask, or not, or in part.
        if let Some(terms) = separate(&self.system, of) {
            let (mut inside, mut rest) = (Lin::ZERO, Lin::ZERO);
            for (term, bits) in terms {
                if bits & !mask == 0 {
                    inside = inside.combine(1, &term, 1)?;
                } else if bits & mask != 0 {
                    rest = rest.combine(1, &term, 1)?;
                }
            }
            return if rest == Lin::ZERO {
                Some(inside)
            } else {
                inside.combine(1, &self.runs(&rest, mask)?, 1)
            };
        }
        self.runs(of, mask)
    }

    /// `a & mask`, for each run of ones in the mask.
    fn runs(&mut self, a: &Lin, mask: i64) -> Option<Lin> {
        let (_, hi) = self.system.range(a);
        // Ones beyond the number's own bits end with it.
        let top = if self.system.range(a).0 >= 0 { ones(hi) } else { i64::MAX };
        let (mut mask, mut sum) = (mask & top, Lin::ZERO);
        for _ in 0..MOST_RUNS {
            if mask == 0 {
                return Some(sum);
            }
            let from = mask.trailing_zeros();
            let count = (mask >> from).trailing_ones();
            let (high, _) = self.divided(a, limited(from)?)?;
            let (_, run) = self.divided(&high, limited(count)?)?;
            sum = sum.combine(1, &run, limited(from)?)?;
            mask &= !(((1 << count) - 1) << from);
        }
        (mask == 0).then_some(sum)
    }

    /// `a & b` of two numbers that are not the same in all iterations.
    fn both(&mut self, a: &Lin, b: &Lin) -> Option<Lin> {
        let ((x, _), (y, _)) = (bits(&self.system, a)?, bits(&self.system, b)?);
        if x & y == 0 {
            return Some(Lin::ZERO);
        }
        let common = self.system.var((0, i128::from(x & y)))?;
        for of in [a, b] {
            self.system.at_most(common.minus(of)?);
        }
        Some(common)
    }
}

/// `2^k`, if that is not too large.
fn limited(k: u32) -> Option<i64> {
    (k < 50).then(|| 1 << k)
}

/// All ones up to the highest bit of a number.
fn ones(n: i128) -> i64 {
    match u64::try_from(n) {
        Ok(n) if n < 1 << 62 => ((1u64 << (64 - n.leading_zeros())) - 1) as i64,
        _ => i64::MAX,
    }
}

/// The bits that a sum of numbers may have which have none in common, and each of them with its own.
fn separate(system: &System, l: &Lin) -> Option<Vec<(Lin, i64)>> {
    let mut terms = vec![(Lin::number(l.konst.into())?, l.konst)];
    for v in l.vars() {
        let term = Lin::term(v, l.at(v));
        let (lo, hi) = system.range(&term);
        let shift = l.at(v).trailing_zeros();
        terms.push((term, if lo >= 0 { ones(hi) >> shift << shift } else { -1 }));
    }
    let apart =
        |(all, ok): (i64, bool), (_, bits): &(Lin, i64)| (all | bits, ok && *bits >= 0 && all & bits == 0);
    terms.iter().fold((0, true), apart).1.then_some(terms)
}

/// The bits that a number may have, and its range; `None` if it may be negative.
fn bits(system: &System, l: &Lin) -> Option<(i64, Interval)> {
    let range = system.range(l);
    if range.0 < 0 {
        return None;
    }
    let all = match separate(system, l) {
        Some(terms) => terms.iter().fold(0, |all, (_, bits)| all | bits),
        None => {
            let low = l.vars().map(|v| l.at(v).trailing_zeros()).fold(l.konst.trailing_zeros(), u32::min);
            ones(range.1) >> low << low
        }
    };
    Some((all, range))
}
