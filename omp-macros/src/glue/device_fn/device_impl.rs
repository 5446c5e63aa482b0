//! `#[omp::declare_target]` on an `impl`: inherent, of a user's trait, or of an operator of std.
//!
//! Next to each method `f` comes a hidden one, `omp_E0709_declare_target_f`, where rustc finds it as it finds `f`: in
//! an inherent `impl` of the same type, or in the trait. Its last argument is the method's *marker*
//! ([`super::markers`]), which describes the method to a region that calls it.
//!
//! Operators have no hidden methods: they are found by type, as `DeviceOp<ops::Add, Rhs>`.
use super::device_trait::OF_PRELUDE;
use super::markers::{
    Body, arguments, declaration, describing, describing_signature, device_generics, implement, joined,
    mangled_signature, marker_name, member_without_macro, of_trait, shares_member, turbofish, without_self,
    writes_self,
};
use super::policy_types::{self, SelfIs};
use super::{check_signature, without_question_marks};
use super::{device_index, markers, operators};
use crate::diag::{Code, Sink};
use crate::expand::{Methods, found, templates, values};
use crate::glue::{hidden, lints_off, private};
use crate::iterate::generated;
use crate::lower::{self, Around, LoweredFn, number_trait, primitive};
use crate::parse::tokens::leaves::regrouped;
use crate::parse::tokens::source::as_written;
use crate::sema::syntax::std_names;
use omp_ir::desc::Prim;
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{ImplItem, ImplItemFn, ItemImpl, Path, Type, parse_quote};

/// Traits of std that are no operators a device could have.
const OTHERS: &[&str] = &[
    "Index", "IndexMut", "Deref", "DerefMut", "Drop", "Iterator", "Display", "Debug", "Fn", "FnMut",
    "FnOnce", "Hash", "Into", "TryFrom", "TryInto", "Clone", "Eq", "AsRef", "AsMut", "Borrow", "FromStr",
    "Sum", "Product",
];

/// What can be declared.
const ALLOWED: &str = "arithmetic operators, `PartialEq`, `PartialOrd`, `Ord`, `Default`, `From` and your own traits can be declared; write a method for others";

/// Expands `#[omp::declare_target]` on an `impl`.
pub(in crate::glue) fn expand(item: &ItemImpl, inline: &Methods, sink: &mut Sink) -> TokenStream {
    if let Some((path, _)) = &item.trait_
        && let Some(mutable) = device_index::of_path(path)
    {
        return device_index::expand(item, path, mutable, sink);
    }
    if !allowed(item, sink) {
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
        Some((path, _)) => match operator(path) {
            Some(_) => of_operator(item, path, inline, sink),
            None => of_users_trait(item, path, inline, sink),
        },
    }
}

