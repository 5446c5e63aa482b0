//! `let (chunks, rest) = x.as_chunks::<N>();`: a slice of arrays, which no device has. Where the chunks are iterated, each becomes an array of
//! its own ([`super::pipeline`]); the rest is a slice.
use super::arrays::behind;
use crate::iterate::loops::chain::is_place;
use crate::iterate::loops::pattern;
use crate::iterate::loops::walk::Walk;
use crate::iterate::tokens::made;
use crate::parse::tokens::leaves::mentions;
use crate::sema::syntax::forms::strip;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use std::collections::VecDeque;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprMethodCall, GenericArgument, Ident, Pat, Stmt};

/// The slice and the length in `x.as_chunks::<N>()`.
fn cut(e: &Expr) -> Option<(&Expr, &GenericArgument)> {
    let Expr::MethodCall(m) = strip(e) else { return None };
    let n = m.turbofish.as_ref()?.args.first()?;
    // (Of no elements, there are no such arrays: the const assertion of std reports it.)
    let fits = m.method == "as_chunks" && m.args.is_empty() && n.to_token_stream().to_string() != "0";
    (fits && is_place(behind(&m.receiver))).then_some((&*m.receiver, n))
}

/// The same of `x.as_chunks::<N>().0.iter()`.
pub(super) fn iterated(m: &ExprMethodCall) -> Option<(&Expr, &GenericArgument)> {
    let Expr::Field(f) = strip(&m.receiver) else { return None };
    let first = matches!(&f.member, syn::Member::Unnamed(n) if n.index == 0);
    let iterates = (m.method == "iter" || m.method == "into_iter") && m.args.is_empty();
    if first && iterates { cut(&f.base) } else { None }
}

/// Whether the items of an iterator are those.
pub(super) fn iterates(e: &Expr) -> bool {
    matches!(strip(e), Expr::MethodCall(m) if iterated(m).is_some() || iterates(&m.receiver))
}

impl Walk<'_> {
    /// The `let` of chunks and their rest, with the chunks in the place of their name in the statements after it. `None` if the name is
    /// used otherwise than to iterate or to count them.
    pub(in crate::iterate) fn chunks_let(
        &mut self,
        s: &Stmt,
        after: &mut VecDeque<Stmt>,
    ) -> Option<Vec<Stmt>> {
        let Stmt::Local(l) = s else { return None };
        let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
        let (Pat::Tuple(t), (slice, n)) = (&l.pat, cut(&init.expr)?) else { return None };
        let [chunks, rest] = &t.elems.iter().collect::<Vec<_>>()[..] else { return None };
        let Expr::MethodCall(m) = strip(&init.expr) else { return None };
        let (span, all) = (m.method.span(), self.fresh("all", m.method.span()));
        if let Pat::Ident(name) = chunks {
            let whole = quote_spanned!(span=> #all.as_chunks::<#n>().0);
            let mut put = Put { name: &name.ident, whole, count: quote_spanned!(span=> (#all.len() / #n)) };
            let mut stmts = after.clone();
            stmts.iter_mut().for_each(|s| put.visit_stmt_mut(s));
            let mut left = Left { name: &name.ident, found: false };
            stmts.iter().for_each(|s| left.visit_stmt(s));
            if left.found || name.by_ref.is_some() || name.subpat.is_some() {
                return None;
            }
            *after = stmts;
        } else if !matches!(chunks, Pat::Wild(_)) {
            return None;
        }
        let whole = self.part(slice, false, span);
        let mut stmts: Vec<Stmt> = vec![syn::parse_quote_spanned!(span=> let #all = #whole;)];
        if !matches!(rest, Pat::Wild(_)) {
            stmts.push(syn::parse_quote_spanned!(span=> let #rest = &#all[#all.len() / #n * #n..];));
        }
        Some(stmts)
    }
}

/// Whether the parameters of a closure have a name of their own that is this one.
fn hides(c: &syn::ExprClosure, name: &Ident) -> bool {
    c.inputs.iter().flat_map(pattern::names).any(|own| own == *name)
}

/// Finds further uses of a name, and bindings of it.
struct Left<'a> {
    name: &'a Ident,
    found: bool,
}

impl<'ast> Visit<'ast> for Left<'_> {
    fn visit_expr_closure(&mut self, c: &'ast syn::ExprClosure) {
        if !hides(c, self.name) {
            visit::visit_expr_closure(self, c);
        }
    }
    fn visit_ident(&mut self, name: &'ast Ident) {
        self.found |= name == self.name;
    }
    fn visit_member(&mut self, _: &'ast syn::Member) {}
    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        self.found |= mentions(m.tokens.clone(), &self.name.to_string());
    }
}

/// Puts chunks in the place of their name.
struct Put<'a> {
    name: &'a Ident,
    whole: TokenStream,
    count: TokenStream,
}

impl VisitMut for Put<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let is_it = |e: &Expr| matches!(strip(e), Expr::Path(p) if p.path.is_ident(self.name));
        let whole = &self.whole;
        match e {
            Expr::MethodCall(m) if m.args.is_empty() && is_it(&m.receiver) => {
                match m.method.to_string().as_str() {
                    "iter" | "into_iter" => {
                        let iter = Ident::new("iter", m.method.span());
                        *e = made(quote_spanned!(m.method.span()=> #whole.#iter()));
                    }
                    "len" => *e = made(self.count.clone()),
                    _ => {}
                }
            }
            Expr::Closure(c) if hides(c, self.name) => {}
            Expr::ForLoop(f) => {
                if is_it(&f.expr) {
                    *f.expr = made(quote_spanned!(self.name.span()=> #whole.iter()));
                }
                visit_mut::visit_expr_for_loop_mut(self, f);
            }
            e => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
