//! Items of modules nearby, `use super::Csr;`, `use grid::Grid;`: their methods are inlined as those of a module's own structs are.
//!
//! An inlined body stands in another module than its own. So each name in it has to mean the same in both: a name that the importing
//! module does not have gets the path to what it means, `super::model::STATES`. A body with a name that means something else, or that may
//! do so, becomes `__omp_not_here!(…)`, and a call of it is an error that gives the name ([`not_here`]).
use super::items::is_conditional;
use super::{name_of, words};
use crate::parse::primitives::is_primitive;
use crate::sema::syntax::names::bound_in;
use omp_ir::method::Method;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, ImplItem, Item, Signature, Stmt, UseTree, Visibility};

/// The items that a module imports from the one around it, and from modules in it.
pub(super) fn imported(items: &[Item], around: &[Item]) -> Vec<Item> {
    let modules = Modules { own: items, around, known: RefCell::default(), traits: RefCell::default() };
    let mut found = Found { items: Vec::new(), taken: HashSet::new() };
    for item in items {
        if let Item::Use(u) = item
            && u.attrs.is_empty()
        {
            modules.of_tree(&u.tree, Vec::new(), &mut found);
        }
    }
    modules.take_reached(&mut found);
    found.items
}

/// Whether some of these imports are from modules nearby. `nested`: the importing module stands in another one; `is_module`: it has a module of
/// that name.
pub(super) fn may_import(imports: &[Item], nested: bool, is_module: &dyn Fn(&Ident) -> bool) -> bool {
    fn nearby(tree: &UseTree, is: &dyn Fn(&Ident) -> bool) -> bool {
        match tree {
            UseTree::Group(g) => g.items.iter().any(|tree| nearby(tree, is)),
            UseTree::Path(p) if p.ident == "self" => nearby(&p.tree, is),
            UseTree::Path(p) => is(&p.ident),
            _ => false,
        }
    }
    let is = |name: &Ident| if name == "super" { nested } else { is_module(name) };
    imports.iter().any(|item| matches!(item, Item::Use(u) if nearby(&u.tree, &is)))
}

/// Methods of iterators, options and slices.
const ADAPTORS: [&str; 36] = [
    "iter",
    "iter_mut",
    "into_iter",
    "map",
    "filter",
    "enumerate",
    "zip",
    "rev",
    "skip",
    "take",
    "step_by",
    "chain",
    "fold",
    "sum",
    "product",
    "count",
    "any",
    "all",
    "find",
    "position",
    "min_by",
    "max_by",
    "min_by_key",
    "max_by_key",
    "copied",
    "cloned",
    "flatten",
    "flat_map",
    "filter_map",
    "take_while",
    "skip_while",
    "windows",
    "chunks",
    "len",
    "then_some",
    "then",
];

/// How many globs may lead to a name.
const DEPTH: usize = 8;

/// The path of a module or item, as the importing module names it. Paths of other crates begin with an empty name.
type Path = Vec<String>;

/// The importing module, and what it can name.
struct Modules<'a> {
    own: &'a [Item],
    around: &'a [Item],
    /// The names of modules, by their paths.
    known: RefCell<HashMap<Path, Option<Rc<Names>>>>,
    /// The traits in their scopes.
    traits: RefCell<HashMap<Path, Rc<Traits>>>,
}

/// The traits in a scope.
struct Traits {
    by_method: HashMap<String, HashSet<Path>>,
    /// Imports that may be traits.
    unknown: HashSet<Path>,
}

/// The names that a module declares and imports.
#[derive(Default)]
struct Names {
    named: HashMap<String, Named>,
    /// What it imports all names of, and whether it exports them.
    globs: Vec<(Path, bool)>,
    /// Traits that it imports `as _`, and whether it exports them.
    unnamed: Vec<(Path, bool)>,
    /// Its macros, whose words are not visible where they are called.
    macros: HashSet<String>,
    /// It may have others.
    any: bool,
}

struct Found {
    items: Vec<Item>,
    /// Paths of items that are among them.
    taken: HashSet<Path>,
}

/// What a module does with a name.
enum Named {
    /// It declares the item; others see it.
    Declared(bool),
    /// It imports this, as seen from itself; others see it.
    Imported(Path, bool),
    /// It does one or the other under a condition.
    Conditional,
}

/// What a name means.
#[derive(PartialEq, Eq)]
enum Meaning {
    /// The item of this path.
    Path(Path),
    /// No item of the module's own, nor one that it imports.
    None,
    /// Anything.
    Unknown,
}

