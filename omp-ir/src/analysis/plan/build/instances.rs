//! Building the graph of a launch's formulas: one instance of a node for each context of conditions that constrains it.
use super::graph::{FactCtx, Formula, Graph, Inst, InstId, MAX_SLOTS, NONE, Slot};
use crate::analysis::form::{NodeId, Op, Rel, VarId};
use crate::analysis::survey::{CtxId, CtxKind, Survey};
use crate::desc::Prim;
use std::collections::HashMap;

/// Makes a [`Graph`].
pub(in crate::analysis::plan) struct GraphBuilder<'a> {
    survey: &'a Survey,
    graph: Graph,
    memo: HashMap<(NodeId, usize), InstId>,
    /// By context of the survey.
    fact_ctx: HashMap<CtxId, usize>,
    /// By variable: the context of its loop.
    loop_ctx: HashMap<VarId, CtxId>,
    /// By condition of a value, whether it holds, and the context around: that of one of the values.
    chosen: HashMap<(NodeId, bool, usize), usize>,
}

impl<'a> GraphBuilder<'a> {
    pub(in crate::analysis::plan) fn new(survey: &'a Survey) -> Self {
        let mut loop_ctx = HashMap::new();
        for (i, ctx) in survey.ctxs.iter().enumerate() {
            if let CtxKind::Loop { var, cut: _ } = ctx.kind {
                loop_ctx.insert(var, CtxId(u32::try_from(i).expect("few contexts")));
            }
        }
        let graph = Graph { fact_ctxs: vec![FactCtx::default()], ..Graph::default() };
        let (memo, fact_ctx, chosen) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut builder = Self { survey, graph, memo, fact_ctx, loop_ctx, chosen };
        for d in 0..survey.dims {
            builder.var(VarId(u32::try_from(d).expect("few dimensions")), 0);
        }
        builder
    }

    /// The bit of a context among the dead ones.
    pub(in crate::analysis::plan) fn bit(ctx: CtxId) -> u64 {
        if ctx == CtxId::ROOT { 0 } else { 1u64.checked_shl(ctx.0).unwrap_or(0) }
    }

    /// The bits of a context and all around it.
    pub(in crate::analysis::plan) fn bits(&self, ctx: CtxId) -> u64 {
        self.survey.chain(ctx).into_iter().map(Self::bit).fold(0, |a, b| a | b)
    }

    /// The number of the fact context of a context.
    pub(in crate::analysis::plan) fn facts(&mut self, ctx: CtxId) -> usize {
        if ctx == CtxId::ROOT {
            return 0;
        }
        if let Some(&f) = self.fact_ctx.get(&ctx) {
            return f;
        }
        let parent = self.facts(self.survey.ctx(ctx).parent);
        let f = match self.survey.ctx(ctx).kind {
            CtxKind::Cond { cond, holds, .. } => self.where_(cond, holds, parent, Self::bit(ctx)),
            CtxKind::Root | CtxKind::Loop { .. } | CtxKind::Opaque { .. } => parent,
        };
        self.fact_ctx.insert(ctx, f);
        f
    }

    /// The fact context in which a condition has a value.
    fn where_(&mut self, cond: NodeId, holds: bool, parent: usize, bit: u64) -> usize {
        let forms = &self.survey.forms;
        let mut conjuncts = Vec::new();
        forms.conjuncts(cond, holds, &mut conjuncts);
        conjuncts.retain(|(l, _, r)| !forms.is_float(*l) && !forms.is_float(*r));
        if conjuncts.is_empty() { parent } else { self.add_facts(bit, parent, &conjuncts) }
    }

    /// That of a value which is only taken where a condition holds, or does not: of one that it says something of.
    fn chosen(&mut self, (cond, holds): (NodeId, bool), value: NodeId, parent: usize) -> usize {
        let mut conjuncts = Vec::new();
        self.survey.forms.conjuncts(cond, holds, &mut conjuncts);
        let mut concerned = false;
        self.survey.forms.visit(value, &mut |n, _| {
            concerned |= conjuncts.iter().any(|(l, _, r)| *l == n || *r == n);
        });
        if !concerned {
            return parent;
        }
        if let Some(&f) = self.chosen.get(&(cond, holds, parent)) {
            return f;
        }
        let f = self.where_(cond, holds, parent, 0);
        self.chosen.insert((cond, holds, parent), f);
        f
    }

