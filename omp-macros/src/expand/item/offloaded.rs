//! What an offload item contains: functions, methods, `impl`s and modules with directives, each expanded by its kind.
//!
//! Items inside may have `offload` and `declare_target` attributes of their own. Here they are taken off: the outer `offload` already reads
//! the inner items, and it knows what a device function calls. A function whose body replaces its calls ([`Methods`]) needs no
//! device version.
use crate::ast::Spelling;
use crate::diag::{Code, Sink};
use crate::expand::atomics::{self, WithoutAtomics};
use crate::expand::context::helpers::Helpers;
use crate::expand::context::{Outer, Scope};
use crate::expand::function::function;
use crate::expand::regions::Short;
use crate::expand::{Methods, item};
use crate::glue;
use crate::parse::tokens::leaves::mentions;
use crate::parse::{directive, missing};
use crate::visits::{self, Node};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::Parser as _;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Block, ImplItem, Item, ItemFn, ItemImpl, ItemMod, ItemTrait, Signature, TraitItem};

/// Nothing or `try`.
pub(in crate::expand) fn offload_args(input: syn::parse::ParseStream) -> syn::Result<bool> {
    let try_ = input.parse::<Option<syn::Token![try]>>()?.is_some();
    let _: Option<syn::Token![,]> = if try_ { input.parse()? } else { None };
    if input.is_empty() { Ok(try_) } else { Err(input.error("`offload` takes nothing but `try`")) }
}

/// Expands the functions of an item.
pub(in crate::expand) fn offload_item(
    mut item: Item,
    scope: &Scope,
    direct: bool,
    sink: &mut Sink,
) -> TokenStream {
    if !direct && item::attributes_below::by_itself(&mut item, scope.try_) {
        return item.into_token_stream();
    }
    match item {
        Item::Fn(f) => in_function(f, scope, direct),
        Item::Impl(i) => in_impl(i, scope, direct),
        Item::Trait(t) if !direct => in_trait(t, scope),
        Item::Mod(m) if m.content.is_some() => in_module(m, scope, direct, sink),
        Item::Trait(t) if direct => {
            sink.error_at(Code::OffloadItem, &t.ident, "`offload` on a trait").help(
                "put `#[omp::offload]` on each method with a body that has directives, or on the `mod` around",
            );
            offload_item(Item::Trait(t), scope, false, sink)
        }
        other if direct => {
            sink.error(Code::OffloadItem, Span::call_site(), "`offload` on an item that has no statements")
                .help("`offload` goes on a `fn`, method, `impl` or inline `mod`");
            other.into_token_stream()
        }
        other => other.into_token_stream(),
    }
}

