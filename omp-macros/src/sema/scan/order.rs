//! Which statements of a scan's loop compute its operands, and which need the carried values and so run after the scan.
use super::SplitBody;
use super::recurrence::forms;
use crate::ast::ReductionClause;
use crate::diag::{Code, Sink};
use crate::sema::accesses::atomic;
use crate::sema::accesses::atomic::Access;
use crate::sema::reduction::updates;
use crate::sema::reduction::updates::Form;
use crate::sema::syntax::place;
use crate::sema::syntax::place::covers;
use omp_ir::method::Method;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::Visit;
use syn::{Expr, Stmt};

/// How the names of carried elements begin.
pub(super) const HIDDEN: &str = "__scan";
/// How the names of conditions begin that [`super::split`] makes.
pub(super) const WHEN: &str = "__omp_when";

/// Which statements a part's sum depends on: those that update, and what they compute with. What depends on a carried
/// value, or stores, waits until that value is known.
pub(super) fn classify(found: &mut SplitBody, sink: &mut Sink) -> bool {
    let keys: Vec<String> = found.names.iter().filter_map(updates::text).collect();
    let mut tainted: BTreeSet<String> = keys.iter().cloned().collect();
    let (mut stored, mut read_back) = (BTreeSet::new(), BTreeSet::new());
    let mut locals = Locals::default();
    let among = |names: &BTreeSet<String>, read: &String| names.iter().any(|name| overlap(name, read));
    for (stmt, fold) in found.body.iter().zip(&mut found.fold) {
        let facts = facts(stmt, &found.clauses, &keys, &mut locals);
        if let Some(wrong) = facts.wrong {
            sink.error_at(Code::ScanPattern, &wrong.0, wrong.1)
                .note(None, forms(&found.clauses[0].spelled))
                .help("update the carried value by the scan's operator, and use it in statements of its own");
            return false;
        }
        if facts.updates {
            let carried = facts.reads.iter().find(|r| among(&tainted, r));
            if let Some((what, help)) = wrong_update(&facts, carried, &stored, &read_back) {
                let what = format!("scan pattern not found: {what}");
                sink.error_at(Code::ScanPattern, written(stmt), what).help(help);
                return false;
            }
            *fold = true;
        } else {
            let depends = facts.reads.iter().any(|r| among(&tainted, r) || among(&stored, r));
            *fold = !depends && facts.stores.is_empty();
            if !*fold {
                if facts.reads.iter().any(|r| among(&stored, r) || among(&read_back, r)) {
                    read_back.extend(facts.binds.iter().cloned());
                }
                tainted.extend(facts.binds);
            }
        }
        stored.extend(facts.stores);
    }
    true
}

/// Whether one of two places is the other or a part of it.
fn overlap(a: &str, b: &str) -> bool {
    covers(a, b) || covers(b, a)
}

