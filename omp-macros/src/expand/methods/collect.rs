//! The structs and functions whose bodies replace their calls, collected from an offload item, or from the source file around it.
//!
//! An offload `mod` has them among its own items, and in the modules that it imports from. An item that stands alone has only itself, so
//! the file is read by the item's span: what counts is what the item names in its module, what this names, and so on
//! ([`crate::parse::tokens::outline`]). An item that the file has in several modules, or that a macro makes, has none.
use super::inline::usizes;
use super::items::{
    as_impl, as_index, derives, exclusive, has_lifetimes, head, is_conditional, is_dropped, is_iterator,
    is_only_one, is_owner, is_uncertain, mappers, of_traits, owners, reading, tier, traits_methods, whole,
};
use super::values::Values;
use super::{
    Method, Methods, Struct, behind, found, modules, name_of, names_any, names_any_but_declared, sums,
    templates,
};
use crate::expand::context::{self, Outer};
use crate::expand::is_declare_target;
use crate::expand::item::attributes_below::may_change;
use crate::expand::item::offloaded::declared_alone;
use crate::expand::rules;
use crate::iterate::chosen_part;
use crate::parse::aliases;
use crate::parse::functions::functions;
use crate::parse::tokens::file::SourceFile;
use crate::parse::tokens::outline::{Outline, Place};
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::HashSet;
use std::rc::Rc;
use syn::visit_mut::VisitMut;
use syn::{ImplItem, Item, ItemFn, ItemImpl, ItemMod, ItemStruct, Signature, Type};

impl Methods {
    /// The structs and functions of a module.
    pub fn of_module(items: &[Item], around: &[Item]) -> Self {
        let imported = modules::imported(items, around);
        let is = |s: &ItemStruct| !derives(&s.attrs, "Device");
        if imported.is_empty() && !rules::are_called_in(items) {
            return Self::of_items(items, is);
        }
        let mut all: Vec<Item> = items.iter().cloned().chain(imported).collect();
        rules::in_items(&mut all);
        Self::of_items(&all, is)
    }

