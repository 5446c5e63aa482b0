//! `#[omp::declare_reduction]`: a device function of two values, with its identity.
//!
//! The companion of the function is the operator: `impl ReduceWith<best> for Best` says how values of a type are
//! combined, on the host and, through the companion, on a device.
use crate::diag::{Code, Sink};
use crate::expand::Methods;
use crate::expand::item::unparsed;
use crate::glue::{cfgs, device_fn, hidden, lints_off, private};
use crate::parse::tokens::source::as_written;
use crate::parse::{split_colon, split_commas};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Expr, Ident, Item, ItemFn, ItemImpl, Type};

/// The contents of the directive.
struct Declaration {
    /// The name or the symbol.
    name: TokenStream,
    ty: Type,
    identity: Expr,
}

/// Expands `#[omp::declare_reduction(name: Type, identity = expr)]` on an item.
///
/// `methods`: of the functions that it calls, some are inlined.
pub fn expand(args: TokenStream, item: TokenStream, methods: &Methods, sink: &mut Sink) -> TokenStream {
    let Some(declaration) = declaration(args.clone(), sink) else { return item };
    match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Fn(f)) => {
            let Ok(name) = syn::parse2::<Ident>(declaration.name.clone()) else {
                sink.error_at(
                    Code::MalformedDirective,
                    &declaration.name,
                    format!("`{}` is no name for a function's reduction", declaration.name),
                )
                .help("a symbol is declared on an operator's `impl`; a function has a name");
                return item;
            };
            function(&declaration, &name, &f, item, methods, sink)
        }
        Ok(Item::Impl(i)) => operator(&declaration, &i, item, methods, sink),
        Err(e) if let Some(hollow) = unparsed::hollow(&item, &e) => {
            expand(args, hollow.into_token_stream(), methods, sink)
        }
        _ => {
            sink.error(Code::DeclareTargetItem, Span::call_site(), "`declare_reduction` on this item")
                .help("put it on a function `fn(T, T) -> T`, or on the `impl` of an operator of `T`");
            item
        }
    }
}

/// `name: Type, identity = expr`. Without an identity it is reported, and nothing else about the reduction is.
fn declaration(args: TokenStream, sink: &mut Sink) -> Option<Declaration> {
    let malformed = |sink: &mut Sink, at: Span, what: &str| {
        sink.error(Code::MalformedDirective, at, what)
            .help("write `#[omp::declare_reduction(name: Type, identity = value)]`");
        None::<Declaration>
    };
    let head = split_commas(args.clone()).into_iter().next().unwrap_or_default();
    let (Some((name, rest)), Some(_)) = (split_colon(&args), split_colon(&head)) else {
        let at = if args.is_empty() { Span::call_site() } else { args.span() };
        return malformed(sink, at, "a declared reduction has a name, a type and an identity");
    };
    // The type's own commas are no ends: `Matrix<f32, 3>`.
    let typed = |input: ParseStream<'_>| Ok((input.parse::<Type>()?, input.parse::<TokenStream>()?));
    let (ty, behind) = match typed.parse2(rest.clone()) {
        Ok(parsed) => parsed,
        Err(e) => return malformed(sink, rest.span(), &format!("no type: {e}")),
    };
    if behind.is_empty() {
        let text = format!("{}: {}", as_written(&name), as_written(&ty));
        sink.error_at(
            Code::MalformedDirective,
            &args,
            "a declared reduction has an identity: the value that changes nothing",
        )
        .help(format!("write `#[omp::declare_reduction({text}, identity = value)]`"));
        return Some(Declaration {
            name,
            ty,
            identity: syn::parse_quote!(::omp::__private::core::unreachable!()),
        });
    }
    let value = |input: ParseStream<'_>| {
        input.parse::<syn::Token![,]>()?;
        let word: Ident = input.parse()?;
        if word != "identity" {
            return Err(syn::Error::new(word.span(), format!("`declare_reduction` takes no `{word}`")));
        }
        input.parse::<syn::Token![=]>()?;
        let value: Expr = input.parse()?;
        input.parse::<Option<syn::Token![,]>>()?;
        Ok((value, input.parse::<TokenStream>()?))
    };
    match value.parse2(behind.clone()) {
        Ok((value, more)) if more.is_empty() => Some(Declaration { name, ty, identity: value }),
        Ok((_, more)) => {
            malformed(sink, more.span(), &format!("`declare_reduction` takes no `{}`", as_written(&more)))
        }
        Err(e) => malformed(sink, e.span(), &format!("expected `identity = value`: {e}")),
    }
}

