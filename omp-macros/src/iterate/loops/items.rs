//! The items of iterators as expressions, and Rust's checks before it makes them.
use super::chain::{Item, Section};
use crate::iterate::tokens::{hidden, made, moved_expr, parentheses};
use crate::parse::tokens::leaves::mentions;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{Block, Expr, Stmt};

/// The value of an item.
pub(in crate::iterate) fn value(item: &Item, span: Span) -> Expr {
    match item {
        Item::Value(e) => moved_expr(e, span),
        Item::Element { place, mutable } => {
            let place = moved_expr(place, span);
            made(if *mutable {
                parentheses(quote_spanned!(span=> &mut #place))
            } else {
                parentheses(quote_spanned!(span=> &#place))
            })
        }
        Item::Tuple(items) => {
            let parts = items.iter().map(|i| value(i, span));
            made(quote_spanned!(span=> (#(#parts,)*)))
        }
        Item::Ref(inner) => {
            let inner = value(inner, span);
            made(parentheses(quote_spanned!(span=> &#inner)))
        }
    }
}

/// Whether the places of an item start from this variable.
pub(super) fn names_array(item: &Item, name: &str) -> bool {
    match item {
        Item::Value(e) | Item::Element { place: e, mutable: _ } => mentions(e.to_token_stream(), name),
        Item::Tuple(items) => items.iter().any(|i| names_array(i, name)),
        Item::Ref(inner) => names_array(inner, name),
    }
}

/// Rust's checks of a section, in Rust's order.
pub(super) fn section_checks(Section { place, from, to, last }: Section<'_>) -> Vec<Stmt> {
    let span = place.span();
    // (The message has variables alone: other arguments are bound, each by its own type.)
    let length = hidden("__omp_of_all", span);
    let beyond = |bound: &Expr, which: &str, past: TokenStream| {
        let text = format!("range {which} index {{}} out of range for slice of length {{}}");
        quote_spanned!(span=> if #bound #past #place.len() {
            let #length = ::omp::__private::count(#place.len());
            ::omp::__private::core::panic!(#text, #bound, #length)
        })
    };
    let start = from.map(|from| beyond(from, "start", quote!(>)));
    // The last is looked at before one more is.
    let end = match last {
        Some(last) => Some(beyond(last, "end", quote!(>=))),
        None => to.map(|to| beyond(to, "end", quote!(>))),
    };
    let order = from.zip(to).map(|(from, to)| {
        quote_spanned!(span=> if #from > #to { ::omp::__private::core::panic!("slice index starts at {} but ends at {}", #from, #to) })
    });
    start.into_iter().chain(end).chain(order).map(statement).collect()
}

/// Tokens of ours that are one.
pub(in crate::iterate) fn statement(tokens: TokenStream) -> Stmt {
    Block::parse_within.parse2(tokens).ok().and_then(|mut s| s.pop()).expect("these tokens are a statement")
}
