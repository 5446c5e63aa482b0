//! Variables that are declared without a value before a loop in whose `private` clause they are, as in C: `let mut t: f32;`. Each
//! iteration has its own, so the declaration moves into the body, and rustc checks that an iteration assigns the variable first.
use crate::ast::Directive;
use crate::iterate;
use crate::parse::tokens::leaves::mentions;
use crate::sema::syntax::names::Names;
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprForLoop, Local, Pat, PatIdent, Stmt};

/// The declarations without a value of variables that only loops with directives use. `params` are names that mean something else.
pub(super) fn unset(body: &Block, params: &[String]) -> Vec<Local> {
    #[derive(Default)]
    struct Find {
        declared: Vec<Local>,
        loops: Vec<ExprForLoop>,
    }
    impl VisitMut for Find {
        fn visit_block_mut(&mut self, block: &mut Block) {
            visit_mut::visit_block_mut(self, block);
            block.stmts.retain(|s| match s {
                Stmt::Local(local) if variable(local).is_some() => {
                    self.declared.push(local.clone());
                    false
                }
                _ => true,
            });
        }
        fn visit_expr_mut(&mut self, e: &mut Expr) {
            match e {
                Expr::ForLoop(f) if !f.attrs.is_empty() => {
                    self.loops.push(f.clone());
                    *e = Expr::Verbatim(TokenStream::new());
                }
                _ => visit_mut::visit_expr_mut(self, e),
            }
        }
    }
    let (mut found, mut rest) = (Find::default(), body.clone());
    found.visit_block_mut(&mut rest);
    let rest = rest.to_token_stream();
    let names: Vec<String> =
        found.declared.iter().filter_map(variable).map(|name| name.ident.to_string()).collect();
    let bound = Names::of_block(body).bound;
    let is_private = |f: &ExprForLoop, name: &str| {
        let attributes: String =
            f.attrs.iter().map(|a| a.meta.to_token_stream().to_string().replace(' ', "")).collect();
        let others = ["firstprivate(", "lastprivate("].iter().any(|clause| attributes.contains(clause));
        let named = f.attrs.iter().any(|a| mentions(a.meta.to_token_stream(), name));
        attributes.contains("private(") && named && !others
    };
    let Find { mut declared, loops } = found;
    declared.retain(|local| {
        let name = variable(local).map(|name| name.ident.to_string()).unwrap_or_default();
        names.iter().filter(|other| **other == name).count() == 1
            && bound.iter().filter(|p| p.ident == name).count() == 1
            && !params.contains(&name)
            && !mentions(rest.clone(), &name)
            && loops.iter().all(|f| is_private(f, &name) || !mentions(f.to_token_stream(), &name))
    });
    declared
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

/// Takes away the declarations that are left.
pub(super) fn take_away(body: &mut Block, moved: &BTreeSet<String>) {
    struct Take<'a>(&'a BTreeSet<String>);
    impl VisitMut for Take<'_> {
        fn visit_block_mut(&mut self, block: &mut Block) {
            visit_mut::visit_block_mut(self, block);
            let moved =
                |local: &Local| variable(local).is_some_and(|name| self.0.contains(&name.ident.to_string()));
            block.stmts.retain(|s| !matches!(s, Stmt::Local(local) if moved(local)));
        }
    }
    if !moved.is_empty() {
        Take(moved).visit_block_mut(body);
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
