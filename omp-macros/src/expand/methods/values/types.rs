//! Types of expressions that are device values, as far as tokens determine them.
use super::{Ty, Values};
use crate::parse::operators::BINARY;
use crate::sema::syntax::forms::{behind_references, is_variant, strip};
use crate::sema::syntax::names::bound;
use quote::ToTokens;
use std::collections::HashMap;
use syn::visit::{self, Visit};
use syn::{Block, Expr, FnArg, Item, Member, Pat, ReturnType, Signature, UnOp};

/// The types of variables, by scopes.
#[derive(Clone)]
pub(in crate::expand::methods) struct Types<'v> {
    pub(super) values: &'v Values,
    pub(super) this: Option<String>,
    /// Type parameters.
    pub(super) parameters: Vec<String>,
    pub(super) scopes: Vec<HashMap<String, Option<Ty>>>,
}

/// A type of which nothing is known.
fn unknown() -> Ty {
    Ty::Named("_".into())
}

impl<'v> Types<'v> {
    pub fn of_function(values: &'v Values, this: Option<&str>, sig: &Signature) -> Self {
        let parameters = sig.generics.type_params().map(|t| t.ident.to_string()).collect();
        let this = this.map(str::to_owned);
        let mut types = Self { values, this, parameters, scopes: vec![HashMap::new()] };
        for input in &sig.inputs {
            match input {
                FnArg::Receiver(_) => {
                    let ty = types.this.clone().map(Ty::Named);
                    types.insert("self", ty);
                }
                FnArg::Typed(arg) => {
                    let ty = Ty::of(&arg.ty, types.this.as_deref());
                    types.bind(&arg.pat, ty);
                }
            }
        }
        types
    }

    /// With these type parameters.
    pub fn with(mut self, parameters: &[String]) -> Self {
        self.parameters.extend_from_slice(parameters);
        self
    }

    pub fn enter(&mut self) {
        self.scopes.push(HashMap::new());
    }

    pub fn leave(&mut self) {
        self.scopes.pop();
    }

    pub(super) fn insert(&mut self, name: &str, ty: Option<Ty>) {
        self.scopes.last_mut().expect("a function has one").insert(name.to_owned(), ty);
    }

    /// The first value gives the type of a variable that is declared without one: `let x; … x = 1.0;`.
    pub fn assigned(&mut self, a: &syn::ExprAssign) {
        let Expr::Path(p) = &*a.left else { return };
        let Some(name) = p.path.get_ident().map(ToString::to_string) else { return };
        if let Some(None) = self.scopes.iter().rev().find_map(|scope| scope.get(&name)) {
            let ty = self.of(&a.right);
            if let Some(known) = self.scopes.iter_mut().rev().find_map(|scope| scope.get_mut(&name)) {
                *known = ty;
            }
        }
    }

    /// Binds what a pattern binds.
    pub fn bind(&mut self, pat: &Pat, ty: Option<Ty>) {
        match (pat, ty) {
            (Pat::Ident(p), ty) => {
                if let Some((_, inner)) = &p.subpat {
                    self.bind(inner, ty.clone());
                }
                self.insert(&p.ident.to_string(), ty);
            }
            (Pat::Type(t), ty) => {
                let written = Ty::of(&t.ty, self.this.as_deref());
                self.bind(&t.pat, written.or(ty));
            }
            (Pat::Reference(r), ty) => self.bind(&r.pat, ty),
            (Pat::Guard(g), ty) => self.bind(&g.pat, ty),
            (Pat::Paren(p), ty) => self.bind(&p.pat, ty),
            (Pat::Tuple(t), Some(Ty::Tuple(types))) if types.len() == t.elems.len() => {
                t.elems.iter().zip(types).for_each(|(pat, ty)| self.bind(pat, ty));
            }
            (Pat::Slice(s), Some(Ty::Array(of) | Ty::Fixed(of))) => {
                s.elems.iter().for_each(|pat| {
                    let rest = matches!(pat, Pat::Ident(p) if p.subpat.is_some());
                    self.bind(pat, (!rest).then(|| (*of).clone()));
                });
            }
            (Pat::TupleStruct(t), Some(Ty::Array(of) | Ty::Option(of)))
                if (t.path.is_ident("Some") || t.path.is_ident("Ok")) && t.elems.len() == 1 =>
            {
                self.bind(&t.elems[0], Some(*of));
            }
            (Pat::Struct(s), Some(Ty::Named(name))) => {
                for field in &s.fields {
                    let ty = self.field(&name, &field.member);
                    self.bind(&field.pat, ty);
                }
            }
            (Pat::TupleStruct(t), Some(Ty::Named(name)))
                if t.path.segments.last().is_some_and(|s| s.ident == name || s.ident == "Self") =>
            {
                let rest = t.elems.iter().position(|pat| matches!(pat, Pat::Rest(_)));
                for (k, pat) in t.elems.iter().enumerate() {
                    // (Fields after a `..` are not looked up.)
                    let known = rest.is_none_or(|rest| k < rest);
                    let member = Member::Unnamed(syn::Index::from(k));
                    let ty = known.then(|| self.field(&name, &member)).flatten();
                    self.bind(pat, ty);
                }
            }
            (pat, _) => {
                // A binding hides what had the name before, whatever its type.
                bound(pat).iter().for_each(|name| self.insert(name, None));
            }
        }
    }

