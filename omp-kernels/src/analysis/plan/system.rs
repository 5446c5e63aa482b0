//! Whether two touches can meet, by linear inequalities: what [`super::conflict`] can't tell from ranges.
//!
//! Both iterations become variables of one system: their loops with bounds (also those that depend on outer variables),
//! the conditions on the way, quotients and remainders as variables of their own (`a = d·q + r`), and the equality of
//! the subscripts. The touches are apart if no solution has different iterations, which is tried for each way in which
//! they can differ and for each side of every `!=`. A system has no solution if
//!
//! * an equation has none, by its range or by the greatest common divisor of its coefficients;
//! * an equation such as `n·(i - j') + (j - i') = 0`, where the small part is less than `n`, falls into two, `i = j'`
//!   and `j = i'`, and they have none;
//! * elimination (Fourier and Motzkin), with constants rounded to integers, leaves `0 < 0`.
//!
//! All of it is checked arithmetic with limits: what grows too large proves nothing.
use super::DimValues;
use crate::analysis::form::{Arith, NodeId, Op, Rel, VarId};
use crate::analysis::survey::{Adapt, CtxKind, InnerNest, Step, Survey, Touch};
use crate::ir::desc::Prim;
use std::collections::HashMap;

/// The numbers of a launch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers<'a> {
    pub syms: &'a [Option<i128>],
    pub dims: &'a [Option<DimValues>],
}

/// Whether the touches are surely apart in different iterations of the region, or of an inner nest.
pub(super) fn apart(
    survey: &Survey,
    numbers: Numbers<'_>,
    nest: Option<&InnerNest>,
    a: &Touch,
    b: &Touch,
) -> bool {
    try_apart(survey, numbers, nest, a, b).unwrap_or(false)
}

/// A sum of variables with factors, and a constant.
#[derive(Debug, Clone, PartialEq, Default)]
struct Lin {
    coef: Vec<i128>,
    konst: i128,
}

type Interval = (i128, i128);

/// More variables or inequalities than this are too many.
const MOST_VARS: usize = 28;
const MOST_INEQUALITIES: usize = 240;
/// More ways to differ than this are not tried.
const MOST_CASES: usize = 32;
/// Bounds beyond this are none.
const FAR: i128 = 1 << 70;

impl Lin {
    fn number(konst: i128) -> Self {
        Self { coef: Vec::new(), konst }
    }

    fn at(&self, v: usize) -> i128 {
        self.coef.get(v).copied().unwrap_or(0)
    }

    /// `self·ka + other·kb`
    fn combine(&self, ka: i128, other: &Self, kb: i128) -> Option<Self> {
        let n = self.coef.len().max(other.coef.len());
        let part = |x: i128, y: i128| ka.checked_mul(x)?.checked_add(kb.checked_mul(y)?);
        let coef = (0..n).map(|v| part(self.at(v), other.at(v))).collect::<Option<_>>()?;
        Some(Self { coef, konst: part(self.konst, other.konst)? })
    }

    fn is_number(&self) -> Option<i128> {
        self.coef.iter().all(|c| *c == 0).then_some(self.konst)
    }

    fn vars(&self) -> impl Iterator<Item = usize> {
        self.coef.iter().enumerate().filter(|(_, c)| **c != 0).map(|(v, _)| v)
    }
}

/// Equations (`= 0`), inequalities (`<= 0`) and bounds of variables.
#[derive(Debug, Clone, Default)]
struct System {
    bounds: Vec<Interval>,
    equal: Vec<Lin>,
    most: Vec<Lin>,
}

impl System {
    fn var(&mut self, bounds: Interval) -> Option<Lin> {
        if self.bounds.len() >= MOST_VARS {
            return None;
        }
        self.bounds.push((bounds.0.max(-FAR), bounds.1.min(FAR)));
        let mut coef = vec![0; self.bounds.len()];
        coef[self.bounds.len() - 1] = 1;
        Some(Lin { coef, konst: 0 })
    }

    fn range(&self, l: &Lin) -> Option<Interval> {
        let (mut lo, mut hi) = (l.konst, l.konst);
        for v in l.vars() {
            let (c, (from, to)) = (l.coef[v], self.bounds[v]);
            let (x, y) = (c.checked_mul(from)?, c.checked_mul(to)?);
            (lo, hi) = (lo.checked_add(x.min(y))?, hi.checked_add(x.max(y))?);
        }
        Some((lo, hi))
    }