fn function(
    declaration: &Declaration,
    name: &Ident,
    f: &ItemFn,
    item: TokenStream,
    methods: &Methods,
    sink: &mut Sink,
) -> TokenStream {
    let own = &f.sig.ident;
    if !f.sig.generics.params.is_empty() {
        sink.error(Code::DeviceSignature, f.sig.generics.span(), "a declared reduction can't be generic")
            .help("declare a function for each type that is reduced");
        return item;
    }
    if f.sig.inputs.len() != 2 {
        sink.error(Code::DeviceSignature, f.sig.paren_token.span.join(), "a reduction combines two values")
            .help("declare a function `fn(T, T) -> T`");
        return item;
    }
    if let Type::Path(t) = &declaration.ty
        && let Some(last) = t.path.segments.last()
        && last.ident == "Option"
        && crate::sema::syntax::std_names::is_std(&t.path)
    {
        let message = format!(
            "`{}` is no value that a reduction can keep: its layout is rustc's secret",
            as_written(t)
        );
        sink.error_at(Code::UnsupportedType, t, message)
            .help("reduce a struct of yours, `#[derive(Clone, Copy, omp::Device)] struct Found { some: bool, value: T }`, or the value alone with one that stands for none, such as `i32::MAX`");
    }
    if let Some(at) = by_reference(f) {
        sink.error(Code::DeviceSignature, at, "a reduction takes two values and gives the combined one")
            .help("declare a function `fn(a: T, b: T) -> T`, which takes them by value: no `&`, no `&mut`");
        return item;
    }
    let expanded = device_function(item, methods);
    let (p, ty, identity, allow) = (private(), &declaration.ty, &declaration.identity, lints_off());
    let (vis, cfgs) = (&f.vis, cfgs(&f.attrs));
    let alias = (name != own).then(|| {
        code! {
            #cfgs
            #[doc(hidden)]
            #allow
            #vis type #name = #own;
        }
    });
    let (a, b, call) = (hidden("__a"), hidden("__b"), hidden("__call"));
    let combined = quote_spanned!(own.span()=> #own(#a, #b));
    let bound = quote_spanned!(own.span()=> #own::bind(#call, #own));
    code! {
        #expanded
        #alias
        #cfgs
        #allow
        impl #p::ReduceWith<#own> for #ty {
            fn identity() -> Self {
                #identity
            }
            fn with(self, __other: Self) -> Self {
                let (#a, #b) = (self, __other);
                #combined
            }
            fn operator(__cx: &mut #p::Describe) {
                let #call = &#p::Call::new();
                #bound;
                use #p::{Neutral0 as _, Neutral1 as _};
                // If it is no device type, the function's parameter has the error.
                let __neutral = <Self as #p::ReduceWith<#own>>::identity();
                __cx.declared_function(#call, (&#p::NeutralW(&__neutral)).omp_neutral_value());
            }
        }
    }
}

/// The function as one of devices, whatever else its declaration lacks.
fn device_function(item: TokenStream, methods: &Methods) -> TokenStream {
    let mut sink = Sink::new();
    let expanded = device_fn::expand(item, methods, &mut sink);
    let errors = sink.into_tokens();
    code!(#expanded #errors)
}

/// A parameter that is a reference, or the name of a function that gives nothing.
fn by_reference(f: &ItemFn) -> Option<Span> {
    let parameter = f.sig.inputs.iter().find_map(|input| match input {
        syn::FnArg::Typed(t) if matches!(&*t.ty, Type::Reference(_)) => Some(t.ty.span()),
        _ => None,
    });
    let nothing = matches!(f.sig.output, syn::ReturnType::Default).then(|| f.sig.ident.span());
    parameter.or(nothing)
}

/// The symbols that operators' `impl`s declare.
const SYMBOLS: &[(&str, &str)] =
    &[("+", "Add"), ("*", "Mul"), ("&", "BitAnd"), ("|", "BitOr"), ("^", "BitXor")];

/// `impl Mul for Matrix` under `*: Matrix`.
fn operator(
    declaration: &Declaration,
    i: &ItemImpl,
    item: TokenStream,
    methods: &Methods,
    sink: &mut Sink,
) -> TokenStream {
    let symbol = declaration.name.to_string();
    let Some((_, expected)) = SYMBOLS.iter().find(|(s, _)| *s == symbol) else {
        sink.error_at(
            Code::MalformedDirective,
            &declaration.name,
            format!("`{symbol}` is no operator that an `impl` declares"),
        )
        .help("on an `impl` the symbols are `+ * & | ^`; other reductions are declared on functions");
        return item;
    };
    let found = i.trait_.as_ref().and_then(|(path, _)| path.segments.last());
    if found.is_none_or(|s| s.ident != expected) {
        let message = format!("`{symbol}` is declared on an `impl {expected}`");
        sink.error(Code::MalformedDirective, i.impl_token.span, message)
            .help(format!("put it on `impl {expected} for …`, or name the operator of this `impl`"));
        return item;
    }
    if !i.generics.params.is_empty() {
        sink.error_at(Code::DeviceSignature, &i.generics.params, "a declared reduction can't be generic")
            .help("declare the operator of one type");
        return item;
    }
    let expanded = device_function(item, methods);
    let (p, ty, identity, allow) = (private(), &declaration.ty, &declaration.identity, lints_off());
    let cfgs = cfgs(&i.attrs);
    let name = Ident::new(expected, Span::mixed_site());
    // With the type's place, where rustc says that the `impl` is another type's.
    let combined = quote_spanned!(ty.span()=> ::omp::__private::core::ops::#name);
    let method = Ident::new(&method_of(expected), Span::mixed_site());
    let is_value = quote_spanned!(ty.span()=> ::omp::__private::is_value::<#ty>(););
    code! {
        #expanded
        #cfgs
        #allow
        impl #p::ReduceWith<#p::op::#name> for #ty {
            fn identity() -> Self {
                #identity
            }
            fn with(self, __other: Self) -> Self {
                #combined::#method(self, __other)
            }
            fn operator(__cx: &mut #p::Describe) {
                use #p::{Declared0 as _, Declared1 as _, Neutral0 as _, Neutral1 as _};
                #is_value
                let __callee = (&#p::DeclaredW::<#p::ops::#name, Self, Self>::NEW).omp_declared(__cx);
                let __neutral = <Self as #p::ReduceWith<#p::op::#name>>::identity();
                __cx.declared_operator(__callee, (&#p::NeutralW(&__neutral)).omp_neutral_value());
            }
        }
    }
}

/// The method of an operator's trait.
fn method_of(name: &str) -> String {
    name.to_lowercase()
}
