//! Reduction, scan and `lastprivate` variables that are not declared `mut`.
//!
//! rustc would report each place where generated code assigns them. This check reports the variable once, if the
//! function has only one variable of the name. All other cases are left to rustc.
use crate::diag::{Code, Sink};
use crate::sema::CheckedRegion;
use crate::sema::reduction::updates::assigned;
use crate::sema::syntax::names::Names;
use crate::sema::syntax::place::item_key;
use crate::sema::syntax::search;
use proc_macro2::Ident;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, FnArg, Local, Pat, Signature};

/// Reports them, and makes them `mut`, so that rustc does not say it as well.
pub fn check(sig: &mut Signature, body: &mut Block, region: &CheckedRegion, sink: &mut Sink) {
    let c = &region.directive.clauses;
    let reduced = c.reductions.iter().chain(&c.scans).flat_map(|r| &r.items);
    for item in reduced.chain(&c.lastprivate) {
        let name = item_key(item);
        if !is_assigned(&region.body, &name)
            || bindings(&name, sig, body) + bindings_in(&name, &region.body) != 1
        {
            continue;
        }
        let mut lets = Lets { name: &name, found: None };
        lets.visit_block_mut(body);
        let in_let = lets.found.map(|at| (at, format!("`let mut {name} = …;`")));
        let found = in_let
            .or_else(|| parameter(&name, sig).map(|at| (at, format!("name the parameter `mut {name}`"))));
        if let Some((at, help)) = found {
            let message = format!("`{name}` is not `mut`, but the loop gives it a value");
            sink.error(Code::NotMutable, at.span(), message)
                .note(Some(item.span), "the clause is here")
                .help(help);
        }
    }
}

/// The parameter of this name that is passed by value, now `mut`.
fn parameter(name: &str, sig: &mut Signature) -> Option<Ident> {
    let parameters = sig.inputs.iter_mut().filter_map(|input| match input {
        FnArg::Typed(t) => Some(&mut *t.pat),
        FnArg::Receiver(_) => None,
    });
    parameters.filter_map(|pat| by_value(pat, name)).next()
}

/// A pattern of a name alone that is not `mut`: it becomes so.
fn by_value(pat: &mut Pat, name: &str) -> Option<Ident> {
    let Pat::Ident(p) = pat else { return None };
    if p.ident != name || p.mutability.is_some() || p.by_ref.is_some() {
        return None;
    }
    p.mutability = Some(syn::Token![mut](p.ident.span()));
    Some(p.ident.clone())
}

/// How many variables of a function have this name, as far as macros don't declare any.
pub(in crate::sema) fn bindings(name: &str, sig: &Signature, body: &Block) -> usize {
    let mut names = Names::default();
    names.visit_signature(sig);
    names.bound.iter().filter(|p| p.ident == name).count() + bindings_in(name, body)
}

pub(in crate::sema) fn bindings_in(name: &str, body: &Block) -> usize {
    Names::of_block(body).bound.iter().filter(|p| p.ident == name).count()
}

/// Whether the variable itself is assigned: what is behind a reference needs no `mut`.
fn is_assigned(body: &Block, name: &str) -> bool {
    let is_variable = |e: &Expr| matches!(e, Expr::Path(p) if p.path.is_ident(name));
    search::any(body, |e| assigned(e).is_some_and(is_variable))
}

/// The `let` with a value that declares the variable.
struct Lets<'a> {
    name: &'a str,
    found: Option<Ident>,
}

impl VisitMut for Lets<'_> {
    fn visit_local_mut(&mut self, local: &mut Local) {
        let pat = match &mut local.pat {
            Pat::Type(t) => &mut *t.pat,
            pat => pat,
        };
        if local.init.is_some()
            && let Some(found) = by_value(pat, self.name)
        {
            self.found = Some(found);
        }
        visit_mut::visit_local_mut(self, local);
    }
}
