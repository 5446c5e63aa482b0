//! Whether two accesses can conflict, decided by linear inequalities if the ranges of [`super::conflict`] are not enough.
//!
//! Both iterations are variables of one system. It contains their loops with bounds (also bounds that depend on outer variables),
//! the conditions on the path, quotients and remainders as variables of their own (`a = d·q + r`), and the equality of the
//! subscripts. Bits are digits: `i & h`, `i ^ h`, `i >> q << (q + 1) | low` are sums of quotients and remainders (`digits`). The
//! growth of a product of a variable with itself is known (`squares`). Other facts, such as conditions on floats, are left out,
//! which is sound because a further fact can only exclude solutions.
//!
//! The accesses are disjoint if no solution has different iterations. That is tried for each way in which they can differ and for
//! each case of a choice (`!=`, `||`, `min`, which of two squares is larger). A system has no solution if
//!
//! * an equation has none, by its range or by the greatest common divisor of its coefficients;
//! * an equation such as `n·(i - j') + (j - i') = 0`, whose small part is less than `n`, splits into `i = j'` and `j = i'`, which
//!   have none;
//! * Fourier–Motzkin elimination, with constants rounded to integers, derives `0 < 0`.
//!
//! All arithmetic is checked and limited: a number that grows too large proves nothing.
mod digits;
mod linear;
mod solve;
mod squares;

use super::DimValues;
use crate::analysis::form::{Arith, NodeId, Op, Rel, VarId};
use crate::analysis::survey::{Adapt, CtxKind, InnerNest, Step, Survey, Touch};
use crate::desc::Prim;
use digits::Quotient;
use linear::{Interval, Lin, System, roomy};
use solve::{Case, Choices, Split, unequal};
use squares::Product;

/// The numbers of a launch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers<'a> {
    pub syms: &'a [Option<i128>],
    pub dims: &'a [Option<DimValues>],
}

/// More cases than this are not tried.
const MOST_CASES: usize = 48;
/// How many variables remain for the subscript of the second iteration after its conditions, and for all that follows after the
/// conditions of the first one.
const ROOM: [usize; 2] = [8, 20];

/// One iteration, as far as it has been put into the system.
#[derive(Debug, Clone, Default)]
struct Side {
    vars: Vec<(VarId, Lin)>,
    nodes: Vec<NodeId>,
    /// By entry of `nodes`.
    values: Vec<Lin>,
    /// Two sums that stand for loop variables: one belongs to the first iteration, one to the second.
    second: bool,
    /// It divides by zero before it comes there.
    never: bool,
}

impl Side {
    fn var(&self, var: VarId) -> Option<&Lin> {
        self.vars.iter().find(|(v, _)| *v == var).map(|(_, lin)| lin)
    }
}

struct Builder<'a> {
    survey: &'a Survey,
    numbers: Numbers<'a>,
    system: System,
    /// What is a choice.
    splits: Vec<Split>,
    quotients: Vec<Quotient>,
    products: Vec<Product>,
}

/// One touch, put into a system: the same for all others that it is compared with.
pub(super) struct First<'a> {
    builder: Builder<'a>,
    side: Side,
    touch: &'a Touch,
    /// The variables that make an iteration of the region, or of an inner nest.
    own: Vec<VarId>,
    /// Those that two iterations have in common.
    common: Vec<VarId>,
}

impl<'a> First<'a> {
    pub(super) fn new(
        survey: &'a Survey,
        numbers: Numbers<'a>,
        nest: Option<&InnerNest>,
        touch: &'a Touch,
    ) -> Self {
        let dims = (0..survey.dims).map(|d| VarId(u32::try_from(d).unwrap_or(u32::MAX)));
        let (own, common) = match nest {
            None => (dims.collect(), Vec::new()),
            Some(nest) => (nest.vars.clone(), dims.chain(nest.around.iter().copied()).collect()),
        };
        let mut builder = Builder {
            survey,
            numbers,
            system: System::new(),
            splits: Vec::new(),
            quotients: Vec::new(),
            products: Vec::new(),
        };
        let mut side = Side::default();
        builder.side(touch, &mut side);
        Self { builder, side, touch, own, common }
    }

