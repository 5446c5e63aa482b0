//! Loops over parameters that are slices, and parameters that are arguments of further calls, in an inlined body.
use super::super::{behind_parens, name_of};
use super::expressions::made;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
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

/// Parameters `ray: &Ray` of calls with `&ray`, which a body passes on: the value replaces them, so `&` is added where they are arguments, and
/// `*` is left out.
#[derive(Default)]
pub(super) struct PassedOn(pub(super) HashSet<String>);

impl PassedOn {
    /// Whether a call gives such a reference.
    pub(super) fn is_given(ty: &Type, arg: &Expr) -> bool {
        let Type::Reference(r) = behind_parens(ty) else { return false };
        let Expr::Reference(given) = arg else { return false };
        let referred = match behind_parens(&r.elem) {
            Type::Path(_) => name_of(&r.elem).is_some_and(|name| name != "Vec" && name != "Box"),
            Type::Array(_) | Type::Slice(_) => true,
            _ => false,
        };
        referred && r.mutability.is_none() && given.mutability.is_none()
    }

    fn refer<'e>(&self, args: impl IntoIterator<Item = &'e mut Expr>) {
        for arg in args {
            if let Expr::Path(p) = &*arg
                && p.path.get_ident().is_some_and(|name| self.0.contains(&name.to_string()))
            {
                *arg = made(quote_spanned!(p.span()=> &#p));
            }
        }
    }
}

impl VisitMut for PassedOn {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        // `*x`, the value itself.
        if let Expr::Unary(u) = &*e
            && matches!(u.op, syn::UnOp::Deref(_))
            && let Expr::Path(p) = &*u.expr
            && p.path.get_ident().is_some_and(|name| self.0.contains(&name.to_string()))
        {
            *e = made(p.into_token_stream());
        }
    }

    fn visit_expr_call_mut(&mut self, c: &mut syn::ExprCall) {
        visit_mut::visit_expr_call_mut(self, c);
        self.refer(&mut c.args);
    }

    fn visit_expr_method_call_mut(&mut self, m: &mut ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, m);
        self.refer(&mut m.args);
    }
}
