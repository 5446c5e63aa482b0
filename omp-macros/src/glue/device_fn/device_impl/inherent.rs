//! `impl Type { … }`: a hidden method and a marker for each method, in an `impl` of the same type.
use super::{describe, lowered, stands_at_calls, strategies};
use crate::diag::Sink;
use crate::expand::atomics::WithoutAtomics;
use crate::expand::{Methods, values};
use crate::glue::device_fn::markers::{
    arguments, declaration, describing, describing_signature, device_generics, implement, joined,
    mangled_signature, marker_name, turbofish, without_self, writes_self,
};
use crate::glue::device_fn::policy_types;
use crate::glue::{cfgs, lints_off};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::visit_mut::VisitMut;
use syn::{ImplItem, ImplItemFn, ItemImpl, parse_quote};

/// `impl Type { … }`
pub(super) fn inherent(written: &ItemImpl, inline: &Methods, sink: &mut Sink) -> TokenStream {
    let companions = companions(written, inline, sink);
    let mut item = written.clone();
    for i in &mut item.items {
        if let ImplItem::Fn(f) = i
            && stands_at_calls(f, inline)
        {
            // rustc sees no call of it.
            f.attrs.push(parse_quote!(#[allow(dead_code)]));
            WithoutAtomics.visit_block_mut(&mut f.block);
        }
    }
    code!(#item #companions)
}

/// The hidden methods and the markers.
pub(super) fn companions(written: &ItemImpl, inline: &Methods, sink: &mut Sink) -> TokenStream {
    let item = &without_selves(written);
    let (self_ty, outer) = (&item.self_ty, device_generics(&item.generics, &policy_types::of_impl(item)));
    let (ig, _, wh) = outer.split_for_impl();
    let allow = lints_off();
    let (mut hidden, mut markers) = (TokenStream::new(), TokenStream::new());
    for (f, lowered) in lowered(item, inline, sink) {
        let marker = marker_name(&f.sig.ident);
        let cfgs = cfgs(&f.attrs);
        let g = whole_generics(item, f);
        let tg = arguments(&g);
        let mangled = mangled_signature(&f.sig, &quote!(#marker #tg), &strategies(item, f));
        let describing = describing_signature(&f.sig, &strategies(item, f));
        let body = describe(f, lowered.as_ref());
        hidden.extend(code! {
            #cfgs
            #[doc(hidden)]
            // (If the method is private, rustc reports the method, not the hidden one.)
            pub #mangled { ::omp::__private::core::unreachable!() }
            #cfgs
            #[doc(hidden)]
            #describing { #body }
        });
        let (name, own) = (describing_name(f), turbofish(&f.sig.generics));
        let call = code!(<#self_ty>::#name #own(__cx););
        let declaration = declaration(&parse_quote!(pub), &marker, &g);
        let (item, own) = (&f.sig.ident, turbofish(&f.sig.generics));
        let item = code!(<#self_ty>::#item #own);
        let implement = implement(&marker, &g, &call, Some(&item), writes_self(&f.sig));
        markers.extend(code! { #cfgs #declaration #cfgs const _: () = { #implement }; });
    }
    code! {
        const _: () = {
            #markers
            #allow
            impl #ig #self_ty #wh { #hidden }
        };
    }
}

fn describing_name(f: &ImplItemFn) -> Ident {
    describing(&f.sig.ident)
}

/// The parameters of the `impl` and of a method, `Self` by its name.
fn whole_generics(item: &ItemImpl, f: &ImplItemFn) -> syn::Generics {
    let self_ty = &item.self_ty;
    let g = device_generics(&joined(&item.generics, &f.sig.generics), &strategies(item, f));
    let wh = g.where_clause.as_ref().map(|w| without_self(w.to_token_stream(), self_ty));
    let params = without_self(g.params.to_token_stream(), self_ty);
    let mut out: syn::Generics = parse_quote!(<#params>);
    out.where_clause = wh.map(|w| parse_quote!(#w));
    out
}

/// Methods that return their `&mut self` return nothing on a device: calls of one another stand in turn.
fn without_selves(item: &ItemImpl) -> ItemImpl {
    let mut item = item.clone();
    for i in &mut item.items {
        if let ImplItem::Fn(f) = i
            && values::gives_self(&f.sig)
        {
            *f = values::without_self(f);
        }
    }
    item
}
