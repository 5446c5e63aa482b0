//! Inlining of methods of structs that own arrays, in regions of the same `impl` or `mod`.
//!
//! A device has no such struct as a whole: a region captures its arrays and its numbers, each under a name of its own. So
//! the body of a method replaces its call, as a closure's body does (`iterate/values/closure.rs`): `self.idx(i, j)`
//! becomes `(|i: usize, j: usize| -> usize { i * self.cols + j })(i, j)`. A method that returns an element, a slice or a
//! whole array by reference becomes that place, with closures in its brackets.
//!
//! Tokens alone determine which method a call means: the receiver is a variable, or a field of one, whose struct is named
//! in the function's head, in a `let` or in the struct's own fields, and the method is an inherent one of that struct.
//!
//! Functions, and methods of device types, that take a closure or return a slice are inlined in the same way
//! ([`templates`]): a device has neither as a value. Such a method is found by its name, which no other method may have,
//! and rustc checks the receiver's type.
pub mod atomics;
mod collect;
mod fixed_elements;
pub mod found;
mod inline;
mod items;
mod mem_calls;
mod modules;
mod places;
mod replace;
pub mod sums;
pub mod templates;
mod tuple_lets;
pub mod values;
mod variables;
mod written_back;

use crate::parse::tokens::leaves::idents;
use crate::parse::tokens::source::words;
use crate::sema::syntax::types::{behind_parens, behind_references};
use crate::visits::{self, Node};
pub use items::derives;
use items::index_of;
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use std::collections::HashSet;
use std::rc::Rc;
use syn::{Block, Expr, Fields, FnArg, ImplItem, ImplItemFn, ItemFn, ItemImpl, Signature, Type};
use values::Values;
pub use variables::Variables;

/// The structs of an item, and the methods that stand in it.
#[derive(Clone, Default)]
pub struct Methods {
    structs: Rc<Vec<Struct>>,
    /// Functions that take such structs or closures, or return slices or ranges.
    functions: Rc<Vec<ItemFn>>,
    /// Device functions that take arrays.
    of_arrays: Rc<Vec<ItemFn>>,
    /// Declared functions and methods of device types that take arrays.
    array_methods: Rc<Vec<Method>>,
    /// Methods of device types that take closures or return ranges.
    inlined: Rc<Vec<Method>>,
    /// Names that methods of several device types have, with how near these are: only the type of a receiver shows which it is.
    several: Rc<HashSet<(u8, String)>>,
    /// The tokens have no places of their own.
    elsewhere: bool,
    /// The struct that `self` is.
    this: Option<String>,
    /// The type of the `impl` of this struct.
    self_type: Option<Type>,
    /// Device types with subscripts and methods that give places.
    values: Rc<Values>,
    /// The names of device types' methods that take `&mut self`, where no other method has the name.
    exclusive: Rc<HashSet<String>>,
    /// Those of methods that only read `self`.
    reading: Rc<HashSet<String>>,
    /// The names of declared functions and methods with atomic directives.
    atomics: Rc<HashSet<String>>,
    /// The device type that `self` is.
    owner: Option<String>,
    /// The type of the `impl`.
    self_name: Option<String>,
    /// The type and const parameters of the `impl` around a method that stands alone.
    generics: Vec<String>,
}

/// A struct that is no device type, judged by its item.
struct Struct {
    name: String,
    /// Its type and const parameters.
    generics: Vec<String>,
    /// A method may take it by value and leave it.
    copies: bool,
    /// It has `#[derive(omp::Mapper)]`.
    maps: bool,
    /// It has a lifetime: its values are those of a body alone.
    borrows: bool,
    /// It derives `Clone`.
    clones: bool,
    /// It is an iterator.
    iterates: bool,
    /// `None` if the struct stands elsewhere.
    fields: Option<Fields>,
    methods: Vec<Method>,
    /// The methods of `Index` and, if the flag is set, `IndexMut`, with the types of their subscripts.
    indices: Vec<(bool, Type, Method)>,
}

impl Struct {
    /// The type of a field.
    fn field(&self, member: &syn::Member) -> Option<&Type> {
        let is = |(of, _): &(syn::Member, &syn::Field)| of == member;
        let fields = self.fields.as_ref()?;
        fields.members().zip(fields).find(is).map(|(_, field)| &field.ty)
    }
}

