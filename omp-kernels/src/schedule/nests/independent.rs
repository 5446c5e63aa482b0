//! Independent sequential loops: no directive says so, but the iterations of an inner loop are independent, and the threads of a
//! team share them, like those of an inner nest with a directive. With one thread for each outer iteration, each thread would
//! access its own rows, which a warp can't load contiguously, and the last rows of a triangle would keep single threads busy.
//!
//! If other loops enclose such a loop, each thread of a team would run them redundantly; those kernels keep a thread for each outer
//! iteration.
//!
//! Iterations are independent if they assign no variable that is declared outside the loop, have no early exit, can't fail
//! (except by checked overflow, which any iteration may report), and if all subscripts of each array that the loop writes are `e + v`, with the
//! loop's variable `v` and loop-invariant `e`, and no two of them meet ([`Loops::never_meet`]). So no iteration accesses what another one writes.
//!
//! Where the outer iterations are too few for the device, iterations may also fold values into variables around the loop, if the
//! order does not matter ([`folds`](super::folds)).
use super::folds::Folds;
use crate::back::c::function::Functions;
use crate::schedule::survey::Survey;
use crate::schedule::{DeviceKind, Pins, Request, SharedLoops};
use omp_ir::desc::Prim;
use omp_ir::flow::affine::{Atom, Op, Sum};
use omp_ir::flow::effects;
use omp_ir::flow::interchange::is_pure;
use omp_ir::ids::{AccessId, ArrayId, ExprId, LabelId, LocalId};
use omp_ir::kernel::{BoundsVerdict, Callee, Kernel, Ty};
use omp_ir::template::{
    Adaptor, Base, BinOp, Block, Check, Code, Expr, Inner, Level, Place, Projection, Range, Stmt,
};
use omp_ir::visit;
use std::collections::{BTreeMap, BTreeSet};

/// Iterations of an inner loop below which a team would wait more than it works.
const LEAST: u64 = 32;

/// Iterations of an inner loop that stores bytes, up to which a thread stores them in groups.
const MOST_GROUPED: u64 = 64;

/// Iterations of an inner loop that folds, below which the parts are not worth combining.
const LEAST_FOLDED: u64 = 128;

/// Iterations of an inner loop that each thread of a team may as well run.
const FEW: u64 = 16;

/// Threads of a multiprocessor.
const THREADS: u64 = 2048;

/// Whether teams may share loops without a directive: nothing says what threads run, and outer iterations only store.
pub(in crate::schedule) fn may_share(kernel: &Kernel, request: &Request<'_>, survey: &Survey) -> bool {
    let Pins { block, tile, unroll: _, vector: _, chunk, team_chunk } = request.pins;
    let pinned = block.is_some() || tile.is_some() || chunk.is_some() || team_chunk.is_some();
    let limited = request.num_teams.is_some() || request.thread_limit.is_some();
    let plain = kernel.template.reductions.is_empty() && kernel.template.scan.is_none();
    let cpu = request.device.kind == DeviceKind::OpenClCpu;
    plain && !pinned && !limited && !survey.queries && request.facts.claims.is_empty() && !cpu
}

/// The block of a team for the independent loops of a kernel, where that pays: their rows have enough elements, or the threads of the
/// outer iterations would not fill the device. And which loops.
pub(in crate::schedule) fn block(
    kernel: &Kernel,
    request: &Request<'_>,
    survey: &Survey,
) -> Option<(SharedLoops, [u32; 3])> {
    if !may_share(kernel, request, survey) {
        return None;
    }
    let facts = request.facts;
    let total = facts.total?.max(1);
    let mut loops = Loops::new(kernel, &facts.unproved, SharedLoops::Independent);
    // Each thread of a team would run the other loops, too.
    let runs = |loops: &Loops<'_>| {
        loops.interchanged.iter().all(|var| facts.trips.get(var).is_some_and(|trips| *trips > 0))
    };
    if let Some(made) = loops.parallelised()
        && !loops.others
        && runs(&loops)
    {
        // Iterations of the region write different elements: as many as this, at most, of those that they touch.
        let touched = |array: &ArrayId| {
            let ranges = &facts.footprint.get(array.index())?.as_ref()?.all;
            Some(ranges.iter().map(|(lo, hi)| hi.saturating_sub(*lo)).sum::<u64>())
        };
        let extent = |array: &ArrayId| request.extents.get(array.index()).copied().unwrap_or(0);
        let row = |array: &ArrayId| touched(array).unwrap_or(u64::MAX).min(extent(array)) / total;
        let trips = loops.rows.iter().map(row).max()?.min(loops.longest);
        // A thread stores short rows of bytes in a few accesses, if there are enough threads.
        let many = total >= u64::from(request.device.units) * THREADS / 4;
        let stores_groups = |a: &ArrayId| {
            let size = kernel.types.size(kernel.array_ty[a.index()]);
            size.is_some_and(|size| size < 4) && request.alignment.get(a.index()).is_some_and(|n| *n >= 16)
        };
        let grouped = many && loops.longest <= MOST_GROUPED && loops.rows.iter().all(stores_groups);
        if trips < LEAST || grouped {
            return None;
        }
        let block = super::teams::teams(&made, request, Some(trips))?;
        return Some((SharedLoops::Independent, block));
    }
    if total >= u64::from(request.device.units) * THREADS / 4 {
        return None;
    }
    let mut loops = Loops::new(kernel, &facts.unproved, SharedLoops::Folds);
    let made = loops.parallelised()?;
    let trips = loops.shared.iter().map(|var| facts.trips.get(var).copied()).collect::<Option<Vec<_>>>()?;
    let trips =
        trips.into_iter().max().filter(|trips| *trips >= LEAST_FOLDED && !loops.others && runs(&loops))?;
    let block = super::teams::teams(&made, request, Some(trips))?;
    Some((SharedLoops::Folds, block))
}

