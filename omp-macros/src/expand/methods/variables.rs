//! The variables of a function that are structs with methods, as far as tokens determine them.
use super::values::Ty;
use super::{Method, Methods, behind, name_of};
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::items::passes_on;
use crate::sema::syntax::types::element;
use proc_macro2::Ident;
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Block, Expr, Item, Local, Member, Pat, ReturnType, Signature, Stmt, Type};

/// The variables of a function that are structs, with their names, and what its own items name.
#[derive(Default)]
pub struct Variables {
    pub(super) types: HashMap<String, String>,
    pub(super) items: HashSet<String>,
    /// Any name may be another item here.
    pub(super) unknown: bool,
    /// The types of those that are bound once, if tokens determine them.
    pub(super) values: HashMap<String, Ty>,
    /// What declares those that are bound once.
    pub(super) declared: HashMap<String, Declared>,
}

impl Variables {
    /// Whether no call can be one whose body takes its place.
    pub(super) fn have_no_calls(&self, methods: &Methods) -> bool {
        let none = methods.functions.is_empty()
            && methods.inlined.is_empty()
            && methods.values.is_empty()
            && methods.of_arrays.is_empty()
            && methods.exclusive.is_empty();
        self.types.is_empty() && (self.unknown || none)
    }
}

/// What declares a variable.
pub(super) enum Declared {
    Type(Type),
    Value(Expr),
}

/// The declarations of a function's variables that are bound once.
pub(super) fn declared(
    sig: &Signature,
    body: &Block,
    bound: &HashMap<String, usize>,
) -> HashMap<String, Declared> {
    struct Lets<'b> {
        bound: &'b HashMap<String, usize>,
        found: HashMap<String, Declared>,
    }
    impl Lets<'_> {
        fn add(&mut self, pat: &Pat, ty: Option<&Type>, value: Option<&Expr>) {
            match (pat, ty, value) {
                (Pat::Type(t), _, _) => self.add(&t.pat, Some(&t.ty), None),
                (Pat::Ident(p), ty, value) if self.bound.get(&p.ident.to_string()) == Some(&1) => {
                    let declared =
                        ty.cloned().map(Declared::Type).or_else(|| value.cloned().map(Declared::Value));
                    self.found.extend(declared.map(|declared| (p.ident.to_string(), declared)));
                }
                _ => {}
            }
        }
    }
    impl<'ast> Visit<'ast> for Lets<'_> {
        fn visit_local(&mut self, l: &'ast Local) {
            let typed = |e: &&Expr| {
                let e = strip(e);
                matches!(
                    e,
                    Expr::Reference(_) | Expr::Path(_) | Expr::Field(_) | Expr::MethodCall(_) | Expr::Try(_)
                )
            };
            self.add(&l.pat, None, l.init.as_ref().map(|init| &*init.expr).filter(typed));
            visit::visit_local(self, l);
        }
        fn visit_item(&mut self, _: &'ast Item) {}
    }
    let mut lets = Lets { bound, found: HashMap::new() };
    for input in &sig.inputs {
        if let syn::FnArg::Typed(arg) = input {
            lets.add(&arg.pat, Some(&arg.ty), None);
        }
    }
    lets.visit_block(body);
    lets.found
}

pub(super) struct Search<'a> {
    pub(super) methods: &'a Methods,
    pub(super) types: HashMap<String, String>,
    /// By name: what each of its bindings is.
    pub(super) bindings: HashMap<String, Vec<String>>,
    /// The structs that are the elements of arrays, by the arrays' names.
    pub(super) arrays: HashMap<String, String>,
    /// Below a directive.
    pub(super) in_region: bool,
}

impl<'a> Search<'a> {
    pub(super) fn new(methods: &'a Methods) -> Self {
        let (types, bindings, arrays) = Default::default();
        Self { methods, types, bindings, arrays, in_region: false }
    }

