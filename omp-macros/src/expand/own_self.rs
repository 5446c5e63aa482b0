//! `self` by value, of a device type, as a whole: `self.step(x[i])`, `blend(self, x[i])`. A region captures the value by the name of a
//! reference to it.
use crate::iterate::hidden;
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprForLoop, Stmt};

/// Gives `self` a name, where a region uses it as a whole: the name, and the statement that binds it.
pub(super) fn by_name(f: &mut ExprForLoop) -> Option<(Ident, Stmt)> {
    let name = hidden("__omp_own", Span::call_site());
    let mut put = Put { name: &name, found: false };
    put.visit_expr_for_loop_mut(f);
    let found = put.found;
    found.then(|| (name.clone(), syn::parse_quote!(let #name = &self;)))
}

struct Put<'n> {
    name: &'n Ident,
    found: bool,
}

impl VisitMut for Put<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let is_self = |e: &Expr| matches!(e, Expr::Path(p) if p.path.is_ident("self"));
        match e {
            Expr::Field(f) if is_self(&f.base) => {}
            // The struct's own `Index` is inlined elsewhere.
            Expr::Index(x) if is_self(&x.expr) => self.visit_expr_mut(&mut x.index),
            Expr::MethodCall(m) if is_self(&m.receiver) => {
                self.found = true;
                *m.receiver = self.named(&m.receiver);
                m.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
            }
            e if is_self(e) => {
                self.found = true;
                let reference = self.named(e).into_token_stream();
                *e = syn::parse_quote!((*#reference));
            }
            e => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

impl Put<'_> {
    /// The name, at the place of `self`.
    fn named(&self, e: &Expr) -> Expr {
        let mut name = self.name.clone();
        name.set_span(name.span().located_at(syn::spanned::Spanned::span(e)));
        syn::parse_quote!(#name)
    }
}
