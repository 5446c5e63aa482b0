//! Marks: ids that a phase puts on syntax for later phases, as attributes. They are removed before rustc sees the code.
use crate::parse::tokens::leaves::regrouped;
use omp_ir::ids::{AccessId, SlotId};
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use syn::visit_mut::VisitMut;
use syn::{Attribute, Expr};

/// An id that syntax may bear.
pub trait Mark: Sized {
    /// The attribute.
    const NAME: &'static str;
    /// The id with this number.
    fn with(number: usize) -> Self;
    /// The number of the id.
    fn number(&self) -> usize;
}

/// Of a subscript.
impl Mark for AccessId {
    const NAME: &'static str = "__omp_access";

    fn with(number: usize) -> Self {
        Self::new(number)
    }

    fn number(&self) -> usize {
        self.index()
    }
}

/// Of a literal in a pattern.
impl Mark for SlotId {
    const NAME: &'static str = "__omp_slot";

    fn with(number: usize) -> Self {
        Self::new(number)
    }

    fn number(&self) -> usize {
        self.index()
    }
}

/// An inner loop with a directive: its position in `Region::inner`.
pub struct NestId(pub usize);

impl Mark for NestId {
    const NAME: &'static str = "__omp_inner";

    fn with(number: usize) -> Self {
        Self(number)
    }

    fn number(&self) -> usize {
        self.0
    }
}

/// The attribute of an id.
pub fn mark<M: Mark>(id: &M, span: Span) -> Attribute {
    let mut number = Literal::usize_unsuffixed(id.number());
    number.set_span(span);
    let name = Ident::new(M::NAME, span);
    syn::parse_quote_spanned!(span=> #[#name(#number)])
}

fn position<M: Mark>(attrs: &[Attribute]) -> Option<usize> {
    attrs.iter().position(|a| a.path().is_ident(M::NAME))
}

/// The id that is among these attributes.
pub fn marked<M: Mark>(attrs: &[Attribute]) -> Option<M> {
    let number: syn::LitInt = attrs[position::<M>(attrs)?].parse_args().ok()?;
    Some(M::with(number.base10_parse().ok()?))
}

/// The same, taken off.
pub fn take<M: Mark>(attrs: &mut Vec<Attribute>) -> Option<M> {
    let id = marked(attrs);
    attrs.retain(|a| !a.path().is_ident(M::NAME));
    id
}

/// Takes the ids of subscripts and inner loops off.
pub struct Unmark;

impl VisitMut for Unmark {
    fn visit_attributes_mut(&mut self, attrs: &mut Vec<Attribute>) {
        attrs.retain(|a| !a.path().is_ident(AccessId::NAME) && !a.path().is_ident(NestId::NAME));
    }
}

/// The expression as the user wrote it.
pub fn unmarked(e: &Expr) -> Expr {
    let mut e = e.clone();
    Unmark.visit_expr_mut(&mut e);
    e
}

/// Tokens without marks: of code that is not lowered, because it never runs (`f({ continue }, x[i])`).
pub fn without_marks(tokens: TokenStream) -> TokenStream {
    if holds_mark(&tokens) { stripped(tokens) } else { tokens }
}

fn is_mark(tokens: &TokenStream) -> bool {
    matches!(tokens.clone().into_iter().next(), Some(TokenTree::Ident(i)) if i == AccessId::NAME || i == SlotId::NAME)
}

fn holds_mark(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|t| match t {
        TokenTree::Group(g) => is_mark(&g.stream()) || holds_mark(&g.stream()),
        _ => false,
    })
}

fn stripped(tokens: TokenStream) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for t in tokens {
        match t {
            TokenTree::Group(g) if is_mark(&g.stream()) => {
                // The `#` before it.
                out.pop();
            }
            TokenTree::Group(g) if holds_mark(&g.stream()) => {
                out.push(regrouped(&g, stripped(g.stream())));
            }
            t => out.push(t),
        }
    }
    out.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn marks_are_taken_off_wherever_they_stand() {
        let marked_ = quote!(f(
            #[__omp_access(3)]
            x[i],
            match n {
                #[__omp_slot(1)]
                5 => 1,
                #[cold]
                _ => 2,
            }
        ));
        let plain = quote!(f(
            x[i],
            match n {
                5 => 1,
                #[cold]
                _ => 2,
            }
        ));
        assert_eq!(without_marks(marked_).to_string(), plain.to_string());
    }
}
