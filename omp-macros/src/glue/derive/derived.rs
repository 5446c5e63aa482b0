//! Which comparisons of a struct are derived; devices compare these field by field.
//!
//! A derive doesn't see the other derives of its item, so the source file is read. rustc confirms that `PartialEq` is
//! derived: only then is a const of the type allowed as a pattern (`glue/derive/device.rs`). Nothing confirms a derived order, so
//! the item in the file has to be the derive's own: the only one of its name, at the place of the derive's tokens, in no
//! macro, and below no attribute that may change it.
use super::device::is_phantom;
use crate::parse::primitives::is_primitive;
use crate::parse::tokens::file::SourceFile;
use crate::parse::tokens::outline::Outline;
use crate::sema::syntax::std_names;
use crate::sema::syntax::types::{argument, behind_parens};
use proc_macro2::Ident;
use std::collections::HashMap;
use syn::{Attribute, Fields, Item, Type};

/// The comparisons that are derived; each includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Derived {
    Nothing,
    Equality,
    PartialOrder,
    Order,
}

impl Derived {
    /// The name in the struct's description.
    pub(in crate::glue) fn name(self) -> Ident {
        Ident::new(&format!("{self:?}"), proc_macro2::Span::mixed_site())
    }
}

/// The comparisons that a struct without parameters derives, and all of its field types too.
pub(super) fn comparisons(name: &Ident) -> Derived {
    Types::around(name).map_or(Derived::Nothing, |types| types.of_name(&name.to_string(), 0))
}

/// Whether a type derives `Copy`, as the file shows: rustc then reports each field that is not.
pub(super) fn copies(name: &Ident) -> bool {
    let file = SourceFile::of(name.span()).filter(|file| is_declared_there(&file.text, name));
    file.filter(|file| !std_names::is_imported(file, "Copy")).is_some_and(|file| {
        let types = file.shows(Outline::of).types(&file.text, &name.to_string());
        types
            .iter()
            .any(|item| matches!(item, Item::Struct(s) if s.ident == *name && derives(&s.attrs, "Copy")))
    })
}

/// Whether the file has an `impl` of `Deref` for a type, outside of inline modules.
pub(super) fn is_dereferenced(name: &Ident) -> bool {
    let source = SourceFile::of(name.span());
    let source = source.filter(|file| file.text.contains("Deref") && is_declared_there(&file.text, name));
    let Some(source) = source else { return false };
    let Ok(file) = syn::parse_file(&source.text) else { return false };
    file.items.iter().any(|item| {
        let Item::Impl(i) = item else { return false };
        let of_deref = i.trait_.as_ref().is_some_and(|(path, _)| std_names::is_of_ops(&source, &file, path, "Deref"));
        of_deref && matches!(&*i.self_ty, Type::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == *name))
    })
}

/// The comparisons that an enum with data or a type with parameters derives, and all of its field types too.
pub(super) fn with_parameters(input: &syn::DeriveInput) -> Derived {
    let Some(mut types) = Types::around(&input.ident) else { return Derived::Nothing };
    for t in input.generics.type_params() {
        // The type argument has the trait, whatever it is: uses of the type require it.
        types.plain.insert(t.ident.to_string(), Some((Derived::Order, Fields::Unit)));
    }
    let fields: Vec<&Type> = match &input.data {
        syn::Data::Struct(s) => s.fields.iter().map(|f| &f.ty).collect(),
        syn::Data::Enum(e) => e.variants.iter().flat_map(|v| &v.fields).map(|f| &f.ty).collect(),
        syn::Data::Union(_) => return Derived::Nothing,
    };
    let bounds = input.generics.where_clause.is_none() && input.generics.lifetimes().next().is_none();
    let own = types.own.get(&input.ident.to_string()).copied().flatten().unwrap_or(Derived::Nothing);
    if !bounds {
        return Derived::Nothing;
    }
    fields.into_iter().map(|ty| types.of_type(ty, 0)).fold(own, Derived::min)
}

/// Whether the text declares one type of this name, in the place of these tokens. (Those of a type that a macro makes are where the macro
/// is called.)
/// Comments declare nothing.
fn is_declared_there(text: &str, name: &Ident) -> bool {
    let (plain, at) = (name.to_string(), name.span().start());
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_' || c == '#';
    let mut declared = text.match_indices(&plain).filter(|(from, _)| {
        let (before, behind) = (&text[..*from], &text[from + plain.len()..]);
        if before.rsplit('\n').next().is_some_and(|line| line.contains("//")) {
            return false;
        }
        let word = before.trim_end().rsplit(|c| !part_of_word(c)).next().unwrap_or_default();
        !before.ends_with(part_of_word)
            && !behind.starts_with(part_of_word)
            && ["struct", "enum", "union", "type"].contains(&word)
    });
    let (Some((from, _)), None) = (declared.next(), declared.next()) else { return false };
    let before = &text[..from];
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count()) == (at.line, at.column)
}

/// The types of a file by their names; `None` of those that several have.
#[derive(Default)]
struct Types {
    /// Types without parameters and data, which are compared part by part.
    plain: HashMap<String, Option<(Derived, Fields)>>,
    /// The derived comparisons, by type.
    own: HashMap<String, Option<Derived>>,
    /// The file imports something as `Option`.
    own_option: bool,
}

