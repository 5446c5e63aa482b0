//! The public interface of the facade, held still by a checked-in list (`public_api.txt`).
//!
//! What `omp` re-exports is read from the sources, without rustc: each name that `pub use` brings is looked up where it is defined, with
//! its signature, public fields, variants, derives, public methods, and the traits that are implemented in the same part of the crate.
//! What macros make is not seen, so the list is no proof of compatibility; `cargo semver-checks` needs a published version to compare with.
use quote::ToTokens;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use syn::{Attribute, Fields, ImplItem, Item, TraitItem, UseTree, Visibility};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn parsed(path: &Path) -> Option<Vec<Item>> {
    let text = fs::read_to_string(path).ok()?;
    Some(syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display())).items)
}

/// The items of a module of the runtime: `device::api`.
fn module(path: &[String]) -> Option<Vec<Item>> {
    let at = root().join("omp-runtime/src").join(path.join("/"));
    if path.is_empty() {
        return parsed(&at.join("lib.rs"));
    }
    parsed(&at.with_extension("rs")).or_else(|| parsed(&at.join("mod.rs")))
}

/// All files of a part of the runtime: `device`.
fn part(path: &Path, found: &mut Vec<Item>) {
    found.extend(parsed(&path.with_extension("rs")).into_iter().flatten());
    for entry in fs::read_dir(path).into_iter().flatten().map(|entry| entry.expect("readable").path()) {
        if entry.is_dir() {
            part(&entry, found);
        } else {
            found.extend(parsed(&entry).into_iter().flatten());
        }
    }
}

/// A path that is written in a module of the runtime.
fn join(module: &[String], path: &[String]) -> Vec<String> {
    match path.split_first() {
        Some((first, rest)) if first == "crate" => rest.to_vec(),
        _ => [module, path].concat(),
    }
}

/// Adds an item of the runtime, which the facade has as `here`.
fn show(modules: &[String], wanted: &str, here: &str, list: &mut BTreeSet<String>) {
    let items = module(modules).unwrap_or_else(|| panic!("no module `{}`", modules.join("::")));
    let mut found = false;
    for item in items.iter().filter(|item| is_public(item)) {
        if head(item).is_some_and(|(.., name)| name == wanted) && !matches!(item, Item::Mod(_)) {
            found = true;
            list.extend(lines(item).into_iter().map(|line| format!("{here}: {line}")));
        }
        let mut names = Vec::new();
        if let Item::Use(item) = item {
            leaves(&item.tree, &[], &mut names);
        }
        if let Some((from, name, _)) = names.into_iter().find(|(_, _, new)| new == wanted) {
            return show(&join(modules, &from), &name, here, list);
        }
        if matches!(item, Item::Mod(item) if item.ident == wanted) {
            let inside = [modules, &[wanted.to_owned()]].concat();
            return interface(&module(&inside).expect("it is a file"), here, &inside, list);
        }
    }
    assert!(found, "`{wanted}` is not found in `{}`: is it made by a macro?", modules.join("::"));
    let mut items = Vec::new();
    part(&root().join("omp-runtime/src").join(&modules[0]), &mut items);
    for item in items {
        let Item::Impl(part) = item else { continue };
        let of = text(&part.self_ty);
        if of != wanted && !of.starts_with(&format!("{wanted}<")) || is_hidden(&part.attrs) {
            continue;
        }
        let head = format!("impl{}", text(&part.generics));
        if let Some((of_trait, _)) = &part.trait_ {
            list.insert(format!("{here}: {head} {} for {of}", text(of_trait)));
            continue;
        }
        for item in &part.items {
            match item {
                ImplItem::Fn(f) if is_seen(&f.vis, &f.attrs) => {
                    list.insert(format!("{here}: {head} {of}: {}{}", marks(&f.attrs), text(&f.sig)));
                }
                ImplItem::Const(c) if is_seen(&c.vis, &c.attrs) => {
                    list.insert(format!("{here}: {head} {of}: const {}: {}", c.ident, text(&c.ty)));
                }
                _ => {}
            }
        }
    }
}

