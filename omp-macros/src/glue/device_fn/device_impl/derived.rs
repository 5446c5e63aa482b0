//! Derived comparisons, described as if their `impl`s were written out with the attribute.
use super::operator::operator_description;
use crate::diag::Sink;
use crate::expand::Methods;
use crate::glue::derive::device::is_phantom;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{ItemImpl, Path, parse_quote};

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
            let members = stored(&s.fields);
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
    let members = stored(&fields.fields);
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

/// The fields but markers, which are all equal.
fn stored(fields: &syn::Fields) -> Vec<syn::Member> {
    let with_types = fields.members().zip(fields);
    with_types.filter(|(_, field)| !is_phantom(&field.ty)).map(|(member, _)| member).collect()
}
