//! Counters without a clause: `if c { kept[n] = v; n += 1; }` in a loop under `target` is a scan over `n`.
//!
//! A counter is a captured variable that occurs in a subscript of a store, and that every assignment in the body
//! increments by a literal, wherever it stores: see [`omp_ir::flow::counters`]. A scan numbers the stored elements as the serial loop does, so the
//! meaning of the program does not change. If the loop can't be made a scan, it is left unchanged, and the rules of shared scalars apply.
use crate::ast::{ClauseOp, Clauses, DirectiveKind, Item, ReductionClause};
use crate::lower::region::draft::Draft;
use crate::parse::tokens::source::as_written;
use crate::sema::CheckedRegion;
use crate::sema::accesses::atomic;
use crate::sema::reduction::updates;
use crate::sema::syntax::names::bound_in;
use crate::sema::syntax::{place, search};
use omp_ir::flow::counters::Counter;
use omp_ir::flow::update_form::Form;
use omp_ir::ids::SrcId;
use omp_ir::template::ReduceOp;
use syn::Expr;
use syn::spanned::Spanned;

/// The clause that names the counters of a region, if it has some.
pub(super) fn clause(region: &CheckedRegion) -> Option<ReductionClause> {
    let clauses = &region.directive.clauses;
    if !matches!(region.directive.kind, DirectiveKind::Target)
        || region.loops.len() != 1
        || clauses.collapse.is_some()
        || !clauses.scans.is_empty()
        || clauses.reductions.iter().any(|r| r.inscan || r.reproducible)
        || !region.inner.is_empty()
        || search::any(&region.body, |e| atomic::of(e).is_some())
    {
        return None;
    }
    let mut items = assigned(region);
    items.retain(|item| !named(clauses, &item.key));
    if items.is_empty() {
        return None;
    }
    let draft = Draft::of(region);
    let counts = |of: Counter| of.counts_up && of.places && of.uncounted.is_none();
    items.retain(|item| draft.counter(None, &item.key).is_some_and(counts));
    let span = items.first()?.span;
    Some(ReductionClause {
        op: ClauseOp::Builtin(ReduceOp::Add),
        spelled: "+".to_owned(),
        reproducible: false,
        inscan: true,
        ty: None,
        span,
        items,
    })
}

/// The variables that the body assigns, each where it first does.
pub(super) fn assigned(region: &CheckedRegion) -> Vec<Item> {
    let (bound, mut items) = (bound_in(&region.body), Vec::<Item>::new());
    search::each(&region.body, |e| {
        let Some((target, place)) = updates::target(e).and_then(|target| Some((target, place::of(target)?)))
        else {
            return;
        };
        let known = bound.contains(&place.base) || items.iter().any(|item| item.key == place.key);
        if place.subscripts.is_empty() && !known {
            items.push(Item { key: place.key, place: target.clone(), sections: vec![], span: target.span() });
        }
    });
    items
}

/// Whether a clause says what a variable is.
fn named(c: &Clauses, key: &str) -> bool {
    let shared = [&c.private, &c.firstprivate, &c.lastprivate];
    let reduced = c.reductions.iter().map(|r| &r.items);
    shared
        .into_iter()
        .chain(reduced)
        .flatten()
        .any(|i| place::covers(&i.key, key) || place::covers(key, &i.key))
}

/// The statement of a store that an iteration may not count.
pub fn store(draft: &Draft, src: SrcId) -> Option<Expr> {
    draft.statement(src, &Form::Store)
}

/// What to write instead of it.
pub fn help(store: Option<&Expr>, counter: &str) -> String {
    let place = match store {
        Some(Expr::Assign(a)) => as_written(&a.left),
        _ => format!("…[{counter}]"),
    };
    format!(
        "store in the iterations that count: `if c {{ {place} = …; {counter} += 1; }}`; the elements below `{counter}` are the same then"
    )
}
