//! Makes the naive program of a nest: its loops as they are written, around moves and leaves.
use super::recipe::Recipe;
use super::{
    AllocId, Axis, Bound, Cell, Index, Place, Program, Space, Stmt, Term, Var, leaf, scalar_replacement,
    speculate,
};
use crate::valid::may_overflow;
use omp_ir::flow::slices::measured;
use omp_ir::ids::{AccessId, ExprId, LocalId, TyId};
use omp_ir::kernel::{BoundsVerdict, Callee, Kernel};
use omp_ir::template::{self, Adaptor, Base, Block, Check, Expr, ExprNode, LocalKind, Projection};
use omp_ir::visit;
use std::collections::{BTreeMap, BTreeSet};

/// The naive program of a recipe's nest.
///
/// # Errors
/// The nest has something that programs can't run.
pub fn lower(kernel: &Kernel, recipe: &Recipe) -> Result<Program, String> {
    let code = scalar_replacement::body(kernel)?.into_owned();
    let measured = measured(&code.code);
    let mut program = Program {
        threads: 1,
        resident: 0,
        grid: Index::Const(1),
        code,
        vars: Vec::new(),
        accesses: recipe.accesses.clone(),
        allocs: Vec::new(),
        sizes: BTreeMap::new(),
        cuts: BTreeMap::new(),
        loops: recipe.trips.len() as u32,
        chunks: Vec::new(),
        whole: Vec::new(),
        carried: BTreeSet::new(),
        only: Vec::new(),
        jams: Vec::new(),
        checked: recipe.checked.clone(),
        nowhere: Vec::new(),
        iterations: recipe.iterations,
        body: Vec::new(),
    };
    program.code.overflow_checks = !recipe.checked.is_empty();
    let of = recipe.of.iter().map(|(id, part, access)| ((*id, *part), *access)).collect();
    let mut lowerer = Lowerer {
        kernel,
        program,
        of,
        recipe,
        measured,
        lengths: BTreeMap::new(),
        loops: Vec::new(),
        firsts: BTreeMap::new(),
        stands: BTreeMap::new(),
        guarded: false,
        kept_back: false,
        hoisted: false,
        asserts: false,
    };
    if !kernel.template.reductions.is_empty() || kernel.template.scan.is_some() {
        return Err("the loop reduces or scans".into());
    }
    // Chunks and tiles that are cut off would begin below 0.
    let known = |l: &u32| recipe.trips.get(*l as usize).is_some_and(Option::is_some);
    if !recipe.accesses.iter().flat_map(|access| &access.down).all(known) {
        return Err("a subscript goes down along a loop that runs in chunks, or whose trip count the text does not have".into());
    }
    for dim in &kernel.template.dims {
        lowerer.enter(dim.var);
    }
    let dims = lowerer.loops.clone();
    let block = std::mem::take(&mut lowerer.program.code.code.block);
    let mut body = lowerer.block(&block)?;
    lowerer.program.code.code.block = block;
    for (l, (_, var)) in dims.iter().enumerate().rev() {
        let (trips, body_in) = (lowerer.trips(l), lowerer.within_limits(l, body));
        body = vec![Stmt::Loop { var: *var, trips, axis: Axis::Parallel, body: body_in }];
    }
    lowerer.program.body = body;
    lowerer.sweep();
    lowerer.keeps_checks()?;
    lowerer.bind()?;
    Ok(lowerer.program)
}

struct Lowerer<'k> {
    kernel: &'k Kernel,
    program: Program,
    of: BTreeMap<(AccessId, u32), u32>,
    recipe: &'k Recipe,
    /// Slices that checks alone name.
    measured: BTreeSet<LocalId>,
    /// Their declarations.
    lengths: BTreeMap<LocalId, template::Stmt>,
    /// By loop: the variables of the code and of the program.
    loops: Vec<(LocalId, Var)>,
    /// By sequential loop whose iterations the text has: its first value, where the code has it as a number.
    firsts: BTreeMap<usize, i64>,
    /// The memory of what is loaded and stored.
    stands: BTreeMap<LocalId, AllocId>,
    /// Under a condition.
    guarded: bool,
    /// Loads are reached where the code reaches them, and nowhere else.
    kept_back: bool,
    /// Under conditions of the code that loads are moved before.
    hoisted: bool,
    /// After a check that may fail, which does not end the iteration.
    asserts: bool,
}