    /// The same, for structs that `is` accepts.
    fn of_items(items: &[Item], is: impl Fn(&ItemStruct) -> bool) -> Self {
        let structs = items.iter().filter_map(|item| match item {
            Item::Struct(s) if is(s) => {
                let name = s.ident.to_string();
                let borrows = s.generics.lifetimes().next().is_some() && !is_dropped(items, &name);
                let of_traits = of_traits(items, &name);
                let with_traits = of_traits.iter().filter(|_| borrows);
                let methods = methods(items.iter().filter_map(|i| as_impl(i, &name)).chain(with_traits));
                let hidden = if borrows { HashSet::new() } else { traits_methods(items, &name) };
                let shown =
                    methods.into_iter().filter(|m| !hidden.contains(&m.function.sig.ident.to_string()));
                let indices = items.iter().filter_map(|i| as_index(i, &name)).collect();
                let (copies, maps) = (derives(&s.attrs, "Copy"), derives(&s.attrs, "Mapper"));
                Some(Struct {
                    methods: shown.collect(),
                    indices,
                    fields: Some(s.fields.clone()),
                    copies,
                    maps,
                    borrows,
                    generics: context::names(&s.generics).collect(),
                    clones: derives(&s.attrs, "Clone"),
                    iterates: of_traits.iter().any(is_iterator),
                    name,
                })
            }
            _ => None,
        });
        let mut structs: Vec<Struct> = structs.collect();
        // A struct that is declared twice, under conditions, may be either.
        let names: Vec<String> = structs.iter().map(|s| s.name.clone()).collect();
        structs.retain(|s| names.iter().filter(|name| **name == s.name).count() == 1);
        // A type parameter hides the struct of its name.
        structs.retain(|s| !s.generics.iter().any(|of| names.contains(of)));
        let atomics = Rc::new(super::atomics::of(items));
        let mut found = Self { structs: Rc::new(structs), atomics, ..Self::default() };
        let functions = items.iter().filter_map(|item| match item {
            Item::Fn(f) if found.stands_at_calls(f) && !is_uncertain(&f.attrs) => {
                let mut f = f.clone();
                chosen_part::in_function(&f.sig, &mut f.block);
                Some(f)
            }
            _ => None,
        });
        found.functions = Rc::new(functions.collect());
        let of_arrays = items.iter().filter_map(|item| match item {
            Item::Fn(f)
                if f.attrs.iter().any(is_declare_target)
                    && templates::takes_an_array(&f.sig)
                    && !found.stands_at_calls(f)
                    && !is_uncertain(&f.attrs) =>
            {
                Some(f.clone())
            }
            _ => None,
        });
        found.of_arrays = Rc::new(of_arrays.collect());
        let declared = items.iter().filter_map(|item| match item {
            Item::Impl(i) if i.trait_.is_none() && i.attrs.iter().any(is_declare_target) => Some(i),
            _ => None,
        });
        let inlined = |m: &Method| {
            let sig = &m.function.sig;
            let owner = name_of(&m.ty).is_some_and(|name| found.find(&name).is_some());
            let range = || {
                (templates::gives_a_range(sig)
                    || templates::takes_a_range(sig)
                    || templates::takes_an_iterator(sig)
                    || found::found_by(sig).is_some())
                    && is_only_one(items, &sig.ident, tier(&m.ty))
            };
            let atomics =
                || found.has_atomics(&m.function.block) && is_only_one(items, &sig.ident, tier(&m.ty));
            let of_arguments = templates::takes_closures(sig) || found.takes(sig);
            !owner && (of_arguments || sig.receiver().is_some() && (range() || atomics()))
        };
        // Each `impl` alone: a type tells methods of one name apart. (Not those of `S<f32>` and `S<f64>`.)
        let all: Vec<Method> = declared.flat_map(|i| methods(std::iter::once(i))).collect();
        let alike = |m: &Method, near: fn(&Type) -> String| {
            let same =
                |of: &&Method| of.function.sig.ident == m.function.sig.ident && near(&of.ty) == near(&m.ty);
            all.iter().filter(same).count() > 1
        };
        let by_tier = |ty: &Type| tier(ty).to_string();
        let by_name = |ty: &Type| format!("{} {:?}", tier(ty), name_of(ty));
        let several = all.iter().filter(|m| alike(m, by_tier));
        let several: HashSet<(u8, String)> =
            several.map(|m| (tier(&m.ty), m.function.sig.ident.to_string())).collect();
        let mut inlined: Vec<Method> =
            all.iter().filter(|m| !alike(m, by_name) && inlined(m)).cloned().collect();
        inlined.extend(sums::methods(items));
        let array_methods = all.iter().filter(|m| {
            let name = &m.function.sig.ident;
            let is = |of: &Method| of.function.sig.ident == *name && of.ty == m.ty;
            templates::takes_an_array(&m.function.sig)
                && !inlined.iter().any(is)
                && name_of(&m.ty).is_some_and(|of| {
                    found.find(&of).is_none() && !traits_methods(items, &of).contains(&name.to_string())
                })
        });
        found.array_methods = Rc::new(array_methods.cloned().collect());
        found.inlined = Rc::new(inlined);
        let apart =
            found.inlined.iter().any(|m| several.contains(&(tier(&m.ty), m.function.sig.ident.to_string())));
        found.values = Rc::new(Values::of_items(items, apart));
        found.several = Rc::new(several);
        found.exclusive = Rc::new(exclusive(items));
        found.reading = Rc::new(reading(items));
        found
    }

    /// The items of the source file around a module, with the structs that a region can't take left out. None, if the file has the
    /// module several times, or if a macro makes it.
    pub fn items_around(module: &ItemMod) -> Vec<Item> {
        let Some(file) = SourceFile::of(module.ident.span()) else { return Vec::new() };
        let (structs, functions) = (file.shows(owners), file.shows(templates::named_in));
        let is_named = |word: &str| structs.contains(word) || functions.contains(word);
        if !*file.shows(Values::may_be_in_file) && !names_any(module.to_token_stream(), &is_named) {
            return Vec::new();
        }
        let Some(place) = place_in(&file, &Item::Mod(module.clone()), &[&whole]) else { return Vec::new() };
        let items = file.shows(Outline::of).module_of(&file.text, place);
        let shown = |item: &Item| !matches!(item, Item::Struct(s) if is_conditional(&s.attrs));
        let mut items = items.into_iter().filter(shown).collect();
        declared_alone(&mut items);
        items
    }

