//! Affine sums: numbers plus multiples of [`Atom`]s, and how they are read off the expressions of a body. An atom has one
//! value while a fact that names it is in force.
use crate::ids::{ArrayId, ConstId, ExprId, LocalId, ScalarId, SlotId};
use crate::template::{Base, BinOp, Code, Expr, Place, Projection, TyRef};
use std::collections::{BTreeMap, HashMap, HashSet};

/// No number in a sum is larger, so that what is known to be between numbers does not wrap in a `usize`.
const LARGEST: u128 = 1 << 40;

/// Something with one value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Atom {
    /// A variable that keeps the value that it is given.
    Local(LocalId),
    /// The variable of a loop that is over: a fact that names it holds for each of its values.
    Each(LocalId),
    /// A captured scalar, or a field of it.
    Scalar(ScalarId, Vec<String>),
    /// A const.
    Const(ConstId),
    /// A length, by its name.
    Named(String),
    /// The length of a mapped array.
    Len(ArrayId),
    /// An element of an array that the region does not write.
    Element(ArrayId, Box<Sum>),
    /// What an operator gives of two sums.
    Of(Op, Box<Sum>, Box<Sum>),
    /// A sum in a type whose numbers may wrap: only the same as itself.
    Wrapped(Box<Sum>),
    /// The same, cast to `usize`.
    Cast(Box<Sum>),
    /// Any other value that never changes, by its number ([`super::value_numbering`]).
    Value(u32),
}

/// Operators whose results are atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Op {
    Mul,
    Div,
    Rem,
    Min,
    Max,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
}

impl Op {
    /// Of the operators of expressions.
    #[must_use]
    pub const fn of(op: BinOp) -> Option<Self> {
        match op {
            BinOp::Mul => Some(Self::Mul),
            BinOp::Div => Some(Self::Div),
            BinOp::Rem => Some(Self::Rem),
            BinOp::BitAnd => Some(Self::BitAnd),
            BinOp::BitOr => Some(Self::BitOr),
            BinOp::BitXor => Some(Self::BitXor),
            BinOp::Shl => Some(Self::Shl),
            BinOp::Shr => Some(Self::Shr),
            _ => None,
        }
    }
}

impl Atom {
    /// Whether its value depends on one of these variables: on the one that it has, or, if `each`, on all of them.
    pub(super) fn depends(&self, on: &dyn Fn(LocalId) -> bool, each: bool) -> bool {
        match self {
            Self::Local(local) => on(*local),
            Self::Each(local) => each && on(*local),
            Self::Scalar(..) | Self::Const(_) | Self::Named(_) | Self::Len(_) | Self::Value(_) => false,
            Self::Of(_, a, b) => a.has(on, each) || b.has(on, each),
            Self::Wrapped(sum) | Self::Cast(sum) | Self::Element(_, sum) => sum.has(on, each),
        }
    }

    /// The atoms of which it is the product.
    fn factors(&self) -> Vec<&Self> {
        match self {
            Self::Of(Op::Mul, a, b) => match (a.single(), b.single()) {
                (Some(a), Some(b)) => [a.factors(), b.factors()].concat(),
                _ => vec![self],
            },
            _ => vec![self],
        }
    }

    /// With all the values of these variables.
    fn over(&self, is: &dyn Fn(LocalId) -> bool) -> Self {
        let over = |sum: &Sum| Box::new(sum.over(is));
        match self {
            Self::Local(local) if is(*local) => Self::Each(*local),
            Self::Of(op, a, b) => Self::Of(*op, over(a), over(b)),
            Self::Element(array, sum) => Self::Element(*array, over(sum)),
            Self::Wrapped(sum) => Self::Wrapped(over(sum)),
            Self::Cast(sum) => Self::Cast(over(sum)),
            other => other.clone(),
        }
    }
}

/// A number and multiples of atoms.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sum {
    pub(super) terms: BTreeMap<Atom, i128>,
    pub(super) plus: i128,
}