    /// Whether the touches are surely apart in different iterations.
    pub(super) fn apart(&self, other: &Touch) -> bool {
        let Self { builder, side, touch, own, common } = self;
        let Builder { survey, numbers, system, splits, quotients, products } = builder;
        let mut builder = Builder {
            survey,
            numbers: *numbers,
            system: system.roomy(),
            splits: splits.clone(),
            quotients: roomy(quotients),
            products: products.clone(),
        };
        let mut first =
            Side { vars: side.vars.clone(), nodes: roomy(&side.nodes), values: roomy(&side.values), ..*side };
        let shared = common.iter().filter_map(|v| Some((*v, *first.var(*v)?))).collect();
        let (nodes, values) = (roomy(&[]), roomy(&[]));
        let mut second = Side { vars: shared, nodes, values, second: true, never: false };
        builder.side(other, &mut second);
        for (x, y) in touch.path.iter().zip(&other.path) {
            match (x, y) {
                (Step::Field(f), Step::Field(g)) if f != g => return true,
                (Step::Index(x), Step::Index(y)) => builder.same(*x, *y, &mut first, &mut second),
                (Step::Field(_) | Step::Index(_), _) => {}
            }
        }
        if first.never || second.never || builder.system.is_empty() {
            return true;
        }
        // For one access in two iterations, the order of the iterations can be chosen freely.
        let either = touch.path == other.path && touch.ctx == other.ctx;
        let difference = |v: &VarId| unequal(&first.var(*v)?.minus(second.var(*v)?)?);
        let Some(mut differences) = own.iter().map(difference).collect::<Option<Vec<Split>>>() else {
            return false;
        };
        let mut orders = builder.squares();
        match orders.as_mut_slice() {
            [order] if either => order.truncate(2),
            _ if either => differences.iter_mut().for_each(|ways| ways.truncate(1)),
            _ => {}
        }
        // If the access is executed at all, the equations have a solution with difference zero.
        let choices =
            Choices { possible: either, differences: Some(differences), orders, splits: builder.splits };
        solve::apart(builder.system, choices, &mut { MOST_CASES })
    }
}

