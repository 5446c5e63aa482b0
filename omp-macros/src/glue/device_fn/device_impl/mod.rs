//! `#[omp::declare_target]` on an `impl`: inherent, of a user's trait, or of an operator of std.
//!
//! Each method is lowered to a template, which the generated code describes to the regions that call it. Next to each method `f` comes a
//! hidden one, `omp_E0709_declare_target_f`, where rustc finds it as it finds `f`: in an inherent `impl` of the same type
//! ([`inherent`]), or in the trait ([`users_trait`]). Its last argument is the method's *marker* ([`super::markers`]), which describes the
//! method to a region that calls it. Operators have no hidden methods: they are found by type ([`operator`]).
mod derived;
mod inherent;
mod operator;
mod users_trait;

use crate::diag::{Code, Sink};
use crate::expand::atomics::WithoutAtomics;
use crate::expand::{Methods, found, sums, templates, values};
use crate::glue::device_fn::markers::{Body, joined};
use crate::glue::device_fn::policy_types;
use crate::glue::device_fn::{check_signature, device_index, operators, refused, without_question_marks};
use crate::glue::{cfgs, lints_off};
use crate::lower::{self, Around, LoweredFn};
use crate::parse::functions::functions;
use crate::parse::tokens::leaves::regrouped;
use crate::sema::syntax::std_names;
pub(in crate::glue) use derived::{derived_equality, derived_order};
use inherent::inherent;
use operator::of_operator;
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use std::collections::HashSet;
use syn::visit_mut::VisitMut;
use syn::{ImplItem, ImplItemFn, ItemImpl, Path, Type};
pub(super) use users_trait::no_own_method;
use users_trait::of_users_trait;

/// Traits of std that are no operators a device could have.
const OTHERS: &[&str] = &[
    "Index", "IndexMut", "Deref", "DerefMut", "Drop", "Display", "Debug", "Fn", "FnMut", "FnOnce", "Hash",
    "Into", "TryInto", "Clone", "Eq", "AsRef", "AsMut", "Borrow", "FromStr",
];

/// The list of what can be declared, for error messages.
const ALLOWED: &str = "arithmetic operators, `PartialEq`, `PartialOrd`, `Ord`, `Default`, `From`, `TryFrom`, `Iterator` and your own traits can be declared; write a method for others";

/// Expands `#[omp::declare_target]` on an `impl`.
pub(in crate::glue) fn expand(item: &ItemImpl, inline: &Methods, sink: &mut Sink) -> TokenStream {
    if let Some((path, _)) = &item.trait_
        && let Some(mutable) = device_index::of_path(path)
    {
        return device_index::expand(item, path, mutable, sink);
    }
    // Bodies of sums stand in the place of their calls.
    if sums::is_impl(item) || !allowed(item, sink) {
        return item.to_token_stream();
    }
    let mut item = item.clone();
    for i in &mut item.items {
        if let ImplItem::Fn(f) = i {
            without_question_marks(&f.sig, &mut f.block, sink);
        }
    }
    let item = &item;
    match &item.trait_ {
        None => inherent(item, inline, sink),
        Some((path, _)) => match operator_method(path) {
            Some(_) => of_operator(item, path, inline, sink),
            None if is_iterator(item, path) => of_iterator(item, inline, sink),
            None => of_users_trait(item, path, inline, sink),
        },
    }
}

