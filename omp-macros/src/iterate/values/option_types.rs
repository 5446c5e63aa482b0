//! `let mut nearest = None;` of an option that is given references later, `nearest = Some((t, sphere));`: the variable gets the type that its
//! assignments show, `Option<(_, &_)>`, and [`super::option`] keeps values in it.
use crate::expand::found::Content;
use crate::iterate::loops::chain::IteratedBy;
use crate::iterate::loops::walk::Walk;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::names::bound;
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, Pat, Stmt};

impl Walk<'_> {
    /// The statement, with types for the options that it begins with `None`; a tuple's parts have statements of their own then.
    pub(in crate::iterate) fn options_of_references<'s>(
        &self,
        s: &Stmt,
        rest: impl Iterator<Item = &'s Stmt> + Clone,
    ) -> Option<Vec<Stmt>> {
        let Stmt::Local(l) = s else { return None };
        let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
        let typed = |pat: &Pat, value: &Expr| {
            let name = variable(pat)?;
            if !matches!(value, Expr::Path(p) if p.path.is_ident("None")) {
                return None;
            }
            let content = self.assigned(name, rest.clone())?;
            let (ty, span) = (written(&content), pat.span());
            let option = quote_spanned!(span=> ::omp::__private::core::option::Option<#ty>);
            Some(syn::parse_quote_spanned!(span=> let #pat: #option = #value;))
        };
        match (&l.pat, &*init.expr) {
            (Pat::Tuple(pats), Expr::Tuple(values)) if pats.elems.len() == values.elems.len() => {
                // Nothing is computed, so that the parts may be bound one after the other.
                let names: Vec<String> = pats.elems.iter().flat_map(bound).collect();
                let plain = |e: &Expr| match e {
                    Expr::Lit(_) => true,
                    Expr::Path(p) => {
                        !p.path.get_ident().is_some_and(|name| names.contains(&name.to_string()))
                    }
                    _ => false,
                };
                let parts = || pats.elems.iter().zip(&values.elems);
                let all = values.elems.iter().all(plain) && pats.elems.iter().all(|p| variable(p).is_some());
                if !all || parts().all(|(pat, value)| typed(pat, value).is_none()) {
                    return None;
                }
                let other =
                    |pat: &Pat, value: &Expr| syn::parse_quote_spanned!(pat.span()=> let #pat = #value;);
                Some(
                    parts()
                        .map(|(pat, value)| typed(pat, value).unwrap_or_else(|| other(pat, value)))
                        .collect(),
                )
            }
            (pat, value) => Some(vec![typed(pat, value)?]),
        }
    }

    /// What an option is given in statements, if that has references.
    fn assigned<'s>(&self, name: &Ident, rest: impl Iterator<Item = &'s Stmt>) -> Option<Content> {
        let mut found = Assigned { walk: self, name, references: Vec::new(), content: None, differs: false };
        rest.for_each(|s| found.visit_stmt(s));
        found.content.filter(|content| !found.differs && content.refers())
    }
}

fn variable(pat: &Pat) -> Option<&Ident> {
    match pat {
        Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => Some(&p.ident),
        _ => None,
    }
}

/// The type of a content.
fn written(content: &Content) -> TokenStream {
    match content {
        Content::Value => quote!(_),
        Content::Reference => quote!(&_),
        Content::Tuple(parts) => {
            let parts = parts.iter().map(written);
            quote!((#(#parts,)*))
        }
    }
}

/// What an iterator's items are, judged by its tokens.
enum Items {
    References,
    Pairs(Box<[Items; 2]>),
    Others,
}

struct Assigned<'w, 'a, 'n> {
    walk: &'w Walk<'a>,
    name: &'n Ident,
    /// The names of references that are bound around.
    references: Vec<String>,
    content: Option<Content>,
    /// The assignments give different things.
    differs: bool,
}

impl Assigned<'_, '_, '_> {
    fn items(&self, e: &Expr) -> Items {
        match strip(e) {
            Expr::Reference(r) if r.mutability.is_none() && !matches!(strip(&r.expr), Expr::Range(_)) => {
                Items::References
            }
            Expr::Path(_) if self.walk.kind_of(e) == Some(IteratedBy::Shared) => Items::References,
            Expr::MethodCall(m) => match (m.method.to_string().as_str(), m.args.first()) {
                ("iter", None) => Items::References,
                ("enumerate", None) => Items::Pairs(Box::new([Items::Others, self.items(&m.receiver)])),
                ("zip", Some(other)) => Items::Pairs(Box::new([self.items(&m.receiver), self.items(other)])),
                ("rev", None)
                | ("skip" | "take" | "step_by" | "filter" | "skip_while" | "take_while", Some(_)) => {
                    self.items(&m.receiver)
                }
                _ => Items::Others,
            },
            _ => Items::Others,
        }
    }

    fn bind(&mut self, pat: &Pat, items: &Items) {
        match (pat, items) {
            (Pat::Ident(p), Items::References) => self.references.push(p.ident.to_string()),
            (Pat::Tuple(t), Items::Pairs(of)) if t.elems.len() == 2 => {
                t.elems.iter().zip(of.iter()).for_each(|(pat, items)| self.bind(pat, items));
            }
            (pat, _) => {
                let hidden = bound(pat);
                self.references.retain(|name| !hidden.contains(name));
            }
        }
    }

    fn content(&self, e: &Expr) -> Content {
        match strip(e) {
            Expr::Reference(r) if r.mutability.is_none() => Content::Reference,
            Expr::Path(p) => match p.path.get_ident() {
                Some(name) if self.references.iter().any(|r| name == r) => Content::Reference,
                _ => Content::Value,
            },
            Expr::Tuple(t) => Content::Tuple(t.elems.iter().map(|e| self.content(e)).collect()),
            _ => Content::Value,
        }
    }
}

impl<'ast> Visit<'ast> for Assigned<'_, '_, '_> {
    fn visit_expr_for_loop(&mut self, f: &'ast syn::ExprForLoop) {
        let (around, items) = (self.references.clone(), self.items(&f.expr));
        self.bind(&f.pat, &items);
        self.visit_block(&f.body);
        self.references = around;
    }

    fn visit_local(&mut self, l: &'ast syn::Local) {
        visit::visit_local(self, l);
        let reference = matches!(&l.init, Some(init) if matches!(&*init.expr, Expr::Reference(r) if r.mutability.is_none()));
        self.bind(&l.pat, if reference { &Items::References } else { &Items::Others });
    }

    fn visit_expr_assign(&mut self, a: &'ast syn::ExprAssign) {
        visit::visit_expr_assign(self, a);
        let (Expr::Path(left), Expr::Call(c)) = (&*a.left, &*a.right) else { return };
        let is_some = matches!(&*c.func, Expr::Path(p) if p.path.is_ident("Some")) && c.args.len() == 1;
        if left.path.is_ident(self.name) && is_some {
            let content = self.content(&c.args[0]);
            self.differs |= self.content.as_ref().is_some_and(|other| *other != content);
            self.content = Some(content);
        }
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