#[derive(Clone)]
struct Method {
    function: ImplItemFn,
    /// The type and const parameters of the `impl`.
    generics: Vec<String>,
    /// Its const parameters that are lengths.
    usizes: Vec<String>,
    ty: Type,
    /// Names in generic arguments of the call: they mean the same here as there.
    given: Vec<String>,
}

impl Method {
    /// Another function of the same `impl`.
    fn with(&self, function: ImplItemFn) -> Self {
        Self {
            function,
            generics: self.generics.clone(),
            usizes: self.usizes.clone(),
            ty: self.ty.clone(),
            given: self.given.clone(),
        }
    }
}

impl Methods {
    /// The type and const parameters of the `impl` that was looked for.
    pub fn generics(&self) -> Vec<String> {
        self.generics.clone()
    }

    /// Whether they are those of a source file, and the item stands alone.
    pub fn stand_elsewhere(&self) -> bool {
        self.elsewhere
    }

    /// Whether a function's body stands in the place of its calls.
    pub fn stands_at_calls(&self, f: &ItemFn) -> bool {
        self.takes(&f.sig)
            || self.gives_parts(&f.sig, None)
            || (f.attrs.iter().any(super::is_declare_target)
                && (templates::is(&f.sig) || self.has_atomics(&f.block)))
    }

    /// Whether a body has atomic directives, or calls a function that has: a region must see whose elements it accesses.
    pub fn has_atomics(&self, body: &Block) -> bool {
        atomics::are_in(body, &self.atomics)
    }

    /// Whether there is nothing that could stand in the place of calls.
    pub fn is_empty(&self) -> bool {
        self.has_no_calls()
            && self.values.is_empty()
            && self.of_arrays.is_empty()
            && self.array_methods.is_empty()
            && self.exclusive.is_empty()
    }

    fn has_no_calls(&self) -> bool {
        self.structs.is_empty() && self.functions.is_empty() && self.inlined.is_empty()
    }

    /// Whether tokens may call a function whose body stands in the place of its calls.
    pub fn are_called_in(&self, tokens: TokenStream) -> bool {
        let inlined = self.inlined.iter().map(|m| &m.function.sig.ident);
        let names = self.functions.iter().map(|f| &f.sig.ident).chain(inlined);
        let names: Vec<String> = names.map(modules::last_segment).collect();
        self.values.may_be_in(tokens.clone())
            || names_any(tokens, &|word| {
                names.iter().any(|name| *name == word.trim_start_matches("r#"))
                    || self.find(word).is_some_and(|s| s.borrows)
            })
    }

    /// The variants of an enum of the module.
    pub fn variants(&self, of: &Ident) -> Option<Vec<String>> {
        self.values.enum_(&of.to_string())
    }

    /// Whether methods of this name only read their receivers.
    fn reads(&self, name: &str) -> bool {
        self.reading.contains(name)
    }

    /// Whether a function takes such a struct.
    pub fn takes(&self, sig: &Signature) -> bool {
        self.takes_one_of(sig, |_| true)
    }

    /// Whether a method takes one that the file shows. (An `impl` knows its own type as one as well, which may be a device type.)
    pub fn takes_shown(&self, sig: &Signature) -> bool {
        self.takes_one_of(sig, |of| of.fields.is_some())
    }

    fn takes_one_of(&self, sig: &Signature, is: impl Fn(&Struct) -> bool) -> bool {
        sig.inputs.iter().any(|input| match input {
            FnArg::Typed(arg) => {
                let reference = matches!(behind_parens(&arg.ty), Type::Reference(_));
                let of = name_of(behind(&arg.ty)).and_then(|name| self.find(&name));
                of.is_some_and(|of| is(of) && (reference || of.copies || of.borrows))
            }
            FnArg::Receiver(_) => false,
        })
    }

    fn find(&self, name: &str) -> Option<&Struct> {
        self.structs.iter().find(|s| s.name == name)
    }

