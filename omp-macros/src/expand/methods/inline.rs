//! Replaces calls of methods, and subscripts by an `Index`, by the bodies.
mod body;
mod borrowing;
mod closure_calls;
mod expressions;
mod iterated;
mod members;
mod own_iterators;
mod parts;
mod references;
mod slices;
mod tried;
mod type_parameters;
mod walk;

use super::items::{Items, tier};
use super::values::{Ty, Types};
use super::{Method, Methods, Variables, behind_parens, found, modules, suits, sums, templates, words};
use crate::ast::Context;
use crate::diag::{Code, Sink};
use crate::expand::context;
use crate::iterate::{hidden, moved, parentheses, substituted};
use crate::parse::tokens::source::{CLOSURE_ARGUMENT, OF_CHAIN};
use crate::sema::reduction::updates::is_assignment;
use crate::sema::syntax::forms::{behind_references, strip};
use crate::sema::syntax::names::bound_in;
use crate::sema::syntax::place;
use crate::sema::syntax::search;
use crate::sema::syntax::shadowing;
pub(super) use body::Bound;
use body::{Body, Why, range_of};
pub(super) use expressions::FindChanging;
use expressions::{
    Changing, assign_at_ends, at_ends, is_plain_place, is_pure, is_pure_with, made, receiver, whole,
};
use iterated::{Iterated, PassedOn};
use parts::Part;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{
    Block, Expr, ExprMethodCall, FnArg, GenericParam, ItemFn, Pat, ReturnType, Signature, Stmt, Type, UnOp,
};
use type_parameters::{TypeParameters, infer_types};

/// The receiver of a method that is inlined by its name.
const RECEIVER: &str = "__omp_closure_self";

/// A reference to such a receiver, which has the method's type. (No parameter of a user's has such a name.)
const CHECKED: &str = "__omp_closure_0receiver";

/// How deep methods may call each other.
const DEPTH: usize = 16;

pub(super) struct Inline<'a> {
    pub methods: &'a Methods,
    pub variables: &'a Variables,
    pub context: &'a Context,
    pub sink: &'a mut Sink,
    /// In a region: the names that it binds itself.
    pub region: Option<HashSet<String>>,
    /// In a region: the variables from outside. In a function there are none.
    pub outside: Option<Vec<String>>,
    pub depth: usize,
    /// In what is written: there `IndexMut` gives the place, elsewhere `Index`.
    pub writing: bool,
    /// What comes next is the receiver of a method that may change it.
    pub receiver: bool,
    pub found: bool,
    /// The structs that are subscripted by their own `Index`, and the array of each.
    pub arrays: Vec<(String, Expr)>,
    /// The bindings of the bodies around.
    pub around: Vec<HashSet<String>>,
    /// The types of device values.
    pub types: Types<'a>,
    /// How many calls gave iterators, and how many parts have names.
    pub chains: usize,
    /// The structs of variables, by their names.
    pub known: HashMap<String, String>,
    /// The parts of variables that have names of their own.
    pub parts: Vec<Part>,
    /// The statements of the next body stand before the statement of the call.
    pub hoisted: bool,
    /// The functions whose bodies are walked through.
    pub inside: Vec<(String, String)>,
    /// A call could not be replaced, which is reported.
    pub failed: bool,
    /// The next body may leave its caller.
    pub leaving: bool,
    /// The head of the region's loop comes next.
    pub head: bool,
    /// What calls may change something by.
    pub changing: Rc<Changing>,
    /// What the region writes.
    pub written: HashSet<String>,
}

/// In the place of its call, a body of an iterator is where its variables are: its `move` closures need no copies of them, unless one
/// changes its copy.
fn borrow_instead(block: &mut Block) {
    struct Borrow;
    impl VisitMut for Borrow {
        fn visit_expr_closure_mut(&mut self, c: &mut syn::ExprClosure) {
            // (What is in it may need its parameters.)
            c.capture = None;
        }
    }
    struct Mutable(bool);
    impl<'ast> Visit<'ast> for Mutable {
        fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
            self.0 |= p.mutability.is_some();
            syn::visit::visit_pat_ident(self, p);
        }
    }
    let mut mutable = Mutable(false);
    mutable.visit_block(block);
    if !mutable.0 {
        Borrow.visit_block_mut(block);
    }
}

/// A body in which lengths of arrays stand in the place of const parameters.
fn with_lengths(block: &Block, lengths: &[(String, TokenStream)]) -> Block {
    struct Put<'l>(&'l [(String, TokenStream)]);
    impl VisitMut for Put<'_> {
        fn visit_expr_mut(&mut self, e: &mut Expr) {
            let length = match &*e {
                Expr::Path(p) => {
                    self.0.iter().find(|(name, _)| p.path.is_ident(name)).map(|(_, length)| length.clone())
                }
                _ => None,
            };
            match length {
                Some(length) => *e = made(parentheses(length)),
                None => syn::visit_mut::visit_expr_mut(self, e),
            }
        }
        // Lengths in types are consts.
        fn visit_type_mut(&mut self, _: &mut Type) {}
        fn visit_expr_repeat_mut(&mut self, r: &mut syn::ExprRepeat) {
            self.visit_expr_mut(&mut r.expr);
        }
        fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    }
    let mut block = block.clone();
    if !lengths.is_empty() {
        Put(lengths).visit_block_mut(&mut block);
    }
    block
}

impl<'a> Inline<'a> {
    /// The replacement of a call. `None` for a method that is not one of a known struct.
    fn call(&mut self, call: &ExprMethodCall) -> Option<Expr> {
        let name = self.methods.of_place(&call.receiver, &self.known)?;
        let methods = self.methods.structs.clone();
        let of = methods.iter().find(|s| s.name == name)?;
        let method = of.methods.iter().find(|m| m.function.sig.ident == call.method)?;
        let args: Vec<Expr> = call.args.iter().cloned().collect();
        let (function, given) = instance(method.function.clone(), call.turbofish.as_ref())?;
        let mut method = Method { given, ..method.with(templates::without_closures(function)) };
        if of.borrows
            && let Some(own) = borrowing::with_own_self(&method)
        {
            method = Method { given: method.given.clone(), ..own };
        }
        let method = &method;
        let mut result = self.reported(method, Some((&call.receiver, &name)), &args, &call.method)?;
        if let Expr::Reference(r) = &mut result
            && let Expr::Index(element) = &mut *r.expr
        {
            element.bracket_token = syn::token::Bracket(call.paren_token.span.close());
        }
        Some(result)
    }

