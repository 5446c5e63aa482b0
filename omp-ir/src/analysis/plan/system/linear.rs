//! Linear forms, and systems of equations and inequalities over them.
//!
//! Coefficients and constants have 64 bits with limits, so a form is a fixed array, and its range, in 128 bits, needs no overflow
//! checks. A form beyond the limits is not made.
use crate::analysis::plan::build::graph::floor;
use std::ops::{Neg, Sub};

/// More variables than this are too many.
pub(super) const MOST_VARS: usize = 32;
/// Factors and constants stay below this.
const LARGE: i128 = 1 << 52;
/// Bounds beyond this are none; no value of 64 bits is.
const FAR: i128 = 1 << 66;

pub(super) type Interval = (i128, i128);

/// A sum of variables with factors, and a constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lin {
    pub konst: i64,
    /// The variables whose factor is not zero.
    used: u32,
    /// Their factors, in order.
    coef: [i64; MOST_TERMS],
}

/// Sums of more variables than this are not made.
const MOST_TERMS: usize = 12;

/// More facts than there are at first.
const ROOM: usize = 12;

/// A copy of a list, with room for more.
pub(super) fn roomy<T: Clone>(list: &[T]) -> Vec<T> {
    let mut copy = Vec::with_capacity(list.len() + ROOM);
    copy.extend_from_slice(list);
    copy
}

fn limited(value: i128) -> Option<i64> {
    (-LARGE < value && value < LARGE).then_some(value as i64)
}

impl Lin {
    pub(super) const ZERO: Self = Self { konst: 0, used: 0, coef: [0; MOST_TERMS] };

    /// `None`: it is too large.
    pub(super) fn number(konst: i128) -> Option<Self> {
        Some(Self { konst: limited(konst)?, ..Self::ZERO })
    }

    pub(super) fn var(v: usize) -> Self {
        Self::term(v, 1)
    }

    pub(super) fn term(v: usize, factor: i64) -> Self {
        let mut lin = Self { used: 1 << v, ..Self::ZERO };
        lin.coef[0] = factor;
        lin
    }

    /// Adds a term with a variable that comes after all others.
    fn push(&mut self, v: usize, factor: i64) -> Option<()> {
        if factor != 0 {
            *self.coef.get_mut(self.used.count_ones() as usize)? = factor;
            self.used |= 1 << v;
        }
        Some(())
    }

    pub(super) fn at(&self, v: usize) -> i64 {
        let before = self.used & ((1 << v) - 1);
        if self.has(v) { self.coef[before.count_ones() as usize] } else { 0 }
    }

    pub(super) fn has(&self, v: usize) -> bool {
        self.used >> v & 1 == 1
    }

    /// The variables in it, in order.
    pub(super) fn vars(&self) -> impl Iterator<Item = usize> + use<> {
        let mut left = self.used;
        std::iter::from_fn(move || {
            let v = left.trailing_zeros();
            left &= left.checked_sub(1)?;
            Some(v as usize)
        })
    }

    /// With their factors.
    pub(super) fn terms(&self) -> impl Iterator<Item = (usize, i64)> {
        self.vars().zip(self.coef.iter().copied())
    }

    /// `self·ka + other·kb`
    pub(super) fn combine(&self, ka: i64, other: &Self, kb: i64) -> Option<Self> {
        let part = |x: i64, y: i64| limited(i128::from(ka) * i128::from(x) + i128::from(kb) * i128::from(y));
        let mut out = Self { konst: part(self.konst, other.konst)?, ..Self::ZERO };
        let (mut i, mut j) = (0, 0);
        for v in (Self { used: self.used | other.used, ..Self::ZERO }).vars() {
            let (mut x, mut y) = (0, 0);
            if self.has(v) {
                (x, i) = (self.coef[i], i + 1);
            }
            if other.has(v) {
                (y, j) = (other.coef[j], j + 1);
            }
            out.push(v, part(x, y)?)?;
        }
        Some(out)
    }

    pub(super) fn plus(&self, konst: i64) -> Option<Self> {
        Some(Self { konst: limited(i128::from(self.konst) + i128::from(konst))?, ..*self })
    }

