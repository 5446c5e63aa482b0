//! A target region.
//!
//! In this order, as borrows and evaluation demand:
//!
//! 1. slots ([`Typing`](crate::lower::Typing)), read once per instance by the site;
//! 2. the bounds of the loops and the expressions of clauses, each evaluated once;
//! 3. the arrays, borrowed until the launch is over;
//! 4. the launch; then either reduction variables get their values, or the host runs the loop.
use super::host;
use super::host::claims;
use super::task::host_task;
use super::{answers, bytes, hidden, lints_off, numbered, private, typing_copy, with_companions};
use crate::ast::{
    Data, DirectiveKind, Evaluated, LoopHead, MapClause, RangeAdaptor, ScheduleKind, Section, Task,
};
use crate::expand::tasks::Guard;
use crate::lower::Lowered;
use crate::sema::CheckedRegion;
use crate::sema::clauses::lastprivate::end_name;
use crate::sema::loops::bounds;
use crate::sema::syntax::forms::as_name;
use crate::sema::syntax::place;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::Expr;
use syn::spanned::Spanned;

/// The expansion of a region: one block.
pub fn expand(region: &CheckedRegion, lowered: &Lowered, all: &[Data], guards: &[Guard]) -> TokenStream {
    let inner = inside(region, lowered, all, guards);
    let prelude: Vec<_> = region.parts.iter().chain(&region.prelude).collect();
    let owners = owners(lowered);
    let inner = if owners.is_empty() { inner } else { code!({ #owners #inner }) };
    let inner = if prelude.is_empty() { inner } else { code!({ #(#[allow(clippy::all)] #prelude)* #inner }) };
    super::task::region(region, lowered, guards, all, host::interchanged::guarded(region, inner))
}

/// Checks that private fields are not read under other names.
fn owners(lowered: &Lowered) -> TokenStream {
    let checks = lowered.owners.iter().filter_map(|item| {
        let owner = place::variable(&item.place)?;
        Some(quote_spanned!(item.span=> ::omp::__private::Slot::of(&#owner).owns_fields();))
    });
    checks.collect()
}

/// The region, but for what is evaluated before everything else.
fn inside(region: &CheckedRegion, lowered: &Lowered, all: &[Data], guards: &[Guard]) -> TokenStream {
    if region.directive.kind == DirectiveKind::Simd {
        // One thread runs it: nothing is launched, and nothing has to be proved beyond what is proved.
        let typing = typing_copy(&lowered.typing, copy(lowered));
        let mut bounds = ranges(region, lowered);
        bounds.extend(sections(lowered));
        let serial = host::serial(region, lowered);
        return with_companions(&lowered.typing, code!(#typing #bounds #serial));
    }
    let parts = [
        site(region, lowered, guards),
        evaluated(region, lowered),
        data(region, lowered, guards),
        launch(region, lowered, all, guards),
    ];
    with_companions(&lowered.typing, code!(#(#parts)*))
}

/// The typing copy; what it assigns is read, as it is in the user's loop and after it.
fn copy(lowered: &Lowered) -> TokenStream {
    let captures = &lowered.captures;
    let reduced = captures.reductions.iter().filter(|r| r.array.is_none() && !r.carried).map(|r| &r.place);
    let own = captures.scalars.iter().filter(|s| s.private).map(|s| &s.place);
    let read = reduced.chain(own).filter_map(as_name).map(|name| code!(let _ = &#name;));
    lowered.typing.copy.clone().into_iter().chain(read.flatten()).collect()
}

/// The site, and the instance of these types.
fn site(region: &CheckedRegion, lowered: &Lowered, guards: &[Guard]) -> TokenStream {
    let p = private();
    let (template, checks) = (bytes(&lowered.template.to_bytes()), super::overflow::checks());
    let start = region.directive.span.start();
    let (line, column) = (start.line as u32, start.column as u32 + 1);
    let mut copy = super::task::types(region, lowered, guards);
    copy.extend(self::copy(lowered));
    copy.extend(unused_names(region, lowered));
    let typing = typing_copy(&lowered.typing, copy);
    let answers = answers(&lowered.typing, &hidden("__cx"));
    code! {
        static __SITE: #p::Site = unsafe { #p::Site::new(#p::SiteInfo {
            template: #template,
            file: ::omp::__private::core::file!(),
            line: #line,
            column: #column,
            overflow_checks: #checks,
        }) };
        #typing
        let __describe = |__cx: &mut #p::Describe| { #answers };
        let __typed = unsafe { (&__SITE).typed(__describe) };
    }
}

/// Mentions what clauses name and the body does not use: a name that does not exist is rustc's error there.
fn unused_names(region: &CheckedRegion, lowered: &Lowered) -> TokenStream {
    let c = &region.directive.clauses;
    let mapped = c.maps.iter().flat_map(|map| &map.items);
    let named = mapped.chain(&c.firstprivate).chain(&c.shared);
    let used = |key: &str| {
        lowered.captures.arrays.iter().any(|a| a.key == key)
            || lowered.captures.scalars.iter().any(|s| s.key == key)
    };
    let mut out: TokenStream = named
        .filter(|item| !used(&item.key))
        .map(|item| {
            let place = &item.place;
            quote_spanned!(item.span=> let _ = &#place;)
        })
        .collect();
    // What iterations assign first may have no value before the loop. The place is mentioned, and not read.
    out.extend(c.private.iter().filter(|item| !used(&item.key)).map(|item| {
        let place = &item.place;
        quote_spanned!(item.span=> let _ = #place;)
    }));
    out
}

/// Bounds and clause expressions, each evaluated once, before anything is borrowed.
fn evaluated(region: &CheckedRegion, lowered: &Lowered) -> TokenStream {
    let mut out = ranges(region, lowered);
    out.extend(ends(region, lowered));
    out.extend(clauses(region, |name, e| quote_spanned!(e.span()=> let #name = #e;)));
    out.extend(sections(lowered));
    out
}

/// The bounds of sections.
fn sections(lowered: &Lowered) -> TokenStream {
    let mut out = TokenStream::new();
    for (i, a) in lowered.captures.arrays.iter().enumerate() {
        for (s, section) in a.sections.iter().enumerate() {
            let ((lo, hi), place) = (section_bounds(i, s), &a.place);
            let bounds = section_ends(section, |e| code!(#e), || code!(#place.len()));
            out.extend(quote_spanned!(a.span=> let (#lo, #hi): (::omp::__private::core::primitive::usize, ::omp::__private::core::primitive::usize) = #bounds;));
        }
    }
    out
}

/// A section as a pair of its first element and the end, of which each part that is written is evaluated once.
pub(super) fn section_ends(
    section: &Section,
    part: impl Fn(&Expr) -> TokenStream,
    whole: impl Fn() -> TokenStream,
) -> TokenStream {
    let from = section.lo.as_ref().map_or_else(|| code!(0), &part);
    match section.hi.as_ref().map(part) {
        // An end that is no number is beyond every array, which the launch says.
        Some(to) if section.inclusive => code!({
            let __from: ::omp::__private::core::primitive::usize = #from;
            let __last: ::omp::__private::core::primitive::usize = #to;
            (__from, ::omp::__private::core::primitive::usize::saturating_add(__last, 1))
        }),
        Some(len) if section.counted => code!({
            let __from: ::omp::__private::core::primitive::usize = #from;
            (__from, ::omp::__private::core::primitive::usize::saturating_add(__from, #len))
        }),
        Some(to) => code!((#from, #to)),
        None => {
            let to = whole();
            code!((#from, #to))
        }
    }
}

/// Names of the bounds of section `s` of array `i`.
pub(super) fn section_bounds(i: usize, s: usize) -> (Ident, Ident) {
    (hidden(&format!("__from{i}_{s}")), hidden(&format!("__to{i}_{s}")))
}

/// The bounds of the loops that the host evaluates.
fn ranges(region: &CheckedRegion, lowered: &Lowered) -> TokenStream {
    let p = private();
    let mut out = TokenStream::new();
    let mut reached = code!(true);
    for (i, head) in region.loops.iter().enumerate() {
        if !lowered.template.dims[i].host {
            continue;
        }
        let (range, dim) = (range(i, head), numbered("d", i));
        out.extend(if i == 0 {
            code!(#range let #dim = __d;)
        } else {
            let checks = bounds::parts(head)
                .into_iter()
                .map(|e| quote_spanned!(e.span()=> ::omp::__private::pure(&#e);));
            // An inner bound that no outer iteration reaches may not be evaluated: it could panic.
            code!(if false { #(#checks)* } let #dim = if #reached { #range __d } else { #p::no_iterations() };)
        });
        reached = code!(#reached && #dim.count() != 0);
    }
    out
}

/// The values of the loop variables in the last iteration, if `lastprivate` needs them.
fn ends(region: &CheckedRegion, lowered: &Lowered) -> TokenStream {
    if region.lasts.is_empty() {
        return TokenStream::new();
    }
    let dims = &lowered.template.dims;
    let names: Vec<Ident> = (0..dims.len()).map(end_name).collect();
    if dims.iter().all(|d| d.host) {
        let values = (0..dims.len()).map(|i| numbered("d", i));
        return code!(#(#names = #values.end();)*);
    }
    // Inner bounds depend on outer variables: the last iteration is looked for from the end.
    let vars: Vec<_> = region.loops.iter().map(|head| &head.var).collect();
    let allow = lints_off();
    let found = code!(break '__found ::omp::__private::core::option::Option::Some((#(#vars,)*)););
    let search = region.loops.iter().enumerate().rev().fold(found, |inside, (i, head)| {
        let var = &head.var;
        let (range, dim) = if dims[i].host {
            (TokenStream::new(), numbered("d", i))
        } else {
            (range(i, head), hidden("__d"))
        };
        code!(#range for #var in #dim.rev().steps(0, #dim.count()) { #inside })
    });
    let index = (0..dims.len()).map(syn::Index::from);
    code! {
        #allow
        let __ends = '__found: { #search ::omp::__private::core::option::Option::None };
        if let ::omp::__private::core::option::Option::Some(__ends) = __ends {
            #(#names = __ends.#index;)*
        }
    }
}

/// Statements that leave a loop's range in `__d`. Those of the outermost keep the bounds for the serial copy.
fn range(i: usize, head: &LoopHead) -> TokenStream {
    let p = private();
    let (lo, hi, dim) = (numbered("lo", i), numbered("hi", i), hidden("__d"));
    let (first, last, inclusive) = (&head.lo, &head.hi, head.inclusive);
    let call = quote_spanned!(head.whole.span()=> #p::range(#lo, #hi, #inclusive));
    // The range that the user wrote: with bounds of two types, its error is the same as in the typing copy.
    let span = head.whole.span();
    let (whole, ends) = if inclusive {
        (quote_spanned!(span=> #first..=#last), code!(__bounds.into_inner()))
    } else {
        (quote_spanned!(span=> #first..#last), code!((__bounds.start, __bounds.end)))
    };
    let mut out = code! {
        let __bounds = #whole;
        let (#lo, #hi) = #ends;
        let #dim = #call;
    };
    for (k, a) in head.adaptors.iter().enumerate() {
        out.extend(match a {
            RangeAdaptor::Rev => code!(let #dim = #dim.rev();),
            RangeAdaptor::StepBy(step) => {
                let name = hidden(&format!("__st{i}_{k}"));
                let call = quote_spanned!(step.span()=> #dim.step_by(#name));
                code!(let #name: ::omp::__private::core::primitive::usize = #step; let #dim = #call;)
            }
        });
    }
    out
}

/// Applies `each` to the clauses that take an expression, with the names of their values.
pub(super) fn clauses(region: &CheckedRegion, each: impl Fn(&Ident, &Expr) -> TokenStream) -> TokenStream {
    let each_of = |clause: &Evaluated| {
        let (method, n) = clause.what.method()?;
        let value: Expr = match clause.values.as_slice() {
            [value] if n == 1 => value.clone(),
            given => {
                let given = given.iter().cloned();
                let all = given.chain(std::iter::repeat_with(|| syn::parse_quote!(1usize))).take(n);
                syn::parse_quote!((#(#all),*))
            }
        };
        // With the span of the expression, so that rustc points there when its type is wrong.
        let at = Span::mixed_site().located_at(value.span());
        Some(each(&Ident::new(&format!("__{method}"), at), &value))
    };
    region.directive.clauses.evaluated.iter().filter_map(each_of).collect()
}

/// The `map` that names an array, or else the struct that owns it.
fn map_of<'a>(region: &'a CheckedRegion, key: &str) -> Option<&'a MapClause> {
    let maps = &region.directive.clauses.maps;
    let named = maps.iter().find(|m| m.items.iter().any(|i| i.key == key));
    let owner = |i: &crate::ast::Item| i.sections.is_empty() && place::covers(&i.key, key);
    named.or_else(|| maps.iter().find(|m| m.items.iter().any(owner)))
}

/// All elements of an array that is read.
fn all(span: Span, place: &Expr) -> TokenStream {
    quote_spanned!(span=> (&&::omp::__private::All(&#place)).omp_all())
}

/// The arrays' borrows, and the region with its data.
fn data(region: &CheckedRegion, lowered: &Lowered, guards: &[Guard]) -> TokenStream {
    let p = private();
    let takes = code!(use #p::{Take0 as _, Take1 as _};);
    let mut borrows = TokenStream::new();
    let mut given = TokenStream::new();
    for (i, a) in lowered.captures.arrays.iter().enumerate() {
        let (array, place) = (numbered("m", i), &a.place);
        if let Some(scalar) = a.or_scalar {
            let held = host::taken(scalar);
            borrows.extend(quote_spanned!(a.span=> let #held = { #takes (&&#p::E(&#place)).omp_held() };));
            borrows
                .extend(code!(let #array = #p::HostArray::read({ #takes (&&#p::E(&#held)).omp_elems() });));
            given.extend(code!((&mut __r).array(&#array);));
            continue;
        }
        // An array that is always copied back may have been written by another region.
        let back = map_of(region, &a.key).is_some_and(|m| m.always && m.ty.brings_back());
        let slice = if a.scalar {
            let (from, borrow) =
                if a.written || back { (code!(from_mut), code!(&mut)) } else { (code!(from_ref), code!(&)) };
            quote_spanned!(a.span=> ::omp::__private::core::slice::#from(#borrow #place))
        } else if a.written || back {
            quote_spanned!(a.span=> &mut #place[..])
        } else {
            all(a.span, place)
        };
        let make = if a.written || back { code!(write) } else { code!(read) };
        let mutable = a.shadowed().map(|_| code!(mut));
        if let Some(guarded) = super::task::array(region, lowered, a, guards) {
            borrows.extend(code!(let #mutable #array = #guarded;));
        } else if region.directive.clauses.device_ptr.iter().any(|item| item.key == a.key) {
            let make = if a.written { "__array_mut" } else { "__array" };
            let make = Ident::new(make, a.span);
            borrows.extend(quote_spanned!(a.span=> let #mutable #array = #place.#make();));
        } else {
            borrows.extend(code! {
                #[allow(clippy::redundant_slicing)]
                let #mutable #array = #p::HostArray::#make(#slice);
            });
        }
        given.extend(code!((&mut __r).array(&#array);));
        for s in 0..a.sections.len() {
            let (lo, hi) = section_bounds(i, s);
            let method = hidden(if a.declared { "declared" } else { "section" });
            given.extend(code!((&mut __r).#method(#lo, #hi);));
        }
        let modifiers = match map_of(region, &a.key) {
            Some(map) => (map.always, map.present),
            None => (false, region.expects_present(a)),
        };
        if let (always, present) = modifiers
            && (always || present)
        {
            given.extend(code!((&mut __r).modifiers(#always, #present);));
        }
    }
    // With the span of the typing copy's question, so that a type that is wrong is one error.
    let mut taken = TokenStream::new();
    let scalars = lowered.captures.scalars.iter().enumerate().map(|(i, s)| {
        let place = &s.place;
        if s.either {
            let held = host::taken(i);
            return code!(&{ #takes (&&#p::E(&#held)).omp_scalar() });
        }
        let value = quote_spanned!(place.span()=> &#place);
        if as_name(place).is_some() {
            return value;
        }
        // On the way to it there may be a `Deref` of the user's, which need not come to the same twice: what the launch
        // decides by is what the host's loop sees.
        let name = host::taken(i);
        taken.extend(code!(let #name = #p::taken(#value);));
        code!(&#name)
    });
    let scalars: Vec<TokenStream> = scalars.collect();
    let copied = region.copied.iter().map(|reference| {
        let name = reference.to_string();
        code!((&mut __r).copied(#name, &*#reference);)
    });
    let copied: TokenStream = copied.collect();
    let dims = lowered.template.dims.iter().enumerate().map(|(i, d)| {
        let dim = numbered("d", i);
        if d.host { code!((&mut __r).dim(#dim.values());) } else { code!((&mut __r).dependent_dim();) }
    });
    let dims: TokenStream = dims.collect();
    let clauses = clauses(region, |name, _| {
        let method = Ident::new(&name.to_string()[2..], name.span());
        quote_spanned!(name.span()=> (&mut __r).#method(#name);)
    });
    let host_only =
        (region.directive.kind == DirectiveKind::ParallelFor).then(|| code!((&mut __r).host_only();));
    let yields = region.directive.clauses.yields.then(|| code!((&mut __r).yields();));
    let unrolled = region.directive.clauses.unroll_fully.then(|| code!((&mut __r).unroll_fully();));
    let schedule = region.directive.clauses.schedule.map(|kind| {
        let kind = match kind {
            ScheduleKind::Static => code!(Static(::omp::__private::core::option::Option::None)),
            ScheduleKind::Dynamic => code!(Dynamic(1)),
            ScheduleKind::Guided => code!(Guided(1)),
            ScheduleKind::Auto => code!(Auto),
        };
        code!((&mut __r).schedule(#p::HostSchedule::#kind);)
    });
    let inside = region.around.block.map(|n| {
        let block = super::data::guard(n);
        code!((&mut __r).inside(&#block);)
    });
    code! {
        #borrows
        let mut __r = unsafe { #p::Region::new(__typed) };
        #inside
        #host_only
        #schedule
        #unrolled
        #yields
        #given
        #taken
        #((&mut __r).scalar(#scalars);)*
        #copied
        #dims
        #clauses
    }
}

/// The launch, and what follows it.
fn launch(region: &CheckedRegion, lowered: &Lowered, all: &[Data], guards: &[Guard]) -> TokenStream {
    let p = private();
    let lost = match region.around.task {
        Some(Task::Own) => super::task::task_block::lost_by(region, lowered),
        _ => None,
    };
    let failed = match region.around.task {
        Some(task) => {
            super::task::task_block::kept(task, (&region.around.scopes, all), &lost, region.directive.span)
        }
        None => super::data::failed(&region.around.scopes, all, region.directive.span),
    };
    // Its failure is a value, not a panic.
    let quiet = region.context.try_ || region.around.task.is_some();
    let reduced = reduced(region, lowered);
    // With the directive's place, which a panic's own location then is.
    let (r, at) = (hidden("__r"), region.directive.span);
    let run = if region.around.task == Some(Task::Own) {
        super::task::run(region, lowered, guards, &failed)
    } else if quiet {
        let ready = match region.around.task {
            Some(Task::Block(n)) => super::task::task_block::memory_is_ready(n, region, all),
            _ => None,
        };
        let run = code! {
            match (&mut __r).try_run() {
                ::omp::__private::core::result::Result::Ok(__o) => __o,
                ::omp::__private::core::result::Result::Err(__e) => #failed,
            }
        };
        if ready.is_some() { code!({ #ready #run }) } else { run }
    } else {
        quote_spanned!(at=> (&mut #r).run())
    };
    let own = region.around.task == Some(Task::Own);
    let refresh = if own { super::task::refresh(lowered, guards) } else { TokenStream::new() };
    if own && host_task::is_movable(region, lowered, guards) {
        let host = host_task::expand(region, lowered, guards, &failed);
        // Its results are not the host's to wait for, nor those of what stands around it. Nor is memory that others wait for by its events.
        let arrays_alone = reduced.is_empty()
            && region.around.block.is_none()
            && region.directive.clauses.device_ptr.is_empty();
        let waits = arrays_alone.then(|| code!((&mut __r).may_wait();));
        return code! {
            #waits
            match #run {
                #p::Outcome::Done => { #refresh #reduced }
                #p::Outcome::Host(__h) => { #host }
            }
        };
    }
    let kept = host::kept(region);
    let host = on_host(region, lowered, &kept, quiet.then_some(&failed));
    let (expected, compared) = verification(region, lowered, guards, &failed);
    let names = super::task::names(region, lowered, guards);
    let label = super::task::own_label(region.directive.span);
    let waited = own.then(|| {
        let memory = !region.directive.clauses.device_ptr.is_empty();
        let memory = memory.then(|| code!(|| !(&*__tasks).memory_is_ready(&__r, __used)));
        code!(if !(&*__tasks).at_once(__used, &__depends) #memory { #lost break #label; } #refresh)
    });
    code! {
        match #run {
            #p::Outcome::Done => { #refresh #reduced #kept }
            #p::Outcome::Host(__h) => {
                #waited
                #names
                #expected
                #host
                #compared
            }
        }
    }
}

/// What the device has reduced, combined with the variables.
fn reduced(region: &CheckedRegion, lowered: &Lowered) -> TokenStream {
    let generic = !region.context.generics.is_empty();
    let reductions =
        lowered.captures.reductions.iter().enumerate().filter(|(_, r)| r.array.is_none() && !r.carried);
    reductions
        .map(|(k, r)| {
            let place = &r.place;
            if region.scan.is_some() {
                // The device's result already includes the scalar's initial value.
                return code!((&mut __r).reduced(#k, &mut #place, |_, __b| __b););
            }
            let both = host::items::combined(r, generic, &code!(__a), [code!(__a), code!(__b)]);
            code!((&mut __r).reduced(#k, &mut #place, |__a, __b| #both);)
        })
        .collect()
}

/// The loop on the host, as it stands or in parallel; `kept` follows what left its last values elsewhere. A failure is `failed`, or a panic.
fn on_host(
    region: &CheckedRegion,
    lowered: &Lowered,
    kept: &TokenStream,
    failed: Option<&TokenStream>,
) -> TokenStream {
    // With the directive's place, which a panic's own location then is.
    let (r, at, body_loop) = (hidden("__r"), region.directive.span, hidden("__loop"));
    let run = |allow: TokenStream, body: TokenStream| {
        let run = match failed {
            Some(failed) => {
                code!(if let ::omp::__private::core::result::Result::Err(__e) = (&mut __r).try_on_host(__loop) { #failed })
            }
            None => quote_spanned!(at=> (&mut #r).on_host(#body_loop)),
        };
        code! {
            #allow
            let __loop = || #body;
            #run
        }
    };
    let counting = counting();
    let (names, serial) = (host::shadows(lowered), host::serial(region, lowered));
    let serial = run(counting, code!({ #names #serial }));
    // The value that a device left there is compared with it.
    let same = region.lasts.iter().map(|last| {
        let (place, array) = (&last.place, &last.array);
        code!(#array[0] = #place;)
    });
    let same: TokenStream = same.collect();
    let unknown = host::items::known(region, lowered).map(|known| code!(|| !(#known)));
    let alone = host::alone(region, lowered);
    let host = match host::parallel(region, lowered) {
        Some(parallel) => {
            let parallel = run(lints_off(), parallel);
            code!(if __h.serial() #unknown #alone { #serial; #same } else { #parallel; #kept })
        }
        None => code!(#serial; #same),
    };
    match claims::claimed(region, lowered) {
        Some(claims::Claimed { tables, serial_loop, parallel }) => {
            let mut claimed = run(lints_off(), serial_loop);
            let apart = parallel.is_some().then(|| code!(let __h = (&__r).kept_apart(__h);));
            if let Some(parallel) = parallel {
                let parallel = run(lints_off(), parallel);
                claimed = code!(if __h.serial() #unknown #alone { #claimed } else { #parallel });
            }
            code!({ #apart if __h.claims() { #tables #claimed; #kept } else { #host } })
        }
        None => host,
    }
}

/// Loops under directives count, and the code that replaces calls and iterator chains has forms that no user would write:
/// clippy's lints about them are off.
pub(super) fn counting() -> TokenStream {
    code! {
        #[allow(
            clippy::needless_range_loop, clippy::manual_memcpy, clippy::manual_swap, clippy::explicit_counter_loop,
            clippy::redundant_slicing, clippy::redundant_closure_call, clippy::op_ref, clippy::len_zero
        )]
    }
}

/// `OMP_VERIFY`: what stands before and after the host's loop.
pub(super) fn verification(
    region: &CheckedRegion,
    lowered: &Lowered,
    guards: &[Guard],
    failed: &TokenStream,
) -> (TokenStream, TokenStream) {
    let p = private();
    if region.directive.kind == DirectiveKind::ParallelFor {
        return Default::default();
    }
    let mut expected = TokenStream::new();
    let mut compared = TokenStream::new();
    for (k, r) in
        lowered.captures.reductions.iter().enumerate().filter(|(_, r)| r.array.is_none() && !r.carried)
    {
        let (place, key) = (&r.place, &r.key);
        let both = host::items::combined_results(region, r, [code!(__a), code!(__b)]);
        expected.extend(code!((&mut __r).expect_item(#k, &#place, |__a, __b| #both);));
        compared.extend(code!((&mut __r).compare_item(#k, #key, &#place);));
    }
    for (i, a) in lowered.captures.arrays.iter().enumerate().filter(|(_, a)| a.written) {
        if let Some(array) = super::task::borrowed(region, lowered, (i, a), guards) {
            compared.extend(code!((&mut __r).compare_array(#i, &#array);));
            continue;
        }
        let place = &a.place;
        let slice = if a.scalar {
            code!(::omp::__private::core::slice::from_ref(&#place))
        } else {
            all(a.span, place)
        };
        compared.extend(code!((&mut __r).compare_array(#i, &#p::HostArray::read(#slice));));
    }
    let (r, at) = (hidden("__r"), region.directive.span);
    let verdict = if region.context.try_ || region.around.task.is_some() {
        code!(if let ::omp::__private::core::result::Result::Err(__e) = (&mut __r).try_verified() { #failed })
    } else {
        quote_spanned!(at=> (&mut #r).verified();)
    };
    let allow = lints_off();
    let expected = if expected.is_empty() { expected } else { code!(if (&__r).verifying() { #expected }) };
    (expected, code!(#allow { if (&__r).verifying() { #compared #verdict } }))
}