/// The kernel with its independent loops as nests of teams.
pub(crate) fn parallelised(
    kernel: &Kernel,
    checks: &BTreeSet<AccessId>,
    which: SharedLoops,
    apart: &BTreeSet<LocalId>,
) -> Option<Kernel> {
    Loops { apart: Some(apart), ..Loops::new(kernel, checks, which) }.parallelised()
}

/// The loops that threads share if iterations of these are known to access different elements of what they write, and the kernel with
/// nests in their place; `None` if there are others, which each thread would run.
pub(in crate::schedule) fn shared_of(
    kernel: &Kernel,
    checks: &BTreeSet<AccessId>,
    apart: &BTreeSet<LocalId>,
) -> Option<(BTreeSet<LocalId>, Kernel)> {
    let mut loops = Loops { apart: Some(apart), ..Loops::new(kernel, checks, SharedLoops::Independent) };
    let made = loops.parallelised()?;
    (!loops.others && loops.interchanged.is_empty()).then_some((loops.shared, made))
}

struct Loops<'k> {
    kernel: &'k Kernel,
    /// Subscripts that the launch does not show to be in bounds.
    checks: &'k BTreeSet<AccessId>,
    which: SharedLoops,
    /// Loops whose iterations access different elements of each array that they write, by the numbers of the launch. Nothing is
    /// interchanged then.
    apart: Option<&'k BTreeSet<LocalId>>,
    functions: Functions,
    /// The variables of the loops that threads share.
    shared: BTreeSet<LocalId>,
    /// Those of them that were inside of another loop. They have iterations at each launch: otherwise the other loop would not run.
    interchanged: BTreeSet<LocalId>,
    /// The arrays that independent loops write.
    rows: BTreeSet<ArrayId>,
    /// The iterations of the longest one, if the trip counts of all are constant.
    longest: u64,
    /// There are loops that are none of these and have none of them in their bodies.
    others: bool,
}

/// How statements use an array.
struct Uses {
    array: ArrayId,
    /// The expressions that load an element.
    loads: BTreeSet<ExprId>,
    accesses: BTreeSet<AccessId>,
    subscripts: Vec<ExprId>,
    /// All of them by one subscript each.
    plain: bool,
}

impl Uses {
    fn place(&mut self, place: &Place) -> bool {
        if place.base != Base::Array(self.array) {
            return false;
        }
        match place.projections[..] {
            [Projection::Index { access, index }] => {
                self.accesses.insert(access);
                self.subscripts.push(index);
            }
            _ => self.plain = false,
        }
        true
    }

    fn block(&mut self, code: &Code, block: &Block) {
        visit::each_stmt(block, &mut |stmt| {
            if let Stmt::Assign { place, .. } = stmt {
                self.place(place);
            }
            // (What a check evaluates is evaluated by the access, too, but not replaced.)
            let checks = matches!(stmt, Stmt::Check { .. });
            visit::of_stmt(stmt, &mut |root| {
                visit::each_expr(code, root, &mut |e| match &code.exprs[e.index()].expr {
                    Expr::Load(place) if checks => self.plain &= place.base != Base::Array(self.array),
                    Expr::Load(place) if self.place(place) => drop(self.loads.insert(e)),
                    Expr::Borrow(place) | Expr::Slice { base: place, .. } => {
                        self.plain &= place.base != Base::Array(self.array);
                    }
                    _ => {}
                });
            });
        });
    }

