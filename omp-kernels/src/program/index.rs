//! Index arithmetic of device programs: 32-bit integers over variables, launch values and the thread's place. Nothing in it
//! overflows, because a launch has checked that all iteration numbers and subscripts fit.
use omp_ir::analysis::plan::Nest;
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
    /// Of a subscript: its value where all iteration numbers are 0.
    Base(AccessId),
    /// Of a subscript: by how much an iteration of this loop moves it.
    Stride(AccessId, u32),
}

impl Term {
    /// Its value in a nest.
    #[must_use]
    pub fn value(self, nest: &Nest) -> Option<i64> {
        let of = |l: u32| nest.loops.get(l as usize);
        let subscript = |id: AccessId| nest.subscripts.get(&id);
        match self {
            Self::Trips(l) => i64::try_from(of(l)?.count).ok(),
            Self::First(l) => i64::try_from(of(l)?.first).ok(),
            Self::Step(l) => i64::try_from(of(l)?.step).ok(),
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
            Self::And => "&",
            Self::Or => "|",
            Self::Shr => ">>",
        }
    }
}

impl Index {
    /// An operator, folded where numbers tell.
    #[must_use]
    pub fn bin(op: Op, a: Self, b: Self) -> Self {
        match (op, &a, &b) {
            (_, Self::Const(x), Self::Const(y)) => Self::Const(op.apply(*x, *y)),
            (Op::Add, Self::Const(0), _) | (Op::Mul, Self::Const(1), _) => b,
            (Op::Add | Op::Sub | Op::Shr, _, Self::Const(0)) | (Op::Mul | Op::Div, _, Self::Const(1)) => a,
            (Op::Mul, Self::Const(0), _) | (Op::Mul, _, Self::Const(0)) | (Op::Rem, _, Self::Const(1)) => {
                Self::Const(0)
            }
            _ => Self::Bin(op, Box::new(a), Box::new(b)),
        }
    }

    /// The lesser.
    #[must_use]
    pub fn min(self, other: impl Into<Self>) -> Self {
        Self::bin(Op::Min, self, other.into())
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

    /// Where an element lies, if groups of `group` have `gap` places between them: `index + index / group · gap`, in which
    /// multiples of a group are taken out of the division, so that what is left of it is a number once loops are unrolled.
    #[must_use]
    pub fn spaced(&self, group: u32, gap: u32) -> Self {
        let (mut whole, mut rest) = (Self::Const(0), Self::Const(0));
        if self.terms(1, &mut |term, by| match by % i64::from(group) {
            0 => whole = whole.clone() + term.clone() * (by / i64::from(group)),
            _ => rest = rest.clone() + term.clone() * by,
        }) {
            whole * (group + gap) + rest.clone() + rest / group * gap
        } else {
            self.clone() + self.clone() / group * gap
        }
    }

    /// Calls `f` on the terms of a sum with their factors, none of them negative; `false` if there are others.
    fn terms(&self, by: i64, f: &mut impl FnMut(&Self, i64)) -> bool {
        match self {
            Self::Const(n) => {
                f(&Self::Const(1), n * by);
                *n >= 0
            }
            Self::Var(_) | Self::Thread => {
                f(self, by);
                true
            }
            Self::Bin(Op::Add, a, b) => a.terms(by, f) && b.terms(by, f),
            Self::Bin(Op::Mul, a, b) => match (&**a, &**b) {
                (Self::Const(n), x) | (x, Self::Const(n)) => *n >= 0 && x.terms(n * by, f),
                _ => false,
            },
            Self::Term(_) | Self::Block | Self::Bin(..) => false,
        }
    }

    /// Whether it is a multiple of a number, whatever its variables are.
    #[must_use]
    pub fn is_multiple_of(&self, n: i64) -> bool {
        let mut all = true;
        self.terms(1, &mut |_, by| all &= by % n == 0) && all
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
    /// What the launch gives.
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
            Self::Term(Term::Base(a)) => write!(f, "base{}", a.0),
            Self::Term(Term::Stride(a, l)) => write!(f, "stride{}_{l}", a.0),
            Self::Block => write!(f, "block"),
            Self::Thread => write!(f, "thread"),
            Self::Bin(Op::Min, a, b) => write!(f, "min({a}, {b})"),
            Self::Bin(op, a, b) => write!(f, "({a} {} {b})", op.symbol()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_spaced_as_their_indices_tell() {
        let var = |n: u32| Index::from(Var(n));
        // A row, a thread's elements, and one of them; a sum that is not taken apart.
        let forms = [
            var(0) * 48 + (var(1) * 16 + (var(2) * 4 + 3)),
            (var(1) * 2 + var(2)) * 8 + 5,
            var(0) * 16 + (var(1) * 9).min(var(2)),
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
        let divided = (var(0) * 48 + (var(1) * 16 + 7)).spaced(16, 4);
        divided.visit(&mut |part| assert!(!matches!(part, Index::Bin(Op::Div, ..)), "{divided}"));
    }
}
