//! Device functions with atomic directives. Their bodies stand in the place of their calls: a region must see whose elements it accesses
//! atomically, and other accesses of them.
use crate::expand::is_declare_target;
use crate::parse::directive;
use crate::parse::functions::functions;
use crate::visits::{self, Node};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashSet;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Block, Item};

/// The names of declared functions and inherent methods (with a dot) that have atomic directives, or that call one that has.
pub(super) fn of(items: &[Item]) -> HashSet<String> {
    let declared: Vec<(String, &Block)> = items
        .iter()
        .flat_map(|item| match item {
            Item::Fn(f) if f.attrs.iter().any(is_declare_target) => {
                vec![(f.sig.ident.to_string(), &*f.block)]
            }
            Item::Impl(i) if i.trait_.is_none() => {
                functions(i).map(|f| (as_method(&f.sig.ident), &f.block)).collect()
            }
            _ => Vec::new(),
        })
        .collect();
    let mut names = HashSet::new();
    loop {
        let more = declared.iter().filter(|(name, body)| !names.contains(name) && are_in(body, &names));
        let more: Vec<String> = more.map(|(name, _)| name.clone()).collect();
        if more.is_empty() {
            return names;
        }
        names.extend(more);
    }
}

/// Whether a body has atomic directives, and no others, or names one of these functions.
pub(super) fn are_in(body: &Block, functions: &HashSet<String>) -> bool {
    let found = Directives::of(body);
    let called = || !functions.is_empty() && calls_any(body.to_token_stream(), functions);
    found.other.is_none() && (found.atomics || called())
}

/// Whether tokens call one of these functions or methods.
fn calls_any(tokens: TokenStream, functions: &HashSet<String>) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let arguments = |at: usize| matches!(tokens.get(at), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis);
    let before = |at: usize| match at.checked_sub(1).map(|at| &tokens[at]) {
        Some(TokenTree::Punct(p)) => p.as_char(),
        _ => ' ',
    };
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Ident(name) if arguments(at + 1) => {
            let (function, method) = (name.to_string(), as_method(name));
            match before(at) {
                '.' => functions.contains(&method),
                ':' => functions.contains(&method) || functions.contains(&function),
                _ => functions.contains(&function),
            }
        }
        TokenTree::Group(g) => calls_any(g.stream(), functions),
        _ => false,
    })
}

/// The name of a method, which is none of a function.
fn as_method(name: &Ident) -> String {
    format!(".{name}")
}

/// The first directive in a body that is not atomic, and its name.
pub fn other_directive(body: &Block) -> Option<(String, Attribute)> {
    Directives::of(body).other
}

#[derive(Default)]
struct Directives {
    atomics: bool,
    other: Option<(String, Attribute)>,
}

impl Directives {
    fn of(body: &Block) -> Self {
        let mut found = Self::default();
        visits::walk(body, |node| {
            if let Node::Attribute(attr) = node {
                found.atomics |= is_atomic(attr);
                if found.other.is_none() && directive::is_ours(attr) && !is_atomic(attr) {
                    found.other = directive::family(attr.path()).map(|(_, name)| (name, attr.clone()));
                }
            }
            !matches!(node, Node::Item(_))
        });
        found
    }
}

/// Takes the atomic directives, and no others, off bodies that the host calls outside of regions.
pub struct WithoutAtomics;

impl VisitMut for WithoutAtomics {
    fn visit_attributes_mut(&mut self, attrs: &mut Vec<Attribute>) {
        attrs.retain(|attr| !is_atomic(attr));
    }
}

/// `#[omp::atomic]`
pub fn is_atomic(attr: &Attribute) -> bool {
    directive::family(attr.path()).is_some_and(|(_, name)| name == "atomic")
}