/// The method of an operator's trait.
fn operator(path: &Path) -> Option<&'static str> {
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
        let ty = as_written(&item.self_ty);
        let name = last.ident.to_string();
        let help = match name.as_str() {
            "Sum" => "leave the attribute out, and write `.fold(first, |sum, v| sum + v)` where the sum is".to_owned(),
            "Product" => "leave the attribute out, and write `.fold(first, |product, v| product * v)` where the product is".to_owned(),
            "Iterator" => format!("put `next` in an `impl {ty} {{ … }}` with the attribute, and call it in a `while let`"),
            _ => ALLOWED.to_owned(),
        };
        sink.error(
            Code::DeclareTargetItem,
            last.ident.span(),
            format!("`{}` can't be declared for devices", last.ident),
        )
        .help(help);
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
    let of_operator = item.trait_.as_ref().is_some_and(|(path, _)| operator(path).is_some());
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
    let around = Around { generics: type_params(&item.generics), generic: false, by_value_checked: false };
    let mut out = Vec::new();
    // The type's own methods that take closures are inlined.
    let own = item.trait_.is_none();
    for f in methods(item).filter(|f| !(own && stands_at_calls(f))) {
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

/// Whether a method of a type's own takes closures, or returns a range or a part of its receiver.
fn stands_at_calls(f: &ImplItemFn) -> bool {
    let inlined = |sig| {
        templates::takes_closures(sig)
            || templates::gives_a_range(sig)
            || templates::takes_a_range(sig)
            || values::gives_place(sig)
            || found::found_by(sig).is_some()
    };
    f.sig.receiver().is_some() && inlined(&f.sig) || templates::takes_closures(&f.sig)
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

/// In an `impl` for a number `self.abs()` is the number's own method, even in that of a trait's `abs`: `f32::abs(self)`.
fn by_own_path(item: &ItemImpl) -> ItemImpl {
    struct Own<'a>(Prim, &'a Type);
    impl VisitMut for Own<'_> {
        fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
            syn::visit_mut::visit_expr_mut(self, e);
            let syn::Expr::MethodCall(m) = e else { return };
            let of_self = matches!(&*m.receiver, syn::Expr::Path(p) if p.path.is_ident("self"));
            if of_self
                && m.turbofish.is_none()
                && number_trait(self.0, &m.method.to_string(), m.args.len() + 1).is_some()
            {
                let (of, method, this, args) = (self.1, &m.method, &m.receiver, &m.args);
                *e = parse_quote!(<#of>::#method(#this, #args));
            }
        }
    }
    let mut item = item.clone();
    let ty = item.self_ty.clone();
    if let Some(prim) = primitive(&ty) {
        for i in &mut item.items {
            if let ImplItem::Fn(f) = i
                && f.sig.receiver().is_some_and(|r| matches!(r.kind, syn::ReceiverKind::Value))
            {
                Own(prim, &ty).visit_block_mut(&mut f.block);
            }
        }
    }
    item
}

fn methods(item: &ItemImpl) -> impl Iterator<Item = &ImplItemFn> {
    item.items.iter().filter_map(|i| match i {
        ImplItem::Fn(f) => Some(f),
        _ => None,
    })
}

fn cfgs(f: &ImplItemFn) -> TokenStream {
    f.attrs.iter().filter(|a| a.path().is_ident("cfg")).map(ToTokens::to_token_stream).collect()
}

/// The description of a method; of one with errors of its own, none: callers have no second error.
fn describe(f: &ImplItemFn, lowered: Option<&LoweredFn>) -> TokenStream {
    match lowered {
        Some(lowered) => Body { sig: &f.sig, lowered }.describe(),
        None => super::refused(),
    }
}

