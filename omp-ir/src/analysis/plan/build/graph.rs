//! The formulas of a launch, in the order of evaluation: the nodes of the survey, one for each set of conditions under which they
//! are needed.
//!
//! A condition such as `if i > 0` narrows the ranges below it. So a node has one *instance* for each context of conditions that
//! constrains it, and shares the instance of the enclosing context otherwise.
use crate::analysis::form::{Arith, NodeId, Rel, VarId};
use crate::analysis::numbers::{Interval, Val, arith, compare, select};
use crate::analysis::plan::values::{Source, Sources};
use crate::desc::Prim;

/// An instance; operands have smaller numbers.
pub(in crate::analysis::plan) type InstId = u32;

/// No instance.
pub(in crate::analysis::plan) const NONE: InstId = u32::MAX;

#[derive(Debug, Clone, PartialEq)]
pub(in crate::analysis::plan) enum Formula {
    Const(i128),
    Sym(usize),
    Unknown,
    /// A loop variable; `dim` when the launch may give its values as numbers.
    Loop {
        dim: Option<usize>,
        lo: InstId,
        hi: InstId,
        inclusive: bool,
    },
    /// The distance from the second to the first, as whole numbers.
    Span(InstId, InstId),
    /// The first plus an offset from it, less than the third (or equal to it, if so is said).
    From {
        lo: InstId,
        offset: InstId,
        hi: InstId,
        inclusive: bool,
    },
    /// The same value as in the context around.
    Same,
    Neg(InstId),
    Not(InstId),
    Cast(InstId),
    Bin(Arith, InstId, InstId),
    Rel(Rel, InstId, InstId),
    /// The second where the first holds, else the third.
    Select(InstId, InstId, InstId),
}

#[derive(Debug, Clone)]
pub(in crate::analysis::plan) struct Inst {
    pub(in crate::analysis::plan) formula: Formula,
    pub(in crate::analysis::plan) ty: Option<Prim>,
    /// Position among the variables that affine functions are over.
    pub(in crate::analysis::plan) slot: Option<usize>,
    /// The same node in the context around.
    pub(in crate::analysis::plan) up: Option<InstId>,
    /// What the conditions say about this very node.
    pub(in crate::analysis::plan) facts: Vec<(Rel, InstId)>,
    /// A variable that the conditions may say something about.
    pub(in crate::analysis::plan) solve: bool,
    pub(in crate::analysis::plan) fact_ctx: usize,
    /// Set among the dead when nothing remains.
    pub(super) bit: u64,
}

/// A conjunction of conditions.
#[derive(Debug, Clone, Default)]
pub(in crate::analysis::plan) struct FactCtx {
    pub(in crate::analysis::plan) parent: usize,
    pub(in crate::analysis::plan) facts: Vec<(InstId, Rel, InstId)>,
    /// The same, by node.
    pub(super) about: Vec<(NodeId, Rel, InstId)>,
    pub(in crate::analysis::plan) vars: Vec<VarId>,
    pub(in crate::analysis::plan) bit: u64,
}

/// A variable of affine functions.
#[derive(Debug, Clone, Copy)]
pub(in crate::analysis::plan) struct Slot {
    pub(in crate::analysis::plan) var: VarId,
    pub(in crate::analysis::plan) lo: InstId,
    pub(in crate::analysis::plan) hi: InstId,
    pub(in crate::analysis::plan) inclusive: bool,
    /// Its bounds name other variables.
    pub(super) dependent: bool,
    /// The slot is the offset of the variable from its lower bound: this instance.
    pub(in crate::analysis::plan) offset: Option<InstId>,
}

/// The instances of a plan.
#[derive(Debug, Clone, Default)]
pub(in crate::analysis::plan) struct Graph {
    pub(in crate::analysis::plan) insts: Vec<Inst>,
    pub(in crate::analysis::plan) fact_ctxs: Vec<FactCtx>,
    pub(in crate::analysis::plan) slots: Vec<Slot>,
    /// By fact context and slot: the variable's instance.
    pub(in crate::analysis::plan) ranges: Vec<InstId>,
    pub(super) dependent: bool,
}

/// More variables than this are only known by their ranges.
pub(in crate::analysis::plan) const MAX_SLOTS: usize = 8;

impl Graph {
    pub(in crate::analysis::plan) fn len(&self) -> usize {
        self.insts.len()
    }

    /// The instance of a slot's variable in a fact context.
    pub(in crate::analysis::plan) fn range_of(&self, fact_ctx: usize, slot: usize) -> InstId {
        self.ranges[fact_ctx * self.slots.len() + slot]
    }

