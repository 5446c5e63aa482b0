//! Device functions with atomic directives. Their bodies stand in the place of their calls: a region must see whose elements it accesses
//! atomically, and other accesses of them.
use super::names_any;
use crate::expand::is_declare_target;
use crate::parse::attributes::Strip;
use crate::parse::directive;
use quote::ToTokens;
use std::collections::HashSet;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Block, ImplItem, Item};

/// The names of declared functions and inherent methods that have atomic directives, or that call one that has.
pub(super) fn of(items: &[Item]) -> HashSet<String> {
    let functions: Vec<(String, &Block)> = items
        .iter()
        .flat_map(|item| match item {
            Item::Fn(f) if f.attrs.iter().any(is_declare_target) => {
                vec![(f.sig.ident.to_string(), &*f.block)]
            }
            Item::Impl(i) if i.trait_.is_none() => {
                let of = i.items.iter().filter_map(|item| match item {
                    ImplItem::Fn(f) => Some((f.sig.ident.to_string(), &f.block)),
                    _ => None,
                });
                of.collect()
            }
            _ => Vec::new(),
        })
        .collect();
    let mut names = HashSet::new();
    loop {
        let more = functions.iter().filter(|(name, body)| !names.contains(name) && are_in(body, &names));
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
    let called = || {
        !functions.is_empty()
            && names_any(body.to_token_stream(), &|word| functions.iter().any(|name| name == word))
    };
    found.other.is_none() && (found.atomics || called())
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
        found.visit_block(body);
        found
    }
}

impl<'ast> Visit<'ast> for Directives {
    fn visit_attribute(&mut self, attr: &'ast Attribute) {
        match directive::family(attr.path()) {
            Some((_, name)) if name == "atomic" => self.atomics = true,
            Some((_, name)) if self.other.is_none() && directive::is_ours(attr) => {
                self.other = Some((name, attr.clone()));
            }
            _ => {}
        }
    }
    fn visit_item(&mut self, _: &'ast Item) {}
}

/// Takes atomic directives off a body that the host calls outside of regions.
pub fn strip(body: &mut Block) {
    Strip.visit_block_mut(body);
}
