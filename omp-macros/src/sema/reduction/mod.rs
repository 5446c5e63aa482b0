//! Reduction variables: only updates by their operator may use them.
pub(super) mod argmax;
pub mod updates;

use super::syntax::place::{covers, item_key};
use super::syntax::uses;
use crate::sema::CheckedRegion;
use crate::sema::syntax::effects::{self, Effect};
use crate::sema::syntax::forms;
use updates::{Other, symbol};

use super::syntax::uses::{How, Use, Uses};
use crate::ast::{ClauseOp, Item, ReductionClause};
use crate::diag::{Code, Sink, nearest};
use crate::lower::region::draft::LazyDraft;
use crate::parse::tokens::source::as_written;
use crate::parse::tokens::synonyms;
use omp_ir::flow::update_form::{self, Form, Kind, Operator, Update};
use omp_ir::template::ReduceOp;
use quote::ToTokens;
use syn::Expr;

/// Checks all items of a region but those that are `known` to be wrong. Returns the variables that misspelt items mean: what
/// the body does with them is no mistake of its own.
pub fn check(
    region: &CheckedRegion,
    draft: &LazyDraft<'_>,
    uses: &Uses,
    known: &[String],
    sink: &mut Sink,
) -> Vec<String> {
    let words = Words { draft, uses };
    let mut meant = Vec::new();
    // The carried values of a scan were checked when it was found, except for the values that they are part of.
    let (scans, others): (Vec<_>, Vec<_>) =
        region.directive.clauses.reductions.iter().partition(|c| c.inscan);
    for (clause, item) in scans.into_iter().flat_map(|c| c.items.iter().map(move |item| (c, item))) {
        overlaps_a_use(&item_key(item), &format!("scan({}: …)", clause.spelled), uses, sink);
    }
    for clause in others {
        for item in clause.items.iter().filter(|item| !known.contains(&item_key(item))) {
            match misspelt(region, item, &words) {
                Some(name) => {
                    let message = format!("there is no variable `{}` to reduce", item.key);
                    sink.error(Code::ReductionUnused, item.span, message).help(match &name {
                        Some(name) => format!("did you mean `{name}`?"),
                        None => "name the variable that the loop updates".to_owned(),
                    });
                    meant.extend(name);
                }
                None => match by_fields(item, uses) {
                    fields if fields.is_empty() => {
                        if draft.is_whole() {
                            one(clause, item, &draft.uses(item), &words, sink);
                        }
                    }
                    fields => {
                        let (key, op, first) = (item_key(item), &clause.spelled, &fields[0]);
                        let message = format!(
                            "`{key}` is in `reduction({op}: …)`, but the loop updates its fields, not the whole"
                        );
                        sink.error(Code::ReductionUnused, item.span, message).help(format!(
                            "name the fields, `reduction({op}: {})`, or declare an operator of the whole: `#[omp::declare_reduction(…)]`",
                            fields.join(", ")
                        ))
                        .note(uses.body.iter().find(|u| u.key == *first).map(|u| u.span), format!("`{first}` is updated here"));
                        meant.extend(fields);
                    }
                },
            }
        }
    }
    meant
}

/// The fields of an item that the loop assigns, where it does nothing with the whole.
fn by_fields(item: &Item, uses: &Uses) -> Vec<String> {
    let key = item_key(item);
    let mut fields: Vec<String> = Vec::new();
    for u in uses.body.iter().filter(|u| covers(&key, &u.key)) {
        if u.key == key {
            return Vec::new();
        }
        if u.writes() && !u.element && !fields.contains(&u.key) {
            fields.push(u.key.clone());
        }
    }
    fields
}

/// Checks the items of the inner loop of this number.
pub fn inner(region: &CheckedRegion, n: usize, draft: &LazyDraft<'_>, uses: &Uses, sink: &mut Sink) {
    let clauses = &region.inner[n].directive.clauses.reductions;
    let items = clauses.iter().flat_map(|clause| clause.items.iter().map(move |item| (clause, item)));
    for (k, (clause, item)) in items.enumerate().filter(|_| draft.is_whole()) {
        if let Some(all) = draft.uses_in_nest(n, k) {
            one(clause, item, &all, &Words { draft, uses }, sink);
        }
    }
}

/// The sources of the texts in messages.
struct Words<'a> {
    draft: &'a LazyDraft<'a>,
    uses: &'a Uses,
}