    /// The structs and functions that an item names in its module of the source file. None, if the file has the item in several
    /// modules, or if a macro makes it.
    pub fn around(item: &Item) -> Self {
        let none = Self::default();
        let span = match item {
            Item::Fn(f) => f.sig.ident.span(),
            Item::Impl(i) => i.impl_token.span,
            _ => return none,
        };
        let Some(file) = SourceFile::of(span) else { return none };
        let (structs, functions) = (file.shows(owners), file.shows(templates::named_in));
        let is_named = |word: &str| structs.contains(word) || functions.contains(word);
        let method = match item {
            Item::Fn(f) if f.sig.receiver().is_some() => Some(f),
            _ => None,
        };
        // (Every item would name itself.)
        if method.is_none()
            && !*file.shows(Values::may_be_in_file)
            && !names_any_but_declared(item.to_token_stream(), &is_named)
        {
            return none;
        }
        if let Some(f) = method {
            return Self::of_method(f, &file);
        }
        let Some(place) = place_in(&file, item, &[&head, &whole]) else {
            return match item {
                // A function of a type, without `self`.
                Item::Fn(f) => Self::of_method(f, &file),
                _ => none,
            };
        };
        let mut items = named_by(&file, place);
        resolve(&mut items, span);
        Self::of_file(&items)
    }

    /// The structs and functions of a module in a source file. A method that names a field of a type that no device has stays a call,
    /// which is refused.
    fn of_file(items: &[Item]) -> Self {
        const HOSTS: [&str; 9] = [
            "String", "HashMap", "HashSet", "BTreeMap", "BTreeSet", "VecDeque", "RefCell", "Mutex", "RwLock",
        ];
        let mut found = Self { elsewhere: true, ..Self::of_items(items, is_owner) };
        for own in Rc::get_mut(&mut found.structs).into_iter().flatten() {
            let of_host = |f: &&syn::Field| names_any(f.ty.to_token_stream(), &|word| HOSTS.contains(&word));
            let hosts: Vec<String> = own
                .fields
                .iter()
                .flatten()
                .filter(of_host)
                .filter_map(|f| f.ident.as_ref().map(Ident::to_string))
                .collect();
            own.methods.retain(|m| {
                !names_any(m.function.block.to_token_stream(), &|word| hosts.iter().any(|name| *name == word))
            });
        }
        found
    }

    /// The structs and functions around a method that has an attribute of its own, with the other methods of its `impl`s.
    fn of_method(f: &ItemFn, file: &SourceFile) -> Self {
        let none = Self::default();
        let Some((place, of)) = impl_around(f, file) else { return none };
        let Some(name) = name_of(behind(&of.self_ty)) else { return none };
        let mut items = named_by(file, place);
        rules::in_items(&mut items);
        let methods = Self::of_file(&items);
        if methods.find(&name).is_none() {
            return none;
        }
        let generics = context::names(&of.generics).collect();
        Self { self_name: Some(name.clone()), generics, ..methods.of_impl(&of, name) }
    }

    /// The inherent `impl` around a function that has an attribute of its own, with this function alone, and what the `impl` names. None,
    /// if it is no associated function, or if a macro makes it.
    pub fn around_method(f: &ItemFn) -> Option<(Self, ItemImpl)> {
        let span = f.sig.ident.span();
        let file = SourceFile::of(span)?;
        let (place, of) = impl_around(f, &file)?;
        let method = syn::parse2(f.to_token_stream()).ok()?;
        let mut items = named_by(&file, place);
        resolve(&mut items, span);
        Some((Self::of_file(&items), ItemImpl { attrs: Vec::new(), items: vec![ImplItem::Fn(method)], ..of }))
    }

    /// Whether a function stands in an `impl` of a struct that borrows, which a device has by its parts alone.
    pub fn is_of_borrowing(f: &ItemFn) -> bool {
        let Some(file) = SourceFile::of(f.sig.ident.span()) else { return false };
        impl_around(f, &file).is_some_and(|(_, of)| has_lifetimes(&of.self_ty))
    }

    /// What the function of this name stands in, as the source file shows.
    pub fn outer_of(name: &Ident) -> Option<Outer> {
        let file = SourceFile::of(name.span())?;
        let outline = file.shows(Outline::of);
        match outline.parse(&file.text, outline.around_name(&file.text, name)?)? {
            Item::Impl(i) => Some(Outer::of_impl(&i)),
            Item::Fn(f) => Some(if f.sig.ident == *name { Outer::Module } else { Outer::Trait }),
            _ => Some(Outer::Trait),
        }
    }

