//! Induction variables. A variable that a loop increments once in every iteration is a formula of the loop's counter:
//!
//! ```text
//! let mut k = r * m;                        let k = r * m;
//! for j in 0..m {                           for j in 0..m {
//!     sum += x[k];                =>            sum += x[k + j];
//!     k += 1;                               }
//! }
//! ```
//!
//! So the launch plan knows the subscripts. Where the variable is used after the loop, it gets its last value there; in a nest, that is again
//! one increment in every iteration of the loop around. Decrements, loops that go down and steps are alike.
use super::typer::constant::Constants;
use omp_ir::desc::Prim;
use omp_ir::flow::effects;
use omp_ir::flow::slices::whole;
use omp_ir::ids::{ExprId, LabelId, LocalId, SrcId, TyId};
use omp_ir::kernel::{Kernel, Ty, TypedCode, Types};
use omp_ir::template::{Adaptor, Base, BinOp, Block, Expr, LocalKind, Projection, Range, Stmt, TyRef};
use omp_ir::visit;
use std::collections::BTreeSet;

/// Substitutes the induction variables of the body and of the functions.
pub(super) fn apply(kernel: &mut Kernel) {
    let usize_ty = kernel.types.intern(Ty::Prim(Prim::Usize));
    let types = &kernel.types;
    for code in std::iter::once(&mut kernel.body).chain(kernel.fns.iter_mut().map(|f| &mut f.body)) {
        super::counted::apply(types, code, usize_ty);
        let indices = indices(types, code);
        if indices.is_empty() {
            continue;
        }
        let constants = Constants::of(types, code);
        let mut block = std::mem::take(&mut code.code.block);
        Substitution { types, code, constants, indices, usize_ty }.block(&mut block);
        code.code.block = block;
    }
}

/// The variables of type `usize` that occur in subscripts, or in what such variables get, and that nothing borrows.
fn indices(types: &Types, code: &TypedCode) -> BTreeSet<LocalId> {
    let (mut found, mut borrowed) = (BTreeSet::new(), BTreeSet::new());
    let mut of_place = |place: &omp_ir::template::Place| {
        for step in &place.projections {
            if let Projection::Index { index, .. } = step {
                visit::each_expr(&code.code, *index, &mut |e| {
                    if let Expr::Load(place) = &code.code.exprs[e.index()].expr {
                        found.extend(whole(place));
                    }
                });
            }
        }
    };
    visit::each_stmt(&code.code.block, &mut |stmt| {
        if let Stmt::Assign { place, .. } = stmt {
            of_place(place);
        }
    });
    visit::each_live_expr(&code.code, &mut |e| {
        let expr = &code.code.exprs[e.index()].expr;
        omp_ir::flow::slices::place_of(expr).into_iter().for_each(&mut of_place);
        effects::borrowed(&code.code, e, &mut |base| borrowed.extend(base.local()));
    });
    loop {
        let before = found.len();
        visit::each_stmt(&code.code.block, &mut |stmt| {
            let (to, value) = match stmt {
                Stmt::Let { local, init: Some(value) } => (Some(*local), *value),
                Stmt::Assign { place, value, .. } => (whole(place), *value),
                _ => return,
            };
            if to.is_some_and(|to| found.contains(&to)) {
                visit::each_expr(&code.code, value, &mut |e| {
                    if let Expr::Load(place) = &code.code.exprs[e.index()].expr {
                        found.extend(whole(place));
                    }
                });
            }
        });
        if found.len() == before {
            break;
        }
    }
    found.retain(|l| {
        matches!(code.code.locals[l.index()].kind, LocalKind::User | LocalKind::Temp)
            && types.prim(code.local_ty[l.index()]) == Some(Prim::Usize)
            && !borrowed.contains(l)
    });
    found
}

pub(super) struct Substitution<'a> {
    pub types: &'a Types,
    pub code: &'a mut TypedCode,
    pub constants: Constants,
    pub indices: BTreeSet<LocalId>,
    pub usize_ty: TyId,
}

