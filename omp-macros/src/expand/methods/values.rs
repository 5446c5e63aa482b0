//! Infers types of device values from tokens, and inlines those subscripts and methods of such values that give places.
//!
//! A device function can't return a reference. So a subscript `m[(i, j)]` by an `Index` of a device type, and a call of a method that
//! returns a slice or a `&mut`, are replaced by their bodies, as those of structs that own arrays are. This needs the type of
//! `m` before rustc infers it: it comes from heads of functions, fields of structs, `let`s, and what is computed from these. If
//! tokens don't show the type, nothing is rewritten, and the subscript is an error.
mod types;

use super::collect::methods;
use super::items::{as_index, derives, has_lifetimes, index_of, is_conditional};
use super::{Method, behind, name_of, names_any};
use crate::parse::tokens::leaves::idents;
use crate::sema::syntax::forms::strip;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::visit::Visit;
use syn::{Block, Expr, Fields, ImplItem, Item, ItemImpl, Member, ReturnType, Signature, Type};
pub(super) use types::{Types, of_function};

/// A type, without references and parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    /// A path of one segment.
    Named(String),
    /// An array, a slice, a `Vec`, what iterates one, or a `Result`.
    Array(Box<Ty>),
    Option(Box<Ty>),
    /// An array of a fixed length, by value or by reference.
    Fixed(Box<Ty>),
    Tuple(Vec<Option<Ty>>),
}

/// A device type of a module.
pub(super) struct Value {
    name: String,
    /// Its const and type parameters.
    parameters: Vec<String>,
    fields: Fields,
    /// The types of the results of functions and methods, and of consts.
    results: HashMap<String, Ty>,
    /// `Index` and, if the flag is set, `IndexMut`, with the types of their subscripts.
    pub indices: Vec<(bool, Type, Method)>,
    /// The type of an `Index`'s result.
    output: Option<Ty>,
    /// Methods that return slices and `&mut` to parts of their receiver.
    pub places: Vec<Method>,
    /// The types of operators' results: the method's trait, and the type of the other operand.
    operators: Vec<(String, Option<Ty>, Ty)>,
}

/// The device types of a module, if some of them have subscripts or methods that give places.
#[derive(Default)]
pub(super) struct Values {
    types: Vec<Value>,
    functions: HashMap<String, Ty>,
    consts: HashMap<String, Ty>,
    /// The types of the results of traits' functions and methods and of their consts, where all of one name have one.
    of_traits: HashMap<String, Option<Ty>>,
    /// Methods that return `&mut Self`, whatever the type.
    builders: HashSet<String>,
    /// Tables behind references: `const T: &[u8]`.
    tables: HashSet<String>,
    /// The variants of enums, with the names of their fields.
    enums: HashMap<String, Vec<(String, Vec<String>)>>,
    /// Enums have data.
    data: bool,
    /// Types with parameters, and how many.
    generic: HashMap<String, usize>,
    /// Functions import variants.
    imports: bool,
    /// Structs that are no device types: their fields, and what their functions and methods are.
    others: HashMap<String, (Fields, HashMap<String, Ty>)>,
    /// Other names of fixed arrays' types.
    fixed: HashSet<String>,
    /// Other names of `Option`s.
    optional: HashSet<String>,
    /// Other names of device types.
    aliases: HashMap<String, String>,
    /// Something has a `map`, and fixed arrays have names.
    maps: bool,
    /// Something is flattened, and there are `Option`s.
    options: bool,
    /// Elements are looked up, and there are consts that are arrays.
    lookups: bool,
    /// Types have sums of their own.
    sums: bool,
    /// Types that are iterators, with the types of their items.
    iterators: HashMap<String, Option<Ty>>,
}

