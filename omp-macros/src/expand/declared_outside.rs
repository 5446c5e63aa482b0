//! Variables that are declared without a value before a loop in whose `private` clause they are, as in C: `let mut t: f32;`. Each
//! iteration has its own, so the declaration moves into the body, and rustc checks that an iteration assigns the variable first.
use crate::ast::Directive;
use crate::iterate;
use crate::sema::syntax::names::Names;
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, ExprForLoop, Local, Pat, PatIdent, Stmt};

/// The declarations without a value, of names that the function binds once.
pub(super) fn unset(body: &Block) -> Vec<Local> {
    #[derive(Default)]
    struct Find(Vec<Local>);
    impl<'a> Visit<'a> for Find {
        fn visit_local(&mut self, local: &'a Local) {
            if variable(local).is_some() {
                self.0.push(local.clone());
            }
            visit::visit_local(self, local);
        }
    }
    let mut found = Find::default();
    found.visit_block(body);
    let bound = Names::of_block(body).bound;
    let once = |local: &Local| {
        variable(local).is_some_and(|name| bound.iter().filter(|p| p.ident == name.ident).count() == 1)
    };
    found.0.retain(once);
    found.0
}

/// Moves the declarations of a directive's private variables into the loop's body.
pub(super) fn move_inside(
    f: &mut ExprForLoop,
    directive: &mut Directive,
    unset: &[Local],
    moved: &mut BTreeSet<String>,
) {
    let mut inside: Vec<Stmt> = Vec::new();
    directive.clauses.private.retain(|item| {
        let local = unset.iter().find(|local| variable(local).is_some_and(|name| name.ident == item.key));
        let Some(local) = local else { return true };
        moved.insert(item.key.clone());
        let mut local = local.clone();
        // One iteration may assign it once.
        local.attrs.push(syn::parse_quote!(#[allow(unused_mut)]));
        inside.push(Stmt::Local(local));
        false
    });
    let collapse = directive.clauses.collapse.as_ref().map_or(1, |c| c.value);
    iterate::innermost(f, collapse).stmts.splice(..0, inside);
}

/// Takes away the declarations that are left without a use. (Loops are no longer in the body.) Of the others, nothing may be left
/// that changes them.
pub(super) fn take_away(body: &mut Block, moved: &BTreeSet<String>) {
    struct Take<'a> {
        moved: &'a BTreeSet<String>,
        mentioned: BTreeSet<String>,
    }
    impl VisitMut for Take<'_> {
        fn visit_block_mut(&mut self, block: &mut Block) {
            visit_mut::visit_block_mut(self, block);
            block.stmts.retain_mut(|s| {
                let Stmt::Local(local) = s else { return true };
                let name = variable(local).map(|name| name.ident.to_string());
                let Some(name) = name.filter(|name| self.moved.contains(name)) else { return true };
                local.attrs.push(syn::parse_quote!(#[allow(unused_mut)]));
                self.mentioned.contains(&name)
            });
        }
    }
    if !moved.is_empty() {
        let mentioned = Names::of_block(body).mentioned.into_iter().map(ToString::to_string).collect();
        Take { moved, mentioned }.visit_block_mut(body);
    }
}

/// The variable of `let x;` or `let x: T;`.
fn variable(local: &Local) -> Option<&PatIdent> {
    let pat = match &local.pat {
        Pat::Type(typed) => &typed.pat,
        pat => pat,
    };
    match pat {
        Pat::Ident(name) if local.init.is_none() && name.subpat.is_none() => Some(name),
        _ => None,
    }
}