    /// Evaluates everything; gives the contexts that are never reached, as bits.
    pub(in crate::analysis::plan) fn eval<const V: usize, S: Sources>(
        &self,
        source: &S,
        out: &mut [Val<V>],
    ) -> u64 {
        let mut dead = 0;
        for (at, inst) in self.insts.iter().enumerate() {
            let (done, rest) = out.split_at_mut(at);
            let mut val = self.formula(inst, source, done);
            if !matches!(inst.formula, Formula::Const(_) | Formula::Sym(_)) {
                self.narrow(inst, done, &mut val);
            }
            if val.lo > val.hi {
                dead |= inst.bit;
                val.hi = val.lo;
            }
            val.narrow &= i128::from(i32::MIN) <= val.lo && val.hi <= i128::from(i32::MAX);
            rest[0] = val;
        }
        let refuted = self
            .fact_ctxs
            .iter()
            .filter(|ctx| ctx.facts.iter().any(|f| self.is_refuted(*f, ctx.parent, out)));
        refuted.fold(dead, |dead, ctx| dead | ctx.bit)
    }

    /// Whether a condition holds in no iteration: its operands differ by what it excludes, as those of `i * n > (i + 1) * n` do, in
    /// which no variable is left to be narrowed.
    fn is_refuted<const V: usize>(
        &self,
        (l, rel, r): (InstId, Rel, InstId),
        around: usize,
        done: &[Val<V>],
    ) -> bool {
        self.compared(rel, &done[l as usize], &done[r as usize], around, done) == Some(false)
    }

    /// Whether a relation holds in all iterations, or in none, by the range of the difference of both sides.
    fn compared<const V: usize>(
        &self,
        rel: Rel,
        l: &Val<V>,
        r: &Val<V>,
        fact_ctx: usize,
        done: &[Val<V>],
    ) -> Option<bool> {
        let difference = if l.exact && r.exact { Val::linear(l, 1, r, -1) } else { None }?;
        let (lo, hi) = self.range(&difference, fact_ctx, done)?;
        let (less, equal) = match (lo, hi) {
            (_, hi) if hi < 0 => (Some(true), Some(false)),
            (0, 0) => (Some(false), Some(true)),
            (lo, _) if lo > 0 => (Some(false), Some(false)),
            (0, _) => (Some(false), None),
            _ => (None, None),
        };
        let at_most = if hi <= 0 {
            Some(true)
        } else if lo > 0 {
            Some(false)
        } else {
            None
        };
        match rel {
            Rel::Lt => less,
            Rel::Ge => less.map(|less| !less),
            Rel::Le => at_most,
            Rel::Gt => at_most.map(|at_most| !at_most),
            Rel::Eq => equal,
            Rel::Ne => equal.map(|equal| !equal),
        }
    }

    fn formula<const V: usize, S: Sources>(&self, inst: &Inst, source: &S, done: &[Val<V>]) -> Val<V> {
        let get = |i: InstId| &done[i as usize];
        let (val, narrow) = match &inst.formula {
            Formula::Const(c) => (Val::number(*c), true),
            Formula::Sym(s) => (source.sym(*s).map_or_else(|| Val::unknown(inst.ty), Val::number), true),
            Formula::Unknown => (Val::unknown(inst.ty), true),
            Formula::Loop { dim, lo, hi, inclusive } => {
                let mut val = Val::unknown(inst.ty);
                match dim.map(|d| source.dim(d)) {
                    Some(Source::Known(v)) => {
                        let last =
                            v.step.saturating_mul(i128::from(v.count).max(1) - 1).saturating_add(v.first);
                        (val.lo, val.hi) = (v.first.min(last), v.first.max(last));
                    }
                    Some(Source::Unknown) | None => {
                        val.assume(Rel::Ge, get(*lo));
                        val.assume(if *inclusive { Rel::Le } else { Rel::Lt }, get(*hi));
                    }
                }
                (self.variable(inst, val), true)
            }
            Formula::Span(a, b) => {
                let mut v = Val::linear(get(*a), 1, get(*b), -1).unwrap_or_else(|| Val::unknown(None));
                if let Some(range) = self.range(&v, inst.fact_ctx, done) {
                    v.meet(range);
                }
                (v, true)
            }
            Formula::From { lo, offset, hi, inclusive } => {
                let mut val = self.settled(inst, Val::linear(get(*lo), 1, get(*offset), 1), done);
                if val.exact {
                    val.assume(Rel::Ge, get(*lo));
                    val.assume(if *inclusive { Rel::Le } else { Rel::Lt }, get(*hi));
                    // A loop that never runs.
                    val.hi = val.hi.max(val.lo);
                }
                (val, true)
            }
            Formula::Same => match inst.up {
                Some(up) => (*get(up), get(up).narrow),
                None => (Val::unknown(inst.ty), true),
            },
            Formula::Neg(a) => {
                let v = Val::linear(&Val::number(0), 1, get(*a), -1);
                (self.settled(inst, v, done), get(*a).narrow)
            }
            Formula::Not(a) if inst.ty == Some(Prim::Bool) => {
                let v = Val::linear(&Val::number(1), 1, get(*a), -1);
                (v.unwrap_or_else(|| Val::unknown(inst.ty)), get(*a).narrow)
            }
            Formula::Not(a) => (Val::unknown(inst.ty), get(*a).narrow),
            Formula::Cast(a) => (get(*a).cast(inst.ty), get(*a).narrow),
            Formula::Bin(op, a, b) => {
                let v = arith(*op, get(*a), get(*b), inst.ty);
                // What is known of a value is not computed.
                let known = matches!(op, Arith::AtMost | Arith::AtLeast);
                let narrow = (known || get(*a).narrow) && get(*b).narrow;
                let bool_ = inst.ty == Some(Prim::Bool);
                (
                    if bool_ {
                        v.unwrap_or_else(|| Val::unknown(inst.ty))
                    } else {
                        self.settled(inst, v, done)
                    },
                    narrow,
                )
            }
            Formula::Rel(rel, a, b) => {
                let (a, b) = (get(*a), get(*b));
                let holds = self.compared(*rel, a, b, inst.fact_ctx, done);
                (
                    holds.map_or_else(|| compare(*rel, a, b), |holds| Val::number(holds.into())),
                    a.narrow && b.narrow,
                )
            }
            Formula::Select(c, a, b) => {
                let narrow = get(*c).narrow && get(*a).narrow && get(*b).narrow;
                (select(get(*c), get(*a), get(*b), inst.ty), narrow)
            }
        };
        Val { narrow, ..val }
    }

