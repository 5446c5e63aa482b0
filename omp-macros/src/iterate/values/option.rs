//! Options and results in bodies: methods become `match`, and options of references become options of values.
//!
//! * A method that takes a closure (`map`, `and_then`, `unwrap_or_else`, …) becomes a `match`, and the closure is inlined in its arm
//!   ([`Walk::combined`]).
//! * A device has no references. So an option of references (`x.get(i)`, `x.iter().max()`) becomes an option of the values, and an option
//!   of a `&mut` becomes one of the element's number ([`Walk::optional`]); [`Shape`] records which. A name that is bound from such an option
//!   means a reference, like the names of a loop's items, so `*v` is the value.
use crate::diag::begin;
use crate::expand::found::Content;
use crate::iterate::loops::chain::Item;
use crate::iterate::loops::pattern;
use crate::iterate::loops::walk::{Meaning, Walk, known};
use crate::iterate::tokens::{in_head, made, parentheses};
use crate::sema::syntax::forms::strip;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprMethodCall, Pat, Type};

/// The content of an option.
#[derive(Clone, PartialEq, Eq)]
pub(in crate::iterate) enum Shape {
    Value,
    /// A reference to what is kept.
    Ref,
    /// A reference to what this stands for.
    Outer(Box<Shape>),
    /// A `&mut` of an element of this array; its number is kept.
    Element(Box<Expr>),
    /// A slice of this array; its ends are kept.
    Part(Box<Expr>),
    Tuple(Vec<Shape>),
    /// No option, but a tuple, in which these are options.
    Options(Vec<Option<Shape>>),
}

impl Shape {
    /// The content for an item that is kept by value.
    pub fn of(item: &Item) -> Self {
        match item {
            Item::Value(e) => part(e).map_or(Self::Value, |(array, _)| Self::Part(Box::new(array.clone()))),
            Item::Element { .. } => Self::Ref,
            Item::Ref(inner) if matches!(&**inner, Item::Value(_) | Item::Element { .. }) => Self::Ref,
            Item::Ref(inner) => Self::of(inner),
            Item::Tuple(items) => Self::Tuple(items.iter().map(Self::of).collect()),
        }
    }

    /// The content that an option is marked with.
    fn of_content(content: &Content) -> Self {
        match content {
            Content::Value => Self::Value,
            Content::Reference => Self::Ref,
            Content::Tuple(parts) => Self::Tuple(parts.iter().map(Self::of_content).collect()),
        }
    }

    /// The same, of an option without numbers of elements.
    pub fn content(&self) -> Content {
        match self {
            Self::Value | Self::Element(_) | Self::Part(_) | Self::Options(_) => Content::Value,
            Self::Ref => Content::Reference,
            Self::Outer(inner) => inner.content(),
            Self::Tuple(parts) => Content::Tuple(parts.iter().map(Self::content).collect()),
        }
    }

    /// Whether the content has a reference.
    pub fn refers(&self) -> bool {
        match self {
            Self::Value => false,
            Self::Ref | Self::Outer(_) | Self::Element(_) | Self::Part(_) => true,
            Self::Tuple(parts) => parts.iter().any(Self::refers),
            Self::Options(_) => false,
        }
    }