impl Builder<'_> {
    /// The loops and conditions around a touch. A loop or a condition for which there is no room is none.
    fn side(&mut self, touch: &Touch, side: &mut Side) {
        for d in 0..self.survey.dims {
            if let Ok(d) = u32::try_from(d) {
                self.variable(VarId(d), side);
            }
        }
        for ctx in self.survey.chain(touch.ctx) {
            match &self.survey.ctx(ctx).kind {
                CtxKind::Root | CtxKind::Opaque { .. } => {}
                CtxKind::Loop { var, cut: _ } => {
                    self.variable(*var, side);
                }
                CtxKind::Cond { cond, holds, .. } => self.condition(*cond, *holds, side),
            }
        }
    }

    /// What a condition says.
    fn condition(&mut self, cond: NodeId, holds: bool, side: &mut Side) {
        let forms = &self.survey.forms;
        let (op, both) = match forms.get(cond).op {
            Op::Not(a) if forms.is_bool(a) => return self.condition(a, !holds, side),
            Op::Rel(rel, l, r) => {
                let rel = if holds { rel } else { rel.negated() };
                if self.has_room(side)
                    && let Some(split) = self.fact(l, rel, r, side)
                {
                    self.splits.push(split);
                }
                return;
            }
            Op::Bin(op @ (Arith::And | Arith::Or), a, b) if forms.is_bool(cond) => (op, [a, b]),
            _ => return,
        };
        if (op == Arith::And) == holds {
            return both.into_iter().for_each(|c| self.condition(c, holds, side));
        }
        // One of the two.
        let mut split = Vec::new();
        for c in both {
            let mut facts = Vec::new();
            self.survey.forms.conjuncts(c, holds, &mut facts);
            match self.cases(&facts, side) {
                Some(cases) => split.extend(cases),
                None => return,
            }
        }
        self.splits.push(split);
    }

    /// Whether one more condition may have variables of its own.
    fn has_room(&self, side: &Side) -> bool {
        self.system.room() > ROOM[usize::from(!side.second)]
    }

    /// A conjunction of facts, as cases of a choice; `None`: they say nothing.
    fn cases(&mut self, facts: &[(NodeId, Rel, NodeId)], side: &mut Side) -> Option<Vec<Case>> {
        let mut all = Case::default();
        for &(l, rel, r) in facts {
            if !self.has_room(side) {
                break;
            }
            let Some((l, r)) = self.compared(l, r, side) else { continue };
            let Some(d) = l.minus(&r) else { continue };
            match rel {
                Rel::Ne if facts.len() == 1 => return unequal(&d),
                Rel::Ne => {}
                Rel::Eq => all.zero.push(d),
                Rel::Lt => all.most.extend(d.plus(1)),
                Rel::Le => all.most.push(d),
                Rel::Gt => all.most.extend(d.times(-1).and_then(|d| d.plus(1))),
                Rel::Ge => all.most.extend(d.times(-1)),
            }
        }
        (!all.most.is_empty() || !all.zero.is_empty()).then(|| vec![all])
    }

    /// Both sides of a comparison of integers.
    fn compared(&mut self, l: NodeId, r: NodeId, side: &mut Side) -> Option<(Lin, Lin)> {
        let forms = &self.survey.forms;
        (forms.is_integer(l) && forms.is_integer(r)).then_some(())?;
        Some((self.linear(l, side)?, self.linear(r, side)?))
    }

    /// Takes a comparison in, or gives the cases of one that is a choice.
    fn fact(&mut self, l: NodeId, rel: Rel, r: NodeId, side: &mut Side) -> Option<Split> {
        let (l, r) = self.compared(l, r, side)?;
        let d = l.minus(&r)?;
        match rel {
            Rel::Eq => self.system.equals(d),
            Rel::Lt => self.system.at_most(d.plus(1)?),
            Rel::Le => self.system.at_most(d),
            Rel::Gt => self.system.at_most(d.times(-1)?.plus(1)?),
            Rel::Ge => self.system.at_most(d.times(-1)?),
            Rel::Ne => return unequal(&d),
        }
        None
    }

    /// Both subscripts are the same.
    fn same(&mut self, x: NodeId, y: NodeId, first: &mut Side, second: &mut Side) {
        let Some((x, y)) = self.linear(x, first).zip(self.linear(y, second)) else { return };
        if let Some(d) = x.minus(&y) {
            self.system.equals(d);
        }
    }

    /// A loop's variable.
    fn variable(&mut self, var: VarId, side: &mut Side) -> Option<Lin> {
        if let Some(known) = side.var(var) {
            return Some(*known);
        }
        let v = &self.survey.vars[var.index()];
        let known = self.numbers.dims.get(var.index()).copied().flatten();
        if let Some(values) = known.filter(|_| var.index() < self.survey.dims) {
            let k = self.system.var((0, i128::from(values.count) - 1))?;
            let x = k.combine(small(values.step)?, &Lin::number(values.first)?, 1)?;
            side.vars.push((var, x));
            return Some(x);
        }
        let (lo, hi) = (self.linear(v.lo, side)?, self.linear(v.hi, side)?);
        let ((least, _), (_, most)) = (self.system.range(&lo), self.system.range(&hi));
        let off = i64::from(!v.inclusive);
        let step = match v.adaptors.as_slice() {
            [Adapt::By(s)] => self.linear(*s, side)?.is_number().filter(|s| *s > 0),
            _ => None,
        };
        let x = match step {
            Some(s) => self.system.var((0, (most - least).max(0)))?.combine(s, &lo, 1)?,
            None => self.system.var((least, most))?,
        };
        if let Some(below) = lo.minus(&x) {
            self.system.at_most(below);
        }
        if let Some(above) = x.minus(&hi).and_then(|d| d.plus(off)) {
            self.system.at_most(above);
        }
        side.vars.push((var, x));
        Some(x)
    }

    /// The value of a node: a sum of variables, one of its own where nothing is known. `None`: it is no integer, or there
    /// is no room.
    fn linear(&mut self, node: NodeId, side: &mut Side) -> Option<Lin> {
        let n = self.survey.forms.get(node);
        if let Op::Const(c) = n.op
            && let Some(number) = Lin::number(c)
        {
            return Some(number);
        }
        if let Some(at) = side.nodes.iter().position(|known| *known == node) {
            return Some(side.values[at]);
        }
        let whole = match n.op {
            Op::Sym(s) => self.numbers.syms.get(s.index()).copied().flatten().and_then(Lin::number),
            Op::Var(v) => self.variable(v, side),
            // The right side of `&&` and `||` may not be evaluated.
            Op::Const(_)
            | Op::Opaque(_)
            | Op::Not(_)
            | Op::Rel(..)
            | Op::Method(..)
            | Op::Carried(..)
            | Op::After(..) => None,
            Op::Select(cond, a, b) => self.select(cond, (a, b), side),
            Op::Bin(..) if self.survey.forms.is_bool(node) => None,
            Op::Neg(a) => self.linear(a, side).and_then(|a| a.times(-1)),
            Op::Cast(a) => self.linear(a, side),
            Op::Bin(op, a, b) => self.arith(op, (a, b), n.ty, side),
        };
        // What does not fit the type wraps.
        let fits = |(lo, hi): Interval| match n.ty.and_then(Prim::int_range) {
            Some((least, most)) => least <= lo && hi <= most,
            None => false,
        };
        let value = match whole {
            Some(l) if fits(self.range(&l)) => l,
            _ => {
                let any = match (n.op, n.ty) {
                    (Op::Const(c), _) => (c, c),
                    (_, Some(Prim::Bool)) => (0, 1),
                    (_, ty) => ty.and_then(Prim::int_range)?,
                };
                self.system.var(any)?
            }
        };
        side.nodes.push(node);
        side.values.push(value);
        Some(value)
    }

    /// One of two values: a variable that is the one or the other, by the condition.
    fn select(&mut self, cond: NodeId, (a, b): (NodeId, NodeId), side: &mut Side) -> Option<Lin> {
        if !self.has_room(side) {
            return None;
        }
        let never = side.never;
        let (a, b) = (self.linear(a, side)?, self.linear(b, side)?);
        // The value that is not chosen is not computed.
        side.never = never;
        let ((a_lo, a_hi), (b_lo, b_hi)) = (self.range(&a), self.range(&b));
        let x = self.system.var((a_lo.min(b_lo), a_hi.max(b_hi)))?;
        let mut split = Split::new();
        for (holds, value) in [(true, a), (false, b)] {
            let mut facts = Vec::new();
            self.survey.forms.conjuncts(cond, holds, &mut facts);
            let cases = self.cases(&facts, side).unwrap_or_else(|| vec![Case::default()]);
            let is = x.minus(&value)?;
            split.extend(cases.into_iter().map(|mut case| {
                case.zero.push(is);
                case
            }));
        }
        self.splits.push(split);
        Some(x)
    }

    fn arith(
        &mut self,
        op: Arith,
        (l, r): (NodeId, NodeId),
        ty: Option<Prim>,
        side: &mut Side,
    ) -> Option<Lin> {
        // `a & !b`
        if let (Arith::And, Op::Not(r)) = (op, self.survey.forms.get(r).op) {
            let (a, b) = (self.linear(l, side)?, self.linear(r, side)?);
            return a.minus(&self.common_bits(&a, &b)?);
        }
        let (a, b) = (self.linear(l, side)?, self.linear(r, side)?);
        let bits = ty.map_or(64, |t| 8 * t.size() as i64);
        let shift = |b: &Lin| b.is_number().filter(|k| (0..bits.min(50)).contains(k)).map(|k| 1i64 << k);
        match op {
            Arith::Add => a.combine(1, &b, 1),
            Arith::Sub => a.minus(&b),
            Arith::Mul => match (a.is_number(), b.is_number()) {
                (Some(k), _) => b.times(k),
                (_, Some(k)) => a.times(k),
                (None, None) => self.product(&a, &b, side.second),
            },
            Arith::Shl => a.times(shift(&b)?),
            Arith::Shr => Some(self.divided(&a, shift(&b)?)?.0),
            Arith::Div | Arith::DivEuclid | Arith::Rem | Arith::RemEuclid => {
                let by = b.is_number()?;
                // A check precedes it.
                side.never |= by == 0;
                // Rust truncates towards zero.
                let floor = matches!(op, Arith::DivEuclid | Arith::RemEuclid);
                if !floor && self.range(&a).0 < 0 {
                    return None;
                }
                let (q, r) = self.divided(&a, by)?;
                Some(if matches!(op, Arith::Div | Arith::DivEuclid) { q } else { r })
            }
            Arith::And => self.common_bits(&a, &b),
            Arith::Or => self.either_bits(&a, &b, 1),
            Arith::Xor => self.either_bits(&a, &b, 2),
            Arith::Min => self.one_of([&a, &b], 1),
            Arith::Max => self.one_of([&a, &b], -1),
            Arith::SaturatingSub if ty.is_some_and(|t| !t.is_signed()) => {
                self.one_of([&a.minus(&b)?, &Lin::ZERO], -1)
            }
            Arith::AbsDiff => self.one_of([&a.minus(&b)?, &b.minus(&a)?], -1),
            Arith::SaturatingAdd | Arith::SaturatingSub | Arith::AtMost | Arith::AtLeast => None,
        }
    }

    /// The smaller of two (`sign` 1), or the larger (-1).
    fn one_of(&mut self, [a, b]: [&Lin; 2], sign: i64) -> Option<Lin> {
        let d = a.combine(sign, b, -sign)?;
        let (lo, hi) = self.system.range(&d);
        if hi <= 0 {
            return Some(*a);
        }
        if lo >= 0 {
            return Some(*b);
        }
        let (x, y) = (self.system.range(a), self.system.range(b));
        let end: fn(i128, i128) -> i128 = if sign > 0 { Ord::min } else { Ord::max };
        let m = self.system.var((end(x.0, y.0), end(x.1, y.1)))?;
        for other in [a, b] {
            self.system.at_most(m.combine(sign, other, -sign)?);
        }
        let cases = [(a, d), (b, d.times(-1)?)];
        let case = |(which, d): (&Lin, Lin)| Some(Case { most: vec![d], zero: vec![m.minus(which)?] });
        self.splits.extend(cases.into_iter().map(case).collect::<Option<Split>>());
        Some(m)
    }
}

fn small(value: i128) -> Option<i64> {
    i64::try_from(value).ok()
}
