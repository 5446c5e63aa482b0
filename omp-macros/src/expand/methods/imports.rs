//! `use Kind::*;` in a body: the variants get the enum's name as a prefix, as device functions write them.
use super::Methods;
use proc_macro2::Ident;
use std::collections::HashMap;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Item, Path, Stmt, UseTree};

/// Takes the imports of variants out of a body. What else is imported stays, and is an error.
pub(super) fn spell_out(block: &mut Block, methods: &Methods) {
    Imports { methods, scopes: vec![] }.visit_block_mut(block);
}

struct Imports<'a> {
    methods: &'a Methods,
    /// The variants, with the enums' names.
    scopes: Vec<HashMap<String, Ident>>,
}

impl Imports<'_> {
    /// The enum and its variants that a tree imports under their own names.
    fn variants(&self, tree: &UseTree) -> Option<Vec<(String, Ident)>> {
        let UseTree::Path(p) = tree else { return None };
        let enum_ = &p.ident;
        let variants = self.methods.values.enum_(&enum_.to_string())?;
        let mut found = Vec::new();
        let trees: Vec<&UseTree> = match &*p.tree {
            UseTree::Group(g) => g.items.iter().collect(),
            tree => vec![tree],
        };
        for tree in trees {
            match tree {
                UseTree::Glob(_) => found.extend(variants.iter().map(|v| (v.clone(), enum_.clone()))),
                UseTree::Name(n) if variants.contains(&n.ident.to_string()) => {
                    found.push((n.ident.to_string(), enum_.clone()));
                }
                _ => return None,
            }
        }
        Some(found)
    }
}

impl VisitMut for Imports<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let mut own = HashMap::new();
        block.stmts.retain(|stmt| {
            let Stmt::Item(Item::Use(u)) = stmt else { return true };
            let variants = self.variants(&u.tree).filter(|_| u.attrs.is_empty());
            let kept = variants.is_none();
            own.extend(variants.unwrap_or_default());
            kept
        });
        self.scopes.push(own);
        visit_mut::visit_block_mut(self, block);
        self.scopes.pop();
    }

    fn visit_path_mut(&mut self, path: &mut Path) {
        if let Some(name) = path.get_ident()
            && let Some(of) = self.scopes.iter().rev().find_map(|scope| scope.get(&name.to_string()))
        {
            *path = syn::parse_quote!(#of::#name);
        }
        visit_mut::visit_path_mut(self, path);
    }

    fn visit_pat_mut(&mut self, pat: &mut syn::Pat) {
        if let syn::Pat::Ident(p) = pat
            && p.by_ref.is_none()
            && p.mutability.is_none()
            && p.subpat.is_none()
            && let Some(of) = self.scopes.iter().rev().find_map(|scope| scope.get(&p.ident.to_string()))
        {
            let name = &p.ident;
            *pat = syn::parse_quote!(#of::#name);
        }
        visit_mut::visit_pat_mut(self, pat);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
