//! Markers: the companions of device methods. A marker is a struct without values, generic over everything that the
//! method is generic over. It implements `DeviceFn`, and the hidden method names it in its signature, so that a call of
//! the hidden method fixes the marker's parameters.
use crate::glue::{answers, bytes, hidden, lints_off, private, typing_copy, with_companions};
use crate::lower::{LoweredFn, hidden_name, takes_each};
use crate::parse::functions::typed_inputs;
use crate::parse::tokens::leaves::regrouped;
use proc_macro2::{Delimiter, Ident, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::collections::HashSet;
use syn::{FnArg, GenericParam, Generics, ReturnType, Signature, Type, parse_quote};

/// `self` in the typing copy, which is no method.
const SELF: &str = "__self";

/// The name of the hidden method next to `name`, which is called in typing copies. `args`: with the receiver.
pub(super) fn mangled(name: &Ident, args: usize) -> Ident {
    let mut hidden = hidden_name(name, args);
    hidden.set_span(Span::mixed_site().located_at(name.span()));
    hidden
}

/// The name of the hidden function that describes what an `impl` has, if its trait has no macro. rustc says that a trait without the
/// attribute has no such member.
pub(super) fn member_without_macro(span: Span) -> Ident {
    Ident::new("omp_E0709_put_declare_target_on_this_trait", span)
}

/// The head of the hidden function of a trait that describes what an `impl` has, by the methods' names.
pub(super) fn describing_member(name: &Ident, cx: &TokenStream, method: &TokenStream) -> TokenStream {
    let p = private();
    code! {
        fn #name(
            #cx: &mut #p::Describe,
            #method: &::omp::__private::core::primitive::str,
        ) -> ::omp::__private::core::option::Option<::omp::__private::core::primitive::bool>
        where
            Self: ::omp::__private::core::marker::Sized
    }
}

/// The `impl` describes the method in that function: it is generic over nothing of its own.
pub(super) fn shares_member(sig: &Signature) -> bool {
    sig.generics.params.is_empty() && sig.generics.where_clause.is_none()
}

/// The name of the hidden function that describes `name`: next to an inherent method, or in a trait. An `impl` of a trait has it
/// for a method with parameters of its own.
pub(super) fn describing(name: &Ident) -> Ident {
    format_ident!("__omp_describes_{}", plain(name), span = Span::mixed_site().located_at(name.span()))
}

fn plain(name: &Ident) -> String {
    name.to_string().trim_start_matches("r#").to_owned()
}

/// Without lifetimes, and each type a device type, but for those that only name behaviour.
pub(super) fn device_generics(generics: &Generics, strategies: &HashSet<String>) -> Generics {
    let mut g = without_lifetimes(generics);
    bound(&mut g, strategies);
    g
}

pub(super) fn without_lifetimes(generics: &Generics) -> Generics {
    let mut g = generics.clone();
    g.params = g.params.into_iter().filter(|p| !matches!(p, GenericParam::Lifetime(_))).collect();
    g
}

