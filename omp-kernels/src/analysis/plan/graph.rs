//! The formulas of a launch, in the order of evaluation: the nodes of the survey, once for every set of conditions
//! under which they are needed.
//!
//! A condition such as `if i > 0` narrows what is known below it. So a node has one *instance* per fact context that
//! says something about it; all others share that of the context around.
use super::values::{Source, Sources};
use crate::analysis::form::{Arith, NodeId, Op, Rel, VarId};
use crate::analysis::numbers::{Interval, Val, arith, compare};
use crate::analysis::survey::{CtxId, CtxKind, Survey};
use crate::ir::desc::Prim;
use std::collections::HashMap;

/// An instance; operands have smaller numbers.
pub(super) type InstId = u32;

/// No instance.
pub(super) const NONE: InstId = u32::MAX;

#[derive(Debug, Clone, PartialEq)]
enum Formula {
    Const(i128),
    Sym(usize),
    Unknown,
    /// A loop variable; `dim` when the launch may give its values as numbers.
    Loop { dim: Option<usize>, lo: InstId, hi: InstId, inclusive: bool },
    /// The distance from the second to the first, as whole numbers.
    Span(InstId, InstId),
    /// The first plus an offset from it.
    From(InstId, InstId),
    /// The same value as in the context around.
    Same,
    Neg(InstId),
    Not(InstId),
    Cast(InstId),
    Bin(Arith, InstId, InstId),
    Rel(Rel, InstId, InstId),
}

#[derive(Debug, Clone)]
struct Inst {
    formula: Formula,
    ty: Option<Prim>,
    /// Position among the variables that affine functions are over.
    slot: Option<usize>,
    /// The same node in the context around.
    up: Option<InstId>,
    /// What the conditions say about this very node.
    facts: Vec<(Rel, InstId)>,
    /// A variable that the conditions may say something about.
    solve: bool,
    fact_ctx: usize,
    /// Set among the dead when nothing remains.
    bit: u64,
}

/// A set of conditions that hold together.
#[derive(Debug, Clone, Default)]
struct FactCtx {
    parent: usize,
    facts: Vec<(InstId, Rel, InstId)>,
    /// The same, by node.
    about: Vec<(NodeId, Rel, InstId)>,
    vars: Vec<VarId>,
    bit: u64,
}

/// A variable of affine functions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub var: VarId,
    lo: InstId,
    hi: InstId,
    inclusive: bool,
    /// Its bounds name other variables.
    dependent: bool,
    /// The slot is the offset of the variable from its lower bound: this instance.
    offset: Option<InstId>,
}

/// The instances of a plan.
#[derive(Debug, Clone, Default)]
pub(super) struct Graph {
    insts: Vec<Inst>,
    fact_ctxs: Vec<FactCtx>,
    pub slots: Vec<Slot>,
    /// By fact context and slot: the variable's instance.
    ranges: Vec<InstId>,
    dependent: bool,
}

/// More variables than this are only known by their ranges.
pub(super) const MAX_SLOTS: usize = 8;

impl Graph {
    pub(super) fn len(&self) -> usize {
        self.insts.len()
    }

    /// The instance of a slot's variable in a fact context.
    pub(super) fn range_of(&self, fact_ctx: usize, slot: usize) -> InstId {
        self.ranges[fact_ctx * self.slots.len() + slot]
    }

