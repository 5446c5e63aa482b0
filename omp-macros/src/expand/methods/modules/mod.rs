//! Items of modules nearby, `use super::Csr;`, `use grid::Grid;`: their methods are inlined as those of a module's own structs are.
//!
//! An inlined body stands in another module than its own. So each name in it has to mean the same in both: a name that the importing
//! module does not have gets the path to what it means, `super::model::STATES`. A body with a name that means something else, or that may
//! do so, becomes `__omp_not_here!(…)`, and a call of it is an error that gives the name ([`not_here`]).
mod bodies;
mod paths;
mod resolve;

use super::{name_of, words};
use crate::sema::syntax::search::Code;
use crate::visits::{self, Node};
use bodies::Meanings;
pub(super) use bodies::not_here;
use proc_macro2::Ident;
use quote::ToTokens;
use resolve::{Meaning, Names, Path, Traits, declared, step};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use syn::ext::IdentExt;
use syn::{Expr, Item, UseTree, Visibility};

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
    modules.take_called(&mut found);
    found.items
}

/// What the names of functions begin with that are called by paths.
const BY_PATH: &str = "__omp_by_path";
/// What stands between the segments in them.
const OF: &str = "__of__";

/// The name under which a function is known that calls name by this path: `inner::rest(x)`.
pub(super) fn by_path(path: &syn::Path) -> String {
    // (`f::<3>` is a name, too.)
    if path.segments.len() == 1 {
        return path.segments[0].ident.to_string();
    }
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.unraw().to_string()).collect();
    format!("{BY_PATH}{OF}{}", names.join(OF))
}

/// The last segment of the path by which a function is known.
pub(super) fn last_segment(name: &Ident) -> String {
    let name = name.unraw().to_string();
    name.rsplit_once(OF)
        .filter(|_| name.starts_with(BY_PATH))
        .map_or(name.clone(), |(_, last)| last.to_owned())
}

/// The paths of modules by which functions are called in some code.
fn called_paths(code: &impl Code, paths: &mut Vec<syn::Path>) {
    visits::walk(code, |node| {
        if let Node::Expr(Expr::Call(c)) = node
            && let Expr::Path(p) = &*c.func
            && p.qself.is_none()
            && p.path.leading_colon.is_none()
            && p.path.segments.len() > 1
            && p.path.segments.iter().all(|s| s.ident.to_string().starts_with(char::is_lowercase))
        {
            paths.push(p.path.clone());
        }
        !matches!(node, Node::Item(Item::Mod(_)))
    });
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

/// The importing module, and what it can name.
struct Modules<'a> {
    own: &'a [Item],
    around: &'a [Item],
    /// The names of modules, by their paths.
    known: RefCell<HashMap<Path, Option<Rc<Names>>>>,
    /// The traits in their scopes.
    traits: RefCell<HashMap<Path, Rc<Traits>>>,
}

struct Found {
    items: Vec<Item>,
    /// Paths of items that are among them.
    taken: HashSet<Path>,
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

    /// Takes the functions that are called by paths of modules, and those that their bodies call.
    fn take_called(&self, found: &mut Found) {
        let (mut calls, mut seen) = (Vec::new(), HashSet::new());
        self.own.iter().for_each(|item| called_paths(item, &mut calls));
        while let Some(path) = calls.pop() {
            let known = by_path(&path);
            let mut names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
            let (true, Some(name)) = (seen.insert(known.clone()), names.pop()) else { continue };
            let Some(module) = names.iter().try_fold(Path::new(), |path, name| step(path, name)) else {
                continue;
            };
            let mut own = self.items(&module).into_iter().flatten().filter_map(declared);
            let is_seen = own.any(|(of, vis)| *of == name && self.sees(&module, vis));
            if !is_seen || self.names(&module).is_none_or(|names| names.any) {
                continue;
            }
            if let [Item::Fn(f)] = &mut self.adapted(&module, &name, None)[..] {
                f.sig.ident = Ident::new(&known, f.sig.ident.span());
                called_paths(&*f.block, &mut calls);
                found.items.push(Item::Fn(f.clone()));
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
        module.is_empty() || module == ["super"] || !matches!(vis, Visibility::Inherited)
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
                if meanings
                    .types_alike(t.items.iter().map(ToTokens::to_token_stream).collect(), &t.generics) =>
            {
                vec![item.clone()]
            }
            Item::Struct(s) if meanings.types_alike(s.fields.to_token_stream(), &s.generics) => {
                meanings.with_impls(item, name, path, items)
            }
            Item::Enum(e) if meanings.types_alike(e.variants.to_token_stream(), &e.generics) => {
                meanings.with_impls(item, name, path, items)
            }
            _ => Vec::new(),
        }
    }
}

/// The fields of a module's types that other modules don't see. (Those of structs that borrow become variables.)
fn private_fields(items: &[Item]) -> HashSet<String> {
    let fields = items.iter().filter_map(|item| match item {
        Item::Struct(s) if s.generics.lifetimes().next().is_none() => Some(s.fields.members().zip(&s.fields)),
        _ => None,
    });
    let private = fields.flatten().filter(|(_, f)| matches!(f.vis, Visibility::Inherited));
    private.map(|(member, _)| member.to_token_stream().to_string()).collect()
}
