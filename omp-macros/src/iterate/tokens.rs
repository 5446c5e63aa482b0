//! Making expressions out of tokens with places.
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::Expr;

/// The same tokens (of the same macros) at another place.
pub fn moved(tokens: TokenStream, span: Span) -> TokenStream {
    let tree = |tree: TokenTree| match tree {
        TokenTree::Group(g) => {
            let mut group = Group::new(g.delimiter(), moved(g.stream(), span));
            group.set_span(g.span().located_at(span));
            TokenTree::Group(group)
        }
        mut other => {
            other.set_span(other.span().located_at(span));
            other
        }
    };
    tokens.into_iter().map(tree).collect()
}

/// [`moved`], of an expression.
pub fn moved_expr(e: &Expr, span: Span) -> Expr {
    made(moved(e.to_token_stream(), span))
}

/// An expression of tokens that are one.
pub fn made(tokens: TokenStream) -> Expr {
    syn::parse2(tokens).expect("these tokens are an expression")
}

/// A name that users can't write.
pub fn hidden(name: &str, span: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(span))
}

/// `place[index]`
pub fn element(place: &Expr, index: &Expr, span: Span) -> Expr {
    made(quote_spanned!(span=> #place[#index]))
}
