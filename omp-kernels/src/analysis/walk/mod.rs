//! The traversal that makes a [`Survey`]: statements, loops and conditions, and what they touch.
mod leaving;
mod touches;

use crate::analysis::form::{Arith, NodeId, Op, VarId};
use crate::analysis::survey::{
    Adapt, BoundCheck, Ctx, CtxId, CtxKind, InnerNest, Known, Limit, LoopVar, Oracle, Step, Subscript, Survey,
};
use crate::analysis::value::Value;
use crate::ir::desc::Prim;
use crate::ir::ids::{AccessId, ArrayId, ExprId, LabelId, LocalId, SrcId};
use crate::ir::template::{
    Adaptor, ArrayParam, Base, Block, Check, Code, Dim, Expr, Inner, KernelTemplate, Level, LocalKind, Place,
    Projection, Range, ScalarParam, Stmt,
};
use leaving::{Diverges, count_definitions, diverges, may_leave, may_leave_beyond};
use std::collections::{HashMap, HashSet};

/// Surveys a region's body: `code` is the template's, or the typed kernel's when the oracle has types.
pub(crate) fn survey<O: Oracle>(template: &KernelTemplate, code: &Code, oracle: O) -> Survey {
    let mut defs = vec![0; code.locals.len()];
    count_definitions(code, &code.block, &mut defs);
    let mut walker = Walker {
        code,
        arrays: &template.arrays,
        scalars: &template.scalars,
        oracle,
        out: Survey { dims: template.dims.len(), ..Survey::default() },
        env: HashMap::new(),
        defs,
        declared: HashMap::new(),
        loops: vec![0],
        next_loop: 1,
        ctx: CtxId::ROOT,
        checked: HashSet::new(),
        opening: Vec::new(),
        atomic: false,
        first: false,
    };
    walker.out.ctxs.push(Ctx { parent: CtxId::ROOT, kind: CtxKind::Root });
    for (d, dim) in template.dims.iter().enumerate() {
        walker.dim(d, dim);
    }
    for (at, stmt) in code.block.0.iter().enumerate() {
        // The block that a scan's first iteration alone runs comes second, as kernels of scans have it.
        walker.first = template.scan && at == 1 && matches!(stmt, Stmt::Labelled { .. });
        walker.stmt_of(&code.block, at);
    }
    walker.out
}

/// The state of the traversal.
#[derive(Debug)]
pub(super) struct Walker<'a, O> {
    pub(super) code: &'a Code,
    pub(super) arrays: &'a [ArrayParam],
    pub(super) scalars: &'a [ScalarParam],
    pub(super) oracle: O,
    pub(super) out: Survey,
    /// Locals whose value is understood here.
    pub(super) env: HashMap<LocalId, Value>,
    /// How often each local is given a value.
    pub(super) defs: Vec<u32>,
    /// In which loop each local is declared.
    declared: HashMap<LocalId, u32>,
    /// The loops around, by number.
    loops: Vec<u32>,
    next_loop: u32,
    ctx: CtxId,
    /// Subscripts whose check has been seen.
    checked: HashSet<AccessId>,
    /// The inner nest whose loops come next.
    opening: Vec<Opening>,
    /// What is touched is accessed atomically.
    atomic: bool,
    /// What is touched, the first iteration alone touches.
    first: bool,
}

/// A temporary for `lhs && rhs` or `lhs || rhs`.
struct Joined {
    local: LocalId,
    lhs: ExprId,
    op: Arith,
    rhs: ExprId,
}

/// An inner nest of which not all loops have been met.
#[derive(Debug)]
struct Opening {
    level: Level,
    loops: u32,
    vars: Vec<VarId>,
    around: Vec<VarId>,
    reduces: Vec<ArrayId>,
    src: SrcId,
}

