//! Loop interchange: sequential loops around a loop with independent iterations move into it, as in products of matrices whose inner
//! loop is along rows:
//!
//! ```text
//! for j { c[i, j] *= beta }                      for j {
//! for k {                                            c[i, j] *= beta
//!     let x = a[i, k]                    =>          for k { let x = a[i, k]; c[i, j] += x * b[k, j] }
//!     for j { c[i, j] += x * b[k, j] }           }
//! }
//! ```
//!
//! Loops next to each other over the same range become one. This file decides whether the statements and variables allow
//! that. The numbers of a launch decide whether iterations of `j` access different elements, also across the interchanged
//! loops.
use super::effects;
use super::slices::place_of;
use crate::desc::Prim;
use crate::ids::LocalId;
use crate::kernel::Kernel;
use crate::template::{Base, Block, Code, Expr, LocalKind, Place, Range, Stmt};
use crate::visit;
use std::collections::BTreeSet;

/// A kernel with its loops in another order.
#[derive(Debug, Clone)]
pub struct Interchanged {
    /// The kernel.
    pub kernel: Kernel,
    /// By sequential loop, in the order of its code: which of the given kernel's it is. Loops that have become one are several.
    pub loops: Vec<Vec<u32>>,
}

/// A part of what the parallel loops run.
struct Part<'k> {
    /// The loops around the inner one, with what each of them runs before the next.
    around: Vec<(&'k Stmt, &'k [Stmt])>,
    /// The inner loop, and what it runs.
    inner: (&'k Stmt, LocalId, &'k Range, &'k Block),
    /// The number of the inner loop among all sequential ones.
    number: u32,
}

/// The kernel with the independent loops outside, if its sequential loops have this form.
#[must_use]
pub fn interchanged(kernel: &Kernel) -> Option<Interchanged> {
    let code = &kernel.body.code;
    let (mut before, mut parts, mut next) = (Vec::new(), Vec::new(), 0);
    for stmt in &code.block.0 {
        match stmt {
            Stmt::For { .. } => parts.push(part(kernel, stmt, &mut next)?),
            // It moves before loops that stand before it.
            other if is_pure(kernel, other) => before.push(other.clone()),
            _ => return None,
        }
    }
    if parts.iter().all(|part: &Part<'_>| part.around.is_empty()) {
        return None;
    }
    // Fused loops share one variable.
    let form = |part: &Part<'_>| (kernel.body.local_ty[part.inner.1.index()], part.inner.2.inclusive);
    let plain = |part: &Part<'_>| part.inner.2.adaptors.is_empty();
    if !parts.iter().all(|part| plain(part) && form(part) == form(&parts[0])) {
        return None;
    }
    // Numbers for subscripts and bounds stay outside; what else is computed there, each iteration has for itself.
    let (inside, mut before): (Vec<_>, Vec<_>) =
        before.into_iter().partition(|stmt: &Stmt| declares_other_than_index(kernel, stmt));
    let own: BTreeSet<LocalId> = effects::bound_in(&Block(inside.clone())).into_iter().collect();
    let ranges =
        parts.iter().map(|part| part.inner.0).chain(parts.iter().flat_map(|p| p.around.iter().map(|a| a.0)));
    if before.iter().chain(ranges).any(|stmt| reads(code, stmt, &own)) {
        return None;
    }
    let (first, var, range, _) = parts[0].inner;
    let Stmt::For { label, src, .. } = first else { return None };
    let mut loops = vec![parts.iter().map(|part| part.number).collect::<Vec<_>>()];
    let mut body = inside;
    for part in &parts {
        let inside = part.inner.3.0.clone();
        let nested = part.around.iter().rev().fold(inside, |inside, (stmt, pre)| {
            let mut outer = (*stmt).clone();
            if let Stmt::For { body, .. } = &mut outer {
                body.0 = pre.iter().cloned().chain(inside).collect();
            }
            vec![outer]
        });
        let depth = part.around.len() as u32;
        loops.extend((part.number - depth..part.number).map(|l| vec![l]));
        body.extend(nested);
    }
    let outer = Stmt::For { label: *label, var, range: range.clone(), body: Block(body), src: *src };
    let renamed: BTreeSet<LocalId> = parts[1..].iter().map(|part| part.inner.1).collect();
    let mut made = kernel.clone();
    before.push(outer);
    made.body.code.block = Block(before);
    let rename = |place: &mut Place| {
        if let Base::Local(local) = &mut place.base
            && renamed.contains(local)
        {
            *local = var;
        }
    };
    for node in &mut made.body.code.exprs {
        if let Expr::Load(place) | Expr::Len(place) | Expr::Borrow(place) | Expr::Slice { base: place, .. } =
            &mut node.expr
        {
            rename(place);
        }
    }
    Some(Interchanged { kernel: made, loops })
}

