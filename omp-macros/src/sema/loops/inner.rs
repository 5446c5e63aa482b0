//! Inner loops with directives: their clauses, and the variables that their iterations share.
use super::early_exit;
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
use crate::sema::syntax::names;
use crate::sema::syntax::place::{any_covers, covers, item_key};
use crate::sema::syntax::uses;
use crate::sema::syntax::uses::{Use, Uses};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Pat};

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
        early_exit::inner(inner, sink);
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
        if inner.directive.kind == DirectiveKind::ParallelFor
            && local_arrays(inner, &uses, outer, draft, sink)
        {
            whole.push(n);
        }
    }
    whole
}

/// Whether a loop writes arrays that are declared in the outer loop; if its iterations may share elements of one, it is reported. (A slice is a
/// part of a mapped array.)
fn local_arrays(
    inner: &InnerLoop,
    uses: &Uses,
    outer: &Uses,
    draft: &LazyDraft<'_>,
    sink: &mut Sink,
) -> bool {
    let c = &inner.directive.clauses;
    let copied = |key: &str| {
        [&c.private, &c.firstprivate].iter().any(|l| any_covers(l, key))
            || c.reductions.iter().any(|r| any_covers(&r.items, key))
    };
    let captured = |u: &Use| outer.body.iter().any(|o| covers(&o.key, &u.key));
    let (mut done, mut writes): (Vec<&str>, bool) = (Vec::new(), false);
    for write in uses.body.iter().filter(|u| u.element && u.writes() && !captured(u) && !copied(&u.key)) {
        if done.contains(&write.key.as_str()) {
            continue;
        }
        done.push(&write.key);
        if draft.is_part(&write.key) {
            continue;
        }
        writes = true;
        if own_elements(inner, uses, &write.key) {
            continue;
        }
        let (text, name, key) = (as_written(&write.tokens), &inner.directive.name, &write.key);
        let message = format!(
            "race: the iterations of this `{name}` share `{key}`, a local of the outer loop, and nothing shows that `{text}` are different elements (write/write)"
        );
        sink.error_at(Code::ScalarRace, &write.tokens, message).help(format!(
            "let the variables of the inner loop be subscripts of `{key}`, the same ones wherever the loop names it; declare `{key}` inside the \
             inner loop; or leave the inner loop sequential"
        ));
    }
    writes
}

/// Whether each iteration accesses elements of its own: each variable of the loop is a subscript, the same one in all accesses.
fn own_elements(inner: &InnerLoop, uses: &Uses, key: &str) -> bool {
    let subscripts = |u: &Use| -> Option<Vec<String>> {
        let mut place: Expr = syn::parse2(u.tokens.clone()).ok()?;
        let mut found = Vec::new();
        while let Expr::Index(x) = place {
            found.push(x.index.to_token_stream().to_string());
            place = *x.expr;
        }
        found.reverse();
        Some(found)
    };
    let accesses: Option<Vec<Vec<String>>> =
        uses.body.iter().filter(|u| covers(&u.key, key) || covers(key, &u.key)).map(subscripts).collect();
    let Some(accesses) = accesses else { return false };
    inner.loops.iter().all(|l| {
        let var = l.var.as_ref().map(ToString::to_string);
        let var = var.filter(|var| !Rebound::names(&inner.body, var, key));
        var.is_some_and(|var| {
            let at = accesses.first().and_then(|first| first.iter().position(|s| *s == var));
            at.is_some_and(|at| accesses.iter().all(|subscripts| subscripts.get(at) == Some(&var)))
        })
    })
}

/// Finds a name where another name means something else than around the body.
struct Rebound<'n> {
    name: &'n str,
    /// The start of a key.
    base: &'n str,
    hidden: bool,
    found: bool,
}

impl<'n> Rebound<'n> {
    /// Whether the body names the start of `key` where it binds `name` itself.
    fn names(body: &Block, name: &'n str, key: &'n str) -> bool {
        let base = key.split('.').next().unwrap_or(key);
        let mut find = Self { name, base, hidden: false, found: false };
        find.visit_block(body);
        find.found
    }

    fn binds(&self, pat: &Pat) -> bool {
        names::bound(pat).iter().any(|bound| bound == self.name)
    }

    /// What a pattern binds is hidden behind it.
    fn behind(&mut self, pat: &Pat, visit: impl FnOnce(&mut Self)) {
        let around = self.hidden;
        self.hidden |= self.binds(pat);
        visit(self);
        self.hidden = around;
    }
}

impl<'ast> Visit<'ast> for Rebound<'_> {
    fn visit_block(&mut self, b: &'ast Block) {
        let around = self.hidden;
        visit::visit_block(self, b);
        self.hidden = around;
    }
    fn visit_local(&mut self, l: &'ast syn::Local) {
        visit::visit_local(self, l);
        self.hidden |= self.binds(&l.pat);
    }
    fn visit_expr_for_loop(&mut self, f: &'ast syn::ExprForLoop) {
        self.visit_expr(&f.expr);
        self.behind(&f.pat, |this| this.visit_block(&f.body));
    }
    fn visit_expr_closure(&mut self, c: &'ast syn::ExprClosure) {
        let around = self.hidden;
        self.hidden |= c.inputs.iter().any(|pat| self.binds(pat));
        self.visit_expr(&c.body);
        self.hidden = around;
    }
    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.behind(&arm.pat, |this| visit::visit_arm(this, arm));
    }
    fn visit_expr_let(&mut self, l: &'ast syn::ExprLet) {
        visit::visit_expr_let(self, l);
        // (To the end of the block: more than is hidden.)
        self.hidden |= self.binds(&l.pat);
    }
    fn visit_expr_path(&mut self, p: &'ast syn::ExprPath) {
        self.found |= self.hidden && p.path.is_ident(self.base);
    }
    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        let words = crate::parse::tokens::source::words(m.tokens.clone());
        self.found |= self.hidden && words.iter().any(|word| word == self.base);
    }
}
