//! Loads ahead: sequential loops in which a thread has the loads of several iterations in flight before it runs the first of them.
//!
//! In a recurrence (`v = 0.9 * v + x[i * m + s]`, tridiagonal systems) each iteration waits for the one before, and compilers leave its
//! loads behind that. If a loop like this has few threads, nothing else hides the latency of memory.
//!
//! # Why this is correct
//!
//! Every iteration of the loop runs: nothing in it fails, ends the loop or ends the iteration, and it has no loops itself. The loads are
//! outside of conditions, and their subscripts are proved, so the iterations make them in any case. The subscripts consist of numbers that
//! the loop's variable and the code before the loop give. What they load is not stored in the loop, with one exception: an element that
//! the same iteration stores afterwards, by the same subscript. If the loop's variable moves that subscript, no other iteration stores
//! the element. Other threads store nothing that an iteration reads.
use super::explain::reasons::{About, all};
use super::survey::Survey;
use super::{DeviceKind, Request, Strategy};
use crate::valid::KernelInfo;
use omp_ir::analysis::plan::AccessStride;
use omp_ir::desc::Prim;
use omp_ir::ids::{AccessId, ArrayId, ExprId, LocalId};
use omp_ir::kernel::{BoundsVerdict, Callee, Kernel};
use omp_ir::template::{Adaptor, Base, BinOp, Block, Check, Expr, LocalKind, Place, Projection, Range, Stmt};
use omp_ir::visit;
use std::collections::{BTreeMap, BTreeSet};

/// Registers for what a thread has in flight. Where there are more threads for each multiprocessor, they have fewer.
const WORDS: u32 = 128;
const FEW: u64 = 256;

/// Iterations in flight, and expressions that are written for all of them.
const LEAST: u32 = 4;
const MOST: u32 = 32;
const MOST_EXPRESSIONS: u32 = 4096;

/// Threads of a multiprocessor from which on other threads hide the latency.
const ENOUGH: u64 = 512;

/// Iterations of a loop from which on it pays.
const LONG: u64 = 64;

/// What a loop loads ahead.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Ahead {
    /// For so many iterations at a time.
    pub iterations: u32,
    /// The subscripts.
    pub loads: BTreeSet<AccessId>,
}

/// A loop whose iterations may be loaded ahead.
pub(crate) struct Found<'k> {
    /// The statements that give variables in subscripts their values.
    pub lets: Vec<&'k Stmt>,
    pub loads: Vec<Load<'k>>,
    /// Subscripts that the loop's variable has to move.
    pub moved: Vec<ExprId>,
}

/// An element that each iteration loads.
pub(crate) struct Load<'k> {
    pub place: &'k Place,
    /// The subscripts that name it.
    pub accesses: BTreeSet<AccessId>,
    /// Elements from one iteration to the next, if that is a number in the code.
    step: Option<i64>,
}

