//! Options and results in bodies: methods become `match`, and options of references become options of values.
//!
//! A device has no references. So an option of references (`x.get(i)`, `x.iter().max()`) becomes an option of the values, and an option
//! of a `&mut` becomes one of the element's number; [`Shape`] records which. A name that is bound from such an option means a reference,
//! like the names of a loop's items, so `*v` is the value.
//!
//! * [`kinds`]: which values are options or results for sure.
//! * [`combinators`]: methods that take closures (`map`, `and_then`, `unwrap_or_else`, …) become a `match`, and the closure is inlined in
//!   its arm.
//! * [`methods`]: methods that combine options or put values in them; [`inserted`]: those that give a `&mut` of what they put there.
//! * [`references`]: options of references as options of values, and what is done with them; [`elements`]: those of elements of arrays.
//! * [`branches`]: branches that give references or options of them.
//! * [`patterns`]: the patterns that such options are taken apart with.
//! * [`variables`]: variables of such options; [`variable_types`]: those without a written type.
mod branches;
pub(super) mod combinators;
mod elements;
mod inserted;
pub(in crate::iterate) mod kinds;
mod methods;
mod patterns;
mod references;
mod variable_types;
mod variables;

pub(in crate::iterate) use references::is_unwrapped;

use crate::expand::found::Content;
use crate::iterate::loops::chain::Item;
use crate::iterate::tokens::{made, parentheses};
use crate::sema::syntax::forms::strip;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned;

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
    pub(in crate::iterate::values) fn of_name(&self, place: &TokenStream) -> TokenStream {
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

/// `Option`
fn option(span: Span) -> TokenStream {
    quote_spanned!(span=> ::omp::__private::core::option::Option)
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

/// The same in text that is not yet walked through. There, the names of an item's place could mean others.
pub(in crate::iterate) fn value_of(item: &Expr, span: Span) -> Expr {
    made(quote_spanned!(span=> ::omp::__private::value_of(#item)))
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

/// A value that a method can be called of.
fn in_block(e: Expr) -> Expr {
    match e {
        Expr::Block(_) | Expr::If(_) | Expr::Match(_) => made(parentheses(e.into_token_stream())),
        other => other,
    }
}