    /// `l <= 0`, which narrows the variables in it.
    fn at_most(&mut self, l: Lin) -> Option<()> {
        self.narrow(&l)?;
        self.most.push(l);
        Some(())
    }

    fn narrow(&mut self, l: &Lin) -> Option<()> {
        for v in l.vars().collect::<Vec<_>>() {
            let mut rest = l.clone();
            let c = std::mem::take(&mut rest.coef[v]);
            // c·v <= -rest <= -least
            let limit = self.range(&rest)?.0.checked_neg()?;
            let (lo, hi) = &mut self.bounds[v];
            if c > 0 {
                *hi = (*hi).min(limit.div_euclid(c));
            } else {
                *lo = (*lo).max(-(limit.div_euclid(-c)));
            }
        }
        Some(())
    }

    fn equals(&mut self, l: Lin) -> Option<()> {
        self.narrow(&l)?;
        self.narrow(&l.combine(-1, &Lin::default(), 0)?)?;
        self.equal.push(l);
        Some(())
    }

    fn is_empty(&self) -> bool {
        self.bounds.iter().any(|(lo, hi)| lo > hi)
    }
}

/// One iteration, as far as it has been put into the system.
#[derive(Debug, Clone, Default)]
struct Side {
    vars: HashMap<VarId, Lin>,
    nodes: HashMap<NodeId, Lin>,
    /// Both sides of each `!=` on the way: their difference is not zero.
    unequal: Vec<Lin>,
    /// It divides by zero before it comes there.
    never: bool,
}

struct Builder<'a> {
    survey: &'a Survey,
    numbers: Numbers<'a>,
    system: System,
}

fn try_apart(
    survey: &Survey,
    numbers: Numbers<'_>,
    nest: Option<&InnerNest>,
    a: &Touch,
    b: &Touch,
) -> Option<bool> {
    let dims: Vec<VarId> = (0..survey.dims).map(|d| VarId(u32::try_from(d).unwrap_or(u32::MAX))).collect();
    let (own, common) = match nest {
        None => (dims, Vec::new()),
        Some(nest) => (nest.vars.clone(), dims.into_iter().chain(nest.around.iter().copied()).collect()),
    };
    let mut builder = Builder { survey, numbers, system: System::default() };
    let first = builder.side(a, Side::default())?;
    let shared = common.iter().filter_map(|v| Some((*v, first.vars.get(v)?.clone()))).collect();
    let second = builder.side(b, Side { vars: shared, ..Side::default() })?;
    if first.never || second.never {
        return Some(true);
    }
    let (mut first, mut second) = (first, second);
    for (x, y) in a.path.iter().zip(&b.path) {
        match (x, y) {
            (Step::Field(f), Step::Field(g)) if f != g => return Some(true),
            (Step::Index(x), Step::Index(y)) => {
                let x = builder.linear(*x, &mut first)?;
                let y = builder.linear(*y, &mut second)?;
                builder.system.equals(x.combine(1, &y, -1)?)?;
            }
            (Step::Field(_) | Step::Index(_), _) => {}
        }
    }
    if first.never || second.never || builder.system.is_empty() {
        return Some(true);
    }
    let differences: Vec<Lin> =
        own.iter().map(|v| first.vars.get(v)?.combine(1, second.vars.get(v)?, -1)).collect::<Option<_>>()?;
    let unequal: Vec<Lin> = first.unequal.iter().chain(&second.unequal).cloned().collect();
    Some(differences.iter().all(|d| without_solution(&builder.system, d, &unequal, MOST_CASES)))
}

/// No solution with `l != 0`, nor with any of `unequal` zero.
fn without_solution(system: &System, l: &Lin, unequal: &[Lin], cases: usize) -> bool {
    [1, -1].into_iter().all(|sign| {
        let mut case = system.clone();
        // sign·l <= -1
        let below = l.combine(sign, &Lin::number(1), 1);
        below.and_then(|below| case.at_most(below)).is_some()
            && (solvable(case.clone()) == Some(false)
                || match unequal {
                    [next, rest @ ..] if cases > 1 => without_solution(&case, next, rest, cases / 2),
                    _ => false,
                })
    })
}