impl Modules<'_> {
    /// Takes what an import names. `path`: the module that its tree stands in.
    fn of_tree(&self, tree: &UseTree, path: Path, found: &mut Found) {
        match tree {
            UseTree::Group(g) => g.items.iter().for_each(|tree| self.of_tree(tree, path.clone(), found)),
            UseTree::Path(p) => {
                if let Some(path) = step(path, &p.ident.to_string()) {
                    self.of_tree(&p.tree, path, found);
                }
            }
            UseTree::Name(_) | UseTree::Glob(_) if !path.is_empty() => self.take(tree, &path, found),
            UseTree::Name(_) | UseTree::Glob(_) | UseTree::Rename(_) => {}
        }
    }

    /// The items of a module nearby.
    fn items(&self, path: &[String]) -> Option<&[Item]> {
        let (mut items, rest) = match path {
            // (Nothing is known of what is around a file.)
            [first, ..] if first == "super" && self.around.is_empty() => return None,
            [first, rest @ ..] if first == "super" => (self.around, rest),
            rest => (self.own, rest),
        };
        for name in rest {
            items = items.iter().find_map(|item| match item {
                Item::Mod(m) if m.ident == name && m.attrs.iter().all(|a| !a.path().is_ident("cfg")) => {
                    m.content.as_ref().map(|(_, items)| items.as_slice())
                }
                _ => None,
            })?;
        }
        Some(items)
    }

    fn names(&self, module: &[String]) -> Option<Rc<Names>> {
        if let Some(known) = self.known.borrow().get(module) {
            return known.clone();
        }
        let names = self.items(module).map(|items| Rc::new(Names::of(items)));
        self.known.borrow_mut().insert(module.to_vec(), names.clone());
        names
    }

    /// What a name means in a module.
    fn meaning(&self, module: &[String], name: &str) -> Meaning {
        self.meaning_for(module, name, true, 0)
    }

    /// `inside`: in the module itself, or in one that stands in it.
    fn meaning_for(&self, module: &[String], name: &str, inside: bool, depth: usize) -> Meaning {
        let Some(names) = self.names(module).filter(|_| depth < DEPTH) else { return Meaning::Unknown };
        let path = |path: Option<Path>| path.map_or(Meaning::Unknown, Meaning::Path);
        match names.named.get(name) {
            Some(Named::Declared(shown)) if *shown || inside => {
                return Meaning::Path([module, &[name.to_owned()]].concat());
            }
            Some(Named::Imported(of, shown)) if *shown || inside => return path(self.walk(module, of)),
            Some(Named::Conditional) => return Meaning::Unknown,
            _ => {}
        }
        let mut unknown = names.any;
        for (glob, shown) in &names.globs {
            if !(*shown || inside) {
                continue;
            }
            let Some(of) = self.walk(module, glob) else {
                unknown = true;
                continue;
            };
            if let Some(variants) = self.variants(&of) {
                if variants.iter().any(|v| v == name) {
                    return Meaning::Path([of, vec![name.to_owned()]].concat());
                }
                continue;
            }
            let inside = module.starts_with(&of) || of == ["super"];
            match self.meaning_for(&of, name, inside, depth + 1) {
                Meaning::None => {}
                Meaning::Unknown => unknown = true,
                found @ Meaning::Path(_) => return found,
            }
        }
        // (What no glob is likely to have.)
        if unknown && !is_of_rust(name) { Meaning::Unknown } else { Meaning::None }
    }

    /// A path from a module on. One that begins with no name of the module is another crate's.
    fn walk(&self, module: &[String], path: &[String]) -> Option<Path> {
        let first = path.first()?;
        let known = ["self", "super", "crate", "std", "core", "alloc"].contains(&first.as_str())
            || self.names(module).is_none_or(|names| names.any || names.named.contains_key(first));
        if known { walk(module.to_vec(), path) } else { Some([&[String::new()], path].concat()) }
    }

    /// Where the item of a path is declared, as far as that is known: a path may be that of an import.
    fn declaration(&self, mut path: Path) -> Path {
        for _ in 0..DEPTH {
            let Some((name, module)) = path.split_last() else { break };
            let Some(names) = self.names(module) else { break };
            let next = match names.named.get(name) {
                Some(Named::Imported(of, _)) => self.walk(module, of),
                Some(_) => None,
                None => match self.meaning(module, name) {
                    Meaning::Path(path) => Some(path),
                    _ => None,
                },
            };
            match next {
                Some(next) if next != path => path = next,
                _ => break,
            }
        }
        path
    }

    /// Whether two names mean the same item.
    fn are_same(&self, a: &Path, b: &Path) -> bool {
        a == b || self.declaration(a.clone()) == self.declaration(b.clone())
    }

    /// The variants of the enum of a path.
    fn variants(&self, path: &[String]) -> Option<Vec<String>> {
        let (name, module) = path.split_last()?;
        self.items(module)?.iter().find_map(|item| match item {
            Item::Enum(e) if e.ident == name => {
                Some(e.variants.iter().map(|v| v.ident.to_string()).collect())
            }
            _ => None,
        })
    }

    /// The traits in the scope of a module.
    fn traits(&self, module: &[String]) -> Rc<Traits> {
        if let Some(known) = self.traits.borrow().get(module) {
            return known.clone();
        }
        let (mut known, mut unknown): (Vec<Path>, HashSet<Path>) = Default::default();
        let (mut open, mut seen) = (vec![(module.to_vec(), true)], HashSet::new());
        while let Some((module, inside)) = open.pop() {
            if !seen.insert(module.clone()) || self.variants(&module).is_some() {
                continue;
            }
            let Some(names) = self.names(&module) else {
                if !is_of_std(&module) {
                    unknown.insert(module);
                }
                continue;
            };
            for (name, named) in &names.named {
                let shown = matches!(named, Named::Declared(true) | Named::Imported(_, true));
                match (self.meaning(&module, name), named) {
                    _ if !shown && !inside => {}
                    (Meaning::Path(path), _) => known.push(self.declaration(path)),
                    (_, Named::Imported(path, _)) => drop(unknown.insert(path.clone())),
                    _ => drop(unknown.insert([&module[..], std::slice::from_ref(name)].concat())),
                }
            }
            for (path, _) in names.unnamed.iter().filter(|(_, shown)| *shown || inside) {
                match self.walk(&module, path) {
                    Some(path) => known.push(self.declaration(path)),
                    None => drop(unknown.insert(path.clone())),
                }
            }
            for (glob, _) in names.globs.iter().filter(|(_, shown)| *shown || inside) {
                match self.walk(&module, glob) {
                    Some(of) => {
                        let inside = module.starts_with(&of) || of == ["super"];
                        open.push((of, inside));
                    }
                    None => drop(unknown.insert(glob.clone())),
                }
            }
        }
        let mut by_method: HashMap<String, HashSet<Path>> = HashMap::new();
        for path in known {
            let Some((name, of)) = path.split_last() else { continue };
            // (Std's traits have no methods of users' names.)
            if is_of_std(&path) || !name.starts_with(char::is_uppercase) {
                continue;
            }
            let items = self.items(of).unwrap_or_default();
            match items.iter().find(|item| declared(item).is_some_and(|(n, _)| n == name)) {
                Some(Item::Trait(t)) => {
                    for item in &t.items {
                        if let syn::TraitItem::Fn(f) = item {
                            by_method.entry(f.sig.ident.to_string()).or_default().insert(path.clone());
                        }
                    }
                }
                Some(_) => {}
                None if self.variants(of).is_some() => {}
                None => drop(unknown.insert(path)),
            }
        }
        let found = Rc::new(Traits { by_method, unknown });
        self.traits.borrow_mut().insert(module.to_vec(), found.clone());
        found
    }

    /// Whether the importing module may name an item by its path.
    fn is_shown(&self, path: &[String]) -> bool {
        let Some((name, module)) = path.split_last() else { return false };
        // (Of other crates, and by paths of the crate, rustc says so.)
        if path[0].is_empty() || path[0] == "crate" || module.is_empty() || *module == ["super"] {
            return true;
        }
        if self.variants(module).is_some() {
            return self.is_shown(module);
        }
        let names = self.names(module);
        names.is_some_and(|names| matches!(names.named.get(name), Some(Named::Declared(true))))
    }

    /// Takes the items that the end of a tree names in a module, types with their `impl`s.
    fn take(&self, tree: &UseTree, module: &[String], found: &mut Found) {
        let (Some(items), Some(theirs), Some(own)) =
            (self.items(module), self.names(module), self.names(&[]))
        else {
            return;
        };
        if theirs.any || own.any {
            return;
        }
        // (What a module declares or imports by name is in front of what `*` imports.)
        let is_imported = |name: &str| match tree {
            UseTree::Name(n) => n.ident == name,
            _ => !own.named.contains_key(name),
        };
        for (name, vis) in items.iter().filter_map(declared) {
            let path = [module, &[name.to_string()]].concat();
            if is_imported(&name.to_string()) && self.sees(module, vis) && found.taken.insert(path.clone()) {
                found.items.extend(self.adapted(module, &name.to_string(), None));
            }
        }
    }

    /// Takes the types that the items which were taken name, and so on, and that have no name in the importing module.
    fn take_reached(&self, found: &mut Found) {
        let mut open: Vec<Path> = found.taken.iter().cloned().collect();
        let (mut reached, mut seen): (HashMap<String, HashSet<Path>>, _) =
            (HashMap::new(), found.taken.clone());
        while let Some(path) = open.pop() {
            let Some((name, module)) = path.split_last() else { continue };
            let types =
                self.words_of(module, name).into_iter().filter(|word| word.starts_with(char::is_uppercase));
            for word in types {
                if self.meaning(&[], &word) != Meaning::None {
                    continue;
                }
                let found = match self.meaning(module, &word) {
                    Meaning::Path(path) => self.declaration(path),
                    Meaning::None => continue,
                    // (Of which it may be another one.)
                    Meaning::Unknown => vec![String::new(), word.clone()],
                };
                if seen.insert(found.clone()) {
                    reached.entry(word).or_default().insert(found.clone());
                    open.push(found);
                }
            }
        }
        for (name, paths) in reached {
            // (A name has to mean one type.)
            if let [path] = &paths.iter().collect::<Vec<_>>()[..]
                && self.is_shown(path)
                && path.last() == Some(&name)
                && !path[0].is_empty()
                && self.names(&path[..path.len() - 1]).is_some_and(|names| !names.any)
            {
                found.items.extend(self.adapted(&path[..path.len() - 1], &name, Some(path)));
            }
        }
    }

    /// The words of an item of a module, and of the `impl`s if it is a type.
    fn words_of(&self, module: &[String], name: &str) -> Vec<String> {
        let of = |item: &&Item| match item {
            Item::Impl(i) => name_of(&i.self_ty).as_deref() == Some(name),
            item => declared(item).is_some_and(|(of, _)| of == name),
        };
        let items = self.items(module).into_iter().flatten().filter(of);
        items.flat_map(|item| words(item.to_token_stream())).collect()
    }

    /// Whether the importing module sees an item with this visibility: it does, if it stands in the item's module.
    fn sees(&self, module: &[String], vis: &Visibility) -> bool {
        module == ["super"] || !matches!(vis, Visibility::Inherited)
    }

    /// An item of a module, types with their `impl`s. `path`: that of a type that has no name in the importing module.
    fn adapted(&self, module: &[String], name: &str, path: Option<&Path>) -> Vec<Item> {
        let (Some(items), Some(theirs), Some(own)) =
            (self.items(module), self.names(module), self.names(&[]))
        else {
            return Vec::new();
        };
        let private = if module == ["super"] { HashSet::new() } else { private_fields(items) };
        let meanings = Meanings { modules: self, module, macros: [&theirs.macros, &own.macros], private };
        let is = |item: &&Item| declared(item).is_some_and(|(of, _)| of == name);
        let Some(item) = items.iter().find(is) else { return Vec::new() };
        match item {
            Item::Fn(f) if path.is_none() => {
                let (sig, block) = meanings.function(&f.sig, &f.block, &HashSet::new());
                vec![Item::Fn(syn::ItemFn { sig, block: Box::new(block), ..f.clone() })]
            }
            // Consts, statics, aliases and traits give the types of expressions.
            Item::Const(c) => meanings.unchanged(item, c.ty.to_token_stream()),
            Item::Static(s) => meanings.unchanged(item, s.ty.to_token_stream()),
            Item::Type(t) => meanings.unchanged(item, t.ty.to_token_stream()),
            Item::Trait(t)
                if meanings.types_alike(t.items.iter().map(ToTokens::to_token_stream).collect()) =>
            {
                vec![item.clone()]
            }
            Item::Struct(s) if meanings.types_alike(s.fields.to_token_stream()) => {
                meanings.with_impls(item, name, path, items)
            }
            Item::Enum(e) if meanings.types_alike(e.variants.to_token_stream()) => {
                meanings.with_impls(item, name, path, items)
            }
            _ => Vec::new(),
        }
    }
}

