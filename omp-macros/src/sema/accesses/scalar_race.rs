//! Captured scalars that the body assigns: all iterations share one variable, so this is a race (E0601).
use crate::ast::Item;
use crate::diag::{Code, Sink, ends};
use crate::lower::region::copies::assigned_before_reads;
use crate::lower::region::draft::LazyDraft;
use crate::lower::region::update_forms::builtin;
use crate::sema::CheckedRegion;
use crate::sema::reduction::updates::symbol;
use crate::sema::scan::counters;
use crate::sema::syntax::place;
use crate::sema::syntax::place::{any_covers, covers, item_key};
use crate::sema::syntax::uses::{How, Use, Uses};
use omp_ir::flow::update_form::{Form, Operator, Update};
use omp_ir::template::ReduceOp;
use quote::ToTokens;

/// Reports each once; `known` are places that other rules reported.
pub fn check(region: &CheckedRegion, draft: &LazyDraft<'_>, uses: &Uses, known: &[String], sink: &mut Sink) {
    check_loop(region, None, draft, uses, known, sink);
}

/// The same for the region's loop, or for the inner loop of this number.
pub fn check_loop(
    region: &CheckedRegion,
    inner: Option<usize>,
    draft: &LazyDraft<'_>,
    uses: &Uses,
    known: &[String],
    sink: &mut Sink,
) {
    let c = inner.map_or(&region.directive.clauses, |n| &region.inner[n].directive.clauses);
    let reduced = |key: &str| c.reductions.iter().any(|r| r.items.iter().any(|i| item_key(i) == key));
    parts(&c.private, "private", uses, known, sink);
    parts(&c.firstprivate, "firstprivate", uses, known, sink);
    parts(&c.lastprivate, "lastprivate", uses, known, sink);
    let mut done: Vec<&str> = Vec::new();
    for write in uses.body.iter().filter(|u| u.writes() && !u.element && !u.is_atomic()) {
        let key = write.key.as_str();
        if reduced(key) || done.contains(&key) || known.iter().any(|k| covers(k, key)) {
            continue;
        }
        done.push(key);
        if ![&c.private, &c.firstprivate, &c.lastprivate].into_iter().any(|items| any_covers(items, key)) {
            shared(write, inner, draft, uses, sink);
        }
    }
}

/// Copies of a part of a variable that the body reads as a whole.
fn parts(items: &[Item], clause: &str, uses: &Uses, known: &[String], sink: &mut Sink) {
    for item in items {
        let key = item_key(item);
        let place = place::key_path(&key);
        let own = |u: &&Use| u.how != How::Len && place::meet(&place, &u.path).is_some();
        let own: Vec<&Use> = uses.body.iter().filter(own).collect();
        if known.iter().any(|k| covers(k, &key)) || !own.iter().any(|u| u.writes()) {
            continue;
        }
        if let Some(whole) = own.iter().find(|u| !u.writes() && u.key != key && covers(&u.key, &key)) {
            let message = format!(
                "race: `{key}` is `{clause}`, but this reads all of `{}`, which the iterations share: its `{key}` is not the copy that they assign",
                whole.key
            );
            sink.error_at(Code::ScalarRace, &whole.tokens, message)
                .help(format!("name the fields, or name the whole in the clause: `{clause}({})`", whole.key));
        }
    }
}

/// A shared scalar.
fn shared(write: &Use, inner: Option<usize>, draft: &LazyDraft<'_>, uses: &Uses, sink: &mut Sink) {
    let key = &write.key;
    let at = write.statement.clone().unwrap_or_else(|| write.tokens.clone());
    let error = sink.error_at(
        Code::ScalarRace,
        at,
        format!(
            "race: every iteration assigns `{key}`, and there is one `{key}` for all of them (write/write)"
        ),
    );
    let form = draft.form_at(write.span);
    let inside = |u: &Use| {
        let statement = draft.statement_at(write.span, form.as_ref()).map(|s| ends(&s.to_token_stream()));
        let (start, end) =
            statement.map_or((write.span.start(), write.span.end()), |(a, b)| (a.start(), b.end()));
        (start..end).contains(&u.span.start())
    };
    let read =
        |u: &&Use| u.key == *key && !u.element && matches!(u.how, How::Read | How::Argument) && !inside(u);
    let of = |element: bool| {
        uses.body.iter().any(|u| u.key == *key && u.how == How::Read && (element || !u.element))
    };
    let assigned = || assigned_before_reads(draft, inner, key);
    let looks_like = form.as_ref().and_then(builtin);
    if let (Some(op), Some(read)) = (looks_like, uses.body.iter().find(read)) {
        error.note(Some(read.span), format!("`{key}` is read here, between its updates"));
        let counter = draft.counter(inner, key).filter(|_| op == ReduceOp::Add);
        let kept = counter.as_ref().and_then(|c| c.array.as_ref()).map(|array| draft.name(array));
        match kept {
            Some(_) if let Some(store) = counter.as_ref().and_then(|c| c.uncounted) => {
                error.help(counters::help(counters::store(draft, store).as_ref(), key))
            }
            Some(kept) if counter.as_ref().is_some_and(|c| c.decides) => error.help(format!(
                "let the scan count all that pass the test, and bound the stores: `if c {{ if {key} < limit {{ {kept}[{key}] = …; }} {key} += 1; }}`, and after the loop `{key} = {key}.min(limit);`"
            )),
            Some(kept) => error.help(format!(
                "to keep what passes a test, in order, add `scan(+: {key}), disjoint({kept})` to the directive, and count after the store: `if c {{ {kept}[{key}] = …; }}`, then `{key} += usize::from(c);`"
            )),
            None => {
                let symbol = symbol(op);
                let update = match symbol {
                    "max" | "min" => format!("{key} = {key}.{symbol}(…)"),
                    _ => format!("{key} {symbol}= …"),
                };
                error.help(format!(
                    "what each iteration has of it is a running value: add `scan({symbol}: {key})` to the directive; where the order does not matter, take one by `#[omp::atomic(capture)]`: `{{ at = {key}; {update}; }}`"
                ))
            }
        };
    } else if let Some(op) = looks_like {
        error.help(format!(
            "if the loop accumulates it, add `reduction({}: {key})` to the directive",
            symbol(op)
        ));
    } else if write.how == How::Update && write.statement.is_none() {
        error.help(format!(
            "of an array, pass the part that belongs to the iteration, `&mut {key}[a..b]`, or `&mut {key}[..]` if there is one iteration; for a scalar, write `reduction(…: {key})` or `private({key})`"
        ));
    } else if let Some(Form::Update(Update {
        by: Operator::Builtin(op @ (ReduceOp::Max | ReduceOp::Min)),
        ..
    })) = form
    {
        let name = symbol(op);
        error.help(format!(
            "if the loop looks for one value, add `reduction({name}: {key})` to the directive"
        ));
    } else if of(false) && assigned().contains(&false) {
        error
            .note(None, format!("an iteration reads `{key}` before it assigns it: in the serial loop, it reads the value of an earlier iteration (a loop-carried dependence)"))
            .help(format!("compute the value from the loop variable or from elements of an array; if `{key}` is a running sum, product, maximum or minimum, `#[omp::scan(…)]` computes it"));
    } else if of(true) && assigned().contains(&true) {
        error.help(format!(
            "if it is a temporary of one iteration, declare it in the body (`let {key} = …`), or add `private({key})`"
        ));
    } else {
        error.help(format!(
            "say what the loop means: `reduction(max: {key})` or `reduction(min: {key})` for one value of all iterations, `private({key})` for a temporary, or an array for one value of each"
        ));
    }
}