    /// Whether the file declares a type of this name as a device type.
    pub fn is_device_type(ty: &Type) -> bool {
        let Type::Path(p) = behind(ty) else { return false };
        let Some(name) = p.path.segments.last().map(|s| &s.ident) else { return false };
        let is = |item: &Item| match item {
            Item::Struct(s) => s.ident == *name && derives(&s.attrs, "Device"),
            Item::Enum(e) => e.ident == *name && derives(&e.attrs, "Device"),
            _ => false,
        };
        SourceFile::of(name.span())
            .is_some_and(|file| file.shows(Outline::of).types(&file.text, &name.to_string()).iter().any(is))
    }

    /// Whether the module of the file that has a function or `impl` declares the type of this name. (A function may have types of its own,
    /// and a method has no items next to it.)
    pub fn stands_next_to(item: &Item, name: &Ident) -> bool {
        let (span, method) = match item {
            Item::Fn(f) => (f.sig.ident.span(), Some(f.sig.ident.to_string())),
            Item::Impl(i) => (i.impl_token.span, None),
            _ => return false,
        };
        SourceFile::of(span).is_some_and(|file| {
            let outline = file.shows(Outline::of);
            method.is_none_or(|method| outline.impls_with(&method).is_empty())
                && outline.like(item).iter().any(|place| outline.has_alias(*place, &name.to_string()))
        })
    }

    /// Whether a method stands in an `impl` of a struct with `#[derive(omp::Mapper)]`, in a module of the source file.
    pub fn have(sig: &Signature) -> bool {
        let Some(file) = SourceFile::of(sig.ident.span()) else { return false };
        let (names, name) = (file.shows(mappers), sig.ident.to_string());
        let sig = sig.to_token_stream().to_string();
        let is =
            |item: &ImplItem| matches!(item, ImplItem::Fn(f) if f.sig.to_token_stream().to_string() == sig);
        let outline = file.shows(Outline::of);
        let impls = outline.impls_with(&name).into_iter().filter_map(|place| {
            match outline.parse(&file.text, place) {
                Some(Item::Impl(i)) => Some(i),
                _ => None,
            }
        });
        let mut with = impls.filter(|i| i.items.iter().any(is)).peekable();
        with.peek().is_some() && with.all(|i| name_of(&i.self_ty).is_some_and(|name| names.contains(&name)))
    }

    /// In a declared `impl`, where `self` is a device type.
    pub fn of_type(self, item: &ItemImpl) -> Self {
        let self_name = name_of(behind(&item.self_ty));
        let owner = self_name.clone().filter(|name| self.values.find(name).is_some());
        Self { owner, self_name, self_type: Some(behind(&item.self_ty).clone()), ..self }
    }

    /// In an `impl`: as in what is around it, or those of the `impl` alone.
    pub fn in_impl(&self, item: &ItemImpl) -> Self {
        // (`impl Mul for &Matrix` has a struct behind `self`, too.)
        let Some(name) = name_of(behind(&item.self_ty)) else { return Self::default() };
        let self_type = Some(behind(&item.self_ty).clone());
        Self { self_name: Some(name.clone()), self_type, ..self.of_impl(item, name) }
    }

    fn of_impl(&self, item: &ItemImpl, name: String) -> Self {
        if self.find(&name).is_some() {
            return Self { this: Some(name), ..self.clone() };
        }
        let owner = self.values.find(&name).map(|_| name.clone());
        if !self.has_no_calls() || item.trait_.is_some() {
            return Self { owner, ..self.clone() };
        }
        let own = Struct {
            name: name.clone(),
            generics: Vec::new(),
            copies: false,
            maps: false,
            borrows: false,
            clones: false,
            iterates: false,
            fields: None,
            // (A method that calls itself stays a call.)
            methods: methods(std::iter::once(item)).into_iter().filter(|m| !calls_itself(m)).collect(),
            indices: vec![],
        };
        let structs = Rc::new(vec![own]);
        Self {
            structs,
            this: Some(name),
            values: self.values.clone(),
            of_arrays: self.of_arrays.clone(),
            array_methods: self.array_methods.clone(),
            exclusive: self.exclusive.clone(),
            reading: self.reading.clone(),
            atomics: self.atomics.clone(),
            owner,
            ..Self::default()
        }
    }
}

/// Where an item is in a file, if it is in one module only. If several have an item of the first identity, the next one decides.
fn place_in(file: &SourceFile, item: &Item, identities: &[&dyn Fn(&Item) -> String]) -> Option<Place> {
    let outline = file.shows(Outline::of);
    let mut found: Vec<(Place, Item)> = outline
        .like(item)
        .into_iter()
        .filter(|place| is_module_there(file, *place))
        .filter_map(|place| Some((place, outline.parse(&file.text, place)?)))
        .collect();
    for identity in identities {
        let of = identity(item);
        found.retain(|(_, item)| identity(item) == of);
        let (place, _) = found.first()?;
        if found.iter().all(|(other, _)| other.module == place.module) {
            return Some(*place);
        }
    }
    None
}

