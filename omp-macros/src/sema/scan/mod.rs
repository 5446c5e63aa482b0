//! Scans: finds the recurrences of a loop, and rewrites the loop to updates of carried values.
//!
//! `y[i] = y[i - 1] ⊕ e` becomes `__scan0 = __scan0 ⊕ e; y[i] = __scan0;`, where `__scan0` starts as the element before
//! the first. A carried scalar needs no new variable. The body of the region is then
//!
//! ```text
//! '__omp_fold: { let __keep0 = __scan0; …the statements that compute and update…; __scan0 = __keep0; }
//! '__omp_seed: { __scan0 = y[i - 1]; }
//! …all statements…
//! ```
//!
//! In serial order, as the interpreter runs it, this has the meaning of the loop: the first block restores the value, and
//! the second assigns the value that the variable has already. A device runs the first block to compute the sum of a part
//! of the loop, the second block only in the first iteration, and the statements when it knows the value before the part.
//!
//! If the scan goes along one loop of a nest, the iterations of the other loops run in parallel.
pub mod counters;
mod interchange;
mod order;
pub mod phases;
mod recurrence;
mod segments;
mod split;

use super::loops::early_exit;
use super::reduction::{otherwise, updates};
use super::syntax::names::bound_in;
use super::syntax::place;
use super::syntax::shadowing;
use super::syntax::uses;
use super::syntax::uses::{How, Use};
use crate::ast::{ClauseOp, DirectiveKind, Item, LoopHead, ReductionClause};
use crate::diag::{Code, Sink};
use crate::lower::region::draft::{Draft, LazyDraft};
use crate::parse::loop_nest;
use crate::parse::tokens::source::{as_written, words};
use crate::sema::CheckedRegion;
use omp_ir::flow::dependence::Relation;
use omp_ir::flow::update_form::Form;
use omp_ir::template::ReduceOp;
use order::{HIDDEN, classify};
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use recurrence::{
    Axis, Carried, Replace, another_step, clause_of, expression, forms, recurrence, related, step, targets,
    unknown_distance,
};
use segments::{Typed, Within, carried_within, segmented};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Expr, Stmt};

/// A scan, once its recurrences were found. Its body is `'fold: { … } 'seed: { … }` and the statements of an
/// iteration: see the header.
#[derive(Clone, Default)]
pub struct Scan {
    /// How many values are carried from one iteration to the next: items of the only `reduction` clause.
    pub items: usize,
    /// The arrays whose elements are carried.
    pub arrays: Vec<String>,
}

impl Scan {
    /// The number of statements before those of an iteration: the blocks `'fold` and `'seed`.
    pub const PREFIX: usize = 2;
}

/// Reads a region with a scan; others stay as they are.
pub fn prepare(region: &mut CheckedRegion, sink: &mut Sink) {
    let clauses = &mut region.directive.clauses;
    let (inscan, others) = std::mem::take(&mut clauses.reductions).into_iter().partition(|r| r.inscan);
    clauses.reductions = others;
    clauses.scans.extend::<Vec<_>>(inscan);
    if region.directive.clauses.scans.is_empty() {
        return count(region);
    }
    let clauses = &region.directive.clauses;
    if let Some(collapse) = &clauses.collapse {
        sink.error(Code::ClauseNotAllowed, collapse.span, "`collapse` on a scan: it goes along one loop")
            .help("leave `collapse` out; the other loop of the nest runs in parallel");
        return;
    }
    if let Some((store, key)) = uncounted(region) {
        let message = format!(
            "race: an iteration that does not count `{key}` stores here, and the next one stores to the same element (write/write)"
        );
        sink.error_at(Code::ArrayRace, &store, message).help(counters::help(Some(&store), &key));
        return;
    }
    region.directive.kind = DirectiveKind::Target;
    if loop_nest::only_loop(&region.body).is_some() {
        return segmented(region, sink);
    }
    let mut typed = Typed::default();
    match carried_within(region, &region.body, &mut typed, sink) {
        Within::Nothing => along(region, sink),
        // Each iteration has a scan of its own, as it stands.
        Within::Carried => typed.visit_expr_for_loop_mut(&mut region.serial),
        Within::Wrong => {}
    }
}

