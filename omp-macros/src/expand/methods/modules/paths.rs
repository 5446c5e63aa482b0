//! Puts paths in the place of names.
use super::resolve::{Path, walk};
use crate::parse::tokens::leaves::regrouped;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashMap;
use syn::Visibility;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};

fn as_path(path: &[String], span: proc_macro2::Span) -> syn::Path {
    let mut path: Vec<&str> = path.iter().map(String::as_str).collect();
    let leading_colon = (path[0].is_empty()).then(|| {
        path.remove(0);
        syn::Token![::](span)
    });
    let segments = path.into_iter().map(|part| syn::PathSegment::from(Ident::new(part, span)));
    syn::Path { leading_colon, segments: segments.collect() }
}

/// Puts paths in the place of names.
pub(super) struct Put<'a> {
    pub(super) paths: &'a HashMap<String, Path>,
    /// The module of the text.
    pub(super) module: &'a [String],
}

impl Put<'_> {
    fn path(&self, name: &Ident) -> Option<syn::Path> {
        Some(as_path(self.paths.get(&name.to_string())?, name.span()))
    }

    /// In what a macro gets, a name is one if no dot is before it and no colon behind it.
    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let punct = |at: Option<usize>, c: char| {
            at.and_then(|at| tokens.get(at))
                .is_some_and(|t| matches!(t, TokenTree::Punct(p) if p.as_char() == c))
        };
        let mut out = TokenStream::new();
        for (at, token) in tokens.iter().enumerate() {
            let behind = punct(Some(at + 1), ':') && !punct(Some(at + 2), ':');
            let (before, twice) = (|c| punct(at.checked_sub(1), c), |c| punct(at.checked_sub(2), c));
            let member = before('.') && !twice('.') || before(':') && twice(':') || before('\'');
            match token {
                TokenTree::Ident(name) if !behind && !member => match self.path(name) {
                    Some(path) => path.to_tokens(&mut out),
                    None => token.to_tokens(&mut out),
                },
                TokenTree::Group(g) => regrouped(g, self.tokens(g.stream())).to_tokens(&mut out),
                token => token.to_tokens(&mut out),
            }
        }
        out
    }
}

impl VisitMut for Put<'_> {
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        visit_mut::visit_path_mut(self, path);
        // `super::K` of the text's module.
        let relative = path.segments.iter().take_while(|s| s.ident == "super" || s.ident == "self").count();
        if path.leading_colon.is_none() && relative > 0 && path.segments.len() > relative {
            let steps: Vec<String> =
                path.segments.iter().take(relative).map(|s| s.ident.to_string()).collect();
            if let Some(of) = walk(self.module.to_vec(), &steps) {
                let rest = std::mem::take(&mut path.segments).into_iter().skip(relative);
                // (`self::` would be the receiver's.)
                let mut put = match &of[..] {
                    [] => syn::Path { leading_colon: None, segments: Default::default() },
                    of => as_path(of, path.span()),
                };
                put.segments.extend(rest);
                *path = put;
                return;
            }
        }
        if path.leading_colon.is_none()
            && let Some(mut put) = self.path(&path.segments[0].ident)
        {
            let mut segments = std::mem::take(&mut path.segments).into_iter();
            if let (Some(first), Some(last)) = (segments.next(), put.segments.last_mut()) {
                last.arguments = first.arguments;
            }
            put.segments.extend(segments);
            *path = put;
        }
    }

    fn visit_pat_mut(&mut self, pat: &mut syn::Pat) {
        if let syn::Pat::Ident(p) = pat
            && p.by_ref.is_none()
            && p.subpat.is_none()
            && let Some(path) = self.path(&p.ident)
        {
            *pat = syn::parse_quote!(#path);
        }
        visit_mut::visit_pat_mut(self, pat);
    }

    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        m.tokens = self.tokens(std::mem::take(&mut m.tokens));
    }

    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}
    fn visit_visibility_mut(&mut self, _: &mut Visibility) {}
}
