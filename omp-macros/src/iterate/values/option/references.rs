//! Options of references as options of values, and what is done with them: `unwrap`, `copied`, `?`, comparisons.
use super::super::{closure, pipeline};
use super::{Optional, Shape, in_block, value_of};
use crate::diag::begin;
use crate::expand::found::{Content, in_found};
use crate::iterate::loops::walk::{Meaning, Walk};
use crate::iterate::tokens::{call, in_head, made, parentheses};
use crate::sema::syntax::forms::{is_variant, strip};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprMethodCall, Stmt};

/// What the option in a replacement ([`in_found`]) has.
pub(super) fn found_shape(c: &syn::ExprCall) -> Shape {
    c.args.iter().nth(2).map_or(Shape::Ref, |content| Shape::of_content(&Content::marked(content)))
}

/// Whether an expression may be the content of an option of references.
pub(in crate::iterate) fn is_unwrapped(e: &Expr) -> bool {
    let Expr::MethodCall(m) = strip(e) else { return false };
    matches!((m.method.to_string().as_str(), m.args.len()), ("unwrap", 0) | ("expect" | "unwrap_or", 1))
}

impl Walk<'_> {
    /// An option of references, walked through.
    pub(in crate::iterate) fn optional(&mut self, e: &Expr) -> Option<Optional> {
        match e {
            Expr::Paren(p) => return self.optional(&p.expr),
            Expr::Group(g) => return self.optional(&g.expr),
            Expr::Tuple(t) => return self.optional_parts(t),
            Expr::Path(p) => {
                let shape = self.kept_in_option(e)?;
                let Some(Meaning::Renamed(name)) = self.meaning(p.path.get_ident()?) else { return None };
                return Some(Optional { value: made(name.to_token_stream()), shape });
            }
            Expr::Call(c) => {
                let mut value = in_found(c)?.clone();
                self.visit_expr_mut(&mut value);
                return Some(Optional { value, shape: found_shape(c) });
            }
            _ => {}
        }
        let Expr::MethodCall(m) = e else { return None };
        if m.method == "as_ref" && m.args.is_empty() {
            if let Some(Optional { value, shape }) = self.optional(&m.receiver) {
                return Some(Optional { value, shape: Shape::Outer(Box::new(shape)) });
            }
            // The items are values.
            if matches!(&*m.receiver, Expr::MethodCall(of) if pipeline::may_find(of))
                && self.is_optional(&m.receiver)
            {
                let mut value = (*m.receiver).clone();
                self.visit_expr_mut(&mut value);
                return Some(Optional { value, shape: Shape::Ref });
            }
        }
        if (m.method == "copied" || m.method == "cloned") && m.args.is_empty() {
            // (Of one reference, it is a value: see `dereferenced`.)
            let Expr::MethodCall(of) = strip(&m.receiver) else { return None };
            if of.method == "as_ref" {
                let Optional { value, shape } = self.optional(&m.receiver)?;
                let Shape::Outer(inner) = shape else { return None };
                return Some(Optional { value, shape: *inner });
            }
        }
        if let Some((mut value, array)) = self.mutable_element_of(m) {
            self.visit_expr_mut(&mut value);
            return Some(Optional { value, shape: Shape::Element(Box::new(array)) });
        }
        if let Some(mut value) = self.referenced(m) {
            self.visit_expr_mut(&mut value);
            return Some(Optional { value, shape: Shape::Ref });
        }
        self.found_items.push(None);
        let found = self.adapted(e).or_else(|| if m.method == "filter" { self.combined(e) } else { None });
        let value = found.map(|mut value| {
            self.visit_expr_mut(&mut value);
            value
        });
        let shape = self.found_items.pop().flatten();
        let (value, shape) = (value?, shape?);
        Some(Optional { value, shape })
    }

    /// `(x.get(i), y.get(j))`: a tuple of options.
    fn optional_parts(&mut self, t: &syn::ExprTuple) -> Option<Optional> {
        let options: Vec<bool> = t.elems.iter().map(|e| self.is_optional(e)).collect();
        options.contains(&true).then_some(())?;
        let (mut tuple, mut shapes) = (t.clone(), Vec::new());
        for (e, is_option) in tuple.elems.iter_mut().zip(options) {
            match if is_option { self.optional(e) } else { None } {
                Some(Optional { value, shape }) => {
                    *e = value;
                    shapes.push(Some(shape));
                }
                None => {
                    self.visit_expr_mut(e);
                    shapes.push(None);
                }
            }
        }
        Some(Optional { value: Expr::Tuple(tuple), shape: Shape::Options(shapes) })
    }

    /// Whether an expression may be an option of references, judged by its tokens.
    pub(in crate::iterate::values) fn is_optional(&mut self, e: &Expr) -> bool {
        match strip(e) {
            Expr::Tuple(t) => t.elems.iter().any(|e| self.is_optional(e)),
            Expr::Call(c) => in_found(c).is_some(),
            Expr::MethodCall(m) => {
                m.method == "as_ref" && m.args.is_empty() && self.is_optional(&m.receiver)
                    || self.referenced(m).is_some()
                    || self.mutable_index(m).is_some()
                    || pipeline::may_find(m) && self.is_pipeline(&m.receiver)
            }
            e => self.kept_in_option(e).is_some(),
        }
    }

    /// A method that gives an option of a reference, as one of the value.
    pub(super) fn referenced(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        let element = self.element_of(m).or_else(|| self.element_found(m));
        element.or_else(|| self.looked_into(m).cloned()).or_else(|| self.chunk_of(m))
    }

    /// An option of a reference, as one of the value, and what it keeps; not yet walked through.
    pub(in crate::iterate::values) fn of_reference(&mut self, e: &Expr) -> Option<(Expr, Shape)> {
        match strip(e) {
            Expr::Call(c) => Some((in_block(in_found(c)?.clone()), found_shape(c))),
            Expr::MethodCall(m) => Some((self.element_of(m)?, Shape::Ref)),
            _ => None,
        }
    }

    /// `unwrap`, `expect` and `unwrap_or(&x)` of an option of references: the value, walked through, and what it is made of.
    pub(in crate::iterate) fn unwrapped(&mut self, e: &Expr) -> Option<(Expr, Shape)> {
        let Expr::MethodCall(m) = strip(e) else { return None };
        let other = match (m.method.to_string().as_str(), m.args.first().map(strip)) {
            ("unwrap", None) | ("expect", Some(_)) => None,
            ("unwrap_or", Some(Expr::Reference(r))) if r.mutability.is_none() => Some((*r.expr).clone()),
            // Of an option of references, it is one.
            ("unwrap_or", Some(name @ Expr::Path(_))) => Some(match self.item(name) {
                Some(_) => value_of(name, name.span()),
                None => made(quote_spanned!(name.span()=> *#name)),
            }),
            _ => return None,
        };
        let before = self.asked.len();
        let Optional { value, shape } = self.optional(&m.receiver)?;
        if other.is_some() && shape != Shape::Ref {
            self.asked.truncate(before);
            return None;
        }
        let mut m = m.clone();
        if let Some(mut other) = other {
            self.visit_expr_mut(&mut other);
            m.args[0] = other;
        }
        *m.receiver = in_block(value);
        Some((Expr::MethodCall(m), shape))
    }

    /// An argument; the reference that an option has becomes one to its value.
    pub(in crate::iterate) fn unwrapped_argument(&mut self, e: &mut Expr) {
        match if is_unwrapped(e) { self.unwrapped(e) } else { None } {
            Some((value, Shape::Ref)) => *e = made(parentheses(quote_spanned!(e.span()=> &#value))),
            Some((value, Shape::Value)) => *e = value,
            _ => self.visit_expr_mut(e),
        }
    }

    /// A method of an option of references that gives no reference, or the `*` of one: walked through.
    pub(in crate::iterate) fn dereferenced(&mut self, e: &Expr) -> Option<Expr> {
        let span = begin(e);
        match e {
            Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => {
                let Expr::MethodCall(m) = strip(&u.expr) else { return None };
                if !["unwrap", "expect", "unwrap_or"].iter().any(|name| m.method == name) {
                    return None;
                }
                let Optional { value, shape } = self.optional(&m.receiver)?;
                (shape == Shape::Ref).then_some(())?;
                let mut m = m.clone();
                *m.receiver = in_block(value);
                for arg in &mut m.args {
                    match (strip(arg), self.item(arg)) {
                        (Expr::Reference(r), _) => *arg = (*r.expr).clone(),
                        (_, Some(_)) => *arg = value_of(arg, span),
                        (Expr::Path(_), None) if m.method == "unwrap_or" => {
                            *arg = made(quote_spanned!(span=> *#arg));
                        }
                        _ => {}
                    }
                    self.visit_expr_mut(arg);
                }
                Some(Expr::MethodCall(m))
            }
            Expr::MethodCall(m) if m.method.to_string().starts_with("is_sorted") => self.in_order(e),
            Expr::MethodCall(m) => {
                let name = m.method.to_string();
                match (name.as_str(), m.args.len()) {
                    ("copied" | "cloned", 0) => {
                        let Optional { value, shape } = self.optional(&m.receiver)?;
                        (shape == Shape::Ref).then_some(value)
                    }
                    ("is_some" | "is_none", 0) => {
                        let Optional { value, .. } = self.optional(&m.receiver)?;
                        let value = in_block(value);
                        let method = &m.method;
                        Some(made(quote_spanned!(span=> #value.#method())))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `x.get(i).unwrap()` as an operand, if that is a reference: the value, walked through.
    pub(in crate::iterate) fn unwrapped_operand(&mut self, e: &Expr) -> Option<Expr> {
        if let Some(mut value) = self.tried_reference(e) {
            self.visit_expr_mut(&mut value);
            return Some(value);
        }
        let Expr::MethodCall(m) = strip(e) else { return None };
        if m.method != "unwrap" && m.method != "expect" {
            return None;
        }
        let m = strip(e);
        self.dereferenced(&made(quote_spanned!(e.span()=> *#m)))
    }

    /// A comparison of an option of a reference, as one of options of values; walked through.
    pub(in crate::iterate) fn same_options(&mut self, b: &mut syn::ExprBinary) -> bool {
        let is_option = |w: &mut Self, e: &Expr| match strip(e) {
            Expr::MethodCall(m) => {
                w.element_of(m).is_some()
                    || w.is_optional(e) && w.optional(e).is_some_and(|found| found.shape == Shape::Ref)
            }
            e => w.kept_in_option(e) == Some(Shape::Ref),
        };
        /// `Some(&v)`, `Some(v)` of a reference `v`, `None`
        fn by_value(w: &Walk<'_>, e: &Expr) -> Option<Expr> {
            match strip(e) {
                Expr::Call(c)
                    if matches!(&*c.func, Expr::Path(p) if is_variant(&p.path, "Some"))
                        && c.args.len() == 1 =>
                {
                    let mut c = c.clone();
                    c.args[0] = match strip(&c.args[0]) {
                        Expr::Reference(r) => (*r.expr).clone(),
                        item if w.item(item).is_some() => value_of(item, item.span()),
                        v @ Expr::Path(_) => made(quote_spanned!(v.span()=> *#v)),
                        _ => return None,
                    };
                    Some(Expr::Call(c))
                }
                Expr::Path(p) if p.path.is_ident("None") => Some(e.clone()),
                _ => None,
            }
        }
        let sides = [is_option(self, &b.left), is_option(self, &b.right)];
        let other = |e: &Expr, is: bool| if is { Some(e.clone()) } else { by_value(self, e) };
        if sides == [false, false] {
            return false;
        }
        let (Some(left), Some(right)) = (other(&b.left, sides[0]), other(&b.right, sides[1])) else {
            return false;
        };
        for ((side, e), is) in [(&mut b.left, left), (&mut b.right, right)].into_iter().zip(sides) {
            **side = e;
            match if is { self.optional(side) } else { None } {
                Some(Optional { value, .. }) => **side = in_block(value),
                None => self.visit_expr_mut(side),
            }
        }
        true
    }

    /// `x.iter().max()?` of a device function, an option of references: the value, walked through, and what it is made of.
    pub(in crate::iterate) fn tried_option(&mut self, e: &Expr) -> Option<(Expr, Shape)> {
        let (Expr::Try(t), true) = (strip(e), self.device_fn) else { return None };
        let Expr::MethodCall(m) = strip(&t.expr) else { return None };
        if self.gives_result {
            return self.tried_or(m);
        }
        let filters = m.method == "filter" && self.is_optional(&m.receiver);
        if !filters && !pipeline::is_end(m) {
            return None;
        }
        let Optional { value, shape } = self.optional(&t.expr)?;
        let mut t = t.clone();
        *t.expr = in_block(value);
        Some((closure::tried(&t), shape))
    }

    /// `x.iter().min_by(f).ok_or(e)?`, where the error is the name of one, or what a closure gives.
    fn tried_or(&mut self, m: &ExprMethodCall) -> Option<(Expr, Shape)> {
        let (Expr::MethodCall(of), Some(arg)) = (strip(&m.receiver), m.args.first()) else { return None };
        let span = m.method.span();
        let mut error = match (m.method.to_string().as_str(), arg) {
            ("ok_or", Expr::Path(_)) => arg.clone(),
            ("ok_or_else", Expr::Closure(_)) => call(arg, &[], span),
            _ => return None,
        };
        if !pipeline::is_end(of) {
            return None;
        }
        let Optional { value, shape } = self.optional(&m.receiver)?;
        self.visit_expr_mut(&mut error);
        let value = in_head(&in_block(value));
        let (some, option) =
            (self.fresh("some", span), quote_spanned!(span=> ::omp::__private::core::option::Option));
        let tried = quote_spanned!(span=> match #value {
            #option::Some(#some) => #some,
            #option::None => return ::omp::__private::core::result::Result::Err(::omp::__private::core::convert::From::from(#error)),
        });
        Some((made(tried), shape))
    }

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
}
