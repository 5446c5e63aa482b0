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
mod fixed_elements;
pub mod found;
mod imports;
mod inline;
mod items;
mod modules;
pub mod templates;
pub mod values;
mod variables;
mod written_back;

use crate::ast::{self, Context, Directive};
use crate::diag::Sink;
use crate::iterate::IteratedBy;
use crate::parse::tokens::file::SourceFile;
use crate::parse::tokens::leaves::idents;
use crate::parse::tokens::source::squeezed;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::names::times_bound;
use crate::sema::syntax::{place, uses};
use fixed_elements::Elements;
use inline::Inline;
use items::{
    Items, as_impl, as_index, derives, exclusive, head, holders, impls_with, index_of, is_only_one, is_owner,
    is_uncertain, mappers, owners, traits_methods, whole,
};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use syn::visit::{self, Visit};
use syn::visit_mut::VisitMut;
use syn::{
    Block, Expr, ExprForLoop, ExprMethodCall, Fields, FnArg, GenericParam, ImplItem, ImplItemFn, Item,
    ItemFn, ItemImpl, ItemStruct, Member, Signature, Stmt, Type, UnOp,
};
use values::{Types, Values};
use variables::Search;
pub use variables::Variables;

/// The structs of an item, and the methods that stand in it.
#[derive(Clone, Default)]
pub struct Methods {
    structs: Rc<Vec<Struct>>,
    /// Functions that take such structs or closures, or return slices or ranges.
    functions: Rc<Vec<ItemFn>>,
    /// Device functions that may write a whole array of the caller's.
    writers: Rc<Vec<ItemFn>>,
    /// Methods of device types that take closures or return ranges.
    inlined: Rc<Vec<Method>>,
    /// The tokens have no places of their own.
    elsewhere: bool,
    /// The struct that `self` is.
    this: Option<String>,
    /// Device types with subscripts and methods that give places.
    values: Rc<Values>,
    /// The names of device types' methods that take `&mut self`, where no other method has the name.
    exclusive: Rc<HashSet<String>>,
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
    /// A method may take it by value and leave it.
    copies: bool,
    /// It has `#[derive(omp::Mapper)]`.
    maps: bool,
    /// `None` if the struct stands elsewhere.
    fields: Option<Fields>,
    methods: Vec<Method>,
    /// Those of `Index` and, if the flag is set, `IndexMut`, with the types of their subscripts.
    indices: Vec<(bool, Type, Method)>,
}

struct Method {
    function: ImplItemFn,
    /// The type and const parameters of the `impl`.
    generics: Vec<String>,
    ty: Type,
}

/// Whether a method's body names the method.
fn calls_itself(m: &Method) -> bool {
    let name = m.function.sig.ident.to_string();
    names_any(m.function.block.to_token_stream(), &|word| word == name)
}

impl Methods {
    /// Those of a module.
    pub fn of_module(items: &[Item], around: &[Item]) -> Self {
        let imported = modules::imported(items, around);
        let is = |s: &ItemStruct| !derives(&s.attrs, "Device");
        if imported.is_empty() {
            return Self::of_items(items, is);
        }
        let all: Vec<Item> = items.iter().cloned().chain(imported).collect();
        Self::of_items(&all, is)
    }

