//! Names and types, as far as the tokens of a function determine them.
pub(super) mod consts;
pub(super) mod helpers;
mod iterated;
pub(super) mod lengths;
pub(super) mod ndarrays;
pub(super) mod references;
pub mod std_macros;

use super::methods::Methods;
use crate::ast::Context;
use crate::iterate;
use crate::parse::directive;
use crate::parse::{parameters, primitives};
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::types::behind_references;
use helpers::Helpers;
use iterated::{copied, whole};
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Expr, FnArg, Generics, Local, Pat, ReturnType, Signature, Type};

/// The items around a function.
#[derive(Clone, Default)]
pub struct Scope {
    /// `offload(try)`
    pub try_: bool,
    /// Type and const parameters of the `impl`.
    pub generics: Vec<String>,
    /// The device functions of the `mod`.
    pub helpers: Helpers,
    /// The methods of structs that own arrays.
    pub methods: Methods,
    /// The items of the `mod`, if there are others in it.
    pub around: std::rc::Rc<[syn::Item]>,
    /// What a function stands in.
    pub outer: Outer,
}

/// What a function stands in.
#[derive(Clone, Default)]
pub enum Outer {
    #[default]
    Module,
    /// An inherent `impl` with these parameters.
    Impl(Generics),
    /// A trait, or an `impl` of one, which decides on the signature.
    Trait,
}

impl Outer {
    pub fn of_impl(item: &syn::ItemImpl) -> Self {
        if item.trait_.is_some() { Self::Trait } else { Self::Impl(item.generics.clone()) }
    }
}

impl Scope {
    /// Inside an item with these parameters.
    pub fn with(&self, generics: &Generics) -> Self {
        let mut inner = self.clone();
        inner.generics.extend(names(generics));
        inner
    }
}

pub fn names(generics: &Generics) -> impl Iterator<Item = String> {
    parameters(generics).map(ToString::to_string)
}

/// The context of a function.
pub fn of(sig: &Signature, body: &Block, scope: &Scope) -> Context {
    let parameters = typed(sig);
    let sig = &parts_as_parameters(sig);
    let mut found = Locals::default();
    for input in &sig.inputs {
        if let FnArg::Typed(arg) = input {
            found.typed(&arg.pat, &arg.ty);
        }
    }
    found.visit_block(body);
    let mut bound = Names::default();
    sig.inputs.iter().for_each(|input| bound.visit_fn_arg(input));
    let mut patterns = body.clone();
    crate::lower::consts_in_patterns(&mut patterns);
    bound.visit_block(&patterns);
    let Locals { mut arrays, mut scalars, named, parts, .. } = found;
    // A name in a tuple pattern counts only if it is bound once in the function.
    let times = crate::sema::syntax::names::times_bound(sig, body);
    for (name, array) in parts {
        if times.get(&name) == Some(&1) {
            if array {
                arrays.insert(name)
            } else {
                scalars.insert(name)
            };
        }
    }
    let (references, exclusive) = references::of(sig, body);
    Context {
        function: sig.ident.to_string(),
        try_: scope.try_ && returns_result(sig),
        method: sig.receiver().is_some(),
        owns_self: sig.receiver().is_some_and(|r| matches!(r.kind, syn::ReceiverKind::Value)),
        generics: scope.generics.iter().cloned().chain(names(&sig.generics)).collect(),
        // A (shadowed) name of both an array and a scalar decides nothing.
        scalar_names: scalars.difference(&arrays).cloned().collect(),
        array_names: arrays.difference(&scalars).cloned().collect(),
        named: named.into_iter().collect(),
        whole: whole(sig, body),
        lengths: lengths::of(sig, body),
        consts: consts::of(&patterns, &bound.0),
        references,
        exclusive,
        typed: parameters,
        closures: vec![],
        parts: iterated::parts(body, &times, &arrays, &mutable(sig, body)),
        mutable: mutable(sig, body),
        lent: iterated::lent(body),
        names: bound.0.keys().cloned().collect(),
        bindings: bound.0,
    }
}

