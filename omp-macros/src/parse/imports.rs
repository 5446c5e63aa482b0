//! `use` in bodies: `use std::cmp::Ordering;`, `use Ordering::*;`, `use Kind::*;`. The names in the code get their whole paths, by which all phases
//! know what they mean. The declarations stay, for what rustc finds by them: methods of traits, and names in macros. Of what a `*` imports
//! only the variants of enums are known; what else it may import is refused.
use super::tokens::file::SourceFile;
use super::tokens::outline::Outline;
use crate::sema::syntax::names::bound_in;
use proc_macro2::Ident;
use std::collections::{HashMap, HashSet};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Item, ItemUse, Pat, Path, PathSegment, Stmt, UseTree};

/// Gives the imported names of a body their paths. `variants`: those of the enums that are known by name.
pub fn spell_out(block: &mut Block, variants: &dyn Fn(&Ident) -> Option<Vec<String>>) {
    let is_use = |s: &Stmt| matches!(s, Stmt::Item(Item::Use(_)));
    struct Any(bool);
    impl VisitMut for Any {
        fn visit_item_use_mut(&mut self, _: &mut ItemUse) {
            self.0 = true;
        }
    }
    let mut any = Any(block.stmts.iter().any(is_use));
    any.visit_block_mut(block);
    if any.0 {
        // (A name in upper case in a pattern is what is imported.)
        let mut bound = bound_in(block);
        bound.retain(|name| !name.starts_with(char::is_uppercase));
        Imports { variants, bound, scopes: vec![] }.visit_block_mut(block);
    }
}

/// The name that a `*` imports from, if a declaration has one that is not spelled out.
pub fn unknown_glob(tree: &UseTree) -> Option<String> {
    match tree {
        UseTree::Glob(_) => Some(String::new()),
        UseTree::Path(p) => unknown_glob(&p.tree)
            .map(|rest| if rest.is_empty() { p.ident.to_string() } else { format!("{}::{rest}", p.ident) }),
        UseTree::Group(g) => g.items.iter().find_map(unknown_glob),
        _ => None,
    }
}

struct Imports<'a> {
    variants: &'a dyn Fn(&Ident) -> Option<Vec<String>>,
    /// The variables of the body.
    bound: HashSet<String>,
    /// The imported names; `None` for the name of an item that a block declares.
    scopes: Vec<HashMap<String, Option<Path>>>,
}

