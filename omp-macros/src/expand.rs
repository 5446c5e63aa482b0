//! The phases of an expansion and the barriers between them.
//!
//! tokens → [`parse`](crate::parse) → [`sema`] on clauses → on bodies → [`lower`] → race analysis → [`glue`]. A phase
//! sees only regions in which earlier phases found no error, so no error is the echo of another. When anything is
//! reported for a function, it expands to its serial form, directives taken off, and the errors: one mistake, one error.
mod block;
pub mod context;
mod data_region;
#[cfg(test)]
mod hygiene;
pub mod item;
mod methods;
pub mod openacc;
mod reference_items;
mod regions;
mod rows;
pub mod tasks;
pub use data_region::exits::left_lints;
#[cfg(test)]
mod tests;

use crate::ast::{DirectiveKind, Spelling};
use crate::diag::{Code, Sink};
use crate::parse::attributes::Strip;
use crate::parse::tokens::source::as_written;
use crate::parse::{directive, missing};
use crate::sema::CheckedRegion;
use crate::sema::syntax::jumps;
use crate::{glue, lower, sema};
use context::helpers::Helpers;
use context::{Scope, returns_result};
pub use methods::{Methods, found, templates, values};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use regions::{Parts, Short};
use syn::parse::Parser;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Block, Expr, ImplItem, Item, ItemFn, ReturnType, Signature, Stmt, TraitItem};

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
        Ok(item) => {
            let methods = Methods::around(&item);
            let generics = methods.generics();
            offload_item(item, &Scope { try_, generics, methods, ..Scope::default() }, true, &mut sink)
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

/// Nothing or `try`.
fn offload_args(input: syn::parse::ParseStream) -> syn::Result<bool> {
    let try_ = input.parse::<Option<syn::Token![try]>>()?.is_some();
    let _: Option<syn::Token![,]> = if try_ { input.parse()? } else { None };
    if input.is_empty() { Ok(try_) } else { Err(input.error("`offload` takes nothing but `try`")) }
}

/// Gives methods that bear `declare_target` alone, in an `impl` without it, an `impl` with it.
fn declared_alone(items: &mut Vec<Item>) {
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

/// Offloads what an item holds.
fn offload_item(mut item: Item, scope: &Scope, direct: bool, sink: &mut Sink) -> TokenStream {
    if !direct && item::attributes_below::by_itself(&mut item, scope.try_) {
        return item.into_token_stream();
    }
    match item {
        Item::Fn(mut f) => {
            let mut own = Sink::new();
            if scope.methods.stands_at_calls(&f) {
                f.attrs.retain(|attr| !is_declare_target(attr));
                f.attrs.push(syn::parse_quote!(#[allow(dead_code)]));
            } else if !direct && declares(&f.attrs) && scope.methods.are_called_in(f.block.to_token_stream())
            {
                // Here is known what it calls.
                f.attrs.retain(|attr| !is_declare_target(attr));
                let expanded = glue::device_fn::expand(f.into_token_stream(), &scope.methods, &mut own);
                let errors = own.into_tokens();
                return quote!(#expanded #errors);
            }
            let short = take_short(&mut f.attrs, &mut own);
            item::attributes_below::without_tools(&mut f.attrs);
            function(&mut f.sig, &mut f.block, scope, direct, short, &mut own);
            let errors = own.into_tokens();
            quote!(#f #errors)
        }
        Item::Impl(mut i) => {
            let mut scope = scope.with(&i.generics);
            scope.methods = scope.methods.in_impl(&i);
            if scope.methods.are_of(&i) {
                // rustc sees no call of what stands in the place of its calls. (An `impl` that stands alone is the host's, too.)
                if declares(&i.attrs) || !scope.methods.stand_elsewhere() {
                    i.attrs.push(syn::parse_quote!(#[allow(dead_code)]));
                }
                i.attrs.retain(|attr| !is_declare_target(attr));
            } else if declares(&i.attrs) && scope.methods.are_called_in(quote!(#i)) && !has_directives(&i) {
                i.attrs.retain(|attr| !is_declare_target(attr));
                let mut own = Sink::new();
                item::attributes_below::check_declared(&i.to_token_stream(), &mut own);
                let expanded = glue::device_fn::expand(i.into_token_stream(), &scope.methods, &mut own);
                let errors = own.into_tokens();
                return quote!(#expanded #errors);
            }
            item::attributes_below::without_tools(&mut i.attrs);
            let mut errors = TokenStream::new();
            for item in &mut i.items {
                if let ImplItem::Fn(f) = item {
                    let mut own = Sink::new();
                    f.attrs.retain(|attr| !is_declare_target(attr));
                    let scope = own_scope(&mut f.attrs, &scope, &mut own);
                    if !item::attributes_below::of_function(&mut f.attrs, &f.sig, scope.try_) {
                        let short = take_short(&mut f.attrs, &mut own);
                        item::attributes_below::without_tools(&mut f.attrs);
                        function(&mut f.sig, &mut f.block, &scope, false, short, &mut own);
                    }
                    errors.extend(own.into_tokens());
                }
            }
            i.items.extend((!errors.is_empty()).then_some(ImplItem::Verbatim(errors)));
            i.into_token_stream()
        }
        Item::Trait(mut t) if !direct => {
            let scope = scope.with(&t.generics);
            item::attributes_below::without_tools(&mut t.attrs);
            let mut errors = TokenStream::new();
            for item in &mut t.items {
                if let TraitItem::Fn(f) = item
                    && let Some(body) = &mut f.default
                {
                    let mut own = Sink::new();
                    if !item::attributes_below::of_function(&mut f.attrs, &f.sig, scope.try_) {
                        let short = take_short(&mut f.attrs, &mut own);
                        item::attributes_below::without_tools(&mut f.attrs);
                        function(&mut f.sig, body, &scope, false, short, &mut own);
                    }
                    errors.extend(own.into_tokens());
                }
            }
            t.items.extend((!errors.is_empty()).then_some(TraitItem::Verbatim(errors)));
            t.into_token_stream()
        }
        Item::Mod(mut m) if m.content.is_some() => {
            let mut scope = scope.clone();
            item::attributes_below::without_tools(&mut m.attrs);
            let (_, items) = m.content.as_mut().expect("matched");
            declared_alone(items);
            scope.methods = Methods::of_module(items, &scope.around);
            if items.iter().any(|item| matches!(item, Item::Mod(_))) {
                scope.around = items.clone().into();
            }
            scope.helpers = Helpers::of_module(items, &scope.methods);
            for item in items {
                let whole = std::mem::replace(item, Item::Verbatim(TokenStream::new()));
                *item = Item::Verbatim(nested(whole, &scope, sink));
            }
            m.into_token_stream()
        }
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

/// Whether a type is none that an alias of `Result` could name.
fn never_a_result(ty: &syn::Type) -> bool {
    const OTHERS: &[&str] = &[
        "Option", "Vec", "Box", "String", "Self", "bool", "usize", "u32", "u64", "i32", "i64", "f32", "f64",
    ];
    match ty {
        syn::Type::Path(p) => p.path.segments.last().is_some_and(|s| OTHERS.iter().any(|o| s.ident == o)),
        ty => matches!(ty, syn::Type::Tuple(_) | syn::Type::Array(_) | syn::Type::Reference(_)),
    }
}

/// An item inside an offload `mod`: its own `offload` is taken over.
fn nested(mut item: Item, scope: &Scope, sink: &mut Sink) -> TokenStream {
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

/// `#[omp::declare_target]`: in an offload `impl`, on a method, whose body stands in the place of its calls.
fn is_declare_target(attr: &Attribute) -> bool {
    directive::family(attr.path())
        .is_some_and(|(spelling, name)| spelling == Spelling::OpenMp && name == "declare_target")
}

fn declares(attrs: &[Attribute]) -> bool {
    attrs.iter().any(is_declare_target)
}

/// Whether an `impl` has directives inside of it.
fn has_directives(item: &syn::ItemImpl) -> bool {
    struct Find(bool);
    impl<'ast> syn::visit::Visit<'ast> for Find {
        fn visit_attribute(&mut self, a: &'ast Attribute) {
            self.0 |= directive::is_ours(a) && !is_declare_target(a);
        }
    }
    let mut find = Find(false);
    syn::visit::Visit::visit_item_impl(&mut find, item);
    find.0
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
    let Ok(mut f) = syn::parse2::<ItemFn>(item.clone()) else {
        let what = if starts_a_statement(&item) {
            "in a function without `#[omp::offload]`"
        } else {
            "on this item"
        };
        sink.error(Code::OutsideOffload, Span::call_site(), format!("the directive `{name}` {what}")).help(
            "stable Rust has no attribute macros on statements: put `#[omp::offload]` on the function, `impl` or `mod` around it",
        );
        let errors = sink.into_tokens();
        if !starts_a_statement(&item) {
            return quote!(#errors #item);
        }
        let item = stripped(item);
        return quote!({ #errors #item });
    };
    let methods = Methods::around(&Item::Fn(f.clone()));
    let scope = Scope { generics: methods.generics(), methods, ..Scope::default() };
    let short = directive::named(spelling, name, Span::call_site(), args, &mut sink).map(Short);
    item::attributes_below::without_tools(&mut f.attrs);
    function(&mut f.sig, &mut f.block, &scope, true, short, &mut sink);
    let errors = sink.into_tokens();
    quote!(#f #errors)
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

/// Whether tokens are a loop, block or other expression rather than an item.
fn starts_a_statement(tokens: &TokenStream) -> bool {
    syn::parse2::<Item>(tokens.clone()).is_err() && Block::parse_within.parse2(tokens.clone()).is_ok()
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
    let mut methods = Methods::default();
    if let Ok(read) = syn::parse2::<Item>(item.clone()) {
        if of_arrays(&read) {
            let errors = sink.into_tokens();
            // rustc sees no call of what stands in the place of its calls.
            return quote!(#[allow(dead_code)] #item #errors #refused);
        }
        methods = Methods::around(&read);
        if let Item::Impl(i) = &read {
            methods = methods.of_type(i);
        }
    }
    let expanded = glue::device_fn::expand(item, &methods, &mut sink);
    let errors = sink.into_tokens();
    quote!(#expanded #errors #refused)
}

/// Whether an item is about structs that own arrays, so that its body stands in the place of its calls.
fn of_arrays(item: &Item) -> bool {
    match item {
        Item::Impl(i) => Methods::around(item).are_of(i),
        Item::Fn(f) if f.sig.receiver().is_some() => Methods::have(&f.sig),
        Item::Fn(f) => templates::is(&f.sig) || Methods::around(item).takes(&f.sig),
        _ => false,
    }
}

/// `#[omp::declare_reduction(…)]`.
pub fn declare_reduction(mut args: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(moved) = item::attributes_below::in_turn(&["declare_reduction"], &mut args, &item) {
        return moved;
    }
    let mut sink = Sink::new();
    let expanded = glue::device_fn::declared::expand(args, item, &mut sink);
    let errors = sink.into_tokens();
    quote!(#expanded #errors)
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

/// Items in a body: functions of their own, with the same directives.
struct InnerItems<'a> {
    scope: &'a Scope,
}

impl VisitMut for InnerItems<'_> {
    fn visit_item_mut(&mut self, item: &mut Item) {
        if matches!(item, Item::Fn(_) | Item::Impl(_) | Item::Mod(_)) {
            let whole = std::mem::replace(item, Item::Verbatim(TokenStream::new()));
            let mut sink = Sink::new();
            let expanded = nested(whole, self.scope, &mut sink);
            let errors = sink.into_tokens();
            *item = Item::Verbatim(quote!(#expanded #errors));
        }
    }
}

/// Offloads one function: replaces its annotated loops.
fn function(
    sig: &mut Signature,
    body: &mut Block,
    scope: &Scope,
    direct: bool,
    short: Option<Short>,
    sink: &mut Sink,
) {
    let inner = Scope { try_: scope.try_, ..Scope::default() };
    let helpers = scope.helpers.in_function(body);
    let labels = jumps::labels(body);
    InnerItems { scope: &inner }.visit_block_mut(body);
    let mut context = context::of(sig, body, scope);
    context.method &= direct;
    if scope.try_
        && direct
        && let ReturnType::Type(_, ty) = &sig.output
        && never_a_result(ty)
    {
        sink.error_at(Code::OffloadItem, ty, "`offload(try)` on a function that returns no `Result`")
            .help("let it return `Result<_, E>` with `E: From<omp::Error>`, or write `#[omp::offload]`");
    } else if scope.try_ && direct && matches!(&sig.output, ReturnType::Type(..)) {
        // Whatever the type is called.
        context.try_ = true;
    } else if scope.try_ && direct {
        sink.error_at(Code::OffloadItem, &sig.ident, "`offload(try)` on a function that returns nothing")
            .help("let it return `Result<_, E>` with `E: From<omp::Error>`, or write `#[omp::offload]`");
    }
    let used = openacc::uses_module(body);
    let variables = scope.methods.of_variables(sig, body);
    for name in scope.methods.slices_in_fields(sig, body, &variables) {
        context.whole.retain(|(other, _)| *other != name);
        context.whole.push((name.clone(), crate::iterate::IteratedBy::Shared));
        context.array_names.push(name);
    }
    tasks::tail::waits(body);
    let mut found = regions::find(body, &context, short, (&scope.methods, variables), sink);
    for region in &mut found.regions {
        lower::desugar(region);
        region.labels.clone_from(&labels);
    }
    // What is wrong with one region says nothing of another: each goes on as far as it is right.
    each(&mut found, sink, sema::scan::prepare);
    let heard = sink.len();
    refuse_kind(sig, found.is_empty(), sink);
    let has_tasks = tasks::any(&found);
    // (An `async fn` is refused as a whole.)
    if has_tasks && sig.asyncness.is_none() {
        item::attributes_below::check(body, sink);
    }
    data_region::shadowed::check(body, &found, sink);
    if !sink.has_errors() {
        for data in &mut found.data {
            sema::data(data, sink);
        }
        for wait in &found.waits {
            sema::wait(wait, sink);
        }
    }
    if sink.len() > heard {
        found.wrong.fill(true);
    }
    each(&mut found, sink, sema::clauses);
    each(&mut found, sink, sema::body);
    let wrong = found.wrong.clone();
    each(&mut found, sink, |region, sink| {
        sema::clauses::immutable::check(sig, body, region, sink);
        sema::accesses::host_types::check(sig, body, region, sink);
        sema::accesses::iterated_numbers::in_region(sig, body, &region.serial, sink);
    });
    let mut lowered = lower_all(&mut found, &helpers, sink);
    let others = readers(&found, &mut lowered);
    for (n, region) in found.regions.iter().enumerate().filter(|(n, _)| !wrong[*n]) {
        let heard = sink.len();
        let name = regions::placeholder_name(n);
        let owners = sema::accesses::live_after::check(sig, body, &name, region, &others, sink);
        if let Some(lowered) = &mut lowered[n] {
            lowered.owners = owners;
        }
        found.wrong[n] |= sink.len() > heard;
    }
    let lowered = without_races(&found, lowered, &helpers, sink);
    let mut parts = Parts::default();
    let mut env = tasks::Env::default();
    let mut questions = context::std_macros::Questions::of(body);
    if sink.is_empty() && has_tasks {
        if context.try_ {
            data_region::exits::of_function(body);
        }
        let before = body.clone();
        env = tasks::plan(sig, body, &found, &lowered, &mut questions, sink);
        if !sink.is_empty() {
            *body = before;
        }
    }
    if sink.is_empty() {
        let before = body.clone();
        check_macros(body, &found, &mut questions, sink);
        if !sink.is_empty() {
            *body = before;
        }
    }
    if sink.is_empty() {
        for (n, data) in found.data.iter_mut().enumerate() {
            glue::task::task_data::guarded(data, env.data(n));
            glue::task::task_block::remember_memory(n, data, &found.regions, &lowered);
        }
        for (n, (region, lowered)) in found.regions.iter().zip(&lowered).enumerate() {
            parts.regions.push(glue::region::expand(region, lowered, &found.data, env.region(n)));
        }
        for (n, wait) in found.waits.iter().enumerate() {
            parts.waits.push(glue::task::wait(wait, env.wait(n), &found.data));
        }
        for (n, group) in found.groups.iter().enumerate() {
            let (start, leave) = glue::task::group(n, group, &found.data);
            parts.groups.push(start);
            parts.ungroups.push(leave);
        }
        parts.finishes.push(glue::task::finish(sig.ident.span()));
        for (n, data) in found.data.iter().enumerate() {
            parts.data.push(glue::data::start(n, data, &found.data));
            parts.leaves.push(glue::data::leave(n, data, &found.data));
            parts.views.push(glue::data::views(n, data, &found.data));
        }
    }
    if parts.regions.len() != found.regions.len() || !sink.is_empty() {
        let nothing = || found.data.iter().map(|_| quote!(())).collect();
        let no = |n: usize| std::iter::repeat_n(quote!(()), n).collect();
        parts = Parts {
            regions: found
                .regions
                .iter()
                .map(|r| r.written.as_ref().unwrap_or(&r.serial).clone())
                .map(|refused| glue::device_fn::refused_loop(sig, refused).to_token_stream())
                .collect(),
            data: nothing(),
            leaves: nothing(),
            views: nothing(),
            waits: no(found.waits.len()),
            groups: no(found.groups.len()),
            ungroups: no(found.groups.len()),
            finishes: no(1),
        };
    }
    let right = sink.is_empty();
    regions::put_back(body, parts);
    let warnings = found.in_order.iter().filter(|_| right).map(openacc::InOrder::warning);
    let left = sink.left_to_rustc();
    let left = (!left.is_empty()).then_some(left);
    let statements = warnings.chain(left).map(|tokens| Stmt::Expr(Expr::Verbatim(tokens), None));
    let statements: Vec<Stmt> = statements.collect();
    body.stmts.splice(0..0, used.into_iter().chain(statements));
    if has_tasks && right {
        tasks::wrap(sig, body, context.try_);
        tasks::show_names(body, &env);
    }
}

/// Checks that macros with names of std's are std's, where the expansion relies on that: exits in their arguments, what they may read
/// and where they may jump after a region with copies, and what they do in a target block.
fn check_macros(
    body: &mut Block,
    found: &regions::Directives,
    questions: &mut context::std_macros::Questions,
    sink: &mut Sink,
) {
    let lost = found.regions.iter().any(|r| !r.lost.is_empty());
    let blocks = found.data.iter().filter(|d| d.directive.kind == DirectiveKind::Target);
    let mapped = blocks.flat_map(|d| d.directive.clauses.maps.iter().flat_map(|m| &m.items));
    let mapped: Vec<String> = mapped.filter_map(|i| Some(sema::syntax::place::of(&i.place)?.base)).collect();
    let matters = |name: &str| name.starts_with("__omp_") || mapped.iter().any(|m| m == name);
    questions.block(body, &|m| lost || context::std_macros::mentions(m, &matters), sink);
}

/// By region: it uses a variable of which another region loses copies.
fn readers_of_lost(found: &regions::Directives) -> Vec<bool> {
    let regions = || found.regions.iter().enumerate();
    let reads = |(n, region)| {
        let others = regions().filter(|(other, _)| *other != n);
        let keys: Vec<String> =
            others.flat_map(|(_, r)| r.lost.iter().map(sema::syntax::place::item_key)).collect();
        !keys.is_empty() && sema::accesses::live_after::uses_any(region, &keys)
    };
    regions().map(reads).collect()
}

/// What may read copies that are gone: where there are any, regions and data directives.
fn readers(
    found: &regions::Directives,
    lowered: &mut [Option<lower::Lowered>],
) -> Vec<sema::accesses::live_after::Reader> {
    if found.regions.iter().all(|r| r.lost.is_empty()) {
        return Vec::new();
    }
    let regions = found.regions.iter().zip(lowered).enumerate().map(|(n, (r, lowered))| {
        sema::accesses::live_after::Reader::region(regions::placeholder_name(n), r, lowered.as_mut())
    });
    let data = found
        .data
        .iter()
        .enumerate()
        .map(|(n, d)| sema::accesses::live_after::Reader::data(format!("__omp_data_{n}"), d));
    regions.chain(data).collect()
}

/// Does something with each region that is right so far.
fn each(
    found: &mut regions::Directives,
    sink: &mut Sink,
    mut check: impl FnMut(&mut CheckedRegion, &mut Sink),
) {
    for (region, wrong) in found.regions.iter_mut().zip(&mut found.wrong).filter(|(_, wrong)| !**wrong) {
        let heard = sink.len();
        check(region, sink);
        *wrong = sink.len() > heard;
    }
}

/// Lowers the regions of a function that are right.
fn lower_all(
    found: &mut regions::Directives,
    helpers: &Helpers,
    sink: &mut Sink,
) -> Vec<Option<lower::Lowered>> {
    let reads = readers_of_lost(found);
    let regions = found.regions.iter_mut().zip(&found.wrong).zip(reads);
    regions
        .map(|((r, wrong), reads)| {
            if *wrong {
                return None;
            }
            let mut checked = r.clone();
            let lowered = lower::lower_region(r, reads, sink).ok()?;
            let rows = sema::written_in_rows(r, &lowered, &helpers.called_by(&lowered.typing));
            if rows.is_empty() {
                return Some(lowered);
            }
            checked.directive.clauses.disjoint.extend(rows);
            let mut own = Sink::new();
            let again = lower::lower_region(&mut checked, reads, &mut own).ok();
            match again.filter(|_| own.is_empty()) {
                Some(again) => {
                    *r = checked;
                    Some(again)
                }
                // The race is reported.
                None => {
                    own.forget();
                    Some(lowered)
                }
            }
        })
        .collect()
}

/// Looks for races. Without errors, there is one result for each region.
fn without_races(
    found: &regions::Directives,
    lowered: Vec<Option<lower::Lowered>>,
    helpers: &Helpers,
    sink: &mut Sink,
) -> Vec<lower::Lowered> {
    for (region, (lowered, wrong)) in found.regions.iter().zip(lowered.iter().zip(&found.wrong)) {
        if let (Some(l), false) = (lowered, wrong) {
            sema::report_races(region, l, &helpers.called_by(&l.typing), sink);
        }
    }
    lowered.into_iter().flatten().collect()
}

/// Functions that cannot hold regions.
fn refuse_kind(sig: &Signature, no_regions: bool, sink: &mut Sink) {
    if no_regions {
        return;
    }
    if let Some(token) = &sig.asyncness {
        sink.error(Code::OffloadItem, token.span, "a directive in an `async fn`")
            .help("put the region in a function of its own and call that");
    }
    if let Some(token) = &sig.constness {
        sink.error(Code::OffloadItem, token.span, "a directive in a `const fn`").help("remove `const`");
    }
}