/// `impl Type { … }`
fn inherent(written: &ItemImpl, inline: &Methods, sink: &mut Sink) -> TokenStream {
    let item = &without_selves(written);
    let (self_ty, outer) = (&item.self_ty, device_generics(&item.generics, &policy_types::of_impl(item)));
    let (ig, _, wh) = outer.split_for_impl();
    let allow = lints_off();
    let (mut hidden, mut markers) = (TokenStream::new(), TokenStream::new());
    for (f, lowered) in lowered(item, inline, sink) {
        let marker = marker_name(&f.sig.ident);
        let cfgs = cfgs(f);
        let g = whole_generics(item, f);
        let tg = arguments(&g);
        let mangled = mangled_signature(&f.sig, &quote!(#marker #tg), &strategies(item, f));
        let describing = describing_signature(&f.sig, &strategies(item, f));
        let body = describe(f, lowered.as_ref());
        hidden.extend(code! {
            #cfgs
            #[doc(hidden)]
            // (That a method is private is an error of the method's own, not of the hidden one's.)
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
    let mut item = written.clone();
    for i in &mut item.items {
        if let ImplItem::Fn(f) = i
            && stands_at_calls(f)
        {
            // rustc sees no call of it.
            f.attrs.push(parse_quote!(#[allow(dead_code)]));
        }
    }
    code! {
        #item
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

/// The parameters of an inherent `impl` and of a method that only name behaviour.
fn strategies(item: &ItemImpl, f: &ImplItemFn) -> HashSet<String> {
    let scope = joined(&item.generics, &f.sig.generics);
    let mut names = policy_types::of_function(&f.sig.generics, &scope, &f.sig, &f.block);
    names.extend(policy_types::of_impl(item));
    names
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

/// `impl Trait for Type { … }`: the trait is declared, too, and has the hidden methods.
fn of_users_trait(item: &ItemImpl, path: &Path, inline: &Methods, sink: &mut Sink) -> TokenStream {
    let p = private();
    let mut out = item.clone();
    let allow = lints_off();
    let (mut guards, mut described, mut generic) =
        (TokenStream::new(), TokenStream::new(), TokenStream::new());
    let at_type = Span::mixed_site().located_at(item.self_ty.span());
    let mut values = false;
    for (f, lowered) in lowered(&by_own_path(item), inline, sink) {
        let (cfgs, body) = (cfgs(f), describe(f, lowered.as_ref()));
        guards.extend(guard(item, path, f));
        if shares_member(&f.sig) {
            let name = f.sig.ident.to_string();
            described.extend(code!(#cfgs #name => { #body true }));
            values |= f.sig.receiver().is_some();
            continue;
        }
        // As in the trait, whatever the body.
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
    // (As fragments, so that a macro of the user's could not take them apart.)
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
    let (stubs, whole) = (stubs(item), g.params.is_empty().then(|| code!([#ty])));
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
                    #declared! { next_to_impl #whole #stubs }
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

/// What an `impl` with the attribute has where its trait lacks it.
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

/// What calls of the methods find then, so that they have no second error. (Types of other crates have no methods of the user's.)
fn stubs(item: &ItemImpl) -> TokenStream {
    let Type::Path(ty) = &*item.self_ty else { return TokenStream::new() };
    if primitive(&item.self_ty).is_some() || ty.qself.is_some() {
        return TokenStream::new();
    }
    let (p, self_ty, allow) = (private(), &item.self_ty, lints_off());
    let g = device_generics(&item.generics, &policy_types::of_impl(item));
    let (ig, _, wh) = g.split_for_impl();
    let none = quote!(#p::NotDeclared);
    let methods = methods(item).map(|f| {
        let (cfgs, head) = (cfgs(f), mangled_signature(&f.sig, &none, &HashSet::new()));
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
        // A number's own method is what a call by name runs on the device, too, or both are found. (The type may be one of the user's.)
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
pub(super) fn no_own_method(ty: &TokenStream, name: &Ident) -> TokenStream {
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

/// `==` of a type that derives it, as if its `impl` were written out with the attribute.
pub(in crate::glue) fn derived_equality(input: &syn::DeriveInput, sink: &mut Sink) -> TokenStream {
    let name = &input.ident;
    let (_, tg, _) = input.generics.split_for_impl();
    let mut generics = input.generics.clone();
    for t in generics.type_params_mut() {
        t.bounds.push(parse_quote!(::omp::__private::core::cmp::PartialEq));
        t.default = None;
    }
    let (ig, _, _) = generics.split_for_impl();
    let same = |left: &[Ident], right: &[Ident]| match left {
        [] => quote!(true),
        left => quote!(#(#left == #right)&&*),
    };
    let arm = |variant: &TokenStream, fields: &syn::Fields| {
        let names = |side: &str| -> Vec<Ident> {
            (0..fields.len()).map(|k| Ident::new(&format!("{side}{k}"), Span::mixed_site())).collect()
        };
        let (left, right) = (names("left"), names("right"));
        let members: Vec<syn::Member> = fields.members().collect();
        let equal = same(&left, &right);
        quote! {
            #variant { #(#members: #left),* } => match *other {
                #variant { #(#members: #right),* } => #equal,
                #[allow(unreachable_patterns)]
                _ => false,
            }
        }
    };
    let body = match &input.data {
        syn::Data::Struct(s) => {
            let members: Vec<syn::Member> = s.fields.members().collect();
            quote!(true #(&& self.#members == other.#members)*)
        }
        syn::Data::Enum(e) => {
            let arms = e.variants.iter().map(|v| {
                let variant = &v.ident;
                arm(&quote!(Self::#variant), &v.fields)
            });
            quote!(match *self { #(#arms),* })
        }
        syn::Data::Union(_) => return TokenStream::new(),
    };
    let item: ItemImpl = parse_quote! {
        impl #ig ::omp::__private::core::cmp::PartialEq for #name #tg {
            fn eq(&self, other: &Self) -> bool { #body }
        }
    };
    let path: Path = parse_quote!(::omp::__private::core::cmp::PartialEq);
    operator_description(&item, &path, &Methods::default(), sink)
}

/// The derived order of a struct with parameters: field by field. `total`: `Ord` is derived, too.
pub(in crate::glue) fn derived_order(
    input: &syn::DeriveInput,
    fields: &syn::DataStruct,
    total: bool,
    sink: &mut Sink,
) -> TokenStream {
    let (name, cmp) = (&input.ident, quote!(::omp::__private::core::cmp));
    let (_, tg, _) = input.generics.split_for_impl();
    let members: Vec<syn::Member> = fields.fields.members().collect();
    let option = quote!(::omp::__private::core::option::Option);
    // (By operators: those are found behind type parameters, too.)
    let partial = quote! {
        fn partial_cmp(&self, other: &Self) -> #option<#cmp::Ordering> {
            #(
                if self.#members < other.#members {
                    return #option::Some(#cmp::Ordering::Less);
                }
                if self.#members > other.#members {
                    return #option::Some(#cmp::Ordering::Greater);
                }
                if self.#members != other.#members {
                    return #option::None;
                }
            )*
            #option::Some(#cmp::Ordering::Equal)
        }
    };
    let all = quote! {
        fn cmp(&self, other: &Self) -> #cmp::Ordering {
            #(
                if self.#members < other.#members {
                    return #cmp::Ordering::Less;
                }
                if self.#members > other.#members {
                    return #cmp::Ordering::Greater;
                }
            )*
            #cmp::Ordering::Equal
        }
    };
    let traits = [("PartialOrd", partial), ("Ord", all)];
    let described = traits.into_iter().take(1 + usize::from(total)).map(|(of, function)| {
        let of = Ident::new(of, Span::mixed_site());
        let path: Path = parse_quote!(#cmp::#of);
        let mut generics = input.generics.clone();
        for t in generics.type_params_mut() {
            t.bounds.push(parse_quote!(#path));
            t.default = None;
        }
        let (ig, _, _) = generics.split_for_impl();
        let item: ItemImpl = parse_quote!(impl #ig #path for #name #tg { #function });
        operator_description(&item, &path, &Methods::default(), sink)
    });
    described.collect()
}

/// `impl Add<Rhs> for Type { … }`
fn of_operator(item: &ItemImpl, path: &Path, inline: &Methods, sink: &mut Sink) -> TokenStream {
    let described = operator_description(item, path, inline, sink);
    code!(#item #described)
}

/// What describes an operator to those who use it.
fn operator_description(item: &ItemImpl, path: &Path, inline: &Methods, sink: &mut Sink) -> TokenStream {
    let p = private();
    let types: Vec<String> = item
        .items
        .iter()
        .filter_map(|i| match i {
            ImplItem::Type(t) => Some(t.ident.to_string()),
            _ => None,
        })
        .collect();
    let name = path.segments.last().expect("a path has segments").ident.to_string();
    let self_ty = &item.self_ty;
    let rhs = right_operand(path, self_ty, &name);
    let around = Around { generics: type_params(&item.generics), generic: false, by_value_checked: false };
    let mut parts = TokenStream::new();
    let known = lowered(item, inline, sink);
    // Primitives have a `partial_cmp` of their own, so a second one would be ambiguous.
    let has_own = matches!(&**self_ty, Type::Reference(_))
        || matches!(&**self_ty, Type::Path(p) if p.path.get_ident().is_some_and(|i| lower::is_primitive(&i.to_string())));
    for (f, lowered) in &known {
        let own = f.sig.ident.to_string();
        if own == "ne" {
            sink.error(Code::DeclareTargetItem, f.sig.ident.span(), "an own `ne` in a declared `PartialEq`")
                .help("leave it out: `a != b` is `!(a == b)`");
            continue;
        }
        let op = tag(&name, &own).unwrap_or("PartialCmp");
        let body = of_trait(describe(f, lowered.as_ref()), self_ty, path, &types);
        parts.extend(operator_parts(item, op, &rhs, &body));
    }
    if name == "PartialOrd" {
        for (own, pattern) in
            [("lt", "Less"), ("le", "Less | Equal"), ("gt", "Greater"), ("ge", "Greater | Equal")]
        {
            if known.iter().all(|(f, _)| f.sig.ident != own) {
                let f = comparison(own, pattern, &rhs, if has_own { COMPARED } else { "partial_cmp" });
                let Ok(lowered) = lower::lower_fn(&f.sig, &f.block, &around, sink) else { continue };
                let body = Body { sig: &f.sig, lowered: &lowered }.describe();
                parts.extend(operator_parts(item, tag(&name, own).unwrap_or_default(), &rhs, &body));
            }
        }
    }
    if name == "Ord" {
        // Of two equals, `max` takes the later one and `min` the earlier one.
        for (own, first) in [("max", "is_gt"), ("min", "is_le")] {
            if known.iter().all(|(f, _)| f.sig.ident != own) {
                let (name, first) =
                    (Ident::new(own, Span::mixed_site()), Ident::new(first, Span::mixed_site()));
                let f: ImplItemFn = parse_quote! {
                    fn #name(self, other: #self_ty) -> #self_ty { if self.cmp(&other).#first() { self } else { other } }
                };
                let Ok(lowered) = lower::lower_fn(&f.sig, &f.block, &around, sink) else { continue };
                let body = Body { sig: &f.sig, lowered: &lowered }.describe();
                parts.extend(operator_parts(item, tag("Ord", own).unwrap_or_default(), &rhs, &body));
            }
        }
        let g = device_generics(&item.generics, &HashSet::new());
        let with_lifetimes = with_lifetimes(item);
        let (ig, _, wh) = with_lifetimes.split_for_impl();
        let tg = arguments(&g);
        parts.extend(code! {
            impl #ig #p::methods::Orders<OmpMethod_Cmp #tg, OmpMethod_Max #tg, OmpMethod_Min #tg> for #self_ty #wh {}
        });
    }
    let compare = (name == "PartialOrd").then(|| {
        let g = device_generics(&item.generics, &HashSet::new());
        let with_lifetimes = with_lifetimes(item);
        let (ig, _, wh) = with_lifetimes.split_for_impl();
        let tg = arguments(&g);
        let compared = markers::mangled(&Ident::new(COMPARED, Span::call_site()), 2);
        let of = if has_own {
            code! {
                trait __Compares<R: ?::omp::__private::core::marker::Sized, M> {
                    fn __compared(&self, _: &R) -> ::omp::__private::core::option::Option<::omp::__private::core::cmp::Ordering> { ::omp::__private::core::unreachable!() }
                    fn #compared(&self, _: &R, _: &#p::Call<M, (), #p::ByRef<Self>>)
                        -> ::omp::__private::core::option::Option<::omp::__private::core::cmp::Ordering> { ::omp::__private::core::unreachable!() }
                }
            }
        } else {
            code!(use #p::methods::Compares as __Compares;)
        };
        code! {
            #of
            impl #ig __Compares<#rhs, OmpMethod_PartialCmp #tg> for #self_ty #wh {}
        }
    });
    let hidden = (name == "From").then(|| not_hidden(item, path));
    let allow = lints_off();
    code! {
        #allow
        const _: () = {
            trait __Typing<O> {
                fn typing(_: &mut #p::Describe);
            }
            #compare
            #hidden
            #parts
        };
    }
}

/// No `into` of the type's own hides that of a declared `From`, as `x.into()` would run it on the host.
fn not_hidden(item: &ItemImpl, path: &Path) -> TokenStream {
    let from = match path.segments.last().map(|s| &s.arguments) {
        Some(syn::PathArguments::AngleBracketed(a)) => a.args.iter().find_map(|a| match a {
            syn::GenericArgument::Type(ty) => Some(ty),
            _ => None,
        }),
        _ => None,
    };
    let Some(mut from) = from else { return TokenStream::new() };
    // A reference's own `into` is that of what it refers to.
    loop {
        from = match from {
            Type::Reference(r) => &*r.elem,
            Type::Paren(p) => &*p.elem,
            Type::Group(g) => &*g.elem,
            Type::Path(_) => break,
            // Others have no methods of the user's.
            _ => return TokenStream::new(),
        };
    }
    let parameter = |t: &syn::TypeParam| matches!(from, Type::Path(p) if p.path.is_ident(&t.ident));
    if item.generics.type_params().any(parameter) {
        return TokenStream::new();
    }
    let span = Span::mixed_site().located_at(from.span());
    let (p, ty) = (private(), without_self(from.to_token_stream(), &item.self_ty));
    let any = instance(&parse_quote!(#ty), &item.generics);
    let g = with_lifetimes(item);
    let (ig, _, wh) = g.split_for_impl();
    // Every type is made of itself.
    let compare = quote_spanned! {span=>
        #p::Methods::of_trait(<#ty as ::omp::__private::core::convert::Into<#ty>>::into).by_name(<#any>::into).same();
    };
    code!(fn __guard #ig() #wh { #compare })
}

/// The `impl`'s parameters, lifetimes among them.
fn with_lifetimes(item: &ItemImpl) -> syn::Generics {
    let p = private();
    let mut g = item.generics.clone();
    for t in g.type_params_mut() {
        t.bounds.push(parse_quote!(#p::Device));
    }
    g
}

/// What one operator needs: its marker, its description, and that it is an operator of the type.
fn operator_parts(item: &ItemImpl, op: &str, rhs: &TokenStream, body: &TokenStream) -> TokenStream {
    let p = private();
    let self_ty = &item.self_ty;
    let op = Ident::new(op, Span::mixed_site());
    let marker = marker_name(&op);
    let g = device_generics(&item.generics, &HashSet::new());
    let with_lifetimes = with_lifetimes(item);
    let (ig, _, wh) = with_lifetimes.split_for_impl();
    let tg = arguments(&g);
    let declaration = declaration(&parse_quote!(pub), &marker, &g);
    let erased = erase_lifetimes(self_ty.to_token_stream());
    let call = code!(<#erased as __Typing<#marker #tg>>::typing(__cx););
    let implement = implement(&marker, &g, &call, None, op.to_string().ends_with("Assign"));
    let found = found_by_name(item, &op.to_string());
    // `partial_cmp` itself is no operator.
    let device_op = (!markers::is_comparison(&marker)).then(|| {
        code! {
            unsafe impl #ig #p::DeviceOp<#p::ops::#op, #rhs> for #self_ty #wh {
                type Callee = #marker #tg;
                #found
            }
        }
    });
    code! {
        #declaration
        impl #ig __Typing<#marker #tg> for #self_ty #wh {
            fn typing(__cx: &mut #p::Describe) { #body }
        }
        #implement
        #device_op
    }
}

/// Whether `a.add(b)` is the operator: the type has no method of this name itself. The check stands in a module of its own,
/// where no other trait's method of this name is in scope.
fn found_by_name(item: &ItemImpl, op: &str) -> TokenStream {
    let method = operators::known(op).map_or("", |(_, method)| method);
    let args = usize::from(!matches!(op, "Neg" | "Not"));
    let of_reference = matches!(&*item.self_ty, Type::Reference(_));
    if lower::operator_by_name(method, args).is_none() || !item.generics.params.is_empty() || of_reference {
        return TokenStream::new();
    }
    let (p, self_ty, allow) = (private(), &item.self_ty, lints_off());
    let method = Ident::new(method, Span::call_site());
    code! {
        fn is_found_by_name() -> bool {
            #allow
            mod __named {
                pub(super) struct Key;
                pub(super) fn found() -> bool {
                    trait OfEvery: ::omp::__private::core::marker::Sized {
                        fn #method() {}
                    }
                    impl<T> OfEvery for T {}
                    type Type = <Key as #p::TypeOf>::Type;
                    #p::SameItem(&<Type as OfEvery>::#method, &<Type>::#method).omp_same()
                }
            }
            impl #p::TypeOf for __named::Key {
                type Type = #self_ty;
            }
            __named::found()
        }
    }
}

/// `&'a T` as `&'_ T`.
fn erase_lifetimes(tokens: TokenStream) -> TokenStream {
    let mut ty: Type = parse_quote!(#tokens);
    struct Erase;
    impl VisitMut for Erase {
        fn visit_lifetime_mut(&mut self, l: &mut syn::Lifetime) {
            if l.ident != "static" {
                l.ident = Ident::new("_", l.ident.span());
            }
        }
    }
    VisitMut::visit_type_mut(&mut Erase, &mut ty);
    ty.to_token_stream()
}

/// The right operand's type; `()` of a unary operator.
fn right_operand(path: &Path, self_ty: &Type, name: &str) -> TokenStream {
    if matches!(name, "Neg" | "Not" | "Default") {
        return code!(());
    }
    let last = path.segments.last().expect("a path has segments");
    match &last.arguments {
        syn::PathArguments::AngleBracketed(a) => {
            let given = a.args.iter().find(|a| matches!(a, syn::GenericArgument::Type(_)));
            given.map_or_else(|| self_ty.to_token_stream(), |t| without_self(t.to_token_stream(), self_ty))
        }
        _ => self_ty.to_token_stream(),
    }
}

/// The operator that a method of an operator's trait is.
fn tag(of: &str, method: &str) -> Option<&'static str> {
    match (of, method) {
        ("PartialEq", "eq") => Some("Eq"),
        ("PartialOrd", "lt") => Some("Lt"),
        ("PartialOrd", "le") => Some("Le"),
        ("PartialOrd", "gt") => Some("Gt"),
        ("PartialOrd", "ge") => Some("Ge"),
        ("PartialOrd", _) => None,
        ("Ord", "cmp") => Some("Cmp"),
        ("Ord", "max") => Some("Max"),
        ("Ord", "min") => Some("Min"),
        ("Ord", _) => Some("Clamp"),
        _ => operators::known(of).filter(|(_, m)| *m == method).map(|(name, _)| name),
    }
}

/// What stands for the `partial_cmp` of an `impl` for a primitive.
const COMPARED: &str = "__compared";

/// `fn lt(&self, other: &Rhs) -> bool`, by `partial_cmp`.
fn comparison(name: &str, pattern: &str, rhs: &TokenStream, by: &str) -> ImplItemFn {
    let by = Ident::new(by, Span::call_site());
    let name = Ident::new(name, Span::mixed_site());
    let orders = pattern.split(" | ").map(|o| {
        let o = Ident::new(o, Span::call_site());
        quote!(::omp::__private::core::cmp::Ordering::#o)
    });
    parse_quote! {
        fn #name(&self, other: &#rhs) -> bool {
            match self.#by(other) {
                #(::omp::__private::core::option::Option::Some(#orders) => true,)*
                _ => false,
            }
        }
    }
}

/// The names of type parameters.
fn type_params(generics: &syn::Generics) -> Vec<String> {
    generics.type_params().map(|t| t.ident.to_string()).collect()
}
