//! `#[derive(omp::Device)]`: the layout of a struct or enum, as constants.
//!
//! A field without a device type is reported by rustc, at the field's type: the constants that use the type have that
//! span, and so has the bound `where Field: omp::Device` of a field whose type names a parameter. The derive itself
//! reports types with references, unions, enums with data under `repr(C)`, and enums of size zero.
use super::derived::{self, Derived};
use crate::diag::{Code, Sink};
use crate::glue::device_fn::device_impl;
use crate::glue::device_fn::operators;
use crate::glue::{bound_by_device, private};
use crate::parse::operators::UNARY;
use crate::parse::primitives::{INTEGERS, PRIMITIVES};
use crate::parse::tokens::leaves::idents;
use crate::sema::syntax::std_names;
use crate::sema::syntax::types::behind_parens;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DataEnum, DeriveInput, Fields, GenericParam, Generics, Index, Member, Type, parse_quote};

/// Expands the derive.
pub fn expand(item: TokenStream, sink: &mut Sink) -> TokenStream {
    let Some(input) = super::input(item, sink) else { return TokenStream::new() };
    // (If the file does not show it, the conflict of two `impl`s reports it.)
    if derived::is_dereferenced(&input.ident) {
        let name = &input.ident;
        sink.error(
            Code::DeriveDevice,
            name.span(),
            format!("`{name}` has a `Deref`, so that a field or method of it may be another type's"),
        )
        .help(format!(
            "take the `impl Deref for {name}` away, and write the field that it gives: `p.field.len()`"
        ));
    }
    let expanded = match &input.data {
        Data::Struct(s) => structure(&input, &s.fields, sink),
        Data::Enum(e) => enumeration(&input, e, sink),
        Data::Union(u) => {
            sink.error(Code::DeriveDevice, u.union_token.span, "a union can't be an `omp::Device`")
                .help("use a struct, or the bits of one number (`to_bits`, `from_bits`)");
            None
        }
    };
    if !sink.is_empty() {
        // If the errors are rustc's, the stub compiles to nothing.
        sink.left_to_rustc();
        return stub(&input);
    }
    let with_data = matches!(&input.data, Data::Enum(e) if e.variants.iter().any(|v| !v.fields.is_empty()));
    let of_parts = with_data || !input.generics.params.is_empty();
    let derived = if of_parts { derived::with_parameters(&input) } else { Derived::Nothing };
    let equality = (derived >= Derived::Equality).then(|| device_impl::derived_equality(&input, sink));
    let order = match &input.data {
        Data::Struct(s) if derived >= Derived::PartialOrder => {
            device_impl::derived_order(&input, s, derived == Derived::Order, sink)
        }
        _ => TokenStream::new(),
    };
    let expanded = expanded.unwrap_or_default();
    code!(#expanded #equality #order)
}

/// A type with errors of its own: what uses it has no second error. Nothing is required of the types of its parameters and fields.
fn stub(input: &DeriveInput) -> TokenStream {
    // A type that can't be `Copy` and `'static` gets no `Copy` check, unless it derives `Copy`: rustc's error would hide ours.
    let copied = match &input.data {
        Data::Struct(s) => {
            let others = |f: &&syn::Field| beyond(&f.ty).is_some();
            let mut others = s.fields.iter().filter(others).peekable();
            others.peek().is_none()
                || (others.all(|f| owner(&f.ty).is_some()) && derived::copies(&input.ident))
        }
        Data::Enum(_) => true,
        Data::Union(_) => false,
    };
    if !copied || input.generics.lifetimes().next().is_some() {
        return TokenStream::new();
    }
    let p = private();
    // No program has them: to use them is a compile error.
    let refused = code!(::omp::__private::core::panic!(
        "`omp::Device` is not derived: its derive has an error [omp::E0803]"
    ));
    let name = &input.ident;
    let mut generics = input.generics.clone();
    bound_by_device(&mut generics);
    let (ig, tg, wh) = generics.split_for_impl();
    code! {
        const _: () = {
            #[automatically_derived]
            impl #ig #p::Operand for #name #tg #wh {
                type Is = Self;
                type Kind = #p::kind::User;
            }
            #[automatically_derived]
            unsafe impl #ig #p::Device for #name #tg #wh {
                const DESC: &'static #p::TypeDesc = #refused;
                const FILL: Self = #refused;
            }
        };
    }
}