/// A store that an iteration of a scan's loop may not count, and the counter.
fn uncounted(region: &CheckedRegion) -> Option<(Expr, String)> {
    let scans = &region.directive.clauses.scans;
    let sums = scans.iter().filter(|c| matches!(c.op, ClauseOp::Builtin(ReduceOp::Add)));
    let keys = sums.flat_map(|c| match c.items.as_slice() {
        [] => counters::assigned(region).into_iter().map(|item| item.key).collect(),
        items => items.iter().map(place::item_key).collect::<Vec<_>>(),
    });
    let draft = Draft::lazy(region);
    keys.into_iter().find_map(|key| {
        let store = draft.counter(None, &key)?.uncounted?;
        Some((counters::store(&draft, store)?, key))
    })
}

/// A loop with counters that no clause names becomes a scan, where it is one.
fn count(region: &mut CheckedRegion) {
    let Some(clause) = counters::clause(region).filter(|_| loop_nest::only_loop(&region.body).is_none())
    else {
        return;
    };
    let (body, directive) = (region.body.clone(), region.directive.clone());
    region.directive.clauses.scans.push(clause);
    let mut sink = Sink::new();
    along(region, &mut sink);
    if sink.forget() || region.scan.is_none() {
        (region.body, region.directive, region.scan) = (body, directive, None);
    }
}

/// The parts of the body of a scan.
#[derive(Default)]
struct SplitBody {
    clauses: Vec<ReductionClause>,
    arrays: Vec<String>,
    names: Vec<Expr>,
    seeds: Vec<Stmt>,
    body: Vec<Stmt>,
    /// The recurrences of elements, by the number of the statement that updates.
    elements: Vec<(usize, Recurrence)>,
}

/// A recurrence of an array's elements.
struct Recurrence {
    /// `y`
    key: String,
    /// `y[i - 1] = y[i - 1] ⊕ e`
    update: Expr,
    /// `y[i]` and `y[i - 1]`, for messages.
    left: String,
    before: String,
}