    /// Binds the parameters of a closure argument; `folded`: what the first one of two is.
    pub fn bind_closure(&mut self, c: &syn::ExprClosure, of: Option<Ty>, folded: Option<Ty>) {
        let first = c.inputs.len() - usize::from(!c.inputs.is_empty());
        for (k, pat) in c.inputs.iter().enumerate() {
            let ty = if k == first { of.clone() } else { folded.clone() };
            self.bind(pat, ty);
        }
    }

    fn field(&self, of: &str, member: &Member) -> Option<Ty> {
        let fields = match self.values.find(of) {
            Some(value) => &value.fields,
            None => &self.values.others.get(of)?.0,
        };
        let field = fields.iter().enumerate().find(|(i, field)| match member {
            Member::Named(name) => field.ident.as_ref() == Some(name),
            Member::Unnamed(index) => index.index as usize == *i,
        })?;
        Ty::of(&field.1.ty, Some(of))
    }

    fn named(&self, path: &syn::Path) -> Option<String> {
        let name = path.segments.first()?.ident.to_string();
        let name = if name == "Self" { self.this.clone()? } else { name };
        self.values.find(&name).map(|value| value.name.clone())
    }

    pub fn of(&self, e: &Expr) -> Option<Ty> {
        let e = strip(e);
        match e {
            Expr::Reference(r) => self.of(&r.expr),
            Expr::Cast(c) => Ty::of(&c.ty, self.this.as_deref()),
            Expr::Unary(u) => match (&u.op, self.of(&u.expr)?) {
                (UnOp::Neg(_), Ty::Named(name)) => {
                    self.operator(&name, "Neg", None).or(Some(Ty::Named(name)))
                }
                (UnOp::Not(_), Ty::Named(name)) => {
                    self.operator(&name, "Not", None).or(Some(Ty::Named(name)))
                }
                (_, ty) => Some(ty),
            },
            Expr::Path(p) if p.qself.is_none() => self.of_path(&p.path),
            Expr::Field(f) => match (self.of(&f.base)?, &f.member) {
                (Ty::Named(name), member) => self.field(&name, member),
                (Ty::Tuple(types), Member::Unnamed(n)) => types.get(n.index as usize)?.clone(),
                _ => None,
            },
            Expr::Index(x) => {
                let of = self.of(&x.expr)?;
                match (of, &*x.index) {
                    (of @ (Ty::Array(_) | Ty::Fixed(_)), Expr::Range(_)) => Some(of.iterated()),
                    (Ty::Array(of) | Ty::Fixed(of), _) => Some(*of),
                    (Ty::Named(name), _) => self.values.find(&name)?.output.clone(),
                    _ => None,
                }
            }
            Expr::Struct(s) => match s.path.segments.len() {
                1 => self.named(&s.path).map(Ty::Named),
                _ => None,
            },
            Expr::Array(a) => {
                let of = a.elems.iter().find_map(|e| self.of(e));
                Some(Ty::Fixed(Box::new(of.unwrap_or_else(unknown))))
            }
            Expr::Repeat(r) => Some(Ty::Fixed(Box::new(self.of(&r.expr).unwrap_or_else(unknown)))),
            Expr::Tuple(t) => Some(Ty::Tuple(t.elems.iter().map(|e| self.of(e)).collect())),
            Expr::Call(c) => match &*c.func {
                Expr::Path(p) if p.qself.is_none() => match p.path.segments.len() {
                    1 if is_variant(&p.path, "Some") => Some(Ty::Option(Box::new(self.of(c.args.first()?)?))),
                    1 => {
                        let name = p.path.segments[0].ident.to_string();
                        let made = self.named(&p.path).map(Ty::Named);
                        made.or_else(|| {
                            self.values.functions.get(&name).filter(|_| !self.is_bound(&name, false)).cloned()
                        })
                    }
                    _ => self.of_path(&p.path),
                },
                // A body in the place of a call.
                of => match strip(of) {
                    Expr::Closure(of) => match &of.output {
                        ReturnType::Type(_, ty) => Ty::of(ty, self.this.as_deref()),
                        ReturnType::Default => None,
                    },
                    _ => None,
                },
            },
            Expr::MethodCall(m) => self.of_method(m),
            Expr::Range(r) => {
                // (Numbers of some type: what is found in them is an option.)
                let number = r.start.as_ref().and_then(|e| self.of(e));
                Some(Ty::Array(Box::new(number.unwrap_or_else(unknown))))
            }
            Expr::Binary(b) => self.of_binary(b),
            Expr::If(i) => {
                let then = || of_tail(&i.then_branch).and_then(|e| self.of(e));
                then().or_else(|| self.of(&i.else_branch.as_ref()?.1))
            }
            Expr::Block(b) if of_tail(&b.block).is_some() => self.of(of_tail(&b.block)?),
            // A body that stands in the place of a call, with its closures before it.
            Expr::Block(b) => match b.block.stmts.last()? {
                syn::Stmt::Expr(e @ Expr::Call(c), None) if matches!(strip(&c.func), Expr::Closure(_)) => {
                    self.of(e)
                }
                _ => None,
            },
            Expr::Try(t) => self.of(&t.expr)?.element(),
            Expr::Match(m) => m.arms.iter().find_map(|arm| self.of(&arm.body)),
            _ => None,
        }
    }

