//! Elements of fixed arrays in structs, by numbers: `g.size[1]` becomes a value that the region captures, as `g.rows` is.
//! Of a `Vec`, it would be an element on the device.
use super::{Methods, Variables};
use crate::parse::tokens::source::NUMBERS;
use crate::sema::syntax::place;
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Item, Member, Type};

/// Gives names to elements of fixed arrays in structs, by numbers: `g.size[1]` is a value that the region is given, as `g.rows` is.
/// Of a `Vec`, it would be an element on the device.
pub(super) struct Elements<'a> {
    pub methods: &'a Methods,
    pub variables: &'a Variables,
    pub written: HashSet<String>,
    pub found: Vec<(Ident, Expr)>,
}

impl Elements<'_> {
    fn is_fixed(&self, x: &syn::ExprIndex) -> Option<bool> {
        let Expr::Field(f) = &*x.expr else { return None };
        let of = self.methods.find(&self.methods.of_place(&f.base, &self.variables.types)?)?;
        let Member::Named(name) = &f.member else { return None };
        let field = of.fields.as_ref()?.iter().find(|field| field.ident.as_ref() == Some(name))?;
        Some(matches!(field.ty, Type::Array(_)))
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
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