    /// Evaluates everything; gives the contexts that are never reached, as bits.
    pub(super) fn eval<const V: usize, S: Sources>(&self, source: &S, out: &mut [Val<V>]) -> u64 {
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
        dead
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
                        let last = v.step.saturating_mul(i128::from(v.count).max(1) - 1).saturating_add(v.first);
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
            Formula::From(a, b) => (self.settled(inst, Val::linear(get(*a), 1, get(*b), 1), done), true),
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
                let narrow = get(*a).narrow && get(*b).narrow;
                let bool_ = inst.ty == Some(Prim::Bool);
                (if bool_ { v.unwrap_or_else(|| Val::unknown(inst.ty)) } else { self.settled(inst, v, done) }, narrow)
            }
            Formula::Rel(rel, a, b) => (compare(*rel, get(*a), get(*b)), get(*a).narrow && get(*b).narrow),
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
    pub(super) fn range<const V: usize>(&self, val: &Val<V>, fact_ctx: usize, done: &[Val<V>]) -> Option<Interval> {
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
            let bound = if slot.dependent { done.get((if upper { slot.hi } else { slot.lo }) as usize) } else { None };
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
            val.noise = if val.coef == [0; V] && val.konst == 0 { (val.lo, val.hi.max(val.lo)) } else { val.noise };
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
        let Some((lo, hi)) = self.range(&rest, around, done).filter(|(lo, hi)| lo.min(hi) > &i128::MIN) else { return };
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
pub(super) fn floor(x: i128, c: i128) -> i128 {
    let q = x / c;
    if x % c != 0 && (x < 0) != (c < 0) { q - 1 } else { q }
}

/// Makes a [`Graph`].
pub(super) struct GraphBuilder<'a> {
    survey: &'a Survey,
    graph: Graph,
    memo: HashMap<(NodeId, usize), InstId>,
    /// By context of the survey.
    fact_ctx: HashMap<CtxId, usize>,
    /// By variable: the context of its loop.
    loop_ctx: HashMap<VarId, CtxId>,
}

impl<'a> GraphBuilder<'a> {
    pub(super) fn new(survey: &'a Survey) -> Self {
        let mut loop_ctx = HashMap::new();
        for (i, ctx) in survey.ctxs.iter().enumerate() {
            if let CtxKind::Loop { var, cut: _ } = ctx.kind {
                loop_ctx.insert(var, CtxId(u32::try_from(i).expect("few contexts")));
            }
        }
        let graph = Graph { fact_ctxs: vec![FactCtx::default()], ..Graph::default() };
        let mut builder =
            Self { survey, graph, memo: HashMap::new(), fact_ctx: HashMap::new(), loop_ctx };
        for d in 0..survey.dims {
            builder.var(VarId(u32::try_from(d).expect("few dimensions")), 0);
        }
        builder
    }

    /// The bit of a context among the dead ones.
    pub(super) fn bit(ctx: CtxId) -> u64 {
        if ctx == CtxId::ROOT { 0 } else { 1u64.checked_shl(ctx.0).unwrap_or(0) }
    }

    /// The bits of a context and all around it.
    pub(super) fn bits(&self, ctx: CtxId) -> u64 {
        self.survey.chain(ctx).into_iter().map(Self::bit).fold(0, |a, b| a | b)
    }

    /// The number of the fact context of a context.
    pub(super) fn facts(&mut self, ctx: CtxId) -> usize {
        if ctx == CtxId::ROOT {
            return 0;
        }
        if let Some(&f) = self.fact_ctx.get(&ctx) {
            return f;
        }
        let parent = self.facts(self.survey.ctx(ctx).parent);
        let mut conjuncts = Vec::new();
        if let CtxKind::Cond { cond, holds, .. } = self.survey.ctx(ctx).kind {
            self.survey.forms.conjuncts(cond, holds, &mut conjuncts);
        }
        let f = if conjuncts.is_empty() { parent } else { self.add_facts(ctx, parent, &conjuncts) };
        self.fact_ctx.insert(ctx, f);
        f
    }

    fn add_facts(&mut self, ctx: CtxId, parent: usize, conjuncts: &[(NodeId, Rel, NodeId)]) -> usize {
        let mut new = FactCtx { parent, bit: Self::bit(ctx), ..FactCtx::default() };
        for &(l, rel, r) in conjuncts {
            let (il, ir) = (self.inst(l, parent), self.inst(r, parent));
            new.facts.push((il, rel, ir));
            new.about.push((l, rel, ir));
            new.about.push((r, rel.flipped(), il));
            for n in [l, r] {
                self.survey.forms.visit(n, &mut |_, node| {
                    if let Op::Var(v) = node.op {
                        new.vars.push(v);
                    }
                });
            }
        }
        let vars = new.vars.clone();
        self.graph.fact_ctxs.push(new);
        let f = self.graph.fact_ctxs.len() - 1;
        // Before anything else in here: the range of every affine function asks for those of its variables.
        for v in vars {
            self.var(v, f);
        }
        f
    }