/// Puts types in the place of their names, and what macros make in the place of macros.
fn resolve(items: &mut [Item], span: proc_macro2::Span) {
    for item in items.iter_mut() {
        aliases::resolve_in(item, span, false);
    }
    rules::in_items(items);
}

/// The inherent `impl` that a function stands in, and where it is in the file.
fn impl_around(f: &ItemFn, file: &SourceFile) -> Option<(Place, ItemImpl)> {
    let outline = file.shows(Outline::of);
    let place =
        outline.around_name(&file.text, &f.sig.ident).filter(|place| is_module_there(file, *place))?;
    match outline.parse(&file.text, place)? {
        Item::Impl(i) if i.trait_.is_none() && !may_change(&i.attrs) => {
            let sig = f.sig.to_token_stream().to_string();
            let has = i
                .items
                .iter()
                .any(|item| matches!(item, ImplItem::Fn(m) if m.sig.to_token_stream().to_string() == sig));
            has.then_some((place, i))
        }
        _ => None,
    }
}

/// The items that the item in a place names, those of modules nearby among them.
fn named_by(file: &SourceFile, place: Place) -> Vec<Item> {
    let (outline, text) = (file.shows(Outline::of), &file.text);
    let mut items = outline.around(text, place);
    let parent = outline.module_around(place);
    let is_module = |name: &Ident| outline.has_module(place, &name.to_string());
    let by_paths = file.shows(templates::are_named_by_paths);
    if *by_paths || modules::may_import(&outline.imports(text, place), parent.is_some(), &is_module) {
        let around = parent.map_or_else(Vec::new, |parent| outline.module_of(text, parent));
        items.extend(modules::imported(&outline.module_of(text, place), &around));
    }
    declared_alone(&mut items);
    items
}

/// Whether no attribute changes the modules around a place.
fn is_module_there(file: &SourceFile, place: Place) -> bool {
    let outline = file.shows(Outline::of);
    outline.modules_around(&file.text, place).all(|m| m.is_some_and(|m| !may_change(&m.attrs)))
}

/// The inherent methods of `impl`s whose names are unique.
pub(super) fn methods<'a>(impls: impl Iterator<Item = &'a ItemImpl>) -> Vec<Method> {
    let mut found: Vec<Method> = Vec::new();
    for item in impls {
        let generics: Vec<String> = context::names(&item.generics).collect();
        found.extend(functions(item).map(|f| {
            let mut function = f.clone();
            // Conditions of the whole are those of each.
            function.attrs.extend(item.attrs.iter().cloned());
            Elided.visit_impl_item_fn_mut(&mut function);
            chosen_part::in_function(&function.sig, &mut function.block);
            Method {
                function,
                generics: generics.clone(),
                usizes: usizes(&item.generics).collect(),
                ty: (*item.self_ty).clone(),
                given: Vec::new(),
            }
        }));
    }
    let names: Vec<String> = found.iter().map(|m| m.function.sig.ident.to_string()).collect();
    let once = |m: &Method| names.iter().filter(|n| m.function.sig.ident == **n).count() == 1;
    found.retain(|m| once(m) && !is_uncertain(&m.function.attrs));
    found
}

/// Whether a method's body names the method.
fn calls_itself(m: &Method) -> bool {
    let name = m.function.sig.ident.to_string();
    names_any(m.function.block.to_token_stream(), &|word| word == name)
}

/// Takes the names of lifetimes out of types: at a call they mean nothing.
pub(super) struct Elided;

impl VisitMut for Elided {
    fn visit_type_reference_mut(&mut self, r: &mut syn::TypeReference) {
        syn::visit_mut::visit_type_reference_mut(self, r);
        r.lifetime = r.lifetime.take().filter(|l| l.ident == "static");
    }
    fn visit_generic_argument_mut(&mut self, a: &mut syn::GenericArgument) {
        syn::visit_mut::visit_generic_argument_mut(self, a);
        if let syn::GenericArgument::Lifetime(l) = a
            && l.ident != "static"
        {
            l.ident = Ident::new("_", l.ident.span());
        }
    }
}
