//! Checks by rustc of the names of tasks' data: what a name means where a guard is renamed.
use super::verbatim;
use crate::expand::tasks::{Guard, span_of};
use crate::glue::private;
use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::Stmt;

/// Has rustc see to it that names which stand for a guard's variable are its own: a `macro_rules!` keeps names of one
/// spelling apart, and so are these words.
pub fn one_variable(guard: &Guard, named: &[Span]) -> Option<Stmt> {
    if guard.base == "self" || named.is_empty() {
        return None;
    }
    let base = guard.base.trim_start_matches("r#");
    let word = |at: Span| format_ident!("__two_variables_named_{base}", span = at);
    let own = word(span_of(&guard.place));
    let words = named.iter().map(|&at| word(at));
    Some(verbatim(code!({
        let #own = ();
        let _ = (#(#words,)*);
    })))
}

/// Has rustc see to it that macros do nothing with what these names stand for, unless they bind them themselves.
pub fn without_data(names: &[Ident], macros: &[&syn::Macro]) -> Stmt {
    let (p, allow) = (private(), crate::glue::lints_off());
    verbatim(code! {
        #allow
        if false {
            #(let #names = #p::OmpE0407UsedByTasks;)*
            #(#macros;)*
            loop {}
        }
    })
}