/// Expands `#[omp::declare_target]` on one method of an inherent `impl`, which `of` has alone: the companions stand in a const next to it.
pub(in crate::glue) fn of_method(
    mut method: syn::ItemFn,
    of: &ItemImpl,
    (inline, uses): (&Methods, TokenStream),
    sink: &mut Sink,
) -> TokenStream {
    if allowed(of, sink) && !without_question_marks(&method.sig, &mut method.block, sink) {
        if functions(of).any(|f| stands_at_calls(f, inline)) {
            // rustc sees no call of it.
            method.attrs.push(syn::parse_quote!(#[allow(dead_code)]));
            WithoutAtomics.visit_block_mut(&mut method.block);
        }
        let companions = inherent::companions(of, inline, sink);
        let name = quote::format_ident!("OMP_DECLARED_{}", method.sig.ident, span = Span::mixed_site());
        let (allow, cfgs) = (lints_off(), cfgs(&method.attrs));
        return code! {
            #method
            #cfgs
            #allow
            #[doc(hidden)]
            const #name: () = { #uses #companions };
        };
    }
    method.into_token_stream()
}

/// Whether it is the trait of std: an `impl` of it has an `Item`.
fn is_iterator(item: &ItemImpl, path: &Path) -> bool {
    path.segments.last().is_some_and(|last| last.ident == "Iterator")
        && item.items.iter().any(|i| matches!(i, ImplItem::Type(t) if t.ident == "Item"))
}

/// `impl Iterator for Bits`: `next` has the companions of an inherent method. Loops and chains call it (`expand/methods/inline/own_iterators.rs`).
fn of_iterator(item: &ItemImpl, inline: &Methods, sink: &mut Sink) -> TokenStream {
    let mut inherent = item.clone();
    inherent.trait_ = None;
    let mut own = None;
    inherent.items.retain(|i| match i {
        ImplItem::Type(t) if t.ident == "Item" => {
            own = Some(t.ty.clone());
            false
        }
        ImplItem::Fn(f) if f.sig.ident == "size_hint" => false,
        ImplItem::Fn(f) if f.sig.ident != "next" => {
            sink.error(
                Code::DeclareTargetItem,
                f.sig.ident.span(),
                format!("`{}` of an `Iterator`", f.sig.ident),
            )
            .help("a declared `impl Iterator` has `next` alone: a device makes the other methods of it");
            false
        }
        _ => true,
    });
    let Some(own) = own else { return item.to_token_stream() };
    ItemOfSelf(own).visit_item_impl_mut(&mut inherent);
    let companions = inherent::companions(&inherent, inline, sink);
    code!(#item #companions)
}

/// Replaces `Self::Item`.
struct ItemOfSelf(Type);

impl VisitMut for ItemOfSelf {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(p) = ty
            && p.qself.is_none()
            && p.path.segments.len() == 2
            && p.path.segments[0].ident == "Self"
            && p.path.segments[1].ident == "Item"
        {
            *ty = self.0.clone();
        }
        syn::visit_mut::visit_type_mut(self, ty);
    }
}

/// The method of an operator's trait.
fn operator_method(path: &Path) -> Option<&'static str> {
    operators::known(&path.segments.last()?.ident.to_string()).map(|(_, method)| method)
}

/// Reports `impl`s that can't be declared.
fn allowed(item: &ItemImpl, sink: &mut Sink) -> bool {
    let before = sink.len();
    if let Some(token) = &item.unsafety {
        sink.error(Code::DeclareTargetItem, token.span, "`declare_target` on an `unsafe impl`")
            .help("device functions are plain safe Rust functions");
    }
    if let Some((path, _)) = &item.trait_
        && let Some(last) = path.segments.last()
        && OTHERS.contains(&last.ident.to_string().as_str())
        && std_names::is_std(path)
    {
        sink.error(
            Code::DeclareTargetItem,
            last.ident.span(),
            format!("`{}` can't be declared for devices", last.ident),
        )
        .help(ALLOWED);
    }
    if let Type::Path(p) = &*item.self_ty
        && let Some(ident) = p.path.get_ident()
        && item.generics.type_params().any(|t| t.ident == *ident)
    {
        sink.error_at(
            Code::DeclareTargetItem,
            &item.self_ty,
            "`declare_target` on an `impl` for every type: a method of a type's own could hide it",
        )
        .help("write it for the types that need it");
    }
    let by_reference = matches!(&*item.self_ty, Type::Reference(_));
    let of_operator = item.trait_.as_ref().is_some_and(|(path, _)| operator_method(path).is_some());
    if by_reference && !of_operator {
        sink.error_at(Code::DeclareTargetItem, &item.self_ty, "`declare_target` on an `impl` for references")
            .help("write it for the type itself, with methods that take `&self`");
    }
    if let (Some(l), false) = (item.generics.lifetimes().next(), of_operator) {
        sink.error(
            Code::DeclareTargetItem,
            l.lifetime.span(),
            "an `omp::Device` holds no references: it has no lifetimes",
        )
        .help("store the values, or their indices");
    }
    sink.len() == before
}

/// The methods that could be lowered.
fn lowered<'a>(
    item: &'a ItemImpl,
    inline: &Methods,
    sink: &mut Sink,
) -> Vec<(&'a ImplItemFn, Option<LoweredFn>)> {
    let concrete_self = item.generics.params.is_empty();
    let around = Around { generics: type_params(&item.generics), concrete_self, ..Around::default() };
    let mut out = Vec::new();
    // The type's own methods that take closures are inlined.
    let own = item.trait_.is_none();
    for f in functions(item).filter(|f| !(own && stands_at_calls(f, inline))) {
        let before = sink.len();
        check_signature(&f.sig, sink);
        let lowered = if sink.len() == before {
            lower::lower_fn(&f.sig, &inline.in_function(&f.sig, &f.block, sink), &around, sink).ok()
        } else {
            None
        };
        out.push((f, lowered.filter(|_| sink.len() == before)));
    }
    out
}

