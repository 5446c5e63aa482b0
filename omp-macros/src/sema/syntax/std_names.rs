//! Whether a name means std's type. Messages about types that no device has find the types by their names, and a user's type may
//! have the same name.
//!
//! The source file decides. If it doesn't determine the meaning (a glob import, a macro among the items), this check
//! reports nothing, and rustc reports the type.
use crate::parse::tokens::file::SourceFile;
use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::{Item, ItemMacro, ItemUse, Path, UseTree};

/// Whether the last name of a type's path is std's for sure.
pub fn is_std(path: &Path) -> bool {
    let (Some(first), Some(last)) = (path.segments.first(), path.segments.last()) else { return false };
    if path.segments.len() > 1 {
        return of_std(&first.ident);
    }
    let file = SourceFile::of(last.ident.span());
    let Some(file) = file.and_then(|file| syn::parse_file(&file.text).ok()) else { return false };
    // An import by name hides what globs bring.
    let name = last.ident.to_string();
    let globs =
        !file.items.iter().any(|item| matches!(item, Item::Use(u) if imports_std(&u.tree, &name, false)));
    let mut others = Others { name: &last.ident, globs, found: false };
    others.visit_file(&file);
    !others.found
}

/// Whether a file imports this module of std, and has no other module of the name.
pub fn imports_module(name: &Ident) -> bool {
    let Some(file) = SourceFile::of(name.span()) else { return false };
    let name = name.to_string();
    let words: Vec<&str> =
        file.text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).collect();
    let own = words.windows(2).any(|pair| pair == ["mod", &name]);
    // (Tokens of a macro, too, so the text is read.) `use std::array;`, `use std::{array, mem};`
    let mut imports = file.text.split("use ").skip(1).filter_map(|rest| Some(rest.split_once(';')?.0));
    let of_std = |path: &str| {
        let path: String = path.split_whitespace().collect();
        let rest = path.strip_prefix("std::").or_else(|| path.strip_prefix("core::"));
        rest.is_some_and(|rest| {
            let list = rest.trim_start_matches('{').trim_end_matches('}');
            list.split(',').any(|item| item == name || item == format!("{name}::{{self"))
        })
    };
    !own && imports.any(of_std)
}

/// Whether a file imports something of this name that is not std's, anywhere. (Globs are not looked into.)
pub fn is_imported(file: &syn::File, name: &str) -> bool {
    struct Imports<'a>(&'a str, bool);
    impl<'ast> Visit<'ast> for Imports<'_> {
        fn visit_item_use(&mut self, u: &'ast ItemUse) {
            self.1 |= imports(&u.tree, self.0, false, false);
        }
    }
    let mut found = Imports(name, false);
    found.visit_file(file);
    found.1
}

/// Whether the path of a trait names that of `std::ops`, as the file shows.
pub fn is_of_ops(file: &syn::File, path: &Path, name: &str) -> bool {
    let (Some(first), Some(last)) = (path.segments.first(), path.segments.last()) else { return false };
    let imported = || {
        let from_std = |item: &Item| matches!(item, Item::Use(u) if in_std(&u.tree, &["ops", name], false));
        file.items.iter().any(from_std) && !is_imported(file, name)
    };
    last.ident == name && if path.segments.len() > 1 { of_std(&first.ident) } else { imported() }
}

/// Whether a file imports a function of this module of std, and declares and imports none of its name elsewhere. (Macros may stand
/// around its items, so the tokens decide.)
pub fn imports_function(text: &str, module: &str, name: &str) -> bool {
    let Ok(tokens) = text.parse::<proc_macro2::TokenStream>() else { return false };
    let (mut imported, mut names) = (Vec::new(), Vec::new());
    uses(tokens, &mut |u| imported.push(u), &mut |function| names.push(function));
    let (of_std, others): (Vec<_>, Vec<_>) =
        imported.iter().partition(|u| in_std(&u.tree, &[module, name], false));
    let declared = || names.iter().any(|function| function == name);
    !of_std.is_empty() && !declared() && !others.iter().any(|u| imports(&u.tree, name, false, false))
}