    /// Whether a name is a variable's. `within`: of those that have been bound since the start.
    pub fn is_bound(&self, name: &str, within: bool) -> bool {
        self.scopes.iter().skip(usize::from(within)).any(|scope| scope.contains_key(name))
    }

    fn of_path(&self, path: &syn::Path) -> Option<Ty> {
        match path.segments.len() {
            1 => {
                let name = path.segments[0].ident.to_string();
                match self.scopes.iter().rev().find_map(|scope| scope.get(&name)) {
                    Some(ty) => ty.clone(),
                    None => self.values.consts.get(&name).cloned(),
                }
            }
            2 => {
                let member = path.segments[1].ident.to_string();
                match self.named(path) {
                    Some(of) => match self.values.find(&of)?.results.get(&member) {
                        Some(ty) => Some(ty.clone()),
                        // (`Default` may be derived.)
                        None if member == "default" || self.values.has_variant(&of, &member) => {
                            Some(Ty::Named(of))
                        }
                        None => None,
                    },
                    None => {
                        let of = path.segments[0].ident.to_string();
                        if self.parameters.contains(&of) {
                            return self.values.of_traits.get(&member)?.clone();
                        }
                        let of = if of == "Self" { self.this.clone()? } else { of };
                        self.values.others.get(&of)?.1.get(&member).cloned()
                    }
                }
            }
            _ => None,
        }
    }

