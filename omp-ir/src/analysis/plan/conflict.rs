//! Whether two accesses of an array reach the same element in different iterations, decided by numbers.
//!
//! Each pair of subscripts gives an equation `a(p, s) = b(p', s')` over the parallel variables `p`, `p'` of both iterations and
//! the sequential ones. The accesses are disjoint if the equations have no solution, or imply `p = p'`:
//!
//! * range: zero is not between the least and the greatest value of the difference;
//! * divisibility: the greatest common divisor of the coefficients does not divide the constant;
//! * mixed radix: if both sides have the same coefficient of a parallel variable, only its difference `d` counts. If the
//!   coefficient of `d` is greater than the sum of all other terms, `d` must be zero. `d` is then removed, and the next one is
//!   tried. A variable whose difference is zero in one subscript has the same value in all others.
use super::build::graph::{Graph, InstId, NONE, floor};
use crate::analysis::numbers::{Interval, Val};

/// A subscript of a touch, or a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Index(InstId),
    Field(u32),
}

/// The sides of a question.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    pub path: &'a [Level],
    pub fact_ctx: usize,
}

/// The evaluated formulas, and what the dimensions are.
#[derive(Debug)]
pub(super) struct Evaluated<'a, const V: usize> {
    pub graph: &'a Graph,
    pub vals: &'a [Val<V>],
    /// How many slots are parallel dimensions (the first ones).
    pub dims: usize,
    /// By dimension: the distance of its values, and one of them.
    pub steps: &'a [(i128, i128)],
}

/// The loops whose iterations count as different iterations, as sets of slots.
#[derive(Debug, Clone, Copy)]
pub(super) struct Iterations {
    /// The variables that make an iteration.
    pub own: u64,
    /// Those that two iterations have in common: of an inner nest, the loops around it.
    pub common: u64,
}

impl Iterations {
    fn tracks(self, slot: usize) -> bool {
        (self.own | self.common) >> slot & 1 == 1
    }
}

/// An unknown of an equation: it adds `unit·k` with an integer `k` in `lo..=hi`.
#[derive(Debug, Clone, Copy)]
struct Term {
    unit: i128,
    lo: i128,
    hi: i128,
    /// `k` is the difference of this dimension, in steps.
    dim: Option<usize>,
}

const TERMS: usize = 3 * super::build::graph::MAX_SLOTS;

#[derive(Debug)]
struct Equation {
    terms: [Term; TERMS],
    count: usize,
    konst: i128,
    noise: Interval,
}

impl Equation {
    fn push(&mut self, unit: i128, lo: i128, hi: i128, dim: Option<usize>) {
        if unit != 0 {
            self.terms[self.count] = Term { unit, lo, hi, dim };
            self.count += 1;
        }
    }

    /// The range of one term.
    fn span(t: &Term) -> Option<Interval> {
        let (x, y) = (t.unit.checked_mul(t.lo)?, t.unit.checked_mul(t.hi)?);
        Some((x.min(y), x.max(y)))
    }

    /// The range of all terms but `without`.
    fn range(&self, without: usize) -> Option<Interval> {
        let (mut lo, mut hi) = (self.konst.checked_add(self.noise.0)?, self.konst.checked_add(self.noise.1)?);
        for (_, t) in self.terms[..self.count].iter().enumerate().filter(|(i, _)| *i != without) {
            let (x, y) = Self::span(t)?;
            (lo, hi) = (lo.checked_add(x)?, hi.checked_add(y)?);
        }
        Some((lo, hi))
    }
}

/// What an equation says.
enum Outcome {
    /// It has no solution.
    Never,
    /// Some more differences are zero.
    Pinned,
    Nothing,
}

