//! Target blocks that are tasks: their start and end, and how their regions fail.
use super::own_label;
use crate::ast::{Data, Item, Task};
use crate::expand::tasks::label;
use crate::glue::{hidden, private};
use crate::lower::Lowered;
use crate::sema::CheckedRegion;
use proc_macro2::{Ident, Span, TokenStream};

/// The name of the label of a target block that is a task.
fn label_of(n: usize) -> syn::Lifetime {
    label(n).name
}

/// The uses of a target block that is a task.
fn used_of(n: usize) -> Ident {
    hidden(&format!("__used{n}"))
}

/// The variable with the data that the `depend`s of a target block name, if the block is a task.
pub(super) fn depends(n: usize) -> Ident {
    hidden(&format!("__depends{n}"))
}

/// The name of the device memory that a target block's loops write.
fn memory_of(n: usize) -> Ident {
    hidden(&format!("__memory{n}"))
}

/// Looks for the device memory without guards that the loops of a target block write: where they do not run, it is not what it
/// should be.
pub fn remember_memory(n: usize, data: &mut Data, regions: &[CheckedRegion], lowered: &[Lowered]) {
    if !crate::glue::data::is_task(data) {
        return;
    }
    let inside = || regions.iter().zip(lowered).filter(|(r, _)| r.around.block == Some(n));
    let written = |item: &&Item| {
        inside().any(|(_, l)| l.captures.arrays.iter().any(|a| a.key == item.key && a.written))
    };
    let own = data.directive.clauses.device_ptr.iter().filter(written);
    data.memory = own.map(|item| item.place.clone()).collect();
}

/// The same memory, at the start of the block.
fn memory(n: usize, data: &Data) -> Option<TokenStream> {
    (!data.memory.is_empty()).then(|| lost_memory(&memory_of(n), data.memory.iter()))
}

/// The memory of these arrays, in a variable.
fn lost_memory<'p>(name: &Ident, places: impl Iterator<Item = &'p syn::Expr>) -> TokenStream {
    let p = private();
    code! {
        let mut #name = #p::LostMemory::new();
        #((&mut #name).array(&#places.__array());)*
    }
}

/// A loop that is a task is refused before its data is borrowed: the memory that it would have written.
pub(in crate::glue) fn lost_by(region: &CheckedRegion, lowered: &Lowered) -> Option<TokenStream> {
    let name = hidden("__memory");
    let written = |item: &&Item| lowered.captures.arrays.iter().any(|a| a.key == item.key && a.written);
    let mut places =
        region.directive.clauses.device_ptr.iter().filter(written).map(|item| &item.place).peekable();
    places.peek()?;
    let memory = lost_memory(&name, places);
    Some(code!(#memory (&*__tasks).lost(&#name);))
}

/// Its loops do not run.
fn lost(n: usize, data: &Data) -> Option<TokenStream> {
    let name = memory_of(n);
    (!data.memory.is_empty()).then(|| code!((&*__tasks).lost(&#name);))
}

/// Before a region runs at once in such a block: `Some` if it uses memory that no guard stands for.
pub fn memory_is_ready(n: usize, region: &CheckedRegion, all: &[Data]) -> Option<TokenStream> {
    let (used, leave) = (used_of(n), given_up(n, &region.around.scopes, all));
    let uses = !region.directive.clauses.device_ptr.is_empty();
    uses.then(|| code!(if !(&*__tasks).memory_is_ready(&__r, #used) { #leave }))
}

/// The start of a target block that is a task.
pub fn start(n: usize, data: &Data) -> TokenStream {
    let (used, label, named) = (used_of(n), label_of(n), depends(n));
    let (guards, depends, p) = (data.guards.clone().unwrap_or_else(|| code!([])), &data.depends, private());
    // An array that `always` copies at the start may be written by earlier tasks.
    let always = data.directive.clauses.maps.iter().any(|m| m.always);
    let (memory, lost) = (memory(n, data), lost(n, data));
    let open = if always { code!(start) } else { code!(open) };
    code! {
        let #used: &[#p::Used] = &#guards;
        let #named = { #depends __depends };
        #memory
        if !(&*__tasks).#open(#used) {
            #lost
            break #label;
        }
    }
}

/// Its end.
pub fn end(n: usize) -> TokenStream {
    let (used, named) = (used_of(n), depends(n));
    code!((&*__tasks).close(__leaving, #used, &#named);)
}

/// The handling of a failure of a region that is, or is in, a task: the failure is kept until the next wait.
pub fn kept(
    task: Task,
    (scopes, all): (&[usize], &[Data]),
    lost: &Option<TokenStream>,
    span: Span,
) -> TokenStream {
    match task {
        Task::Own => {
            let label = own_label(span);
            code!({ (&*__tasks).failed(__used, __e); #lost break #label; })
        }
        Task::Block(n) => {
            let (leave, used) = (given_up(n, scopes, all), used_of(n));
            code!({ (&*__tasks).failed(#used, __e); #leave })
        }
    }
}

/// Leaves a target block that is a task, whose data is given up.
pub(super) fn given_up(n: usize, scopes: &[usize], all: &[Data]) -> TokenStream {
    let (label, data) = (label_of(n), crate::glue::data::guard(n));
    let open = scopes.contains(&n).then(|| code!(let _ = (&mut #data).leave();));
    let lost = lost(n, &all[n]);
    code!(#open #lost break #label;)
}