impl Sum {
    /// A number.
    #[must_use]
    pub const fn number(plus: i128) -> Self {
        Self { terms: BTreeMap::new(), plus }
    }

    /// An atom.
    #[must_use]
    pub fn atom(atom: Atom) -> Self {
        Self { terms: BTreeMap::from([(atom, 1)]), plus: 0 }
    }

    /// The number that it is.
    #[must_use]
    pub fn constant(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.plus)
    }

    /// The atom that it is.
    #[must_use]
    pub fn single(&self) -> Option<&Atom> {
        let mut terms = self.terms.iter();
        let (atom, factor) = terms.next()?;
        (self.plus == 0 && *factor == 1 && terms.next().is_none()).then_some(atom)
    }

    /// With so many of another.
    #[must_use]
    pub fn and(&self, times: i128, other: &Self) -> Option<Self> {
        let small = |n: i128| (n.unsigned_abs() <= LARGEST).then_some(n);
        let mut sum = self.clone();
        sum.plus = small(sum.plus.checked_add(other.plus.checked_mul(times)?)?)?;
        for (atom, factor) in &other.terms {
            let own = sum.terms.entry(atom.clone()).or_default();
            *own = small(own.checked_add(factor.checked_mul(times)?)?)?;
        }
        sum.terms.retain(|_, factor| *factor != 0);
        Some(sum)
    }

    /// One more.
    #[must_use]
    pub fn next(&self) -> Option<Self> {
        self.and(1, &Self::number(1))
    }

    /// The product with another, multiplied out.
    #[must_use]
    pub fn times(&self, other: &Self) -> Option<Self> {
        let mut product = Self::default();
        for (left, m) in self.monomials() {
            for (right, n) in other.monomials() {
                let mut factors: Vec<&Atom> = left.into_iter().flat_map(Atom::factors).collect();
                factors.extend(right.into_iter().flat_map(Atom::factors));
                factors.sort();
                let one = |atom: &Atom| Self::atom(atom.clone());
                let monomial = factors
                    .into_iter()
                    .map(one)
                    .reduce(|a, b| Self::atom(Atom::Of(Op::Mul, Box::new(a), Box::new(b))));
                let monomial = monomial.unwrap_or_else(|| Self::number(1));
                product = product.and(m.checked_mul(n)?, &monomial)?;
            }
        }
        Some(product)
    }

    /// The atoms with their factors, and the number without an atom.
    fn monomials(&self) -> impl Iterator<Item = (Option<&Atom>, i128)> {
        let terms = self.terms.iter().map(|(atom, factor)| (Some(atom), *factor));
        terms.chain(std::iter::once((None, self.plus)))
    }

    /// With a value for an atom.
    pub(super) fn with(&self, atom: &Atom, value: &Self) -> Option<Self> {
        let mut rest = self.clone();
        match rest.terms.remove(atom) {
            Some(factor) => rest.and(factor, value),
            None => Some(rest),
        }
    }

    /// Whether its value depends on one of these variables.
    pub fn depends(&self, on: &dyn Fn(LocalId) -> bool) -> bool {
        self.has(on, true)
    }

    pub(super) fn has(&self, on: &dyn Fn(LocalId) -> bool, each: bool) -> bool {
        self.terms.keys().any(|atom| atom.depends(on, each))
    }

    /// With all the values of these variables.
    pub(super) fn over(&self, is: &dyn Fn(LocalId) -> bool) -> Self {
        let terms = self.terms.iter().map(|(atom, factor)| (atom.over(is), *factor)).collect();
        Self { terms, plus: self.plus }
    }

    /// The least that it can be, or the most, where the variables of loops have any of their values.
    pub(super) fn extreme(&self, least: bool, ranges: &[Range]) -> Option<Self> {
        self.extreme_of(least, ranges, Range::of_remainder)
    }

    /// The same; `other` gives the values that other atoms may have.
    fn extreme_of(
        &self,
        least: bool,
        ranges: &[Range],
        other: impl Fn(&Atom) -> Option<Range>,
    ) -> Option<Self> {
        let mut sum = self.clone();
        for _ in 0..32 {
            let found = sum.terms.iter().find_map(|(atom, factor)| {
                let known = ranges.iter().rev().find(|r| r.atom == *atom).cloned();
                Some((known.or_else(|| other(atom))?, *factor))
            });
            let Some((range, factor)) = found else { return Some(sum) };
            let last = range.hi.and(-1, &Self::number(1))?;
            sum = sum.with(&range.atom, if (factor > 0) == least { &range.lo } else { &last })?;
        }
        None
    }

    fn least(&self, ranges: &[Range]) -> Option<i128> {
        self.extreme(true, ranges)?.constant()
    }

    /// Whether it is at most another.
    pub(super) fn within(&self, other: &Self, ranges: &[Range]) -> bool {
        other.and(-1, self).and_then(|rest| rest.least(ranges)).is_some_and(|least| least >= 0)
    }

    /// Whether the sum is less than another, by the sign of their difference.
    #[must_use]
    pub fn is_below(&self, other: &Self) -> bool {
        other.and(-1, self).and_then(|rest| rest.constant()).is_some_and(|rest| rest > 0)
    }

    /// Whether it is never below zero, in a type that may have a sign: a remainder may be below zero there.
    #[must_use]
    pub fn is_positive(&self, ranges: &[Range]) -> bool {
        let least = self.extreme_of(true, ranges, |_| None).and_then(|sum| sum.constant());
        least.is_some_and(|least| least >= 0)
    }

    /// Whether all that it may be is a number of any type.
    #[must_use]
    pub fn fits(&self, ranges: &[Range]) -> bool {
        let rest = Self::number(i128::from(i8::MAX)).and(-1, self);
        self.is_positive(ranges) && rest.is_some_and(|rest| rest.is_positive(ranges))
    }

    /// Whether all that it may be is between two numbers.
    #[must_use]
    pub fn is_bounded(&self, ranges: &[Range]) -> bool {
        let least = |sum: Option<Self>| sum.and_then(|s| s.least(ranges)).is_some();
        least(Some(self.clone())) && least(Self::default().and(-1, self))
    }
}

