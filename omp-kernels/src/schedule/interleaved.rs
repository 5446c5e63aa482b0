//! Interleaved arrays: arrays that each iteration has for itself, kept in shared memory. These are local arrays, and parts of mapped
//! arrays that an iteration has for itself. Element `k` of all threads of a block lies side by side, so threads of a warp access
//! different banks, whichever elements they access.
//!
//! A local array whose subscripts are known only when the kernel runs can't stay in registers. In the memory of a thread, the threads
//! of a warp are served together only if all of them access the same element; in shared memory they are in any case.
//! A part of a mapped array that iterations go through several times lies far from the parts of the neighbouring threads, so each
//! access of a warp would reach as many places as it has threads.
//!
//! # Why this is correct
//!
//! A thread accesses its own elements alone. So there are no barriers, and an iteration may end anywhere.
//! Of a mapped array, all accesses of an iteration are subscripts that the launch has in numbers and has proved; they lie in a box of
//! elements which the next iteration's box follows, and which the array has. The iteration loads the box before its first statement and
//! stores it after its last one. Other iterations access no element of it, so what it stores without having changed it is what is there.
//! (An iteration that fails stores nothing of it.)
//!
//! # Teams
//!
//! Where the device would have few threads with an iteration each, a team shares an inner loop over a part, which then is in shared memory
//! once ([`team`]). The launch's numbers show that iterations of the loop access different elements of each array that it writes
//! ([`Reached::differ`]): the difference of two subscripts, over all iterations of the loops in it, never becomes 0. All else is that of
//! teams ([`crate::back::c::strategy::team`]): the threads run what is around the loop alike, and there are barriers between what one
//! thread stores and another one reads; one follows the copy before the iteration, and one stands before the copy after it, where each
//! thread copies the elements that it has copied before.
use super::explain::reasons::{About, all};
use super::staged_stores::staged_words;
use super::survey::Survey;
use super::{Cover, DeviceKind, Request, Strategy};
use crate::valid::may_overflow;
use omp_ir::analysis::plan::{Affine, DimValues, Nest};
use omp_ir::desc::Prim;
use omp_ir::flow::effects;
use omp_ir::ids::{AccessId, ArrayId, ExprId, LocalId, TyId};
use omp_ir::kernel::{BoundsVerdict, Callee, Kernel, Ty, Types};
use omp_ir::template::{Base, BinOp, Block, Check, Code, Expr, LocalKind, Place, Projection, Stmt};
use omp_ir::visit;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The fewest threads of a block.
const WARP: u32 = 32;

/// How often an iteration has to access an element of a part, on average, for copies to pay.
const REUSE: u64 = 4;

/// The arrays that a schedule interleaves.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Interleaved {
    /// Local arrays of the body.
    pub locals: BTreeSet<LocalId>,
    /// Mapped arrays.
    pub parts: BTreeMap<ArrayId, Part>,
}

/// The elements of a mapped array that iterations have for themselves: where the variable of the parallel loop is `v`, so many from
/// `first + v * step` on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Part {
    /// The first element where the variable is 0.
    pub first: i64,
    /// Elements from one value of the variable to the next.
    pub step: i64,
    /// How many.
    pub len: u32,
    /// Their addresses are multiples of 16 bytes, and so is their size.
    pub wide: bool,
    /// After so many elements is a gap of one; 0: there is none.
    pub row: u32,
    /// By subscript: which of them it is.
    pub places: BTreeMap<AccessId, Offset>,
}

/// The number of an element: `base`, and for each sequential loop so many times its variable, or for one that begins where loops around it
/// say, times the number of its iteration.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Offset {
    /// Where all of them are 0.
    pub base: i64,
    /// By variable: the factor, and the bound at which it begins.
    pub strides: Vec<(LocalId, i64, Option<ExprId>)>,
}

/// The most numbers of a local array for which a thread may have registers.
const MOST_REGISTERS: u64 = 128;

/// What is interleaved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    Local(LocalId),
    Part(ArrayId),
}

impl Interleaved {
    /// Nothing is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// What is interleaved: the type of its numbers, and how many a thread has.
    pub(crate) fn owners(&self, kernel: &Kernel) -> Vec<(Owner, Prim, u64)> {
        let local = |l: &LocalId| {
            let (prim, count) = numbers(&kernel.types, kernel.body.local_ty[l.index()])?;
            Some((Owner::Local(*l), prim, count))
        };
        let part = |(a, part): (&ArrayId, &Part)| {
            let prim = kernel.types.prim(kernel.array_ty[a.index()])?;
            Some((Owner::Part(*a), prim, part.room()))
        };
        self.locals.iter().filter_map(local).chain(self.parts.iter().filter_map(part)).collect()
    }

    /// How many arrays are.
    pub(crate) fn count(&self) -> usize {
        self.locals.len() + self.parts.len()
    }

    /// Their names.
    pub(crate) fn names(&self, kernel: &Kernel) -> String {
        let locals = self.locals.iter().map(|l| &kernel.body.code.locals[l.index()].name);
        let parts = self.parts.keys().map(|a| &kernel.template.arrays[a.index()].name);
        all(&locals.chain(parts).map(|name| format!("`{name}`")).collect::<Vec<_>>())
    }

    /// Bytes of a block whose threads share an iteration.
    pub(crate) fn team_bytes(&self, kernel: &Kernel) -> u64 {
        let bytes = |(_, prim, count): &(Owner, Prim, u64)| (prim.size() as u64 * count).next_multiple_of(16);
        self.owners(kernel).iter().map(bytes).sum()
    }

    /// Bytes of a thread.
    pub(crate) fn bytes(&self, kernel: &Kernel) -> u64 {
        self.owners(kernel).iter().map(|(_, prim, count)| prim.size() as u64 * count).sum()
    }
}

