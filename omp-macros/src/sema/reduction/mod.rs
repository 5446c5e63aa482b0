//! Reduction variables: only updates by their operator may use them.
pub(super) mod argmax;
pub mod updates;

use super::syntax::place;
use super::syntax::place::{covers, item_key};
use super::syntax::scope;
use super::syntax::scope::Scopes;
use crate::sema::CheckedRegion;

use super::syntax::uses::{How, Use, Uses};
use crate::ast::{ClauseOp, Item, ReductionClause};
use crate::diag::{Code, Sink, nearest};
use crate::parse::source::as_written;
use crate::parse::synonyms;
use proc_macro2::Span;
use syn::visit_mut::{self, VisitMut};

/// Checks all items of a region but those that are `known` to be wrong. Returns the variables that misspelt items mean: what
/// the body does with them is no mistake of its own.
pub fn check(region: &CheckedRegion, uses: &Uses, known: &[String], sink: &mut Sink) -> Vec<String> {
    let mut meant = Vec::new();
    // What a scan carries was checked when it was found, but for what it is a part of.
    let (scans, others): (Vec<_>, Vec<_>) =
        region.directive.clauses.reductions.iter().partition(|c| c.inscan);
    for (clause, item) in scans.into_iter().flat_map(|c| c.items.iter().map(move |item| (c, item))) {
        beside(&item_key(item), &format!("scan({}: …)", clause.spelled), uses, sink);
    }
    for clause in others {
        for item in clause.items.iter().filter(|item| !known.contains(&item_key(item))) {
            match misspelt(region, item, uses) {
                Some(name) => {
                    let message = format!("there is no variable `{}` to reduce", item.key);
                    sink.error(Code::ReductionUnused, item.span, message).help(match &name {
                        Some(name) => format!("did you mean `{name}`?"),
                        None => "name the variable that the loop updates".to_owned(),
                    });
                    meant.extend(name);
                }
                None => match by_fields(item, uses) {
                    fields if fields.is_empty() => one(clause, item, uses, sink),
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

/// Checks the items of an inner loop.
pub fn inner(clauses: &[ReductionClause], uses: &Uses, sink: &mut Sink) {
    for clause in clauses {
        for item in &clause.items {
            one(clause, item, uses, sink);
        }
    }
}

/// Where no variable has the item's name: the one that the body updates and the item nearly names, or the only one that it
/// updates.
fn misspelt(region: &CheckedRegion, item: &Item, uses: &Uses) -> Option<Option<String>> {
    let key = item_key(item);
    if key.contains('.') || region.context.names.contains(&key) {
        return None;
    }
    let reduced = |k: &str| {
        region.directive.clauses.reductions.iter().any(|r| r.items.iter().any(|i| item_key(i) == k))
    };
    let updated: Vec<&str> = uses.body.iter().filter(|u| u.writes()).map(|u| u.key.as_str()).collect();
    let mut updates = uses.body.iter().filter(|u| u.looks_like.is_some() && !reduced(&u.key));
    let only = updates.next().filter(|first| updates.all(|u| u.key == first.key)).map(|u| u.key.as_str());
    match nearest(&key, &updated).or(only) {
        Some(name) if name == key => None,
        Some(name) => Some(Some(name.to_owned())),
        // A static may have the name.
        None if key.starts_with(char::is_lowercase) && !updated.contains(&key.as_str()) => Some(None),
        None => None,
    }
}

/// What lowering wants to know of an item.
#[derive(Default)]
pub struct Facts {
    /// Its elements are reduced, each by itself.
    pub array: bool,
    /// Some update has the item on the right of the operator, or subtracts.
    pub turned: bool,
    /// The loops go in another order than they stand in, and so do the updates.
    pub moved: bool,
    /// Functions that update it under other paths than the clause's.
    pub names: Vec<syn::Path>,
    /// Updates that would store a NaN.
    pub unordered: Vec<Span>,
}

/// The facts of all items, clause by clause.
pub fn facts(region: &CheckedRegion) -> Vec<Facts> {
    let clauses = &region.directive.clauses.reductions;
    let mut facts = facts_of(clauses, &region.body, &region.context.array_names);
    facts.iter_mut().for_each(|f| f.moved = region.moved);
    facts
}

/// The same for the clauses of any loop; `arrays` are names of arrays for sure.
pub fn facts_of(clauses: &[ReductionClause], body: &syn::Block, arrays: &[String]) -> Vec<Facts> {
    let items = clauses.iter().flat_map(|c| c.items.iter().map(move |item| (c, item)));
    let facts = items.map(|(clause, item)| {
        let mut found = Find {
            key: item_key(item),
            clause,
            facts: Facts { array: !item.sections.is_empty(), ..Facts::default() },
            whole: false,
            hidden: Vec::new(),
        };
        VisitMut::visit_block_mut(&mut found, &mut body.clone());
        // A fixed array may be one value of a declared operator's.
        found.facts.array |= arrays.contains(&found.key) && !found.whole;
        found.facts
    });
    facts.collect()
}

/// Looks for the updates of one item.
struct Find<'a> {
    key: String,
    clause: &'a ReductionClause,
    facts: Facts,
    /// A declared operator takes and gives it as one value.
    whole: bool,
    /// Names that stand for something else.
    hidden: Vec<String>,
}

impl Scopes for Find<'_> {
    fn hidden(&mut self) -> &mut Vec<String> {
        &mut self.hidden
    }
}

impl VisitMut for Find<'_> {
    scope::visits!();

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        if let Some(target) = updates::target(e)
            && let Some(place) = place::of(target)
            && place.key == self.key
            && !self.hidden.iter().any(|name| covers(name, &self.key))
        {
            let text = updates::text(target).unwrap_or_default();
            self.facts.array |= !place.subscripts.is_empty();
            match &self.clause.op {
                ClauseOp::Builtin(_) => {
                    self.facts.turned |= updates::turned(e, &text);
                    let unordered = updates::takes_unordered(e, &text);
                    self.facts.unordered.extend(unordered);
                }
                ClauseOp::Declared(name) => {
                    self.whole |= place.subscripts.is_empty();
                    let others = updates::called_functions(e).into_iter().filter(|path| *path != name);
                    self.facts.names.extend(others.cloned());
                }
            }
        }
        visit_mut::visit_expr_mut(self, e);
    }
}

/// Checks one item: at most one error, the most telling.
fn one(clause: &ReductionClause, item: &Item, uses: &Uses, sink: &mut Sink) {
    let (key, op) = (item_key(item), &clause.spelled);
    let own: Vec<&Use> = uses.body.iter().filter(|u| u.key == key).collect();
    if let Some((other, how)) = own.iter().find_map(|u| match &u.how {
        How::OtherUpdate(how) => Some((u, how)),
        _ => None,
    }) {
        let at = other.statement.clone().unwrap_or_else(|| other.tokens.clone());
        sink.error_at(
            Code::OtherOperator,
            at,
            format!("`{key}` is in `reduction({op}: …)`, but this updates it by {how}"),
        )
        .note(Some(clause.span), "the operator is named here")
        .note(None, forms(op))
        .help(how.remedy().or_else(|| by_bare_name(other, op)).unwrap_or_else(|| {
            match synonyms::operator(op).or_else(|| nearest(op, &["max", "min"]).filter(|n| n != op)) {
                Some(symbol) => {
                    format!("the built-in operator is written `{symbol}`: `reduction({symbol}: {key})`")
                }
                None => format!("update it by `{op}`, or name the operator of the update in the clause"),
            }
        }));
        return;
    }
    let updated = own.iter().any(|u| u.how == How::Reduced);
    let array = own.iter().any(|u| u.element);
    if let Some(stray) = own.iter().find(|u| u.how != How::Reduced && !(array && u.how == How::Len)) {
        let stored = matches!(stray.how, How::Write | How::Update);
        let what = if stored { "is stored" } else { "is read" };
        let between =
            if updated { "between its updates" } else { "in the loop, but never updated by its operator" };
        let at = if stored { stray.statement.clone() } else { None }.unwrap_or_else(|| stray.tokens.clone());
        let of_both = stray.statement.as_ref().and_then(|s| syn::parse2::<syn::ExprAssign>(s.clone()).ok());
        let of_both =
            of_both.is_some_and(|a| matches!(&*a.right, syn::Expr::Tuple(_) | syn::Expr::Struct(_)));
        let help = if stored && of_both && matches!(op.as_str(), "max" | "min") {
            format!(
                "a value with its place is reduced by an operator of your own, which takes and gives both: `#[omp::declare_reduction(better: Best, identity = …)]`, then `reduction(better: {key})` and `{key} = better({key}, …);`"
            )
        } else if stored {
            format!("assign `{key}` before the loop")
        } else if let Some(value) =
            own.iter().find_map(|u| replaced_by(u)).filter(|_| matches!(op.as_str(), "max" | "min"))
        {
            format!(
                "`{key} = {key}.{op}({value});` is an update: write it without the condition that reads `{key}`"
            )
        } else {
            format!(
                "read `{key}` after the loop; for the partial results of each iteration, a `scan` is what you want"
            )
        };
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
    if beside(&key, &format!("reduction({op}: …)"), uses, sink) {
        return;
    }
    if own.is_empty() {
        sink.error(
            Code::ReductionUnused,
            item.span,
            format!("`{key}` is in `reduction({op}: …)`, but the loop never updates it"),
        )
        .help(format!("update it in the loop, or take `{key}` out of the clause"));
    }
}

/// What to write for `m = max(m, e)` where nothing tells whose function that is.
fn by_bare_name(u: &Use, op: &str) -> Option<String> {
    let assign = syn::parse2::<syn::ExprAssign>(u.statement.clone()?).ok()?;
    let syn::Expr::Call(call) = updates::strip(&assign.right) else { return None };
    let syn::Expr::Path(function) = &*call.func else { return None };
    let (item, args) = (as_written(&assign.left), call.args.iter().map(as_written).collect::<Vec<_>>());
    let [a, b] = &args[..] else { return None };
    let value = if *a == item { b } else { a };
    (matches!(op, "max" | "min") && function.path.is_ident(op) && (*a == item) != (*b == item)).then(|| {
        format!("a function by its bare name may be anybody's: write `{item} = {item}.{op}({value});`, or `std::cmp::{op}`")
    })
}

/// What a variable is assigned, where that is not made from its old value.
fn replaced_by(u: &Use) -> Option<String> {
    let assign = syn::parse2::<syn::ExprAssign>(u.statement.clone()?).ok()?;
    (u.how == How::Write && updates::text(&assign.left)? == u.key).then(|| as_written(&assign.right))
}

/// Reports a use of the item under another name: of a part of it, or of what it is a part of. What is assigned so without a
/// subscript is for the rule about shared variables to tell.
fn beside(key: &str, clause: &str, uses: &Uses, sink: &mut Sink) -> bool {
    let scan = clause.starts_with("scan");
    let beside = |u: &&Use| {
        let part = covers(key, &u.key) && !scan;
        u.key != key && (part || covers(&u.key, key)) && u.how != How::Len && (u.element || !u.writes())
    };
    let Some(other) = uses.body.iter().find(beside) else { return false };
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

/// What counts as an update.
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
