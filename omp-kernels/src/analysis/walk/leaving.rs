//! Questions about blocks as a whole: how often a variable is given a value, and how a block may end.
use crate::ir::ids::LabelId;
use crate::ir::template::{Base, Block, Check, Code, Place, Stmt};
use crate::ir::visit;

/// How a block ends that never reaches its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Diverges {
    ByFailure,
    ByLeaving,
}

pub(super) fn count_definitions(code: &Code, block: &Block, defs: &mut [u32]) {
    for stmt in &block.0 {
        visit::of_stmt(stmt, &mut |e| visit::each_borrowed(code, e, &mut |l| defs[l.index()] += 2));
        match stmt {
            Stmt::Let { local, init } => defs[local.index()] += u32::from(init.is_some()),
            // Their values come from memory.
            Stmt::Atomic { old, new, .. } => {
                for local in std::iter::once(old).chain(new) {
                    defs[local.index()] += 2;
                }
            }
            Stmt::Assign { place: Place { base: Base::Local(l), projections }, .. } => {
                // A part: the rest keeps another value.
                defs[l.index()] += if projections.is_empty() { 1 } else { 2 };
            }
            Stmt::If { then, els, .. } => {
                count_definitions(code, then, defs);
                count_definitions(code, els, defs);
            }
            Stmt::For { body, .. } | Stmt::Loop { body, .. } | Stmt::Labelled { body, .. } => {
                count_definitions(code, body, defs);
            }
            Stmt::Inner(inner) => {
                let copies = inner.reductions.iter().map(|r| (r.local, r.target));
                for (local, target) in copies.chain(inner.lasts.iter().map(|l| (l.local, l.target))) {
                    // The one starts at a value and is updated, the other keeps what it had, or part of it.
                    defs[local.index()] += 2;
                    defs[target.index()] += 2;
                }
                count_definitions(code, &inner.body, defs);
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
    fn breaks(block: &Block, label: LabelId) -> bool {
        block.0.iter().any(|stmt| match stmt {
            Stmt::Break(l) => *l == label,
            Stmt::If { then, els, .. } => breaks(then, label) || breaks(els, label),
            Stmt::For { body, .. } | Stmt::Loop { body, .. } | Stmt::Labelled { body, .. } => {
                breaks(body, label)
            }
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
