//! Type parameters of inlined functions and methods, which rustc infers from the arguments.
use super::super::{templates, words};
use crate::sema::syntax::forms::strip;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::{HashMap, HashSet};
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Expr, FnArg, Pat, ReturnType, Signature, Stmt, Type};

/// The type parameters of an inlined function, which rustc infers from the arguments. What a call of the function would tell rustc about
/// them, other statements have to.
pub(super) struct TypeParameters {
    pub(super) names: HashSet<String>,
    /// Those with bounds by which rustc may choose a type.
    bounds: HashMap<String, TokenStream>,
    /// Those of which closures give values of a type that they name.
    given: HashSet<String>,
}

impl TypeParameters {
    /// `own`: how many inputs have no argument.
    pub(super) fn of(sig: &Signature, own: usize, args: &[Expr]) -> Self {
        const INERT: [&str; 10] = [
            "Copy",
            "Clone",
            "Device",
            "Sized",
            "Send",
            "Sync",
            "PartialEq",
            "PartialOrd",
            "Debug",
            "Default",
        ];
        let is_inert = |bound: &syn::TypeParamBound| match bound {
            syn::TypeParamBound::Trait(t) => {
                t.path.segments.last().is_some_and(|s| INERT.iter().any(|name| s.ident == name))
            }
            _ => true,
        };
        let names: HashSet<String> = sig.generics.type_params().map(|t| t.ident.to_string()).collect();
        let mut bounds: HashMap<String, TokenStream> = HashMap::new();
        let mut bound =
            |name: String, all: &syn::punctuated::Punctuated<syn::TypeParamBound, syn::Token![+]>| {
                let tokens: Vec<_> = all.iter().filter(|bound| !is_inert(bound)).collect();
                if !tokens.is_empty() {
                    bounds.entry(name).or_default().extend(quote!(#(+ #tokens)*));
                }
            };
        sig.generics.type_params().for_each(|t| bound(t.ident.to_string(), &t.bounds));
        for predicate in sig.generics.where_clause.iter().flat_map(|w| &w.predicates) {
            if let syn::WherePredicate::Type(t) = predicate
                && let Some(name) = name_of_type(&t.bounded_ty)
            {
                bound(name, &t.bounds);
            }
        }
        let casts = |arg: &Expr| {
            let Expr::Closure(c) = strip(arg) else { return false };
            let mut value = strip(&c.body);
            while let Expr::Block(b) = value
                && let Some(Stmt::Expr(last, None)) = b.block.stmts.last()
            {
                value = strip(last);
            }
            matches!(value, Expr::Cast(_))
        };
        let given = sig.inputs.iter().skip(own).zip(args).filter_map(|(input, arg)| match input {
            FnArg::Typed(param) => match &templates::of_closure(&param.ty)?.output {
                ReturnType::Type(_, ty) if casts(arg) => name_of_type(ty).filter(|name| names.contains(name)),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        });
        let given = given.collect();
        Self { given, names, bounds }
    }

    /// Whether an argument is a number without a type, which a closure's value would give one.
    pub(super) fn needs_type(&self, ty: &Type, arg: &Expr) -> bool {
        let plain = |lit: &syn::Lit| match lit {
            syn::Lit::Int(n) => n.suffix().is_empty(),
            syn::Lit::Float(n) => n.suffix().is_empty(),
            _ => false,
        };
        let literal = match strip(arg) {
            Expr::Lit(l) => plain(&l.lit),
            Expr::Unary(u) => matches!(strip(&u.expr), Expr::Lit(l) if plain(&l.lit)),
            _ => false,
        };
        literal && name_of_type(ty).is_some_and(|name| self.given.contains(&name))
    }

    /// A type with `_` in the places of the parameters.
    pub(super) fn inferred(&self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        Infer(self.names.clone()).visit_type_mut(&mut ty);
        ty
    }

    pub(super) fn links<'t>(
        &'t self,
        generics: &'t [String],
        here: &'t dyn Fn(TokenStream) -> TokenStream,
    ) -> Links<'t> {
        Links { of: self, generics, here, first: HashMap::new(), stmts: Vec::new() }
    }
}

/// Statements for rustc alone: which parameters are of one type, and of what kind of type.
pub(super) struct Links<'t> {
    of: &'t TypeParameters,
    /// The parameters of the `impl`.
    generics: &'t [String],
    here: &'t dyn Fn(TokenStream) -> TokenStream,
    first: HashMap<String, Ident>,
    pub(super) stmts: Vec<Stmt>,
}

impl Links<'_> {
    /// A parameter of the function, under its name here.
    pub(super) fn parameter(&mut self, ty: &Type, pat: &TokenStream) {
        let Some(of) = name_of_type(ty).filter(|name| self.of.names.contains(name)) else { return };
        let Ok(Pat::Ident(p)) = Pat::parse_single.parse2(pat.clone()) else { return };
        let name = p.ident;
        if let Some(first) = self.first.get(&of) {
            self.stmts.push(syn::parse_quote!(::omp::__private::alike(&#first, &#name);));
            return;
        }
        // (A bound that names parameters says nothing without them.)
        let says = |bounds: &&TokenStream| {
            let known = |word: &String| self.of.names.contains(word) || self.generics.contains(word);
            !words((*bounds).clone()).iter().any(known)
        };
        if let Some(bounds) = self.of.bounds.get(&of).filter(says) {
            let bounds = (self.here)(bounds.clone());
            self.stmts.push(syn::parse_quote! {
                ::omp::__private::known({
                    fn __omp_bound<T: ::omp::__private::core::marker::Sized #bounds>(_: &T) {}
                    __omp_bound(&#name)
                });
            });
        }
        self.first.insert(of, name);
    }
}

/// The name that a type is.
fn name_of_type(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(p) if p.qself.is_none() => p.path.get_ident().map(ToString::to_string),
        _ => None,
    }
}

/// Puts `_` in the places of type parameters.
struct Infer(HashSet<String>);
impl VisitMut for Infer {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        match ty {
            Type::Path(p) if p.path.get_ident().is_some_and(|name| self.0.contains(&name.to_string())) => {
                *ty = syn::parse_quote_spanned!(p.span()=> _);
            }
            ty => syn::visit_mut::visit_type_mut(self, ty),
        }
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Types that a function's own parameters stand for: rustc infers them at the call.
pub(super) fn infer_types(function: &mut syn::ImplItemFn) {
    let mut infer = Infer(function.sig.generics.type_params().map(|t| t.ident.to_string()).collect());
    if !infer.0.is_empty() {
        infer.visit_block_mut(&mut function.block);
        for input in &mut function.sig.inputs {
            if let FnArg::Typed(param) = input
                && templates::of_closure(&param.ty).is_some()
            {
                infer.visit_type_mut(&mut param.ty);
            }
        }
        infer.visit_return_type_mut(&mut function.sig.output);
    }
}