impl<const V: usize> Evaluated<'_, V> {
    fn hull(&self, fact_ctx: usize, slot: usize) -> Interval {
        match self.graph.range_of(fact_ctx, slot) {
            NONE => (0, 0),
            i => (self.vals[i as usize].lo, self.vals[i as usize].hi),
        }
    }

    /// Whether the accesses certainly don't conflict in different iterations.
    pub(super) fn apart(&self, of: Iterations, a: Side<'_>, b: Side<'_>) -> bool {
        let mut pinned = [false; V];
        for (s, pin) in pinned.iter_mut().enumerate().filter(|(s, _)| of.tracks(*s)) {
            let (x, y) = (self.hull(a.fact_ctx, s), self.hull(b.fact_ctx, s));
            *pin = of.common >> s & 1 == 1 || (x.0 == x.1 && x == y);
        }
        loop {
            let mut more = false;
            for (x, y) in a.path.iter().zip(b.path) {
                match (x, y) {
                    (Level::Field(f), Level::Field(g)) if f != g => return true,
                    (Level::Index(x), Level::Index(y)) => {
                        match self.equation(of, (*x, a.fact_ctx), (*y, b.fact_ctx), &mut pinned) {
                            Some(Outcome::Never) => return true,
                            Some(Outcome::Pinned) => more = true,
                            Some(Outcome::Nothing) | None => {}
                        }
                    }
                    (Level::Field(_) | Level::Index(_), _) => {}
                }
            }
            if pinned.iter().enumerate().all(|(s, p)| *p || of.own >> s & 1 == 0) {
                return true;
            }
            if !more {
                return false;
            }
        }
    }

    /// `None`: the numbers are too large.
    fn equation(
        &self,
        of: Iterations,
        (x, fx): (InstId, usize),
        (y, fy): (InstId, usize),
        pinned: &mut [bool; V],
    ) -> Option<Outcome> {
        let (a, b) = (&self.vals[x as usize], &self.vals[y as usize]);
        // An index that wraps is far out of bounds, as long as it wraps around once.
        let usable = |v: &Val<V>| v.exact || (v.lo >= -(1 << 63) && v.hi < 1 << 64);
        if !usable(a) || !usable(b) {
            return None;
        }
        let none = Term { unit: 0, lo: 0, hi: 0, dim: None };
        let mut eq = Equation {
            terms: [none; TERMS],
            count: 0,
            konst: a.konst.checked_sub(b.konst)?,
            noise: (a.noise.0.checked_sub(b.noise.1)?, a.noise.1.checked_sub(b.noise.0)?),
        };
        for (s, (&ca, &cb)) in a.coef.iter().zip(&b.coef).enumerate() {
            if ca == 0 && cb == 0 {
                continue;
            }
            let (ra, rb) = (self.hull(fx, s), self.hull(fy, s));
            let (step, base) = if s < self.dims { self.steps[s] } else { (1, 0) };
            // `c·v` for v = base + step·k
            let free = |eq: &mut Equation, c: i128, r: Interval| {
                eq.konst = eq.konst.checked_add(c.checked_mul(base)?)?;
                let (lo, hi) = (r.0.checked_sub(base)?, r.1.checked_sub(base)?);
                eq.push(c.checked_mul(step)?, -floor(-lo, step), floor(hi, step), None);
                Some(())
            };
            if of.tracks(s) && pinned[s] {
                free(&mut eq, ca.checked_sub(cb)?, (ra.0.max(rb.0), ra.1.min(rb.1)))?;
            } else if of.tracks(s) && ca == cb {
                let (lo, hi) = (ra.0.checked_sub(rb.1)?, ra.1.checked_sub(rb.0)?);
                eq.push(ca.checked_mul(step)?, -floor(-lo, step), floor(hi, step), Some(s));
            } else {
                free(&mut eq, ca, ra)?;
                free(&mut eq, cb.checked_neg()?, rb)?;
            }
        }
        self.solve(eq, pinned)
    }

    fn solve(&self, mut eq: Equation, pinned: &mut [bool; V]) -> Option<Outcome> {
        let mut outcome = Outcome::Nothing;
        // The common case: `y[i + c]` on both sides.
        if let ([Term { dim: Some(d), .. }], 0, (0, 0)) = (&eq.terms[..eq.count], eq.konst, eq.noise) {
            let fresh = !std::mem::replace(&mut pinned[*d], true);
            return Some(if fresh { Outcome::Pinned } else { Outcome::Nothing });
        }
        loop {
            let (lo, hi) = eq.range(usize::MAX)?;
            if lo > 0 || hi < 0 {
                return Some(Outcome::Never);
            }
            let free = eq.terms[..eq.count].iter().filter(|t| (t.lo, t.hi) != (0, 0));
            let g = free.fold(0, |g, t| gcd(g, t.unit));
            if eq.noise == (0, 0) && g != 0 && eq.konst % g != 0 {
                return Some(Outcome::Never);
            }
            let mut changed = false;
            for i in 0..eq.count {
                let t = eq.terms[i];
                if t.dim.is_none() || (t.lo, t.hi) == (0, 0) {
                    continue;
                }
                // unit·k = -rest
                let (rlo, rhi) = eq.range(i)?;
                let unit = t.unit.checked_abs()?;
                let (x, y) = if t.unit > 0 { (rhi.checked_neg()?, rlo.checked_neg()?) } else { (rlo, rhi) };
                let (lo, hi) = (t.lo.max(-floor(x.checked_neg()?, unit)), t.hi.min(floor(y, unit)));
                if lo > hi {
                    return Some(Outcome::Never);
                }
                changed |= (lo, hi) != (t.lo, t.hi) && (lo, hi) == (0, 0);
                (eq.terms[i].lo, eq.terms[i].hi) = (lo, hi);
            }
            if !changed {
                break;
            }
        }
        for t in &eq.terms[..eq.count] {
            if let (Some(d), 0, 0) = (t.dim, t.lo, t.hi) {
                if !pinned[d] {
                    outcome = Outcome::Pinned;
                }
                pinned[d] = true;
            }
        }
        Some(outcome)
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if let (Ok(mut a), Ok(mut b)) = (u64::try_from(a.unsigned_abs()), u64::try_from(b.unsigned_abs())) {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        return a.into();
    }
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1)
}