fn text(of: &impl ToTokens) -> String {
    let spaced = [
        (" :: ", "::"),
        (":: ", "::"),
        (" < ", "<"),
        (" >", ">"),
        ("& ", "&"),
        (" ,", ","),
        (" (", "("),
        (" :", ":"),
        ("# [", "#["),
    ];
    spaced.iter().fold(of.to_token_stream().to_string(), |text, (from, to)| text.replace(from, to))
}

fn is_hidden(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident("doc") && text(&attr.meta).contains("hidden"))
}

fn is_seen(vis: &Visibility, attrs: &[Attribute]) -> bool {
    matches!(vis, Visibility::Public(_)) && !is_hidden(attrs)
}

/// Visibility, attributes and name; `use` has none.
fn head(item: &Item) -> Option<(&Visibility, &[Attribute], String)> {
    Some(match item {
        Item::Fn(f) => (&f.vis, &f.attrs, f.sig.ident.to_string()),
        Item::Struct(s) => (&s.vis, &s.attrs, s.ident.to_string()),
        Item::Enum(e) => (&e.vis, &e.attrs, e.ident.to_string()),
        Item::Trait(t) => (&t.vis, &t.attrs, t.ident.to_string()),
        Item::Const(c) => (&c.vis, &c.attrs, c.ident.to_string()),
        Item::Type(t) => (&t.vis, &t.attrs, t.ident.to_string()),
        Item::Mod(m) => (&m.vis, &m.attrs, m.ident.to_string()),
        Item::Use(u) => (&u.vis, &u.attrs, String::new()),
        _ => return None,
    })
}

fn is_public(item: &Item) -> bool {
    head(item).is_some_and(|(vis, attrs, _)| is_seen(vis, attrs))
}

/// The attributes that callers rely on.
fn marks(attrs: &[Attribute]) -> String {
    let kept =
        ["derive", "non_exhaustive", "must_use", "repr", "cfg", "track_caller", "proc_macro_attribute"];
    let kept = attrs.iter().filter(|attr| kept.iter().any(|name| attr.path().is_ident(name)));
    kept.map(|attr| format!("{} ", text(attr))).collect()
}

fn lines(item: &Item) -> Vec<String> {
    let fields = |of: &Fields| -> Vec<String> {
        let seen = of.iter().filter(|field| matches!(field.vis, Visibility::Public(_)));
        seen.map(|f| format!("{}: {}", f.ident.to_token_stream(), text(&f.ty))).collect()
    };
    match item {
        Item::Fn(f) => vec![format!("{}{}", marks(&f.attrs), text(&f.sig))],
        Item::Struct(s) => {
            let head = format!("{}struct {}{}", marks(&s.attrs), s.ident, text(&s.generics));
            let private = s.fields.len() > fields(&s.fields).len();
            let rest = private.then(|| "…".to_owned());
            vec![format!(
                "{head} {{ {} }}",
                fields(&s.fields).into_iter().chain(rest).collect::<Vec<_>>().join(", ")
            )]
        }
        Item::Enum(e) => {
            let head = format!("enum {}{}", e.ident, text(&e.generics));
            let strip = |v: &syn::Variant| {
                let mut v = v.clone();
                v.attrs.retain(|attr| attr.path().is_ident("non_exhaustive"));
                v.fields.iter_mut().for_each(|f| f.attrs.clear());
                format!("{head}: {}", text(&v))
            };
            std::iter::once(format!("{}{head}", marks(&e.attrs)))
                .chain(e.variants.iter().map(strip))
                .collect()
        }
        Item::Trait(t) => {
            let safety = t.unsafety.map_or("", |_| "unsafe ");
            let head = format!("{safety}trait {}{}: {}", t.ident, text(&t.generics), text(&t.supertraits));
            let part = |item: &TraitItem| match item {
                TraitItem::Fn(f) if !is_hidden(&f.attrs) => {
                    let default = f.default.as_ref().map_or("", |_| " { … }");
                    Some(format!("{head}: {}{default}", text(&f.sig)))
                }
                TraitItem::Type(t) if !is_hidden(&t.attrs) => Some(format!("{head}: type {}", t.ident)),
                TraitItem::Const(c) if !is_hidden(&c.attrs) => Some(format!("{head}: const {}", c.ident)),
                _ => None,
            };
            std::iter::once(head.clone()).chain(t.items.iter().filter_map(part)).collect()
        }
        Item::Const(c) => vec![format!("const {}: {}", c.ident, text(&c.ty))],
        Item::Type(t) => vec![format!("type {}{} = {}", t.ident, text(&t.generics), text(&t.ty))],
        _ => Vec::new(),
    }
}