impl Values {
    /// `needed`: a call needs the types of values, whatever the items have.
    pub fn of_items(items: &[Item], needed: bool) -> Self {
        let structs = items.iter().filter_map(|item| match item {
            Item::Struct(s) if derives(&s.attrs, "Device") && !is_conditional(&s.attrs) => Some(s),
            _ => None,
        });
        let enums = items.iter().filter_map(|item| match item {
            Item::Enum(e) if derives(&e.attrs, "Device") && !is_conditional(&e.attrs) => {
                Some((&e.ident, &e.generics, Fields::Unit))
            }
            _ => None,
        });
        let mut types: Vec<Value> = structs
            .map(|s| (&s.ident, &s.generics, s.fields.clone()))
            .chain(enums)
            .map(|(name, generics, fields)| Value {
                name: name.to_string(),
                parameters: crate::expand::context::names(generics).collect(),
                fields,
                results: HashMap::new(),
                indices: vec![],
                output: None,
                places: vec![],
                operators: vec![],
            })
            .collect();
        let names: Vec<String> = types.iter().map(|t| t.name.clone()).collect();
        types.retain(|t| names.iter().filter(|name| **name == t.name).count() == 1);
        let mut found = Self { types, ..Self::default() };
        let mut others = HashSet::new();
        for item in items {
            if let Item::Struct(s) = item
                && !derives(&s.attrs, "Device")
                && !is_conditional(&s.attrs)
            {
                found.others.insert(s.ident.to_string(), (s.fields.clone(), HashMap::new()));
            }
        }
        for item in items {
            match item {
                Item::Impl(i) => found.add_impl(i, item, &mut others),
                Item::Trait(t) => found.add_trait(t),
                Item::Fn(f) => {
                    found.functions.extend(result(&f.sig, None).map(|ty| (f.sig.ident.to_string(), ty)));
                }
                Item::Const(c) => found.add_const(&c.ident, &c.ty),
                Item::Static(s) => found.add_const(&s.ident, &s.ty),
                Item::Type(t) if matches!(&*t.ty, Type::Array(_)) => {
                    found.fixed.insert(t.ident.to_string());
                }
                Item::Type(t) if matches!(Ty::of(&t.ty, None), Some(Ty::Option(_))) => {
                    found.optional.insert(t.ident.to_string());
                }
                Item::Type(t) => {
                    let known = |name: &String| found.types.iter().any(|of| of.name == *name);
                    let of = name_of(&t.ty).filter(known);
                    found.aliases.extend(of.map(|of| (t.ident.to_string(), of)));
                }
                Item::Struct(s) if derives(&s.attrs, "Device") => found.add_generic(&s.ident, &s.generics),
                Item::Enum(e) => {
                    let name = |m: Member| m.to_token_stream().to_string();
                    let variants = e
                        .variants
                        .iter()
                        .map(|v| (v.ident.to_string(), v.fields.members().map(name).collect()))
                        .collect();
                    found.data |= e.variants.iter().any(|v| !v.fields.is_empty());
                    found.enums.insert(e.ident.to_string(), variants);
                    if derives(&e.attrs, "Device") {
                        found.add_generic(&e.ident, &e.generics);
                    }
                }
                _ => {}
            }
        }
        found.builders.retain(|name| !others.contains(name));
        let named = Named::of(items);
        found.imports = named.imports;
        let is_fixed = |ty: &Ty| match ty {
            Ty::Fixed(_) => true,
            Ty::Named(name) => found.fixed.contains(name),
            _ => false,
        };
        let results = found.types.iter().flat_map(|t| t.results.values());
        // (Fields with names are found where they are taken.)
        let fields = found.types.iter().flat_map(|t| &t.fields).filter(|f| f.ident.is_none());
        let fields: Vec<Ty> = fields.filter_map(|f| Ty::of(&f.ty, None)).collect();
        let results = results.chain(found.functions.values()).chain(found.consts.values());
        found.maps = named.maps && results.chain(&fields).any(is_fixed);
        found.options = named.flattens && named.options;
        found.sums = items.iter().any(|item| matches!(item, Item::Impl(i) if super::sums::is_impl(i)));
        found.lookups = named.lookups && found.consts.values().any(is_fixed);
        if needed || found.is_needed() { found } else { Self::default() }
    }

