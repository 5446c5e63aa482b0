//! Items of a module or file: which structs have methods that can be inlined.
use super::super::item::attributes_below::may_change;
use super::collect::methods;
use super::{Method, behind, name_of, words};
use crate::parse::functions::functions;
use crate::parse::tokens::source::{first_word, squeezed};
use proc_macro2::{Ident, TokenTree};
use quote::{ToTokens, quote};
use std::collections::HashSet;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Attribute, ImplItem, Item, ItemImpl, ItemStruct, Type};

/// Whether a function may not be there, or may be another one.
pub(super) fn is_uncertain(attrs: &[Attribute]) -> bool {
    is_conditional(attrs) || may_change(attrs)
}

/// Whether it may not be there.
pub(super) fn is_conditional(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|a| a.path().is_ident("cfg") || a.path().is_ident("cfg_attr"))
}

pub(super) fn as_impl<'a>(item: &'a Item, name: &str) -> Option<&'a ItemImpl> {
    match item {
        Item::Impl(i) if i.trait_.is_none() && name_of(&i.self_ty).as_deref() == Some(name) => Some(i),
        _ => None,
    }
}

/// The methods of traits for a struct: one that takes `self` by value would come before an inherent one.
pub(super) fn traits_methods(items: &[Item], name: &str) -> HashSet<String> {
    let impls = items.iter().filter_map(|item| match item {
        Item::Impl(i) if i.trait_.is_some() && name_of(behind(&i.self_ty)).as_deref() == Some(name) => {
            Some(i)
        }
        _ => None,
    });
    impls.flat_map(functions).map(|f| f.sig.ident.to_string()).collect()
}

/// The declared `impl`s of traits for a struct, without those that have a meaning of their own, with their types in the place of
/// `Self::Item`.
pub(super) fn of_traits(items: &[Item], name: &str) -> Vec<ItemImpl> {
    const OTHERS: [&str; 4] = ["Index", "IndexMut", "Clone", "Drop"];
    let impls = items.iter().filter_map(|item| match item {
        Item::Impl(i) if name_of(&i.self_ty).as_deref() == Some(name) => Some(i),
        _ => None,
    });
    let declared = impls.filter(|i| {
        let last = i.trait_.as_ref().and_then(|of| of.0.segments.last());
        last.is_some_and(|last| !OTHERS.iter().any(|other| last.ident == other))
            && i.attrs.iter().any(crate::expand::is_declare_target)
    });
    let with_types = |i: &ItemImpl| {
        let types = i.items.iter().filter_map(|item| match item {
            ImplItem::Type(t) => Some((t.ident.to_string(), t.ty.clone())),
            _ => None,
        });
        let (mut types, mut i) = (OwnTypes(types.collect()), i.clone());
        types.visit_item_impl_mut(&mut i);
        i
    };
    declared.map(with_types).collect()
}

/// Whether a type has a `Drop`: its values are more than their parts.
pub(super) fn is_dropped(items: &[Item], name: &str) -> bool {
    items.iter().any(|item| match item {
        Item::Impl(i) => {
            let of = i.trait_.as_ref().and_then(|of| of.0.segments.last());
            of.is_some_and(|last| last.ident == "Drop") && name_of(&i.self_ty).as_deref() == Some(name)
        }
        _ => false,
    })
}

/// `Cursor<'a>`, which has its parts alone on a device.
pub(super) fn has_lifetimes(ty: &Type) -> bool {
    let Type::Path(p) = ty else { return false };
    p.path.segments.last().is_some_and(|last| match &last.arguments {
        syn::PathArguments::AngleBracketed(of) => {
            of.args.iter().any(|arg| matches!(arg, syn::GenericArgument::Lifetime(_)))
        }
        _ => false,
    })
}

/// `impl Iterator for …`
pub(super) fn is_iterator(item: &ItemImpl) -> bool {
    let of = item.trait_.as_ref().and_then(|of| of.0.segments.last());
    of.is_some_and(|last| last.ident == "Iterator")
}