fn bound(g: &mut Generics, strategies: &HashSet<String>) {
    let p = private();
    for t in g.type_params_mut().filter(|t| !strategies.contains(&t.ident.to_string())) {
        t.bounds.push(parse_quote!(#p::Device));
    }
}

/// The parameters of an item and of a method in it.
pub(in crate::glue) fn joined(outer: &Generics, inner: &Generics) -> Generics {
    let mut g = outer.clone();
    g.params.extend(inner.params.iter().cloned());
    if let Some(wh) = &inner.where_clause {
        g.make_where_clause().predicates.extend(wh.predicates.iter().cloned());
    }
    g
}

/// A struct generic over these parameters.
pub(super) fn declaration(vis: &syn::Visibility, name: &Ident, g: &Generics) -> TokenStream {
    let params = g.params.iter().map(|p| match p {
        GenericParam::Type(t) => t.ident.to_token_stream(),
        GenericParam::Const(c) => {
            let (ident, ty) = (&c.ident, &c.ty);
            code!(const #ident: #ty)
        }
        GenericParam::Lifetime(_) => TokenStream::new(),
    });
    let types = g.type_params().map(|t| &t.ident);
    let allow = lints_off();
    // rustc's messages show the struct, so its name contains the function's.
    let declared = quote_spanned! {name.span()=>
        #vis struct #name<#(#params),*> {
            __types: ::omp::__private::core::marker::PhantomData<fn() -> (#(#types,)*)>,
        }
    };
    code! {
        #[doc(hidden)]
        #allow
        #declared
    }
}

/// `<T, N>`, without bounds, for types.
pub(in crate::glue) fn arguments(g: &Generics) -> TokenStream {
    let (_, tg, _) = g.split_for_impl();
    tg.to_token_stream()
}

/// `::<S, N>`, for paths to a function.
pub(super) fn turbofish(g: &Generics) -> TokenStream {
    if g.params.iter().all(|p| matches!(p, GenericParam::Lifetime(_))) {
        return TokenStream::new();
    }
    let g = without_lifetimes(g);
    let (_, tg, _) = g.split_for_impl();
    tg.as_turbofish().to_token_stream()
}

/// The method writes its receiver.
pub(super) fn writes_self(sig: &Signature) -> bool {
    sig.receiver().is_some_and(|r| matches!(r.kind, syn::ReceiverKind::Reference(_, _, Some(_))))
}

/// The hidden method's signature: that of the user's, with a last argument of the marker's type. The parameters are one tuple, but for names
/// that built-in methods have, too.
pub(super) fn mangled_signature(
    sig: &Signature,
    marker: &TokenStream,
    strategies: &HashSet<String>,
) -> Signature {
    let p = private();
    let mut sig = sig.clone();
    sig.constness = None;
    let args = sig.inputs.len();
    let each = sig.receiver().is_none() || takes_each(&sig.ident.to_string(), args);
    sig.ident = mangled(&sig.ident, args);
    for input in &mut sig.inputs {
        match input {
            FnArg::Typed(t) => {
                t.attrs.clear();
                *t.pat = parse_quote!(_);
            }
            FnArg::Receiver(r) => r.mutability = None,
        }
    }
    bound(&mut sig.generics, strategies);
    let found = found_at(&sig);
    // Only the stand-in for an undeclared method takes `&mut self`, and so is found last.
    if let Some(FnArg::Receiver(r)) = sig.inputs.first_mut()
        && let syn::ReceiverKind::Reference(_, _, mutability) = &mut r.kind
    {
        *mutability = None;
    }
    if !each {
        let receiver = sig.inputs.first().cloned();
        let types = typed_inputs(&sig).map(|t| &t.ty);
        let parameters: FnArg = parse_quote!(_: (#(#types,)*));
        sig.inputs = receiver.into_iter().chain([parameters]).collect();
    }
    sig.inputs.push(parse_quote!(_: &#p::Call<#marker, (), #found>));
    sig
}

/// At which type of `self` a method is found.
fn found_at(sig: &Signature) -> TokenStream {
    let p = private();
    match sig.receiver().map(|r| &r.kind) {
        None => code!(()),
        Some(syn::ReceiverKind::Reference(_, _, Some(_))) => code!(#p::ByMut<Self>),
        Some(syn::ReceiverKind::Reference(_, _, None)) => code!(#p::ByRef<Self>),
        // Other receivers are refused.
        Some(_) => code!(#p::ByVal<Self>),
    }
}

/// A method's signature and its lowered body.
pub(super) struct Body<'a> {
    pub sig: &'a Signature,
    pub lowered: &'a LoweredFn,
}

impl Body<'_> {
    /// The statements that describe the method to `__cx`: its typing copy, its template and the answers.
    pub(super) fn describe(&self) -> TokenStream {
        let (template, checks) = (bytes(&self.lowered.template.to_bytes()), crate::glue::overflow::checks());
        let answers = answers(&self.lowered.typing, &hidden("__cx"));
        let copy = self.copy();
        let all = with_companions(
            &self.lowered.typing,
            code! {
                #copy
                __cx.template(#template, ::omp::__private::core::file!(), #checks);
                #answers
            },
        );
        rename_self(all)
    }

    /// The typing copy: a closure in a branch that is never taken, with the parameters bound by their patterns.
    fn copy(&self) -> TokenStream {
        let (mut patterns, mut types) = (Vec::new(), Vec::new());
        for input in &self.sig.inputs {
            match input {
                FnArg::Typed(t) => {
                    patterns.push(t.pat.to_token_stream());
                    types.push(t.ty.to_token_stream());
                }
                FnArg::Receiver(r) => {
                    let (name, mutability) = (&r.self_token, &r.mutability);
                    patterns.push(quote!(#mutability #name));
                    types.push(match &r.kind {
                        syn::ReceiverKind::Reference(_, l, m) => quote!(& #l #m Self),
                        _ => quote!(Self),
                    });
                }
            }
        }
        let output = match &self.sig.output {
            ReturnType::Default => code!(()),
            ReturnType::Type(_, ty) => ty.to_token_stream(),
        };
        let copy = &self.lowered.typing.copy;
        typing_copy(
            &self.lowered.typing,
            code! {
                let __args: ::omp::__private::core::option::Option<(#(#types,)*)> = ::omp::__private::core::option::Option::None;
                if let ::omp::__private::core::option::Option::Some((#(#patterns,)*)) = __args {
                    let _ = || -> #output { #copy };
                }
            },
        )
    }
}

/// `fn describing_f<S: Device>(__cx: &mut Describe) where …`
pub(super) fn describing_signature(sig: &Signature, strategies: &HashSet<String>) -> TokenStream {
    let p = private();
    let name = describing(&sig.ident);
    let mut g = sig.generics.clone();
    bound(&mut g, strategies);
    let wh = &g.where_clause;
    // The name that the answers are given to is one for both.
    let cx = hidden("__cx");
    code!(fn #name #g (#cx: &mut #p::Describe) #wh)
}

/// `impl DeviceFn for marker`, which calls the function that describes.
///
/// `item` is the method's path: calls by a path are compared with it.
pub(in crate::glue) fn implement(
    marker: &Ident,
    g: &Generics,
    call: &TokenStream,
    item: Option<&TokenStream>,
    writes_self: bool,
) -> TokenStream {
    let p = private();
    let (ig, tg, wh) = g.split_for_impl();
    let allow = lints_off();
    let method = item.is_some() || is_comparison(marker);
    let genuine = match item {
        Some(item) => code!(#p::id_of(&#item)),
        None => code!(::omp::__private::core::any::TypeId::of::<()>()),
    };
    let reads = (!writes_self).then(|| code!(#allow unsafe impl #ig #p::Reads for #marker #tg #wh {}));
    code! {
        #allow
        unsafe impl #ig #p::DeviceFn for #marker #tg #wh {
            const METHOD: ::omp::__private::core::primitive::bool = #method;
            fn genuine() -> ::omp::__private::core::any::TypeId {
                #genuine
            }
            fn describe(__cx: &mut #p::Describe) {
                #call
            }
        }
        #reads
    }
}

/// The name of a marker.
pub(super) fn marker_name(method: &Ident) -> Ident {
    format_ident!("OmpMethod_{}", plain(method), span = Span::mixed_site())
}

/// `self` is a parameter like others where a typing copy stands; `self::` is a path, and the functions in a copy are the
/// macros' own, whose receivers stay.
fn rename_self(tokens: TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = Vec::with_capacity(trees.len());
    let mut parameters = false;
    for (i, tree) in trees.iter().enumerate() {
        parameters |= matches!(tree, TokenTree::Ident(ident) if ident == "fn");
        out.push(match tree {
            TokenTree::Ident(ident) if ident == "self" && !begins_path(&trees[i + 1..]) => {
                TokenTree::Ident(Ident::new(SELF, Span::mixed_site().located_at(ident.span())))
            }
            TokenTree::Group(g) if parameters && g.delimiter() == Delimiter::Parenthesis => {
                parameters = false;
                tree.clone()
            }
            TokenTree::Group(g) => regrouped(g, rename_self(g.stream())),
            other => other.clone(),
        });
    }
    out.into_iter().collect()
}

fn begins_path(rest: &[TokenTree]) -> bool {
    // `Self: ::core::…` has the colons, too.
    matches!(rest, [TokenTree::Punct(a), TokenTree::Punct(b), ..]
        if a.as_char() == ':' && a.spacing() == Spacing::Joint && b.as_char() == ':')
}

/// `Self` by its name, for places where `Self` is something else. Types only: `Self { … }` is no type.
pub(super) fn without_self(tokens: TokenStream, ty: &Type) -> TokenStream {
    each_self(tokens, &mut |member| if member.is_some() { quote!(<#ty>) } else { quote!(#ty) })
}

/// `Self::Output` as the trait has it, where `Self` is the type, but not in an impl of that trait.
pub(super) fn of_trait(tokens: TokenStream, ty: &Type, path: &syn::Path, types: &[String]) -> TokenStream {
    each_self(tokens, &mut |member| match member {
        Some(member) if types.contains(&member) => quote!(<#ty as #path>),
        _ => quote!(Self),
    })
}

/// Replaces `Self`; `with` gets the name in `Self::name`.
fn each_self(tokens: TokenStream, with: &mut impl FnMut(Option<String>) -> TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    for (i, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Ident(ident) if ident == "Self" => {
                let path = begins_path(&trees[i + 1..]);
                let member = if path { trees.get(i + 3).map(ToString::to_string) } else { None };
                out.extend(with(member));
            }
            TokenTree::Group(g) => out.extend([regrouped(g, each_self(g.stream(), with))]),
            other => out.extend([other.clone()]),
        }
    }
    out
}

/// Whether a marker is that of a method of `PartialOrd` or `Ord` that is no operator.
pub(super) fn is_comparison(marker: &Ident) -> bool {
    ["PartialCmp", "Cmp", "Max", "Min", "Clamp"].iter().any(|of| *marker == format!("OmpMethod_{of}"))
}
