//! Items that `syn` can't parse. rustc has reported the mistake already, so nothing is added. The item's signatures
//! stay, so that its uses have no second error. Its bodies are replaced by a panic: if rustc accepts code that `syn`
//! can't parse, the program panics there and computes nothing wrong.
use crate::parse::tokens::leaves::regrouped;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

/// The item with bodies that panic, if it can be read then.
pub fn hollow(item: &TokenStream, error: &syn::Error) -> Option<syn::Item> {
    let text = format!("this function can't be read by omp: {error}");
    let hollow = replaced(item.clone(), &quote!(::omp::__private::core::panic!(#text)));
    // The uses of its parameters are unknown.
    syn::parse2(quote!(#[allow(warnings)] #hollow)).ok()
}

/// The tokens with other bodies of functions.
fn replaced(tokens: TokenStream, body: &TokenStream) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    let mut function = false;
    for tree in tokens {
        match &tree {
            // `fn name`, no type `fn(x)`
            TokenTree::Ident(_) if matches!(out.last(), Some(TokenTree::Ident(i)) if i == "fn") => {
                function = true;
            }
            TokenTree::Punct(p) if p.as_char() == ';' => function = false,
            TokenTree::Group(g) if g.delimiter() == Delimiter::Brace => {
                let inner = if function { body.clone() } else { replaced(g.stream(), body) };
                out.push(regrouped(g, inner));
                function = false;
                continue;
            }
            _ => {}
        }
        out.push(tree);
    }
    out.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens;

    #[test]
    fn bodies_are_replaced_and_nothing_else() {
        let error = syn::Error::new(proc_macro2::Span::call_site(), "no");
        let hollowed = |text: &str| {
            hollow(&text.parse().expect("lexes"), &error).map(|i| i.to_token_stream().to_string())
        };
        let panic = "{ :: omp :: __private :: core :: panic ! (\"this function can't be read by omp: no\") }";
        let one = hollowed("fn f(g: fn(u32) -> u32) -> u32 { 3 + }").expect("reads");
        assert_eq!(one, format!("# [allow (warnings)] fn f (g : fn (u32) -> u32) -> u32 {panic}"));
        let all = hollowed("impl<T> S<fn()> { const N: u32 = { 3 }; fn f(self) { { 4 + } } fn g() {} }");
        let expected = format!(
            "# [allow (warnings)] impl < T > S < fn () > {{ const N : u32 = {{ 3 }} ; fn f (self) {panic} fn g () {panic} }}"
        );
        assert_eq!(all.expect("reads"), expected);
        assert_eq!(hollowed("struct S { a: }"), None);
    }
}
