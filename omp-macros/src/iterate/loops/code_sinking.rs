//! Where the names of a loop's items are declared if inner loops are collapsed with it.
//!
//! No statement may be between collapsed loops, so the declarations of an outer loop go into the innermost one: each of
//! its iterations has the same values. This is not possible for a name that the head of an inner loop reads.
use super::pattern;
use crate::parse::tokens::leaves::{idents, mentions};
use crate::sema::syntax::search;
use quote::ToTokens;
use syn::{Block, Expr, ExprForLoop, Ident, Pat, Stmt};

/// The block at whose head these stand: of the innermost of `collapse` loops, else the loop's own.
pub fn block_of<'f>(f: &'f mut ExprForLoop, collapse: u32, lets: &[(Pat, Expr)]) -> &'f mut Block {
    let mut left = if can_sink(f, collapse, lets) { collapse.saturating_sub(1) } else { 0 };
    let mut body = &mut f.body;
    while left > 0 {
        let [Stmt::Expr(Expr::ForLoop(inner), _)] = body.stmts.as_mut_slice() else {
            unreachable!("seen before")
        };
        (body, left) = (&mut inner.body, left - 1);
    }
    body
}

/// The body of the innermost of `collapse` loops, as far as they are one in the other.
pub fn innermost(f: &mut ExprForLoop, collapse: u32) -> &mut Block {
    let nested = matches!(f.body.stmts.as_slice(), [Stmt::Expr(Expr::ForLoop(_), _)]);
    if collapse <= 1 || !nested {
        return &mut f.body;
    }
    let [Stmt::Expr(Expr::ForLoop(inner), _)] = f.body.stmts.as_mut_slice() else {
        unreachable!("just seen")
    };
    innermost(inner, collapse - 1)
}

/// Whether the nest is one, and no inner loop reads a name that is declared or hides one that its value mentions.
fn can_sink(f: &ExprForLoop, collapse: u32, lets: &[(Pat, Expr)]) -> bool {
    let names: Vec<_> = lets.iter().flat_map(|(pat, _)| pattern::names(pat)).collect();
    let mut body = &f.body;
    (1..collapse).all(|_| {
        let [Stmt::Expr(Expr::ForLoop(inner), _)] = body.stmts.as_slice() else { return false };
        body = &inner.body;
        let reads = names.iter().any(|n| mentions(inner.expr.to_token_stream(), &n.to_string()));
        let hides = pattern::names(&inner.pat).iter().any(|n| {
            names.contains(n) || lets.iter().any(|(_, v)| mentions(v.to_token_stream(), &n.to_string()))
        });
        !reads && !hides
    })
}

/// A read in the head of an inner loop of a name that the nest declares for each item, and whether that is an element's value.
pub fn read_in_head(f: &ExprForLoop, collapse: u32, lets: &[(Pat, Expr)]) -> Option<(Ident, bool, usize)> {
    let mut body = &f.body;
    for depth in 1..collapse as usize {
        let [Stmt::Expr(Expr::ForLoop(inner), _)] = body.stmts.as_slice() else { return None };
        body = &inner.body;
        for (pat, value) in lets {
            let found = pattern::names(pat)
                .into_iter()
                .find_map(|n| idents(inner.expr.to_token_stream()).find(|i| *i == n));
            if let Some(found) = found {
                return Some((found, has_index(value), depth));
            }
        }
    }
    None
}

/// An element of an array stands in it.
fn has_index(e: &Expr) -> bool {
    search::any(e, |e| matches!(e, Expr::Index(_)))
}