/// An increment that stands in a loop's body.
struct Increment {
    of: LocalId,
    at: usize,
    by: ExprId,
    /// It is a decrement.
    down: bool,
    src: SrcId,
}

impl Substitution<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut at = 0;
        while at < block.0.len() {
            if !matches!(block.0[at], Stmt::Inner(_)) {
                for inner in visit::blocks_of_mut(&mut block.0[at]).into_iter().flatten() {
                    self.block(inner);
                }
            }
            let (before, rest) = block.0.split_at_mut(at);
            let (this, after) = rest.split_first_mut().expect("a statement is there");
            if let Stmt::For { label, var, range, body, src: _ } = this {
                let mut last = Vec::new();
                while let Some(found) = self.increment((*label, *var), range, body, last.as_slice()) {
                    let declared = before
                        .iter()
                        .any(|stmt| matches!(stmt, Stmt::Let { local, .. } if *local == found.of));
                    let is_used = !declared || after.iter().any(|stmt| self.names(stmt, found.of));
                    let zero = declared && !is_used && self.starts_at_zero(before, found.of);
                    match self.substitute(*var, range, body, &found, (zero, is_used)) {
                        Some(end) => last.push((found.of, end)),
                        None => last.push((found.of, None)),
                    }
                }
                let ends: Vec<Stmt> = last.into_iter().filter_map(|(_, end)| end).collect();
                let made = ends.len();
                block.0.splice(at + 1..at + 1, ends);
                at += made;
            }
            at += 1;
        }
    }

    /// The next increment of a loop, other than those that are done.
    fn increment(
        &self,
        (label, var): (LabelId, LocalId),
        range: &Range,
        body: &Block,
        done: &[(LocalId, Option<Stmt>)],
    ) -> Option<Increment> {
        if range.inclusive || may_leave(body, label) {
            return None;
        }
        let step = match range.adaptors.as_slice() {
            [] | [Adaptor::Rev] => 1,
            [Adaptor::StepBy(Some(step))] => self.number(*step).filter(|step| *step > 0)?,
            _ => return None,
        };
        let mut changed = effects::changed(&self.code.code, body);
        changed.insert(Base::Local(var));
        body.0.iter().enumerate().find_map(|(at, stmt)| {
            let Stmt::Assign { place, value, src } = stmt else { return None };
            let of = whole(place).filter(|l| self.indices.contains(l) && done.iter().all(|(d, _)| d != l))?;
            let (down, by) = match *self.expr(*value) {
                Expr::Binary(BinOp::Add, a, b) if self.is_load(a, of) => (false, b),
                Expr::Binary(BinOp::Add, a, b) if self.is_load(b, of) => (false, a),
                Expr::Binary(BinOp::Sub, a, b) if self.is_load(a, of) => (true, b),
                _ => return None,
            };
            // (Of other steps, the number of the iteration would be a quotient.)
            let whole_steps = step == 1 || self.number(by).is_some_and(|by| by >= 0 && by % step == 0);
            let once = body.0.iter().enumerate().all(|(n, other)| n == at || !self.changes(other, of));
            let outside = !effects::bound_in(body).contains(&of);
            let fixed = |e: ExprId| self.is_fixed(e, &changed, body);
            let ends = [range.lo?, range.hi?].into_iter().all(fixed);
            (once && outside && ends && whole_steps && fixed(by)).then_some(Increment {
                of,
                at,
                by,
                down,
                src: *src,
            })
        })
    }

    /// Whether an expression has the same value everywhere in a loop: a sum of products of numbers and of what the loop does not change.
    pub(super) fn is_fixed(
        &self,
        root: ExprId,
        changed: &std::collections::HashSet<Base>,
        body: &Block,
    ) -> bool {
        let bound = effects::bound_in(body);
        let mut fixed = true;
        visit::each_expr(&self.code.code, root, &mut |e| {
            fixed &= match self.expr(e) {
                Expr::Int { .. } | Expr::Cast { .. } => true,
                Expr::Binary(op, ..) => matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul),
                Expr::Load(place) => {
                    place.projections.is_empty()
                        && !changed.contains(&place.base)
                        && place.base.local().is_none_or(|l| !bound.contains(&l))
                }
                Expr::Len(place) => {
                    place.projections.is_empty()
                        && place
                            .base
                            .local()
                            .is_none_or(|l| !bound.contains(&l) && !changed.contains(&place.base))
                        || self.constants.int(self.types, self.code, e).is_some()
                }
                _ => false,
            };
        });
        fixed
    }

    /// Whether a variable is 0 after these statements.
    fn starts_at_zero(&self, before: &[Stmt], local: LocalId) -> bool {
        before.iter().all(|stmt| match stmt {
            Stmt::Let { local: declared, init } if *declared == local => {
                init.and_then(|init| self.number(init)) == Some(0)
            }
            stmt => !self.changes(stmt, local),
        })
    }

    /// Puts the formula in the place of the variable, and removes the increment; gives what follows the loop. `None`: nothing was done.
    fn substitute(
        &mut self,
        var: LocalId,
        range: &Range,
        body: &mut Block,
        found: &Increment,
        (zero, is_used): (bool, bool),
    ) -> Option<Option<Stmt>> {
        let (lo, hi) = (range.lo?, range.hi?);
        let from_zero = self.number(lo) == Some(0);
        let (signed, known) = (self.is_signed(hi), self.number(hi));
        let step = match range.adaptors.as_slice() {
            [Adaptor::StepBy(Some(step))] => self.number(*step)?,
            _ => 1,
        };
        let trips = match (self.number(lo), known) {
            (Some(lo), Some(hi)) => Some(u64::try_from(((hi - lo).max(0) + step - 1) / step).ok()?),
            _ => None,
        };
        // (With a sign, the distance from the start might not be in the type.)
        if !from_zero && self.is_signed(lo) && self.number(lo).is_none_or(|lo| lo < 0) {
            return None;
        }
        let one = self.number(found.by) == Some(1);
        // Otherwise the last increment may fail.
        let small = self.number(found.by).is_some_and(|by| (0..1 << 32).contains(&by));
        let is_used = is_used || self.code.overflow_checks && (!small || found.down);
        // The formula evaluates the increment before, and also where the loop has no iterations: arithmetic in it must not fail there.
        if self.code.overflow_checks && !small && self.computes(found.by) {
            return None;
        }
        let counted = trips.is_some() || from_zero && !signed && step == 1;
        if self.code.code.locals[var.index()].mutable || is_used && !counted {
            return None;
        }
        for (n, stmt) in body.0.iter().enumerate().filter(|(n, _)| *n != found.at) {
            let mut loads = Vec::new();
            visit::each_stmt(&Block(vec![stmt.clone()]), &mut |stmt| {
                visit::of_stmt(stmt, &mut |root| {
                    visit::each_expr(&self.code.code, root, &mut |e| {
                        loads.extend(self.is_load(e, found.of).then_some(e));
                    });
                });
            });
            for e in loads {
                let src = self.code.code.exprs[e.index()].src;
                let mut count = match range.adaptors.as_slice() {
                    [Adaptor::Rev] => self.iteration_down(var, hi, src),
                    _ => self.iteration(var, (!from_zero).then_some(lo), src),
                };
                if n > found.at {
                    // As far as the variable of the loop moves in an iteration.
                    let next = self.int(u64::try_from(step).ok()?, src);
                    count = self.binary(BinOp::Add, count, next, src);
                }
                let by = match self.number(found.by) {
                    Some(by) if step > 1 => self.int(u64::try_from(by / step).ok()?, src),
                    _ => self.code.copy(found.by),
                };
                if self.number(by) != Some(1) {
                    count = self.binary(BinOp::Mul, count, by, src);
                }
                self.code.code.exprs[e.index()].expr = match (zero, found.down) {
                    (true, false) => self.expr(count).clone(),
                    (_, true) => Expr::Binary(BinOp::Sub, self.load(found.of, src), count),
                    (false, false) => Expr::Binary(BinOp::Add, self.load(found.of, src), count),
                };
            }
        }
        body.0.remove(found.at);
        if !is_used {
            return Some(None);
        }
        let src = found.src;
        let mut count = match trips {
            Some(trips) => self.int(trips, src),
            None => {
                let copy = self.code.copy(hi);
                self.as_usize(copy, src)
            }
        };
        if !one {
            let by = self.code.copy(found.by);
            count = self.binary(BinOp::Mul, count, by, src);
        }
        let start = self.load(found.of, src);
        let op = if found.down { BinOp::Sub } else { BinOp::Add };
        let value = self.binary(op, start, count, src);
        Some(Some(Stmt::Assign { place: Base::Local(found.of).into(), value, src }))
    }

    /// Whether an expression has arithmetic.
    fn computes(&self, root: ExprId) -> bool {
        let mut computes = false;
        visit::each_expr(&self.code.code, root, &mut |e| {
            computes |= matches!(self.expr(e), Expr::Binary(..));
        });
        computes
    }

    /// How many iterations were before this one.
    fn iteration(&mut self, var: LocalId, from: Option<ExprId>, src: SrcId) -> ExprId {
        let ty = self.code.local_ty[var.index()];
        let mut count = self.code.push(Expr::Load(Base::Local(var).into()), ty, src);
        if let Some(lo) = from {
            let lo = self.code.copy(lo);
            count = self.code.push(Expr::Binary(BinOp::Sub, count, lo), ty, src);
        }
        self.as_usize(count, src)
    }

    /// The same in a loop that goes down.
    fn iteration_down(&mut self, var: LocalId, hi: ExprId, src: SrcId) -> ExprId {
        let ty = self.code.local_ty[var.index()];
        let Some(prim) = self.types.prim(ty) else { return self.int(0, src) };
        let hi = self.code.copy(hi);
        let one = Expr::Int { value: 1, negative: false, ty: TyRef::Prim(prim) };
        let one = self.code.push(one, ty, src);
        let last = self.code.push(Expr::Binary(BinOp::Sub, hi, one), ty, src);
        let value = self.code.push(Expr::Load(Base::Local(var).into()), ty, src);
        let count = self.code.push(Expr::Binary(BinOp::Sub, last, value), ty, src);
        self.as_usize(count, src)
    }

    fn as_usize(&mut self, value: ExprId, src: SrcId) -> ExprId {
        if self.code.expr_ty[value.index()] == self.usize_ty {
            return value;
        }
        self.code.push(Expr::Cast { value, ty: TyRef::Prim(Prim::Usize) }, self.usize_ty, src)
    }

    fn is_signed(&self, e: ExprId) -> bool {
        self.types.prim(self.code.expr_ty[e.index()]).is_none_or(Prim::is_signed)
    }

    pub(super) fn changes(&self, stmt: &Stmt, local: LocalId) -> bool {
        effects::changed(&self.code.code, &Block(vec![stmt.clone()])).contains(&Base::Local(local))
    }

    /// Whether a statement reads or changes a variable.
    pub(super) fn names(&self, stmt: &Stmt, local: LocalId) -> bool {
        let mut names = self.changes(stmt, local);
        visit::each_stmt(&Block(vec![stmt.clone()]), &mut |stmt| {
            visit::of_stmt(stmt, &mut |root| {
                visit::each_expr(&self.code.code, root, &mut |e| names |= self.is_load(e, local));
            });
        });
        names
    }

    fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId, src: SrcId) -> ExprId {
        self.code.push(Expr::Binary(op, a, b), self.usize_ty, src)
    }

    fn load(&mut self, local: LocalId, src: SrcId) -> ExprId {
        self.code.push(Expr::Load(Base::Local(local).into()), self.usize_ty, src)
    }

    pub(super) fn int(&mut self, value: u64, src: SrcId) -> ExprId {
        let literal = Expr::Int { value: value.into(), negative: false, ty: TyRef::Prim(Prim::Usize) };
        self.code.push(literal, self.usize_ty, src)
    }

    pub(super) fn expr(&self, e: ExprId) -> &Expr {
        &self.code.code.exprs[e.index()].expr
    }

    pub(super) fn is_load(&self, e: ExprId, local: LocalId) -> bool {
        *self.expr(e) == Expr::Load(Base::Local(local).into())
    }

    pub(super) fn number(&self, e: ExprId) -> Option<i128> {
        self.constants.int(self.types, self.code, e)
    }
}