/// A function.
fn in_function(mut f: ItemFn, scope: &Scope, direct: bool) -> TokenStream {
    let mut own = Sink::new();
    if f.attrs.iter().any(is_declare_reduction) {
        f.attrs.retain(|attr| !is_declare_target(attr));
    }
    if scope.methods.stands_at_calls(&f) {
        if declares(&f.attrs) && scope.methods.has_atomics(&f.block) {
            WithoutAtomics.visit_block_mut(&mut f.block);
        }
        f.attrs.retain(|attr| !is_declare_target(attr));
        f.attrs.push(syn::parse_quote!(#[allow(dead_code)]));
    } else if !direct && declares(&f.attrs) && scope.methods.are_called_in(f.block.to_token_stream()) {
        // Here is known what it calls.
        f.attrs.retain(|attr| !is_declare_target(attr));
        let expanded = glue::device_fn::expand(f.into_token_stream(), &scope.methods, &mut own);
        let errors = own.into_tokens();
        return quote!(#expanded #errors);
    } else if !direct
        && let Some(at) = f.attrs.iter().position(is_declare_reduction)
        && scope.methods.are_called_in(f.block.to_token_stream())
        && let Ok(args) = f.attrs[at].meta.require_list().map(|list| list.tokens.clone())
    {
        f.attrs.remove(at);
        let item = f.into_token_stream();
        let expanded = glue::device_fn::declared::expand(args, item, &scope.methods, &mut own);
        let errors = own.into_tokens();
        return quote!(#expanded #errors);
    }
    let short = take_short(&mut f.attrs, &mut own);
    item::attributes_below::without_tools(&mut f.attrs);
    function(&mut f.sig, &mut f.block, scope, direct, short, &mut own);
    let errors = own.into_tokens();
    quote!(#f #errors)
}

/// The methods of an `impl` that loops of others may have in the place of calls, and that a name alone refers to.
fn called_in_loops(i: &ItemImpl) -> Vec<Ident> {
    let plain = |item: &ImplItem| match item {
        ImplItem::Fn(f) => {
            let sig = &f.sig;
            let hides_types = mentions(sig.inputs.to_token_stream(), "impl");
            let generic = sig.generics.type_params().next().is_some() || hides_types;
            (!generic && atomics::other_directive(&f.block).is_none()).then(|| sig.ident.clone())
        }
        _ => None,
    };
    i.items.iter().filter_map(plain).collect()
}

/// The methods of an `impl`.
fn in_impl(mut i: ItemImpl, scope: &Scope, direct: bool) -> TokenStream {
    let mut scope = scope.with(&i.generics);
    scope.methods = scope.methods.in_impl(&i);
    scope.outer = Outer::of_impl(&i);
    let declared = declares(&i.attrs);
    let has_atomics =
        |item: &ImplItem| matches!(item, ImplItem::Fn(f) if scope.methods.has_atomics(&f.block));
    let has_atomics = i.items.iter().any(has_atomics);
    let mut called = Vec::new();
    if scope.methods.are_of(&i) {
        // rustc sees no call of what stands in the place of its calls. (An `impl` that stands alone is the host's, too.)
        if declares(&i.attrs) || !scope.methods.stand_elsewhere() {
            i.attrs.push(syn::parse_quote!(#[allow(dead_code)]));
        } else {
            called = called_in_loops(&i);
        }
        i.attrs.retain(|attr| !is_declare_target(attr));
    } else if declared && (has_atomics || scope.methods.are_called_in(quote!(#i))) && !has_directives(&i) {
        i.attrs.retain(|attr| !is_declare_target(attr));
        let mut own = Sink::new();
        item::attributes_below::check_declared(&i.to_token_stream(), &mut own);
        let expanded = glue::device_fn::expand(i.into_token_stream(), &scope.methods, &mut own);
        let errors = own.into_tokens();
        return quote!(#expanded #errors);
    }
    item::attributes_below::without_tools(&mut i.attrs);
    let mut errors = TokenStream::new();
    // (Its methods are device functions for other loops, too.)
    let of_device = direct && i.trait_.is_none() && Methods::is_device_type(&i.self_ty);
    for item in &mut i.items {
        if let ImplItem::Fn(f) = item {
            let mut own = Sink::new();
            let has_atomics = scope.methods.has_atomics(&f.block);
            // (An `impl` that keeps its attribute has its own expansion.)
            let declared = declared && !declares(&i.attrs) || declares(&f.attrs);
            if declared && has_atomics {
                WithoutAtomics.visit_block_mut(&mut f.block);
            }
            let stays = of_device && !has_atomics && atomics::other_directive(&f.block).is_none();
            f.attrs.retain(|attr| stays || !is_declare_target(attr));
            let scope = own_scope(&mut f.attrs, &scope, &mut own);
            let mut names = called.clone();
            names.retain(|name| mentions(f.block.to_token_stream(), &name.to_string()));
            let has_loops = atomics::other_directive(&f.block).is_some();
            method(&mut f.attrs, &mut f.sig, &mut f.block, &scope, &mut own);
            if has_loops && own.is_empty() {
                f.block.stmts.splice(
                    0..0,
                    names.iter().map(|name| -> syn::Stmt { syn::parse_quote!(let _ = Self::#name;) }),
                );
            }
            errors.extend(own.into_tokens());
        }
    }
    i.items.extend((!errors.is_empty()).then_some(ImplItem::Verbatim(errors)));
    i.into_token_stream()
}

/// The default methods of a trait.
fn in_trait(mut t: ItemTrait, scope: &Scope) -> TokenStream {
    let mut scope = scope.with(&t.generics);
    scope.outer = Outer::Trait;
    item::attributes_below::without_tools(&mut t.attrs);
    let mut errors = TokenStream::new();
    for item in &mut t.items {
        if let TraitItem::Fn(f) = item
            && let Some(body) = &mut f.default
        {
            let mut own = Sink::new();
            method(&mut f.attrs, &mut f.sig, body, &scope, &mut own);
            errors.extend(own.into_tokens());
        }
    }
    t.items.extend((!errors.is_empty()).then_some(TraitItem::Verbatim(errors)));
    t.into_token_stream()
}

/// The items of a module.
fn in_module(mut m: ItemMod, scope: &Scope, direct: bool, sink: &mut Sink) -> TokenStream {
    let mut scope = scope.clone();
    item::attributes_below::without_tools(&mut m.attrs);
    if direct {
        scope.around = Methods::items_around(&m).into();
    }
    let Some((_, items)) = &mut m.content else { return m.into_token_stream() };
    declared_alone(items);
    scope.methods = Methods::of_module(items, &scope.around);
    if items.iter().any(|item| matches!(item, Item::Mod(_))) {
        scope.around = items.clone().into();
    }
    scope.helpers = Helpers::of_module(items, &scope.methods);
    for item in items {
        // rustc sees no call of what stands in the place of its calls.
        if let Item::Use(u) = item
            && scope.methods.are_called_in(u.tree.to_token_stream())
        {
            u.attrs.push(syn::parse_quote!(#[allow(unused_imports)]));
        }
        let whole = std::mem::replace(item, Item::Verbatim(TokenStream::new()));
        *item = Item::Verbatim(nested(whole, &scope, sink));
    }
    m.into_token_stream()
}

/// A method of an item; whatever attributes below change it come first.
fn method(attrs: &mut Vec<Attribute>, sig: &mut Signature, body: &mut Block, scope: &Scope, sink: &mut Sink) {
    if !item::attributes_below::of_function(attrs, sig, scope.try_) {
        let short = take_short(attrs, sink);
        item::attributes_below::without_tools(attrs);
        function(sig, body, scope, false, short, sink);
    }
}

/// An item inside an offload `mod`: its own `offload` is taken over.
pub(in crate::expand) fn nested(mut item: Item, scope: &Scope, sink: &mut Sink) -> TokenStream {
    let attrs = match &mut item {
        Item::Fn(f) => &mut f.attrs,
        Item::Impl(i) => &mut i.attrs,
        Item::Mod(m) => &mut m.attrs,
        _ => return offload_item(item, scope, false, sink),
    };
    let own = own_scope(attrs, scope, sink);
    offload_item(item, &own, false, sink)
}

/// The scope of something that may bear an `offload` of its own, which is taken off.
fn own_scope(attrs: &mut Vec<Attribute>, scope: &Scope, sink: &mut Sink) -> Scope {
    let mut own = scope.clone();
    attrs.retain(|attr| {
        let ours = directive::family(attr.path())
            .is_some_and(|(spelling, name)| spelling == Spelling::OpenMp && name == "offload");
        if ours && let syn::Meta::List(list) = &attr.meta {
            match list.parse_args_with(offload_args) {
                Ok(try_) => own.try_ |= try_,
                Err(e) => {
                    sink.syntax(Code::MalformedDirective, &e)
                        .help("write `#[omp::offload]` or `#[omp::offload(try)]`");
                }
            }
        }
        !ours
    });
    own
}

/// Gives methods that bear `declare_target` alone, in an `impl` without it, an `impl` with it.
pub(in crate::expand) fn declared_alone(items: &mut Vec<Item>) {
    let mut of_devices = Vec::new();
    for item in items.iter_mut() {
        let Item::Impl(i) = item else { continue };
        let is = |item: &ImplItem| matches!(item, ImplItem::Fn(f) if declares(&f.attrs));
        if i.trait_.is_some() || declares(&i.attrs) || !i.items.iter().any(is) {
            continue;
        }
        let (mut declared, others): (Vec<_>, Vec<_>) = std::mem::take(&mut i.items).into_iter().partition(is);
        for item in &mut declared {
            if let ImplItem::Fn(f) = item {
                f.attrs.retain(|attr| !is_declare_target(attr));
            }
        }
        i.items = others;
        let mut of_device = i.clone();
        of_device.items = declared;
        of_device.attrs.push(syn::parse_quote!(#[::omp::declare_target]));
        of_devices.push(Item::Impl(of_device));
    }
    items.append(&mut of_devices);
}

/// `#[omp::declare_target]`: in an offload `impl`, on a method, whose body stands in the place of its calls.
pub fn is_declare_target(attr: &Attribute) -> bool {
    directive::family(attr.path())
        .is_some_and(|(spelling, name)| spelling == Spelling::OpenMp && name == "declare_target")
}

fn is_declare_reduction(attr: &Attribute) -> bool {
    directive::family(attr.path())
        .is_some_and(|(spelling, name)| spelling == Spelling::OpenMp && name == "declare_reduction")
}

/// Whether an item is a reduction operator, whose attribute makes a device function of it.
pub(in crate::expand) fn declares_reduction(item: &TokenStream) -> bool {
    attributes(item).is_some_and(|(attrs, _)| attrs.iter().any(is_declare_reduction))
}

/// An item without its own `#[omp::declare_target]`.
pub(in crate::expand) fn without_declare_target(item: TokenStream) -> TokenStream {
    match attributes(&item) {
        Some((attrs, rest)) if attrs.iter().any(is_declare_target) => {
            let attrs = attrs.iter().filter(|attr| !is_declare_target(attr));
            quote!(#(#attrs)* #rest)
        }
        _ => item,
    }
}

/// The attributes of an item, and what follows them.
fn attributes(item: &TokenStream) -> Option<(Vec<Attribute>, TokenStream)> {
    let read = |input: syn::parse::ParseStream| Ok((input.call(Attribute::parse_outer)?, input.parse()?));
    read.parse2(item.clone()).ok()
}

pub(in crate::expand) fn declares(attrs: &[Attribute]) -> bool {
    attrs.iter().any(is_declare_target)
}

/// Whether an `impl` has directives inside of it.
fn has_directives(item: &ItemImpl) -> bool {
    visits::any(item, |node| match node {
        Node::Attribute(attr) => {
            directive::is_ours(attr) && !is_declare_target(attr) && !atomics::is_atomic(attr)
        }
        _ => false,
    })
}

/// The short form on a function inside an offload item.
fn take_short(attrs: &mut Vec<Attribute>, sink: &mut Sink) -> Option<Short> {
    let at = attrs.iter().position(|a| {
        directive::family(a.path()).is_some_and(|(spelling, name)| {
            let elsewhere = spelling == Spelling::OpenMp && missing::instead(&name).is_some();
            directive::kind_of(spelling, &name).is_some() || elsewhere
        })
    })?;
    let attr = attrs.remove(at);
    directive::parse(&attr, sink).map(Short)
}
