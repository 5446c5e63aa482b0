//! Functions of a type's own `impl` that the source file shows without `#[omp::declare_target]`. A call of one is an
//! error with a better message than rustc's, which would report only that the hidden function next to it is missing.
//!
//! The file has to determine which type and which function a path names: it has one type of the name, no import of the
//! name, no inline module, no macro among its items, and no attribute macro on the `impl` or the function.
use crate::parse::functions::functions;
use crate::parse::tokens::file::SourceFile;
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, Path, Type, UseTree};

/// The functions of types, by the names of the types.
type Functions = HashMap<String, HashSet<String>>;

/// Whether `Type::f` is such a function.
pub fn shows(path: &Path) -> bool {
    let [of, function] = &*path.segments.iter().collect::<Vec<_>>() else { return false };
    if path.leading_colon.is_some() || !of.arguments.is_none() {
        return false;
    }
    let Some(file) = SourceFile::of(function.ident.span()) else { return false };
    let functions =
        file.shows(|text| syn::parse_file(text).map_or_else(|_| Functions::new(), |file| read(&file)));
    functions.get(&of.ident.to_string()).is_some_and(|known| known.contains(&function.ident.to_string()))
}

fn read(file: &syn::File) -> Functions {
    let names = Names::of(file);
    let mut found = Functions::new();
    for item in &file.items {
        let Item::Impl(i) = item else { continue };
        let Type::Path(p) = &*i.self_ty else { continue };
        let Some(ty) = p.path.get_ident().map(ToString::to_string) else { continue };
        if i.trait_.is_some() || !i.generics.params.is_empty() || !names.is_once(&ty) {
            continue;
        }
        let of_host = |f: &&syn::ImplItemFn| are_plain(&i.attrs) && are_plain(&f.attrs);
        found.entry(ty).or_default().extend(functions(i).filter(of_host).map(|f| f.sig.ident.to_string()));
    }
    found
}

/// The declarations and imports of a file, in all modules.
#[derive(Default)]
pub(super) struct Names {
    /// How many types and imports have a name.
    types: HashMap<String, usize>,
    unclear: bool,
}

impl Names {
    pub(super) fn of(file: &syn::File) -> Self {
        let mut names = Self::default();
        names.visit_file(file);
        names
    }

    /// Whether the file has one type of this name for sure.
    pub(super) fn is_once(&self, name: impl ToString) -> bool {
        !self.unclear && self.types.get(&name.to_string()) == Some(&1)
    }

    fn add(&mut self, name: String) {
        *self.types.entry(name).or_default() += 1;
    }

    fn imports(&mut self, tree: &UseTree) {
        match tree {
            UseTree::Path(p) => self.imports(&p.tree),
            UseTree::Name(n) => self.add(n.ident.to_string()),
            UseTree::Rename(r) => self.add(r.rename.to_string()),
            UseTree::Glob(_) => {}
            UseTree::Group(g) => g.items.iter().for_each(|tree| self.imports(tree)),
        }
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Struct(s) => self.add(s.ident.to_string()),
            Item::Enum(e) => self.add(e.ident.to_string()),
            Item::Union(u) => self.add(u.ident.to_string()),
            Item::Type(t) => self.add(t.ident.to_string()),
            Item::Trait(t) => self.add(t.ident.to_string()),
            Item::Use(u) => self.imports(&u.tree),
            Item::Mod(m) => self.unclear |= m.content.is_some(),
            Item::Macro(m) => self.unclear |= !m.mac.path.is_ident("macro_rules"),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_type_param(&mut self, t: &'ast syn::TypeParam) {
        self.add(t.ident.to_string());
        visit::visit_type_param(self, t);
    }
}

/// Attributes that leave an item as it is.
fn are_plain(attrs: &[Attribute]) -> bool {
    const PLAIN: &[&str] = &["doc", "allow", "expect", "warn", "inline", "must_use"];
    attrs.iter().all(|a| PLAIN.iter().any(|name| a.path().is_ident(name)))
}
