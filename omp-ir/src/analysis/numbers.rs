//! Ranges of index forms: a value as an affine function of the loop variables plus a bounded rest, and the interval that
//! it lies in. All arithmetic is checked; a value that overflows `i128` is unknown.
use super::form::{Arith, Rel};
use crate::desc::Prim;

/// Both ends belong to it.
pub(crate) type Interval = (i128, i128);

/// Wider than any type.
pub(crate) const ANYTHING: Interval = (-(1 << 100), 1 << 100);

/// What is known of a value in all iterations: it is `konst + Σ coef·variable + noise`, and in `lo..=hi`.
///
/// If `exact`, Rust's value is this number. Otherwise the computation may wrap in 64 bits, and Rust's value is equal
/// to this number modulo 2⁶⁴.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Val<const V: usize> {
    pub coef: [i128; V],
    pub konst: i128,
    pub noise: Interval,
    pub lo: i128,
    pub hi: i128,
    pub exact: bool,
    /// It, and everything that it is computed from, fits 32 bits.
    pub narrow: bool,
}

impl<const V: usize> Val<V> {
    /// Nothing is known but the interval.
    pub(crate) fn within((lo, hi): Interval) -> Self {
        if lo == hi {
            return Self::number(lo);
        }
        Self { coef: [0; V], konst: 0, noise: (lo, hi), lo, hi, exact: true, narrow: true }
    }

    /// A number.
    pub(crate) fn number(n: i128) -> Self {
        Self { coef: [0; V], konst: n, noise: (0, 0), lo: n, hi: n, exact: true, narrow: true }
    }

    /// Nothing is known but the type.
    pub(crate) fn unknown(ty: Option<Prim>) -> Self {
        match ty {
            Some(Prim::Bool) => Self::within((0, 1)),
            Some(t) => Self::within(t.int_range().unwrap_or(ANYTHING)),
            None => Self::within(ANYTHING),
        }
    }

    pub(crate) fn is_number(&self) -> Option<i128> {
        (self.exact && self.lo == self.hi).then_some(self.lo)
    }

    /// `ka·a + kb·b`, as whole numbers.
    pub(crate) fn linear(a: &Self, ka: i128, b: &Self, kb: i128) -> Option<Self> {
        let mut coef = [0; V];
        for (c, (x, y)) in coef.iter_mut().zip(a.coef.iter().zip(&b.coef)) {
            *c = ka.checked_mul(*x)?.checked_add(kb.checked_mul(*y)?)?;
        }
        let (noise_a, noise_b) = (scaled(a.noise, ka)?, scaled(b.noise, kb)?);
        let (range_a, range_b) = (scaled((a.lo, a.hi), ka)?, scaled((b.lo, b.hi), kb)?);
        Some(Self {
            coef,
            konst: ka.checked_mul(a.konst)?.checked_add(kb.checked_mul(b.konst)?)?,
            noise: (noise_a.0.checked_add(noise_b.0)?, noise_a.1.checked_add(noise_b.1)?),
            lo: range_a.0.checked_add(range_b.0)?,
            hi: range_a.1.checked_add(range_b.1)?,
            exact: a.exact && b.exact,
            narrow: true,
        })
    }

    /// Narrows the interval.
    pub(crate) fn meet(&mut self, (lo, hi): Interval) {
        self.lo = self.lo.max(lo);
        self.hi = self.hi.min(hi);
    }

    /// Takes over that the value stands in the given relation to another.
    pub(crate) fn assume(&mut self, rel: Rel, other: &Self) {
        if !self.exact || !other.exact {
            return;
        }
        match rel {
            Rel::Eq => self.meet((other.lo, other.hi)),
            Rel::Lt => self.hi = self.hi.min(other.hi.saturating_sub(1)),
            Rel::Le => self.hi = self.hi.min(other.hi),
            Rel::Gt => self.lo = self.lo.max(other.lo.saturating_add(1)),
            Rel::Ge => self.lo = self.lo.max(other.lo),
            Rel::Ne => {
                if let Some(n) = other.is_number() {
                    self.lo += i128::from(self.lo == n);
                    self.hi -= i128::from(self.hi == n);
                }
            }
        }
    }

    /// After an operation of type `ty` on whole numbers: what Rust makes of it.
    pub(crate) fn settle(mut self, ty: Option<Prim>) -> Self {
        // The bounds of floating-point numbers.
        if ty == Some(Prim::U128) {
            return self;
        }
        let Some((lo, hi)) = ty.and_then(Prim::int_range) else { return Self::unknown(ty) };
        if lo <= self.lo && self.hi <= hi {
            self.exact = true; // equal modulo the type's size, and both in its range
            self
        } else if ty.is_some_and(|t| t.size() == 8) {
            self.exact = false;
            self
        } else {
            Self::unknown(ty)
        }
    }