/// Whether an iteration may end before its last statement, or the loop before its last iteration, and the iteration of the parallel loop goes on.
pub(super) fn may_leave(body: &Block, label: LabelId) -> bool {
    let mut inside = BTreeSet::new();
    visit::each_stmt(body, &mut |stmt| {
        if let Stmt::For { label, .. } | Stmt::Loop { label, .. } | Stmt::Labelled { label, .. } = stmt {
            inside.insert(label.0);
        }
    });
    inside.remove(&label.0);
    let mut leaves = false;
    visit::each_stmt(body, &mut |stmt| {
        if let Stmt::Break(to) | Stmt::Continue(to) = stmt {
            leaves |= !inside.contains(&to.0);
        }
    });
    leaves
}

#[cfg(test)]
mod tests {
    use kernel_samples::build::{F32, Region, USIZE, X, count};
    use omp_ir::template::{Base, Place, Stmt};
    use omp_ir::visit;

    /// How many assignments to the variable are left of a loop that starts at `k = i * 8`.
    fn left(body: impl FnOnce(&mut Region, &X, &X, &X), after: impl FnOnce(&mut Region, &X, &X)) -> usize {
        let mut r = Region::new("running");
        let (a, c) = (r.array("a", &F32), r.array("c", &F32));
        let m = r.scalar("m", &USIZE);
        let i = r.dim("i", count(0, 100));
        let k = r.let_mut("k", &i * 8);
        r.for_("j", count(0, &m), |r, j, _| body(r, &k, &a, &j));
        after(&mut r, &k, &c);
        r.set(c.at(&i), 1.0);
        let (template, types) = r.finish();
        let (kernel, _) = super::super::finalise(template, types, false).expect("it is well typed");
        let mut left = 0;
        visit::each_stmt(&kernel.body.code.block, &mut |stmt| {
            if let Stmt::Assign { place: Place { base: Base::Local(l), .. }, .. } = stmt {
                left += usize::from(kernel.body.code.locals[l.index()].name == "k");
            }
        });
        left
    }