    /// A loop variable as the function of itself.
    fn variable<const V: usize>(&self, inst: &Inst, mut val: Val<V>) -> Val<V> {
        (val.konst, val.noise) = (0, (0, 0));
        match inst.slot {
            Some(s) if s < V => val.coef[s] = 1,
            _ => val.noise = (val.lo, val.hi),
        }
        val
    }

    fn settled<const V: usize>(&self, inst: &Inst, val: Option<Val<V>>, done: &[Val<V>]) -> Val<V> {
        let Some(mut val) = val else { return Val::unknown(inst.ty) };
        if let Some(range) = self.range(&val, inst.fact_ctx, done) {
            val.meet(range);
        }
        // What can't be (a dead context) is not worth more care.
        val.hi = val.hi.max(val.lo);
        val.settle(inst.ty)
    }

    /// The range of an affine function over the box of its variables.
    pub(in crate::analysis::plan) fn range<const V: usize>(
        &self,
        val: &Val<V>,
        fact_ctx: usize,
        done: &[Val<V>],
    ) -> Option<Interval> {
        let hull = |s: usize| {
            let inst = self.range_of(fact_ctx, s);
            (inst != NONE).then(|| (done[inst as usize].lo, done[inst as usize].hi))
        };
        let (mut lo, mut hi) = (val.konst.checked_add(val.noise.0)?, val.konst.checked_add(val.noise.1)?);
        for s in (0..self.slots.len().min(V)).filter(|s| val.coef[*s] != 0) {
            let c = val.coef[s];
            let (from, to) = hull(s)?;
            let (x, y) = (c.checked_mul(from)?, c.checked_mul(to)?);
            lo = lo.checked_add(x.min(y))?;
            hi = hi.checked_add(x.max(y))?;
        }
        if self.dependent {
            let up = self.extreme(val, true, &hull, done).unwrap_or(hi);
            let down = self.extreme(val, false, &hull, done).unwrap_or(lo);
            (lo, hi) = (lo.max(down), hi.min(up));
        }
        Some((lo, hi))
    }

