//! The tail expression of a function with tasks waits for them, because the function would wait for them right after it.
use crate::parse::tokens::leaves::idents;
use crate::sema::syntax::forms::{is_constructor, strip};
use quote::{ToTokens as _, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Block, Expr, Stmt};

/// Puts a `taskwait!` before a tail that names variables and does nothing with them.
pub fn waits(body: &mut Block) {
    let Some((Stmt::Expr(tail, None), before)) = body.stmts.split_last() else { return };
    let begins_task = |s: &Stmt| idents(s.to_token_stream()).any(|i| i == "nowait" || i == "async");
    if !names(tail) || !only_names(tail) || !before.iter().any(begins_task) {
        return;
    }
    let wait = syn::parse2(quote_spanned!(tail.span()=> omp::taskwait!();)).expect("a statement");
    body.stmts.insert(body.stmts.len() - 1, wait);
}

/// Names, fields of them, and tuples and structs of these.
fn only_names(e: &Expr) -> bool {
    match strip(e) {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Field(f) => only_names(&f.base),
        Expr::Reference(r) => only_names(&r.expr),
        Expr::Tuple(t) => t.elems.iter().all(only_names),
        Expr::Struct(s) => s.fields.iter().all(|f| only_names(&f.expr)) && s.rest.is_none(),
        Expr::Call(c) => is_constructor(&c.func) && c.args.iter().all(only_names),
        _ => false,
    }
}

/// Whether it names a variable.
fn names(e: &Expr) -> bool {
    let e = strip(e);
    match e {
        Expr::Path(_) => !is_constructor(e),
        Expr::Field(f) => names(&f.base),
        Expr::Reference(r) => names(&r.expr),
        Expr::Tuple(t) => t.elems.iter().any(names),
        Expr::Struct(s) => s.fields.iter().any(|f| names(&f.expr)),
        Expr::Call(c) => c.args.iter().any(names),
        _ => false,
    }
}
