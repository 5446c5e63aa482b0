//! `let (c, n) = (&self.c, i + 1);` is one `let` after the other: a tuple can't hold a reference on a device, and a name can stand for one.
use crate::parse::tokens::leaves::mentions;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::names::bound;
use crate::sema::syntax::search;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Local, Pat, Stmt};

/// Takes such `let`s apart.
pub(super) struct Apart;

impl VisitMut for Apart {
    fn visit_block_mut(&mut self, b: &mut Block) {
        visit_mut::visit_block_mut(self, b);
        let mut at = 0;
        while at < b.stmts.len() {
            let parts = match &b.stmts[at] {
                Stmt::Local(l) => apart(l),
                _ => None,
            };
            let n = parts.as_ref().map_or(1, Vec::len);
            if let Some(parts) = parts {
                b.stmts.splice(at..=at, parts);
            }
            at += n;
        }
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The `let`s of the parts, if one of these is a reference to a field, and none names what another one binds.
fn apart(l: &Local) -> Option<Vec<Stmt>> {
    let (Pat::Tuple(pats), Some(init)) = (&l.pat, &l.init) else { return None };
    let (Expr::Tuple(values), None) = (strip(&init.expr), &init.diverge) else { return None };
    let of_field = |e: &Expr| match e {
        Expr::Reference(r) => matches!(strip(&r.expr), Expr::Field(_)),
        _ => false,
    };
    let rest = pats.elems.iter().any(|p| matches!(p, Pat::Rest(_)));
    if rest || pats.elems.len() != values.elems.len() || !values.elems.iter().any(of_field) {
        return None;
    }
    let names = bound(&l.pat);
    // (The name of a field is none.)
    let reads_bound = |e: &Expr| match e {
        Expr::Path(p) => p.path.get_ident().is_some_and(|name| names.contains(&name.to_string())),
        Expr::Macro(m) => names.iter().any(|name| mentions(m.mac.tokens.clone(), name)),
        _ => false,
    };
    if values.elems.iter().any(|value| search::any(value, reads_bound)) {
        return None;
    }
    let parts = pats.elems.iter().zip(&values.elems);
    Some(parts.map(|(pat, value)| syn::parse_quote!(let #pat = #value;)).collect())
}
