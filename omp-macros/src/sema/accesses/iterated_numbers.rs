//! Iterators of what is a number by its declaration (`x.iter()` of an `f32`), and tuples for items that are numbers. rustc reports
//! them in the serial form. The counted loop that the iterator becomes would have further errors: of the length, of each subscript, and of the
//! receiver. So the expansion stops.
use crate::diag::{Code, Sink};
use crate::lower::primitive;
use crate::sema::clauses::immutable::{bindings, bindings_in};
use crate::sema::syntax::field_types::of_field;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::items::GIVE_ITERATORS;
use crate::sema::syntax::search;
use crate::sema::syntax::types::{behind_references, element};
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprForLoop, FnArg, Local, Member, Pat, PatType, Signature, Stmt, Type};

/// Stops at the first in a region. `body` is the function around it.
pub fn in_region(sig: &Signature, body: &Block, nest: &ExprForLoop, sink: &mut Sink) {
    let head = Stmt::Expr(Expr::ForLoop(nest.clone()), None);
    let inside = Block { brace_token: nest.body.brace_token, stmts: vec![head] };
    check(sig, &inside, Some(body), sink);
}

/// Stops at the first in a device function.
pub fn in_function(sig: &Signature, body: &Block, sink: &mut Sink) {
    check(sig, body, None, sink);
}

fn check(sig: &Signature, inside: &Block, rest: Option<&Block>, sink: &mut Sink) {
    let (mut calls, mut tuples) = (Vec::new(), Vec::new());
    search::each(inside, |e| match e {
        Expr::MethodCall(m) if GIVE_ITERATORS.iter().any(|name| m.method == name) => calls.push(m),
        Expr::ForLoop(f) if matches!(&*f.pat, Pat::Tuple(_)) => tuples.push(f),
        _ => {}
    });
    if calls.is_empty() && tuples.is_empty() {
        return;
    }
    let types = Types::of(sig, inside, rest);
    let number = |ty: &Type| Some(primitive(behind_references(ty))?.name());
    let found = calls.iter().find_map(|m| Some((m, number(&types.of_place(&m.receiver)?)?)));
    if let Some((m, ty)) = found {
        let message = format!("`.{}()` of a `{ty}`, which is no array", m.method);
        sink.of_rustc(Code::UnsupportedExpr, m.method.span(), message)
            .help("iterate an array: a `&[T]`, `Vec<T>` or `[T; N]`, or a part of one, `x[a..b].iter()`");
    }
    let of_numbers = |f: &ExprForLoop| match &*f.expr {
        Expr::MethodCall(m) if m.method == "iter" || m.method == "iter_mut" => {
            number(element(&types.of_place(&m.receiver)?)?)
        }
        _ => None,
    };
    if let Some((f, ty)) = tuples.iter().find_map(|f| Some((f, of_numbers(f)?))) {
        let message = format!("a tuple for an item that is a `{ty}`");
        sink.of_rustc(Code::UnsupportedPattern, f.pat.span(), message)
            .help("number the items: `for (i, v) in x.iter().enumerate()`");
    }
}

/// Variables with a declared type, of whose names the function has one variable, and names that are numbers of ranges alone.
struct Types<'a> {
    declared: HashMap<String, &'a Type>,
    counters: HashMap<String, usize>,
}

impl<'a> Types<'a> {
    fn of(sig: &'a Signature, inside: &'a Block, rest: Option<&'a Block>) -> Self {
        let mut found = Declared::default();
        for input in &sig.inputs {
            if let FnArg::Typed(arg) = input {
                found.add(arg);
            }
        }
        rest.into_iter().chain([inside]).for_each(|code| found.visit_block(code));
        let variables = |name: &str| match rest {
            Some(rest) => bindings(name, sig, rest) + bindings_in(name, inside),
            None => bindings(name, sig, inside),
        };
        let Declared { mut types, mut counters } = found;
        types.retain(|name, _| variables(name) == 1);
        counters.retain(|name, count| variables(name) == *count);
        Self { declared: types, counters }
    }

    /// Whether a subscript is a number for sure: others may be ranges.
    fn is_number(&self, e: &Expr) -> bool {
        match strip(e) {
            Expr::Lit(_) | Expr::Cast(_) | Expr::Binary(_) => true,
            Expr::Path(p) => p.path.get_ident().map(ToString::to_string).is_some_and(|name| {
                self.counters.contains_key(&name)
                    || self.declared.get(&name).is_some_and(|ty| primitive(behind_references(ty)).is_some())
            }),
            _ => false,
        }
    }

    /// The type of a variable, field or element, without the references around it.
    fn of_place(&self, e: &Expr) -> Option<Type> {
        Some(match strip(e) {
            Expr::Path(p) => behind_references(self.declared.get(&p.path.get_ident()?.to_string())?).clone(),
            Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.of_place(&u.expr)?,
            Expr::Index(x) if self.is_number(&x.index) => {
                behind_references(element(&self.of_place(&x.expr)?)?).clone()
            }
            Expr::Field(f) => {
                let of = self.of_place(&f.base)?;
                let Member::Named(field) = &f.member else { return None };
                behind_references(&of_field(&of, field, field.span())?).clone()
            }
            _ => return None,
        })
    }
}

#[derive(Default)]
struct Declared<'a> {
    types: HashMap<String, &'a Type>,
    /// How many loops over ranges have a variable of the name.
    counters: HashMap<String, usize>,
}

impl<'a> Declared<'a> {
    fn add(&mut self, typed: &'a PatType) {
        if let Pat::Ident(p) = &*typed.pat
            && p.by_ref.is_none()
        {
            self.types.insert(p.ident.to_string(), &typed.ty);
        }
    }
}

impl<'a> Visit<'a> for Declared<'a> {
    fn visit_local(&mut self, local: &'a Local) {
        if let Pat::Type(typed) = &local.pat {
            self.add(typed);
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_for_loop(&mut self, f: &'a ExprForLoop) {
        if let (Pat::Ident(p), Expr::Range(_)) = (&*f.pat, strip(&f.expr)) {
            *self.counters.entry(p.ident.to_string()).or_default() += 1;
        }
        visit::visit_expr_for_loop(self, f);
    }

    fn visit_item(&mut self, _: &'a syn::Item) {}
}