impl Recurrence {
    /// Its carried value under the name `__scanN`: the update of that, what stores it, and the item of the clause.
    fn carried(of: &Carried<'_>, number: usize) -> (Expr, [Stmt; 2], Item) {
        let Carried { left, before, update, .. } = of;
        let name = Ident::new(&format!("{HIDDEN}{number}"), Span::mixed_site());
        let name: Expr = syn::parse_quote!(#name);
        let mut input = update.clone();
        Replace { text: updates::text(before).unwrap_or_default(), by: &name }.visit_expr_mut(&mut input);
        let mut first = (*left).clone();
        Zero.visit_expr_mut(&mut first);
        let item = Item {
            key: name.to_token_stream().to_string(),
            span: first.span(),
            place: first,
            sections: vec![],
        };
        let stmts = [Stmt::Expr(input, Some(Default::default())), syn::parse_quote!(#left = #name;)];
        (name, stmts, item)
    }

    fn of(of: &Carried<'_>) -> Self {
        Self {
            key: place::of(of.left).map(|p| p.key).unwrap_or_default(),
            update: of.update.clone(),
            left: as_written(of.left),
            before: updates::text(of.before).unwrap_or_default(),
        }
    }

    /// Reports that its form is none of an update by the operator of the clause.
    fn refuse(&self, form: &Form, clause: &ReductionClause, at: TokenStream, sink: &mut Sink) {
        let how =
            otherwise(form, Some(&self.update), &clause.op).map(|how| how.to_string()).unwrap_or_default();
        // The element before stands for the one that is written.
        let how = match how.strip_prefix(&format!("`{} = ", self.before)) {
            Some(rest) => format!("`{} = {rest}", self.left),
            None => how,
        };
        by_another(&self.key, &how, clause, at, sink);
    }
}

/// Reports an update that is not by the operator of the clause.
fn by_another(key: &str, how: &str, clause: &ReductionClause, at: TokenStream, sink: &mut Sink) {
    let op = &clause.spelled;
    let what = format!("scan pattern not found: the `scan` is by `{op}`, but `{key}` is carried by {how}");
    sink.error_at(Code::ScanPattern, at, what).note(None, forms(op)).help(another_step(how));
}

/// A region with these statements in loops.
fn with_body(
    region: &CheckedRegion,
    loops: &[LoopHead],
    body: &[Stmt],
    clauses: &[ReductionClause],
) -> CheckedRegion {
    let mut region = region.clone();
    region.loops = loops.to_vec();
    region.body = syn::parse_quote!({ #(#body)* });
    region.directive.clauses.reductions = clauses.to_vec();
    region
}

/// A scan along the only loop.
fn along(region: &mut CheckedRegion, sink: &mut Sink) {
    let var = region.loops.first().and_then(|head| head.var.as_ref()).map(ToString::to_string);
    let hiding: HashSet<String> =
        var.into_iter().filter(|var| bound_in(&region.body).contains(var)).collect();
    // (Fields and labels of the name keep it.)
    let kept = |name: &String| shadowing::names_members(&region.body, name);
    if !hiding.is_empty() && !hiding.iter().any(kept) {
        let (mut named, mut heard) = (region.clone(), Sink::new());
        let taken = words(region.body.to_token_stream());
        shadowing::renamed(&mut named.body, &hiding, &taken);
        along(&mut named, &mut heard);
        // (Its messages would have the other names.)
        let fine = heard.is_empty();
        heard.forget();
        if fine {
            *region = named;
            return;
        }
    }
    if !is_countable(region, sink) {
        return;
    }
    split::continues(&mut region.body);
    if let Some(left_out) = early_exit::ends_iteration(region) {
        sink.error(
            Code::ScanPattern,
            left_out,
            "scan pattern not found: `continue` leaves out what a scan has to do in each iteration",
        )
        .help("put what it would leave out under an `if`");
        return;
    }
    let mut scans = region.directive.clauses.scans.clone();
    let Some(reductions) = scalar_reductions(region, sink) else { return };
    scans.extend(reductions);
    let named: Vec<String> = scans.iter().flat_map(|c| c.items.iter().map(place::item_key)).collect();
    let any = scans.iter().any(|c| c.items.is_empty());
    split::branches(&mut region.body, &|key| any || named.iter().any(|name| name == key));
    let draft = Draft::lazy(region);
    let heard = sink.len();
    let found = carried_along(region, &scans, &draft, sink);
    draft.explain(heard, sink);
    let Some(found) = found else { return };
    let Some(fold) = classify(region, &found, sink) else { return };
    let SplitBody { clauses, arrays, names, seeds, body, .. } = found;
    placed(region, &names, &body);
    let keeps: Vec<Ident> =
        (0..names.len()).map(|k| Ident::new(&format!("__keep{k}"), Span::mixed_site())).collect();
    let kept = body.iter().zip(fold).filter(|(_, keep)| *keep).map(|(stmt, _)| stmt);
    region.body = syn::parse_quote!({
        '__omp_fold: { #(let #keeps = #names;)* #(#kept)* #(#names = #keeps;)* }
        '__omp_seed: { #(#seeds)* }
        #(#body)*
    });
    region.scan = Some(Scan { items: names.len(), arrays });
    region.directive.clauses.reductions = clauses;
}

/// Whether the neighbours of an iteration are known: the loop has a variable that steps by a number.
fn is_countable(region: &CheckedRegion, sink: &mut Sink) -> bool {
    if region.loops.first().is_some_and(|head| step(head, &region.body).is_some()) {
        return true;
    }
    let again = region.loops.first().and_then(|head| head.var.as_ref());
    let again = again.filter(|var| bound_in(&region.body).contains(&var.to_string()));
    let (what, help) = match again {
        Some(var) => (
            format!("another variable in the body has the name of the loop variable `{var}`"),
            "give the other variable a name of its own",
        ),
        None => (
            "the loop has no variable with a constant step".to_owned(),
            "name the loop variable, and step by a number: `for i in 1..n`",
        ),
    };
    sink.error(Code::ScanPattern, region.directive.span, format!("scan pattern not found: {what}"))
        .help(help);
    false
}

/// Finds what the body carries from one iteration to the next.
fn carried_along(
    region: &CheckedRegion,
    scans: &[ReductionClause],
    draft: &LazyDraft<'_>,
    sink: &mut Sink,
) -> Option<SplitBody> {
    let axis = Axis::of(region.loops.first()?, &region.body, 0, draft)?;
    let mut found = SplitBody::default();
    for (n, stmt) in region.body.stmts.iter().enumerate() {
        match recurrence(n, stmt, &axis) {
            Some(carried) => {
                if !element(&carried, &region.body.stmts[..n], scans, &mut found, sink) {
                    return None;
                }
            }
            None => found.body.push(stmt.clone()),
        }
    }
    if !scalars(scans, region, &mut found, sink) {
        return None;
    }
    if found.clauses.is_empty() {
        nothing_found(region, scans, &axis, sink);
        return None;
    }
    others(region, &axis, &found, sink).then_some(found)
}

/// Arrays that are stored to where a carried value says are checked, where a proof doesn't show that the places differ.
fn placed(region: &mut CheckedRegion, names: &[Expr], body: &[Stmt]) {
    let keys: Vec<String> = names.iter().filter_map(updates::text).collect();
    let bound = bound_in(&region.body);
    let clauses = &mut region.directive.clauses;
    for array in split::stored_at(body, &|name| keys.iter().any(|key| key == name)) {
        let Some(place) = place::of(&array).filter(|p| !bound.contains(&p.base)) else { continue };
        let key = place.key;
        let given = clauses.disjoint.iter().chain(&clauses.trust_disjoint).any(|i| i.key == key);
        if !given {
            let span = array.span();
            clauses.disjoint.push(Item { key, place: array, sections: vec![], span });
        }
    }
}

/// Reductions in a scan's loop: a reduced scalar is a carried one whose intermediate values are not used.
fn scalar_reductions(region: &CheckedRegion, sink: &mut Sink) -> Option<Vec<ReductionClause>> {
    let clauses = &region.directive.clauses.reductions;
    let arrays = super::reduction::arrays(region);
    let mut items = clauses.iter().flat_map(|c| c.items.iter().map(move |i| (c, i))).zip(arrays);
    let other = items.find(|((clause, _), array)| *array || clause.reproducible);
    if let Some(((clause, item), array)) = other {
        let (what, span) = if array {
            (format!("`{}` is an array", item.key), item.span)
        } else {
            ("`reproducible` needs another order than a scan's".into(), clause.span)
        };
        sink.error(
            Code::Contradiction,
            span,
            format!("in a loop with a scan, only scalars can be reduced: {what}"),
        )
        .help("reduce in a loop of its own; a `target` block around both keeps the data on the device");
        return None;
    }
    Some(clauses.iter().map(|c| ReductionClause { inscan: true, ..c.clone() }).collect())
}

/// Takes a recurrence of elements apart.
fn element(
    carried: &Carried<'_>,
    earlier: &[Stmt],
    scans: &[ReductionClause],
    found: &mut SplitBody,
    sink: &mut Sink,
) -> bool {
    let Carried { left, before, .. } = carried;
    let key = place::of(left).map(|p| p.key).unwrap_or_default();
    let Some(clause) = clause_of(scans, &key) else {
        let error = sink.error_at(
            Code::ScanPattern,
            left,
            format!("scan pattern not found: no `scan` clause names `{key}`, which is carried"),
        );
        if let Some(item) = scans.iter().flat_map(|c| &c.items).next() {
            error.note(Some(item.span), format!("the clause names `{}`", item.key));
        }
        error.help(format!("add `scan(+: {key})` with the operator of this recurrence"));
        return false;
    };
    // The seed stands before the statements of the iteration.
    let (lets, other) = match (split::declarations(earlier, before), carried.other) {
        (Some(lets), None) => (lets, None),
        (lets, other) => (Vec::new(), other.or(lets.is_none().then_some(*before))),
    };
    if let Some(other) = other {
        unknown_distance(left, other, &clause.spelled, sink);
        return false;
    }
    let (name, stmts, item) = Recurrence::carried(carried, found.names.len());
    let seed: Stmt = syn::parse_quote!(#name = #before;);
    found.seeds.push(if lets.is_empty() { seed } else { syn::parse_quote!({ #(#lets)* #seed }) });
    found.elements.push((found.body.len(), Recurrence::of(carried)));
    found.body.extend(stmts);
    let items = vec![Item { span: clause.span, ..item }];
    found.clauses.push(ReductionClause { items, inscan: true, ..clause.clone() });
    found.arrays.push(key);
    found.names.push(name);
    true
}

/// Puts 0 into all subscripts.
struct Zero;

impl VisitMut for Zero {
    fn visit_expr_index_mut(&mut self, i: &mut syn::ExprIndex) {
        self.visit_expr_mut(&mut i.expr);
        *i.index = syn::parse_quote!(0);
    }
}

/// Finds the scalars that are carried.
fn scalars(
    scans: &[ReductionClause],
    region: &CheckedRegion,
    found: &mut SplitBody,
    sink: &mut Sink,
) -> bool {
    let bound = bound_in(&region.body);
    let named: Vec<String> = scans.iter().flat_map(|c| c.items.iter().map(place::item_key)).collect();
    let mut keys: Vec<String> = Vec::new();
    for stmt in &region.body.stmts {
        for target in targets(stmt) {
            let Some(place) = place::of(target).filter(|p| p.subscripts.is_empty()) else { continue };
            let local = bound.contains(&place.base);
            let wanted = named.contains(&place.key) || scans.iter().any(|c| c.items.is_empty());
            if local || !wanted || keys.contains(&place.key) || found.arrays.contains(&place.key) {
                continue;
            }
            let Some(clause) = clause_of(scans, &place.key) else { continue };
            keys.push(place.key.clone());
            let span =
                clause.items.iter().find(|i| place::item_key(i) == place.key).map_or(clause.span, |i| i.span);
            found.clauses.push(ReductionClause {
                items: vec![Item { key: place.key, place: target.clone(), sections: vec![], span }],
                inscan: true,
                ..clause.clone()
            });
            found.names.push(target.clone());
        }
    }
    for clause in scans {
        for item in &clause.items {
            let key = place::item_key(item);
            if !found.arrays.contains(&key) && !keys.contains(&key) {
                let reduced = region.directive.clauses.reductions.iter().flat_map(|r| &r.items);
                if reduced.map(place::item_key).any(|of| of == key) {
                    super::reduction::never_updated(item, &key, &clause.spelled, sink);
                    return false;
                }
                sink.error(
                    Code::ScanPattern,
                    item.span,
                    format!("scan pattern not found: no iteration uses a value of `{key}` from the iteration before"),
                )
                .note(None, forms(&clause.spelled))
                .help(format!("write the recurrence of `{key}`, or take it out of the clause"));
                return false;
            }
        }
    }
    true
}

/// Everything else that leads from one iteration to another is refused: other uses of carried arrays here, the rest by
/// the race analysis.
fn others(region: &CheckedRegion, axis: &Axis<'_>, found: &SplitBody, sink: &mut Sink) -> bool {
    let bound = bound_in(&region.body);
    for key in &found.arrays {
        let of = |(n, stmt)| {
            recurrence(n, stmt, axis).filter(|c| place::of(c.left).is_some_and(|p| p.key == *key))
        };
        let mut all = region.body.stmts.iter().enumerate().filter_map(of);
        let Some(Carried { left, .. }) = all.next() else { continue };
        if let Some(Carried { left: second, .. }) = all.next() {
            let what = format!("scan pattern not found: `{key}` has a second recurrence");
            sink.error_at(Code::ScanPattern, second, what)
                .help("a scan carries one value in an array; another one goes into an array of its own");
            return false;
        }
        if place::of(left).is_some_and(|p| bound.contains(&p.base)) {
            let what = format!("scan pattern not found: `{key}` is a name that the body binds");
            sink.error_at(Code::ScanPattern, left, what)
                .help("scan the array by its own name, and give what the body binds another");
            return false;
        }
        let own = region.body.stmts.iter().enumerate().position(|stmt| of(stmt).is_some());
        let written = own.and_then(|n| expression(axis.drafted(n))).and_then(updates::assigned);
        let Some(written) = written else { continue };
        for (n, stmt) in region.body.stmts.iter().enumerate() {
            let before = of((n, stmt)).and_then(|c| updates::text(c.before));
            let all = |stmt: &Stmt| {
                let block = syn::Block { brace_token: Default::default(), stmts: vec![stmt.clone()] };
                uses::of_block(&block, region.context.names.clone())
            };
            for (u, drafted) in all(stmt).iter().zip(all(axis.drafted(n))) {
                let touches = place::covers(key, &u.key) || place::covers(&u.key, key);
                if !touches {
                    continue;
                }
                let place = syn::parse2::<Expr>(drafted.tokens).ok().filter(|_| u.element);
                if !may_stay(u, before.as_deref(), place.map(|place| axis.relation(written, &place))) {
                    misused(left, u, sink);
                    return false;
                }
            }
        }
    }
    true
}

/// Whether this use of a carried array is one that a scan knows: the recurrence itself, and what reads the element of the
/// same iteration. `before`: in the recurrence, how it spells the element before, which is carried where it is spelled so.
/// `relation`: what it is to the element that is carried.
fn may_stay(u: &Use, before: Option<&str>, relation: Option<Relation>) -> bool {
    let reads = matches!(u.how, How::Read | How::Argument);
    let spelled = || syn::parse2(u.tokens.clone()).ok().and_then(|place| updates::text(&place));
    match relation {
        _ if u.how == How::Len => true,
        Some(Relation::Apart) => true,
        Some(Relation::Same) => reads || (before.is_some() && matches!(u.how, How::Write | How::Update)),
        Some(Relation::Before) => reads && before.is_some() && spelled().as_deref() == before,
        Some(Relation::Unknown) | None => false,
    }
}

/// Reports another use of a carried array.
fn misused(left: &Expr, u: &Use, sink: &mut Sink) {
    let reads = matches!(u.how, How::Read | How::Argument);
    let (left, found) = (as_written(left), as_written(&u.tokens));
    let (what, help) = if reads {
        (
            format!("`{found}` is read outside of the recurrence of `{left}`"),
            "a scan carries one value from each iteration to the next, and its recurrence alone reads it; other loop-carried dependences need a loop that is not parallel",
        )
    } else {
        (
            format!("`{left}` is carried, but this changes an element of it in another way"),
            "a scan stores each element once; change it in a loop of its own, or store what is computed from it in another array",
        )
    };
    sink.error_at(Code::ScanPattern, &u.tokens, format!("scan pattern not found: {what}")).help(help);
}

/// Reports a loop that carries nothing.
fn nothing_found(region: &CheckedRegion, scans: &[ReductionClause], axis: &Axis<'_>, sink: &mut Sink) {
    let op = scans.first().map_or("+", |c| c.spelled.as_str());
    // An element of the same array, at another distance.
    for (n, stmt) in region.body.stmts.iter().enumerate() {
        let Some((left, read)) = related(n, stmt, axis) else { continue };
        let plain = matches!(expression(stmt), Some(Expr::Assign(_)));
        let other = read.into_iter().find(|(_, relation)| plain && *relation == Relation::Unknown);
        if let Some((other, _)) = other {
            return unknown_distance(left, other, op, sink);
        }
    }
    sink.error(
        Code::ScanPattern,
        region.directive.span,
        "scan pattern not found: the loop carries no value from one iteration to the next",
    )
    .note(None, forms(op))
    .help("for a loop whose iterations are independent, write `target`");
}
