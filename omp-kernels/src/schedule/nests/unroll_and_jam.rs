//! Unroll and jam: a thread runs several iterations of an outer parallel loop, statement by statement, so that the loads of an
//! inner loop are shared by the iterations.
//!
//! The iterations of a parallel loop don't access each other's data, so their statements may be interleaved in any way
//! that keeps the order within each of them; results are the same to the bit. An inner loop is jammed if it has the same
//! trip count for all of them. Any other statement runs for one iteration after the other.
use crate::schedule::Request;
use crate::schedule::explain::reasons::{About, names, variable};
use crate::schedule::survey::Survey;
use crate::valid::KernelInfo;
use omp_ir::analysis::plan::AccessStride;
use omp_ir::flow::early_exit::may_leave;
use omp_ir::ids::{AccessId, ExprId, LabelId, LocalId};
use omp_ir::kernel::{Callee, Kernel, TypedCode};
use omp_ir::template::{Base, Block, Check, Expr, LocalKind, Place, Projection, Range, Stmt};
use omp_ir::visit;

/// The factor of unroll and jam: iterations of a thread. Two win less, and on some devices nothing: what the compiler makes of them
/// differs by a quarter.
const FACTOR: u32 = 4;
/// The most bytes of variables of all jammed iterations of a thread: they are in registers.
const MOST_BYTES: u64 = 256;
/// As many stand in the 32 registers that a thread of a full multiprocessor has; more would be spilled to memory.
const LEAN_BYTES: u64 = 128;
/// The fewest threads for each multiprocessor.
const ENOUGH: u64 = 1536;

/// The loads and loops that iterations share if they differ in one parallel variable only.
#[derive(Debug, Default)]
pub(crate) struct Jammed {
    /// By local: it has one value, the same for all of them.
    uniform: Vec<bool>,
    /// Loops with the same iterations.
    loops: Vec<LabelId>,
    /// Subscripts that are loaded in each iteration of such loops.
    loads: Vec<AccessId>,
    /// Such a loop has a constant trip count, and compilers are likely to unroll it completely.
    unrolled: bool,
}

impl Jammed {
    /// Of the iterations along a dimension; `None` if early exits of some of them differ from those of others.
    pub(crate) fn new(kernel: &Kernel, dim: usize) -> Option<Self> {
        let code = &kernel.body;
        let mut apart = false;
        visit::each_stmt(&code.code.block, &mut |stmt| {
            apart |= matches!(
                stmt,
                Stmt::Return(_)
                    | Stmt::Inner(_)
                    | Stmt::Atomic { .. }
                    | Stmt::Check { check: Check::Claim { .. }, src: _ }
            );
        });
        if apart {
            return None;
        }
        let mut joint = Self { uniform: vec![false; code.code.locals.len()], ..Self::default() };
        for (d, other) in kernel.template.dims.iter().enumerate() {
            joint.uniform[other.var.index()] = d != dim && other.host;
        }
        joint.block(code, &code.code.block, false);
        Some(joint)
    }

    /// The statement runs once for all; the statements in it for each.
    pub(crate) fn runs_once(&self, code: &TypedCode, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::For { label, .. } => self.loops.contains(label),
            Stmt::If { cond, then, els } if self.is_uniform(code, *cond) => {
                let mut loops = false;
                for block in [then, els] {
                    visit::each_stmt(block, &mut |s| {
                        loops |= matches!(s, Stmt::For { label, .. } if self.loops.contains(label));
                    });
                }
                loops
            }
            _ => false,
        }
    }

    /// A variable that all jammed iterations share: that of a jammed loop.
    pub(crate) fn is_shared(&self, code: &TypedCode, local: LocalId) -> bool {
        self.uniform[local.index()] && code.code.locals[local.index()].kind == LocalKind::Loop
    }

    fn block(&mut self, code: &TypedCode, block: &Block, in_loop: bool) {
        for stmt in &block.0 {
            if in_loop && !matches!(stmt, Stmt::Check { .. }) {
                visit::of_stmt(stmt, &mut |root| {
                    visit::each_expr(&code.code, root, &mut |e| {
                        if let Expr::Load(place) = &code.code.exprs[e.index()].expr {
                            self.loads.extend(subscript(place));
                        }
                    });
                });
            }
            match stmt {
                Stmt::Let { local, init: Some(init) } => {
                    let var = &code.code.locals[local.index()];
                    self.uniform[local.index()] =
                        var.kind == LocalKind::User && !var.mutable && self.is_uniform(code, *init);
                }
                Stmt::For { label, var, range, body, src: _ } => {
                    let fixed = !code.code.locals[var.index()].mutable;
                    if fixed && self.same_iterations(code, range) && !may_leave(&body.0, &mut Vec::new()) {
                        self.loops.push(*label);
                        self.unrolled |= range.lo.iter().chain(&range.hi).all(|&e| is_known(code, e));
                        self.uniform[var.index()] = true;
                        self.block(code, body, true);
                    }
                }
                Stmt::If { cond, then, els } if self.is_uniform(code, *cond) => {
                    self.block(code, then, false);
                    self.block(code, els, false);
                }
                Stmt::Let { .. }
                | Stmt::If { .. }
                | Stmt::Assign { .. }
                | Stmt::Eval(_)
                | Stmt::Atomic { .. }
                | Stmt::Loop { .. }
                | Stmt::Labelled { .. }
                | Stmt::Break(_)
                | Stmt::Continue(_)
                | Stmt::Return(_)
                | Stmt::Inner(_)
                | Stmt::Check { .. } => {}
            }
        }
    }

    fn same_iterations(&self, code: &TypedCode, range: &Range) -> bool {
        let mut same = true;
        visit::of_range(range, &mut |e| same &= self.is_uniform(code, e));
        same
    }

    fn is_uniform(&self, code: &TypedCode, e: ExprId) -> bool {
        match &code.code.exprs[e.index()].expr {
            Expr::Unit | Expr::Int { .. } | Expr::Float { .. } | Expr::Bool(_) | Expr::SizeOf { .. } => true,
            Expr::Load(place) => match place.base {
                Base::Local(local) => self.uniform[local.index()] && place.projections.is_empty(),
                Base::Scalar(_) | Base::Const(_) => place.projections.is_empty(),
                Base::Array(_) => false,
            },
            Expr::Len(place) => matches!(place.base, Base::Array(_)) && place.projections.is_empty(),
            Expr::Unary(_, value) | Expr::Cast { value, ty: _ } => self.is_uniform(code, *value),
            Expr::Binary(_, lhs, rhs) => self.is_uniform(code, *lhs) && self.is_uniform(code, *rhs),
            Expr::Call { call, args } => {
                matches!(code.calls[call.index()], Callee::Builtin)
                    && args.iter().all(|&arg| self.is_uniform(code, arg))
            }
            Expr::Borrow(_)
            | Expr::Slice { .. }
            | Expr::Struct { .. }
            | Expr::Array { .. }
            | Expr::Repeat { .. }
            | Expr::Some { .. }
            | Expr::None { .. }
            | Expr::IsSome(_)
            | Expr::Thread(_) => false,
        }
    }
}