/// The loops of a kernel that load ahead, by their variables.
pub(super) fn choose(
    (kernel, info): (&Kernel, &KernelInfo),
    request: &Request<'_>,
    survey: &Survey,
    strategy: &Strategy,
) -> BTreeMap<LocalId, Ahead> {
    let (facts, mut found) = (request.facts, BTreeMap::new());
    let alone = matches!(strategy, Strategy::Linear | Strategy::Grid { jam: 1, wide: None, .. });
    let each = facts.total.unwrap_or(u64::MAX).div_ceil(request.device.units.max(1).into());
    if request.device.kind != DeviceKind::Cuda
        || !alone
        || !survey.body_loops
        || survey.queries
        || request.pins.unroll.is_some()
        || !facts.claims.is_empty()
    {
        return found;
    }
    let inner = inner_loops(&kernel.body.code.block);
    let usable = |array: ArrayId| !survey.whole[array.index()];
    visit::each_stmt(&kernel.body.code.block, &mut |stmt| {
        let Stmt::For { var, range, body, .. } = stmt else { return };
        if facts.trips.get(var).is_none_or(|trips| *trips < LONG) {
            return;
        }
        // Local arrays are in registers if the compiler unrolls the loop as a whole.
        if has_local_arrays(kernel, body) {
            return;
        }
        let Some(of) = find(kernel, &facts.unproved, (*var, range, body)) else { return };
        let loads: Vec<_> = of.loads.iter().filter(|load| array_of(load.place).is_some_and(usable)).collect();
        // (In a loop that runs several times, the rows are in a cache after the first time.)
        let rows =
            !inner.contains(var) && !loads.is_empty() && loads.iter().all(|load| is_along_row(info, load));
        if each > ENOUGH && !rows {
            return;
        }
        let size =
            |place: &Place| array_of(place).and_then(|a| kernel.types.size(kernel.array_ty[a.index()]));
        let words: u32 = loads.iter().map(|load| size(load.place).unwrap_or(8).div_ceil(4) as u32).sum();
        let registers = if each <= FEW || rows { WORDS } else { WORDS / 2 };
        let fits = registers.checked_div(words).unwrap_or(0);
        let most = fits.min(MOST).min(MOST_EXPRESSIONS / expressions(kernel, body));
        let iterations = 1 << most.max(1).ilog2();
        if iterations >= LEAST {
            let loads = loads.into_iter().flat_map(|load| &load.accesses).copied().collect();
            found.insert(*var, Ahead { iterations, loads });
        }
    });
    request.why(About::Ahead, || {
        let names: Vec<_> =
            found.keys().map(|l| format!("`{}`", kernel.body.code.locals[l.index()].name)).collect();
        format!(
            "{} threads, each of which runs {} in order, are few or read rows of their own: loads of later iterations need not wait",
            facts.total.unwrap_or(0),
            if names.len() == 1 { format!("the loop over {}", names[0]) } else { format!("loops over {}", all(&names)) }
        )
    });
    found
}

/// The loops that are in other sequential loops.
fn inner_loops(block: &Block) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::new();
    visit::each_stmt(block, &mut |stmt| {
        if let Stmt::For { body, .. } | Stmt::Loop { body, .. } = stmt {
            visit::each_stmt(body, &mut |stmt| {
                if let Stmt::For { var, .. } = stmt {
                    found.insert(*var);
                }
            });
        }
    });
    found
}

/// Whether statements access elements of local arrays.
fn has_local_arrays(kernel: &Kernel, block: &Block) -> bool {
    let mut found = false;
    let mut place = |place: &Place| {
        let is_index = |step: &Projection| matches!(step, Projection::Index { .. });
        found |= place.base.local().is_some() && place.projections.iter().any(is_index);
    };
    visit::each_stmt(block, &mut |stmt| {
        if let Stmt::Assign { place: to, .. } = stmt {
            place(to);
        }
        visit::of_stmt(stmt, &mut |root| {
            visit::each_expr(&kernel.body.code, root, &mut |e| {
                if let Expr::Load(from) = &kernel.body.code.exprs[e.index()].expr {
                    place(from);
                }
            });
        });
    });
    found
}

/// Whether the loop walks along a row that neighbouring threads don't share: a warp then reads as many rows as it has threads.
fn is_along_row(info: &KernelInfo, load: &Load<'_>) -> bool {
    let moved = |s: &AccessStride| {
        s.per_dim.iter().any(|by| *by != Some(0)) && s.per_dim.iter().all(|by| !matches!(by, Some(1 | -1)))
    };
    let of = info.plan.strides().iter().find(|s| load.accesses.contains(&s.access));
    matches!(load.step, Some(1 | -1)) && of.is_some_and(moved)
}

fn array_of(place: &Place) -> Option<ArrayId> {
    match place.base {
        Base::Array(array) => Some(array),
        Base::Local(_) | Base::Scalar(_) | Base::Const(_) => None,
    }
}