/// What is wrong with an update of a carried value, and what helps: it is computed from `carried`, from what the iteration
/// has `stored` before, by itself or under a name (`read_back`), or it stores.
fn wrong_update(
    facts: &Facts,
    carried: Option<&String>,
    stored: &BTreeSet<String>,
    read_back: &BTreeSet<String>,
) -> Option<(String, &'static str)> {
    let before = facts.reads.iter().find(|r| stored.iter().chain(read_back).any(|name| overlap(name, r)));
    if let Some(name) = before {
        return Some((
            format!("the operand of the update is `{name}`, which the same iteration stores before"),
            "a scan adds up first and stores then: update with a variable, `let v = …;`, that is stored as well; what the scan itself stores is read in a loop of its own",
        ));
    }
    if let Some(name) = facts.stores.first() {
        return Some((
            format!("the statement that updates the carried value stores to `{name}` as well"),
            "store in a statement of its own: before the update what uses the value before it (`if c { y[n] = x[i]; }`, then `n += usize::from(c);`), after it what uses the value after",
        ));
    }
    carried.map(|name| match name {
        name if name.starts_with(WHEN) => (
            "a condition decides whether what is carried is updated, and depends on it".to_owned(),
            "a scan's element depends on no carried value: update under conditions on the iteration's own values, and test what is carried where it is used (`if c && n < y.len() { y[n] = …; }`, then `n += usize::from(c);`)",
        ),
        name if name.starts_with(HIDDEN) => (
            "the operand or the condition of the update depends on the carried element".to_owned(),
            "a scan's element depends on no carried value: nothing but the update reads the element before",
        ),
        name => (
            format!("the operand or the condition of the update depends on the carried value, through `{name}`"),
            "a scan's element depends on no carried value",
        ),
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
#[derive(Clone, Default)]
pub(super) struct Locals {
    all: BTreeSet<String>,
    mutable: BTreeSet<String>,
    aliases: BTreeMap<String, (String, String)>,
}

/// A `&mut` in a value that is kept: one that no call takes.
fn kept(value: &Expr) -> Option<&syn::ExprReference> {
    struct Find<'a>(Option<&'a syn::ExprReference>);
    impl<'ast> Visit<'ast> for Find<'ast> {
        fn visit_expr_reference(&mut self, r: &'ast syn::ExprReference) {
            match r.mutability {
                Some(_) => self.0 = Some(r),
                None => syn::visit::visit_expr_reference(self, r),
            }
        }
        fn visit_expr_call(&mut self, _: &'ast syn::ExprCall) {}
        fn visit_expr_method_call(&mut self, _: &'ast syn::ExprMethodCall) {}
        // It is looked at by itself.
        fn visit_local(&mut self, _: &'ast syn::Local) {}
    }
    let mut find = Find(None);
    find.visit_expr(value);
    find.0
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
        self.carried_part(e, &key);
        if self.locals.all.contains(&base) {
            self.facts.reads.insert(base.clone());
            self.facts.binds.insert(base);
        } else {
            self.facts.stores.insert(key);
        }
    }

    /// What is carried changes by its updates alone.
    fn carried_part(&mut self, e: &Expr, key: &str) {
        if let Some(carried) = self.keys.iter().find(|k| overlap(k, key)) {
            let what =
                format!("scan pattern not found: `{carried}` is carried, but this changes it in another way");
            self.facts.wrong.get_or_insert((e.to_token_stream(), what));
        }
    }

    /// A place is assigned. (An update of what is carried is none of these.)
    fn assigned(&mut self, target: &Expr) {
        let Some(place) = place::of(target) else {
            match target {
                Expr::Tuple(t) => t.elems.iter().for_each(|e| self.assigned(e)),
                Expr::Array(a) => a.elems.iter().for_each(|e| self.assigned(e)),
                Expr::Struct(s) => s.fields.iter().for_each(|f| self.assigned(&f.expr)),
                Expr::Call(c) => c.args.iter().for_each(|e| self.assigned(e)),
                Expr::Infer(_) | Expr::Range(_) => {}
                other => self.visit_expr(other),
            }
            return;
        };
        place.subscripts.iter().for_each(|s| self.visit_expr(s));
        let whole = place.subscripts.is_empty() && place.key == place.base;
        let alias = self.locals.aliases.contains_key(&place.base);
        if alias || (self.locals.all.contains(&place.base) && !whole) {
            // A part of a local variable: the others stay.
            self.changes(target);
        } else {
            self.carried_part(target, &place.key);
            let names =
                if place.subscripts.is_empty() { &mut self.facts.binds } else { &mut self.facts.stores };
            names.insert(place.key);
        }
    }

    /// A method that is called for no value changes its receiver.
    fn called(&mut self, e: &Expr, no_value: bool) {
        if let Expr::MethodCall(call) = updates::strip(e)
            && (no_value || !Method::is_name(&call.method.to_string(), call.args.len() + 1))
        {
            self.changes(&call.receiver);
        }
    }

    fn atomic(&mut self, access: &Access<'_>) {
        match access {
            // What is accessed atomically is accessed once: a second time it may be another.
            Access::Read(place) => {
                self.visit_expr(place);
                self.changes(place);
            }
            Access::Change(change) => {
                change.operands.iter().for_each(|s| self.visit_stmt(s));
                self.visit_expr(change.new);
                self.visit_expr(change.place);
                self.changes(change.place);
            }
        }
    }
}
impl<'ast> Visit<'ast> for Walk<'_> {
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        let name = p.ident.to_string();
        self.locals.aliases.remove(&name);
        self.locals.all.insert(name.clone());
        if p.mutability.is_some() {
            self.locals.mutable.insert(name.clone());
        }
        self.facts.binds.insert(name);
    }
    fn visit_local(&mut self, l: &'ast syn::Local) {
        let Some(init) = &l.init else { return self.visit_pat(&l.pat) };
        self.visit_expr(&init.expr);
        if let Some((_, diverge)) = &init.diverge {
            self.visit_expr(diverge);
        }
        let referred = match &*init.expr {
            Expr::Reference(r) if r.mutability.is_some() => place::of(&r.expr).map(|place| self.known(place)),
            _ => None,
        };
        self.visit_pat(&l.pat);
        if let (syn::Pat::Ident(name), Some(known)) = (&l.pat, referred) {
            self.locals.mutable.insert(name.ident.to_string());
            self.locals.aliases.insert(name.ident.to_string(), known);
        } else if let Some(r) = kept(&init.expr) {
            let what = "scan pattern not found: this `&mut` may change a carried value under another name";
            self.facts.wrong.get_or_insert((r.to_token_stream(), what.to_owned()));
        }
    }
    fn visit_block(&mut self, b: &'ast syn::Block) {
        self.scoped(|w| syn::visit::visit_block(w, b));
    }
    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        if let Stmt::Expr(e, end) = stmt {
            self.called(e, end.is_some());
        }
        syn::visit::visit_stmt(self, stmt);
    }
    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.scoped(|w| {
            syn::visit::visit_pat(w, &arm.pat);
            w.called(&arm.body, false);
            syn::visit::visit_arm(w, arm);
        });
    }
    /// What a condition binds is hidden from `else`.
    fn visit_expr_if(&mut self, i: &'ast syn::ExprIf) {
        self.scoped(|w| {
            w.visit_expr(&i.cond);
            w.visit_block(&i.then_branch);
        });
        if let Some((_, els)) = &i.else_branch {
            self.visit_expr(els);
        }
    }
    fn visit_expr_reference(&mut self, r: &'ast syn::ExprReference) {
        if r.mutability.is_some() {
            self.changes(&r.expr);
        }
        syn::visit::visit_expr_reference(self, r);
    }
    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let swaps = call.method == "swap" && call.args.len() == 2;
        if place::of(&call.receiver).is_some_and(|p| swaps || self.locals.mutable.contains(&p.base)) {
            self.changes(&call.receiver);
        }
        syn::visit::visit_expr_method_call(self, call);
    }
    fn visit_expr(&mut self, e: &'ast Expr) {
        if let Some(access) = atomic::of(e) {
            return self.scoped(|w| w.atomic(&access));
        }
        // Names that patterns in these bind end with them.
        if matches!(e, Expr::If(_) | Expr::Match(_) | Expr::While(_) | Expr::ForLoop(_)) {
            return self.scoped(|w| w.value(e));
        }
        self.value(e);
    }
}

impl Walk<'_> {
    fn scoped(&mut self, walk: impl FnOnce(&mut Self)) {
        let around = self.locals.clone();
        walk(self);
        *self.locals = around;
    }

    fn value(&mut self, e: &Expr) {
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
            self.assigned(target);
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
        if let Expr::Assign(a) = e {
            // Several places at once.
            self.visit_expr(&a.right);
            return self.assigned(&a.left);
        }
        if let Some(place) = place::of(e) {
            place.subscripts.iter().for_each(|s| self.visit_expr(s));
            self.facts.reads.insert(place.key.clone());
            let (key, _) = self.known(place);
            self.facts.reads.insert(key);
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
