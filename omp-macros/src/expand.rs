//! The entry points of the macros.
//!
//! An `offload` item is read by its kind ([`item::offloaded`]); each function in it goes through the phases of an expansion
//! ([`function`]): tokens → [`parse`](crate::parse) → [`sema`](crate::sema) on clauses → on bodies → [`lower`](crate::lower) → race
//! analysis → [`glue`].
//! When anything is reported for a function, it expands to its serial form, directives taken off, and the errors: one mistake, one error.
mod block;
pub mod context;
mod data_region;
mod declared_outside;
mod device_bounds;
mod function;
mod hidden_parameters;
#[cfg(test)]
mod hygiene;
pub mod item;
mod methods;
pub mod openacc;
mod own_self;
mod reference_items;
mod regions;
mod rows;
pub mod rules;
pub mod tasks;
pub use data_region::exits::left_lints;
#[cfg(test)]
mod tests;

use crate::ast::Spelling;
use crate::diag::{Code, Sink};
use crate::glue;
use crate::parse::aliases;
use crate::parse::attributes::Strip;
use crate::parse::directive;
use crate::parse::tokens::source::as_written;
use context::{Scope, returns_result};
use function::function;
pub use item::offloaded::is_declare_target;
use item::offloaded::{offload_args, offload_item};
use methods::atomics::WithoutAtomics;
pub use methods::{Methods, atomics, derives, found, sums, templates, values};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use regions::Short;
use syn::parse::Parser;
use syn::visit_mut::VisitMut;
use syn::{Block, Item, ItemFn};

