//! The traversal that makes a [`Survey`]: statements, loops, conditions and accesses.
//!
//! The traversal executes the body symbolically: `env` holds the value of each local at the current statement. After an `if`, a
//! local that both branches assign has one of two values, chosen by the condition ([`Op::Select`]). Where control flow joins in
//! other ways (the start and the end of a loop, the end of a labelled block), locals that may have been assigned are unknown.
mod computed;
mod induction;
mod inline;
mod touches;

use crate::analysis::form::{Arith, Fold, FoldId, NodeId, Op, VarId};
use crate::analysis::survey::{
    Adapt, BoundCheck, Branch, Checked, Ctx, CtxId, CtxKind, InnerNest, Known, Limit, LoopVar, Oracle, Step,
    Subscript, Survey,
};
use crate::analysis::value::Value;
use crate::desc::Prim;
use crate::flow::early_exit::{Diverges, breaks, diverges, may_leave, may_leave_beyond};
use crate::flow::{effects, slices};
use crate::ids::{AccessId, ArrayId, ExprId, LabelId, LocalId, SrcId};
use crate::template::{
    Adaptor, ArrayParam, Base, BinOp, Block, Check, Code, Dim, Expr, Inner, KernelTemplate, Level, LocalKind,
    Place, Projection, Range, ScalarParam, Stmt, UnOp,
};
use crate::visit;
use inline::Frame;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Surveys a region's body: `code` is the template's, or the typed kernel's when the oracle has types.
pub(crate) fn survey<'a, O: Oracle<'a>>(template: &'a KernelTemplate, code: &'a Code, oracle: O) -> Survey {
    let mut walker = Walker {
        code,
        arrays: &template.arrays,
        scalars: &template.scalars,
        oracle,
        out: Survey { dims: template.dims.len(), ..Survey::default() },
        env: HashMap::new(),
        assigned: may_assign(code),
        short: BTreeSet::new(),
        measured: slices::measured(code),
        ctx: CtxId::ROOT,
        checked: HashSet::new(),
        opening: Vec::new(),
        atomic: false,
        first: false,
        folding: false,
        executed: 0,
        frame: None,
        slices: slices::written_in_nests(code),
        declared: Vec::new(),
        nests: 0,
    };
    walker.out.ctxs.push(Ctx { parent: CtxId::ROOT, kind: CtxKind::Root });
    for (d, dim) in template.dims.iter().enumerate() {
        walker.dim(d, dim);
    }
    let seed = template.scan.map(|scan| scan.seed);
    for stmt in &code.block.0 {
        walker.first = matches!(stmt, Stmt::Labelled { label, .. } if Some(*label) == seed);
        walker.stmt(stmt);
    }
    walker.out.touches.sort_by_key(|touch| touch.part.is_some());
    walker.out
}

/// By local: something in the body may give it a value.
fn may_assign(code: &Code) -> Vec<bool> {
    let mut mutable = vec![false; code.locals.len()];
    effects::assigned(code, &code.block).into_iter().for_each(|l| mutable[l.index()] = true);
    mutable
}

/// The state of the traversal.
#[derive(Debug)]
pub(super) struct Walker<'a, O> {
    pub(super) code: &'a Code,
    pub(super) arrays: &'a [ArrayParam],
    pub(super) scalars: &'a [ScalarParam],
    pub(super) oracle: O,
    pub(super) out: Survey,
    /// The values of locals at the current statement, as far as they are understood.
    pub(super) env: HashMap<LocalId, Value>,
    /// By local: something in the body may give it a value.
    pub(super) assigned: Vec<bool>,
    /// The variables whose values may be [computed](crate::analysis::survey::Computed) in 32 bits.
    short: BTreeSet<LocalId>,
    /// Slices that checks alone name.
    measured: BTreeSet<LocalId>,
    ctx: CtxId,
    /// Subscripts whose check has been seen.
    checked: HashSet<AccessId>,
    /// The inner nest whose loops come next.
    opening: Vec<Opening>,
    /// The accesses are atomic.
    atomic: bool,
    /// Only the first iteration makes the accesses.
    first: bool,
    /// A loop around computes numbers. What a loop inside of it computes is not followed: at each point, that would take the time of
    /// both loops.
    folding: bool,
    /// Statements of device functions that were executed.
    executed: usize,
    /// The call that is being executed: of a device function, nothing is recorded but its result.
    frame: Option<Frame>,
    /// The slices through which inner nests write, and their arrays.
    slices: BTreeMap<LocalId, ArrayId>,
    /// Those of them that are declared so far.
    declared: Vec<LocalId>,
    /// How many inner nests are around.
    nests: usize,
}