impl Builder<'_> {
    /// The loops and conditions around a touch.
    fn side(&mut self, touch: &Touch, mut side: Side) -> Option<Side> {
        for d in 0..self.survey.dims {
            self.variable(VarId(u32::try_from(d).ok()?), &mut side)?;
        }
        for ctx in self.survey.chain(touch.ctx) {
            match &self.survey.ctx(ctx).kind {
                CtxKind::Root | CtxKind::Opaque { .. } => {}
                CtxKind::Loop { var, cut: _ } => self.variable(*var, &mut side)?,
                CtxKind::Cond { cond, holds, .. } => {
                    let mut facts = Vec::new();
                    self.survey.forms.conjuncts(*cond, *holds, &mut facts);
                    for (l, rel, r) in facts {
                        self.fact(l, rel, r, &mut side)?;
                    }
                }
            }
        }
        Some(side)
    }

    fn fact(&mut self, l: NodeId, rel: Rel, r: NodeId, side: &mut Side) -> Option<()> {
        let (l, r) = (self.linear(l, side)?, self.linear(r, side)?);
        let less = |l: &Lin, r: &Lin, by: i128| l.combine(1, r, -1)?.combine(1, &Lin::number(by), 1);
        match rel {
            Rel::Eq => self.system.equals(less(&l, &r, 0)?),
            Rel::Lt => self.system.at_most(less(&l, &r, 1)?),
            Rel::Le => self.system.at_most(less(&l, &r, 0)?),
            Rel::Gt => self.system.at_most(less(&r, &l, 1)?),
            Rel::Ge => self.system.at_most(less(&r, &l, 0)?),
            Rel::Ne => {
                side.unequal.push(less(&l, &r, 0)?);
                Some(())
            }
        }
    }

    /// A loop's variable.
    fn variable(&mut self, var: VarId, side: &mut Side) -> Option<()> {
        if side.vars.contains_key(&var) {
            return Some(());
        }
        let v = &self.survey.vars[var.index()];
        let known = self.numbers.dims.get(var.index()).copied().flatten();
        if let Some(values) = known.filter(|_| var.index() < self.survey.dims) {
            let k = self.system.var((0, i128::from(values.count).checked_sub(1)?))?;
            side.vars.insert(var, k.combine(values.step, &Lin::number(values.first), 1)?);
            return Some(());
        }
        let (lo, hi) = (self.linear(v.lo, side)?, self.linear(v.hi, side)?);
        let ((least, _), (_, most)) = (self.system.range(&lo)?, self.system.range(&hi)?);
        let off = i128::from(!v.inclusive);
        let step = match v.adaptors.as_slice() {
            [Adapt::By(s)] => self.linear(*s, side)?.is_number().filter(|s| *s > 0),
            _ => None,
        };
        let x = match step {
            Some(s) => {
                let k = self.system.var((0, most.checked_sub(least)?.max(0)))?;
                k.combine(s, &lo, 1)?
            }
            None => self.system.var((least, most))?,
        };
        self.system.at_most(lo.combine(1, &x, -1)?)?;
        self.system.at_most(x.combine(1, &hi, -1)?.combine(1, &Lin::number(off), 1)?)?;
        side.vars.insert(var, x);
        Some(())
    }

    /// The value of a node: a sum of variables, one of its own where nothing is known.
    fn linear(&mut self, node: NodeId, side: &mut Side) -> Option<Lin> {
        if let Some(known) = side.nodes.get(&node) {
            return Some(known.clone());
        }
        let n = self.survey.forms.get(node);
        let whole = match n.op {
            Op::Const(c) => Some(Lin::number(c)),
            Op::Sym(s) => self.numbers.syms.get(s.index()).copied().flatten().map(Lin::number),
            Op::Var(v) => {
                self.variable(v, side)?;
                side.vars.get(&v).cloned()
            }
            // Of truth values, a right side may not be evaluated.
            Op::Opaque(_) | Op::Not(_) | Op::Rel(..) => None,
            Op::Bin(..) if self.survey.forms.is_bool(node) => None,
            Op::Neg(a) => self.linear(a, side)?.combine(-1, &Lin::default(), 0),
            Op::Cast(a) => Some(self.linear(a, side)?),
            Op::Bin(op, a, b) => {
                let (a, b) = (self.linear(a, side)?, self.linear(b, side)?);
                self.arith(op, a, b, n.ty, side)
            }
        };
        // What does not fit the type wraps.
        let fits = |range: Interval| match n.ty.and_then(Prim::int_range) {
            Some((lo, hi)) => lo <= range.0 && range.1 <= hi,
            None => false,
        };
        let value = match whole {
            Some(l) if self.system.range(&l).is_some_and(fits) => l,
            _ => {
                let any = match n.ty {
                    Some(Prim::Bool) => (0, 1),
                    ty => ty.and_then(Prim::int_range)?,
                };
                self.system.var(any)?
            }
        };
        side.nodes.insert(node, value.clone());
        Some(value)
    }

    fn arith(&mut self, op: Arith, a: Lin, b: Lin, ty: Option<Prim>, side: &mut Side) -> Option<Lin> {
        let bits = ty.map_or(64, |t| 8 * t.size() as i128);
        let shift = |b: &Lin| b.is_number().filter(|k| (0..bits).contains(k)).map(|k| 1i128 << k);
        match op {
            Arith::Add => a.combine(1, &b, 1),
            Arith::Sub => a.combine(1, &b, -1),
            Arith::Mul => match (a.is_number(), b.is_number()) {
                (Some(k), _) => b.combine(k, &Lin::default(), 0),
                (_, Some(k)) => a.combine(k, &Lin::default(), 0),
                (None, None) => None,
            },
            Arith::Shl => a.combine(shift(&b)?, &Lin::default(), 0),
            Arith::Shr => Some(self.divided(&a, shift(&b)?)?.0),
            Arith::Div | Arith::DivEuclid | Arith::Rem | Arith::RemEuclid => {
                let by = b.is_number()?;
                if by == 0 {
                    // A check stands before it.
                    side.never = true;
                    return None;
                }
                let (q, r) = self.divided(&a, by)?;
                Some(if matches!(op, Arith::Div | Arith::DivEuclid) { q } else { r })
            }
            Arith::And => {
                let mask = b.is_number().or(a.is_number())?;
                let of = if b.is_number().is_some() { a } else { b };
                let ones = mask.checked_add(1).filter(|m| *m > 0 && m & (m - 1) == 0)?;
                Some(self.divided(&of, ones)?.1)
            }
            Arith::Min | Arith::Max => {
                let (x, y) = (self.system.range(&a)?, self.system.range(&b)?);
                let sign = if op == Arith::Min { 1 } else { -1 };
                let bounds = if op == Arith::Min {
                    (x.0.min(y.0), x.1.min(y.1))
                } else {
                    (x.0.max(y.0), x.1.max(y.1))
                };
                let m = self.system.var(bounds)?;
                self.system.at_most(m.combine(sign, &a, -sign)?)?;
                self.system.at_most(m.combine(sign, &b, -sign)?)?;
                Some(m)
            }
            Arith::Or | Arith::Xor | Arith::SaturatingAdd | Arith::SaturatingSub | Arith::AbsDiff => None,
        }
    }

    /// Quotient and remainder of what is not negative, by a positive number.
    fn divided(&mut self, a: &Lin, by: i128) -> Option<(Lin, Lin)> {
        let (lo, hi) = self.system.range(a)?;
        if by < 1 || lo < 0 {
            return None;
        }
        let q = self.system.var((lo / by, hi / by))?;
        let r = a.combine(1, &q, -by)?;
        // 0 <= r <= by - 1
        self.system.at_most(r.combine(-1, &Lin::default(), 0)?)?;
        self.system.at_most(r.combine(1, &Lin::number(by - 1), -1)?)?;
        // As a variable, its range is known better than that of the difference.
        let named = self.system.var((0, by - 1))?;
        self.system.equals(r.combine(1, &named, -1)?)?;
        Some((q, named))
    }
}