    /// Whether an `impl` is known here alone: of a struct that no device has as a whole, or an `Index` of one that
    /// `glue/device_fn/device_index.rs`
    /// can't describe to other items, as it calls methods, has a lifetime or a subscript of another type, or the struct has no
    /// `derive(omp::Mapper)`.
    pub fn are_of(&self, item: &ItemImpl) -> bool {
        let method = |item: &ImplItem| matches!(item, ImplItem::Fn(f) if f.sig.receiver().is_some());
        // Functions without `self` are device functions of any type that a device has.
        let alone = self.elsewhere && !item.items.iter().any(method);
        let seen = |name: String| {
            self.find(&name).is_some_and(|s| s.fields.is_some() && (s.maps || s.borrows || !alone))
        };
        let index = || {
            let Some((_, ty)) = index_of(item) else { return false };
            let own = item.items.iter().any(|i| matches!(i, ImplItem::Fn(f) if calls_self(&f.block)));
            let other = !matches!(ty, Type::Tuple(_) | Type::Array(_));
            let maps = name_of(&item.self_ty).and_then(|name| self.find(&name)).is_some_and(|s| s.maps);
            own || other || !maps || item.generics.lifetimes().next().is_some()
        };
        let borrows = || name_of(&item.self_ty).and_then(|name| self.find(&name)).is_some_and(|s| s.borrows);
        (item.trait_.is_none() || index() || borrows()) && name_of(&item.self_ty).is_some_and(seen)
            || self.values.index(item)
    }
}

/// Whether a subscript may be of this type.
fn suits(ty: &Type, index: &Expr) -> bool {
    match (index, ty) {
        (Expr::Paren(p), ty) => suits(ty, &p.expr),
        (Expr::Tuple(t), Type::Tuple(of)) => t.elems.len() == of.elems.len(),
        // An alias of a tuple's type.
        (Expr::Tuple(_), Type::Path(p)) => {
            p.path.get_ident().is_some_and(|name| !crate::parse::primitives::is_primitive(&name.to_string()))
        }
        (Expr::Tuple(_), _) | (Expr::Range(_), _) => false,
        (Expr::Array(a), Type::Array(of)) => match &of.len {
            Expr::Lit(len) => len.to_token_stream().to_string() == a.elems.len().to_string(),
            // A parameter or a const.
            _ => true,
        },
        (Expr::Array(_), _) => false,
        (Expr::Lit(_) | Expr::Binary(_) | Expr::Cast(_), Type::Tuple(_) | Type::Array(_)) => false,
        _ => true,
    }
}

/// Whether a body has `self` as more than the base of a field that is a number or subscripted.
fn calls_self(block: &Block) -> bool {
    fn is_self(e: &Expr) -> bool {
        matches!(e, Expr::Path(p) if p.path.is_ident("self"))
    }
    visits::any(block, |node| match node {
        Node::Expr(Expr::Index(x)) => is_self(&x.expr),
        Node::Expr(Expr::MethodCall(m)) => is_self(&m.receiver),
        Node::Expr(Expr::Call(c)) => {
            c.args.iter().any(|arg| matches!(arg, Expr::Field(f) if is_self(&f.base)))
        }
        _ => false,
    })
}

/// The name of a type, if it is no path of several segments.
fn name_of(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(p) if p.qself.is_none() && p.path.segments.len() == 1 => {
            Some(p.path.segments[0].ident.to_string())
        }
        // A type of another module that has no name here: `modules` wrote it so.
        Type::Paren(p) => match &*p.elem {
            Type::Path(p) if p.qself.is_none() => Some(p.path.segments.last()?.ident.to_string()),
            ty => name_of(ty),
        },
        Type::Group(g) => name_of(&g.elem),
        _ => None,
    }
}

/// The type that a reference or a box refers to.
fn behind(ty: &Type) -> &Type {
    match behind_references(ty) {
        ty @ Type::Path(p) => match p.path.segments.last() {
            Some(s) if s.ident == "Box" => match &s.arguments {
                syn::PathArguments::AngleBracketed(a) => match a.args.first() {
                    Some(syn::GenericArgument::Type(ty)) => behind(ty),
                    _ => ty,
                },
                _ => ty,
            },
            _ => ty,
        },
        ty => ty,
    }
}

/// Whether some name in the tokens is such a one.
fn names_any(tokens: TokenStream, is: &dyn Fn(&str) -> bool) -> bool {
    idents(tokens).any(|ident| is(&ident.to_string()))
}

/// The same, without the names of the functions that are declared there.
fn names_any_but_declared(tokens: TokenStream, is: &dyn Fn(&str) -> bool) -> bool {
    let mut declares = false;
    idents(tokens).any(|ident| {
        let declared = std::mem::replace(&mut declares, ident == "fn");
        !declared && is(&ident.to_string())
    })
}
