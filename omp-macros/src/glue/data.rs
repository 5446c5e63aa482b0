//! Data directives: the start of a data region, its exits, and the stand-alone directives.
//!
//! The guard is `__dataN`; users can neither name nor forget it. Each directive borrows its items only while it runs,
//! and each exit borrows them again.
use super::region::section_ends;
use super::{hidden, numbered, private};
use crate::ast::{Data, DirectiveKind, Item, MapClause, MapWord, Task};
use crate::sema::syntax::place::item_key;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;

/// An item and how it is mapped.
struct Mapped<'a> {
    item: &'a Item,
    ty: MapWord,
    always: bool,
    present: bool,
    /// Further sections of the same array.
    more: Vec<&'a Item>,
}

/// The items of a directive, several sections of one array together.
fn items(data: &Data) -> Vec<Mapped<'_>> {
    let clauses = &data.directive.clauses;
    let of_map = |m: &MapClause| (m.ty, m.always, m.present);
    let maps = clauses.maps.iter().flat_map(|m| m.items.iter().map(move |i| (i, of_map(m))));
    let to = clauses.to.iter().map(|i| (i, (MapWord::To, false, false)));
    let from = clauses.from.iter().map(|i| (i, (MapWord::From, false, false)));
    let mut list: Vec<Mapped<'_>> = Vec::new();
    for (item, (ty, always, present)) in maps.chain(to).chain(from) {
        let nested = item.sections.len() > 1;
        let same = |m: &&mut Mapped<'_>| m.item.key == item.key && m.ty == ty && m.item.sections.len() == 1;
        match list.iter_mut().find(same).filter(|_| !nested) {
            Some(first) => first.more.push(item),
            None => list.push(Mapped { item, ty, always, present, more: vec![] }),
        }
    }
    list
}

/// The guard of a data region.
pub fn guard(n: usize) -> Ident {
    numbered("data", n)
}

/// Names of the bounds of section `s` (on level `level`) of item `k` of directive `n`.
fn bounds(n: usize, k: usize, s: usize, level: usize) -> (Ident, Ident) {
    (hidden(&format!("__lo{n}_{k}_{s}_{level}")), hidden(&format!("__hi{n}_{k}_{s}_{level}")))
}

