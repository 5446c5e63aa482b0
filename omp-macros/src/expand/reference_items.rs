//! Reduction variables that are references: `reduction(+: total)` where the loop updates `*total`.
//!
//! The value is copied to a variable of the same name before the region, and back after it. The variable has the
//! hygiene of the macro, so it hides no name of the user.
use crate::ast::{Directive, Item};
use crate::diag::{Code, Sink};
use crate::parse::tokens::leaves::regrouped;
use crate::sema::syntax::forms::as_name;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprForLoop, UnOp};

/// Gives the items that the loop dereferences variables of their own: the names of these. `task`: the region ends later.
pub(super) fn take(
    f: &mut ExprForLoop,
    directive: &mut Directive,
    task: bool,
    sink: &mut Sink,
) -> Vec<Ident> {
    let clauses = &mut directive.clauses;
    let mut search = Search::default();
    search.visit_expr_for_loop(f);
    let Search { mut read, mut assigned, bound } = search;
    read.retain(|name| !bound.contains(name));
    assigned.retain(|name| !bound.contains(name));
    let carries = clauses.scans.iter().any(|s| s.items.is_empty());
    let combined = clauses.reductions.iter_mut().chain(&mut clauses.scans).flat_map(|r| &mut r.items);
    let items = combined.chain(&mut clauses.lastprivate);
    let items =
        items.filter(|i| i.sections.is_empty() && as_name(&i.place).is_some_and(|n| read.contains(n)));
    let mut taken = Vec::new();
    for item in items {
        if task {
            report(item, sink);
            return Vec::new();
        }
        let user = as_name(&item.place).expect("looked at before").clone();
        let own = located(&user);
        item.place = syn::parse_quote!(#own);
        taken.push(user);
    }
    if carries && !task {
        // A scan without items carries the scalars that its loop assigns.
        taken.extend(assigned);
    }
    if !taken.is_empty() {
        Rename(taken.iter().map(Ident::to_string).collect()).visit_expr_for_loop_mut(f);
    }
    taken
}

fn report(item: &Item, sink: &mut Sink) {
    let name = &item.key;
    sink.error(
        Code::UnsupportedExpr,
        item.span,
        format!("`{name}` is a reference: a task can't give its value back through it"),
    )
    .help(format!(
        "reduce a variable: `let mut sum = *{name};` before it, `*{name} = sum;` after the wait, and `sum` in the clause and the loop"
    ));
}

/// Puts the variables around the region.
pub(super) fn wrap(taken: &[Ident], e: &mut Expr) {
    if taken.is_empty() {
        return;
    }
    let own: Vec<_> = taken.iter().map(located).collect();
    *e = syn::parse_quote!({
        #(let mut #own = *#taken;)*
        #e;
        #(*#taken = #own;)*
    });
}

/// `*name`: the name.
fn dereferenced(e: &Expr) -> Option<&Ident> {
    match e {
        Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => as_name(&u.expr),
        _ => None,
    }
}

/// The same name, as a generated one.
fn located(name: &Ident) -> Ident {
    let mut own = name.clone();
    own.set_span(Span::mixed_site().located_at(name.span()));
    own
}

/// The names that a loop dereferences, and those that it binds itself.
#[derive(Default)]
struct Search {
    read: HashSet<Ident>,
    assigned: Vec<Ident>,
    bound: HashSet<Ident>,
}

impl<'ast> Visit<'ast> for Search {
    fn visit_expr(&mut self, e: &'ast Expr) {
        let left = match e {
            Expr::Assign(a) => Some(&a.left),
            Expr::Binary(b) if matches!(b.op, syn::BinOp::AddAssign(_) | syn::BinOp::MulAssign(_)) => {
                Some(&b.left)
            }
            _ => None,
        };
        if let Some(name) = left.and_then(|e| dereferenced(e))
            && !self.assigned.contains(name)
        {
            self.assigned.push(name.clone());
        }
        self.read.extend(dereferenced(e).cloned());
        visit::visit_expr(self, e);
    }

    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.bound.insert(p.ident.clone());
        visit::visit_pat_ident(self, p);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// Puts the variables in the place of what the references refer to.
struct Rename(Vec<String>);

impl Rename {
    fn own(&self, ident: &Ident) -> Option<Ident> {
        self.0.iter().any(|n| ident == n).then(|| located(ident))
    }

    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut out: Vec<TokenTree> = Vec::with_capacity(trees.len());
        for tree in trees {
            match tree {
                TokenTree::Ident(ident) if self.own(&ident).is_some() => {
                    let operand = |t: &TokenTree| !matches!(t, TokenTree::Punct(_));
                    if let [before @ .., TokenTree::Punct(star)] = &out[..]
                        && star.as_char() == '*'
                        && !before.last().is_some_and(operand)
                    {
                        out.pop();
                    }
                    out.push(TokenTree::Ident(located(&ident)));
                }
                TokenTree::Group(g) => out.push(regrouped(&g, self.tokens(g.stream()))),
                other => out.push(other),
            }
        }
        out.into_iter().collect()
    }
}

impl VisitMut for Rename {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Some(own) = dereferenced(e).and_then(|name| self.own(name)) {
            *e = syn::parse_quote!(#own);
            return;
        }
        if let Some(own) = as_name(e).and_then(|name| self.own(name)) {
            *e = syn::parse_quote!(#own);
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        m.tokens = self.tokens(std::mem::take(&mut m.tokens));
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