/// The sizes of an iteration that the text of a kernel names where it has parts of mapped arrays, whatever the parallel loop is. `None`
/// for iterations without.
#[must_use]
pub fn sizes_of_parts(nest: &Nest) -> Option<Nest> {
    let trips = nest.loops.iter().skip(1).fold(1u64, |all, l| all.saturating_mul(l.count));
    if nest.loops.len() < 2 || trips < LEAST_TRIPS {
        return None;
    }
    let mut sizes =
        Nest { loops: nest.loops.clone(), subscripts: nest.subscripts.clone(), ..Nest::default() };
    sizes.loops[0] = DimValues { first: 0, step: 1, count: 1 };
    let first = &nest.loops[0];
    for affine in sizes.subscripts.values_mut() {
        let by = affine.strides.first().map_or(0, |by| i128::from(*by));
        let base = i128::from(affine.base) - by / first.step.max(1) * first.first;
        affine.base = i64::try_from(base).unwrap_or(affine.base);
    }
    Some(sizes)
}

/// The numbers of nested fixed arrays.
pub(crate) fn numbers(types: &Types, ty: TyId) -> Option<(Prim, u64)> {
    match types.get(ty) {
        Ty::Array(elem, len) => {
            numbers(types, *elem).and_then(|(prim, of)| Some((prim, of.checked_mul(*len)?)))
        }
        Ty::Prim(prim) if prim.size() <= 8 => Some((*prim, 1)),
        _ => None,
    }
}

/// What a schedule interleaves. The block is made smaller where a multiprocessor would have too few.
pub(super) fn choose(
    kernel: &Kernel,
    request: &Request<'_>,
    survey: &Survey,
    (strategy, staged): (&Strategy, &BTreeSet<ArrayId>),
    block: &mut [u32; 3],
) -> Interleaved {
    let plain = match strategy {
        Strategy::Linear => true,
        Strategy::Grid { jam: 1, wide: None, cover, .. } => *cover != Cover::Strided,
        _ => false,
    };
    let threads = |block: [u32; 3]| block.iter().product::<u32>();
    if request.device.kind != DeviceKind::Cuda
        || !plain
        || kernel.template.scan.is_some()
        || !kernel.template.reductions.is_empty()
        || !threads(*block).is_multiple_of(WARP)
    {
        return Interleaved::default();
    }
    let mut found = Interleaved { locals: locals(kernel), parts: BTreeMap::new() };
    if *strategy == Strategy::Linear && staged.is_empty() && request.facts.claims.is_empty() {
        found.parts = parts(kernel, request, survey);
    }
    if found.is_empty() {
        return found;
    }
    // What staged stores declare, and what the device keeps of each block.
    let declared = |block: [u32; 3]| {
        let words =
            staged.iter().map(|a| staged_words(kernel.types.size(kernel.array_ty[a.index()]).unwrap_or(0)));
        1024 + u64::from(threads(block)) * 4 * words.max().unwrap_or(0)
    };
    let room = super::recipes::shared_bytes(request.device);
    let bytes = found.bytes(kernel);
    let taken = |block: [u32; 3]| u64::from(threads(block)) * bytes + declared(block);
    let mut smaller = *block;
    // Blocks of which a multiprocessor has several leave little of its memory unused.
    while taken(smaller) > room / 3 && threads(smaller) > WARP && request.pins.block.is_none() {
        let axis = (0..3).rev().find(|axis| smaller[*axis] > 1 && smaller[*axis].is_multiple_of(2));
        let Some(axis) = axis else { break };
        smaller[axis] /= 2;
    }
    let blocks = |axis: usize| match strategy {
        Strategy::Grid { axes, .. } => {
            let dim = axes.get(axis).and_then(|d| request.facts.dims.get(*d as usize));
            dim.map_or(1, |dim| dim.count).div_ceil(smaller[axis].into())
        }
        _ => 1,
    };
    let fits = (0..3).all(|axis| blocks(axis) <= super::geometry::MOST[axis]);
    if taken(smaller) > room || !fits || !threads(smaller).is_multiple_of(WARP) {
        return Interleaved::default();
    }
    *block = smaller;
    request.why(About::Interleaved, || {
        let names = found.names(kernel);
        format!(
            "each iteration has elements of {names} for itself, {bytes} bytes: in shared memory, neighbouring threads access different banks, \
             whichever elements they access"
        )
    });
    found
}

/// How a value differs between the threads of a warp, as far as it is a subscript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// Threads that run together have the same one.
    Alike,
    /// It counts up or down, as far as the data say: neighbouring threads have neighbouring ones, and compilers know much of it.
    Walk,
    /// It comes from data, from the iteration's number, or by a choice.
    Data,
}

/// The local arrays that are interleaved: their elements are chosen by data, or there are more than a thread has registers.
fn locals(kernel: &Kernel) -> BTreeSet<LocalId> {
    let code = &kernel.body;
    let count = |l: &LocalId| numbers(&kernel.types, code.local_ty[l.index()]).map_or(0, |(_, count)| count);
    let candidate = |l: &LocalId| {
        matches!(code.code.locals[l.index()].kind, LocalKind::User | LocalKind::Temp)
            && matches!(kernel.types.get(code.local_ty[l.index()]), Ty::Array(..))
            && (2..1 << 16).contains(&count(l))
    };
    let mut found: BTreeSet<LocalId> = (0..code.local_ty.len()).map(LocalId::new).filter(candidate).collect();
    if found.is_empty() {
        return found;
    }
    let ways = ways(kernel);
    let mut by: BTreeMap<LocalId, Way> = BTreeMap::new();
    let (mut declared, mut copied, mut refused) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut place = |place: &Place| {
        let Base::Local(local) = place.base else { return };
        let mut most = Way::Alike;
        visit::of_place(place, &mut |e| most = most.max(way_of(kernel, &ways, e)));
        let way = by.entry(local).or_insert(most);
        *way = most.max(*way);
    };
    visit::each_stmt(&code.code.block, &mut |stmt| match stmt {
        Stmt::Let { local, init } => {
            declared.insert(*local);
            copied.extend(*init);
        }
        Stmt::Assign { place: to, value, .. } => {
            place(to);
            copied.insert(*value);
        }
        Stmt::Atomic { place, .. } => refused.extend(place.base.local()),
        Stmt::Inner(inner) => refused.extend(effects::copies(inner)),
        _ => {}
    });
    visit::each_live_expr(&code.code, &mut |e| match &code.code.exprs[e.index()].expr {
        Expr::Load(from) => {
            place(from);
            // The whole array, or a row of it: where it is assigned to something.
            if matches!(kernel.types.get(code.expr_ty[e.index()]), Ty::Array(..)) && !copied.contains(&e) {
                refused.extend(from.base.local());
            }
        }
        Expr::Borrow(of) | Expr::Slice { base: of, .. } => refused.extend(of.base.local()),
        _ => {}
    });
    found.retain(|l| {
        let suits = match by.get(l) {
            Some(Way::Data) => true,
            Some(Way::Walk) | None => false,
            Some(Way::Alike) => count(l) > MOST_REGISTERS,
        };
        suits && declared.contains(l) && !refused.contains(l)
    });
    found
}

