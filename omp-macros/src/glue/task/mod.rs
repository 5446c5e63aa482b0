//! Tasks: the scope of a function, the guards of its data, waits and groups, and the code around regions and directives
//! while guards are in force.
//!
//! The scope is `__tasks`, the first variable of the function; guards borrow it. A region uses the user's names: inside
//! the block that the region expands to, they mean the guards' data.
pub(super) mod host_task;
pub mod task_block;
pub mod task_data;
pub(super) mod task_methods;
pub mod task_names;

use super::data::failed;
use super::{hidden, numbered, private};
use crate::ast::{Data, DependKind, Number, Task, TaskGroup, Wait};
use crate::expand::tasks::{Guard, GuardKind, indexes, mentions, path, tokens};
use crate::lower::{CapturedArray, CapturedReduction, Lowered};
use crate::sema::CheckedRegion;
use crate::sema::syntax::forms::as_name;
use crate::sema::syntax::place::{item_key, scalar_key};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use std::collections::HashMap;
use syn::{Block, Expr, ReturnType, Signature, Stmt};
use task_data::depends;

pub fn verbatim(tokens: TokenStream) -> Stmt {
    Stmt::Expr(Expr::Verbatim(tokens), None)
}

/// The scope of a function's tasks.
pub fn scope(try_: bool) -> Stmt {
    let p = private();
    // Its own variable is named nowhere else.
    verbatim(code! {
        let __scope = #p::Tasks::new(#try_);
        let __tasks = &*__scope;
    })
}

