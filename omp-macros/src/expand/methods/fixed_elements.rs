//! Elements of fixed arrays with constant subscripts, in structs and in variables that don't change: `g.size[1]` and
//! `shape[1]` become values that the region captures, as `g.rows` is. (The same subscript of a `Vec` is an element of a
//! mapped array.)
use super::{Methods, Variables};
use crate::parse::tokens::source::NUMBERS;
use crate::sema::syntax::place;
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Item, Member, Type};

/// Gives names to elements of fixed arrays by numbers.
pub(super) struct Elements<'a> {
    pub methods: &'a Methods,
    pub variables: &'a Variables,
    /// Variables from outside of the loop that are fixed arrays and not `mut`: no region writes them.
    pub arrays: Vec<&'a str>,
    pub written: HashSet<String>,
    pub found: Vec<(Ident, Expr)>,
}

impl Elements<'_> {
    fn is_fixed(&self, x: &syn::ExprIndex) -> Option<bool> {
        if self.is_variable(x) {
            return Some(true);
        }
        let Expr::Field(f) = &*x.expr else { return None };
        let of = self.methods.find(&self.methods.of_place(&f.base, &self.variables.types)?)?;
        let Member::Named(name) = &f.member else { return None };
        let field = of.fields.as_ref()?.iter().find(|field| field.ident.as_ref() == Some(name))?;
        Some(matches!(field.ty, Type::Array(_)))
    }

    fn is_variable(&self, x: &syn::ExprIndex) -> bool {
        matches!(&*x.expr, Expr::Path(p) if self.arrays.iter().any(|name| p.path.is_ident(*name)))
    }

    /// Whether a part of an element, or its place, is used: such an element may be an array of any type, and can't be captured as a value.
    fn is_taken_apart(&self, e: &Expr) -> bool {
        let of = match e {
            Expr::Index(x) => &x.expr,
            Expr::Field(f) => &f.base,
            Expr::MethodCall(m) => &m.receiver,
            Expr::Reference(r) => &r.expr,
            _ => return false,
        };
        matches!(&**of, Expr::Index(x) if self.is_variable(x))
    }
}

impl VisitMut for Elements<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::Index(x) = e
            && let Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. }) = &*x.index
            && self.is_fixed(x) == Some(true)
            && let Some(key) = place::scalar_key(&x.expr)
            && !self.written.iter().any(|w| place::covers(w, &key) || place::covers(&key, w))
        {
            let name = format!("{NUMBERS}{}_{}", key.replace("r#", "").replace('.', "_"), n.base10_digits());
            let name = Ident::new(&name, x.expr.span());
            if !self.found.iter().any(|(known, _)| *known == name) {
                self.found.push((name.clone(), e.clone()));
            }
            *e = syn::parse_quote!(#name);
            return;
        }
        if self.is_taken_apart(e) {
            match e {
                Expr::Index(x) => self.visit_expr_mut(&mut x.index),
                Expr::MethodCall(m) => m.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg)),
                _ => {}
            }
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
