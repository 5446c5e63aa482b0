//! Effects: what statements may change, and what they declare.
use crate::ids::{ExprId, LocalId};
use crate::template::{Base, Block, Code, Expr, Inner, LocalKind, Stmt};
use crate::visit;
use std::collections::{BTreeSet, HashSet};

/// What an expression borrows by `&mut`: a call may change it.
pub fn borrowed(code: &Code, root: ExprId, f: &mut impl FnMut(Base)) {
    visit::each_expr(code, root, &mut |e| match &code.exprs[e.index()].expr {
        Expr::Borrow(place) | Expr::Slice { base: place, mutable: true, .. } => f(place.base),
        _ => {}
    });
}

/// The same, and the `&mut` slices that it passes on by their names: a call may change their elements.
pub fn lent(code: &Code, root: ExprId, f: &mut impl FnMut(Base)) {
    borrowed(code, root, f);
    visit::each_expr(code, root, &mut |e| {
        if let Expr::Load(place) = &code.exprs[e.index()].expr
            && place.projections.is_empty()
            && let Base::Local(local) = place.base
            && let local = &code.locals[local.index()]
            && local.kind == LocalKind::Slice
            && local.mutable
        {
            f(place.base);
        }
    });
}

/// What a statement itself may change, without the statements in it and without the variables that it declares.
pub fn changes(code: &Code, stmt: &Stmt, f: &mut impl FnMut(Base)) {
    visit::of_stmt(stmt, &mut |root| borrowed(code, root, f));
    match stmt {
        Stmt::Assign { place, .. } | Stmt::Atomic { place, .. } => f(place.base),
        Stmt::Inner(inner) => copies(inner).for_each(|local| f(Base::Local(local))),
        _ => {}
    }
}

/// What the statements of a block may change.
#[must_use]
pub fn changed(code: &Code, block: &Block) -> HashSet<Base> {
    let mut changed = HashSet::new();
    visit::each_stmt(block, &mut |stmt| {
        let mut add = |base| changed.extend([base]);
        changes(code, stmt, &mut add);
        visit::of_stmt(stmt, &mut |root| lent(code, root, &mut add));
    });
    changed
}

/// The variables to which the statements of a block may give a value.
#[must_use]
pub fn assigned(code: &Code, block: &Block) -> BTreeSet<LocalId> {
    let mut assigned = BTreeSet::new();
    visit::each_stmt(block, &mut |stmt| {
        changes(code, stmt, &mut |base| assigned.extend(base.local()));
        match stmt {
            Stmt::Let { local, init: Some(_) } => assigned.extend([*local]),
            Stmt::Atomic { old, new, .. } => assigned.extend(std::iter::once(*old).chain(*new)),
            _ => {}
        }
    });
    assigned
}

/// The variables that a block binds.
#[must_use]
pub fn bound_in(block: &Block) -> HashSet<LocalId> {
    let mut bound = HashSet::new();
    visit::each_stmt(block, &mut |stmt| match stmt {
        Stmt::Let { local, .. } | Stmt::For { var: local, .. } => bound.extend([*local]),
        Stmt::Atomic { old, new, .. } => bound.extend(std::iter::once(*old).chain(*new)),
        _ => {}
    });
    bound
}

/// The copies of an inner nest, and the variables that they are combined with or copied to.
pub fn copies(inner: &Inner) -> impl Iterator<Item = LocalId> {
    let reduced = inner.reductions.iter().flat_map(|r| [r.local, r.target]);
    let found = inner
        .searches
        .iter()
        .flat_map(|search| search.items.iter().flat_map(|(local, target)| [*local, *target]));
    reduced.chain(inner.lasts.iter().flat_map(|l| [l.local, l.target])).chain(found)
}