    /// Puts a variable in the place of the elements.
    fn replace(&self, code: &mut Code, block: &mut Block, local: LocalId) {
        let variable = || Place { base: Base::Local(local), projections: Vec::new() };
        for e in &self.loads {
            code.exprs[e.index()].expr = Expr::Load(variable());
        }
        for stmt in &mut block.0 {
            if let Stmt::Assign { place, .. } = stmt
                && place.base == Base::Array(self.array)
            {
                *place = variable();
            }
            for inner in visit::blocks_of_mut(stmt).into_iter().flatten() {
                self.replace(code, inner, local);
            }
        }
    }
}

/// What the threads that share a loop do with memory, and with variables around it.
struct Shared {
    /// The arrays that it writes.
    rows: Vec<ArrayId>,
    folds: Folds,
}

/// What the iterations of a loop do.
struct Body {
    var: LocalId,
    label: LabelId,
    /// Variables and labels that they declare.
    own: BTreeSet<LocalId>,
    labels: BTreeSet<LabelId>,
    /// Variables around it that they assign.
    assigned: BTreeSet<LocalId>,
    /// By array: its subscripts, and whether they are written.
    touched: BTreeMap<ArrayId, Vec<(ExprId, bool)>>,
}

impl<'k> Loops<'k> {
    fn new(kernel: &'k Kernel, checks: &'k BTreeSet<AccessId>, which: SharedLoops) -> Self {
        Self {
            kernel,
            checks,
            which,
            apart: None,
            functions: Functions::new(kernel),
            shared: BTreeSet::new(),
            interchanged: BTreeSet::new(),
            rows: BTreeSet::new(),
            longest: 0,
            others: false,
        }
    }

    fn parallelised(&mut self) -> Option<Kernel> {
        let mut made = self.kernel.clone();
        let mut block = std::mem::take(&mut made.body.code.block);
        self.block(&mut block, &mut made);
        made.body.code.block = block;
        (!self.shared.is_empty()).then_some(made)
    }

    fn block(&mut self, block: &mut Block, made: &mut Kernel) {
        for stmt in &mut block.0 {
            // A directive on the inner loop decides.
            if matches!(stmt, Stmt::Inner(_)) {
                continue;
            }
            let mut found = self.shared(stmt);
            if found.is_none()
                && self.apart.is_none_or(BTreeSet::is_empty)
                && let Some((interchanged, shared)) = self.interchanged(stmt)
            {
                *stmt = interchanged;
                found = Some(shared);
                if let Stmt::For { var, body, .. } = stmt {
                    self.interchanged.insert(*var);
                    self.in_register(body, made);
                }
            }
            if let Some(Shared { rows, folds }) = found {
                self.rows.extend(rows);
                let Stmt::For { var, src, range, .. } = stmt else { continue };
                let (var, src) = (*var, *src);
                self.shared.insert(var);
                self.longest = self.longest.max(self.trips(range));
                let mut inner = Inner {
                    level: Level::Team,
                    loops: 1,
                    threads: None,
                    when: None,
                    reductions: Vec::new(),
                    in_place: false,
                    arrays: Vec::new(),
                    lasts: Vec::new(),
                    searches: Vec::new(),
                    src,
                    body: Block(vec![stmt.clone()]),
                };
                folds.copy(made, &mut inner);
                *stmt = Stmt::Inner(inner);
                continue;
            }
            let before = self.shared.len();
            for inner in visit::blocks_of_mut(stmt).into_iter().flatten() {
                self.block(inner, made);
            }
            let few = |range: &Range| self.which == SharedLoops::Folds && self.trips(range) <= FEW;
            let counts = match stmt {
                Stmt::For { range, .. } => !few(range),
                Stmt::Loop { .. } => true,
                _ => false,
            };
            self.others |= counts && self.shared.len() == before;
        }
    }