    /// `value as ty`.
    pub(crate) fn cast(&self, ty: Option<Prim>) -> Self {
        // The low bits of a value that is only known modulo 2^64 are known, so every range test is as for an exact one.
        self.settle(ty)
    }
}

fn scaled((lo, hi): Interval, k: i128) -> Option<Interval> {
    let (x, y) = (lo.checked_mul(k)?, hi.checked_mul(k)?);
    Some((x.min(y), x.max(y)))
}

/// An operation of two values. The result is a whole number that `settle` has still to fit into the type; `None`:
/// nothing is known.
pub(crate) fn arith<const V: usize>(op: Arith, a: &Val<V>, b: &Val<V>, ty: Option<Prim>) -> Option<Val<V>> {
    match op {
        Arith::Add => return Val::linear(a, 1, b, 1),
        Arith::Sub => return Val::linear(a, 1, b, -1),
        Arith::Mul => return product(a, b),
        _ => {}
    }
    // A value that may have wrapped is still in the range of its type.
    let (any, shifts) = (Val::unknown(ty), matches!(op, Arith::Shl | Arith::Shr));
    let (a, b) = match (a.exact, b.exact || shifts) {
        (true, true) => (a, b),
        (false, true) => (&any, b),
        (true, false) => (a, &any),
        (false, false) => return None,
    };
    if !b.exact {
        return None;
    }
    let bits = ty.map_or(64, |t| 8 * t.size() as i128);
    let power = |b: &Val<V>| b.is_number().filter(|k| (0..bits).contains(k)).map(|k| 1i128 << k);
    match op {
        Arith::Add | Arith::Sub | Arith::Mul => None,
        Arith::Div => quotient(a, b, false),
        Arith::DivEuclid => quotient(a, b, true),
        Arith::Rem => remainder(a, b, false),
        Arith::RemEuclid => remainder(a, b, true),
        Arith::Shl => product(a, &Val::number(power(b)?)),
        Arith::Shr => quotient(a, &Val::number(power(b)?), true),
        Arith::And if a.lo == a.hi && b.lo == b.hi => Some(Val::number(a.lo & b.lo)),
        Arith::And if a.lo >= 0 || b.lo >= 0 => {
            let cap = |v: &Val<V>| if v.lo >= 0 { v.hi } else { i128::MAX };
            Some(Val::within((0, cap(a).min(cap(b)))))
        }
        Arith::Or | Arith::Xor if a.lo >= 0 && b.lo >= 0 => {
            let ones = (a.hi | b.hi).checked_add(1)?.checked_next_power_of_two_i128()? - 1;
            Some(Val::within((if op == Arith::Or { a.lo.max(b.lo) } else { 0 }, ones)))
        }
        Arith::And | Arith::Or | Arith::Xor => None,
        Arith::AtMost => Some(Val::within((a.lo.min(b.hi), a.hi.min(b.hi)))),
        Arith::AtLeast => Some(Val::within((a.lo.max(b.lo), a.hi.max(b.lo)))),
        Arith::Min if a.hi <= b.lo => Some(*a),
        Arith::Min if b.hi <= a.lo => Some(*b),
        Arith::Min => Some(Val::within((a.lo.min(b.lo), a.hi.min(b.hi)))),
        Arith::Max if a.lo >= b.hi => Some(*a),
        Arith::Max if b.lo >= a.hi => Some(*b),
        Arith::Max => Some(Val::within((a.lo.max(b.lo), a.hi.max(b.hi)))),
        Arith::SaturatingAdd | Arith::SaturatingSub => {
            let sum = Val::linear(a, 1, b, if op == Arith::SaturatingAdd { 1 } else { -1 })?;
            let (lo, hi) = ty.and_then(Prim::int_range)?;
            if lo <= sum.lo && sum.hi <= hi {
                return Some(sum);
            }
            Some(Val::within((sum.lo.clamp(lo, hi), sum.hi.clamp(lo, hi))))
        }
        Arith::AbsDiff => {
            let d = Val::linear(a, 1, b, -1)?;
            if d.lo >= 0 {
                return Some(d);
            }
            if d.hi <= 0 {
                return Val::linear(b, 1, a, -1);
            }
            Some(Val::within((0, d.lo.checked_abs()?.max(d.hi.checked_abs()?))))
        }
    }
}

trait NextPower: Sized {
    fn checked_next_power_of_two_i128(self) -> Option<Self>;
}

