//! Methods of structs that own arrays, called in a region of the same `impl` or `mod`.
//!
//! A device has no such struct as a whole: a region has its arrays and its numbers, each by its own name. So the body of a method
//! stands in the place of its call, as a closure's does (`iterate/closure.rs`): `self.idx(i, j)` becomes
//! `(|i: usize, j: usize| -> usize { i * self.cols + j })(i, j)`. A method that returns an element, a slice or a whole array by
//! reference becomes that place, with closures in its brackets.
//!
//! Which method a call means, tokens tell alone: the receiver is a variable, or a field of one, whose struct is named in the
//! function's head, in a `let` or in the struct's own fields, and the method is an inherent one of that struct.
use crate::ast::{self, Context, Directive};
use crate::diag::{Code, Sink};
use crate::iterate::moved;
use crate::parse::source::NUMBERS;
use crate::sema::updates::is_assignment;
use crate::sema::{place, uses};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, Block, Expr, ExprForLoop, ExprMethodCall, Fields, FnArg, GenericParam, ImplItem, ImplItemFn,
    Item, ItemFn, ItemImpl, ItemStruct, Local, Member, Pat, ReturnType, Signature, Stmt, Type, UnOp,
};

/// How deep methods may call each other. A recursive one is left as it is.
const DEPTH: usize = 16;

/// The structs of an item, and the methods that stand in it.
#[derive(Clone, Default)]
pub struct Methods {
    structs: Rc<Vec<Struct>>,
    /// Functions that are handed such structs.
    functions: Rc<Vec<ItemFn>>,
    /// The tokens have no places of their own.
    elsewhere: bool,
    /// The struct that `self` is.
    this: Option<String>,
}