/// Whether a path is of std, or of this crate, whose traits have no methods of users' names.
fn is_of_std(path: &[String]) -> bool {
    matches!(path, [first, of, ..] if first.is_empty() && ["std", "core", "alloc", "omp"].contains(&of.as_str()))
}

/// Whether the language or its prelude has a name that no module is likely to have another meaning for.
fn is_of_rust(name: &str) -> bool {
    const PRELUDE: [&str; 34] = [
        "Self",
        "self",
        "Some",
        "None",
        "Ok",
        "Err",
        "Option",
        "Result",
        "Vec",
        "Box",
        "String",
        "Iterator",
        "IntoIterator",
        "DoubleEndedIterator",
        "ExactSizeIterator",
        "Fn",
        "FnMut",
        "FnOnce",
        "Copy",
        "Clone",
        "Default",
        "From",
        "Into",
        "PartialEq",
        "Eq",
        "PartialOrd",
        "Ord",
        "Send",
        "Sync",
        "Sized",
        "std",
        "core",
        "omp",
        "_",
    ];
    is_primitive(name) || PRELUDE.contains(&name)
}

fn attributes(item: &Item) -> Option<&[syn::Attribute]> {
    Some(match item {
        Item::Const(i) => &i.attrs,
        Item::Static(i) => &i.attrs,
        Item::Fn(i) => &i.attrs,
        Item::Struct(i) => &i.attrs,
        Item::Enum(i) => &i.attrs,
        Item::Union(i) => &i.attrs,
        Item::Type(i) => &i.attrs,
        Item::Trait(i) => &i.attrs,
        Item::Mod(i) => &i.attrs,
        Item::Use(i) => &i.attrs,
        _ => return None,
    })
}

