//! Items of modules nearby, `use super::Csr;`, `use grid::Grid;`: their methods are inlined as those of a module's own structs are.
//!
//! An inlined body stands in another module than its own. So an item is inlined only if every name in it means the same
//! in both modules: a name that its module declares or imports is imported here, and no name in it means an item of this
//! module only.
use super::{name_of, words};
use quote::ToTokens;
use std::collections::HashSet;
use syn::{Fields, ImplItem, Item, UseTree, Visibility};

/// The items that a module imports from the one around it, and from modules in it.
pub(super) fn imported(items: &[Item], around: &[Item]) -> Vec<Item> {
    let mut found = Vec::new();
    for item in items {
        if let Item::Use(u) = item
            && u.attrs.is_empty()
        {
            of_tree(&u.tree, items, around, &mut found);
        }
    }
    found
}

/// Whether some of these imports are from modules nearby. `nested`: the importing module stands in another one.
pub(super) fn may_import(imports: &[Item], nested: bool) -> bool {
    fn nearby(tree: &UseTree, nested: bool) -> bool {
        match tree {
            UseTree::Group(g) => g.items.iter().any(|tree| nearby(tree, nested)),
            UseTree::Path(p) if p.ident == "super" => nested,
            UseTree::Path(p) => !["std", "core", "alloc", "crate", "omp"].iter().any(|of| p.ident == of),
            _ => false,
        }
    }
    imports.iter().any(|item| matches!(item, Item::Use(u) if nearby(&u.tree, nested)))
}

fn of_tree(tree: &UseTree, items: &[Item], around: &[Item], found: &mut Vec<Item>) {
    match tree {
        UseTree::Group(g) => g.items.iter().for_each(|tree| of_tree(tree, items, around, found)),
        UseTree::Path(p) if p.ident == "super" => from_scope(&p.tree, (around, true), items, found),
        UseTree::Path(p) if p.ident == "self" => of_tree(&p.tree, items, around, found),
        UseTree::Path(_) => in_modules(tree, items, items, found),
        _ => {}
    }
}

/// The items of a scope that a tree names, and of modules in it. `inside`: the importing module stands in the scope, and sees its private fields.
fn from_scope(tree: &UseTree, (scope, inside): (&[Item], bool), here: &[Item], found: &mut Vec<Item>) {
    take(tree, scope, here, inside, found);
    in_modules(tree, scope, here, found);
}

/// What the paths of a tree name in modules of a scope.
fn in_modules(tree: &UseTree, scope: &[Item], here: &[Item], found: &mut Vec<Item>) {
    match tree {
        UseTree::Group(g) => g.items.iter().for_each(|tree| in_modules(tree, scope, here, found)),
        UseTree::Path(p) => {
            let module = scope.iter().find_map(|item| match item {
                Item::Mod(m) if m.ident == p.ident && m.attrs.is_empty() => m.content.as_ref(),
                _ => None,
            });
            if let Some((_, from)) = module {
                from_scope(&p.tree, (from, false), here, found);
            }
        }
        _ => {}
    }
}