    fn of_method(&self, m: &syn::ExprMethodCall) -> Option<Ty> {
        let name = m.method.to_string();
        let of = self.of(&m.receiver);
        if let Some(Ty::Named(of)) = &of
            && let Some(value) = self.values.find(of)
        {
            if let Some(ty) = value.results.get(&name) {
                return Some(ty.clone());
            }
            let operator = value.operators.iter().find(|(t, _, _)| t.to_lowercase() == name);
            if let Some((_, _, output)) = operator {
                return Some(output.clone());
            }
        }
        if let Some(Ty::Named(of)) = &of
            && let Some(ty) = self.values.others.get(of).and_then(|(_, results)| results.get(&name))
        {
            return Some(ty.clone());
        }
        // (The module's traits decide by the method's name. Bounds are not read.)
        if let Some(Ty::Named(of)) = &of
            && self.parameters.contains(of)
            && let Some(ty) = self.values.of_traits.get(&name)
        {
            return ty.clone();
        }
        match (&*name, of) {
            ("clone" | "to_owned" | "abs" | "min" | "max" | "by_ref", of) => of,
            _ => self.of_iterator(m),
        }
    }

    /// Whether a value is an iterator of a device type (`impl Iterator for Bits`).
    pub fn is_own_iterator(&self, e: &Expr) -> bool {
        matches!(self.of(e), Some(Ty::Named(name)) if self.values.iterators.contains_key(&name))
    }

    /// The same of what a closure gives.
    pub fn gives_own_iterator(&self, c: &syn::ExprClosure, of: Option<Ty>) -> bool {
        matches!(self.given(&Expr::Closure(c.clone()), &[of]), Some(Ty::Named(name)) if self.values.iterators.contains_key(&name))
    }

    /// Whether a method of such a value is a method of its type, or `next`.
    pub fn is_own_method(&self, m: &syn::ExprMethodCall) -> bool {
        let own = |value: &super::Value| value.results.contains_key(&m.method.to_string());
        m.method == "next"
            || matches!(self.of(&m.receiver), Some(Ty::Named(name)) if self.values.find(&name).is_some_and(own))
    }

    /// What an iterator of a device type gives, as an array.
    fn items(&self, of: Ty) -> Ty {
        match &of {
            Ty::Named(name) => match self.values.iterators.get(name) {
                Some(item) => Ty::Array(Box::new(item.clone().unwrap_or_else(unknown))),
                None => of,
            },
            _ => of,
        }
    }

    /// The type of the items of an iteration over a value. (The elements of a fixed array's named type are not known here.)
    fn iterated(&self, of: Ty) -> Option<Ty> {
        match of {
            Ty::Named(name) if self.values.fixed.contains(&name) => None,
            of => Some(of.iterated()),
        }
    }

    /// The type of the items of a method of arrays or iterators.
    fn of_iterator(&self, m: &syn::ExprMethodCall) -> Option<Ty> {
        let of = self.of(&m.receiver).map(|of| self.items(of));
        match &*m.method.to_string() {
            "iter" | "iter_mut" | "into_iter" | "copied" | "cloned" | "rev" | "skip" | "take" | "step_by"
            | "cycle" | "filter" | "take_while" | "skip_while" | "inspect" | "to_vec" | "as_slice"
            | "next" | "last" | "first" | "get" | "find" | "chain" | "max_by" | "min_by" | "max_by_key"
            | "min_by_key" | "reduce" | "as_ref" | "as_mut" | "as_deref" | "ok" | "ok_or" | "ok_or_else"
            | "map_err" | "peekable" | "fuse" | "by_ref" => of.and_then(|of| self.iterated(of)),
            "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else" => of?.element(),
            "fold" => self.of(m.args.first()?),
            "map" => {
                let of = of?;
                // (Of which type the items are may be unknown; that they are an iterator's is not.)
                let given = self.given(m.args.first()?, &[Some(of.clone().element()?)]);
                let given = Box::new(given.unwrap_or_else(unknown));
                match of {
                    Ty::Array(_) => Some(Ty::Array(given)),
                    Ty::Fixed(_) => Some(Ty::Fixed(given)),
                    Ty::Option(_) => Some(Ty::Option(given)),
                    Ty::Named(_) | Ty::Tuple(_) => None,
                }
            }
            "filter_map" | "map_while" => {
                self.given(m.args.first()?, &[of?.element()])?.element().map(|of| Ty::Array(Box::new(of)))
            }
            "scan" => {
                let state = self.of(m.args.first()?);
                self.given(m.args.get(1)?, &[state, of?.element()])?
                    .element()
                    .map(|of| Ty::Array(Box::new(of)))
            }
            "enumerate" => {
                let index = Ty::Named("usize".into());
                Some(Ty::Array(Box::new(Ty::Tuple(vec![Some(index), of.and_then(Ty::element)]))))
            }
            "zip" => {
                let other = m.args.first().and_then(|e| self.of(e)).and_then(Ty::element);
                Some(Ty::Array(Box::new(Ty::Tuple(vec![of.and_then(Ty::element), other]))))
            }
            "chunks" | "chunks_mut" | "chunks_exact" | "chunks_exact_mut" | "windows" => {
                Some(Ty::Array(Box::new(self.iterated(of?)?)))
            }
            _ => None,
        }
    }

