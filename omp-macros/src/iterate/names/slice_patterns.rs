//! Patterns of slices that are changed through their names: `let [a, b] = part else { … }; *a = *b;`.
//!
//! A pattern binds copies on a device. So the names of such a pattern stand for the elements, `part[0]`. (Values other than slices are put together again: `expand/methods/written_back.rs`.)
use crate::sema::reduction::updates::assigned;
use crate::sema::syntax::effects::is_pure;
use crate::sema::syntax::forms::{behind_references, strip};
use crate::sema::syntax::names::{Names, bound};
use crate::sema::syntax::search;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::{Block, Expr, Pat, Stmt, UnOp};

/// Rewrites the patterns of the `let … else` of a block.
pub(in crate::iterate) fn in_block(b: &mut Block) {
    let mut at = 0;
    while at < b.stmts.len() {
        let (before, rest) = b.stmts.split_at_mut(at + 1);
        at += 1;
        let Stmt::Local(l) = &mut before[at - 1] else { continue };
        let Some(init) = l.init.as_mut().filter(|init| init.diverge.is_some()) else { continue };
        if let Some(lets) = references(&mut l.pat, &mut init.expr, &*rest) {
            b.stmts.splice(at..at, lets);
        }
    }
}

/// Rewrites the patterns of an `if let` or a `match`.
pub(in crate::iterate) fn in_branches(e: &mut Expr) {
    match e {
        Expr::If(i) => {
            if let Expr::Let(l) = &mut *i.cond
                && let Some(lets) = references(&mut l.pat, &mut l.expr, &i.then_branch)
            {
                i.then_branch.stmts.splice(0..0, lets);
            }
        }
        Expr::While(w) => {
            if let Expr::Let(l) = &mut *w.cond
                && let Some(lets) = references(&mut l.pat, &mut l.expr, &w.body)
            {
                w.body.stmts.splice(0..0, lets);
            }
        }
        Expr::Match(m) => {
            let mut of = (*m.expr).clone();
            for arm in &mut m.arms {
                let mut value = (*m.expr).clone();
                if let Some(lets) = references(&mut arm.pat, &mut value, &*arm.body) {
                    let body = &arm.body;
                    *arm.body = syn::parse_quote_spanned!(body.span()=> { #(#lets)* #body });
                    of = value;
                }
            }
            *m.expr = of;
        }
        _ => {}
    }
}

/// Takes the names out of a slice's pattern through which `uses` changes elements, and gives the places that they stand for.
fn references(pat: &mut Pat, value: &mut Expr, uses: &(impl search::Code + ?Sized)) -> Option<Vec<Stmt>> {
    let Pat::Slice(s) = &*pat else { return None };
    // These have copies of their own.
    if Names::of_pattern(pat).bound.iter().any(|p| p.mutability.is_some() && p.by_ref.is_none()) {
        return None;
    }
    let of = match behind_references(value) {
        Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => strip(&u.expr),
        of => of,
    };
    let of = &of.clone();
    let names: HashSet<String> = bound(pat).into_iter().collect();
    if !matches!(of, Expr::Path(_) | Expr::Field(_) | Expr::Index(_)) || changed(uses).is_disjoint(&names) {
        return None;
    }
    // The place is evaluated wherever its elements are named.
    if !is_pure(of, &|_| false) || moves(of, uses) {
        return None;
    }
    let (mut s, mut lets) = (s.clone(), Vec::new());
    elements(&mut s, of, &mut lets)?;
    *pat = Pat::Slice(s);
    // Nothing is bound, so nothing is moved.
    if let Expr::Path(_) = value {
        *value = syn::parse_quote_spanned!(of.span()=> &*#of);
    }
    Some(lets)
}

/// Whether code changes what a place is made of: its indices, or the variable that it is part of.
fn moves(of: &Expr, code: &(impl search::Code + ?Sized)) -> bool {
    let names = Names::of_expr(of).mentioned;
    let mut found = false;
    search::each(code, |e| {
        let direct = assigned(e).is_some() || matches!(e, Expr::Reference(r) if r.mutability.is_some());
        if direct || matches!(e, Expr::MethodCall(_) | Expr::Macro(_)) {
            let changed = crate::iterate::changed(e);
            found |= names.iter().any(|name| changed.contains(&name.to_string()));
        }
    });
    found
}

/// Takes the names out of a slice's pattern, and says which places they stand for.
fn elements(s: &mut syn::PatSlice, of: &Expr, lets: &mut Vec<Stmt>) -> Option<()> {
    let is_rest = |pat: &Pat| match pat {
        Pat::Rest(_) => true,
        Pat::Ident(p) => p.subpat.as_ref().is_some_and(|(_, inner)| matches!(**inner, Pat::Rest(_))),
        _ => false,
    };
    let rest = s.elems.iter().position(is_rest);
    let len = s.elems.len();
    for (k, pat) in s.elems.iter_mut().enumerate() {
        let span = pat.span();
        let [first, from_end, behind] = [k, len - k, len - k - 1].map(proc_macro2::Literal::usize_unsuffixed);
        let index = match rest {
            Some(rest) if k > rest => quote_spanned!(span=> #of.len() - #from_end),
            _ => quote_spanned!(span=> #first),
        };
        match pat {
            Pat::Wild(_) | Pat::Rest(_) | Pat::Lit(_) | Pat::Range(_) | Pat::Or(_)
                if bound(pat).is_empty() => {}
            Pat::Ident(p) if rest == Some(k) => {
                let name = &p.ident;
                lets.push(element(name, &quote_spanned!(span=> #of[#first..#of.len() - #behind])));
                *pat = Pat::Rest(syn::PatRest { attrs: vec![], dot2_token: syn::Token![..](span) });
            }
            Pat::Ident(p) if p.subpat.is_none() && !p.ident.to_string().starts_with(char::is_uppercase) => {
                let name = &p.ident;
                lets.push(element(name, &quote_spanned!(span=> #of[#index])));
                *pat = syn::parse_quote_spanned!(span=> _);
            }
            Pat::Slice(inner) => elements(inner, &syn::parse_quote_spanned!(span=> #of[#index]), lets)?,
            _ => return None,
        }
    }
    Some(())
}

/// The function of [`element`].
const ELEMENT: &str = "__omp_element_of_pattern";

/// Tells the walk that a name stands for a place.
fn element(name: &Ident, place: &TokenStream) -> Stmt {
    let mark = Ident::new(ELEMENT, Span::mixed_site());
    syn::parse_quote_spanned!(name.span()=> let #name = #mark(#place);)
}

/// The place that [`element`] has put down.
pub(in crate::iterate) fn element_of(c: &syn::ExprCall) -> Option<&Expr> {
    let is_mark = matches!(&*c.func, Expr::Path(p) if p.path.is_ident(ELEMENT));
    is_mark.then(|| c.args.first()).flatten()
}

/// The variables that statements change something through: `*n += 1`, `n[0] = 1`, `swap(n, m)`.
fn changed(code: &(impl search::Code + ?Sized)) -> HashSet<String> {
    let mut found = assigned_through(code);
    let mut root = |e: &Expr| {
        let mut e = strip(e);
        loop {
            e = match e {
                Expr::Unary(u) => strip(&u.expr),
                Expr::Field(f) => strip(&f.base),
                Expr::Index(x) => strip(&x.expr),
                _ => break,
            };
        }
        if let Expr::Path(p) = e {
            found.extend(p.path.get_ident().map(ToString::to_string));
        }
    };
    search::each(code, |e| {
        assigned(e).into_iter().for_each(&mut root);
        match e {
            Expr::Reference(r) if r.mutability.is_some() => root(&r.expr),
            Expr::ForLoop(f) if matches!(&*f.expr, Expr::Path(_)) => {
                let through = assigned_through(&f.body);
                if bound(&f.pat).iter().any(|name| through.contains(name)) {
                    root(&f.expr);
                }
            }
            Expr::MethodCall(m) if m.method == "iter_mut" || m.method == "swap" || m.method == "fill" => {
                root(&m.receiver);
            }
            _ => {}
        }
    });
    found
}

/// The variables through which a body assigns: `*n += 1`.
pub fn assigned_through(body: &(impl search::Code + ?Sized)) -> HashSet<String> {
    let mut through = HashSet::new();
    let mut each = |e: &Expr| {
        if let Expr::Unary(u) = e
            && let Expr::Path(p) = &*u.expr
        {
            through.extend(p.path.get_ident().map(ToString::to_string));
        }
    };
    search::each(body, |e| match assigned(e) {
        Some(Expr::Tuple(t)) => t.elems.iter().for_each(&mut each),
        Some(left) => each(left),
        None => {}
    });
    through
}