    fn add_impl(&mut self, i: &ItemImpl, item: &Item, others: &mut HashSet<String>) {
        let Some(name) = name_of(behind(&i.self_ty)) else { return };
        let declared = i.attrs.iter().any(super::super::is_declare_target);
        for item in &i.items {
            if let ImplItem::Fn(f) = item {
                let method = f.sig.ident.to_string();
                if gives_self(&f.sig) && declared && i.trait_.is_none() {
                    self.builders.insert(method);
                } else {
                    others.insert(method);
                }
            }
        }
        let scalar = self.types.iter().all(|t| t.name != name);
        let operator = i.trait_.as_ref().and_then(|(path, _)| path.segments.last());
        if let Some(of) = operator {
            let rhs = match &of.arguments {
                syn::PathArguments::AngleBracketed(a) => a.args.first().and_then(|a| match a {
                    syn::GenericArgument::Type(ty) => Ty::of(ty, Some(&name)),
                    _ => None,
                }),
                _ => Some(Ty::Named(name.clone())),
            };
            let output = i.items.iter().find_map(|item| match item {
                ImplItem::Type(t) if t.ident == "Output" => Ty::of(&t.ty, Some(&name)),
                _ => None,
            });
            let trait_ = of.ident.to_string();
            if trait_ == "Iterator" && declared && !is_conditional(&i.attrs) && !has_lifetimes(&i.self_ty) {
                let item = i.items.iter().find_map(|item| match item {
                    ImplItem::Type(t) if t.ident == "Item" => Some(Ty::of(&t.ty, Some(&name))),
                    _ => None,
                });
                self.iterators.insert(name.clone(), item.flatten());
            }
            // The type of `2.0 * v` is found by `v`.
            let owner = match (&rhs, scalar) {
                (Some(Ty::Named(rhs)), true) => rhs.clone(),
                _ => name.clone(),
            };
            let Some(value) = self.types.iter_mut().find(|t| t.name == owner) else { return };
            if let (Some(output), "Index") = (&output, &*trait_) {
                value.output = Some(output.clone());
            }
            if declared && !scalar {
                value.indices.extend(as_index(item, &name));
            }
            if let Some(output) = output {
                let other = if scalar { Some(Ty::Named(name)) } else { rhs };
                value.operators.push((trait_, other, output));
            }
            return;
        }
        if let Some((_, results)) = self.others.get_mut(&name) {
            results.extend(results_of(i, &name));
        }
        let Some(value) = self.types.iter_mut().find(|t| t.name == name) else { return };
        value.results.extend(results_of(i, &name));
        if declared {
            value
                .places
                .extend(methods(std::iter::once(i)).into_iter().filter(|m| gives_place(&m.function.sig)));
        }
    }

    fn add_trait(&mut self, t: &syn::ItemTrait) {
        for item in &t.items {
            let (name, ty) = match item {
                syn::TraitItem::Fn(f) => (&f.sig.ident, result(&f.sig, None)),
                syn::TraitItem::Const(c) => (&c.ident, Ty::of(&c.ty, None)),
                _ => continue,
            };
            let known = self.of_traits.entry(name.to_string()).or_insert_with(|| ty.clone());
            if *known != ty {
                *known = None;
            }
        }
    }

    fn add_const(&mut self, name: &proc_macro2::Ident, ty: &Type) {
        self.consts.extend(Ty::of(ty, None).map(|ty| (name.to_string(), ty)));
        if matches!(ty, Type::Reference(r) if matches!(&*r.elem, Type::Slice(_) | Type::Array(_))) {
            self.tables.insert(name.to_string());
        }
    }

    fn add_generic(&mut self, name: &proc_macro2::Ident, generics: &syn::Generics) {
        if !generics.params.is_empty() {
            self.generic.insert(name.to_string(), generics.params.len());
        }
    }

    fn is_needed(&self) -> bool {
        let arrays = self.types.iter().any(|t| t.fields.iter().any(|f| matches!(f.ty, Type::Array(_))));
        let named =
            arrays || !self.builders.is_empty() || !self.tables.is_empty() || !self.generic.is_empty();
        named
            || self.maps
            || self.options
            || self.lookups
            || self.sums
            || !self.iterators.is_empty()
            || !self.others.is_empty()
            || self.imports
            || self.data
            || self.types.iter().any(|t| !t.indices.is_empty() || !t.places.is_empty())
    }

    /// Whether a file may have some, as its text shows it: if not, it is not parsed.
    pub fn may_be_in_file(text: &str) -> bool {
        let subscripts = text.contains("Index<") || text.contains("IndexMut<");
        let results = [
            "-> &mut ",
            "-> &[",
            ": &[",
            ": &'static [",
            "::*;",
            "Iterator<Item",
            "Iterator for ",
            "slice::Iter",
        ];
        // Patterns that leave parts out of what is changed are completed.
        let changed =
            text.contains("&mut") && [", ..", "{ .. }", "(.."].iter().any(|rest| text.contains(rest));
        let all = subscripts || changed || results.iter().any(|result| text.contains(result));
        let maps =
            text.contains(".map(") && ["-> [", ": [", "([", "pub ["].iter().any(|array| text.contains(array));
        let options = text.contains(".flatten()") && text.contains("Option<");
        let constants = ["const ", "static "].iter().any(|item| text.contains(item)) && text.contains(": [");
        let lookups = constants && [".get(", ".first()", ".last()"].iter().any(|call| text.contains(call));
        let sums = ["Sum for ", "Sum<", "Product for ", "Product<"].iter().any(|of| text.contains(of));
        text.contains("Device") && (all || sums) || text.contains("omp::") && (maps || options || lookups)
    }

