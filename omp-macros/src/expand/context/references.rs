//! Variables of a function that are certainly references: `p: &Params`, `let k = &a;`, `let Self { dt, .. } = self;`. A
//! region that uses one as a value captures the value that it refers to.
use crate::parse::primitives::is_primitive;
use crate::parse::tokens::file::SourceFile;
use crate::parse::tokens::source::{first_word, is_word};
use crate::sema::syntax::forms::{is_part, strip};
use crate::sema::syntax::items::Items;
use crate::sema::syntax::names::times_bound;
use crate::visits;
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{
    Block, Expr, ExprForLoop, FnArg, Ident, Local, Member, Pat, PatIdent, ReceiverKind, Signature, Type,
};

/// Their names, which nothing that is no reference bears in the function, and those of them by `&mut`. `self` is among them.
pub(in crate::expand) fn of(sig: &Signature, body: &Block) -> (Vec<String>, Vec<String>) {
    let mut found = References::default();
    for input in &sig.inputs {
        match input {
            FnArg::Receiver(r) => match r.kind {
                ReceiverKind::Reference(_, _, None) => found.refers_to("self".to_owned()),
                ReceiverKind::Reference(_, _, Some(_)) => drop(found.unique.insert("self".to_owned())),
                _ => {}
            },
            FnArg::Typed(arg) => {
                if let (Pat::Ident(p), Type::Reference(r)) = (&*arg.pat, &*arg.ty) {
                    let name = p.ident.to_string();
                    match *r.elem {
                        // Only what it is taken apart into is of interest.
                        _ if r.mutability.is_some() => drop(found.whole.insert(name)),
                        Type::Path(_) => found.refers_to(name),
                        Type::Slice(_) | Type::Array(_) => drop(found.views.insert(name)),
                        _ => {}
                    }
                }
            }
        }
    }
    // The bindings of a region's body are found by the walk over the region.
    let mut outside = body.clone();
    visits::change_into(&mut outside, |e| {
        if let Expr::ForLoop(f) = e
            && super::is_parallel(f)
        {
            *f.pat = syn::parse_quote!(_);
            f.body.stmts.clear();
        }
        true
    });
    found.visit_block(&outside);
    let (References { shared, unique, .. }, names) = (found, times_bound(sig, &outside));
    let unique: Vec<String> = unique.into_iter().filter(|name| names.get(name) == Some(&1)).collect();
    let shared = shared.into_iter().filter(|(name, times)| names.get(name) == Some(times));
    (shared.map(|(name, _)| name).chain(unique.iter().cloned()).collect(), unique)
}

#[derive(Default)]
struct References {
    /// How often each is bound to a `&`.
    shared: HashMap<String, usize>,
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
        match strip(e) {
            Expr::Reference(r) => r.mutability.is_none() && !is_part(&r.expr),
            Expr::Path(p) => {
                p.path.get_ident().is_some_and(|name| self.shared.contains_key(&name.to_string()))
            }
            Expr::Field(f) => matches!(&f.member, Member::Named(name) if holds_reference(name)),
            _ => false,
        }
    }

    /// Whether a value is a `&mut`.
    fn is_unique(&self, e: &Expr) -> bool {
        match strip(e) {
            Expr::Reference(r) => r.mutability.is_some() && !is_part(&r.expr),
            Expr::Path(p) => p.path.get_ident().is_some_and(|name| {
                let name = name.to_string();
                self.unique.contains(&name) || self.whole.contains(&name)
            }),
            _ => false,
        }
    }

    fn refers_to(&mut self, name: String) {
        *self.shared.entry(name).or_default() += 1;
    }

    /// The items of an iterator.
    fn items(&self, e: &Expr) -> Items {
        Items::of(e, &|e| match e {
            Expr::Path(p) if p.path.get_ident().is_some_and(|v| self.views.contains(&v.to_string())) => {
                Items::References
            }
            e if self.refers(e) => Items::References,
            _ => Items::Others,
        })
    }

    /// Records the names that a pattern binds by reference: parts of a value behind a reference, or the reference itself.
    fn bind(&mut self, pat: &Pat) {
        let mut names = Vec::new();
        bound(pat, &mut names);
        names.into_iter().for_each(|name| self.refers_to(name));
    }
}