/// A struct that is no device type, as far as the item tells.
struct Struct {
    name: String,
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

impl Methods {
    /// Those of a module.
    pub fn of_module(items: &[Item]) -> Self {
        Self::of_items(items, |s| !derives(&s.attrs, "Device"))
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
                Some(Struct { methods: shown.collect(), indices, fields: Some(s.fields.clone()), name })
            }
            _ => None,
        });
        let mut structs: Vec<Struct> = structs.collect();
        // One that stands there twice, under conditions, may be either.
        let names: Vec<String> = structs.iter().map(|s| s.name.clone()).collect();
        structs.retain(|s| names.iter().filter(|name| **name == s.name).count() == 1);
        let mut found = Self { structs: Rc::new(structs), ..Self::default() };
        let functions = items.iter().filter_map(|item| match item {
            Item::Fn(f) if found.takes(&f.sig) => Some(f.clone()),
            _ => None,
        });
        found.functions = Rc::new(functions.collect());
        found
    }

    /// Those of the module of a source file in which an item stands, for structs with `#[derive(omp::Mapper)]`. An item that the
    /// file has in several modules, or that a macro makes, has none.
    pub fn around(item: &Item) -> Self {
        let none = Self::default();
        let span = match item {
            Item::Fn(f) => f.sig.ident.span(),
            Item::Impl(i) => i.impl_token.span,
            _ => return none,
        };
        let Some(text) = span.local_file().and_then(|path| std::fs::read_to_string(path).ok()) else {
            return none;
        };
        let names = mappers(&text);
        if names.is_empty() || !words(item.to_token_stream()).iter().any(|word| names.contains(word)) {
            return none;
        }
        let Ok(file) = syn::parse_file(&text) else { return none };
        let mut modules = Vec::new();
        holders(&file.items, &head(item), &mut modules);
        let [items] = modules[..] else { return none };
        let mut found =
            Self::of_items(items, |s| derives(&s.attrs, "Mapper") && !derives(&s.attrs, "Device"));
        found.elsewhere = true;
        found
    }

    /// Whether a method stands in an `impl` of a struct with `#[derive(omp::Mapper)]`, in the source file.
    pub fn have(sig: &Signature) -> bool {
        let Some(text) = sig.ident.span().local_file().and_then(|path| std::fs::read_to_string(path).ok())
        else {
            return false;
        };
        let Ok(file) = syn::parse_file(&text) else { return false };
        let (names, sig) = (mappers(&text), sig.to_token_stream().to_string());
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

    /// In an `impl`: as in what is around it, or those of the `impl` alone.
    pub fn in_impl(&self, item: &ItemImpl) -> Self {
        let Some(name) = name_of(&item.self_ty) else { return Self::default() };
        if self.find(&name).is_some() {
            return Self { this: Some(name), ..self.clone() };
        }
        if !self.structs.is_empty() || item.trait_.is_some() {
            return self.clone();
        }
        let own = Struct {
            name: name.clone(),
            fields: None,
            methods: methods(std::iter::once(item)),
            indices: vec![],
        };
        Self { structs: Rc::new(vec![own]), this: Some(name), ..Self::default() }
    }

    /// Whether a function is handed such a struct.
    pub fn takes(&self, sig: &Signature) -> bool {
        sig.inputs.iter().any(|input| match input {
            FnArg::Typed(arg) => {
                matches!(behind_parens(&arg.ty), Type::Reference(_))
                    && name_of(behind(&arg.ty)).is_some_and(|name| self.find(&name).is_some())
            }
            FnArg::Receiver(_) => false,
        })
    }

    fn find(&self, name: &str) -> Option<&Struct> {
        self.structs.iter().find(|s| s.name == name)
    }

    /// Whether an `impl` is known here alone: of a struct that no device has as a whole, or an `Index` of one that `glue/device_index.rs`
    /// can't describe to other items, as it calls methods, has a lifetime or a subscript of another type.
    pub fn are_of(&self, item: &ItemImpl) -> bool {
        let seen = |name: String| self.find(&name).is_some_and(|s| s.fields.is_some());
        let index = || {
            let Some((_, ty)) = index_of(item) else { return false };
            let own = item.items.iter().any(|i| matches!(i, ImplItem::Fn(f) if calls_self(&f.block)));
            let other = !matches!(ty, Type::Tuple(_) | Type::Array(_));
            own || other || item.generics.lifetimes().next().is_some()
        };
        (item.trait_.is_none() || index()) && name_of(&item.self_ty).is_some_and(seen)
    }

    /// The structs of a function's variables, by their names.
    pub fn of_variables(&self, sig: &Signature, body: &Block) -> Variables {
        let mut items = Items::default();
        items.visit_block(body);
        let renamed = |s: &Struct| items.words.contains(&s.name);
        if self.structs.is_empty() || items.all || self.structs.iter().any(renamed) {
            return Variables::default();
        }
        let mut found = Search { methods: self, bound: HashMap::new(), types: HashMap::new() };
        for input in &sig.inputs {
            match input {
                FnArg::Receiver(_) => {
                    found.types.extend(self.this.clone().map(|name| ("self".to_owned(), name)));
                    *found.bound.entry("self".to_owned()).or_default() += 1;
                }
                FnArg::Typed(arg) => {
                    found.visit_pat(&arg.pat);
                    found.is_of(&arg.pat, self.named(&arg.ty));
                }
            }
        }
        let own: Vec<String> = sig.generics.type_params().map(|t| t.ident.to_string()).collect();
        found.visit_block(body);
        let Search { bound, types, .. } = found;
        let types = types.into_iter().filter(|(v, ty)| bound.get(v) == Some(&1) && !own.contains(ty));
        Variables { types: types.collect(), items: items.words }
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
        match e {
            Expr::Paren(p) => self.of_place(&p.expr, types),
            Expr::Group(g) => self.of_place(&g.expr, types),
            Expr::Reference(r) => self.of_place(&r.expr, types),
            Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => self.of_place(&u.expr, types),
            Expr::Path(p) => types.get(&p.path.get_ident()?.to_string()).cloned(),
            Expr::Field(f) => {
                let of = self.find(&self.of_place(&f.base, types)?)?;
                let field = of.fields.as_ref()?.iter().enumerate().find(|(i, field)| match &f.member {
                    Member::Named(name) => field.ident.as_ref() == Some(name),
                    Member::Unnamed(index) => index.index as usize == *i,
                })?;
                self.named(&field.1.ty)
            }
            _ => None,
        }
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
        let mut inline = Inline {
            methods: self,
            variables,
            context,
            sink,
            depth: 0,
            writing: false,
            found: false,
            arrays: vec![],
        };
        if !variables.types.is_empty() {
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
        let mut elements = Elements { methods: self, variables, written: HashSet::new(), found: vec![] };
        if !task && !variables.types.is_empty() {
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

    /// The same in a target block.
    pub fn inline_block(&self, block: &mut Block, variables: &Variables, context: &Context, sink: &mut Sink) {
        if !variables.types.is_empty() {
            Inline {
                methods: self,
                variables,
                context,
                sink,
                depth: 0,
                writing: false,
                found: false,
                arrays: vec![],
            }
            .visit_block_mut(block);
        }
    }
}

/// The inherent methods of `impl`s that can be told apart by their names.
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
        found.extend(functions.map(|f| Method {
            function: f.clone(),
            generics: generics.clone(),
            ty: (*item.self_ty).clone(),
        }));
    }
    let names: Vec<String> = found.iter().map(|m| m.function.sig.ident.to_string()).collect();
    let once = |m: &Method| names.iter().filter(|n| m.function.sig.ident == **n).count() == 1;
    let conditional = |a: &Attribute| a.path().is_ident("cfg") || a.path().is_ident("cfg_attr");
    found.retain(|m| once(m) && !m.function.attrs.iter().any(conditional));
    found
}

fn as_impl<'a>(item: &'a Item, name: &str) -> Option<&'a ItemImpl> {
    match item {
        Item::Impl(i) if i.trait_.is_none() && name_of(&i.self_ty).as_deref() == Some(name) => Some(i),
        _ => None,
    }
}

