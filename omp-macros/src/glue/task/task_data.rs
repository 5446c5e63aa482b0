//! Data directives among tasks: they use the guards of their data, and wait for the tasks on it. A `target_update!` may
//! be a task itself.
use super::variable;
use crate::ast::{Clauses, Data, DependKind, DirectiveKind, Number};
use crate::expand::tasks::{Guard, renamed};
use crate::glue::region::section_ends;
use crate::glue::{hidden, private};
use crate::sema::syntax::place::item_key;
use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::Expr;
use syn::spanned::Spanned;

/// Makes a directive speak of the guards that stand for its data.
pub fn guarded(data: &mut Data, guards: &[Guard]) {
    let p = private();
    let (task, block) = (is_update(data), crate::glue::data::is_task(data));
    let depends = depends(&data.directive.clauses, guards);
    let clauses = &mut data.directive.clauses;
    for e in clauses.evaluated.iter_mut().flat_map(|clause| &mut clause.values) {
        *e = Expr::Verbatim(renamed(e, guards));
    }
    let maps = clauses.maps.iter_mut().flat_map(|m| {
        let back = m.ty.brings_back();
        m.items.iter_mut().map(move |i| (i, back))
    });
    let to = clauses.to.iter_mut().map(|i| (i, false));
    let from = clauses.from.iter_mut().map(|i| (i, true));
    let (mut used, mut held) = (Vec::new(), Vec::new());
    for (item, back) in maps.chain(to).chain(from) {
        for e in item.sections.iter_mut().flat_map(|s| s.lo.iter_mut().chain(&mut s.hi)) {
            *e = Expr::Verbatim(renamed(e, guards));
        }
        let key = item_key(item);
        let Some(guard) = guards.iter().find(|g| g.key == key) else { continue };
        let name = variable(guard);
        let writes = !task || back;
        used.push(code!(#p::Guarded::used(&#name, #writes)));
        if guard.mutable {
            let name = guard.guard(item.place.span());
            item.place = if task {
                // For its type: others may be at work on its elements.
                syn::parse_quote!((*::omp::__private::task_never((&mut #name).task_type())))
            } else {
                syn::parse_quote!((*#name))
            };
            if block || task {
                held.push((item_key(item), name, guard.length()));
            }
        }
    }
    let mut viewed = Vec::new();
    for item in &clauses.use_device_ptr {
        let key = item_key(item);
        let Some(guard) = guards.iter().find(|g| g.key == key) else { continue };
        let name = variable(guard);
        used.push(code!(#p::Guarded::used(&#name, true)));
        if guard.mutable {
            let name = guard.guard(item.place.span());
            viewed.push((key, code!((*#name))));
        }
    }
    data.viewed = viewed;
    data.guards = (!used.is_empty()).then(|| code!([#(#used),*]));
    data.depends = depends;
    data.held = held;
}

/// A `target_update!` that is a task.
fn is_update(data: &Data) -> bool {
    data.directive.kind == DirectiveKind::TargetUpdate && data.directive.clauses.nowait.is_some()
}

/// Waits for the tasks on a directive's data.
pub fn settled(data: &Data, failed: &TokenStream) -> TokenStream {
    let Some(guards) = &data.guards else { return TokenStream::new() };
    if data.context.try_ {
        code!(if let ::omp::__private::core::result::Result::Err(__e) = (&*__tasks).try_settle(&#guards) #failed)
    } else {
        let tasks = hidden("__tasks");
        quote_spanned!(data.directive.span=> (&*#tasks).settle(&#guards);)
    }
}

/// A `target_update!` that is a task; `None` for other directives.
pub fn update(data: &Data, evaluated: &TokenStream, made: &TokenStream) -> Option<TokenStream> {
    if !is_update(data) {
        return None;
    }
    let (guards, depends, p) = (data.guards.clone().unwrap_or_else(|| code!([])), &data.depends, private());
    Some(code! {
        {
            let __used: &[#p::Used] = &#guards;
            #depends
            #evaluated
            #made
            (&*__tasks).update(&__directive, __used, &__depends);
        }
    })
}

/// The items of `depend` and OpenACC's queues, in `__depends`.
pub(super) fn depends(clauses: &Clauses, guards: &[Guard]) -> TokenStream {
    let p = private();
    let mut out = code!(let mut __depends = #p::Depends::new(););
    let (tasks, named) = (hidden("__tasks"), hidden("__depends"));
    if let Some(queue) = clauses.number(Number::Queue) {
        out.extend(match queue.values.first() {
            Some(e) => quote_spanned!(e.span()=> (&*#tasks).queue(&mut #named, #e);),
            None => code!((&*__tasks).default_queue(&mut __depends);),
        });
    }
    if let Some(waits) = clauses.number(Number::Waits) {
        out.extend(waits.values.iter().map(|e| quote_spanned!(e.span()=> (&mut #named).after_queue(#e);)));
        out.extend(waits.values.is_empty().then(|| code!((&mut __depends).after_all_queues();)));
    }
    for (kind, item) in clauses.depend.iter().flat_map(|d| d.items.iter().map(move |i| (d.kind, i))) {
        let (key, place, writes) = (item_key(item), &item.place, kind != DependKind::In);
        let guard = guards.iter().find(|g| g.key == key);
        let section = item.sections.first();
        let extent = match (guard, section) {
            (Some(guard), _) => {
                let name = variable(guard);
                code!((&#name).extent())
            }
            (None, _) => {
                let extent = quote_spanned!(item.span=> (&#p::ExtentOf(&#place)).omp_extent());
                let allow = crate::glue::lints_off();
                code!({
                    #allow
                    use #p::{Extent as _, ExtentOfValue as _};
                    #extent
                })
            }
        };
        let section = section.map(|section| {
            let ends = section_ends(section, |e| renamed(e, guards), || code!(__extent.1));
            quote_spanned!(item.span=> #ends)
        });
        let section = match section {
            Some(section) => code!(::omp::__private::core::option::Option::Some(#section)),
            None => code!(::omp::__private::core::option::Option::None),
        };
        out.extend(code!({
            let __extent = #extent;
            (&mut __depends).item(#key, #writes, __extent, #section);
        }));
    }
    out
}
