//! The tokens of a stream at any depth of groups.
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree, token_stream};

/// The tokens that are no groups, in order.
pub fn leaves(tokens: TokenStream) -> impl Iterator<Item = TokenTree> {
    let mut open: Vec<token_stream::IntoIter> = vec![tokens.into_iter()];
    std::iter::from_fn(move || {
        loop {
            match open.last_mut()?.next() {
                Some(TokenTree::Group(g)) => open.push(g.stream().into_iter()),
                Some(leaf) => return Some(leaf),
                None => _ = open.pop(),
            }
        }
    })
}

/// The names, in order.
pub fn idents(tokens: TokenStream) -> impl Iterator<Item = Ident> {
    leaves(tokens).filter_map(|leaf| match leaf {
        TokenTree::Ident(ident) => Some(ident),
        _ => None,
    })
}

/// Whether a name stands among them.
pub fn mentions(tokens: TokenStream, name: &str) -> bool {
    idents(tokens).any(|ident| ident == name)
}

/// A group of other tokens in the place of one.
pub fn regrouped(of: &Group, tokens: TokenStream) -> TokenTree {
    group(of.delimiter(), tokens, of.span())
}

/// A group with one span for both of its delimiters.
pub fn group(delimiter: Delimiter, tokens: TokenStream, span: Span) -> TokenTree {
    let mut group = Group::new(delimiter, tokens);
    group.set_span(span);
    group.into()
}

/// The same tokens with other spans.
pub fn respanned(tokens: TokenStream, span: &dyn Fn(Span) -> Span) -> TokenStream {
    let tree = |tree: TokenTree| match tree {
        TokenTree::Group(g) => group(g.delimiter(), respanned(g.stream(), span), span(g.span())),
        mut leaf => {
            leaf.set_span(span(leaf.span()));
            leaf
        }
    };
    tokens.into_iter().map(tree).collect()
}

/// The tokens with others in the place of some names.
pub fn put(tokens: TokenStream, by: &dyn Fn(&Ident) -> Option<TokenStream>) -> TokenStream {
    let tree = |tree: TokenTree| match tree {
        TokenTree::Ident(name) => by(&name).unwrap_or_else(|| TokenTree::Ident(name).into()),
        TokenTree::Group(g) => regrouped(&g, put(g.stream(), by)).into(),
        other => other.into(),
    };
    tokens.into_iter().flat_map(tree).collect()
}
