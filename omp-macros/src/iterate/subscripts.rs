//! `m[(i, j)]` of a struct that owns arrays: becomes a subscript of one of the arrays.
//!
//! Before the region, the array that the type's `Index` uses and the struct's numbers get names. In the region, `m[(i,
//! j)]` is `elements[numbers.position((i, j))]`, where `position` is a device function made of the body of `index`
//! (`glue/device_index.rs`). The serial copy keeps the user's code.
use crate::ast::{Context, Default, Directive, Item};
use crate::diag::{Code, Sink};
use crate::parse::source::{ELEMENTS, NUMBERS, as_written};
use crate::sema::place;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprForLoop, Stmt};

/// Rewrites the subscripts of a nest, and the clauses that name what is subscripted. What stands before the region, and the names
/// that it binds.
pub fn take(
    f: &mut ExprForLoop,
    directive: &mut Directive,
    context: &Context,
    task: bool,
    sink: &mut Sink,
) -> (Vec<Stmt>, Vec<String>) {
    let mut search = Search { context, found: Vec::new(), bound: HashSet::new() };
    search.visit_expr_for_loop(f);
    let Search { mut found, bound, .. } = search;
    found.retain(|owner| !bound.contains(&owner.root));
    if let (Some(owner), true) = (found.first(), task) {
        sink.error_at(
            Code::UnsupportedType,
            &owner.base,
            format!("`{}` is subscripted by its own `Index` in a task", owner.key),
        )
        .help(format!(
            "a task needs the array itself: index it, `{0}.data[…]` (or whatever the field is called), or leave `nowait` away",
            owner.key
        ));
        return (Vec::new(), Vec::new());
    }
    let (mut before, mut names) = (Vec::new(), Vec::new());
    for owner in &found {
        owner.name_in_clauses(directive);
        before.push(owner.named());
        names.extend([ELEMENTS, NUMBERS].map(|prefix| owner.ident(prefix, Span::call_site()).to_string()));
    }
    if !found.is_empty() {
        Rewrite { owners: &found, writing: false, sink }.visit_expr_for_loop_mut(f);
        before.insert(
            0,
            syn::parse_quote!(
                use ::omp::__private::Subscripted as _;
            ),
        );
        before.insert(
            1,
            syn::parse_quote!(
                use ::omp::__subscripts::{Subscript as _, SubscriptMut as _};
            ),
        );
    }
    (before, names)
}

/// A struct that is subscripted.
struct Owner {
    /// As the user wrote it, once.
    base: Expr,
    key: String,
    /// What the names of its parts end in; no two of a loop have the same.
    name: String,
    root: String,
    /// `(_, _)`
    index: TokenStream,
    written: bool,
}

impl Owner {
    /// A name of its parts, where it is used. No user has names that begin like this.
    fn ident(&self, prefix: &str, at: Span) -> Ident {
        Ident::new(&format!("{prefix}{}", self.name), at)
    }

