//! The statements of a scan's loop in their order: what a part of the loop adds up to depends on some, the others wait
//! until the carried values are known.
use super::super::place;
use super::super::updates::{self, Form};
use super::Found;
use super::recurrence::forms;
use crate::ast::ReductionClause;
use crate::diag::{Code, Sink};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::Visit;
use syn::{Expr, Stmt};

/// Which statements a part's sum depends on: those that update, and what they compute with. What depends on a carried
/// value, or stores, waits until that value is known.
pub(super) fn classify(found: &mut Found, sink: &mut Sink) -> bool {
    let keys: Vec<String> = found.names.iter().filter_map(updates::text).collect();
    let mut tainted: BTreeSet<String> = keys.iter().cloned().collect();
    let (mut stored, mut read_back) = (BTreeSet::new(), BTreeSet::new());
    let mut locals = Locals::default();
    for (stmt, fold) in found.body.iter().zip(&mut found.fold) {
        let facts = facts(stmt, &found.clauses, &keys, &mut locals);
        if let Some(wrong) = facts.wrong {
            sink.error_at(Code::ScanPattern, &wrong.0, wrong.1)
                .note(None, forms(&found.clauses[0].spelled))
                .help("update the carried value by the scan's operator, and use it in statements of its own");
            return false;
        }
        if facts.updates {
            let carried = facts.reads.iter().find(|r| tainted.contains(*r) && !keys.contains(r));
            if let Some((what, help)) = wrong_update(&facts, carried, &stored, &read_back) {
                let what = format!("scan pattern not found: {what}");
                sink.error_at(Code::ScanPattern, written(stmt), what).help(help);
                return false;
            }
            *fold = true;
        } else {
            let depends = facts.reads.iter().any(|r| tainted.contains(r) || stored.contains(r));
            *fold = !depends && facts.stores.is_empty();
            if !*fold {
                if facts.reads.iter().any(|r| stored.contains(r) || read_back.contains(r)) {
                    read_back.extend(facts.binds.iter().cloned());
                }
                tainted.extend(facts.binds);
            }
        }
        stored.extend(facts.stores);
    }
    true
}

/// What is wrong with an update of a carried value, and what helps: it is computed from `carried`, from what the iteration
/// has `stored` before, by itself or under a name (`read_back`), or it stores.
fn wrong_update(
    facts: &Facts,
    carried: Option<&String>,
    stored: &BTreeSet<String>,
    read_back: &BTreeSet<String>,
) -> Option<(String, &'static str)> {
    let before = facts.reads.iter().find(|r| stored.contains(*r) || read_back.contains(*r));
    if let Some(name) = before {
        return Some((
            format!("the carried value is updated with `{name}`, which the same iteration has stored before"),
            "a scan adds up first and stores then: update with a variable, `let v = …;`, that is stored as well; what the scan itself stores is read in a loop of its own",
        ));
    }
    if let Some(name) = carried {
        return Some((
            format!("what is carried is updated with `{name}`, which depends on it"),
            "a scan's element depends on no carried value",
        ));
    }
    facts.stores.iter().next().map(|name| {
        (
            format!("the statement that updates the carried value stores to `{name}` as well"),
            "store in a statement of its own, after the update",
        )
    })
}

/// What of a statement the user has written, as far as it is known.
fn written(stmt: &Stmt) -> TokenStream {
    fn flat(tokens: TokenStream, out: &mut Vec<TokenTree>) {
        for tree in tokens {
            match tree {
                TokenTree::Group(g) => flat(g.stream(), out),
                other => out.push(other),
            }
        }
    }
    let mut all = Vec::new();
    flat(stmt.to_token_stream(), &mut all);
    let ours = Span::call_site().start();
    let users: TokenStream = all.into_iter().filter(|t| t.span().start() != ours).collect();
    if users.is_empty() { stmt.to_token_stream() } else { users }
}

/// What one statement does.
#[derive(Default)]
pub(super) struct Facts {
    pub(super) updates: bool,
    /// Names and arrays whose values are used, outside of updates of carried values.
    pub(super) reads: BTreeSet<String>,
    /// Captured arrays and variables that are assigned.
    pub(super) stores: BTreeSet<String>,
    /// Names that it binds, and local variables that it changes, as a whole or in part.
    pub(super) binds: BTreeSet<String>,
    pub(super) wrong: Option<(TokenStream, String)>,
}

/// Names that the statements so far bind, those of them that may be changed, and the places, by key and base, that some are
/// other names of.
#[derive(Default)]
pub(super) struct Locals {
    all: BTreeSet<String>,
    mutable: BTreeSet<String>,
    aliases: BTreeMap<String, (String, String)>,
}