impl<O: Oracle> Walker<'_, O> {
    fn dim(&mut self, d: usize, dim: &Dim) {
        let ty = match self.oracle.local(dim.var) {
            Known::Prim(p) => Some(p),
            Known::NotYet | Known::Other => None,
        };
        let var = self.loop_var(dim.var, &dim.range, ty, Some(d));
        // What the host evaluates is a number at launch, understood or not.
        if dim.host && !self.oracle.typed() {
            for end in [false, true] {
                let node = if end { self.out.vars[var.index()].hi } else { self.out.vars[var.index()].lo };
                if self.mentions_opaque(node) {
                    let name = format!("dim {d} {end}");
                    let sym = self.out.forms.sym(super::form::Sym::Free(name), "the loop's bound", ty);
                    let v = &mut self.out.vars[var.index()];
                    *(if end { &mut v.hi } else { &mut v.lo }) = sym;
                }
            }
        }
        let node = self.var_node(var, ty);
        if self.defs[dim.var.index()] == 0 {
            self.env.insert(dim.var, Value::Node(node));
        }
    }

    fn mentions_opaque(&self, node: NodeId) -> bool {
        let mut found = false;
        self.out.forms.visit(node, &mut |_, n| found |= matches!(n.op, Op::Opaque(_)));
        found
    }

    fn loop_var(&mut self, local: LocalId, range: &Range, ty: Option<Prim>, dim: Option<usize>) -> VarId {
        let opaque = |w: &mut Self| w.out.forms.opaque("the loop's bound is not understood".into(), ty);
        let lo = self.bound(range.lo, opaque);
        let hi = self.bound(range.hi, opaque);
        let mut adaptors = Vec::new();
        for a in &range.adaptors {
            adaptors.push(match *a {
                Adaptor::Rev => Adapt::Rev,
                Adaptor::StepBy(Some(s)) => Adapt::By(self.node(s)),
                Adaptor::StepBy(None) => {
                    let name = format!("step {dim:?}");
                    Adapt::By(self.out.forms.sym(super::form::Sym::Free(name), "the step", None))
                }
            });
        }
        let name = self.code.locals[local.index()].name.clone();
        self.push_var(LoopVar { name, ty, lo, hi, inclusive: range.inclusive, adaptors, real: true })
    }

    fn push_var(&mut self, var: LoopVar) -> VarId {
        self.out.vars.push(var);
        self.out.var_nodes.push(None);
        VarId(u32::try_from(self.out.vars.len() - 1).expect("few loops"))
    }

    fn push_ctx(&mut self, kind: CtxKind) {
        self.out.ctxs.push(Ctx { parent: self.ctx, kind });
        self.ctx = CtxId(u32::try_from(self.out.ctxs.len() - 1).expect("few conditions"));
    }

    fn block(&mut self, block: &Block) {
        let before = self.ctx;
        for at in 0..block.0.len() {
            self.stmt_of(block, at);
        }
        self.ctx = before;
    }

    /// A statement of a block. `a && b` whose right side needs statements of its own is a temporary that has the value of
    /// `a`, and that of `b` where this has to be asked.
    fn stmt_of(&mut self, block: &Block, at: usize) {
        let stmt = &block.0[at];
        let Some(Joined { local, lhs, op, rhs }) =
            at.checked_sub(1).and_then(|b| self.joined(&block.0[b], stmt))
        else {
            return self.stmt(stmt);
        };
        let lhs = self.truth(lhs);
        self.env.insert(local, Value::Node(lhs));
        self.stmt(stmt);
        let rhs = self.truth(rhs);
        let both = self.bin(op, lhs, rhs, Some(Prim::Bool));
        self.env.insert(local, Value::Node(both));
    }

    fn joined(&self, first: &Stmt, second: &Stmt) -> Option<Joined> {
        let (Stmt::Let { local, init: Some(lhs) }, Stmt::If { cond, then, els }) = (first, second) else {
            return None;
        };
        let place = Place { base: Base::Local(*local), projections: Vec::new() };
        let temporary =
            self.code.locals[local.index()].kind == LocalKind::Temp && self.defs[local.index()] == 2;
        if !temporary || self.code.exprs[cond.index()].expr != Expr::Load(place.clone()) {
            return None;
        }
        let (op, side) = match (then.0.is_empty(), els.0.is_empty()) {
            (false, true) => (Arith::And, then),
            (true, false) => (Arith::Or, els),
            _ => return None,
        };
        match side.0.last() {
            Some(Stmt::Assign { place: to, value, src: _ }) if *to == place => {
                Some(Joined { local: *local, lhs: *lhs, op, rhs: *value })
            }
            _ => None,
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { local, init } => {
                self.declared.insert(*local, *self.loops.last().expect("never empty"));
                if let Some(init) = init {
                    self.visit(*init);
                    self.bind(*local, *init);
                }
            }
            Stmt::Assign { place, value, src } => {
                self.visit(*value);
                self.touch_place(place, *src, true);
                if let (Base::Local(l), []) = (place.base, place.projections.as_slice()) {
                    self.bind(l, *value);
                }
            }
            Stmt::Eval(e) => self.visit(*e),
            Stmt::Atomic { place, old: _, new, update, src } => {
                self.visit_projections(place);
                self.atomic = true;
                self.touch_place(place, *src, new.is_some());
                self.atomic = false;
                self.block(update);
            }
            Stmt::If { cond, then, els } => self.branch(*cond, then, els),
            Stmt::For { var, range, body, label, src: _ } => self.counted(*var, range, body, *label),
            Stmt::Loop { body, label } => {
                let before =
                    self.enter(CtxKind::Opaque { reason: "inside a loop that is not counted".into() });
                self.block(body);
                self.leave(before);
                self.after_leaving(body, *label);
            }
            Stmt::Labelled { body, label } => {
                self.block(body);
                self.after_leaving(body, *label);
            }
            Stmt::Inner(inner) => self.inner(inner),
            Stmt::Break(_) | Stmt::Continue(_) | Stmt::Return(_) => {
                if let Stmt::Return(Some(e)) = stmt {
                    self.visit(*e);
                }
                // What follows in this block is never reached.
                self.push_ctx(CtxKind::Opaque { reason: "in dead code".into() });
            }
            Stmt::Check { check, src: _ } => self.check(check),
        }
    }

    /// Enters a loop's body.
    fn enter(&mut self, kind: CtxKind) -> CtxId {
        let before = self.ctx;
        self.push_ctx(kind);
        self.loops.push(self.next_loop);
        self.next_loop += 1;
        before
    }

    fn leave(&mut self, before: CtxId) {
        self.ctx = before;
        self.loops.pop();
    }

    /// What follows a statement that may have left something around it.
    fn after_leaving(&mut self, body: &Block, label: LabelId) {
        if may_leave(body, &mut vec![label]) {
            self.push_ctx(CtxKind::Opaque {
                reason: "after something that may end the iteration early".into(),
            });
        }
    }

    fn counted(&mut self, var: LocalId, range: &Range, body: &Block, label: LabelId) {
        let step = range.adaptors.iter().map(|a| match a {
            Adaptor::Rev => None,
            Adaptor::StepBy(s) => *s,
        });
        for e in [range.lo, range.hi].into_iter().chain(step).flatten() {
            self.visit(e);
        }
        let ty = match self.oracle.local(var) {
            Known::Prim(p) => Some(p),
            Known::NotYet | Known::Other => None,
        };
        let v = self.loop_var(var, range, ty, None);
        let node = self.var_node(v, ty);
        // A `continue` of this loop ends one of its iterations, anything else the loop.
        let before = self.enter(CtxKind::Loop { var: v, cut: may_leave_beyond(body, label) });
        self.opened(v);
        if self.defs[var.index()] == 0 {
            self.env.insert(var, Value::Node(node));
        }
        self.block(body);
        self.env.remove(&var);
        self.leave(before);
        self.after_leaving(body, label);
    }

    /// A nest whose iterations are to be told apart as well.
    fn inner(&mut self, inner: &Inner) {
        inner.threads.iter().chain(&inner.when).for_each(|e| self.visit(*e));
        let around = self.out.loops_around(self.ctx);
        let Inner { level, loops, src, .. } = *inner;
        let reduces = inner.arrays.clone();
        self.opening.push(Opening { level, loops, vars: Vec::new(), around, reduces, src });
        self.block(&inner.body);
    }

    /// The loop that has just been entered may be one of an inner nest's.
    fn opened(&mut self, var: VarId) {
        let Some(mut open) = self.opening.pop() else { return };
        open.vars.push(var);
        if open.vars.len() < open.loops as usize {
            self.opening.push(open);
            return;
        }
        let Opening { level, loops: _, vars, around, reduces, src } = open;
        self.out.inners.push(InnerNest { level, vars, around, ctx: self.ctx, reduces, src });
    }

    fn branch(&mut self, cond: ExprId, then: &Block, els: &Block) {
        self.visit(cond);
        let cond = self.node(cond);
        let before = self.ctx;
        self.push_ctx(CtxKind::Cond { cond, holds: true, asserted: false });
        self.block(then);
        self.ctx = before;
        if !els.0.is_empty() {
            self.push_ctx(CtxKind::Cond { cond, holds: false, asserted: false });
            self.block(els);
            self.ctx = before;
        }
        match (diverges(then), diverges(els)) {
            (None, None) => {
                let mut inside = Vec::new();
                if may_leave(then, &mut inside) || may_leave(els, &mut inside) {
                    let reason = "after something that may end the iteration early".into();
                    self.push_ctx(CtxKind::Opaque { reason });
                }
            }
            (Some(d), None) => self.after_branch(cond, false, d, els),
            (None, Some(d)) => self.after_branch(cond, true, d, then),
            // What follows is never reached.
            (Some(_), Some(_)) => self.push_ctx(CtxKind::Opaque { reason: "in dead code".into() }),
        }
    }

    /// What follows an `if` of which one side does not come back.
    fn after_branch(&mut self, cond: NodeId, holds: bool, how: Diverges, other: &Block) {
        self.push_ctx(CtxKind::Cond { cond, holds, asserted: how == Diverges::ByFailure });
        if may_leave(other, &mut Vec::new()) {
            self.push_ctx(CtxKind::Opaque {
                reason: "after something that may end the iteration early".into(),
            });
        }
    }

    /// Remembers the value of a local that has only one.
    fn bind(&mut self, local: LocalId, value: ExprId) {
        let here = self.loops.last();
        // Declared in another loop: a read may see the value of an earlier iteration.
        if self.defs[local.index()] != 1 || self.declared.get(&local) != here {
            return;
        }
        let value = match self.value(value) {
            Value::Other(reason) => match self.oracle.local(local) {
                Known::NotYet => Value::Node(self.out.forms.opaque(reason, None)),
                Known::Prim(p) => Value::Node(self.out.forms.opaque(reason, Some(p))),
                Known::Other => Value::Other(reason),
            },
            value => value,
        };
        self.env.insert(local, value);
    }

    fn check(&mut self, check: &Check) {
        match check {
            Check::Bounds { access, base, index } => {
                self.visit_projections(base);
                self.visit(*index);
                self.record(*access, base, *index);
            }
            Check::Slice { access, base, lo, hi, last } => {
                self.visit_projections(base);
                for e in [lo, last, hi].into_iter().flatten() {
                    self.visit(*e);
                }
                self.record_slice(*access, base, *lo, *hi);
            }
            Check::Divide { access, rem: _, lhs, rhs } => {
                self.visit(*lhs);
                self.visit(*rhs);
                self.record_divisor(*access, Some(*lhs), *rhs);
            }
            Check::Panic { access, message: _, args } => {
                for a in args {
                    self.visit(*a);
                }
                if let (Some(access), true) = (*access, self.oracle.typed()) {
                    let (subscript, limit) = (Subscript::Nowhere, Limit::Unknown);
                    self.out.checks.push(BoundCheck { access, subscript, limit, ctx: self.ctx });
                }
            }
            Check::Claim { index, to, access: _, array: _ } => {
                self.visit(*index);
                to.iter().for_each(|e| self.visit(*e));
            }
            Check::Step { access, step } => {
                self.visit(*step);
                self.record_divisor(*access, None, *step);
            }
        }
    }

    fn limit(&mut self, base: &Place, e: ExprId) -> Limit {
        match (base.base, base.projections.as_slice()) {
            (Base::Array(a), []) => Limit::Array(a),
            _ => {
                let len = self.len_of(base, e);
                match self.out.forms.get(len).op {
                    Op::Opaque(_) => Limit::Unknown,
                    _ => Limit::Known(len),
                }
            }
        }
    }

    fn record(&mut self, access: AccessId, base: &Place, index: ExprId) {
        if self.checked.insert(access) {
            let at = self.node(index);
            let limit = self.limit(base, index);
            let subscript = Subscript::At(at);
            self.out.checks.push(BoundCheck { access, subscript, limit, ctx: self.ctx });
        }
    }

    /// A divisor that may not be zero, nor -1 for the least dividend; a step has no dividend.
    fn record_divisor(&mut self, access: Option<AccessId>, lhs: Option<ExprId>, rhs: ExprId) {
        let Some(access) = access.filter(|_| matches!(self.oracle.expr(rhs), Known::Prim(p) if p.is_int()))
        else {
            return;
        };
        let by = self.node(rhs);
        let of = lhs.map(|e| self.node(e));
        let subscript = Subscript::Divisor { of, by };
        self.out.checks.push(BoundCheck { access, subscript, limit: Limit::Unknown, ctx: self.ctx });
    }

    fn record_slice(&mut self, access: AccessId, base: &Place, lo: Option<ExprId>, hi: Option<ExprId>) {
        if self.checked.insert(access) {
            let (from, to) = self.slice_ends(base, lo, hi);
            let limit = self.limit(base, ExprId(u32::MAX));
            let subscript = Subscript::Range(from, to);
            self.out.checks.push(BoundCheck { access, subscript, limit, ctx: self.ctx });
        }
    }

    fn slice_ends(&mut self, base: &Place, lo: Option<ExprId>, hi: Option<ExprId>) -> (NodeId, NodeId) {
        let lo = self.bound(lo, |w| w.usize_const(0));
        let hi = self.bound(hi, |w| w.len_of(base, ExprId(u32::MAX)));
        (lo, hi)
    }

    /// Records what an expression touches.
    fn visit(&mut self, e: ExprId) {
        let node = &self.code.exprs[e.index()];
        match &node.expr {
            Expr::Unit
            | Expr::Int { .. }
            | Expr::Float { .. }
            | Expr::Bool(_)
            | Expr::None { .. }
            | Expr::Thread(_)
            | Expr::SizeOf { .. } => {}
            Expr::Load(place) => self.touch_place(place, node.src, false),
            Expr::Borrow(place) => self.touch_borrowed(place, node.src),
            Expr::Len(place) => self.visit_projections(place),
            Expr::Slice { base, lo, hi, access, mutable } => {
                self.visit_projections(base);
                for e in [lo, hi].into_iter().flatten() {
                    self.visit(*e);
                }
                self.touch_slice(base, (*lo, *hi), *access, node.src, *mutable);
            }
            Expr::Unary(_, a) | Expr::IsSome(a) => self.visit(*a),
            Expr::Cast { value, .. } | Expr::Some { value, .. } | Expr::Repeat { value, .. } => {
                self.visit(*value);
            }
            Expr::Binary(_, a, b) => {
                self.visit(*a);
                self.visit(*b);
            }
            Expr::Call { args, .. } => args.iter().for_each(|a| self.visit(*a)),
            Expr::Struct { fields, rest, slot: _ } => {
                fields.iter().for_each(|(_, v)| self.visit(*v));
                rest.iter().for_each(|r| self.visit(*r));
            }
            Expr::Array { elems, slot: _ } => elems.iter().for_each(|v| self.visit(*v)),
        }
    }

    fn visit_projections(&mut self, place: &Place) {
        for p in &place.projections {
            match p {
                Projection::Index { index, access: _ } => self.visit(*index),
                Projection::Field(_) | Projection::Payload => {}
            }
        }
    }

    /// The array behind a place and the path into it; checks that were not seen before are recorded on the way.
    fn path(&mut self, place: &Place) -> Vec<(Step, Option<AccessId>)> {
        let mut path = Vec::new();
        let mut prefix = Place { base: place.base, projections: Vec::new() };
        for p in &place.projections {
            match p {
                Projection::Index { index, access } => {
                    self.record(*access, &prefix, *index);
                    path.push((Step::Index(self.node(*index)), Some(*access)));
                }
                Projection::Field(name) => {
                    let at = self.out.fields.iter().position(|f| f == name).unwrap_or_else(|| {
                        self.out.fields.push(name.clone());
                        self.out.fields.len() - 1
                    });
                    path.push((Step::Field(u32::try_from(at).expect("few fields")), None));
                }
                Projection::Payload => {}
            }
            prefix.projections.push(p.clone());
        }
        path
    }
}
