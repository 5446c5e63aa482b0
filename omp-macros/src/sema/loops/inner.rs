//! Inner loops with directives: their clauses, and the variables that their iterations share.
use crate::ast::{Default, DirectiveKind, InnerLoop, Item};
use crate::diag::{Code, Sink};
use crate::lower::region::draft::LazyDraft;
use crate::parse::clause::table::Of;
use crate::parse::tokens::source::as_written;
use crate::sema::CheckedRegion;
use crate::sema::accesses::scalar_race;
use crate::sema::clauses::{combine, data_sharing};
use crate::sema::reduction;
use crate::sema::syntax::forms::is_name;
use crate::sema::syntax::place::{any_covers, item_key};
use crate::sema::syntax::uses;
use crate::sema::syntax::uses::{Use, Uses};

/// Rules about the clauses of all inner loops.
pub fn clauses(region: &CheckedRegion, sink: &mut Sink) {
    for inner in region.inner.iter() {
        combine::check(&inner.directive, &inner.loops, sink);
        misplaced(inner, sink);
        twice(inner, sink);
        variables(inner, sink);
    }
}

/// Clauses that speak of the whole region.
fn misplaced(inner: &InnerLoop, sink: &mut Sink) {
    let c = &inner.directive.clauses;
    let whole =
        c.given.iter().filter(|clause| clause.of == Of::Region).map(|clause| (clause.name, clause.span));
    let unchecked =
        c.unchecked.first().map(|item| item.span).or(c.unchecked_all.as_ref().map(|all| all.span));
    for (clause, span) in whole.chain(unchecked.map(|span| ("unsafe(unchecked)", span))) {
        let name = &inner.directive.name;
        sink.error(Code::ClauseNotAllowed, span, format!("`{clause}` on a `{name}` inside a region"))
            .help(format!("it is for the whole region: put `{clause}` on the directive of the outer loop"));
    }
}

/// A variable stands in one data-sharing clause.
fn twice(inner: &InnerLoop, sink: &mut Sink) {
    let c = &inner.directive.clauses;
    let mut all: Vec<(&str, &Item)> =
        c.sharing().into_iter().flat_map(|(name, items)| items.iter().map(move |i| (name, i))).collect();
    all.extend(c.reductions.iter().flat_map(|r| r.items.iter().map(|i| ("reduction", i))));
    data_sharing::parts(&all, sink);
    for (n, (clause, item)) in all.iter().enumerate() {
        let key = item_key(item);
        let Some((other, first)) = all[..n].iter().find(|(_, other)| item_key(other) == key) else {
            continue;
        };
        if matches!((*other, *clause), ("firstprivate", "lastprivate")) {
            continue;
        }
        let message = format!("`{key}` is in `{clause}` and in `{other}`");
        sink.error(Code::TwoSharingClauses, item.span, message)
            .note(Some(first.span), "it is named here first")
            .help("name it in one of the clauses");
    }
}

/// Checks that clauses that make copies name plain variables, and none of the parallel loop.
fn variables(inner: &InnerLoop, sink: &mut Sink) {
    let c = &inner.directive.clauses;
    let copied = [&c.private, &c.firstprivate, &c.lastprivate].into_iter().flatten();
    let reduced = c.reductions.iter().flat_map(|r| &r.items);
    for (item, reduced) in copied.map(|i| (i, false)).chain(reduced.map(|i| (i, true))) {
        let plain = is_name(&item.place);
        if !reduced && (!plain || !item.sections.is_empty()) {
            let message = format!("`{}` on an inner loop is not a plain variable", item.key);
            sink.error(Code::MalformedClause, item.span, message)
                .help("copy it to a local before the inner loop and name that");
        }
        let own = inner.loops.iter().any(|l| l.var.as_ref().is_some_and(|v| *v == item.key));
        if own {
            let message = format!("`{}` is a variable of the parallel loop", item.key);
            sink.error(Code::TwoSharingClauses, item.span, message)
                .help("each iteration has its own anyway: leave it out");
        }
    }
}

/// Rules about the bodies of all inner loops. `outer`: the uses of the region. The result: the loops that write arrays of the outer loop, of
/// which each thread of a team has one. Such a loop runs as a whole in each of these threads.
pub fn bodies(region: &CheckedRegion, draft: &LazyDraft<'_>, outer: &Uses, sink: &mut Sink) -> Vec<usize> {
    let mut whole = Vec::new();
    for (n, inner) in region.inner.iter().enumerate() {
        let c = &inner.directive.clauses;
        let uses = uses::of_loop(inner);
        reduction::inner(region, n, draft, &uses, sink);
        if c.has_default(Default::None) {
            // Loop variables are each iteration's own; consts and types are no variables.
            let around = |key: &str| region.loops.iter().any(|l| l.var.as_ref().is_some_and(|v| v == key));
            let variable = |u: &&Use| !around(&u.key) && !u.key.starts_with(char::is_uppercase);
            data_sharing::all_named(c, uses.body.iter().filter(variable), "shared(…)", sink);
        }
        // The region's shared variables have a rule of their own; its reduced and copied variables are like any others here.
        let o = &region.directive.clauses;
        let copied = [&o.private, &o.firstprivate, &o.lastprivate];
        let lists = copied.into_iter().chain(o.reductions.iter().map(|r| &r.items));
        let own = |key: &str| lists.clone().any(|items| any_covers(items, key));
        let known: Vec<String> = outer
            .body
            .iter()
            .filter(|u| u.writes() && !u.element && !own(&u.key))
            .map(|u| u.key.clone())
            .collect();
        scalar_race::check_loop(region, Some(n), draft, &uses, &known, sink);
        if inner.directive.kind == DirectiveKind::ParallelFor && local_arrays(n, inner, draft, sink) {
            whole.push(n);
        }
    }
    whole
}

/// Whether a loop writes arrays that are declared in the outer loop; if its iterations may share elements of one, it is reported.
fn local_arrays(nest: usize, inner: &InnerLoop, draft: &LazyDraft<'_>, sink: &mut Sink) -> bool {
    let written = draft.written_in_nest(nest);
    for of in written.iter().filter(|of| !of.own) {
        let (at, name, key) = (draft.tokens(of.access, of.src), &inner.directive.name, draft.name(&of.root));
        let text = as_written(&at);
        let message = format!(
            "race: the iterations of this `{name}` share `{key}`, a local of the outer loop, and nothing shows that `{text}` are different elements (write/write)"
        );
        sink.error_at(Code::ScalarRace, at, message).help(format!(
            "let the variables of the inner loop be subscripts of `{key}`, the same ones wherever the loop names it; declare `{key}` inside the \
             inner loop; or leave the inner loop sequential"
        ));
    }
    !written.is_empty()
}
