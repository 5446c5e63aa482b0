//! Forwarding of carried loads. A search loads an element in every iteration, at a place that a variable keeps; afterwards, a second
//! variable keeps the element:
//!
//! ```text
//! let best = 0                                   let best = 0
//!                                                let first = best
//!                                                let kept = a[i * m + first]
//! for j in 1..m {                                for j in 1..m {
//!     if a[i * m + j] > a[i * m + best] {   =>       if a[i * m + j] > kept {
//!         best = j                                       best = j; kept = a[i * m + j]
//!     }                                              }
//! }                                              }
//! ```
//!
//! So no subscript depends on data. Both loops do the same under three conditions:
//!
//! * Whatever is assigned to the variable, an earlier check of the same iteration is that of the load with the new value. So the new place
//!   is in bounds, and its arithmetic does not overflow.
//! * A check of the load stands before every assignment. So it fails only while the variable has its first value, and a check of
//!   that place fails where the other does, with the same message.
//! * Nothing else of the subscript changes in the loop, and nothing writes the array.
//!
//! The loop may end before it loads the element for the first time. So what stands before the loop never fails: the element is loaded if its
//! place is in bounds, and if the loops around the load have iterations or a statement after the loop loads the element anyway.
use super::early_exit::{may_leave, may_leave_beyond};
use super::effects;
use super::slices::{place_of, whole};
use crate::desc::Prim;
use crate::ids::{AccessId, CallId, ExprId, LocalId, SrcId, TyId};
use crate::kernel::{BoundsVerdict, Callee, Kernel, Ty, TypedCode};
use crate::method::{IntOp, Method, Overflow};
use crate::template::{
    Base, BinOp, Block, CallParam, Check, Code, Expr, ExprNode, LocalKind, Place, Projection, Range, Stmt,
    TyRef,
};
use crate::visit;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Forwards what the loops of a nest carry. There are no inner nests, atomic accesses, reductions and scans in it.
pub fn apply(kernel: &mut Kernel) {
    let block = std::mem::take(&mut kernel.body.code.block);
    let uses = uses(&kernel.body, &block);
    kernel.body.code.block = Forwarder { kernel, uses }.block(block);
}

/// By subscript: how many places have it, other than those in checks.
fn uses(body: &TypedCode, block: &Block) -> BTreeMap<AccessId, usize> {
    let mut uses = BTreeMap::new();
    let mut count = |place: &Place| accesses(place).for_each(|access| *uses.entry(access).or_default() += 1);
    visit::each_stmt(block, &mut |stmt| {
        if let Stmt::Assign { place, .. } = stmt {
            count(place);
        }
        visit::of_stmt(stmt, &mut |root| {
            visit::each_expr(&body.code, root, &mut |e| {
                place_of(&body.code.exprs[e.index()].expr).into_iter().for_each(&mut count);
            });
        });
    });
    uses
}

struct Forwarder<'k> {
    kernel: &'k mut Kernel,
    uses: BTreeMap<AccessId, usize>,
}

/// An element that a loop carries from one iteration to the next.
struct Carried {
    /// The variable that keeps its place.
    by: LocalId,
    place: Place,
    ty: TyId,
    src: SrcId,
    /// What loads it.
    loads: BTreeSet<ExprId>,
    /// The subscripts of these loads.
    accesses: BTreeSet<AccessId>,
    /// By assignment of the variable, in order: the subscripts of the new element that have passed their checks.
    passed: Vec<Vec<AccessId>>,
    /// The loops around all of these loads: unless they have iterations, nothing loads it.
    loops: Vec<Range>,
}

