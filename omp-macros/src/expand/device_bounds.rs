//! The bound `omp::Device` of type parameters of which regions have values. rustc would refuse such a region without the bound, whatever the
//! type; so the function gets it for parameters that are bound by a declared trait, which is made for devices, where tokens show the need: a region captures a parameter of the type, or an array of it, declares a
//! variable of it, or uses a member of a declared trait that makes or takes values. Callers that know the type see rustc's error at their call.
//!
//! A type parameter of which regions use functions without values alone has no bound: it need be no device type. The signatures of methods
//! of traits are the traits' own.
use super::context::{Outer, Scope};
use super::item::offloaded::declares;
use super::methods::Methods;
use crate::glue::device_fn::policy_types;
use crate::lower::Lowered;
use crate::parse::tokens::file::SourceFile;
use crate::parse::tokens::outline::Outline;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::names::times_bound;
use crate::sema::syntax::types::behind_parens;
use proc_macro2::{Ident, Span};
use quote::quote_spanned;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{
    Block, Expr, ExprPath, FnArg, GenericArgument, Generics, Local, Pat, PathArguments, Signature, Type,
    TypeParamBound, WherePredicate,
};

/// What regions need of a function's type parameters.
pub(super) struct Needs {
    outer: Outer,
    names: HashSet<String>,
    /// `self`'s own type.
    this: bool,
}

impl Needs {
    /// `regions`: the bodies, and what was made of them. `None` if the function's signature is not its own.
    pub fn of<'r>(
        (sig, body): (&Signature, &Block),
        regions: impl Iterator<Item = (&'r Block, &'r Lowered)>,
        (scope, direct): (&Scope, bool),
    ) -> Option<Self> {
        let outer = if direct { Methods::outer_of(&sig.ident)? } else { scope.outer.clone() };
        let impl_generics = match &outer {
            Outer::Trait => return None,
            Outer::Module => None,
            Outer::Impl(generics) => Some(generics),
        };
        let generics: Vec<&Generics> = impl_generics.into_iter().chain([&sig.generics]).collect();
        let mut needs = Self { outer: outer.clone(), names: HashSet::new(), this: false };
        let bound = times_bound(sig, body);
        for (block, lowered) in regions {
            let captures = &lowered.captures;
            let arrays = captures.arrays.iter().map(|a| (&a.place, true));
            let values = captures.scalars.iter().map(|s| (&s.place, false));
            let reduced = captures.reductions.iter().map(|r| (&r.place, r.array.is_some()));
            for (place, is_array) in arrays.chain(values).chain(reduced) {
                let Some(name) = name_of(place) else { continue };
                needs.this |= name == "self" && !is_array && impl_generics.is_some();
                if bound.get(&name.to_string()) == Some(&1)
                    && let Some(ty) = type_of(sig, name)
                {
                    // (A type parameter that is an array as a whole has other bounds.)
                    if !is_array || !is_name(ty) {
                        needs.value(ty, is_array);
                    }
                }
            }
            let mut members = Members { generics: &generics, needs: &mut needs };
            members.visit_block(block);
        }
        let types = || generics.iter().flat_map(|g| g.type_params());
        let declared = |of: &Ident| {
            bounds(&generics, of).any(|bound| match bound {
                TypeParamBound::Trait(t) => {
                    t.path.segments.last().is_some_and(|s| declared_trait(&s.ident).is_some())
                }
                _ => false,
            })
        };
        let lacks = |t: &syn::TypeParam| !is_device(&generics, &t.ident) && declared(&t.ident);
        needs.names.retain(|name| types().any(|t| t.ident == *name && lacks(t)));
        // (`self` is a device type if its parameters are.)
        needs.this &= types().all(|t| is_device(&generics, &t.ident) || declared(&t.ident));
        Some(needs)
    }

    /// Adds the bounds to a signature.
    pub fn add_to(self, sig: &mut Signature) {
        let bound = |span: Span| -> TypeParamBound {
            syn::parse2(quote_spanned!(Span::mixed_site().located_at(span)=> ::omp::__private::Device))
                .expect("a path")
        };
        for param in sig.generics.type_params_mut() {
            if self.names.contains(&param.ident.to_string()) {
                param.colon_token.get_or_insert_default();
                param.bounds.push(bound(param.ident.span()));
            }
        }
        let Outer::Impl(outer) = &self.outer else { return };
        let names = outer.type_params().map(|t| &t.ident).filter(|t| self.names.contains(&t.to_string()));
        let mut of_impl: Vec<Ident> = names.cloned().collect();
        if self.this && outer.type_params().next().is_some() {
            of_impl.push(Ident::new("Self", sig.ident.span()));
        }
        for name in of_impl {
            let bound = bound(name.span());
            sig.generics.make_where_clause().predicates.push(syn::parse_quote!(#name: #bound));
        }
    }

    /// A region has values of a type, or elements of an array of the type.
    fn value(&mut self, ty: &Type, is_array: bool) {
        if let Some(name) = element(ty, is_array) {
            self.names.insert(name.to_string());
        }
    }
}

/// What of traits and of types a region names.
struct Members<'a> {
    generics: &'a [&'a Generics],
    needs: &'a mut Needs,
}