/// Compilers know its value.
fn is_known(code: &TypedCode, e: ExprId) -> bool {
    match &code.code.exprs[e.index()].expr {
        Expr::Int { .. } => true,
        Expr::Load(place) => matches!(place.base, Base::Const(_)),
        Expr::Cast { value, ty: _ } => is_known(code, *value),
        Expr::Binary(_, lhs, rhs) => is_known(code, *lhs) && is_known(code, *rhs),
        _ => false,
    }
}

/// The first subscript of a place in a mapped array.
fn subscript(place: &Place) -> Option<AccessId> {
    match (place.base, place.projections.first()) {
        (Base::Array(_), Some(Projection::Index { access, .. })) => Some(*access),
        _ => None,
    }
}

/// The factor of unroll and jam: how many neighbouring iterations of dimension `y` a thread has. Where there are inner loops, they have to
/// load the same for them; without, there are more loads under way at a time, and rows that one shares with the next.
/// Also: the kernel can do with few registers.
pub(in crate::schedule) fn factor(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    survey: &Survey,
    y: usize,
) -> (u32, bool) {
    const ALONE: (u32, bool) = (1, false);
    let (pins, facts) = (&request.pins, request.facts);
    let pinned = pins.block.is_some() || pins.tile.is_some() || pins.unroll.is_some();
    let fixed = kernel.template.dims.iter().all(|d| d.host);
    let alone = |why: &str| {
        request.because(About::Without("joint iterations of a thread"), why);
        ALONE
    };
    if pinned || !fixed || !facts.claims.is_empty() || !kernel.fns.is_empty() {
        return alone(if pinned {
            "clauses fix the block or the unrolling"
        } else if !fixed {
            "the inner loop's bounds depend on the outer one, so iterations differ in length"
        } else if kernel.fns.is_empty() {
            "iterations claim the elements that they touch"
        } else {
            "the body calls device functions"
        });
    }
    let Some(joint) = Jammed::new(kernel, y) else {
        return alone("statements of the body stop an iteration early, or update atomically");
    };
    let loads = kernel.body.code.accesses.iter().any(|access| access.read);
    let shares = |s: &AccessStride| {
        joint.loads.contains(&s.access)
            && s.in_loop
            && !kernel.template.arrays[s.array.index()].written
            && s.per_dim.get(y) == Some(&Some(0))
    };
    let pays = if survey.loops { info.plan.strides().iter().any(shares) } else { loads };
    let bytes = |ty| kernel.types.size(ty).unwrap_or(u64::MAX);
    let all = kernel.body.local_ty.iter().fold(0u64, |sum, &ty| sum.saturating_add(bytes(ty)));
    // A device that is not full loses more than a load.
    let threads = facts.total.unwrap_or(0) / u64::from(FACTOR);
    let full = threads >= u64::from(request.device.units.max(1)) * ENOUGH;
    let all = all.saturating_mul(FACTOR.into());
    let lean = survey.loops && !joint.unrolled && all <= LEAN_BYTES;
    if pays && full && all <= MOST_BYTES {
        request.why(About::UnrollAndJam, || {
            let variable = variable(kernel, y);
            if survey.loops {
                let same = info.plan.strides().iter().filter(|s| shares(s)).map(|s| s.array).collect::<Vec<_>>();
                format!(
                    "what the inner loop reads of {} is the same for neighbouring {variable}: it is loaded once for {FACTOR} \
                     iterations",
                    names(kernel, &same)
                )
            } else {
                format!("neighbouring {variable} have {FACTOR} times as many loads in flight, and share rows that they both read")
            }
        });
        return (FACTOR, lean);
    }
    request.why(About::Without("joint iterations of a thread"), || {
        if !pays && survey.loops {
            format!("no inner loop reads what is the same for neighbouring {}", variable(kernel, y))
        } else if !pays {
            "the body reads no array".into()
        } else if !full {
            format!(
                "a quarter of {} iterations gives the device ({} multiprocessors) too few threads",
                facts.total.unwrap_or(0),
                request.device.units
            )
        } else {
            format!("the variables of {FACTOR} iterations, {all} bytes, don't fit registers")
        }
    });
    ALONE
}
