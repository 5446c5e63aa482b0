//! Raw identifiers: one spelling for each name.
//!
//! To rustc, `r#t` is `t` and `#[r#cfg(…)]` is `#[cfg(…)]`. The macros compare spellings, so each macro first
//! normalises its input: a keyword of any edition has `r#`, no other name has it.
use crate::parse::tokens::leaves::regrouped;
use proc_macro2::{Ident, TokenStream, TokenTree};

/// The tokens, with one spelling for each name.
pub fn plain(tokens: TokenStream) -> TokenStream {
    let tree = |tree: TokenTree| match tree {
        // The group itself: a new group would have one span for all of its tokens.
        TokenTree::Group(g) if any(&g.stream(), &is_respelled) => regrouped(&g, plain(g.stream())),
        TokenTree::Ident(name) => respelled(&name).unwrap_or(name).into(),
        tree => tree,
    };
    tokens.into_iter().map(tree).collect()
}

/// Whether [`plain`] changes this token.
pub fn is_respelled(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Ident(name) if respelled(name).is_some())
}

/// Whether this holds of a token, at any depth.
pub fn any(tokens: &TokenStream, what: &impl Fn(&TokenTree) -> bool) -> bool {
    let holds =
        |tree: TokenTree| what(&tree) || matches!(tree, TokenTree::Group(g) if any(&g.stream(), what));
    tokens.clone().into_iter().any(holds)
}

/// The other spelling of a name, if that is the one to use.
fn respelled(name: &Ident) -> Option<Ident> {
    let text = name.to_string();
    match text.strip_prefix("r#") {
        None if is_new_keyword(&text) => Some(Ident::new_raw(&text, name.span())),
        None => None,
        Some(bare) if is_new_keyword(bare) => None,
        // An identifier for syn is a keyword in no edition.
        Some(bare) => syn::parse_str::<Ident>(bare).is_ok().then(|| Ident::new(bare, name.span())),
    }
}

/// Keywords of some editions that syn takes for identifiers: there, both spellings reach the macros.
pub fn is_new_keyword(name: &str) -> bool {
    name == "gen"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling() {
        for (given, expected) in [
            ("r#t + t", "t + t"),
            ("# [r#cfg (any ())] { q = i ; }", "# [cfg (any ())] { q = i ; }"),
            ("f (a , [r#b { r#c : 1 }])", "f (a , [b { c : 1 }])"),
            ("r#type . r#fn (r#async , r#try , r#dyn)", "r#type . r#fn (r#async , r#try , r#dyn)"),
            ("gen + r#gen", "r#gen + r#gen"),
            ("r#union + r#default", "union + default"),
            ("'r#a : loop { break 'a ; }", "'a : loop { break 'a ; }"),
        ] {
            let tokens: TokenStream = given.parse().unwrap();
            assert_eq!(any(&tokens, &is_respelled), given != expected, "{given}");
            assert_eq!(plain(tokens).to_string(), expected);
        }
    }
}