impl NextPower for i128 {
    fn checked_next_power_of_two_i128(self) -> Option<Self> {
        u128::try_from(self).ok()?.checked_next_power_of_two()?.try_into().ok()
    }
}

fn product<const V: usize>(a: &Val<V>, b: &Val<V>) -> Option<Val<V>> {
    let constant = |v: &Val<V>| v.coef == [0; V] && v.noise == (0, 0);
    if constant(b) {
        return Val::linear(a, b.konst, &Val::number(0), 0);
    }
    if constant(a) {
        return Val::linear(b, a.konst, &Val::number(0), 0);
    }
    let corners =
        [a.lo.checked_mul(b.lo)?, a.lo.checked_mul(b.hi)?, a.hi.checked_mul(b.lo)?, a.hi.checked_mul(b.hi)?];
    Some(Val::within((*corners.iter().min()?, *corners.iter().max()?)))
}

/// Division by what is surely positive.
fn quotient<const V: usize>(a: &Val<V>, b: &Val<V>, floor: bool) -> Option<Val<V>> {
    if b.lo < 1 {
        return None;
    }
    if let Some(n) = b.is_number() {
        let parts = a.coef.iter().chain([&a.konst]);
        if a.noise == (0, 0) && parts.clone().all(|c| c % n == 0) {
            let mut v = *a;
            v.coef.iter_mut().for_each(|c| *c /= n);
            v.konst /= n;
            (v.lo, v.hi) = (v.lo.div_euclid(n), v.hi.div_euclid(n));
            return Some(v);
        }
    }
    let div = |x: i128, y: i128| if floor { x.div_euclid(y) } else { x / y };
    let lo = div(a.lo, b.lo).min(div(a.lo, b.hi));
    let hi = div(a.hi, b.lo).max(div(a.hi, b.hi));
    Some(Val::within((lo, hi)))
}

fn remainder<const V: usize>(a: &Val<V>, b: &Val<V>, euclid: bool) -> Option<Val<V>> {
    if b.lo < 1 {
        return None;
    }
    if a.lo >= 0 && a.hi < b.lo {
        return Some(*a);
    }
    if let Some(n) = b.is_number().filter(|_| a.lo >= 0 || euclid) {
        let times = a.lo.div_euclid(n);
        if times == a.hi.div_euclid(n) {
            return Val::linear(a, 1, &Val::number(times.checked_mul(n)?), -1);
        }
    }
    let most = b.hi - 1;
    Some(Val::within(if a.lo >= 0 {
        (0, most.min(a.hi))
    } else if euclid {
        (0, most)
    } else {
        (-(most.min(a.lo.checked_neg()?)), most.min(a.hi.max(0)))
    }))
}

/// A comparison, where the ranges decide it.
pub(crate) fn compare<const V: usize>(rel: Rel, a: &Val<V>, b: &Val<V>) -> Val<V> {
    let decided = match rel {
        _ if !a.exact || !b.exact => None,
        Rel::Lt if a.hi < b.lo => Some(1),
        Rel::Lt if a.lo >= b.hi => Some(0),
        Rel::Le if a.hi <= b.lo => Some(1),
        Rel::Le if a.lo > b.hi => Some(0),
        Rel::Gt if a.lo > b.hi => Some(1),
        Rel::Gt if a.hi <= b.lo => Some(0),
        Rel::Ge if a.lo >= b.hi => Some(1),
        Rel::Ge if a.hi < b.lo => Some(0),
        Rel::Eq if a.hi < b.lo || b.hi < a.lo => Some(0),
        Rel::Ne if a.hi < b.lo || b.hi < a.lo => Some(1),
        _ => None,
    };
    decided.map_or_else(|| Val::within((0, 1)), Val::number)
}

/// One of two values, by a truth value.
pub(crate) fn select<const V: usize>(cond: &Val<V>, a: &Val<V>, b: &Val<V>, ty: Option<Prim>) -> Val<V> {
    match cond.is_number() {
        Some(0) => return *b,
        Some(_) => return *a,
        None if !a.exact || !b.exact => return Val::unknown(ty),
        None => {}
    }
    let (lo, hi) = (a.lo.min(b.lo), a.hi.max(b.hi));
    // If the functions have the same slopes, only the constant term depends on the condition.
    let rest = |v: &Val<V>| Some((v.noise.0.checked_add(v.konst)?, v.noise.1.checked_add(v.konst)?));
    match (rest(a), rest(b)) {
        (Some(x), Some(y)) if a.coef == b.coef => Val {
            coef: a.coef,
            konst: 0,
            noise: (x.0.min(y.0), x.1.max(y.1)),
            lo,
            hi,
            exact: true,
            narrow: true,
        },
        _ => Val::within((lo, hi)),
    }
}