impl Forwarder<'_> {
    fn block(&mut self, block: Block) -> Block {
        let (mut stmts, mut at) = (block.0, 0);
        while at < stmts.len() {
            while let Some(found) = self.carried(&stmts[at], &stmts[at + 1..]) {
                let before = self.forward(&found, &mut stmts[at..]);
                at += before.len();
                stmts.splice(at - before.len()..at - before.len(), before);
            }
            for inner in visit::blocks_of_mut(&mut stmts[at]).into_iter().flatten() {
                *inner = self.block(std::mem::take(inner));
            }
            at += 1;
        }
        Block(stmts)
    }

    /// What a loop carries; `rest` follows the loop.
    fn carried(&self, stmt: &Stmt, rest: &[Stmt]) -> Option<Carried> {
        let Stmt::For { var, range, body, .. } = stmt else { return None };
        let (typed, code) = (&self.kernel.body, &self.kernel.body.code);
        if [range.lo?, range.hi?].into_iter().any(|e| loads_elements(code, e)) {
            return None;
        }
        let mut own = effects::bound_in(body);
        own.insert(*var);
        // How many statements give a variable a value.
        let mut changes: BTreeMap<LocalId, usize> = BTreeMap::new();
        visit::each_stmt(body, &mut |stmt| {
            let mut count = |local| *changes.entry(local).or_default() += 1;
            effects::changes(code, stmt, &mut |base| base.local().into_iter().for_each(&mut count));
            if let Stmt::Let { local, init: Some(_) } = stmt {
                count(*local);
            }
        });
        let keeps = |(local, changes): &(&LocalId, &usize)| {
            let kind = code.locals[local.index()].kind;
            matches!(kind, LocalKind::User | LocalKind::Temp | LocalKind::Private(_))
                && !own.contains(local)
                && self.kernel.types.prim(typed.local_ty[local.index()]).is_some_and(Prim::is_int)
                && **changes == each_assignment(body, **local, &mut Vec::new(), &mut |_, _| {})
        };
        let checks = checks(std::slice::from_ref(stmt));
        let scope = Scope { stmt, body, rest, own: &own, changes: &changes, checks: &checks };
        changes.iter().filter(keeps).find_map(|(&by, _)| {
            let mut loads = Vec::new();
            visit::each_stmt(body, &mut |stmt| self.loads(stmt, by, &mut loads));
            loads.iter().find_map(|load| self.carried_by(&scope, by, *load, &loads))
        })
    }

    /// The element of a load, if the loop carries it. `loads` are all in the loop whose place the variable keeps.
    fn carried_by(&self, scope: &Scope<'_>, by: LocalId, load: ExprId, loads: &[ExprId]) -> Option<Carried> {
        let (typed, code) = (&self.kernel.body, &self.kernel.body.code);
        let place = place_of(&code.exprs[load.index()].expr)?;
        let subscripts = checks_of(scope.checks, place)?;
        let mut locals = locals_in(code, place);
        for check in &subscripts {
            locals.extend(locals_in(code, check.base).into_iter().chain(locals_of(code, check.index)));
        }
        locals.remove(&by);
        let is_invariant = |local: &LocalId| !scope.changes.contains_key(local) && !scope.own.contains(local);
        if !locals.iter().all(is_invariant) {
            return None;
        }
        // From where they are declared, these have one value in an iteration.
        let is_stable = |local: &LocalId| match scope.changes.get(local) {
            None => true,
            Some(changes) => *changes == 1 && scope.own.contains(local),
        };
        let mut passed = Vec::new();
        let assignments = each_assignment(scope.body, by, &mut Vec::new(), &mut |value, before| {
            let stable = self.is_plain(value) && locals_of(code, value).iter().all(is_stable);
            let all = |with: Option<(LocalId, ExprId)>| -> Option<Vec<&Bounds<'_>>> {
                let found =
                    |check: &Bounds<'_>| before.iter().find(|other| same_check(typed, check, other, with));
                subscripts.iter().map(found).collect()
            };
            let new = all(Some((by, value))).filter(|_| stable && all(None).is_some());
            passed.extend(new.and_then(|new| {
                let last = new.last()?;
                Some(accesses(last.base).chain([last.access]).collect::<Vec<_>>())
            }));
        });
        if passed.len() != assignments {
            return None;
        }
        let is_same = |load: &ExprId, checks: &Checks<'_>| {
            place_of(&code.exprs[load.index()].expr).is_some_and(|other| {
                let others = checks_of(checks, other);
                let same = |others: Vec<Bounds<'_>>| {
                    subscripts.iter().zip(&others).all(|(a, b)| same_check(typed, a, b, None))
                };
                same_place(typed, place, other, None) && others.is_some_and(same)
            })
        };
        let inside = loads.iter().filter(|load| is_same(load, scope.checks));
        let mut all: BTreeSet<ExprId> = inside.copied().collect();
        // After the loop, the variable keeps the element until something of the place changes.
        let ends = |stmt: &Stmt| {
            let changed = effects::assigned(code, &Block(vec![stmt.clone()]));
            changed.contains(&by)
                || !changed.is_disjoint(&locals)
                || may_leave(std::slice::from_ref(stmt), &mut Vec::new())
        };
        let rest = &scope.rest[..scope.rest.iter().position(ends).unwrap_or(scope.rest.len())];
        let later = checks(rest);
        let (mut certain, mut possible) = (Vec::new(), Vec::new());
        for stmt in rest {
            self.loads(stmt, by, &mut certain);
        }
        let Stmt::For { label, .. } = scope.stmt else { return None };
        let after = !may_leave_beyond(scope.body, *label) && certain.iter().any(|load| is_same(load, &later));
        if after {
            let inner = rest.iter().flat_map(visit::blocks_of).flatten();
            inner.for_each(|block| {
                visit::each_stmt(block, &mut |stmt| self.loads(stmt, by, &mut possible));
            });
            all.extend(certain.iter().chain(&possible).filter(|load| is_same(load, &later)));
        }
        let loops = if after { Vec::new() } else { self.loops_around(scope, &all, &is_invariant)? };
        let mut uses: BTreeMap<AccessId, usize> = BTreeMap::new();
        for place in all.iter().filter_map(|load| place_of(&code.exprs[load.index()].expr)) {
            accesses(place).for_each(|access| *uses.entry(access).or_default() += 1);
        }
        // The checks of these subscripts become those of the first place.
        uses.iter().all(|(access, uses)| self.uses.get(access) == Some(uses)).then(|| Carried {
            by,
            place: place.clone(),
            ty: typed.expr_ty[load.index()],
            src: code.exprs[load.index()].src,
            loads: all,
            accesses: uses.into_keys().collect(),
            passed,
            loops,
        })
    }

    /// The loops around all of these loads, from the outermost one on, if the number of their iterations is known before that.
    fn loops_around(
        &self,
        scope: &Scope<'_>,
        loads: &BTreeSet<ExprId>,
        is_invariant: &dyn Fn(&LocalId) -> bool,
    ) -> Option<Vec<Range>> {
        let code = &self.kernel.body.code;
        let is_known = |e: &ExprId| self.is_plain(*e) && locals_of(code, *e).iter().all(is_invariant);
        let mut around = loads.iter().map(|load| loops_around(code, scope.body, *load));
        let mut shared = around.next()??;
        for other in around {
            let same = shared.iter().zip(other?).take_while(|(a, b)| std::ptr::eq(**a, *b)).count();
            shared.truncate(same);
        }
        let known =
            |range: &Range| range.lo.zip(range.hi).is_some_and(|(lo, hi)| [lo, hi].iter().all(is_known));
        let Stmt::For { range, .. } = scope.stmt else { return None };
        let known = shared.iter().all(|inner| known(inner));
        known.then(|| std::iter::once(range).chain(shared).cloned().collect())
    }

    /// Whether an expression is a sum of products of numbers, lengths, captured values and variables, or a conversion of one.
    fn is_plain(&self, e: ExprId) -> bool {
        let body = &self.kernel.body;
        let mut plain = true;
        visit::each_expr(&body.code, e, &mut |e| {
            plain &= self.kernel.types.prim(body.expr_ty[e.index()]).is_some_and(Prim::is_int);
            plain &= match &body.code.exprs[e.index()].expr {
                Expr::Int { .. } | Expr::Cast { .. } => true,
                Expr::Binary(op, ..) => matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul),
                Expr::Load(place) => match place.base {
                    Base::Local(_) => place.projections.is_empty(),
                    Base::Scalar(_) | Base::Const(_) => accesses(place).next().is_none(),
                    Base::Array(_) => false,
                },
                Expr::Len(place) => accesses(place).next().is_none(),
                _ => false,
            };
        });
        plain
    }

    /// The loads of numbers in a statement's own expressions, from arrays that nothing writes, at places that this variable keeps.
    fn loads(&self, stmt: &Stmt, by: LocalId, out: &mut Vec<ExprId>) {
        let typed = &self.kernel.body;
        let template = &self.kernel.template;
        visit::of_stmt(stmt, &mut |root| {
            visit::each_expr(&typed.code, root, &mut |e| {
                let Expr::Load(place) = &typed.code.exprs[e.index()].expr else { return };
                let Base::Array(array) = place.base else { return };
                let param = &template.arrays[array.index()];
                let disjoint =
                    template.trust_disjoint.contains(&array) || template.check_disjoint.contains(&array);
                let fields =
                    place.projections.iter().skip_while(|step| matches!(step, Projection::Index { .. }));
                let numbers =
                    self.kernel.types.prim(typed.expr_ty[e.index()]).is_some_and(|prim| prim != Prim::Char);
                let fields = fields.into_iter().all(|step| matches!(step, Projection::Field(_)));
                let mut plain = true;
                visit::of_place(place, &mut |index| plain &= self.is_plain(index));
                let kept = locals_in(&typed.code, place).contains(&by);
                if numbers && fields && plain && kept && !param.written && !param.section && !disjoint {
                    out.push(e);
                }
            });
        });
    }

    /// Rewrites the loop, which is the first statement, and what follows it. Gives what stands before the loop.
    fn forward(&mut self, found: &Carried, stmts: &mut [Stmt]) -> Vec<Stmt> {
        let body = &mut self.kernel.body;
        let (ty, name) = (body.local_ty[found.by.index()], body.code.locals[found.by.index()].name.clone());
        let first = body.temp(format!("{name}_first"), ty);
        body.code.locals[first.index()].mutable = false;
        let kept = body.temp(format!("{name}_element"), found.ty);
        let start = body.push(Expr::Load(Base::Local(found.by).into()), ty, found.src);
        // Where the loop loads the element, it was loaded before, so nothing reads this.
        let zero = match self.kernel.types.prim(found.ty) {
            Some(prim) if prim.is_float() => {
                Expr::Float { digits: "0.0".into(), negative: false, ty: TyRef::Prim(prim) }
            }
            Some(prim) if prim.is_int() => Expr::Int { value: 0, negative: false, ty: TyRef::Prim(prim) },
            _ => Expr::Bool(false),
        };
        let zero = self.kernel.body.push(zero, found.ty, found.src);
        let load = self.first_load(found, first, kept);
        for load in &found.loads {
            self.kernel.body.code.exprs[load.index()].expr = Expr::Load(Base::Local(kept).into());
        }
        for access in &found.accesses {
            self.uses.remove(access);
        }
        stmts.iter_mut().for_each(|stmt| self.check_first(found, first, stmt));
        if let Stmt::For { body, .. } = &mut stmts[0] {
            self.keep(found, kept, body, &mut found.passed.iter());
        }
        let declared =
            [(first, start), (kept, zero)].map(|(local, init)| Stmt::Let { local, init: Some(init) });
        declared.into_iter().chain([load]).collect()
    }

    /// The load before the loop, under its conditions.
    fn first_load(&mut self, found: &Carried, first: LocalId, kept: LocalId) -> Stmt {
        let src = found.src;
        let (bool_ty, usize_ty) =
            (self.kernel.types.intern(Ty::Prim(Prim::Bool)), self.kernel.types.intern(Ty::Prim(Prim::Usize)));
        let body = &mut self.kernel.body;
        let value = body.push(Expr::Load(Base::Local(first).into()), body.local_ty[first.index()], src);
        // Arithmetic that overflows fails in the loop.
        let wraps = body.overflow_checks;
        let mut subscripts = Vec::new();
        for access in accesses(&found.place) {
            let same = body.code.accesses[access.index()].clone();
            body.code.accesses.push(same);
            body.bounds.push(BoundsVerdict::Residual);
            subscripts.push(AccessId::new(body.code.accesses.len() - 1));
        }
        let with = With { of: found.by, value, wraps, subscripts: &subscripts };
        let (mut inside, mut conditions) = (Vec::new(), Vec::new());
        for (k, range) in found.loops.iter().enumerate() {
            let Some(ends) = range.lo.zip(range.hi) else { continue };
            let less = if range.inclusive { BinOp::Le } else { BinOp::Lt };
            // The ends of the outermost loop are what comes next.
            let copy = |body: &mut TypedCode, e| if k == 0 { body.copy(e) } else { with.copy(body, e) };
            let (lo, hi) = (copy(body, ends.0), copy(body, ends.1));
            conditions.push(body.push(Expr::Binary(less, lo, hi), bool_ty, src));
        }
        for (k, step) in found.place.projections.iter().enumerate() {
            let Projection::Index { index, .. } = step else { continue };
            let around = Place { base: found.place.base, projections: found.place.projections[..k].to_vec() };
            let (at, around_at) = (with.copy(body, *index), with.place(body, &around));
            let len = body.push(Expr::Len(around_at), usize_ty, src);
            conditions.push(body.push(Expr::Binary(BinOp::Lt, at, len), bool_ty, src));
            let (base, index) = (with.place(body, &around), with.copy(body, *index));
            inside.push(Stmt::Check { check: Check::Bounds { access: subscripts[k], base, index }, src });
        }
        let place = with.place(body, &found.place);
        let element = body.push(Expr::Load(place), found.ty, src);
        inside.push(Stmt::Assign { place: Base::Local(kept).into(), value: element, src });
        let under = |then: Vec<Stmt>, cond| vec![Stmt::If { cond, then: Block(then), els: Block::default() }];
        conditions.into_iter().rev().fold(inside, under).remove(0)
    }

    /// The checks of the loads become those of the first place.
    fn check_first(&mut self, found: &Carried, first: LocalId, stmt: &mut Stmt) {
        if let Some(check) = Bounds::of(stmt).filter(|check| found.accesses.contains(&check.access)) {
            let mut all = vec![check.index];
            visit::of_place(check.base, &mut |index| all.push(index));
            let code = &mut self.kernel.body.code;
            let mut kept = Vec::new();
            for root in all {
                visit::each_expr(code, root, &mut |e| kept.extend(reads(code, e, found.by).then_some(e)));
            }
            for e in kept {
                code.exprs[e.index()].expr = Expr::Load(Base::Local(first).into());
            }
        }
        for block in visit::blocks_of_mut(stmt).into_iter().flatten() {
            block.0.iter_mut().for_each(|stmt| self.check_first(found, first, stmt));
        }
    }

    /// After each assignment of the place, the element there.
    fn keep<'p>(
        &mut self,
        found: &Carried,
        kept: LocalId,
        block: &mut Block,
        passed: &mut impl Iterator<Item = &'p Vec<AccessId>>,
    ) {
        for mut stmt in std::mem::take(&mut block.0) {
            for inner in visit::blocks_of_mut(&mut stmt).into_iter().flatten() {
                self.keep(found, kept, inner, passed);
            }
            let new = assigned(&stmt, found.by).and_then(|value| Some((value, passed.next()?)));
            block.0.push(stmt);
            if let Some((value, subscripts)) = new {
                let body = &mut self.kernel.body;
                let place = With { of: found.by, value, wraps: false, subscripts }.place(body, &found.place);
                accesses(&place).for_each(|access| *self.uses.entry(access).or_default() += 1);
                let element = body.push(Expr::Load(place), found.ty, found.src);
                block.0.push(Stmt::Assign {
                    place: Base::Local(kept).into(),
                    value: element,
                    src: found.src,
                });
            }
        }
    }
}