/// An inner nest of which the walk has not reached all loops.
#[derive(Debug)]
struct Opening {
    level: Level,
    loops: u32,
    vars: Vec<VarId>,
    around: Vec<VarId>,
    reduces: Vec<ArrayId>,
    slices: Vec<LocalId>,
    src: SrcId,
}

impl<'a, O: Oracle<'a>> Walker<'a, O> {
    fn dim(&mut self, d: usize, dim: &Dim) {
        let ty = self.local_ty(dim.var);
        // The device evaluates bounds that depend on other loops.
        if !dim.host {
            let code = self.code;
            for end in [dim.range.lo, dim.range.hi].into_iter().flatten() {
                visit::each_expr(code, end, &mut |e| self.operator(e));
            }
        }
        let var = self.loop_var(dim.var, &dim.range, ty, Some(d));
        // An expression that the host evaluates is a number at the launch, whether the analysis understands it or not.
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
        self.env.insert(dim.var, Value::Node(node));
    }

    fn local_ty(&self, local: LocalId) -> Option<Prim> {
        match self.oracle.local(local) {
            Known::Prim(p) => Some(p),
            Known::NotYet | Known::Other => None,
        }
    }

    fn mentions_opaque(&self, node: NodeId) -> bool {
        let mut found = false;
        self.out.forms.visit(node, &mut |_, n| found |= matches!(n.op, Op::Opaque(_)));
        found
    }

    fn loop_var(&mut self, local: LocalId, range: &Range, ty: Option<Prim>, dim: Option<usize>) -> VarId {
        let opaque = |w: &mut Self| w.out.forms.opaque("the loop's bound can't be analysed".into(), ty);
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
        let local = self.frame.is_none().then_some(local);
        self.push_var(LoopVar { name, ty, lo, hi, inclusive: range.inclusive, adaptors, local })
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

    /// The place in another one under a condition; the same each time.
    fn under_condition(&mut self, parent: CtxId, cond: NodeId, holds: bool) -> CtxId {
        let ctx = Ctx { parent, kind: CtxKind::Cond { cond, holds, asserted: false } };
        let at = self.out.ctxs.iter().position(|known| *known == ctx).unwrap_or_else(|| {
            self.out.ctxs.push(ctx);
            self.out.ctxs.len() - 1
        });
        CtxId(u32::try_from(at).expect("few conditions"))
    }

    fn block(&mut self, block: &Block) {
        let before = self.ctx;
        for stmt in &block.0 {
            self.stmt(stmt);
        }
        self.ctx = before;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        // What a call changes may be changed before or after the other operands are read.
        self.forget_borrowed(stmt);
        match stmt {
            Stmt::Let { local, init } => match init {
                Some(init) => {
                    self.declared(*local, *init);
                    self.computed_variable(*local, *init);
                    self.bind(*local, *init);
                }
                None => {
                    self.env.remove(local);
                }
            },
            Stmt::Assign { place, value, src } => {
                self.visit(*value);
                self.touch_place(place, *src, true);
                match (place.base, place.projections.as_slice()) {
                    (Base::Local(l), []) => self.bind(l, *value),
                    // (The length of a slice stays, whatever is stored to its elements.)
                    (Base::Local(l), _) if self.code.locals[l.index()].kind == LocalKind::Slice => {}
                    (Base::Local(l), _) => self.forget([l]),
                    (Base::Array(_) | Base::Scalar(_) | Base::Const(_), _) => {}
                }
            }
            Stmt::Eval(e) => self.visit(*e),
            Stmt::Atomic { place, old, new, update, src } => {
                self.visit_projections(place);
                self.atomic = true;
                self.touch_place(place, *src, new.is_some());
                self.atomic = false;
                self.forget(std::iter::once(*old).chain(*new));
                self.block(update);
                self.forget(*new);
            }
            Stmt::If { cond, then, els } => self.branch(*cond, then, els),
            Stmt::For { var, range, body, label, src: _ } => self.counted(*var, range, body, *label),
            Stmt::Loop { body, label } => {
                self.forget_assigned(body);
                let before = self.ctx;
                self.push_ctx(CtxKind::Opaque { reason: "inside a loop that is not counted".into() });
                self.under(None, |w| w.block(body));
                self.ctx = before;
                self.forget_assigned(body);
                self.after_leaving(body, *label);
            }
            Stmt::Labelled { body, label } => {
                if breaks(body, *label) {
                    self.under(None, |w| w.block(body));
                    self.forget_assigned(body);
                } else {
                    self.block(body);
                }
                self.after_leaving(body, *label);
            }
            Stmt::Inner(inner) => self.inner(inner),
            Stmt::Break(_) | Stmt::Continue(_) | Stmt::Return(_) => {
                if let Stmt::Return(Some(e)) = stmt {
                    self.visit(*e);
                    self.returns(*e);
                }
                // What follows in this block is never reached.
                self.push_ctx(CtxKind::Opaque { reason: "in dead code".into() });
            }
            Stmt::Check { check, src: _ } => self.check(check),
        }
        self.forget_borrowed(stmt);
    }

    /// The value of a variable. A slice that checks alone name touches no element.
    fn declared(&mut self, local: LocalId, init: ExprId) {
        if self.slices.contains_key(&local) && self.frame.is_none() {
            self.declared.push(local);
        }
        match &self.code.exprs[init.index()].expr {
            Expr::Slice { base, lo, hi, .. } if self.measured.contains(&local) && self.frame.is_none() => {
                self.visit_projections(base);
                [lo, hi].into_iter().flatten().for_each(|e| self.visit(*e));
            }
            _ => self.visit(init),
        }
    }

    /// From here on, these have values of which nothing is known.
    fn forget(&mut self, locals: impl IntoIterator<Item = LocalId>) {
        for local in locals {
            let reason = self.assigned_often(local);
            self.bind_other(local, reason);
        }
    }

    /// The same for what the expressions of a statement borrow mutably.
    fn forget_borrowed(&mut self, stmt: &Stmt) {
        let mut locals = Vec::new();
        visit::of_stmt(stmt, &mut |e| {
            effects::borrowed(self.code, e, &mut |base| locals.extend(base.local()));
        });
        self.forget(locals);
    }

    /// The same for all that a block may assign.
    fn forget_assigned(&mut self, block: &Block) {
        self.forget(effects::assigned(self.code, block));
    }

    /// What follows a statement that may have left something around it.
    fn after_leaving(&mut self, body: &Block, label: LabelId) {
        if may_leave(&body.0, &mut vec![label]) {
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
        let ty = self.local_ty(var);
        let executed = self.executed_loop(var, range, body, ty);
        if self.frame.is_some()
            && let Some(after) = executed
        {
            self.env.extend(after);
            return;
        }
        let v = self.loop_var(var, range, ty, None);
        let node = self.var_node(v, ty);
        let running = self.inductions(v, var, (body, label));
        let unseen = self.folding || may_leave(&body.0, &mut Vec::new());
        let mut carried = if unseen { Vec::new() } else { self.carried(body) };
        carried.retain(|(local, _)| running.iter().all(|of| of.local != *local));
        let around = self.folding;
        self.folding |= !carried.is_empty();
        self.forget_assigned(body);
        let fold = self.fold(v, &carried);
        self.in_iteration(v, &running);
        // A `continue` of this loop ends one of its iterations, anything else the loop.
        let before = self.ctx;
        self.push_ctx(CtxKind::Loop { var: v, cut: may_leave_beyond(body, label) });
        self.opened(v);
        self.env.insert(var, Value::Node(node));
        self.under(None, |w| w.block(body));
        self.env.remove(&var);
        self.ctx = before;
        self.folding = around;
        let after = self.folded(fold, &carried);
        self.forget_assigned(body);
        if !breaks(body, label) {
            self.after_iterations(v, &running);
        }
        for (local, value) in after {
            self.env.insert(local, Value::Node(value));
        }
        self.env.extend(executed.into_iter().flatten());
        self.after_leaving(body, label);
    }

    /// The values after a loop over a few constants, which is executed like the statements that it stands for: a position in an array of
    /// several dimensions, say, whose strides are in a fixed array.
    fn executed_loop(
        &mut self,
        var: LocalId,
        range: &Range,
        body: &Block,
        ty: Option<Prim>,
    ) -> Option<Vec<(LocalId, Value)>> {
        let mut statements = 0;
        let mut plain = !may_leave(&body.0, &mut Vec::new());
        visit::each_stmt(body, &mut |stmt| {
            statements += 1;
            plain &= !matches!(stmt, Stmt::Inner(_) | Stmt::Atomic { .. });
        });
        if !plain {
            return None;
        }
        let values = self.few_values(range)?;
        self.executed += statements * values.len();
        if self.executed > inline::MOST_STATEMENTS {
            return None;
        }
        let before = (self.env.clone(), self.ctx, self.out.ctxs.len(), self.frame.is_some());
        // What is executed so is recorded by the loop itself, which is the next one of an inner nest.
        let opening = std::mem::take(&mut self.opening);
        self.frame.get_or_insert_with(|| Frame::of_loop(self.executed));
        for value in values {
            let node = self.out.forms.constant(value, ty);
            self.env.insert(var, Value::Node(node));
            self.block(body);
        }
        let (env, ctx, contexts, framed) = before;
        if !framed {
            self.frame = None;
        }
        let mut after = std::mem::replace(&mut self.env, env);
        self.opening = opening;
        self.ctx = ctx;
        self.out.ctxs.truncate(contexts);
        let assigned = effects::assigned(self.code, body);
        Some(assigned.into_iter().filter_map(|l| Some((l, after.remove(&l)?))).collect())
    }

    /// The values of the variable of a loop over a few constants.
    fn few_values(&mut self, range: &Range) -> Option<Vec<i128>> {
        const MOST: i128 = 8;
        let reversed = match range.adaptors[..] {
            [] => false,
            [Adaptor::Rev] => true,
            _ => return None,
        };
        let [lo, hi] = [range.lo?, range.hi?].map(|e| {
            let node = self.node(e);
            self.out.forms.as_constant(node)
        });
        let (lo, hi) = (lo?, hi? + i128::from(range.inclusive));
        if hi.saturating_sub(lo) > MOST {
            return None;
        }
        let values = lo..hi;
        Some(if reversed { values.rev().collect() } else { values.collect() })
    }

    /// The numbers that a loop's body may assign, with their values before the loop.
    fn carried(&self, body: &Block) -> Vec<(LocalId, NodeId)> {
        let number = |l: LocalId| match self.env.get(&l) {
            Some(Value::Node(n)) if self.out.forms.is_of_numbers(*n) => Some((l, *n)),
            _ => None,
        };
        effects::assigned(self.code, body).into_iter().filter_map(number).collect()
    }

    /// At the start of an iteration, the body's numbers are those that the earlier iterations have computed.
    fn fold(&mut self, var: VarId, carried: &[(LocalId, NodeId)]) -> FoldId {
        let LoopVar { lo, hi, inclusive, ref adaptors, .. } = self.out.vars[var.index()];
        let forms = &mut self.out.forms;
        let values = carried.iter().map(|(_, n)| (*n, *n)).collect();
        forms.folds.push(Fold { var, lo, hi, inclusive, adaptors: adaptors.clone(), values });
        let fold = FoldId(u32::try_from(forms.folds.len() - 1).expect("few loops"));
        for (k, (local, init)) in carried.iter().enumerate() {
            let ty = forms.get(*init).ty;
            let node = forms.add(Op::Carried(fold, u32::try_from(k).expect("few locals")), ty);
            self.env.insert(*local, Value::Node(node));
        }
        fold
    }

    /// The values after the loop, as far as the body computes them from numbers alone.
    fn folded(&mut self, fold: FoldId, carried: &[(LocalId, NodeId)]) -> Vec<(LocalId, NodeId)> {
        for (k, (local, init)) in carried.iter().enumerate() {
            let next = match self.env.get(local) {
                Some(Value::Node(n)) if self.out.forms.is_of_numbers(*n) => Some(*n),
                _ => None,
            };
            let next = next.unwrap_or_else(|| {
                let (reason, ty) = (self.assigned_often(*local), self.out.forms.get(*init).ty);
                self.out.forms.opaque(reason, ty)
            });
            self.out.forms.folds[fold.index()].values[k].1 = next;
        }
        let forms = &mut self.out.forms;
        let after = |(k, (local, init)): (usize, &(LocalId, NodeId))| {
            let ty = forms.get(*init).ty;
            let node = forms.add(Op::After(fold, k as u32), ty);
            forms.is_of_numbers(node).then_some((*local, node))
        };
        carried.iter().enumerate().filter_map(after).collect()
    }

    /// A nest whose iterations count as different iterations as well.
    fn inner(&mut self, inner: &Inner) {
        inner.threads.iter().chain(&inner.when).for_each(|e| self.visit(*e));
        let around = self.out.loops_around(self.ctx);
        let Inner { level, loops, src, .. } = *inner;
        let reduces = inner.arrays.clone();
        let slices = self.declared.clone();
        self.opening.push(Opening { level, loops, vars: Vec::new(), around, reduces, slices, src });
        self.forget(effects::copies(inner));
        self.nests += 1;
        self.block(&inner.body);
        self.nests -= 1;
        self.forget(effects::copies(inner));
    }

    /// The loop that has just been entered may be one of an inner nest's.
    fn opened(&mut self, var: VarId) {
        let Some(mut open) = self.opening.pop() else { return };
        open.vars.push(var);
        if open.vars.len() < open.loops as usize {
            self.opening.push(open);
            return;
        }
        let Opening { level, loops: _, vars, around, reduces, slices, src } = open;
        self.out.inners.push(InnerNest { level, vars, around, ctx: self.ctx, reduces, slices, src });
    }

    fn branch(&mut self, cond: ExprId, then: &Block, els: &Block) {
        self.visit(cond);
        let expr = cond;
        let cond = self.node(cond);
        if self.frame.is_none() {
            self.out.branches.push(Branch { expr, cond, ctx: self.ctx });
        }
        let before = (self.ctx, self.env.clone());
        self.push_ctx(CtxKind::Cond { cond, holds: true, asserted: false });
        self.under(Some((cond, true)), |w| w.block(then));
        self.ctx = before.0;
        let after_then = std::mem::replace(&mut self.env, before.1);
        if !els.0.is_empty() {
            self.push_ctx(CtxKind::Cond { cond, holds: false, asserted: false });
            self.under(Some((cond, false)), |w| w.block(els));
            self.ctx = before.0;
        }
        let ends = (diverges(then), diverges(els));
        match ends {
            (None, None) => self.join(cond, after_then),
            (None, Some(_)) => self.env = after_then,
            (Some(_), _) => {}
        }
        match ends {
            (None, None) => {
                let mut inside = Vec::new();
                if may_leave(&then.0, &mut inside) || may_leave(&els.0, &mut inside) {
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
        if may_leave(&other.0, &mut Vec::new()) {
            self.push_ctx(CtxKind::Opaque {
                reason: "after something that may end the iteration early".into(),
            });
        }
    }

    /// The values after an `if` whose sides both reach its end: `env` is that of the other side.
    fn join(&mut self, cond: NodeId, mut after_then: HashMap<LocalId, Value>) {
        let mut locals: Vec<LocalId> = self.env.keys().chain(after_then.keys()).copied().collect();
        locals.sort_unstable();
        locals.dedup();
        for local in locals {
            let both = after_then.remove(&local).zip(self.env.remove(&local));
            if let Some(either) = both.and_then(|(a, b)| self.either(cond, a, b)) {
                self.env.insert(local, either);
            }
        }
    }

    /// Takes in the value that a local has from here on.
    fn bind(&mut self, local: LocalId, value: ExprId) {
        match self.value(value) {
            Value::Other(reason) => self.bind_other(local, reason),
            Value::Float(of) => {
                // The same until it gets another one.
                let ty = self.local_ty(local);
                let new = || self.out.forms.opaque("it is a floating-point number".into(), ty);
                let node = of.node.unwrap_or_else(new);
                self.env.insert(local, Value::Float(of.named(node)));
            }
            value => {
                self.env.insert(local, value);
            }
        }
    }

    /// The local has some value, the same until it gets another one.
    fn bind_other(&mut self, local: LocalId, reason: String) {
        let value = match self.oracle.local(local) {
            Known::NotYet => Value::Node(self.out.forms.opaque(reason, None)),
            Known::Prim(p) => Value::Node(self.out.forms.opaque(reason, Some(p))),
            Known::Other => Value::Other(reason),
        };
        self.env.insert(local, value);
    }

    fn check(&mut self, check: &Check) {
        if self.frame.is_some() {
            return;
        }
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
        if self.frame.is_some() {
            return;
        }
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
            Expr::Unary(_, a) => {
                self.visit(*a);
                self.operator(e);
            }
            Expr::IsSome(a) => self.visit(*a),
            Expr::Cast { value, .. } | Expr::Some { value, .. } | Expr::Repeat { value, .. } => {
                self.visit(*value);
            }
            Expr::Binary(op, a, b) => {
                self.visit(*a);
                self.visit(*b);
                self.operator(e);
                self.computed_operands(*op, [*a, *b]);
            }
            Expr::Call { call, args } => {
                args.iter().for_each(|a| self.visit(*a));
                self.computed_arguments(*call, args);
            }
            Expr::Struct { fields, rest, slot: _, name: _ } => {
                fields.iter().for_each(|(_, v)| self.visit(*v));
                rest.iter().for_each(|r| self.visit(*r));
            }
            Expr::Array { elems, slot: _ } => elems.iter().for_each(|v| self.visit(*v)),
        }
    }

    /// Records an operator that fails where it overflows, if its operands are numbers.
    fn operator(&mut self, expr: ExprId) {
        let (op, a, b) = match self.code.exprs[expr.index()].expr {
            // 0 less the operand.
            Expr::Unary(UnOp::Neg, a) => (Arith::Sub, None, a),
            Expr::Binary(BinOp::Add, a, b) => (Arith::Add, Some(a), b),
            Expr::Binary(BinOp::Sub, a, b) => (Arith::Sub, Some(a), b),
            Expr::Binary(BinOp::Mul, a, b) => (Arith::Mul, Some(a), b),
            _ => return,
        };
        let Known::Prim(ty) = self.oracle.expr(expr) else { return };
        if !self.oracle.checks_overflow() || !ty.is_int() {
            return;
        }
        let a = match a {
            Some(a) => self.node(a),
            None => self.out.forms.constant(0, Some(ty)),
        };
        let b = self.node(b);
        let forms = &self.out.forms;
        if forms.is_of_numbers(a) && forms.is_of_numbers(b) {
            self.out.checked.push(Checked { expr, op, a, b, ty, ctx: self.ctx });
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

    /// The array that a place belongs to, and the path into it; checks that were not seen before are recorded on the way.
    fn path(&mut self, place: &Place) -> Vec<(Step, Option<AccessId>)> {
        let mut path = Vec::new();
        let mut prefix = Place::from(place.base);
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