/// Puts the types of an `impl` in the place of `Self::Item`.
struct OwnTypes(Vec<(String, Type)>);

impl VisitMut for OwnTypes {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(p) = &*ty
            && let [of, name] = &p.path.segments.iter().collect::<Vec<_>>()[..]
            && of.ident == "Self"
            && let Some((_, is)) = self.0.iter().find(|(own, _)| name.ident == own)
        {
            *ty = is.clone();
            return;
        }
        syn::visit_mut::visit_type_mut(self, ty);
    }
}

/// The names of methods in declared `impl`s that take `&mut self`, where no other method in these items has the name.
pub(super) fn exclusive(items: &[Item]) -> HashSet<String> {
    let (mut exclusive, mut others) = (HashSet::new(), HashSet::new());
    let own: HashSet<String> = functions_of(items, 0).collect();
    for item in items {
        let Item::Impl(i) = item else { continue };
        let near = tier(&i.self_ty);
        if near > 1 {
            continue;
        }
        let declared = i.attrs.iter().any(crate::expand::is_declare_target);
        for f in functions(i) {
            // (What the module's own types have decides.)
            if near > 0 && own.contains(&f.sig.ident.to_string()) {
                continue;
            }
            let by_mut = matches!(f.sig.receiver(), Some(r) if matches!(r.kind, syn::ReceiverKind::Reference(_, _, Some(_))));
            let declared = declared || f.attrs.iter().any(crate::expand::is_declare_target);
            let names = if by_mut && declared { &mut exclusive } else { &mut others };
            names.insert(f.sig.ident.to_string());
        }
    }
    &exclusive - &others
}

/// The names of the functions of types that are so near.
fn functions_of(items: &[Item], near: u8) -> impl Iterator<Item = String> {
    let impls = items.iter().filter_map(move |item| match item {
        Item::Impl(i) if tier(&i.self_ty) == near => Some(i),
        _ => None,
    });
    impls.flat_map(functions).map(|f| f.sig.ident.to_string())
}

/// The names of methods that only read their receivers: no method in these items that has the name takes `&mut self`.
pub(super) fn reading(items: &[Item]) -> HashSet<String> {
    let (mut reading, mut others) = (HashSet::new(), HashSet::new());
    for item in items {
        let Item::Impl(i) = item else { continue };
        for f in functions(i) {
            let names = match f.sig.receiver().map(|r| &r.kind) {
                Some(syn::ReceiverKind::Value | syn::ReceiverKind::Reference(_, _, None)) => &mut reading,
                _ => &mut others,
            };
            names.insert(f.sig.ident.to_string());
        }
    }
    &reading - &others
}

/// Whether no other method of types that are as near has the name.
pub(super) fn is_only_one(items: &[Item], name: &Ident, of: u8) -> bool {
    let impls = items.iter().filter_map(|item| match item {
        Item::Impl(i) if tier(&i.self_ty) <= of => Some(i),
        _ => None,
    });
    impls.flat_map(functions).filter(|f| f.sig.ident == *name).count() == 1
}

/// How near the type of an `impl` is: of the module itself, imported, or without a name here. See `modules`.
pub(super) fn tier(ty: &Type) -> u8 {
    match ty {
        Type::Group(_) => 1,
        Type::Paren(_) => 2,
        _ => 0,
    }
}

/// `#[derive(omp::Device)]`
pub fn derives(attrs: &[Attribute], what: &str) -> bool {
    attrs.iter().filter(|a| a.path().is_ident("derive")).any(|a| {
        let tokens = a.meta.require_list().map(|l| l.tokens.clone()).unwrap_or_default();
        tokens.into_iter().any(|t| matches!(t, TokenTree::Ident(i) if i == what))
    })
}