/// A loop, and what surrounds it.
struct Scope<'b> {
    stmt: &'b Stmt,
    body: &'b Block,
    /// What follows it.
    rest: &'b [Stmt],
    /// What it declares.
    own: &'b HashSet<LocalId>,
    /// How many of its statements give a variable a value.
    changes: &'b BTreeMap<LocalId, usize>,
    /// Those of the loop.
    checks: &'b Checks<'b>,
}

/// A check of bounds.
#[derive(Clone, Copy)]
struct Bounds<'b> {
    access: AccessId,
    base: &'b Place,
    index: ExprId,
}

impl<'b> Bounds<'b> {
    fn of(stmt: &'b Stmt) -> Option<Self> {
        match stmt {
            Stmt::Check { check: Check::Bounds { access, base, index }, .. } => {
                Some(Self { access: *access, base, index: *index })
            }
            _ => None,
        }
    }
}

/// Copies with a value in the place of a variable.
struct With<'a> {
    of: LocalId,
    value: ExprId,
    /// Arithmetic does not fail.
    wraps: bool,
    /// The subscripts of places.
    subscripts: &'a [AccessId],
}

impl With<'_> {
    fn copy(&self, body: &mut TypedCode, e: ExprId) -> ExprId {
        if reads(&body.code, e, self.of) {
            return body.copy(self.value);
        }
        let ExprNode { mut expr, src } = body.code.exprs[e.index()].clone();
        visit::of_expr_mut(&mut expr, &mut |operand| *operand = self.copy(body, *operand));
        if let (Expr::Binary(op, a, b), true) = (&expr, self.wraps) {
            let (name, op) = match op {
                BinOp::Add => ("wrapping_add", IntOp::Add),
                BinOp::Sub => ("wrapping_sub", IntOp::Sub),
                _ => ("wrapping_mul", IntOp::Mul),
            };
            body.code.calls.push(CallParam { name: name.into(), method: true, ret: None });
            body.calls.push(Callee::Builtin);
            body.methods.push(Some(Method::Arith(Overflow::Wrapping, op)));
            expr = Expr::Call { call: CallId::new(body.code.calls.len() - 1), args: vec![*a, *b] };
        }
        body.push(expr, body.expr_ty[e.index()], src)
    }

    fn place(&self, body: &mut TypedCode, place: &Place) -> Place {
        let mut place = place.clone();
        let steps = place.projections.iter_mut();
        for (step, subscript) in
            steps.filter(|step| matches!(step, Projection::Index { .. })).zip(self.subscripts)
        {
            if let Projection::Index { index, access } = step {
                (*index, *access) = (self.copy(body, *index), *subscript);
            }
        }
        place
    }
}

