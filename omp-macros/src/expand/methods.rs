//! Methods of structs that own arrays, called in a region of the same `impl` or `mod`.
//!
//! A device has no such struct as a whole: a region has its arrays and its numbers, each by its own name. So the body of a method
//! stands in the place of its call, as a closure's does (`iterate/closure.rs`): `self.idx(i, j)` becomes
//! `(|i: usize, j: usize| -> usize { i * self.cols + j })(i, j)`. A method that returns an element, a slice or a whole array by
//! reference becomes that place, with closures in its brackets.
//!
//! Which method a call means, tokens tell alone: the receiver is a variable, or a field of one, whose struct is named in the
//! function's head, in a `let` or in the struct's own fields, and the method is an inherent one of that struct.
use crate::ast::Context;
use crate::diag::{Code, Sink};
use crate::parse::source::as_written;
use crate::sema::updates::is_assignment;
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, Block, Expr, ExprForLoop, ExprMethodCall, Fields, FnArg, GenericParam, ImplItem, ImplItemFn,
    Item, ItemImpl, Local, Member, Pat, ReturnType, Signature, Stmt, Type, UnOp,
};

/// How deep methods may call each other. A recursive one is left as it is.
const DEPTH: usize = 16;

/// The structs of an item, and the methods that stand in it.
#[derive(Clone, Default)]
pub struct Methods {
    structs: Rc<Vec<Struct>>,
    /// The struct that `self` is.
    this: Option<String>,
}

/// A struct that is no device type, as far as the item tells.
struct Struct {
    name: String,
    /// `None` if the struct stands elsewhere.
    fields: Option<Fields>,
    methods: Vec<Method>,
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
        let structs = items.iter().filter_map(|item| match item {
            Item::Struct(s) if !derives_device(&s.attrs) => {
                let name = s.ident.to_string();
                let methods = methods(items.iter().filter_map(|i| as_impl(i, &name)));
                let hidden = traits_methods(items, &name);
                let shown = methods.into_iter().filter(|m| !hidden.contains(&m.function.sig.ident.to_string()));
                Some(Struct { methods: shown.collect(), fields: Some(s.fields.clone()), name })
            }
            _ => None,
        });
        Self { structs: Rc::new(structs.collect()), this: None }
    }

    /// In an `impl`: as in what is around it, or those of the `impl` alone.
    pub fn in_impl(&self, item: &ItemImpl) -> Self {
        let Some(name) = name_of(&item.self_ty) else { return Self::default() };
        if self.find(&name).is_some() {
            return Self { structs: self.structs.clone(), this: Some(name) };
        }
        if !self.structs.is_empty() || item.trait_.is_some() {
            return Self { structs: self.structs.clone(), this: None };
        }
        let own = Struct { name: name.clone(), fields: None, methods: methods(std::iter::once(item)) };
        Self { structs: Rc::new(vec![own]), this: Some(name) }
    }

    fn find(&self, name: &str) -> Option<&Struct> {
        self.structs.iter().find(|s| s.name == name)
    }

    /// Whether an `impl` is of a struct that no device has as a whole, so that its methods are known here alone.
    pub fn are_of(&self, item: &ItemImpl) -> bool {
        let seen = |name: String| self.find(&name).is_some_and(|s| s.fields.is_some());
        item.trait_.is_none() && name_of(&item.self_ty).is_some_and(seen)
    }

    /// The structs of a function's variables, by their names.
    pub fn of_variables(&self, sig: &Signature, body: &Block) -> HashMap<String, String> {
        let mut items = Items { methods: self, rename: false };
        items.visit_block(body);
        if self.structs.is_empty() || items.rename {
            return HashMap::new();
        }
        let mut found = Variables { methods: self, bound: HashMap::new(), types: HashMap::new() };
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
        let Variables { bound, types, .. } = found;
        types.into_iter().filter(|(v, ty)| bound.get(v) == Some(&1) && !own.contains(ty)).collect()
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
    fn of_place(&self, e: &Expr, variables: &HashMap<String, String>) -> Option<String> {
        match e {
            Expr::Paren(p) => self.of_place(&p.expr, variables),
            Expr::Group(g) => self.of_place(&g.expr, variables),
            Expr::Reference(r) => self.of_place(&r.expr, variables),
            Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => self.of_place(&u.expr, variables),
            Expr::Path(p) => variables.get(&p.path.get_ident()?.to_string()).cloned(),
            Expr::Field(f) => {
                let of = self.find(&self.of_place(&f.base, variables)?)?;
                let field = of.fields.as_ref()?.iter().enumerate().find(|(i, field)| match &f.member {
                    Member::Named(name) => field.ident.as_ref() == Some(name),
                    Member::Unnamed(index) => index.index as usize == *i,
                })?;
                self.named(&field.1.ty)
            }
            _ => None,
        }
    }

    /// Puts methods in the place of their calls. Whether there were any.
    pub fn inline_loop(
        &self,
        f: &mut ExprForLoop,
        variables: &HashMap<String, String>,
        context: &Context,
        sink: &mut Sink,
    ) -> bool {
        let mut inline = Inline { methods: self, variables, context, sink, depth: 0, found: false };
        if !variables.is_empty() {
            inline.visit_expr_for_loop_mut(f);
        }
        inline.found
    }

    /// The same in a target block.
    pub fn inline_block(
        &self,
        block: &mut Block,
        variables: &HashMap<String, String>,
        context: &Context,
        sink: &mut Sink,
    ) {
        if !variables.is_empty() {
            Inline { methods: self, variables, context, sink, depth: 0, found: false }.visit_block_mut(block);
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
        Item::Impl(i) if i.trait_.is_some() && name_of(behind(&i.self_ty)).as_deref() == Some(name) => Some(i),
        _ => None,
    });
    let functions = impls.flat_map(|i| &i.items).filter_map(|item| match item {
        ImplItem::Fn(f) => Some(f.sig.ident.to_string()),
        _ => None,
    });
    functions.collect()
}

