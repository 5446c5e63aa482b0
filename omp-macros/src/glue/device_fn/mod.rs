//! Device functions.
//!
//! The function stays as it is. Next to it comes a companion: a struct of the same name in the type namespace, found
//! wherever the function is found (`use`, re-exports, other crates). It is generic over the function's type and const
//! parameters, its `bind` ties them to the function item that a caller names, and it describes the function to a region
//! that calls it. A companion describes its own callees only when it is described for the first time, so recursion
//! ends.
pub mod declared;
pub(super) mod device_impl;
pub(super) mod device_index;
pub(super) mod device_trait;
mod impl_parameters;
pub(super) mod markers;
pub(super) mod operators;
pub mod policy_types;
pub(super) mod policy_values;

use super::{answers, bytes, cfgs, hidden, lints_off, private, typing_copy, with_companions};
use crate::diag::{Code, Sink};
use crate::expand::Methods;
use crate::expand::item::unparsed;
use crate::lower::{self, Around, LoweredFn};
use crate::parse::functions::typed_inputs;
use crate::parse::primitives::is_primitive;
use crate::parse::tokens::source::as_written;
use markers::{device_generics, without_lifetimes};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{GenericParam, Generics, Item, ItemFn, ReturnType};

/// The description of a function that has an error: no region that calls it compiles, even if the error is left to rustc.
pub(super) fn refused() -> TokenStream {
    crate::diag::refused("this device function has an error, and can't be called in a region [omp::E0801]")
}

/// Expands `#[omp::declare_target]` on an item.
pub fn expand(item: TokenStream, inline: &Methods, sink: &mut Sink) -> TokenStream {
    let expanded = item_of_devices(item, inline, sink);
    // A region that needs such a function is refused.
    sink.left_to_rustc();
    expanded
}

/// Expands it on one method of an inherent `impl`, which `of` has alone.
/// `uses`: items that stand in the same const.
pub fn of_method(
    method: ItemFn,
    of: &syn::ItemImpl,
    (inline, uses): (&Methods, TokenStream),
    sink: &mut Sink,
) -> TokenStream {
    let mut of = of.clone();
    name_impl_parameters(&mut of);
    let expanded = device_impl::of_method(method, &of, (inline, uses), sink);
    sink.left_to_rustc();
    expanded
}

/// Gives the parameters `impl Trait` of all methods names.
fn name_impl_parameters(of: &mut syn::ItemImpl) {
    let functions = of.items.iter_mut().filter_map(|item| match item {
        syn::ImplItem::Fn(f) => Some(&mut f.sig),
        _ => None,
    });
    functions.for_each(impl_parameters::name);
}

fn item_of_devices(item: TokenStream, inline: &Methods, sink: &mut Sink) -> TokenStream {
    match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Fn(mut f)) => {
            impl_parameters::name(&mut f.sig);
            function(&f, inline, sink)
        }
        Ok(Item::Impl(mut i)) => {
            name_impl_parameters(&mut i);
            device_impl::expand(&i, inline, sink)
        }
        Ok(Item::Trait(mut t)) => {
            let functions = t.items.iter_mut().filter_map(|item| match item {
                syn::TraitItem::Fn(f) => Some(&mut f.sig),
                _ => None,
            });
            functions.for_each(impl_parameters::name);
            device_trait::expand(&t, sink)
        }
        Ok(Item::Static(s)) => {
            table(&s.ident, &s.ty, matches!(s.mutability, syn::StaticMutability::Mut(_)), &item, sink)
        }
        Ok(Item::Const(c)) => table(&c.ident, &c.ty, false, &item, sink),
        Ok(other) => {
            let first = other.to_token_stream().into_iter().next();
            let span = first.map_or_else(Span::call_site, |t| t.span());
            sink.error(Code::DeclareTargetItem, span, "`declare_target` on an item that no device uses")
                .help("it goes on functions, `impl` blocks, traits, and `static` or `const` tables");
            item
        }
        Err(e) => match unparsed::hollow(&item, &e) {
            Some(hollow) => expand(hollow.into_token_stream(), inline, sink),
            None => {
                sink.syntax(Code::DeclareTargetItem, &e);
                item
            }
        },
    }
}