/// Whether a field of this name is a `&` to a named type, wherever the file declares the name.
fn holds_reference(field: &Ident) -> bool {
    SourceFile::of(field.span()).is_some_and(|file| file.shows(of_references).contains(&field.to_string()))
}

/// The names that a text declares so (`matrix: &'a Csr`), and never as those of something else.
fn of_references(text: &str) -> HashSet<String> {
    let (mut references, mut others) = (HashSet::new(), HashSet::new());
    let fields = text.split("struct ").skip(1).filter_map(|rest| {
        let (head, body) = rest.split_once('{')?;
        (!head.contains([';', '('])).then(|| body.split_once('}').map_or(body, |(body, _)| body))
    });
    for (text, at) in fields.flat_map(|text| text.match_indices(':').map(move |(at, _)| (text, at))) {
        let (before, after) = (text[..at].trim_end(), text[at + 1..].trim_start());
        let start = before.trim_end_matches(is_word).len();
        let name = &before[start..];
        if name.is_empty() || before.ends_with(':') || after.starts_with(':') {
            continue;
        }
        let of = after.strip_prefix('&').map(|of| match of.strip_prefix('\'') {
            Some(lifetime) => lifetime.trim_start_matches(is_word).trim_start(),
            None => of,
        });
        // (A word in lower case is a value, unless it is a primitive type.)
        let word = first_word(of.unwrap_or(after));
        match of {
            Some(of) if of.starts_with(char::is_uppercase) => references.insert(name.to_owned()),
            _ if word.starts_with(char::is_lowercase) && !is_primitive(&word) => false,
            _ => others.insert(name.to_owned()),
        };
    }
    references.retain(|name| !others.contains(name));
    references
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
        Pat::Slice(s) => s.elems.iter().for_each(|p| bound(p, names)),
        Pat::Or(o) => o.cases.iter().for_each(|p| bound(p, names)),
        Pat::TupleStruct(t) => t.elems.iter().for_each(|p| bound(p, names)),
        Pat::Struct(s) => s.fields.iter().for_each(|f| bound(&f.pat, names)),
        _ => {}
    }
}

impl References {
    /// `let pat = value;`
    fn value(&mut self, pat: &Pat, value: &Expr) {
        match (pat, value) {
            (Pat::Tuple(t), Expr::Tuple(values)) if t.elems.len() == values.elems.len() => {
                t.elems.iter().zip(&values.elems).for_each(|(pat, value)| self.value(pat, value));
            }
            (pat, value) if self.refers(value) => self.bind(pat),
            (Pat::Struct(_) | Pat::TupleStruct(_), value) if self.is_unique(value) => {
                let mut names = Vec::new();
                bound(pat, &mut names);
                self.unique.extend(names);
            }
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for References {
    fn visit_local(&mut self, l: &'ast Local) {
        visit::visit_local(self, l);
        if let Some(init) = &l.init {
            self.value(&l.pat, &init.expr);
        }
    }

    fn visit_expr_for_loop(&mut self, f: &'ast ExprForLoop) {
        let items = self.items(&f.expr);
        items.bound_to(&f.pat, &mut |pat, items| {
            if let Items::References = items {
                self.bind(pat);
            }
        });
        visit::visit_expr_for_loop(self, f);
    }

    fn visit_expr_match(&mut self, m: &'ast syn::ExprMatch) {
        if self.refers(&m.expr) {
            m.arms.iter().for_each(|arm| self.bind(&arm.pat));
        }
        visit::visit_expr_match(self, m);
    }

    fn visit_expr_let(&mut self, l: &'ast syn::ExprLet) {
        if self.refers(&l.expr) {
            self.bind(&l.pat);
        }
        visit::visit_expr_let(self, l);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