/// A function whose failures leave it by `?`: the body in the scope of its tasks, and its end.
pub fn around(scope: Stmt, sig: &Signature, body: &Block) -> Vec<Stmt> {
    let written = match &sig.output {
        ReturnType::Type(_, ty) if !matches!(**ty, syn::Type::ImplTrait(_)) => Some(code!(: #ty)),
        _ => None,
    };
    let allow = crate::expand::left_lints(&syn::parse_quote!(#body));
    let value = verbatim(code! {
        #allow
        let __value #written = #body;
    });
    let name = hidden("__value");
    let end = verbatim(code!(#allow #name));
    vec![scope, value, verbatim(finish(sig.ident.span())), end]
}

/// A guard, as a place.
pub(super) fn variable(guard: &Guard) -> TokenStream {
    guard.guard(Span::mixed_site())
}

/// Makes a guard, of which host code calls these methods.
pub fn guard(guard: &Guard, called: &[Ident]) -> Stmt {
    let p = private();
    let (place, length, at) = (&guard.place, guard.length(), Span::mixed_site());
    let (name, own, borrowed) = (guard.name(at), guard.own(at), hidden("__borrowed"));
    let checks = task_methods::of_slices(place, called);
    let at = guard.span;
    let borrowed_place = quote_spanned!(at=> &#place);
    let pinned = code!(if false { #p::pin(#borrowed_place); #checks });
    // SAFETY: the guard's variable is dropped where its block ends, or at a wait before that: users can't name it.
    verbatim(match guard.kind {
        GuardKind::Array if guard.mutable => {
            let borrow = quote_spanned!(at=> &mut #place[..]);
            code! {
                #[allow(clippy::all, clippy::pedantic)]
                let #borrowed = { #pinned #borrow };
                let mut #own = unsafe { #p::TaskArray::new(__tasks, #borrowed) };
                let #name: &mut #p::TaskArray<'_, '_, _> = &mut #own;
                let #length = (&*#name).len();
            }
        }
        GuardKind::Array => {
            let borrow = quote_spanned!(at=> &#place[..]);
            code! {
                #[allow(clippy::all, clippy::pedantic)]
                let #borrowed = { #pinned #borrow };
                let #own = unsafe { #p::TaskShared::new(__tasks, #borrowed) };
            }
        }
        GuardKind::Scalar => {
            let borrow = quote_spanned!(at=> &mut #place);
            code! {
                let #borrowed = #borrow;
                let mut #own = unsafe { #p::TaskValue::new(__tasks, #borrowed) };
                let #name: &mut #p::TaskValue<'_, '_, _> = &mut #own;
            }
        }
    })
}

/// Ends a guard, at a wait: rustc shows it where the borrow of what it holds is spoken of.
pub fn end(guard: &Guard, at: Span) -> Stmt {
    let own = guard.own(at);
    let at = Span::mixed_site().located_at(at);
    verbatim(quote_spanned!(at=> ::omp::__private::ended(#own);))
}

/// A call that gives a `Result`, whose failure leaves the function, and the data regions that it stands in.
fn tried(call: &TokenStream, scopes: &[usize], all: &[Data], span: Span) -> TokenStream {
    let failed = failed(scopes, all, span);
    code!(if let ::omp::__private::core::result::Result::Err(__e) = #call #failed)
}

/// The statement by which a function leaves with `?` after its tasks.
pub fn finish(span: Span) -> TokenStream {
    tried(&code!((&*__tasks).try_wait()), &[], &[], span)
}

/// `taskwait!`
pub fn wait(wait: &Wait, guards: &[Guard], all: &[Data]) -> TokenStream {
    let (span, clauses) = (wait.directive.span, &wait.directive.clauses);
    let tasks = hidden("__tasks");
    if clauses.number(Number::Queue).is_some() {
        // The host does not wait here: later tasks in that queue do.
        let depends = depends(clauses, guards);
        return code!({ #depends (&*#tasks).queue_waits(&__depends) });
    }
    if wait.is_full() {
        return if wait.context.try_ {
            tried(&code!((&*__tasks).try_wait()), &wait.scopes, all, span)
        } else {
            quote_spanned!(span=> (&*#tasks).wait())
        };
    }
    let parts = clauses.depend.iter().flat_map(|d| d.items.iter().map(move |i| (d.kind, i)));
    let parts = parts.filter_map(|(kind, item)| {
        let key = item_key(item);
        let guard = guards.iter().find(|g| g.key == key)?;
        let (name, written) = (variable(guard), kind != DependKind::In);
        Some(if wait.context.try_ {
            tried(&code!((&#name).try_wait(#written)), &wait.scopes, all, span)
        } else {
            let call = quote_spanned!(span=> (&#name).wait(#written));
            code!(#call;)
        })
    });
    let parts: TokenStream = parts.collect();
    // Tasks may name what is none of their data.
    let depends = depends(clauses, guards);
    let named = if wait.context.try_ {
        tried(&code!((&*#tasks).try_wait_named(&__depends)), &wait.scopes, all, span)
    } else {
        let named = hidden("__depends");
        let call = quote_spanned!(span=> (&*#tasks).wait_named(&#named));
        code!(#call;)
    };
    code!({ #parts #depends #named })
}

/// The start of a group, and what leaves it.
pub fn group(n: usize, group: &TaskGroup, all: &[Data]) -> (TokenStream, TokenStream) {
    let mark = numbered("group", n);
    let start = code!(let #mark = (&*__tasks).group(););
    let (tasks, at) = (hidden("__tasks"), group.span);
    let leave = if group.context.try_ {
        tried(&code!((&*__tasks).try_wait_group(#mark)), &group.scopes, all, at)
    } else {
        quote_spanned!(at=> (&*#tasks).wait_group(#mark))
    };
    (start, code!({ #leave }))
}

/// The label of a region that is a task.
pub fn own_label(span: Span) -> syn::Lifetime {
    syn::Lifetime::new("'__task", Span::mixed_site().located_at(span))
}

/// A guard's data under the user's name, for the block of a region.
struct GuardBinding {
    /// `let y = …;`
    before: TokenStream,
    /// Gives a variable's value back.
    after: TokenStream,
    /// The name that replaces a place that is no variable.
    renamed: Option<(Vec<String>, Ident)>,
}

/// The variable that stands for a place while a region runs: of the same name (`plain`), or for a field a new one.
pub(super) struct Local {
    pub name: Ident,
    pub plain: bool,
}

/// See there.
pub(super) fn local(k: usize, guard: &Guard) -> Local {
    let plain = match &guard.place {
        Expr::Unary(u) => as_name(&u.expr),
        place => as_name(place),
    };
    match plain.cloned() {
        Some(name) => Local { name, plain: true },
        None => Local { name: numbered("field", k), plain: false },
    }
}

/// What a region is given of a guarded variable when it is launched.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Now {
    Value,
    /// Only its type: the value is read later.
    Type,
}

/// Allows the lints about a second variable of the user's name.
pub(super) fn shadowing() -> TokenStream {
    code!(#[allow(clippy::shadow_reuse, clippy::shadow_same, clippy::shadow_unrelated)])
}

fn bind(k: usize, guard: &Guard, at: Span, array: TokenStream, (task, now): (bool, Now)) -> GuardBinding {
    let name = guard.guard(at);
    let Local { name: local, plain } = local(k, guard);
    let renamed = (!plain).then(|| (path(&guard.key), local.clone()));
    let allow = shadowing();
    let (before, after) = match guard.kind {
        GuardKind::Array => (code!(#allow let #local = #array; let _ = &#local;), TokenStream::new()),
        GuardKind::Scalar => {
            let value = numbered("kept", k);
            let get = match (task, now) {
                (true, Now::Value) => code!((&#name).task_value()),
                (true, Now::Type) => code!((&#name).task_type()),
                (false, _) => code!(*#name),
            };
            let put = |value: &Ident| {
                if task { code!((&mut #name).task_put(#value);) } else { code!(*#name = #value;) }
            };
            if guard.deref {
                (code!(let mut #value = #get; #allow let #local = &mut #value; let _ = &#local;), put(&value))
            } else {
                (code!(#allow let mut #local = #get; let _ = &mut #local;), put(&local))
            }
        }
    };
    GuardBinding { before, after, renamed }
}

/// Whether a region uses the data of a guard (`None`: not at all), and whether it leaves new values in it.
fn use_of(region: &CheckedRegion, lowered: &Lowered, guard: &Guard) -> Option<bool> {
    let captures = &lowered.captures;
    if region.directive.clauses.device_ptr.iter().any(|item| item.key == guard.key) {
        // The name stands for a view of the device's memory.
        return None;
    }
    let array = captures.arrays.iter().find(|a| a.key == guard.key);
    let reduced = captures.reductions.iter().any(|r| r.key == guard.key);
    let read = captures.scalars.iter().any(|s| s.key == guard.key);
    let last = is_last(region, guard);
    let back = array.is_some_and(|a| comes_back(region, a));
    let evaluated_before =
        || guard.kind == GuardKind::Scalar && evaluated(region, lowered, &path(&guard.key), mentions);
    (array.is_some() || reduced || read || last || evaluated_before()).then_some(reduced || last || back)
}

/// Whether `lastprivate` names what a guard stands for.
fn is_last(region: &CheckedRegion, guard: &Guard) -> bool {
    region.lasts.iter().any(|last| scalar_key(&last.place).as_ref() == Some(&guard.key))
}

/// Whether a region leaves what a guard stands for with a new value.
pub fn gives_back(region: &CheckedRegion, lowered: &Lowered, guard: &Guard) -> bool {
    use_of(region, lowered, guard) == Some(true)
}

/// Whether a variable is reduced and used in no other way: then its value is read at the end.
fn is_reduced(region: &CheckedRegion, lowered: &Lowered, guard: &Guard) -> bool {
    let captures = &lowered.captures;
    let otherwise = captures.scalars.iter().any(|s| s.key == guard.key)
        || captures.arrays.iter().any(|a| a.key == guard.key);
    reduces(lowered, guard)
        && !otherwise
        && region.scan.is_none()
        && !evaluated(region, lowered, &path(&guard.key), mentions)
}

/// Whether a task reaches a variable where it stands, as an array of one element: what is accessed atomically, and what
/// `lastprivate` leaves.
fn is_direct(region: &CheckedRegion, lowered: &Lowered, guards: &[Guard], guard: &Guard) -> bool {
    let direct = |a: &CapturedArray| direct_of(region, a, guards).is_some_and(|g| g.n == guard.n);
    host_task::is_movable(region, lowered, guards) && lowered.captures.arrays.iter().any(direct)
}

/// The guard of the variable that an array of one element is.
pub(super) fn direct_of<'g>(
    region: &CheckedRegion,
    a: &CapturedArray,
    guards: &'g [Guard],
) -> Option<&'g Guard> {
    let last = region.lasts.iter().find(|last| last.array == a.key.as_str());
    let key = match last {
        Some(last) => scalar_key(&last.place)?,
        None if a.scalar => a.key.clone(),
        None => return None,
    };
    guards.iter().find(|g| g.kind == GuardKind::Scalar && g.key == key)
}

/// Whether a task needs the value that a guarded variable has when it is launched.
fn takes_value(region: &CheckedRegion, lowered: &Lowered, guards: &[Guard], guard: &Guard) -> bool {
    if !is_direct(region, lowered, guards, guard) {
        return !is_reduced(region, lowered, guard);
    }
    let last = is_last(region, guard);
    let first = region.directive.clauses.firstprivate.iter().any(|i| i.key == guard.key);
    let read = lowered.captures.scalars.iter().any(|s| s.key == guard.key) && (!last || first);
    read || evaluated(region, lowered, &path(&guard.key), mentions)
}

/// Whether an array is borrowed for writing.
pub(super) fn comes_back(region: &CheckedRegion, a: &CapturedArray) -> bool {
    let always =
        |m: &crate::ast::MapClause| m.always && m.ty.brings_back() && m.items.iter().any(|i| i.key == a.key);
    a.written || region.directive.clauses.maps.iter().any(always)
}

/// Puts a region into the guards that are in force.
pub fn region(
    region: &CheckedRegion,
    lowered: &Lowered,
    guards: &[Guard],
    data: &[Data],
    inner: TokenStream,
) -> TokenStream {
    let own = region.around.task == Some(Task::Own);
    let task = region.around.task.is_some();
    let now =
        |g: &Guard| if own && !takes_value(region, lowered, guards, g) { Now::Type } else { Now::Value };
    let mut before = TokenStream::new();
    let mut after = TokenStream::new();
    let mut names = HashMap::new();
    let (mut used, mut all) = (Vec::new(), Vec::new());
    let p = private();
    for (k, guard) in guards.iter().enumerate() {
        let Some(write) = use_of(region, lowered, guard) else {
            let place = path(&guard.key);
            // A bound that speaks of it: of its length, or of an element, which waits as host code does.
            if guard.mutable && guard.kind == GuardKind::Array && evaluated(region, lowered, &place, mentions)
            {
                let name = guard.guard(guard.span);
                let array = if evaluated(region, lowered, &place, indexes) {
                    quote_spanned!(guard.span=> &*#name)
                } else {
                    quote_spanned!(guard.span=> (&mut #name).task_type())
                };
                let binding = bind(k, guard, guard.span, array, (task, Now::Value));
                before.extend(binding.before);
                names.extend(binding.renamed);
            }
            continue;
        };
        let array = lowered.captures.arrays.iter().find(|a| a.key == guard.key);
        let at = array.map_or(guard.span, |a| a.span);
        let name = variable(guard);
        used.push(code!(#p::Guarded::used(&#name, #write)));
        all.push(code!(#p::Guarded::used(&#name, true)));
        if !guard.mutable {
            continue;
        }
        // With the place's span, so that rustc points there when something is borrowed still.
        let name = guard.guard(at);
        let array = match task {
            _ if is_typed(region, lowered, guard) => quote_spanned!(at=> (&mut #name).task_type()),
            true => quote_spanned!(at=> &mut *#name),
            _ if write => quote_spanned!(at=> &mut *#name),
            _ => quote_spanned!(at=> &*#name),
        };
        let binding = bind(k, guard, at, array, (task, now(guard)));
        before.extend(binding.before);
        if write && !(own && is_direct(region, lowered, guards, guard)) {
            after.extend(binding.after);
        }
        names.extend(binding.renamed);
    }
    let inner = tokens(inner, &names);
    if !own && used.is_empty() {
        return if before.is_empty() { inner } else { code!({ #before #inner }) };
    }
    if !own {
        // Updates to the device only read the host's copy, but the region needs what they send.
        let settled = match region.around.task {
            Some(Task::Block(n)) => {
                let leave = task_block::given_up(n, &region.around.scopes, data);
                code!(if !(&*__tasks).ready(&[#(#all),*]) { #leave })
            }
            _ => settled_all(region, &all, data),
        };
        return code!({ #settled #before #inner #after });
    }
    let label = own_label(region.directive.span);
    let depends = match region.around.block {
        // The guards of the block.
        Some(n) => {
            let named = task_block::depends(n);
            code!(let __depends = (&#named).clone();)
        }
        None => depends(&region.directive.clauses, guards),
    };
    // A guard whose value the launch reads must hold it.
    let reads = |g: &&Guard| {
        g.kind == GuardKind::Scalar && use_of(region, lowered, g).is_some() && now(g) == Now::Value
    };
    let now: Vec<TokenStream> = guards.iter().filter(reads).map(variable).collect();
    let lost = task_block::lost_by(region, lowered);
    let wait = (!now.is_empty()).then(|| {
        code! {
            if !(&*__tasks).taking(&[#(#p::Guarded::used(&#now, true)),*], __used) {
                #lost
                break #label;
            }
        }
    });
    // With a queue, whether the host waits for the task is the queue's number's affair.
    let (outside, inside, goes_on) = match region.directive.clauses.number(Number::Queue) {
        Some(_) => (Some(depends), None, Some(code!((&*__tasks).goes_on(&__depends);))),
        None => (None, Some(depends), None),
    };
    let task = code! {
        #label: {
            let __used: &[#p::Used] = &[#(#used),*];
            #inside
            #wait
            #before
            #inner
            #after
        }
    };
    if outside.is_none() { task } else { code!({ #outside #task #goes_on }) }
}

/// Waits for all tasks on the data of a region that is none.
fn settled_all(region: &CheckedRegion, used: &[TokenStream], data: &[Data]) -> TokenStream {
    let at = region.directive.span;
    if region.context.try_ {
        let settled = code!((&*__tasks).try_settle(&[#(#used),*]));
        return tried(&settled, &region.around.scopes, data, at);
    }
    let tasks = hidden("__tasks");
    quote_spanned!(at=> (&*#tasks).settle(&[#(#used),*]);)
}

/// Whether a task gets the type and the length of an array alone, before it is borrowed: nothing that is evaluated looks at
/// its elements.
fn is_typed(region: &CheckedRegion, lowered: &Lowered, guard: &Guard) -> bool {
    let own = region.around.task == Some(Task::Own) && guard.mutable && guard.kind == GuardKind::Array;
    own && use_of(region, lowered, guard).is_some() && !evaluated(region, lowered, &path(&guard.key), indexes)
}

/// Bindings of such arrays for code that never runs.
pub fn types(region: &CheckedRegion, lowered: &Lowered, guards: &[Guard]) -> TokenStream {
    let typed = guards.iter().enumerate().filter(|(_, g)| is_typed(region, lowered, g));
    typed
        .map(|(k, g)| local(k, g).name)
        .map(|name| code!(let #name = ::omp::__private::task_never(#name);))
        .collect()
}

/// Whether what is evaluated before a region's data is borrowed `uses` a place.
fn evaluated(
    region: &CheckedRegion,
    lowered: &Lowered,
    place: &[String],
    uses: fn(TokenStream, &[String]) -> bool,
) -> bool {
    uses(before_launch(region, lowered), place)
}

/// The expressions that are evaluated before a region's data is borrowed.
pub fn before_launch(region: &CheckedRegion, lowered: &Lowered) -> TokenStream {
    let mut all = TokenStream::new();
    for head in &region.loops {
        head.whole.to_tokens(&mut all);
    }
    // The statements of `lastprivate` there only name a type.
    let own = |s: &&Stmt| !region.lasts.iter().any(|last| binds(s, &last.array));
    region.prelude.iter().filter(own).for_each(|s| s.to_tokens(&mut all));
    let sections = lowered.captures.arrays.iter().flat_map(|a| &a.sections);
    sections.flat_map(|s| s.lo.iter().chain(&s.hi)).for_each(|e| e.to_tokens(&mut all));
    all.extend(super::region::clauses(region, |_, e| e.to_token_stream()));
    if let Some(head) = &region.reached {
        head.whole.to_tokens(&mut all);
    }
    all
}

/// Gives what a task reduces the values that it has once others have ended.
pub(super) fn refresh(lowered: &Lowered, guards: &[Guard]) -> TokenStream {
    let mut out = TokenStream::new();
    for (k, guard) in guards.iter().enumerate().filter(|(_, g)| g.kind == GuardKind::Scalar) {
        if reduces(lowered, guard) {
            let (name, Local { name: local, .. }) = (variable(guard), local(k, guard));
            let place = if guard.deref { code!(*#local) } else { code!(#local) };
            out.extend(code!(#place = (&#name).task_value();));
        }
    }
    out
}

/// Whether a task reduces the variable of a guard.
pub(super) fn reduces(lowered: &Lowered, guard: &Guard) -> bool {
    lowered.captures.reductions.iter().any(|r| r.key == guard.key && r.array.is_none() && !r.carried)
}

fn binds(stmt: &Stmt, name: &Ident) -> bool {
    matches!(stmt, Stmt::Local(l) if matches!(&l.pat, syn::Pat::Ident(p) if p.ident == *name))
}

/// How a region that is a task is run: what [`super::region`] matches on.
pub fn run(region: &CheckedRegion, lowered: &Lowered, guards: &[Guard], failed: &TokenStream) -> TokenStream {
    let (p, label) = (private(), own_label(region.directive.span));
    let mut slots = TokenStream::new();
    let mut ends = TokenStream::new();
    for guard in guards.iter().filter(|g| g.kind == GuardKind::Scalar) {
        if use_of(region, lowered, guard) != Some(true) {
            continue;
        }
        let name = variable(guard);
        let reductions = lowered.captures.reductions.iter().enumerate();
        let mine = |r: &CapturedReduction| r.key == guard.key && r.array.is_none() && !r.carried;
        for (n, r) in reductions.filter(|(_, r)| mine(r)) {
            let slot = numbered("slot", n);
            let both = super::host::items::combined_results(region, r, [code!(__a), code!(__b)]);
            slots.extend(code!(let #slot = (&mut #name).slot();));
            let change = numbered("change", n);
            // The task ends at a wait, while the guard lives and has lent nothing.
            ends.extend(code! {
                let #change = (&#slot).changing(|__v| #p::Region::reduced(__r, #n, __v, |__a, __b| #both));
                unsafe { #slot.change(#change) };
            });
        }
    }
    let allow = super::lints_off();
    let then = (!ends.is_empty()).then(|| {
        code! {
            #slots
            #allow
            let __then = move |__r: &mut #p::Region| { #ends };
            (&*__tasks).then(__n, ::omp::__private::std::boxed::Box::new(__then));
        }
    });
    code! {
        match (&*__tasks).launch(&mut __r, __used, &__depends) {
            ::omp::__private::core::result::Result::Ok(#p::Launched::Now(__o)) => __o,
            ::omp::__private::core::result::Result::Ok(#p::Launched::Later(__n)) => { #then break #label; }
            ::omp::__private::core::result::Result::Ok(#p::Launched::Not) => break #label,
            ::omp::__private::core::result::Result::Err(__e) => #failed,
        }
    }
}

/// The array of a region that is a task, from its guard.
pub fn array(
    region: &CheckedRegion,
    lowered: &Lowered,
    a: &CapturedArray,
    guards: &[Guard],
) -> Option<TokenStream> {
    let guard = own_guard(region, lowered, a, guards)?;
    let name = guard.guard(a.span);
    Some(if comes_back(region, a) {
        quote_spanned!(a.span=> (&mut #name).task_write())
    } else {
        quote_spanned!(a.span=> (&#name).task_read())
    })
}

fn own_guard<'a>(
    region: &CheckedRegion,
    lowered: &Lowered,
    a: &CapturedArray,
    guards: &'a [Guard],
) -> Option<&'a Guard> {
    let task = region.around.task == Some(Task::Own);
    if task && host_task::is_movable(region, lowered, guards) {
        let direct = direct_of(region, a, guards);
        if direct.is_some() {
            return direct;
        }
    }
    let own = task && !a.scalar;
    guards.iter().find(|g| own && g.mutable && g.kind == GuardKind::Array && g.key == a.key)
}

/// Names for the host's loop of a task: what stood for the data when it was launched is no more.
pub fn names(region: &CheckedRegion, lowered: &Lowered, guards: &[Guard]) -> TokenStream {
    let allow = shadowing();
    let arrays = lowered.captures.arrays.iter().enumerate();
    let names = arrays.filter_map(|(i, a)| {
        let guard = own_guard(region, lowered, a, guards)?;
        let k = guards.iter().position(|g| g.n == guard.n)?;
        let (Local { name: local, .. }, array) = (local(k, guard), numbered("m", i));
        Some(if comes_back(region, a) {
            // Only one of the host's loops runs, and it uses one of the names that stand for an array.
            code!(#allow let #local = unsafe { (&#array).task_elements() }; let _ = &#local;)
        } else {
            code!(#allow let #local = unsafe { (&#array).slice() }; let _ = &#local;)
        })
    });
    names.collect()
}

/// The variable of a region's array that has a guard.
pub fn borrowed(
    region: &CheckedRegion,
    lowered: &Lowered,
    (i, a): (usize, &CapturedArray),
    guards: &[Guard],
) -> Option<Ident> {
    own_guard(region, lowered, a, guards).map(|_| numbered("m", i))
}
