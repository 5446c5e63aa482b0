//! Index arithmetic of device programs: 32-bit integers over variables, launch values and the thread's place. Nothing in it
//! overflows, because a launch has checked that all iteration numbers and subscripts fit.
use super::gcd;
use omp_ir::analysis::plan::{Affine, Nest};
use omp_ir::ids::AccessId;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Add, Div, Mul, Rem, Sub};

/// A variable of a program: the number of an iteration, or a name for an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u32);

/// A number that the launch gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Term {
    /// Iterations of a loop of the nest.
    Trips(u32),
    /// The loop variable's first value, and its step.
    First(u32),
    /// See there.
    Step(u32),
    /// The lower [limit](omp_ir::analysis::plan::Limits) of a loop where the numbers of all iterations around are 0.
    Lower(u32),
    /// The same of the upper limit.
    Upper(u32),
    /// The [base](Subscript::base) of a subscript: its lowest value.
    Base(AccessId),
    /// The [stride](Subscript::strides) of a subscript along this loop.
    Stride(AccessId, u32),
}

/// A subscript as programs have it: no stride is negative. Along a loop that a subscript goes down, its coordinates are counted from
/// the loop's last iteration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscript {
    /// Where all coordinates are 0.
    pub base: i64,
    /// By loop of the nest.
    pub strides: Vec<i64>,
    /// The loops that it goes down along.
    pub down: Vec<u32>,
}

impl Subscript {
    /// That of an affine function in a nest; `None` if its numbers are too large.
    #[must_use]
    pub fn of(nest: &Nest, affine: &Affine) -> Option<Self> {
        let mut made = Self { base: affine.base, strides: Vec::new(), down: Vec::new() };
        for ((l, stride), range) in (0..).zip(&affine.strides).zip(&nest.loops) {
            if *stride < 0 {
                let span = stride.checked_mul(i64::try_from(range.count).ok()? - 1)?;
                made.base = made.base.checked_add(span)?;
                made.down.push(l);
            }
            made.strides.push(stride.checked_abs()?);
        }
        Some(made)
    }
}

impl Term {
    /// Its value in a nest.
    #[must_use]
    pub fn value(self, nest: &Nest) -> Option<i64> {
        let of = |l: u32| nest.loops.get(l as usize);
        let subscript = |id: AccessId| Subscript::of(nest, nest.subscripts.get(&id)?);
        match self {
            Self::Trips(l) => i64::try_from(of(l)?.count).ok(),
            Self::First(l) => i64::try_from(of(l)?.first).ok(),
            Self::Step(l) => i64::try_from(of(l)?.step).ok(),
            Self::Lower(l) => Some(nest.limits.get(&l)?.lower.as_ref()?.base),
            Self::Upper(l) => Some(nest.limits.get(&l)?.upper.as_ref()?.base),
            Self::Base(id) => Some(subscript(id)?.base),
            Self::Stride(id, l) => subscript(id)?.strides.get(l as usize).copied(),
        }
    }
}

/// An integer expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Index {
    /// A number.
    Const(i64),
    /// A variable.
    Var(Var),
    /// A launch value.
    Term(Term),
    /// The number of the block.
    Block,
    /// The number of the thread in its block.
    Thread,
    /// An operator.
    Bin(Op, Box<Index>, Box<Index>),
}

/// Operators; operands of `Div` and `Rem` are not negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Min,
    Max,
    And,
    Or,
    Shr,
}

impl Op {
    fn apply(self, a: i64, b: i64) -> i64 {
        match self {
            Self::Add => a + b,
            Self::Sub => a - b,
            Self::Mul => a * b,
            Self::Div => a / b,
            Self::Rem => a % b,
            Self::Min => a.min(b),
            Self::Max => a.max(b),
            Self::And => a & b,
            Self::Or => a | b,
            Self::Shr => a >> b,
        }
    }

    /// As C writes it.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::Min => "min",
            Self::Max => "max",
            Self::And => "&",
            Self::Or => "|",
            Self::Shr => ">>",
        }
    }
}