/// The methods of traits for a struct: one that takes `self` by value would come before an inherent one.
fn traits_methods(items: &[Item], name: &str) -> HashSet<String> {
    let impls = items.iter().filter_map(|item| match item {
        Item::Impl(i) if i.trait_.is_some() && name_of(behind(&i.self_ty)).as_deref() == Some(name) => {
            Some(i)
        }
        _ => None,
    });
    let functions = impls.flat_map(|i| &i.items).filter_map(|item| match item {
        ImplItem::Fn(f) => Some(f.sig.ident.to_string()),
        _ => None,
    });
    functions.collect()
}

/// `#[derive(omp::Device)]`
fn derives(attrs: &[Attribute], what: &str) -> bool {
    attrs.iter().filter(|a| a.path().is_ident("derive")).any(|a| {
        let tokens = a.meta.require_list().map(|l| l.tokens.clone()).unwrap_or_default();
        tokens.into_iter().any(|t| matches!(t, TokenTree::Ident(i) if i == what))
    })
}

/// `I` of `impl Index<I>`, and whether it is `IndexMut`.
fn index_of(item: &ItemImpl) -> Option<(bool, &Type)> {
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

fn as_index(item: &Item, name: &str) -> Option<(bool, Type, Method)> {
    let Item::Impl(i) = item else { return None };
    let (mutable, ty) = index_of(i).filter(|_| name_of(&i.self_ty).as_deref() == Some(name))?;
    let method = methods(std::iter::once(i)).pop()?;
    Some((mutable, ty.clone(), method))
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

/// Whether a body has `self` as more than the base of a field.
fn calls_self(block: &Block) -> bool {
    struct Calls(bool);
    impl<'ast> Visit<'ast> for Calls {
        fn visit_expr_method_call(&mut self, m: &'ast ExprMethodCall) {
            self.0 |= matches!(&*m.receiver, Expr::Path(p) if p.path.is_ident("self"));
            visit::visit_expr_method_call(self, m);
        }
    }
    let mut calls = Calls(false);
    calls.visit_block(block);
    calls.0
}

/// The names of structs with the derive, as the text shows them: if there are none, nobody needs to read it.
fn mappers(text: &str) -> HashSet<String> {
    let after = text.match_indices("Mapper").filter_map(|(at, _)| {
        let (_, rest) = text[at..].split_once("struct ")?;
        Some(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect())
    });
    after.collect()
}

/// What an item is told by.
fn head(item: &Item) -> String {
    match item {
        Item::Fn(f) => f.sig.to_token_stream().to_string(),
        Item::Impl(i) => {
            let (generics, ty, of) = (&i.generics, &i.self_ty, i.trait_.as_ref().map(|t| &t.0));
            let methods = i.items.iter().filter_map(|item| match item {
                ImplItem::Fn(f) => Some(&f.sig),
                _ => None,
            });
            quote!(impl #generics #of for #ty { #(#methods)* }).to_string()
        }
        _ => String::new(),
    }
}

/// The modules that have an item of this head.
fn holders<'a>(items: &'a [Item], of: &str, found: &mut Vec<&'a [Item]>) {
    if items.iter().any(|item| head(item) == of) {
        found.push(items);
    }
    for item in items {
        if let Item::Mod(m) = item
            && let Some((_, items)) = &m.content
        {
            holders(items, of, found);
        }
    }
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

/// What a function's own items may name, so that it means another thing there than outside.
#[derive(Default)]
struct Items {
    words: HashSet<String>,
    /// Any name.
    all: bool,
}

impl<'ast> Visit<'ast> for Items {
    fn visit_item(&mut self, item: &'ast Item) {
        let text = item.to_token_stream();
        self.all |= matches!(item, Item::Use(_)) && text.to_string().contains('*');
        self.words.extend(words(text));
    }
}

/// The variables of a function that are structs, with their names, and what its own items name.
#[derive(Default)]
pub struct Variables {
    types: HashMap<String, String>,
    items: HashSet<String>,
}

struct Search<'a> {
    methods: &'a Methods,
    /// How often each is bound.
    bound: HashMap<String, usize>,
    types: HashMap<String, String>,
}

impl Search<'_> {
    fn is_of(&mut self, pat: &Pat, ty: Option<String>) {
        match (pat, ty) {
            (Pat::Ident(p), Some(ty)) if p.subpat.is_none() => {
                drop(self.types.insert(p.ident.to_string(), ty));
            }
            (Pat::Type(t), ty) => {
                let ty = self.methods.named(&t.ty).or(ty);
                self.is_of(&t.pat, ty);
            }
            (Pat::Struct(s), Some(ty)) => {
                let Some(fields) = self.methods.find(&ty).and_then(|s| s.fields.as_ref()) else { return };
                let types: Vec<_> = s
                    .fields
                    .iter()
                    .map(|pat| {
                        let Member::Named(name) = &pat.member else { return None };
                        let field = fields.iter().find(|f| f.ident.as_ref() == Some(name))?;
                        self.methods.named(&field.ty)
                    })
                    .collect();
                s.fields.iter().zip(types).for_each(|(field, ty)| self.is_of(&field.pat, ty));
            }
            _ => {}
        }
    }

    /// The struct of a value.
    fn of_value(&self, e: &Expr) -> Option<String> {
        match e {
            Expr::Struct(s) => self.of_path(&s.path),
            Expr::Call(c) => {
                let Expr::Path(p) = &*c.func else { return None };
                let mut path = p.path.clone();
                let function = path.segments.pop()?.ident;
                path.segments.pop_punct();
                let of = self.of_path(&path)?;
                let is = |m: &&Method| m.function.sig.ident == function;
                let made = self.methods.find(&of)?.methods.iter().find(is)?;
                self.of_result(made, &of)
            }
            Expr::MethodCall(m) if m.method == "clone" && m.args.is_empty() => {
                self.methods.of_place(&m.receiver, &self.types)
            }
            e => self.methods.of_place(e, &self.types),
        }
    }

    fn of_path(&self, path: &syn::Path) -> Option<String> {
        match path.segments.len() {
            1 => self.methods.named(&syn::parse_quote!(#path)),
            _ => None,
        }
    }

    fn of_result(&self, made: &Method, of: &str) -> Option<String> {
        let ReturnType::Type(_, ty) = &made.function.sig.output else { return None };
        let name = name_of(behind(ty))?;
        if name == "Self" { Some(of.to_owned()) } else { self.methods.find(&name).map(|s| s.name.clone()) }
    }
}

impl<'ast> Visit<'ast> for Search<'_> {
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        *self.bound.entry(p.ident.to_string()).or_default() += 1;
        visit::visit_pat_ident(self, p);
    }

    fn visit_local(&mut self, l: &'ast Local) {
        visit::visit_local(self, l);
        let ty = l.init.as_ref().and_then(|init| self.of_value(&init.expr));
        self.is_of(&l.pat, ty);
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}

struct Inline<'a> {
    methods: &'a Methods,
    variables: &'a Variables,
    context: &'a Context,
    sink: &'a mut Sink,
    depth: usize,
    /// In what is written: there `IndexMut` gives the place, elsewhere `Index`.
    writing: bool,
    found: bool,
    /// What is subscripted by its own `Index`, and the array that is meant.
    arrays: Vec<(String, Expr)>,
}

impl Inline<'_> {
    /// What a call becomes. Of a method that is none of a known struct's, nothing.
    fn call(&mut self, call: &ExprMethodCall) -> Option<Expr> {
        let name = self.methods.of_place(&call.receiver, &self.variables.types)?;
        let methods = self.methods.structs.clone();
        let of = methods.iter().find(|s| s.name == name)?;
        let method = of.methods.iter().find(|m| m.function.sig.ident == call.method)?;
        let args: Vec<Expr> = call.args.iter().cloned().collect();
        let mut result = self.reported(method, Some((&call.receiver, &name)), &args, &call.method)?;
        if let Expr::Reference(r) = &mut result
            && let Expr::Index(element) = &mut *r.expr
        {
            element.bracket_token = syn::token::Bracket(call.paren_token.span.close());
        }
        Some(result)
    }

    /// What `m[(i, j)]` becomes, if one declared `Index` is meant for sure.
    fn subscript(&mut self, x: &syn::ExprIndex) -> Option<Expr> {
        let name = self.methods.of_place(&x.expr, &self.variables.types)?;
        let methods = self.methods.structs.clone();
        let of = methods.iter().find(|s| s.name == name)?;
        let suiting =
            of.indices.iter().filter(|(mutable, ty, _)| *mutable == self.writing && suits(ty, &x.index));
        let [(_, _, method)] = suiting.collect::<Vec<_>>()[..] else { return None };
        let at = Ident::new("index", x.expr.span());
        let Ok(Expr::Reference(mut r)) =
            self.body(method, Some((&x.expr, &name)), std::slice::from_ref(&x.index), &at)
        else {
            return None;
        };
        self.found = true;
        if let (Some(of), Expr::Index(element)) = (place::scalar_key(&x.expr), &mut *r.expr) {
            // Messages point at what the user wrote, from the first token to the last.
            element.bracket_token = x.bracket_token;
            self.arrays.push((of, (*element.expr).clone()));
        }
        Some(*r.expr)
    }

    /// What a call of a function becomes that is handed a struct.
    fn function(&mut self, call: &syn::ExprCall) -> Option<Expr> {
        let Expr::Path(p) = &*call.func else { return None };
        let name = p.path.get_ident()?;
        let functions = self.methods.functions.clone();
        let mut named = functions.iter().filter(|f| f.sig.ident == *name);
        let (f, None) = (named.next()?, named.next()) else { return None };
        if self.context.names.contains(&name.to_string()) || self.variables.items.contains(&name.to_string())
        {
            return None;
        }
        let (sig, block) = (&f.sig, &f.block);
        let function = syn::parse_quote!(#sig #block);
        let method = Method { function, generics: vec![], ty: syn::parse_quote!(()) };
        let args: Vec<Expr> = call.args.iter().cloned().collect();
        self.reported(&method, None, &args, name)
    }

    fn reported(
        &mut self,
        method: &Method,
        of: Option<(&Expr, &str)>,
        args: &[Expr],
        at: &Ident,
    ) -> Option<Expr> {
        self.found = true;
        match self.body(method, of, args, at) {
            Ok(e) => Some(e),
            Err(why) => {
                self.sink
                    .error_at(
                        Code::UnsupportedExpr,
                        at,
                        format!("the body of `{at}` can't stand in the place of this call: {}", why.what),
                    )
                    .help(why.help);
                None
            }
        }
    }

    /// The body in the place of the call.
    fn body(
        &mut self,
        method: &Method,
        of: Option<(&Expr, &str)>,
        args: &[Expr],
        at: &Ident,
    ) -> Result<Expr, Why> {
        let (sig, block) = (&method.function.sig, &method.function.block);
        let name = of.map(|(_, name)| name);
        let is_reference =
            matches!(sig.receiver(), Some(r) if matches!(r.kind, syn::ReceiverKind::Reference(..)));
        if name.is_some() && !is_reference {
            return Err(Why::new("it takes `self` by value", "let it take `&self`"));
        }
        if sig.generics.params.iter().any(|p| !matches!(p, GenericParam::Lifetime(_))) {
            return Err(Why::new("it is generic", "write it for the types that it is used with"));
        }
        if self.depth >= DEPTH {
            return Err(Why::new("it calls itself", "write a loop"));
        }
        let own = usize::from(name.is_some());
        if sig.inputs.len() != args.len() + own {
            return Err(Why::new("it has other parameters", "give it its arguments"));
        }
        let mut bound = Bound::default();
        bound.visit_block(block);
        let mut places: HashMap<String, TokenStream> = HashMap::new();
        places.extend(of.map(|(this, _)| ("self".to_owned(), receiver(this))));
        let (mut params, given) = (Vec::new(), args);
        let mut args = Vec::new();
        for (input, arg) in sig.inputs.iter().skip(own).zip(given) {
            let FnArg::Typed(param) = input else { continue };
            if let (Pat::Ident(p), Some(place)) = (&*param.pat, whole(&param.ty, arg)) {
                places.insert(p.ident.to_string(), place);
                continue;
            }
            bound.visit_pat(&param.pat);
            params.push((&*param.pat, &*param.ty));
            args.push(arg.clone());
        }
        let same = name.is_none_or(|name| self.methods.this.as_deref() == Some(name));
        let foreign =
            |word: &String| method.generics.contains(word) && !(same && self.context.generics.contains(word));
        let text = words(block.to_token_stream());
        if let Some(other) =
            text.iter().find(|w| foreign(w) || (*w == "Self" && !same && !method.generics.is_empty()))
        {
            return Err(Why::new(
                format!("it names `{other}`, which is no type here"),
                "write what it does in its place",
            ));
        }
        let hidden = |word: &&String| {
            let generic = self.context.generics.contains(*word) && !method.generics.contains(*word);
            !bound.own.contains(*word) && (generic || self.variables.items.contains(*word))
        };
        if let Some(other) = text.iter().find(hidden) {
            return Err(Why::new(
                format!("`{other}` is another item there than in this function"),
                "give the item of the function another name",
            ));
        }
        // What is no variable of the method's own is an item.
        if let Some(taken) = bound
            .free
            .iter()
            .find(|w| !places.contains_key(*w) && !bound.own.contains(*w) && self.context.names.contains(w))
        {
            return Err(Why::new(
                format!("it names an item `{taken}`, and here that is a variable"),
                format!("give the variable another name: `{taken}_here`"),
            ));
        }
        let mut renames = HashMap::new();
        for root in places.values().flat_map(|place| words(place.clone())) {
            if bound.own.contains(&root) {
                let other = Ident::new(&format!("{root}_"), at.span());
                renames.insert(root, other.to_token_stream());
            }
        }
        if let Some(member) =
            bound.members.iter().find(|m| renames.contains_key(*m) || places.contains_key(*m))
        {
            return Err(Why::new(
                format!("it names a field and a variable `{member}`"),
                format!("give the variable another name: `{member}_here`"),
            ));
        }
        if !same {
            renames.insert("Self".to_owned(), method.ty.to_token_stream());
        }
        let elsewhere = self.methods.elsewhere;
        let here = |tokens: TokenStream| if elsewhere { moved(tokens, at.span()) } else { tokens };
        let replaced = |tokens: TokenStream| substituted(substituted(here(tokens), &renames), &places);
        let parse = || Why::new("it can't be read", "write what it does in its place");
        let mut block: Block = syn::parse2(replaced(block.to_token_stream())).map_err(|_| parse())?;
        let params = params.into_iter().map(|(pat, ty)| {
            let (pat, ty) = (
                substituted(here(pat.to_token_stream()), &renames),
                substituted(here(ty.to_token_stream()), &renames),
            );
            let named = words(ty.clone());
            if named.iter().any(|w| foreign(w) || w == "impl") { pat } else { quote!(#pat: #ty) }
        });
        let params: Vec<TokenStream> = params.collect();
        self.depth += 1;
        let writing = std::mem::replace(&mut self.writing, false);
        self.visit_block_mut(&mut block);
        self.writing = writing;
        self.depth -= 1;
        let result = match &sig.output {
            ReturnType::Type(_, ty) if matches!(behind_parens(ty), Type::Reference(_)) => None,
            ReturnType::Type(_, ty) => {
                let ty = substituted(here(ty.to_token_stream()), &renames);
                Some(if words(ty.clone()).iter().any(foreign) { quote!() } else { quote!(-> #ty) })
            }
            ReturnType::Default => Some(quote!()),
        };
        let body = Body { block, params, args, span: at.span() };
        match result {
            Some(result) => body.value(&result),
            None => body.place(),
        }
    }
}

impl VisitMut for Inline<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Assign(a) => {
                self.visit_at(&mut a.left, true);
                self.visit_at(&mut a.right, false);
            }
            Expr::Binary(b) if is_assignment(&b.op) => {
                self.visit_at(&mut b.left, true);
                self.visit_at(&mut b.right, false);
            }
            Expr::Reference(r) => self.visit_at(&mut r.expr, r.mutability.is_some()),
            Expr::Index(x) => {
                self.visit_expr_mut(&mut x.expr);
                self.visit_at(&mut x.index, false);
            }
            Expr::Field(_) | Expr::Paren(_) | Expr::Tuple(_) => visit_mut::visit_expr_mut(self, e),
            _ => {
                let writing = std::mem::replace(&mut self.writing, false);
                visit_mut::visit_expr_mut(self, e);
                self.writing = writing;
            }
        }
        match e {
            Expr::Call(call) => {
                if let Some(body) = self.function(call) {
                    *e = body;
                }
            }
            Expr::MethodCall(call) => {
                if let Expr::Reference(r) = &*call.receiver {
                    call.receiver = r.expr.clone();
                }
                if let Some(body) = self.call(call) {
                    *e = body;
                }
            }
            Expr::Field(f) => through(&mut f.base),
            Expr::Index(x) => {
                through(&mut x.expr);
                if let Some(element) = self.subscript(x) {
                    *e = element;
                }
            }
            Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => {
                if let Expr::Reference(r) = &*u.expr {
                    *e = (*r.expr).clone();
                }
            }
            _ => {}
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

impl Inline<'_> {
    fn visit_at(&mut self, e: &mut Expr, writing: bool) {
        let before = std::mem::replace(&mut self.writing, writing);
        self.visit_expr_mut(e);
        self.writing = before;
    }
}

/// Gives names to elements of fixed arrays in structs, by numbers: `g.size[1]` is a value that the region is given, as `g.rows` is.
/// Of a `Vec`, it would be an element on the device.
struct Elements<'a> {
    methods: &'a Methods,
    variables: &'a Variables,
    written: HashSet<String>,
    found: Vec<(Ident, Expr)>,
}

impl Elements<'_> {
    fn is_fixed(&self, x: &syn::ExprIndex) -> Option<bool> {
        let Expr::Field(f) = &*x.expr else { return None };
        let of = self.methods.find(&self.methods.of_place(&f.base, &self.variables.types)?)?;
        let Member::Named(name) = &f.member else { return None };
        let field = of.fields.as_ref()?.iter().find(|field| field.ident.as_ref() == Some(name))?;
        Some(matches!(field.ty, Type::Array(_)))
    }
}

impl VisitMut for Elements<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::Index(x) = e
            && let Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. }) = &*x.index
            && self.is_fixed(x) == Some(true)
            && let Some(key) = place::scalar_key(&x.expr)
            && !self.written.iter().any(|w| place::covers(w, &key) || place::covers(&key, w))
        {
            let name = format!("{NUMBERS}{}_{}", key.replace("r#", "").replace('.', "_"), n.base10_digits());
            let name = Ident::new(&name, x.expr.span());
            if !self.found.iter().any(|(known, _)| *known == name) {
                self.found.push((name.clone(), e.clone()));
            }
            *e = syn::parse_quote!(#name);
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// `(&place).x` is `place.x`.
fn through(e: &mut Expr) {
    if let Expr::Reference(r) = e {
        *e = (*r.expr).clone();
    }
}

/// Why a body can't stand in the place of a call.
struct Why {
    what: String,
    help: String,
}

impl Why {
    fn new(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { what: what.into(), help: help.into() }
    }
}

/// A body with the receiver in it.
struct Body {
    block: Block,
    params: Vec<TokenStream>,
    args: Vec<Expr>,
    span: proc_macro2::Span,
}

impl Body {
    /// As a value, of this type.
    fn value(&self, result: &TokenStream) -> Result<Expr, Why> {
        if let ([Stmt::Expr(e, None)], []) = (&self.block.stmts[..], &self.params[..])
            && !matches!(e, Expr::Lit(_))
        {
            return Ok(syn::parse_quote!((#e)));
        }
        let (params, args, block) = (&self.params, &self.args, &self.block);
        Ok(made(quote_spanned!(self.span=> (|#(#params),*| #result #block)(#(#args),*))))
    }

    /// As the place that it gives a reference to.
    fn place(mut self) -> Result<Expr, Why> {
        let Some(Stmt::Expr(Expr::Reference(mut r), None)) = self.block.stmts.pop() else {
            return Err(Why::new(
                "it returns a reference that is no `&self.data[…]`",
                "let its last expression be `&self.data[…]` or `&mut self.data[…]`, an element or a range",
            ));
        };
        let mut brackets = 0;
        self.subscripts(&mut r.expr, &mut brackets)?;
        let again = brackets > 1 && !(self.block.stmts.is_empty() && self.args.iter().all(is_pure));
        if again {
            return Err(Why::new(
                "its arguments would be computed more than once",
                "give it variables: `let i = …;` before the call",
            ));
        }
        Ok(Expr::Reference(r))
    }

    fn subscripts(&self, e: &mut Expr, brackets: &mut usize) -> Result<(), Why> {
        match e {
            Expr::Paren(p) => self.subscripts(&mut p.expr, brackets),
            Expr::Field(f) => self.subscripts(&mut f.base, brackets),
            Expr::Path(_) => Ok(()),
            Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => Ok(()),
            Expr::Index(x) => {
                match &mut *x.index {
                    Expr::Range(r) => {
                        for end in [&mut r.start, &mut r.end].into_iter().flatten() {
                            **end = self.number(end, brackets);
                        }
                    }
                    index => *index = self.number(index, brackets),
                }
                self.subscripts(&mut x.expr, brackets)
            }
            _ => Err(Why::new(
                "it returns a reference to a value",
                "let its last expression be `&self.data[…]` or `&mut self.data[…]`",
            )),
        }
    }

    /// A subscript, with what stands before it.
    fn number(&self, e: &Expr, brackets: &mut usize) -> Expr {
        if (self.params.is_empty() && self.block.stmts.is_empty()) || matches!(e, Expr::Lit(_)) {
            return e.clone();
        }
        *brackets += 1;
        let (params, args, before) = (&self.params, &self.args, &self.block.stmts);
        made(quote_spanned! {self.span=>
            (|#(#params),*| -> ::omp::__private::core::primitive::usize { #(#before)* #e })(#(#args),*)
        })
    }
}

fn made(tokens: TokenStream) -> Expr {
    syn::parse2(tokens).expect("these tokens are an expression")
}

/// Without parentheses and references: fields are found through them.
fn receiver(e: &Expr) -> TokenStream {
    match e {
        Expr::Paren(p) => receiver(&p.expr),
        Expr::Group(g) => receiver(&g.expr),
        Expr::Reference(r) => receiver(&r.expr),
        Expr::Unary(_) => quote!((#e)),
        e => e.to_token_stream(),
    }
}

/// An argument that stands for a parameter as it is: a whole array, or a struct.
fn whole(ty: &Type, arg: &Expr) -> Option<TokenStream> {
    fn is_place(e: &Expr) -> bool {
        match e {
            Expr::Path(p) => p.path.get_ident().is_some(),
            Expr::Field(f) => is_place(&f.base),
            Expr::Paren(p) => is_place(&p.expr),
            Expr::Reference(r) => is_place(&r.expr),
            _ => false,
        }
    }
    let Type::Reference(r) = behind_parens(ty) else { return None };
    let of = match &*r.elem {
        Type::Slice(_) | Type::Array(_) => true,
        ty => name_of(ty).is_some_and(|name| name.starts_with(char::is_uppercase)),
    };
    (of && is_place(arg)).then(|| receiver(arg))
}

fn behind_parens(ty: &Type) -> &Type {
    match ty {
        Type::Paren(p) => behind_parens(&p.elem),
        Type::Group(g) => behind_parens(&g.elem),
        ty => ty,
    }
}

/// Whether an expression may be computed twice.
fn is_pure(e: &Expr) -> bool {
    match e {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Paren(p) => is_pure(&p.expr),
        Expr::Group(g) => is_pure(&g.expr),
        Expr::Field(f) => is_pure(&f.base),
        Expr::Cast(c) => is_pure(&c.expr),
        Expr::Unary(u) => is_pure(&u.expr),
        Expr::Index(x) => is_pure(&x.expr) && is_pure(&x.index),
        Expr::Binary(b) => !is_assignment(&b.op) && is_pure(&b.left) && is_pure(&b.right),
        _ => false,
    }
}

/// What a method's body binds and names.
#[derive(Default)]
struct Bound {
    own: HashSet<String>,
    free: HashSet<String>,
    members: HashSet<String>,
}

impl<'ast> Visit<'ast> for Bound {
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.own.insert(p.ident.to_string());
        visit::visit_pat_ident(self, p);
    }

    fn visit_expr_path(&mut self, p: &'ast syn::ExprPath) {
        if let Some(name) = p.path.get_ident().filter(|name| *name != "self") {
            self.free.insert(name.to_string());
        }
    }

    fn visit_field_value(&mut self, f: &'ast syn::FieldValue) {
        self.members.insert(f.member.to_token_stream().to_string());
        visit::visit_field_value(self, f);
    }

    fn visit_field_pat(&mut self, f: &'ast syn::FieldPat) {
        self.members.insert(f.member.to_token_stream().to_string());
        visit::visit_field_pat(self, f);
    }

    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        self.free.extend(words(m.tokens.clone()).into_iter().filter(|w| w != "self"));
    }
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

/// Tokens in which names have others in their places. A name after a `.` is a field's, but after `..` it is none.
fn substituted(tokens: TokenStream, names: &HashMap<String, TokenStream>) -> TokenStream {
    let mut dots = 0;
    let tree = |tree: TokenTree| {
        let before = dots;
        dots = if matches!(&tree, TokenTree::Punct(p) if p.as_char() == '.') { dots + 1 } else { 0 };
        match tree {
            TokenTree::Ident(i) if before != 1 => match names.get(&i.to_string()) {
                Some(other) => other.clone(),
                None => i.to_token_stream(),
            },
            TokenTree::Group(g) => {
                let mut group = Group::new(g.delimiter(), substituted(g.stream(), names));
                group.set_span(g.span());
                group.to_token_stream()
            }
            other => other.to_token_stream(),
        }
    };
    tokens.into_iter().flat_map(tree).collect()
}
