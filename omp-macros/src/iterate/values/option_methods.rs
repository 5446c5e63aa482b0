//! Methods of options that take options and values apart or put values in places: `xor`, `zip`, `flatten`, `insert`, `get_or_insert`,
//! `take_if` and their like become a `match` or an assignment.
//!
//! Types of the user's may have methods of these names, and devices have no `Option` with methods of these names: so what is rewritten has to
//! be an option for sure, by its tokens, its `let` or the declaration of its name ([`Walk::is_an_option`]).
use super::option::{call, is_literal, is_result};
use super::{declared, pipeline};
use crate::iterate::loops::chain::is_place;
use crate::iterate::loops::walk::{Meaning, Walk};
use crate::iterate::tokens::{changed, in_head, made, parentheses};
use crate::parse::tokens::leaves::mentions;
use crate::sema::reduction::updates::is_assignment;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::{place, search};
use proc_macro2::Ident;
use quote::{ToTokens, quote_spanned};
use std::collections::{HashMap, VecDeque};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprMethodCall, Pat, Stmt, Type};

/// What a variable holds, as its `let` shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::iterate) enum Holds {
    Option,
    Result,
}

impl Holds {
    fn key(self, name: &str) -> String {
        // (No name of a variable has a space.)
        match self {
            Self::Option => format!("option {name}"),
            Self::Result => format!("result {name}"),
        }
    }

    fn of_type(ty: &Type) -> Option<Self> {
        let Type::Path(p) = ty else { return None };
        match p.path.segments.last()?.ident.to_string().as_str() {
            "Option" => Some(Self::Option),
            "Result" => Some(Self::Result),
            _ => None,
        }
    }
}

/// A variable of this name is declared in a scope: what another one held there is over.
pub(in crate::iterate) fn forget(scope: &mut HashMap<String, Meaning>, name: &str) {
    scope.remove(&Holds::Option.key(name));
    scope.remove(&Holds::Result.key(name));
}

/// The values of the branches of an expression.
fn branches<'e>(e: &'e Expr, found: &mut Vec<&'e Expr>) {
    let mut last = |b: &'e syn::Block| {
        if let Some(Stmt::Expr(e, None)) = b.stmts.last() {
            branches(e, found);
        }
    };
    match strip(e) {
        Expr::Block(b) if b.label.is_none() => last(&b.block),
        Expr::If(i) => {
            last(&i.then_branch);
            if let Some((_, e)) = &i.else_branch {
                branches(e, found);
            }
        }
        Expr::Match(m) => m.arms.iter().for_each(|arm| branches(&arm.body, found)),
        e => found.push(e),
    }
}

/// Methods that give an option of an option.
const OF_OPTION: [&str; 17] = [
    "map", "and_then", "filter", "or", "or_else", "xor", "zip", "and", "take", "take_if", "replace",
    "inspect", "copied", "cloned", "clone", "as_ref", "as_mut",
];