    /// A loop with an independent one in its body as that loop around it: each thread then runs the outer loop for elements of its own,
    /// which it may keep in registers, and no thread waits for the others in between.
    fn interchanged(&self, stmt: &Stmt) -> Option<(Stmt, Shared)> {
        let Stmt::For { label, var, range, body, src } = stmt else { return None };
        let (inner, before) = body.0.split_last()?;
        let Stmt::For { label: inner_label, var: inner_var, range: inner_range, body: last, src: inner_src } =
            inner
        else {
            return None;
        };
        let mut fine = before.iter().all(|stmt| is_pure(self.kernel, stmt));
        // The same iterations for all of the outer loop, and known at the launch: it has some.
        fine &= inner_range.adaptors.is_empty()
            && [inner_range.lo, inner_range.hi].into_iter().flatten().all(|e| self.is_of_launch(e));
        // What ends an iteration of one of them would then end others.
        visit::each_stmt(last, &mut |stmt| {
            if let Stmt::Break(to) | Stmt::Continue(to) = stmt {
                fine &= to != label && to != inner_label;
            }
        });
        if !fine {
            return None;
        }
        let all = before.iter().chain(&last.0).cloned().collect();
        let (label, var, range) = (*label, *var, range.clone());
        let nested = Stmt::For { label, var, range, body: Block(all), src: *src };
        let (label, var, range) = (*inner_label, *inner_var, inner_range.clone());
        let made = Stmt::For { label, var, range, body: Block(vec![nested]), src: *inner_src };
        // Of equal values, a search would find another.
        let shared = self.shared(&made).filter(|shared| shared.folds.is_empty())?;
        Some((made, shared))
    }

    /// If a sequential loop, alone in a block, updates one element of an array, a variable has the element until the loop's end.
    fn in_register(&self, block: &mut Block, made: &mut Kernel) {
        let [Stmt::For { range, body, src, .. }] = block.0.as_mut_slice() else { return };
        let (Some(lo), Some(hi), [], false) = (range.lo, range.hi, &range.adaptors[..], range.inclusive)
        else {
            return;
        };
        // The first statement that stores, without a condition: each iteration accesses the element.
        let stored = body.0.iter().find_map(|stmt| match stmt {
            Stmt::Assign { place: Place { base: Base::Array(array), projections }, .. } => {
                Some((*array, projections.clone()))
            }
            _ => None,
        });
        let Some((array, projections)) = stored else { return };
        let [Projection::Index { index, access: store }] = projections[..] else { return };
        let elem = self.kernel.array_ty[array.index()];
        let (loads, accesses, subscripts) = Default::default();
        let mut uses = Uses { array, loads, accesses, subscripts, plain: true };
        uses.block(&self.kernel.body.code, body);
        let proved = |access: &AccessId| match self.kernel.body.bounds[access.index()] {
            BoundsVerdict::Proved => true,
            BoundsVerdict::AtLaunch => !self.checks.contains(access),
            BoundsVerdict::Residual | BoundsVerdict::Trusted => false,
        };
        let Some(load) =
            uses.accesses.iter().find(|access| self.kernel.body.code.accesses[access.index()].read)
        else {
            return;
        };
        if !uses.plain
            || uses.loads.is_empty()
            || !uses.subscripts.iter().all(|e| self.same(index, *e))
            || !uses.accesses.iter().all(proved)
            || self.kernel.types.prim(elem).is_none()
        {
            return;
        }
        let truth = made.types.intern(Ty::Prim(Prim::Bool));
        let (code, src) = (&mut made.body, *src);
        let name = self.kernel.template.arrays[array.index()].name.clone();
        let local = code.temp(name, elem);
        uses.replace(&mut code.code, body, local);
        let mut element = |access: AccessId| {
            let projections = vec![Projection::Index { index: code.copy(index), access }];
            Place { base: Base::Array(array), projections }
        };
        let (first, last) = (element(*load), element(store));
        let variable = Place { base: Base::Local(local), projections: Vec::new() };
        let init = Some(code.push(Expr::Load(first), elem, src));
        let value = code.push(Expr::Load(variable), elem, src);
        let (lo, hi) = (code.copy(lo), code.copy(hi));
        let cond = code.push(Expr::Binary(BinOp::Lt, lo, hi), truth, src);
        let inner = block.0.remove(0);
        let then = Block(vec![Stmt::Let { local, init }, inner, Stmt::Assign { place: last, value, src }]);
        block.0.push(Stmt::If { cond, then, els: Block(Vec::new()) });
    }

    /// A number that the launch has.
    fn is_of_launch(&self, e: ExprId) -> bool {
        match self.expr(e) {
            Expr::Int { .. } => true,
            Expr::Load(Place { base: Base::Scalar(_), projections }) => projections.is_empty(),
            Expr::Len(Place { base: Base::Array(_), projections }) => projections.is_empty(),
            Expr::Cast { value, .. } => self.is_of_launch(*value),
            _ => false,
        }
    }