/// Looks at the statement.
struct Walk<'a> {
    clauses: &'a [ReductionClause],
    keys: &'a [String],
    locals: &'a mut Locals,
    facts: Facts,
}
impl Walk<'_> {
    fn clause(&self, key: &str) -> &ReductionClause {
        let at = self.keys.iter().position(|k| k == key).unwrap_or(0);
        &self.clauses[at]
    }

    /// Key and base of a place, whatever its name here.
    fn known(&self, place: place::Place<'_>) -> (String, String) {
        self.locals.aliases.get(&place.base).cloned().unwrap_or((place.key, place.base))
    }

    /// What this leads to may be changed: a part of a local variable, or something captured.
    fn changes(&mut self, e: &Expr) {
        let Some(place) = place::of(e) else { return };
        let (key, base) = self.known(place);
        if self.locals.all.contains(&base) {
            self.facts.reads.insert(base.clone());
            self.facts.binds.insert(base);
        } else {
            self.facts.stores.insert(key);
        }
    }
}
impl<'ast> Visit<'ast> for Walk<'_> {
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        let name = p.ident.to_string();
        self.locals.all.insert(name.clone());
        if p.mutability.is_some() {
            self.locals.mutable.insert(name.clone());
        }
        self.facts.binds.insert(name);
    }
    fn visit_local(&mut self, l: &'ast syn::Local) {
        syn::visit::visit_local(self, l);
        let (syn::Pat::Ident(name), Some(init)) = (&l.pat, &l.init) else { return };
        if let Expr::Reference(r) = &*init.expr
            && r.mutability.is_some()
            && let Some(place) = place::of(&r.expr)
        {
            let known = self.known(place);
            self.locals.mutable.insert(name.ident.to_string());
            self.locals.aliases.insert(name.ident.to_string(), known);
        }
    }
    fn visit_expr_reference(&mut self, r: &'ast syn::ExprReference) {
        if r.mutability.is_some() {
            self.changes(&r.expr);
        }
        syn::visit::visit_expr_reference(self, r);
    }
    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if place::of(&call.receiver).is_some_and(|p| self.locals.mutable.contains(&p.base)) {
            self.changes(&call.receiver);
        }
        syn::visit::visit_expr_method_call(self, call);
    }
    fn visit_expr(&mut self, e: &'ast Expr) {
        if let Some(target) = updates::target(e) {
            let text = updates::text(target).unwrap_or_default();
            if self.keys.contains(&text) {
                match updates::read(e, &text, &self.clause(&text).op) {
                    Form::Update(operands) => {
                        self.facts.updates = true;
                        operands.into_iter().for_each(|o| self.visit_expr(o));
                    }
                    Form::Other(how) => {
                        let by = &self.clause(&text).spelled;
                        self.facts.wrong = Some((
                            e.to_token_stream(),
                            format!(
                                "scan pattern not found: the `scan` is by `{by}`, but `{text}` is carried by {how}"
                            ),
                        ));
                    }
                    Form::Store => {
                        self.facts.wrong = Some((
                            e.to_token_stream(),
                            format!("scan pattern not found: `{text}` is carried, but this overwrites it"),
                        ));
                    }
                }
                return;
            }
            if let Some(place) = place::of(target) {
                place.subscripts.iter().for_each(|s| self.visit_expr(s));
                let whole = place.subscripts.is_empty() && place.key == place.base;
                let alias = self.locals.aliases.contains_key(&place.base);
                if alias || (self.locals.all.contains(&place.base) && !whole) {
                    // A part of a local variable: the others stay.
                    self.changes(target);
                } else if place.subscripts.is_empty() {
                    self.facts.binds.insert(place.key);
                } else {
                    self.facts.stores.insert(place.key);
                }
            }
            match e {
                Expr::Assign(a) => self.visit_expr(&a.right),
                Expr::Binary(b) => {
                    self.visit_expr(&b.right);
                    let own = place::of(&b.left).map(|p| p.key).unwrap_or_default();
                    self.facts.reads.insert(own);
                }
                _ => syn::visit::visit_expr(self, e),
            }
            return;
        }
        if let Some(place) = place::of(e) {
            place.subscripts.iter().for_each(|s| self.visit_expr(s));
            self.facts.reads.insert(place.key.clone());
            self.facts.reads.insert(place.base.clone());
            let (key, base) = self.known(place);
            self.facts.reads.extend([key, base]);
            return;
        }
        syn::visit::visit_expr(self, e);
    }
}

pub(super) fn facts(stmt: &Stmt, clauses: &[ReductionClause], keys: &[String], locals: &mut Locals) -> Facts {
    let mut walk = Walk { clauses, keys, locals, facts: Facts::default() };
    walk.visit_stmt(stmt);
    walk.facts
}