    pub(super) fn times(&self, k: i64) -> Option<Self> {
        self.combine(k, &Self::ZERO, 0)
    }

    pub(super) fn minus(&self, other: &Self) -> Option<Self> {
        self.combine(1, other, -1)
    }

    pub(super) fn is_number(&self) -> Option<i64> {
        (self.used == 0).then_some(self.konst)
    }

    /// Its only variable, if there is one.
    pub(super) fn only_var(&self) -> Option<usize> {
        (self.used.count_ones() == 1).then(|| self.used.trailing_zeros() as usize)
    }

    /// Whether the variables have the same factors.
    pub(super) fn is_parallel(&self, other: &Self) -> bool {
        self.used == other.used && self.coef == other.coef
    }

    /// The greatest common divisor of the factors; 0 if there are none.
    pub(super) fn divisor(&self) -> i64 {
        let mut g = 0;
        for (_, c) in self.terms() {
            g = gcd(g, c);
            if g == 1 {
                break;
            }
        }
        g
    }

    /// The part whose factors are multiples of `unit`, divided by it, and the other part, both without the constant.
    pub(super) fn parted(&self, unit: i64) -> (Self, Self) {
        let (mut large, mut small) = (Self::ZERO, Self::ZERO);
        for (v, c) in self.terms() {
            // There is room: the sum has as many.
            let _ = if c % unit == 0 { large.push(v, c / unit) } else { small.push(v, c) };
        }
        (large, small)
    }

    /// For `self <= 0`: divided by what all factors have in common, the constant rounded up.
    pub(super) fn tightened(mut self, by: i64) -> Self {
        if by > 1 {
            self.coef.iter_mut().for_each(|c| *c /= by);
            self.konst = -(-self.konst).div_euclid(by);
        }
        self
    }

    /// With a value for a variable.
    pub(super) fn with(&self, v: usize, value: i128) -> Option<Self> {
        let moved = i128::from(self.at(v)).checked_mul(value)?;
        let mut out = Self { konst: limited(moved.checked_add(i128::from(self.konst))?)?, ..Self::ZERO };
        self.terms().filter(|(other, _)| *other != v).try_for_each(|(other, c)| out.push(other, c))?;
        Some(out)
    }

    /// Puts in a sum for the variable `v` of an equation `l = 0` in which its factor is 1 or -1; `None`: that is too large.
    pub(super) fn put(&mut self, v: usize, l: &Self) -> Option<()> {
        if self.has(v) {
            // v = -c·(the rest), as c is ±1
            *self = self.combine(1, l, -(self.at(v) * l.at(v)))?;
        }
        Some(())
    }
}

/// An equation (`= 0`).
#[derive(Debug, Clone, Copy)]
pub(super) struct Equation {
    pub lin: Lin,
    /// It was looked at, and has not changed since.
    pub seen: bool,
}

/// The values that the terms of a sum may have, and the sum.
#[derive(Debug)]
struct Spans<I> {
    terms: [(I, I); MOST_TERMS],
    sum: (I, I),
}

/// Differences of numbers below this fit 64 bits.
const SMALL: i64 = 1 << 60;

/// Equations (`= 0`), inequalities (`<= 0`) and bounds of variables.
#[derive(Debug, Clone)]
pub(super) struct System {
    count: usize,
    pub bounds: [Interval; MOST_VARS],
    /// The variables that are squares, and by variable: the one whose square it is.
    squares: u32,
    square_of: [u8; MOST_VARS],
    pub equal: Vec<Equation>,
    pub most: Vec<Lin>,
    /// The variables whose bounds have changed since equations were last looked at.
    pub moved: u32,
    /// Two facts contradict each other.
    never: bool,
}

impl System {
    pub(super) fn new() -> Self {
        Self {
            count: 0,
            bounds: [(0, 0); MOST_VARS],
            squares: 0,
            square_of: [0; MOST_VARS],
            equal: Vec::with_capacity(ROOM),
            most: Vec::with_capacity(ROOM),
            moved: 0,
            never: false,
        }
    }