impl Index {
    /// An operator, with constants folded.
    #[must_use]
    pub fn bin(op: Op, a: Self, b: Self) -> Self {
        match (op, &a, &b) {
            (_, Self::Const(x), Self::Const(y)) => Self::Const(op.apply(*x, *y)),
            (Op::Add, Self::Const(0), _) | (Op::Mul, Self::Const(1), _) => b,
            (Op::Add | Op::Sub | Op::Shr, _, Self::Const(0)) | (Op::Mul | Op::Div, _, Self::Const(1)) => a,
            (Op::Mul, Self::Const(0), _) | (Op::Mul, _, Self::Const(0)) | (Op::Rem, _, Self::Const(1)) => {
                Self::Const(0)
            }
            (Op::Div | Op::Rem, Self::Bin(Op::Add, x, c), Self::Const(d)) => match (&**c, op) {
                // A term that is a multiple of the divisor moves out of the division, so that threads' places differ by constants.
                (Self::Const(n), _) if *d > 0 && *n >= 0 && n % d == 0 && x.is_natural() => {
                    let rest = Self::bin(op, (**x).clone(), b.clone());
                    if op == Op::Div { rest + n / d } else { rest }
                }
                _ => Self::Bin(op, Box::new(a), Box::new(b)),
            },
            _ => Self::Bin(op, Box::new(a), Box::new(b)),
        }
    }

    /// Sorts the summands by the depth of the loop that changes them. `depth` gives the depth of variables; constants are the deepest.
    /// In a sum of this order, each loop has one addition, and the constants become part of the instructions' addresses.
    #[must_use]
    pub fn by_depth(&self, depth: &impl Fn(&Self) -> u32) -> BTreeMap<u32, Self> {
        let one = |depth: u32| BTreeMap::from([(depth, self.clone())]);
        let deepest = |parts: &BTreeMap<u32, Self>| parts.keys().copied().filter(|d| *d < u32::MAX).max();
        match self {
            Self::Const(_) => one(u32::MAX),
            Self::Var(_) | Self::Term(_) | Self::Block | Self::Thread => one(depth(self)),
            Self::Bin(op, a, b) => {
                let (mut a, b) = (a.by_depth(depth), b.by_depth(depth));
                // Numbers do not change what they are combined with.
                let both = match (deepest(&a), deepest(&b)) {
                    (Some(a), Some(b)) => a.max(b),
                    (a, b) => a.or(b).unwrap_or(u32::MAX),
                };
                match op {
                    Op::Add | Op::Sub => {
                        for (depth, part) in b {
                            let sum = a.remove(&depth).unwrap_or(Self::Const(0));
                            a.insert(depth, Self::bin(*op, sum, part));
                        }
                        a
                    }
                    Op::Mul => match (a.len(), b.len()) {
                        (_, 1) => scaled(a, b),
                        (1, _) => scaled(b, a),
                        _ => one(both),
                    },
                    _ => one(both),
                }
            }
        }
    }

    /// Whether it is a sum of terms of which none is negative.
    fn is_natural(&self) -> bool {
        let mut natural = true;
        self.terms(1, &mut |term, by| {
            natural &= by >= 0 && matches!(term, Self::Const(_) | Self::Var(_) | Self::Thread);
        });
        natural
    }

    /// The lesser.
    #[must_use]
    pub fn min(self, other: impl Into<Self>) -> Self {
        Self::bin(Op::Min, self, other.into())
    }

    /// The greater.
    #[must_use]
    pub fn max(self, other: impl Into<Self>) -> Self {
        Self::bin(Op::Max, self, other.into())
    }

    /// Calls `f` on every part.
    pub fn visit(&self, f: &mut impl FnMut(&Self)) {
        f(self);
        if let Self::Bin(_, a, b) = self {
            a.visit(f);
            b.visit(f);
        }
    }

    /// Whether a variable occurs.
    #[must_use]
    pub fn mentions(&self, var: Var) -> bool {
        let mut found = false;
        self.visit(&mut |part| found |= *part == Self::Var(var));
        found
    }

