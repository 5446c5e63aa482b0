//! Programs with their directives and without: the serial elision that the language promises, made by a macro.
use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// Items twice: in `mod device`, an `#[omp::offload]` module, as they stand, and in `mod plain` without any `#[omp::…]`. What is
/// compared is so the very text that is shown.
#[proc_macro]
pub fn twice(items: TokenStream) -> TokenStream {
    let module = |head: &str, items: TokenStream| {
        let mut all: TokenStream = "use super::*;".parse().expect("it is Rust");
        all.extend(items);
        let mut out: TokenStream = head.parse().expect("it is Rust");
        out.extend([TokenTree::from(Group::new(Delimiter::Brace, all))]);
        out
    };
    let serial = elided(items.clone());
    // The programs are as their authors write them.
    let allowed = "#[allow(dead_code, unused_imports, unused_variables, clippy::all, clippy::pedantic)]";
    let mut out = module(&format!("#[omp::offload] {allowed} mod device"), items);
    out.extend(module(&format!("{allowed} mod plain"), serial));
    out
}

/// Tokens without directives.
fn elided(tokens: TokenStream) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let after_hash = matches!(out.last(), Some(TokenTree::Punct(p)) if p.as_char() == '#');
        match token {
            TokenTree::Group(group) if after_hash && is_directive(&group) => {
                out.pop();
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), elided(group.stream()));
                inner.set_span(group.span());
                out.push(inner.into());
            }
            other => out.push(other),
        }
    }
    out.into_iter().collect()
}

/// Whether what stands after a `#` is `[omp::…]`.
fn is_directive(group: &Group) -> bool {
    let mut tokens = group.stream().into_iter();
    group.delimiter() == Delimiter::Bracket
        && matches!(tokens.next(), Some(TokenTree::Ident(name)) if name.to_string() == "omp")
        && matches!(tokens.next(), Some(TokenTree::Punct(p)) if p.as_char() == ':')
}