    /// A copy with room for more.
    pub(super) fn roomy(&self) -> Self {
        let Self { count, bounds, squares, square_of, ref equal, ref most, moved, never } = *self;
        let (equal, most) = (roomy(equal), roomy(most));
        Self { count, bounds, squares, square_of, equal, most, moved, never }
    }

    /// Whether an equation says what it said when it was last looked at. `moved`: the variables whose bounds have changed since.
    pub(super) fn is_settled(&self, equation: &Equation, moved: u32) -> bool {
        equation.seen && equation.lin.used & (moved | self.squares) == 0
    }

    /// Whether something is known of a sum beyond the bounds of its variables.
    pub(super) fn has_squares(&self, l: &Lin) -> bool {
        l.used & self.squares != 0
    }

    /// A variable with these bounds.
    pub(super) fn var(&mut self, bounds: Interval) -> Option<Lin> {
        if self.count >= MOST_VARS {
            return None;
        }
        self.bounds[self.count] = (bounds.0.max(-FAR), bounds.1.min(FAR));
        self.count += 1;
        Some(Lin::var(self.count - 1))
    }

    /// How many more variables there may be.
    pub(super) fn room(&self) -> usize {
        MOST_VARS - self.count
    }

    /// A variable that is the square of another.
    pub(super) fn square(&mut self, of: usize) -> Option<Lin> {
        let (lo, hi) = self.bounds[of];
        let limit = |x: i128| x.clamp(-(1 << 40), 1 << 40).pow(2);
        let least = if lo <= 0 && hi >= 0 { 0 } else { limit(lo).min(limit(hi)) };
        if lo < -(1 << 28) || hi > 1 << 28 {
            return None;
        }
        let square = self.var((least, limit(lo).max(limit(hi))))?;
        self.squares |= 1 << (self.count - 1);
        self.square_of[self.count - 1] = of as u8;
        Some(square)
    }

    /// The variable whose square this is.
    pub(super) fn root(&self, v: usize) -> Option<usize> {
        (self.squares >> v & 1 == 1).then(|| usize::from(self.square_of[v]))
    }

    /// The values that `c·v` may have.
    fn span(&self, c: i64, v: usize) -> Interval {
        let (x, y) = (i128::from(c) * self.bounds[v].0, i128::from(c) * self.bounds[v].1);
        if c < 0 { (y, x) } else { (x, y) }
    }

    /// The values that each term of a sum may have, and the sum; `None`: they don't fit 64 bits, which most do.
    fn small_spans(&self, l: &Lin) -> Option<Spans<i64>> {
        let small = |(lo, hi): (i64, i64)| (lo >= -SMALL && hi <= SMALL).then_some((lo, hi));
        let (mut terms, mut sum) = ([(0, 0); MOST_TERMS], (l.konst, l.konst));
        for (span, (v, c)) in terms.iter_mut().zip(l.terms()) {
            let (lo, hi) = self.bounds[v];
            let (lo, hi) = (i64::try_from(lo).ok()?, i64::try_from(hi).ok()?);
            let (x, y) = (c.checked_mul(lo)?, c.checked_mul(hi)?);
            *span = small(if c < 0 { (y, x) } else { (x, y) })?;
            sum = small((sum.0 + span.0, sum.1 + span.1))?;
        }
        Some(Spans { terms, sum })
    }

    fn spans(&self, l: &Lin) -> Spans<i128> {
        let (mut terms, mut sum) = ([(0, 0); MOST_TERMS], (l.konst.into(), l.konst.into()));
        for (span, (v, c)) in terms.iter_mut().zip(l.terms()) {
            *span = self.span(c, v);
            sum = (sum.0 + span.0, sum.1 + span.1);
        }
        Spans { terms, sum }
    }

    /// The values that a sum may have, each variable taken by itself.
    fn box_range(&self, l: &Lin) -> Interval {
        match self.small_spans(l) {
            Some(Spans { sum: (lo, hi), .. }) => (lo.into(), hi.into()),
            None => self.spans(l).sum,
        }
    }

