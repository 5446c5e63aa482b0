//! Early exits: how a block may end before its last statement.
use crate::ids::LabelId;
use crate::template::{Block, Check, Stmt};
use crate::visit;

/// How a block ends that never reaches its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Diverges {
    ByFailure,
    ByLeaving,
}

/// Whether a block may go to the end of this label.
#[must_use]
pub fn breaks(block: &Block, label: LabelId) -> bool {
    has(block, &Stmt::Break(label))
}

/// Whether a block may end an iteration of the loop of this label.
#[must_use]
pub fn continues(block: &Block, label: LabelId) -> bool {
    has(block, &Stmt::Continue(label))
}

fn has(block: &Block, exit: &Stmt) -> bool {
    let mut found = false;
    visit::each_stmt(block, &mut |stmt| found |= stmt == exit);
    found
}

/// Whether statements may end something that is not among them: `inside` are the labels that are.
#[must_use]
pub fn may_leave(stmts: &[Stmt], inside: &mut Vec<LabelId>) -> bool {
    stmts.iter().any(|stmt| match stmt {
        Stmt::Break(l) | Stmt::Continue(l) => !inside.contains(l),
        Stmt::Return(_) => true,
        Stmt::If { then, els, .. } => may_leave(&then.0, inside) || may_leave(&els.0, inside),
        Stmt::For { body, label, .. } | Stmt::Loop { body, label } | Stmt::Labelled { body, label } => {
            inside.push(*label);
            let leaves = may_leave(&body.0, inside);
            inside.pop();
            leaves
        }
        Stmt::Inner(inner) => may_leave(&inner.body.0, inside),
        Stmt::Let { .. } | Stmt::Assign { .. } | Stmt::Eval(_) | Stmt::Atomic { .. } | Stmt::Check { .. } => {
            false
        }
    })
}

/// Whether a loop's body may do more than `continue` its loop.
pub(crate) fn may_leave_beyond(body: &Block, label: LabelId) -> bool {
    breaks(body, label) || may_leave(&body.0, &mut vec![label])
}

/// Whether a block never reaches its end, and how.
pub(crate) fn diverges(block: &Block) -> Option<Diverges> {
    let mut leaves = false;
    for stmt in &block.0 {
        let how = match stmt {
            Stmt::Break(_) | Stmt::Continue(_) | Stmt::Return(_) => Some(Diverges::ByLeaving),
            Stmt::Check { check: Check::Panic { .. }, .. } => Some(Diverges::ByFailure),
            Stmt::If { then, els, .. } => match (diverges(then), diverges(els)) {
                (Some(Diverges::ByFailure), Some(Diverges::ByFailure)) => Some(Diverges::ByFailure),
                (Some(_), Some(_)) => Some(Diverges::ByLeaving),
                (_, _) => {
                    leaves |= may_leave(&then.0, &mut Vec::new()) || may_leave(&els.0, &mut Vec::new());
                    None
                }
            },
            // An exit in here may end the block early, but need not.
            Stmt::For { body, label, .. } | Stmt::Loop { body, label } | Stmt::Labelled { body, label } => {
                leaves |= may_leave(&body.0, &mut vec![*label]);
                None
            }
            Stmt::Inner(inner) => {
                leaves |= may_leave(&inner.body.0, &mut Vec::new());
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