/// By variable: how its values differ.
fn ways(kernel: &Kernel) -> HashMap<LocalId, Way> {
    let mut ways: HashMap<LocalId, Way> =
        kernel.template.dims.iter().map(|dim| (dim.var, Way::Data)).collect();
    loop {
        let before = ways.clone();
        ways_in(kernel, &kernel.body.code.block, false, &mut ways);
        if ways == before {
            return ways;
        }
    }
}

fn ways_in(kernel: &Kernel, block: &Block, chosen: bool, ways: &mut HashMap<LocalId, Way>) {
    let code = &kernel.body.code;
    for stmt in &block.0 {
        let found = match stmt {
            Stmt::Let { local, init: Some(init) } => Some((*local, way_of(kernel, ways, *init))),
            Stmt::Assign { place: Place { base: Base::Local(local), projections }, value, .. }
                if projections.is_empty() =>
            {
                let way = if is_step(code, *local, *value) {
                    Way::Walk
                } else if chosen {
                    Way::Data
                } else {
                    Way::Walk.max(way_of(kernel, ways, *value))
                };
                Some((*local, way))
            }
            Stmt::For { var, range, .. } => {
                let mut most = Way::Alike;
                visit::of_range(range, &mut |e| most = most.max(way_of(kernel, ways, e)));
                Some((*var, most))
            }
            _ => None,
        };
        if let Some((local, way)) = found {
            let of = ways.entry(local).or_insert(way);
            *of = way.max(*of);
        }
        let chosen = chosen || matches!(stmt, Stmt::If { .. });
        for inner in visit::blocks_of(stmt).into_iter().flatten() {
            ways_in(kernel, inner, chosen, ways);
        }
    }
}

/// `v + 1`, `v - 1`
fn is_step(code: &Code, local: LocalId, value: ExprId) -> bool {
    let Expr::Binary(BinOp::Add | BinOp::Sub, a, b) = &code.exprs[value.index()].expr else { return false };
    code.exprs[a.index()].expr == Expr::Load(Base::Local(local).into())
        && matches!(code.exprs[b.index()].expr, Expr::Int { .. })
}

fn way_of(kernel: &Kernel, ways: &HashMap<LocalId, Way>, root: ExprId) -> Way {
    let code = &kernel.body;
    let mut most = Way::Alike;
    visit::each_expr(&code.code, root, &mut |e| {
        let way = match &code.code.exprs[e.index()].expr {
            Expr::Load(Place { base, projections }) => match base {
                Base::Array(_) => Way::Data,
                Base::Local(local) if projections.is_empty() => {
                    ways.get(local).copied().unwrap_or(Way::Alike)
                }
                Base::Local(_) => Way::Data,
                Base::Scalar(_) | Base::Const(_) => Way::Alike,
            },
            Expr::Call { call, .. } if matches!(code.calls[call.index()], Callee::Fn(_)) => Way::Data,
            Expr::Borrow(_) | Expr::Slice { .. } | Expr::Thread(_) => Way::Data,
            _ => Way::Alike,
        };
        most = most.max(way);
    });
    most
}

/// The mapped arrays of which each iteration has a part for itself, and goes through it several times.
fn parts(kernel: &Kernel, request: &Request<'_>, survey: &Survey) -> BTreeMap<ArrayId, Part> {
    Reached::by(kernel, request, survey)
        .map(|reached| parts_of(request, survey, &reached))
        .unwrap_or_default()
}

fn parts_of(request: &Request<'_>, survey: &Survey, reached: &Reached<'_>) -> BTreeMap<ArrayId, Part> {
    let all = (0..reached.kernel.template.arrays.len()).map(ArrayId::new);
    all.filter_map(|a| Some((a, part(request, survey, reached, a)?))).collect()
}

/// A sequential loop.
struct Loop {
    var: LocalId,
    begins: Option<ExprId>,
    /// The number of the first loop after it that does not stand in it, in the order of the code.
    end: usize,
}

/// A subscript in the code.
struct Touch {
    array: ArrayId,
    access: AccessId,
    writes: bool,
    /// The loops around it, by their numbers.
    around: Vec<usize>,
}

/// The subscripts that an iteration reaches.
struct Reached<'a> {
    kernel: &'a Kernel,
    nest: &'a Nest,
    /// The sequential loops, in the order of the code.
    loops: Vec<Loop>,
    /// By subscript: how often, conditions and limits aside.
    times: BTreeMap<AccessId, u64>,
    touched: Vec<Touch>,
    around: Vec<usize>,
}

impl<'a> Reached<'a> {
    /// Those of a launch whose text may name the sizes of parts.
    fn by(kernel: &'a Kernel, request: &Request<'a>, survey: &Survey) -> Option<Self> {
        let (Some(nest), [_]) = (&request.facts.nest, request.facts.dims.as_slice()) else { return None };
        let known = nest.decided.is_empty() && nest.coalesced.is_empty();
        if !request.parts || survey.queries || !known {
            return None;
        }
        let (loops, times, touched, around) = Default::default();
        let mut reached = Self { kernel, nest, loops, times, touched, around };
        let fine = reached.block(&kernel.body.code.block, 1);
        (fine && reached.loops.len() + 1 == nest.loops.len()).then_some(reached)
    }