/// Statements in a row, of which only the last one may store.
#[derive(Default)]
struct Group {
    loads: BTreeMap<u32, LocalId>,
    stmts: Vec<template::Stmt>,
    store: Option<(u32, LocalId)>,
}

impl Lowerer<'_> {
    fn enter(&mut self, local: LocalId) -> Var {
        let name = self.program.code.code.locals[local.index()].name.clone();
        let var = self.program.var(name);
        self.loops.push((local, var));
        var
    }

    /// The number that an expression is.
    fn number(&self, e: ExprId) -> Option<i64> {
        match &self.program.code.code.exprs[e.index()].expr {
            Expr::Int { value, negative, .. } => {
                let value = i64::try_from(*value).ok()?;
                Some(if *negative { -value } else { value })
            }
            _ => None,
        }
    }

    fn trips(&self, l: usize) -> Index {
        let known = self.recipe.trips.get(l).copied().flatten();
        known.map_or_else(|| Term::Trips(l as u32).into(), Index::from)
    }

    /// The body of a loop, of which only the iterations within its limits run.
    fn within_limits(&self, l: usize, body: Vec<Stmt>) -> Vec<Stmt> {
        let limits = self.recipe.limits.iter().filter(|limit| limit.of as usize == l);
        let less: Vec<_> = limits.map(|limit| limit.less(&|l| Index::from(Var(l)))).collect();
        if less.is_empty() {
            return body;
        }
        // All iterations of the loop around may load what the loop does not write.
        let sequential = l >= self.kernel.template.dims.len() + self.recipe.parallelised as usize;
        let is_load = |stmt: &&Stmt| match stmt {
            Stmt::Move { to: Place::Cell(_), from: Place::Array(access, _), .. } => {
                let of = &self.program.accesses[*access as usize];
                sequential && of.everywhere && !self.kernel.template.arrays[of.array.index()].written
            }
            _ => false,
        };
        let loads = body.iter().take_while(is_load).count();
        let mut out = body;
        let body = out.split_off(loads);
        out.push(Stmt::If { less, body });
        out
    }

    fn block(&mut self, block: &Block) -> Result<Vec<Stmt>, String> {
        let (mut out, mut group) = (Vec::new(), Group::default());
        for stmt in &block.0 {
            match stmt {
                template::Stmt::Let { .. } => {
                    let stmt = self.of_leaf(stmt, &mut group)?;
                    group.stmts.extend(stmt);
                }
                template::Stmt::Assign { place, value, src } => {
                    self.expr(*value, &mut group)?;
                    match (place.base, place.projections.as_slice()) {
                        (Base::Local(_), []) => group.stmts.push(stmt.clone()),
                        (Base::Array(_), _) => {
                            let access = self.access(place)?;
                            self.reaches(access, self.guarded)?;
                            let local = match &self.program.code.code.exprs[value.index()].expr {
                                Expr::Load(p) if p.projections.is_empty() => match p.base {
                                    Base::Local(local) => Some(local),
                                    _ => None,
                                },
                                _ => None,
                            };
                            let ty = self.program.code.expr_ty[value.index()];
                            let local = match local {
                                Some(local) if !self.is_loop(local) => local,
                                _ => {
                                    // The values that were loaded from there are outdated.
                                    let loaded = group.loads.get(&access).copied();
                                    let local = loaded.map_or_else(|| self.local(access, ty), Ok)?;
                                    let place = template::Place::from(Base::Local(local));
                                    let (value, src) = (*value, *src);
                                    group.stmts.push(template::Stmt::Assign { place, value, src });
                                    local
                                }
                            };
                            group.store = Some((access, local));
                            self.flush(&mut group, &mut out);
                        }
                        _ => return Err("a part of a value is assigned".into()),
                    }
                }
                template::Stmt::Check { .. } => {
                    let stmt = self.of_leaf(stmt, &mut group)?;
                    group.stmts.extend(stmt);
                }
                template::Stmt::If { cond, then, els }
                    if speculate::has_loop(then) || speculate::has_loop(els) =>
                {
                    self.speculated(*cond, (then, els), &mut group, &mut out)?;
                }
                template::Stmt::If { cond, then, els } => {
                    let mut stores = false;
                    leaf::each(std::slice::from_ref(stmt), &mut |s| {
                        stores |= matches!(s, template::Stmt::Assign { place, .. } if matches!(place.base, Base::Array(_)));
                    });
                    if stores {
                        self.conditional(*cond, (then, els), &mut group, &mut out)?;
                    } else {
                        let stmt = self.of_leaf(stmt, &mut group)?;
                        group.stmts.extend(stmt);
                    }
                }
                template::Stmt::For { var, range, body, label, src: _ } => {
                    let mut leaves = false;
                    visit::each_stmt(body, &mut |s| {
                        leaves |= matches!(s, template::Stmt::Break(_) | template::Stmt::Continue(_));
                    });
                    let _ = label;
                    if self.guarded {
                        return Err("a loop is under a condition".into());
                    }
                    if leaves || !matches!(range.adaptors[..], [] | [Adaptor::Rev]) {
                        return Err("a loop is left early, or does not count one by one".into());
                    }
                    self.flush(&mut group, &mut out);
                    let l = self.loops.len();
                    // (The first value of a coalesced loop is that of the loops around it, too.)
                    let written_out = self.recipe.trips.get(l).copied().flatten().is_some()
                        && !self.recipe.moving.contains(&(l as u32));
                    let begins = range.lo.filter(|_| written_out && range.adaptors.is_empty());
                    if let Some(first) = begins.and_then(|lo| self.number(lo)) {
                        self.firsts.insert(l, first);
                    }
                    let var = self.enter(*var);
                    let body = self.block(body)?;
                    let body = self.within_limits(l, body);
                    out.push(Stmt::Loop { var, trips: self.trips(l), axis: Axis::Serial, body });
                }
                _ => {
                    return Err(
                        "there are loops that don't count, blocks that are left early, or inner nests".into(),
                    );
                }
            }
        }
        self.flush(&mut group, &mut out);
        Ok(out)
    }

    /// A statement that touches no array but by loads, as one of a leaf, in which variables stand for the loads. Loads come
    /// before the leaf, those under conditions too: subscripts are in bounds for all iterations.
    fn of_leaf(
        &mut self,
        stmt: &template::Stmt,
        group: &mut Group,
    ) -> Result<Option<template::Stmt>, String> {
        match stmt {
            template::Stmt::Let { local, init } => {
                // Checks alone name it, and those are proved.
                if self.measured.contains(local) {
                    self.lengths.insert(*local, stmt.clone());
                    return Ok(None);
                }
                let kind = self.program.code.code.locals[local.index()].kind;
                if !matches!(kind, LocalKind::User | LocalKind::Temp) {
                    return Err("a slice or reference is declared".into());
                }
                self.prim(self.program.code.local_ty[local.index()])?;
                init.map(|e| self.expr(e, group)).transpose()?;
            }
            template::Stmt::Assign { place, value, src: _ } => {
                match (place.base, place.projections.as_slice()) {
                    (Base::Local(_), []) => self.expr(*value, group)?,
                    _ => return Err("a part of a value is assigned".into()),
                }
            }
            template::Stmt::If { cond, then, els } => {
                self.expr(*cond, group)?;
                let around = (self.kept_back, self.hoisted);
                (self.kept_back, self.hoisted) = (false, true);
                let mut block = |block: &Block| {
                    let stmts = block.0.iter().map(|stmt| self.of_leaf(stmt, group));
                    Ok::<_, String>(Block(
                        stmts.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect(),
                    ))
                };
                let (then, els) = (block(then)?, block(els)?);
                (self.kept_back, self.hoisted) = around;
                return Ok(Some(template::Stmt::If { cond: *cond, then, els }));
            }
            template::Stmt::Check { check, src: _ } => return self.check(check, stmt, group),
            _ => {
                return Err("there are loops, calls, or blocks that are left early, under a condition".into());
            }
        }
        Ok(Some(stmt.clone()))
    }

    /// A check, if it has to be made.
    fn check(
        &mut self,
        check: &Check,
        stmt: &template::Stmt,
        group: &mut Group,
    ) -> Result<Option<template::Stmt>, String> {
        let bounds = &self.program.code.bounds;
        // The launch has proved what it had to prove.
        let proved = |access: &AccessId| bounds[access.index()] != BoundsVerdict::Residual;
        match check {
            Check::Bounds { access, .. } | Check::Slice { access, .. } if proved(access) => Ok(None),
            Check::Panic { access: Some(access), .. } if proved(access) => Ok(None),
            // A thread that goes on after a failed assertion can't rely on the condition.
            Check::Divide { access: Some(access), .. } if proved(access) && !self.asserts => Ok(None),
            Check::Panic { args, .. } => {
                args.iter().try_for_each(|arg| self.expr(*arg, group))?;
                self.asserts = true;
                Ok(Some(stmt.clone()))
            }
            // The load itself looks at the subscript again: a thread goes on after a failure.
            Check::Bounds { access, index, base } if self.recipe.gathers.contains(access) => {
                self.expr(*index, group)?;
                self.measure(base, group)?;
                Ok(Some(stmt.clone()))
            }
            Check::Bounds { .. } | Check::Slice { .. } => Err("a subscript is checked in the kernel".into()),
            Check::Divide { .. } => Err("a divisor is checked in the kernel".into()),
            Check::Claim { .. } | Check::Step { .. } => {
                Err("a step or an element is checked in the kernel".into())
            }
        }
    }

    /// Declares the slice whose length a check is about in the check's leaf.
    fn measure(&mut self, base: &template::Place, group: &mut Group) -> Result<(), String> {
        let Base::Local(local) = base.base else { return Ok(()) };
        let declared =
            |stmt: &template::Stmt| matches!(stmt, template::Stmt::Let { local: l, .. } if *l == local);
        if group.stmts.iter().any(declared) {
            return Ok(());
        }
        let Some(stmt) = self.lengths.get(&local).cloned() else {
            return Err("a subscript of a part of an array is checked in the kernel".into());
        };
        // What it is declared with may be a variable of the block under the condition.
        if self.hoisted {
            return Err("a subscript of a part of an array is checked under a condition".into());
        }
        // The bounds of the slice have the values that they had where it was declared.
        let (mut fixed, mut assigned) = (true, BTreeSet::new());
        visit::each_stmt(&self.kernel.body.code.block, &mut |stmt| {
            if let template::Stmt::Assign { place, .. } = stmt {
                assigned.extend(place.base.local());
            }
        });
        visit::of_stmt(&stmt, &mut |root| {
            visit::each_expr(&self.program.code.code, root, &mut |e| {
                let expr = &self.program.code.code.exprs[e.index()].expr;
                fixed &= match expr {
                    Expr::Int { .. } | Expr::Binary(..) | Expr::Cast { .. } => true,
                    Expr::Len(place) => matches!(place.base, Base::Array(_)),
                    Expr::Slice { base, .. } => {
                        matches!(base.base, Base::Array(_)) && base.projections.is_empty()
                    }
                    Expr::Load(place) => match place.base {
                        Base::Scalar(_) | Base::Const(_) => place.projections.is_empty(),
                        Base::Local(local) => place.projections.is_empty() && !assigned.contains(&local),
                        Base::Array(_) => false,
                    },
                    _ => false,
                };
            });
        });
        if !fixed {
            return Err("a subscript of a part of an array is checked in the kernel".into());
        }
        group.stmts.push(stmt);
        Ok(())
    }

    /// Loops under a condition run before it.
    fn speculated(
        &mut self,
        cond: ExprId,
        (then, els): (&Block, &Block),
        group: &mut Group,
        out: &mut Vec<Stmt>,
    ) -> Result<(), String> {
        let parallel = self.kernel.template.dims.len();
        let loops = &self.loops;
        let of = |local: LocalId| loops[..parallel].iter().position(|(l, _)| *l == local).map(|l| l as u32);
        let above = speculate::above_zero(self.kernel, &self.program.code, cond, &of);
        let above = above.filter(|_| !self.guarded && loops.len() == parallel && !speculate::has_loop(els));
        let Some(above) = above else {
            return Err("a loop is under a condition that is no comparison of parallel loops".into());
        };
        let apart = speculate::taken_apart(&mut self.program.code, then);
        let (first, rest) =
            apart.ok_or("a loop under a condition does more than give values to variables")?;
        self.flush(group, out);
        let hoisted = std::mem::replace(&mut self.hoisted, true);
        let before = self.loops.len();
        let first = self.block(&Block(first))?;
        self.hoisted = hoisted;
        let total = |stmts: &[template::Stmt]| {
            leaf::is_total(self.kernel, &self.program.code, stmts) && !self.program.can_fail(stmts)
        };
        let mut all = true;
        each_leaf(&first, &mut |stmts, _| all &= total(stmts));
        if !all {
            return Err("what is under a condition may fail".into());
        }
        let inside = self.loops[before..].iter().map(|(_, var)| (*var, above.clone()));
        self.program.only.extend(inside);
        out.extend(first);
        let stmt = template::Stmt::If { cond, then: Block(rest), els: els.clone() };
        out.extend(self.block(&Block(vec![stmt]))?);
        Ok(())
    }

    /// Statements under a condition that store.
    fn conditional(
        &mut self,
        cond: ExprId,
        (then, els): (&Block, &Block),
        group: &mut Group,
        out: &mut Vec<Stmt>,
    ) -> Result<(), String> {
        self.expr(cond, group)?;
        let holds = self.truth("holds", cond, group)?;
        let fails = match els.0.is_empty() {
            true => None,
            false => {
                let code = &mut self.program.code;
                let (src, ty) = (code.code.exprs[cond.index()].src, code.expr_ty[cond.index()]);
                let value = code.push(Expr::Load(template::Place::from(Base::Local(holds))), ty, src);
                let not = code.push(Expr::Unary(template::UnOp::Not, value), ty, src);
                Some(self.truth("fails", not, group)?)
            }
        };
        self.flush(group, out);
        let around = (self.guarded, self.kept_back);
        (self.guarded, self.kept_back) = (true, true);
        for (local, block) in [(Some(holds), then), (fails, els)] {
            if let Some(local) = local {
                let cond = Cell { alloc: self.stands[&local], index: Index::Const(0) };
                let body = self.block(block)?;
                out.push(Stmt::When { cond, body });
            }
        }
        (self.guarded, self.kept_back) = around;
        Ok(())
    }

    /// A variable of the program's own that has the value of a condition.
    fn truth(&mut self, name: &str, value: ExprId, group: &mut Group) -> Result<LocalId, String> {
        let code = &self.program.code;
        let (src, ty) = (code.code.exprs[value.index()].src, code.expr_ty[value.index()]);
        let local = self.new_local(name.to_owned(), ty)?;
        let place = template::Place::from(Base::Local(local));
        group.stmts.push(template::Stmt::Assign { place, value, src });
        Ok(local)
    }

    /// Operators that may overflow have to be in leaves: there is no check for those of subscripts and bounds.
    fn keeps_checks(&self) -> Result<(), String> {
        let (mut left, mut trusted) = (self.program.checked.clone(), false);
        // A thread goes on after a failed assertion, whose condition does not hold then.
        let asserts = self.asserts && self.kernel.body.overflow_checks;
        let (typed, code) = (&self.program.code, &self.program.code.code);
        each_leaf(&self.program.body, &mut |stmts, _| {
            leaf::each(stmts, &mut |stmt| {
                visit::of_stmt(stmt, &mut |root| {
                    visit::each_expr(code, root, &mut |e| {
                        let checked = self.program.checked.contains(&e);
                        trusted |= asserts && !checked && may_overflow(self.kernel, typed, e);
                        left.remove(&e);
                    });
                });
            });
        });
        match (left.is_empty(), trusted) {
            (true, false) => Ok(()),
            (true, true) => Err("an assertion may be what shows that arithmetic has no overflow".into()),
            (false, _) => Err("index arithmetic may overflow".into()),
        }
    }

    fn is_loop(&self, local: LocalId) -> bool {
        self.program.code.code.locals[local.index()].kind == LocalKind::Loop
    }

    fn prim(&self, ty: TyId) -> Result<omp_ir::desc::Prim, String> {
        self.kernel.types.prim(ty).ok_or_else(|| "a variable is no number".into())
    }

    fn access(&self, place: &template::Place) -> Result<u32, String> {
        let Some(key) = scalar_replacement::element(self.kernel, place) else {
            return Err("a part of an element is no number".into());
        };
        self.of.get(&key).copied().ok_or_else(|| "a subscript is not affine".into())
    }

    /// Whether an element may be touched here; `conditional`: under the conditions of the code. What runs beyond the limits of loops,
    /// [`tile`](super::steps::tile) decides, if no other condition is around it.
    fn reaches(&self, access: u32, conditional: bool) -> Result<(), String> {
        let limited = !self.recipe.limits.is_empty() && !self.hoisted;
        let kept = (conditional || limited) && !self.asserts;
        let there = kept || self.program.accesses[access as usize].everywhere;
        if there { Ok(()) } else { Err("an element is there only under a condition".into()) }
    }

    /// A local for what an access loads or stores.
    fn local(&mut self, access: u32, ty: TyId) -> Result<LocalId, String> {
        let prim = self.prim(ty)?;
        if prim == omp_ir::desc::Prim::Bool {
            return Err("an array of `bool` is touched".into());
        }
        let array = self.program.accesses[access as usize].array;
        self.new_local(format!("{}_at", self.kernel.template.arrays[array.index()].name), ty)
    }

    /// A variable of the program's own, with memory.
    fn new_local(&mut self, name: String, ty: TyId) -> Result<LocalId, String> {
        let prim = self.prim(ty)?;
        let local = self.program.code.temp(name.clone(), ty);
        let alloc = self.program.alloc(name, Space::Register, prim, 1);
        self.stands.insert(local, alloc);
        Ok(local)
    }

    /// Lets an expression read locals where it reads arrays.
    fn expr(&mut self, root: ExprId, group: &mut Group) -> Result<(), String> {
        let expr = self.program.code.code.exprs[root.index()].expr.clone();
        match &expr {
            Expr::Load(place) => match (place.base, place.projections.as_slice()) {
                (Base::Array(array), [Projection::Index { index, access }, fields @ ..])
                    if self.recipe.gathers.contains(access) =>
                {
                    let plain = fields.iter().all(|step| matches!(step, Projection::Field(_)));
                    if !plain || self.kernel.template.arrays[array.index()].section {
                        return Err(
                            "a subscript that data gives is of a part of an element, or of a section".into(),
                        );
                    }
                    // The device may have no more of the array than the elements that an assertion allows.
                    if self.asserts && self.program.code.bounds[access.index()] != BoundsVerdict::Residual {
                        return Err("an assertion may be what shows that a subscript is in bounds".into());
                    }
                    self.prim(self.program.code.expr_ty[root.index()])?;
                    self.expr(*index, group)?;
                }
                (Base::Array(_), _) => {
                    let access = self.access(place)?;
                    self.reaches(access, self.kept_back)?;
                    let ty = self.program.code.expr_ty[root.index()];
                    let local = match group.loads.get(&access) {
                        Some(local) => *local,
                        None => {
                            let local = self.local(access, ty)?;
                            group.loads.insert(access, local);
                            local
                        }
                    };
                    let ExprNode { expr, .. } = &mut self.program.code.code.exprs[root.index()];
                    *expr = Expr::Load(template::Place::from(Base::Local(local)));
                }
                (Base::Local(_) | Base::Scalar(_) | Base::Const(_), []) => {}
                // Tables: their subscripts are proved, and the loops that move them are in the text.
                (Base::Scalar(_) | Base::Const(_), parts) => {
                    for step in parts {
                        match step {
                            Projection::Index { index, .. } => self.expr(*index, group)?,
                            Projection::Field(_) => {}
                            Projection::Payload => return Err("the payload of an option is read".into()),
                        }
                    }
                }
                _ => return Err("a part of a value is read".into()),
            },
            Expr::Int { .. } | Expr::Float { .. } | Expr::Bool(_) => {}
            Expr::Len(place) if place.projections.is_empty() => {}
            Expr::Unary(_, a) | Expr::Cast { value: a, ty: _ } => self.expr(*a, group)?,
            Expr::Binary(_, a, b) => {
                self.expr(*a, group)?;
                self.expr(*b, group)?;
            }
            Expr::Call { call, args } if self.program.code.calls[call.index()] == Callee::Builtin => {
                args.iter().try_for_each(|arg| self.expr(*arg, group))?;
            }
            _ => return Err("there are calls, slices or values of several parts".into()),
        }
        Ok(())
    }

    fn coords(&self, access: u32) -> Vec<Index> {
        let of = &self.program.accesses[access as usize];
        let at = |(l, multiple): &(u32, u32)| {
            let var = Index::from(self.loops[*l as usize].1);
            let number = if of.down.contains(l) { self.trips(*l as usize) - 1 - var } else { var };
            number * *multiple
        };
        of.axes.iter().map(|axis| axis.loops.iter().map(at).fold(Index::Const(0), |sum, x| sum + x)).collect()
    }

    fn flush(&mut self, group: &mut Group, out: &mut Vec<Stmt>) {
        let Group { loads, stmts, store } = std::mem::take(group);
        let place = |access: u32, lowerer: &Self| Place::Array(access, lowerer.coords(access));
        for (access, local) in loads {
            let to = Place::Cell(Cell { alloc: self.stands[&local], index: Index::Const(0) });
            out.push(Stmt::copy(to, place(access, self)));
        }
        if !stmts.is_empty() {
            out.push(Stmt::Leaf { stmts, bound: Vec::new() });
        }
        if let Some((access, local)) = store {
            let alloc = match self.stands.get(&local) {
                Some(alloc) => *alloc,
                None => self.stand(local),
            };
            out.push(Stmt::copy(place(access, self), Place::Cell(Cell { alloc, index: Index::Const(0) })));
        }
    }

    /// Memory for a variable of the kernel's.
    fn stand(&mut self, local: LocalId) -> AllocId {
        let code = &self.program.code;
        let prim =
            self.kernel.types.prim(code.local_ty[local.index()]).expect("looked at where it is declared");
        let name = code.code.locals[local.index()].name.clone();
        let alloc = self.program.alloc(name, Space::Register, prim, 1);
        self.stands.insert(local, alloc);
        alloc
    }

    /// Removes statements whose values only subscripts use.
    fn sweep(&mut self) {
        loop {
            let mut read: BTreeSet<LocalId> = BTreeSet::new();
            let code = &self.program.code;
            each_leaf(&self.program.body, &mut |stmts, _| read.extend(leaf::reads(code, stmts)));
            let is_slice = |local: &LocalId| code.code.locals[local.index()].kind == LocalKind::Slice;
            // (Checks name slices.)
            let kept =
                |local: &LocalId| read.contains(local) || self.stands.contains_key(local) || is_slice(local);
            let checks = |stmt: &template::Stmt| {
                let mut found = false;
                leaf::each(std::slice::from_ref(stmt), &mut |s| {
                    found |= matches!(s, template::Stmt::Check { .. });
                });
                found
            };
            let mut swept = false;
            each_leaf_mut(&mut self.program.body, &mut |stmts, _| {
                let before = stmts.len();
                stmts.retain(|stmt| {
                    checks(stmt) || leaf::written(std::slice::from_ref(stmt)).iter().any(kept)
                });
                swept |= stmts.len() < before;
            });
            if !swept {
                return;
            }
        }
    }

    /// Gives memory to the variables that several leaves name, and values to those of loops.
    fn bind(&mut self) -> Result<(), String> {
        let mut seen: BTreeMap<LocalId, BTreeSet<usize>> = BTreeMap::new();
        let (code, mut n) = (&self.program.code, 0);
        each_leaf(&self.program.body, &mut |stmts, _| {
            for local in leaf::reads(code, stmts).into_iter().chain(leaf::written(stmts)) {
                seen.entry(local).or_default().insert(n);
            }
            n += 1;
        });
        let mut captured = false;
        for (local, leaves) in &seen {
            match self.program.code.code.locals[local.index()].kind {
                LocalKind::Loop if self.loops.iter().any(|(l, _)| l == local) => {}
                LocalKind::Loop => {
                    return Err("the variable of a coalesced loop is used outside of subscripts".into());
                }
                LocalKind::User | LocalKind::Temp => {
                    if leaves.len() > 1 && !self.stands.contains_key(local) {
                        self.stand(*local);
                    }
                }
                LocalKind::Slice if leaves.len() == 1 => {}
                _ => captured = true,
            }
        }
        if captured {
            return Err("a captured variable is assigned".into());
        }
        let mut body = std::mem::take(&mut self.program.body);
        self.bind_in(&mut body, &mut Vec::new());
        drop_empty(&mut body);
        self.program.body = body;
        Ok(())
    }

    /// `around` are the loops around the statements.
    fn bind_in(&self, stmts: &mut [Stmt], around: &mut Vec<Var>) {
        for stmt in stmts {
            match stmt {
                Stmt::Leaf { stmts, bound } => {
                    self.bind_leaf(stmts, bound, around);
                }
                Stmt::Loop { var, body, .. } => {
                    around.push(*var);
                    self.bind_in(body, around);
                    around.pop();
                }
                other => {
                    if let Some(inner) = other.inner_mut() {
                        self.bind_in(inner, around);
                    }
                }
            }
        }
    }

    fn bind_leaf(&self, stmts: &mut Vec<template::Stmt>, bound: &mut Vec<(LocalId, Bound)>, around: &[Var]) {
        let (loops, stands, code) = (&self.loops, &self.stands, &self.program.code);
        let mut named = leaf::reads(code, stmts);
        named.extend(leaf::written(stmts));
        // The failure record has the iteration.
        if self.program.can_fail(stmts) {
            named.extend(loops.iter().filter(|(_, var)| around.contains(var)).map(|(local, _)| *local));
        }
        for local in named {
            if let Some(l) = loops.iter().position(|(l, _)| *l == local) {
                let var = Index::from(loops[l].1);
                let value = match self.firsts.get(&l) {
                    Some(first) => var + *first,
                    None => Index::from(Term::First(l as u32)) + var * Term::Step(l as u32),
                };
                bound.push((local, Bound::Value(value)));
            } else if let Some(alloc) = stands.get(&local) {
                let cell = Cell { alloc: *alloc, index: Index::Const(0) };
                bound.push((local, Bound::Cell(cell)));
            }
        }
        let assigned = |stmt: template::Stmt| match stmt {
            template::Stmt::Let { local, init } if stands.contains_key(&local) => {
                let place = template::Place::from(Base::Local(local));
                let src = init.map(|e| code.code.exprs[e.index()].src);
                let value = init.zip(src);
                value.map(|(value, src)| template::Stmt::Assign { place, value, src })
            }
            other => Some(other),
        };
        *stmts = std::mem::take(stmts).into_iter().filter_map(assigned).collect();
    }
}

fn drop_empty(stmts: &mut Vec<Stmt>) {
    stmts.retain(|stmt| !matches!(stmt, Stmt::Leaf { stmts, .. } if stmts.is_empty()));
    for stmt in stmts {
        if let Some(inner) = stmt.inner_mut() {
            drop_empty(inner);
        }
    }
}

fn each_leaf(stmts: &[Stmt], f: &mut impl FnMut(&[template::Stmt], &[(LocalId, Bound)])) {
    for stmt in stmts {
        if let Stmt::Leaf { stmts, bound } = stmt {
            f(stmts, bound);
        }
        each_leaf(stmt.inner(), f);
    }
}

fn each_leaf_mut(
    stmts: &mut [Stmt],
    f: &mut impl FnMut(&mut Vec<template::Stmt>, &mut Vec<(LocalId, Bound)>),
) {
    for stmt in stmts {
        if let Stmt::Leaf { stmts, bound } = stmt {
            f(stmts, bound);
        }
        if let Some(inner) = stmt.inner_mut() {
            each_leaf_mut(inner, f);
        }
    }
}