    /// The array and the numbers, by names.
    fn named(&self) -> Stmt {
        let (base, index, span) = (&self.base, &self.index, Span::mixed_site().located_at(self.base.span()));
        let (elements, numbers) =
            (self.ident(ELEMENTS, self.base.span()), self.ident(NUMBERS, self.base.span()));
        let method = Ident::new(if self.written { "__omp_parts_mut" } else { "__omp_parts" }, span);
        syn::parse2(quote_spanned!(span=>
            let (#numbers, #elements) = #base.#method(::omp::__private::PhantomIndex::<#index>::NEW);
        ))
        .expect("a statement")
    }

    /// What a clause says of the struct, it says of the array.
    fn name_in_clauses(&self, directive: &mut Directive) {
        let elements = self.ident(ELEMENTS, self.base.span());
        let clauses = &mut directive.clauses;
        let lists = clauses.maps.iter_mut().map(|m| &mut m.items);
        let others =
            [&mut clauses.disjoint, &mut clauses.trust_disjoint, &mut clauses.unchecked, &mut clauses.shared];
        for item in lists.chain(others).flatten() {
            if item.sections.is_empty() && place::item_key(item) == self.key {
                item.place = syn::parse_quote!(#elements);
                item.key = elements.to_string();
            }
        }
        if clauses.default.as_ref().is_some_and(|d| d.value == Default::None) {
            let numbers = self.ident(NUMBERS, self.base.span());
            let (key, span) = (numbers.to_string(), self.base.span());
            clauses.firstprivate.push(Item {
                place: syn::parse_quote!(#numbers),
                key,
                sections: vec![],
                span,
            });
        }
    }
}

/// The subscript of `m[(i, j)]` or `m[[i, j]]`, as a type.
fn index_type(index: &Expr) -> Option<TokenStream> {
    match index {
        Expr::Paren(p) => index_type(&p.expr),
        Expr::Group(g) => index_type(&g.expr),
        Expr::Tuple(t) if !t.elems.is_empty() => {
            let holes = t.elems.iter().map(|_| quote!(_,));
            Some(quote!((#(#holes)*)))
        }
        Expr::Array(a) => {
            let n = a.elems.len();
            Some(quote!([_; #n]))
        }
        _ => None,
    }
}

struct Search<'a> {
    context: &'a Context,
    found: Vec<Owner>,
    bound: HashSet<String>,
}

impl Search<'_> {
    fn note(&mut self, x: &syn::ExprIndex) {
        let Some(index) = index_type(&x.index) else { return };
        let Some(of) = place::of(&x.expr).filter(|p| p.subscripts.is_empty()) else { return };
        let known = of.base == "self" || self.context.names.contains(&of.base);
        let is_noted = |o: &Owner| o.key == of.key && o.index.to_string() == index.to_string();
        if known && !self.context.array_names.contains(&of.key) && !self.found.iter().any(is_noted) {
            let base = (*x.expr).clone();
            let plain = of.key.replace("r#", "").replace('.', "_");
            let taken = |name: &String| self.found.iter().any(|o| o.name == *name);
            // `s.m` and `s_m`, and `m` by two kinds of subscripts.
            let numbered = (2..).map(|n| format!("{plain}_{n}"));
            let name = std::iter::once(plain.clone())
                .chain(numbered)
                .find(|n| !taken(n))
                .expect("there is no last number");
            self.found.push(Owner { base, key: of.key, name, root: of.base, index, written: false });
        }
    }

    /// What an assignment writes.
    fn writes(&mut self, e: &Expr) {
        match e {
            Expr::Paren(p) => self.writes(&p.expr),
            Expr::Group(g) => self.writes(&g.expr),
            Expr::Field(f) => self.writes(&f.base),
            Expr::Index(x) if index_type(&x.index).is_some() => {
                self.note(x);
                let key = place::of(&x.expr).map(|p| p.key);
                let index = index_type(&x.index).map(|i| i.to_string());
                let is_it =
                    |o: &&mut Owner| Some(&o.key) == key.as_ref() && Some(o.index.to_string()) == index;
                self.found.iter_mut().filter(is_it).for_each(|owner| owner.written = true);
            }
            Expr::Index(x) => self.writes(&x.expr),
            Expr::Tuple(t) => t.elems.iter().for_each(|e| self.writes(e)),
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for Search<'_> {
    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::Index(x) => self.note(x),
            _ => written(e).into_iter().for_each(|left| self.writes(left)),
        }
        visit::visit_expr(self, e);
    }

    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.bound.insert(p.ident.to_string());
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// What an expression stores to: the left of an assignment, or what is borrowed by `&mut`.
fn written(e: &Expr) -> Option<&Expr> {
    match e {
        Expr::Assign(a) => Some(&a.left),
        Expr::Binary(b) => is_assignment(&b.op).then_some(&*b.left),
        Expr::Reference(r) if r.mutability.is_some() => Some(&r.expr),
        _ => None,
    }
}

/// `+=` and the others.
fn is_assignment(op: &syn::BinOp) -> bool {
    use syn::BinOp::{
        AddAssign, BitAndAssign, BitOrAssign, BitXorAssign, DivAssign, MulAssign, RemAssign, ShlAssign,
        ShrAssign, SubAssign,
    };
    matches!(
        op,
        AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | BitXorAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
    )
}

struct Rewrite<'a> {
    owners: &'a [Owner],
    /// In what is written: there `IndexMut` gives the place, elsewhere `Index`.
    writing: bool,
    sink: &'a mut Sink,
}

impl Rewrite<'_> {
    /// What an expression names; the struct whose elements the loop writes, if it has several kinds of subscripts.
    fn owner(&self, e: &Expr) -> Option<&Owner> {
        let of = place::of(e).filter(|p| p.subscripts.is_empty())?;
        self.owners.iter().filter(|o| o.key == of.key).max_by_key(|o| o.written)
    }

    /// That of a subscript of this type.
    fn subscripted(&self, e: &Expr, index: &TokenStream) -> Option<&Owner> {
        let of = place::of(e).filter(|p| p.subscripts.is_empty())?;
        self.owners.iter().find(|o| o.key == of.key && o.index.to_string() == index.to_string())
    }

    /// The subscript of an element that is written, or read.
    fn visit_at(&mut self, e: &mut Expr, writing: bool) {
        let before = std::mem::replace(&mut self.writing, writing);
        self.visit_expr_mut(e);
        self.writing = before;
    }

    /// The owner of the field that an expression names, if the region writes elements of it: then the region has it in parts.
    fn part(&self, e: &Expr) -> Option<&Owner> {
        match e {
            Expr::Paren(p) => self.part(&p.expr),
            Expr::Field(f) => self.owner(&f.base).filter(|o| o.written),
            _ => None,
        }
    }

    fn report(&mut self, e: &Expr) {
        let Some(owner) = self.part(e) else { return };
        let (text, key) = (as_written(e), owner.key.clone());
        self.sink
            .error_at(
                Code::UnsupportedType,
                e,
                format!("`{text}` beside `{key}[(…)]` in a loop that writes `{key}`: two names of one array"),
            )
            .help(format!("index it in one way: `{key}[(i, j)]` throughout, or `{text}[…]`"));
    }
}

impl VisitMut for Rewrite<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Assign(a) => {
                self.visit_at(&mut a.left, true);
                return self.visit_at(&mut a.right, false);
            }
            Expr::Binary(b) if is_assignment(&b.op) => {
                self.visit_at(&mut b.left, true);
                return self.visit_at(&mut b.right, false);
            }
            Expr::Reference(r) => return self.visit_at(&mut r.expr, r.mutability.is_some()),
            Expr::Index(x) if index_type(&x.index).is_some() => {
                let index = index_type(&x.index).unwrap_or_default();
                if let Some(owner) = self.subscripted(&x.expr, &index) {
                    let span = Span::mixed_site().located_at(x.expr.span());
                    let (elements, numbers) =
                        (owner.ident(ELEMENTS, x.expr.span()), owner.ident(NUMBERS, x.expr.span()));
                    let name = if self.writing { "__omp_position_mut" } else { "__omp_position" };
                    let position = Ident::new(name, span);
                    *x.expr = syn::parse_quote!(#elements);
                    self.visit_at(&mut x.index, false);
                    let index = &x.index;
                    *x.index =
                        syn::parse2(quote_spanned!(span=> #numbers.#position(#index))).expect("a call");
                    return;
                }
            }
            Expr::Index(x) if self.part(&x.expr).is_some() => {
                self.report(&x.expr.clone());
                return self.visit_at(&mut x.index, false);
            }
            Expr::Index(x) => {
                self.visit_expr_mut(&mut x.expr);
                return self.visit_at(&mut x.index, false);
            }
            Expr::MethodCall(m)
                if matches!(m.method.to_string().as_str(), "len" | "is_empty" | "iter" | "iter_mut")
                    && self.part(&m.receiver).is_some() =>
            {
                self.report(&m.receiver.clone());
                return;
            }
            Expr::Field(f) => {
                if let Some(owner) = self.owner(&f.base).filter(|o| o.written) {
                    let numbers = owner.ident(NUMBERS, f.base.span());
                    *f.base = syn::parse_quote!(#numbers);
                    return;
                }
            }
            _ => {}
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