    /// Those of a module that are structs of this kind.
    fn of_items(items: &[Item], is: impl Fn(&ItemStruct) -> bool) -> Self {
        let structs = items.iter().filter_map(|item| match item {
            Item::Struct(s) if is(s) => {
                let name = s.ident.to_string();
                let methods = methods(items.iter().filter_map(|i| as_impl(i, &name)));
                let hidden = traits_methods(items, &name);
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
                    name,
                })
            }
            _ => None,
        });
        let mut structs: Vec<Struct> = structs.collect();
        // One that stands there twice, under conditions, may be either.
        let names: Vec<String> = structs.iter().map(|s| s.name.clone()).collect();
        structs.retain(|s| names.iter().filter(|name| **name == s.name).count() == 1);
        let mut found = Self { structs: Rc::new(structs), ..Self::default() };
        let functions = items.iter().filter_map(|item| match item {
            Item::Fn(f) if found.stands_at_calls(f) && !is_uncertain(&f.attrs) => Some(f.clone()),
            _ => None,
        });
        found.functions = Rc::new(functions.collect());
        let writers = items.iter().filter_map(|item| match item {
            Item::Fn(f)
                if f.attrs.iter().any(super::is_declare_target)
                    && templates::writes_an_array(&f.sig)
                    && !found.stands_at_calls(f)
                    && !is_uncertain(&f.attrs) =>
            {
                Some(f.clone())
            }
            _ => None,
        });
        found.writers = Rc::new(writers.collect());
        let declared = items.iter().filter_map(|item| match item {
            Item::Impl(i) if i.trait_.is_none() && i.attrs.iter().any(super::is_declare_target) => Some(i),
            _ => None,
        });
        let inlined = |m: &Method| {
            let sig = &m.function.sig;
            let owner = name_of(&m.ty).is_some_and(|name| found.find(&name).is_some());
            let range = || {
                (templates::gives_a_range(sig)
                    || templates::takes_a_range(sig)
                    || found::found_by(sig).is_some())
                    && is_only_one(items, &sig.ident)
            };
            !owner && (templates::takes_closures(sig) || sig.receiver().is_some() && range())
        };
        found.inlined = Rc::new(methods(declared).into_iter().filter(inlined).collect());
        found.values = Rc::new(Values::of_items(items));
        found.exclusive = Rc::new(exclusive(items));
        found
    }

    /// Those of the module of a source file in which an item stands. An item that the file has in several modules, or that a macro
    /// makes, has none.
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
        let Ok(file) = syn::parse_file(&file.text) else { return none };
        if let Some(f) = method {
            return Self::of_method(f, &file.items);
        }
        let mut modules = Vec::new();
        holders(&file.items, &head(item), &head, &mut modules);
        if modules.len() > 1 {
            modules.clear();
            holders(&file.items, &whole(item), &whole, &mut modules);
        }
        let [items] = modules[..] else { return none };
        Self::of_file(items)
    }

    /// Those of a module in a source file. What names a field of a type that no device has remains a call, which is refused as such.
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

    /// Those around a method that has an attribute of its own, and the other methods of its `impl`s.
    fn of_method(f: &ItemFn, items: &[Item]) -> Self {
        let none = Self::default();
        let sig = f.sig.to_token_stream().to_string();
        let mut found = Vec::new();
        impls_with(items, &|m| m.sig.to_token_stream().to_string() == sig, &mut found);
        if found.len() > 1 {
            let body = squeezed(&f.block);
            found.retain(|(_, i)| {
                i.items.iter().any(|m| {
                    matches!(m, ImplItem::Fn(m) if m.sig.to_token_stream().to_string() == sig && squeezed(&m.block) == body)
                })
            });
        }
        let [(items, of)] = found[..] else { return none };
        let Some(name) = name_of(&of.self_ty) else { return none };
        let methods = Self::of_file(items);
        if methods.find(&name).is_none() {
            return none;
        }
        let generics = super::context::names(&of.generics).collect();
        Self { self_name: Some(name.clone()), generics, ..methods.of_impl(of, name) }
    }

    /// The type and const parameters of the `impl` that was looked for.
    pub fn generics(&self) -> Vec<String> {
        self.generics.clone()
    }

    /// Whether a method stands in an `impl` of a struct with `#[derive(omp::Mapper)]`, in the source file.
    pub fn have(sig: &Signature) -> bool {
        let Some(file) = SourceFile::of(sig.ident.span()) else { return false };
        let (names, sig) = (file.shows(mappers), sig.to_token_stream().to_string());
        let Ok(file) = syn::parse_file(&file.text) else { return false };
        let is =
            |item: &ImplItem| matches!(item, ImplItem::Fn(f) if f.sig.to_token_stream().to_string() == sig);
        struct Impls<'a>(Vec<&'a ItemImpl>);
        impl<'a> Visit<'a> for Impls<'a> {
            fn visit_item_impl(&mut self, i: &'a ItemImpl) {
                self.0.push(i);
            }
        }
        let mut impls = Impls(vec![]);
        impls.visit_file(&file);
        let mut with = impls.0.iter().filter(|i| i.items.iter().any(is)).peekable();
        with.peek().is_some() && with.all(|i| name_of(&i.self_ty).is_some_and(|name| names.contains(&name)))
    }

    /// In a declared `impl`, where `self` is a device type.
    pub fn of_type(self, item: &ItemImpl) -> Self {
        let self_name = name_of(behind(&item.self_ty));
        let owner = self_name.clone().filter(|name| self.values.find(name).is_some());
        Self { owner, self_name, ..self }
    }

    /// In an `impl`: as in what is around it, or those of the `impl` alone.
    pub fn in_impl(&self, item: &ItemImpl) -> Self {
        let Some(name) = name_of(&item.self_ty) else { return Self::default() };
        Self { self_name: Some(name.clone()), ..self.of_impl(item, name) }
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
            copies: false,
            maps: false,
            fields: None,
            // (One that calls itself remains a call.)
            methods: methods(std::iter::once(item)).into_iter().filter(|m| !calls_itself(m)).collect(),
            indices: vec![],
        };
        let (values, writers, exclusive) =
            (self.values.clone(), self.writers.clone(), self.exclusive.clone());
        let structs = Rc::new(vec![own]);
        Self { structs, this: Some(name), values, writers, exclusive, owner, ..Self::default() }
    }

    /// Whether they are those of a source file, and the item stands alone.
    pub fn stand_elsewhere(&self) -> bool {
        self.elsewhere
    }

    /// Whether a function's body stands in the place of its calls.
    pub fn stands_at_calls(&self, f: &ItemFn) -> bool {
        self.takes(&f.sig)
            || self.gives_parts(&f.sig, None)
            || (f.attrs.iter().any(super::is_declare_target) && templates::is(&f.sig))
    }

    /// Whether there is nothing that could stand in the place of calls.
    pub fn is_empty(&self) -> bool {
        self.has_no_calls() && self.values.is_empty() && self.writers.is_empty() && self.exclusive.is_empty()
    }

    fn has_no_calls(&self) -> bool {
        self.structs.is_empty() && self.functions.is_empty() && self.inlined.is_empty()
    }

    /// Whether tokens may call a function whose body stands in the place of its calls.
    pub fn are_called_in(&self, tokens: TokenStream) -> bool {
        let inlined = self.inlined.iter().map(|m| &m.function.sig.ident);
        let names: Vec<&Ident> = self.functions.iter().map(|f| &f.sig.ident).chain(inlined).collect();
        self.values.may_be_in(tokens.clone())
            || names_any(tokens, &|word| names.iter().any(|name| *name == word))
    }

    /// Whether a function takes such a struct.
    pub fn takes(&self, sig: &Signature) -> bool {
        sig.inputs.iter().any(|input| match input {
            FnArg::Typed(arg) => {
                let reference = matches!(behind_parens(&arg.ty), Type::Reference(_));
                let of = name_of(behind(&arg.ty)).and_then(|name| self.find(&name));
                of.is_some_and(|of| reference || of.copies)
            }
            FnArg::Receiver(_) => false,
        })
    }

    fn find(&self, name: &str) -> Option<&Struct> {
        self.structs.iter().find(|s| s.name == name)
    }

    /// Whether an `impl` is known here alone: of a struct that no device has as a whole, or an `Index` of one that `glue/device_fn/device_index.rs`
    /// can't describe to other items, as it calls methods, has a lifetime or a subscript of another type.
    pub fn are_of(&self, item: &ItemImpl) -> bool {
        let method = |item: &ImplItem| matches!(item, ImplItem::Fn(f) if f.sig.receiver().is_some());
        // Functions without `self` are device functions of any type.
        let alone = self.elsewhere && !item.items.iter().any(method);
        let seen = |name: String| self.find(&name).is_some_and(|s| s.fields.is_some() && (s.maps || !alone));
        let index = || {
            let Some((_, ty)) = index_of(item) else { return false };
            let own = item.items.iter().any(|i| matches!(i, ImplItem::Fn(f) if calls_self(&f.block)));
            let other = !matches!(ty, Type::Tuple(_) | Type::Array(_));
            own || other || item.generics.lifetimes().next().is_some()
        };
        (item.trait_.is_none() || index()) && name_of(&item.self_ty).is_some_and(seen)
            || self.values.index(item)
    }

    /// The structs of a function's variables, by their names.
    pub fn of_variables(&self, sig: &Signature, body: &Block) -> Variables {
        let mut items = Items::default();
        items.visit_block(body);
        let renamed = |s: &Struct| items.words.contains(&s.name);
        if self.is_empty() || items.all || self.structs.iter().any(renamed) {
            return Variables { unknown: items.all, ..Variables::default() };
        }
        let mut found = Search { methods: self, types: HashMap::new() };
        for input in &sig.inputs {
            match input {
                FnArg::Receiver(_) => {
                    found.types.extend(self.this.clone().map(|name| ("self".to_owned(), name)));
                }
                FnArg::Typed(arg) => found.is_of(&arg.pat, self.named(&arg.ty)),
            }
        }
        let own: Vec<String> = sig.generics.type_params().map(|t| t.ident.to_string()).collect();
        found.visit_block(body);
        let bound = times_bound(sig, body);
        let types = found.types.into_iter().filter(|(v, ty)| bound.get(v) == Some(&1) && !own.contains(ty));
        let this = self.owner.as_deref().or(self.this.as_deref());
        let values = values::of_function(&self.values, this, sig, body);
        Variables { types: types.collect(), items: items.words, unknown: false, values }
    }

    /// The struct of a type, behind references and boxes.
    fn named(&self, ty: &Type) -> Option<String> {
        let name = name_of(behind(ty))?;
        if name == "Self" {
            return self.this.clone();
        }
        self.find(&name).map(|s| s.name.clone())
    }

    /// The struct of a place.
    fn of_place(&self, e: &Expr, types: &HashMap<String, String>) -> Option<String> {
        match strip(e) {
            Expr::Reference(r) => self.of_place(&r.expr, types),
            Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => self.of_place(&u.expr, types),
            Expr::Path(p) => types.get(&p.path.get_ident()?.to_string()).cloned(),
            Expr::Field(f) => self.named(self.field(f, types)?),
            _ => None,
        }
    }

    /// The number of dimensions of a variable or a field that is an array of `ndarray`, judged by the function's signature and the struct's item.
    pub fn dims_of(&self, e: &Expr, variables: &Variables, context: &Context) -> Option<usize> {
        match strip(e) {
            Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => self.dims_of(&u.expr, variables, context),
            Expr::Path(p) => {
                let name = p.path.get_ident()?.to_string();
                // A struct of the module may have the name of one of `ndarray`'s types.
                let own = variables.types.contains_key(&name);
                context.ndarrays.iter().find(|(array, _)| *array == name && !own).map(|(_, n)| *n)
            }
            Expr::Field(f) if cfg!(feature = "ndarray") => {
                super::context::ndarrays::of_type(self.field(f, &variables.types)?)
            }
            _ => None,
        }
    }

    /// The type of a field of such a struct.
    fn field(&self, f: &syn::ExprField, types: &HashMap<String, String>) -> Option<&Type> {
        let of = self.find(&self.of_place(&f.base, types)?)?;
        let is = |(i, field): &(usize, &syn::Field)| match &f.member {
            Member::Named(name) => field.ident.as_ref() == Some(name),
            Member::Unnamed(index) => index.index as usize == *i,
        };
        of.fields.as_ref()?.iter().enumerate().find(is).map(|(_, field)| &field.ty)
    }

    /// The variables that are the slices of structs: `let rows = self.rows;` of a field `rows: &'a [f32]`.
    pub fn slices_in_fields(&self, sig: &Signature, body: &Block, variables: &Variables) -> Vec<String> {
        struct Lets<'a> {
            methods: &'a Methods,
            types: &'a HashMap<String, String>,
            found: Vec<String>,
        }
        impl<'ast> Visit<'ast> for Lets<'_> {
            fn visit_local(&mut self, l: &'ast syn::Local) {
                if let (syn::Pat::Ident(p), Some(init)) = (&l.pat, &l.init)
                    && (&p.mutability, &p.by_ref, &p.subpat) == (&None, &None, &None)
                    && let Expr::Field(f) = &*init.expr
                    && let Some(Type::Reference(r)) = self.methods.field(f, self.types)
                    && r.mutability.is_none()
                    && super::context::is_array(&r.elem)
                {
                    self.found.push(p.ident.to_string());
                }
                visit::visit_local(self, l);
            }
            fn visit_item(&mut self, _: &'ast Item) {}
        }
        let mut lets = Lets { methods: self, types: &variables.types, found: Vec::new() };
        lets.visit_block(body);
        if !lets.found.is_empty() {
            // A name that is bound again may be anything.
            let bound = times_bound(sig, body);
            lets.found.retain(|name| bound.get(name) == Some(&1));
        }
        lets.found
    }

    /// Puts methods in the place of their calls, and gives the elements `g.size[1]` of fixed arrays names: what stands before the
    /// region, and the names. Nothing, if the loop stays as it is.
    pub fn inline_loop(
        &self,
        f: &mut ExprForLoop,
        directive: &mut Directive,
        variables: &Variables,
        context: &Context,
        task: bool,
        sink: &mut Sink,
    ) -> Option<(Vec<Stmt>, Vec<String>)> {
        let before = f.body.to_token_stream().to_string();
        written_back::take(&mut f.body, None, self);
        let changed = f.body.to_token_stream().to_string() != before;
        let mut inline = self.inline(variables, context, sink);
        inline.region = Some(bound_in(|own| own.visit_expr_for_loop(f)));
        inline.found = changed;
        if !variables.have_no_calls(self) {
            imports::spell_out(&mut f.body, self);
            inline.head = true;
            inline.visit_expr_for_loop_mut(f);
        }
        // What a clause says of the struct, it says of the array.
        let clauses = &mut directive.clauses;
        let lists =
            [&mut clauses.disjoint, &mut clauses.trust_disjoint, &mut clauses.unchecked, &mut clauses.shared];
        for item in lists.into_iter().flatten().filter(|item| item.sections.is_empty()) {
            let key = place::item_key(item);
            if let Some((_, array)) = inline.arrays.iter().find(|(of, _)| *of == key)
                && let Some(key) = place::scalar_key(array)
            {
                (item.place, item.key) = (array.clone(), key);
            }
        }
        let bound = bound_in(|own| own.visit_expr_for_loop(f));
        let clauses = &directive.clauses;
        let named = |name: &str| {
            let maps = clauses.maps.iter().flat_map(|map| &map.items);
            let others = clauses.sharing().into_iter().flat_map(|(_, items)| items).chain(&clauses.cache);
            maps.chain(others).any(|item| item.key == name)
        };
        let arrays = context.whole.iter().filter(|(name, kind)| {
            let changes = bound.contains(name) || context.mutable.contains(name);
            *kind == IteratedBy::Owned && !changes && !named(name)
        });
        let arrays = arrays.map(|(name, _)| name.as_str()).collect::<Vec<_>>();
        let some = !variables.types.is_empty() || !arrays.is_empty();
        let (written, found) = (HashSet::new(), vec![]);
        let mut elements = Elements { methods: self, variables, arrays, written, found };
        if !task && some {
            let names = context.names.iter().cloned().chain(["self".to_owned()]).collect();
            let written = uses::of_block(&f.body, names).into_iter().filter(uses::Use::writes);
            elements.written.extend(written.map(|u| u.key));
            elements.visit_expr_for_loop_mut(f);
        }
        let Elements { found, .. } = elements;
        let own = directive.clauses.default.as_ref().is_some_and(|d| d.value == ast::Default::None);
        let mut parts = (Vec::new(), Vec::new());
        for (name, element) in found {
            if own {
                let (place, key, span) = (syn::parse_quote!(#name), name.to_string(), name.span());
                directive.clauses.firstprivate.push(ast::Item { place, key, sections: vec![], span });
            }
            parts.1.push(name.to_string());
            parts.0.push(syn::parse_quote!(let #name = #element;));
        }
        (inline.found || !parts.0.is_empty()).then_some(parts)
    }

    /// A device function's body, with the bodies of what it calls in the place of the calls.
    pub fn in_function(&self, sig: &Signature, block: &Block, sink: &mut Sink) -> Block {
        let mut block = block.clone();
        written_back::take(&mut block, Some(sig), self);
        if !self.are_called_in(block.to_token_stream()) {
            return block;
        }
        if words(block.to_token_stream())
            .iter()
            .any(|word| word.starts_with(crate::parse::tokens::source::CLOSURE_ARGUMENT))
        {
            // A name of the library's own in what the user wrote: it is reported where the names are looked at.
            return block;
        }
        imports::spell_out(&mut block, self);
        let context = super::context::of(sig, &block, &super::Scope::default());
        // A device function takes no struct that owns arrays.
        let variables = Variables { types: HashMap::new(), ..self.of_variables(sig, &block) };
        if !variables.have_no_calls(self) {
            let mut inline = self.inline(&variables, &context, sink);
            inline.types = Types::of_function(&self.values, self.owner.as_deref(), sig);
            inline.visit_block_mut(&mut block);
        }
        block
    }

    /// The same in a target block.
    pub fn inline_block(&self, block: &mut Block, variables: &Variables, context: &Context, sink: &mut Sink) {
        if !variables.have_no_calls(self) {
            let mut inline = self.inline(variables, context, sink);
            inline.region = Some(bound_in(|own| own.visit_block(block)));
            inline.visit_block_mut(block);
        }
    }

    fn inline<'a>(
        &'a self,
        variables: &'a Variables,
        context: &'a Context,
        sink: &'a mut Sink,
    ) -> Inline<'a> {
        let this = self.owner.as_deref().or(self.this.as_deref());
        Inline {
            known: variables.types.clone(),
            parts: vec![],
            hoisted: false,
            methods: self,
            variables,
            context,
            sink,
            region: None,
            depth: 0,
            writing: false,
            found: false,
            arrays: vec![],
            around: vec![],
            chains: 0,
            head: false,
            types: Types::around(&self.values, this, &variables.values),
        }
    }
}

/// The names that patterns bind.
fn bound_in(visit: impl FnOnce(&mut inline::Bound)) -> HashSet<String> {
    let mut own = inline::Bound::default();
    visit(&mut own);
    own.own
}

/// The inherent methods of `impl`s whose names are unique.
fn methods<'a>(impls: impl Iterator<Item = &'a ItemImpl>) -> Vec<Method> {
    let mut found: Vec<Method> = Vec::new();
    for item in impls {
        let functions = item.items.iter().filter_map(|item| match item {
            ImplItem::Fn(f) => Some(f),
            _ => None,
        });
        let generics: Vec<String> = item
            .generics
            .params
            .iter()
            .filter_map(|p| match p {
                GenericParam::Type(t) => Some(t.ident.to_string()),
                GenericParam::Const(c) => Some(c.ident.to_string()),
                GenericParam::Lifetime(_) => None,
            })
            .collect();
        found.extend(functions.map(|f| {
            let mut function = f.clone();
            // Conditions of the whole are those of each.
            function.attrs.extend(item.attrs.iter().cloned());
            Elided.visit_impl_item_fn_mut(&mut function);
            Method { function, generics: generics.clone(), ty: (*item.self_ty).clone() }
        }));
    }
    let names: Vec<String> = found.iter().map(|m| m.function.sig.ident.to_string()).collect();
    let once = |m: &Method| names.iter().filter(|n| m.function.sig.ident == **n).count() == 1;
    found.retain(|m| once(m) && !is_uncertain(&m.function.attrs));
    found
}

