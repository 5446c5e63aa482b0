//! Data-sharing clauses: at most one for each variable, and exactly one under `default(none)`.
use crate::ast::{Clauses, Default, Item};
use crate::diag::{Code, Sink};
use crate::sema::CheckedRegion;
use crate::sema::syntax::names::mentions_any;
use crate::sema::syntax::place::{any_covers, covers, item_key};
use crate::sema::syntax::uses::{Use, Uses, expressions};

/// A variable stands in one data-sharing clause.
pub fn check(region: &CheckedRegion, sink: &mut Sink) {
    let c = &region.directive.clauses;
    let mut all: Vec<(&str, &Item)> = Vec::new();
    for (name, items) in c.sharing() {
        for item in items {
            if !item.sections.is_empty() {
                sink.error(
                    Code::MalformedClause,
                    item.span,
                    format!("`{name}` takes whole variables, not sections"),
                )
                .help(format!("write `{name}({})`", item.key));
            }
            all.push((name, item));
        }
    }
    all.extend(c.reductions.iter().flat_map(|r| r.items.iter().map(|i| ("reduction", i))));
    all.retain(|(clause, item)| !loop_variable(region, clause, item, sink));
    parts(&all, sink);
    for (n, (clause, item)) in all.iter().enumerate() {
        let before = all[..n].iter().find(|(_, other)| item_key(other) == item_key(item));
        let allowed = |a: &str, b: &str| {
            matches!((a, b), ("firstprivate", "lastprivate") | ("lastprivate", "firstprivate"))
        };
        let Some((other, first)) = before.filter(|(other, _)| !allowed(other, clause)) else { continue };
        let message = if other == clause {
            format!("`{}` is twice in `{clause}`", item.key)
        } else {
            format!("`{}` is in `{other}` and in `{clause}`", item.key)
        };
        let key = &item.key;
        let parts = !item.sections.is_empty() && !first.sections.is_empty();
        let help = if parts {
            format!(
                "parts of one array are reduced as arrays of their own: `let (low, high) = {key}.split_at_mut(n);` before the loop, then `reduction(+: low, high)`"
            )
        } else {
            format!("a variable has one data-sharing clause: leave `{key}` in one")
        };
        sink.error(Code::TwoSharingClauses, item.span, message)
            .note(Some(first.span), "the first clause is here")
            .help(help);
    }
    mapped_and_private(region, sink);
}

/// A variable in one clause and a part of it in another, which would be two copies of that part.
pub fn parts(all: &[(&str, &Item)], sink: &mut Sink) {
    for (n, (clause, item)) in all.iter().enumerate() {
        let key = item_key(item);
        let overlap = |(other, i): &&(&str, &Item)| {
            let first = item_key(i);
            *other != "shared" && first != key && (covers(&first, &key) || covers(&key, &first))
        };
        let Some((other, first)) = all[..n].iter().find(overlap).filter(|_| *clause != "shared") else {
            continue;
        };
        let (part, whole) =
            if covers(&key, &item_key(first)) { (&first.key, &item.key) } else { (&item.key, &first.key) };
        let message = format!(
            "`{}` is in `{clause}`, `{}` in `{other}`, and `{part}` is a part of `{whole}`",
            item.key, first.key
        );
        sink.error(Code::TwoSharingClauses, item.span, message)
            .note(Some(first.span), "the first clause is here")
            .help(format!(
                "a variable has one data-sharing clause: name `{whole}` in one, or each of its fields"
            ));
    }
}

/// Whether an item is the variable of a parallel loop, which is reported. In a bound, the name is another variable's.
fn loop_variable(region: &CheckedRegion, clause: &str, item: &Item, sink: &mut Sink) -> bool {
    let key = [item_key(item)];
    let own = region.loops.iter().any(|l| l.var.as_ref().is_some_and(|v| *v == key[0]));
    if !own || region.loops.iter().flat_map(expressions).any(|e| mentions_any(e, &key)) {
        return false;
    }
    let message = format!("`{}` is in `{clause}`, but it is the variable of the parallel loop", key[0]);
    sink.error(Code::TwoSharingClauses, item.span, message)
        .note(None, "each iteration has its own loop variable, without a clause")
        .help(format!("take `{}` out of the clause", key[0]));
    true
}

/// Mapped data is one for all iterations, private data is not.
fn mapped_and_private(region: &CheckedRegion, sink: &mut Sink) {
    let c = &region.directive.clauses;
    for (name, items) in [("private", &c.private), ("lastprivate", &c.lastprivate)] {
        for item in items {
            let mapped = c.maps.iter().flat_map(|m| &m.items).find(|m| item_key(m) == item_key(item));
            if let Some(mapped) = mapped {
                let message = format!("`{}` is in `map` and in `{name}`", item.key);
                sink.error(Code::TwoSharingClauses, item.span, message)
                    .note(Some(mapped.span), "it is mapped here")
                    .help("mapped data is shared by all iterations: leave one of the clauses");
            }
        }
    }
}

/// Under `default(none)` every captured variable is named.
pub fn default_none(region: &CheckedRegion, uses: &Uses, sink: &mut Sink) {
    let c = &region.directive.clauses;
    if !c.has_default(Default::None) {
        return;
    }
    // (Parts under names are iterators: what they are made of is used.)
    let is_data = |u: &&Use| !region.context.parts.iter().any(|(name, _)| *name == u.key);
    let uses = uses.before.iter().chain(&uses.bounds).chain(&uses.body).filter(is_data);
    all_named(c, uses, "map(tofrom: …)", sink);
}

/// Every variable that is used is named by some clause; `other` is one that may name an array.
pub fn all_named<'u>(c: &Clauses, uses: impl Iterator<Item = &'u Use>, other: &str, sink: &mut Sink) {
    let mut reported: Vec<&str> = Vec::new();
    for used in uses {
        let named = c.sharing().iter().any(|(_, items)| any_covers(items, &used.key))
            || c.maps.iter().any(|m| any_covers(&m.items, &used.key))
            || [&c.device_ptr, &c.no_create].iter().any(|items| any_covers(items, &used.key))
            || c.reductions.iter().any(|r| any_covers(&r.items, &used.key));
        if named || reported.contains(&used.key.as_str()) {
            continue;
        }
        reported.push(&used.key);
        sink.error(
            Code::DefaultNone,
            used.span,
            format!("`{}` is used under `default(none)`, but no clause names it", used.key),
        )
        .help(format!(
            "add `firstprivate({0})`, `{1}` or another clause that says what `{0}` is",
            used.key,
            other.replace('…', &used.key)
        ));
    }
}
