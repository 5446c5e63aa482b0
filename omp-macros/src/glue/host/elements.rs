//! Subscripts of reduced arrays in a serial loop that is cut into blocks of iterations (`host::SerialReductions`): they go to
//! the block's private copy.
use crate::sema::syntax::place;
use crate::sema::syntax::scope;
use crate::sema::syntax::scope::Scopes;
use proc_macro2::Ident;
use quote::quote_spanned;
use syn::Expr;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};

/// Replaces the subscripts.
pub(in crate::glue) struct Elements<'a> {
    /// The views that replace arrays, by the arrays' keys.
    views: &'a [(String, Ident)],
    /// Names that stand for something else here.
    shadowed: Vec<String>,
}

impl<'a> Elements<'a> {
    pub(in crate::glue) const fn new(views: &'a [(String, Ident)]) -> Self {
        Self { views, shadowed: Vec::new() }
    }

    /// The expression that replaces an element.
    fn element(&self, x: &syn::ExprIndex) -> Option<Expr> {
        let key = place::scalar_key(&x.expr)?;
        let base = key.split('.').next().unwrap_or_default();
        let (_, view) = self.views.iter().find(|(of, _)| *of == key)?;
        if self.shadowed.iter().any(|name| name == base) {
            return None;
        }
        // With the user's own span: where it fails is then the subscript.
        let span = x.span();
        let mut at: syn::ExprMethodCall = syn::parse2(quote_spanned!(span=> #view.at_checked())).ok()?;
        at.args.push((*x.index).clone());
        let mut element: Expr = syn::parse2(code!(
            (*{
                let __p = __at;
                unsafe { &mut *__p }
            })
        ))
        .ok()?;
        Put(Some(Expr::MethodCall(at))).visit_expr_mut(&mut element);
        Some(element)
    }
}

/// Puts an expression in the place of the first name.
struct Put(Option<Expr>);

impl VisitMut for Put {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Path(_) => {
                if let Some(put) = self.0.take() {
                    *e = put;
                }
            }
            e => visit_mut::visit_expr_mut(self, e),
        }
    }
}

impl Scopes for Elements<'_> {
    fn hidden(&mut self) -> &mut Vec<String> {
        &mut self.shadowed
    }
}

impl VisitMut for Elements<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        if let Expr::Index(x) = e
            && let Some(element) = self.element(x)
        {
            *e = element;
        }
    }

    scope::visits!();

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
