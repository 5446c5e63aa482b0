//! Tasks: the scope of a function, the guards of its data, waits and groups, and what stands around regions and
//! directives while guards are in force.
//!
//! The scope is `__tasks`, made first of all in the function; guards borrow it. A region finds its data under the names
//! that the user gave it: inside the block that it expands to they stand for what the guards hand out.
use super::{hidden, numbered, private};
use crate::ast::{Data, DependKind, Region, Task, TaskGroup, Wait};
use crate::expand::tasks::{Guard, GuardKind, label, path, tokens};
use crate::lower::Lowered;
use crate::sema::place::item_key;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::{Block, Expr, ReturnType, Signature, Stmt};

fn verbatim(tokens: TokenStream) -> Stmt {
    Stmt::Expr(Expr::Verbatim(tokens), None)
}

/// The scope of a function's tasks.
pub fn scope(try_: bool) -> Stmt {
    let p = private();
    verbatim(code!(let __tasks = #p::Tasks::new(#try_);))
}

/// A function whose failures leave it by `?`: the body in the scope of its tasks, and its end.
pub fn around(scope: Stmt, sig: &Signature, body: &Block) -> Vec<Stmt> {
    let written = match &sig.output {
        ReturnType::Type(_, ty) if !matches!(**ty, syn::Type::ImplTrait(_)) => Some(code!(: #ty)),
        _ => None,
    };
    let value = verbatim(code! {
        #[allow(unreachable_code, clippy::all, clippy::pedantic)]
        let __value #written = #body;
    });
    let name = hidden("__value");
    let end = verbatim(code!(#[allow(unreachable_code)] #name));
    vec![scope, value, verbatim(finish(sig.ident.span())), end]
}

/// The variable of a guard.
fn variable(guard: &Guard) -> Ident {
    guard.name(Span::mixed_site())
}

/// Makes a guard.
pub fn guard(guard: &Guard) -> Stmt {
    let p = private();
    let (name, place, length) = (variable(guard), &guard.place, guard.length());
    let pinned = code!(if false { #p::pin(&#place); });
    let at = guard.span;
    verbatim(match guard.kind {
        GuardKind::Array if guard.mutable => {
            let borrow = quote_spanned!(at=> &mut #place[..]);
            code! {
                #[allow(unused_mut, unused_variables, clippy::all, clippy::pedantic)]
                let mut #name = { #pinned #p::TaskArray::new(&__tasks, #borrow) };
                #[allow(unused_variables)]
                let #length = #name.len();
            }
        }
        GuardKind::Array => {
            let borrow = quote_spanned!(at=> &#place[..]);
            code! {
                #[allow(unused_variables, clippy::all, clippy::pedantic)]
                let #name = { #pinned #p::TaskShared::new(&__tasks, #borrow) };
            }
        }
        GuardKind::Scalar => {
            let borrow = quote_spanned!(at=> &mut #place);
            code! {
                #[allow(unused_mut, unused_variables)]
                let mut #name = #p::TaskValue::new(&__tasks, #borrow);
            }
        }
    })
}

/// Ends a guard.
pub fn end(guard: &Guard) -> Stmt {
    let name = variable(guard);
    verbatim(code!(::core::mem::drop(#name);))
}

/// A failure that leaves the function, and the data regions that it stands in.
fn failed(scopes: &[usize], all: &[Data], span: Span) -> TokenStream {
    let abandon = super::data::abandon(scopes, all);
    let at = Span::mixed_site().located_at(span);
    let error = Ident::new("__e", at);
    let made = quote_spanned!(at=> ::omp::__private::FromFailure::from_failure(#error));
    code!({ #abandon return ::core::result::Result::Err(#made) })
}

/// What leaves a function by `?` after its tasks.
pub fn finish(span: Span) -> TokenStream {
    let failed = failed(&[], &[], span);
    code!(if let ::core::result::Result::Err(__e) = __tasks.try_wait() #failed)
}

/// `taskwait!`
pub fn wait(wait: &Wait, guards: &[Guard], all: &[Data]) -> TokenStream {
    let (span, clauses) = (wait.directive.span, &wait.directive.clauses);
    let tasks = hidden("__tasks");
    if clauses.depend.is_empty() {
        return if wait.context.try_ {
            let failed = failed(&wait.scopes, all, span);
            code!(if let ::core::result::Result::Err(__e) = __tasks.try_wait() #failed)
        } else {
            quote_spanned!(span=> #tasks.wait())
        };
    }
    let parts = clauses.depend.iter().flat_map(|d| d.items.iter().map(move |i| (d.kind, i)));
    let parts = parts.map(|(kind, item)| {
        let key = item_key(item);
        let Some(guard) = guards.iter().find(|g| g.key == key) else {
            // No task uses it.
            let place = &item.place;
            return code!(let _ = &#place;);
        };
        let (name, written) = (variable(guard), kind != DependKind::In);
        if wait.context.try_ {
            let failed = failed(&wait.scopes, all, span);
            code!(if let ::core::result::Result::Err(__e) = #name.try_wait(#written) #failed)
        } else {
            let call = quote_spanned!(span=> #name.wait(#written));
            code!(#call;)
        }
    });
    code!({ #(#parts)* })
}

/// The start of a group, and what leaves it.
pub fn group(n: usize, group: &TaskGroup, all: &[Data]) -> (TokenStream, TokenStream) {
    let mark = numbered("group", n);
    let start = code!(let #mark = __tasks.group(););
    let (tasks, at) = (hidden("__tasks"), group.span);
    let leave = if group.context.try_ {
        let failed = failed(&group.scopes, all, at);
        code!(if let ::core::result::Result::Err(__e) = __tasks.try_wait_group(#mark) #failed)
    } else {
        quote_spanned!(at=> #tasks.wait_group(#mark))
    };
    (start, code!({ #leave }))
}

/// The label of a region that is a task.
pub fn own_label(span: Span) -> syn::Lifetime {
    syn::Lifetime::new("'__task", Span::mixed_site().located_at(span))
}

/// The name of the label of a target block that is a task.
pub fn block_label(n: usize) -> syn::Lifetime {
    label(n).name
}

/// What a failure of a region does that is, or is in, a task: it is kept until somebody waits.
pub fn kept(task: Task, scopes: &[usize], all: &[Data], span: Span) -> TokenStream {
    match task {
        Task::Own => {
            let label = own_label(span);
            code!({ __tasks.failed(__e); break #label; })
        }
        Task::Block(n) => {
            // The block's own data is given up, and what is open in it.
            let inner: Vec<usize> = scopes.iter().copied().skip_while(|s| *s != n).collect();
            let (abandon, label) = (super::data::abandon(&inner, all), label(n).name);
            code!({ #abandon __tasks.failed(__e); break #label; })
        }
    }
}

/// A guard's data under the user's name, for the block of a region.
struct Handed {
    /// `let y = …;`
    before: TokenStream,
    /// Gives a variable's value back.
    after: TokenStream,
    /// What stands for a place that is no variable.
    renamed: Option<(Vec<String>, Ident)>,
}

fn handed(k: usize, guard: &Guard, at: Span, write: bool, task: bool) -> Handed {
    // With the place's span, so that rustc points there when something is borrowed still.
    let (name, path) = (guard.name(at), path(&guard.key));
    let plain: Option<Ident> = match &guard.place {
        Expr::Path(p) => p.path.get_ident().cloned(),
        Expr::Unary(u) => match &*u.expr {
            Expr::Path(p) => p.path.get_ident().cloned(),
            _ => None,
        },
        _ => None,
    };
    let (local, renamed) = match plain {
        Some(name) => (name, None),
        None => {
            let local = numbered("field", k);
            (local.clone(), Some((path, local)))
        }
    };
    let allow = code!(#[allow(unused, clippy::shadow_reuse, clippy::shadow_same, clippy::shadow_unrelated)]);
    let (before, after) = match guard.kind {
        GuardKind::Array => {
            let get = match (task, write) {
                (true, true) => quote_spanned!(at=> #name.task_write()),
                (true, false) => quote_spanned!(at=> #name.task_read()),
                (false, true) => quote_spanned!(at=> &mut *#name),
                (false, false) => quote_spanned!(at=> &*#name),
            };
            (code!(#allow let #local = #get;), TokenStream::new())
        }
        GuardKind::Scalar => {
            let value = numbered("kept", k);
            let get = if task { code!(#name.task_value()) } else { code!(*#name) };
            let put = if task { code!(#name.task_put(#value)) } else { code!(*#name = #value) };
            if guard.deref {
                (code!(let mut #value = #get; #allow let #local = &mut #value;), code!(#put;))
            } else {
                let put = if task { code!(#name.task_put(#local)) } else { code!(*#name = #local) };
                (code!(#allow let mut #local = #get;), code!(#put;))
            }
        }
    };
    Handed { before, after, renamed }
}

/// Puts a region into the guards that are in force.
pub fn region(region: &Region, lowered: &Lowered, guards: &[Guard], inner: TokenStream) -> TokenStream {
    let own = region.around.task == Some(Task::Own);
    let task = region.around.task.is_some();
    let captures = &lowered.captures;
    let mut before = TokenStream::new();
    let mut after = TokenStream::new();
    let mut names = HashMap::new();
    let mut used = Vec::new();
    for (k, guard) in guards.iter().enumerate() {
        let array = captures.arrays.iter().find(|a| a.key == guard.key);
        let reduced = captures.reductions.iter().any(|r| r.key == guard.key);
        let read = captures.scalars.iter().any(|s| s.key == guard.key);
        let last = region
            .lasts
            .iter()
            .any(|l| crate::sema::place::scalar_key(&l.place).as_ref() == Some(&guard.key));
        if array.is_none() && !reduced && !read && !last {
            continue;
        }
        let back = region
            .directive
            .clauses
            .maps
            .iter()
            .any(|m| m.always && m.ty.brings_back() && m.items.iter().any(|i| i.key == guard.key));
        let write = reduced || last || back || array.is_some_and(|a| a.written);
        let name = variable(guard);
        used.push(code!((&#name, #write)));
        if !guard.mutable {
            continue;
        }
        let at = array.map_or(guard.span, |a| a.span);
        let handed = handed(k, guard, at, write, task);
        before.extend(handed.before);
        if write {
            after.extend(handed.after);
        }
        names.extend(handed.renamed);
    }
    let inner = tokens(inner, &names);
    if !own {
        return if before.is_empty() { inner } else { code!({ #before #inner #after }) };
    }
    let label = own_label(region.directive.span);
    let depends = depends(&region.directive.clauses.depend, guards);
    code! {
        #label: {
            #depends
            if !__tasks.start(&[#(#used),*]) {
                break #label;
            }
            #before
            #inner
            #after
            __tasks.ended();
        }
    }
}

/// The items of `depend`, each evaluated once.
fn depends(depend: &[crate::ast::Depend], guards: &[Guard]) -> TokenStream {
    let mut out = TokenStream::new();
    for item in depend.iter().flat_map(|d| &d.items) {
        let key = item_key(item);
        let guard = guards.iter().find(|g| g.key == key);
        let place = &item.place;
        let length = match guard {
            Some(g) if g.mutable => {
                let length = g.length();
                code!(#length)
            }
            _ => code!(#place.len()),
        };
        if let Some(section) = item.sections.first() {
            let from = section.lo.as_ref().map_or_else(|| code!(0), |e| code!(#e));
            let to = match &section.hi {
                Some(e) if section.inclusive => code!((#e) + 1),
                Some(e) => code!(#e),
                None => length,
            };
            out.extend(quote_spanned!(item.span=> let (_, _): (usize, usize) = (#from, #to);));
        }
    }
    out
}

/// Makes a directive speak of the guards that stand for its data.
pub fn guarded(data: &mut Data, guards: &[Guard]) {
    let clauses = &mut data.directive.clauses;
    let maps = clauses.maps.iter_mut().flat_map(|m| &mut m.items);
    let mut used = Vec::new();
    for item in maps.chain(&mut clauses.to).chain(&mut clauses.from) {
        let key = item_key(item);
        let Some(guard) = guards.iter().find(|g| g.key == key) else { continue };
        let name = variable(guard);
        used.push(code!((&#name, true)));
        if guard.mutable {
            let name = guard.name(item.place.span());
            item.place = syn::parse_quote!((*#name));
        }
    }
    data.guards = (!used.is_empty()).then(|| code!(&[#(#used),*]));
}

/// Waits for the tasks on a directive's data.
pub fn settled(data: &Data, failed: &TokenStream) -> TokenStream {
    let Some(guards) = &data.guards else { return TokenStream::new() };
    if data.context.try_ {
        code!(if let ::core::result::Result::Err(__e) = __tasks.try_settle(#guards) #failed)
    } else {
        let tasks = hidden("__tasks");
        quote_spanned!(data.directive.span=> #tasks.settle(#guards);)
    }
}

/// A `target_update!` that is a task.
pub fn update(data: &Data, evaluated: &TokenStream, made: &TokenStream) -> TokenStream {
    let guards = data.guards.clone().unwrap_or_else(|| code!(&[]));
    let depends = depends(&data.directive.clauses.depend, &[]);
    code! {
        {
            #depends
            if __tasks.start(#guards) {
                #evaluated
                #made
                if let ::core::result::Result::Err(__e) = __directive.try_update() {
                    __tasks.failed(__e);
                }
                __tasks.ended();
            }
        }
    }
}
