//! `let mut nearest = None;` of an option that is given references later, `nearest = Some((t, sphere));`: the variable gets the type that its
//! assignments show, `Option<(_, &_)>`, and [`super::variables`] keeps values in it.
use crate::expand::found::{Content, referred};
use crate::iterate::loops::chain::{Item, IteratedBy};
use crate::iterate::loops::pattern;
use crate::iterate::loops::walk::Walk;
use crate::sema::syntax::forms::{is_variant, strip};
use crate::sema::syntax::items::Items;
use crate::sema::syntax::names::bound;
use proc_macro2::Ident;
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Pat, Stmt, Type};

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
            let name = pattern::variable(pat)?;
            let given = Assigned::new(self, name);
            let content = match value {
                Expr::Path(p) if p.path.is_ident("None") => given.in_statements(rest.clone())?,
                value => given.given(value)?,
            };
            if !content.refers() {
                return None;
            }
            let (ty, span) = (content.written(), pat.span());
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
                let all = values.elems.iter().all(plain)
                    && pats.elems.iter().all(|p| pattern::variable(p).is_some());
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
            // `let (mut a, mut b): (Option<&T>, Option<&T>) = (None, None);`
            (Pat::Type(t), Expr::Tuple(values)) => {
                let (Pat::Tuple(pats), Type::Tuple(types)) = (&*t.pat, &*t.ty) else { return None };
                let none = |e: &Expr| matches!(e, Expr::Path(p) if p.path.is_ident("None"));
                if pats.elems.len() != types.elems.len()
                    || !values.elems.iter().all(none)
                    || !pats.elems.iter().all(|p| pattern::variable(p).is_some())
                    || !types.elems.iter().any(|ty| referred(ty).is_some())
                {
                    return None;
                }
                let parts = pats.elems.iter().zip(&types.elems);
                let typed =
                    parts.map(|(pat, ty)| syn::parse_quote_spanned!(pat.span()=> let #pat: #ty = None;));
                Some(typed.collect())
            }
            (pat, value) => Some(vec![typed(pat, value)?]),
        }
    }
}

/// What a name stands for in the statements after an option.
#[derive(Clone, Copy, PartialEq)]
enum Local {
    Reference,
    Other,
    /// It is bound from the option itself, so that it doesn't show what that has.
    Content,
}

/// What an option is given.
struct Assigned<'w, 'a, 'n> {
    walk: &'w Walk<'a>,
    name: &'n Ident,
    /// The names that are bound after the option, innermost last.
    locals: Vec<(String, Local)>,
    content: Option<Content>,
    /// Another variable that it is given.
    other: Option<Ident>,
    /// The assignments give different things.
    differs: bool,
}

impl<'w, 'a, 'n> Assigned<'w, 'a, 'n> {
    fn new(walk: &'w Walk<'a>, name: &'n Ident) -> Self {
        Self { walk, name, locals: Vec::new(), content: None, other: None, differs: false }
    }