fn expressions(kernel: &Kernel, body: &Block) -> u32 {
    let mut count = 1;
    visit::each_stmt(body, &mut |stmt| {
        visit::of_stmt(stmt, &mut |root| visit::each_expr(&kernel.body.code, root, &mut |_| count += 1));
    });
    count
}

/// The loads of a loop that may be made ahead; `None` if its iterations may end early, or do more than to load, compute and store.
pub(crate) fn find<'k>(
    kernel: &'k Kernel,
    unproved: &BTreeSet<AccessId>,
    (var, range, body): (LocalId, &Range, &'k Block),
) -> Option<Found<'k>> {
    let code = &kernel.body;
    let prim = kernel.types.prim(code.local_ty[var.index()])?;
    let simple = matches!(range.adaptors.as_slice(), [] | [Adaptor::Rev]) && !range.inclusive;
    if !simple
        || prim.is_signed()
        || prim.size() < 4
        || code.code.locals[var.index()].mutable
        || code.overflow_checks
    {
        return None;
    }
    let of = Loop::of(kernel, unproved, var, body)?;
    let mut found =
        Found { lets: of.lets.iter().map(|(_, stmt)| *stmt).collect(), loads: Vec::new(), moved: Vec::new() };
    let mut stored = BTreeSet::new();
    for stmt in &body.0 {
        let mut roots = Vec::new();
        match stmt {
            Stmt::Let { init, .. } => roots.extend(*init),
            Stmt::Assign { place, value, .. } => {
                visit::of_place(place, &mut |e| roots.push(e));
                roots.push(*value);
            }
            Stmt::If { cond, .. } => roots.push(*cond),
            _ => {}
        }
        roots.into_iter().for_each(|root| of.loads(root, &stored, &mut found));
        visit::each_stmt(&Block(vec![stmt.clone()]), &mut |stmt| {
            if let Stmt::Assign { place: Place { base: Base::Array(array), .. }, .. } = stmt {
                stored.insert(*array);
            }
        });
    }
    (!found.loads.is_empty()).then_some(found)
}

/// A loop that is looked at.
pub(super) struct Loop<'a, 'k> {
    kernel: &'k Kernel,
    unproved: &'a BTreeSet<AccessId>,
    var: LocalId,
    /// How often its statements declare or assign a variable.
    changed: BTreeMap<LocalId, u32>,
    /// The subscripts of what it stores.
    pub stored: BTreeMap<ArrayId, Vec<(AccessId, ExprId)>>,
    /// Variables whose value is known before an iteration runs.
    pub lets: Vec<(LocalId, &'k Stmt)>,
}

impl<'a, 'k> Loop<'a, 'k> {
    /// `None` if its iterations may end early, or do more than to load, compute and store.
    pub fn of(
        kernel: &'k Kernel,
        unproved: &'a BTreeSet<AccessId>,
        var: LocalId,
        body: &'k Block,
    ) -> Option<Self> {
        let mut of = Loop {
            kernel,
            unproved,
            var,
            changed: BTreeMap::new(),
            stored: BTreeMap::new(),
            lets: Vec::new(),
        };
        of.look(body)?;
        for stmt in &body.0 {
            if let Stmt::Let { local, init: Some(init) } = stmt
                && of.changed.get(local) == Some(&1)
                && of.is_int(*init)
                && of.is_known(*init)
            {
                of.lets.push((*local, stmt));
            }
        }
        Some(of)
    }