/// The ranges of the loops in a block around an expression of a statement, from the outermost one on.
fn loops_around<'b>(code: &Code, block: &'b Block, e: ExprId) -> Option<Vec<&'b Range>> {
    block.0.iter().find_map(|stmt| {
        let mut found = false;
        visit::of_stmt(stmt, &mut |root| visit::each_expr(code, root, &mut |other| found |= other == e));
        if found {
            return Some(Vec::new());
        }
        let mut inside = visit::blocks_of(stmt).into_iter().flatten();
        let mut ranges = inside.find_map(|block| loops_around(code, block, e))?;
        if let Stmt::For { range, .. } = stmt {
            ranges.insert(0, range);
        }
        Some(ranges)
    })
}

/// The subscripts of a place.
fn accesses(place: &Place) -> impl Iterator<Item = AccessId> {
    place.projections.iter().filter_map(|step| match step {
        Projection::Index { access, .. } => Some(*access),
        Projection::Field(_) | Projection::Payload => None,
    })
}

/// Whether an expression is this variable.
fn reads(code: &Code, e: ExprId, local: LocalId) -> bool {
    matches!(&code.exprs[e.index()].expr, Expr::Load(place) if whole(place) == Some(local))
}

/// The value that a statement assigns to a variable.
fn assigned(stmt: &Stmt, local: LocalId) -> Option<ExprId> {
    match stmt {
        Stmt::Assign { place, value, .. } if whole(place) == Some(local) => Some(*value),
        _ => None,
    }
}