/// Evaluates the sections' bounds.
fn evaluated(n: usize, data: &Data, items: &[Mapped<'_>]) -> TokenStream {
    let mut out = TokenStream::new();
    for (k, mapped) in items.iter().enumerate() {
        let held = data.held.iter().find(|(key, ..)| *key == item_key(mapped.item));
        for (s, item) in std::iter::once(&mapped.item).chain(&mapped.more).enumerate() {
            let mut place = {
                let p = &item.place;
                code!(#p)
            };
            for (level, section) in item.sections.iter().enumerate() {
                let (lo, hi) = bounds(n, k, s, level);
                let whole = || match held.filter(|_| level == 0) {
                    Some((_, _, length)) => code!(#length),
                    None => code!(#place.len()),
                };
                let ends = section_ends(section, |e| code!(#e), whole);
                out.extend(quote_spanned!(item.span=> let (#lo, #hi): (::omp::__private::core::primitive::usize, ::omp::__private::core::primitive::usize) = #ends;));
                place = code!(#place[0]);
            }
        }
    }
    out
}

/// Statements that give the sections of item `k` to `to`.
fn sections(n: usize, k: usize, mapped: &Mapped<'_>, to: &Ident, inner: bool) -> TokenStream {
    let mut out = TokenStream::new();
    for (s, item) in std::iter::once(&mapped.item).chain(&mapped.more).enumerate() {
        for level in 0..item.sections.len() {
            let (lo, hi) = bounds(n, k, s, level);
            out.extend(match level {
                0 => code!((&mut #to).section(#lo, #hi);),
                _ if inner => code!((&mut #to).inner(#lo, #hi);),
                _ => TokenStream::new(),
            });
        }
    }
    out
}

/// Passes all arrays of an item without sections to `to`: the item may be a struct that owns some.
fn whole(data: &Data, item: &Item, write: bool, to: &TokenStream) -> Option<TokenStream> {
    if !item.sections.is_empty() || data.held.iter().any(|(key, ..)| *key == item_key(item)) {
        return None;
    }
    let (p, place, name) = (private(), &item.place, &item.key);
    let method = Ident::new(
        if write { "__omp_arrays_mut" } else { "__omp_arrays" },
        Span::mixed_site().located_at(item.span),
    );
    Some(quote_spanned! {item.span=>
        {
            use #p::MapItem as _;
            #place.#method(&#p::Name::of_item(#name), #to);
        }
    })
}

/// The array of an item, borrowed.
fn borrowed(data: &Data, item: &Item, write: bool) -> TokenStream {
    let (p, place) = (private(), &item.place);
    if let Some((_, guard, _)) = data.held.iter().find(|(key, ..)| *key == item_key(item)) {
        // A task of another thread may be changing the elements, so there is no reference to them.
        return if write { code!((&mut #guard).task_write()) } else { code!((&#guard).task_read()) };
    }
    if write {
        quote_spanned!(item.span=> #p::HostArray::write(&mut #place[..]))
    } else {
        quote_spanned!(item.span=> #p::HostArray::read(&#place[..]))
    }
}

fn word(ty: MapWord) -> TokenStream {
    match ty {
        MapWord::To => code!(To),
        MapWord::From => code!(From),
        MapWord::ToFrom => code!(ToFrom),
        MapWord::Alloc => code!(Alloc),
        MapWord::Release => code!(Release),
        MapWord::Delete => code!(Delete),
    }
}

/// The directive with its clauses, in `__directive`.
fn bare(data: &Data) -> TokenStream {
    let p = private();
    let directive = hidden("__directive");
    let start = data.directive.span.start();
    let (line, column) = (start.line as u32, start.column as u32 + 1);
    let clauses = &data.directive.clauses;
    let name = clauses.name.as_ref().map_or_else(|| data.context.function.clone(), |n| n.value.clone());
    let mut out = code! {
        static __SITE: #p::DataSite = #p::DataSite::new(#name, ::omp::__private::core::file!(), #line, #column);
        let mut #directive = #p::Directive::new(&__SITE);
    };
    for clause in &clauses.evaluated {
        let Some((method, _)) = clause.what.method().filter(|_| clause.what.is_of_data()) else { continue };
        for e in &clause.values {
            let method = Ident::new(method, e.span());
            out.extend(quote_spanned!(e.span()=> (&mut #directive).#method(#e);));
        }
    }
    out.extend(clauses.if_present.as_ref().map(|_| code!((&mut #directive).if_present();)));
    out.extend(clauses.finalize.as_ref().map(|_| code!((&mut #directive).finalize();)));
    out
}

/// The same directive, with its items.
fn made(n: usize, data: &Data, items: &[Mapped<'_>]) -> TokenStream {
    let p = private();
    let directive = hidden("__directive");
    let mut out = bare(data);
    let back = matches!(data.directive.kind, DirectiveKind::TargetExitData | DirectiveKind::TargetUpdate);
    for (k, mapped) in items.iter().enumerate() {
        let (ty, always, present) = (word(mapped.ty), mapped.always, mapped.present);
        let (name, place) = (&mapped.item.key, &mapped.item.place);
        let write = back && mapped.ty.brings_back();
        let map = code!(#p::Map { ty: #p::DataMap::#ty, always: #always, present: #present });
        let update = data.directive.kind == DirectiveKind::TargetUpdate;
        let taker = if update { code!(updated) } else { code!(whole) };
        let to = code!(&mut (&mut #directive).#taker(#map));
        if let Some(arrays) = whole(data, mapped.item, write, &to) {
            out.extend(quote_spanned!(mapped.item.span=> if false { #p::pin_item(&#place); } #arrays));
            continue;
        }
        let array = borrowed(data, mapped.item, write);
        let sections = sections(n, k, mapped, &directive, true);
        if mapped.item.sections.len() > 1 {
            let nested = match data.held.iter().find(|(key, ..)| *key == item_key(mapped.item)) {
                Some((_, guard, _)) => code!((&mut #directive).nested_in((&#guard).task_elem());),
                None => quote_spanned!(mapped.item.span=> (&mut #directive).nested(&#place);),
            };
            out.extend(nested);
        }
        out.extend(quote_spanned! {mapped.item.span=>
            if false { #p::pin(&#place); }
            #[allow(clippy::all, clippy::pedantic)]
            (&mut #directive).map(
                #name,
                #map,
                #array,
            );
        });
        out.extend(sections);
    }
    out
}

/// Leaves all regions of a list, the last first, whatever they say: an error is on its way already.
pub fn abandon(scopes: &[usize], all: &[Data]) -> TokenStream {
    let leave = |n: &usize| {
        let leaving = leaving(*n, &all[*n]);
        code!({ #leaving let _ = __leaving.try_end(); })
    };
    scopes.iter().rev().map(leave).collect()
}

/// A failure that leaves the function, and the data regions that it stands in. `span` is the directive's, where rustc says what the
/// function's error type lacks.
pub(super) fn failed(scopes: &[usize], all: &[Data], span: Span) -> TokenStream {
    let abandon = abandon(scopes, all);
    let at = Span::mixed_site().located_at(span);
    let error = Ident::new("__e", at);
    let made = quote_spanned!(at=> ::omp::__private::FromFailure::from_failure(#error));
    code!({ #abandon return ::omp::__private::core::result::Result::Err(#made) })
}

/// A target block that is a task.
pub(super) fn is_task(data: &Data) -> bool {
    data.directive.kind == DirectiveKind::Target && data.directive.clauses.nowait.is_some()
}

/// An error of a directive.
fn failed_directive(n: usize, data: &Data, all: &[Data]) -> TokenStream {
    if is_task(data) {
        return super::task::task_block::kept(Task::Block(n), (&[], all), &None, data.directive.span);
    }
    failed(&data.scopes, all, data.directive.span)
}

/// The code that replaces the directive: all of a stand-alone one, or the start of a region.
pub fn start(n: usize, data: &Data, all: &[Data]) -> TokenStream {
    let (run, is_region) = match data.directive.kind {
        DirectiveKind::TargetEnterData => ("enter", false),
        DirectiveKind::TargetExitData => ("exit", false),
        DirectiveKind::TargetUpdate => ("update", false),
        DirectiveKind::Target => ("open_block", true),
        _ => ("open", true),
    };
    let items = items(data);
    let (evaluated, made) = (evaluated(n, data, &items), made(n, data, &items));
    let (directive, at) = (hidden("__directive"), data.directive.span);
    if let Some(task) = super::task::task_data::update(data, &evaluated, &made) {
        return task;
    }
    let failure = failed_directive(n, data, all);
    let settled = if is_task(data) {
        super::task::task_block::start(n, data)
    } else {
        super::task::task_data::settled(data, &failure)
    };
    let evaluated = code!(#settled #evaluated);
    let done = if data.context.try_ || is_task(data) {
        let (run, failed) = (hidden(&format!("try_{run}")), failure);
        code! {
            match (&#directive).#run() {
                ::omp::__private::core::result::Result::Ok(__done) => __done,
                ::omp::__private::core::result::Result::Err(__e) => #failed,
            }
        }
    } else {
        let run = Ident::new(run, at);
        quote_spanned!(at=> (&#directive).#run())
    };
    if is_region {
        let guard = guard(n);
        code!(#evaluated let mut #guard = { #made #done })
    } else {
        code!({ #evaluated #made #done })
    }
}

/// The views that names under `use_device_ptr` stand for in a region.
pub fn views(n: usize, data: &Data, all: &[Data]) -> TokenStream {
    let items = &data.directive.clauses.use_device_ptr;
    if items.is_empty() {
        return TokenStream::new();
    }
    let p = private();
    let (bare, directive, error) = (bare(data), hidden("__directive"), hidden("__e"));
    let failed = if data.context.try_ {
        let (own, rest) = (abandon(&[n], all), failed_directive(n, data, all));
        code!({ #own #rest })
    } else {
        quote_spanned!(data.directive.span=> ::omp::__private::core::panic!("{}", #error))
    };
    let view = |item: &Item| {
        let (place, name) = (&item.place, &item.key);
        let write = data.written.contains(&item_key(item));
        let viewed = data.viewed.iter().find(|(key, _)| *key == item_key(item));
        let array = viewed.map_or_else(|| code!(#place), |(_, array)| array.clone());
        let (make, borrow, mutable) = if write {
            ("try_view_mut", code!(&mut #array[..]), Some(code!(mut)))
        } else {
            ("try_view", code!(&#array[..]), None)
        };
        let make = Ident::new(make, item.span);
        quote_spanned! {item.span=>
            let #mutable #place = {
                if false { #p::pin(&#array); }
                match (&#directive).#make(#name, #borrow) {
                    ::omp::__private::core::result::Result::Ok(__view) => __view,
                    ::omp::__private::core::result::Result::Err(#error) => #failed,
                }
            };
            let _ = &#mutable #place;
        }
    };
    let views: TokenStream = items.iter().map(view).collect();
    code!(#bare #views)
}

/// A region's data, passed in `__leaving`.
fn leaving(n: usize, data: &Data) -> TokenStream {
    let (guard, leaving) = (guard(n), hidden("__leaving"));
    let mut out = code!(let mut #leaving = (&mut #guard).leave(););
    for (k, mapped) in items(data).iter().enumerate() {
        if let Some(arrays) = whole(data, mapped.item, mapped.ty.brings_back(), &code!(&mut #leaving)) {
            out.extend(arrays);
            continue;
        }
        let array = borrowed(data, mapped.item, mapped.ty.brings_back());
        let sections = sections(n, k, mapped, &leaving, false);
        out.extend(quote_spanned! {mapped.item.span=>
            #[allow(clippy::all, clippy::pedantic)]
            (&mut #leaving).item(#array);
        });
        out.extend(sections);
    }
    out
}

/// The end of a region.
pub fn leave(n: usize, data: &Data, all: &[Data]) -> TokenStream {
    let (leaving, at) = (leaving(n, data), data.directive.span);
    let name = hidden("__leaving");
    if is_task(data) {
        let close = super::task::task_block::end(n);
        return code!({
            #leaving
            #close
        });
    }
    if data.context.try_ {
        let failed = failed_directive(n, data, all);
        // The first wait reports a task that failed; the region is left all the same.
        let settle =
            data.guards.as_ref().map(|guards| code!(let __settled = (&*__tasks).try_settle(&#guards);));
        let and = data.guards.as_ref().map(|_| code!(let __left = __settled.and(__left);));
        code!({
            #settle
            #leaving
            let __left = #name.try_end();
            #and
            if let ::omp::__private::core::result::Result::Err(__e) = __left #failed
        })
    } else {
        let settled = super::task::task_data::settled(data, &TokenStream::new());
        let end = quote_spanned!(at=> #name.end());
        code!({ #settled #leaving #end })
    }
}
