//! The properties of a finished kernel that emission and the runtime need.
use omp_ir::desc::Prim;
use omp_ir::ids::{ExprId, TyId};
use omp_ir::kernel::{BoundsVerdict, Callee, Kernel, Ty, TypedCode, Types};
use omp_ir::template::{Base, BinOp, Block, Check, Expr, LocalKind, Place, ReductionItem, Stmt, TyRef, UnOp};
use omp_ir::visit;

/// A device function reaches itself in the call graph.
pub(super) fn recursive(kernel: &Kernel) -> bool {
    let callees: Vec<Vec<usize>> = kernel.fns.iter().map(|f| callees(&f.body)).collect();
    (0..callees.len()).any(|start| {
        let mut seen = vec![false; callees.len()];
        let mut open = callees[start].clone();
        while let Some(f) = open.pop() {
            if f == start {
                return true;
            }
            if !std::mem::replace(&mut seen[f], true) {
                open.extend(&callees[f]);
            }
        }
        false
    })
}

fn callees(code: &TypedCode) -> Vec<usize> {
    let of = |c: &Callee| match c {
        Callee::Fn(f) => Some(f.index()),
        Callee::Builtin => None,
    };
    code.calls.iter().filter_map(of).collect()
}

/// f64 occurs in any type.
pub(super) fn uses_f64(kernel: &Kernel) -> bool {
    kernel.types.iter().any(|(_, ty)| *ty == Ty::Prim(Prim::F64))
}

/// 64-bit values are accessed atomically.
pub(super) fn atomics64(kernel: &Kernel) -> bool {
    let mut found = false;
    visit::each_stmt(&kernel.body.code.block, &mut |stmt| {
        if let Stmt::Atomic { old, .. } = stmt {
            found |= kernel.types.prim(kernel.body.local_ty[old.index()]).is_some_and(|p| p.size() == 8);
        }
    });
    found
}

/// An iteration takes values from atomic accesses: what they are is a question of the iterations' order.
#[must_use]
pub fn draws(kernel: &Kernel) -> bool {
    fn each_read(block: &Block, f: &mut impl FnMut(ExprId)) {
        for stmt in &block.0 {
            visit::of_stmt(stmt, f);
            // The use of the old value within an update does not count.
            if !matches!(stmt, Stmt::Atomic { .. }) {
                visit::blocks_of(stmt).into_iter().flatten().for_each(|block| each_read(block, f));
            }
        }
    }
    let code = &kernel.body.code;
    let mut taken = Vec::new();
    visit::each_stmt(&code.block, &mut |stmt| {
        if let Stmt::Atomic { old, new, .. } = stmt {
            taken.push(*old);
            taken.extend(new);
        }
    });
    let mut found = false;
    each_read(&code.block, &mut |root| {
        visit::each_expr(code, root, &mut |e| {
            if let Expr::Load(Place { base: Base::Local(local), .. }) = &code.exprs[e.index()].expr {
                found |= taken.contains(local);
            }
        });
    });
    found
}

/// A mapped array or reduction item holds 64-bit integers.
pub(super) fn uses_i64(kernel: &Kernel) -> bool {
    let items =
        kernel.template.reductions.iter().filter_map(|r| Some(kernel.body.local_ty[r.local()?.index()]));
    kernel.array_ty.iter().copied().chain(items).any(|ty| holds_i64(&kernel.types, ty))
}

fn holds_i64(types: &Types, ty: TyId) -> bool {
    match types.get(ty) {
        Ty::Prim(p) => p.is_int() && p.size() == 8,
        Ty::Array(elem, _) | Ty::Slice(elem) | Ty::Option(elem) => holds_i64(types, *elem),
        Ty::Struct(_, fields) | Ty::Data(_, fields) => fields.iter().any(|&f| holds_i64(types, f)),
        Ty::Unit | Ty::Never | Ty::Enum(_) => false,
    }
}

/// Checks that stay whatever the sizes.
pub(super) fn residual_checks(kernel: &Kernel) -> usize {
    let all = std::iter::once(&kernel.body).chain(kernel.fns.iter().map(|f| &f.body));
    let counted: usize =
        all.map(|code| checks(code) + if code.overflow_checks { overflows(kernel, code) } else { 0 }).sum();
    // The end of the stack.
    let bounds = if kernel.body.overflow_checks { bounds_that_overflow(kernel) } else { 0 };
    counted + bounds + usize::from(recursive(kernel))
}

/// Debug builds: operators that can overflow in the bounds of parallel loops, as far as kernels evaluate them.
pub fn bounds_that_overflow(kernel: &Kernel) -> usize {
    let code = &kernel.body;
    let mut count = 0;
    for dim in kernel.template.dims.iter().filter(|dim| !dim.host) {
        visit::of_range(&dim.range, &mut |root| {
            visit::each_expr(&code.code, root, &mut |e| count += usize::from(may_overflow(kernel, code, e)));
        });
    }
    count
}