/// The help of everything about fields.
const FIELDS: &str = "fields are integers of up to 64 bits, `u128`, `f32`, `f64`, `bool`, `char`, fixed arrays and tuples of these, and types that derive `omp::Device`";

/// The help where a struct has a slice.
const BORROWED: &str = "a struct of slices needs no derive where regions make it: with `#[omp::declare_target]` on its `impl`, calls of its methods are replaced by their bodies";

fn borrows(ty: &Type) -> bool {
    matches!(ty, Type::Reference(r) if matches!(&*r.elem, Type::Slice(_)))
}

/// Reports the first lifetime of a type.
fn no_lifetimes(input: &DeriveInput, sink: &mut Sink) {
    if let Some(lifetime) = input.generics.lifetimes().next() {
        let message = "an `omp::Device` holds no references: it has no lifetimes";
        sink.error(Code::DeriveDevice, lifetime.lifetime.span(), message).help(FIELDS);
    }
}

fn structure(input: &DeriveInput, fields: &Fields, sink: &mut Sink) -> Option<TokenStream> {
    let name = &input.ident;
    packed(input, sink);
    let copies = fields.iter().any(|f| owner(&f.ty).is_some()) && derived::copies(name);
    for (i, f) in fields.iter().enumerate() {
        let field = f.ident.as_ref().map_or_else(|| i.to_string(), ToString::to_string);
        if copies && owner(&f.ty).is_some() {
            sink.of_rustc(Code::DeriveDevice, f.ty.span(), format!("field `{field}` is not `Copy`"));
        } else if let Some(what) = beyond(&f.ty) {
            sink.error_at(
                Code::DeriveDevice,
                &f.ty,
                format!("field `{field}` is {what}, which can't be in an `omp::Device`: its address means nothing on a device"),
            )
            .help(if borrows(&f.ty) { BORROWED } else { FIELDS });
        }
    }
    if sink.is_empty() {
        no_lifetimes(input, sink);
    }
    if !sink.is_empty() {
        return None;
    }
    let p = private();
    let members = members(fields);
    let names: Vec<String> =
        members.iter().map(|m| m.to_token_stream().to_string().replace("r#", "")).collect();
    let types: Vec<&Type> = fields.iter().map(|f| &f.ty).collect();
    let text = name.to_string();
    // One span for both constants, so that rustc reports a field of no device type once.
    let of_field = |constant: &str| -> Vec<TokenStream> {
        let constant = |span| proc_macro2::Ident::new(constant, span);
        let tokens = types.iter().map(|ty| {
            let (span, constant) = (ty.span(), constant(ty.span()));
            let part = if is_phantom(ty) { code!(phantom::<#ty>()) } else { code!(part_of::<#ty>()) };
            quote_spanned!(span=> ::omp::__private::#part.#constant)
        });
        tokens.collect()
    };
    let (descs, fills) = (of_field("desc"), of_field("fill"));
    let stored: Vec<&Type> = types.iter().copied().filter(|ty| !is_phantom(ty)).collect();
    let offsets = members.iter().zip(&types).map(|(member, ty)| {
        let aligned =
            quote_spanned!(ty.span().resolved_at(Span::mixed_site())=> ::omp::__private::aligned_field);
        code!(#aligned::<Self, #ty>(::omp::__private::core::mem::offset_of!(Self, #member)))
    });
    let derived =
        if input.generics.params.is_empty() { derived::comparisons(name) } else { Derived::Nothing };
    let kept = derived.name();
    // `aligned_field` checks the layout while compiling.
    let desc = code! {
        &#p::TypeDesc::Struct(&#p::StructDesc {
            name: #text,
            derived: #p::Derived::#kept,
            size: ::omp::__private::core::mem::size_of::<Self>(),
            align: ::omp::__private::core::mem::align_of::<Self>(),
            fields: &[#(#p::FieldDesc {
                name: #names,
                ty: #descs,
                offset: #offsets,
            }),*],
        })
    };
    let fill = code!(Self { #(#members: #fills),* });
    let generics = with_bounds(&input.generics, stored.iter().copied());
    // Without derived comparisons there is no bound, so that a field of no device type has one error.
    let compared_types = if derived == Derived::Nothing { &[] } else { &stored[..] };
    let implemented = implement(input, generics, &desc, &fill, ("User", compared_types));
    let compared = compared(name, &stored, derived);
    Some(code!(#implemented #compared))
}

/// The methods of `Ord`, unless the type has methods of its own with these names, which the host calls. (In a module in which no trait of the
/// user's is in scope.)
fn has_order(name: &proc_macro2::Ident, derived: Derived) -> TokenStream {
    let p = private();
    if derived != Derived::Order {
        return code! {
            #[automatically_derived]
            unsafe impl #p::HasOrder for #name {}
        };
    }
    let of_ord = |method: &&str| {
        let method = proc_macro2::Ident::new(method, Span::mixed_site());
        code!(#p::id_of(&<__Type as ::omp::__private::core::cmp::Ord>::#method) == #p::id_of(&<__Type>::#method))
    };
    let (own, clamp) = (["cmp", "max", "min"].iter().map(of_ord), of_ord(&"clamp"));
    code! {
        #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        mod __alone {
            pub(super) struct __Key;
            type __Type = <__Key as #p::TypeOf>::Type;
            pub(super) fn is_of_ord() -> ::omp::__private::core::primitive::bool {
                #(#own)&&*
            }
            pub(super) fn clamps_by_ord() -> ::omp::__private::core::primitive::bool {
                #clamp
            }
        }
        impl #p::TypeOf for __alone::__Key {
            type Type = #name;
        }
        #[automatically_derived]
        unsafe impl #p::HasOrder for #name {
            fn is_of_ord() -> ::omp::__private::core::primitive::bool {
                __alone::is_of_ord()
            }
            fn clamps_by_ord() -> ::omp::__private::core::primitive::bool {
                __alone::clamps_by_ord()
            }
        }
    }
}

/// The comparisons that are derived, part by part.
fn compared(name: &proc_macro2::Ident, types: &[&Type], derived: Derived) -> TokenStream {
    let p = private();
    let ops: &[&str] = match derived {
        Derived::Nothing => return TokenStream::new(),
        Derived::Equality => &["Eq"],
        Derived::PartialOrder | Derived::Order => &["Eq", "Lt", "Le", "Gt", "Ge"],
    };
    let ops = ops.iter().map(|op| {
        let op = proc_macro2::Ident::new(op, Span::mixed_site());
        code! {
            #[automatically_derived]
            unsafe impl #p::DeviceOp<#p::ops::#op, #name> for #name {
                type Callee = #p::ByParts<#name, #p::ops::#op>;
            }
        }
    });
    let ordered = (derived > Derived::Equality).then(|| {
        let has_order = has_order(name, derived);
        code! {
            #has_order
            #[automatically_derived]
            unsafe impl #p::HasParts for #name {}
        }
    });
    code! {
        const _: () = {
            #[automatically_derived]
            unsafe impl #p::Comparable for #name {
                fn ask(__how: #p::Comparison, __cx: &mut #p::Describe) {
                    #(<#types as #p::Comparable>::ask(__how, __cx);)*
                }
            }
            #(#ops)*
            #ordered
            // Only of a type that derives `PartialEq` a const is a pattern.
            fn __derives(__value: #name) {
                const FILL: #name = <#name as #p::Device>::FILL;
                match __value {
                    FILL => {}
                    _ => {}
                }
            }
        };
    }
}