    /// Looks at statements that are reached so often. `false` where other threads may have a part in the iteration, or where a subscript
    /// may fail by more than its bounds.
    fn block(&mut self, block: &Block, around: u64) -> bool {
        let (code, mut fine) = (&self.kernel.body, true);
        for stmt in &block.0 {
            let mut place = |place: &Place, writes: bool| {
                if let (Base::Array(array), Some(Projection::Index { access, index })) =
                    (place.base, place.projections.first())
                {
                    let around_it = self.around.clone();
                    self.touched.push(Touch { array, access: *access, writes, around: around_it });
                    let all = self.times.entry(*access).or_default();
                    *all = all.saturating_add(around);
                    visit::each_expr(&code.code, *index, &mut |e| {
                        let checked = code.overflow_checks && may_overflow(self.kernel, code, e);
                        fine &= !checked || self.nest.fits.contains(&e);
                    });
                }
            };
            visit::of_stmt(stmt, &mut |root| {
                visit::each_expr(&code.code, root, &mut |e| {
                    if let Expr::Load(from) = &code.code.exprs[e.index()].expr {
                        place(from, false);
                    }
                });
            });
            let mut inside = around;
            match stmt {
                Stmt::Assign { place: to, .. } => place(to, true),
                Stmt::For { var, range, .. } => {
                    self.around.push(self.loops.len());
                    self.loops.push(Loop { var: *var, begins: range.lo, end: 0 });
                    let trips = self.nest.loops.get(self.loops.len()).map_or(1, |l| l.count);
                    inside = around.saturating_mul(trips);
                }
                Stmt::Inner(_) | Stmt::Atomic { .. } | Stmt::Check { check: Check::Claim { .. }, .. } => {
                    return false;
                }
                _ => {}
            }
            if !fine {
                return false;
            }
            for inner in visit::blocks_of(stmt).into_iter().flatten() {
                if !self.block(inner, inside) {
                    return false;
                }
            }
            if let Stmt::For { .. } = stmt
                && let Some(number) = self.around.pop()
            {
                self.loops[number].end = self.loops.len();
            }
        }
        true
    }

    /// Iterations of the innermost loops in loops that threads share, and how often these are reached.
    fn work(&self, shared: &BTreeSet<LocalId>) -> (u64, u64) {
        let count = |l: usize| self.nest.loops[l + 1].count;
        let (mut work, mut barriers) = (0u64, 0u64);
        for (number, _) in self.loops.iter().enumerate().filter(|(_, l)| shared.contains(&l.var)) {
            let around = (0..number).filter(|l| self.loops[*l].end > number);
            barriers = barriers.saturating_add(around.map(count).fold(1, u64::saturating_mul));
            let inside = self.touched.iter().filter(|t| t.around.contains(&number));
            let iterations = inside.map(|t| t.around.iter().map(|l| count(*l)).fold(1, u64::saturating_mul));
            work = work.saturating_add(iterations.max().unwrap_or(0));
        }
        (work, barriers)
    }

    /// Whether the numbers of the launch show that iterations of a loop access different elements of the arrays that it writes.
    fn is_apart(&self, number: usize) -> bool {
        let inside = || self.touched.iter().filter(|t| t.around.contains(&number));
        inside().filter(|t| t.writes).all(|a| {
            inside().filter(|b| b.array == a.array).all(|b| self.differ(number, a, b).unwrap_or(false))
        })
    }

    /// Whether two subscripts of an array have no element in common in different iterations of a loop around both, in the same iterations of
    /// the loops around it.
    fn differ(&self, number: usize, a: &Touch, b: &Touch) -> Option<bool> {
        // (Of an element that has parts, a subscript is that of the first one alone.)
        self.kernel.types.prim(self.kernel.array_ty[a.array.index()])?;
        let of = |touch: &Touch| self.nest.subscripts.get(&touch.access);
        let (first, second) = (of(a)?, of(b)?);
        if self.never_equal(number, first, second)? {
            return Some(true);
        }
        // What the parallel loop adds is left out below: it has to be the same in both.
        if first.strides.first() != second.strides.first() {
            return Some(false);
        }
        // If both are a number of rows and less than a row, one of these numbers is enough.
        let strides = self.touched.iter().filter(|t| t.array == a.array).filter_map(of);
        let row =
            strides.flat_map(|affine| affine.strides.iter().skip(1)).copied().filter(|by| *by > 1).min()?;
        let (rows, rest) = self.in_rows(first, row)?;
        let (other_rows, other_rest) = self.in_rows(second, row)?;
        Some(self.never_equal(number, &rows, &other_rows)? || self.never_equal(number, &rest, &other_rest)?)
    }

    /// A subscript without the part of the parallel loop, which is the same for all of an iteration: whole rows, and less than a row.
    fn in_rows(&self, affine: &Affine, row: i64) -> Option<(Affine, Affine)> {
        let parted = |part: fn(i64, i64) -> i64| {
            let strides = affine.strides.iter().enumerate();
            let strides = strides.map(|(l, by)| if l == 0 { 0 } else { part(*by, row) }).collect();
            Affine { base: part(affine.base, row), strides }
        };
        let (rows, rest) = (parted(i64::div_euclid), parted(i64::rem_euclid));
        let (least, most) = range(self.nest, &rest)?;
        (least >= 0 && most < i128::from(row)).then_some((rows, rest))
    }