/// Whether a system has a solution; `None`: perhaps.
fn solvable(mut s: System) -> Option<bool> {
    for _ in 0..3 * MOST_VARS {
        if s.is_empty() {
            return Some(false);
        }
        if !reduce(&mut s)? {
            return Some(false);
        }
        let Some((e, v)) = s
            .equal
            .iter()
            .enumerate()
            .find_map(|(e, l)| l.vars().find(|v| l.coef[*v].abs() == 1).map(|v| (e, v)))
        else {
            break;
        };
        substitute(&mut s, e, v)?;
    }
    for l in std::mem::take(&mut s.equal) {
        s.most.push(l.combine(-1, &Lin::default(), 0)?);
        s.most.push(l);
    }
    eliminate(s)
}

/// Splits and divides the equations; `false` if one of them has no solution.
fn reduce(s: &mut System) -> Option<bool> {
    let mut done = Vec::new();
    while let Some(mut l) = s.equal.pop() {
        let g = l.coef.iter().fold(0, |g, c| gcd(g, *c));
        if g == 0 {
            if l.konst != 0 {
                return Some(false);
            }
            continue;
        }
        if l.konst % g != 0 {
            return Some(false);
        }
        l.coef.iter_mut().for_each(|c| *c /= g);
        l.konst /= g;
        let (lo, hi) = s.range(&l)?;
        if lo > 0 || hi < 0 {
            return Some(false);
        }
        s.narrow(&l)?;
        s.narrow(&l.combine(-1, &Lin::default(), 0)?)?;
        if s.is_empty() {
            return Some(false);
        }
        match split(s, &l) {
            Some((large, small)) => s.equal.extend([large, small]),
            None => done.push(l),
        }
    }
    s.equal = done;
    Some(true)
}