/// Whether a method of a type's own takes closures or a struct that no device has as a whole, or returns a range or a part of its receiver.
fn stands_at_calls(f: &ImplItemFn, inline: &Methods) -> bool {
    let inlined = |sig| {
        templates::takes_closures(sig)
            || templates::gives_a_range(sig)
            || templates::takes_a_range(sig)
            || templates::takes_an_iterator(sig)
            || values::gives_place(sig)
            || found::found_by(sig).is_some()
    };
    f.sig.receiver().is_some() && (inlined(&f.sig) || inline.has_atomics(&f.block))
        || templates::takes_closures(&f.sig)
        || inline.takes_shown(&f.sig)
}

/// The description of a method; of one with errors of its own, none: callers have no second error.
fn describe(f: &ImplItemFn, lowered: Option<&LoweredFn>) -> TokenStream {
    match lowered {
        Some(lowered) => Body { sig: &f.sig, lowered }.describe(),
        None => refused(),
    }
}

/// The parameters of an inherent `impl` and of a method that only name behaviour.
fn strategies(item: &ItemImpl, f: &ImplItemFn) -> HashSet<String> {
    let scope = joined(&item.generics, &f.sig.generics);
    let methods = policy_types::methods(item);
    let mut names = policy_types::of_function(&f.sig.generics, &scope, (&f.sig, &f.block), &methods);
    names.extend(policy_types::of_impl(item));
    names
}

/// The type with `_` for the parameters of its `impl`.
fn instance(ty: &Type, outer: &syn::Generics) -> TokenStream {
    fn holes(tokens: TokenStream, outer: &syn::Generics) -> TokenStream {
        let is_parameter = |ident: &Ident| {
            outer.params.iter().any(|p| match p {
                syn::GenericParam::Type(t) => t.ident == *ident,
                syn::GenericParam::Const(c) => c.ident == *ident,
                syn::GenericParam::Lifetime(_) => false,
            })
        };
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let in_path = |i: usize| matches!(trees.get(i + 1), Some(TokenTree::Punct(p)) if p.as_char() == ':');
        let holes = trees.iter().enumerate().map(|(i, tree)| match tree {
            TokenTree::Ident(ident) if is_parameter(ident) && !in_path(i) => quote_spanned!(ident.span()=> _),
            // In `{ N + 1 }` no `_` can stand.
            TokenTree::Group(g) if g.delimiter() != Delimiter::Brace => {
                regrouped(g, holes(g.stream(), outer)).into()
            }
            other => other.to_token_stream(),
        });
        holes.collect()
    }
    holes(ty.to_token_stream(), outer)
}

/// The names of type parameters.
fn type_params(generics: &syn::Generics) -> Vec<String> {
    generics.type_params().map(|t| t.ident.to_string()).collect()
}
