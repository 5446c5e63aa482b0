//! Slice variables: which of them are used to access elements, and which only for the lengths in checks.
use super::effects;
use crate::ids::{ArrayId, LocalId};
use crate::template::{Base, Code, Expr, LocalKind, Place, Stmt};
use crate::visit;
use std::collections::{BTreeMap, BTreeSet};

/// The slice variables that nothing names but checks: they touch no element.
#[must_use]
pub fn measured(code: &Code) -> BTreeSet<LocalId> {
    let (mut declared, mut used) = (BTreeSet::new(), BTreeSet::new());
    visit::each_stmt(&code.block, &mut |stmt| match stmt {
        Stmt::Let { local, init: Some(_) } if code.locals[local.index()].kind == LocalKind::Slice => {
            declared.insert(*local);
        }
        Stmt::Assign { place, .. } | Stmt::Atomic { place, .. } => used.extend(place.base.local()),
        _ => {}
    });
    if !declared.is_empty() {
        visit::each_live_expr(code, &mut |e| {
            used.extend(place_of(&code.exprs[e.index()].expr).and_then(|place| place.base.local()));
        });
    }
    declared.retain(|local| !used.contains(local));
    declared
}

/// The slices of arrays through which inner nests write, with their arrays.
#[must_use]
pub fn written_in_nests(code: &Code) -> BTreeMap<LocalId, ArrayId> {
    let (mut found, mut written) = (BTreeMap::new(), BTreeSet::new());
    visit::each_stmt(&code.block, &mut |stmt| {
        if let Stmt::Inner(inner) = stmt {
            written.extend(effects::changed(code, &inner.body).into_iter().filter_map(Base::local));
        }
    });
    if !written.is_empty() {
        found = arrays(code);
        found.retain(|local, _| written.contains(local));
    }
    found
}

/// The slices that are declared of an array, or of another such slice, with their arrays.
#[must_use]
pub fn arrays(code: &Code) -> BTreeMap<LocalId, ArrayId> {
    let mut found = BTreeMap::new();
    visit::each_stmt(&code.block, &mut |stmt| {
        if let Stmt::Let { local, init: Some(init) } = stmt
            && code.locals[local.index()].kind == LocalKind::Slice
            && let Some(place) = place_of(&code.exprs[init.index()].expr)
            && place.projections.is_empty()
        {
            let array = match place.base {
                Base::Array(array) => Some(array),
                Base::Local(other) => found.get(&other).copied(),
                Base::Scalar(_) | Base::Const(_) => None,
            };
            found.extend(array.map(|array| (*local, array)));
        }
    });
    found
}

/// The place that an expression names.
#[must_use]
pub const fn place_of(expr: &Expr) -> Option<&Place> {
    match expr {
        Expr::Load(place) | Expr::Len(place) | Expr::Borrow(place) | Expr::Slice { base: place, .. } => {
            Some(place)
        }
        _ => None,
    }
}

/// Whether a place is all of a slice variable.
#[must_use]
pub fn whole(place: &Place) -> Option<LocalId> {
    match place.base {
        Base::Local(local) if place.projections.is_empty() => Some(local),
        _ => None,
    }
}
