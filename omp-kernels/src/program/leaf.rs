//! The statements of leaves, and the variables that they read and write. Leaves declare and assign variables, also
//! under conditions, and contain checks.
use omp_ir::desc::Prim;
use omp_ir::ids::{ExprId, LocalId};
use omp_ir::kernel::{Kernel, TypedCode};
use omp_ir::template::{Base, BinOp, Expr, Projection, Stmt};
use omp_ir::visit;
use std::collections::BTreeSet;

/// Calls `f` on statements and on those in them, in order.
pub(super) fn each<'a>(stmts: &'a [Stmt], f: &mut impl FnMut(&'a Stmt)) {
    for stmt in stmts {
        f(stmt);
        visit::blocks_of(stmt).into_iter().flatten().for_each(|block| each(&block.0, f));
    }
}

/// Whether statements without checks have a result for all values: integers are divided and shifted by literals alone, and tables have literal
/// subscripts.
pub(super) fn is_total(kernel: &Kernel, code: &TypedCode, stmts: &[Stmt]) -> bool {
    let expr = |e: ExprId| &code.code.exprs[e.index()].expr;
    let is_int = |e: ExprId| kernel.types.prim(code.expr_ty[e.index()]).is_some_and(Prim::is_int);
    let mut total = true;
    each(stmts, &mut |stmt| {
        visit::of_stmt(stmt, &mut |root| {
            visit::each_expr(&code.code, root, &mut |e: ExprId| {
                if let Expr::Binary(BinOp::Div | BinOp::Rem | BinOp::Shl | BinOp::Shr, _, by) = expr(e) {
                    let known = matches!(expr(*by), Expr::Int { value: 1.., .. });
                    total &= known || !is_int(e);
                }
                if let Expr::Load(place) = expr(e) {
                    total &= place.projections.iter().all(|step| match step {
                        Projection::Index { index, .. } => matches!(expr(*index), Expr::Int { .. }),
                        _ => true,
                    });
                }
            });
        });
    });
    total
}

/// The local that a statement itself gives a value.
fn target(stmt: &Stmt) -> Option<LocalId> {
    match stmt {
        Stmt::Let { local, .. } => Some(*local),
        Stmt::Assign { place, .. } => match place.base {
            Base::Local(local) => Some(local),
            _ => None,
        },
        _ => None,
    }
}

/// The locals that statements may write.
pub(super) fn written(stmts: &[Stmt]) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::new();
    each(stmts, &mut |stmt| found.extend(target(stmt)));
    found
}

/// The locals that statements read.
pub(super) fn reads(code: &TypedCode, stmts: &[Stmt]) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::new();
    each(stmts, &mut |stmt| found.extend(own_reads(code, stmt)));
    found
}

/// The locals that a statement reads itself.
fn own_reads(code: &TypedCode, stmt: &Stmt) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::new();
    visit::of_stmt(stmt, &mut |root| {
        visit::each_expr(&code.code, root, &mut |e: ExprId| {
            if let Expr::Load(place) = &code.code.exprs[e.index()].expr
                && let Base::Local(local) = place.base
            {
                found.insert(local);
            }
        });
    });
    found
}

/// The locals whose values from before statements need: those that are read before they are surely written, and those that
/// may keep the value that they have.
pub(super) fn needed(code: &TypedCode, stmts: &[Stmt]) -> BTreeSet<LocalId> {
    let (mut set, mut found) = (BTreeSet::new(), BTreeSet::new());
    run(code, stmts, &mut set, &mut found);
    found.extend(written(stmts).difference(&set));
    found
}

/// Adds what statements surely write to `set`, and what they read before to `found`.
fn run(code: &TypedCode, stmts: &[Stmt], set: &mut BTreeSet<LocalId>, found: &mut BTreeSet<LocalId>) {
    for stmt in stmts {
        found.extend(own_reads(code, stmt).difference(set));
        set.extend(target(stmt));
        if let Stmt::If { then, els, .. } = stmt {
            let (mut one, mut other) = (set.clone(), set.clone());
            run(code, &then.0, &mut one, found);
            run(code, &els.0, &mut other, found);
            set.extend(one.intersection(&other));
        }
    }
}