    /// Whether two functions of iterations are never equal in different iterations of a loop, in the same iterations of the loops around it.
    fn never_equal(&self, number: usize, a: &Affine, b: &Affine) -> Option<bool> {
        let (nest, all) = (self.nest, self.nest.loops.len());
        let own = number + 1..self.loops[number].end + 1;
        // The difference, by the loops around, then the loop and those in it for `a`, and those for `b`.
        let place = |l: usize, second: bool| if second && own.contains(&l) { l + all } else { l };
        let mut difference = vec![0i128; 2 * all];
        for l in 0..all {
            difference[l] += i128::from(*a.strides.get(l)?);
            difference[place(l, true)] -= i128::from(*b.strides.get(l)?);
        }
        let base = i128::from(a.base) - i128::from(b.base);
        let order: Vec<usize> = own.clone().rev().map(|l| l + all).chain((0..all).rev()).collect();
        let extreme = |mut strides: Vec<i128>, greatest: bool| {
            let mut value = base;
            for &at in &order {
                let (l, second) = (at % all, at >= all);
                let by = std::mem::take(&mut strides[at]);
                let up = (by > 0) == greatest;
                let limits = nest.limits.get(&u32::try_from(l).ok()?);
                match limits.and_then(|of| if up { of.upper.as_ref() } else { of.lower.as_ref() }) {
                    Some(limit) if by != 0 => {
                        value += by * (i128::from(limit.base) - i128::from(up));
                        for (l, of) in limit.strides.iter().enumerate() {
                            strides[place(l, second)] += by * i128::from(*of);
                        }
                    }
                    _ if up => value += by * i128::from(nest.loops[l].count.checked_sub(1)?),
                    _ => {}
                }
            }
            Some(value)
        };
        if extreme(difference.clone(), false)? > 0 || extreme(difference.clone(), true)? < 0 {
            return Some(true);
        }
        // Steps of the loop are longer than what the loops in it add.
        let (first, second) = (difference[number + 1], difference[number + 1 + all]);
        difference[number + 1] = 0;
        difference[number + 1 + all] = 0;
        let (lo, hi) = (extreme(difference.clone(), false)?, extreme(difference, true)?);
        Some(first == -second && first != 0 && -first.abs() < lo && hi < first.abs())
    }
}

/// A block for each iteration, whose threads share independent loops of it, where its parts of mapped arrays are in shared memory.
#[derive(Debug)]
pub(super) struct Team {
    /// The loops.
    pub apart: BTreeSet<LocalId>,
    pub interleaved: Interleaved,
    pub block: [u32; 3],
}

/// Iterations of an iteration's innermost loops below which parts would not pay.
const LEAST_TRIPS: u64 = 32;

/// Iterations of a shared loop below which most threads of a warp would idle.
const LEAST: u64 = 12;

/// Iterations of the innermost loops that a thread has between two barriers, below which it would wait more than it works.
const LEAST_BETWEEN: u64 = 4;

/// Threads of a multiprocessor that hide the latency of an iteration which one thread runs by itself.
const HIDING: u64 = 256;

/// The team for each iteration, where the device would have few threads if each ran an iteration by itself.
pub(super) fn team(kernel: &Kernel, request: &Request<'_>, survey: &Survey) -> Option<Team> {
    let (pins, device) = (&request.pins, request.device);
    let pinned =
        pins.chunk.is_some() || pins.team_chunk.is_some() || pins.block.is_some() || pins.tile.is_some();
    let limited = request.num_teams.is_some() || request.thread_limit.is_some();
    let plain = kernel.template.reductions.is_empty() && kernel.template.scan.is_none();
    if device.kind != DeviceKind::Cuda || pinned || limited || !plain || !request.facts.claims.is_empty() {
        return None;
    }
    let reached = Reached::by(kernel, request, survey)?;
    let first = |part: &Part| {
        let dim = request.facts.dims.first()?;
        i64::try_from(i128::from(part.first) + i128::from(part.step) * dim.first).ok()
    };
    let in_rows = |(array, part): (ArrayId, Part)| {
        let lo = first(&part)?;
        Some((array, part.in_rows(&reached, lo)?))
    };
    let parts =
        parts_of(request, survey, &reached).into_iter().map(in_rows).collect::<Option<BTreeMap<_, _>>>()?;
    if parts.is_empty() {
        return None;
    }
    let apart: BTreeSet<LocalId> =
        (0..reached.loops.len()).filter(|l| reached.is_apart(*l)).map(|l| reached.loops[l].var).collect();
    let (shared, made) = super::nests::independent::shared_of(kernel, &request.facts.unproved, &apart)?;
    let trips = shared.iter().map(|var| request.facts.trips.get(var).copied()).collect::<Option<Vec<_>>>()?;
    let (least, most) = (trips.iter().copied().min()?, trips.iter().copied().max()?);
    if least < LEAST || !super::nests::teams::suits(&made) {
        return None;
    }
    let interleaved = Interleaved { locals: BTreeSet::new(), parts };
    let bytes = interleaved.team_bytes(kernel).max(1);
    let room = super::recipes::shared_bytes(device);
    let units = u64::from(device.units.max(1));
    let alone = request.facts.total?.div_ceil(units).min(room / bytes);
    let threads = most.next_power_of_two().clamp(64, 256) / 2;
    let (work, barriers) = reached.work(&shared);
    let fits = bytes + super::nests::teams::shared_bytes(&made, threads, 32) + 1024 <= room;
    if alone >= HIDING || !fits || work / (threads * barriers.max(1)) < LEAST_BETWEEN {
        return None;
    }
    request.why(About::Interleaved, || {
        format!(
            "each iteration goes through its part of {} several times; the {} iterations of the inner loop access different elements of it",
            interleaved.names(kernel),
            most
        )
    });
    request.why(About::Block, || {
        format!("an inner loop of up to {most} iterations keeps {threads} threads busy")
    });
    let apart = apart.intersection(&shared).copied().collect();
    Some(Team { apart, interleaved, block: [u32::try_from(threads).ok()?, 1, 1] })
}

impl Part {
    /// Elements in shared memory.
    pub(crate) fn room(&self) -> u64 {
        let gaps = self.len.saturating_sub(1).checked_div(self.row).unwrap_or(0);
        u64::from(self.len) + u64::from(gaps)
    }

