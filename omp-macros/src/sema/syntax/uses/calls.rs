//! Uses by calls and macros, and whether their values are used.
use super::How;
use super::walk::Walk;
use crate::sema::accesses::atomic;
use crate::sema::syntax::forms;
use crate::sema::syntax::place;
use crate::sema::syntax::place::Step;
use omp_ir::method::Method;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Expr, Token};

impl Walk {
    pub(super) fn macro_(&mut self, mac: &syn::Macro) {
        if let Ok(args) = mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated) {
            let own = |name: &syn::Ident| {
                args.iter().any(|a| matches!(a, Expr::Assign(a) if a.left.to_token_stream().to_string() == *name.to_string()))
            };
            for arg in &args {
                match arg {
                    // `panic!("{n}", n = e)`
                    Expr::Assign(a) => self.visit_expr(&a.right),
                    Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => {
                        let named = crate::lower::named_in(text).into_iter().filter(|name| !own(name));
                        named.for_each(|name| self.visit_expr(&syn::parse_quote!(#name)));
                    }
                    e => self.visit_expr(e),
                }
            }
        }
    }

    /// `statement`: its value is not used. One of the user's may then change the element that it is called on.
    pub(super) fn method(&mut self, m: &syn::ExprMethodCall, statement: bool) {
        let (name, element) = (m.method.to_string(), || matches!(forms::strip(&m.receiver), Expr::Index(_)));
        let copied = |place: place::Place<'_>| self.copied.contains(&place.base);
        let how = match (&*name, m.args.len()) {
            ("len" | "is_empty", 0) => How::Len,
            ("swap", 2) => How::Update,
            (_, n) if statement && element() && !Method::is_name(&name, n + 1) => {
                if place::of(&m.receiver).is_some_and(copied) { How::Update } else { How::Read }
            }
            _ => How::Read,
        };
        let swap = name == "swap" && how == How::Update;
        if swap {
            m.args.iter().for_each(|a| self.argument(a));
        }
        let before = self.found.len();
        match place::of(&m.receiver) {
            Some(_) => self.access(&m.receiver, how, None),
            None => self.visit_expr(&m.receiver),
        }
        if swap {
            // `swap` uses two elements, not the whole.
            for u in self.found[before..].iter_mut().filter(|u| u.how == How::Update) {
                u.element = true;
                u.path.push(Step::Somewhere);
            }
        } else {
            m.args.iter().for_each(|a| self.argument(a));
        }
    }

    /// An expression whose value is not used.
    pub(super) fn effect(&mut self, e: &Expr) {
        let around = std::mem::replace(&mut self.is_value, false);
        match forms::strip(e) {
            Expr::MethodCall(m) if atomic::of(e).is_none() => self.method(m, true),
            _ => self.expr(e),
        }
        self.is_value = around;
    }

    /// The end of a branch or a block: its value, if it has one.
    pub(super) fn tail(&mut self, e: &Expr) {
        if self.is_value {
            self.visit_expr(e);
        } else {
            self.effect(e);
        }
    }

    pub(super) fn argument(&mut self, e: &Expr) {
        match forms::strip(e) {
            Expr::Reference(r) if r.mutability.is_none() && place::of(&r.expr).is_some() => {
                self.access(&r.expr, How::Argument, None);
            }
            e if place::of(e).is_some() => self.access(e, How::Argument, None),
            e => self.visit_expr(e),
        }
    }
}