    pub fn is_empty(&self) -> bool {
        !self.is_needed()
    }

    fn has_variant(&self, of: &str, name: &str) -> bool {
        self.enums.get(of).is_some_and(|variants| variants.iter().any(|(variant, _)| variant == name))
    }

    pub fn enum_(&self, name: &str) -> Option<Vec<String>> {
        Some(self.enums.get(name)?.iter().map(|(variant, _)| variant.clone()).collect())
    }

    /// The fields of what a pattern names.
    pub fn fields_of(&self, path: &syn::Path, this: Option<&str>) -> Option<Vec<String>> {
        let mut names = path.segments.iter().rev().map(|s| s.ident.to_string());
        let (last, before) = (names.next()?, names.next());
        let whole = |name: &str| if name == "Self" { this.map(str::to_owned) } else { Some(name.to_owned()) };
        match before {
            Some(of) => {
                let variants = self.enums.get(&whole(&of)?)?;
                variants.iter().find(|(variant, _)| *variant == last).map(|(_, fields)| fields.clone())
            }
            None => {
                let fields = &self.find(&whole(&last)?)?.fields;
                Some(fields.members().map(|m| m.to_token_stream().to_string()).collect())
            }
        }
    }

    /// `TABLE` behind a reference.
    pub fn is_table(&self, e: &Expr) -> bool {
        matches!(e, Expr::Path(p) if p.path.get_ident().is_some_and(|name| self.tables.contains(&name.to_string())))
    }