/// Whether a type is made of a parameter.
fn names_parameter(ty: &Type, generics: &Generics) -> bool {
    idents(ty.to_token_stream()).any(|ident| {
        ident == "Self"
            || generics.params.iter().any(|param| match param {
                GenericParam::Type(t) => t.ident == ident,
                GenericParam::Const(c) => c.ident == ident,
                GenericParam::Lifetime(_) => false,
            })
    })
}

/// The parameters, with the bound of each field that is made of one. (A type without parameters is or is none: a failed bound would be
/// reported again at each use of the struct.)
fn with_bounds<'t>(generics: &Generics, fields: impl Iterator<Item = &'t Type>) -> Generics {
    let mut bounded = generics.clone();
    let open: Vec<_> = fields.filter(|ty| names_parameter(ty, generics)).collect();
    if !open.is_empty() {
        let clause = bounded.make_where_clause();
        open.into_iter().for_each(|ty| clause.predicates.push(bound(ty)));
    }
    bounded
}

/// `Field: omp::Device`, at the field's type.
fn bound(ty: &Type) -> syn::WherePredicate {
    // All tokens have the span of the field's type, or rustc would point at the derive.
    let tokens = quote_spanned!(ty.span()=> #ty: ::omp::__private::Device);
    parse_quote!(#tokens)
}

/// The layout that devices have is the one with natural alignment. What other attributes make of the struct, `aligned_field`
/// judges.
fn packed(input: &DeriveInput, sink: &mut Sink) {
    for attr in input.attrs.iter().filter(|a| a.path().is_ident("repr")) {
        // rustc reports a `repr` that can't be read.
        let _ = attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("packed") {
                let span = meta.path.span();
                sink.error(
                    Code::DeriveDevice,
                    span,
                    "a packed struct can't be an `omp::Device`: devices load aligned fields",
                )
                .help("remove `packed`");
            }
            if meta.input.peek(syn::token::Paren) {
                let content;
                syn::parenthesized!(content in meta.input);
                content.parse::<TokenStream>()?;
            }
            Ok(())
        });
    }
}

