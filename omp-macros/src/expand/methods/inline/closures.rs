//! Closure arguments: the bindings of those whose parameters have types, and calls of the others.
//!
//! Types as those of `impl Fn(&T) -> f64` only rustc knows. A variable for such a closure would have no types at its declaration, so its
//! body stands in the place of the calls.
use super::Inline;
use super::expressions::made;
use crate::expand::methods::templates;
use crate::parse::tokens::leaves::idents;
use crate::parse::tokens::source::{CLOSURE_ARGUMENT, words};
use crate::sema::syntax::forms::behind_references;
use crate::sema::syntax::{names, search};
use crate::visits;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, ExprClosure, Pat, ReturnType, Stmt, Type};

impl Inline<'_> {
    /// The binding of a closure argument: the function's parameter gives the types.
    pub(super) fn closure(
        &self,
        variable: &Ident,
        of: &syn::ParenthesizedGenericArguments,
        arg: &Expr,
    ) -> Stmt {
        let span = variable.span();
        let is_argument = |p: &syn::ExprPath| {
            p.path.get_ident().is_some_and(|name| name.to_string().starts_with(CLOSURE_ARGUMENT))
        };
        let is_variable = |p: &syn::ExprPath| {
            is_argument(p) || p.path.get_ident().is_some_and(|name| self.is_variable(name))
        };
        let mut c: ExprClosure = match behind_references(arg) {
            Expr::Closure(c) => c.clone(),
            // (What the name of a closure gives has the parameter's type.)
            Expr::Path(p)
                if !is_variable(p)
                    || !is_argument(p)
                        && templates::is_of_values(&of.output)
                        && templates::takes_values(of) =>
            {
                let names: Vec<Ident> = (0..of.inputs.len())
                    .map(|n| Ident::new(&format!("{CLOSURE_ARGUMENT}arg{n}"), span))
                    .collect();
                syn::parse_quote_spanned!(p.span()=> |#(#names),*| #p(#(#names),*))
            }
            // Another expression whose code is not visible here.
            other => return syn::parse_quote_spanned!(span=> let #variable = &#other;),
        };
        for (pat, ty) in c.inputs.iter_mut().zip(of.inputs.iter().map(|arg| lengths_inferred(&arg.ty))) {
            if !matches!(pat, Pat::Type(_)) && templates::is_of_numbers(&ty) {
                let (inner, ty) = (Box::new(pat.clone()), Box::new(ty));
                let colon_token = syn::Token![:](ty.span());
                *pat = Pat::Type(syn::PatType { attrs: vec![], pat: inner, colon_token, ty });
            }
        }
        if let (ReturnType::Default, ReturnType::Type(arrow, ty)) = (&c.output, &of.output)
            && templates::is_of_values(&of.output)
        {
            c.output = ReturnType::Type(*arrow, ty.clone());
            if !matches!(&*c.body, Expr::Block(b) if b.label.is_none() && b.attrs.is_empty()) {
                let body = &c.body;
                c.body = syn::parse_quote_spanned!(body.span()=> { #body });
            }
        }
        syn::parse_quote_spanned!(span=> #[allow(unused_mut)] let mut #variable = #c;)
    }
}

/// A type whose lengths rustc finds: a function's `[f64; N]` has no `N` where the function is called.
fn lengths_inferred(ty: &Type) -> Type {
    struct Lengths;
    impl VisitMut for Lengths {
        fn visit_type_array_mut(&mut self, a: &mut syn::TypeArray) {
            self.visit_type_mut(&mut a.elem);
            if !matches!(a.len, Expr::Lit(_)) {
                a.len = syn::parse_quote!(_);
            }
        }
    }
    let mut ty = ty.clone();
    Lengths.visit_type_mut(&mut ty);
    ty
}

/// Puts the body of the closure that a statement binds in the place of its calls; `own`: the variables of the block. Says whether
/// nothing names the closure then.
pub(super) fn in_place(block: &mut Block, bound: &Stmt, own: &HashSet<String>) -> bool {
    let Stmt::Local(l) = bound else { return false };
    let (Pat::Ident(variable), Some(init)) = (&l.pat, &l.init) else { return false };
    let (variable, Expr::Closure(closure)) = (&variable.ident, &*init.expr) else { return false };
    let untyped = closure.inputs.iter().any(|pat| !matches!(pat, Pat::Type(_)));
    let leaves = |e: &Expr| matches!(e, Expr::Return(_) | Expr::Try(_));
    if !untyped || closure.capture.is_some() || search::any(&*closure.body, leaves) {
        return false;
    }
    let params: HashSet<String> = closure.inputs.iter().flat_map(names::bound).collect();
    let free = words(closure.body.to_token_stream());
    if free.iter().any(|word| own.contains(word) && !params.contains(word)) {
        return false;
    }
    let mentions = |block: &Block| idents(block.to_token_stream()).filter(|name| *name == *variable).count();
    let (mut made_of, mut found) = (block.clone(), 0);
    visits::change(&mut made_of, |e| {
        let Expr::Call(call) = &*e else { return };
        let is_it = matches!(&*call.func, Expr::Path(p) if p.path.is_ident(variable));
        if !is_it || call.args.len() != closure.inputs.len() {
            return;
        }
        found += 1;
        let parts = |pat: &Pat| match pat {
            Pat::Type(t) => (t.pat.to_token_stream(), t.ty.to_token_stream()),
            pat => (pat.to_token_stream(), quote!(_)),
        };
        let (pats, types): (Vec<_>, Vec<_>) = closure.inputs.iter().map(parts).unzip();
        let (args, body, span) = (call.args.iter(), &closure.body, call.span());
        let result = Ident::new("__device_of_closure", Span::mixed_site().located_at(span));
        let value = match &closure.output {
            ReturnType::Type(_, ty) => quote_spanned!(span=> let #result: #ty = #body; #result),
            ReturnType::Default => quote!(#body),
        };
        // (No parameter hides a name of the next argument.)
        let params = match pats.len() {
            1 => quote_spanned!(span=> #(let #pats: #types = #args;)*),
            _ => quote_spanned!(span=> let (#(#pats,)*): (#(#types,)*) = (#(#args,)*);),
        };
        *e = made(quote_spanned!(span=> ({ #params #value })));
    });
    let all = found == mentions(block);
    if all {
        *block = made_of;
    }
    all
}
