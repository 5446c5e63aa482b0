//! Kernels with nests for the threads of a team: whether a kernel can be scheduled in this way, and how it accesses its
//! arrays.
//!
//! All threads of a team run the statements around the nests in the same way ([`crate::back`] explains how). So these statements
//! must not have effects that must happen once, except plain stores, and must not depend on the thread.
use crate::back::c::function::Functions;
use crate::schedule::explain::reasons::About;
use crate::schedule::{DeviceKind, Request};
use omp_ir::ids::{AccessId, ExprId, LocalId};
use omp_ir::kernel::{Kernel, Reducer};
use omp_ir::template::{Base, Block, Expr, Inner, InnerLast, InnerReduction, Level, LocalKind, Place, Stmt};
use omp_ir::visit;
use std::collections::BTreeSet;

/// Where a kernel touches an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ArrayUse {
    /// Loaded around the nests.
    pub read_around: bool,
    /// Touched in a nest.
    pub in_nests: bool,
    /// Written in a nest by something that is no store.
    pub written_unseen: bool,
    /// The same around the nests.
    written_alike: bool,
}

/// By array: where it is touched.
pub(crate) fn array_uses(kernel: &Kernel) -> Vec<ArrayUse> {
    Walk::of(kernel).uses
}

/// The kernel has nests for teams, and its threads can run alike around them.
pub(in crate::schedule) fn suits(kernel: &Kernel) -> bool {
    let walk = Walk::of(kernel);
    let uses_thread_numbers = kernel.fns.iter().any(|f| crate::schedule::survey::queries(&f.body));
    // All threads combine the partial results: no thread may exit in the middle of that.
    let fails = |r: &Reducer| match r {
        Reducer::Builtin(..) => false,
        Reducer::Declared { function, .. } => Functions::new(kernel).can_fail(*function),
    };
    let operator_fails = kernel.inner_reducers.iter().any(fails);
    let alike = walk.uses.iter().all(|u| !u.written_alike) && !uses_thread_numbers;
    walk.nests > 0 && alike && !operator_fails
}

/// Bytes of shared memory through which the threads of a block communicate in the nests of a kernel.
pub(in crate::schedule) fn shared_bytes(kernel: &Kernel, threads: u64, warp: u64) -> u64 {
    let slots = if warp > 1 && threads.is_multiple_of(warp) { threads / warp } else { threads };
    let mut bytes = 8 * slots.max(32) * (kernel.template.reductions.len() as u64 + 1);
    visit::each_stmt(&kernel.body.code.block, &mut |stmt| {
        if let Stmt::Inner(inner) = stmt {
            let last =
                |l: &InnerLast| kernel.types.size(kernel.body.local_ty[l.local.index()]).unwrap_or(64) + 8;
            let ordered = |r: &InnerReduction| kernel.inner_reducers[r.number as usize].is_ordered();
            let slots = if inner.reductions.iter().any(ordered) { threads } else { slots };
            // Contiguous accesses are aligned to at most 16 bytes.
            let item = |r: &InnerReduction| {
                kernel.types.size(kernel.body.local_ty[r.local.index()]).unwrap_or(256).next_multiple_of(8)
            };
            bytes += 2 * slots * (8 + inner.reductions.iter().map(item).sum::<u64>());
            // The numbers of a search, and what says whether and where it has found them.
            bytes += 2 * slots * inner.searches.iter().map(|s| 8 * (s.items.len() as u64 + 2)).sum::<u64>();
            bytes += 2 * inner.lasts.iter().map(last).sum::<u64>();
        }
    });
    bytes
}

struct Walk<'k> {
    kernel: &'k Kernel,
    uses: Vec<ArrayUse>,
    nests: usize,
    /// The variables through which something is accessed.
    accessed: BTreeSet<LocalId>,
}

impl<'k> Walk<'k> {
    fn of(kernel: &'k Kernel) -> Self {
        let code = &kernel.body.code;
        let mut accessed = BTreeSet::new();
        visit::each_live_expr(code, &mut |e| match &code.exprs[e.index()].expr {
            Expr::Load(place) | Expr::Borrow(place) | Expr::Slice { base: place, .. } => {
                accessed.extend(place.base.local());
            }
            _ => {}
        });
        visit::each_stmt(&code.block, &mut |stmt| {
            if let Stmt::Assign { place, .. } | Stmt::Atomic { place, .. } = stmt {
                accessed.extend(place.base.local());
            }
        });
        let uses = vec![ArrayUse::default(); kernel.template.arrays.len()];
        let mut walk = Walk { kernel, uses, nests: 0, accessed };
        walk.block(&code.block, false);
        walk
    }

    /// The slice of a variable whose elements have been replaced by those of the array.
    fn replaced(&self, stmt: &Stmt) -> Option<ExprId> {
        let Stmt::Let { local, init } = stmt else { return None };
        let is_slice = self.kernel.body.code.locals[local.index()].kind == LocalKind::Slice;
        init.filter(|_| is_slice && !self.accessed.contains(local))
    }

