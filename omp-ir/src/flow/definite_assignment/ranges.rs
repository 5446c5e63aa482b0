//! Values and ranges as affine sums: subscripts, the bounds of loops, and what conditions say of loop variables.
use super::{Assignment, Steps};
use crate::flow::Counted;
use crate::flow::affine::{Atom, Range, Sum};
use crate::ids::ExprId;
use crate::template::{Adaptor, BinOp, Expr, UnOp};

impl Assignment<'_> {
    /// The value of an expression here.
    pub(super) fn sum(&self, e: ExprId) -> Option<Sum> {
        self.sums.sum(e, &self.ranges)
    }

    /// The range of a loop.
    pub(super) fn steps(&self, of: &Counted<'_>) -> Option<Steps> {
        let (mut every, mut backwards) = (true, false);
        for adaptor in &of.range.adaptors {
            match adaptor {
                Adaptor::Rev => backwards = !backwards,
                Adaptor::StepBy(_) => every = false,
            }
        }
        let (lo, hi) = (self.bound(of.range.lo?)?, self.bound(of.range.hi?)?);
        let hi = match of.range.inclusive {
            false => hi,
            // The largest number of a type has no successor.
            true if hi.is_bounded(&self.ranges) => hi.next()?,
            true => return None,
        };
        Some(Steps { range: Range { atom: Atom::Local(of.var), lo, hi }, every, backwards })
    }

    /// A bound of a loop, whose type may be of few bits: a sum that could wrap is only the same as itself.
    fn bound(&self, e: ExprId) -> Option<Sum> {
        let sum = self.sum(e)?;
        let plain = sum.constant().is_some() || sum.single().is_some() || sum.fits(&self.ranges);
        Some(if plain { sum } else { Sum::atom(Atom::Wrapped(Box::new(sum))) })
    }

    /// What a condition says of the variables of loops, where it holds or does not.
    pub(super) fn narrower(&self, cond: ExprId, holds: bool, out: &mut Vec<Range>) {
        let code = self.question.code;
        match (&code.exprs[cond.index()].expr, holds) {
            (Expr::Unary(UnOp::Not, e), _) => self.narrower(*e, !holds, out),
            (Expr::Binary(BinOp::And, a, b), true) | (Expr::Binary(BinOp::Or, a, b), false) => {
                self.narrower(*a, holds, out);
                self.narrower(*b, holds, out);
            }
            (Expr::Binary(op, a, b), _) if op.compares() => out.extend(self.compared(*op, (*a, *b), holds)),
            _ => {}
        }
    }

    fn compared(&self, op: BinOp, (a, b): (ExprId, ExprId), holds: bool) -> Option<Range> {
        let of = |e: ExprId| {
            let sum = self.sum(e)?;
            self.ranges.iter().rev().find(|r| Some(&r.atom) == sum.single()).cloned()
        };
        let number = |e: ExprId| self.sum(e)?.constant();
        let from = |range: Range, lo: i128| {
            let narrower = range.lo.constant()? < lo;
            narrower.then(|| Range { lo: Sum::number(lo), ..range })
        };
        let (larger, smaller) = match (op, holds) {
            (BinOp::Ne, true) | (BinOp::Eq, false) => {
                // A value that is not the first comes after it.
                let (range, n) = (of(a)?, number(b)?);
                return if range.lo.constant()? == n { from(range, n.checked_add(1)?) } else { None };
            }
            (BinOp::Gt | BinOp::Ge, true) | (BinOp::Lt | BinOp::Le, false) => (a, b),
            (BinOp::Lt | BinOp::Le, true) | (BinOp::Gt | BinOp::Ge, false) => (b, a),
            _ => return None,
        };
        let strict = matches!(op, BinOp::Gt | BinOp::Lt) == holds;
        if let (Some(range), Some(n)) = (of(larger), number(smaller)) {
            return from(range, n.checked_add(i128::from(strict))?);
        }
        let (range, n) = (of(smaller)?, number(larger)?);
        let hi = n.checked_add(i128::from(!strict))?;
        (range.hi.constant()? > hi).then(|| Range { hi: Sum::number(hi), ..range })
    }
}