/// The name of an item that may be imported, and its visibility.
fn declared(item: &Item) -> Option<(&Ident, &Visibility)> {
    Some(match item {
        Item::Const(i) => (&i.ident, &i.vis),
        Item::Static(i) => (&i.ident, &i.vis),
        Item::Fn(i) => (&i.sig.ident, &i.vis),
        Item::Struct(i) => (&i.ident, &i.vis),
        Item::Enum(i) => (&i.ident, &i.vis),
        Item::Union(i) => (&i.ident, &i.vis),
        Item::Type(i) => (&i.ident, &i.vis),
        Item::Trait(i) => (&i.ident, &i.vis),
        Item::Mod(i) => (&i.ident, &i.vis),
        _ => return None,
    })
}

/// One step of a path.
fn step(mut path: Path, name: &str) -> Option<Path> {
    match name {
        "self" => {}
        "super" if path.last().is_none_or(|last| last == "super") => path.push(name.to_owned()),
        "super" => {
            path.pop();
        }
        "crate" if !path.is_empty() => return None,
        name if path.is_empty() && ["std", "core", "alloc"].contains(&name) => {
            path.extend([String::new(), name.to_owned()]);
        }
        name => path.push(name.to_owned()),
    }
    Some(path)
}

/// A path from a module on, as the importing module names it.
fn walk(module: Path, path: &[String]) -> Option<Path> {
    match path.first().map(String::as_str) {
        Some("std" | "core" | "alloc") => Some([&[String::new()], path].concat()),
        Some("crate") => Some(path.to_vec()),
        _ => path.iter().try_fold(module, |path, name| step(path, name)),
    }
}