/// A `static` or `const`: its value goes into the kernels that use it. The attribute checks that it can.
fn table(name: &Ident, ty: &syn::Type, mutable: bool, item: &TokenStream, sink: &mut Sink) -> TokenStream {
    if mutable {
        sink.error(Code::DeclareTargetItem, name.span(), "`declare_target` on a `static mut`")
            .help("a kernel has a copy of its value: make it a `static` or pass it to the region");
        return item.clone();
    }
    // Bodies use the array behind a reference.
    let ty = match ty {
        syn::Type::Reference(r) => match &*r.elem {
            syn::Type::Slice(of) => &*of.elem,
            of => of,
        },
        ty => ty,
    };
    let p = private();
    let check = quote_spanned!(ty.span()=> #p::is_value::<#ty>());
    code! {
        #item
        const _: fn() = || { #check; };
    }
}

/// A free function.
fn function(function: &ItemFn, inline: &Methods, sink: &mut Sink) -> TokenStream {
    if let Some(this) = function.sig.receiver() {
        sink.error_at(Code::DeclareTargetItem, this, "`declare_target` on a single method").help(
            "put it on the `impl`: the macro does not find the `impl` of this method, or it is one of a trait",
        );
        return function.to_token_stream();
    }
    check_signature(&function.sig, sink);
    let name = &function.sig.ident;
    if name.to_string().trim_start_matches("r#").starts_with(char::is_uppercase) {
        // The call of one is the value of a tuple struct to all who read tokens.
        let lower = snake(&name.to_string());
        sink.error(
            Code::DeviceSignature,
            name.span(),
            format!("`{name}` starts with a capital, as the names of types do: a call of it reads as a value of a struct"),
        )
        .help(format!("write `fn {lower}`"));
    }
    if !sink.is_empty() {
        return function.to_token_stream();
    }
    let mut without = function.clone();
    if without_question_marks(&function.sig, &mut without.block, sink) {
        return stub(&without);
    }
    let block = inline.in_function(&function.sig, &function.block, sink);
    let lowered =
        lower::lower_fn(&function.sig, &block, &Around { by_value_checked: true, ..Around::default() }, sink);
    let Ok(lowered) = lowered else { return stub(function) };
    if !sink.is_empty() {
        return stub(function);
    }
    let companion = companion(function, &lowered);
    code!(#function #companion)
}

/// Refuses `?` where the function surely returns no `Option`; whether there was one. Then rustc sees the function without it, so that it has
/// no error of its own.
pub(super) fn without_question_marks(sig: &syn::Signature, block: &mut syn::Block, sink: &mut Sink) -> bool {
    let Some(returned) = returns_no_option(sig) else { return false };
    let mut found = QuestionMarks(Vec::new());
    found.visit_block_mut(block);
    for (span, tried) in &found.0 {
        sink.error(
            Code::UnsupportedExpr,
            *span,
            format!("`?` in a function that returns `{returned}`: without a value, it has nothing to return"),
        )
        .help(format!(
            "return an `Option`: `-> Option<{returned}>`; or say what to take instead: `{tried}.unwrap_or(…)`"
        ));
    }
    !found.0.is_empty()
}

/// The return type, as text, of a function that can't return what `?` returns early.
fn returns_no_option(sig: &syn::Signature) -> Option<String> {
    match &sig.output {
        ReturnType::Default => Some("()".to_owned()),
        ReturnType::Type(_, ty) => match &**ty {
            syn::Type::Path(p) => p
                .path
                .get_ident()
                .filter(|name| is_primitive(&name.to_string()) || *name == "Self")
                .map(ToString::to_string),
            syn::Type::Tuple(_) | syn::Type::Array(_) => Some(as_written(ty)),
            _ => None,
        },
    }
}

/// A loop that is refused because of its `?` or `.await`, as rustc sees it: in a function that could not return or wait for them either,
/// rustc has nothing to add.
pub fn refused_loop(sig: &syn::Signature, mut refused: syn::ExprForLoop) -> syn::ExprForLoop {
    if sig.asyncness.is_none() {
        Awaits.visit_expr_for_loop_mut(&mut refused);
    }
    if returns_no_option(sig).is_some() {
        QuestionMarks(Vec::new()).visit_expr_for_loop_mut(&mut refused);
    }
    refused
}

/// Each `e.await` of a function's own, as a call that gives the same type.
struct Awaits;

impl VisitMut for Awaits {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        if matches!(e, syn::Expr::Closure(_) | syn::Expr::Async(_)) {
            return;
        }
        visit_mut::visit_expr_mut(self, e);
        if let syn::Expr::Await(a) = e {
            let (future, span) = (&a.base, Span::mixed_site().located_at(a.await_token.span));
            *e = syn::parse_quote_spanned!(span=> ::omp::__private::awaited(#future));
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Each `e?` of a function's own, as `e.unwrap()`.
struct QuestionMarks(Vec<(Span, String)>);

impl VisitMut for QuestionMarks {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        if matches!(e, syn::Expr::Closure(_) | syn::Expr::Async(_) | syn::Expr::TryBlock(_)) {
            return;
        }
        if let syn::Expr::Try(t) = e {
            self.0.push((t.question_token.span(), as_written(&t.expr)));
        }
        visit_mut::visit_expr_mut(self, e);
        if let syn::Expr::Try(t) = e {
            let (tried, span) = (&t.expr, t.question_token.span());
            *e = syn::parse_quote_spanned!(span=> (#tried).unwrap());
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// `ScaleBy` as `scale_by`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    let mut after_small = false;
    for c in name.chars() {
        if c.is_uppercase() && after_small {
            out.push('_');
        }
        after_small = c.is_lowercase() || c.is_numeric();
        out.extend(c.to_lowercase());
    }
    out
}

/// Reports parts of a signature that no device function can have.
pub(super) fn check_signature(sig: &syn::Signature, sink: &mut Sink) {
    let mut refuse = |span, what: &str| {
        sink.error(Code::DeviceSignature, span, format!("a device function can't be {what}"))
            .help("device functions are plain safe functions of device types and of `&` and `&mut` to them");
    };
    if let Some(t) = &sig.asyncness {
        refuse(t.span, "`async`");
    }
    if let Some(t) = &sig.abi {
        refuse(t.extern_token.span, "`extern`");
    }
    if let Some(t) = &sig.variadic {
        refuse(t.dots.spans[0], "variadic");
    }
    if let Some(t) = unsafety(sig) {
        refuse(t, "`unsafe`");
    }
    for p in &sig.generics.params {
        if let GenericParam::Lifetime(l) = p
            && !l.bounds.is_empty()
        {
            sink.error(
                Code::DeviceSignature,
                l.lifetime.span(),
                "a lifetime with bounds on a device function",
            )
            .help("leave the bounds out: arguments are borrowed for the call only");
        }
    }
}

fn unsafety(sig: &syn::Signature) -> Option<Span> {
    let tokens = sig.to_token_stream();
    tokens
        .into_iter()
        .take_while(|t| t.to_string() != "fn")
        .find(|t| t.to_string() == "unsafe")
        .map(|t| t.span())
}

/// The parameters that the companion has, each type with the bound that a device demands.
fn generics(f: &ItemFn) -> Generics {
    device_generics(&f.sig.generics, &strategies(f))
}

/// The parameters with the user's own bounds alone.
fn plain(f: &ItemFn) -> Generics {
    without_lifetimes(&f.sig.generics)
}

fn strategies(f: &ItemFn) -> HashSet<String> {
    policy_types::of_function(&f.sig.generics, &f.sig.generics, (&f.sig, &f.block), &HashSet::new())
}

/// The struct without its impls' bounds.
fn declaration(f: &ItemFn, g: &Generics) -> TokenStream {
    // With a macro's span, so that no lint looks at its spelling.
    let (vis, mut name) = (&f.vis, f.sig.ident.clone());
    name.set_span(Span::mixed_site().located_at(name.span()));
    let (cfgs, declared) = (cfgs(&f.attrs), markers::declaration(vis, &name, g));
    code!(#cfgs #declared)
}

fn companion(f: &ItemFn, lowered: &LoweredFn) -> TokenStream {
    let p = private();
    let (name, g) = (&f.sig.ident, generics(f));
    let declaration = declaration(f, &g);
    let (ig, tg, wh) = g.split_for_impl();
    let plain = plain(f);
    let (plain, _, _) = plain.split_for_impl();
    let turbofish = tg.as_turbofish();
    let cfgs = cfgs(&f.attrs);
    let (bind, copy) = (bind(f), copy(f, lowered));
    let (template, checks) = (bytes(&lowered.template.to_bytes()), super::overflow::checks());
    let answers = answers(&lowered.typing, &hidden("__cx"));
    let values = values(f);
    let body = with_companions(
        &lowered.typing,
        code! {
            #copy
            #values
            __cx.template(#template, ::omp::__private::core::file!(), #checks);
            #answers
        },
    );
    let (lifetimes, types) = (lifetimes(f), types(f));
    let lifetimes = (!lifetimes.is_empty()).then(|| code!(<#(#lifetimes),*>));
    let allow = lints_off();
    code! {
        #declaration
        #cfgs
        #allow
        impl #plain #name #tg #wh {
            #bind
        }
        #cfgs
        #allow
        impl #ig #name #tg #wh {
            fn __typing #lifetimes(__cx: &mut #p::Describe, __args: ::omp::__private::core::option::Option<(#(#types,)*)>) #body
        }
        #cfgs
        #allow
        unsafe impl #ig #p::DeviceFn for #name #tg #wh {
            fn genuine() -> ::omp::__private::core::any::TypeId {
                #p::id_of(&#name #turbofish)
            }
            fn describe(__cx: &mut #p::Describe) {
                Self::__typing(__cx, ::omp::__private::core::option::Option::None)
            }
        }
    }
}

/// Ties the companion's parameters to the function item that a caller names. That they are device types is its own
/// condition: one of the `impl` would be reported as a function that is not found.
fn bind(f: &ItemFn) -> TokenStream {
    let p = private();
    let (lifetimes, types, output) = (lifetimes(f), types(f), &f.sig.output);
    let higher = (!lifetimes.is_empty()).then(|| code!(for<#(#lifetimes),*>));
    // Device types hold no references; a type that only names behaviour need not say that it holds none.
    let strategies = strategies(f);
    let values =
        f.sig.generics.type_params().map(|t| &t.ident).filter(|t| !strategies.contains(&t.to_string()));
    let lasts = strategies.is_empty().then(|| code!(+ 'static));
    code! {
        #[doc(hidden)]
        #[inline(always)]
        pub fn bind<__F: #higher ::omp::__private::core::ops::Fn(#(#types),*) #output #lasts>(_: &#p::Call<Self, __F>, _: __F)
        where
            #(#values: #p::Device),*
        {}
    }
}

/// Parameters by value are of device types. (The body checks the result's type.)
fn values(f: &ItemFn) -> TokenStream {
    let refers = |ty: &syn::Type| {
        struct Refers(bool);
        impl<'ast> syn::visit::Visit<'ast> for Refers {
            fn visit_type(&mut self, ty: &'ast syn::Type) {
                self.0 |= !matches!(
                    ty,
                    syn::Type::Path(_) | syn::Type::Tuple(_) | syn::Type::Array(_) | syn::Type::Paren(_)
                );
                syn::visit::visit_type(self, ty);
            }
            fn visit_lifetime(&mut self, _: &'ast syn::Lifetime) {
                self.0 = true;
            }
        }
        let mut refers = Refers(false);
        syn::visit::Visit::visit_type(&mut refers, ty);
        refers.0
    };
    // Each type once.
    let mut types: Vec<_> = types(f).into_iter().filter(|ty| !refers(ty)).collect();
    let mut seen = HashSet::new();
    types.retain(|ty| seen.insert(ty.to_token_stream().to_string()));
    let checks = types.into_iter().map(|ty| quote_spanned!(ty.span()=> ::omp::__private::is_value::<#ty>();));
    code!(if false { #(#checks)* })
}

/// The typing copy: a closure in a branch that is never taken, with the parameters bound by their patterns.
fn copy(f: &ItemFn, lowered: &LoweredFn) -> TokenStream {
    let patterns = typed_inputs(&f.sig).map(|t| &t.pat);
    let output = match &f.sig.output {
        ReturnType::Default => code!(()),
        ReturnType::Type(_, ty) => ty.to_token_stream(),
    };
    let copy = &lowered.typing.copy;
    typing_copy(
        &lowered.typing,
        code! {
            if let ::omp::__private::core::option::Option::Some((#(#patterns,)*)) = __args {
                let _ = || -> #output { #copy };
            }
        },
    )
}

fn lifetimes(f: &ItemFn) -> Vec<&syn::Lifetime> {
    f.sig.generics.lifetimes().map(|l| &l.lifetime).collect()
}

fn types(f: &ItemFn) -> Vec<&syn::Type> {
    typed_inputs(&f.sig).map(|t| &*t.ty).collect()
}

/// A function with errors of its own: callers find a companion, so that they have no second error.
fn stub(f: &ItemFn) -> TokenStream {
    let p = private();
    let (name, g): (&Ident, _) = (&f.sig.ident, generics(f));
    let declaration = declaration(f, &g);
    let (ig, tg, wh) = g.split_for_impl();
    let plain = plain(f);
    let (plain, _, _) = plain.split_for_impl();
    let (bind, allow, refused) = (bind(f), lints_off(), refused());
    code! {
        #f
        #declaration
        #allow
        impl #plain #name #tg #wh {
            #bind
        }
        #allow
        unsafe impl #ig #p::DeviceFn for #name #tg #wh {
            fn genuine() -> ::omp::__private::core::any::TypeId {
                ::omp::__private::core::any::TypeId::of::<()>()
            }
            fn describe(_: &mut #p::Describe) { #refused }
        }
    }
}