    /// With a gap after each row of the box, if its rows have an even number of elements: threads that have neighbouring rows then access
    /// different banks. `lo` is the first element in iteration 0.
    fn in_rows(mut self, reached: &Reached<'_>, lo: i64) -> Option<Self> {
        let Reached { kernel, nest, loops, .. } = reached;
        let of = |access: &AccessId| {
            let affine = nest.subscripts.get(access)?;
            let strides = affine.strides.iter().enumerate().map(|(l, by)| if l == 0 { 0 } else { *by });
            Some((*access, Affine { base: affine.base - lo, strides: strides.collect() }))
        };
        let all = self.places.keys().map(of).collect::<Option<BTreeMap<_, _>>>()?;
        let strides = all.values().flat_map(|affine| &affine.strides);
        let row = strides.copied().filter(|by| *by > 1).min().filter(|row| row % 2 == 0);
        let Some(row) = row else { return Some(self) };
        let parted = |affine: &Affine, part: fn(i64, i64) -> i64| Affine {
            base: part(affine.base, row),
            strides: affine.strides.iter().map(|by| part(*by, row)).collect(),
        };
        // Each subscript is a sum of whole rows, and of less than a row.
        let mut places = BTreeMap::new();
        for (access, affine) in all {
            let (least, most) = range(nest, &parted(&affine, i64::rem_euclid))?;
            if least < 0 || most >= i128::from(row) {
                return Some(self);
            }
            let wider = parted(&affine, |n, row| n + n.div_euclid(row));
            places.insert(access, offset(kernel, nest, loops, &wider)?);
        }
        self.row = u32::try_from(row).ok()?;
        self.places = places;
        Some(self)
    }
}

fn part(request: &Request<'_>, survey: &Survey, reached: &Reached<'_>, array: ArrayId) -> Option<Part> {
    let Reached { kernel, nest, loops, times, .. } = reached;
    let of = &kernel.template.arrays[array.index()];
    let prim = kernel.types.prim(kernel.array_ty[array.index()]).filter(|prim| prim.size() <= 8)?;
    let accesses: BTreeSet<AccessId> = survey.accesses[array.index()].iter().copied().collect();
    // (What is only read is in a cache.)
    if accesses.is_empty() || survey.whole[array.index()] || of.section || !of.written {
        return None;
    }
    let proved = |access: &AccessId| match kernel.body.bounds[access.index()] {
        BoundsVerdict::Proved => true,
        BoundsVerdict::AtLaunch => !request.facts.unproved.contains(access),
        BoundsVerdict::Trusted | BoundsVerdict::Residual => false,
    };
    let (mut lo, mut hi, mut step, mut all) = (i128::MAX, i128::MIN, None, 0u64);
    for access in &accesses {
        let affine = nest.subscripts.get(access).filter(|_| proved(access))?;
        let by = *affine.strides.first()?;
        if *step.get_or_insert(by) != by {
            return None;
        }
        let (least, most) = range(nest, affine)?;
        (lo, hi) = (lo.min(least), hi.max(most + 1));
        all = all.saturating_add(times.get(access).copied().unwrap_or(0));
    }
    // The boxes follow each other, and the device has all of their elements.
    let (step, len, dim) = (step?, hi - lo, nest.loops.first()?);
    let end = hi + i128::from(dim.count.checked_sub(1)?) * i128::from(step);
    let there = |(from, to): (u64, u64)| i128::from(from) <= lo && end <= i128::from(to);
    let exists = match request.facts.footprint.get(array.index())? {
        Some(touched) => touched.all.iter().any(|range| there(*range)),
        None => there((0, *request.extents.get(array.index())?)),
    };
    if step < 2 || len > i128::from(step) || !exists || i128::from(all) < len * i128::from(REUSE) {
        return None;
    }
    let whole = |elements: i128| (elements * prim.size() as i128) % 16 == 0;
    let place = |access: &AccessId| {
        let affine = nest.subscripts.get(access)?;
        let base = i64::try_from(i128::from(affine.base) - lo).ok()?;
        let within = Affine { base, strides: affine.strides.clone() };
        Some((*access, offset(kernel, nest, loops, &within)?))
    };
    let begins = request.alignment.get(array.index()).copied().unwrap_or(1);
    // (The text then is the same for all parallel loops over parts of this size.)
    let by_value = i128::from(step) / dim.step;
    if by_value * dim.step != i128::from(step) {
        return None;
    }
    Some(Part {
        first: i64::try_from(lo - by_value * dim.first).ok()?,
        step: i64::try_from(by_value).ok()?,
        len: u32::try_from(len).ok()?,
        wide: begins >= 16 && whole(lo) && whole(step.into()) && whole(len),
        row: 0,
        places: accesses.iter().map(place).collect::<Option<_>>()?,
    })
}

/// A place in a box as a function of variables.
fn offset(kernel: &Kernel, nest: &Nest, loops: &[Loop], affine: &Affine) -> Option<Offset> {
    let (mut base, mut strides) = (i128::from(affine.base), Vec::new());
    for (l, by) in affine.strides.iter().enumerate().skip(1).filter(|(_, by)| **by != 0) {
        let Loop { var, begins, .. } = loops.get(l - 1)?;
        if nest.moving.contains(&u32::try_from(l).ok()?) {
            let begins = begins.filter(|e| is_simple(kernel, *e))?;
            strides.push((*var, *by, Some(begins)));
        } else {
            // (Its step is 1. The text multiplies in 32 bits.)
            let of = nest.loops.get(l)?;
            let most = of.first.abs() + i128::from(of.count);
            if most * i128::from(*by).abs() > i128::from(i32::MAX) {
                return None;
            }
            base -= i128::from(*by) * of.first;
            strides.push((*var, *by, None));
        }
    }
    Some(Offset { base: i64::try_from(base).ok()?, strides })
}

/// A bound that a loop's body may evaluate again: a sum of variables that don't change, and numbers.
fn is_simple(kernel: &Kernel, e: ExprId) -> bool {
    let code = &kernel.body.code;
    match &code.exprs[e.index()].expr {
        Expr::Int { negative: false, .. } => true,
        Expr::Load(Place { base: Base::Local(local), projections }) => {
            projections.is_empty() && code.locals[local.index()].kind == LocalKind::Loop
        }
        Expr::Binary(BinOp::Add, a, b) => is_simple(kernel, *a) && is_simple(kernel, *b),
        _ => false,
    }
}

