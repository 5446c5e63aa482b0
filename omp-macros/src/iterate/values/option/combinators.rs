//! Methods of options and results that take closures, and those that make a result of an option, as a `match`.
use super::super::declared;
use super::super::pipeline::Tried;
use super::option;
use super::patterns::is_capital;
use crate::iterate::loops::walk::Walk;
use crate::iterate::tokens::{call, in_head, made, parentheses};
use crate::sema::syntax::forms::strip;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall};

/// Whether a value is `p.near.map(f)`, `p.near.filter(f)` and the like, of a field that is declared as an `Option`.
pub(in crate::iterate::values) fn changes_field(e: &Expr) -> bool {
    let Expr::MethodCall(m) = strip(e) else { return false };
    let of_options = m.method == "and_then" || m.method == "or_else";
    (of_options || m.method == "map" || m.method == "filter") && of_optional_field(m)
}

/// Whether a method is that of a field that is an `Option`, or of what such a method gives. (A field is an iterator to two names alone,
/// unless it is declared as an `Option`.)
fn of_optional_field(m: &ExprMethodCall) -> bool {
    let as_iterators = m.method == "map" || m.method == "filter";
    match strip(&m.receiver) {
        e @ Expr::Field(_) => !as_iterators || declared::is_option(e) || declared::is_option_field(e),
        Expr::MethodCall(of)
            if ["map", "filter", "and_then", "or_else"].iter().any(|name| of.method == name) =>
        {
            of_optional_field(of)
        }
        _ => false,
    }
}