    /// The replacement of `m[(i, j)]`, if exactly one declared `Index` fits.
    fn subscript(&mut self, x: &syn::ExprIndex) -> Option<Expr> {
        let Some(name) = self.methods.of_place(&x.expr, &self.known) else {
            return self.value_subscript(x);
        };
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

    /// Whether an expression is a place that may be named more than once.
    fn is_steady(&self, e: &Expr) -> bool {
        let mut pure = true;
        search::walk(e, |e| {
            if let Expr::Index(x) = e {
                pure &= is_pure_with(&x.index, &self.changing, &|name| self.methods.reads(name));
            }
            true
        });
        pure && is_plain_place(e)
    }

    /// The device type of a value, unless the function has another item of that name.
    fn named_type(&self, e: &Expr) -> Option<String> {
        match self.types.of(e)? {
            Ty::Named(name) if !self.variables.items.contains(&name) => Some(name),
            _ => None,
        }
    }

    /// The declared `Index` of a device value that a subscript means.
    fn value_index(&self, x: &syn::ExprIndex, writing: bool) -> Option<(String, &'a Method)> {
        let name = self.named_type(&x.expr)?;
        let methods: &'a Methods = self.methods;
        let indices = &methods.values.find(&name)?.indices;
        let suiting = indices.iter().filter(|(mutable, ty, _)| *mutable == writing && suits(ty, &x.index));
        let [(_, _, method)] = suiting.collect::<Vec<_>>()[..] else { return None };
        Some((name, method))
    }

    /// `m[(i, j)]` of a device value.
    fn value_subscript(&mut self, x: &syn::ExprIndex) -> Option<Expr> {
        let (name, method) = self.value_index(x, self.writing)?;
        let at = Ident::new("index", x.expr.span());
        if !self.is_steady(&x.expr) {
            // What is written, or may be, would be written to a copy.
            if (self.writing || self.receiver) && is_plain_place(&x.expr) {
                return None;
            }
            // A value that has no name.
            let (value, index, span) = (behind_references(&x.expr), &x.index, x.expr.span());
            let named = Ident::new("__device_value_subscripted", Span::mixed_site().located_at(span));
            let named_x: syn::ExprIndex = syn::parse_quote_spanned!(span=> #named[#index]);
            let element = self.value_place(&named_x, &name, method, &at)?;
            return Some(made(parentheses(quote_spanned!(span=> { let #named = #value; #element }))));
        }
        if !self.writing && !self.receiver && !is_pure(&x.index, &self.changing) {
            // The body may name the subscript more than once.
            let (value, index, span) = (&x.expr, &x.index, x.index.span());
            let named = Ident::new("__device_value_index", Span::mixed_site().located_at(span));
            let named_x: syn::ExprIndex = syn::parse_quote_spanned!(span=> #value[#named]);
            let element = self.value_place(&named_x, &name, method, &at)?;
            return Some(made(parentheses(quote_spanned!(span=> { let #named = #index; #element }))));
        }
        self.value_place(x, &name, method, &at)
    }

    fn value_place(&mut self, x: &syn::ExprIndex, name: &str, method: &Method, at: &Ident) -> Option<Expr> {
        let args = std::slice::from_ref(&*x.index);
        if let Some(value) = by_value(method) {
            if self.writing {
                self.sink
                    .error_at(
                        Code::UnsupportedExpr,
                        &*x.index,
                        "which field this subscript means is known when it runs, and the element is borrowed here",
                    )
                    .help("assign it: `v[i] = …` and `v[i] += …`; or write the field's name");
                return None;
            }
            return self.reported(&value, Some((&x.expr, name)), args, at);
        }
        match self.reported(method, Some((&x.expr, name)), args, at)? {
            Expr::Reference(mut r) => {
                if let Expr::Index(element) = &mut *r.expr {
                    element.bracket_token = x.bracket_token;
                }
                Some(*r.expr)
            }
            _ => None,
        }
    }

    /// `v[i] = e`, where the `IndexMut` of a device value has a branch for each field.
    fn value_assignment(&mut self, e: &Expr) -> Option<Expr> {
        let (left, right, op) = match e {
            Expr::Assign(a) => (&a.left, &a.right, None),
            Expr::Binary(b) if is_assignment(&b.op) => (&b.left, &b.right, Some(&b.op)),
            _ => return None,
        };
        let Expr::Index(x) = &**left else { return None };
        let (name, method) = self.value_index(x, true).filter(|_| self.is_steady(&x.expr))?;
        let value = by_value(method)?;
        let FnArg::Typed(param) = value.function.sig.inputs.get(1)? else { return None };
        let (pat, ty, span) = (&param.pat, &param.ty, x.expr.span());
        let own = |name| Ident::new(name, Span::mixed_site().located_at(span));
        let assigned = own("__device_value_assigned");
        let op = op.map_or(quote!(=), ToTokens::to_token_stream);
        let mut block = value.function.block.clone();
        assign_at_ends(&mut block, &op, &assigned.to_token_stream());
        let (index, named) = (&x.index, own("__device_value_index"));
        block.stmts.insert(0, syn::parse_quote_spanned!(span=> let #pat: #ty = #named;));
        let mut stored = value.with(value.function.clone());
        stored.function.block = block;
        stored.function.sig.inputs = value.function.sig.inputs.iter().take(1).cloned().collect();
        let (Body { block, .. }, _) =
            // (Names that its body gets have the hygiene of those that other calls' bodies get.)
            self.stands(&stored, Some((&x.expr, &name)), &[], &Ident::new("index", span)).ok()?;
        Some(made(quote_spanned!(span=> { let #assigned = #right; let #named = #index; #block })))
    }

    /// `k.absorb(a).absorb(b)` of methods that return their `&mut self`: one call after the other.
    fn in_turn(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::MethodCall(last) = e else { return None };
        let mut calls = vec![last];
        let mut root = &*last.receiver;
        while let Expr::MethodCall(m) = behind_references(root)
            && self.methods.values.is_builder(&m.method.to_string())
        {
            calls.push(m);
            root = &m.receiver;
        }
        if calls.len() == 1 {
            return None;
        }
        calls.reverse();
        let span = last.method.span();
        let named = Ident::new("__device_value_built", Span::mixed_site().located_at(span));
        let place = self.is_steady(root);
        if !place && is_plain_place(root) {
            return None;
        }
        self.found = true;
        let this = if place { root.to_token_stream() } else { named.to_token_stream() };
        let calls = calls.into_iter().map(|m| {
            let (method, turbofish, args) = (&m.method, &m.turbofish, &m.args);
            quote_spanned!(span=> #this.#method #turbofish(#args))
        });
        let before = (!place).then(|| quote_spanned!(span=> let mut #named = #root;));
        Some(made(quote_spanned!(span=> { #before #(#calls);* })))
    }

    /// The replacement of a call of a device value's method that returns a place.
    fn value_call(&mut self, call: &ExprMethodCall) -> Option<Expr> {
        let name = self.named_type(&call.receiver)?;
        let methods: &'a Methods = self.methods;
        let places = &methods.values.find(&name)?.places;
        let method = places.iter().find(|m| m.function.sig.ident == call.method)?;
        if !self.is_steady(&call.receiver) {
            // An iterator is made where its receiver is bound.
            let iterator = templates::gives_an_iterator(&method.function.sig);
            return if iterator { self.bound_method(call, method) } else { None };
        }
        let args: Vec<Expr> = call.args.iter().cloned().collect();
        self.reported(method, Some((&call.receiver, &name)), &args, &call.method)
    }

    /// The replacement of a call of a function that takes a struct.
    fn function(&mut self, call: &syn::ExprCall) -> Option<Expr> {
        let functions = self.methods.functions.clone();
        let (name, method) = self.named(call, &functions)?;
        let args: Vec<Expr> = call.args.iter().cloned().collect();
        let span = name.span();
        let instead = || made(quote_spanned!(span=> ::omp::__private::core::unreachable!()));
        let value = self.reported(&method, None, &args, name).unwrap_or_else(instead);
        Some(match found::found_by(&method.function.sig) {
            Some((content, _)) => found::found(&value, call, &content),
            None => value,
        })
    }

    /// `f(&grid.view(i), n)`: a struct that owns or borrows arrays has a name before the call; not yet visited.
    fn made_first(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::Call(call) = e else { return None };
        let functions = self.methods.functions.clone();
        let (_, method) = self.named(call, &functions)?;
        let (mut call, mut lets) = (call.clone(), Vec::new());
        for (input, arg) in method.function.sig.inputs.iter().zip(&mut call.args) {
            let FnArg::Typed(param) = input else { continue };
            let value = match &mut *arg {
                Expr::Reference(r) => &mut *r.expr,
                value if self.borrowing(value).is_some() => value,
                _ => continue,
            };
            let made_here = matches!(strip(value), Expr::MethodCall(_) | Expr::Call(_) | Expr::Struct(_))
                && self.methods.named(&param.ty).is_some();
            if made_here {
                self.chains += 1;
                let name = Ident::new(&format!("{OF_CHAIN}{}_made", self.chains), value.span());
                let value = std::mem::replace(value, made(name.to_token_stream()));
                lets.push(quote_spanned!(name.span()=> #[allow(unused_mut)] let mut #name = #value;));
            }
        }
        if lets.is_empty() || !call.args.iter().all(|arg| is_pure(arg, &self.changing)) {
            return None;
        }
        Some(made(parentheses(quote_spanned!(call.span()=> { #(#lets)* #call }))))
    }

    /// Whether a name is a variable's where it stands.
    fn is_variable(&self, name: &Ident) -> bool {
        let name = name.to_string();
        let outside = self.outside.iter().flatten().any(|of| *of == name);
        outside
            || self.types.is_bound(&name, self.outside.is_some())
            || self.around.iter().any(|names| names.contains(&name))
    }

    /// The function among these that a call means.
    fn named<'c>(&self, call: &'c syn::ExprCall, functions: &[ItemFn]) -> Option<(&'c Ident, Method)> {
        let Expr::Path(p) = &*call.func else { return None };
        let [segment] = &p.path.segments.iter().collect::<Vec<_>>()[..] else { return None };
        let name = &segment.ident;
        if p.qself.is_some() || p.path.leading_colon.is_some() {
            return None;
        }
        let mut named = functions.iter().filter(|f| f.sig.ident == *name);
        let (f, None) = (named.next()?, named.next()) else { return None };
        if self.is_variable(name) || self.variables.items.contains(&name.to_string()) {
            return None;
        }
        let (sig, block) = (&f.sig, &f.block);
        let given = match &segment.arguments {
            syn::PathArguments::AngleBracketed(given) => Some(given),
            _ => None,
        };
        let (function, given) = instance(syn::parse_quote!(#sig #block), given)?;
        let mut function = templates::without_closures(function);
        infer_types(&mut function);
        let generics = context::names(&function.sig.generics).collect();
        Some((name, Method { generics, function, ty: syn::parse_quote!(()), given }))
    }

    /// A call of a device function that takes a whole array from outside of the region by `&mut`, or one that the region writes: its body
    /// shows which elements it uses. A call that can't be inlined stays, and counts as a use of the whole.
    fn of_array(&mut self, call: &syn::ExprCall) -> Option<Expr> {
        let own = self.region.as_ref()?;
        let functions = self.methods.of_arrays.clone();
        let (name, method) = self.named(call, &functions)?;
        let outside = |(input, arg): (&FnArg, &Expr)| {
            let FnArg::Typed(param) = input else { return false };
            let Some(exclusive) = templates::reference_to_array(&param.ty) else { return false };
            let array = behind_references(arg);
            let written = || place::scalar_key(array).is_some_and(|key| self.written.contains(&key));
            let root = place::root(array).map(ToString::to_string);
            whole(&param.ty, arg).is_some()
                && (exclusive || written())
                && root.is_some_and(|root| {
                    root == "self" || self.context.names.contains(&root) && !own.contains(&root)
                })
        };
        if search::any(&method.function.block, is_dereferenced)
            || !method.function.sig.inputs.iter().zip(&call.args).any(outside)
        {
            return None;
        }
        let args: Vec<Expr> = call.args.iter().cloned().collect();
        let body = self.body(&method, None, &args, name).ok()?;
        self.found = true;
        Some(body)
    }

    /// A call of a function of such a struct that takes no `self`: `Self::wrap(i, n)`.
    fn associated(&mut self, call: &syn::ExprCall) -> Option<Expr> {
        let (method, _, at) = self.associated_method(call)?;
        let args: Vec<Expr> = call.args.iter().cloned().collect();
        let value = self.reported(&method, None, &args, &at)?;
        Some(match found::found_by(&method.function.sig) {
            Some((content, _)) => found::found(&value, call, &content),
            None => value,
        })
    }

    /// The function of such a struct that a call means, and the struct.
    fn associated_method(&self, call: &syn::ExprCall) -> Option<(Method, String, Ident)> {
        let Expr::Path(p) = &*call.func else { return None };
        let [of, name] = &p.path.segments.iter().collect::<Vec<_>>()[..] else { return None };
        // (A generic type has got `_` for its parameters.)
        let inferred_arguments = match &of.arguments {
            syn::PathArguments::None => true,
            syn::PathArguments::AngleBracketed(of) => {
                of.args.iter().all(|arg| matches!(arg, syn::GenericArgument::Type(Type::Infer(_))))
            }
            syn::PathArguments::Parenthesized(_) => false,
        };
        if p.qself.is_some() || !inferred_arguments || !name.arguments.is_none() {
            return None;
        }
        let of_self = || self.methods.this.clone().or_else(|| self.methods.owner.clone());
        let this = if of.ident == "Self" { of_self()? } else { of.ident.to_string() };
        if self.variables.items.contains(&this) {
            return None;
        }
        let is = |m: &&Method| m.function.sig.ident == name.ident && m.function.sig.receiver().is_none();
        let of_device_type = |m: &&Method| super::name_of(&m.ty).as_ref() == Some(&this) && is(m);
        let method = match self.methods.find(&this) {
            Some(of) => of.methods.iter().find(is)?,
            None => self.methods.inlined.iter().find(of_device_type)?,
        };
        let same = self.methods.this.as_ref() == Some(&this);
        let mut function = templates::without_closures(method.function.clone());
        if !same {
            let mut of_self = as_path(&method.ty);
            if self.methods.find(&this).is_none() {
                // What a device type has for the parameters of its `impl`, rustc infers.
                of_self = substituted(of_self, &inferred(method, name.ident.span()));
            }
            let names = HashMap::from([("Self".to_owned(), of_self)]);
            function = syn::parse2(substituted(function.to_token_stream(), &names)).ok()?;
        }
        let method = method.with(function);
        Some((method, this, name.ident.clone()))
    }

    /// The replacement of a call of a device type's method that takes closures. The receiver is bound to its type first, so that rustc
    /// refuses any other that has a method of this name.
    fn inlined_method(&mut self, call: &ExprMethodCall) -> Option<Expr> {
        let name = call.method.to_string();
        let inlined = self.methods.inlined.clone();
        let of = match self.types.of(&call.receiver) {
            Some(Ty::Named(of)) if self.methods.values.find(&of).is_some() => Some(of),
            _ => None,
        };
        let suits = |m: &&Method| {
            let ty = super::name_of(&m.ty);
            m.function.sig.ident == name
                && of.iter().zip(ty).all(|(of, ty)| self.methods.values.is_named(of, &ty))
        };
        // Types of the module come before those that it imports, and these before those that only others name.
        let mut named: Vec<&Method> = inlined.iter().filter(suits).collect();
        let nearest = named.iter().map(|m| tier(&m.ty)).min();
        named.retain(|m| Some(tier(&m.ty)) == nearest);
        let [method] = named[..] else { return None };
        // A variable or a place of a std type with such a method is rare if the module has a method of the name.
        let of_type = matches!(self.types.of(&call.receiver), Some(Ty::Named(of)) if Some(&of) == super::name_of(&method.ty).as_ref());
        if super::name_of(&method.ty).is_some_and(|ty| self.variables.items.contains(&ty)) {
            return None;
        }
        // Std's types with such methods have no operators.
        let is_sum = matches!(strip(&call.receiver), Expr::Binary(b) if !matches!(b.op, syn::BinOp::And(_) | syn::BinOp::Or(_)));
        let of_std = matches!(
            self.types.of(&call.receiver),
            Some(Ty::Option(_) | Ty::Array(_) | Ty::Fixed(_) | Ty::Tuple(_))
        );
        let may_be = is_plain_place(&call.receiver) || is_sum || of_type;
        let is_theirs = (templates::is_std(&name) || name == "peek") && (of_std || !may_be);
        if is_theirs || self.variables.unknown || call.args.len() + 1 != method.function.sig.inputs.len() {
            return None;
        }
        self.bound_method(call, method)
    }

    /// The call of a device type's method, whose receiver is bound.
    fn bound_method(&mut self, call: &ExprMethodCall, method: &Method) -> Option<Expr> {
        let span = call.receiver.span();
        let this = hidden(RECEIVER, span);
        let ty = behind_parens(&method.ty);
        // What the receiver's type has for the parameters of the `impl`, rustc infers.
        let any = inferred(method, span);
        let same = super::name_of(&method.ty).is_some_and(|of| {
            [&self.methods.this, &self.methods.owner].into_iter().any(|this| this.as_ref() == Some(&of))
        });
        let of_self = if same { as_path(ty) } else { substituted(as_path(ty), &any) };
        let names =
            HashMap::from([("Self".to_owned(), of_self), ("self".to_owned(), this.to_token_stream())]);
        let (function, of_call) = instance(method.function.clone(), call.turbofish.as_ref())?;
        let mut function = templates::without_closures(function);
        infer_types(&mut function);
        function.block = syn::parse2(substituted(function.block.to_token_stream(), &names)).ok()?;
        let output = &function.sig.output;
        function.sig.output = syn::parse2(substituted(output.to_token_stream(), &names)).ok()?;
        let mut inputs = function.sig.inputs.iter();
        let Some(FnArg::Receiver(receiver)) = inputs.next() else { return None };
        let (mutable, value) = (&receiver.mutability, &call.receiver);
        let any = substituted(ty.to_token_stream(), &any);
        let (first, given): (FnArg, Expr) = match &receiver.kind {
            syn::ReceiverKind::Value => (
                syn::parse_quote_spanned!(span=> #mutable #this: #any),
                made(quote_spanned!(span=> { let #this: &#any = &#value; *#this })),
            ),
            syn::ReceiverKind::Reference(_, _, None) => {
                (syn::parse_quote_spanned!(span=> #this: &#any), made(quote_spanned!(span=> &#value)))
            }
            syn::ReceiverKind::Reference(_, _, Some(_)) => {
                (syn::parse_quote_spanned!(span=> #this: &mut #any), made(quote_spanned!(span=> &mut #value)))
            }
            _ => return None,
        };
        let rest: Vec<FnArg> = inputs
            .map(|input| syn::parse2(substituted(input.to_token_stream(), &names)))
            .collect::<Result<_, _>>()
            .ok()?;
        function.sig.inputs = std::iter::once(first).chain(rest).collect();
        let method = Method { given: of_call, ..method.with(function) };
        let args: Vec<Expr> = std::iter::once(given).chain(call.args.iter().cloned()).collect();
        let instead = || made(quote_spanned!(span=> ::omp::__private::core::unreachable!()));
        let value = self.reported(&method, None, &args, &call.method).unwrap_or_else(instead);
        Some(match found::found_by(&method.function.sig) {
            Some((content, _)) => found::found(&value, call, &content),
            None => value,
        })
    }

    /// The binding of a closure argument: the function's parameter gives the types.
    fn closure(&self, variable: &Ident, of: &syn::ParenthesizedGenericArguments, arg: &Expr) -> Stmt {
        let span = variable.span();
        let is_argument = |p: &syn::ExprPath| {
            p.path.get_ident().is_some_and(|name| name.to_string().starts_with(CLOSURE_ARGUMENT))
        };
        let is_variable = |p: &syn::ExprPath| {
            is_argument(p) || p.path.get_ident().is_some_and(|name| self.is_variable(name))
        };
        let mut c: syn::ExprClosure = match behind_references(arg) {
            Expr::Closure(c) => c.clone(),
            Expr::Path(p) if !is_variable(p) => {
                let names: Vec<Ident> = (0..of.inputs.len())
                    .map(|n| Ident::new(&format!("{CLOSURE_ARGUMENT}arg{n}"), span))
                    .collect();
                syn::parse_quote_spanned!(p.span()=> |#(#names),*| #p(#(#names),*))
            }
            // The name of a closure: what it gives has the parameter's type.
            Expr::Path(p)
                if !is_argument(p) && templates::is_of_values(&of.output) && templates::takes_values(of) =>
            {
                let names: Vec<Ident> = (0..of.inputs.len())
                    .map(|n| Ident::new(&format!("{CLOSURE_ARGUMENT}arg{n}"), span))
                    .collect();
                syn::parse_quote_spanned!(p.span()=> |#(#names),*| #p(#(#names),*))
            }
            // Another expression whose code is not visible here.
            other => return syn::parse_quote_spanned!(span=> let #variable = &#other;),
        };
        for (pat, ty) in c.inputs.iter_mut().zip(of.inputs.iter().map(|arg| &arg.ty)) {
            if !matches!(pat, Pat::Type(_)) && templates::is_of_numbers(ty) {
                let (inner, ty) = (Box::new(pat.clone()), Box::new(ty.clone()));
                let colon_token = syn::Token![:](ty.span());
                *pat = Pat::Type(syn::PatType { attrs: vec![], pat: inner, colon_token, ty });
            }
        }
        if let (ReturnType::Default, ReturnType::Type(arrow, ty)) = (&c.output, &of.output)
            && templates::is_of_values(&of.output)
        {
            c.output = ReturnType::Type(*arrow, ty.clone());
            if !matches!(&*c.body, Expr::Block(b) if b.label.is_none() && b.attrs.is_empty()) {
                let body = &c.body;
                c.body = syn::parse_quote_spanned!(body.span()=> { #body });
            }
        }
        syn::parse_quote_spanned!(span=> #[allow(unused_mut)] let mut #variable = #c;)
    }

    fn reported(
        &mut self,
        method: &Method,
        of: Option<(&Expr, &str)>,
        args: &[Expr],
        at: &Ident,
    ) -> Option<Expr> {
        self.found = true;
        let found = self.body(method, of, args, at);
        self.or_reported(found, at)
    }

    /// The result, or an error at the call that says why it can't be inlined.
    fn or_reported<T>(&mut self, found: Result<T, Why>, at: &Ident) -> Option<T> {
        let Err(why) = &found else { return found.ok() };
        self.failed = true;
        self.sink
            .error_at(
                Code::UnsupportedExpr,
                at,
                format!("this call of `{at}` can't be inlined: {}", why.what),
            )
            .help(why.help.clone());
        None
    }

    /// Whether a method's signature is one that can be inlined.
    fn suits(&self, sig: &Signature, body: &Block) -> Result<(), Why> {
        let generic = |p: &GenericParam| !matches!(p, GenericParam::Lifetime(_));
        if sig.generics.params.iter().any(generic) && !templates::is(sig) && !self.methods.has_atomics(body) {
            return Err(Why::new("it is generic", "write it for the types that it is used with"));
        }
        if self.depth >= DEPTH {
            return Err(Why::new("it calls itself", "write a loop"));
        }
        Ok(())
    }

    /// Whether the names in a body that are none of its own mean the same at the call. `same`: the call is in the same struct's `impl`.
    fn means_the_same(
        &self,
        method: &Method,
        text: &[String],
        (bound, places): (&Bound, &HashMap<String, TokenStream>),
        same: bool,
    ) -> Result<(), Why> {
        let foreign =
            |word: &String| method.generics.contains(word) && !(same && self.context.generics.contains(word));
        if let Some(other) =
            text.iter().find(|w| foreign(w) || (*w == "Self" && !same && !method.generics.is_empty()))
        {
            return Err(Why::new(
                format!("it names `{other}`, which is no type here"),
                "write what it does in its place",
            ));
        }
        let hidden = |word: &&String| {
            let own = [&method.generics, &method.given].into_iter().any(|names| names.contains(*word));
            let generic = self.context.generics.contains(*word) && !own;
            !bound.own.contains(*word) && (generic || self.variables.items.contains(*word))
        };
        if let Some(other) = text.iter().find(hidden) {
            return Err(Why::new(
                format!("`{other}` is another item there than in this function"),
                "give the item of the function another name",
            ));
        }
        // A name that is no variable of the method's own is an item.
        if let Some(taken) = bound.free.iter().find(|w| {
            let variable =
                self.context.names.contains(w) || self.around.iter().any(|names| names.contains(*w));
            !places.contains_key(*w) && !bound.own.contains(*w) && variable
        }) {
            return Err(Why::new(
                format!("it names an item `{taken}`, and here that is a variable"),
                format!("give the variable another name: `{taken}_here`"),
            ));
        }
        Ok(())
    }

    /// The body in the place of the call.
    fn body(
        &mut self,
        method: &Method,
        of: Option<(&Expr, &str)>,
        args: &[Expr],
        at: &Ident,
    ) -> Result<Expr, Why> {
        if let Some(function) = found::copied(&method.function) {
            let copied = method.with(function);
            let value = self.body(&copied, of, args, at)?;
            if of.is_none() {
                return Ok(value);
            }
            let reference = match self.stands(method, of, args, at)? {
                (body, Some(result)) => body.value(&result)?,
                (body, None) => body.place()?,
            };
            let content = found::found_by(&method.function.sig).map_or(found::Content::Reference, |(c, _)| c);
            return Ok(found::found(&value, &reference, &content));
        }
        match self.stands(method, of, args, at)? {
            (body, Some(_)) if templates::gives_an_iterator(&method.function.sig) => {
                self.chains += 1;
                body.chain(templates::number_of_items(&method.function.sig).as_ref(), self.chains)
            }
            (body, Some(result)) => body.value(&result),
            (body, None) => body.place(),
        }
    }

    /// The body, and the type of the value that it gives; `None` of a place.
    fn stands(
        &mut self,
        method: &Method,
        of: Option<(&Expr, &str)>,
        args: &[Expr],
        at: &Ident,
    ) -> Result<(Body, Option<TokenStream>), Why> {
        let with_own = borrowing::with_own_parameters(method, &self.methods.structs);
        let method = with_own.as_ref().unwrap_or(method);
        let known = of.and_then(|(_, name)| self.methods.values.find(name));
        let with_lengths = known.map(|of| with_lengths(&method.function.block, &of.lengths(&method.ty)));
        let (sig, block) = (&method.function.sig, with_lengths.as_ref().unwrap_or(&method.function.block));
        if let Some((what, help)) = modules::not_here(block) {
            return Err(Why::new(what, help));
        }
        let hoisted = std::mem::take(&mut self.hoisted)
            || templates::gives_an_iterator(sig)
            || templates::takes_an_iterator(sig);
        let name = of.map(|(_, name)| name);
        // (What borrows and is moved is not used again.)
        let copies = |name: &str| self.methods.find(name).is_some_and(|s| s.copies || s.borrows);
        let leaves_it = matches!(sig.receiver(), Some(r) if match r.kind {
            syn::ReceiverKind::Reference(..) => true,
            syn::ReceiverKind::Value => {
                r.mutability.is_none()
                    && name.is_some_and(|name| copies(name) || self.methods.values.find(name).is_some())
            }
            _ => false,
        });
        if name.is_some() && !leaves_it {
            return Err(Why::new("it takes `self` by value", "let it take `&self`"));
        }
        let own = usize::from(name.is_some());
        if sig.inputs.len() != args.len() + own {
            return Err(Why::new("it has other parameters", "give it its arguments"));
        }
        self.suits(sig, block)?;
        let own_name = (method.ty.to_token_stream().to_string(), sig.ident.to_string());
        if self.inside.contains(&own_name) {
            return Err(Why::new(
                "it calls itself",
                "write a loop, with an array as its stack if it needs one",
            ));
        }
        let mut bound = Bound::default();
        bound.visit_block(block);
        let mut places: HashMap<String, TokenStream> = HashMap::new();
        places.extend(of.map(|(this, _)| ("self".to_owned(), receiver(this))));
        let (mut params, given) = (Vec::new(), args);
        let (mut closures, mut closure_names) = (Vec::new(), Vec::new());
        let mut iterators: Vec<(syn::PatIdent, Expr)> = Vec::new();
        let (mut args, mut passed_on, mut checked) = (Vec::new(), PassedOn::default(), None);
        for (input, arg) in sig.inputs.iter().skip(own).zip(given) {
            let FnArg::Typed(param) = input else { continue };
            let place = whole(&param.ty, arg).or_else(|| self.whole_struct(&param.ty, arg));
            if let (Pat::Ident(p), Some(place)) = (&*param.pat, place) {
                if PassedOn::is_given(&param.ty, arg) {
                    passed_on.0.insert(p.ident.to_string());
                }
                places.insert(p.ident.to_string(), place);
                // Tokens need not show the receiver's type. A reference of the method's type makes rustc check it; what is changed is
                // borrowed by the body.
                if let (Type::Reference(r), true) = (&*param.ty, p.ident == RECEIVER) {
                    if r.mutability.is_some() {
                        checked = Some((&*r.elem, arg.span()));
                    } else {
                        let checked = hidden(CHECKED, arg.span());
                        params.push((syn::parse_quote!(#checked), &*param.ty));
                        args.push(arg.clone());
                    }
                }
                continue;
            }
            if let (Pat::Ident(p), Some(of)) = (&*param.pat, templates::of_closure(&param.ty)) {
                let variable = Ident::new(
                    &format!("{CLOSURE_ARGUMENT}{}", p.ident),
                    Span::mixed_site().located_at(arg.span()),
                );
                // (A call lends what `&mut` parameters are given; a variable would take it.)
                let lends = of
                    .inputs
                    .iter()
                    .any(|input| matches!(&input.ty, Type::Reference(r) if r.mutability.is_some()));
                closures.push((self.closure(&variable, of, arg), lends));
                bound.own.insert(p.ident.to_string());
                closure_names.push((p.ident.to_string(), variable));
                continue;
            }
            if let (Pat::Ident(p), true) = (&*param.pat, templates::is_an_iterator(&param.ty)) {
                let mut items = arg.clone();
                if let Some(item) = templates::number_of_taken(&param.ty) {
                    body::of_type(&mut items, &item);
                }
                iterators.push((p.clone(), items));
                continue;
            }
            bound.visit_pat(&param.pat);
            params.push(((*param.pat).clone(), &*param.ty));
            let range = templates::is_range(&param.ty).then(|| range_of(arg, &self.changing)).flatten();
            args.push(range.unwrap_or_else(|| arg.clone()));
        }
        let typed = TypeParameters::of(&method.function.sig, own, given);
        if let Some((param, _)) = params.iter().zip(&args).find(|((_, ty), arg)| typed.needs_type(ty, arg)) {
            return Err(Why::new(
                format!("a number stands for its parameter of type `{}`", param.1.to_token_stream()),
                "write the number's type: `200u8`",
            ));
        }
        let moves = |arg: &Expr| matches!(arg, Expr::Closure(c) if c.capture.is_some());
        if given.iter().any(moves) && !args.iter().all(|arg| is_pure(arg, &self.changing)) {
            return Err(Why::new(
                "a closure among the arguments captures values that other arguments may change",
                "give the other arguments names before the call",
            ));
        }
        // An iterator is made where the body begins.
        let leaves = |items: &Expr| {
            let mut found = false;
            search::walk(items, |e| {
                found |= matches!(e, Expr::Try(_) | Expr::Return(_));
                !matches!(e, Expr::Closure(_))
            });
            found
        };
        if !iterators.is_empty()
            && (!args.iter().all(|arg| is_pure(arg, &self.changing))
                || iterators.iter().any(|(_, items)| leaves(items)))
        {
            return Err(Why::new(
                "it takes an iterator, and its arguments do more than to give values",
                "give the other arguments, and what `?` gives, names before the call",
            ));
        }
        let is = |this: &Option<String>, name| this.as_deref() == Some(name);
        let same = name.is_none_or(|name| is(&self.methods.this, name) || is(&self.methods.owner, name));
        let foreign = |word: &String| {
            method.generics.contains(word) && !(same && self.context.generics.contains(word))
                || typed.names.contains(word)
        };
        let mut block = block.clone();
        super::tuple_lets::Apart.visit_block_mut(&mut block);
        tried::tried_parts(&mut block, sig);
        if templates::gives_an_iterator(sig) {
            borrow_instead(&mut block);
        }
        sums::called(&mut block, Some(sig), self.methods);
        let variables = |name: &&String| bound.own.contains(*name) || places.contains_key(*name);
        let both: HashSet<String> = bound.members.iter().filter(variables).cloned().collect();
        let mut hide = members::Hide(&both);
        hide.visit_block_mut(&mut block);
        params.iter_mut().for_each(|(pat, _)| hide.visit_pat_mut(pat));
        Iterated::of(sig, &places).visit_block_mut(&mut block);
        let iterates = |name: &String| iterators.iter().any(|(p, _)| p.ident == name.as_str());
        // `let shear = shear();` of a closure that is called so.
        let rebound = if closure_names.is_empty() { HashSet::new() } else { bound_in(&block) };
        let calls = |name: &String| {
            rebound.contains(name) && closure_names.iter().any(|(closure, _)| closure == name)
        };
        let hides = |name: &&String| places.contains_key(*name) || iterates(name) || calls(name);
        let hiding: HashSet<String> = bound.own.iter().filter(hides).cloned().collect();
        if !hiding.is_empty() {
            let taken = words(block.to_token_stream());
            shadowing::renamed(&mut block, &hiding, &taken);
            bound.own.clear();
            params.iter().for_each(|(pat, _)| bound.visit_pat(pat));
            bound.own.extend(closure_names.iter().map(|(name, _)| name.clone()));
            bound.visit_block(&block);
        }
        bound.own.extend(iterators.iter().map(|(p, _)| p.ident.to_string()));
        passed_on.visit_block_mut(&mut block);
        let text = words(block.to_token_stream());
        self.means_the_same(method, &text, (&bound, &places), same)?;
        let mut renames: HashMap<String, TokenStream> = HashMap::new();
        let parted: HashSet<String> = self.parts.iter().map(|part| part.of.clone()).collect();
        for root in places.values().flat_map(|place| words(place.clone())).chain(parted) {
            if bound.own.contains(&root) {
                let mut other = format!("{root}_");
                while text.contains(&other) {
                    other.push('_');
                }
                renames.insert(root, Ident::new(&other, at.span()).to_token_stream());
            }
        }
        let called: HashSet<String> = closure_names.iter().map(|(name, _)| name.clone()).collect();
        renames
            .extend(closure_names.into_iter().map(|(name, variable)| (name, variable.into_token_stream())));
        if hoisted {
            // The consumer of the items stands in the same block, and may name variables of the caller.
            self.chains += 1;
            for name in bound.own.iter().filter(|name| !called.contains(*name)) {
                // (Underscores in the middle of a name are none of snake case.)
                let short = name.trim_start_matches('_');
                let before = match name.len() - short.len() {
                    0 => String::new(),
                    n => format!("_u{n}"),
                };
                let own = Ident::new(&format!("{OF_CHAIN}{}{before}_{short}", self.chains), at.span());
                renames.insert(name.clone(), own.into_token_stream());
            }
        }
        if !same {
            renames.insert("Self".to_owned(), as_path(&method.ty));
        }
        let elsewhere = self.methods.elsewhere;
        let here = |tokens: TokenStream| if elsewhere { moved(tokens, at.span()) } else { tokens };
        let replaced = |tokens: TokenStream| substituted(substituted(here(tokens), &renames), &places);
        let parse = || Why::new("it can't be read", "write what it does in its place");
        let mut block: Block =
            members::shown(syn::parse2(replaced(block.to_token_stream())).map_err(|_| parse())?);
        let mut names = bound_in(&block);
        let mut made_before_all: Vec<Stmt> = Vec::new();
        let mut links = typed.links(&method.generics, &here);
        let params = params.into_iter().map(|(pat, ty)| {
            let pat = substituted(here(pat.to_token_stream()), &renames);
            let pat = match Pat::parse_single.parse2(pat.clone()) {
                Ok(shown) => members::shown_in(shown).into_token_stream(),
                Err(_) => pat,
            };
            names.extend(words(pat.clone()));
            links.parameter(ty, &pat);
            let ty = substituted(here(typed.inferred(ty).into_token_stream()), &renames);
            let named = words(ty.clone());
            if named.iter().any(|w| foreign(w) || w == "impl") { pat } else { quote!(#pat: #ty) }
        });
        let params: Vec<TokenStream> = params.collect();
        if let Some((ty, span)) = checked {
            let (reference, place) = (hidden(CHECKED, span), &places[RECEIVER]);
            let ty = substituted(here(ty.to_token_stream()), &renames);
            made_before_all.push(syn::parse_quote_spanned!(span=> let #reference: &#ty = &#place;));
        }
        made_before_all.extend(links.stmts);
        names.extend(iterators.iter().map(|(p, _)| p.ident.to_string()));
        let mut items = Items::default();
        items.visit_block(&block);
        names.extend(items.words);
        let closures: Vec<Stmt> = closures
            .into_iter()
            .filter(|(closure, lends)| {
                *lends || items.all || !closure_calls::in_place(&mut block, closure, &names)
            })
            .map(|(closure, _)| closure)
            .collect();
        let mut made_before: Vec<Stmt> = Vec::new();
        for (pat, mut items) in iterators {
            self.visit_expr_mut(&mut items);
            let (before, items) = body::of_chain(&items).unwrap_or((Vec::new(), items));
            let pat = substituted(here(pat.to_token_stream()), &renames);
            made_before.extend(before);
            made_before.push(syn::parse_quote!(let #pat = #items;));
        }
        self.depth += 1;
        let mut changing = FindChanging(HashSet::new());
        sig.inputs.iter().for_each(|input| changing.visit_fn_arg(input));
        changing.visit_block(&block);
        Rc::make_mut(&mut self.changing).extend(changing.0);
        let known = self.known.clone();
        // (A name that it has now hides nothing.)
        let hides = bound.own.iter().filter(|name| !renames.contains_key(*name));
        hides.for_each(|name| drop(self.known.remove(name)));
        let writing = std::mem::replace(&mut self.writing, false);
        self.around.push(bound.own);
        self.types.enter();
        sig.inputs.iter().for_each(|input| {
            if let FnArg::Typed(arg) = input {
                self.types.bind(&arg.pat, Ty::of(&arg.ty, name));
            }
        });
        self.inside.push(own_name);
        self.visit_block_mut(&mut block);
        self.inside.pop();
        self.types.leave();
        self.around.pop();
        self.writing = writing;
        self.known = known;
        self.depth -= 1;
        block.stmts.splice(..0, made_before_all.into_iter().chain(made_before));
        let result = match &sig.output {
            ReturnType::Type(_, ty) if matches!(behind_parens(ty), Type::Reference(_)) => None,
            ReturnType::Type(_, ty) => {
                let ty = substituted(here(ty.to_token_stream()), &renames);
                Some(if words(ty.clone()).iter().any(foreign) { quote!() } else { quote!(-> #ty) })
            }
            ReturnType::Default => Some(quote!()),
        };
        let changing = self.changing.clone();
        let writes = sig.inputs.iter().any(|input| {
            matches!(input, FnArg::Typed(arg) if templates::reference_to_array(&arg.ty) == Some(true))
        });
        let arguments_first = !method.generics.is_empty() && templates::takes_closures(sig) || writes;
        Ok((Body { block, params, args, closures, changing, arguments_first, span: at.span() }, result))
    }
}

/// A function whose parameters that a call gives are what it gives, and the names in these, which mean the same here as at the call.
fn instance(
    mut function: syn::ImplItemFn,
    given: Option<&syn::AngleBracketedGenericArguments>,
) -> Option<(syn::ImplItemFn, Vec<String>)> {
    let given = templates::given(&function.sig, given);
    if given.is_empty() {
        return Some((function, Vec::new()));
    }
    // A word of the function's own has its meaning there, whatever the call gives.
    let own: HashSet<String> = words(function.block.to_token_stream())
        .into_iter()
        .filter(|word| !given.contains_key(word))
        .collect();
    let params = std::mem::take(&mut function.sig.generics.params);
    function = syn::parse2(substituted(function.to_token_stream(), &given)).ok()?;
    let is_given = |p: &GenericParam| match p {
        GenericParam::Type(t) => given.contains_key(&t.ident.to_string()),
        GenericParam::Const(c) => given.contains_key(&c.ident.to_string()),
        GenericParam::Lifetime(_) => false,
    };
    function.sig.generics.params = params.into_iter().filter(|p| !is_given(p)).collect();
    let given = given.into_values().flat_map(words).filter(|word| !own.contains(word));
    Some((function, given.collect()))
}

/// A type as it stands in types and in expressions, outside of its `impl`.
fn as_path(ty: &Type) -> TokenStream {
    let mut ty = behind_parens(ty).clone();
    if let Type::Path(p) = &mut ty {
        for segment in &mut p.path.segments {
            let syn::PathArguments::AngleBracketed(a) = &mut segment.arguments else { continue };
            let is_lifetime = |a: &syn::GenericArgument| matches!(a, syn::GenericArgument::Lifetime(_));
            a.args = std::mem::take(&mut a.args).into_iter().filter(|a| !is_lifetime(a)).collect();
            a.colon2_token = Some(Default::default());
            if a.args.is_empty() {
                segment.arguments = syn::PathArguments::None;
            }
        }
    }
    ty.into_token_stream()
}

/// `*x` of a variable, which may be an array as a whole, and `?`, which leaves a function of its own.
fn is_dereferenced(e: &Expr) -> bool {
    match e {
        Expr::Unary(u) => matches!(u.op, UnOp::Deref(_)) && matches!(&*u.expr, Expr::Path(_)),
        e => matches!(e, Expr::Try(_)),
    }
}

/// The `Index` of a device value that has a branch for each field: as a method that gives the element.
fn by_value(method: &Method) -> Option<Method> {
    let [.., Stmt::Expr(Expr::Match(_) | Expr::If(_), None)] = &method.function.block.stmts[..] else {
        return None;
    };
    let mut function = method.function.clone();
    at_ends(&mut function.block, &mut |e| {
        if let Expr::Reference(r) = e {
            *e = (*r.expr).clone();
        }
    });
    // The type follows from the branches.
    function.sig.output = ReturnType::Default;
    Some(method.with(function))
}

/// `_` for the parameters of a method's `impl`.
fn inferred(method: &Method, span: Span) -> HashMap<String, TokenStream> {
    method.generics.iter().map(|name| (name.clone(), quote_spanned!(span=> _))).collect()
}
