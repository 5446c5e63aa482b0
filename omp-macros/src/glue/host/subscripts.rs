//! Finds the subscripts of a lowered body.
use crate::lower::Lowered;
use omp_ir::ids::AccessId;
use omp_ir::template::{Base, Block, Check, Code, Expr, Place, Projection, Stmt};
use omp_ir::visit;

/// By access: the array that it is the first subscript of, and whether it writes.
pub(in crate::glue) fn subscripts(lowered: &Lowered) -> Vec<(Option<usize>, bool)> {
    let code = &lowered.template.code;
    let mut list: Vec<_> = code.accesses.iter().map(|a| (None, a.write)).collect();
    each_subscript(code, |access, array| {
        if let Some(s) = list.get_mut(access.index()) {
            s.0 = s.0.or(array);
        }
    });
    list
}

/// Calls `found` for the subscripts of a body, with the mapped array if it is the first on one.
pub(super) fn each_subscript(code: &Code, mut found: impl FnMut(AccessId, Option<usize>)) {
    let mut place = |p: &Place| {
        for (i, projection) in p.projections.iter().enumerate() {
            if let Projection::Index { access, .. } = projection {
                found(*access, first_on(p, i));
            }
        }
    };
    for node in &code.exprs {
        match &node.expr {
            Expr::Load(p) | Expr::Len(p) | Expr::Slice { base: p, .. } => place(p),
            _ => {}
        }
    }
    each_store(&code.block, &mut place);
    each_check(&code.block, &mut |base, access| found(access, first_on(base, base.projections.len())));
}

/// The array that projection `i` is the first of.
fn first_on(p: &Place, i: usize) -> Option<usize> {
    match p.base {
        Base::Array(a) if i == 0 => Some(a.index()),
        _ => None,
    }
}

/// Calls `place` for each place that is assigned.
fn each_store(block: &Block, place: &mut impl FnMut(&Place)) {
    visit::each_stmt(block, &mut |stmt| {
        if let Stmt::Assign { place: p, .. } | Stmt::Atomic { place: p, .. } = stmt {
            place(p);
        }
    });
}

/// Calls `check` for each checked subscript, with the place that it is on.
fn each_check(block: &Block, check: &mut impl FnMut(&Place, AccessId)) {
    visit::each_stmt(block, &mut |stmt| {
        if let Stmt::Check {
            check: Check::Bounds { base, access, .. } | Check::Slice { base, access, .. },
            ..
        } = stmt
        {
            check(base, *access);
        }
    });
}
