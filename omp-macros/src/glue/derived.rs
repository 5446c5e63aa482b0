//! Which comparisons of a struct are derived: a device compares part by part, as these do.
//!
//! A derive doesn't see the other derives of its item, so the source file is read. That `PartialEq` is derived rustc confirms: only then a
//! const of the type is a pattern (`glue/derive.rs`).
use proc_macro2::Ident;
use std::collections::HashMap;
use syn::{Attribute, Fields, Item, Type};

/// What is derived; each has those before it, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Derived {
    Nothing,
    Equality,
    PartialOrder,
    Order,
}

impl Derived {
    /// As the description of the struct says it.
    pub(super) fn name(self) -> Ident {
        Ident::new(&format!("{self:?}"), proc_macro2::Span::mixed_site())
    }
}

/// What is derived of a struct without parameters, and of all that it is made of.
pub(super) fn comparisons(name: &Ident) -> Derived {
    Types::around(name).map_or(Derived::Nothing, |types| types.of_name(&name.to_string(), 0))
}

/// Whether `PartialEq` is derived of an enum with data or a type with parameters, and all that it is made of is compared on devices.
pub(super) fn has_equality(input: &syn::DeriveInput) -> bool {
    let Some(mut types) = Types::around(&input.ident) else { return false };
    for t in input.generics.type_params() {
        // Whatever it stands for has a `PartialEq`, which is asked for where it is used.
        types.plain.insert(t.ident.to_string(), Some((Derived::Order, Fields::Unit)));
    }
    let compared = |ty: &Type| types.of_type(ty, 0) != Derived::Nothing;
    let fields: Vec<&Type> = match &input.data {
        syn::Data::Struct(s) => s.fields.iter().map(|f| &f.ty).collect(),
        syn::Data::Enum(e) => e.variants.iter().flat_map(|v| &v.fields).map(|f| &f.ty).collect(),
        syn::Data::Union(_) => return false,
    };
    let bounds = input.generics.where_clause.is_none() && input.generics.lifetimes().next().is_none();
    let own = types.own.get(&input.ident.to_string()).copied().flatten().unwrap_or(Derived::Nothing);
    bounds && own != Derived::Nothing && fields.into_iter().all(compared)
}

/// The types of a file by their names; `None` of those that several have.
#[derive(Default)]
struct Types {
    /// Of those without parameters and data, which are compared part by part.
    plain: HashMap<String, Option<(Derived, Fields)>>,
    /// What each derives.
    own: HashMap<String, Option<Derived>>,
}

impl Types {
    /// Those of the file in which a name stands, if something in it may be compared.
    fn around(name: &Ident) -> Option<Self> {
        let text = std::fs::read_to_string(name.span().local_file()?).ok()?;
        if !text.contains("PartialEq") {
            return None;
        }
        let mut types = Self::default();
        if let Ok(file) = syn::parse_file(&text) {
            types.add(&file.items);
        }
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
                Item::Mod(m) => {
                    if let Some((_, items)) = &m.content {
                        self.add(items);
                    }
                }
                // One that takes items as they are.
                Item::Macro(m) => {
                    if let Ok(inner) = m.mac.parse_body::<syn::File>() {
                        self.add(&inner.items);
                    }
                }
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
        match ty {
            Type::Paren(p) => self.of_type(&p.elem, depth),
            Type::Group(g) => self.of_type(&g.elem, depth),
            Type::Array(a) => self.of_type(&a.elem, depth),
            Type::Tuple(t) if !t.elems.is_empty() => {
                t.elems.iter().map(|ty| self.of_type(ty, depth)).fold(Derived::Order, Derived::min)
            }
            Type::Path(p) => match p.path.get_ident().map(ToString::to_string) {
                Some(name) if self.plain.contains_key(&name) => self.of_name(&name, depth),
                Some(name) if name == "f32" || name == "f64" => Derived::PartialOrder,
                Some(name) if crate::lower::is_primitive(&name) => Derived::Order,
                _ => Derived::Nothing,
            },
            _ => Derived::Nothing,
        }
    }
}

fn derived(attrs: &[Attribute]) -> Derived {
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
