//! Names in patterns: a const, or a new variable.
//!
//! Tokens don't decide that, so a name counts as a const if it starts with a capital, or if it would make later arms unreachable as a
//! variable. Any other is rewritten to `n @ _` in the typing copy, which rustc refuses if a const has that name.
use crate::diag::Code as DiagCode;
use crate::iterate::plain_name;
use crate::lower::cx::{Flow, Lower};
use crate::lower::expr::place::is_capital;
use crate::sema::syntax::names::bound;
use crate::visits::{self, Node};
use proc_macro2::Ident;
use syn::visit_mut::{self, VisitMut};

impl Lower {
    /// A variable's name in a device function: one with a capital could be a const.
    pub fn lower_case(&mut self, ident: &Ident) -> Flow {
        if self.captured.is_none() && is_capital(ident) {
            self.capital(ident);
            return None;
        }
        Some(())
    }

    pub(super) fn capital(&mut self, ident: &Ident) {
        self.error(
            DiagCode::UnsupportedPattern,
            ident.span(),
            format!("`{ident}` is read as a const, as it starts with a capital"),
            "name variables in lower case",
        );
    }
}

/// Applies [`consts_of_arms`] to each `match` of a block.
pub fn consts_in_patterns(block: &mut syn::Block) {
    struct Matches;
    impl VisitMut for Matches {
        fn visit_expr_match_mut(&mut self, m: &mut syn::ExprMatch) {
            consts_of_arms(&mut m.arms);
            visit_mut::visit_expr_match_mut(self, m);
        }

        fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    }
    Matches.visit_block_mut(block);
}

/// Names that stand for a whole value before an arm that takes all are consts in lower case, as variables would leave nothing to
/// that one; so are names on one side of a `|` with a literal on another. They become paths, as which everything takes them for
/// consts. Where the guess is wrong, rustc says so: E0435 of a variable, E0530 of a const.
pub(in crate::lower) fn consts_of_arms(arms: &mut [syn::Arm]) {
    struct Sides;
    impl VisitMut for Sides {
        fn visit_pat_or_mut(&mut self, o: &mut syn::PatOr) {
            // (In `[_, rest @ ..] | rest` the other side shows that it is a variable.)
            let parts = o.cases.iter().filter(|case| plain_name(case).is_none());
            let names: Vec<String> = parts.flat_map(bound).collect();
            let is_variable =
                |p: &syn::Pat| plain_name(p).is_some_and(|name| names.contains(&name.to_string()));
            o.cases.iter_mut().filter(|case| !is_variable(case)).for_each(name_as_const);
            visit_mut::visit_pat_or_mut(self, o);
        }

        fn visit_expr_mut(&mut self, _: &mut syn::Expr) {}
    }
    let before = arms.iter().rposition(|arm| takes_all(&arm.pat)).unwrap_or(0);
    for (i, arm) in arms.iter_mut().enumerate() {
        if i < before {
            name_as_const(&mut arm.pat);
        }
        Sides.visit_pat_mut(&mut arm.pat);
    }
}

/// `_`, `n`: what a match over numbers needs once. An arm with a guard takes some only.
fn takes_all(p: &syn::Pat) -> bool {
    match p {
        syn::Pat::Paren(p) => takes_all(&p.pat),
        syn::Pat::Wild(_) => true,
        syn::Pat::Ident(p) => p.subpat.is_none() && !is_capital(&p.ident),
        _ => false,
    }
}

fn name_as_const(p: &mut syn::Pat) {
    match p {
        syn::Pat::Paren(p) => name_as_const(&mut p.pat),
        syn::Pat::Ident(syn::PatIdent { by_ref: None, mutability: None, subpat: None, ident, .. })
            if !is_capital(ident) =>
        {
            *p = syn::Pat::Path(syn::parse_quote!(#ident));
        }
        _ => {}
    }
}

/// Has rustc check that the names which [`consts_of_arms`] took for consts are none of variables.
pub(in crate::lower) fn are_consts(p: &syn::Pat, sees: &mut Vec<syn::Stmt>) {
    visits::walk(p, |node| {
        if let Node::Pat(syn::Pat::Path(path)) = node
            && let Some(ident) = path.path.get_ident().filter(|ident| !is_capital(ident))
        {
            let span = ident.span();
            sees.push(syn::parse_quote_spanned!(span=> const _: () = { _ = &#ident; };));
        }
        !matches!(node, Node::Expr(_))
    });
}

/// `n` becomes `n @ _`, which can't be a const.
pub(super) fn no_const(i: &mut syn::PatIdent) {
    // The span is the name's, where rustc reports errors about the variable.
    let span = i.ident.span();
    let underscore_token = syn::Token![_](span);
    i.subpat = Some((
        syn::Token![@](span),
        Box::new(syn::Pat::Wild(syn::PatWild { attrs: Vec::new(), underscore_token })),
    ));
}