/// The names of `pub use a::{b, c as d}`: the modules that they are from, their names there, and here.
fn leaves(tree: &UseTree, from: &[String], found: &mut Vec<(Vec<String>, String, String)>) {
    match tree {
        UseTree::Path(path) => leaves(&path.tree, &[from, &[path.ident.to_string()]].concat(), found),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, from, found)),
        UseTree::Name(name) => found.push((from.to_vec(), name.ident.to_string(), name.ident.to_string())),
        UseTree::Rename(re) => found.push((from.to_vec(), re.ident.to_string(), re.rename.to_string())),
        UseTree::Glob(_) => panic!("`{}::*`: the interface is a list of names", from.join("::")),
    }
}

/// Adds the public items of a module: of the facade, or, with `modules`, of the runtime.
fn interface(items: &[Item], path: &str, modules: &[String], list: &mut BTreeSet<String>) {
    for item in items.iter().filter(|item| is_public(item)) {
        let mut names = Vec::new();
        match item {
            Item::Use(item) => leaves(&item.tree, &[], &mut names),
            Item::Mod(item) => {
                let inside = item.content.as_ref().map_or(&[][..], |(_, items)| items);
                interface(inside, &format!("{path}::{}", item.ident), modules, list);
            }
            item => {
                let Some((.., name)) = head(item) else { continue };
                match modules {
                    [] => list.extend(lines(item).into_iter().map(|line| format!("{path}::{name}: {line}"))),
                    modules => show(modules, &name, &format!("{path}::{name}"), list),
                }
            }
        }
        for (from, name, new) in names {
            let here = format!("{path}::{new}");
            match from.split_first() {
                Some((first, _)) if first == "omp_macros" => {
                    list.insert(format!("{here}: macro"));
                }
                Some((first, rest)) if first == "omp_runtime" => show(rest, &name, &here, list),
                _ => show(&join(modules, &from), &name, &here, list),
            }
        }
    }
}

#[test]
fn the_facade_has_the_interface_that_is_listed() {
    let facade = parsed(&root().join("src/lib.rs")).expect("the facade is there");
    let mut list = BTreeSet::new();
    interface(&facade, "omp", &[], &mut list);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sources/public_api.txt");
    let now: String = list.iter().map(|line| format!("{line}\n")).collect();
    if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        fs::write(&file, &now).expect("it can be written");
    }
    let kept = fs::read_to_string(&file).expect("the list is there");
    let kept: BTreeSet<String> = kept.lines().map(str::to_owned).collect();
    let changed: Vec<String> = (kept.difference(&list).map(|line| format!("- {line}")))
        .chain(list.difference(&kept).map(|line| format!("+ {line}")))
        .collect();
    assert!(
        changed.is_empty(),
        "the public interface of `omp` has changed:\n{}\n\nA line with `-` breaks programs that use it: after the first release that is a new \
         major version (0.x: minor). If the change is meant, `INSTA_UPDATE=always cargo test -p omp-tests --test sources -- public_api` \
         writes the list; commit it with the change, and say it in CHANGELOG.md.",
        changed.join("\n")
    );
}