    fn block(&mut self, block: &Block, in_nest: bool) {
        for stmt in &block.0 {
            match self.replaced(stmt) {
                Some(slice) => {
                    visit::of_expr(&self.kernel.body.code.exprs[slice.index()].expr, &mut |e| {
                        self.expr(e, in_nest);
                    });
                }
                None => visit::of_stmt(stmt, &mut |e| self.expr(e, in_nest)),
            }
            let mut inside = in_nest;
            match stmt {
                Stmt::Assign { place: Place { base: Base::Array(a), .. }, .. } => {
                    self.uses[a.index()].in_nests |= in_nest;
                }
                Stmt::Inner(Inner { level: Level::Team, in_place: false, .. }) => {
                    self.nests += usize::from(!in_nest);
                    inside = true;
                }
                // Around the nests it would happen once for each thread, and give each another value.
                Stmt::Atomic { place, .. } => {
                    if let Base::Array(a) = place.base {
                        let of = &mut self.uses[a.index()];
                        if in_nest {
                            (of.in_nests, of.written_unseen) = (true, true);
                        } else {
                            of.written_alike = true;
                        }
                    }
                }
                Stmt::Inner(Inner { level: Level::Simd, .. } | Inner { in_place: true, .. })
                | Stmt::Let { .. }
                | Stmt::Assign { .. }
                | Stmt::Eval(_)
                | Stmt::If { .. }
                | Stmt::For { .. }
                | Stmt::Loop { .. }
                | Stmt::Labelled { .. }
                | Stmt::Break(_)
                | Stmt::Continue(_)
                | Stmt::Return(_)
                | Stmt::Check { .. } => {}
            }
            for inner in visit::blocks_of(stmt).into_iter().flatten() {
                self.block(inner, inside);
            }
        }
    }

    fn expr(&mut self, root: ExprId, in_nest: bool) {
        let code = &self.kernel.body;
        // An array that is passed as a whole has no subscript that shows whether it is written.
        let writes = |access: Option<AccessId>| access.is_none_or(|a| code.code.accesses[a.index()].write);
        // What is named, whether a part or the whole is passed on, and whether it may be written there.
        let mut found: Vec<(Base, bool, bool)> = Vec::new();
        visit::each_expr(&code.code, root, &mut |e| match &code.code.exprs[e.index()].expr {
            Expr::Load(place) => {
                let whole = place.projections.is_empty();
                found.push((place.base, whole, whole));
            }
            Expr::Borrow(place) => found.push((place.base, true, true)),
            Expr::Slice { base, access, mutable, lo: _, hi: _ } => {
                found.push((base.base, true, *mutable || writes(*access)));
            }
            Expr::Unit
            | Expr::Int { .. }
            | Expr::Float { .. }
            | Expr::Bool(_)
            | Expr::Len(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Cast { .. }
            | Expr::Call { .. }
            | Expr::Struct { .. }
            | Expr::Array { .. }
            | Expr::Repeat { .. }
            | Expr::Some { .. }
            | Expr::None { .. }
            | Expr::IsSome(_)
            | Expr::Thread(_)
            | Expr::SizeOf { .. } => {}
        });
        for (base, slice, written) in found {
            if let Base::Array(a) = base {
                let written = written && self.kernel.template.arrays[a.index()].written;
                let of = &mut self.uses[a.index()];
                if slice {
                    // The name does not show where and how the array is used.
                    (of.in_nests, of.read_around) = (true, true);
                }
                if in_nest {
                    of.in_nests = true;
                    of.written_unseen |= written;
                } else {
                    of.read_around = true;
                    of.written_alike |= written;
                }
            }
        }
    }
}

/// The block of a team, where nests of so many iterations are worth one.
pub(in crate::schedule) fn teams(
    kernel: &Kernel,
    request: &Request<'_>,
    trips: Option<u64>,
) -> Option<[u32; 3]> {
    let (facts, device) = (request.facts, request.device);
    // Claims are of outer iterations: the inner ones of each have to follow one another.
    if device.kind == DeviceKind::OpenClCpu || !facts.claims.is_empty() || !suits(kernel) {
        return None;
    }
    let outer = facts.total.unwrap_or(u64::MAX);
    let limit = request.thread_limit.unwrap_or(u64::MAX).min(u64::from(device.max_block.max(1)));
    let wanted = match trips.unwrap_or(1024) {
        // A thread for each outer iteration has less to do than a team would have to wait.
        0..=8 if outer >= 32 * u64::from(device.units) => return None,
        _ if request.pins.flat().is_some() => request.pins.flat().unwrap_or(1),
        // The communication of a team's threads costs as much as a few iterations: each thread has sixteen, unless there are too few
        // teams to fill the device.
        trips @ 0..=32_768 => {
            let most = trips.clamp(1, 256).next_multiple_of(32);
            let filling = (u64::from(device.units) * 2048).div_ceil(outer.max(1)).next_power_of_two();
            (trips / 16).next_power_of_two().clamp(64, 256).max(filling).min(most)
        }
        _ if outer >= 2 * u64::from(device.units) => 512,
        _ => 1024,
    };
    let pinned = request.pins.block.map(|b| b.iter().map(|n| u64::from(*n)).product());
    let threads = pinned.unwrap_or(wanted).clamp(1, limit.max(1));
    // Whole warps where there may be one.
    let threads = if threads > 32 { threads / 32 * 32 } else { threads };
    let warp = if device.kind == DeviceKind::Cuda { 32 } else { 1 };
    let fits = shared_bytes(kernel, threads, warp) <= u64::from(device.shared_bytes);
    if fits {
        request.why(About::Block, || match trips {
            Some(trips) => format!("an inner loop of {trips} iterations keeps {threads} threads busy, and {outer} teams fill the device"),
            None => format!("how long the inner loop is shows in the kernel alone: {threads} threads suit some thousand iterations"),
        });
    }
    fits.then_some([threads as u32, 1, 1])
}