/// Calls `f` on the values that statements assign to a variable, with the checks before each of them that are made in the same iteration.
/// Gives how many there are.
fn each_assignment<'b>(
    block: &'b Block,
    local: LocalId,
    before: &mut Vec<Bounds<'b>>,
    f: &mut impl FnMut(ExprId, &[Bounds<'b>]),
) -> usize {
    let (mut count, outside) = (0, before.len());
    for stmt in &block.0 {
        before.extend(Bounds::of(stmt));
        if let Some(value) = assigned(stmt, local) {
            f(value, before);
            count += 1;
        }
        for inner in visit::blocks_of(stmt).into_iter().flatten() {
            count += each_assignment(inner, local, before, f);
        }
    }
    before.truncate(outside);
    count
}

/// Checks of bounds by subscript.
type Checks<'b> = BTreeMap<AccessId, Bounds<'b>>;

/// The first check of each subscript.
fn checks(among: &[Stmt]) -> Checks<'_> {
    let mut all = BTreeMap::new();
    let mut add = |stmt| {
        if let Some(check) = Bounds::of(stmt) {
            all.entry(check.access).or_insert(check);
        }
    };
    for stmt in among {
        add(stmt);
        visit::blocks_of(stmt).into_iter().flatten().for_each(|block| visit::each_stmt(block, &mut add));
    }
    all
}