    /// The values that a sum may have. The terms of a variable and of its square are one term.
    pub(super) fn range(&self, l: &Lin) -> Interval {
        let (mut lo, mut hi) = self.box_range(l);
        if l.used & self.squares == 0 {
            return (lo, hi);
        }
        for (s, factor) in l.terms() {
            let Some(v) = self.root(s) else { continue };
            let ((a, b), (x, y)) = (self.span(factor, s), self.span(l.at(v), v));
            let (c, d) = parabola(factor.into(), l.at(v).into(), self.bounds[v]);
            (lo, hi) = (lo + (c - a - x).max(0), hi - (b + y - d).max(0));
        }
        (lo, hi)
    }

    /// `l <= 0`, which narrows the variables in it.
    pub(super) fn at_most(&mut self, l: Lin) {
        self.narrow(&l, false);
        // A fact that follows from the bounds is not added.
        if l.only_var().is_none() && self.box_range(&l).1 > 0 {
            self.most.push(l);
        }
    }

    /// Narrows the variables of `l <= 0`, or of `l = 0`; whether that changed anything.
    pub(super) fn narrow(&mut self, l: &Lin, equal: bool) -> bool {
        match self.small_spans(l) {
            Some(spans) => self.narrow_to(l, &spans, equal, |x, c| if c == 1 { x } else { x.div_euclid(c) }),
            None => self.narrow_to(l, &self.spans(l), equal, |x, c| floor(x, c.into())),
        }
    }

    /// `floor`: a quotient, rounded down.
    fn narrow_to<I>(&mut self, l: &Lin, spans: &Spans<I>, equal: bool, floor: impl Fn(I, i64) -> I) -> bool
    where
        I: Copy + Ord + From<i64> + Into<i128> + Sub<Output = I> + Neg<Output = I>,
    {
        let ((least, most), zero) = (spans.sum, I::from(0));
        self.never |= least > zero || equal && most < zero;
        let (below, above) = (most > zero, equal && least < zero);
        if !below && !above {
            return false;
        }
        let mut changed = 0;
        for (own, (v, c)) in spans.terms.iter().zip(l.terms()) {
            // c·v <= -rest <= own.0 - least, and c·v >= own.1 - most
            let (x, y) = (own.1 - most, own.0 - least);
            let (low, high) = if c > 0 { (x, y) } else { (-y, -x) };
            let ((has_low, has_high), c) = (if c > 0 { (above, below) } else { (below, above) }, c.abs());
            let (lo, hi) = &mut self.bounds[v];
            if has_high {
                let high = floor(high, c).into();
                changed |= u32::from(high < *hi) << v;
                *hi = high.min(*hi);
            }
            if has_low {
                let low = (-floor(-low, c)).into();
                changed |= u32::from(low > *lo) << v;
                *lo = low.max(*lo);
            }
            self.never |= *lo > *hi;
        }
        self.moved |= changed;
        changed != 0
    }

    /// `l = 0`
    pub(super) fn equals(&mut self, l: Lin) {
        self.narrow(&l, true);
        self.equal.push(Equation { lin: l, seen: false });
    }

    /// Nothing names the variable any more.
    pub(super) fn forget(&mut self, v: usize) {
        self.bounds[v] = (0, 0);
        for square in 0..self.count {
            if square == v || self.root(square) == Some(v) {
                self.squares &= !(1 << square);
            }
        }
    }

    /// Whether the bounds show that there is no solution.
    pub(super) fn is_empty(&self) -> bool {
        self.never
    }
}

/// The range of `a·x² + b·x` over an interval.
fn parabola(a: i128, b: i128, (lo, hi): Interval) -> Interval {
    let at = |x: i128| x.saturating_mul(a.saturating_mul(x).saturating_add(b));
    let (mut least, mut most) = (at(lo).min(at(hi)), at(lo).max(at(hi)));
    if a != 0 {
        // The vertex is between two integers.
        let vertex = floor(if a > 0 { -b } else { b }, 2 * a.abs());
        for x in [vertex, vertex + 1].into_iter().filter(|x| lo < *x && *x < hi) {
            (least, most) = (least.min(at(x)), most.max(at(x)));
        }
    }
    (least, most)
}

pub(super) fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a as i64
}