    /// What a closure or a function gives for arguments of these types.
    fn given(&self, f: &Expr, args: &[Option<Ty>]) -> Option<Ty> {
        match f {
            Expr::Closure(c) => {
                if let ReturnType::Type(_, ty) = &c.output {
                    return Ty::of(ty, self.this.as_deref());
                }
                let mut inside = self.clone();
                inside.enter();
                for (pat, ty) in c.inputs.iter().zip(args) {
                    inside.bind(pat, ty.clone());
                }
                let Expr::Block(b) = strip(&c.body) else { return inside.of(&c.body) };
                let [before @ .., syn::Stmt::Expr(last, None)] = &b.block.stmts[..] else { return None };
                for s in before {
                    if let syn::Stmt::Local(l) = s {
                        let ty = l.init.as_ref().and_then(|init| inside.of(&init.expr));
                        inside.bind(&l.pat, ty);
                    }
                }
                inside.of(last)
            }
            Expr::Path(p) if p.path.is_ident("Some") => {
                args.first()?.clone().map(|of| Ty::Option(Box::new(of)))
            }
            Expr::Path(p) => match p.path.get_ident() {
                Some(name) => {
                    let name = name.to_string();
                    self.values.functions.get(&name).filter(|_| !self.is_bound(&name, false)).cloned()
                }
                None => self.of_path(&p.path),
            },
            _ => None,
        }
    }

    /// Whether an iterator gives `Option`s, and if so, whether it gives them by value.
    pub fn gives_options(&self, e: &Expr) -> Option<bool> {
        let Some(Ty::Array(of) | Ty::Fixed(of)) = self.of(e) else { return None };
        let optional = match *of {
            Ty::Option(_) => true,
            Ty::Named(name) => self.values.optional.contains(&name),
            _ => false,
        };
        optional.then(|| self.gives_values(e))
    }

    fn gives_values(&self, e: &Expr) -> bool {
        match strip(e) {
            Expr::Array(_) => true,
            Expr::MethodCall(m) => match m.method.to_string().as_str() {
                "copied" | "cloned" => true,
                // (What a closure borrows is a part of its item.)
                "map" | "filter_map" | "map_while" | "scan" => {
                    !matches!(m.args.last(), Some(Expr::Closure(c)) if matches!(strip(&c.body), Expr::Reference(_)))
                }
                "into_iter" => {
                    matches!(
                        behind_references(&m.receiver),
                        Expr::Array(_)
                            | Expr::Path(_)
                            | Expr::Field(_)
                            | Expr::Index(_)
                            | Expr::Call(_)
                            | Expr::MethodCall(_)
                    ) && self.is_fixed(&m.receiver)
                }
                "iter" | "iter_mut" => false,
                _ => self.gives_values(&m.receiver),
            },
            _ => false,
        }
    }

    /// Whether a value is an array of a fixed length.
    pub fn is_fixed(&self, e: &Expr) -> bool {
        match self.of(e) {
            Some(Ty::Fixed(_)) => true,
            Some(Ty::Named(name)) => self.values.fixed.contains(&name),
            _ => false,
        }
    }

    /// The parameter of a closure argument.
    pub fn of_parameter(&self, m: &syn::ExprMethodCall) -> Option<Ty> {
        self.items(self.of(&m.receiver)?).element()
    }

    /// The type of the items that a loop's pattern binds.
    pub fn of_item(&self, e: &Expr) -> Option<Ty> {
        self.items(self.of(e)?).element()
    }