    /// How often a loop between constants runs; of others as many as there are.
    fn trips(&self, range: &Range) -> u64 {
        let number = |e: Option<ExprId>| match *self.expr(e?) {
            Expr::Int { value, negative: false, .. } => u64::try_from(value).ok(),
            _ => None,
        };
        number(range.lo).zip(number(range.hi)).map_or(u64::MAX, |(lo, hi)| hi.saturating_sub(lo))
    }

    /// What threads that share a loop do, if it is one whose iterations are independent.
    fn shared(&self, stmt: &Stmt) -> Option<Shared> {
        let Stmt::For { label, var, range, body, src: _ } = stmt else { return None };
        let mut of = Body {
            var: *var,
            label: *label,
            own: BTreeSet::from([*var]),
            labels: BTreeSet::new(),
            assigned: BTreeSet::new(),
            touched: BTreeMap::new(),
        };
        self.statements(body, &mut of)?;
        // The threads evaluate the range one by one, and the first may have written by then.
        let (own, labels, assigned, touched) = Default::default();
        let mut inside = Body { var: *var, label: *label, own, labels, assigned, touched };
        let mut fine = true;
        visit::of_range(range, &mut |e| fine &= self.expression(e, &mut inside).is_some());
        let is_written = |all: &[(ExprId, bool)]| all.iter().any(|(_, written)| *written);
        let writes = |array: &ArrayId| of.touched.get(array).is_some_and(|all| is_written(all));
        if !fine || inside.touched.keys().any(writes) {
            return None;
        }
        let written = of.touched.iter().filter(|(_, all)| is_written(all));
        let written: Vec<(ArrayId, &[(ExprId, bool)])> =
            written.map(|(a, all)| (*a, all.as_slice())).collect();
        let known = self.apart.is_some_and(|apart| apart.contains(var));
        let apart = known
            || written.iter().all(|(_, all)| {
                let (first, _) = all[0];
                let one = all.iter().all(|(e, _)| self.same(first, *e));
                (one && self.coefficient(first, &of) == Some(1)) || self.never_meet(range, all, &of).is_some()
            });
        let folds = Folds::of(self.kernel, body, &of.assigned)?;
        let rows: Vec<_> = written.into_iter().map(|(array, _)| array).collect();
        // A search compares the numbers of iterations, which go up.
        let rises = range.adaptors.iter().all(|adaptor| matches!(adaptor, Adaptor::StepBy(_)));
        let some = !rows.is_empty() || !folds.is_empty();
        (apart && some && (rises || folds.is_empty())).then_some(Shared { rows, folds })
    }

    fn statements(&self, block: &Block, of: &mut Body) -> Option<()> {
        for stmt in &block.0 {
            let mut fine = true;
            // The subscript of a check is evaluated by the access, too.
            if !matches!(stmt, Stmt::Check { .. }) {
                visit::of_stmt(stmt, &mut |e| fine &= self.expression(e, of).is_some());
            }
            match stmt {
                Stmt::Let { local, init: _ } => {
                    of.own.insert(*local);
                }
                Stmt::Assign { place, value: _, src: _ } => match place.base {
                    Base::Local(local) if local != of.var && of.own.contains(&local) => {}
                    Base::Local(local) => {
                        of.assigned.insert(local);
                        fine &= local != of.var && self.which == SharedLoops::Folds;
                    }
                    Base::Array(_) => fine &= self.touch(place, true, of).is_some(),
                    Base::Scalar(_) | Base::Const(_) => fine = false,
                },
                Stmt::For { label, var, .. } => {
                    of.labels.insert(*label);
                    of.own.insert(*var);
                }
                Stmt::Loop { label, .. } | Stmt::Labelled { label, .. } => {
                    of.labels.insert(*label);
                }
                Stmt::Continue(label) => fine &= *label == of.label || of.labels.contains(label),
                Stmt::Break(label) => fine &= of.labels.contains(label),
                Stmt::Check { check: Check::Bounds { access, .. }, src: _ } => {
                    fine &= !self.checks.contains(access);
                }
                Stmt::If { .. } => {}
                Stmt::Eval(_)
                | Stmt::Atomic { .. }
                | Stmt::Return(_)
                | Stmt::Inner(_)
                | Stmt::Check { .. } => {
                    return None;
                }
            }
            if !fine {
                return None;
            }
            for inner in visit::blocks_of(stmt).into_iter().flatten() {
                self.statements(inner, of)?;
            }
        }
        Some(())
    }

