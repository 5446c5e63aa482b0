//! Options of parts under names: `let above = y.checked_sub(1).map(|k| &x[k * n..][..n]);`.
//!
//! A device has no slice as a value, so the variable keeps the ends of the part. Where a pattern or a closure binds the part, that is
//! `&x[first..end]`. The option itself stays one of numbers, which all other rules know. An element that a closure gives a reference to
//! is a part as well, `&x[first]`.
use crate::iterate::loops::chain::is_variable_or_field;
use crate::iterate::loops::walk::Walk;
use crate::iterate::tokens::{changed, made, parentheses};
use crate::parse::tokens::leaves::mentions;
use crate::sema::syntax::forms::{at_ends, is_named, is_variant, strip, strip_mut};
use crate::sema::syntax::names::{bound, bound_in};
use crate::sema::syntax::{place, search};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprRange, Pat, RangeLimits, Stmt};

impl Walk<'_> {
    /// Rewrites the options of parts that the statements of a block bind to names.
    pub(in crate::iterate) fn optional_parts_by_name(&mut self, b: &mut Block) {
        for at in 0..b.stmts.len() {
            let Stmt::Local(l) = &b.stmts[at] else { continue };
            let (Some(name), Some(init)) = (variable(&l.pat), &l.init) else { continue };
            if init.diverge.is_some() {
                continue;
            }
            let span = name.span();
            let in_names = |names: &[Ident; 2]| {
                let mut value = (*init.expr).clone();
                let mut parts = Parts { array: None, element: false, names };
                parts.of_option(&mut value)?;
                Some((value, parts.array?, parts.element))
            };
            if in_names(&["first", "end"].map(|name| Ident::new(name, span))).is_none() {
                continue;
            }
            let names = ["first", "end"].map(|of| self.fresh(of, span));
            let Some((value, array, element)) = in_names(&names) else { continue };
            let rest = &b.stmts[at + 1..];
            let mut rest: Block = syn::parse_quote!({ #(#rest)* });
            if !means_the_same(&name, &array, &init.expr, &rest) {
                continue;
            }
            let mut uses = Uses { name: &name, array: &array, element, names: &names, all: true };
            uses.visit_block_mut(&mut rest);
            if !uses.all {
                continue;
            }
            b.stmts[at] = syn::parse_quote_spanned!(span=> let #name = #value;);
            b.stmts.truncate(at + 1);
            b.stmts.append(&mut rest.stmts);
            return self.optional_parts_by_name(b);
        }
    }
}

/// Whether the name of the option, and that of the array, mean in what comes after what they mean where the option is made.
fn means_the_same(name: &Ident, array: &Expr, value: &Expr, rest: &Block) -> bool {
    let Some(root) = place::root(array) else { return false };
    let (name, root) = (name.to_string(), root.to_string());
    let (bound, after) = (bound_in(rest), made(rest.to_token_stream()));
    let of_value = bound_in(&syn::parse_quote!({ #value }));
    !bound.contains(&name)
        && !bound.contains(&root)
        && !of_value.contains(&root)
        && !changed(&after).contains(&root)
        && !search::has_item(rest)
}

/// The variable of a `let` that never changes.
fn variable(pat: &Pat) -> Option<Ident> {
    match pat {
        Pat::Ident(p) if p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none() => {
            Some(p.ident.clone())
        }
        Pat::Type(t) => variable(&t.pat),
        _ => None,
    }
}

/// The parts that an option may have.
struct Parts<'n> {
    array: Option<Expr>,
    /// They are elements.
    element: bool,
    names: &'n [Ident; 2],
}

impl Parts<'_> {
    /// Replaces the parts by their ends; `None` if a value is anything else.
    fn of_option(&mut self, e: &mut Expr) -> Option<()> {
        let mut all = true;
        at_ends(e, &mut |e| all &= self.of_value(e).is_some());
        all.then_some(())
    }

    fn of_value(&mut self, e: &mut Expr) -> Option<()> {
        match e {
            Expr::Path(p) if is_variant(&p.path, "None") => {
                p.path.segments[0].arguments = syn::PathArguments::None;
                Some(())
            }
            Expr::Call(c) if c.args.len() == 1 => match &mut *c.func {
                Expr::Path(p) if is_variant(&p.path, "Some") => {
                    p.path.segments[0].arguments = syn::PathArguments::None;
                    self.of_part(&mut c.args[0], false)
                }
                _ => None,
            },
            Expr::MethodCall(m) if m.args.len() == 1 => match (m.method.to_string().as_str(), &mut m.args[0])
            {
                ("then_some", part) => self.of_part(part, false),
                ("map" | "then", Expr::Closure(c)) => {
                    c.output = syn::ReturnType::Default;
                    let mut all = true;
                    at_ends(&mut c.body, &mut |e| all &= self.of_part(e, true).is_some());
                    all.then_some(())
                }
                ("and_then", Expr::Closure(c)) => {
                    c.output = syn::ReturnType::Default;
                    self.of_option(&mut c.body)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The ends of `&x[a..b]` or `&x[a..][..n]`, which are checked where the part is made; in a closure, those of `&x[i]`, too. (Other
    /// options of elements keep a copy.)
    fn of_part(&mut self, e: &mut Expr, in_closure: bool) -> Option<()> {
        let span = e.span();
        let Expr::Reference(syn::ExprReference { mutability: None, expr, .. }) = strip_mut(e) else {
            return None;
        };
        let usize = quote_spanned!(span=> ::omp::__private::core::primitive::usize);
        let [first, end] = self.names;
        let (array, element, ends) = match (sliced(expr), &**expr) {
            (Some((inner, range)), _) => {
                let start = |r: &ExprRange| {
                    r.start.as_ref().map_or_else(|| quote!(0), |e| parentheses(e.to_token_stream()))
                };
                let (array, before) = match sliced(inner) {
                    Some((array, open)) if open.end.is_none() => (array, start(open)),
                    Some(_) => return None,
                    None => (inner, quote!(0)),
                };
                let (start, to) =
                    (start(range), range.end.as_ref().map(|e| parentheses(e.to_token_stream())));
                let to = match (to, range.limits) {
                    (Some(to), RangeLimits::HalfOpen(_)) => quote_spanned!(span=> #end + #to),
                    (Some(to), RangeLimits::Closed(_)) => quote_spanned!(span=> #end + #to + 1),
                    (None, _) => quote_spanned!(span=> #array.len()),
                };
                let ends = quote_spanned!(span=> {
                    let #end: #usize = #before;
                    let #first: #usize = #end + #start;
                    let #end: #usize = #to;
                    let _ = &#array[#first..#end];
                    (#first, #end)
                });
                (array, false, ends)
            }
            (None, Expr::Index(x))
                if in_closure && !matches!(strip(&x.index), Expr::Tuple(_) | Expr::Array(_)) =>
            {
                let (array, index) = (strip(&x.expr), &x.index);
                let ends = quote_spanned!(span=> {
                    let #first: #usize = #index;
                    let _ = &#array[#first];
                    (#first, #first)
                });
                (array, true, ends)
            }
            _ => return None,
        };
        let text = |e: &Expr| e.to_token_stream().to_string();
        let same =
            self.array.as_ref().is_none_or(|other| text(other) == text(array) && self.element == element);
        if !is_variable_or_field(array) || !same {
            return None;
        }
        (self.array, self.element) = (Some(array.clone()), element);
        *e = made(ends);
        Some(())
    }
}

/// `x` and `a..b` of `x[a..b]`.
fn sliced(e: &Expr) -> Option<(&Expr, &ExprRange)> {
    let Expr::Index(x) = strip(e) else { return None };
    let Expr::Range(r) = strip(&x.index) else { return None };
    Some((strip(&x.expr), r))
}

/// Binds the part where a use of the option binds it.
struct Uses<'n> {
    name: &'n Ident,
    array: &'n Expr,
    element: bool,
    names: &'n [Ident; 2],
    /// No use is of another form.
    all: bool,
}

impl Uses<'_> {
    fn is_it(&self, e: &Expr) -> bool {
        is_named(strip(e), self.name)
    }

    fn part(&self, span: Span) -> TokenStream {
        let ([first, end], array) = (self.names, self.array);
        if self.element {
            quote_spanned!(span=> &#array[#first])
        } else {
            quote_spanned!(span=> &#array[#first..#end])
        }
    }

    /// The ends in the place of a name, and the statement that gives it the part; no statement for `_`.
    fn bind(&mut self, pat: &mut Pat) -> Option<Stmt> {
        let (span, [first, end]) = (pat.span(), self.names);
        let as_written = match &*pat {
            Pat::Wild(_) => return None,
            Pat::Reference(_) | Pat::Slice(_) | Pat::Struct(_) | Pat::Tuple(_) if self.element => {
                Some(pat.clone())
            }
            pat => variable(pat).map(|name| syn::parse_quote!(#name)),
        };
        let Some::<Pat>(as_written) = as_written else {
            self.all = false;
            return None;
        };
        let part = self.part(span);
        *pat = syn::parse_quote_spanned!(span=> (#first, #end));
        Some(syn::parse_quote_spanned!(span=> let #as_written = #part;))
    }

    /// The same in `Some(p)`; `None` and `_` bind nothing.
    fn bind_some(&mut self, pat: &mut Pat) -> Option<Stmt> {
        match pat {
            Pat::TupleStruct(t) if is_variant(&t.path, "Some") && t.elems.len() == 1 => {
                self.bind(&mut t.elems[0])
            }
            Pat::Wild(_) => None,
            Pat::Ident(p) if p.ident == "None" && p.subpat.is_none() => None,
            _ => {
                self.all = false;
                None
            }
        }
    }

    /// The argument of a method of the option: a closure, or the name of a function.
    fn in_closure(&mut self, f: &mut Expr) {
        let (span, [first, end]) = (f.span(), self.names);
        match strip_mut(f) {
            Expr::Closure(c) if c.inputs.len() == 1 => {
                if let Some(part) = self.bind(&mut c.inputs[0]) {
                    let body = &c.body;
                    *c.body = made(quote_spanned!(span=> { #part #body }));
                }
                self.visit_expr_mut(&mut c.body);
            }
            path @ Expr::Path(_) if !self.is_it(path) => {
                let part = self.part(span);
                *path = made(quote_spanned!(span=> |(#first, #end)| #path(#part)));
            }
            _ => self.all = false,
        }
    }
}

impl VisitMut for Uses<'_> {
    fn visit_block_mut(&mut self, b: &mut Block) {
        for mut s in std::mem::take(&mut b.stmts) {
            let mut bound = None;
            match &mut s {
                Stmt::Local(l)
                    if l.init.as_ref().is_some_and(|i| i.diverge.is_some() && self.is_it(&i.expr)) =>
                {
                    bound = self.bind_some(&mut l.pat);
                    let diverge = l.init.as_mut().and_then(|i| i.diverge.as_mut());
                    diverge.into_iter().for_each(|(_, e)| self.visit_expr_mut(e));
                }
                s => self.visit_stmt_mut(s),
            }
            b.stmts.push(s);
            b.stmts.extend(bound);
        }
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let span = e.span();
        match e {
            e if self.is_it(e) => self.all = false,
            Expr::Match(m) if self.is_it(&m.expr) => {
                for arm in &mut m.arms {
                    let (pat, guard) = match &mut arm.pat {
                        Pat::Guard(g) => (&mut *g.pat, Some(&mut g.guard)),
                        pat => (pat, None),
                    };
                    let part = self.bind_some(pat);
                    self.visit_expr_mut(&mut arm.body);
                    if let Some(guard) = guard {
                        self.visit_expr_mut(guard);
                        // (Only where it names the part.)
                        if let Some(Stmt::Local(l)) = &part
                            && bound(&l.pat).iter().any(|name| mentions(guard.to_token_stream(), name))
                        {
                            **guard = made(quote_spanned!(span=> { #part #guard }));
                        }
                    }
                    if part.is_some() {
                        let body = &arm.body;
                        *arm.body = made(quote_spanned!(span=> { #part #body }));
                    }
                }
            }
            Expr::If(i) if matches!(&*i.cond, Expr::Let(l) if self.is_it(&l.expr)) => {
                let Expr::Let(l) = &mut *i.cond else { unreachable!("just seen") };
                let part = self.bind_some(&mut l.pat);
                self.visit_block_mut(&mut i.then_branch);
                i.then_branch.stmts.splice(0..0, part);
                if let Some((_, other)) = &mut i.else_branch {
                    self.visit_expr_mut(other);
                }
            }
            Expr::MethodCall(m) if self.is_it(&m.receiver) => {
                match (m.method.to_string().as_str(), m.args.len()) {
                    ("is_some" | "is_none", 0) => {}
                    ("copied" | "cloned", 0) if self.element => {
                        let ([first, end], array, receiver) = (self.names, self.array, &m.receiver);
                        *e = made(quote_spanned!(span=> #receiver.map(|(#first, #end)| #array[#first])));
                    }
                    ("map" | "and_then" | "is_some_and" | "is_none_or", 1) => self.in_closure(&mut m.args[0]),
                    ("map_or" | "map_or_else", 2) => {
                        self.visit_expr_mut(&mut m.args[0]);
                        self.in_closure(&mut m.args[1]);
                    }
                    ("unwrap", 0) | ("expect", 1) => {
                        let (array, end) =
                            (self.array, (!self.element).then(|| quote_spanned!(span=> ..#m.1)));
                        *e = made(parentheses(quote_spanned!(span=> &#array[#m.0 #end])));
                    }
                    _ => self.all = false,
                }
            }
            e => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        self.all &= !mentions(m.tokens.clone(), &self.name.to_string());
    }
}
