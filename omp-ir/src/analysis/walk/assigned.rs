//! The variables that a block may assign.
use crate::ids::LocalId;
use crate::template::{Base, Block, Code, Inner, Place, Stmt};
use crate::visit;

/// Calls `f` with every variable that a block may give a value.
pub(super) fn assigned(code: &Code, block: &Block, f: &mut impl FnMut(LocalId)) {
    for stmt in &block.0 {
        borrowed(code, stmt, f);
        match stmt {
            Stmt::Let { local, init } => {
                if init.is_some() {
                    f(*local);
                }
            }
            Stmt::Assign { place: Place { base: Base::Local(l), .. }, .. } => f(*l),
            Stmt::Atomic { old, new, .. } => std::iter::once(old).chain(new).for_each(|l| f(*l)),
            Stmt::If { then, els, .. } => {
                assigned(code, then, f);
                assigned(code, els, f);
            }
            Stmt::For { body, .. } | Stmt::Loop { body, .. } | Stmt::Labelled { body, .. } => {
                assigned(code, body, f);
            }
            Stmt::Inner(inner) => {
                copies(inner, f);
                assigned(code, &inner.body, f);
            }
            Stmt::Assign { .. }
            | Stmt::Eval(_)
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::Return(_)
            | Stmt::Check { .. } => {}
        }
    }
}

/// Calls `f` with the variables that the expressions of a statement borrow mutably.
pub(super) fn borrowed(code: &Code, stmt: &Stmt, f: &mut impl FnMut(LocalId)) {
    visit::of_stmt(stmt, &mut |e| visit::each_borrowed(code, e, f));
}

/// Calls `f` with the copies of an inner nest, and the variables that they are combined with or copied to.
pub(super) fn copies(inner: &Inner, f: &mut impl FnMut(LocalId)) {
    let reduced = inner.reductions.iter().map(|r| (r.local, r.target));
    for (local, target) in reduced.chain(inner.lasts.iter().map(|l| (l.local, l.target))) {
        f(local);
        f(target);
    }
}