    fn look(&mut self, block: &Block) -> Option<()> {
        for stmt in &block.0 {
            let mut fine = true;
            if !matches!(stmt, Stmt::Check { .. }) {
                visit::of_stmt(stmt, &mut |root| {
                    visit::each_expr(&self.kernel.body.code, root, &mut |e| fine &= self.is_plain(e));
                });
            }
            match stmt {
                Stmt::Let { local, .. } => *self.changed.entry(*local).or_default() += 1,
                Stmt::Assign { place, .. } => match place.base {
                    Base::Local(local) => *self.changed.entry(local).or_default() += 1,
                    Base::Array(array) => {
                        let [Projection::Index { index, access }] = place.projections[..] else {
                            return None;
                        };
                        self.stored.entry(array).or_default().push((access, index));
                    }
                    Base::Scalar(_) | Base::Const(_) => return None,
                },
                Stmt::If { then, els, .. } => {
                    self.look(then)?;
                    self.look(els)?;
                }
                Stmt::Check { check: Check::Bounds { access, .. }, .. } => fine &= self.is_proved(*access),
                Stmt::Eval(_)
                | Stmt::Atomic { .. }
                | Stmt::For { .. }
                | Stmt::Loop { .. }
                | Stmt::Labelled { .. }
                | Stmt::Inner(_)
                | Stmt::Break(_)
                | Stmt::Continue(_)
                | Stmt::Return(_)
                | Stmt::Check { .. } => return None,
            }
            if !fine {
                return None;
            }
        }
        Some(())
    }

    /// It calls nothing that may fail, and passes no place on.
    fn is_plain(&self, e: ExprId) -> bool {
        let code = &self.kernel.body;
        match &code.code.exprs[e.index()].expr {
            Expr::Call { call, .. } => code.calls[call.index()] == Callee::Builtin,
            Expr::Load(Place { base: Base::Local(local), .. }) => {
                code.code.locals[local.index()].kind != LocalKind::Ref
            }
            Expr::Borrow(_) | Expr::Slice { .. } | Expr::Thread(_) => false,
            _ => true,
        }
    }

    fn is_proved(&self, access: AccessId) -> bool {
        match self.kernel.body.bounds[access.index()] {
            BoundsVerdict::Proved => true,
            BoundsVerdict::AtLaunch => !self.unproved.contains(&access),
            BoundsVerdict::Residual | BoundsVerdict::Trusted => false,
        }
    }

    fn expr(&self, e: ExprId) -> &'k Expr {
        &self.kernel.body.code.exprs[e.index()].expr
    }

    fn is_int(&self, e: ExprId) -> bool {
        self.kernel.types.prim(self.kernel.body.expr_ty[e.index()]).is_some_and(Prim::is_int)
    }