/// Types of std that hold an address.
const OF_STD: &[(&str, &str)] = &[
    ("Vec", "a `Vec`"),
    ("String", "a `String`"),
    ("Box", "a `Box`"),
    ("Rc", "an `Rc`"),
    ("Arc", "an `Arc`"),
];

/// Types that are wrong by their tokens. Types that only their definition shows to be wrong are reported by rustc.
fn beyond(ty: &Type) -> Option<&'static str> {
    match behind_parens(ty) {
        Type::Reference(_) => Some("a reference"),
        Type::Ptr(_) => Some("a raw pointer"),
        Type::FnPtr(_) => Some("a function pointer"),
        Type::TraitObject(_) => Some("a trait object"),
        Type::Array(a) => beyond(&a.elem),
        Type::Tuple(t) => t.elems.iter().find_map(beyond),
        ty => owner(ty),
    }
}

/// Types of std that own memory, which are never `Copy`.
fn owner(ty: &Type) -> Option<&'static str> {
    match ty {
        Type::Path(p) if p.qself.is_none() => {
            let name = &p.path.segments.last()?.ident;
            let (_, what) = OF_STD.iter().find(|(std, _)| name == std)?;
            std_names::is_std(&p.path).then_some(*what)
        }
        _ => None,
    }
}

/// A marker, which stores nothing.
pub(in crate::glue) fn is_phantom(ty: &Type) -> bool {
    matches!(ty, Type::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "PhantomData"))
}

