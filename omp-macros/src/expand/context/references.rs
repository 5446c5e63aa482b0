//! Variables of a function that are certainly references: `p: &Params`, `let k = &a;`, `let Self { dt, .. } = self;`. A
//! region that uses one as a value captures the value that it refers to.
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprForLoop, FnArg, Local, Pat, PatIdent, ReceiverKind, Signature, Type};

/// Their names, which nothing else in the function bears, and those of them by `&mut`. `self` is among them.
pub(in crate::expand) fn of(sig: &Signature, body: &Block) -> (Vec<String>, Vec<String>) {
    let mut found = References::default();
    for input in &sig.inputs {
        match input {
            FnArg::Receiver(r) => {
                found.names.insert("self".to_owned(), 1);
                match r.kind {
                    ReceiverKind::Reference(_, _, None) => drop(found.shared.insert("self".to_owned())),
                    ReceiverKind::Reference(_, _, Some(_)) => drop(found.unique.insert("self".to_owned())),
                    _ => {}
                }
            }
            FnArg::Typed(arg) => {
                found.visit_pat(&arg.pat);
                if let (Pat::Ident(p), Type::Reference(r)) = (&*arg.pat, &*arg.ty) {
                    let name = p.ident.to_string();
                    match *r.elem {
                        // Only what it is taken apart into is of interest.
                        _ if r.mutability.is_some() => drop(found.whole.insert(name)),
                        Type::Path(_) => drop(found.shared.insert(name)),
                        Type::Slice(_) | Type::Array(_) => drop(found.views.insert(name)),
                        _ => {}
                    }
                }
            }
        }
    }
    found.visit_block(body);
    let References { names, shared, unique, .. } = found;
    let once = |name: &String| names.get(name) == Some(&1);
    let unique: Vec<String> = unique.into_iter().filter(once).collect();
    (shared.into_iter().filter(once).chain(unique.iter().cloned()).collect(), unique)
}

#[derive(Default)]
struct References {
    /// How often each is bound.
    names: HashMap<String, usize>,
    shared: HashSet<String>,
    /// `&mut`.
    unique: HashSet<String>,
    /// `&mut` parameters.
    whole: HashSet<String>,
    /// `&[T]`, which is iterated by reference.
    views: HashSet<String>,
}

impl References {
    /// Whether a value is a shared reference.
    fn refers(&self, e: &Expr) -> bool {
        match e {
            Expr::Reference(r) => r.mutability.is_none() && !is_slice(&r.expr),
            Expr::Path(p) => p.path.get_ident().is_some_and(|name| self.shared.contains(&name.to_string())),
            Expr::Paren(p) => self.refers(&p.expr),
            Expr::Group(g) => self.refers(&g.expr),
            _ => false,
        }
    }

    /// Whether a value is a `&mut`.
    fn is_unique(&self, e: &Expr) -> bool {
        match e {
            Expr::Reference(r) => r.mutability.is_some() && !is_slice(&r.expr),
            Expr::Path(p) => p.path.get_ident().is_some_and(|name| {
                let name = name.to_string();
                self.unique.contains(&name) || self.whole.contains(&name)
            }),
            Expr::Paren(p) => self.is_unique(&p.expr),
            Expr::Group(g) => self.is_unique(&g.expr),
            _ => false,
        }
    }

    /// What a pattern binds by reference, as it takes apart what a reference refers to, or names one.
    fn bind(&mut self, pat: &Pat) {
        let mut names = Vec::new();
        bound(pat, &mut names);
        self.shared.extend(names);
    }
}

/// The names that a pattern binds as they come.
fn bound(pat: &Pat, names: &mut Vec<String>) {
    match pat {
        Pat::Ident(PatIdent { by_ref: None, subpat: None, mutability: None, ident, .. }) => {
            names.push(ident.to_string());
        }
        Pat::Type(t) => bound(&t.pat, names),
        Pat::Paren(p) => bound(&p.pat, names),
        Pat::Tuple(t) => t.elems.iter().for_each(|p| bound(p, names)),
        Pat::TupleStruct(t) => t.elems.iter().for_each(|p| bound(p, names)),
        Pat::Struct(s) => s.fields.iter().for_each(|f| bound(&f.pat, names)),
        _ => {}
    }
}

/// `x[a..b]`
fn is_slice(e: &Expr) -> bool {
    matches!(e, Expr::Index(x) if matches!(&*x.index, Expr::Range(_)))
}

impl<'ast> Visit<'ast> for References {
    fn visit_pat_ident(&mut self, p: &'ast PatIdent) {
        *self.names.entry(p.ident.to_string()).or_default() += 1;
        visit::visit_pat_ident(self, p);
    }

    fn visit_local(&mut self, l: &'ast Local) {
        visit::visit_local(self, l);
        match (&l.pat, l.init.as_ref().map(|init| &*init.expr)) {
            (Pat::Tuple(t), Some(Expr::Tuple(values))) if t.elems.len() == values.elems.len() => {
                for (pat, value) in t.elems.iter().zip(&values.elems) {
                    if self.refers(value) {
                        self.bind(pat);
                    }
                }
            }
            (pat, Some(value)) if self.refers(value) => self.bind(pat),
            (pat @ (Pat::Struct(_) | Pat::TupleStruct(_)), Some(value)) if self.is_unique(value) => {
                let mut names = Vec::new();
                bound(pat, &mut names);
                self.unique.extend(names);
            }
            _ => {}
        }
    }

    fn visit_expr_for_loop(&mut self, f: &'ast ExprForLoop) {
        let by_reference = match &*f.expr {
            Expr::MethodCall(m) => m.method == "iter" && m.args.is_empty(),
            Expr::Path(p) if p.path.get_ident().is_some_and(|v| self.views.contains(&v.to_string())) => true,
            e => self.refers(e),
        };
        match (&*f.pat, &*f.expr) {
            (pat, _) if by_reference => self.bind(pat),
            (Pat::Tuple(t), Expr::MethodCall(m)) if m.method == "enumerate" && t.elems.len() == 2 => {
                if matches!(&*m.receiver, Expr::MethodCall(m) if m.method == "iter" && m.args.is_empty()) {
                    self.bind(&t.elems[1]);
                }
            }
            _ => {}
        }
        visit::visit_expr_for_loop(self, f);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