/// The range of a loop variable in the loop: from `lo` to before `hi`.
#[derive(Clone, Debug)]
pub struct Range {
    /// The variable.
    pub atom: Atom,
    /// From here.
    pub lo: Sum,
    /// To before this.
    pub hi: Sum,
}

impl Range {
    /// Of a remainder in a subscript, whose type has no sign.
    fn of_remainder(atom: &Atom) -> Option<Self> {
        match atom {
            Atom::Of(Op::Rem, _, by) if by.constant().is_none_or(|n| n > 0) => {
                Some(Self { atom: atom.clone(), lo: Sum::default(), hi: (**by).clone() })
            }
            _ => None,
        }
    }
}

/// Reads sums off the expressions of a body.
pub(super) struct Reader<'a> {
    /// The body.
    pub code: &'a Code,
    /// Slots that the tokens call `usize`.
    pub usizes: &'a HashSet<SlotId>,
    /// Variables and arrays of which the body changes something, in addition to the variables declared as mutable.
    pub changed: HashSet<Base>,
    /// The length of an array, if it is known, by the number of subscripts before.
    pub length: &'a dyn Fn(Base, usize) -> Option<Sum>,
    /// The atom of an expression that is no sum.
    pub other: &'a dyn Fn(ExprId) -> Option<Atom>,
    /// The values of variables that keep them.
    pub values: HashMap<LocalId, Sum>,
}

