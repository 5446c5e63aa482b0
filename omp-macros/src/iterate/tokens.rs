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

/// The same tokens as the macros' own, at their places: for paths to items, of which no lint is to speak.
pub fn generated(tokens: TokenStream) -> TokenStream {
    let own = |span: Span| Span::mixed_site().located_at(span);
    let tree = |tree: TokenTree| match tree {
        TokenTree::Group(g) => {
            let mut group = Group::new(g.delimiter(), generated(g.stream()));
            group.set_span(own(g.span()));
            TokenTree::Group(group)
        }
        mut other => {
            other.set_span(own(other.span()));
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

/// `(inner)`. No lint finds these parentheses unnecessary, as they are nowhere in the user's file.
pub fn parentheses(inner: TokenStream) -> TokenStream {
    let mut group = Group::new(proc_macro2::Delimiter::Parenthesis, inner);
    group.set_span(Span::mixed_site());
    TokenTree::Group(group).into()
}

/// A name that users can't write.
pub fn hidden(name: &str, span: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(span))
}

/// `place[index]`
pub fn element(place: &Expr, index: &Expr, span: Span) -> Expr {
    made(quote_spanned!(span=> #place[#index]))
}