/// The checks of a place's subscripts.
fn checks_of<'b>(checks: &Checks<'b>, place: &Place) -> Option<Vec<Bounds<'b>>> {
    accesses(place).map(|access| checks.get(&access).copied()).collect()
}

/// Whether an expression depends on elements of arrays.
fn loads_elements(code: &Code, e: ExprId) -> bool {
    let mut found = false;
    visit::each_expr(code, e, &mut |e| {
        found |=
            matches!(&code.exprs[e.index()].expr, Expr::Load(place) if matches!(place.base, Base::Array(_)));
    });
    found
}

/// The variables in an expression.
fn locals_of(code: &Code, e: ExprId) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::new();
    visit::each_expr(code, e, &mut |e| {
        found.extend(place_of(&code.exprs[e.index()].expr).and_then(|place| place.base.local()));
    });
    found
}

/// The variables in a place.
fn locals_in(code: &Code, place: &Place) -> BTreeSet<LocalId> {
    let mut found: BTreeSet<LocalId> = place.base.local().into_iter().collect();
    visit::of_place(place, &mut |index| found.extend(locals_of(code, index)));
    found
}

/// Whether two plain expressions are the same, if the first one has a value in the place of a variable.
fn same(body: &TypedCode, a: ExprId, b: ExprId, with: Option<(LocalId, ExprId)>) -> bool {
    let node = |e: ExprId| &body.code.exprs[e.index()].expr;
    if let Some((local, value)) = with
        && reads(&body.code, a, local)
    {
        return same(body, value, b, None);
    }
    body.expr_ty[a.index()] == body.expr_ty[b.index()]
        && match (node(a), node(b)) {
            (Expr::Load(a), Expr::Load(b)) | (Expr::Len(a), Expr::Len(b)) => same_place(body, a, b, with),
            (Expr::Int { value: a, negative: s, .. }, Expr::Int { value: b, negative: t, .. }) => {
                (a, s) == (b, t)
            }
            (Expr::Cast { value: a, .. }, Expr::Cast { value: b, .. }) => same(body, *a, *b, with),
            (Expr::Binary(o, a, c), Expr::Binary(p, b, d)) => {
                o == p && same(body, *a, *b, with) && same(body, *c, *d, with)
            }
            _ => false,
        }
}

fn same_place(body: &TypedCode, a: &Place, b: &Place, with: Option<(LocalId, ExprId)>) -> bool {
    let step = |(a, b): (&Projection, &Projection)| match (a, b) {
        (Projection::Index { index: a, .. }, Projection::Index { index: b, .. }) => same(body, *a, *b, with),
        (a, b) => a == b,
    };
    a.base == b.base
        && a.projections.len() == b.projections.len()
        && a.projections.iter().zip(&b.projections).all(step)
}

fn same_check(body: &TypedCode, a: &Bounds<'_>, b: &Bounds<'_>, with: Option<(LocalId, ExprId)>) -> bool {
    same_place(body, a.base, b.base, with) && same(body, a.index, b.index, with)
}
