//! `impl Trait for Type { … }` of a user's trait.
//!
//! The trait is declared, too, and has the hidden functions; a macro of the trait's name ([`super::super::device_trait`]) makes the
//! members of the `impl` that implement them. If the trait lacks the attribute, that macro does not exist, and the `impl` has one error.
//! A method of the type's own hides a method of the trait, and would run on the host where the trait's runs on a device: guards make that
//! an error.
use super::{describe, instance, lowered};
use crate::diag::{Code, Sink};
use crate::expand::Methods;
use crate::glue::device_fn::device_trait::{OF_PRELUDE, kind_of_number};
use crate::glue::device_fn::markers::{
    describing_signature, device_generics, mangled_signature, member_without_macro, shares_member, turbofish,
};
use crate::glue::device_fn::policy_types::{self, SelfIs};
use crate::glue::{cfgs, hidden, lints_off, private};
use crate::iterate::generated;
use crate::lower::{number_trait, primitive};
use crate::parse::functions::functions;
use crate::parse::tokens::source::as_written;
use crate::visits;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::{ImplItem, ImplItemFn, ItemImpl, Path, Type, parse_quote};

/// `impl Trait for Type { … }`: the trait is declared, too, and has the hidden methods.
pub(super) fn of_users_trait(item: &ItemImpl, path: &Path, inline: &Methods, sink: &mut Sink) -> TokenStream {
    let p = private();
    let mut out = item.clone();
    let allow = lints_off();
    let (mut guards, mut described, mut generic) =
        (TokenStream::new(), TokenStream::new(), TokenStream::new());
    let at_type = Span::mixed_site().located_at(item.self_ty.span());
    let mut values = false;
    for (f, lowered) in lowered(&by_own_path(item), inline, sink) {
        let (cfgs, body) = (cfgs(&f.attrs), describe(f, lowered.as_ref()));
        guards.extend(guard(item, path, f));
        if shares_member(&f.sig) {
            let name = f.sig.ident.to_string();
            described.extend(code!(#cfgs #name => { #body true }));
            values |= f.sig.receiver().is_some();
            continue;
        }
        // The signature is the trait's, whatever the body.
        let head = describing_signature(&f.sig, &HashSet::new());
        // For a method without a receiver, the trait's hidden function may have no `Device` bound.
        let this_is = if f.sig.receiver().is_some() { SelfIs::Device } else { SelfIs::Sized };
        let head = this_is.of(head, f.sig.generics.where_clause.is_some(), at_type);
        generic.extend(code! {
            #cfgs
            #[doc(hidden)]
            #allow
            #head { #body }
        });
    }
    let values = values.then(|| quote_spanned!(at_type=> #p::is_device::<Self>();));
    let body = code! {
        #values
        ::omp::__private::core::option::Option::Some(match __method {
            #described
            _ => false,
        })
    };
    let (ty, any) = (&item.self_ty, instance(&item.self_ty, &item.generics));
    let declared = Ident::new("__OmpTrait", Span::mixed_site());
    let (cx, method) = (hidden("__cx"), hidden("__method"));
    let generics = (!item.generics.params.is_empty()).then(|| code!([#any] [#path]));
    let trait_name =
        path.segments.last().map_or_else(|| Ident::new("Self", path.span()), |s| s.ident.clone());
    let at_trait = Span::mixed_site().located_at(trait_name.span());
    let (member, undeclared, body) =
        (member_without_macro(at_trait), undeclared(item, &trait_name), code!({ #body }));
    // (The tokens are fragments, so that a user's macro can't take them apart.)
    out.items.push(ImplItem::Verbatim(quote_spanned! {at_trait=>
        ::omp::__private::opaque! { #declared [#cx #method [#ty] #generics] [#member #undeclared] #body #generic }
    }));
    let mut bare = path.clone();
    if let Some(last) = bare.segments.last_mut() {
        last.arguments = syn::PathArguments::None;
    }
    let bare = generated(bare.to_token_stream());
    let g = &item.generics;
    let (ig, _, wh) = g.split_for_impl();
    let strategies = policy_types::of_impl(item);
    let values = g.type_params().filter(|t| !strategies.contains(&t.ident.to_string()));
    let params = values.map(|t| {
        let (ident, span) = (&t.ident, t.ident.span());
        quote_spanned!(span=> #p::is_device::<#ident>();)
    });
    let number = primitive(ty).and_then(kind_of_number);
    let (stubs, whole) = (stubs(item), g.params.is_empty().then(|| code!(#number [#ty])));
    let of_prelude = OF_PRELUDE.iter().any(|of| trait_name == of);
    let otherwise = if of_prelude { "trait_without_macro" } else { "undeclared_trait" };
    let otherwise = Ident::new(otherwise, Span::mixed_site());
    // The trait, and the macro of its name that a declared one has.
    let of_trait = (!of_prelude).then(|| code!(#allow use #bare as #declared;));
    code! {
        #[allow(non_local_definitions)]
        const _: () = {
            #allow
            use #p::#otherwise as #declared;
            #[allow(non_local_definitions)]
            const _: () = {
                #of_trait
                // (In a block of its own: before the macros of a block are expanded, rustc can't resolve names there.)
                #[allow(non_local_definitions)]
                const _: () = {
                    #out
                    #declared! { beside #whole #stubs }
                    #allow
                    fn __guard #ig() #wh {
                        #(#params)*
                        #guards
                    }
                };
            };
        };
    }
}

/// The error in an `impl` with the attribute if its trait lacks it.
fn undeclared(item: &ItemImpl, name: &Ident) -> TokenStream {
    let ty = as_written(&item.self_ty);
    let mut sink = Sink::new();
    let message =
        format!("the trait `{name}` lacks `#[omp::declare_target]`, and this `impl` of it has the attribute");
    sink.error(Code::HostCall, name.span(), message)
        .note(None, format!("if `{name}` has the attribute, a derive or attribute macro named `{name}` hides it here: rename one of them"))
        .help(format!("put `#[omp::declare_target]` on `trait {name}`; if it is another crate's, write the methods in an `impl {ty} {{ … }}`"));
    sink.into_tokens()
}

/// Stand-ins that calls of the methods then find, so that they have no second error. (Types of other crates have no methods of the user's.)
fn stubs(item: &ItemImpl) -> TokenStream {
    let Type::Path(ty) = &*item.self_ty else { return TokenStream::new() };
    if primitive(&item.self_ty).is_some() || ty.qself.is_some() {
        return TokenStream::new();
    }
    let (p, self_ty, allow) = (private(), &item.self_ty, lints_off());
    let g = device_generics(&item.generics, &policy_types::of_impl(item));
    let (ig, _, wh) = g.split_for_impl();
    let none = quote!(#p::NotDeclared);
    let methods = functions(item).map(|f| {
        let (cfgs, head) = (cfgs(&f.attrs), mangled_signature(&f.sig, &none, &HashSet::new()));
        code!(#cfgs pub #head { ::omp::__private::core::unreachable!() })
    });
    code! {
        #allow
        impl #ig #self_ty #wh { #(#methods)* }
    }
}

/// A method of the type's own hides one of a trait: a call by name would run it on the host.
fn guard(item: &ItemImpl, path: &Path, f: &ImplItemFn) -> TokenStream {
    let (ty, name, p) = (&item.self_ty, &f.sig.ident, private());
    let own = turbofish(&f.sig.generics);
    let g = &f.sig.generics;
    if let Some(prim) = primitive(ty)
        && number_trait(prim, &name.to_string(), f.sig.inputs.len()).is_some()
    {
        // A number's own method is what a call by name runs on the device, too. (The type may be one of the user's.)
        return quote_spanned!(Span::mixed_site().located_at(ty.span())=> #p::methods::is_number::<#ty>(););
    }
    if item.generics.params.is_empty() && g.params.is_empty() {
        return no_own_method(&ty.to_token_stream(), name);
    }
    let (ig, _, wh) = g.split_for_impl();
    let outer = &item.generics;
    if !outer.params.is_empty() && !g.params.is_empty() {
        // A function in a function can't name the outer parameters.
        return TokenStream::new();
    }
    let span = Span::mixed_site().located_at(name.span());
    // A method of a single instance of a generic type hides it as well: with `_` for the parameters, rustc finds that one.
    let any = instance(ty, outer);
    let compare = quote_spanned!(span=> #p::Methods::of_trait(<#ty as #path>::#name #own).by_name(<#any>::#name #own).same(););
    if g.params.is_empty() { compare } else { code!({ fn __guard #ig() #wh { #compare } }) }
}

/// A check that no method of the type's own has this name. It stands in a module in which no other trait's method of the name is in
/// scope, as two declared traits may have methods of one name.
pub(in crate::glue::device_fn) fn no_own_method(ty: &TokenStream, name: &Ident) -> TokenStream {
    let (p, allow) = (private(), lints_off());
    let span = Span::mixed_site().located_at(name.span());
    let compare = quote_spanned!(span=> #p::Methods::of_trait(<__Type as __DeclaredTrait>::#name).by_name(<__Type>::#name).same(););
    code! {
        #allow
        const _: () = {
            mod __alone {
                pub(super) struct __Key;
                trait __DeclaredTrait: ::omp::__private::core::marker::Sized {
                    // Found where there is no method of the name.
                    fn #name() {}
                }
                impl<T> __DeclaredTrait for T {}
                fn __guard() {
                    type __Type = <__Key as #p::TypeOf>::Type;
                    #compare
                }
            }
            impl #p::TypeOf for __alone::__Key {
                type Type = #ty;
            }
        };
    }
}

/// In an `impl` for a number `self.abs()` is the number's own method, even in that of a trait's `abs`: `f32::abs(self)`.
fn by_own_path(item: &ItemImpl) -> ItemImpl {
    let mut item = item.clone();
    let ty = item.self_ty.clone();
    if let Some(prim) = primitive(&ty) {
        for i in &mut item.items {
            if let ImplItem::Fn(f) = i
                && f.sig.receiver().is_some_and(|r| matches!(r.kind, syn::ReceiverKind::Value))
            {
                visits::change(&mut f.block, |e| {
                    let syn::Expr::MethodCall(m) = e else { return };
                    let of_self = matches!(&*m.receiver, syn::Expr::Path(p) if p.path.is_ident("self"));
                    if of_self
                        && m.turbofish.is_none()
                        && number_trait(prim, &m.method.to_string(), m.args.len() + 1).is_some()
                    {
                        let (method, this, args) = (&m.method, &m.receiver, &m.args);
                        *e = parse_quote!(<#ty>::#method(#this, #args));
                    }
                });
            }
        }
    }
    item
}