/// The variable that the clause probably means, if no variable has the item's name: the updated variable with a similar name, or the
/// only updated one.
fn misspelt(region: &CheckedRegion, item: &Item, words: &Words<'_>) -> Option<Option<String>> {
    let uses = words.uses;
    let key = item_key(item);
    if key.contains('.') || region.context.names.contains(&key) {
        return None;
    }
    let reduced = |k: &str| {
        region.directive.clauses.reductions.iter().any(|r| r.items.iter().any(|i| item_key(i) == k))
    };
    let updated: Vec<&str> = uses.body.iter().filter(|u| u.writes()).map(|u| u.key.as_str()).collect();
    let is_update = |u: &&Use| u.writes() && !u.element && words.draft.looks_like(u.span).is_some();
    let mut updates = uses.body.iter().filter(|u| !reduced(&u.key)).filter(is_update);
    let only = updates.next().filter(|first| updates.all(|u| u.key == first.key)).map(|u| u.key.as_str());
    match nearest(&key, &updated).or(only) {
        Some(name) if name == key => None,
        Some(name) => Some(Some(name.to_owned())),
        // A static may have the name.
        None if key.starts_with(char::is_lowercase) && !updated.contains(&key.as_str()) => Some(None),
        None => None,
    }
}

/// Names without a variable in the function: rustc says so at the uses in the loop, and what is made of the clause stands there,
/// too.
pub fn at_uses(region: &mut CheckedRegion, uses: &Uses) {
    let names = region.context.names.clone();
    for item in region.directive.clauses.reductions.iter_mut().flat_map(|r| &mut r.items) {
        let used = uses.body.iter().find(|u| u.key == item.key).filter(|_| !names.contains(&item.key));
        if let (Some(used), Expr::Path(p)) = (used, &mut item.place)
            && let [name] = &mut p.path.segments.iter_mut().collect::<Vec<_>>()[..]
        {
            name.ident.set_span(name.ident.span().located_at(used.span));
        }
    }
}

/// Whether the elements of an item are reduced, each by itself; of all items, clause by clause.
pub fn arrays(region: &CheckedRegion) -> Vec<bool> {
    let clauses = region.directive.clauses.reductions.iter();
    let items = clauses.flat_map(|clause| clause.items.iter().map(move |item| (clause, item)));
    let known = |item: &Item| region.context.array_names.contains(&item_key(item));
    let array = |(clause, item): (&ReductionClause, &Item)| {
        let [element, whole] = assigned(item, &region.body);
        // A fixed array may be one value of a declared operator's.
        let whole = whole && matches!(clause, ReductionClause { op: ClauseOp::Declared(_), .. });
        !item.sections.is_empty() || element || known(item) && !whole
    };
    items.map(array).collect()
}

/// The same for an item of an inner loop.
pub fn is_array(item: &Item, body: &syn::Block) -> bool {
    !item.sections.is_empty() || assigned(item, body)[0]
}

/// Whether a body assigns elements of an item, and whether it assigns the whole.
fn assigned(item: &Item, body: &syn::Block) -> [bool; 2] {
    let key = item_key(item);
    let names = key.split('.').take(1).map(str::to_owned).collect();
    let all = uses::of_block(body, names);
    [true, false]
        .map(|element| all.iter().any(|u| u.key == key && u.statement.is_some() && u.element == element))
}

