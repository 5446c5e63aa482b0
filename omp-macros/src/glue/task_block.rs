//! Target blocks that are tasks: their start and end, and how their regions fail.
use super::task::own_label;
use super::{hidden, private};
use crate::ast::{Data, Task};
use crate::expand::tasks::label;
use proc_macro2::{Ident, Span, TokenStream};

/// The name of the label of a target block that is a task.
fn label_of(n: usize) -> syn::Lifetime {
    label(n).name
}

/// The uses of a target block that is a task.
fn used_of(n: usize) -> Ident {
    hidden(&format!("__used{n}"))
}

/// What `depend`s of a target block name that is a task.
pub(super) fn depends(n: usize) -> Ident {
    hidden(&format!("__depends{n}"))
}

/// The start of a target block that is a task.
pub fn start(n: usize, data: &Data) -> TokenStream {
    let (used, label, named) = (used_of(n), label_of(n), depends(n));
    let (guards, depends, p) = (data.guards.clone().unwrap_or_else(|| code!([])), &data.depends, private());
    // What `always` copies at the start, earlier tasks may be writing.
    let always = data.directive.clauses.maps.iter().any(|m| m.always);
    let open = if always { code!(start) } else { code!(open) };
    code! {
        let #used: &[#p::Used] = &#guards;
        let #named = { #depends __depends };
        if !(&__tasks).#open(#used) {
            break #label;
        }
    }
}

/// Its end.
pub fn end(n: usize) -> TokenStream {
    let (used, named) = (used_of(n), depends(n));
    code!((&__tasks).close(__leaving, #used, &#named);)
}

/// What a failure of a region does that is, or is in, a task: it is kept until somebody waits.
pub fn kept(task: Task, scopes: &[usize], span: Span) -> TokenStream {
    match task {
        Task::Own => {
            let label = own_label(span);
            code!({ (&__tasks).failed(__used, __e); break #label; })
        }
        Task::Block(n) => {
            let (leave, used) = (given_up(n, scopes), used_of(n));
            code!({ (&__tasks).failed(#used, __e); #leave })
        }
    }
}

/// Leaves a target block that is a task, whose data is given up.
pub(super) fn given_up(n: usize, scopes: &[usize]) -> TokenStream {
    let (label, data) = (label_of(n), super::data::guard(n));
    let open = scopes.contains(&n).then(|| code!(let _ = (&mut #data).leave();));
    code!(#open break #label;)
}