impl Names {
    fn of(items: &[Item]) -> Self {
        let mut found = Self::default();
        for item in items {
            let conditional = attributes(item).is_some_and(is_conditional);
            match (item, declared(item)) {
                (_, Some((name, _))) if conditional => {
                    found.named.insert(name.to_string(), Named::Conditional);
                }
                (_, Some((name, vis))) => {
                    let shown = !matches!(vis, Visibility::Inherited);
                    found.named.insert(name.to_string(), Named::Declared(shown));
                }
                (Item::Use(_), None) if conditional => found.any = true,
                (Item::Use(u), None) => {
                    let shown = !matches!(u.vis, Visibility::Inherited);
                    imports(&u.tree, Vec::new(), shown, &mut found);
                }
                (Item::Impl(_), None) => {}
                (Item::Macro(m), None) if m.mac.path.is_ident("macro_rules") => {
                    found.macros.extend(m.ident.as_ref().map(ToString::to_string));
                }
                _ => found.any = true,
            }
        }
        found
    }
}

fn imports(tree: &UseTree, path: Path, shown: bool, found: &mut Names) {
    let with = |name: &Ident| [&path[..], &[name.to_string()]].concat();
    match tree {
        UseTree::Path(p) => imports(&p.tree, with(&p.ident), shown, found),
        UseTree::Name(n) if n.ident == "self" => {
            found.named.extend(path.last().cloned().map(|last| (last, Named::Imported(path, shown))));
        }
        UseTree::Name(n) => {
            found.named.insert(n.ident.to_string(), Named::Imported(with(&n.ident), shown));
        }
        UseTree::Rename(r) if r.rename == "_" => found.unnamed.push((with(&r.ident), shown)),
        UseTree::Rename(r) => {
            found.named.insert(r.rename.to_string(), Named::Imported(with(&r.ident), shown));
        }
        UseTree::Group(g) => g.items.iter().for_each(|tree| imports(tree, path.clone(), shown, found)),
        UseTree::Glob(_) => found.globs.push((path, shown)),
    }
}

