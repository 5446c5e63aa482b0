//! `m[(i, j)]` of a struct that owns arrays: becomes a subscript of one of the arrays.
//!
//! Before the region, the array that the type's `Index` uses and the struct's numbers get names. In the region, `m[(i,
//! j)]` is `elements[numbers.position((i, j))]`, where `position` is a device function made of the body of `index`
//! (`glue/device_fn/device_index.rs`). The serial copy keeps the user's code.
use crate::ast::{Context, Default, Directive, Item, Outer};
use crate::diag::{Code, Sink};
use crate::parse::tokens::leaves::idents;
use crate::parse::tokens::source::{ELEMENTS, NUMBERS, as_written};
use crate::sema::reduction::updates::{assigned, is_assignment};
use crate::sema::syntax::forms::{literal, strip};
use crate::sema::syntax::{place, shadowing};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::HashSet;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprForLoop, Stmt, Token};

/// The number of dimensions of a place that is an array of `ndarray`.
pub type Dims<'d> = &'d dyn Fn(&Expr) -> Option<usize>;

/// Whether a variable of this name is seen before the nest.
pub type IsOutside<'d> = &'d dyn Fn(&str) -> bool;

/// Rewrites the subscripts of a nest and of the closures around that it calls, and the clauses that name what is subscripted: variables
/// from outside of the nest, as `is_outside` knows. What stands before the region, and the names that it binds.
pub fn take(
    (f, closures): (&mut ExprForLoop, &mut [Outer]),
    directive: &mut Directive,
    (context, dims, is_outside): (&Context, Dims<'_>, IsOutside<'_>),
    task: bool,
    sink: &mut Sink,
) -> (Vec<Stmt>, Vec<String>) {
    let called = called(f, closures);
    let search = |f: &ExprForLoop| {
        let mut search = Search { context, dims, found: Vec::new(), bound: HashSet::new() };
        search.visit_expr_for_loop(f);
        for outer in closures.iter().filter(|outer| called.contains(&outer.name)) {
            search.visit_expr_closure(&outer.closure);
        }
        search
    };
    let Search { mut found, mut bound, .. } = search(f);
    let hiding = found.iter().map(|owner| &owner.root);
    let hiding = hiding.filter(|root| bound.contains(*root) && is_outside(root)).cloned();
    if shadowing::renamed_in_loop(f, &hiding.collect()) {
        // (What a macro binds has kept its name.)
        Search { found, bound, .. } = search(f);
    }
    found.retain(|owner| !bound.contains(&owner.root));
    if let (Some(owner), true) = (found.first(), task) {
        let key = &owner.key;
        let help = match owner.dims {
            Some(_) => format!(
                "a task needs the array itself: take its slice before the loop, `let all = {key}.as_slice_mut().unwrap();`, or leave `nowait` away"
            ),
            None => format!(
                "a task needs the array itself: index it, `{key}.data[…]` (or whatever the field is called), or leave `nowait` away"
            ),
        };
        sink.error_at(
            Code::UnsupportedType,
            &owner.base,
            format!("`{key}` is subscripted by its own `Index` in a task"),
        )
        .help(help);
        return (Vec::new(), Vec::new());
    }
    let (mut before, mut names) = (Vec::new(), Vec::new());
    for owner in &found {
        owner.name_in_clauses(directive);
        before.push(owner.named());
        names.extend([ELEMENTS, NUMBERS].map(|prefix| owner.ident(prefix, Span::call_site()).to_string()));
    }
    if !found.is_empty() {
        let mut rewrite = Rewrite { owners: &found, dims, writing: false, sink };
        rewrite.visit_expr_for_loop_mut(f);
        for outer in closures.iter_mut().filter(|outer| called.contains(&outer.name)) {
            rewrite.visit_expr_closure_mut(&mut outer.closure);
        }
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

/// The names of the closures that a loop calls, or that these call.
fn called(f: &ExprForLoop, closures: &[Outer]) -> HashSet<Ident> {
    let (mut called, mut code) = (HashSet::new(), vec![f.to_token_stream()]);
    while let Some(tokens) = code.pop() {
        let names: HashSet<String> = idents(tokens).map(|name| name.to_string()).collect();
        for outer in closures.iter().filter(|outer| names.contains(&outer.name.to_string())) {
            if called.insert(outer.name.clone()) {
                code.push(outer.closure.to_token_stream());
            }
        }
    }
    called
}

/// A struct that is subscripted.
struct Owner {
    /// The struct as the user wrote it first.
    base: Expr,
    key: String,
    /// The suffix of the names of its parts; no two structs of a loop have the same.
    name: String,
    root: String,
    /// `(_, _)`
    index: TokenStream,
    written: bool,
    /// The number of dimensions, for an array of `ndarray`.
    dims: Option<usize>,
}

impl Owner {
    /// A name of its parts, where it is used. No user has names that begin like this.
    fn ident(&self, prefix: &str, at: Span) -> Ident {
        Ident::new(&format!("{prefix}{}", self.name), at)
    }

    /// The array and the numbers, by names.
    fn named(&self) -> Stmt {
        let (base, index, key) = (&self.base, &self.index, &self.key);
        let span = Span::mixed_site().located_at(self.base.span());
        let (elements, numbers) =
            (self.ident(ELEMENTS, self.base.span()), self.ident(NUMBERS, self.base.span()));
        let method = Ident::new(if self.written { "__omp_parts_mut" } else { "__omp_parts" }, span);
        syn::parse2(quote_spanned!(span=>
            let (#numbers, #elements) = #base.#method(::omp::__private::PhantomIndex::<#index>::NEW, #key);
        ))
        .expect("a statement")
    }

    /// Replaces the struct in clauses by its array.
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

/// The index type of an array of `ndarray`: its elements and numbers are the same for all of them.
fn standard() -> TokenStream {
    quote!(::omp::__private::Standard)
}

/// The subscript of an element, as a type.
fn element_type(x: &syn::ExprIndex, dims: Dims<'_>) -> Option<TokenStream> {
    match dims(&x.expr) {
        Some(_) => (!matches!(&*x.index, Expr::Range(_))).then(standard),
        None => index_type(&x.index),
    }
}

/// The replacement of a method of an array of `ndarray` that concerns its shape or its elements, if a device has an answer.
fn of_ndarray(m: &syn::ExprMethodCall, dims: usize, [numbers, elements]: [Ident; 2]) -> Option<Expr> {
    let span = m.span();
    let number = |axis: usize| (axis < dims).then_some(syn::Index { index: axis as u32, span });
    let axis = |e: &Expr| match e {
        Expr::Call(c) if c.func.to_token_stream().to_string().ends_with("Axis") => {
            number(literal(c.args.first()?)?)
        }
        _ => None,
    };
    let row = |i: TokenStream| {
        let start = quote_spanned!(span=> #numbers.__omp_position((#i,)));
        quote_spanned!(span=> #elements[#start..#start + #numbers.1])
    };
    let rows = || {
        let i = Ident::new("__omp_row", Span::mixed_site().located_at(span));
        let row = row(i.to_token_stream());
        quote_spanned!(span=> (0..#numbers.0).map(|#i| &#row))
    };
    let tokens = match (m.method.to_string().as_str(), m.args.len()) {
        ("nrows", 0) if dims == 2 => quote_spanned!(span=> #numbers.0),
        ("ncols", 0) if dims == 2 => quote_spanned!(span=> #numbers.1),
        ("dim", 0) if dims == 1 => quote_spanned!(span=> #numbers.0),
        ("dim", 0) => {
            let all = (0..dims).map(number);
            quote_spanned!(span=> (#(#numbers.#all),*))
        }
        ("ndim", 0) => quote_spanned!(span=> #dims),
        ("len_of", 1) => {
            let axis = axis(&m.args[0])?;
            quote_spanned!(span=> #numbers.#axis)
        }
        ("len" | "is_empty" | "iter" | "iter_mut", 0) | ("fill", 1) => {
            let (method, args) = (&m.method, &m.args);
            quote_spanned!(span=> #elements.#method(#args))
        }
        ("row", 1) if dims == 2 && crate::iterate::values::arrays::is_number(&m.args[0]) => {
            let row = row(m.args[0].to_token_stream());
            quote_spanned!(span=> (&#row))
        }
        ("row_mut", 1) if dims == 2 && crate::iterate::values::arrays::is_number(&m.args[0]) => {
            let row = row(m.args[0].to_token_stream());
            quote_spanned!(span=> (&mut #row))
        }
        ("outer_iter" | "rows", 0) if dims == 2 => rows(),
        ("axis_iter", 1) if dims == 2 && axis(&m.args[0])?.index == 0 => rows(),
        _ => return None,
    };
    Some(syn::parse2(tokens).expect("an expression"))
}

/// `a.row(i)[j]` and `a.row(i).iter()` are about a part of the array, not about a reference to one.
fn part_of_row(e: &mut Expr) {
    if let Expr::Paren(p) = e
        && let Expr::Reference(r) = &*p.expr
        && matches!(&*r.expr, Expr::Index(x) if x.expr.to_token_stream().to_string().starts_with(ELEMENTS))
    {
        *e = (*r.expr).clone();
    }
}

/// `a` and `k` of `a.shape()[k]`.
fn shape_at(x: &syn::ExprIndex) -> Option<(&Expr, usize)> {
    match &*x.expr {
        Expr::MethodCall(m) if m.method == "shape" && m.args.is_empty() => {
            Some((&m.receiver, literal(&x.index)?))
        }
        _ => None,
    }
}

/// The subscript of `m[(i, j)]` or `m[[i, j]]`, as a type.
fn index_type(index: &Expr) -> Option<TokenStream> {
    match strip(index) {
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
    dims: Dims<'a>,
    found: Vec<Owner>,
    bound: HashSet<String>,
}

impl Search<'_> {
    fn note(&mut self, e: &Expr, index: TokenStream) {
        let Some(of) = place::of(e).filter(|p| p.subscripts.is_empty()) else { return };
        let known = of.base == "self" || self.context.names.contains(&of.base);
        let is_noted = |o: &Owner| o.key == of.key && o.index.to_string() == index.to_string();
        if known && !self.context.array_names.contains(&of.key) && !self.found.iter().any(is_noted) {
            let base = e.clone();
            let plain = of.key.replace("r#", "").replace('.', "_");
            let taken = |name: &String| self.found.iter().any(|o| o.name == *name);
            // `s.m` and `s_m`, and `m` by two kinds of subscripts.
            let numbered = (2..).map(|n| format!("{plain}_{n}"));
            let name = std::iter::once(plain.clone())
                .chain(numbered)
                .find(|n| !taken(n))
                .expect("there is no last number");
            let dims = (self.dims)(e);
            self.found.push(Owner { base, key: of.key, name, root: of.base, index, written: false, dims });
        }
    }

    /// Records a write through a subscript.
    fn is_written(&mut self, of: &Expr, index: &TokenStream) {
        let (key, index) = (place::of(of).map(|p| p.key), index.to_string());
        let is_it = |o: &&mut Owner| Some(&o.key) == key.as_ref() && o.index.to_string() == index;
        self.found.iter_mut().filter(is_it).for_each(|owner| owner.written = true);
    }

    /// Records the writes of an assignment.
    fn writes(&mut self, e: &Expr) {
        let e = strip(e);
        match e {
            Expr::Field(f) => self.writes(&f.base),
            Expr::Index(x) => match element_type(x, self.dims) {
                Some(index) => {
                    self.note(&x.expr, index.clone());
                    self.is_written(&x.expr, &index);
                }
                None => self.writes(&x.expr),
            },
            e if (self.dims)(e).is_some() => {
                self.note(e, standard());
                self.is_written(e, &standard());
            }
            Expr::Tuple(t) => t.elems.iter().for_each(|e| self.writes(e)),
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for Search<'_> {
    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::Index(x) => match (element_type(x, self.dims), shape_at(x)) {
                (Some(index), _) => self.note(&x.expr, index),
                (None, Some((of, _))) if (self.dims)(of).is_some() => self.note(of, standard()),
                _ => {}
            },
            Expr::MethodCall(m) if (self.dims)(&m.receiver).is_some() => {
                self.note(&m.receiver, standard());
                if m.method == "iter_mut" || m.method == "row_mut" || m.method == "fill" {
                    self.is_written(&m.receiver, &standard());
                }
            }
            Expr::Reference(r) if r.mutability.is_none() && (self.dims)(&r.expr).is_some() => {
                self.note(&r.expr, standard());
            }
            _ => written(e).into_iter().for_each(|left| self.writes(left)),
        }
        visit::visit_expr(self, e);
    }

    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.bound.insert(p.ident.to_string());
    }

    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        // The expressions live in the macro's tokens: they are read, and nothing in them is an assignment.
        if let Some((args, _)) = arguments(m) {
            let mut inner =
                Search { context: self.context, dims: self.dims, found: vec![], bound: HashSet::new() };
            inner.found.append(&mut self.found);
            args.iter().for_each(|arg| inner.visit_expr(arg));
            self.found.append(&mut inner.found);
            self.bound.extend(inner.bound);
        }
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// The arguments of `assert!(a, "…", b)`, and of `matches!(a, …)` the first one and what follows.
fn arguments(m: &syn::Macro) -> Option<(Vec<Expr>, TokenStream)> {
    if m.path.segments.last().is_some_and(|s| s.ident == "matches") {
        let parts = |input: syn::parse::ParseStream| Ok((vec![input.parse::<Expr>()?], input.parse()?));
        return parts.parse2(m.tokens.clone()).ok();
    }
    let args = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(m.tokens.clone()).ok()?;
    Some((args.into_iter().collect(), TokenStream::new()))
}

/// The place that an expression stores to: the left of an assignment, or the operand of `&mut`.
fn written(e: &Expr) -> Option<&Expr> {
    match e {
        Expr::Reference(r) if r.mutability.is_some() => Some(&r.expr),
        e => assigned(e),
    }
}

struct Rewrite<'a> {
    owners: &'a [Owner],
    dims: Dims<'a>,
    /// In what is written: there `IndexMut` gives the place, elsewhere `Index`.
    writing: bool,
    sink: &'a mut Sink,
}

impl Rewrite<'_> {
    /// The struct that an expression names; if it has several kinds of subscripts, the one whose elements the loop writes.
    fn owner(&self, e: &Expr) -> Option<&Owner> {
        let of = place::of(e).filter(|p| p.subscripts.is_empty())?;
        self.owners.iter().filter(|o| o.key == of.key).max_by_key(|o| o.written)
    }

    /// The struct that is subscripted by an index of this type.
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
        match strip(e) {
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
                format!("`{text}` and `{key}[(…)]` in a loop that writes `{key}`: two names of one array"),
            )
            .help(format!("index it in one way: `{key}[(i, j)]` throughout, or `{text}[…]`"));
    }
}

impl VisitMut for Rewrite<'_> {
    fn visit_local_mut(&mut self, l: &mut syn::Local) {
        // A view is changed through a `mut` variable; the `&mut` in its place needs none.
        let is_row = |m: &syn::ExprMethodCall| {
            m.method == "row_mut" && self.owner(&m.receiver).is_some_and(|owner| owner.dims.is_some())
        };
        if matches!(l.init.as_ref().map(|init| &*init.expr), Some(Expr::MethodCall(m)) if is_row(m)) {
            l.attrs.push(syn::parse_quote!(#[allow(unused_mut)]));
        }
        visit_mut::visit_local_mut(self, l);
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        // `x.rows().into_iter()`
        if let Expr::MethodCall(m) = e
            && m.method == "into_iter"
            && matches!(&*m.receiver, Expr::MethodCall(of) if self.owner(&of.receiver).is_some_and(|o| o.dims.is_some()))
        {
            *e = (*m.receiver).clone();
        }
        match e {
            Expr::Assign(a) => {
                self.visit_at(&mut a.left, true);
                return self.visit_at(&mut a.right, false);
            }
            Expr::Binary(b) if is_assignment(&b.op) => {
                self.visit_at(&mut b.left, true);
                return self.visit_at(&mut b.right, false);
            }
            Expr::Index(x) if element_type(x, self.dims).is_some() => {
                let index = element_type(x, self.dims).unwrap_or_default();
                if let Some(owner) = self.subscripted(&x.expr, &index) {
                    let span = Span::mixed_site().located_at(x.expr.span());
                    let (elements, numbers) =
                        (owner.ident(ELEMENTS, x.expr.span()), owner.ident(NUMBERS, x.expr.span()));
                    let name = if self.writing { "__omp_position_mut" } else { "__omp_position" };
                    let position = Ident::new(name, span);
                    *x.expr = syn::parse_quote!(#elements);
                    self.visit_at(&mut x.index, false);
                    if index_type(&x.index).is_none() {
                        // `v[i]` of one dimension.
                        return;
                    }
                    let index = &x.index;
                    *x.index =
                        syn::parse2(quote_spanned!(span=> #numbers.#position(#index))).expect("a call");
                    return;
                }
            }
            Expr::Index(x)
                if let Some((of, axis)) = shape_at(x)
                    && let Some(owner) = self.owner(of)
                    && owner.dims.is_some_and(|n| axis < n) =>
            {
                let (numbers, span) = (owner.ident(NUMBERS, of.span()), x.span());
                let axis = syn::Index { index: axis as u32, span };
                *e = syn::parse2(quote_spanned!(span=> #numbers.#axis)).expect("a field");
                return;
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
                if let Some(owner) = self.owner(&m.receiver)
                    && let Some(dims) = owner.dims
                    && let Some(made) = of_ndarray(
                        m,
                        dims,
                        [NUMBERS, ELEMENTS].map(|of| owner.ident(of, m.receiver.span())),
                    ) =>
            {
                *e = made;
            }
            Expr::MethodCall(m) if self.owner(&m.receiver).is_some_and(|owner| owner.dims.is_some()) => {
                let (method, array) = (m.method.to_string(), as_written(&m.receiver));
                self.sink
                    .error_at(
                        Code::HostCall,
                        &m.method,
                        format!("`.{method}()` of an array of `ndarray` is not on devices"),
                    )
                    .help(format!("devices have its elements, `{array}[[i, j]]`, `{array}.iter()`, `{array}.rows()`, `{array}.row(i)` and `{array}.row_mut(i)` by a number, and its shape, `nrows ncols dim len len_of` and `{array}.shape()[0]`: call others before the loop"));
                return;
            }
            Expr::Reference(r)
                if let Some(owner) = self.owner(&r.expr)
                    && owner.dims.is_some() =>
            {
                // `for v in &a`
                let elements = owner.ident(ELEMENTS, r.expr.span());
                *r.expr = syn::parse_quote!(#elements);
                return;
            }
            Expr::Reference(r) => return self.visit_at(&mut r.expr, r.mutability.is_some()),
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
        match e {
            Expr::MethodCall(m) => part_of_row(&mut m.receiver),
            Expr::Index(x) => part_of_row(&mut x.expr),
            _ => {}
        }
    }

    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        if let Some((mut args, rest)) = arguments(m) {
            args.iter_mut().for_each(|arg| self.visit_at(arg, false));
            m.tokens = quote!(#(#args),* #rest);
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