/// Takes the items that a tree names, types with their `impl`s. `inside`: the importing module stands in the other, and sees its private fields.
fn take(tree: &UseTree, from: &[Item], here: &[Item], inside: bool, found: &mut Vec<Item>) {
    let theirs = Names::of(from);
    let own = Names::of(here);
    let mut named = HashSet::new();
    let all = names(tree, &mut named);
    if theirs.any || own.any {
        return;
    }
    // (What a module declares or imports by name is in front of what `*` imports.)
    let is_imported =
        |name: &str| named.contains(name) || all && theirs.names.contains(name) && !own.names.contains(name);
    let means_the_same = |tokens: proc_macro2::TokenStream| {
        words(tokens).iter().all(|word| {
            let (there, here) = (theirs.names.contains(word), own.names.contains(word));
            if [&theirs, &own].iter().any(|names| names.macros.contains(word)) {
                return false;
            }
            if there {
                is_imported(word) || own.of_std.contains(word) && theirs.of_std.contains(word)
            } else {
                !here
            }
        })
    };
    // The types named in a declaration mean the same in both modules.
    let names_the_same = |tokens: proc_macro2::TokenStream| {
        let types = words(tokens).into_iter().filter(|word| word.starts_with(char::is_uppercase));
        types.into_iter().all(|word| {
            !own.names.contains(&word)
                || theirs.names.contains(&word) && is_imported(&word)
                || own.of_std.contains(&word) && theirs.of_std.contains(&word)
        })
    };
    let shown = |vis: &Visibility| inside || !matches!(vis, Visibility::Inherited);
    for item in from {
        if let Item::Fn(f) = item
            && is_imported(&f.sig.ident.to_string())
            && shown(&f.vis)
            && means_the_same([f.sig.to_token_stream(), f.block.to_token_stream()].into_iter().collect())
        {
            found.push(item.clone());
        }
    }
    // Consts, statics, aliases and traits give the types of expressions.
    found.extend(
        from.iter()
            .filter(|item| match item {
                Item::Const(c) => {
                    is_imported(&c.ident.to_string())
                        && shown(&c.vis)
                        && means_the_same(c.ty.to_token_stream())
                }
                Item::Static(s) => {
                    is_imported(&s.ident.to_string())
                        && shown(&s.vis)
                        && means_the_same(s.ty.to_token_stream())
                }
                Item::Type(t) => {
                    is_imported(&t.ident.to_string())
                        && shown(&t.vis)
                        && means_the_same(t.ty.to_token_stream())
                }
                Item::Trait(t) => {
                    is_imported(&t.ident.to_string())
                        && shown(&t.vis)
                        && names_the_same(t.items.iter().map(ToTokens::to_token_stream).collect())
                }
                _ => false,
            })
            .cloned(),
    );
    let types = from.iter().filter_map(|item| match item {
        Item::Struct(s) => {
            let fields = match &s.fields {
                Fields::Named(f) => f.named.iter().all(|f| shown(&f.vis)),
                Fields::Unnamed(f) => f.unnamed.iter().all(|f| shown(&f.vis)),
                Fields::Unit => true,
            };
            Some((&s.ident, item)).filter(|_| fields && names_the_same(s.fields.to_token_stream()))
        }
        Item::Enum(e) if shown(&e.vis) && names_the_same(e.variants.to_token_stream()) => {
            Some((&e.ident, item))
        }
        _ => None,
    });
    for (name, ty) in types.filter(|(name, _)| is_imported(&name.to_string())) {
        found.push(ty.clone());
        for item in from {
            let Item::Impl(i) = item else { continue };
            if name_of(&i.self_ty).is_none_or(|of| name != of.as_str()) {
                continue;
            }
            let mut own = i.clone();
            own.items.retain(|item| match item {
                ImplItem::Fn(f) => {
                    let body = [f.sig.to_token_stream(), f.block.to_token_stream()];
                    (i.trait_.is_some() || shown(&f.vis)) && means_the_same(body.into_iter().collect())
                }
                ImplItem::Type(t) => means_the_same(t.ty.to_token_stream()),
                _ => false,
            });
            found.push(Item::Impl(own));
        }
    }
}

/// The names at the ends of a tree; whether there is a `*`.
fn names(tree: &UseTree, found: &mut HashSet<String>) -> bool {
    match tree {
        UseTree::Name(n) => {
            found.insert(n.ident.to_string());
            false
        }
        UseTree::Group(g) => {
            // All of them, for what they find.
            g.items.iter().filter(|tree| names(tree, found)).count() > 0
        }
        UseTree::Glob(_) => true,
        UseTree::Path(_) | UseTree::Rename(_) => false,
    }
}

/// The names that a module declares and imports.
#[derive(Default)]
struct Names {
    names: HashSet<String>,
    /// The names that std has.
    of_std: HashSet<String>,
    /// Its macros, whose words are not visible where they are called.
    macros: HashSet<String>,
    /// It may have others.
    any: bool,
}

impl Names {
    fn of(items: &[Item]) -> Self {
        let mut found = Self::default();
        for item in items {
            let name = match item {
                Item::Const(i) => &i.ident,
                Item::Static(i) => &i.ident,
                Item::Fn(i) => &i.sig.ident,
                Item::Struct(i) => &i.ident,
                Item::Enum(i) => &i.ident,
                Item::Union(i) => &i.ident,
                Item::Type(i) => &i.ident,
                Item::Trait(i) => &i.ident,
                Item::Mod(i) => &i.ident,
                Item::Use(u) => {
                    found.import(&u.tree, None);
                    continue;
                }
                Item::Impl(_) => continue,
                Item::Macro(m) if m.mac.path.is_ident("macro_rules") => {
                    found.macros.extend(m.ident.as_ref().map(ToString::to_string));
                    continue;
                }
                _ => {
                    found.any = true;
                    continue;
                }
            };
            found.names.insert(name.to_string());
        }
        found
    }

    fn import(&mut self, tree: &UseTree, root: Option<&proc_macro2::Ident>) {
        let std = || root.is_some_and(|root| root == "std" || root == "core");
        match tree {
            UseTree::Path(p) => self.import(&p.tree, root.or(Some(&p.ident))),
            UseTree::Name(n) => {
                if std() {
                    self.of_std.insert(n.ident.to_string());
                }
                self.names.insert(n.ident.to_string());
            }
            UseTree::Rename(r) => {
                self.names.insert(r.rename.to_string());
            }
            UseTree::Group(g) => g.items.iter().for_each(|tree| self.import(tree, root)),
            // Its names are looked up in its module, if that is nearby.
            UseTree::Glob(_) => self.any |= root.is_none_or(|root| root != "super"),
        }
    }
}