    fn of_binary(&self, b: &syn::ExprBinary) -> Option<Ty> {
        let symbol = b.op.to_token_stream().to_string();
        let (_, name, _) = BINARY.iter().find(|(of, _, _)| *of == symbol)?;
        let (left, right) = (self.of(&b.left), self.of(&b.right));
        let known = |ty: &Option<Ty>| match ty {
            Some(Ty::Named(name)) => self.values.find(name).map(|_| name.clone()),
            _ => None,
        };
        match (known(&left), known(&right)) {
            (Some(of), _) => self.operator(&of, name, right.as_ref()),
            (None, Some(of)) => self.operator(&of, name, left.as_ref()),
            (None, None) => left,
        }
    }

    /// The type of an operator's result: of the only operator of its name, or of the one with the other operand.
    fn operator(&self, of: &str, name: &str, other: Option<&Ty>) -> Option<Ty> {
        let all: Vec<_> = self.values.find(of)?.operators.iter().filter(|(t, _, _)| t == name).collect();
        let exact = all.iter().find(|(_, rhs, _)| other.is_some() && rhs.as_ref() == other);
        let (_, _, output) = exact.or(all.first().filter(|_| all.iter().all(|o| o.2 == all[0].2)))?;
        Some(output.clone())
    }
}

fn of_tail(block: &Block) -> Option<&Expr> {
    // (Names that inlined bodies bind are none of the value's.)
    let hidden = |s: &syn::Stmt| {
        matches!(s, syn::Stmt::Local(l)
            if crate::iterate::pattern_names(&l.pat).iter().all(|name| name.to_string().starts_with("__")))
    };
    match &block.stmts[..] {
        [before @ .., syn::Stmt::Expr(e, None)] if before.iter().all(hidden) => Some(e),
        _ => None,
    }
}

/// The types of what a function binds once.
pub(in crate::expand::methods) fn of_function(
    values: &Values,
    this: Option<&str>,
    sig: &Signature,
    body: &Block,
) -> HashMap<String, Ty> {
    struct Collect<'v> {
        types: Types<'v>,
        bound: HashMap<String, usize>,
    }
    impl<'ast> Visit<'ast> for Collect<'_> {
        fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
            let name = p.ident.to_string();
            let count = self.bound.entry(name.clone()).or_default();
            *count += 1;
            if *count > 1 {
                self.types.insert(&name, None);
            }
            visit::visit_pat_ident(self, p);
        }
        fn visit_local(&mut self, l: &'ast syn::Local) {
            let ty = l.init.as_ref().and_then(|init| self.types.of(&init.expr));
            visit::visit_local(self, l);
            self.bind(&l.pat, ty);
        }
        fn visit_expr_assign(&mut self, a: &'ast syn::ExprAssign) {
            let again = matches!(&*a.left, Expr::Path(p) if p.path.get_ident().is_some_and(|name| self.bound.get(&name.to_string()).is_some_and(|n| *n > 1)));
            if !again {
                self.types.assigned(a);
            }
            visit::visit_expr_assign(self, a);
        }
        fn visit_expr_for_loop(&mut self, f: &'ast syn::ExprForLoop) {
            let ty = self.types.of_item(&f.expr);
            self.visit_expr(&f.expr);
            self.visit_pat(&f.pat);
            self.bind(&f.pat, ty);
            self.visit_block(&f.body);
        }
        fn visit_item(&mut self, _: &'ast Item) {}
    }
    impl Collect<'_> {
        /// There are no scopes here: a name that is bound twice has no known type from then on.
        fn bind(&mut self, pat: &Pat, ty: Option<Ty>) {
            self.types.bind(pat, ty);
            let again: Vec<_> =
                self.bound.iter().filter(|(_, n)| **n > 1).map(|(name, _)| name.clone()).collect();
            again.iter().for_each(|name| self.types.insert(name, None));
        }
    }
    let types = Types::of_function(values, this, sig);
    let mut collect = Collect { types, bound: HashMap::new() };
    sig.inputs.iter().for_each(|input| collect.visit_fn_arg(input));
    collect.visit_block(body);
    let Collect { types, bound } = collect;
    let [all] = &types.scopes[..] else { unreachable!("nothing is entered") };
    let once = |name: &String| name == "self" || bound.get(name) == Some(&1);
    all.iter().filter_map(|(name, ty)| Some((name.clone(), ty.clone().filter(|_| once(name))?))).collect()
}
