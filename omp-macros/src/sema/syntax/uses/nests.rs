//! Inner loops whose clauses copy variables: the enclosing iteration sees the initial values of the copies, and the
//! results of `lastprivate`.
use super::walk::Walk;
use super::{How, Use, of_loop};
use crate::ast::{InnerLoop, Item};
use crate::sema::syntax::place;
use crate::sema::syntax::place::{any_covers, item_key};
use quote::ToTokens;

/// An inner nest.
pub(super) struct Nest {
    /// The variables that it copies.
    pub copies: Vec<String>,
    /// The uses in its body of parts that it does not assign.
    reads: Vec<Use>,
    /// The variables that it leaves with new values: `lastprivate`.
    lasts: Vec<Item>,
    /// Variables whose copies its iterations assign and which are lost after it: the serial loop would leave their last values.
    lost: Vec<Item>,
}

impl Nest {
    pub fn of(inner: &InnerLoop) -> Self {
        let c = &inner.directive.clauses;
        let copied: Vec<Item> =
            [&c.private, &c.firstprivate, &c.lastprivate].into_iter().flatten().cloned().collect();
        let uses = of_loop(inner);
        let writes: Vec<&Use> = uses.body.iter().filter(|u| u.writes()).collect();
        let assigned = |item: &&Item| writes.iter().any(|u| any_covers(std::slice::from_ref(*item), &u.key));
        let is_last = |item: &&Item| c.lastprivate.iter().any(|last| item_key(last) == item_key(item));
        let lost: Vec<Item> = copied.iter().filter(assigned).filter(|i| !is_last(i)).cloned().collect();
        let read = |u: &&Use| !matches!(u.how, How::Write | How::Len) && any_covers(&copied, &u.key);
        // Lowering checks that an iteration assigns a part before it reads it, if iterations assign that part.
        let starts = |u: &&Use| !writes.iter().any(|w| place::meet(&w.path, &u.path).is_some());
        let reads = uses.body.iter().filter(read).filter(starts).cloned().collect();
        let copies = copied.iter().map(item_key).collect();
        Self { copies, reads, lasts: c.lastprivate.clone(), lost }
    }
}

impl Walk {
    /// Before the loop: its iterations start from what is here.
    pub(super) fn start_nest(&mut self, n: usize) {
        let nests = self.nests.clone();
        for read in &nests[n].reads {
            if self.captured(read.key.split('.').next().unwrap_or_default()) {
                self.found.push(Use { how: How::Read, statement: None, ..read.clone() });
            }
        }
    }

    /// After it: what its last iteration leaves. What it loses counts as assigned where iterations of the region have copies of
    /// it: an iteration that reads it would see what the one before lost.
    pub(super) fn end_nest(&mut self, n: usize) {
        let nests = self.nests.clone();
        let lasts = nests[n].lasts.iter().map(|item| (item, true));
        for (item, is_last) in lasts.chain(nests[n].lost.iter().map(|item| (item, false))) {
            let key = item_key(item);
            let base = key.split('.').next().unwrap_or_default();
            if !self.captured(base) || !is_last && !self.copied.iter().any(|own| own == base) {
                continue;
            }
            self.found.push(Use {
                path: place::key_path(&key),
                key,
                how: How::Write,
                element: false,
                span: item.span,
                tokens: item.place.to_token_stream(),
                statement: None,
            });
        }
    }
}