    /// Records what a name is bound to.
    pub(super) fn note(&mut self, name: String, ty: String) {
        self.bindings.entry(name.clone()).or_default().push(ty.clone());
        self.types.insert(name, ty);
    }

    /// The names that are bound to one struct wherever they are bound, so often.
    pub(super) fn certain(self, times: &HashMap<String, usize>) -> HashMap<String, String> {
        let bindings = self.bindings.into_iter();
        let all = bindings
            .filter(|(name, all)| times.get(name) == Some(&all.len()) && all.iter().all(|ty| *ty == all[0]));
        all.map(|(name, mut all)| (name, all.swap_remove(0))).collect()
    }

    pub(super) fn is_of(&mut self, pat: &Pat, ty: Option<String>) {
        match (pat, ty) {
            (Pat::Ident(p), Some(ty)) if p.subpat.is_none() => {
                self.note(p.ident.to_string(), ty);
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
    pub(super) fn of_value(&self, e: &Expr) -> Option<String> {
        match strip(e) {
            Expr::Struct(s) => self.of_path(&s.path),
            Expr::Call(c) => {
                let Expr::Path(p) = &*c.func else { return None };
                let mut path = p.path.clone();
                if path.segments.len() == 1 {
                    return self.of_path(&path).or_else(|| self.of_function(&path.segments[0].ident));
                }
                let function = path.segments.pop()?.ident;
                path.segments.pop_punct();
                let of = self.of_path(&path)?;
                self.of_result(&of, &function)
            }
            Expr::MethodCall(m) => {
                let of = self.of_value(&m.receiver)?;
                if m.method == "clone" && m.args.is_empty() {
                    return Some(of);
                }
                self.of_result(&of, &m.method)
            }
            e => self.methods.of_place(e, &self.types),
        }
    }

    /// The struct that a function gives.
    fn of_function(&self, name: &Ident) -> Option<String> {
        let f = self.methods.functions.iter().find(|f| f.sig.ident == *name)?;
        let ReturnType::Type(_, ty) = &f.sig.output else { return None };
        self.methods.named(ty)
    }

    fn of_path(&self, path: &syn::Path) -> Option<String> {
        match path.segments.len() {
            1 => self.methods.named(&syn::parse_quote!(#path)),
            _ => None,
        }
    }

    /// The struct that a method of a struct gives.
    fn of_result(&self, of: &str, method: &Ident) -> Option<String> {
        let is = |m: &&Method| m.function.sig.ident == *method;
        let made = self.methods.find(of)?.methods.iter().find(is)?;
        let ReturnType::Type(_, ty) = &made.function.sig.output else { return None };
        let name = name_of(behind(ty))?;
        if name == "Self" { Some(of.to_owned()) } else { self.methods.find(&name).map(|s| s.name.clone()) }
    }
}

/// What a pattern is bound to, as far as tokens show it.
#[derive(Clone)]
enum Bound {
    Struct(String),
    Tuple(Vec<Bound>),
    Unknown,
}

impl Bound {
    /// What all of some values are.
    fn common(all: impl IntoIterator<Item = Self>) -> Self {
        all.into_iter()
            .reduce(|a, b| match (a, b) {
                (Self::Struct(a), Self::Struct(b)) if a == b => Self::Struct(a),
                (Self::Tuple(a), Self::Tuple(b)) if a.len() == b.len() => Self::Tuple(
                    a.into_iter().zip(b).map(|both| Self::common(<[Self; 2]>::from(both))).collect(),
                ),
                _ => Self::Unknown,
            })
            .unwrap_or(Self::Unknown)
    }
}

impl Search<'_> {
    fn bind(&mut self, pat: &Pat, to: Bound) {
        match (pat, to) {
            (Pat::Tuple(pats), Bound::Tuple(parts)) if pats.elems.len() == parts.len() => {
                pats.elems.iter().zip(parts).for_each(|(pat, part)| self.bind(pat, part));
            }
            (Pat::Type(t), to) => {
                let of_type = self.typed(&t.ty);
                self.bind(&t.pat, if matches!(of_type, Bound::Unknown) { to } else { of_type });
            }
            (pat, Bound::Struct(name)) => self.is_of(pat, Some(name)),
            (pat, _) => self.is_of(pat, None),
        }
    }

    fn typed(&self, ty: &Type) -> Bound {
        match ty {
            Type::Tuple(t) => Bound::Tuple(t.elems.iter().map(|ty| self.typed(ty)).collect()),
            ty => self.methods.named(ty).map_or(Bound::Unknown, Bound::Struct),
        }
    }

    fn value(&self, e: &Expr) -> Bound {
        let tail = |b: &Block| match b.stmts.last() {
            Some(Stmt::Expr(e, None)) => self.value(e),
            _ => Bound::Unknown,
        };
        match strip(e) {
            Expr::Tuple(t) => Bound::Tuple(t.elems.iter().map(|e| self.value(e)).collect()),
            Expr::If(i) => match &i.else_branch {
                Some((_, els)) => Bound::common([tail(&i.then_branch), self.value(els)]),
                None => Bound::Unknown,
            },
            Expr::Match(m) => Bound::common(m.arms.iter().map(|arm| self.value(&arm.body))),
            Expr::Block(b) if b.label.is_none() => tail(&b.block),
            Expr::Reference(r) => self.value(&r.expr),
            Expr::Index(x) if !self.in_region && !matches!(strip(&x.index), Expr::Range(_)) => {
                self.items(&x.expr)
            }
            e => self.of_value(e).map_or(Bound::Unknown, Bound::Struct),
        }
    }

    /// The items of an iterator over arrays of structs.
    fn items(&self, e: &Expr) -> Bound {
        match strip(e) {
            Expr::Reference(r) => self.items(&r.expr),
            Expr::MethodCall(m) => match (m.method.to_string().as_str(), m.args.first()) {
                ("iter" | "iter_mut", None) => self.items(&m.receiver),
                _ if passes_on(m) => self.items(&m.receiver),
                ("enumerate", None) => Bound::Tuple(vec![Bound::Unknown, self.items(&m.receiver)]),
                ("zip", Some(other)) => Bound::Tuple(vec![self.items(&m.receiver), self.items(other)]),
                _ => Bound::Unknown,
            },
            Expr::Path(p) => {
                let of = p.path.get_ident().and_then(|name| self.arrays.get(&name.to_string()));
                of.cloned().map_or(Bound::Unknown, Bound::Struct)
            }
            Expr::Field(f) => {
                let ty = self.methods.field(f, &self.types).and_then(element);
                ty.and_then(|ty| self.methods.named(ty)).map_or(Bound::Unknown, Bound::Struct)
            }
            _ => Bound::Unknown,
        }
    }
}

impl<'ast> Visit<'ast> for Search<'_> {
    fn visit_local(&mut self, l: &'ast Local) {
        visit::visit_local(self, l);
        let to = l.init.as_ref().map_or(Bound::Unknown, |init| self.value(&init.expr));
        self.bind(&l.pat, to);
    }

    fn visit_expr_for_loop(&mut self, f: &'ast syn::ExprForLoop) {
        // (In a region, structs in arrays are device values.)
        let around = self.in_region;
        self.in_region |= !f.attrs.is_empty();
        let items = if self.in_region { Bound::Unknown } else { self.items(&f.expr) };
        if !matches!(items, Bound::Unknown) {
            self.bind(&f.pat, items);
        }
        visit::visit_expr_for_loop(self, f);
        self.in_region = around;
    }

    fn visit_expr_block(&mut self, b: &'ast syn::ExprBlock) {
        let around = self.in_region;
        self.in_region |= !b.attrs.is_empty();
        visit::visit_expr_block(self, b);
        self.in_region = around;
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}