/// Takes the names of lifetimes out of types: at a call they mean nothing.
struct Elided;

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

/// Whether a subscript may be of this type.
fn suits(ty: &Type, index: &Expr) -> bool {
    match (index, ty) {
        (Expr::Paren(p), ty) => suits(ty, &p.expr),
        (Expr::Tuple(t), Type::Tuple(of)) => t.elems.len() == of.elems.len(),
        (Expr::Tuple(_), _) | (Expr::Range(_), _) => false,
        (Expr::Array(a), Type::Array(of)) => {
            of.len.to_token_stream().to_string() == a.elems.len().to_string()
        }
        (Expr::Array(_), _) => false,
        (Expr::Lit(_) | Expr::Binary(_) | Expr::Cast(_), Type::Tuple(_) | Type::Array(_)) => false,
        _ => true,
    }
}

/// Whether a body has `self` as more than the base of a field that is a number or subscripted.
fn calls_self(block: &Block) -> bool {
    struct Calls(bool);
    impl<'ast> Visit<'ast> for Calls {
        fn visit_expr_index(&mut self, x: &'ast syn::ExprIndex) {
            self.0 |= matches!(&*x.expr, Expr::Path(p) if p.path.is_ident("self"));
            visit::visit_expr_index(self, x);
        }
        fn visit_expr_method_call(&mut self, m: &'ast ExprMethodCall) {
            self.0 |= matches!(&*m.receiver, Expr::Path(p) if p.path.is_ident("self"));
            visit::visit_expr_method_call(self, m);
        }
        fn visit_expr_call(&mut self, c: &'ast syn::ExprCall) {
            let is_field = |e: &Expr| matches!(e, Expr::Field(f) if matches!(&*f.base, Expr::Path(p) if p.path.is_ident("self")));
            self.0 |= c.args.iter().any(is_field);
            visit::visit_expr_call(self, c);
        }
    }
    let mut calls = Calls(false);
    calls.visit_block(block);
    calls.0
}