    /// The same with an expression in place of a variable.
    #[must_use]
    pub fn with(&self, var: Var, value: &Self) -> Self {
        match self {
            Self::Var(v) if *v == var => value.clone(),
            Self::Bin(op, a, b) => Self::bin(*op, a.with(var, value), b.with(var, value)),
            Self::Const(_) | Self::Var(_) | Self::Term(_) | Self::Block | Self::Thread => self.clone(),
        }
    }

    /// The coefficient of a variable; `None` where the expression is not affine in it.
    #[must_use]
    pub fn coefficient(&self, var: Var) -> Option<i64> {
        match self {
            Self::Var(v) => Some(i64::from(*v == var)),
            Self::Bin(Op::Add, a, b) => Some(a.coefficient(var)? + b.coefficient(var)?),
            Self::Bin(Op::Sub, a, b) => Some(a.coefficient(var)? - b.coefficient(var)?),
            Self::Bin(Op::Mul, a, b) => match (&**a, &**b) {
                (Self::Const(n), x) | (x, Self::Const(n)) => Some(n * x.coefficient(var)?),
                _ => (!self.mentions(var)).then_some(0),
            },
            _ => (!self.mentions(var)).then_some(0),
        }
    }

    /// Where it begins along a loop of so many iterations that moves it by one, up or down, and how far from there an iteration is.
    #[must_use]
    pub fn walk(&self, var: Var, trips: u32) -> Option<(Self, Self)> {
        let last = Self::from(trips) - 1;
        match self.coefficient(var)? {
            1 => Some((self.with(var, &0.into()), var.into())),
            -1 => Some((self.with(var, &last), last - Self::from(var))),
            _ => None,
        }
    }

    /// Whether both have the same value, whatever their variables are, as far as sums show it.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.factors() == other.factors()
    }

    /// A sum's terms with their factors.
    fn factors(&self) -> BTreeMap<String, i64> {
        let one = |name: String| BTreeMap::from([(name, 1)]);
        let mut all = match self {
            Self::Const(n) => BTreeMap::from([(String::new(), *n)]),
            Self::Bin(op @ (Op::Add | Op::Sub), a, b) => {
                let mut sum = a.factors();
                for (term, by) in b.factors() {
                    *sum.entry(term).or_default() += if *op == Op::Sub { -by } else { by };
                }
                sum
            }
            Self::Bin(Op::Mul, a, b) => match (&**a, &**b) {
                (x, Self::Const(n)) | (Self::Const(n), x) => {
                    x.factors().into_iter().map(|(term, by)| (term, by * n)).collect()
                }
                _ => one(format!("{:?} * {:?}", a.factors(), b.factors())),
            },
            Self::Bin(op, a, b) => one(format!("{:?} {} {:?}", a.factors(), op.symbol(), b.factors())),
            Self::Var(_) | Self::Term(_) | Self::Block | Self::Thread => one(self.to_string()),
        };
        all.retain(|_, by| *by != 0);
        all
    }

    /// Where an element lies, if groups of `group` have `gap` places between them: `index + index / group · gap`, in which
    /// multiples of a group are taken out of the division, so that what is left of it is a number once loops are unrolled.
    #[must_use]
    pub fn spaced(&self, group: u32, gap: u32) -> Self {
        let (mut whole, mut rest) = (Self::Const(0), Self::Const(0));
        self.terms(1, &mut |term, by| match by % i64::from(group) {
            0 => whole = whole.clone() + term.clone() * (by / i64::from(group)),
            _ => rest = rest.clone() + term.clone() * by,
        });
        if rest.is_natural() {
            whole * (group + gap) + rest.clone() + rest / group * gap
        } else {
            self.clone() + self.clone() / group * gap
        }
    }

    /// Calls `f` on the terms of a sum with their factors.
    fn terms(&self, by: i64, f: &mut impl FnMut(&Self, i64)) {
        match self {
            Self::Const(n) => f(&Self::Const(1), n * by),
            Self::Bin(Op::Add, a, b) => {
                a.terms(by, f);
                b.terms(by, f);
            }
            Self::Bin(Op::Mul, a, b) => match (&**a, &**b) {
                (Self::Const(n), x) | (x, Self::Const(n)) => x.terms(n * by, f),
                _ => f(self, by),
            },
            Self::Var(_) | Self::Thread | Self::Term(_) | Self::Block | Self::Bin(..) => f(self, by),
        }
    }

    /// Calls `f` on the summands of a sum, with their signs.
    fn summands(&self, sign: i64, f: &mut impl FnMut(&Self, i64)) {
        match self {
            Self::Bin(op @ (Op::Add | Op::Sub), a, b) => {
                a.summands(sign, f);
                b.summands(if *op == Op::Sub { -sign } else { sign }, f);
            }
            other => f(other, sign),
        }
    }

    /// Whether it is a multiple of a number, whatever its variables are.
    #[must_use]
    pub fn is_multiple_of(&self, n: u64) -> bool {
        match self {
            Self::Const(value) => value.unsigned_abs().is_multiple_of(n),
            Self::Bin(Op::Add | Op::Sub, ..) => {
                let (mut number, mut fine) = (0, true);
                self.summands(1, &mut |summand, sign| match summand {
                    Self::Const(value) => number += sign * value,
                    other => fine &= other.is_multiple_of(n),
                });
                fine && number.unsigned_abs().is_multiple_of(n)
            }
            Self::Bin(Op::Mul, a, b) => match (&**a, &**b) {
                (Self::Const(by), x) | (x, Self::Const(by)) => {
                    x.is_multiple_of(n / gcd(n, by.unsigned_abs()))
                }
                (a, b) => a.is_multiple_of(n) || b.is_multiple_of(n),
            },
            _ => n == 1,
        }
    }

    /// The value.
    ///
    /// # Errors
    /// A variable or launch value that has none.
    pub fn eval(&self, at: &Place<'_>) -> Result<i64, String> {
        Ok(match self {
            Self::Const(n) => *n,
            Self::Var(v) => at
                .vars
                .get(v.0 as usize)
                .copied()
                .flatten()
                .ok_or_else(|| format!("{self} has no value here"))?,
            Self::Term(t) => *at.terms.get(t).ok_or_else(|| format!("the launch does not give {self}"))?,
            Self::Block => at.block,
            Self::Thread => at.thread,
            Self::Bin(op @ (Op::Div | Op::Rem), a, b) => match (a.eval(at)?, b.eval(at)?) {
                (a, b) if a < 0 || b <= 0 => return Err(format!("{self} divides {a} by {b}")),
                (a, b) => op.apply(a, b),
            },
            Self::Bin(op, a, b) => op.apply(a.eval(at)?, b.eval(at)?),
        })
    }
}

