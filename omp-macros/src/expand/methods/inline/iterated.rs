//! Loops over parameters that are slices, in a body that is put in the place of a call.
use super::super::behind_parens;
use super::expressions::made;
use proc_macro2::TokenStream;
use quote::quote_spanned;
use std::collections::{HashMap, HashSet};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprMethodCall, FnArg, Pat, Signature, Type};

/// Loops over parameters that are slices, by the names of the parameters: the argument in their place may be an array.
#[derive(Default)]
pub(super) struct Iterated {
    pub(super) shared: HashSet<String>,
    pub(super) exclusive: HashSet<String>,
}

impl Iterated {
    pub(super) fn of(sig: &Signature, places: &HashMap<String, TokenStream>) -> Self {
        let mut found = Self::default();
        for input in &sig.inputs {
            if let FnArg::Typed(param) = input
                && let (Pat::Ident(p), Type::Reference(r)) = (&*param.pat, behind_parens(&param.ty))
                && matches!(behind_parens(&r.elem), Type::Slice(_) | Type::Array(_))
                && places.contains_key(&p.ident.to_string())
            {
                let names = if r.mutability.is_some() { &mut found.exclusive } else { &mut found.shared };
                names.insert(p.ident.to_string());
            }
        }
        found
    }

    pub(super) fn iterate(&self, e: &mut Expr) {
        let Expr::Path(p) = &*e else { return };
        let Some(name) = p.path.get_ident().map(ToString::to_string) else { return };
        if self.shared.contains(&name) {
            *e = made(quote_spanned!(p.span()=> #p.iter()));
        } else if self.exclusive.contains(&name) {
            *e = made(quote_spanned!(p.span()=> #p.iter_mut()));
        }
    }
}

impl VisitMut for Iterated {
    fn visit_expr_for_loop_mut(&mut self, f: &mut syn::ExprForLoop) {
        visit_mut::visit_expr_for_loop_mut(self, f);
        self.iterate(&mut f.expr);
    }

    fn visit_expr_method_call_mut(&mut self, m: &mut ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, m);
        if m.method == "zip" || m.method == "chain" {
            m.args.iter_mut().for_each(|arg| self.iterate(arg));
        }
    }
}