fn checks(code: &TypedCode) -> usize {
    let mut count = 0;
    visit::each_stmt(&code.code.block, &mut |stmt| {
        if let Stmt::Check { check, src: _ } = stmt {
            count += match check {
                Check::Bounds { access, .. } | Check::Slice { access, .. } => {
                    usize::from(code.bounds[access.index()] == BoundsVerdict::Residual)
                }
                Check::Divide { access, .. } | Check::Step { access, .. } | Check::Panic { access, .. } => {
                    usize::from(access.is_none_or(|a| code.bounds[a.index()] == BoundsVerdict::Residual))
                }
                // Counted when a launch compiles it.
                Check::Claim { .. } => 0,
            };
        }
    });
    count
}

fn overflows(kernel: &Kernel, code: &TypedCode) -> usize {
    let mut count = 0;
    visit::each_live_expr(&code.code, &mut |e| count += usize::from(may_overflow(kernel, code, e)));
    count
}

/// The copy of a reduction item, or what a chain of operators has made of it so far: `s - 1` of `s - 1 + x[i]`.
fn is_partial_result(kernel: &Kernel, code: &TypedCode, e: ExprId) -> bool {
    if code.carried.get(e.index()).copied().unwrap_or(false) {
        return false;
    }
    match &code.code.exprs[e.index()].expr {
        Expr::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, lhs, rhs) => {
            is_partial_result(kernel, code, *lhs) || is_partial_result(kernel, code, *rhs)
        }
        Expr::Load(Place { base: Base::Local(local), projections }) => {
            projections.is_empty() && code.code.locals[local.index()].kind == LocalKind::Reduction
        }
        // Functions have no arrays of the region's.
        Expr::Load(Place { base: Base::Array(array), .. }) => {
            kernel.template.reductions.iter().any(|r| r.array() == Some(*array))
        }
        _ => false,
    }
}

/// Arithmetic of counted loops that is meant modulo 2⁶⁴: what is cast to a fixed type is of the macros' own making.
fn is_counting(code: &TypedCode, e: ExprId) -> bool {
    matches!(code.code.exprs[e.index()].expr, Expr::Cast { ty: TyRef::Prim(Prim::I64), .. })
}

/// By expression of a scan's body: whether it is an item's value, in the statements after the sums of parts.
pub(super) fn carried(kernel: &Kernel) -> Vec<bool> {
    let code = &kernel.body.code;
    let mut carried = vec![false; code.exprs.len()];
    let items = kernel.template.reductions.iter().map(|r| r.item);
    let items: Vec<_> = items.collect();
    let mut roots = Vec::new();
    for stmt in code.block.0.iter().skip(1) {
        visit::of_stmt(stmt, &mut |e| roots.push(e));
        for block in visit::blocks_of(stmt).into_iter().flatten() {
            visit::each_stmt(block, &mut |stmt| visit::of_stmt(stmt, &mut |e| roots.push(e)));
        }
    }
    for root in roots {
        visit::each_expr(code, root, &mut |e| {
            carried[e.index()] = match &code.exprs[e.index()].expr {
                Expr::Load(Place { base: Base::Local(local), projections }) => {
                    projections.is_empty() && items.contains(&ReductionItem::Local(*local))
                }
                _ => false,
            };
        });
    }
    carried
}

/// Whether Rust checks this operator for overflow in a debug build and a kernel can: copies of reduction items
/// start at the identity, and elements get their updates in any order, so that partial results say nothing of the loop's.
/// What a scan's iterations carry starts from what comes before them.
#[must_use]
pub fn may_overflow(kernel: &Kernel, code: &TypedCode, e: ExprId) -> bool {
    let types = &kernel.types;
    let is_int = types.prim(code.expr_ty[e.index()]).is_some_and(Prim::is_int);
    is_int
        && match &code.code.exprs[e.index()].expr {
            Expr::Unary(UnOp::Neg, _) => true,
            Expr::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, lhs, rhs) => {
                let partial = [*lhs, *rhs].iter().any(|&operand| is_partial_result(kernel, code, operand));
                let counts = is_counting(code, *lhs) && is_counting(code, *rhs);
                !(partial || counts)
            }
            Expr::Binary(BinOp::Shl | BinOp::Shr, lhs, rhs) => {
                let bits = types.prim(code.expr_ty[lhs.index()]).map_or(0, |p| 8 * p.size() as u128);
                // A literal count below the width is safe.
                !matches!(code.code.exprs[rhs.index()].expr, Expr::Int { value, negative: false, .. } if value < bits)
            }
            _ => false,
        }
}