    /// Records what an expression loads; `None` if it passes a slice on, or may fail by more than an overflow.
    fn expression(&self, root: ExprId, of: &mut Body) -> Option<()> {
        let (code, mut fine) = (&self.kernel.body, true);
        effects::lent(&code.code, root, &mut |_| fine = false);
        visit::each_expr(&code.code, root, &mut |e| {
            fine &= match &code.code.exprs[e.index()].expr {
                Expr::Load(place) => match place.base {
                    Base::Array(_) => self.touch(place, false, of).is_some(),
                    Base::Local(_) | Base::Scalar(_) | Base::Const(_) => true,
                },
                Expr::Call { call, .. } => match code.calls[call.index()] {
                    Callee::Builtin => true,
                    Callee::Fn(id) => !self.functions.can_fail(id),
                },
                Expr::Borrow(_) | Expr::Slice { .. } | Expr::Thread(_) => false,
                _ => true,
            };
        });
        fine.then_some(())
    }

    fn touch(&self, place: &Place, written: bool, of: &mut Body) -> Option<()> {
        let (Base::Array(array), Some(Projection::Index { index, .. })) =
            (place.base, place.projections.first())
        else {
            return None;
        };
        of.touched.entry(array).or_default().push((*index, written));
        Some(())
    }

    /// `Some` if subscripts of an array that is written are never equal in two iterations: they are `e + v`, in 64 bits, and the differences
    /// of the `e` are
    /// - a number that is 0, or that no whole number of steps is, or
    /// - at least the end of the loop, which begins at a number or a remainder: no two values of `v` are so far from each other. (The loop's
    ///   iterations write different elements of an array, so its end is far below where numbers wrap.)
    fn never_meet(&self, range: &Range, all: &[(ExprId, bool)], of: &Body) -> Option<()> {
        let step = match range.adaptors[..] {
            [] => 1,
            [Adaptor::StepBy(Some(by))] => self.sum(by, of)?.constant().filter(|by| *by > 0)?,
            _ => return None,
        };
        let (lo, hi) = (self.sum(range.lo?, of)?, self.sum(range.hi?, of)?);
        let end = if range.inclusive { hi.next()? } else { hi };
        let begins = lo.is_bounded(&[]) && (self.is_unsigned(range.lo?) || lo.is_positive(&[]));
        let var = Sum::atom(Atom::Local(of.var));
        let rest = |(e, written): &(ExprId, bool)| {
            let rest = self.sum(*e, of)?.and(-1, &var)?;
            (!rest.depends(&|local| local == of.var)).then_some((rest, *written))
        };
        let rests = all.iter().map(rest).collect::<Option<Vec<_>>>()?;
        let pairs = rests.iter().enumerate().flat_map(|(n, a)| rests[..n].iter().map(move |b| (a, b)));
        for ((a, _), (b, _)) in pairs.filter(|((_, a), (_, b))| *a || *b) {
            let apart = a.and(-1, b)?;
            let fine = match apart.constant() {
                Some(n) => n == 0 || n % step != 0,
                None => {
                    begins
                        && [1, -1].iter().any(|sign| {
                            let more = Sum::default().and(*sign, &apart).and_then(|far| far.and(-1, &end));
                            more.and_then(|more| more.constant()).is_some_and(|more| more >= 0)
                        })
                }
            };
            if !fine {
                return None;
            }
        }
        Some(())
    }

