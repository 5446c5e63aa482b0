//! Branches that give references or options of them: `held(item)` marks a value there that is kept, and what it is made of goes to who
//! takes the option apart.
use super::{Optional, Shape, by_value, in_block, kept, option};
use crate::iterate::loops::chain::Item;
use crate::iterate::loops::pattern;
use crate::iterate::loops::walk::{Meaning, Walk};
use crate::iterate::tokens::made;
use crate::sema::syntax::forms::{at_ends, is_variant, strip};
use proc_macro2::Span;
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Expr, Pat};

impl Walk<'_> {
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
                Expr::Call(c) if matches!(&*c.func, Expr::Path(p) if is_variant(&p.path, "Some")) => {
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

    pub(in crate::iterate) fn option_of_references(&mut self, span: Span) {
        self.sink()
            .error(crate::diag::Code::Reference, span, "an option of references can't be kept on a device")
            .help("take the values before: `.copied()` after `.iter()`");
    }
}

/// `held(value)`, unless that is a number.
fn hold(value: &mut Expr) {
    if !matches!(value, Expr::Lit(_)) {
        *value = made(quote_spanned!(value.span()=> ::omp::__private::held(#value)));
    }
}

/// Whether a place begins with a name of the user's, which means the same outside of what a rewriting made.
fn is_users(place: &Expr) -> bool {
    let hidden = |name: proc_macro2::Ident| name.to_string().starts_with("__omp");
    crate::sema::syntax::place::root(place).is_some()
        && !crate::parse::tokens::leaves::idents(place.to_token_stream()).any(hidden)
}