    /// The largest (smallest) value, by putting in the bounds of inner variables first.
    fn extreme<const V: usize>(
        &self,
        val: &Val<V>,
        largest: bool,
        hull: &impl Fn(usize) -> Option<Interval>,
        done: &[Val<V>],
    ) -> Option<i128> {
        let mut coef = val.coef;
        let mut sum = val.konst.checked_add(if largest { val.noise.1 } else { val.noise.0 })?;
        for s in (0..self.slots.len().min(V)).rev() {
            let c = coef[s];
            if c == 0 {
                continue;
            }
            coef[s] = 0;
            let slot = self.slots[s];
            let upper = (c > 0) == largest;
            let bound = if slot.dependent {
                done.get((if upper { slot.hi } else { slot.lo }) as usize)
            } else {
                None
            };
            match bound.filter(|b| b.exact && b.noise == (0, 0)) {
                Some(b) => {
                    let off = i128::from(upper && !slot.inclusive);
                    sum = sum.checked_add(c.checked_mul(b.konst.checked_sub(off)?)?)?;
                    for (to, from) in coef.iter_mut().zip(&b.coef) {
                        *to = to.checked_add(c.checked_mul(*from)?)?;
                    }
                }
                None => {
                    let (from, to) = hull(s)?;
                    sum = sum.checked_add(c.checked_mul(if upper { to } else { from })?)?;
                }
            }
        }
        Some(sum)
    }

    /// Takes in what the conditions say.
    fn narrow<const V: usize>(&self, inst: &Inst, done: &[Val<V>], val: &mut Val<V>) {
        if let Some(up) = inst.up {
            let up = &done[up as usize];
            if up.exact && val.exact {
                val.meet((up.lo, up.hi));
            }
        }
        if !val.exact {
            self.unwrap(inst, done, val);
        }
        for (rel, other) in &inst.facts {
            val.assume(*rel, &done[*other as usize]);
        }
        if let (true, Some(slot)) = (inst.solve, inst.slot.filter(|s| *s < V)) {
            let ctx = &self.fact_ctxs[inst.fact_ctx];
            for (l, rel, r) in &ctx.facts {
                let (l, r) = (&done[*l as usize], &done[*r as usize]);
                if l.exact && r.exact {
                    self.solve(slot, l, *rel, r, ctx.parent, done, val);
                }
            }
        }
        if inst.slot.is_none_or(|s| s >= V) && matches!(inst.formula, Formula::Loop { .. } | Formula::Same) {
            val.noise =
                if val.coef == [0; V] && val.konst == 0 { (val.lo, val.hi.max(val.lo)) } else { val.noise };
        }
    }

    /// A value that may have wrapped is the whole number itself if conditions leave it a range of its type that no other number
    /// with these bits lies in: `i.wrapping_sub(r) < n`.
    fn unwrap<const V: usize>(&self, inst: &Inst, done: &[Val<V>], val: &mut Val<V>) {
        let mut assumed = Val::<V>::unknown(inst.ty);
        for (rel, other) in &inst.facts {
            assumed.assume(*rel, &done[*other as usize]);
        }
        const PERIOD: i128 = 1 << 64;
        if assumed.lo <= assumed.hi && val.lo > assumed.hi - PERIOD && val.hi < assumed.lo + PERIOD {
            val.meet((assumed.lo, assumed.hi));
            val.exact = true;
        }
    }

    /// What `l rel r` says of one variable.
    #[allow(clippy::too_many_arguments)]
    fn solve<const V: usize>(
        &self,
        slot: usize,
        l: &Val<V>,
        rel: Rel,
        r: &Val<V>,
        around: usize,
        done: &[Val<V>],
        val: &mut Val<V>,
    ) {
        // c·v + rest rel 0
        let Some(mut rest) = Val::linear(l, 1, r, -1) else { return };
        let c = std::mem::take(&mut rest.coef[slot]);
        if c == 0 {
            return;
        }
        let Some((lo, hi)) = self.range(&rest, around, done).filter(|(lo, hi)| lo.min(hi) > &i128::MIN)
        else {
            return;
        };
        // For some rest in lo..=hi: at most means c·v <= -lo, at least c·v >= -hi.
        let off = i128::from(matches!(rel, Rel::Lt | Rel::Gt));
        if matches!(rel, Rel::Eq | Rel::Lt | Rel::Le) {
            let x = (-lo).saturating_sub(off);
            if c > 0 { val.hi = val.hi.min(floor(x, c)) } else { val.lo = val.lo.max(-floor(-x, c)) }
        }
        if matches!(rel, Rel::Eq | Rel::Gt | Rel::Ge) {
            let x = (-hi).saturating_add(off);
            if c > 0 { val.lo = val.lo.max(-floor(-x, c)) } else { val.hi = val.hi.min(floor(x, c)) }
        }
    }
}

/// The largest integer not above `x / c`.
pub(in crate::analysis::plan) fn floor(x: i128, c: i128) -> i128 {
    // Divisions of 128 bits are slow, and most are by one or of small numbers.
    if c == 1 {
        return x;
    }
    if let (Ok(x), Ok(c @ 1..)) = (i64::try_from(x), i64::try_from(c)) {
        return x.div_euclid(c).into();
    }
    let q = x / c;
    if x % c != 0 && (x < 0) != (c < 0) { q - 1 } else { q }
}
