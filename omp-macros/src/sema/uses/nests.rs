//! Inner loops whose clauses copy variables: the enclosing iteration sees the initial values of the copies, and the
//! results of `lastprivate`.
use super::forms::surely_runs;
use super::walk::Walk;
use super::{How, Use, of_loop};
use crate::ast::{InnerLoop, Item};
use crate::sema::place::{self, Step, any_covers, item_key, may_hold};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::{Expr, Stmt};

/// One of them.
pub(super) struct Nest {
    /// The variables that it copies.
    pub copies: Vec<String>,
    /// Where its body uses what its own iteration has not assigned.
    reads: Vec<Use>,
    lasts: Vec<Item>,
    /// What each of its iterations has assigned.
    ends: BTreeSet<Vec<Step>>,
    /// What its iterations assign copies of that are gone behind it: without the directive, it would have their last one.
    lost: Vec<Item>,
    /// It has iterations in any case.
    runs: bool,
}

impl Nest {
    pub fn of(inner: &InnerLoop) -> Self {
        let c = &inner.directive.clauses;
        let copied: Vec<Item> =
            [&c.private, &c.firstprivate, &c.lastprivate].into_iter().flatten().cloned().collect();
        let uses = of_loop(inner);
        let assigned = |item: &&Item| {
            uses.body.iter().any(|u| u.writes() && any_covers(std::slice::from_ref(*item), &u.key))
        };
        let is_last = |item: &&Item| c.lastprivate.iter().any(|last| item_key(last) == item_key(item));
        let lost: Vec<Item> = copied.iter().filter(assigned).filter(|i| !is_last(i)).cloned().collect();
        let read = |u: &&Use| !matches!(u.how, How::Write | How::Len) && any_covers(&copied, &u.key);
        let reads = uses.body.iter().filter(read).filter(|u| !u.known).cloned().collect();
        let (mut runs, mut f) = (surely_runs(&inner.nest.expr), &inner.nest);
        for _ in 1..inner.loops.len() {
            let [Stmt::Expr(Expr::ForLoop(next), _)] = f.body.stmts.as_slice() else { break };
            runs &= surely_runs(&next.expr);
            f = next;
        }
        let copies = copied.iter().map(item_key).collect();
        Self { copies, reads, lasts: c.lastprivate.clone(), ends: uses.at_end, lost, runs }
    }
}

impl Walk {
    /// Before the loop: its iterations start from what is here.
    pub(super) fn start_nest(&mut self, n: usize) {
        let nests = self.nests.clone();
        for read in &nests[n].reads {
            if !self.captured(read.key.split('.').next().unwrap_or_default()) {
                continue;
            }
            let before = self.before(&read.path);
            let known = before.as_ref().is_none_or(|b| b.iter().any(|k| may_hold(k, &read.path)));
            self.found.push(Use {
                how: How::Read,
                known,
                before,
                loops: self.loops.clone(),
                statement: None,
                looks_like: None,
                key: read.key.clone(),
                tokens: read.tokens.clone(),
                path: read.path.clone(),
                ..*read
            });
        }
    }

    /// Behind it: what its last iteration leaves. What it loses counts as assigned where iterations of the region have copies of
    /// it: an iteration that reads it would see what the one before lost.
    pub(super) fn end_nest(&mut self, n: usize) {
        let nests = self.nests.clone();
        let lasts = nests[n].lasts.iter().map(|item| (item, nests[n].runs));
        for (item, assigns) in lasts.chain(nests[n].lost.iter().map(|item| (item, false))) {
            let key = item_key(item);
            let path = place::key_path(&key);
            let base = key.split('.').next().unwrap_or_default();
            let lost = !nests[n].lasts.iter().any(|last| item_key(last) == key);
            if !self.captured(base) || lost && !self.copied.iter().any(|own| own == base) {
                continue;
            }
            let before = self.before(&path);
            let known = before.as_ref().is_none_or(|b| b.iter().any(|k| may_hold(k, &path)));
            if let (true, Some(written)) = (assigns, &mut self.written)
                && nests[n].ends.contains(&path)
            {
                written.insert(path.clone());
            }
            self.found.push(Use {
                key,
                how: How::Write,
                element: false,
                span: item.span,
                tokens: item.place.to_token_stream(),
                statement: None,
                known,
                before,
                loops: self.loops.clone(),
                looks_like: None,
                path,
            });
        }
    }
}