/// `I` of `impl Index<I>`, and whether it is `IndexMut`.
pub(super) fn index_of(item: &ItemImpl) -> Option<(bool, &Type)> {
    let last = item.trait_.as_ref()?.0.segments.last()?;
    let mutable = last.ident == "IndexMut";
    if !mutable && last.ident != "Index" {
        return None;
    }
    match &last.arguments {
        syn::PathArguments::AngleBracketed(a) => match a.args.first()? {
            syn::GenericArgument::Type(ty) => Some((mutable, ty)),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn as_index(item: &Item, name: &str) -> Option<(bool, Type, Method)> {
    let Item::Impl(i) = item else { return None };
    let (mutable, ty) = index_of(i).filter(|_| name_of(&i.self_ty).as_deref() == Some(name))?;
    let method = methods(std::iter::once(i)).pop()?;
    Some((mutable, ty.clone(), method))
}

/// Whether a struct is no device type for sure.
pub(super) fn is_owner(s: &ItemStruct) -> bool {
    !derives(&s.attrs, "Device") && !is_conditional(&s.attrs)
}

/// The names of structs that are no device types, as the text shows them: if there are none, it is not parsed.
pub(super) fn owners(text: &str) -> HashSet<String> {
    let structs = text.match_indices("struct ").filter_map(|(at, keyword)| {
        let before = text[..at].rsplit([';', '}']).next()?;
        let name = text[at + keyword.len()..].trim_start();
        let is = !before.contains("Device") || before.contains("Mapper");
        is.then(|| first_word(name))
    });
    structs.collect()
}

/// The names of structs with the derive, as the text shows them.
pub(super) fn mappers(text: &str) -> HashSet<String> {
    let after = text.match_indices("Mapper").filter_map(|(at, _)| {
        let (_, rest) = text[at..].split_once("struct ")?;
        Some(first_word(rest))
    });
    after.collect()
}

/// The head that identifies an item.
pub(super) fn head(item: &Item) -> String {
    match item {
        Item::Fn(f) => f.sig.to_token_stream().to_string(),
        Item::Impl(i) => {
            let (generics, ty, of) = (&i.generics, &i.self_ty, i.trait_.as_ref().map(|t| &t.0));
            let methods = functions(i).map(|f| &f.sig);
            quote!(impl #generics #of for #ty { #(#methods)* }).to_string()
        }
        Item::Mod(m) => format!("mod {}", m.ident),
        _ => String::new(),
    }
}

/// A text that identifies an item if others have the same head.
pub(super) fn whole(item: &Item) -> String {
    match item {
        Item::Fn(f) => head(item) + &squeezed(&f.block),
        Item::Impl(i) => {
            let methods = functions(i).map(|f| squeezed(&f.block));
            head(item) + &methods.collect::<String>()
        }
        Item::Mod(m) => {
            head(item) + &m.content.iter().flat_map(|(_, items)| items).map(squeezed).collect::<String>()
        }
        _ => String::new(),
    }
}

/// The names that a function's own items may declare, so that they mean other things there than outside.
#[derive(Default)]
pub(super) struct Items {
    pub(super) words: HashSet<String>,
    /// Any name.
    pub(super) all: bool,
}

impl<'ast> Visit<'ast> for Items {
    fn visit_item(&mut self, item: &'ast Item) {
        let declared = match item {
            Item::Const(c) => Some(&c.ident),
            Item::Static(s) => Some(&s.ident),
            Item::Fn(f) => Some(&f.sig.ident),
            Item::Struct(s) => Some(&s.ident),
            Item::Enum(e) => Some(&e.ident),
            Item::Type(t) => Some(&t.ident),
            _ => None,
        };
        if let Some(name) = declared {
            self.words.insert(name.to_string());
            return;
        }
        // Imports, macros, traits and their implementations.
        let text = item.to_token_stream();
        self.all |= matches!(item, Item::Use(_)) && text.to_string().contains('*');
        self.words.extend(words(text));
    }
}
