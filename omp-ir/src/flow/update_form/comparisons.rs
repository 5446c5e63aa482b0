//! Updates by a comparison: `if e > key { key = e }` is `key = max(key, e)`.
use super::values::{Of, State, Tree, Value};
use super::{Forms, Operator, Update};
use crate::flow::early_exit::may_leave;
use crate::ids::{ExprId, LocalId};
use crate::template::{Base, BinOp, Block, Expr, ReduceOp, Stmt, UnOp};
use crate::visit;
use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

impl Forms<'_> {
    /// The comparisons that hold if a condition holds, or if it does not: what is larger, what is smaller, and whether that may be
    /// said of values of which neither is.
    pub(super) fn comparisons(of: &Tree, holds: bool, out: &mut Vec<(Rc<Tree>, Rc<Tree>, bool)>) {
        match (&of.node, &of.operands[..]) {
            (Some(Expr::Unary(UnOp::Not, _)), [a]) => Self::comparisons(a, !holds, out),
            (Some(Expr::Binary(BinOp::And, ..)), [a, b]) if holds => {
                Self::comparisons(a, true, out);
                Self::comparisons(b, true, out);
            }
            (Some(Expr::Binary(BinOp::Or, ..)), [a, b]) if !holds => {
                Self::comparisons(a, false, out);
                Self::comparisons(b, false, out);
            }
            (Some(Expr::Binary(op @ (BinOp::Gt | BinOp::Ge | BinOp::Lt | BinOp::Le), ..)), [a, b]) => {
                let greater = matches!(op, BinOp::Gt | BinOp::Ge) == holds;
                let (larger, smaller) = if greater { (a, b) } else { (b, a) };
                out.push((larger.clone(), smaller.clone(), !holds));
            }
            _ => {}
        }
    }

    /// Whether a value without the item replaces it by a comparison: `if e > key { key = e }`. `at`: what assigns it.
    pub(super) fn replaces(
        &mut self,
        state: &State,
        new: &Tree,
        at: ExprId,
        target: Option<&Tree>,
    ) -> Option<Value> {
        let is_item = |tree: &Tree| matches!(&tree.node, Some(Expr::Load(place)) if self.is_item(place));
        for (cond, holds) in state.under.iter().rev() {
            let mut all = Vec::new();
            Self::comparisons(cond, *holds, &mut all);
            for (larger, smaller, unordered) in all {
                let (op, item, with) = match (is_item(&larger), is_item(&smaller)) {
                    (false, true) => (ReduceOp::Max, smaller, larger),
                    (true, false) => (ReduceOp::Min, larger, smaller),
                    _ => continue,
                };
                if *with != *new || target.is_some_and(|target| *target != *item) {
                    continue;
                }
                self.claimed.entry(cond.at).or_default().insert(item.at);
                self.claims.insert(at, BTreeSet::from([cond.at]));
                let update = Update { unordered, ..Update::by(Operator::Builtin(op)) };
                return Some(Value {
                    loads: BTreeSet::from([item.at]),
                    claims: BTreeSet::from([cond.at]),
                    of: Of::Item(item, Some(update)),
                });
            }
        }
        None
    }

    /// Whether all that a block does is to update the item by this condition.
    pub(super) fn only_updates(
        &self,
        block: &Block,
        cond: Option<ExprId>,
        own: &mut HashSet<LocalId>,
    ) -> bool {
        let claims = |at| cond.is_some_and(|cond| self.claims.get(at).is_some_and(|all| all.contains(&cond)));
        block.0.iter().all(|stmt| match stmt {
            Stmt::Let { local, init } => {
                own.insert(*local);
                // What changes a variable of these statements alone is no effect of theirs.
                let is_own = |base: &Base| matches!(base, Base::Local(l) if own.contains(l));
                init.is_none_or(|e| self.lent(e).iter().all(is_own))
            }
            Stmt::Check { .. } => true,
            Stmt::If { cond: inner, then, els } => {
                // The two branches assign a value that claims the condition.
                own.extend(self.chosen.get(inner).filter(|_| claims(inner)));
                !self.lends(*inner) && self.only_updates(then, cond, own) && self.only_updates(els, cond, own)
            }
            Stmt::Assign { place, value, src: _ } => {
                let temp = matches!(place.base, Base::Local(l) if own.contains(&l));
                !self.lends(*value) && (temp || claims(value) || cond.is_some() && self.keeps.contains(value))
            }
            // A loop with variables of its own: a search, a sum. (Other loops may not end.)
            Stmt::For { body, .. } | Stmt::Labelled { body, .. } => {
                let mut lends = false;
                visit::of_stmt(stmt, &mut |e| lends |= self.lends(e));
                let stays = !may_leave(std::slice::from_ref(stmt), &mut Vec::new());
                !lends && stays && self.only_updates(body, None, own)
            }
            // It stays in such a loop.
            Stmt::Break(_) | Stmt::Continue(_) if cond.is_none() => true,
            Stmt::Eval(_)
            | Stmt::Atomic { .. }
            | Stmt::Loop { .. }
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::Return(_)
            | Stmt::Inner(_) => false,
        })
    }
}