/// What a type is called, if it is no path of several segments.
fn name_of(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(p) if p.qself.is_none() && p.path.segments.len() == 1 => {
            Some(p.path.segments[0].ident.to_string())
        }
        Type::Paren(p) => name_of(&p.elem),
        Type::Group(g) => name_of(&g.elem),
        _ => None,
    }
}

/// What a reference or a box refers to.
fn behind(ty: &Type) -> &Type {
    match ty {
        Type::Reference(r) => behind(&r.elem),
        Type::Paren(p) => behind(&p.elem),
        Type::Group(g) => behind(&g.elem),
        Type::Path(p) => match p.path.segments.last() {
            Some(s) if s.ident == "Box" => match &s.arguments {
                syn::PathArguments::AngleBracketed(a) => match a.args.first() {
                    Some(syn::GenericArgument::Type(ty)) => behind(ty),
                    _ => ty,
                },
                _ => ty,
            },
            _ => ty,
        },
        _ => ty,
    }
}

fn behind_parens(ty: &Type) -> &Type {
    match ty {
        Type::Paren(p) => behind_parens(&p.elem),
        Type::Group(g) => behind_parens(&g.elem),
        ty => ty,
    }
}

/// Whether some name in the tokens is such a one.
fn names_any(tokens: TokenStream, is: &dyn Fn(&str) -> bool) -> bool {
    idents(tokens).any(|ident| is(&ident.to_string()))
}

/// The same, but for the names of the functions that are declared there.
fn names_any_but_declared(tokens: TokenStream, is: &dyn Fn(&str) -> bool) -> bool {
    let mut declares = false;
    idents(tokens).any(|ident| {
        let declared = std::mem::replace(&mut declares, ident == "fn");
        !declared && is(&ident.to_string())
    })
}

/// The names in some tokens, but for those of fields and methods.
fn words(tokens: TokenStream) -> Vec<String> {
    let (mut names, mut dots) = (Vec::new(), 0);
    for tree in tokens {
        let before = dots;
        dots = if matches!(&tree, TokenTree::Punct(p) if p.as_char() == '.') { dots + 1 } else { 0 };
        match tree {
            TokenTree::Ident(i) if before != 1 => names.push(i.to_string()),
            TokenTree::Group(g) => names.extend(words(g.stream())),
            _ => {}
        }
    }
    names
}
