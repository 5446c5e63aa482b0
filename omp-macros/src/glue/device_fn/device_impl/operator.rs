//! `impl Add<Rhs> for Type { … }`: operators, comparisons, `Default` and `From`.
//!
//! Operators have no hidden methods: a region finds them by type, as `DeviceOp<ops::Add, Rhs>`, whose associated type is the
//! marker of the method. A `PartialOrd` also declares the comparisons that its `impl` leaves out, by `partial_cmp`; an `Ord` declares
//! `max`, `min` and `clamp`.
use super::{describe, instance, lowered, type_params};
use crate::diag::{Code, Sink};
use crate::expand::Methods;
use crate::glue::device_fn::markers::{
    self, Body, arguments, declaration, device_generics, implement, marker_name, of_trait, without_self,
};
use crate::glue::device_fn::operators;
use crate::glue::{bound_by_device, lints_off, private};
use crate::lower::{self, Around};
use crate::parse::primitives::is_primitive;
use crate::sema::syntax::types;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{ImplItem, ImplItemFn, ItemImpl, Path, Type, parse_quote};

/// `impl Add<Rhs> for Type { … }`
pub(super) fn of_operator(item: &ItemImpl, path: &Path, inline: &Methods, sink: &mut Sink) -> TokenStream {
    let described = operator_description(item, path, inline, sink);
    code!(#item #described)
}

/// The code that describes an operator to the regions that use it.
pub(super) fn operator_description(
    item: &ItemImpl,
    path: &Path,
    inline: &Methods,
    sink: &mut Sink,
) -> TokenStream {
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
    let concrete_self = item.generics.params.is_empty();
    let around = Around { generics: type_params(&item.generics), concrete_self, ..Around::default() };
    let mut parts = TokenStream::new();
    let known = lowered(item, inline, sink);
    // Primitives have a `partial_cmp` of their own, so a second one would be ambiguous.
    let has_own = matches!(&**self_ty, Type::Reference(_))
        || matches!(&**self_ty, Type::Path(p) if p.path.get_ident().is_some_and(|i| is_primitive(&i.to_string())));
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
        for f in by_cmp(self_ty) {
            if known.iter().all(|(other, _)| other.sig.ident != f.sig.ident) {
                let Ok(lowered) = lower::lower_fn(&f.sig, &f.block, &around, sink) else { continue };
                let body = Body { sig: &f.sig, lowered: &lowered }.describe();
                let op = tag("Ord", &f.sig.ident.to_string()).unwrap_or_default();
                parts.extend(operator_parts(item, op, &rhs, &body));
            }
        }
        let g = device_generics(&item.generics, &HashSet::new());
        let with_lifetimes = with_lifetimes(item);
        let (ig, _, wh) = with_lifetimes.split_for_impl();
        let tg = arguments(&g);
        parts.extend(code! {
            impl #ig #p::methods::Orders<OmpMethod_Cmp #tg, OmpMethod_Max #tg, OmpMethod_Min #tg, OmpMethod_Clamp #tg>
                for #self_ty #wh {}
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

/// The items for one operator: its marker, its description, and the `DeviceOp` that connects them with the type.
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

/// The `impl`'s parameters, lifetimes among them.
fn with_lifetimes(item: &ItemImpl) -> syn::Generics {
    let mut g = item.generics.clone();
    bound_by_device(&mut g);
    g
}

/// The right operand's type; `()` of a unary operator.
fn right_operand(path: &Path, self_ty: &Type, name: &str) -> TokenStream {
    if matches!(name, "Neg" | "Not" | "Default") {
        return code!(());
    }
    let last = path.segments.last().expect("a path has segments");
    match types::argument(last) {
        Some(given) => without_self(given.to_token_stream(), self_ty),
        None => self_ty.to_token_stream(),
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

/// The methods that `Ord` makes of `cmp`. Of two equal values, `max` returns the later one, `min` the earlier one and `clamp` the value itself.
fn by_cmp(ty: &Type) -> [ImplItemFn; 3] {
    [
        parse_quote! {
            fn max(self, other: #ty) -> #ty { if self.cmp(&other).is_gt() { self } else { other } }
        },
        parse_quote! {
            fn min(self, other: #ty) -> #ty { if self.cmp(&other).is_le() { self } else { other } }
        },
        parse_quote! {
            fn clamp(self, low: #ty, high: #ty) -> #ty {
                assert!(low.cmp(&high).is_le(), "assertion failed: min <= max");
                if self.cmp(&low).is_lt() { low } else if self.cmp(&high).is_gt() { high } else { self }
            }
        },
    ]
}

/// The name that replaces `partial_cmp` in an `impl` for a primitive, which has a `partial_cmp` of its own.
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

/// No `into` of the type's own hides that of a declared `From`, as `x.into()` would run it on the host.
fn not_hidden(item: &ItemImpl, path: &Path) -> TokenStream {
    let Some(mut from) = path.segments.last().and_then(types::argument) else { return TokenStream::new() };
    // A reference's own `into` is that of what it refers to.
    loop {
        from = match from {
            Type::Reference(r) => &*r.elem,
            Type::Paren(p) => &*p.elem,
            Type::Group(g) => &*g.elem,
            Type::Path(_) => break,
            // Other types have no methods of the user's.
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