    /// An integer of which each iteration knows the value before it runs.
    pub fn is_known(&self, e: ExprId) -> bool {
        self.is_int(e)
            && match self.expr(e) {
                Expr::Int { .. } => true,
                Expr::Load(Place { base, projections }) if projections.is_empty() => match base {
                    Base::Local(local) => {
                        !self.changed.contains_key(local) || self.lets.iter().any(|(of, _)| of == local)
                    }
                    Base::Scalar(_) => true,
                    Base::Array(_) | Base::Const(_) => false,
                },
                Expr::Len(Place { base: Base::Array(_), projections }) => projections.is_empty(),
                Expr::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, a, b) => {
                    self.is_known(*a) && self.is_known(*b)
                }
                Expr::Cast { value, .. } => self.is_known(*value),
                _ => false,
            }
    }

    /// Whether the loop's variable occurs in a known integer.
    fn is_moved(&self, root: ExprId) -> bool {
        let mut found = false;
        visit::each_expr(&self.kernel.body.code, root, &mut |e| {
            let Expr::Load(Place { base: Base::Local(local), .. }) = self.expr(e) else { return };
            found |= *local == self.var;
            if let Some(init) = self.let_of(*local) {
                found |= self.is_moved(init);
            }
        });
        found
    }

    /// Whether a known integer is the loop's variable, times and plus what does not change: two iterations have one value only if all do.
    /// (Nothing wraps: it is a subscript.)
    fn is_linear(&self, e: ExprId) -> bool {
        !self.is_moved(e)
            || match self.expr(e) {
                Expr::Load(Place { base: Base::Local(local), .. }) => {
                    self.let_of(*local).is_none_or(|init| self.is_linear(init))
                }
                Expr::Binary(BinOp::Add | BinOp::Sub, a, b) => self.is_linear(*a) && self.is_linear(*b),
                Expr::Binary(BinOp::Mul, a, b) => {
                    self.is_linear(*a) && self.is_linear(*b) && !(self.is_moved(*a) && self.is_moved(*b))
                }
                // A type of fewer bits has one number for several.
                Expr::Cast { value, .. } => {
                    let size = |e: ExprId| {
                        self.kernel.types.prim(self.kernel.body.expr_ty[e.index()]).map(Prim::size)
                    };
                    size(*value) <= size(e) && self.is_linear(*value)
                }
                _ => false,
            }
    }

    /// By how much the loop's variable moves a known integer, if that is a number in the code.
    pub fn step(&self, e: ExprId) -> Option<i64> {
        match self.expr(e) {
            _ if !self.is_moved(e) => Some(0),
            Expr::Load(Place { base: Base::Local(local), .. }) => match self.let_of(*local) {
                Some(init) => self.step(init),
                None => Some(1),
            },
            Expr::Binary(BinOp::Add, a, b) => self.step(*a)?.checked_add(self.step(*b)?),
            Expr::Binary(BinOp::Sub, a, b) => self.step(*a)?.checked_sub(self.step(*b)?),
            Expr::Cast { value, .. } => self.step(*value),
            _ => None,
        }
    }

    /// What gives a variable its value, if it is one of the statements before the loads.
    fn let_of(&self, local: LocalId) -> Option<ExprId> {
        match self.lets.iter().find(|(of, _)| *of == local) {
            Some((_, Stmt::Let { init, .. })) => *init,
            _ => None,
        }
    }

    /// Whether two known integers are written in the same way.
    pub fn same(&self, a: ExprId, b: ExprId) -> bool {
        let ty = |e: ExprId| self.kernel.body.expr_ty[e.index()];
        a == b
            || (ty(a) == ty(b)
                && match (self.expr(a), self.expr(b)) {
                    (Expr::Int { value: x, negative: m, .. }, Expr::Int { value: y, negative: n, .. }) => {
                        (x, m) == (y, n)
                    }
                    (Expr::Load(x), Expr::Load(y)) | (Expr::Len(x), Expr::Len(y)) => x == y,
                    (Expr::Binary(x, a, b), Expr::Binary(y, c, d)) => {
                        x == y && self.same(*a, *c) && self.same(*b, *d)
                    }
                    (Expr::Cast { value: x, .. }, Expr::Cast { value: y, .. }) => self.same(*x, *y),
                    _ => false,
                })
    }

    /// Adds the loads of an expression that it makes in any case; before them, arrays of `before` have been stored.
    fn loads(&self, root: ExprId, before: &BTreeSet<ArrayId>, found: &mut Found<'k>) {
        let expr = self.expr(root);
        match expr {
            Expr::Binary(BinOp::And | BinOp::Or, a, _) => return self.loads(*a, before, found),
            Expr::Load(place) => self.load(place, before, found),
            Expr::Unary(..) | Expr::Binary(..) | Expr::Cast { .. } | Expr::Call { .. } => {}
            _ => return,
        }
        visit::of_expr(expr, &mut |e| self.loads(e, before, found));
    }

    fn load(&self, place: &'k Place, before: &BTreeSet<ArrayId>, found: &mut Found<'k>) {
        let (Base::Array(array), [Projection::Index { index, access }]) =
            (place.base, &place.projections[..])
        else {
            return;
        };
        let (index, access) = (*index, *access);
        let prim = self.kernel.types.prim(self.kernel.array_ty[array.index()]);
        if prim.is_none_or(|prim| prim.size() > 8)
            || !self.is_proved(access)
            || !self.is_known(index)
            || !self.is_moved(index)
        {
            return;
        }
        let stored = self.stored.get(&array);
        if let Some(stored) = stored {
            let own = |(other, of): &(AccessId, ExprId)| *other != access && self.same(*of, index);
            if before.contains(&array) || !stored.iter().all(own) || !self.is_linear(index) {
                return;
            }
        }
        let is_it = |place: &Place| {
            place.base == Base::Array(array)
                && matches!(place.projections[..], [Projection::Index { index: other, .. }] if self.same(other, index))
        };
        match found.loads.iter_mut().find(|load| is_it(load.place)) {
            Some(load) => drop(load.accesses.insert(access)),
            None => {
                found.loads.push(Load { place, accesses: BTreeSet::from([access]), step: self.step(index) });
                if stored.is_some() {
                    found.moved.push(index);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::interleaved::tests::scheduled;
    use kernel_samples::build::{F32, Region, X, array_of, count};

    /// For how many iterations, and how many subscripts, the loop over `k` in `for i in 0..n { for k in 0..m { … } }` loads ahead.
    fn ahead(n: u64, each: impl FnOnce(&mut Region, [X; 5])) -> Option<(u32, usize)> {
        let (_, schedule) = scheduled((n, 100), 1 << 24, false, |r, i, [a, c, m]| {
            let v = r.let_mut("v", a.at(&i));
            r.for_("k", count(1, &m), |r, k, _| each(r, [a, c.clone(), i.clone(), k, v.clone()]));
            r.set(c.at(&i), &v);
        });
        schedule.ahead.values().next().map(|of| (of.iterations, of.loads.len()))
    }

    /// `v = (v + a[…]) * v; c[…] = v`
    fn recurrence(n: u64, at: impl Fn(&X, &X) -> X) -> Option<(u32, usize)> {
        ahead(n, |r, [a, c, i, k, v]| {
            r.set(&v, (&v + a.at(at(&i, &k))) * &v);
            r.set(c.at(at(&i, &k)), &v);
        })
    }

    #[test]
    fn loops_of_few_threads_and_along_rows_load_ahead() {
        let down = |i: &X, k: &X| k * 100_000 + i;
        assert_eq!(recurrence(5000, down), Some((32, 1)));
        assert_eq!(recurrence(100_000, down), None);
        let along = |i: &X, k: &X| i * 128 + k;
        assert_eq!(recurrence(100_000, along), Some((32, 1)));
    }

    #[test]
    fn loads_are_made_ahead_if_no_other_iteration_stores_them() {
        let place = |i: &X, k: &X| k * 5000 + i;
        // The element before; that of the iteration; the same after a store.
        let own = |back: i32, first: bool| {
            ahead(5000, |r, [a, c, i, k, v]| {
                if first {
                    r.set(c.at(place(&i, &k)), 1.0);
                }
                let before = if back == 0 { k.clone() } else { &k - back };
                let read = c.at(place(&i, &before)) + a.at(place(&i, &k));
                r.set(c.at(place(&i, &k)), read * &v);
            })
            .map(|(_, loads)| loads)
        };
        assert_eq!([own(1, false), own(0, false), own(0, true)], [Some(1), Some(2), Some(1)]);
        // Under a condition, and by a subscript with a name.
        let under = ahead(5000, |r, [a, _, i, k, v]| {
            r.if_(v.lt(0.5), |r| r.set(&v, (&v + a.at(place(&i, &k))) * &v));
        });
        assert_eq!(under, None);
        let named = ahead(5000, |r, [a, c, i, k, v]| {
            let at = r.let_("at", place(&i, &k));
            r.set(&v, (&v + a.at(&at)) * &v);
            r.set(c.at(at), &v);
        });
        assert_eq!(named, Some((32, 1)));
        // The local array may be in registers.
        let local = ahead(5000, |r, [a, c, i, k, v]| {
            let own = r.uninit("own", array_of(&F32, 2));
            r.set(own.at(0), &v);
            r.set(c.at(place(&i, &k)), own.at(0) + a.at(place(&i, &k)));
        });
        assert_eq!(local, None);
    }
}