/// The inner loop of a chain of loops, whose statements may run in the order of any of them.
fn part<'k>(kernel: &Kernel, stmt: &'k Stmt, next: &mut u32) -> Option<Part<'k>> {
    let (mut around, mut at) = (Vec::new(), stmt);
    loop {
        let Stmt::For { var, range, body, .. } = at else { return None };
        *next += 1;
        let loops = body.0.iter().filter(|stmt| matches!(stmt, Stmt::For { .. })).count();
        if loops == 0 {
            let plain = body.0.iter().all(is_plain) && keeps_to_itself(kernel, body);
            return plain.then_some(Part { around, inner: (at, *var, range, body), number: *next - 1 });
        }
        let (last, pre) = body.0.split_last()?;
        if loops > 1 || !pre.iter().all(|stmt| is_pure(kernel, stmt)) {
            return None;
        }
        around.push((at, pre));
        at = last;
    }
}

/// Whether a statement may run once more, or earlier: a variable of what no statement changes, or a check.
#[must_use]
pub fn is_pure(kernel: &Kernel, stmt: &Stmt) -> bool {
    let code = &kernel.body.code;
    let mut pure = match stmt {
        Stmt::Let { local, init: Some(_) } => {
            let of = &code.locals[local.index()];
            // The targets of assignments are elements of a slice.
            !of.mutable || of.kind == LocalKind::Slice
        }
        Stmt::Check { .. } => true,
        Stmt::If { then, els, .. } => then.0.iter().chain(&els.0).all(|stmt| is_pure(kernel, stmt)),
        _ => false,
    };
    visit::of_stmt(stmt, &mut |root| {
        visit::each_expr(code, root, &mut |e| {
            if let Expr::Load(Place { base: Base::Array(array), .. }) = &code.exprs[e.index()].expr {
                pure &= !kernel.template.arrays[array.index()].written;
            }
        });
    });
    pure
}

/// Whether a statement declares a variable that is neither an integer nor a slice.
fn declares_other_than_index(kernel: &Kernel, stmt: &Stmt) -> bool {
    let Stmt::Let { local, .. } = stmt else { return false };
    let is_slice = kernel.body.code.locals[local.index()].kind == LocalKind::Slice;
    !is_slice && !kernel.types.prim(kernel.body.local_ty[local.index()]).is_some_and(Prim::is_int)
}

/// Whether a statement itself reads one of these variables.
pub(super) fn reads(code: &Code, stmt: &Stmt, of: &BTreeSet<LocalId>) -> bool {
    let mut found = false;
    visit::of_stmt(stmt, &mut |root| {
        visit::each_expr(code, root, &mut |e| {
            found |= place_of(&code.exprs[e.index()].expr)
                .and_then(|place| place.base.local())
                .is_some_and(|local| of.contains(&local));
        });
    });
    found
}

/// Whether statements neither contain loops nor end what is around them.
fn is_plain(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let { .. } | Stmt::Assign { .. } | Stmt::Check { .. } => true,
        Stmt::If { then, els, .. } => then.0.iter().chain(&els.0).all(is_plain),
        _ => false,
    }
}

/// Whether a loop's body assigns no variables but its own.
fn keeps_to_itself(kernel: &Kernel, body: &Block) -> bool {
    let mut own = BTreeSet::new();
    visit::each_stmt(body, &mut |stmt| {
        if let Stmt::Let { local, .. } = stmt {
            own.insert(*local);
        }
    });
    effects::assigned(&kernel.body.code, body).into_iter().all(|local| own.contains(&local))
}