    /// The value of an expression of 64 bits, of what does not change in the iterations of the loop, and of its variable.
    fn sum(&self, e: ExprId, of: &Body) -> Option<Sum> {
        if self.int_size(e)? != 8 {
            return None;
        }
        match self.expr(e) {
            Expr::Int { value, negative, .. } => {
                let n = i128::try_from(*value).ok()?;
                Some(Sum::number(if *negative { -n } else { n }))
            }
            Expr::Len(Place { base: Base::Array(array), projections }) if projections.is_empty() => {
                Some(Sum::atom(Atom::Len(*array)))
            }
            Expr::Load(place) if place.projections.is_empty() => match place.base {
                Base::Local(local)
                    if local == of.var || !(of.own.contains(&local) || of.assigned.contains(&local)) =>
                {
                    Some(Sum::atom(Atom::Local(local)))
                }
                Base::Scalar(scalar) => Some(Sum::atom(Atom::Scalar(scalar, Vec::new()))),
                Base::Const(id) => Some(Sum::atom(Atom::Const(id))),
                Base::Local(_) | Base::Array(_) => None,
            },
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.sum(*a, of)?, self.sum(*b, of)?);
                match op {
                    BinOp::Add => a.and(1, &b),
                    BinOp::Sub => a.and(-1, &b),
                    BinOp::Mul => a.times(&b),
                    BinOp::Rem if b.constant().is_some_and(|n| n > 0) && self.is_unsigned(e) => {
                        Some(Sum::atom(Atom::Of(Op::Rem, Box::new(a), Box::new(b))))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn is_unsigned(&self, e: ExprId) -> bool {
        self.kernel.types.prim(self.kernel.body.expr_ty[e.index()]).is_some_and(|prim| !prim.is_signed())
    }

    fn expr(&self, e: ExprId) -> &Expr {
        &self.kernel.body.code.exprs[e.index()].expr
    }

    fn int_size(&self, e: ExprId) -> Option<usize> {
        let prim = self.kernel.types.prim(self.kernel.body.expr_ty[e.index()])?;
        prim.is_int().then(|| prim.size())
    }

    /// By how much the loop's variable moves a subscript; `None` if something else of the iteration does.
    fn coefficient(&self, e: ExprId, of: &Body) -> Option<i64> {
        self.int_size(e)?;
        match self.expr(e) {
            Expr::Int { .. } => Some(0),
            Expr::Len(place) if place.projections.is_empty() => Some(0),
            Expr::Load(place) if place.projections.is_empty() => match place.base {
                Base::Local(local) if local == of.var => Some(1),
                Base::Local(local) => (!of.own.contains(&local)).then_some(0),
                Base::Scalar(_) | Base::Const(_) => Some(0),
                Base::Array(_) => None,
            },
            Expr::Binary(BinOp::Add, a, b) => Some(self.coefficient(*a, of)? + self.coefficient(*b, of)?),
            Expr::Binary(BinOp::Sub, a, b) => Some(self.coefficient(*a, of)? - self.coefficient(*b, of)?),
            Expr::Binary(BinOp::Mul | BinOp::Div | BinOp::Rem, a, b) => {
                (self.coefficient(*a, of)? == 0 && self.coefficient(*b, of)? == 0).then_some(0)
            }
            // A type of fewer bits has one number for several.
            Expr::Cast { value, .. } if self.int_size(*value)? <= self.int_size(e)? => {
                self.coefficient(*value, of)
            }
            _ => None,
        }
    }

    /// Whether two expressions of numbers are the same.
    fn same(&self, a: ExprId, b: ExprId) -> bool {
        let ty = |e: ExprId| self.kernel.body.expr_ty[e.index()];
        let bare =
            |x: &Place, y: &Place| x.base == y.base && x.projections.is_empty() && y.projections.is_empty();
        ty(a) == ty(b)
            && match (self.expr(a), self.expr(b)) {
                (Expr::Int { value: x, negative: m, .. }, Expr::Int { value: y, negative: n, .. }) => {
                    (x, m) == (y, n)
                }
                (Expr::Load(x), Expr::Load(y)) | (Expr::Len(x), Expr::Len(y)) => bare(x, y),
                (Expr::Binary(x, a, b), Expr::Binary(y, c, d)) => {
                    x == y && self.same(*a, *c) && self.same(*b, *d)
                }
                (Expr::Cast { value: x, .. }, Expr::Cast { value: y, .. }) => self.same(*x, *y),
                _ => a == b,
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel_samples::build::{F32, Region, USIZE, X, count};

    /// Whether the loop over `j` in `for i in 0..n { for j in 0..i { … } }` is independent.
    fn is_independent(body: impl FnOnce(&mut Region, [&X; 3], [X; 3], LabelId)) -> bool {
        let mut r = Region::new("pairs");
        let (a, c) = (r.array("a", &F32), r.array("c", &F32));
        let n = r.scalar("n", &USIZE);
        let i = r.dim("i", count(0, &n));
        let sum = r.let_mut("sum", a.at(&i));
        r.for_("j", count(0, &i), |r, j, label| body(r, [&a, &c, &sum], [i.clone(), j, n.clone()], label));
        let (template, types) = r.finish();
        let (kernel, _) = crate::valid::finalise(template, types, true).expect("it is well typed");
        parallelised(&kernel, &BTreeSet::new(), SharedLoops::Independent, &BTreeSet::new()).is_some()
    }

    #[test]
    fn loops_without_a_directive_are_independent_where_each_iteration_has_elements_of_its_own() {
        let place = |[i, j, n]: &[X; 3]| i * n + j;
        assert!(is_independent(|r, [a, c, _], v, _| r.set(c.at(place(&v)), a.at(&v[1]) + a.at(&v[0]))));
        assert!(is_independent(|r, [a, c, _], v, _| {
            let own = r.let_mut("own", a.at(&v[1]));
            r.set(&own, &own + c.at(place(&v)));
            r.set(c.at(place(&v)), &own);
        }));
        // The element before, every second element, the same element, a variable around, and an end before the last iteration.
        assert!(!is_independent(|r, [_, c, _], v, _| r.set(c.at(place(&v)), c.at(place(&v) - 1))));
        assert!(!is_independent(|r, [a, c, _], v, _| r.set(c.at(&v[1] / 2), a.at(&v[0]))));
        assert!(!is_independent(|r, [a, c, _], v, _| r.set(c.at(&v[0]), a.at(&v[1]))));
        assert!(!is_independent(|r, [a, c, sum], v, _| {
            r.set(sum, sum + a.at(&v[1]));
            r.set(c.at(place(&v)), sum);
        }));
        assert!(!is_independent(|r, [a, c, _], v, label| {
            r.set(c.at(place(&v)), a.at(&v[1]));
            r.break_(label);
        }));
        // How far the loop goes is read from what it writes.
        let mut r = Region::new("rows");
        let c = r.array("c", &USIZE);
        let n = r.scalar("n", &USIZE);
        let i = r.dim("i", count(0, &n));
        r.for_("j", count(0, c.at(&i)), |r, j, _| r.set(c.at(&i * &n + &j), 3));
        let (template, types) = r.finish();
        let (kernel, _) = crate::valid::finalise(template, types, true).expect("it is well typed");
        assert!(
            parallelised(&kernel, &BTreeSet::new(), SharedLoops::Independent, &BTreeSet::new()).is_none()
        );
        // Elements of the rows around, and those between that every second iteration has: no other iteration writes them.
        let updates = |every: i32, to: fn(&X) -> X, others: fn(&X, &X) -> Vec<X>| {
            let mut r = Region::new("rows");
            let c = r.array("c", &F32);
            let n = r.scalar("n", &USIZE);
            let i = r.dim("i", count(1, &n - 1));
            let range = count(&i % 2 + 1, to(&n)).step_by(every);
            r.for_("j", range, |r, j, _| {
                let place = &i * &n + &j;
                let sum = others(&place, &n).into_iter().fold(c.at(&place), |sum, at| sum + c.at(at));
                r.set(c.at(&place), sum);
            });
            let (template, types) = r.finish();
            let (kernel, _) = crate::valid::finalise(template, types, true).expect("it is well typed");
            parallelised(&kernel, &BTreeSet::new(), SharedLoops::Independent, &BTreeSet::new()).is_some()
        };
        let cross: fn(&X, &X) -> Vec<X> = |at, n| vec![at - 1, at + 1, at - n, at + n];
        assert!(updates(2, |n| n - 1, cross));
        assert!(updates(2, X::clone, |at, n| vec![at - n]));
        assert!(!updates(1, |n| n - 1, cross));
        assert!(!updates(2, |n| n - 1, |at, _| vec![at - 2]));
        // A row is longer than the distance.
        assert!(!updates(2, |n| n + 1, |at, n| vec![at - n]));
        assert!(!updates(2, |n| n - 1, |at, n| vec![at - n + 2]));
        // A variable has the element that a loop inside updates, unless that loop also reads another row.
        let variables = |other: bool| {
            let mut r = Region::new("rows");
            let (a, c) = (r.array("a", &F32), r.array("c", &F32));
            let n = r.scalar("n", &USIZE);
            let i = r.dim("i", count(0, &n));
            r.for_("k", count(0, &n), |r, k, _| {
                r.for_("j", count(0, &n), |r, j, _| {
                    let at = &i * &n * 2 + j;
                    let next = if other { c.at(&at + &n) } else { c.at(&at) };
                    r.set(c.at(&at), c.at(&at) + a.at(&k) * next);
                });
            });
            let (template, types) = r.finish();
            let (kernel, _) = crate::valid::finalise(template, types, false).expect("it is well typed");
            let made = parallelised(&kernel, &BTreeSet::new(), SharedLoops::Independent, &BTreeSet::new());
            made.map(|made| made.body.code.locals.len() - kernel.body.code.locals.len())
        };
        assert_eq!([false, true].map(variables), [Some(1), Some(0)]);
        // The place depends on what other iterations write.
        assert!(!is_independent(|r, [_, c, _], v, _| {
            let at = r.let_("at", place(&v));
            r.set(c.at(&at), 1.0);
        }));
    }
}