/// The signature with a parameter for each part of a tuple: `a: A, b: B` for `(a, b): (A, B)`.
pub fn parts_as_parameters(sig: &Signature) -> Signature {
    let mut sig = sig.clone();
    while let Some(at) = sig.inputs.iter().position(|input| parts(input).is_some()) {
        let inputs = std::mem::take(&mut sig.inputs).into_iter().enumerate();
        sig.inputs = inputs
            .flat_map(|(k, input)| match parts(&input).filter(|_| k == at) {
                Some(parts) => parts,
                None => vec![input],
            })
            .collect();
    }
    sig
}

fn parts(input: &FnArg) -> Option<Vec<FnArg>> {
    let FnArg::Typed(arg) = input else { return None };
    let (Pat::Tuple(pat), Type::Tuple(ty)) = (&*arg.pat, &*arg.ty) else { return None };
    let part = |(pat, ty): (&Pat, &Type)| -> FnArg { syn::parse_quote!(#pat: #ty) };
    (pat.elems.len() == ty.elems.len()).then(|| pat.elems.iter().zip(&ty.elems).map(part).collect())
}

/// Whether the name of what a function returns is one of a `Result`.
pub fn returns_result(sig: &Signature) -> bool {
    match &sig.output {
        ReturnType::Type(_, ty) => last_segment(ty).is_some_and(|name| name.ends_with("Result")),
        ReturnType::Default => false,
    }
}

/// Parameters that are names.
fn typed(sig: &Signature) -> Vec<String> {
    let name = |input: &FnArg| match input {
        FnArg::Typed(arg) => match &*arg.pat {
            Pat::Ident(p) => Some(p.ident.to_string()),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    };
    sig.inputs.iter().filter_map(name).collect()
}

/// The variables that are declared `mut`.
fn mutable(sig: &Signature, body: &Block) -> Vec<String> {
    let mut names = crate::sema::syntax::names::Names::default();
    names.visit_signature(sig);
    names.visit_block(body);
    names.bound.into_iter().filter(|p| p.mutability.is_some()).map(|p| p.ident.to_string()).collect()
}

impl Context {
    /// The variables that the function binds outside of a loop or block.
    pub fn names_outside(&self, of: &impl quote::ToTokens) -> Vec<String> {
        let mut within = Names::default();
        let mut patterns: Block = syn::parse_quote!({ #of });
        crate::lower::consts_in_patterns(&mut patterns);
        within.visit_block(&patterns);
        let is_outside = |name: &&String| match (self.bindings.get(*name), within.0.get(*name)) {
            (Some(all), Some(within)) => all > within,
            _ => true,
        };
        self.names.iter().filter(is_outside).cloned().collect()
    }
}

/// All names that patterns bind, and how often. A capital in a pattern may be a const; where a pattern can't fail, it is a variable.
#[derive(Default)]
struct Names(HashMap<String, usize>);

impl Names {
    fn add(&mut self, name: String) {
        *self.0.entry(name).or_default() += 1;
    }

    /// A pattern that always matches: that of a parameter, a `let` without `else`, a `for`.
    fn certain(&mut self, pat: &Pat) {
        match pat {
            Pat::Ident(p) => self.add(p.ident.to_string()),
            Pat::Type(p) => self.certain(&p.pat),
            Pat::Paren(p) => self.certain(&p.pat),
            Pat::Reference(p) => self.certain(&p.pat),
            Pat::Tuple(p) => p.elems.iter().for_each(|p| self.certain(p)),
            Pat::TupleStruct(p) => p.elems.iter().for_each(|p| self.certain(p)),
            Pat::Slice(p) => p.elems.iter().for_each(|p| self.certain(p)),
            Pat::Struct(p) => p.fields.iter().for_each(|f| self.certain(&f.pat)),
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        let binds = p.by_ref.is_some() || p.mutability.is_some() || p.subpat.is_some();
        let name = p.ident.to_string();
        if binds || !name.starts_with(char::is_uppercase) {
            self.add(name);
        }
        visit::visit_pat_ident(self, p);
    }

    fn visit_fn_arg(&mut self, a: &'ast FnArg) {
        if let FnArg::Typed(arg) = a {
            self.certain(&arg.pat);
        }
        visit::visit_fn_arg(self, a);
    }

    fn visit_local(&mut self, l: &'ast Local) {
        if l.init.as_ref().is_none_or(|init| init.diverge.is_none()) {
            self.certain(&l.pat);
        }
        visit::visit_local(self, l);
    }

    fn visit_expr_for_loop(&mut self, f: &'ast syn::ExprForLoop) {
        self.certain(&f.pat);
        visit::visit_expr_for_loop(self, f);
    }

    fn visit_expr_closure(&mut self, c: &'ast syn::ExprClosure) {
        c.inputs.iter().for_each(|p| self.certain(p));
        visit::visit_expr_closure(self, c);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

#[derive(Default)]
struct Locals {
    arrays: HashSet<String>,
    scalars: HashSet<String>,
    named: HashSet<String>,
    ranges: HashSet<String>,
    /// The names that tuples' patterns bind to arrays, or to numbers.
    parts: Vec<(String, bool)>,
}

impl Locals {
    fn typed(&mut self, pat: &Pat, ty: &Type) {
        let Pat::Ident(p) = pat else { return };
        let name = p.ident.to_string();
        if is_array(ty) {
            if iterate::has_named_elements(ty) {
                self.named.insert(name.clone());
            }
            self.arrays.insert(name);
        } else if is_primitive(ty) {
            self.scalars.insert(name);
        }
    }
}

impl Locals {
    /// Whether a value is surely an array, or surely a number.
    fn judged(&self, value: &Expr) -> Option<bool> {
        if makes_array(value) || self.maps_array(value) || self.is_part(value) {
            Some(true)
        } else {
            is_number(value).then_some(false)
        }
    }

    /// `&x[r]`, `&x[r.clone()]` and `&x[m.row(i)]` of a range.
    fn is_part(&self, e: &Expr) -> bool {
        match strip(e) {
            Expr::Reference(r) => self.is_part(&r.expr),
            Expr::Index(x) => self.is_range(&x.index),
            _ => false,
        }
    }

    fn is_range(&self, e: &Expr) -> bool {
        match strip(e) {
            Expr::Range(_) => true,
            Expr::Path(p) => p.path.get_ident().is_some_and(|name| self.ranges.contains(&name.to_string())),
            Expr::MethodCall(m) if m.method == "clone" => self.is_range(&m.receiver),
            Expr::MethodCall(m) => iterate::returns_range(&m.method),
            Expr::Call(c) => match &*c.func {
                Expr::Path(p) => p.path.segments.last().is_some_and(|s| iterate::returns_range(&s.ident)),
                _ => false,
            },
            _ => false,
        }
    }

    /// `x.map(f)` of an array. (A slice has no `map`.)
    fn maps_array(&self, e: &Expr) -> bool {
        matches!(e, Expr::MethodCall(_)) && copied(e).is_some_and(|of| self.arrays.contains(&of.to_string()))
    }
}

impl<'ast> Visit<'ast> for Locals {
    fn visit_local(&mut self, l: &'ast Local) {
        visit::visit_local(self, l);
        match (&l.pat, &l.init) {
            (Pat::Type(t), _) => self.typed(&t.pat, &t.ty),
            (Pat::Ident(p), Some(init)) => match self.judged(&init.expr) {
                Some(true) => drop(self.arrays.insert(p.ident.to_string())),
                Some(false) => drop(self.scalars.insert(p.ident.to_string())),
                None if self.is_range(&init.expr) => drop(self.ranges.insert(p.ident.to_string())),
                None => {}
            },
            (Pat::Tuple(t), Some(init)) => {
                let Expr::Tuple(values) = strip(&init.expr) else { return };
                if t.elems.len() == values.elems.len() {
                    for (pat, value) in t.elems.iter().zip(&values.elems) {
                        if let (Pat::Ident(p), Some(array)) = (pat, self.judged(value)) {
                            self.parts.push((p.ident.to_string(), array));
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// The bindings of a region's body capture nothing.
    fn visit_expr_for_loop(&mut self, f: &'ast syn::ExprForLoop) {
        if !is_parallel(f) {
            visit::visit_expr_for_loop(self, f);
        }
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// Whether a loop has a directive that makes it a region or a part of one.
fn is_parallel(f: &syn::ExprForLoop) -> bool {
    let host_code = |attr: &Attribute| {
        let name = attr.path().segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        name.ends_with("data") || name == "taskgroup"
    };
    f.attrs.iter().any(|attr| directive::is_ours(attr) && !host_code(attr))
}

/// `3`, `-0.5`, `2 * k`, `n as f32`: no array, whatever else bears the name.
pub fn is_number(e: &Expr) -> bool {
    match strip(e) {
        Expr::Lit(l) => matches!(
            l.lit,
            syn::Lit::Int(_) | syn::Lit::Float(_) | syn::Lit::Bool(_) | syn::Lit::Char(_) | syn::Lit::Byte(_)
        ),
        Expr::Cast(c) => is_primitive(&c.ty),
        Expr::Unary(u) => !matches!(u.op, syn::UnOp::Deref(_)) && is_number(&u.expr),
        Expr::Binary(b) => is_number(&b.left) || is_number(&b.right),
        _ => false,
    }
}

/// `[…]`, `vec![…]`, `b"…"`, `Vec::…(…)`, `&x[a..b]`, `….to_vec()`, `….as_bytes()`, `….collect::<Vec<_>>()`, `….unwrap_or(&[])`.
fn makes_array(e: &Expr) -> bool {
    match strip(e) {
        Expr::Lit(l) => matches!(l.lit, syn::Lit::ByteStr(_)),
        Expr::Index(x) => matches!(&*x.index, Expr::Range(_)),
        Expr::Array(_) | Expr::Repeat(_) => true,
        Expr::Macro(m) => m.mac.path.segments.last().is_some_and(|s| s.ident == "vec"),
        Expr::Call(c) => match &*c.func {
            Expr::Path(p) => p.path.segments.iter().rev().nth(1).is_some_and(|s| s.ident == "Vec"),
            _ => false,
        },
        Expr::MethodCall(m) if m.method == "unwrap_or" => m.args.first().is_some_and(makes_array),
        Expr::MethodCall(m) if m.method == "collect" => m.turbofish.as_ref().is_some_and(|t| {
            matches!(t.args.first(), Some(syn::GenericArgument::Type(ty))
                if last_segment(ty).is_some_and(|name| name == "Vec"))
        }),
        Expr::MethodCall(m) => {
            const GIVE: &[&str] =
                &["to_vec", "into_boxed_slice", "as_bytes", "as_slice", "as_mut_slice", "into_bytes"];
            GIVE.iter().any(|name| m.method == name)
        }
        Expr::Reference(r) => makes_array(&r.expr),
        _ => false,
    }
}

/// `[T]`, `[T; N]`, `Vec<T>`, `Box<[T]>`, behind references.
pub(super) fn is_array(ty: &Type) -> bool {
    match behind_references(ty) {
        Type::Slice(_) | Type::Array(_) => true,
        Type::Path(p) => match p.path.segments.last() {
            // A `Vec` without type arguments is a user's type.
            Some(s) if s.ident == "Vec" => !s.arguments.is_empty(),
            Some(s) if s.ident == "Box" => matches!(&s.arguments, syn::PathArguments::AngleBracketed(a)
                if a.args.iter().any(|a| matches!(a, syn::GenericArgument::Type(t) if is_array(t)))),
            _ => false,
        },
        _ => false,
    }
}

fn is_primitive(ty: &Type) -> bool {
    match ty {
        Type::Path(p) => p.path.get_ident().is_some_and(|name| primitives::is_primitive(&name.to_string())),
        Type::Reference(r) => is_primitive(&r.elem),
        _ => false,
    }
}

fn last_segment(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(p) => p.path.segments.last().map(|s| s.ident.to_string()),
        _ => None,
    }
}
