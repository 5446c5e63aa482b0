//! The tokens of a stream at any depth of groups.
use proc_macro2::{Group, Ident, TokenStream, TokenTree, token_stream};

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
    let mut group = Group::new(of.delimiter(), tokens);
    group.set_span(of.span());
    group.into()
}