fn enumeration(input: &DeriveInput, e: &DataEnum, sink: &mut Sink) -> Option<TokenStream> {
    let name = &input.ident;
    if e.variants.iter().any(|v| !v.fields.is_empty()) {
        return with_data(input, e, sink);
    }
    let repr = INTEGERS.iter().chain(&["C"]).any(|i| has_repr(input, i));
    if e.variants.is_empty() || (e.variants.len() == 1 && !repr) {
        let has = if e.variants.is_empty() { "no variants" } else { "one variant" };
        sink.error(
            Code::DeriveDevice,
            name.span(),
            format!("`{name}` has {has}: there is nothing to put on a device"),
        )
        .help("leave the value out, or give the enum a `repr`, such as `#[repr(u8)]`");
    }
    if !sink.is_empty() {
        return None;
    }
    let p = private();
    let variants: Vec<_> = e.variants.iter().map(|v| &v.ident).collect();
    let names: Vec<_> = variants.iter().map(|v| v.to_string().replace("r#", "")).collect();
    let text = name.to_string();
    // `enum_bits` checks the size while compiling.
    let desc = code! {
        &#p::TypeDesc::Enum(&#p::EnumDesc {
            name: #text,
            size: ::omp::__private::core::mem::size_of::<Self>(),
            variants: &[#((#names, Self::#variants as ::omp::__private::core::primitive::i128, unsafe { #p::enum_bits(Self::#variants) })),*],
        })
    };
    let first = variants[0];
    let fill = code!({ #(if Self::#variants as ::omp::__private::core::primitive::i128 == 0 { Self::#variants } else)* { Self::#first } });
    let has_order = has_order(name, derived::comparisons(name));
    let compared = code! {
        #[automatically_derived]
        unsafe impl #p::EnumOperand for #name {
            type Enum = Self;
        }
        #[automatically_derived]
        unsafe impl #p::Compared for #name {
            fn by_bits() -> ::omp::__private::core::primitive::bool {
                use #p::{Equal0 as _, Equal1 as _};
                (&#p::EqualW(&[#(Self::#variants),*])).omp_by_bits()
            }
            fn by_order() -> ::omp::__private::core::primitive::bool {
                use #p::{Order0 as _, Order1 as _};
                (&#p::OrderW(&[#((Self::#variants, Self::#variants as ::omp::__private::core::primitive::i128)),*])).omp_by_order()
            }
            fn by_cmp() -> ::omp::__private::core::primitive::bool {
                use #p::{Cmp0 as _, Cmp1 as _};
                (&#p::CmpW(&[#((Self::#variants, Self::#variants as ::omp::__private::core::primitive::i128)),*])).omp_by_cmp()
            }
        }
        #[automatically_derived]
        unsafe impl #p::Comparable for #name {
            fn ask(__how: #p::Comparison, __cx: &mut #p::Describe) {
                #p::ask_enum::<Self>(__how, __cx);
            }
        }
        #has_order
    };
    let device = implement(input, input.generics.clone(), &desc, &fill, ("Enum", &[]));
    Some(code!(#device const _: () = { #compared };))
}

/// An enum with data: a tag at the start, which is an integer, and behind it the fields of one variant. The integer's type is that of
/// the representation; without one, rustc's layout tells it. rustc gives the offsets of the fields, by a value of each variant.
fn with_data(input: &DeriveInput, e: &DataEnum, sink: &mut Sink) -> Option<TokenStream> {
    let name = &input.ident;
    let tag = INTEGERS.iter().find(|repr| has_repr(input, repr));
    if has_repr(input, "C") || e.variants.len() == 1 && tag.is_none() {
        let what = if has_repr(input, "C") { "is under `repr(C)`" } else { "has one variant and no tag" };
        let message = format!(
            "`{name}` has data and {what}: devices know the layout under an integer's representation"
        );
        sink.error(Code::DeriveDevice, name.span(), message)
            .help(format!("put `#[repr(u8)]` on it: `#[repr(u8)] enum {name} {{ … }}`"));
    }
    for v in &e.variants {
        for (i, f) in v.fields.iter().enumerate() {
            if let Some(what) = beyond(&f.ty) {
                let field = f.ident.as_ref().map_or_else(|| i.to_string(), ToString::to_string);
                let message = format!(
                    "field `{field}` of `{}` is {what}, which can't be in an `omp::Device`: its address means nothing on a device",
                    v.ident
                );
                sink.error_at(Code::DeriveDevice, &f.ty, message).help(FIELDS);
            }
        }
    }
    no_lifetimes(input, sink);
    if !sink.is_empty() {
        return None;
    }
    let p = private();
    let tag_size = match tag {
        Some(tag) => {
            let integer = proc_macro2::Ident::new(tag, Span::mixed_site());
            code!(::omp::__private::core::mem::size_of::<::omp::__private::core::primitive::#integer>())
        }
        None => {
            let fields = e.variants.iter().flat_map(|v| {
                let (offsets, types) = (offsets(v), v.fields.iter().map(|f| &f.ty).collect::<Vec<_>>());
                code!(#((
                    #offsets,
                    ::omp::__private::core::mem::size_of::<#types>(),
                    ::omp::__private::core::mem::align_of::<#types>(),
                ),)*)
            });
            let fields: TokenStream = fields.collect();
            let message = format!(
                "devices don't know where rustc keeps the variant of `{name}` [omp::E0803]; help: put `#[repr(u8)]` on it: `#[repr(u8)] enum {name} {{ … }}`"
            );
            code! {
                match #p::tag_before(&[#fields]) {
                    ::omp::__private::core::option::Option::Some(__size) => __size,
                    ::omp::__private::core::option::Option::None => ::omp::__private::core::panic!("{}", #message),
                }
            }
        }
    };
    let signed = tag.is_some_and(|tag| tag.starts_with('i'));
    let text = name.to_string();
    let (mut variants, mut fills, mut tags) = (Vec::new(), Vec::new(), Vec::new());
    for v in &e.variants {
        let (desc, fill, tag) = variant_desc(v, &text, &tag_size);
        variants.push(desc);
        fills.push(fill);
        tags.push(tag);
    }
    let desc = code! {
        &#p::TypeDesc::Data(&#p::DataDesc {
            name: #text,
            size: ::omp::__private::core::mem::size_of::<Self>(),
            align: ::omp::__private::core::mem::align_of::<Self>(),
            tag: #p::tag_type(#tag_size, #signed),
            agreed: true,
            result: false,
            variants: &[#(#variants),*],
        })
    };
    let first = &fills[0];
    let fill = code!({ #(if #tags == 0 { #fills } else)* { #first } });
    let types = e.variants.iter().flat_map(|v| &v.fields).map(|f| &f.ty);
    let generics = with_bounds(&input.generics, types);
    let implemented = implement(input, generics, &desc, &fill, ("User", &[]));
    // Without parameters the layout is known here.
    let known = (tag.is_none() && input.generics.params.is_empty()).then(|| {
        let span = Span::mixed_site().located_at(name.span());
        quote_spanned!(span=> const _: &::omp::__private::TypeDesc = <#name as ::omp::__private::Device>::DESC;)
    });
    Some(code!(#implemented #known))
}

fn members(fields: &Fields) -> Vec<Member> {
    let member = |(i, f): (usize, &syn::Field)| {
        f.ident.clone().map_or_else(|| Member::Unnamed(Index::from(i)), Member::Named)
    };
    fields.iter().enumerate().map(member).collect()
}

/// What a field's type is for devices, `desc` or `fill`: rustc reports a type that is none at the field.
fn of_part(ty: &Type, constant: &str) -> TokenStream {
    let (span, constant) = (ty.span(), proc_macro2::Ident::new(constant, ty.span()));
    quote_spanned!(span=> ::omp::__private::part_of::<#ty>().#constant)
}

/// A value of a variant.
fn filled(v: &syn::Variant) -> TokenStream {
    let (variant, members) = (&v.ident, members(&v.fields));
    let values = v.fields.iter().map(|f| of_part(&f.ty, "fill"));
    code!(Self::#variant { #(#members: #values),* })
}

/// The offsets of a variant's fields.
fn offsets(v: &syn::Variant) -> Vec<TokenStream> {
    let p = private();
    let (variant, fill) = (&v.ident, filled(v));
    let offset = |(f, member): (&syn::Field, &Member)| {
        let ty = &f.ty;
        code! {{
            let __whole = #fill;
            match &__whole {
                // SAFETY: the part is a field of the whole.
                Self::#variant { #member: __part, .. } => #p::aligned_field::<Self, #ty>(unsafe {
                    #p::offset_in(&__whole, __part)
                }),
                #[allow(unreachable_patterns)]
                _ => ::omp::__private::core::unreachable!(),
            }
        }}
    };
    v.fields.iter().zip(&members(&v.fields)).map(offset).collect()
}

/// The description of a variant of the enum `of` with data, a value of it, and its tag.
fn variant_desc(
    v: &syn::Variant,
    of: &str,
    tag_size: &TokenStream,
) -> (TokenStream, TokenStream, TokenStream) {
    let p = private();
    let variant = &v.ident;
    let name = variant.to_string().replace("r#", "");
    let fields_name = format!("{of}_{name}");
    let members = members(&v.fields);
    let (fill, offsets) = (filled(v), offsets(v));
    let fields = v.fields.iter().zip(&members).zip(&offsets).map(|((f, member), offset)| {
        let desc = of_part(&f.ty, "desc");
        let field = member.to_token_stream().to_string().replace("r#", "");
        code!(#p::FieldDesc { name: #field, ty: #desc, offset: #offset })
    });
    let types: Vec<_> = v.fields.iter().map(|f| &f.ty).collect();
    let layout = code! {
        #p::variant_layout(&[#((
            #offsets,
            ::omp::__private::core::mem::size_of::<#types>(),
            ::omp::__private::core::mem::align_of::<#types>(),
        )),*])
    };
    // SAFETY (of what is expanded): a tag of this size is at the start, by the representation or in front of all fields.
    let tag = code!(unsafe { #p::tag_of::<Self>(#fill, #tag_size) });
    let desc = code! {
        #p::VariantDesc {
            name: #name,
            tag: #tag,
            fields: &#p::StructDesc {
                name: #fields_name,
                derived: #p::Derived::Nothing,
                size: #layout.0,
                align: #layout.1,
                fields: &[#(#fields),*],
            },
        }
    };
    (desc, fill, tag)
}

fn has_repr(input: &DeriveInput, what: &str) -> bool {
    let reprs = input.attrs.iter().filter(|a| a.path().is_ident("repr"));
    reprs
        .flat_map(|a| a.meta.to_token_stream().into_iter().filter_map(group))
        .any(|list| list.into_iter().any(|t| t.to_string() == what))
}

fn group(tree: proc_macro2::TokenTree) -> Option<TokenStream> {
    match tree {
        proc_macro2::TokenTree::Group(g) => Some(g.stream()),
        _ => None,
    }
}

/// The impls.
fn implement(
    input: &DeriveInput,
    mut generics: Generics,
    desc: &TokenStream,
    fill: &TokenStream,
    (kind, parts): (&str, &[&Type]),
) -> TokenStream {
    let p = private();
    let name = &input.ident;
    bound_by_device(&mut generics);
    let (ig, tg, wh) = generics.split_for_impl();
    let span = Span::mixed_site().located_at(name.span());
    let conflict = quote_spanned!(span=> impl #ig #p::NoDeref for #name #tg #wh {});
    let operators = operators(input, kind == "Enum");
    let asked = match kind {
        "Enum" => code! {
            fn asked(__how: #p::Comparison, __cx: &mut #p::Describe) {
                #p::ask_enum::<Self>(__how, __cx);
            }
        },
        _ if parts.is_empty() => TokenStream::new(),
        _ => code! {
            fn asked(__how: #p::Comparison, __cx: &mut #p::Describe) {
                #(<#parts as #p::Device>::asked(__how, __cx);)*
            }
        },
    };
    let kind = proc_macro2::Ident::new(kind, Span::mixed_site());
    code! {
        const _: () = {
            #[automatically_derived]
            impl #ig #p::Operand for #name #tg #wh {
                type Is = Self;
                type Kind = #p::kind::#kind;
            }
            #[automatically_derived]
            unsafe impl #ig #p::Device for #name #tg #wh {
                const DESC: &'static #p::TypeDesc = #desc;
                const FILL: Self = #fill;
                #operators
                #asked
            }
            #[automatically_derived]
            #conflict
        };
    }
}

/// The type's only parameter, if that may be any device type. The type that it stands for is known only where the type is used, and
/// its operators only where that type is written out. So operators are generated for each primitive type that the parameter may be, and
/// for the type itself with a floating-point number.
fn parameter(generics: &Generics) -> Option<&proc_macro2::Ident> {
    let mut params = generics.params.iter();
    let (Some(GenericParam::Type(t)), None) = (params.next(), params.next()) else { return None };
    let harmless = |bound: &syn::TypeParamBound| match bound {
        syn::TypeParamBound::Trait(bound) => bound
            .path
            .segments
            .last()
            .is_some_and(|s| s.ident == "Device" || s.ident == "Copy" || s.ident == "Clone"),
        _ => false,
    };
    (generics.where_clause.is_none() && t.bounds.iter().all(harmless)).then_some(&t.ident)
}

/// The operators of the type with itself that are device functions, for generic code.
fn operators(input: &DeriveInput, of_enum: bool) -> TokenStream {
    let p = private();
    let (own, parameter) = (&input.ident, parameter(&input.generics));
    let equality = of_enum.then(|| {
        code! {
            if let #p::OpKind::Eq = __op {
                <Self as #p::Compared>::check(__cx);
            }
        }
    });
    let order = of_enum.then(|| {
        code! {
            if let (#p::OpKind::Lt | #p::OpKind::Le | #p::OpKind::Gt | #p::OpKind::Ge, ::omp::__private::core::option::Option::None) = (__op, &__found) {
                <Self as #p::Compared>::check_order(__cx);
            }
        }
    });
    let name = |n: &str| proc_macro2::Ident::new(n, Span::mixed_site());
    let compared = ["Eq", "Lt", "Le", "Gt", "Ge"];
    let binary: Vec<_> = operators::binary().map(|(n, _)| n).chain(compared).map(name).collect();
    let reductions = ["Add", "Mul", "BitAnd", "BitOr", "BitXor"].map(name);
    let unary: Vec<_> = UNARY.iter().map(|(n, _)| *n).chain(["Default"]).map(name).collect();
    // The type by `Self`, or as `Own<f32>` and so on.
    let of_itself = |ty: &TokenStream| {
        code! {
            match __op {
                #(#p::OpKind::#binary => (&#p::DeclaredW::<#p::ops::#binary, #ty, #ty>::NEW).omp_declared(__cx),)*
                _ => ::omp::__private::core::option::Option::None,
            }
        }
    };
    let alone = |ty: &TokenStream| {
        code! {
            match __op {
                #(#p::OpKind::#unary => (&#p::DeclaredW::<#p::ops::#unary, #ty, ()>::NEW).omp_declared(__cx),)*
                _ => ::omp::__private::core::option::Option::None,
            }
        }
    };
    let reduced = |ty: &TokenStream| {
        code! {
            match __op {
                #(#p::ReduceOp::#reductions => (&#p::ReducedW::<#p::op::#reductions, #ty>::NEW).omp_reduction(),)*
                _ => ::omp::__private::core::option::Option::None,
            }
        }
    };
    let each = |what: &dyn Fn(&TokenStream) -> TokenStream| {
        let Some(parameter) = parameter else { return what(&code!(Self)) };
        let primitive = |of: &&str| {
            let of = proc_macro2::Ident::new(of, Span::mixed_site());
            code!(::omp::__private::core::primitive::#of)
        };
        // (Nested once: the dual numbers of dual numbers, for second derivatives.)
        let nested = ["f32", "f64"].iter().map(primitive).map(|of| code!(#own<#of>));
        let each = PRIMITIVES.iter().map(primitive).chain(nested).map(|of| {
            let found = what(&code!(#own<#of>));
            code! {
                if ::omp::__private::core::any::TypeId::of::<#parameter>() == ::omp::__private::core::any::TypeId::of::<#of>() {
                    #found
                } else
            }
        });
        code!(#(#each)* { ::omp::__private::core::option::Option::None })
    };
    let (of_itself, alone) = (each(&of_itself), each(&alone));
    // With a number: those that the file shows.
    let with_numbers = if parameter.is_none() { operators::with_numbers(own) } else { Vec::new() };
    let with_numbers = with_numbers.iter().map(|(op, of)| {
        let [op, of] = [op, of].map(|name| proc_macro2::Ident::new(name, Span::mixed_site()));
        let of = code!(::omp::__private::core::primitive::#of);
        code! {
            else if ::omp::__private::core::matches!(__op, #p::OpKind::#op) && __rhs == ::omp::__private::core::any::TypeId::of::<#of>() {
                (&#p::DeclaredW::<#p::ops::#op, Self, #of>::NEW).omp_declared(__cx)
            }
        }
    });
    let reduced = each(&|ty| {
        let found = reduced(ty);
        if parameter.is_some() { code!(#p::DeclaredReduction::<#ty>::of_itself(#found)) } else { found }
    });
    code! {
        fn operator(
            __op: #p::OpKind,
            __rhs: ::omp::__private::core::any::TypeId,
            __cx: &mut #p::Describe,
        ) -> ::omp::__private::core::option::Option<#p::Callee> {
            use #p::{Declared0 as _, Declared1 as _};
            #equality
            if __rhs == ::omp::__private::core::any::TypeId::of::<Self>() {
                let __found = { #of_itself };
                #order
                __found
            } else if __rhs == ::omp::__private::core::any::TypeId::of::<()>() {
                #alone
            } #(#with_numbers)* else {
                ::omp::__private::core::option::Option::None
            }
        }
        fn reduction(__op: #p::ReduceOp) -> ::omp::__private::core::option::Option<#p::DeclaredReduction<Self>> {
            use #p::{Reduced0 as _, Reduced1 as _};
            #reduced
        }
    }
}
