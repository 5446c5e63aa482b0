//! Methods that put a value in an option and give a `&mut` of it: `insert`, `get_or_insert` and their like become an assignment.
use super::combinators::is_literal;
use crate::iterate::loops::chain::is_place;
use crate::iterate::loops::chain::is_variable_or_field;
use crate::iterate::loops::walk::Walk;
use crate::iterate::tokens::{call, changed, in_head, made, parentheses};
use crate::parse::tokens::leaves::mentions;
use crate::sema::reduction::updates::is_assignment;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::{place, search};
use proc_macro2::Ident;
use quote::{ToTokens, quote_spanned};
use std::collections::VecDeque;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprMethodCall, Pat, Stmt};

impl Walk<'_> {
    /// The value that `b.insert(v)`, `b.get_or_insert(v)` and their like refer to.
    fn inserted(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        let (name, span) = (m.method.to_string(), m.method.span());
        let place = &self.option_at(&m.receiver);
        if m.turbofish.is_some() || !is_place(place) || self.has_effects(place) || !self.is_an_option(place) {
            return None;
        }
        let option = quote_spanned!(span=> ::omp::__private::core::option::Option);
        let (v, new) = (self.fresh("some", span), self.fresh("new", span));
        let args: Vec<&Expr> = m.args.iter().collect();
        let value = match (name.as_str(), &args[..]) {
            ("insert", [value]) => {
                return Some(made(parentheses(
                    quote_spanned!(span=> { let #new = #value; #place = #option::Some(#new); #new }),
                )));
            }
            ("get_or_insert", [value]) => value.to_token_stream(),
            ("get_or_insert_with", [f]) if self.is_function(f) => call(f, &[], span).into_token_stream(),
            ("get_or_insert_default", []) => {
                quote_spanned!(span=> ::omp::__private::core::default::Default::default())
            }
            _ => return None,
        };
        let (of, early) = (in_head(place), name == "get_or_insert" && !is_literal(args[0]));
        let other = early.then(|| self.fresh("other", span));
        // It is computed in either case.
        let before = other.as_ref().map(|other| quote_spanned!(span=> let #other = #value;));
        let value = other.map_or(value, ToTokens::into_token_stream);
        Some(made(parentheses(quote_spanned!(span=> {
            #before
            match #of {
                #option::Some(#v) => #v,
                #option::None => { let #new = #value; #place = #option::Some(#new); #new }
            }
        }))))
    }

    /// `*b.insert(v)`, `*b.get_or_insert(0) += n`, and `b.insert(v);` as a statement; not yet walked through.
    pub(in crate::iterate) fn through_inserted(&mut self, e: &Expr, is_statement: bool) -> Option<Expr> {
        fn method(e: &Expr) -> Option<&ExprMethodCall> {
            match strip(e) {
                Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => match strip(&u.expr) {
                    Expr::MethodCall(m)
                        if m.method == "insert" || m.method.to_string().starts_with("get_or_insert") =>
                    {
                        Some(m)
                    }
                    _ => None,
                },
                _ => None,
            }
        }
        if let (Expr::MethodCall(m), true) = (e, is_statement) {
            let (whole, span) = (self.inserted(m)?, m.method.span());
            return Some(made(quote_spanned!(span=> { let _ = #whole; })));
        }
        let Expr::Binary(b) = e else { return self.inserted(method(e)?) };
        if !is_assignment(&b.op) {
            return None;
        }
        let m = method(&b.left)?;
        let (span, value) = (m.method.span(), self.inserted(m)?);
        // (Which of the two comes first depends on the type.)
        if self.has_effects(&b.right) || m.args.iter().any(|arg| self.has_effects(arg)) {
            return None;
        }
        let [sum, right] = ["sum", "right"].map(|name| self.fresh(name, span));
        let (op, given, place) = (&b.op, &b.right, self.option_at(&m.receiver));
        Some(made(quote_spanned!(span=> {
            let #right = #given;
            let mut #sum = #value;
            #sum #op #right;
            #place = ::omp::__private::core::option::Option::Some(#sum);
        })))
    }

    /// `let r = b.get_or_insert(v);` as a variable of the value. A statement that changes the value assigns it to the option at its end: rustc
    /// allows no other use of the option while the reference lives. `None` if the name is used otherwise than by `*r`.
    pub(in crate::iterate) fn inserted_let(&mut self, s: &Stmt, rest: &mut VecDeque<Stmt>) -> Option<Stmt> {
        let Stmt::Local(l) = s else { return None };
        let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
        let Expr::MethodCall(m) = &*init.expr else { return None };
        if let Pat::Wild(_) = &l.pat {
            let (whole, span) = (self.inserted(m)?, m.method.span());
            return Some(Stmt::Expr(made(quote_spanned!(span=> { let _ = #whole; })), None));
        }
        let Pat::Ident(p) = &l.pat else { return None };
        if p.mutability.is_some()
            || p.by_ref.is_some()
            || p.subpat.is_some()
            || !is_variable_or_field(&m.receiver)
        {
            return None;
        }
        let (name, root) = (p.ident.to_string(), place::root(&m.receiver)?.to_string());
        let value = self.inserted(m)?;
        let (kept, span) = (self.fresh("inserted", p.ident.span()), m.method.span());
        let whole = self.option_at(&m.receiver);
        let (mut stmts, mut changes) = (VecDeque::new(), false);
        let mut behind = Behind { name: &name, kept: &kept };
        for mut s in rest.iter().cloned() {
            behind.visit_stmt_mut(&mut s);
            if mentions(s.to_token_stream(), &name) {
                return None;
            }
            if !changed(&syn::parse_quote!({ #s })).contains(&kept.to_string()) && !calls_of(&s, &kept) {
                stmts.push_back(s);
                continue;
            }
            let leaves = |e: &Expr| {
                matches!(
                    e,
                    Expr::Break(_)
                        | Expr::Continue(_)
                        | Expr::Return(_)
                        | Expr::Try(_)
                        | Expr::Closure(_)
                        | Expr::Macro(_)
                )
            };
            if search::any(&s, leaves) || mentions(s.to_token_stream(), &root) {
                return None;
            }
            let is_unit = |e: &Expr| {
                matches!(
                    e,
                    Expr::Assign(_)
                        | Expr::If(_)
                        | Expr::ForLoop(_)
                        | Expr::While(_)
                        | Expr::Block(_)
                        | Expr::Match(_)
                ) || matches!(e, Expr::Binary(b) if is_assignment(&b.op))
            };
            match &mut s {
                Stmt::Expr(e, semi @ None) if is_unit(e) => *semi = Some(<syn::Token![;]>::default()),
                Stmt::Expr(_, None) | Stmt::Item(_) | Stmt::Macro(_) => return None,
                Stmt::Expr(_, Some(_)) | Stmt::Local(_) => {}
            }
            changes = true;
            stmts.push_back(s);
            stmts.push_back(
                syn::parse_quote_spanned!(span=> #whole = ::omp::__private::core::option::Option::Some(#kept);),
            );
        }
        *rest = stmts;
        let mutable = changes.then(|| quote_spanned!(span=> mut));
        Some(syn::parse_quote_spanned!(span=> let #mutable #kept = #value;))
    }
}

/// Whether a method is called of a variable.
fn calls_of(s: &Stmt, name: &Ident) -> bool {
    search::any(
        s,
        |e| matches!(e, Expr::MethodCall(m) if place::root(&m.receiver).is_some_and(|root| root == name)),
    )
}

/// Puts a variable in the place of what a reference refers to.
struct Behind<'a> {
    name: &'a str,
    kept: &'a Ident,
}

impl Behind<'_> {
    fn behind(&self, e: &mut Expr) {
        if matches!(strip(e), Expr::Path(p) if p.path.is_ident(self.name)) {
            *e = made(self.kept.to_token_stream());
        }
    }
}

impl VisitMut for Behind<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Unary(u)
                if matches!(u.op, syn::UnOp::Deref(_))
                    && matches!(strip(&u.expr), Expr::Path(p) if p.path.is_ident(self.name)) =>
            {
                *e = made(self.kept.to_token_stream());
            }
            // References are seen through.
            Expr::MethodCall(m) => {
                self.behind(&mut m.receiver);
                visit_mut::visit_expr_method_call_mut(self, m);
            }
            Expr::Field(f) => {
                self.behind(&mut f.base);
                visit_mut::visit_expr_field_mut(self, f);
            }
            Expr::Index(x) => {
                self.behind(&mut x.expr);
                visit_mut::visit_expr_index_mut(self, x);
            }
            e => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