    /// The instance of a node in a fact context.
    pub(super) fn inst(&mut self, node: NodeId, f: usize) -> InstId {
        if let Some(&i) = self.memo.get(&(node, f)) {
            return i;
        }
        let n = self.survey.forms.get(node);
        let i = match n.op {
            Op::Const(_) | Op::Sym(_) if f != 0 && !self.mentioned(node, f) => self.inst(node, 0),
            Op::Const(c) => self.push(Formula::Const(c), n.ty, f),
            Op::Sym(s) if f == 0 => self.push(Formula::Sym(s.index()), n.ty, 0),
            Op::Opaque(_) if f == 0 => self.push(Formula::Unknown, n.ty, 0),
            Op::Var(v) => self.var(v, f),
            _ => self.operation(node, f),
        };
        self.memo.insert((node, f), i);
        i
    }

    fn mentioned(&self, node: NodeId, f: usize) -> bool {
        f != 0 && (self.graph.fact_ctxs[f].about.iter().any(|(n, ..)| *n == node) || self.mentioned(node, self.graph.fact_ctxs[f].parent))
    }

    fn operation(&mut self, node: NodeId, f: usize) -> InstId {
        let n = self.survey.forms.get(node);
        let formula = match n.op {
            Op::Neg(a) => Formula::Neg(self.inst(a, f)),
            Op::Not(a) => Formula::Not(self.inst(a, f)),
            Op::Cast(a) => Formula::Cast(self.inst(a, f)),
            Op::Bin(op, a, b) => Formula::Bin(op, self.inst(a, f), self.inst(b, f)),
            Op::Rel(rel, a, b) => Formula::Rel(rel, self.inst(a, f), self.inst(b, f)),
            Op::Const(_) | Op::Sym(_) | Op::Opaque(_) | Op::Var(_) => Formula::Same,
        };
        if f == 0 || self.inside(node, f) {
            return self.push(formula, n.ty, f);
        }
        let up = self.inst(node, self.graph.fact_ctxs[f].parent);
        let facts = self.about(node, f);
        let same = formula == Formula::Same || self.graph.insts[up as usize].formula == formula;
        if facts.is_empty() && same {
            return up;
        }
        let i = self.push(formula, n.ty, f);
        // What a condition says about itself may show that it never holds.
        let bit = if facts.is_empty() { 0 } else { self.graph.fact_ctxs[f].bit };
        let inst = &mut self.graph.insts[i as usize];
        (inst.up, inst.facts, inst.bit) = (Some(up), facts, bit);
        i
    }

    /// Whether a variable of a loop inside the context stands in the node.
    fn inside(&mut self, node: NodeId, f: usize) -> bool {
        let mut vars = Vec::new();
        self.survey.forms.visit(node, &mut |_, n| {
            if let Op::Var(v) = n.op {
                vars.push(v);
            }
        });
        vars.into_iter().any(|v| self.home(v) == f)
    }

    /// The fact context of a variable's loop.
    fn home(&mut self, v: VarId) -> usize {
        match self.loop_ctx.get(&v) {
            Some(&ctx) => self.facts(self.survey.ctx(ctx).parent),
            None => 0,
        }
    }

    fn about(&self, node: NodeId, f: usize) -> Vec<(Rel, InstId)> {
        let about = self.graph.fact_ctxs[f].about.iter();
        about.filter(|(n, ..)| *n == node).map(|(_, rel, other)| (*rel, *other)).collect()
    }

    fn var(&mut self, v: VarId, f: usize) -> InstId {
        let node = self.node_of(v);
        if let Some(&i) = node.and_then(|n| self.memo.get(&(n, f))) {
            return i;
        }
        let home = self.home(v);
        let i = if f == home || f == 0 { self.define(v, f) } else { self.under_facts(v, node, f) };
        if let Some(n) = node {
            self.memo.insert((n, f), i);
        }
        i
    }