/// Whether an import names an item of std by the end of its path.
fn in_std(tree: &UseTree, path: &[&str], std: bool) -> bool {
    match (tree, path) {
        (UseTree::Path(p), [first, rest @ ..]) if std && p.ident == first => in_std(&p.tree, rest, true),
        (UseTree::Path(p), _) if !std && of_std(&p.ident) => in_std(&p.tree, path, true),
        (UseTree::Name(n), [name]) => std && n.ident == name,
        (UseTree::Group(g), _) => g.items.iter().any(|t| in_std(t, path, std)),
        _ => false,
    }
}

/// The imports and the names of the functions in tokens, however deep they stand.
fn uses(tokens: proc_macro2::TokenStream, import: &mut dyn FnMut(ItemUse), function: &mut dyn FnMut(String)) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(tree) = tokens.next() {
        match tree {
            proc_macro2::TokenTree::Group(g) => uses(g.stream(), import, function),
            proc_macro2::TokenTree::Ident(word) if word == "use" => {
                let rest = tokens.by_ref().take_while(|t| t.to_string() != ";");
                let item: proc_macro2::TokenStream = rest.collect();
                if let Ok(item) = syn::parse2(quote::quote!(use #item;)) {
                    import(item);
                }
            }
            proc_macro2::TokenTree::Ident(word) if word == "fn" => {
                if let Some(proc_macro2::TokenTree::Ident(name)) = tokens.peek() {
                    function(name.to_string());
                }
            }
            _ => {}
        }
    }
}

fn of_std(name: &Ident) -> bool {
    ["std", "core", "alloc"].iter().any(|std| name == std)
}

/// Looks for what may give the name another meaning.
struct Others<'a> {
    name: &'a Ident,
    /// Globs of other crates and modules may bring the name.
    globs: bool,
    found: bool,
}

impl<'ast> Visit<'ast> for Others<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let name = match item {
            Item::Struct(s) => Some(&s.ident),
            Item::Enum(e) => Some(&e.ident),
            Item::Union(u) => Some(&u.ident),
            Item::Type(t) => Some(&t.ident),
            Item::Trait(t) => Some(&t.ident),
            Item::Mod(m) => Some(&m.ident),
            _ => None,
        };
        self.found |= name.is_some_and(|name| name == self.name);
        visit::visit_item(self, item);
    }

    // A macro that declares other macros declares no types.
    fn visit_item_macro(&mut self, m: &'ast ItemMacro) {
        self.found |= !m.mac.path.is_ident("macro_rules");
    }

    fn visit_item_use(&mut self, u: &'ast ItemUse) {
        self.found |= imports(&u.tree, &self.name.to_string(), false, self.globs);
    }

    fn visit_type_param(&mut self, t: &'ast syn::TypeParam) {
        self.found |= t.ident == *self.name;
        visit::visit_type_param(self, t);
    }
}

/// Whether an import brings something of this name that is not std's; `globs`: those of others may.
fn imports(tree: &UseTree, name: &str, std: bool, globs: bool) -> bool {
    match tree {
        UseTree::Path(p) => imports(&p.tree, name, std || of_std(&p.ident), globs),
        UseTree::Name(n) => !std && n.ident == name,
        UseTree::Rename(r) => r.rename == name,
        UseTree::Glob(_) => globs && !std,
        UseTree::Group(g) => g.items.iter().any(|t| imports(t, name, std, globs)),
    }
}

/// Whether an import brings std's thing of this name.
fn imports_std(tree: &UseTree, name: &str, std: bool) -> bool {
    match tree {
        UseTree::Path(p) => imports_std(&p.tree, name, std || of_std(&p.ident)),
        UseTree::Name(n) => std && n.ident == name,
        UseTree::Rename(r) => std && r.rename == name,
        UseTree::Glob(_) => false,
        UseTree::Group(g) => g.items.iter().any(|t| imports_std(t, name, std)),
    }
}

#[cfg(test)]
mod tests {
    use super::imports_function;

    #[test]
    fn imports_of_functions_of_std_are_found() {
        let zip = |text| imports_function(text, "iter", "zip");
        assert!(zip("use std::iter::zip; fn f() {}"));
        assert!(zip("m! { mod a { use core::{cmp, iter::{self, zip}}; } }"));
        assert!(!zip("use std::iter; fn f() {}"));
        assert!(!zip("use itertools::iter::zip;"));
        assert!(!zip("mod a { use std::iter::zip; } mod b { fn zip() {} }"));
        assert!(!zip("use std::iter::zip; mod b { use other::zip; }"));
    }
}