    /// What the option is given in the statements after it.
    fn in_statements<'s>(mut self, rest: impl Iterator<Item = &'s Stmt> + Clone) -> Option<Content> {
        rest.clone().for_each(|s| self.visit_stmt(s));
        if self.content.is_none()
            && let Some(other) = &self.other
        {
            // A variable of these statements: what that is given.
            let mut after = rest;
            after.find(|s| matches!(s, Stmt::Local(l) if bound(&l.pat).iter().any(|name| other == name)))?;
            let mut given = Assigned::new(self.walk, other);
            after.for_each(|s| given.visit_stmt(s));
            self = Assigned { name: self.name, other: None, ..given };
        }
        self.content.filter(|_| !self.differs)
    }

    /// What a value gives it.
    fn given(mut self, value: &Expr) -> Option<Content> {
        self.assigned(value);
        self.content.filter(|_| !self.differs)
    }

    fn local(&self, name: &Ident) -> Option<Local> {
        self.locals.iter().rev().find(|(local, _)| name == local).map(|(_, is)| *is)
    }

    /// Whether an expression is the option.
    fn is_it(&self, e: &Expr) -> bool {
        matches!(strip(e), Expr::Path(p) if p.path.is_ident(self.name)) && self.local(self.name).is_none()
    }

    fn scoped(&mut self, visit: impl FnOnce(&mut Self)) {
        let open = self.locals.len();
        visit(self);
        self.locals.truncate(open);
    }

    /// Enters the names of a pattern that something is taken apart with.
    fn matched(&mut self, pat: &Pat, of: &Expr) {
        let is = if self.is_it(of) { Local::Content } else { Local::Other };
        self.locals.extend(bound(pat).into_iter().map(|name| (name, is)));
    }

    fn gets(&mut self, content: Content) {
        self.differs |= self.content.as_ref().is_some_and(|other| *other != content);
        self.content = Some(content);
    }

    /// A value that the option gets: what its ends show.
    fn assigned(&mut self, value: &Expr) {
        match strip(value) {
            Expr::Call(c)
                if matches!(&*c.func, Expr::Path(p) if is_variant(&p.path, "Some")) && c.args.len() == 1 =>
            {
                if let Some(content) = self.content(&c.args[0]) {
                    self.gets(content);
                }
            }
            // Another such option.
            Expr::Path(p) if !self.is_it(value) => {
                let Some(name) = p.path.get_ident() else { return };
                if self.local(name).is_some() {
                    self.other = Some(name.clone());
                } else if let Some(shape) = self.walk.kept_in_option(strip(value)) {
                    self.gets(shape.content());
                }
            }
            Expr::If(i) => {
                self.scoped(|a| {
                    if let Expr::Let(l) = &*i.cond {
                        a.matched(&l.pat, &l.expr);
                    }
                    a.end(&i.then_branch);
                });
                if let Some((_, other)) = &i.else_branch {
                    self.assigned(other);
                }
            }
            Expr::Match(m) => m.arms.iter().for_each(|arm| {
                self.scoped(|a| {
                    a.matched(&arm.pat, &m.expr);
                    a.assigned(&arm.body);
                });
            }),
            Expr::Block(b) => self.end(&b.block),
            _ => {}
        }
    }

    fn end(&mut self, b: &Block) {
        if let [before @ .., Stmt::Expr(value, None)] = &b.stmts[..] {
            self.scoped(|a| {
                before
                    .iter()
                    .filter_map(|s| if let Stmt::Local(l) = s { Some(l) } else { None })
                    .for_each(|l| a.bind_local(l));
                a.assigned(value);
            });
        }
    }

    fn bind_local(&mut self, l: &syn::Local) {
        let reference = matches!(&l.init, Some(init) if matches!(&*init.expr, Expr::Reference(r) if r.mutability.is_none()));
        self.bind(&l.pat, if reference { &Items::References } else { &Items::Others });
    }

    fn items(&self, e: &Expr) -> Items {
        Items::of(e, &|e| match e {
            Expr::Reference(r) if r.mutability.is_none() && !matches!(strip(&r.expr), Expr::Range(_)) => {
                Items::References
            }
            Expr::Path(_) if self.walk.kind_of(e) == Some(IteratedBy::Shared) => Items::References,
            _ => Items::Others,
        })
    }

    fn bind(&mut self, pat: &Pat, items: &Items) {
        items.bound_to(pat, &mut |pat, items| match (pat, items) {
            (Pat::Ident(p), Items::References) => self.locals.push((p.ident.to_string(), Local::Reference)),
            (pat, _) => self.locals.extend(bound(pat).into_iter().map(|name| (name, Local::Other))),
        });
    }

    /// The content of an option of this value. `None` if that isn't seen.
    fn content(&self, e: &Expr) -> Option<Content> {
        match strip(e) {
            Expr::Reference(r) if r.mutability.is_none() => Some(Content::Reference),
            Expr::Path(p) => match p.path.get_ident().map(|name| self.local(name)) {
                Some(Some(Local::Reference)) => Some(Content::Reference),
                Some(Some(Local::Content)) => None,
                Some(None) => Some(self.walk.item(e).map_or(Content::Value, |item| of_item(&item))),
                _ => Some(Content::Value),
            },
            Expr::Tuple(t) => {
                Some(Content::Tuple(t.elems.iter().map(|e| self.content(e)).collect::<Option<_>>()?))
            }
            Expr::If(_) | Expr::Match(_) => None,
            _ => Some(Content::Value),
        }
    }
}

/// The content of an option of an item of a loop around.
fn of_item(item: &Item) -> Content {
    match item {
        Item::Element { mutable: true, .. } | Item::Value(_) => Content::Value,
        Item::Element { mutable: false, .. } => Content::Reference,
        Item::Ref(inner) => match &**inner {
            Item::Value(_) => Content::Reference,
            inner => of_item(inner),
        },
        Item::Tuple(items) => Content::Tuple(items.iter().map(of_item).collect()),
    }
}

impl<'ast> Visit<'ast> for Assigned<'_, '_, '_> {
    fn visit_block(&mut self, b: &'ast Block) {
        self.scoped(|a| visit::visit_block(a, b));
    }

    fn visit_expr_for_loop(&mut self, f: &'ast syn::ExprForLoop) {
        let items = self.items(&f.expr);
        self.scoped(|a| {
            a.bind(&f.pat, &items);
            a.visit_block(&f.body);
        });
    }

    fn visit_expr_if(&mut self, i: &'ast syn::ExprIf) {
        self.scoped(|a| {
            a.visit_expr(&i.cond);
            a.visit_block(&i.then_branch);
        });
        if let Some((_, other)) = &i.else_branch {
            self.visit_expr(other);
        }
    }

    fn visit_expr_while(&mut self, w: &'ast syn::ExprWhile) {
        self.scoped(|a| visit::visit_expr_while(a, w));
    }

    fn visit_expr_let(&mut self, l: &'ast syn::ExprLet) {
        self.visit_expr(&l.expr);
        self.matched(&l.pat, &l.expr);
    }

    fn visit_expr_match(&mut self, m: &'ast syn::ExprMatch) {
        self.visit_expr(&m.expr);
        for arm in &m.arms {
            self.scoped(|a| {
                a.matched(&arm.pat, &m.expr);
                a.visit_arm(arm);
            });
        }
    }

    fn visit_expr_closure(&mut self, c: &'ast syn::ExprClosure) {
        self.scoped(|a| {
            c.inputs.iter().for_each(|pat| a.bind(pat, &Items::Others));
            a.visit_expr(&c.body);
        });
    }

    fn visit_local(&mut self, l: &'ast syn::Local) {
        visit::visit_local(self, l);
        self.bind_local(l);
    }

    fn visit_expr_assign(&mut self, a: &'ast syn::ExprAssign) {
        visit::visit_expr_assign(self, a);
        if self.is_it(&a.left) {
            self.assigned(&a.right);
        }
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