/// `#[derive(omp::Device)]`
fn derives_device(attrs: &[Attribute]) -> bool {
    attrs.iter().filter(|a| a.path().is_ident("derive")).any(|a| {
        let tokens = a.meta.require_list().map(|l| l.tokens.clone()).unwrap_or_default();
        tokens.into_iter().any(|t| matches!(t, TokenTree::Ident(i) if i == "Device"))
    })
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

/// Whether a function has items of its own that may give a struct's name to another.
struct Items<'a> {
    methods: &'a Methods,
    rename: bool,
}

impl<'ast> Visit<'ast> for Items<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let text = item.to_token_stream();
        self.rename |= matches!(item, Item::Use(_)) && text.to_string().contains('*');
        self.rename |= words(text).iter().any(|word| self.methods.find(word).is_some());
    }
}

struct Variables<'a> {
    methods: &'a Methods,
    /// How often each is bound.
    bound: HashMap<String, usize>,
    types: HashMap<String, String>,
}

impl Variables<'_> {
    fn is_of(&mut self, pat: &Pat, ty: Option<String>) {
        match (pat, ty) {
            (Pat::Ident(p), Some(ty)) if p.subpat.is_none() => drop(self.types.insert(p.ident.to_string(), ty)),
            (Pat::Type(t), ty) => {
                let ty = self.methods.named(&t.ty).or(ty);
                self.is_of(&t.pat, ty);
            }
            (Pat::Struct(s), Some(ty)) => {
                let Some(fields) = self.methods.find(&ty).and_then(|s| s.fields.as_ref()) else { return };
                let types: Vec<_> = s.fields.iter().map(|pat| {
                    let Member::Named(name) = &pat.member else { return None };
                    let field = fields.iter().find(|f| f.ident.as_ref() == Some(name))?;
                    self.methods.named(&field.ty)
                }).collect();
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

impl<'ast> Visit<'ast> for Variables<'_> {
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
    variables: &'a HashMap<String, String>,
    context: &'a Context,
    sink: &'a mut Sink,
    depth: usize,
    found: bool,
}

impl Inline<'_> {
    /// What a call becomes. Of a method that is none of a known struct's, nothing.
    fn call(&mut self, call: &ExprMethodCall) -> Option<Expr> {
        let name = self.methods.of_place(&call.receiver, self.variables)?;
        let methods = self.methods.structs.clone();
        let of = methods.iter().find(|s| s.name == name)?;
        let method = of.methods.iter().find(|m| m.function.sig.ident == call.method)?;
        self.found = true;
        match self.body(method, &name, call) {
            Ok(e) => Some(e),
            Err(why) => {
                let what = as_written(&call.method);
                self.sink
                    .error_at(
                        Code::UnsupportedExpr,
                        &call.method,
                        format!("the body of `{what}` can't stand in the place of this call: {}", why.what),
                    )
                    .help(why.help);
                None
            }
        }
    }

    /// The body in the place of the call.
    fn body(&mut self, method: &Method, name: &str, call: &ExprMethodCall) -> Result<Expr, Why> {
        let (sig, block) = (&method.function.sig, &method.function.block);
        if !matches!(sig.receiver(), Some(r) if matches!(r.kind, syn::ReceiverKind::Reference(..))) {
            return Err(Why::new("it takes `self` by value", "let it take `&self`"));
        }
        if sig.generics.params.iter().any(|p| !matches!(p, GenericParam::Lifetime(_))) {
            return Err(Why::new("it is generic", "write it for the types that it is used with"));
        }
        if self.depth >= DEPTH {
            return Err(Why::new("it calls itself", "write a loop"));
        }
        if sig.inputs.len() != call.args.len() + 1 {
            return Err(Why::new("it has other parameters", "give it its arguments"));
        }
        let mut bound = Bound::default();
        bound.visit_block(block);
        let mut places: HashMap<String, TokenStream> = HashMap::new();
        places.insert("self".to_owned(), receiver(&call.receiver));
        let (mut params, mut args) = (Vec::new(), Vec::new());
        for (input, arg) in sig.inputs.iter().skip(1).zip(&call.args) {
            let FnArg::Typed(param) = input else { continue };
            if let (Pat::Ident(p), Some(place)) = (&*param.pat, place(&param.ty, arg)) {
                places.insert(p.ident.to_string(), place);
                continue;
            }
            bound.visit_pat(&param.pat);
            params.push((&*param.pat, &*param.ty));
            args.push(arg.clone());
        }
        let same = self.methods.this.as_deref() == Some(name);
        let foreign = |word: &String| {
            method.generics.contains(word) && !(same && self.context.generics.contains(word))
        };
        let text = words(block.to_token_stream());
        if let Some(other) = text.iter().find(|w| foreign(w) || (*w == "Self" && !same && !method.generics.is_empty())) {
            return Err(Why::new(
                format!("it names `{other}`, which is no type here"),
                "write what it does in its place",
            ));
        }
        // What is no variable of the method's own is an item.
        if let Some(taken) = bound.free.iter().find(|w| {
            !places.contains_key(*w) && !bound.own.contains(*w) && self.context.names.contains(w)
        }) {
            return Err(Why::new(
                format!("it names an item `{taken}`, and here that is a variable"),
                format!("give the variable another name: `{taken}_here`"),
            ));
        }
        let mut renames = HashMap::new();
        for root in places.values().flat_map(|place| words(place.clone())) {
            if bound.own.contains(&root) {
                let other = Ident::new(&format!("{root}_"), call.method.span());
                renames.insert(root, other.to_token_stream());
            }
        }
        if let Some(member) = bound.members.iter().find(|m| renames.contains_key(*m) || places.contains_key(*m)) {
            return Err(Why::new(
                format!("it names a field and a variable `{member}`"),
                format!("give the variable another name: `{member}_here`"),
            ));
        }
        if !same {
            renames.insert("Self".to_owned(), method.ty.to_token_stream());
        }
        let replaced = |tokens: TokenStream| substituted(substituted(tokens, &renames), &places);
        let parse = || Why::new("it can't be read", "write what it does in its place");
        let mut block: Block = syn::parse2(replaced(block.to_token_stream())).map_err(|_| parse())?;
        let params = params.into_iter().map(|(pat, ty)| {
            let (pat, ty) = (substituted(pat.to_token_stream(), &renames), substituted(ty.to_token_stream(), &renames));
            let named = words(ty.clone());
            if named.iter().any(|w| foreign(w) || w == "impl") { pat } else { quote!(#pat: #ty) }
        });
        let params: Vec<TokenStream> = params.collect();
        self.depth += 1;
        self.visit_block_mut(&mut block);
        self.depth -= 1;
        let result = match &sig.output {
            ReturnType::Type(_, ty) if matches!(behind_parens(ty), Type::Reference(_)) => None,
            ReturnType::Type(_, ty) => {
                let ty = substituted(ty.to_token_stream(), &renames);
                Some(if words(ty.clone()).iter().any(foreign) { quote!() } else { quote!(-> #ty) })
            }
            ReturnType::Default => Some(quote!()),
        };
        let body = Body { block, params, args, span: call.method.span() };
        match result {
            Some(result) => body.value(&result),
            None => body.place(),
        }
    }
}

impl VisitMut for Inline<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        match e {
            Expr::MethodCall(call) => {
                if let Expr::Reference(r) = &*call.receiver {
                    call.receiver = r.expr.clone();
                }
                if let Some(body) = self.call(call) {
                    *e = body;
                }
            }
            Expr::Field(f) => through(&mut f.base),
            Expr::Index(x) => through(&mut x.expr),
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
fn place(ty: &Type, arg: &Expr) -> Option<TokenStream> {
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