/// The least and the greatest value of a subscript in iteration 0 of the parallel loop. Where the limits of a loop depend on those around
/// it, their formulas take its place.
fn range(nest: &Nest, affine: &Affine) -> Option<(i128, i128)> {
    let end = |greatest: bool| {
        let mut value = i128::from(affine.base);
        let mut strides: Vec<i128> = affine.strides.iter().map(|by| i128::from(*by)).collect();
        for l in (1..strides.len()).rev() {
            let by = std::mem::take(&mut strides[l]);
            let up = (by > 0) == greatest;
            let limits = nest.limits.get(&u32::try_from(l).ok()?);
            let limit = limits.and_then(|of| if up { of.upper.as_ref() } else { of.lower.as_ref() });
            // Of one that the parallel loop moves, other iterations have other values.
            match limit.filter(|of| of.strides.first().is_none_or(|by| *by == 0)) {
                Some(limit) => {
                    value += by * (i128::from(limit.base) - i128::from(up));
                    for (stride, of) in strides.iter_mut().zip(&limit.strides) {
                        *stride += by * i128::from(*of);
                    }
                }
                None if up => value += by * i128::from(nest.loops.get(l)?.count.checked_sub(1)?),
                None => {}
            }
        }
        Some(value)
    };
    Some((end(false)?, end(true)?))
}

#[cfg(test)]
mod tests {
    use super::super::choose::choose as schedule_of;
    use super::super::{DeviceClass, Pins, Schedule};
    use super::*;
    use kernel_samples::build::{F32, Region, USIZE, X, array_of, count};
    use omp_ir::analysis::plan::{LaunchValues, Limits};

    /// The schedule of a loop over `i` in `0..n` with a captured `m`, of arrays with so many elements.
    fn scheduled(
        (n, m): (u64, i128),
        len: u64,
        checked: bool,
        body: impl FnOnce(&mut Region, X, [X; 3]),
    ) -> (Kernel, Schedule) {
        let mut r = Region::new("own");
        let (a, c) = (r.array("a", &F32), r.array("c", &F32));
        let bound = r.scalar("m", &USIZE);
        let i = r.dim("i", count(0, n as i32));
        body(&mut r, i, [a, c, bound]);
        let (template, types) = r.finish();
        let (kernel, info) = crate::valid::finalise(template, types, checked).expect("it is well typed");
        let facts = info.plan.decide(&LaunchValues {
            dims: &[Some(DimValues { first: 0, step: 1, count: n })],
            scalars: &[Some(m)],
            lens: &[len, len],
            sections: &[(0, len), (0, len)],
        });
        let device = DeviceClass {
            kind: DeviceKind::Cuda,
            units: 132,
            max_block: 1024,
            warp: 32,
            shared_bytes: 48 << 10,
            arch: 90,
            f64: true,
            atomics64: true,
        };
        let request = Request {
            extents: &[len, len],
            facts: &facts,
            device: &device,
            num_teams: None,
            thread_limit: None,
            alignment: &[16, 16],
            pins: Pins::default(),
            specialised: true,
            parts: true,
            reasons: None,
        };
        let schedule = schedule_of(&kernel, &info, &request);
        (kernel, schedule)
    }

    /// How many local arrays are interleaved of one of `len` numbers that a loop over 8 elements of `a` updates.
    fn locals_of(len: i32, each: impl FnOnce(&mut Region, &X, X, X)) -> usize {
        let made = scheduled((1000, 8), 8000, false, |r, i, [a, c, m]| {
            let own = r.uninit("own", array_of(&F32, len as usize));
            r.for_("z", count(0, len), |r, z, _| r.set(own.at(z), 0.0));
            r.for_("k", count(0, &m), |r, k, _| {
                let v = r.let_("v", a.at(&i * 8 + &k));
                each(r, &own, k, v);
            });
            r.set(c.at(i), own.at(1));
        });
        made.1.interleaved.locals.len()
    }

    #[test]
    fn local_arrays_are_interleaved_where_data_choose_elements_or_there_are_many() {
        assert_eq!(locals_of(9, |r, own, _, v| r.set(own.at(v.cast(Prim::Usize)), 1.0)), 1);
        let chosen = |r: &mut Region, own: &X, k: X, v: X| {
            let at = r.let_mut("at", 0);
            r.if_(v.lt(0.5), |r| r.set(&at, k));
            r.set(own.at(&at), v);
        };
        assert_eq!(locals_of(9, chosen), 1);
        // Alike in all threads: in registers, or at one place for a warp. There is a lot of room there.
        let alike = |r: &mut Region, own: &X, k: X, v: X| r.set(own.at(k), v);
        assert_eq!([9, 128, 129, 1000, 20_000].map(|len| locals_of(len, alike)), [0, 0, 1, 1, 0]);
        // Counted up.
        let counted = |r: &mut Region, own: &X, _: X, v: X| {
            let at = r.let_mut("at", 0);
            r.while_(own.at(&at).lt(&v), |r, _| r.set(&at, &at + 1));
            r.set(own.at(&at), v);
        };
        assert_eq!(locals_of(129, counted), 0);
    }

    #[test]
    fn arrays_that_are_passed_on_stay_where_they_are() {
        let row = array_of(&F32, 9);
        let each = |r: &mut Region, own: &X, _: X, v: X| {
            r.set(own.at(v.cast(Prim::Usize)), 1.0);
            let some = r.let_("some", own.slice(0, 5));
            r.set(own.at(0), some.at(3));
        };
        assert_eq!(locals_of(9, each), 0);
        // A copy is no use of another kind.
        let copy = |r: &mut Region, own: &X, _: X, v: X| {
            let other = r.uninit("other", row);
            r.set(&other, own);
            r.set(own.at(v.cast(Prim::Usize)), other.at(2));
        };
        assert_eq!(locals_of(9, copy), 1);
    }