impl Types {
    /// The types of the file that contains a name, if all derives of the name's type are known.
    fn around(name: &Ident) -> Option<Self> {
        let file = SourceFile::of(name.span())?;
        if !file.text.contains("PartialEq") || !is_declared_there(&file.text, name) {
            return None;
        }
        if ["PartialEq", "PartialOrd", "Ord"].iter().any(|derive| std_names::is_imported(&file, derive)) {
            return None;
        }
        let mut types = Self { own_option: std_names::is_imported(&file, "Option"), ..Self::default() };
        types.add(&file.shows(Outline::of).types(&file.text, &name.to_string()));
        Some(types)
    }

    fn add(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Struct(s) => {
                    let plain = s.generics.params.is_empty() && derives(&s.attrs, "Device");
                    let own = if plain { derived(&s.attrs) } else { Derived::Nothing };
                    self.insert(&s.ident, own, s.fields.clone());
                    self.derives(&s.ident, &s.attrs);
                }
                // A field-less enum is compared by its values, which a region looks at.
                Item::Enum(e) => {
                    let plain = e.variants.iter().all(|v| v.fields.is_empty()) && derives(&e.attrs, "Device");
                    let own = if plain { derived(&e.attrs) } else { Derived::Nothing };
                    self.insert(&e.ident, own, Fields::Unit);
                    self.derives(&e.ident, &e.attrs);
                }
                Item::Type(t) => self.insert(&t.ident, Derived::Nothing, Fields::Unit),
                Item::Union(u) => self.insert(&u.ident, Derived::Nothing, Fields::Unit),
                _ => {}
            }
        }
    }

    fn insert(&mut self, name: &Ident, own: Derived, fields: Fields) {
        let several = self.plain.contains_key(&name.to_string());
        self.plain.insert(name.to_string(), (!several).then_some((own, fields)));
    }

    fn derives(&mut self, name: &Ident, attrs: &[Attribute]) {
        let one = matches!(self.plain.get(&name.to_string()), Some(Some(_)));
        self.own.insert(name.to_string(), one.then(|| derived(attrs)));
    }

    fn of_name(&self, name: &str, depth: usize) -> Derived {
        match self.plain.get(name) {
            // (A type that holds itself has no size.)
            Some(Some((own, fields))) if depth < 32 => {
                let parts = fields.iter().map(|f| self.of_type(&f.ty, depth + 1));
                parts.fold(*own, Derived::min)
            }
            _ => Derived::Nothing,
        }
    }

    fn of_type(&self, ty: &Type, depth: usize) -> Derived {
        match behind_parens(ty) {
            Type::Array(a) => self.of_type(&a.elem, depth),
            Type::Tuple(t) if !t.elems.is_empty() => {
                t.elems.iter().map(|ty| self.of_type(ty, depth)).fold(Derived::Order, Derived::min)
            }
            ty @ Type::Path(_) if is_phantom(ty) => Derived::Order,
            Type::Path(p) => match p.path.get_ident().map(ToString::to_string) {
                Some(name) if self.plain.contains_key(&name) => self.of_name(&name, depth),
                Some(name) if name == "f32" || name == "f64" => Derived::PartialOrder,
                Some(name) if is_primitive(&name) => Derived::Order,
                Some(_) => Derived::Nothing,
                None => self.of_std(&p.path, depth),
            },
            _ => Derived::Nothing,
        }
    }

    /// Of `Option<T>`, `Wrapping<T>` and their like, unless the file has others of these names.
    fn of_std(&self, path: &syn::Path, depth: usize) -> Derived {
        let [last] = &*path.segments.iter().collect::<Vec<_>>() else { return Derived::Nothing };
        let name = last.ident.to_string();
        let of_std = match name.as_str() {
            "Option" => !self.own_option,
            "Wrapping" | "Saturating" | "Reverse" => std_names::is_std(path),
            _ => false,
        };
        if !of_std || self.plain.contains_key(&name) {
            return Derived::Nothing;
        }
        argument(last).map_or(Derived::Nothing, |ty| self.of_type(ty, depth))
    }
}

fn derived(attrs: &[Attribute]) -> Derived {
    const HARMLESS: &[&str] =
        &["derive", "repr", "doc", "allow", "warn", "deny", "expect", "cfg", "non_exhaustive", "must_use"];
    // A user's attribute macro above a `derive` receives the item with it, and may remove it.
    let last = attrs.iter().rposition(|a| a.path().is_ident("derive")).unwrap_or(0);
    if !attrs[..last].iter().all(|a| HARMLESS.iter().any(|name| a.path().is_ident(name))) {
        return Derived::Nothing;
    }
    let all =
        [("PartialEq", Derived::Equality), ("PartialOrd", Derived::PartialOrder), ("Ord", Derived::Order)];
    let held = all.iter().take_while(|(name, _)| derives(attrs, name));
    held.map(|(_, derived)| *derived).last().unwrap_or(Derived::Nothing)
}

/// `#[derive(…)]` with this name.
fn derives(attrs: &[Attribute], name: &str) -> bool {
    attrs.iter().filter(|a| a.path().is_ident("derive")).any(|a| {
        let paths =
            a.parse_args_with(syn::punctuated::Punctuated::<syn::Path, syn::Token![,]>::parse_terminated);
        paths.is_ok_and(|paths| paths.iter().any(|p| p.segments.last().is_some_and(|s| s.ident == name)))
    })
}