/// Where an expression is evaluated.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// Variables in scope.
    pub vars: &'a [Option<i64>],
    /// The values of the launch.
    pub terms: &'a BTreeMap<Term, i64>,
    /// The block.
    pub block: i64,
    /// The thread.
    pub thread: i64,
}

impl From<i64> for Index {
    fn from(n: i64) -> Self {
        Self::Const(n)
    }
}

impl From<i32> for Index {
    fn from(n: i32) -> Self {
        Self::Const(n.into())
    }
}

impl From<u32> for Index {
    fn from(n: u32) -> Self {
        Self::Const(n.into())
    }
}

impl From<Var> for Index {
    fn from(var: Var) -> Self {
        Self::Var(var)
    }
}

impl From<Term> for Index {
    fn from(term: Term) -> Self {
        Self::Term(term)
    }
}

/// Summands by depth, times a factor of one depth.
fn scaled(sum: BTreeMap<u32, Index>, by: BTreeMap<u32, Index>) -> BTreeMap<u32, Index> {
    let mut all = BTreeMap::new();
    for (depth, by) in by {
        for (other, part) in &sum {
            let depth = match (depth, *other) {
                (u32::MAX, d) | (d, u32::MAX) => d,
                (a, b) => a.max(b),
            };
            let product = part.clone() * by.clone();
            let sum = all.remove(&depth).map_or_else(|| product.clone(), |sum: Index| sum + product.clone());
            all.insert(depth, sum);
        }
    }
    all
}

