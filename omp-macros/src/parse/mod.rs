//! Tokens to [`crate::ast`]. Syntax only: what a directive means, and whether it may stand where it stands, is
//! decided in [`crate::sema`].
pub mod aliases;
pub mod attributes;
pub mod clause;
pub mod conditional;
pub mod directive;
pub mod functions;
pub mod imports;
pub mod item;
pub mod loop_nest;
pub mod missing;
pub mod operators;
pub mod primitives;
pub mod standalone;
pub mod std_macros;
pub mod tokens;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, Macro, Token};

/// The arguments of a macro that is given expressions only.
pub fn arguments(m: &Macro) -> Option<Punctuated<Expr, Token![,]>> {
    m.parse_body_with(Punctuated::parse_terminated).ok()
}

/// The arguments of `matches!`.
pub struct Matches {
    pub value: Expr,
    pub pat: syn::Pat,
    pub guard: Option<Expr>,
}

impl Matches {
    pub fn of(m: &Macro) -> Option<Self> {
        let parts = |input: syn::parse::ParseStream| {
            let value = input.parse()?;
            input.parse::<Token![,]>()?;
            let pat = syn::Pat::parse_multi_with_leading_vert(input)?;
            let guard = input.parse::<Option<Token![if]>>()?.map(|_| input.parse()).transpose()?;
            input.parse::<Option<Token![,]>>()?;
            Ok(Self { value, pat, guard })
        };
        m.parse_body_with(parts).ok()
    }

    pub fn tokens(&self) -> TokenStream {
        let Self { value, pat, guard } = self;
        let guard = guard.as_ref().map(|guard| quote::quote!(if #guard));
        quote::quote!(#value, #pat #guard)
    }
}

/// Changes the arguments of a macro that is given expressions only.
pub fn change_arguments(m: &mut Macro, change: impl FnMut(&mut Expr)) {
    if let Some(mut args) = arguments(m) {
        args.iter_mut().for_each(change);
        m.tokens = args.into_token_stream();
    }
}

/// Normalises a macro's tokens: a name has one spelling, and an expression that a macro received is one operand.
pub fn input(tokens: TokenStream) -> TokenStream {
    if !tokens::raw::any(&tokens, &|tree| {
        tokens::groups::is_invisible(tree) || tokens::raw::is_respelled(tree)
    }) {
        return tokens;
    }
    tokens::groups::kept(tokens::raw::plain(tokens))
}

/// The type and const parameters of an item.
pub fn parameters(generics: &syn::Generics) -> impl Iterator<Item = &proc_macro2::Ident> {
    generics.params.iter().filter_map(|p| match p {
        syn::GenericParam::Type(t) => Some(&t.ident),
        syn::GenericParam::Const(c) => Some(&c.ident),
        syn::GenericParam::Lifetime(_) => None,
    })
}

/// Splits at top-level commas; a trailing one is fine.
pub fn split_commas(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for tree in tokens {
        if matches!(&tree, TokenTree::Punct(p) if p.as_char() == ',') {
            parts.push(TokenStream::new());
        } else {
            parts.last_mut().expect("never empty").extend([tree]);
        }
    }
    if parts.last().is_some_and(TokenStream::is_empty) {
        parts.pop();
    }
    parts
}

/// Splits at the first top-level `:` that is not half of `::` (or at `=`, unless part of an operator); `None` if
/// there is none.
pub fn split_colon(tokens: &TokenStream) -> Option<(TokenStream, TokenStream)> {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let at = (0..trees.len()).find(|&i| is_separator(&trees, i))?;
    Some((trees[..at].iter().cloned().collect(), trees[at + 1..].iter().cloned().collect()))
}

/// Whether tree `i` is a lone `:` or `=`.
fn is_separator(trees: &[TokenTree], i: usize) -> bool {
    use proc_macro2::Spacing::Joint;
    let TokenTree::Punct(p) = &trees[i] else { return false };
    let before = i.checked_sub(1).and_then(|j| match &trees[j] {
        TokenTree::Punct(q) if q.spacing() == Joint => Some(q.as_char()),
        _ => None,
    });
    let after = match trees.get(i + 1) {
        Some(TokenTree::Punct(q)) if p.spacing() == Joint => Some(q.as_char()),
        _ => None,
    };
    match p.as_char() {
        ':' => before != Some(':') && after != Some(':'),
        '=' => !matches!(before, Some('=' | '<' | '>' | '!' | '.')) && !matches!(after, Some('=' | '>')),
        _ => false,
    }
}