    /// `Matrix::ZERO` of a type with parameters, with a place for each of them.
    pub fn with_parameters(&self, path: &mut syn::Path) {
        let [of, member] = &mut path.segments.iter_mut().collect::<Vec<_>>()[..] else { return };
        if let Some(n) = self.generic.get(&of.ident.to_string())
            && of.arguments.is_none()
            && member.arguments.is_none()
        {
            let any = std::iter::repeat_n(quote::quote!(_), *n);
            of.arguments = syn::PathArguments::AngleBracketed(syn::parse_quote!(::<#(#any),*>));
        }
    }

    /// Whether a name is that of a type, or an alias of it.
    pub fn is_named(&self, name: &str, ty: &str) -> bool {
        self.aliases.get(name).map_or(name, String::as_str) == ty
    }

    pub fn find(&self, name: &str) -> Option<&Value> {
        let name = self.aliases.get(name).map_or(name, String::as_str);
        self.types.iter().find(|t| t.name == name)
    }

    /// Whether an `impl` is of an `Index` of one of these types.
    pub fn index(&self, item: &ItemImpl) -> bool {
        index_of(item).is_some() && name_of(&item.self_ty).is_some_and(|name| self.find(&name).is_some())
    }

    /// Whether a method returns its `&mut self`, as all of its name do.
    pub fn is_builder(&self, name: &str) -> bool {
        self.builders.contains(name)
    }

    /// Whether tokens may have something that is rewritten.
    pub fn may_be_in(&self, tokens: TokenStream) -> bool {
        fn has_brackets(tokens: TokenStream) -> bool {
            tokens.into_iter().any(|t| match t {
                TokenTree::Group(g) => g.delimiter() == Delimiter::Bracket || has_brackets(g.stream()),
                _ => false,
            })
        }
        let subscripts = self.types.iter().any(|t| !t.indices.is_empty());
        let named = |word: &str| {
            let places = || self.types.iter().flat_map(|t| &t.places);
            let known =
                self.builders.contains(word) || self.tables.contains(word) || self.generic.contains_key(word);
            known
                || word == "use"
                || self.maps && word == "map"
                || self.options && word == "flatten"
                || self.data && word == "match"
                || is_of_slices(word)
                || places().any(|m| m.function.sig.ident == word)
        };
        !self.iterators.is_empty() || subscripts && has_brackets(tokens.clone()) || names_any(tokens, &named)
    }
}

impl Value {
    /// The expressions that have the values of const parameters: lengths of arrays that are fields. `of`: the type of an `impl`, with the
    /// names there.
    pub fn lengths(&self, of: &Type) -> Vec<(String, TokenStream)> {
        let Type::Path(p) = behind(of) else { return vec![] };
        let Some(syn::PathArguments::AngleBracketed(given)) = p.path.segments.last().map(|s| &s.arguments)
        else {
            return vec![];
        };
        let names = given.args.iter().filter_map(|arg| match arg {
            syn::GenericArgument::Type(Type::Path(p)) => p.path.get_ident(),
            syn::GenericArgument::Const(Expr::Path(p)) => p.path.get_ident(),
            _ => None,
        });
        let names: Vec<String> = names.map(ToString::to_string).collect();
        if names.len() != self.parameters.len() {
            return vec![];
        }
        let length = |parameter: &String| {
            self.fields.iter().zip(self.fields.members()).find_map(|(field, member)| {
                let mut place = quote::quote!(self.#member);
                let mut ty = &field.ty;
                while let Type::Array(a) = ty {
                    if matches!(&a.len, Expr::Path(p) if p.path.is_ident(parameter)) {
                        return Some(quote::quote!(#place.len()));
                    }
                    place = quote::quote!(#place[0]);
                    ty = &a.elem;
                }
                None
            })
        };
        names.into_iter().zip(&self.parameters).filter_map(|(name, of)| Some((name, length(of)?))).collect()
    }
}

/// What items name. (Their tokens would have it too, but are made anew each time.)
#[derive(Default)]
struct Named {
    /// Functions have imports of their own.
    imports: bool,
    maps: bool,
    flattens: bool,
    options: bool,
    lookups: bool,
}

impl Named {
    fn of(items: &[Item]) -> Self {
        let mut named = Self::default();
        for item in items {
            let imported = named.imports;
            named.visit_item(item);
            if !matches!(item, Item::Fn(_) | Item::Impl(_)) {
                named.imports = imported;
            }
        }
        named
    }

    fn word(&mut self, ident: &proc_macro2::Ident) {
        self.imports |= ident == "use";
        self.maps |= ident == "map";
        self.flattens |= ident == "flatten";
        self.options |= ident == "Option";
        self.lookups |= is_lookup(&ident.to_string());
    }
}

impl<'ast> Visit<'ast> for Named {
    fn visit_ident(&mut self, ident: &'ast proc_macro2::Ident) {
        self.word(ident);
    }
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.imports = true;
        syn::visit::visit_item_use(self, item);
    }
    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        idents(m.tokens.clone()).for_each(|ident| self.word(&ident));
    }
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}

/// Whether slices have a method of this name, which is found where they are known to be some.
pub fn is_of_slices(name: &str) -> bool {
    let whole = crate::iterate::WHOLE.iter().any(|(method, _)| *method == name && name != "map");
    whole || name == "get_mut" || is_lookup(name)
}

/// The same of those that give elements or parts to read.
pub fn is_lookup(name: &str) -> bool {
    ["get", "first", "last", "split_at", "split_first", "split_last"].contains(&name)
}

/// Whether a method returns a place, or an iterator over one, that no device function can return.
pub fn gives_place(sig: &Signature) -> bool {
    let by_reference = |r: &syn::Receiver| matches!(r.kind, syn::ReceiverKind::Reference(..));
    let slice = |ty: &Type| matches!(ty, Type::Slice(_));
    let place = matches!(&sig.output, ReturnType::Type(_, ty)
        if matches!(&**ty, Type::Reference(r) if r.mutability.is_some() || slice(&r.elem)));
    let iterator = super::templates::gives_an_iterator(sig);
    (place && sig.receiver().is_some_and(by_reference) || iterator && sig.receiver().is_some())
        && !gives_self(sig)
}

/// Whether a method returns `&mut Self`.
pub fn gives_self(sig: &Signature) -> bool {
    let of_self = matches!(&sig.output, ReturnType::Type(_, ty)
        if matches!(&**ty, Type::Reference(r) if r.mutability.is_some() && name_of(&r.elem).is_some_and(|n| n == "Self")));
    let exclusive = |r: &syn::Receiver| matches!(r.kind, syn::ReceiverKind::Reference(_, _, Some(_)));
    of_self && sig.receiver().is_some_and(exclusive)
}

/// The types of what the functions and methods of an `impl` give, and of its consts.
fn results_of(i: &ItemImpl, this: &str) -> Vec<(String, Ty)> {
    let of = |item: &ImplItem| match item {
        ImplItem::Fn(f) => Some((f.sig.ident.to_string(), result(&f.sig, Some(this))?)),
        ImplItem::Const(c) => Some((c.ident.to_string(), Ty::of(&c.ty, Some(this))?)),
        _ => None,
    };
    i.items.iter().filter_map(of).collect()
}

fn result(sig: &Signature, this: Option<&str>) -> Option<Ty> {
    match &sig.output {
        ReturnType::Type(_, ty) => Ty::of(ty, this),
        ReturnType::Default => None,
    }
}

impl Ty {
    pub fn of(ty: &Type, this: Option<&str>) -> Option<Self> {
        match behind(ty) {
            Type::Array(a) => Some(Self::Fixed(Box::new(Self::of(&a.elem, this)?))),
            Type::Slice(s) => Some(Self::Array(Box::new(Self::of(&s.elem, this)?))),
            Type::Tuple(t) => Some(Self::Tuple(t.elems.iter().map(|ty| Self::of(ty, this)).collect())),
            // The items of an iterator have the type of an array's.
            Type::ImplTrait(t) => {
                let item = t.bounds.iter().find_map(super::templates::item_of)?;
                Some(Self::Array(Box::new(Self::of(item, this)?)))
            }
            ty @ Type::Path(p) => {
                if let Some(last) =
                    p.path.segments.last().filter(|s| {
                        ["Vec", "Option", "Result", "Arc", "Rc"].iter().any(|name| s.ident == name)
                    })
                    && let syn::PathArguments::AngleBracketed(a) = &last.arguments
                    && let Some(syn::GenericArgument::Type(of)) = a.args.first()
                {
                    let of = Self::of(of, this)?;
                    return Some(match last.ident.to_string().as_str() {
                        "Vec" | "Result" => Self::Array(Box::new(of)),
                        "Option" => Self::Option(Box::new(of)),
                        _ => of,
                    });
                }
                let name = name_of(ty)?;
                Some(Self::Named(if name == "Self" { this?.to_owned() } else { name }))
            }
            _ => None,
        }
    }

    fn element(self) -> Option<Self> {
        match self {
            Self::Array(of) | Self::Fixed(of) | Self::Option(of) => Some(*of),
            _ => None,
        }
    }

    /// The type of the items of an iteration.
    fn iterated(self) -> Self {
        match self {
            Self::Fixed(of) => Self::Array(of),
            other => other,
        }
    }
}

impl<'v> Types<'v> {
    /// The types in a region in a function with these variables.
    pub fn around(values: &'v Values, this: Option<&str>, variables: &HashMap<String, Ty>) -> Self {
        let all = variables.iter().map(|(name, ty)| (name.clone(), Some(ty.clone()))).collect();
        Self { values, this: this.map(str::to_owned), parameters: vec![], scopes: vec![all] }
    }
}

/// The function without its result: `self` at the end, and `return self`, is nothing.
pub fn without_self(f: &syn::ImplItemFn) -> syn::ImplItemFn {
    struct Returns;
    impl syn::visit_mut::VisitMut for Returns {
        fn visit_expr_mut(&mut self, e: &mut Expr) {
            if let Expr::Return(r) = e
                && let Some(value) = &r.expr
            {
                *e = if is_self(value) {
                    syn::parse_quote!(return)
                } else {
                    syn::parse_quote!({ #value; return })
                };
            }
            syn::visit_mut::visit_expr_mut(self, e);
        }
        fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
        fn visit_item_mut(&mut self, _: &mut Item) {}
    }
    let mut f = f.clone();
    f.sig.output = ReturnType::Default;
    syn::visit_mut::VisitMut::visit_block_mut(&mut Returns, &mut f.block);
    tail(&mut f.block);
    f
}

fn tail(block: &mut Block) {
    let Some(syn::Stmt::Expr(e, semi @ None)) = block.stmts.last_mut() else { return };
    match e {
        e if is_self(e) => drop(block.stmts.pop()),
        Expr::If(i) => {
            tail(&mut i.then_branch);
            if let Some((_, other)) = &mut i.else_branch {
                match &mut **other {
                    Expr::Block(b) => tail(&mut b.block),
                    other => {
                        let inner = other.clone();
                        let mut block: Block = syn::parse_quote!({ #inner });
                        tail(&mut block);
                        *other = syn::parse_quote!(#block);
                    }
                }
            }
        }
        Expr::Block(b) => tail(&mut b.block),
        Expr::Match(m) => {
            for arm in &mut m.arms {
                let body = &arm.body;
                let mut block: Block = syn::parse_quote!({ #body });
                tail(&mut block);
                *arm.body = syn::parse_quote!(#block);
            }
        }
        _ => *semi = Some(syn::Token![;](proc_macro2::Span::call_site())),
    }
}

fn is_self(e: &Expr) -> bool {
    strip(e).to_token_stream().to_string() == "self"
}