macro_rules! operators {
    ($($Trait:ident $method:ident;)*) => { $(
        impl<T: Into<Index>> $Trait<T> for Index {
            type Output = Index;

            fn $method(self, other: T) -> Index {
                Index::bin(Op::$Trait, self, other.into())
            }
        }
    )* };
}
operators! { Add add; Sub sub; Mul mul; Div div; Rem rem; }

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Const(n) => write!(f, "{n}"),
            Self::Var(Var(n)) => write!(f, "v{n}"),
            Self::Term(Term::Trips(l)) => write!(f, "trips{l}"),
            Self::Term(Term::First(l)) => write!(f, "first{l}"),
            Self::Term(Term::Step(l)) => write!(f, "step{l}"),
            Self::Term(Term::Lower(l)) => write!(f, "lower{l}"),
            Self::Term(Term::Upper(l)) => write!(f, "upper{l}"),
            Self::Term(Term::Base(a)) => write!(f, "base{}", a.0),
            Self::Term(Term::Stride(a, l)) => write!(f, "stride{}_{l}", a.0),
            Self::Block => write!(f, "block"),
            Self::Thread => write!(f, "thread"),
            Self::Bin(Op::Min, a, b) => write!(f, "min({a}, {b})"),
            Self::Bin(Op::Max, a, b) => write!(f, "max({a}, {b})"),
            Self::Bin(op, a, b) => write!(f, "({a} {} {b})", op.symbol()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls `check` with an evaluator for many values of four variables and the thread.
    fn everywhere(check: impl Fn(&dyn Fn(&Index) -> i64)) {
        for n in 0..2000i64 {
            let vars = [Some(n % 7), Some(n / 7 % 31), Some(n % 11), Some(n % 5)];
            let terms = BTreeMap::from([(Term::Trips(0), n % 13)]);
            let at = Place { vars: &vars, terms: &terms, block: n % 3, thread: n % 128 };
            check(&|index| index.eval(&at).expect("it has a value"));
        }
    }

    #[test]
    fn summands_by_depth_come_to_the_same() {
        let var = |n: u32| Index::from(Var(n));
        let depth = |part: &Index| match part {
            Index::Var(Var(n)) => [0, 1, 2, u32::MAX][*n as usize],
            _ => 0,
        };
        let trips = || Index::from(Term::Trips(0));
        let forms = [
            ((var(1) + 1) * 8 + Index::Thread / 2) * trips() + var(3) * 132,
            (var(0) + var(1)) * (var(2) + 3) - var(3) * trips(),
            (var(1) * 5 + 9).min(trips()) + (Index::Block * 64 - var(2)) * 3 + 7,
            (var(1) + 1) * (var(3) + 2) + Index::Const(0) - (var(3) * 4 + 12),
        ];
        for form in &forms {
            let parts = form.by_depth(&depth);
            everywhere(|value| {
                assert_eq!(parts.values().map(value).sum::<i64>(), value(form), "{form}");
            });
        }
        // Numbers, and variables of unrolled loops, are apart from what a loop changes.
        let parts = forms[0].by_depth(&depth);
        assert_eq!(parts.keys().copied().collect::<Vec<_>>(), [0, 1, u32::MAX]);
        assert_eq!(parts[&u32::MAX].to_string(), "(v3 * 132)");
    }

    #[test]
    fn subscripts_count_from_the_last_iteration_of_loops_that_they_go_down() {
        use omp_ir::analysis::plan::DimValues;
        let range = |count: u64| DimValues { first: 0, step: 1, count };
        let nest = Nest { loops: vec![range(9), range(5), range(3)], ..Nest::default() };
        let affine = Affine { base: 45, strides: vec![7, -10, -2] };
        let made = Subscript::of(&nest, &affine).expect("its numbers are small");
        assert_eq!(made, Subscript { base: 1, strides: vec![7, 10, 2], down: vec![1, 2] });
        for n in 0..9 * 5 * 3 {
            let at = [n % 9, n / 9 % 5, n / 45];
            let counted = [at[0], 4 - at[1], 2 - at[2]];
            let value = |base: i64, strides: &[i64], at: [i64; 3]| {
                base + strides.iter().zip(at).map(|(by, at)| by * at).sum::<i64>()
            };
            assert_eq!(value(made.base, &made.strides, counted), value(affine.base, &affine.strides, at));
        }
        // A lowest value is below 0; numbers that are too large.
        let below = Affine { base: 3, strides: vec![0, -1, 0] };
        assert_eq!(Subscript::of(&nest, &below).map(|of| of.base), Some(-1));
        let large = Affine { base: 0, strides: vec![i64::MIN / 2, 0, 0] };
        assert_eq!(Subscript::of(&nest, &large), None);
    }

    #[test]
    fn walks_begin_at_the_lowest_place() {
        let var = |n: u32| Index::from(Var(n));
        let forms = [var(0) * 3 + var(1), var(0) * 3 + (Index::from(4) - var(1)), var(1) - var(0) * 2 + 9];
        for form in &forms {
            let (start, at) = form.walk(Var(1), 5).expect("it moves by one");
            for n in 0..5 * 4i64 {
                let vars = [Some(n / 5), Some(n % 5)];
                let here = Place { vars: &vars, terms: &BTreeMap::new(), block: 0, thread: 0 };
                assert_eq!((start.clone() + at.clone()).eval(&here), form.eval(&here), "{form}");
                assert!(!start.mentions(Var(1)) && at.eval(&here).is_ok_and(|at| (0..5).contains(&at)));
            }
        }
        assert!(forms.iter().chain([&var(2)]).all(|form| form.walk(Var(0), 5).is_none()));
    }

    #[test]
    fn multiples_leave_divisions() {
        for (op, d) in [(Op::Div, 32), (Op::Rem, 32), (Op::Div, 2), (Op::Rem, 48)] {
            let plain = Index::Bin(op, Box::new(Index::Thread + 96), Box::new(Index::Const(d)));
            let folded = Index::bin(op, Index::Thread + 96, d.into());
            everywhere(|value| assert_eq!(value(&plain), value(&folded), "{folded}"));
        }
        assert_eq!(((Index::Thread + 96) / 32).to_string(), "((thread / 32) + 3)");
        // A division of what may be negative is not simplified.
        let signed = (Index::from(Var(0)) - 40 + 64) / 32;
        assert_eq!(signed.to_string(), "(((v0 - 40) + 64) / 32)");
    }

    #[test]
    fn sums_are_multiples_together() {
        let group = || Index::from(Var(0)) * 16;
        let row = || Index::Thread * 130;
        for (index, most) in [
            ((row() + 1) + (group() + 3), 2),
            ((row() + 1) + (group() + 2), 1),
            (row() + (Index::from(112) - group()), 2),
            ((Index::from(5) - group()) - 1, 4),
            (row() + Var(1), 1),
        ] {
            let wide = [4, 2, 1].into_iter().find(|n| index.is_multiple_of(*n));
            assert_eq!(wide, Some(most), "{index}");
        }
    }

    #[test]
    fn elements_are_spaced_by_their_indices() {
        let var = |n: u32| Index::from(Var(n));
        // A row, a thread's elements, and one of them; a sum that is not taken apart.
        let forms = [
            var(0) * 48 + (var(1) * 16 + (var(2) * 4 + 3)),
            (var(1) * 2 + var(2)) * 8 + 5,
            var(0) * 16 + (var(1) * 9).min(var(2)),
            (Index::from(6) - var(0)) * 48 + (var(2) * 4 + 3),
        ];
        for form in &forms {
            for n in 0..3000i64 {
                let vars = [Some(n % 7), Some(n / 7 % 31), Some(n % 11)];
                let at = Place { vars: &vars, terms: &BTreeMap::new(), block: 0, thread: 0 };
                let plain = form.eval(&at).expect("it has a value");
                assert_eq!(form.spaced(16, 4).eval(&at), Ok(plain + plain / 16 * 4), "{form}");
            }
        }
        // Nothing that varies with the thread is divided.
        for form in [var(0) * 48 + (var(1) * 16 + 7), (Index::from(6) - var(0)) * 48 + 7] {
            let divided = form.spaced(16, 4);
            divided.visit(&mut |part| assert!(!matches!(part, Index::Bin(Op::Div, ..)), "{divided}"));
        }
    }
}