    #[test]
    fn increments_of_every_iteration_go() {
        let read = |r: &mut Region, k: &X, a: &X| drop(r.let_("v", a.at(k)));
        let none = |_: &mut Region, _: &X, _: &X| ();
        let plain = |r: &mut Region, k: &X, a: &X, _: &X| {
            read(r, k, a);
            r.set(k, k + 1);
        };
        assert_eq!(left(plain, none), 0);
        // Its last value is used.
        assert_eq!(left(plain, |r, k, c| drop(r.let_("v", c.at(k)))), 1);
        let twice = |r: &mut Region, k: &X, a: &X, _: &X| {
            read(r, k, a);
            r.set(k, k + 1);
            r.set(k, k + 1);
        };
        assert_eq!(left(twice, none), 2);
        let sometimes = |r: &mut Region, k: &X, a: &X, j: &X| {
            read(r, k, a);
            r.if_(j.lt(3), |r| r.set(k, k + 1));
        };
        assert_eq!(left(sometimes, none), 1);
        let by_counter = |r: &mut Region, k: &X, a: &X, j: &X| {
            read(r, k, a);
            r.set(k, k + j);
        };
        assert_eq!(left(by_counter, none), 1);
        let down = |r: &mut Region, k: &X, a: &X, _: &X| {
            r.set(k, k - 2);
            read(r, k, a);
        };
        assert_eq!(left(down, none), 0);
        // In no subscript.
        assert_eq!(left(|r, k, _, _| r.set(k, k + 1), none), 1);
    }
}