    /// The content of an option that a function gives, of a variable that keeps it.
    pub(super) fn of_name(&self, place: &TokenStream) -> TokenStream {
        match self {
            Self::Ref => quote!(&#place),
            Self::Tuple(parts) => {
                let parts = parts.iter().enumerate().map(|(k, part)| {
                    let k = syn::Index::from(k);
                    part.of_name(&quote!(#place.#k))
                });
                quote!((#(#parts,)*))
            }
            _ => place.clone(),
        }
    }

    /// The item that a variable of what is kept stands for.
    fn item(&self, place: Expr) -> Item {
        match self {
            Self::Value => Item::Value(place),
            Self::Ref => Item::Element { place, mutable: false },
            Self::Outer(inner) => Item::Ref(Box::new(inner.item(place))),
            Self::Element(array) => Item::Element { place: made(quote!(#array[#place])), mutable: true },
            Self::Part(array) => Item::Value(made(quote!(&#array[#place.0..#place.1]))),
            Self::Options(_) => Item::Value(place),
            Self::Tuple(parts) => {
                let part = |(n, shape): (usize, &Self)| {
                    let member = syn::Index::from(n);
                    shape.item(made(quote!(#place.#member)))
                };
                Item::Tuple(parts.iter().enumerate().map(part).collect())
            }
        }
    }
}

/// An option by value, walked through.
pub(in crate::iterate) struct Optional {
    pub value: Expr,
    pub shape: Shape,
}

/// Whether a value is `p.near.map(f)`, `p.near.filter(f)` and the like, of a field that is declared as an `Option`.
pub(super) fn changes_field(e: &Expr) -> bool {
    let Expr::MethodCall(m) = strip(e) else { return false };
    let of_options = m.method == "and_then" || m.method == "or_else";
    (of_options || m.method == "map" || m.method == "filter") && of_optional_field(m)
}

/// Whether a method is that of a field that is an `Option`, or of what such a method gives. (A field is an iterator to two names alone,
/// unless it is declared as an `Option`.)
fn of_optional_field(m: &ExprMethodCall) -> bool {
    let as_iterators = m.method == "map" || m.method == "filter";
    match strip(&m.receiver) {
        e @ Expr::Field(_) => {
            !as_iterators || super::declared::is_option(e) || super::declared::is_option_field(e)
        }
        Expr::MethodCall(of)
            if ["map", "filter", "and_then", "or_else"].iter().any(|name| of.method == name) =>
        {
            of_optional_field(of)
        }
        _ => false,
    }
}

/// `Option`
fn option(span: Span) -> TokenStream {
    quote_spanned!(span=> ::omp::__private::core::option::Option)
}

/// `f(args)`
pub(in crate::iterate) fn call(f: &Expr, args: &[TokenStream], span: Span) -> Expr {
    match f {
        Expr::Closure(_) => made(quote_spanned!(span=> (#f)(#(#args),*))),
        // A closure that is used again: `.for_each(&mut visit)`.
        Expr::Reference(r) if matches!(&*r.expr, Expr::Path(_)) => call(&r.expr, args, span),
        f => made(quote_spanned!(span=> #f(#(#args),*))),
    }
}

/// How variables begin that keep an option of a reference.
const OPTION: &str = "__omp_option";

/// The option in the replacement of a call of a function that returns `Option<&T>`: see `expand/methods/found.rs`.
pub(in crate::iterate) fn found_value(c: &syn::ExprCall) -> Option<&Expr> {
    let Expr::Path(p) = &*c.func else { return None };
    let is = crate::ast::private_name(&p.path).is_some_and(|name| name == crate::expand::found::FOUND);
    if is { c.args.first() } else { None }
}

/// What it has.
fn found_shape(c: &syn::ExprCall) -> Shape {
    c.args.iter().nth(2).map_or(Shape::Ref, |content| Shape::of_content(&Content::marked(content)))
}

impl Walk<'_> {
    /// A method that takes a closure and is one of `Result`'s, or makes a `Result` of an option, written out; not yet walked through.
    fn of_result(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        let (name, span) = (m.method.to_string(), m.method.span());
        let takes = |e: &Expr, n: usize| matches!(e, Expr::Closure(c) if c.inputs.len() == n);
        let is_fn = |e: &Expr| match e {
            Expr::Closure(_) => true,
            Expr::Path(p) => {
                // (A variant or a tuple struct is a function.)
                let is_capital = |name: &proc_macro2::Ident| name.to_string().starts_with(char::is_uppercase);
                p.path.segments.len() > 1
                    || p.path.get_ident().is_some_and(is_capital)
                    || self.names_closure(e)
            }
            _ => false,
        };
        let args: Vec<&Expr> = m.args.iter().collect();
        let fits = match (name.as_str(), &args[..]) {
            ("ok_or", [_]) => true,
            ("ok_or_else", [f]) | ("map_err" | "is_ok_and" | "is_err_and", [f]) => is_fn(f),
            // Of an option, these closures take nothing.
            ("unwrap_or_else" | "or_else", [f]) => {
                takes(f, 1) || matches!(f, Expr::Path(_)) && is_fn(f) && self.is_a_result(&m.receiver)
            }
            ("map_or_else", [f, g]) => takes(f, 1) && is_fn(g),
            _ => false,
        } || matches!((name.as_str(), &args[..]), ("map" | "and_then" | "map_or", [.., f]) if is_fn(f) && self.is_a_result(&m.receiver));
        if !fits || m.turbofish.is_some() || self.is_pipeline(&m.receiver) {
            return None;
        }
        let option = option(span);
        let result = quote_spanned!(span=> ::omp::__private::core::result::Result);
        let (ok, err) = (quote_spanned!(span=> #result::Ok), quote_spanned!(span=> #result::Err));
        let (v, e, receiver) = (self.fresh("ok", span), self.fresh("err", span), &m.receiver);
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
        let receiver = in_head(receiver);
        Some(made(parentheses(quote_spanned!(span=> match #receiver { #arms }))))
    }

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
        let (option, mut receiver) = (option(span), (*m.receiver).clone());
        if self.element(&receiver).is_some() {
            // These methods take the option by value, also behind a reference.
            receiver = made(quote_spanned!(span=> *#receiver));
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

    /// Whether the argument of a combinator is the name of a function or of a tuple struct. A type of the user's may have a `map` and a
    /// `filter` of variables, and none of a function, which is no value.
    fn names_function(&self, method: &str, path: &syn::Path) -> bool {
        let Some(name) = path.get_ident() else { return false };
        let capital = name.to_string().starts_with(char::is_uppercase);
        self.meaning(name).is_none() && (capital || !["map", "filter"].contains(&method))
    }

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
                let mut value = found_value(c)?.clone();
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
            if matches!(&*m.receiver, Expr::MethodCall(of) if super::pipeline::may_find(of))
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

    /// `o.and_then(|k| x.get(k))`, as an option of the element; not yet walked through.
    fn element_found(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        let (true, Some(Expr::Closure(c))) = (m.method == "and_then" && m.args.len() == 1, m.args.first())
        else {
            return None;
        };
        let Expr::MethodCall(found) = strip(&c.body) else { return None };
        self.element_of(found)?;
        let (mut m, mut c, span) = (m.clone(), c.clone(), found.method.span());
        *c.body = made(quote_spanned!(span=> #found.copied()));
        m.args[0] = Expr::Closure(c);
        self.combined(&Expr::MethodCall(m))
    }

    /// Whether an expression may be an option of references, judged by its tokens.
    pub(super) fn is_optional(&mut self, e: &Expr) -> bool {
        match strip(e) {
            Expr::Tuple(t) => t.elems.iter().any(|e| self.is_optional(e)),
            Expr::Call(c) => found_value(c).is_some(),
            Expr::MethodCall(m) => {
                m.method == "as_ref" && m.args.is_empty() && self.is_optional(&m.receiver)
                    || self.referenced(m).is_some()
                    || self.mutable_index(m).is_some()
                    || super::pipeline::may_find(m) && self.is_pipeline(&m.receiver)
            }
            e => self.kept_in_option(e).is_some(),
        }
    }

    /// `match best { Some(b) => b, None => continue }`, `if let Some(b) = best { b } else { &x[0] }`: the values of the branches, walked
    /// through, and what they are made of. Of another expression, walks through it.
    pub(in crate::iterate) fn branches(&mut self, e: &mut Expr) -> Option<Shape> {
        let of = match strip(e) {
            Expr::Match(m) => Some(&*m.expr),
            Expr::If(i) => match &*i.cond {
                Expr::Let(l) => Some(&*l.expr),
                _ => None,
            },
            _ => None,
        };
        if !of.cloned().is_some_and(|of| self.is_optional(&of)) {
            self.visit_expr_mut(e);
            return None;
        }
        at_ends(e, &mut hold);
        self.held_in(e, None)
    }

    /// Walks through an expression with `held(item)` in it; what the items are made of.
    fn held_in(&mut self, e: &mut Expr, wanted: Option<Shape>) -> Option<Shape> {
        self.found_items.push(wanted);
        self.visit_expr_mut(e);
        self.found_items.pop().flatten()
    }

    /// What a value has, judged by its tokens.
    fn shown(&self, e: &Expr) -> Shape {
        match (self.item(e), strip(e)) {
            (Some(item), _) => Shape::of(&item),
            (None, Expr::Reference(r)) if r.mutability.is_none() => Shape::Ref,
            (None, Expr::Tuple(t)) => {
                let parts = Shape::Tuple(t.elems.iter().map(|e| self.shown(e)).collect());
                if parts.refers() { parts } else { Shape::Value }
            }
            _ => Shape::Value,
        }
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

    /// `value_of(name)`: the value that a reference refers to, or the name itself. `held(item)`: the item by value. What it is made of goes to who takes the option apart.
    pub(in crate::iterate) fn keeps(&mut self, e: &mut Expr) -> bool {
        let Expr::Call(c) = &*e else { return false };
        let Expr::Path(p) = &*c.func else { return false };
        let Some(name) = crate::ast::private_name(&p.path).map(ToString::to_string) else { return false };
        let span = c.span();
        if name == "value_of" {
            let mut value = c.args[0].clone();
            match self.item(&value) {
                Some(item) => value = by_value(&item, span),
                None => self.visit_expr_mut(&mut value),
            }
            *e = value;
            return true;
        }
        if name != "held" {
            return false;
        }
        let mut value = c.args[0].clone();
        if let Some(item) = self.item(&value).or_else(|| self.slice(&value)) {
            let mut shape = Shape::of(&item);
            value = kept(&item, span);
            if let Shape::Part(array) = &shape
                && matches!(&**array, Expr::Path(p) if p.path.get_ident().is_some_and(|name| name.to_string().starts_with("__omp_cut")))
            {
                // The slice has a name in what the iterator became alone.
                self.option_of_references(span);
            }
            if let Item::Element { place, mutable: true } = &item {
                // What is written through it is the element: its number is kept.
                let of_array = match strip(place) {
                    Expr::Index(x) if is_users(&x.expr) => Some(x),
                    _ => None,
                };
                match of_array {
                    Some(x) => {
                        value = (*x.index).clone();
                        shape = Shape::Element(x.expr.clone());
                    }
                    None => self.option_of_references(span),
                }
            }
            if shape.refers() {
                match self.found_items.last_mut() {
                    Some(found) => *found = Some(shape),
                    None => self.option_of_references(span),
                }
            }
        } else {
            let wanted = self.found_items.last().cloned().flatten();
            let shape = wanted.unwrap_or_else(|| self.shown(&value));
            value = self.content(&value, &shape);
            if let (true, Some(found)) = (shape.refers(), self.found_items.last_mut()) {
                *found = Some(shape);
            }
        }
        *e = value;
        true
    }

    pub(in crate::iterate) fn option_of_references(&mut self, span: Span) {
        self.sink()
            .error(crate::diag::Code::Reference, span, "an option of references can't be kept on a device")
            .help("take the values before: `.copied()` after `.iter()`");
    }

    /// The slice that a name of the macro's own stands for.
    fn slice(&self, e: &Expr) -> Option<Item> {
        match strip(e) {
            Expr::Path(p) => self.slices.get(&p.path.get_ident()?.to_string()).cloned().map(Item::Value),
            Expr::Tuple(t) => {
                let part = |e| self.item(e).or_else(|| self.slice(e));
                let known = t.elems.iter().any(|e| self.slice(e).is_some());
                let item = |e| part(e).unwrap_or_else(|| Item::Value(Expr::clone(e)));
                known.then(|| Item::Tuple(t.elems.iter().map(item).collect()))
            }
            _ => None,
        }
    }

    /// The variable of what is best so far stands for an item like those that it is compared with.
    pub(in crate::iterate) fn is_best(&mut self, pat: &Pat) {
        let Some(Some(shape)) = self.found_items.last() else { return };
        let shape = shape.clone();
        for name in pattern::names(pat) {
            let text = name.to_string();
            if text.starts_with("__omp_best") {
                let item = shape.item(made(name.into_token_stream()));
                self.scopes.last_mut().expect("never empty").insert(text, Meaning::Item(item));
            }
        }
    }

    /// `let hit = f(x);` of a function that gives an `Option<&T>`, or `let hit = x.iter().min_by(f);`: the value, walked through. The name
    /// stands for a variable of another name, from which [`Self::optional`] knows what it holds.
    pub(in crate::iterate) fn named_option(&mut self, pat: &mut Pat, e: &Expr) -> Option<Expr> {
        let name = pattern::plain_name(pat)?.clone();
        let (value, shape) = match strip(e) {
            Expr::Call(c) => {
                let mut value = found_value(c)?.clone();
                self.visit_expr_mut(&mut value);
                (value, found_shape(c))
            }
            // (Of an element that is changed, the number would be kept.)
            Expr::MethodCall(m) if super::pipeline::may_find(m) || self.referenced(m).is_some() => {
                let Optional { value, shape } = self.optional(e)?;
                if matches!(shape, Shape::Element(_) | Shape::Part(_)) {
                    return None;
                }
                (in_block(value), shape)
            }
            Expr::If(_) | Expr::Match(_) if self.chooses_elements(e) => {
                (self.by_value_in_option(e, &Shape::Ref), Shape::Ref)
            }
            _ => return None,
        };
        let kept = self.fresh("option", name.span());
        self.option_shapes.insert(kept.to_string(), shape);
        self.scopes.last_mut().expect("never empty").insert(name.to_string(), Meaning::Renamed(kept.clone()));
        *pat = syn::parse_quote!(#kept);
        Some(value)
    }

    /// Whether each branch gives `None`, `Some(&v)`, or an option of an element, and one of them does that.
    fn chooses_elements(&mut self, e: &Expr) -> bool {
        let (mut found, mut all) = (false, true);
        at_ends(&mut e.clone(), &mut |value| match strip(value) {
            Expr::Path(p) => all &= p.path.is_ident("None"),
            Expr::Call(c) => {
                all &= matches!(&*c.func, Expr::Path(p) if p.path.is_ident("Some"))
                    && matches!(c.args.first().map(strip), Some(Expr::Reference(_)));
            }
            Expr::MethodCall(m) => {
                let element = self.element_of(m).is_some();
                found |= element;
                all &= element;
            }
            _ => all = false,
        });
        found && all
    }

    /// `let mut last: Option<&T> = None;`, `Option<(f64, &T)>`: a variable of values, which its name in patterns and methods stands for references to. No cells are
    /// in a device type, so a copy can't be distinguished from its original.
    pub(in crate::iterate) fn option_variable(&mut self, pat: &mut Pat, init: &Expr) -> Option<Expr> {
        let Pat::Type(t) = pat else { return None };
        let Pat::Ident(p) = &mut *t.pat else { return None };
        let Type::Path(path) = &mut *t.ty else { return None };
        let last = path.path.segments.last_mut().filter(|s| s.ident == "Option")?;
        let syn::PathArguments::AngleBracketed(of) = &mut last.arguments else { return None };
        let Some(syn::GenericArgument::Type(of)) = of.args.first_mut() else { return None };
        let mut kept = of.clone();
        let shape = Shape::of_content(&Content::of(&mut kept).filter(Content::refers)?);
        if p.by_ref.is_some() || p.subpat.is_some() {
            return None;
        }
        *of = kept;
        let value = self.by_value_in_option(init, &shape);
        let kept = self.fresh("option", p.ident.span());
        self.option_shapes.insert(kept.to_string(), shape);
        let name = std::mem::replace(&mut p.ident, kept.clone());
        self.scopes.last_mut().expect("never empty").insert(name.to_string(), Meaning::Renamed(kept));
        Some(value)
    }

    /// What such a variable keeps, if an expression is the name of one.
    pub(in crate::iterate) fn kept_in_option(&self, e: &Expr) -> Option<Shape> {
        let Expr::Path(p) = e else { return None };
        let Some(Meaning::Renamed(name)) = self.meaning(p.path.get_ident()?) else { return None };
        let is_option = name.to_string().starts_with(OPTION);
        is_option.then(|| self.option_shapes.get(&name.to_string()).cloned().unwrap_or(Shape::Ref))
    }

    /// What an option keeps of its content; walked through.
    fn content(&mut self, e: &Expr, shape: &Shape) -> Expr {
        let span = e.span();
        if let (Shape::Tuple(parts), Expr::Tuple(t)) = (shape, strip(e))
            && parts.len() == t.elems.len()
        {
            let values = t.elems.iter().zip(parts).map(|(e, shape)| self.content(e, shape));
            let values = values.collect::<Vec<_>>();
            return made(quote_spanned!(span=> (#(#values,)*)));
        }
        if !shape.refers() {
            let mut value = e.clone();
            self.visit_expr_mut(&mut value);
            return value;
        }
        if let Some(item) = self.item(e) {
            return kept(&item, span);
        }
        if let Expr::If(_) | Expr::Match(_) | Expr::Block(_) = strip(e) {
            let mut value = e.clone();
            at_ends(&mut value, &mut hold);
            self.held_in(&mut value, Some(shape.clone()));
            return value;
        }
        let mut value = match (shape, strip(e)) {
            (Shape::Ref, Expr::Reference(r)) => (*r.expr).clone(),
            (Shape::Ref, other) => made(quote_spanned!(span=> *#other)),
            (_, other) => other.clone(),
        };
        self.visit_expr_mut(&mut value);
        value
    }

    /// An option of a reference, as one of the value; walked through.
    pub(in crate::iterate) fn by_value_in_option(&mut self, e: &Expr, shape: &Shape) -> Expr {
        let span = e.span();
        if let Expr::Call(c) = strip(e)
            && matches!(&*c.func, Expr::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "Some"))
            && c.args.len() == 1
        {
            let value = self.content(&c.args[0], shape);
            let option = option(span);
            return made(quote_spanned!(span=> #option::Some(#value)));
        }
        if let Expr::MethodCall(m) = strip(e)
            && m.method == "or"
            && m.args.len() == 1
        {
            let [first, second] =
                [&*m.receiver, &m.args[0]].map(|e| in_block(self.by_value_in_option(e, shape)));
            return made(quote_spanned!(span=> #first.or(#second)));
        }
        let mut other = e.clone();
        if let Expr::If(_) | Expr::Match(_) | Expr::Block(_) = strip(e) {
            // Each branch gives one.
            at_ends(&mut other, &mut |value| match value {
                Expr::Call(c) if matches!(&*c.func, Expr::Path(p) if p.path.is_ident("Some")) => {
                    c.args.iter_mut().for_each(hold);
                }
                Expr::Path(_) => {}
                value if *shape == Shape::Ref => {
                    *value = made(quote_spanned!(value.span()=> (#value).copied()));
                }
                _ => {}
            });
            self.held_in(&mut other, Some(shape.clone()));
            return other;
        }
        if let Some(Optional { value, .. }) = self.optional(e).filter(|found| found.shape == *shape) {
            return in_block(value);
        }
        self.visit_expr_mut(&mut other);
        other
    }

    /// `x.iter().max()?` of a device function, an option of references: the value, walked through, and what it is made of.
    pub(in crate::iterate) fn tried_option(&mut self, e: &Expr) -> Option<(Expr, Shape)> {
        let (Expr::Try(t), true) = (strip(e), self.device_fn) else { return None };
        let Expr::MethodCall(m) = strip(&t.expr) else { return None };
        if self.gives_result {
            return self.tried_or(m);
        }
        let filters = m.method == "filter" && self.is_optional(&m.receiver);
        if !filters && !super::pipeline::is_end(m) {
            return None;
        }
        let Optional { value, shape } = self.optional(&t.expr)?;
        let mut t = t.clone();
        *t.expr = in_block(value);
        Some((super::closure::tried(&t), shape))
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
        if !super::pipeline::is_end(of) {
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

    /// `unwrap`, `expect` and `unwrap_or(&x)` of an option of references: the value, walked through, and what it is made of.
    pub(in crate::iterate) fn unwrapped(&mut self, e: &Expr) -> Option<(Expr, Shape)> {
        let Expr::MethodCall(m) = strip(e) else { return None };
        let other = match (m.method.to_string().as_str(), m.args.first().map(strip)) {
            ("unwrap", None) | ("expect", Some(_)) => None,
            ("unwrap_or", Some(Expr::Reference(r))) if r.mutability.is_none() => Some((*r.expr).clone()),
            _ => return None,
        };
        let Optional { value, shape } = self.optional(&m.receiver)?;
        if other.is_some() && shape != Shape::Ref {
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

    /// A method that gives an option of a reference, as one of the value.
    fn referenced(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        let element = self.element_of(m).or_else(|| self.element_found(m));
        element.or_else(|| self.looked_into(m).cloned()).or_else(|| self.chunk_of(m))
    }

    /// An option of a reference, as one of the value, and what it keeps; not yet walked through.
    pub(super) fn of_reference(&mut self, e: &Expr) -> Option<(Expr, Shape)> {
        match strip(e) {
            Expr::Call(c) => Some((in_block(found_value(c)?.clone()), found_shape(c))),
            Expr::MethodCall(m) => Some((self.element_of(m)?, Shape::Ref)),
            _ => None,
        }
    }

    /// `x.get(i)`, `x.first()`, `x.last()` of an array, as an option of the element.
    fn element_of(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        let span = m.method.span();
        let array = &m.receiver;
        let index = match (m.method.to_string().as_str(), m.args.len()) {
            ("get", 1) => m.args[0].to_token_stream(),
            ("first" | "last", 0) => quote_spanned!(span=> 0usize),
            _ => return None,
        };
        if !self.is_array(array) || matches!(m.args.first(), Some(Expr::Range(_))) {
            return None;
        }
        let mut m = m.clone();
        // (`x[..].get(i)` uses an element alone.)
        *m.receiver = super::splits::whole(&m.receiver).clone();
        let before = self.subscripts_first(&mut m.receiver, m.args.first());
        let array = &m.receiver;
        let index =
            if m.method == "last" { quote_spanned!(span=> #array.len().wrapping_sub(1)) } else { index };
        let (option, at) = (option(span), self.fresh("index", span));
        Some(made(quote_spanned!(span=> {
            #before
            let #at = #index;
            if #at < #array.len() { #option::Some(#array[#at]) } else { #option::None }
        })))
    }

    /// The number of the element that `x.get_mut(i)` of an array is.
    fn mutable_index<'m>(&mut self, m: &'m ExprMethodCall) -> Option<(&'m Expr, TokenStream)> {
        let (span, receiver) = (m.method.span(), &*m.receiver);
        let (array, range) = match receiver {
            Expr::Index(x) => match &*x.index {
                Expr::Range(r) => (&*x.expr, Some(r)),
                _ => return None,
            },
            array => (array, None),
        };
        let is_array = match array {
            Expr::Path(_) => self.is_array(array),
            // (What has a part is known to be an array.)
            Expr::Field(_) => range.is_some() && super::splits::is_variable(array),
            _ => false,
        };
        let is_part = matches!(m.args.first(), Some(Expr::Range(_)));
        if !is_array || is_part {
            return None;
        }
        let index = |of: TokenStream| {
            Some(match (m.method.to_string().as_str(), m.args.len()) {
                ("get_mut", 1) => m.args[0].to_token_stream(),
                ("first_mut", 0) => quote_spanned!(span=> 0usize),
                ("last_mut", 0) => quote_spanned!(span=> #of.len().wrapping_sub(1)),
                _ => return None,
            })
        };
        let Some(range) = range.filter(|r| r.start.is_some() || r.end.is_some()) else {
            return Some((array, index(receiver.to_token_stream())?));
        };
        // The number in the whole array.
        let [from, part, at] = ["from", "part", "at"].map(|name| self.fresh(name, span));
        let index = index(part.to_token_stream())?;
        let usize = quote_spanned!(span=> ::omp::__private::core::primitive::usize);
        let (limits, end) = (&range.limits, &range.end);
        let start = range.start.as_ref().map_or_else(|| quote_spanned!(span=> 0), ToTokens::to_token_stream);
        Some((
            array,
            quote_spanned!(span=> {
                let #from: #usize = #start;
                let #part = &#array[#from #limits #end];
                let #at: #usize = #index;
                if #at < #part.len() { #from + #at } else { #usize::MAX }
            }),
        ))
    }

    /// The place of an array: the name of a row stands for one.
    fn place_of(&mut self, array: &Expr) -> Expr {
        self.element(array).unwrap_or_else(|| {
            let mut place = array.clone();
            self.visit_expr_mut(&mut place);
            place
        })
    }

    /// `Some(v) = x.get_mut(i)`: the number of the element under a name, whether there is one, and what `v` is.
    fn mutable_binding(&mut self, pat: &Pat, value: &Expr) -> Option<(syn::Stmt, Expr, syn::Stmt)> {
        let (Pat::TupleStruct(some), Expr::MethodCall(m)) = (pat, strip(value)) else { return None };
        if !some.path.is_ident("Some") || some.elems.len() != 1 {
            return None;
        }
        let name = pattern::plain_name(&some.elems[0])?;
        let ((array, index), span) = (self.mutable_index(m)?, m.method.span());
        let (at, element) = (self.fresh("index", span), self.fresh("element", span));
        let place = self.place_of(array);
        let place = made(quote_spanned!(span=> #place[#at]));
        let item = Meaning::Item(Item::Element { place, mutable: true });
        self.scopes.last_mut().expect("never empty").insert(element.to_string(), item);
        Some((
            syn::parse_quote_spanned!(span=> let #at: ::omp::__private::core::primitive::usize = #index;),
            made(quote_spanned!(span=> #at < #array.len())),
            syn::parse_quote_spanned!(name.span()=> let #name = #element;),
        ))
    }

    /// `if let Some(v) = x.get_mut(i) { … }`: a condition on `i`, so that the subscript is known as the one that the user wrote.
    pub(in crate::iterate) fn if_mutable(&mut self, i: &syn::ExprIf) -> Option<Expr> {
        let Expr::Let(l) = &*i.cond else { return None };
        let (number, is_there, element) = self.mutable_binding(&l.pat, &l.expr)?;
        let (stmts, span) = (&i.then_branch.stmts, l.expr.span());
        let els = i.else_branch.as_ref().map(|(_, e)| quote_spanned!(span=> else #e));
        Some(made(quote_spanned!(span=> { #number if #is_there { #element #(#stmts)* } #els })))
    }

    /// `let Some(v) = x.get_mut(i) else { … };`
    pub(in crate::iterate) fn let_mutable(&mut self, s: &syn::Stmt) -> Option<[syn::Stmt; 3]> {
        let syn::Stmt::Local(l) = s else { return None };
        let init = l.init.as_ref()?;
        let (_, diverge) = init.diverge.as_ref()?;
        let (number, is_there, element) = self.mutable_binding(&l.pat, &init.expr)?;
        let unless = syn::parse_quote_spanned!(init.expr.span()=> if !(#is_there) #diverge);
        Some([number, unless, element])
    }

    /// `x.get_mut(i)` of an array, as an option of the number of the element; and the array.
    fn mutable_element_of(&mut self, m: &ExprMethodCall) -> Option<(Expr, Expr)> {
        let ((array, index), span) = (self.mutable_index(m)?, m.method.span());
        let (option, at) = (option(span), self.fresh("index", span));
        let option = made(quote_spanned!(span=> {
            let #at: ::omp::__private::core::primitive::usize = #index;
            if #at < #array.len() { #option::Some(#at) } else { #option::None }
        }));
        Some((option, self.place_of(array)))
    }

    /// `x.get(i)?` and `x.get(i).ok_or(e)?`, references that `?` leaves of a device function or a closure: the value, not yet walked through.
    pub(in crate::iterate) fn tried_reference(&mut self, e: &Expr) -> Option<Expr> {
        match strip(e) {
            Expr::Try(t) if self.device_fn => {
                let mut value = t.clone();
                *value.expr = self.copied_element(&t.expr)?;
                Some(Expr::Try(value))
            }
            // As a closure has it.
            Expr::Match(m) if super::closure::is_tried(m) => {
                let mut value = m.clone();
                *value.expr = self.copied_element(&m.expr)?;
                Some(made(parentheses(value.into_token_stream())))
            }
            _ => None,
        }
    }

    /// `x.get(i)` with `.ok_or(e)` after it or not, of the value.
    fn copied_element(&mut self, e: &Expr) -> Option<Expr> {
        if let Expr::Call(c) = e {
            return found_value(c).cloned();
        }
        let Expr::MethodCall(m) = e else { return None };
        match (m.method.to_string().as_str(), m.args.len()) {
            ("get", 1) | ("first" | "last", 0) => {
                self.element_of(m)?;
                Some(made(quote_spanned!(m.method.span()=> #m.copied())))
            }
            ("ok_or" | "ok_or_else", 1) => {
                let mut m = m.clone();
                *m.receiver = self.copied_element(&m.receiver)?;
                Some(Expr::MethodCall(m))
            }
            _ => None,
        }
    }

    /// Whether an expression is an array, judged by its tokens.
    pub(in crate::iterate) fn is_array(&self, e: &Expr) -> bool {
        match strip(e) {
            Expr::Path(p) => p.path.get_ident().is_some_and(|name| {
                let of_item = match self.meaning(name) {
                    Some(Meaning::Item(Item::Element { place, .. })) => !self.has_own_methods(place),
                    Some(Meaning::Item(Item::Value(value))) => part(value).is_some(),
                    _ => false,
                };
                let kind = known(&self.scopes, self.kinds, name);
                of_item
                    || kind.is_some_and(crate::iterate::loops::chain::IteratedBy::is_array)
                    || self.is_outside_array(name)
            }),
            Expr::Index(x) => self.is_range(&x.index),
            _ => false,
        }
    }

    /// Whether a name is that of an array from outside.
    pub(super) fn is_outside_array(&self, name: &proc_macro2::Ident) -> bool {
        self.meaning(name).is_none() && (self.arrays)(&name.to_string())
    }

    /// Whether an element is of a type with a name: its methods are its own.
    fn has_own_methods(&self, place: &Expr) -> bool {
        match strip(place) {
            Expr::Index(x) => match &*x.expr {
                Expr::Path(p) => p
                    .path
                    .get_ident()
                    .is_some_and(|name| self.meaning(name).is_none() && (self.named)(&name.to_string())),
                _ => false,
            },
            _ => false,
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
                        (_, Some(item)) => *arg = by_value(&item, span),
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

    /// A comparison of an option of a reference, as one of options of values; walked through.
    pub(in crate::iterate) fn same_options(&mut self, b: &mut syn::ExprBinary) -> bool {
        let is_option = |w: &mut Self, e: &Expr| match strip(e) {
            Expr::MethodCall(m) => {
                w.element_of(m).is_some()
                    || w.is_optional(e) && w.optional(e).is_some_and(|found| found.shape == Shape::Ref)
            }
            e => w.kept_in_option(e) == Some(Shape::Ref),
        };
        /// `Some(&v)`, `None`
        fn by_value(e: &Expr) -> Option<Expr> {
            match strip(e) {
                Expr::Call(c)
                    if matches!(&*c.func, Expr::Path(p) if p.path.is_ident("Some")) && c.args.len() == 1 =>
                {
                    let Expr::Reference(r) = strip(&c.args[0]) else { return None };
                    let mut c = c.clone();
                    c.args[0] = (*r.expr).clone();
                    Some(Expr::Call(c))
                }
                Expr::Path(p) if p.path.is_ident("None") => Some(e.clone()),
                _ => None,
            }
        }
        let sides = [is_option(self, &b.left), is_option(self, &b.right)];
        let other = |e: &Expr, is: bool| if is { Some(e.clone()) } else { by_value(e) };
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

    /// The patterns of what an option of references is taken apart into.
    pub(in crate::iterate) fn through(
        &mut self,
        pat: &mut Pat,
        shape: &Shape,
        scope: &mut HashMap<String, Meaning>,
    ) {
        match pat {
            Pat::TupleStruct(t) if t.path.segments.last().is_some_and(|s| s.ident == "Some") => {
                t.elems.iter_mut().for_each(|p| self.held(p, shape, scope));
            }
            Pat::Paren(p) => self.through(&mut p.pat, shape, scope),
            Pat::Tuple(t) => {
                let Shape::Options(shapes) = shape else { return };
                for (p, shape) in t.elems.iter_mut().zip(shapes) {
                    if let Some(shape) = shape {
                        self.through(p, shape, scope);
                    }
                }
            }
            // `other`: the option under another name.
            Pat::Ident(p) if !matches!(shape, Shape::Options(_) | Shape::Element(_) | Shape::Part(_)) => {
                let name = pattern::plain_name(&Pat::Ident(p.clone())).cloned();
                if let Some(name) = name.filter(|name| !is_capital(name)) {
                    p.ident = self.fresh("option", name.span());
                    self.option_shapes.insert(p.ident.to_string(), shape.clone());
                    scope.insert(name.to_string(), Meaning::Renamed(p.ident.clone()));
                }
            }
            Pat::Guard(g) => self.through(&mut g.pat, shape, scope),
            Pat::Or(o) => o.cases.iter_mut().for_each(|p| self.through(p, shape, scope)),
            _ => {}
        }
    }

    pub(in crate::iterate) fn held(
        &mut self,
        pat: &mut Pat,
        shape: &Shape,
        scope: &mut HashMap<String, Meaning>,
    ) {
        match (&mut *pat, shape) {
            (Pat::Paren(p), _) => self.held(&mut p.pat, shape, scope),
            (Pat::Or(o), _) => o.cases.iter_mut().for_each(|p| self.held(p, shape, scope)),
            (Pat::Reference(r), Shape::Ref) => *pat = (*r.pat).clone(),
            (Pat::Reference(r), Shape::Outer(inner)) => {
                *pat = (*r.pat).clone();
                self.held(pat, inner, scope);
            }
            // Through a reference, the names of parts mean references.
            (Pat::Tuple(t), Shape::Ref) => t.elems.iter_mut().for_each(|p| self.held(p, shape, scope)),
            (Pat::TupleStruct(t), Shape::Ref) => t.elems.iter_mut().for_each(|p| self.held(p, shape, scope)),
            (Pat::Slice(t), Shape::Ref) => t.elems.iter_mut().for_each(|p| self.held(p, shape, scope)),
            (Pat::Struct(s), Shape::Ref) => {
                for field in &mut s.fields {
                    field.colon_token.get_or_insert_with(Default::default);
                    self.held(&mut field.pat, shape, scope);
                }
            }
            (Pat::Tuple(t), Shape::Tuple(parts)) if t.elems.len() == parts.len() => {
                t.elems.iter_mut().zip(parts).for_each(|(p, shape)| self.held(p, shape, scope));
            }
            (Pat::Ident(p), shape)
                if shape.refers()
                    && pattern::plain_name(&Pat::Ident(p.clone())).is_some_and(|name| !is_capital(name)) =>
            {
                let kept = self.fresh("held", p.ident.span());
                let item = shape.item(made(kept.to_token_stream()));
                scope.insert(p.ident.to_string(), Meaning::Item(item));
                p.ident = kept;
            }
            // `Some((v, n))`: the names mean parts of the element.
            (pat, Shape::Element(_)) if !matches!(pat, Pat::Wild(_) | Pat::Rest(_)) => {
                let kept = self.fresh("held", pat.span());
                let item = shape.item(made(kept.to_token_stream()));
                let mut bound = pattern::Bound::default();
                if !names_parts(pat) {
                    let help = "name it, and compare it in a guard: `Some(v) if *v == 2`";
                    self.sink()
                        .error_at(
                            crate::diag::Code::UnsupportedPattern,
                            &*pat,
                            "an element that may change can't be held against this",
                        )
                        .help(help);
                } else if pattern::bind(pat, item, &mut bound, self.sink()).is_some() {
                    let meanings = bound.items.into_iter();
                    scope.extend(meanings.map(|(name, item)| (name.to_string(), Meaning::Item(item))));
                }
                *pat = syn::parse_quote!(#kept);
            }
            _ => {}
        }
    }
}

/// Whether a pattern names parts of what always fits.
fn names_parts(pat: &Pat) -> bool {
    match pat {
        Pat::Wild(_) | Pat::Rest(_) => true,
        Pat::Ident(_) => pattern::plain_name(pat).is_some_and(|name| !is_capital(name)),
        Pat::Paren(p) => names_parts(&p.pat),
        Pat::Tuple(t) => t.elems.iter().all(names_parts),
        Pat::TupleStruct(t) => t.elems.iter().all(names_parts),
        Pat::Slice(s) => s.elems.iter().all(names_parts),
        Pat::Struct(s) => s.fields.iter().all(|f| names_parts(&f.pat)),
        _ => false,
    }
}

fn is_capital(name: &proc_macro2::Ident) -> bool {
    name.to_string().starts_with(char::is_uppercase)
}

/// The array that a slice is a part of, and the ends of the part.
pub(in crate::iterate) fn part(e: &Expr) -> Option<(&Expr, Expr)> {
    let Expr::Reference(r) = e else { return None };
    let (Expr::Index(x), None) = (strip(&r.expr), r.mutability) else { return None };
    let Expr::Range(range) = &*x.index else { return None };
    let (Some(lo), Some(hi), syn::RangeLimits::HalfOpen(_)) = (&range.start, &range.end, range.limits) else {
        return None;
    };
    Some((&x.expr, made(quote_spanned!(x.span()=> (#lo, #hi)))))
}

/// What an option keeps of an item.
fn kept(item: &Item, span: Span) -> Expr {
    match item {
        Item::Value(e) => part(e).map_or_else(|| e.clone(), |(_, ends)| ends),
        Item::Tuple(items) => {
            let parts = items.iter().map(|item| kept(item, span));
            made(quote_spanned!(span=> (#(#parts,)*)))
        }
        item => by_value(item, span),
    }
}

/// `==`, `<` and their like, which take two references of one kind.
pub(in crate::iterate) fn is_comparison(op: &syn::BinOp) -> bool {
    use syn::BinOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_))
}

/// `+`, `*=` and their like, which take numbers and references to numbers.
pub(in crate::iterate) fn is_arithmetic(op: &syn::BinOp) -> bool {
    use syn::BinOp::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Rem, RemAssign, Sub, SubAssign};
    matches!(
        op,
        Add(_)
            | Sub(_)
            | Mul(_)
            | Div(_)
            | Rem(_)
            | AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
    )
}

/// Whether an expression is a `Result`, judged by its methods.
pub(super) fn is_result(e: &Expr) -> bool {
    match strip(e) {
        Expr::MethodCall(m) => match m.method.to_string().as_str() {
            "ok_or" | "ok_or_else" | "map_err" => true,
            "map" | "and_then" | "or_else" => is_result(&m.receiver),
            name => name.starts_with("binary_search") || super::declared::returns_result(&m.method),
        },
        Expr::Call(c) => match strip(&c.func) {
            Expr::Path(p) => {
                p.path.is_ident("Ok")
                    || p.path.is_ident("Err")
                    || p.path.get_ident().is_some_and(super::declared::returns_result)
            }
            // A body in the place of a call.
            Expr::Closure(of) => match &of.output {
                syn::ReturnType::Type(_, ty) => {
                    matches!(&**ty, Type::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "Result"))
                }
                syn::ReturnType::Default => false,
            },
            _ => false,
        },
        Expr::Block(b) => {
            matches!(b.block.stmts.last(), Some(syn::Stmt::Expr(e @ Expr::Call(_), None)) if is_result(e))
        }
        _ => false,
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

/// Whether a place begins with a name of the user's, which means the same outside of what a rewriting made.
fn is_users(place: &Expr) -> bool {
    let hidden = |name: proc_macro2::Ident| name.to_string().starts_with("__omp");
    crate::sema::syntax::place::root(place).is_some()
        && !crate::parse::tokens::leaves::idents(place.to_token_stream()).any(hidden)
}

/// A value that a method can be called of.
fn in_block(e: Expr) -> Expr {
    match e {
        Expr::Block(_) | Expr::If(_) | Expr::Match(_) => made(parentheses(e.into_token_stream())),
        other => other,
    }
}

/// The name of a variable that keeps the references of an item by value.
pub(in crate::iterate) fn by_value(item: &Item, span: Span) -> Expr {
    match item {
        Item::Value(e) => e.clone(),
        Item::Element { place, .. } => place.clone(),
        Item::Ref(inner) => by_value(inner, span),
        Item::Tuple(items) => {
            let parts = items.iter().map(|item| by_value(item, span));
            made(quote_spanned!(span=> (#(#parts,)*)))
        }
    }
}

/// `held(value)`, unless that is a number.
fn hold(value: &mut Expr) {
    if !matches!(value, Expr::Lit(_)) {
        *value = made(quote_spanned!(value.span()=> ::omp::__private::held(#value)));
    }
}

/// The values that an expression may give, without those branches that leave it.
fn at_ends(e: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    let in_block = |b: &mut syn::Block, f: &mut dyn FnMut(&mut Expr)| {
        if let Some(syn::Stmt::Expr(value, None)) = b.stmts.last_mut() {
            at_ends(value, f);
        }
    };
    match e {
        Expr::Paren(p) => at_ends(&mut p.expr, f),
        Expr::Group(g) => at_ends(&mut g.expr, f),
        Expr::Block(b) if b.label.is_none() => in_block(&mut b.block, f),
        Expr::If(i) => {
            in_block(&mut i.then_branch, f);
            if let Some((_, other)) = &mut i.else_branch {
                at_ends(other, f);
            }
        }
        Expr::Match(m) => m.arms.iter_mut().for_each(|arm| at_ends(&mut arm.body, f)),
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) | Expr::Macro(_) => {}
        value => f(value),
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
