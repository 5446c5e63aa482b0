//! Removes the macros' own marks from code that was not lowered because it never runs (`f({ continue }, x[i])`); rustc
//! would take them for attributes.
use proc_macro2::{Group, TokenStream, TokenTree};

const NOTES: [&str; 2] = ["__omp_access", "__omp_slot"];

/// Tokens of the copy without such notes.
pub(super) fn without_notes(tokens: TokenStream) -> TokenStream {
    if holds_note(&tokens) { stripped(tokens) } else { tokens }
}

fn is_note(tokens: &TokenStream) -> bool {
    matches!(tokens.clone().into_iter().next(), Some(TokenTree::Ident(i)) if NOTES.iter().any(|n| i == n))
}

fn holds_note(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|t| match t {
        TokenTree::Group(g) => is_note(&g.stream()) || holds_note(&g.stream()),
        _ => false,
    })
}

fn stripped(tokens: TokenStream) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for t in tokens {
        match t {
            TokenTree::Group(g) if is_note(&g.stream()) => {
                // The `#` before it.
                out.pop();
            }
            TokenTree::Group(g) if holds_note(&g.stream()) => {
                let mut new = Group::new(g.delimiter(), stripped(g.stream()));
                new.set_span(g.span());
                out.push(TokenTree::Group(new));
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
    fn notes_are_taken_off_wherever_they_stand() {
        let noted = quote!(f(
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
        assert_eq!(without_notes(noted).to_string(), plain.to_string());
    }
}