impl Reader<'_> {
    /// A variable that may have several values one after the other.
    pub fn changes(&self, local: LocalId) -> bool {
        self.changed.contains(&Base::Local(local)) || self.code.locals[local.index()].mutable
    }

    /// Follows a declaration. `ranges`: what variables of loops may be there.
    pub fn declare(&mut self, local: LocalId, init: ExprId, ranges: &[Range]) {
        if let (false, Some(sum)) = (self.changes(local), self.sum(init, ranges)) {
            self.values.insert(local, sum);
        }
    }

    /// The value of an expression as a sum. It holds as long as the values of its atoms don't change.
    pub fn sum(&self, e: ExprId, ranges: &[Range]) -> Option<Sum> {
        self.affine(e, ranges).or_else(|| (self.other)(e).map(Sum::atom))
    }

    fn affine(&self, e: ExprId, ranges: &[Range]) -> Option<Sum> {
        match &self.code.exprs[e.index()].expr {
            Expr::Int { value, negative, .. } => {
                let n = i128::try_from(*value).ok()?;
                Sum::default().and(if *negative { -1 } else { 1 }, &Sum::number(n))
            }
            Expr::Load(place) => self.loaded(place, ranges),
            Expr::Len(Place { base: Base::Array(a), projections }) if projections.is_empty() => {
                Some(Sum::atom(Atom::Len(*a)))
            }
            Expr::Len(Place { base: Base::Local(l), projections })
                if projections.iter().all(|p| matches!(p, Projection::Index { .. })) =>
            {
                (self.length)(Base::Local(*l), projections.len())
            }
            // A single variable that is not negative keeps its value in a cast to `usize`; other casts are equal only to themselves.
            Expr::Cast { value, ty: TyRef::Slot(slot) } if self.usizes.contains(slot) => {
                let sum = self.sum(*value, ranges)?;
                let plain = matches!(sum.single(), Some(Atom::Local(_) | Atom::Scalar(..)));
                let fits = sum.constant().is_some_and(|n| n >= 0) || plain && sum.is_positive(ranges);
                Some(if fits { sum } else { Sum::atom(Atom::Cast(Box::new(sum))) })
            }
            Expr::Call { call, args } => {
                let op = match &*self.code.calls[call.index()].name {
                    "min" => Op::Min,
                    "max" => Op::Max,
                    _ => return None,
                };
                let &[a, b] = &args[..] else { return None };
                let (a, b) = (self.sum(a, ranges)?, self.sum(b, ranges)?);
                Some(Sum::atom(Atom::Of(op, Box::new(a), Box::new(b))))
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.sum(*a, ranges)?, self.sum(*b, ranges)?);
                match (op, a.constant(), b.constant()) {
                    (BinOp::Add, ..) => a.and(1, &b),
                    (BinOp::Sub, ..) => a.and(-1, &b),
                    (BinOp::Mul, _, Some(n)) => Sum::default().and(n, &a),
                    (BinOp::Mul, Some(n), _) => Sum::default().and(n, &b),
                    _ => Some(Sum::atom(Atom::Of(Op::of(*op)?, Box::new(a), Box::new(b)))),
                }
            }
            _ => None,
        }
    }

    fn loaded(&self, place: &Place, ranges: &[Range]) -> Option<Sum> {
        match (place.base, &place.projections[..]) {
            (Base::Local(l), []) if !self.changes(l) => {
                Some(self.values.get(&l).cloned().unwrap_or_else(|| Sum::atom(Atom::Local(l))))
            }
            (base @ Base::Array(array), [Projection::Index { index, .. }])
                if !self.changed.contains(&base) =>
            {
                Some(Sum::atom(Atom::Element(array, Box::new(self.sum(*index, ranges)?))))
            }
            (Base::Const(c), []) => Some(Sum::atom(Atom::Const(c))),
            (base @ Base::Scalar(s), fields) if !self.changed.contains(&base) => {
                let name = |p: &Projection| match p {
                    Projection::Field(name) => Some(name.clone()),
                    Projection::Index { .. } | Projection::Payload => None,
                };
                let fields = fields.iter().map(name).collect::<Option<_>>()?;
                Some(Sum::atom(Atom::Scalar(s, fields)))
            }
            _ => None,
        }
    }
}
