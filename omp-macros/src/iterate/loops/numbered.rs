//! Ranges under `enumerate`, `(a..b).enumerate()`: a loop inside a region runs over the values themselves, and the
//! number is the distance from the first value. So the loop keeps the bounds that the user wrote.
use super::chain::{Chain, Item};
use crate::iterate::tokens::{made, parentheses};
use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote_spanned};
use syn::Expr;

/// A range that numbers the items of a chain.
pub struct Numbered<'c> {
    lo: &'c Expr,
    hi: &'c Expr,
    inclusive: bool,
    /// Numbered from its last value on.
    back: bool,
    /// How often it is numbered.
    times: usize,
}

impl<'c> Numbered<'c> {
    /// The numbers of a chain, if it has such a range.
    pub fn of(chain: &'c Chain) -> Option<Self> {
        match chain {
            Chain::Enumerate(inner) => match &**inner {
                Chain::Range { lo, hi: Some(hi), inclusive } => {
                    Some(Self { lo, hi, inclusive: *inclusive, back: false, times: 1 })
                }
                Chain::Rev(range) => match &**range {
                    Chain::Range { lo, hi: Some(hi), inclusive } => {
                        Some(Self { lo, hi, inclusive: *inclusive, back: true, times: 1 })
                    }
                    _ => None,
                },
                inner => Self::of(inner).map(|own| Self { times: own.times + 1, ..own }),
            },
            _ => None,
        }
    }

    /// The head of the loop over the numbers, `back` from the last one on.
    pub fn head(&self, back: bool, span: Span) -> Expr {
        let Self { lo, hi, inclusive, .. } = self;
        let range =
            if *inclusive { quote_spanned!(span=> #lo..=#hi) } else { quote_spanned!(span=> #lo..#hi) };
        if self.back == back {
            return made(range);
        }
        let all = parentheses(range);
        made(quote_spanned!(span=> #all.rev()))
    }

    /// The item of value `var`.
    pub fn item(&self, var: &Ident, span: Span) -> Item {
        let (lo, hi) = (self.lo, self.hi);
        let number = made(match (self.back, self.inclusive) {
            (false, _) => quote_spanned!(span=> ::omp::__private::ordinal(#lo, #var)),
            (true, true) => quote_spanned!(span=> ::omp::__private::ordinal(#var, #hi)),
            (true, false) => quote_spanned!(span=> ::omp::__private::ordinal_before(#var, #hi)),
        });
        let value = Item::Value(made(var.to_token_stream()));
        (0..self.times).fold(value, |item, _| Item::Tuple(vec![Item::Value(number.clone()), item]))
    }
}
