//! The variables of a function that are structs with methods, as far as tokens determine them.
use super::values::Ty;
use super::{Method, Methods, behind, name_of};
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::items::passes_on;
use crate::sema::syntax::types::element;
use proc_macro2::Ident;
use std::collections::{HashMap, HashSet};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Block, Expr, FnArg, Item, Local, Member, Pat, ReturnType, Signature, Stmt, Token, Type, UnOp};

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
#[derive(Clone)]
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
        fn add(&mut self, pat: &Pat, by: &Declared) {
            match (pat, by) {
                (Pat::Type(t), _) => self.add(&t.pat, &Declared::Type((*t.ty).clone())),
                (Pat::Paren(p), _) => self.add(&p.pat, by),
                (Pat::Reference(r), _) => self.add(&r.pat, by),
                (Pat::Ident(p), _) => {
                    if self.bound.get(&p.ident.to_string()) == Some(&1) {
                        self.found.insert(p.ident.to_string(), by.clone());
                    }
                    if let Some((_, inner)) = &p.subpat {
                        self.add(inner, by);
                    }
                }
                (Pat::Slice(s), by) => {
                    let one = match by {
                        Declared::Type(ty) => element(behind(ty)).cloned().map(Declared::Type),
                        Declared::Value(value) => Some(Declared::Value(syn::parse_quote!((#value)[0]))),
                    };
                    let elements =
                        s.elems.iter().filter(|pat| !matches!(pat, Pat::Ident(p) if p.subpat.is_some()));
                    one.iter().for_each(|one| elements.clone().for_each(|pat| self.add(pat, one)));
                }
                (Pat::Tuple(t), Declared::Type(ty)) => {
                    let Type::Tuple(of) = behind(ty) else { return };
                    for (k, pat) in parts_of_patterns(&t.elems, of.elems.len()) {
                        self.add(pat, &Declared::Type(of.elems[k].clone()));
                    }
                }
                (Pat::Tuple(t), Declared::Value(value)) => {
                    let n = match strip(value) {
                        Expr::Tuple(of) => of.elems.len(),
                        _ => t.elems.len(),
                    };
                    for (k, pat) in parts_of_patterns(&t.elems, n) {
                        let member = syn::Index::from(k);
                        let part = match strip(value) {
                            Expr::Tuple(of) => of.elems[k].clone(),
                            value => syn::parse_quote!((#value).#member),
                        };
                        self.add(pat, &Declared::Value(part));
                    }
                }
                (Pat::Struct(s), Declared::Value(value)) => {
                    for field in &s.fields {
                        let member = &field.member;
                        self.add(&field.pat, &Declared::Value(syn::parse_quote!((#value).#member)));
                    }
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
                    Expr::Reference(_)
                        | Expr::Path(_)
                        | Expr::Field(_)
                        | Expr::MethodCall(_)
                        | Expr::Try(_)
                        | Expr::Tuple(_)
                        | Expr::Array(_)
                        | Expr::Index(_)
                        | Expr::Unary(_)
                )
            };
            match &l.pat {
                Pat::Type(t) => self.add(&t.pat, &Declared::Type((*t.ty).clone())),
                pat => {
                    let value = l.init.as_ref().map(|init| &*init.expr).filter(typed);
                    value.iter().for_each(|value| self.add(pat, &Declared::Value((*value).clone())));
                }
            }
            visit::visit_local(self, l);
        }
        fn visit_item(&mut self, _: &'ast Item) {}
    }
    let mut lets = Lets { bound, found: HashMap::new() };
    for input in &sig.inputs {
        if let FnArg::Typed(arg) = input {
            lets.add(&arg.pat, &Declared::Type((*arg.ty).clone()));
        }
    }
    lets.visit_block(body);
    lets.found
}

/// The patterns of `n` parts, of which a `..` leaves some out, and which part each is of.
fn parts_of_patterns(
    pats: &Punctuated<Pat, Token![,]>,
    n: usize,
) -> impl Iterator<Item = (usize, &Pat)> + use<'_> {
    let rest = pats.iter().position(|pat| matches!(pat, Pat::Rest(_)));
    let fits = if rest.is_some() { n + 1 >= pats.len() } else { n == pats.len() };
    let len = pats.len();
    pats.iter().enumerate().filter(move |_| fits).filter_map(move |(k, pat)| match rest {
        Some(rest) if k == rest => None,
        Some(rest) if k > rest => Some((k + n - len, pat)),
        _ => Some((k, pat)),
    })
}

pub(super) struct Search<'a> {
    pub(super) methods: &'a Methods,
    pub(super) types: HashMap<String, String>,
    /// What the names of arrays and tuples of structs are bound to.
    compound: HashMap<String, Bound>,
    /// By name: what each of its bindings is.
    bindings: HashMap<String, Vec<Bound>>,
    /// Names that mean other things elsewhere: nothing is known of what is made of them.
    uncertain: HashSet<String>,
    /// Below a directive.
    in_region: bool,
}

impl<'a> Search<'a> {
    pub(super) fn new(methods: &'a Methods) -> Self {
        let (types, compound, bindings, uncertain) = Default::default();
        Self { methods, types, compound, bindings, uncertain, in_region: false }
    }

    /// The structs of a function's variables that are bound so often.
    pub(super) fn of_function(
        methods: &Methods,
        sig: &Signature,
        body: &Block,
        times: &HashMap<String, usize>,
    ) -> HashMap<String, String> {
        let mut uncertain = HashSet::new();
        loop {
            let mut found = Search { uncertain: uncertain.clone(), ..Search::new(methods) };
            for input in &sig.inputs {
                match input {
                    FnArg::Receiver(_) => {
                        if let Some(name) = methods.this.clone() {
                            found.note("self".to_owned(), Bound::Struct(name));
                        }
                    }
                    FnArg::Typed(arg) => {
                        let to = found.typed(&arg.ty, None);
                        found.bind(&arg.pat, to);
                    }
                }
            }
            found.visit_block(body);
            // What is made of a variable that is another thing elsewhere is uncertain, too.
            let before = uncertain.len();
            let is_certain = |(name, all): &(&String, &Vec<Bound>)| {
                times.get(*name) == Some(&all.len()) && all.iter().all(|ty| *ty == all[0])
            };
            let others = found.bindings.iter().filter(|of| !is_certain(of));
            uncertain.extend(others.map(|(name, _)| name.clone()));
            if uncertain.len() == before {
                return found.types;
            }
        }
    }

    /// Records what a name is bound to. (A binding of an unknown value makes what has the name elsewhere uncertain: it is not counted.)
    fn note(&mut self, name: String, to: Bound) {
        if !to.has_structs() {
            return;
        }
        self.bindings.entry(name.clone()).or_default().push(to.clone());
        if self.uncertain.contains(&name) {
            return;
        }
        match to {
            Bound::Struct(of) => drop(self.types.insert(name, of)),
            to => drop(self.compound.insert(name, to)),
        }
    }

    /// The struct of a value in a region, whose variables are of these types.
    pub(super) fn of_value(
        methods: &'a Methods,
        types: &HashMap<String, String>,
        e: &Expr,
    ) -> Option<String> {
        if matches!(strip(e), Expr::If(_) | Expr::Match(_) | Expr::Block(_)) {
            return None;
        }
        match (Self { types: types.clone(), in_region: true, ..Self::new(methods) }).value(e) {
            Bound::Struct(name) => Some(name),
            _ => None,
        }
    }

    fn of_call(&self, c: &syn::ExprCall) -> Bound {
        let Expr::Path(p) = &*c.func else { return Bound::Unknown };
        let mut path = p.path.clone();
        if path.segments.len() == 1 {
            return match self.of_path(&path) {
                Some(name) => Bound::Struct(name),
                None => self.of_function_result(&path.segments[0].ident),
            };
        }
        let Some(function) = path.segments.pop() else { return Bound::Unknown };
        path.segments.pop_punct();
        match self.of_path(&path) {
            Some(of) => self.of_result(&of, &function.ident),
            None => Bound::Unknown,
        }
    }

    /// What a function gives.
    fn of_function_result(&self, name: &Ident) -> Bound {
        let f = self.methods.functions.iter().find(|f| f.sig.ident == *name);
        match f.map(|f| &f.sig.output) {
            Some(ReturnType::Type(_, ty)) => self.typed(ty, None),
            _ => Bound::Unknown,
        }
    }

    fn of_path(&self, path: &syn::Path) -> Option<String> {
        match path.segments.len() {
            1 => self.methods.named(&syn::parse_quote!(#path)),
            _ => None,
        }
    }

    /// What a method of a struct gives.
    fn of_result(&self, of: &str, method: &Ident) -> Bound {
        let is = |m: &&Method| m.function.sig.ident == *method;
        let made = self.methods.find(of).and_then(|of| of.methods.iter().find(is));
        match made.map(|made| &made.function.sig.output) {
            Some(ReturnType::Type(_, ty)) => self.typed(ty, Some(of)),
            _ => Bound::Unknown,
        }
    }
}

/// What a pattern is bound to, as far as tokens show it, behind references.
#[derive(Clone, PartialEq, Eq)]
enum Bound {
    Struct(String),
    Tuple(Vec<Bound>),
    /// An array, a slice or a `Vec` of such elements.
    Array(Box<Bound>),
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
                (Self::Array(a), Self::Array(b)) => Self::Array(Box::new(Self::common([*a, *b]))),
                _ => Self::Unknown,
            })
            .unwrap_or(Self::Unknown)
    }

    fn has_structs(&self) -> bool {
        match self {
            Self::Struct(_) => true,
            Self::Tuple(parts) => parts.iter().any(Self::has_structs),
            Self::Array(of) => of.has_structs(),
            Self::Unknown => false,
        }
    }

    /// What the elements of an array are.
    fn element(self) -> Self {
        match self {
            Self::Array(of) => *of,
            _ => Self::Unknown,
        }
    }

    /// What the part of a tuple is.
    fn part(self, n: usize) -> Self {
        match self {
            Self::Tuple(mut parts) if n < parts.len() => parts.swap_remove(n),
            _ => Self::Unknown,
        }
    }
}

impl Search<'_> {
    fn bind(&mut self, pat: &Pat, to: Bound) {
        match (pat, to) {
            (Pat::Ident(p), to) => {
                if let Some((_, inner)) = &p.subpat {
                    self.bind(inner, to.clone());
                }
                self.note(p.ident.to_string(), to);
            }
            (Pat::Type(t), to) => {
                let of_type = self.typed(&t.ty, None);
                self.bind(&t.pat, if matches!(of_type, Bound::Unknown) { to } else { of_type });
            }
            (Pat::Reference(r), to) => self.bind(&r.pat, to),
            (Pat::Paren(p), to) => self.bind(&p.pat, to),
            (Pat::Tuple(pats), Bound::Tuple(parts)) => {
                let n = parts.len();
                self.bind_all(&pats.elems, n, |k| parts[k].clone());
            }
            (Pat::Slice(pats), Bound::Array(of)) => {
                for pat in &pats.elems {
                    match pat {
                        Pat::Ident(p) if p.subpat.is_some() => {
                            self.note(p.ident.to_string(), Bound::Array(of.clone()));
                        }
                        pat => self.bind(pat, (*of).clone()),
                    }
                }
            }
            (Pat::Struct(s), to) => {
                let Some(of) = self.destructured(&s.path, to) else { return };
                for field in &s.fields {
                    let to = self.of_member(&of, &field.member);
                    self.bind(&field.pat, to);
                }
            }
            (Pat::TupleStruct(s), to) => {
                let Some(of) = self.destructured(&s.path, to) else { return };
                let n = self.methods.find(&of).and_then(|of| of.fields.as_ref()).map_or(0, syn::Fields::len);
                let methods = self.methods;
                self.bind_all(&s.elems, n, |k| {
                    Search::new(methods).of_member(&of, &Member::Unnamed(syn::Index::from(k)))
                });
            }
            _ => {}
        }
    }

    /// The struct that a pattern takes apart.
    fn destructured(&self, path: &syn::Path, to: Bound) -> Option<String> {
        match to {
            Bound::Struct(of) => Some(of),
            Bound::Unknown => self.of_path(path),
            Bound::Tuple(_) | Bound::Array(_) => None,
        }
    }

    /// Binds the patterns of `n` parts, of which a `..` leaves some out.
    fn bind_all(&mut self, pats: &Punctuated<Pat, Token![,]>, n: usize, part: impl Fn(usize) -> Bound) {
        for (k, pat) in parts_of_patterns(pats, n) {
            self.bind(pat, part(k));
        }
    }

    /// What a field of a struct is.
    fn of_member(&self, of: &str, member: &Member) -> Bound {
        let field = self.methods.find(of).and_then(|of| of.field(member));
        field.map_or(Bound::Unknown, |ty| self.typed(ty, Some(of)))
    }

    /// What a type is; `this`: what `Self` is, if it is not that of the function.
    fn typed(&self, ty: &Type, this: Option<&str>) -> Bound {
        let ty = behind(ty);
        match ty {
            Type::Tuple(t) => Bound::Tuple(t.elems.iter().map(|ty| self.typed(ty, this)).collect()),
            ty => match element(ty) {
                Some(of) => Bound::Array(Box::new(self.typed(of, this))),
                None if name_of(ty).is_some_and(|name| name == "Self") && this.is_some() => {
                    this.map_or(Bound::Unknown, |this| Bound::Struct(this.to_owned()))
                }
                None => self.methods.named(ty).map_or(Bound::Unknown, Bound::Struct),
            },
        }
    }

    fn value(&self, e: &Expr) -> Bound {
        let tail = |b: &Block| match b.stmts.last() {
            Some(Stmt::Expr(e, None)) => self.value(e),
            _ => Bound::Unknown,
        };
        match strip(e) {
            Expr::Tuple(t) => Bound::Tuple(t.elems.iter().map(|e| self.value(e)).collect()),
            Expr::Array(a) => Bound::Array(Box::new(Bound::common(a.elems.iter().map(|e| self.value(e))))),
            Expr::If(i) => match &i.else_branch {
                Some((_, els)) => Bound::common([tail(&i.then_branch), self.value(els)]),
                None => Bound::Unknown,
            },
            Expr::Match(m) => Bound::common(m.arms.iter().map(|arm| self.value(&arm.body))),
            Expr::Block(b) if b.label.is_none() => tail(&b.block),
            Expr::Reference(r) => self.value(&r.expr),
            Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => self.value(&u.expr),
            // (In a region, structs in arrays are device values.)
            Expr::Index(x) if !self.in_region => {
                let of = self.value(&x.expr);
                if matches!(strip(&x.index), Expr::Range(_)) { of } else { of.element() }
            }
            Expr::Struct(s) => self.of_path(&s.path).map_or(Bound::Unknown, Bound::Struct),
            Expr::Call(c) => self.of_call(c),
            Expr::MethodCall(m) => match (self.value(&m.receiver), m.args.is_empty()) {
                (of, true) if m.method == "clone" => of,
                (of @ Bound::Array(_), true) if AS_A_WHOLE.iter().any(|name| m.method == name) => of,
                (Bound::Struct(of), _) => self.of_result(&of, &m.method),
                _ => Bound::Unknown,
            },
            Expr::Field(f) => match (self.value(&f.base), &f.member) {
                (Bound::Struct(of), member) => self.of_member(&of, member),
                (of, Member::Unnamed(n)) => of.part(n.index as usize),
                _ => Bound::Unknown,
            },
            Expr::Path(p) => {
                let Some(name) = p.path.get_ident().map(ToString::to_string) else { return Bound::Unknown };
                let of = self.types.get(&name).cloned().map(Bound::Struct);
                of.or_else(|| self.compound.get(&name).cloned()).unwrap_or(Bound::Unknown)
            }
            _ => Bound::Unknown,
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
                _ => self.value(e).element(),
            },
            e => self.value(e).element(),
        }
    }
}

/// Methods of arrays that give the array again, or one of references to its elements.
const AS_A_WHOLE: [&str; 4] = ["as_slice", "as_mut_slice", "each_ref", "each_mut"];

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
