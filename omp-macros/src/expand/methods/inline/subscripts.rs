//! Subscripts by a declared `Index`, and the places of elements.
use super::Inline;
use super::body::Body;
use super::expressions::{assign_at_ends, is_plain_place, is_pure, is_pure_with, made, through};
use crate::diag::Code;
use crate::expand::methods::{Method, Methods, suits};
use crate::iterate::parentheses;
use crate::sema::reduction::updates::is_assignment;
use crate::sema::syntax::forms::{at_ends_of, behind_references};
use crate::sema::syntax::{place, search};
use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, FnArg, ReturnType, Stmt};

impl<'a> Inline<'a> {
    /// The replacement of `m[(i, j)]`, if exactly one declared `Index` fits.
    pub(super) fn subscript(&mut self, x: &syn::ExprIndex) -> Option<Expr> {
        let Some(name) = self.methods.of_place(&x.expr, &self.known) else {
            return self.value_subscript(x);
        };
        let methods = self.methods.structs.clone();
        let of = methods.iter().find(|s| s.name == name)?;
        let suiting =
            of.indices.iter().filter(|(mutable, ty, _)| *mutable == self.writing && suits(ty, &x.index));
        let [(_, _, method)] = suiting.collect::<Vec<_>>()[..] else { return None };
        let at = Ident::new("index", x.expr.span());
        let Ok(Expr::Reference(mut r)) =
            self.body(method, Some((&x.expr, &name)), std::slice::from_ref(&x.index), &at)
        else {
            return None;
        };
        self.found = true;
        if let (Some(of), Expr::Index(element)) = (place::scalar_key(&x.expr), &mut *r.expr) {
            // Messages point at what the user wrote, from the first token to the last.
            element.bracket_token = x.bracket_token;
            self.arrays.push((of, (*element.expr).clone()));
        }
        Some(*r.expr)
    }

    /// The declared `Index` of a device value that a subscript means.
    fn value_index(&self, x: &syn::ExprIndex, writing: bool) -> Option<(String, &'a Method)> {
        let name = self.named_type(&x.expr)?;
        let methods: &'a Methods = self.methods;
        let indices = &methods.values.find(&name)?.indices;
        let suiting = indices.iter().filter(|(mutable, ty, _)| *mutable == writing && suits(ty, &x.index));
        let [(_, _, method)] = suiting.collect::<Vec<_>>()[..] else { return None };
        Some((name, method))
    }

    /// `m[(i, j)]` of a device value.
    fn value_subscript(&mut self, x: &syn::ExprIndex) -> Option<Expr> {
        let (name, method) = self.value_index(x, self.writing)?;
        let at = Ident::new("index", x.expr.span());
        if !self.is_steady(&x.expr) {
            // What is written, or may be, would be written to a copy.
            if (self.writing || self.receiver) && is_plain_place(&x.expr) {
                return None;
            }
            // A value that has no name.
            let (value, index, span) = (behind_references(&x.expr), &x.index, x.expr.span());
            let named = Ident::new("__device_value_subscripted", Span::mixed_site().located_at(span));
            let named_x: syn::ExprIndex = syn::parse_quote_spanned!(span=> #named[#index]);
            let element = self.value_place(&named_x, &name, method, &at)?;
            return Some(made(parentheses(quote_spanned!(span=> { let #named = #value; #element }))));
        }
        if !self.writing && !self.receiver && !is_pure(&x.index, &self.changing) {
            // The body may name the subscript more than once.
            let (value, index, span) = (&x.expr, &x.index, x.index.span());
            let named = Ident::new("__device_value_index", Span::mixed_site().located_at(span));
            let named_x: syn::ExprIndex = syn::parse_quote_spanned!(span=> #value[#named]);
            let element = self.value_place(&named_x, &name, method, &at)?;
            return Some(made(parentheses(quote_spanned!(span=> { let #named = #index; #element }))));
        }
        self.value_place(x, &name, method, &at)
    }

    fn value_place(&mut self, x: &syn::ExprIndex, name: &str, method: &Method, at: &Ident) -> Option<Expr> {
        let args = std::slice::from_ref(&*x.index);
        if let Some(value) = by_value(method) {
            if self.writing {
                self.sink
                    .error_at(
                        Code::UnsupportedExpr,
                        &*x.index,
                        "which field this subscript means is known when it runs, and the element is borrowed here",
                    )
                    .help("assign it: `v[i] = …` and `v[i] += …`; or write the field's name");
                return None;
            }
            return self.reported(&value, Some((&x.expr, name)), args, at);
        }
        match self.reported(method, Some((&x.expr, name)), args, at)? {
            Expr::Reference(mut r) => {
                if let Expr::Index(element) = &mut *r.expr {
                    element.bracket_token = x.bracket_token;
                }
                Some(*r.expr)
            }
            _ => None,
        }
    }

    /// `v[i] = e`, where the `IndexMut` of a device value has a branch for each field.
    pub(super) fn value_assignment(&mut self, e: &Expr) -> Option<Expr> {
        let (left, right, op) = match e {
            Expr::Assign(a) => (&a.left, &a.right, None),
            Expr::Binary(b) if is_assignment(&b.op) => (&b.left, &b.right, Some(&b.op)),
            _ => return None,
        };
        let Expr::Index(x) = &**left else { return None };
        let (name, method) = self.value_index(x, true).filter(|_| self.is_steady(&x.expr))?;
        let value = by_value(method)?;
        let FnArg::Typed(param) = value.function.sig.inputs.get(1)? else { return None };
        let (pat, ty, span) = (&param.pat, &param.ty, x.expr.span());
        let own = |name| Ident::new(name, Span::mixed_site().located_at(span));
        let assigned = own("__device_value_assigned");
        let op = op.map_or(quote!(=), ToTokens::to_token_stream);
        let mut block = value.function.block.clone();
        assign_at_ends(&mut block, &op, &assigned.to_token_stream());
        let (index, named) = (&x.index, own("__device_value_index"));
        block.stmts.insert(0, syn::parse_quote_spanned!(span=> let #pat: #ty = #named;));
        let mut stored = value.with(value.function.clone());
        stored.function.block = block;
        stored.function.sig.inputs = value.function.sig.inputs.iter().take(1).cloned().collect();
        let (Body { block, .. }, _) =
            // (Names that its body gets have the hygiene of those that other calls' bodies get.)
            self.stands(&stored, Some((&x.expr, &name)), &[], &Ident::new("index", span)).ok()?;
        Some(made(quote_spanned!(span=> { let #assigned = #right; let #named = #index; #block })))
    }

    /// Whether an expression is a place that may be named more than once.
    pub(super) fn is_steady(&self, e: &Expr) -> bool {
        let mut pure = true;
        search::walk(e, |e| {
            if let Expr::Index(x) = e {
                pure &= is_pure_with(&x.index, &self.changing, &|name| self.methods.reads(name));
            }
            true
        });
        pure && is_plain_place(e)
    }
}

/// The `Index` of a device value that has a branch for each field: as a method that gives the element.
fn by_value(method: &Method) -> Option<Method> {
    let [.., Stmt::Expr(Expr::Match(_) | Expr::If(_), None)] = &method.function.block.stmts[..] else {
        return None;
    };
    let mut function = method.function.clone();
    at_ends_of(&mut function.block, &mut through);
    // The type follows from the branches.
    function.sig.output = ReturnType::Default;
    Some(method.with(function))
}