impl Walk<'_> {
    /// `x.iter().find(f)?;` of a device function: nothing is kept of the reference.
    pub(in crate::iterate) fn tried_alone(&mut self, s: &mut Stmt) {
        let Stmt::Expr(e, Some(_)) = s else { return };
        let (Expr::Try(t), true, false) = (strip(e), self.device_fn, self.gives_result) else { return };
        let Expr::MethodCall(m) = strip(&t.expr) else { return };
        if self.is_optional(&t.expr) {
            let span = m.method.span();
            let none = quote_spanned!(span=> ::omp::__private::core::option::Option::None);
            *e = made(quote_spanned!(span=> if #m.is_none() { return #none; }));
        }
    }

    /// What the variable of a `let` holds, before the walk is through it.
    pub(in crate::iterate) fn let_holds(&self, s: &Stmt) -> Option<(String, Holds)> {
        let Stmt::Local(l) = s else { return None };
        let (pat, ty) = match &l.pat {
            Pat::Type(t) => (&*t.pat, Some(&*t.ty)),
            pat => (pat, None),
        };
        let init = l.init.as_ref().filter(|init| init.diverge.is_none());
        let of_value = || {
            let e = &init?.expr;
            match () {
                () if self.is_an_option(e) => Some(Holds::Option),
                () if self.is_a_result(e) => Some(Holds::Result),
                () => None,
            }
        };
        let holds = ty.map_or_else(of_value, Holds::of_type)?;
        let Pat::Ident(p) = pat else { return None };
        (p.by_ref.is_none() && p.subpat.is_none()).then(|| (p.ident.to_string(), holds))
    }

    /// Records what a variable holds, after the walk is through its `let`.
    pub(in crate::iterate) fn holds(&mut self, (name, holds): (String, Holds)) {
        let scope = self.scopes.last_mut().expect("never empty");
        if matches!(scope.get(&name), Some(Meaning::Itself(..) | Meaning::Renamed(_))) {
            scope.insert(holds.key(&name), Meaning::Itself(true, None));
        }
    }

    /// Whether a name is that of such a variable; `None` if it is none of the body's.
    fn name_holds(&self, e: &Expr, holds: Holds) -> Option<bool> {
        let Expr::Path(p) = e else { return None };
        let name = p.path.get_ident()?.to_string();
        let scope = self.scopes.iter().rev().find(|scope| scope.contains_key(&name))?;
        Some(scope.contains_key(&holds.key(&name)))
    }

    /// Whether a name is that of a variable of the body that holds an option.
    pub(super) fn holds_option(&self, name: &Expr) -> bool {
        self.name_holds(name, Holds::Option) == Some(true)
    }

    /// Whether a value is an `Option` for sure.
    pub(in crate::iterate) fn is_an_option(&self, e: &Expr) -> bool {
        match strip(e) {
            Expr::MethodCall(m) => {
                let name = m.method.to_string();
                match (name.as_str(), m.args.len()) {
                    (name, _) if OF_OPTION.contains(&name) => {
                        !self.is_pipeline(&m.receiver) && self.is_an_option(&m.receiver)
                    }
                    ("ok" | "err", 0) => self.is_a_result(&m.receiver),
                    ("get", 1) | ("first" | "last", 0) => self.is_array(&m.receiver),
                    ("position" | "rposition" | "find_map", 1) => self.is_pipeline(&m.receiver),
                    ("to_digit", 1) => true,
                    _ => {
                        declared::gives_option(strip(e))
                            || pipeline::may_find(m) && self.is_pipeline(&m.receiver)
                    }
                }
            }
            e @ Expr::Path(_) => self
                .name_holds(e, Holds::Option)
                .unwrap_or_else(|| declared::gives_option(e) || declared::is_option(e)),
            Expr::Index(x) if matches!(&*x.index, Expr::Range(_)) => false,
            Expr::Index(x) if self.gives_options(&x.expr) => true,
            e @ (Expr::Field(_) | Expr::Index(_)) => declared::is_option(e) || declared::is_option_field(e),
            Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.is_an_option(&u.expr),
            e @ (Expr::Block(_) | Expr::If(_) | Expr::Match(_)) => {
                let mut values = Vec::new();
                branches(e, &mut values);
                values.iter().any(|e| !matches!(e, Expr::Block(_)) && self.is_an_option(e))
            }
            e => declared::gives_option(e),
        }
    }

    /// Whether a value is a `Result` for sure.
    pub(super) fn is_a_result(&self, e: &Expr) -> bool {
        match strip(e) {
            Expr::MethodCall(m) if m.method == "try_for_each" && m.args.len() == 1 => {
                self.is_pipeline(&m.receiver) && pipeline::gives_result(&m.args[0])
            }
            Expr::MethodCall(m) if m.method == "try_fold" && m.args.len() == 2 => {
                self.is_pipeline(&m.receiver) && pipeline::gives_result(&m.args[1])
            }
            e @ Expr::Path(_) => {
                self.name_holds(e, Holds::Result).unwrap_or_else(|| declared::is_result(e)) || is_result(e)
            }
            e @ (Expr::Field(_) | Expr::Index(_)) => declared::is_result(e),
            Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.is_a_result(&u.expr),
            e => is_result(e),
        }
    }

    /// A method of an option, or `err` of a result, written out; not yet walked through.
    pub(super) fn of_option(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::MethodCall(m) = e else { return None };
        let (name, span) = (m.method.to_string(), m.method.span());
        let core = quote_spanned!(span=> ::omp::__private::core);
        let option = quote_spanned!(span=> #core::option::Option);
        let (some, none) = (quote_spanned!(span=> #option::Some), quote_spanned!(span=> #option::None));
        let result = quote_spanned!(span=> #core::result::Result);
        let args: Vec<&Expr> = m.args.iter().collect();
        if m.turbofish.is_some() || !METHODS.contains(&(name.as_str(), args.len())) {
            return None;
        }
        if name == "err" {
            let (receiver, v) =
                (self.is_a_result(&m.receiver).then(|| in_head(&m.receiver))?, self.fresh("err", span));
            return Some(made(parentheses(
                quote_spanned!(span=> match #receiver { #result::Ok(_) => #none, #result::Err(#v) => #some(#v) }),
            )));
        }
        if name == "transpose" && self.is_a_result(&m.receiver) {
            let (receiver, v, e) = (in_head(&m.receiver), self.fresh("some", span), self.fresh("err", span));
            return Some(made(parentheses(quote_spanned!(span=> match #receiver {
                #result::Ok(#some(#v)) => #some(#result::Ok(#v)),
                #result::Ok(#none) => #none,
                #result::Err(#e) => #some(#result::Err(#e)),
            }))));
        }
        // (A place may be iterated by its name.)
        let iterates = !is_place(strip(&m.receiver)) && self.is_pipeline(&m.receiver);
        let moves = name == "take" || name == "replace";
        let declared = || declared::is_option(&m.receiver) || declared::is_option_field(&m.receiver);
        if iterates || !(self.is_an_option(&m.receiver) || moves && declared()) {
            return None;
        }
        if let Some(written) = self.put_in(m) {
            return Some(written);
        }
        // What holds references is another rule's.
        if self.is_optional(&m.receiver) || args.iter().any(|arg| self.is_optional(arg)) {
            return None;
        }
        let receiver = match self.element(&m.receiver) {
            // These methods take the option by value, also behind a reference.
            Some(_) => {
                let of = &m.receiver;
                made(quote_spanned!(span=> *#of))
            }
            None => (*m.receiver).clone(),
        };
        let (of, v, w) = (in_head(&receiver), self.fresh("some", span), self.fresh("other", span));
        Some(made(parentheses(match (name.as_str(), &args[..]) {
            ("xor", [other]) => quote_spanned!(span=> match (#receiver, #other) {
                (#some(#v), #none) => #some(#v),
                (#none, #some(#w)) => #some(#w),
                _ => #none,
            }),
            ("zip", [other]) => quote_spanned!(span=> match (#receiver, #other) {
                (#some(#v), #some(#w)) => #some((#v, #w)),
                _ => #none,
            }),
            ("and", [other]) => quote_spanned!(span=> match (#receiver, #other) {
                (#some(_), #some(#w)) => #some(#w),
                _ => #none,
            }),
            ("inspect", [f]) if self.is_function(f) => {
                let done = call(f, &[quote_spanned!(span=> &#v)], span);
                quote_spanned!(span=> match #of { #some(#v) => { #done; #some(#v) } #none => #none })
            }
            ("flatten", []) => {
                quote_spanned!(span=> match #of { #some(#some(#v)) => #some(#v), _ => #none })
            }
            ("transpose", []) => quote_spanned!(span=> match #of {
                #some(#result::Ok(#v)) => #result::Ok(#some(#v)),
                #some(#result::Err(#w)) => #result::Err(#w),
                #none => #result::Ok(#none),
            }),
            ("unzip", []) => quote_spanned!(span=> match #of {
                #some((#v, #w)) => (#some(#v), #some(#w)),
                #none => (#none, #none),
            }),
            _ => return None,
        })))
    }

    fn is_function(&self, f: &Expr) -> bool {
        matches!(f, Expr::Closure(_) | Expr::Path(_))
    }

    /// The place of an option, which a name may be a `&mut` of.
    fn option_at(&self, e: &Expr) -> Expr {
        match e {
            Expr::Path(p)
                if p.path
                    .get_ident()
                    .is_some_and(|name| self.mutable_references.contains(&name.to_string())) =>
            {
                made(quote::quote!(*#e))
            }
            e => e.clone(),
        }
    }

    /// `b.take()`, `b.replace(v)` and `b.take_if(f)`: what is put in a place.
    fn put_in(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        let (name, span) = (m.method.to_string(), m.method.span());
        let place = &self.option_at(&m.receiver);
        if !is_place(place) {
            return None;
        }
        let once = self.has_effects(place);
        let core = quote_spanned!(span=> ::omp::__private::core);
        let option = quote_spanned!(span=> #core::option::Option);
        let (some, none) = (quote_spanned!(span=> #option::Some), quote_spanned!(span=> #option::None));
        let args: Vec<&Expr> = m.args.iter().collect();
        Some(made(match (name.as_str(), &args[..]) {
            ("take", []) => quote_spanned!(span=> #core::mem::replace(&mut #place, #none)),
            ("replace", [value]) if once => {
                quote_spanned!(span=> #core::mem::replace(&mut #place, #some(#value)))
            }
            ("replace", [value]) => {
                let new = self.fresh("new", span);
                parentheses(quote_spanned!(span=> {
                    let #new = #some(#value);
                    #core::mem::replace(&mut #place, #new)
                }))
            }
            ("take_if", [f]) if self.is_function(f) && !once => {
                let (v, kept) = (self.fresh("some", span), self.fresh("kept", span));
                let holds =
                    parentheses(call(f, &[quote_spanned!(span=> &mut #kept)], span).into_token_stream());
                let of = in_head(place);
                parentheses(quote_spanned!(span=> match #of {
                    #some(#v) => {
                        let mut #kept = #v;
                        if #holds { #place = #none; #some(#kept) } else { #place = #some(#kept); #none }
                    }
                    #none => #none,
                }))
            }
            _ => return None,
        }))
    }

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
        let (Pat::Ident(p), Expr::MethodCall(m)) = (&l.pat, &*init.expr) else { return None };
        if p.mutability.is_some() || p.by_ref.is_some() || p.subpat.is_some() || !is_named(&m.receiver) {
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

    /// `b.as_ref()` of an option of values: the option.
    pub(super) fn looked_into<'m>(&mut self, m: &'m ExprMethodCall) -> Option<&'m Expr> {
        let is = m.method == "as_ref"
            && m.args.is_empty()
            && self.is_an_option(&m.receiver)
            && !self.is_optional(&m.receiver);
        is.then_some(&*m.receiver)
    }
}

/// Whether a place is a variable or its fields.
fn is_named(place: &Expr) -> bool {
    match place {
        Expr::Path(p) => p.path.get_ident().is_some(),
        Expr::Field(f) => is_named(&f.base),
        _ => false,
    }
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

/// Whether a method is called of a variable.
fn calls_of(s: &Stmt, name: &Ident) -> bool {
    search::any(
        s,
        |e| matches!(e, Expr::MethodCall(m) if place::root(&m.receiver).is_some_and(|root| root == name)),
    )
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

/// The methods, with their numbers of arguments.
const METHODS: [(&str, usize); 15] = [
    ("transpose", 0),
    ("xor", 1),
    ("zip", 1),
    ("and", 1),
    ("inspect", 1),
    ("flatten", 0),
    ("unzip", 0),
    ("take", 0),
    ("replace", 1),
    ("take_if", 1),
    ("insert", 1),
    ("get_or_insert", 1),
    ("get_or_insert_with", 1),
    ("get_or_insert_default", 0),
    ("err", 0),
];