/// `U·large + small = 0` with `|small| < U` is two equations.
fn split(s: &System, l: &Lin) -> Option<(Lin, Lin)> {
    let mut units: Vec<i128> = l.vars().map(|v| l.coef[v].abs()).filter(|u| *u > 1).collect();
    units.sort_unstable_by(|x, y| y.cmp(x));
    units.dedup();
    for unit in units {
        let part =
            |large: bool| l.coef.iter().map(|c| if (c % unit == 0) == large { *c } else { 0 }).collect();
        let (mut large, small): (Vec<i128>, Vec<i128>) = (part(true), part(false));
        if small.iter().all(|c| *c == 0) || large.iter().all(|c| *c == 0) {
            continue;
        }
        large.iter_mut().for_each(|c| *c /= unit);
        let low = l.konst.rem_euclid(unit);
        for rest in [low, low - unit] {
            let small = Lin { coef: small.clone(), konst: rest };
            let (lo, hi) = s.range(&small)?;
            if lo > -unit && hi < unit {
                return Some((Lin { coef: large, konst: (l.konst - rest) / unit }, small));
            }
        }
    }
    None
}

/// Puts a variable with factor ±1 out of an equation into everything else.
fn substitute(s: &mut System, e: usize, v: usize) -> Option<()> {
    let l = s.equal.swap_remove(e);
    let c = l.coef[v];
    // v = -c·(the rest), as c is ±1
    let put = |into: &Lin| {
        let k = into.at(v);
        if k == 0 { Some(into.clone()) } else { into.combine(1, &l, -(k * c)) }
    };
    s.equal = s.equal.iter().map(put).collect::<Option<_>>()?;
    s.most = s.most.iter().map(put).collect::<Option<_>>()?;
    let (lo, hi) = s.bounds[v];
    let unit = |k: i128, konst: i128| {
        let mut coef = vec![0; v + 1];
        coef[v] = k;
        Lin { coef, konst }
    };
    if lo > -FAR {
        s.most.push(put(&unit(-1, lo))?);
    }
    if hi < FAR {
        s.most.push(put(&unit(1, -hi))?);
    }
    // Nothing names it any more.
    s.bounds[v] = (0, 0);
    Some(())
}

/// Eliminates all variables from the inequalities.
fn eliminate(s: System) -> Option<bool> {
    let System { bounds, mut most, .. } = s;
    let named: Vec<usize> = (0..bounds.len()).filter(|v| most.iter().any(|l| l.at(*v) != 0)).collect();
    for &v in &named {
        let mut coef = vec![0; v + 1];
        coef[v] = 1;
        if bounds[v].1 < FAR {
            most.push(Lin { coef: coef.clone(), konst: -bounds[v].1 });
        }
        coef[v] = -1;
        if bounds[v].0 > -FAR {
            most.push(Lin { coef, konst: bounds[v].0 });
        }
    }
    let mut left = named;
    loop {
        let mut kept = Vec::with_capacity(most.len());
        for mut l in most {
            let g = l.coef.iter().fold(0, |g, c| gcd(g, *c));
            if g == 0 {
                if l.konst > 0 {
                    return Some(false);
                }
                continue;
            }
            l.coef.iter_mut().for_each(|c| *c /= g);
            l.konst = -((-l.konst).div_euclid(g));
            kept.push(l);
        }
        most = kept;
        let count = |v: usize, sign: i128| most.iter().filter(|l| l.at(v).signum() == sign).count();
        let at = (0..left.len()).min_by_key(|k| count(left[*k], 1) * count(left[*k], -1))?;
        let v = left.swap_remove(at);
        let (with, mut rest): (Vec<Lin>, Vec<Lin>) = most.into_iter().partition(|l| l.at(v) != 0);
        for up in with.iter().filter(|l| l.at(v) > 0) {
            for down in with.iter().filter(|l| l.at(v) < 0) {
                let sum = up.combine(-down.at(v), down, up.at(v))?;
                if !rest.contains(&sum) {
                    rest.push(sum);
                }
                if rest.len() > MOST_INEQUALITIES {
                    return None;
                }
            }
        }
        most = rest;
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1)
}