    /// The instance of a loop variable.
    pub(super) fn variable(&mut self, v: VarId, f: usize) -> InstId {
        self.var(v, f)
    }

    fn node_of(&self, v: VarId) -> Option<NodeId> {
        self.survey.var_nodes.get(v.index()).copied().flatten()
    }

    fn under_facts(&mut self, v: VarId, node: Option<NodeId>, f: usize) -> InstId {
        let up = self.var(v, self.graph.fact_ctxs[f].parent);
        let facts = node.map(|n| self.about(n, f)).unwrap_or_default();
        if facts.is_empty() && !self.graph.fact_ctxs[f].vars.contains(&v) {
            return up;
        }
        let bit = self.graph.fact_ctxs[f].bit;
        let (ty, slot) = (self.graph.insts[up as usize].ty, self.graph.insts[up as usize].slot);
        let i = self.push(Formula::Same, ty, f);
        let inst = &mut self.graph.insts[i as usize];
        (inst.up, inst.facts, inst.solve, inst.slot, inst.bit) = (Some(up), facts, true, slot, bit);
        i
    }

    fn define(&mut self, v: VarId, f: usize) -> InstId {
        let var = &self.survey.vars[v.index()];
        let (lo, hi) = (self.inst(var.lo, f), self.inst(var.hi, f));
        let dim = (v.index() < self.survey.dims).then_some(v.index());
        let bit = self.loop_ctx.get(&v).map_or(0, |c| Self::bit(*c));
        let (low, high) = (self.mentions_var(var.lo), self.mentions_var(var.hi));
        let inclusive = var.inclusive;
        let mut slot = Slot { var: v, lo, hi, inclusive, dependent: low || high, offset: None };
        if dim.is_none() && low {
            // A range that moves, as `i*n..(i+1)*n`: the offset from its start is the variable.
            let zero = self.push(Formula::Const(0), None, f);
            let span = self.push(Formula::Span(hi, lo), None, f);
            let offset = self.push(Formula::Loop { dim, lo: zero, hi: span, inclusive }, None, f);
            (slot.lo, slot.hi, slot.offset) = (zero, span, Some(offset));
            self.take_slot(offset, bit, slot);
            return self.push(Formula::From(lo, offset), var.ty, f);
        }
        let i = self.push(Formula::Loop { dim, lo, hi, inclusive }, var.ty, f);
        self.take_slot(i, bit, slot);
        i
    }

    fn take_slot(&mut self, i: InstId, bit: u64, slot: Slot) {
        self.graph.insts[i as usize].bit = bit;
        if self.graph.slots.len() < MAX_SLOTS {
            self.graph.insts[i as usize].slot = Some(self.graph.slots.len());
            self.graph.dependent |= slot.dependent;
            self.graph.slots.push(slot);
        }
    }

    fn mentions_var(&self, node: NodeId) -> bool {
        let mut found = false;
        self.survey.forms.visit(node, &mut |_, n| found |= matches!(n.op, Op::Var(_)));
        found
    }

    fn push(&mut self, formula: Formula, ty: Option<Prim>, fact_ctx: usize) -> InstId {
        self.graph.insts.push(Inst {
            formula,
            ty,
            slot: None,
            up: None,
            facts: Vec::new(),
            solve: false,
            fact_ctx,
            bit: 0,
        });
        u32::try_from(self.graph.insts.len() - 1).expect("few instances")
    }

    /// The finished graph.
    pub(super) fn finish(mut self) -> Graph {
        let slots = self.graph.slots.len();
        let mut ranges = vec![NONE; self.graph.fact_ctxs.len() * slots];
        for f in 0..self.graph.fact_ctxs.len() {
            for s in 0..slots {
                let own = self.node_of(self.graph.slots[s].var).and_then(|n| self.memo.get(&(n, f)));
                // Contexts stand after those around them.
                let around = if f == 0 { NONE } else { ranges[self.graph.fact_ctxs[f].parent * slots + s] };
                let own = self.graph.slots[s].offset.or(own.copied());
                ranges[f * slots + s] = own.unwrap_or(around);
            }
        }
        self.graph.ranges = ranges;
        self.graph
    }
}
