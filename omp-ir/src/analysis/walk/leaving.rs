//! Properties of whole blocks: the variables that they may assign, and how they may end.
use crate::ids::{LabelId, LocalId};
use crate::template::{Base, Block, Check, Code, Inner, Place, Stmt};
use crate::visit;

/// How a block ends that never reaches its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Diverges {
    ByFailure,
    ByLeaving,
}

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

/// Whether a block may go to the end of this label.
pub(super) fn breaks(block: &Block, label: LabelId) -> bool {
    block.0.iter().any(|stmt| match stmt {
        Stmt::Break(l) => *l == label,
        Stmt::If { then, els, .. } => breaks(then, label) || breaks(els, label),
        Stmt::For { body, .. } | Stmt::Loop { body, .. } | Stmt::Labelled { body, .. } => breaks(body, label),
        Stmt::Inner(inner) => breaks(&inner.body, label),
        Stmt::Continue(_)
        | Stmt::Return(_)
        | Stmt::Let { .. }
        | Stmt::Assign { .. }
        | Stmt::Eval(_)
        | Stmt::Atomic { .. }
        | Stmt::Check { .. } => false,
    })
}

/// Whether a block may end something that is not in it: `inside` are the labels that are.
pub(super) fn may_leave(block: &Block, inside: &mut Vec<LabelId>) -> bool {
    block.0.iter().any(|stmt| match stmt {
        Stmt::Break(l) | Stmt::Continue(l) => !inside.contains(l),
        Stmt::Return(_) => true,
        Stmt::If { then, els, .. } => may_leave(then, inside) || may_leave(els, inside),
        Stmt::For { body, label, .. } | Stmt::Loop { body, label } | Stmt::Labelled { body, label } => {
            inside.push(*label);
            let leaves = may_leave(body, inside);
            inside.pop();
            leaves
        }
        Stmt::Inner(inner) => may_leave(&inner.body, inside),
        Stmt::Let { .. } | Stmt::Assign { .. } | Stmt::Eval(_) | Stmt::Atomic { .. } | Stmt::Check { .. } => {
            false
        }
    })
}

/// Whether a loop's body may do more than `continue` its loop.
pub(super) fn may_leave_beyond(body: &Block, label: LabelId) -> bool {
    breaks(body, label) || may_leave(body, &mut vec![label])
}

/// Whether a block never reaches its end, and how.
pub(super) fn diverges(block: &Block) -> Option<Diverges> {
    let mut leaves = false;
    for stmt in &block.0 {
        let how = match stmt {
            Stmt::Break(_) | Stmt::Continue(_) | Stmt::Return(_) => Some(Diverges::ByLeaving),
            Stmt::Check { check: Check::Panic { .. }, .. } => Some(Diverges::ByFailure),
            Stmt::If { then, els, .. } => match (diverges(then), diverges(els)) {
                (Some(Diverges::ByFailure), Some(Diverges::ByFailure)) => Some(Diverges::ByFailure),
                (Some(_), Some(_)) => Some(Diverges::ByLeaving),
                (_, _) => {
                    leaves |= may_leave(then, &mut Vec::new()) || may_leave(els, &mut Vec::new());
                    None
                }
            },
            // What may leave from in here ends the block early, but not surely.
            Stmt::For { body, label, .. } | Stmt::Loop { body, label } | Stmt::Labelled { body, label } => {
                leaves |= may_leave(body, &mut vec![*label]);
                None
            }
            Stmt::Inner(inner) => {
                leaves |= may_leave(&inner.body, &mut Vec::new());
                None
            }
            Stmt::Let { .. }
            | Stmt::Assign { .. }
            | Stmt::Eval(_)
            | Stmt::Atomic { .. }
            | Stmt::Check { .. } => None,
        };
        match how {
            Some(Diverges::ByFailure) if leaves => return Some(Diverges::ByLeaving),
            Some(_) => return how,
            None => {}
        }
    }
    None
}