/// Whether an assignment updates an item by the clause's operator.
pub(super) fn fits(form: &Form, op: &ClauseOp) -> bool {
    match (form, op) {
        (Form::Constant(value), ClauseOp::Builtin(ReduceOp::Or)) => *value,
        (Form::Constant(value), ClauseOp::Builtin(ReduceOp::And)) => !*value,
        (Form::Update(u), op) if !u.effects && !u.shortens => match (&u.by, op) {
            (Operator::Builtin(ReduceOp::BitAnd), ClauseOp::Builtin(ReduceOp::And))
            | (Operator::Builtin(ReduceOp::BitOr), ClauseOp::Builtin(ReduceOp::Or))
            // rustc checks that the function is the operator.
            | (Operator::Calls(_), ClauseOp::Declared(_)) => true,
            (Operator::Builtin(by), ClauseOp::Builtin(op)) => by == op,
            (Operator::Declared(name), ClauseOp::Declared(path)) => {
                *name == path.to_token_stream().to_string().replace(' ', "")
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether an assignment combines an item by the clause's operator with what depends on the item as well.
pub(super) fn repeats(form: &Form, op: &ClauseOp) -> bool {
    matches!((form, op), (Form::Repeated(by), ClauseOp::Builtin(op)) if by == op)
}

/// How an assignment updates an item, if not by the clause's operator.
pub(super) fn otherwise(form: &Form, statement: Option<&Expr>, op: &ClauseOp) -> Option<Other> {
    let symbol_of = |form: &Form| match form {
        Form::Update(Update { by: Operator::Builtin(by), .. }) => Some(format!("`{}`", symbol(*by))),
        _ => None,
    };
    let effect = |e: &Expr| effects::of(e, updates::guarded(e), &|_| true).unwrap_or(Effect::Change);
    let how = match (form, statement?) {
        (Form::Keep | Form::Store | Form::Constant(_), _) => return None,
        (Form::Update(u), e @ (Expr::If(_) | Expr::Match(_))) if u.effects => {
            return Some(Other::Compares(effect(e)));
        }
        (_, Expr::Binary(b)) => format!("`{}`", b.op.to_token_stream()),
        (Form::Update(Update { by: Operator::Builtin(by), .. }), Expr::If(_) | Expr::Match(_)) => match op {
            ClauseOp::Builtin(_) => format!("`{}`", symbol(*by)),
            ClauseOp::Declared(_) => "a comparison".to_owned(),
        },
        (form, Expr::Assign(a)) => {
            let (item, right) = (updates::text(&a.left)?, forms::strip(&a.right));
            let shown = || format!("`{item} = {}`", as_written(right));
            match (form, op, right) {
                (Form::Elsewhere, ..) => {
                    let twice = updates::mentions(right, &item);
                    return twice.then_some(Other::Twice(Effect::Change));
                }
                (Form::Update(u), ClauseOp::Builtin(op), _) if u.shortens => format!(
                    "`{}` with an operand that changes something, but is not always evaluated",
                    symbol(*op)
                ),
                (Form::Update(u), _, right) if u.effects => match right {
                    Expr::If(_) | Expr::Match(_) => shown(),
                    _ => return None,
                },
                (_, ClauseOp::Declared(_), Expr::Call(c))
                    if c.args.len() == 2 && updates::text(&c.args[1]).is_some_and(|t| t == item) =>
                {
                    format!(
                        "`{}` with the item as the second operand, but it has to be the first",
                        c.func.to_token_stream()
                    )
                }
                (_, ClauseOp::Declared(path), _) => {
                    let name = as_written(&path.to_token_stream());
                    format!("{}, not by `{item} = {name}({item}, …)`", shown())
                }
                (form, ClauseOp::Builtin(_), _) => symbol_of(form).unwrap_or_else(shown),
            }
        }
        (form, _) => symbol_of(form)?,
    };
    Some(Other::Form(how))
}

/// Checks one item: at most one error, the most telling.
fn one(clause: &ReductionClause, item: &Item, all: &[update_form::Use], words: &Words<'_>, sink: &mut Sink) {
    let (key, op) = (item_key(item), &clause.spelled);
    let draft = words.draft;
    let place = |u: &update_form::Use| draft.tokens(u.accesses.last().copied(), u.src);
    let own: Vec<&update_form::Use> =
        all.iter().filter(|u| !matches!(u.kind, Kind::Assigned(Form::Keep))).collect();
    let right = |u: &update_form::Use| matches!(&u.kind, Kind::Assigned(form) if fits(form, &clause.op));
    let other = own.iter().filter(|u| !right(u)).find_map(|u| {
        let Kind::Assigned(form) = &u.kind else { return None };
        let statement = draft.statement(u.src, form);
        Some((*u, otherwise(form, statement.as_ref(), &clause.op)?, statement))
    });
    if let Some((u, how, statement)) = other {
        let at = statement.as_ref().map_or_else(|| place(u), ToTokens::to_token_stream);
        sink.error_at(
            Code::OtherOperator,
            at,
            format!("`{key}` is in `reduction({op}: …)`, but this updates it by {how}"),
        )
        .note(Some(clause.span), "the operator is named here")
        .note(None, forms(op))
        .help(how.remedy().or_else(|| by_bare_name(statement.as_ref()?, op)).unwrap_or_else(|| {
            match synonyms::operator(op).or_else(|| nearest(op, &["max", "min"]).filter(|n| n != op)) {
                Some(symbol) => {
                    format!("the built-in operator is written `{symbol}`: `reduction({symbol}: {key})`")
                }
                None => format!("update it by `{op}`, or name the operator of the update in the clause"),
            }
        }));
        return;
    }
    if let Some(stray) = own.iter().find(|u| !right(u)) {
        let updated = own.iter().any(|u| right(u));
        let stored = !matches!(stray.kind, Kind::Read);
        let what = if stored { "is stored" } else { "is read" };
        let between =
            if updated { "between its updates" } else { "in the loop, but never updated by its operator" };
        let statement = |u: &update_form::Use| draft.statement(u.src, u.form()?);
        let assigns = statement(stray);
        let of_both = matches!(&assigns, Some(Expr::Assign(a)) if matches!(&*a.right, Expr::Tuple(_) | Expr::Struct(_)));
        let replaced_by = |u: &&update_form::Use| match statement(u)? {
            Expr::Assign(a) => (updates::text(&a.left)? == key).then(|| as_written(&a.right)),
            _ => None,
        };
        let help = if stored && of_both && matches!(op.as_str(), "max" | "min") {
            format!(
                "a value with its place is reduced by an operator of your own, which takes and gives both: `#[omp::declare_reduction(better: Best, identity = …)]`, then `reduction(better: {key})` and `{key} = better({key}, …);`"
            )
        } else if stored {
            format!("assign `{key}` before the loop")
        } else if let Some(value) = own
            .iter()
            .filter(|u| !right(u))
            .find_map(replaced_by)
            .filter(|_| matches!(op.as_str(), "max" | "min"))
        {
            format!(
                "`{key} = {key}.{op}({value});` is an update: write it without the condition that reads `{key}`"
            )
        } else {
            format!(
                "read `{key}` after the loop; for the partial results of each iteration, a `scan` is what you want"
            )
        };
        let at = assigns.map_or_else(|| place(stray), ToTokens::into_token_stream);
        sink.error_at(
            Code::ReductionUse,
            at,
            format!("`{key}` is in `reduction({op}: …)`, but it {what} {between}"),
        )
        .note(None, "in the loop each thread has its own partial value")
        .note(None, forms(op))
        .help(help);
        return;
    }
    if overlaps_a_use(&key, &format!("reduction({op}: …)"), words.uses, sink) {
        return;
    }
    if own.is_empty() {
        never_updated(item, &key, op, sink);
    }
}

/// Reports an item that the loop does not use.
pub(super) fn never_updated(item: &Item, key: &str, op: &str, sink: &mut Sink) {
    sink.error(
        Code::ReductionUnused,
        item.span,
        format!("`{key}` is in `reduction({op}: …)`, but the loop never updates it"),
    )
    .help(format!("update it in the loop, or take `{key}` out of the clause"));
}

/// What to write for `m = max(m, e)`, where tokens don't show which function `max` is.
fn by_bare_name(statement: &Expr, op: &str) -> Option<String> {
    let Expr::Assign(assign) = statement else { return None };
    let Expr::Call(call) = forms::strip(&assign.right) else { return None };
    let Expr::Path(function) = &*call.func else { return None };
    let (item, args) = (as_written(&assign.left), call.args.iter().map(as_written).collect::<Vec<_>>());
    let [a, b] = &args[..] else { return None };
    let value = if *a == item { b } else { a };
    (matches!(op, "max" | "min") && function.path.is_ident(op) && (*a == item) != (*b == item)).then(|| {
        format!("a function called `{op}` need not be the standard library's: write `{item} = {item}.{op}({value});`, or `std::cmp::{op}`")
    })
}

/// Reports a use of the item under another name: of a part of it, or of a variable that it is a part of. Assignments of that kind
/// without a subscript are reported by the rule about shared variables.
fn overlaps_a_use(key: &str, clause: &str, uses: &Uses, sink: &mut Sink) -> bool {
    let scan = clause.starts_with("scan");
    let overlaps = |u: &&Use| {
        let part = covers(key, &u.key) && !scan;
        u.key != key && (part || covers(&u.key, key)) && u.how != How::Len && (u.element || !u.writes())
    };
    let Some(other) = uses.body.iter().find(overlaps) else { return false };
    let name = &other.key;
    let does = if other.writes() { "assigns" } else { "reads" };
    if covers(name, key) {
        let message = format!("`{key}` is in `{clause}`, but this {does} `{name}`, which it is a part of");
        sink.error_at(Code::ReductionUse, &other.tokens, message)
            .note(
                None,
                format!("in the loop each thread has its own `{key}`, and it is not the one in `{name}`"),
            )
            .help(format!(
                "name the fields, or bind the part of `{name}` that is needed by a `let` before the loop"
            ));
    } else {
        let message = format!("`{key}` is in `{clause}`, but this {does} `{name}`, a part of it");
        sink.error_at(Code::ReductionUse, &other.tokens, message)
            .note(None, "in the loop each thread has its own partial value")
            .help(format!(
                "read `{name}` after the loop; for what an iteration has found, use a variable of the body"
            ));
    }
    true
}

/// The forms that count as updates, for messages.
fn forms(op: &str) -> String {
    match op {
        "max" | "min" => format!(
            "updates by `{op}` are `s = s.{op}(e)` and `if e {} s {{ s = e }}`",
            if op == "max" { ">" } else { "<" }
        ),
        "-" => "updates by `-` are `s -= e` and `s = s - e`".into(),
        _ if op.starts_with(|c: char| c.is_alphabetic()) => {
            format!("updates by `{op}` are `s = {op}(s, e)`: the order of operands is kept")
        }
        "&&" => "updates by `&&` are `s = s && e` and `if c { s = false }`, of a bool".into(),
        "||" => "updates by `||` are `s = s || e` and `if c { s = true }`, of a bool".into(),
        _ => format!("updates by `{op}` are `s {op}= e`, `s = s {op} e` and `s = e {op} s`"),
    }
}