/// `#[omp::offload]` and `#[omp::offload(try)]`.
pub fn offload(mut args: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(moved) = item::attributes_below::in_turn(&["offload"], &mut args, &item) {
        return moved;
    }
    let mut sink = Sink::new();
    let try_ = match offload_args.parse2(args) {
        Ok(try_) => try_,
        Err(e) => {
            sink.syntax(Code::MalformedDirective, &e)
                .help("write `#[omp::offload]` or `#[omp::offload(try)]`");
            false
        }
    };
    let expanded = match syn::parse2::<Item>(item.clone()) {
        Ok(mut item) => {
            let (copies, methods) = rules::with_methods(&mut item, rules::Extent::Regions, &mut sink);
            let generics = methods.generics();
            let uses = resolved(&mut item, true);
            let expanded =
                offload_item(item, &Scope { try_, generics, methods, ..Scope::default() }, true, &mut sink);
            quote!(#expanded #copies #uses)
        }
        Err(_) if starts_a_statement(&item) => {
            sink.error(Code::OffloadItem, Span::call_site(), "`offload` on a statement")
                .help("put `#[omp::offload]` on the function around it");
            item
        }
        Err(e) => {
            let read = item::c_spelling::report(&item, &mut sink).map(without_directives);
            read.or_else(|| item::unparsed::hollow(&item, &e).map(ToTokens::into_token_stream))
                .unwrap_or_else(|| {
                    sink.syntax(Code::OffloadItem, &e)
                        .help("`offload` goes on a `fn`, method, `impl` or inline `mod`");
                    item
                })
        }
    };
    let errors = sink.into_tokens();
    quote!(#expanded #errors)
}

/// A directive that is a macro of its own: the short form on a function, or a statement outside of any offload item.
pub fn directive(spelling: Spelling, name: &str, mut args: TokenStream, item: TokenStream) -> TokenStream {
    let path: &[&str] = match spelling {
        Spelling::OpenMp => &[name],
        Spelling::OpenAcc => &["acc", name],
    };
    if let Some(moved) = item::attributes_below::in_turn(path, &mut args, &item) {
        return moved;
    }
    let mut sink = Sink::new();
    let unread = |e| item::unparsed::hollow(&item, &e).map(ToTokens::into_token_stream);
    if let Some(hollow) = syn::parse2::<Item>(item.clone()).err().and_then(unread) {
        return hollow;
    }
    let Ok(f) = syn::parse2::<ItemFn>(item.clone()) else {
        let (what, help) = if !starts_a_statement(&item) {
            ("on this item", OFFLOAD_AROUND)
        } else if args.into_iter().chain(item.clone()).any(|token| is_of_macro(token.span())) {
            (
                "in the expansion of a macro: `#[omp::offload]` around the call of the macro doesn't see it",
                "write the loop where it runs, or let the macro produce a whole function with `#[omp::offload]`",
            )
        } else {
            ("in a function without `#[omp::offload]`", OFFLOAD_AROUND)
        };
        sink.error(Code::OutsideOffload, Span::call_site(), format!("the directive `{name}` {what}"))
            .help(help);
        let errors = sink.into_tokens();
        if !starts_a_statement(&item) {
            return quote!(#errors #item);
        }
        let item = stripped(item);
        return quote!({ #errors #item });
    };
    let mut item = Item::Fn(f);
    let (copies, methods) = rules::with_methods(&mut item, rules::Extent::Loops, &mut sink);
    let scope = Scope { generics: methods.generics(), methods, ..Scope::default() };
    let uses = resolved(&mut item, true);
    let Item::Fn(mut f) = item else { unreachable!("it stays a function") };
    let short = directive::named(spelling, name, Span::call_site(), args, &mut sink).map(Short);
    item::attributes_below::without_tools(&mut f.attrs);
    function(&mut f.sig, &mut f.block, &scope, true, short, &mut sink);
    let errors = sink.into_tokens();
    quote!(#f #errors #copies #uses)
}

/// Whether tokens are a loop, block or other expression rather than an item.
fn starts_a_statement(tokens: &TokenStream) -> bool {
    syn::parse2::<Item>(tokens.clone()).is_err() && Block::parse_within.parse2(tokens.clone()).is_ok()
}

/// The help for a directive without an offload item around it.
const OFFLOAD_AROUND: &str = "stable Rust has no attribute macros on statements: put `#[omp::offload]` on the function, `impl` or `mod` around it";

/// Whether a `macro_rules!` produced a token. Only the debug form of its span shows that: `#0 bytes(10..12)` is source, `#5 …` is not.
/// Where the form is another one, the answer is no.
fn is_of_macro(span: Span) -> bool {
    let text = format!("{span:?}");
    text.starts_with('#') && !text.starts_with("#0 ")
}

/// A statement without the directives inside it.
fn stripped(statement: TokenStream) -> TokenStream {
    match Block::parse_within.parse2(statement.clone()) {
        Ok(mut statements) => {
            for s in &mut statements {
                Strip.visit_stmt_mut(s);
            }
            statements.iter().map(ToTokens::to_token_stream).collect()
        }
        Err(_) => statement,
    }
}

/// An item without the directives inside it.
pub fn without_directives(item: TokenStream) -> TokenStream {
    match syn::parse2::<Item>(item.clone()) {
        Ok(mut item) => {
            syn::visit_mut::visit_item_mut(&mut Strip, &mut item);
            item.into_token_stream()
        }
        Err(_) => item,
    }
}

/// A stand-alone directive that expands by itself: no offload item is around it.
pub fn standalone(name: &str) -> TokenStream {
    let mut sink = Sink::new();
    sink.error(
        Code::OutsideOffload,
        Span::call_site(),
        format!("`{name}!` in a function without `#[omp::offload]`"),
    )
    .help("put `#[omp::offload]` on the function, `impl` or `mod` around it");
    let errors = sink.into_tokens();
    quote!({ #errors })
}

/// `#[omp::declare_target]`.
pub fn declare_target(mut args: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(moved) = item::attributes_below::in_turn(&["declare_target"], &mut args, &item) {
        return moved;
    }
    // The other attribute makes a device function of it, too.
    if item::offloaded::declares_reduction(&item) {
        return item;
    }
    // In a sink of its own: with it or without, the item is a device function, and calls of it have no error.
    let mut refused = Sink::new();
    if !args.is_empty() {
        refused
            .error_at(
                Code::MalformedDirective,
                &args,
                format!("`declare_target` takes no `{}`", as_written(&args)),
            )
            .help("write `#[omp::declare_target]`");
    }
    let refused = refused.into_tokens();
    let mut sink = Sink::new();
    item::attributes_below::check_declared(&item, &mut sink);
    let around = syn::parse2::<Item>(item.clone()).map(|read| (Methods::around(&read), read));
    if let Ok((around, read)) = &around
        && of_arrays(read, around)
    {
        let errors = sink.into_tokens();
        let mut item = read.clone();
        WithoutAtomics.visit_item_mut(&mut item);
        // rustc sees no call of what stands in the place of its calls.
        return quote!(#[allow(dead_code)] #item #errors #refused);
    }
    if let Ok((_, Item::Fn(f))) = &around
        && let Some((name, at)) = atomics::other_directive(&f.block)
    {
        sink.error_at(Code::DeclareTargetItem, &at, format!("the directive `{name}` in a device function")).help(
            "a device function is a part of one iteration: put the loop into a function with `#[omp::offload]`, which the host calls",
        );
        let (item, errors) = (without_directives(item), sink.into_tokens());
        return quote!(#item #errors #refused);
    }
    if let Ok((_, Item::Fn(f))) = &around
        && let Some((around, of)) = Methods::around_method(f)
    {
        let expanded = method_alone(f, of, around, &mut sink);
        let errors = sink.into_tokens();
        return quote!(#expanded #errors #refused);
    }
    let Declared { item, methods, companions } = Declared::of(item, around.ok(), &mut sink);
    let expanded = glue::device_fn::expand(item, &methods, &mut sink);
    let errors = sink.into_tokens();
    quote!(#expanded #errors #refused #companions)
}

/// `#[omp::declare_target]` on one method of an inherent `impl`, which `of` has alone.
fn method_alone(f: &ItemFn, of: syn::ItemImpl, around: Methods, sink: &mut Sink) -> TokenStream {
    let whole = of.to_token_stream();
    let Declared { item, methods, companions } = Declared::of(whole, Some((around, Item::Impl(of))), sink);
    let Ok(of) = syn::parse2::<syn::ItemImpl>(item) else { return f.to_token_stream() };
    glue::device_fn::of_method(f.clone(), &of, (&methods, companions), sink)
}

/// A declared item as its device function is made of it.
struct Declared {
    item: TokenStream,
    methods: Methods,
    /// What stands next to it.
    companions: TokenStream,
}

impl Declared {
    /// Macros are applied, methods inlined and names of types resolved.
    fn of(item: TokenStream, read: Option<(Methods, Item)>, sink: &mut Sink) -> Self {
        let Some((around, mut read)) = read else {
            return Self { item, methods: Methods::default(), companions: TokenStream::new() };
        };
        let (copies, mut methods) = rules::with_these_methods(around, &mut read, rules::Extent::Whole, sink);
        if let Item::Impl(i) = &read {
            methods = methods.of_type(i);
        }
        let uses = resolved(&mut read, false);
        Self { item: read.into_token_stream(), methods, companions: quote!(#copies #uses) }
    }
}

/// Puts types in the place of their names, and gives what uses these names next to the item, where they are declared there.
fn resolved(item: &mut Item, host: bool) -> Option<TokenStream> {
    let mut names = aliases::resolve(item, host);
    if let Item::Mod(m) = item {
        use_declared(m, &names);
        return None;
    }
    names.retain(|name| Methods::stands_next_to(item, name));
    (!names.is_empty()).then(|| quote!(#(const _: fn(&#names) = |_| ();)*))
}

/// Uses the types with these names in the modules that declare them.
fn use_declared(m: &mut syn::ItemMod, names: &[proc_macro2::Ident]) {
    let Some((_, items)) = &mut m.content else { return };
    let is_declared =
        |name: &&proc_macro2::Ident| items.iter().any(|i| matches!(i, Item::Type(t) if t.ident == **name));
    let uses: Vec<Item> = names
        .iter()
        .filter(is_declared)
        .map(|name| syn::parse_quote!(const _: fn(&#name) = |_| ();))
        .collect();
    for item in items.iter_mut() {
        if let Item::Mod(m) = item {
            use_declared(m, names);
        }
    }
    items.extend(uses);
}

/// Whether an item is about structs that own arrays, so that its body stands in the place of its calls.
fn of_arrays(item: &Item, around: &Methods) -> bool {
    match item {
        Item::Impl(i) => around.are_of(i),
        Item::Fn(f) if f.sig.receiver().is_some() => Methods::have(&f.sig) || Methods::is_of_borrowing(f),
        Item::Fn(f) if Methods::is_of_borrowing(f) => true,
        Item::Fn(f) => templates::is(&f.sig) || around.takes(&f.sig) || around.has_atomics(&f.block),
        _ => false,
    }
}

/// `#[omp::declare_reduction(…)]`.
pub fn declare_reduction(mut args: TokenStream, item: TokenStream) -> TokenStream {
    let item = item::offloaded::without_declare_target(item);
    if let Some(moved) = item::attributes_below::in_turn(&["declare_reduction"], &mut args, &item) {
        return moved;
    }
    let mut sink = Sink::new();
    let read = syn::parse2::<Item>(item.clone()).ok().map(|read| (Methods::around(&read), read));
    let Declared { item, methods, companions } = Declared::of(item, read, &mut sink);
    let expanded = glue::device_fn::declared::expand(args, item, &methods, &mut sink);
    let errors = sink.into_tokens();
    quote!(#expanded #errors #companions)
}

/// `#[derive(omp::Device)]`.
pub fn derive_device(item: TokenStream) -> TokenStream {
    let mut sink = Sink::new();
    let expanded = glue::derive::device::expand(item, &mut sink);
    let errors = sink.into_tokens();
    quote!(#expanded #errors)
}

/// `#[derive(omp::Mapper)]`.
pub fn derive_mapper(item: TokenStream) -> TokenStream {
    let mut sink = Sink::new();
    let expanded = glue::derive::mapper::expand(item, &mut sink);
    let errors = sink.into_tokens();
    quote!(#expanded #errors)
}