    /// The part of `c` in `for i { for j in 0..m { for k in lo..hi { c[at] = c[at of k = 0] + a[i] } } }` with `m = 8`.
    fn part_of(
        len: u64,
        checked: bool,
        bounds: fn(&X, &X) -> (X, X),
        at: fn([&X; 4]) -> X,
    ) -> Option<(i64, i64, u32, bool)> {
        let (_, schedule) = scheduled((100, 8), len, checked, |r, i, [a, c, m]| {
            r.for_("j", count(0, &m), |r, j, _| {
                let (lo, hi) = bounds(&j, &m);
                r.for_("k", count(lo, hi), |r, k, _| {
                    let (place, before) = (at([&i, &j, &k, &m]), at([&i, &j, &X::from(0), &m]));
                    r.set(c.at(place), c.at(before) + a.at(&i));
                });
            });
        });
        let part = schedule.interleaved.parts.into_values().next()?;
        Some((part.first, part.step, part.len, part.wide))
    }

    #[test]
    fn parts_are_boxes_that_follow_each_other() {
        let square = |_: &X, m: &X| (X::from(0), m.clone());
        assert_eq!(part_of(6400, false, square, |[i, j, k, _]| i * 64 + j * k), None);
        assert_eq!(part_of(6400, false, square, |[i, j, k, _]| i * 64 + (j + k)), Some((0, 64, 15, false)));
        assert_eq!(
            part_of(6500, false, square, |[i, j, k, _]| i * 64 + (j + k) + 5),
            Some((5, 64, 15, false))
        );
        // Not so far as the array goes, and into the part of the next iteration.
        assert_eq!(part_of(1600, false, square, |[i, j, k, _]| i * 14 + (j + k)), None);
        // With overflow checks, operators that may overflow have none.
        assert_eq!(
            part_of(6400, true, square, |[i, j, k, m]| i * (m * m) + (j + k)),
            Some((0, 64, 15, false))
        );
    }

    #[test]
    fn limits_of_loops_say_how_far_a_part_goes() {
        let value = |lo, hi| {
            let limits = Limits { lower: lo, upper: hi };
            let nest = Nest {
                loops: [100, 8, 8].map(|count| DimValues { first: 0, step: 1, count }).to_vec(),
                limits: BTreeMap::from([(2, limits)]),
                ..Nest::default()
            };
            range(&nest, &Affine { base: 3, strides: vec![64, 8, 1] }).expect("there are loops")
        };
        let line = |base, strides: [i64; 2]| Some(Affine { base, strides: strides.to_vec() });
        assert_eq!(value(None, None), (3, 3 + 7 * 8 + 7));
        // `k in 0..=j`, `k in 0..8 - j`, `k in j..8`
        assert_eq!(value(None, line(1, [0, 1])), (3, 3 + 7 * 9));
        assert_eq!(value(None, line(8, [0, -1])), (3, 3 + 7 + 7 * 7));
        assert_eq!(value(line(0, [0, 1]), None), (3, 3 + 7 * 8 + 7));
        // Limits by the parallel loop hold for its other iterations, too.
        assert_eq!(value(None, line(1, [1, 0])), (3, 3 + 7 * 8 + 7));
    }

    /// A subscript by `k`, `i`, `j`, `m` and `b`.
    type At = fn([&X; 5]) -> X;

    /// Which loop in `for b { for k in 0..m { for i in k + 1..m { c[b * m * m + i * m + k] = …; for j in k + 1..m { … } } } }`
    /// is shared by a team, with what it does in place of the dots.
    fn shared_loop(first: fn([&X; 4]) -> X, (store, load): (At, At)) -> Option<String> {
        let (kernel, schedule) = scheduled((1000, 16), 256_000, false, |r, b, [a, c, m]| {
            r.for_("k", count(0, &m), |r, k, _| {
                r.for_("i", count(&k + 1, &m), |r, i, _| {
                    let base = &b * &m * &m;
                    r.set(c.at(&base + &i * &m + &k), c.at(&base + first([&k, &i, &m, &b])) * a.at(&b));
                    r.for_("j", count(&k + 1, &m), |r, j, _| {
                        let [to, from] = [store, load].map(|at| at([&k, &i, &j, &m, &b]));
                        r.set(c.at(&base + &to), c.at(&base + to) - c.at(&base + from));
                    });
                });
            });
        });
        let part = schedule.interleaved.parts.into_values().next()?;
        assert_eq!(part.step, 256);
        let apart: Vec<_> = schedule.apart.iter().collect();
        assert_eq!(apart.is_empty(), schedule.strategy == Strategy::Linear);
        Some(apart.first().map_or_else(String::new, |l| kernel.body.code.locals[l.index()].name.clone()))
    }

    #[test]
    fn teams_share_loops_that_the_numbers_of_the_launch_show_to_be_independent() {
        let own = |[_, i, j, m, _]: [&X; 5]| i * m + j;
        let pivots = |[k, _, j, m, _]: [&X; 5]| k * m + j;
        let before = |[k, i, m, _]: [&X; 4]| i * m + k;
        assert_eq!(shared_loop(before, (own, pivots)), Some("i".into()));
        // The pivot, the diagonal, columns, and columns in place of rows.
        assert_eq!(shared_loop(|[k, _, m, _]| k * m + k, (own, pivots)), Some("i".into()));
        assert_eq!(shared_loop(|[_, i, m, _]| i * m + i, (own, pivots)), Some("i".into()));
        assert_eq!(shared_loop(before, (own, |[k, i, _, m, _]| i * m + k)), Some("i".into()));
        assert_eq!(shared_loop(before, (|[_, i, j, m, _]| j * m + i, pivots)), Some("i".into()));
        // The row before, and what other iterations store.
        assert_eq!(shared_loop(|[k, i, m, _]| (i - 1) * m + k, (own, pivots)), Some(String::new()));
        assert_eq!(shared_loop(before, (own, |[_, _, j, m, _]| j * m + j)), Some(String::new()));
        assert_eq!(shared_loop(before, (own, |[k, _, j, m, _]| j * m + k)), Some(String::new()));
    }
}