    /// Takes what the condition of a context says of its operands into account, so that it shows if that can't be.
    pub(super) fn limits(&mut self, ctx: CtxId, f: usize) {
        let mut conjuncts = Vec::new();
        if let CtxKind::Cond { cond, holds, .. } = self.survey.ctx(ctx).kind {
            self.survey.forms.conjuncts(cond, holds, &mut conjuncts);
        }
        for (l, _, r) in conjuncts {
            self.inst(l, f);
            self.inst(r, f);
        }
    }

    fn add_facts(&mut self, bit: u64, parent: usize, conjuncts: &[(NodeId, Rel, NodeId)]) -> usize {
        let mut new = FactCtx { parent, bit, ..FactCtx::default() };
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
        // First of all: the range of an affine function needs the ranges of its variables.
        for v in vars {
            self.var(v, f);
        }
        f
    }

    /// The instance of a node in a fact context.
    pub(in crate::analysis::plan) fn inst(&mut self, node: NodeId, f: usize) -> InstId {
        if let Some(&i) = self.memo.get(&(node, f)) {
            return i;
        }
        let n = self.survey.forms.get(node);
        let i = match n.op {
            Op::Const(_) | Op::Sym(_) if f != 0 && !self.mentioned(node, f) => self.inst(node, 0),
            Op::Const(c) => self.push(Formula::Const(c), n.ty, f),
            Op::Sym(s) if f == 0 => self.push(Formula::Sym(s.index()), n.ty, 0),
            Op::Opaque(_) | Op::Method(..) | Op::Carried(..) | Op::After(..) if f == 0 => {
                self.push(Formula::Unknown, n.ty, 0)
            }
            Op::Var(v) => self.var(v, f),
            _ => self.operation(node, f),
        };
        self.memo.insert((node, f), i);
        i
    }

    fn mentioned(&self, node: NodeId, f: usize) -> bool {
        f != 0
            && (self.graph.fact_ctxs[f].about.iter().any(|(n, ..)| *n == node)
                || self.mentioned(node, self.graph.fact_ctxs[f].parent))
    }

    fn operation(&mut self, node: NodeId, f: usize) -> InstId {
        let n = self.survey.forms.get(node);
        let formula = match n.op {
            Op::Neg(a) => Formula::Neg(self.inst(a, f)),
            Op::Not(a) => Formula::Not(self.inst(a, f)),
            Op::Cast(a) => Formula::Cast(self.inst(a, f)),
            Op::Bin(op, a, b) => Formula::Bin(op, self.inst(a, f), self.inst(b, f)),
            Op::Rel(rel, a, b) => Formula::Rel(rel, self.inst(a, f), self.inst(b, f)),
            Op::Select(c, a, b) => {
                let (holds, fails) = (self.chosen((c, true), a, f), self.chosen((c, false), b, f));
                Formula::Select(self.inst(c, f), self.inst(a, holds), self.inst(b, fails))
            }
            Op::Const(_)
            | Op::Sym(_)
            | Op::Opaque(_)
            | Op::Var(_)
            | Op::Method(..)
            | Op::Carried(..)
            | Op::After(..) => Formula::Same,
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

    /// Whether the node contains a variable of a loop inside the context.
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
    pub(in crate::analysis::plan) fn variable(&mut self, v: VarId, f: usize) -> InstId {
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
        if dim.is_none() && low && high {
            // A range that moves, as `i*n..(i+1)*n`: the offset from its start is the variable.
            let zero = self.push(Formula::Const(0), None, f);
            let span = self.push(Formula::Span(hi, lo), None, f);
            let offset = self.push(Formula::Loop { dim, lo: zero, hi: span, inclusive }, None, f);
            (slot.lo, slot.hi, slot.offset) = (zero, span, Some(offset));
            self.take_slot(offset, bit, slot);
            return self.push(Formula::From { lo, offset, hi, inclusive }, var.ty, f);
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