impl Walk<'_> {
    /// A method of an option that takes closures, written out; not yet walked through.
    pub(in crate::iterate) fn combined(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::MethodCall(m) = e else { return None };
        if let Some(written) = self.of_option(e) {
            return Some(written);
        }
        if let Some(result) = self.of_result(m) {
            return Some(result);
        }
        let (name, span) = (m.method.to_string(), m.method.span());
        if let ("then_with", Some(Expr::Closure(f)), 1) = (name.as_str(), m.args.first(), m.args.len())
            && f.inputs.is_empty()
        {
            // Of an `Ordering`.
            let (receiver, next) = (in_head(&m.receiver), call(&m.args[0], &[], span));
            let (order, equal) = (
                self.fresh("order", span),
                quote_spanned!(span=> ::omp::__private::core::cmp::Ordering::Equal),
            );
            return Some(made(parentheses(
                quote_spanned!(span=> match #receiver { #equal => #next, #order => #order }),
            )));
        }
        if !COMBINATORS.contains(&(name.as_str(), m.args.len())) || m.turbofish.is_some() {
            return None;
        }
        // A closure or the path of a function shows that the method is not one of a user's type.
        let last = m.args.last()?;
        let is_fn = match last {
            Expr::Closure(_) => true,
            Expr::Path(p) => {
                p.path.segments.len() > 1 || self.names_closure(last) || self.names_function(&name, &p.path)
            }
            _ => false,
        };
        if !is_fn || (self.is_pipeline(&m.receiver) && !of_optional_field(m)) {
            return None;
        }
        let (option, mut receiver) = (option(span), self.by_value_of(&m.receiver));
        if name == "map_or" && self.may_be_a_result(&m.receiver) {
            receiver = made(quote_spanned!(span=> ::omp::__private::some_of(#receiver)));
        }
        let v = self.fresh("some", span);
        let (some, none) = (quote_spanned!(span=> #option::Some), quote_spanned!(span=> #option::None));
        let with = |f: &Expr| call(f, &[v.to_token_stream()], span);
        let without = |f: &Expr| call(f, &[], span);
        let arms = match name.as_str() {
            "map" => {
                let f = with(last);
                quote_spanned!(span=> #some(#v) => #some(#f), #none => #none)
            }
            "and_then" => {
                let f = with(last);
                quote_spanned!(span=> #some(#v) => #f, #none => #none)
            }
            "filter" => {
                let holds = call(last, &[quote_spanned!(span=> &#v)], span);
                let holds = parentheses(holds.into_token_stream());
                quote_spanned!(span=> #some(#v) => if #holds { #some(::omp::__private::held(#v)) } else { #none }, #none => #none)
            }
            "is_some_and" => {
                let f = with(last);
                quote_spanned!(span=> #some(#v) => #f, #none => false)
            }
            "is_none_or" => {
                let f = with(last);
                quote_spanned!(span=> #some(#v) => #f, #none => true)
            }
            "unwrap_or_else" => {
                let f = without(last);
                quote_spanned!(span=> #some(#v) => #v, #none => #f)
            }
            "or_else" => {
                let f = without(last);
                quote_spanned!(span=> #some(#v) => #some(#v), #none => #f)
            }
            "map_or_else" => {
                let (f, other) = (with(last), without(&m.args[0]));
                quote_spanned!(span=> #some(#v) => #f, #none => #other)
            }
            _ => {
                // The other value is computed in either case, before the function is called.
                let (f, other) = (with(last), &m.args[0]);
                let before = (!is_literal(other)).then(|| {
                    let second = self.fresh("other", span);
                    quote_spanned!(span=> let #second = #other;)
                });
                let f = before.map_or_else(|| f.to_token_stream(), |b| quote_spanned!(span=> { #b #f }));
                let other = in_arm(other);
                quote_spanned!(span=> #some(#v) => #f, #none => #other)
            }
        };
        let receiver = in_head(&receiver);
        Some(made(parentheses(quote_spanned!(span=> match #receiver { #arms }))))
    }

    /// A method that takes a closure and is one of `Result`'s, or makes a `Result` of an option, written out; not yet walked through.
    fn of_result(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        let (name, span) = (m.method.to_string(), m.method.span());
        let takes = |e: &Expr, n: usize| matches!(e, Expr::Closure(c) if c.inputs.len() == n);
        let is_fn = |e: &Expr| match e {
            Expr::Closure(_) => true,
            Expr::Path(p) => {
                // (A variant or a tuple struct is a function.)
                p.path.segments.len() > 1
                    || p.path.get_ident().is_some_and(is_capital)
                    || self.names_closure(e)
            }
            _ => false,
        };
        let takes_error =
            |f: &Expr| takes(f, 1) || matches!(f, Expr::Path(_)) && is_fn(f) && self.is_a_result(&m.receiver);
        let args: Vec<&Expr> = m.args.iter().collect();
        let fits = match (name.as_str(), &args[..]) {
            ("ok_or", [_]) => true,
            ("ok_or_else", [f]) | ("map_err" | "is_ok_and" | "is_err_and", [f]) => is_fn(f),
            // Of an option, these functions take nothing.
            ("unwrap_or_else" | "or_else", [f]) => takes_error(f),
            ("map_or_else", [f, g]) => takes_error(f) && is_fn(g),
            _ => false,
        } || matches!((name.as_str(), &args[..]), ("map" | "and_then" | "map_or", [.., f]) if is_fn(f) && self.is_a_result(&m.receiver))
            // (Its closure gives what it is called of.)
            || matches!((name.as_str(), &args[..]), ("and_then", [Expr::Closure(f)])
                if self.gives_tried(f) == Some(Tried::Result) && !self.is_an_option(&m.receiver));
        if !fits || m.turbofish.is_some() || self.is_pipeline(&m.receiver) {
            return None;
        }
        let option = option(span);
        let result = quote_spanned!(span=> ::omp::__private::core::result::Result);
        let (ok, err) = (quote_spanned!(span=> #result::Ok), quote_spanned!(span=> #result::Err));
        let (v, e, receiver) =
            (self.fresh("ok", span), self.fresh("err", span), self.by_value_of(&m.receiver));
        let of = |f: &Expr, x: &proc_macro2::Ident| call(f, &[x.to_token_stream()], span);
        let arms = match name.as_str() {
            "ok_or" => {
                // It is computed in either case.
                let other = args[0];
                let before = (!is_literal(other)).then(|| quote_spanned!(span=> let #e = #other;));
                quote_spanned!(span=> #option::Some(#v) => { #before #ok(#v) }, #option::None => #err(#other))
            }
            "ok_or_else" => {
                let other = call(args[0], &[], span);
                quote_spanned!(span=> #option::Some(#v) => #ok(#v), #option::None => #err(#other))
            }
            "map_err" => {
                let f = of(args[0], &e);
                quote_spanned!(span=> #ok(#v) => #ok(#v), #err(#e) => #err(#f))
            }
            "is_ok_and" => {
                let f = of(args[0], &v);
                quote_spanned!(span=> #ok(#v) => #f, #err(_) => false)
            }
            "is_err_and" => {
                let f = of(args[0], &e);
                quote_spanned!(span=> #ok(_) => false, #err(#e) => #f)
            }
            "unwrap_or_else" => {
                let f = of(args[0], &e);
                quote_spanned!(span=> #ok(#v) => #v, #err(#e) => #f)
            }
            "or_else" => {
                let f = of(args[0], &e);
                quote_spanned!(span=> #ok(#v) => #ok(#v), #err(#e) => #f)
            }
            "map_or_else" => {
                let (f, g) = (of(args[0], &e), of(args[1], &v));
                quote_spanned!(span=> #ok(#v) => #g, #err(#e) => #f)
            }
            "map" => {
                let f = of(args[0], &v);
                quote_spanned!(span=> #ok(#v) => #ok(#f), #err(#e) => #err(#e))
            }
            "and_then" => {
                let f = of(args[0], &v);
                quote_spanned!(span=> #ok(#v) => #f, #err(#e) => #err(#e))
            }
            _ => {
                let (other, f) = (args[0], of(args[1], &v));
                let before = (!is_literal(other)).then(|| quote_spanned!(span=> let #e = #other;));
                let other = in_arm(other);
                quote_spanned!(span=> #ok(#v) => { #before #f }, #err(_) => #other)
            }
        };
        let receiver = in_head(&receiver);
        Some(made(parentheses(quote_spanned!(span=> match #receiver { #arms }))))
    }

    /// Whether only the type of a value shows whether it is an option or a result.
    fn may_be_a_result(&mut self, e: &Expr) -> bool {
        let of_any_type = match strip(e) {
            Expr::Index(_) | Expr::Field(_) | Expr::Call(_) | Expr::MethodCall(_) => true,
            e @ Expr::Path(_) => self.element(e).is_some() || self.may_refer(e),
            _ => false,
        };
        of_any_type && !self.is_an_option(e) && !self.is_optional(e)
    }

    /// The receiver of a method that takes an option or result by value, also behind a reference.
    fn by_value_of(&self, receiver: &Expr) -> Expr {
        let span = receiver.span();
        match () {
            () if self.element(receiver).is_some() => made(quote_spanned!(span=> *#receiver)),
            () if self.may_refer(receiver) => {
                made(quote_spanned!(span=> ::omp::__private::option_of(&#receiver)))
            }
            () => receiver.clone(),
        }
    }

    /// Whether an expression is a variable of the body that may refer to an option or result: of a loop, or a closure's parameter.
    fn may_refer(&self, e: &Expr) -> bool {
        self.is_bound_in_body(e)
            && !self.holds_option(e)
            && !self.is_a_result(e)
            && self.kept_in_option(e).is_none()
    }

    /// Whether the argument of a combinator is the name of a function or of a tuple struct. A type of the user's may have a `map` and a
    /// `filter` of variables, and none of a function, which is no value.
    fn names_function(&self, method: &str, path: &syn::Path) -> bool {
        let Some(name) = path.get_ident() else { return false };
        self.meaning(name).is_none() && (is_capital(name) || !["map", "filter"].contains(&method))
    }
}

/// A user's value as the body of an arm, which a `}` would end: `{ … } as f64`.
fn in_arm(e: &Expr) -> TokenStream {
    if is_literal(e) { e.to_token_stream() } else { parentheses(e.to_token_stream()) }
}

/// Nothing is computed for it.
pub(super) fn is_literal(e: &Expr) -> bool {
    match strip(e) {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Unary(u) => matches!(u.op, syn::UnOp::Neg(_)) && matches!(&*u.expr, Expr::Lit(_)),
        _ => false,
    }
}

/// Methods of options that take closures, with their numbers of arguments.
const COMBINATORS: [(&str, usize); 9] = [
    ("map", 1),
    ("and_then", 1),
    ("filter", 1),
    ("is_some_and", 1),
    ("is_none_or", 1),
    ("unwrap_or_else", 1),
    ("or_else", 1),
    ("map_or_else", 2),
    ("map_or", 2),
];