impl Imports<'_> {
    fn meaning(&self, name: &Ident) -> Option<&Path> {
        self.imported(name).filter(|_| !self.bound.contains(&name.to_string()))
    }

    fn imported(&self, name: &Ident) -> Option<&Path> {
        let name = name.to_string();
        self.scopes.iter().rev().find_map(|scope| scope.get(&name))?.as_ref()
    }

    /// Replaces `*` by names, where they are known, and enters the names.
    fn tree(&self, tree: &mut UseTree, prefix: &[Ident], found: &mut Vec<(Ident, Path)>) {
        let named = |name: &Ident, of: &Ident| {
            let segments = prefix.iter().chain(Some(of).filter(|of| *of != "self"));
            let segments = segments.cloned().map(PathSegment::from).collect();
            (name.clone(), Path { leading_colon: None, segments })
        };
        match tree {
            UseTree::Path(p) => {
                let prefix: Vec<Ident> = prefix.iter().chain([&p.ident]).cloned().collect();
                self.tree(&mut p.tree, &prefix, found);
            }
            UseTree::Name(n) if n.ident == "self" => {
                found.extend(prefix.last().map(|of| named(of, &n.ident)));
            }
            UseTree::Name(n) => found.push(named(&n.ident, &n.ident)),
            UseTree::Rename(r) if r.rename != "_" => found.push(named(&r.rename, &r.ident)),
            UseTree::Group(g) => g.items.iter_mut().for_each(|tree| self.tree(tree, prefix, found)),
            UseTree::Glob(_) => {
                let Some(of) = prefix.last() else { return };
                let Some(variants) = variants_of(prefix).or_else(|| (self.variants)(of)) else { return };
                let names: Vec<Ident> = variants.iter().map(|name| Ident::new(name, of.span())).collect();
                found.extend(names.iter().map(|name| named(name, name)));
                *tree = syn::parse_quote!({ #(#names),* });
            }
            UseTree::Rename(_) => {}
        }
    }
}

/// The variants of an enum that a `*` imports: of the standard library, or the only type of its name in the file.
fn variants_of(path: &[Ident]) -> Option<Vec<String>> {
    let of = path.last()?;
    let file = SourceFile::of(of.span());
    let types =
        file.map(|file| file.shows(Outline::of).types(&file.text, &of.to_string())).unwrap_or_default();
    let named: Vec<&Item> = types
        .iter()
        .filter(|item| match item {
            Item::Enum(e) => e.ident == *of,
            Item::Struct(s) => s.ident == *of,
            Item::Type(t) => t.ident == *of,
            _ => false,
        })
        .collect();
    match &named[..] {
        [Item::Enum(e)]
            if e.attrs.iter().all(|a| !a.path().is_ident("cfg") && !a.path().is_ident("cfg_attr")) =>
        {
            let conditional = e.variants.iter().any(|v| v.attrs.iter().any(|a| a.path().is_ident("cfg")));
            (!conditional).then(|| e.variants.iter().map(|v| v.ident.to_string()).collect())
        }
        [] if of == "Ordering" => Some(["Less", "Equal", "Greater"].map(str::to_owned).to_vec()),
        _ => None,
    }
}

impl VisitMut for Imports<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let mut found = Vec::new();
        for stmt in &mut block.stmts {
            if let Stmt::Item(Item::Use(u)) = stmt
                && u.leading_colon.is_none()
            {
                self.tree(&mut u.tree, &[], &mut found);
                u.attrs.push(syn::parse_quote!(#[allow(unused_imports)]));
            }
        }
        let declared = block.stmts.iter().filter_map(|s| match s {
            Stmt::Item(Item::Const(i)) => Some(&i.ident),
            Stmt::Item(Item::Static(i)) => Some(&i.ident),
            Stmt::Item(Item::Fn(i)) => Some(&i.sig.ident),
            Stmt::Item(Item::Struct(i)) => Some(&i.ident),
            Stmt::Item(Item::Enum(i)) => Some(&i.ident),
            Stmt::Item(Item::Type(i)) => Some(&i.ident),
            _ => None,
        });
        let mut scope: HashMap<String, Option<Path>> =
            found.iter().map(|(name, path)| (name.to_string(), Some(path.clone()))).collect();
        scope.extend(declared.map(|name| (name.to_string(), None)));
        self.scopes.push(scope);
        // `use std::cmp::Ordering; use Ordering::*;`
        for (name, mut path) in found {
            if path.segments.first().is_some_and(|first| first.ident != name) {
                self.visit_path_mut(&mut path);
                self.scopes.last_mut().expect("just opened").insert(name.to_string(), Some(path));
            }
        }
        visit_mut::visit_block_mut(self, block);
        self.scopes.pop();
    }

    fn visit_path_mut(&mut self, path: &mut Path) {
        if path.leading_colon.is_none()
            && let Some(first) = path.segments.first()
            && let Some(of) = self.meaning(&first.ident)
        {
            let (mut whole, span) = (of.clone(), first.ident.span());
            whole.segments.iter_mut().for_each(|s| s.ident.set_span(span));
            if let Some(last) = whole.segments.last_mut() {
                last.arguments = first.arguments.clone();
            }
            whole.segments.extend(path.segments.iter().skip(1).cloned());
            *path = whole;
        }
        for segment in &mut path.segments {
            self.visit_path_arguments_mut(&mut segment.arguments);
        }
    }

    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        if let Pat::Ident(p) = pat
            && p.by_ref.is_none()
            && p.mutability.is_none()
            && p.subpat.is_none()
            && p.ident.to_string().starts_with(char::is_uppercase)
            && let Some(mut path) = self.imported(&p.ident).cloned()
        {
            path.segments.iter_mut().for_each(|s| s.ident.set_span(p.ident.span()));
            *pat = syn::parse_quote!(#path);
        }
        visit_mut::visit_pat_mut(self, pat);
    }

    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