impl Members<'_> {
    fn member(&mut self, of: &Ident, member: &Ident) {
        let is = |bound: &TypeParamBound| match bound {
            TypeParamBound::Trait(t) => {
                t.path.segments.last().is_some_and(|s| of_values(&s.ident, &member.to_string()))
            }
            _ => false,
        };
        if bounds(self.generics, of).any(is) {
            self.needs.names.insert(of.to_string());
        }
    }
}

impl<'ast> Visit<'ast> for Members<'_> {
    fn visit_expr_path(&mut self, p: &'ast ExprPath) {
        let segments: Vec<&Ident> = p.path.segments.iter().map(|s| &s.ident).collect();
        match (&p.qself, &segments[..]) {
            (None, [of, member]) => self.member(of, member),
            (Some(q), [.., member]) if q.as_token.is_some() => {
                if let Some(of) = element(&q.ty, false) {
                    self.member(of, member);
                }
            }
            _ => {}
        }
        visit::visit_expr_path(self, p);
    }

    fn visit_local(&mut self, l: &'ast Local) {
        if let Pat::Type(t) = &l.pat {
            self.needs.value(&t.ty, true);
        }
        visit::visit_local(self, l);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// Whether a member of a declared trait, which the source file shows, is about values of `Self`.
fn of_values(of: &Ident, member: &str) -> bool {
    let Some(one) = declared_trait(of) else { return false };
    let has = one.items.iter().any(|item| match item {
        syn::TraitItem::Fn(f) => f.sig.ident == *member,
        syn::TraitItem::Const(c) => c.ident == *member,
        _ => false,
    });
    has && !policy_types::of_trait(&one).contains(member)
}

/// The declared trait of a name, if the source file shows it.
fn declared_trait(of: &Ident) -> Option<syn::ItemTrait> {
    let file = SourceFile::of(of.span())?;
    let (traits, _) = file.shows(Outline::of).traits(&file.text, &of.to_string());
    <[_; 1]>::try_from(traits).ok().map(|[one]| one).filter(|one| declares(&one.attrs))
}

fn bounds<'g>(generics: &'g [&'g Generics], of: &'g Ident) -> impl Iterator<Item = &'g TypeParamBound> {
    let own = generics.iter().flat_map(|g| g.type_params()).filter(move |t| t.ident == *of);
    let wheres = generics.iter().flat_map(|g| &g.where_clause).flat_map(|w| &w.predicates);
    let of_wheres = wheres.filter_map(move |p| match p {
        WherePredicate::Type(t) if element(&t.bounded_ty, false).is_some_and(|name| name == of) => {
            Some(&t.bounds)
        }
        _ => None,
    });
    own.map(|t| &t.bounds).chain(of_wheres).flatten()
}

/// Whether it has the bound.
fn is_device(generics: &[&Generics], of: &Ident) -> bool {
    let is = |bound: &TypeParamBound| matches!(bound, TypeParamBound::Trait(t) if t.path.segments.last().is_some_and(|s| s.ident == "Device"));
    bounds(generics, of).any(is)
}

/// The name of a captured place, without `*`.
fn name_of(place: &Expr) -> Option<&Ident> {
    match strip(place) {
        Expr::Path(p) => p.path.get_ident(),
        Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => name_of(&u.expr),
        _ => None,
    }
}

/// The type of a parameter.
fn type_of<'s>(sig: &'s Signature, name: &Ident) -> Option<&'s Type> {
    sig.inputs.iter().find_map(|input| match input {
        FnArg::Typed(arg) => match &*arg.pat {
            Pat::Ident(p) if p.ident == *name => Some(&*arg.ty),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    })
}

/// Whether a type is a name, behind references or not.
fn is_name(ty: &Type) -> bool {
    match ty {
        Type::Reference(r) => is_name(&r.elem),
        Type::Path(p) => p.path.get_ident().is_some(),
        _ => false,
    }
}

/// The name of a type behind references, and of the elements if it is an array.
fn element(ty: &Type, is_array: bool) -> Option<&Ident> {
    let ty = behind_parens(ty);
    match ty {
        Type::Reference(r) => element(&r.elem, is_array),
        Type::Slice(s) if is_array => element(&s.elem, true),
        Type::Array(a) => element(&a.elem, is_array),
        Type::Path(p) if p.qself.is_none() => {
            let last = p.path.segments.last()?;
            match &last.arguments {
                PathArguments::AngleBracketed(a)
                    if is_array && (last.ident == "Vec" || last.ident == "Box") =>
                {
                    match a.args.first()? {
                        GenericArgument::Type(ty) => element(ty, true),
                        _ => None,
                    }
                }
                _ => p.path.get_ident(),
            }
        }
        _ => None,
    }
}
