//! What a name means in a module: an item that it declares, one that it imports, also by globs and through other modules, or one of another
//! crate; and the traits whose methods are in scope.
use super::Modules;
use crate::expand::methods::items::is_conditional;
use crate::parse::primitives::is_primitive;
use proc_macro2::Ident;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use syn::{Item, UseTree, Visibility};

/// How many globs may lead to a name.
const DEPTH: usize = 8;

/// The path of a module or item, as the importing module names it. Paths of other crates begin with an empty name.
pub(super) type Path = Vec<String>;

/// The traits in a scope.
pub(super) struct Traits {
    pub(super) by_method: HashMap<String, HashSet<Path>>,
    /// Imports that may be traits.
    pub(super) unknown: HashSet<Path>,
}

/// The names that a module declares and imports.
#[derive(Default)]
pub(super) struct Names {
    pub(super) named: HashMap<String, Named>,
    /// What it imports all names of, and whether it exports them.
    pub(super) globs: Vec<(Path, bool)>,
    /// Traits that it imports `as _`, and whether it exports them.
    pub(super) unnamed: Vec<(Path, bool)>,
    /// Its macros, whose words are not visible where they are called.
    pub(super) macros: HashSet<String>,
    /// It may have others.
    pub(super) any: bool,
}

/// What a module does with a name.
pub(super) enum Named {
    /// It declares the item; others see it.
    Declared(bool),
    /// It imports this, as seen from itself; others see it.
    Imported(Path, bool),
    /// It does one or the other under a condition.
    Conditional,
}

/// What a name means.
#[derive(PartialEq, Eq)]
pub(super) enum Meaning {
    /// The item of this path.
    Path(Path),
    /// No item of the module's own, nor one that it imports.
    None,
    /// Anything.
    Unknown,
}

impl Modules<'_> {
    /// The items of a module nearby.
    pub(super) fn items(&self, path: &[String]) -> Option<&[Item]> {
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

    pub(super) fn names(&self, module: &[String]) -> Option<Rc<Names>> {
        if let Some(known) = self.known.borrow().get(module) {
            return known.clone();
        }
        let names = self.items(module).map(|items| Rc::new(Names::of(items)));
        self.known.borrow_mut().insert(module.to_vec(), names.clone());
        names
    }

    /// What a name means in a module.
    pub(super) fn meaning(&self, module: &[String], name: &str) -> Meaning {
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
    pub(super) fn declaration(&self, mut path: Path) -> Path {
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
    pub(super) fn are_same(&self, a: &Path, b: &Path) -> bool {
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
    pub(super) fn traits(&self, module: &[String]) -> Rc<Traits> {
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
    pub(super) fn is_shown(&self, path: &[String]) -> bool {
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
pub(super) fn declared(item: &Item) -> Option<(&Ident, &Visibility)> {
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
pub(super) fn step(mut path: Path, name: &str) -> Option<Path> {
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
pub(super) fn walk(module: Path, path: &[String]) -> Option<Path> {
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
