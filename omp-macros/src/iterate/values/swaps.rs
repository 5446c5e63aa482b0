//! `mem::swap(&mut a[0], &mut b[1])` and `mem::replace(&mut a[0], b[1])` of names that stand for parts of one array: as in
//! `let [a, b] = &mut rows;`. rustc would see two borrows of `rows`, so values are copied.
use crate::iterate::loops::chain;
use crate::iterate::loops::walk::Walk;
use crate::iterate::tokens::made;
use crate::sema::syntax::names::Names;
use crate::sema::syntax::{place, std_names};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprCall};

impl Walk<'_> {
    /// Copies of the values instead of the call; not yet walked through.
    pub(in crate::iterate) fn swapped_parts(&mut self, c: &ExprCall) -> Option<Expr> {
        let Expr::Path(p) = &*c.func else { return None };
        let function = std_names::in_mem(&p.path)?;
        let (to, value) = match &c.args.iter().collect::<Vec<_>>()[..] {
            [Expr::Reference(to), value] if to.mutability.is_some() && chain::is_place(&to.expr) => {
                (to, *value)
            }
            _ => return None,
        };
        let root = place::root(&to.expr)?.clone();
        let (span, mut before) = (function.span(), TokenStream::new());
        let [kept, new] = ["kept", "new"].map(|name| self.fresh(name, span));
        match (function.to_string().as_str(), value) {
            ("swap", Expr::Reference(r)) if r.mutability.is_some() && chain::is_place(&r.expr) => {
                if !self.are_parts_of_one(&root, place::root(&r.expr)?) {
                    return None;
                }
                let [a, b] = [&to.expr, &r.expr].map(|place| self.evaluated_once(place, &mut before));
                Some(made(quote_spanned!(span=> { #before let #kept = #a; #a = #b; #b = #kept; })))
            }
            ("replace", value) => {
                if !Names::of_expr(value).mentioned.iter().any(|name| self.are_parts_of_one(&root, name)) {
                    return None;
                }
                let a = self.evaluated_once(&to.expr, &mut before);
                Some(made(
                    quote_spanned!(span=> { #before let #new = #value; let #kept = #a; #a = #new; #kept }),
                ))
            }
            _ => None,
        }
    }

    /// Whether two names of the user's stand for places in one variable. (Halves of slices have been replaced by parts of one
    /// that has a name of the macros.)
    fn are_parts_of_one(&self, a: &Ident, b: &Ident) -> bool {
        let of = |name: &Ident| {
            let item = self.item(&made(name.to_token_stream()));
            match item {
                Some(chain::Item::Element { place, .. }) => place::root(&place).cloned(),
                _ => None,
            }
        };
        match (of(a), of(b)) {
            (Some(p), Some(q)) => a != b && p == q,
            _ => a == b && a.to_string().starts_with("__omp_"),
        }
    }

    /// A place whose subscripts have names.
    fn evaluated_once(&mut self, place: &Expr, before: &mut TokenStream) -> Expr {
        let mut place = place.clone();
        chain::indices(&mut place, &mut |index| {
            if !matches!(index, Expr::Lit(_) | Expr::Range(_)) {
                let (name, span) = (self.fresh("index", index.span()), index.span());
                before.extend(quote_spanned!(span=> let #name = #index;));
                *index = made(name.to_token_stream());
            }
        });
        place
    }
}
