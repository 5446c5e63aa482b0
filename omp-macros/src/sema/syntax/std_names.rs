//! Whether a name means std's type. Messages about types that no device has find the types by their names, and a user's type may
//! have the same name.
//!
//! The source file decides. If it doesn't determine the meaning (a glob import, a macro among the items), this check
//! reports nothing, and rustc reports the type.
use crate::parse::tokens::file::SourceFile;
use crate::parse::tokens::source::words_of_text;
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{Item, ItemMacro, ItemUse, Path, UseTree};

/// Whether the last name of a type's path is std's for sure.
pub fn is_std(path: &Path) -> bool {
    let (Some(first), Some(last)) = (path.segments.first(), path.segments.last()) else { return false };
    if path.segments.len() > 1 {
        return of_std(&first.ident);
    }
    let Some(file) = SourceFile::of(last.ident.span()) else { return false };
    let (meanings, name) = (file.shows(Meanings::of), last.ident.to_string());
    // An import by name hides what globs bring.
    let globs = meanings.globs && !meanings.of_std.contains(&name);
    !meanings.unknown && !globs && !meanings.declared.contains(&name) && !meanings.imported.contains(&name)
}

/// The function of `std::mem` that a path names: `mem::swap`.
pub fn in_mem(path: &Path) -> Option<&Ident> {
    let segments: Vec<_> = path.segments.iter().map(|s| &s.ident).collect();
    match segments[..] {
        [root, module, function] if (root == "std" || root == "core") && module == "mem" => Some(function),
        [module, function] if module == "mem" && imports_module(module) => Some(function),
        _ => None,
    }
}

/// Whether a file imports this module of std, and has no other module of the name.
pub fn imports_module(name: &Ident) -> bool {
    let Some(file) = SourceFile::of(name.span()) else { return false };
    let name = name.to_string();
    let words: Vec<&str> = words_of_text(&file.text).collect();
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
pub fn is_imported(file: &SourceFile, name: &str) -> bool {
    file.shows(Meanings::of).imported.contains(name)
}

/// Whether the path of a trait names that of `std::ops`, as the file shows.
pub fn is_of_ops(source: &SourceFile, file: &syn::File, path: &Path, name: &str) -> bool {
    let (Some(first), Some(last)) = (path.segments.first(), path.segments.last()) else { return false };
    let imported = || {
        let from_std = |item: &Item| matches!(item, Item::Use(u) if in_std(&u.tree, &["ops", name], false));
        file.items.iter().any(from_std) && !is_imported(source, name)
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
    !of_std.is_empty() && !declared() && !others.iter().any(|u| imports(&u.tree, name, false))
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

/// What may give names of a file another meaning than std's.
#[derive(Default)]
struct Meanings {
    /// Types, traits, modules and type parameters.
    declared: HashSet<String>,
    /// What imports bring that is not std's, and renamed.
    imported: HashSet<String>,
    /// What imports of the file itself bring that is std's.
    of_std: HashSet<String>,
    /// Other crates and modules may bring any name.
    globs: bool,
    /// The file is no Rust, or a macro may declare any name.
    unknown: bool,
}

impl Meanings {
    fn of(text: &str) -> Self {
        let Ok(file) = syn::parse_file(text) else { return Self { unknown: true, ..Self::default() } };
        let mut found = Self::default();
        found.visit_file(&file);
        for item in &file.items {
            if let Item::Use(u) = item {
                imported_of_std(&u.tree, false, &mut found.of_std);
            }
        }
        found
    }

    fn import(&mut self, tree: &UseTree, std: bool) {
        match tree {
            UseTree::Path(p) => self.import(&p.tree, std || of_std(&p.ident)),
            UseTree::Name(n) => self.imported.extend((!std).then(|| n.ident.to_string())),
            UseTree::Rename(r) => _ = self.imported.insert(r.rename.to_string()),
            UseTree::Glob(_) => self.globs |= !std,
            UseTree::Group(g) => g.items.iter().for_each(|t| self.import(t, std)),
        }
    }
}

impl<'ast> Visit<'ast> for Meanings {
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
        self.declared.extend(name.map(ToString::to_string));
        visit::visit_item(self, item);
    }

    // A macro that declares other macros declares no types.
    fn visit_item_macro(&mut self, m: &'ast ItemMacro) {
        self.unknown |= !m.mac.path.is_ident("macro_rules");
    }

    fn visit_item_use(&mut self, u: &'ast ItemUse) {
        self.import(&u.tree, false);
    }

    fn visit_type_param(&mut self, t: &'ast syn::TypeParam) {
        self.declared.insert(t.ident.to_string());
        visit::visit_type_param(self, t);
    }
}

/// Whether an import brings something of this name that is not std's. (Globs are not looked into.)
fn imports(tree: &UseTree, name: &str, std: bool) -> bool {
    match tree {
        UseTree::Path(p) => imports(&p.tree, name, std || of_std(&p.ident)),
        UseTree::Name(n) => !std && n.ident == name,
        UseTree::Rename(r) => r.rename == name,
        UseTree::Glob(_) => false,
        UseTree::Group(g) => g.items.iter().any(|t| imports(t, name, std)),
    }
}

/// The names that an import brings from std.
fn imported_of_std(tree: &UseTree, std: bool, found: &mut HashSet<String>) {
    match tree {
        UseTree::Path(p) => imported_of_std(&p.tree, std || of_std(&p.ident), found),
        UseTree::Name(n) => found.extend(std.then(|| n.ident.to_string())),
        UseTree::Rename(r) => found.extend(std.then(|| r.rename.to_string())),
        UseTree::Glob(_) => {}
        UseTree::Group(g) => g.items.iter().for_each(|t| imported_of_std(t, std, found)),
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