/// What the names of another module's items mean in the importing one.
struct Meanings<'a> {
    modules: &'a Modules<'a>,
    module: &'a [String],
    /// The macros of both modules.
    macros: [&'a HashSet<String>; 2],
    /// The fields that the importing module does not see.
    private: HashSet<String>,
}

impl Meanings<'_> {
    /// The names that need a path, with it; or one that can't have its meaning here. `bound`: those that the text binds itself.
    fn paths(
        &self,
        names: HashSet<String>,
        bound: &HashSet<String>,
    ) -> Result<HashMap<String, Path>, String> {
        let mut paths = HashMap::new();
        for name in names {
            if self.macros.iter().any(|macros| macros.contains(&name)) {
                return Err(name);
            }
            use Meaning::{None, Path, Unknown};
            match (self.modules.meaning(self.module, &name), self.modules.meaning(&[], &name)) {
                (None, None) => {}
                (Path(there), Path(here)) if self.modules.are_same(&there, &here) => {}
                (None, _) if bound.contains(&name) => {}
                // (A variable, whatever globs have.)
                (Unknown, None | Unknown)
                    if bound.contains(&name) && name.starts_with(char::is_lowercase) => {}
                (Path(there), _) if !bound.contains(&name) && self.modules.is_shown(&there) => {
                    paths.insert(name, there);
                }
                _ => return Err(name),
            }
        }
        Ok(paths)
    }

    /// The item, if all names in what gives its type mean the same here.
    fn unchanged(&self, item: &Item, ty: TokenStream) -> Vec<Item> {
        let alike =
            self.paths(words(ty).into_iter().collect(), &HashSet::new()).is_ok_and(|paths| paths.is_empty());
        if alike { vec![item.clone()] } else { Vec::new() }
    }

    /// Whether no type named in a declaration means something else here.
    fn types_alike(&self, tokens: TokenStream) -> bool {
        let types = words(tokens).into_iter().filter(|word| word.starts_with(char::is_uppercase));
        types.into_iter().all(|word| {
            match (self.modules.meaning(&[], &word), self.modules.meaning(self.module, &word)) {
                (Meaning::None, _) => true,
                (Meaning::Path(here), Meaning::Path(there)) => self.modules.are_same(&here, &there),
                _ => false,
            }
        })
    }

    /// A function whose names have their paths. If it has one that means nothing here, it has a body that says so.
    fn function(&self, sig: &Signature, block: &Block, generics: &HashSet<String>) -> (Signature, Block) {
        let (mut sig, mut block) = (sig.clone(), block.clone());
        let params = sig.generics.params.iter().filter_map(|p| match p {
            syn::GenericParam::Type(t) => Some(t.ident.to_string()),
            syn::GenericParam::Const(c) => Some(c.ident.to_string()),
            syn::GenericParam::Lifetime(_) => None,
        });
        let mut bound = bound_in(&block);
        bound.extend(params.chain(generics.iter().cloned()));
        let mut names = NamesIn::default();
        names.visit_signature(&sig);
        names.visit_block(&block);
        // Items of its own have the names that they have.
        bound.extend(names.items.iter().cloned());
        for input in &sig.inputs {
            if let syn::FnArg::Typed(arg) = input {
                bound.extend(crate::sema::syntax::names::bound(&arg.pat));
            }
        }
        let private = names.members.iter().find(|name| self.private.contains(*name)).cloned();
        let paths = match private.or_else(|| names.unknown.clone()).or_else(|| self.other_method(&names)) {
            Some(name) => Err(name),
            None => self.paths(names.of_paths, &bound).and_then(|paths| {
                // (What a text names can't get a path.)
                match names.in_texts.iter().find(|name| paths.contains_key(*name)) {
                    Some(name) => Err(name.clone()),
                    None => Ok(paths),
                }
            }),
        };
        match paths {
            Ok(paths) => {
                let mut put = Put { paths: &paths, module: self.module };
                put.visit_signature_mut(&mut sig);
                put.visit_block_mut(&mut block);
            }
            Err(name) => {
                let private = self.private.contains(&name);
                block = syn::parse_quote!({ __omp_not_here!(#name, #private) });
            }
        }
        (sig, block)
    }

    /// Whether std has a method of this name, or a type of the module.
    fn is_inherent(&self, name: &str) -> bool {
        let items = self.modules.items(self.module).unwrap_or_default();
        let of_module = |item: &Item| match item {
            Item::Impl(i) if i.trait_.is_none() => {
                i.items.iter().any(|item| matches!(item, ImplItem::Fn(f) if f.sig.ident == name))
            }
            _ => false,
        };
        (1..5).any(|args| Method::is_name(name, args))
            || ADAPTORS.contains(&name)
            || items.iter().any(of_module)
    }

    /// A method that a body calls and that another trait may have here.
    fn other_method(&self, names: &NamesIn) -> Option<String> {
        let (theirs, own) = (self.modules.traits(self.module), self.modules.traits(&[]));
        let other = |name: &&String| theirs.by_method.get(*name) != own.by_method.get(*name);
        // Either module may have a trait of its own.
        let any = names.methods.iter().any(|name| !self.is_inherent(name));
        if any && !own.unknown.is_subset(&theirs.unknown) {
            let unlike = theirs.unknown.iter().find(|path| !own.unknown.contains(*path));
            if let Some(name) = unlike.and_then(|path| path.last()) {
                return Some(name.clone());
            }
        }
        names.methods.iter().find(other).cloned()
    }

    /// A type with its `impl`s in its module.
    fn with_impls(&self, ty: &Item, name: &str, path: Option<&Path>, from: &[Item]) -> Vec<Item> {
        let mut found = vec![ty.clone()];
        for item in from {
            let Item::Impl(i) = item else { continue };
            if name_of(&i.self_ty).as_deref() != Some(name) {
                continue;
            }
            let generics = crate::expand::context::names(&i.generics).collect();
            let mut own = i.clone();
            own.items = std::mem::take(&mut own.items)
                .into_iter()
                .filter_map(|item| match item {
                    ImplItem::Fn(f) => {
                        // (A body in the place of a call may call private methods, whose bodies stand in the place of these calls.)
                        let (sig, block) = self.function(&f.sig, &f.block, &generics);
                        Some(ImplItem::Fn(syn::ImplItemFn { sig, block, ..f }))
                    }
                    ImplItem::Type(mut t) => {
                        let names = words(t.ty.to_token_stream()).into_iter().collect();
                        Put { paths: &self.paths(names, &generics).ok()?, module: self.module }
                            .visit_type_mut(&mut t.ty);
                        Some(ImplItem::Type(t))
                    }
                    _ => None,
                })
                .collect();
            if let Some(path) = path {
                // In parentheses, it is the type of its last name: see `name_of`.
                let paths = HashMap::from([(name.to_owned(), path.clone())]);
                Put { paths: &paths, module: self.module }.visit_type_mut(&mut own.self_ty);
                let ty = &own.self_ty;
                *own.self_ty = syn::parse_quote!((#ty));
            }
            if path.is_none() {
                // As what is imported by its name: see `tier`.
                let elem = own.self_ty;
                own.self_ty = Box::new(syn::Type::Group(syn::TypeGroup {
                    attrs: Vec::new(),
                    group_token: Default::default(),
                    elem,
                }));
            }
            found.push(Item::Impl(own));
        }
        found
    }
}

/// The names in a body.
#[derive(Default)]
struct NamesIn {
    /// Those that paths begin with.
    of_paths: HashSet<String>,
    members: Vec<String>,
    methods: HashSet<String>,
    /// Items of its own.
    items: HashSet<String>,
    /// Those that texts of macros name.
    in_texts: HashSet<String>,
    /// A macro, an import or a path of which nothing is known.
    unknown: Option<String>,
}

impl NamesIn {
    fn in_tokens(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Ident(name) => {
                    let name = name.to_string();
                    let path = matches!(tokens.peek(), Some(TokenTree::Punct(p)) if p.as_char() == ':');
                    if name == "super" || name == "crate" || name == "self" && path {
                        self.unknown = Some(name.clone());
                    }
                    self.members.push(name.clone());
                    self.methods.insert(name.clone());
                    self.of_paths.insert(name);
                }
                TokenTree::Group(g) => self.in_tokens(g.stream()),
                TokenTree::Literal(l) => {
                    let text = l.to_string();
                    let parts = text.split('{').skip(1).filter_map(|part| part.split(['}', ':']).next());
                    let names = parts.map(str::trim).filter(|name| syn::parse_str::<Ident>(name).is_ok());
                    let names: Vec<String> = names.map(str::to_owned).collect();
                    self.of_paths.extend(names.iter().cloned());
                    self.in_texts.extend(names);
                }
                TokenTree::Punct(_) => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for NamesIn {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let first = path.segments[0].ident.to_string();
        if path.leading_colon.is_none() && first != "super" && first != "self" && first != "crate" {
            self.of_paths.insert(first);
        }
        // `T::method(x)`, `Type::method`
        if let Some(last) = path.segments.iter().skip(1).next_back() {
            self.methods.insert(last.ident.to_string());
        }
        visit::visit_path(self, path);
    }
    fn visit_expr_path(&mut self, p: &'ast syn::ExprPath) {
        if p.qself.is_some() {
            self.unknown = Some(p.path.to_token_stream().to_string());
        }
        visit::visit_expr_path(self, p);
    }
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.of_paths.insert(p.ident.to_string());
        visit::visit_pat_ident(self, p);
    }
    fn visit_field_value(&mut self, f: &'ast syn::FieldValue) {
        // (A path can't stand in `S { x }`.)
        if f.colon_token.is_none() {
            self.in_texts.insert(f.member.to_token_stream().to_string());
        }
        visit::visit_field_value(self, f);
    }
    fn visit_member(&mut self, member: &'ast syn::Member) {
        self.members.push(member.to_token_stream().to_string());
    }
    fn visit_expr_method_call(&mut self, m: &'ast syn::ExprMethodCall) {
        self.methods.insert(m.method.to_string());
        visit::visit_expr_method_call(self, m);
    }
    fn visit_item(&mut self, item: &'ast Item) {
        match (item, declared(item)) {
            (_, Some((name, _))) => {
                self.items.insert(name.to_string());
            }
            (Item::Use(u), None) => self.unknown = Some(u.tree.to_token_stream().to_string()),
            _ => {}
        }
        visit::visit_item(self, item);
    }
    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        const OF_STD: [&str; 16] = [
            "assert",
            "assert_eq",
            "assert_ne",
            "debug_assert",
            "debug_assert_eq",
            "debug_assert_ne",
            "matches",
            "panic",
            "unreachable",
            "todo",
            "unimplemented",
            "vec",
            "format",
            "print",
            "println",
            "eprintln",
        ];
        match m.path.get_ident() {
            Some(name) if OF_STD.iter().any(|of| name == of) => {}
            _ if m.path.segments[0].ident == "omp" => {}
            _ => self.unknown = Some(m.path.to_token_stream().to_string()),
        }
        self.in_tokens(m.tokens.clone());
    }
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_visibility(&mut self, _: &'ast Visibility) {}
}

/// Why an item of another module has no body here, and what to do.
pub(super) fn not_here(block: &Block) -> Option<(String, String)> {
    let mac = match &block.stmts[..] {
        [Stmt::Macro(m)] => &m.mac,
        [Stmt::Expr(syn::Expr::Macro(m), _)] => &m.mac,
        _ => return None,
    };
    if !mac.path.is_ident("__omp_not_here") {
        return None;
    }
    let parser = syn::punctuated::Punctuated::<syn::Lit, syn::Token![,]>::parse_terminated;
    let [syn::Lit::Str(name), syn::Lit::Bool(private)] =
        &mac.parse_body_with(parser).ok()?.into_iter().collect::<Vec<_>>()[..]
    else {
        return None;
    };
    let name = name.value();
    Some(if private.value {
        (
            format!("the field `{name}`, which it uses, is private to its module"),
            format!("write `pub(crate)` before the field `{name}`"),
        )
    } else {
        (
            format!("`{name}`, which it names, is not visible here, or something else has that name here"),
            format!("make `{name}` visible here, `pub(crate)`, or give what has its name another one"),
        )
    })
}

/// The fields of a module's types that other modules don't see.
fn private_fields(items: &[Item]) -> HashSet<String> {
    let fields = items.iter().filter_map(|item| match item {
        Item::Struct(s) => Some(s.fields.members().zip(&s.fields)),
        _ => None,
    });
    let private = fields.flatten().filter(|(_, f)| matches!(f.vis, Visibility::Inherited));
    private.map(|(member, _)| member.to_token_stream().to_string()).collect()
}

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
struct Put<'a> {
    paths: &'a HashMap<String, Path>,
    /// The module of the text.
    module: &'a [String],
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
                TokenTree::Group(g) => {
                    let mut inner = proc_macro2::Group::new(g.delimiter(), self.tokens(g.stream()));
                    inner.set_span(g.span());
                    inner.to_tokens(&mut out);
                }
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
