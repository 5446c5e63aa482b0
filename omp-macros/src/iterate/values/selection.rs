//! `a.select_nth_unstable(k)` and its like: the slice is sorted, and what the method returns are an element and the parts around it. (Std
//! leaves the order of the other elements open.)
use super::arrays::behind;
use crate::iterate::loops::chain::is_place;
use crate::iterate::loops::walk::Walk;
use crate::iterate::tokens::{made, parentheses};
use crate::sema::syntax::forms::strip;
use proc_macro2::Ident;
use quote::quote_spanned;
use syn::{Expr, ExprMethodCall, Pat, Stmt};

/// The call of such a method.
fn selects(e: &Expr) -> Option<&ExprMethodCall> {
    match strip(e) {
        Expr::MethodCall(m)
            if m.method.to_string().starts_with("select_nth_unstable")
                && is_place(behind(&m.receiver))
                && matches!(m.args.len(), 1 | 2) =>
        {
            Some(m)
        }
        _ => None,
    }
}

/// `a.select_nth_unstable(k).1`
fn selected(e: &Expr) -> Option<&ExprMethodCall> {
    match strip(e) {
        Expr::Field(f) if matches!(&f.member, syn::Member::Unnamed(n) if n.index == 1) => selects(&f.base),
        _ => None,
    }
}

impl Walk<'_> {
    /// The slice and the number under names, and the selection.
    fn selection(&mut self, m: &ExprMethodCall) -> (Ident, Ident, Vec<Stmt>) {
        let span = m.method.span();
        let [all, at] = ["all", "at"].map(|name| self.fresh(name, span));
        let (whole, method, k) = (self.part(&m.receiver, true, span), &m.method, &m.args[0]);
        let by = m.args.iter().skip(1);
        let stmts = vec![
            syn::parse_quote_spanned!(span=> let #all = #whole;),
            syn::parse_quote_spanned!(span=> let #at: ::omp::__private::core::primitive::usize = #k;),
            syn::parse_quote_spanned!(span=> #all.#method(#at #(, #by)*);),
        ];
        (all, at, stmts)
    }

    /// `*a.select_nth_unstable(k).1`: the element; not yet walked through.
    pub(in crate::iterate) fn selected_element(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::Unary(u) = e else { return None };
        let m = selected(&u.expr).filter(|_| matches!(u.op, syn::UnOp::Deref(_)))?;
        let (all, at, stmts) = self.selection(m);
        Some(made(parentheses(quote_spanned!(m.method.span()=> { #(#stmts)* #all[#at] }))))
    }

    /// `let (lower, median, upper) = a.select_nth_unstable(k);` and `let median = a.select_nth_unstable(k).1;`; not yet walked through.
    pub(in crate::iterate) fn selected_let(&mut self, s: &Stmt) -> Option<Vec<Stmt>> {
        let Stmt::Local(l) = s else { return None };
        let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
        let any: Pat = syn::parse_quote!(_);
        let (m, [low, element, high]) = match (&l.pat, selected(&init.expr)) {
            (pat @ Pat::Ident(_), Some(m)) => (m, [&any, pat, &any]),
            (Pat::Tuple(t), None) if t.elems.len() == 3 => {
                (selects(&init.expr)?, [&t.elems[0], &t.elems[1], &t.elems[2]])
            }
            _ => return None,
        };
        let is_unused = |pat: &Pat| matches!(pat, Pat::Wild(_));
        let (span, (all, at, mut stmts)) = (m.method.span(), self.selection(m));
        let alone = is_unused(low) && is_unused(high);
        match element {
            Pat::Wild(_) => {}
            Pat::Reference(r) => {
                let pat = &r.pat;
                stmts.push(syn::parse_quote_spanned!(span=> let #pat = #all[#at];));
            }
            pat if alone => stmts.push(syn::parse_quote_spanned!(span=> let #pat = &mut #all[#at];)),
            // A device has no two `&mut` of one array: these are for reading.
            pat => stmts.push(syn::parse_quote_spanned!(span=> let #pat = &#all[#at];)),
        }
        if !is_unused(low) {
            stmts.push(syn::parse_quote_spanned!(span=> let #low = &#all[..#at];));
        }
        if !is_unused(high) {
            stmts.push(syn::parse_quote_spanned!(span=> let #high = &#all[#at + 1..];));
        }
        Some(stmts)
    }
}
