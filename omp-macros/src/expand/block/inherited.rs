//! Clauses of a target block that hold for its loops, and the meaning of the block's names inside the loops.
use super::super::regions::{Search, hides};
use crate::ast::{Clauses, Item, Number, Spanned};
use crate::sema::syntax::names;
use crate::sema::syntax::place::covers;
use crate::sema::syntax::uses::{How, Use};
use syn::Pat;

impl Search<'_> {
    /// The names that the open data region has bound itself.
    pub(super) fn bound_inside(&self) -> &[String] {
        &self.bound[self.bound_outside.last().copied().unwrap_or_default()..]
    }

    /// Searches where a pattern, if any, has bound names.
    pub(super) fn within(&mut self, pat: Option<&Pat>, search: impl FnOnce(&mut Self)) {
        let before = self.bound.len();
        self.bound.extend(pat.into_iter().flat_map(names::bound));
        search(self);
        self.bound.truncate(before);
    }

    /// Gives a loop the clauses of the block that apply to it, in the scope of the block's names.
    pub(super) fn inherit(&self, inner: &mut Clauses, used: &[Use]) {
        let Some(around) = &self.block else { return };
        let block = &self.found.data[around.n].directive.clauses;
        let meant = |item: &&Item| !hides(self.bound_inside(), &item.key);
        let here = |item: &&Item| meant(item) && used.iter().any(|u| covers(&item.key, &u.key));
        inner.device_ptr.extend(block.device_ptr.iter().filter(here).cloned());
        // An array that the loop only reads needs no check.
        let scattered = |item: &&Item| {
            let named = inner.disjoint.iter().chain(&inner.trust_disjoint).any(|i| i.key == item.key);
            let writes = |u: &Use| u.element && matches!(u.how, How::Write | How::Update);
            meant(item) && !named && used.iter().any(|u| writes(u) && covers(&item.key, &u.key))
        };
        let scattered: Vec<Item> = block.disjoint.iter().filter(scattered).cloned().collect();
        inner.disjoint.extend(scattered);
        for what in [Number::Teams, Number::ThreadLimit, Number::Gangs, Number::Workers, Number::VectorLength]
        {
            if inner.number(what).is_none() {
                inner.evaluated.extend(block.number(what).cloned());
            }
        }
        // OpenACC's blocks: the loops that use a variable have it, reduce it or have copies of it.
        let own = |key: &str| {
            let copied = [&inner.private, &inner.firstprivate, &inner.lastprivate].into_iter().flatten();
            let reduced = inner.reductions.iter().flat_map(|r| &r.items);
            copied.chain(reduced).any(|item| item.key == key)
        };
        let private: Vec<Item> =
            block.private.iter().filter(here).filter(|i| !own(&i.key)).cloned().collect();
        let first: Vec<Item> =
            block.firstprivate.iter().filter(here).filter(|i| !own(&i.key)).cloned().collect();
        let mut reductions = block.reductions.clone();
        // A loop that only reads what an earlier one reduced has the result.
        let updated = |item: &Item| used.iter().any(|u| u.writes() && covers(&item.key, &u.key));
        for reduction in &mut reductions {
            reduction.items.retain(|item| meant(&item) && updated(item) && !own(&item.key));
        }
        inner.private.extend(private);
        inner.firstprivate.extend(first);
        inner.reductions.extend(reductions.into_iter().filter(|r| !r.items.is_empty()));
        if let (None, Some(fp)) = (&inner.fp, &block.fp) {
            inner.fp = Some(Spanned { value: fp.value, span: fp.span });
        }
        if let (None, Some(name)) = (&inner.name, &block.name) {
            inner.name = Some(Spanned { value: name.value.clone(), span: name.span });
        }
    }
}
