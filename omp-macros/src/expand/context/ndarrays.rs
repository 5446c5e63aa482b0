//! Finds the variables of a function that are arrays of the crate `ndarray`, and their numbers of dimensions, from tokens.
//!
//! A region needs to know such an array before rustc infers its type, because the elements have a subscript and a shape of their
//! own. So the type comes from the function's head, from a `let`, or from the function that makes the array. Generated code
//! checks that the type is `ndarray`'s.
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::names::times_bound;
use crate::sema::syntax::types::behind_references;
use proc_macro2::{Delimiter, TokenTree};
use std::collections::HashMap;
use syn::visit::{self, Visit};
use syn::{Block, Expr, FnArg, GenericArgument, Local, Pat, PathArguments, PathSegment, Signature, Type};

/// The variables, with their numbers of dimensions.
pub fn of(sig: &Signature, body: &Block) -> Vec<(String, usize)> {
    if !cfg!(feature = "ndarray") {
        return vec![];
    }
    let mut find = Find::default();
    for input in &sig.inputs {
        if let FnArg::Typed(arg) = input {
            find.is(&arg.pat, of_type(&arg.ty));
        }
    }
    find.visit_block(body);
    let bound = times_bound(sig, body);
    // Each of the names means such an array wherever it stands.
    let all = |(name, dims): (String, Vec<usize>)| {
        let one = dims.iter().all(|n| *n == dims[0]) && bound.get(&name) == Some(&dims.len());
        one.then(|| (name, dims[0]))
    };
    find.known.into_iter().filter_map(all).collect()
}

/// The dimensions of a type, behind references.
pub fn of_type(ty: &Type) -> Option<usize> {
    match behind_references(ty) {
        // `Array2` without parameters is a type of the user's.
        Type::Path(p) if p.qself.is_none() => {
            of_segment(p.path.segments.last().filter(|s| !s.arguments.is_none())?)
        }
        _ => None,
    }
}

/// `Array2`, `ArrayView2<'_, f64>`, `Array<f64, Ix2>`
fn of_segment(segment: &PathSegment) -> Option<usize> {
    const KINDS: [&str; 6] = ["Array", "ArrayView", "ArrayViewMut", "ArcArray", "CowArray", "ArrayBase"];
    let name = segment.ident.to_string();
    let numbered = name.char_indices().last().and_then(|(at, n)| Some((&name[..at], n.to_digit(10)?)));
    match numbered {
        Some((kind, n @ 1..=3)) if KINDS.contains(&kind) => Some(n as usize),
        Some(_) => None,
        None if KINDS.contains(&&*name) => {
            let PathArguments::AngleBracketed(a) = &segment.arguments else { return None };
            match a.args.last()? {
                GenericArgument::Type(Type::Path(p)) => {
                    let dim = p.path.segments.last()?.ident.to_string();
                    match &*dim {
                        "Ix1" => Some(1),
                        "Ix2" => Some(2),
                        "Ix3" => Some(3),
                        _ => None,
                    }
                }
                _ => None,
            }
        }
        None => None,
    }
}

#[derive(Default)]
struct Find {
    known: HashMap<String, Vec<usize>>,
}

impl Find {
    fn is(&mut self, pat: &Pat, dims: Option<usize>) {
        match pat {
            Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                self.known.entry(p.ident.to_string()).or_default().extend(dims);
                self.known.retain(|_, dims| !dims.is_empty());
            }
            Pat::Type(t) => self.is(&t.pat, of_type(&t.ty)),
            _ => {}
        }
    }

    /// The dimensions of a value.
    fn of_value(&self, e: &Expr) -> Option<usize> {
        match strip(e) {
            Expr::Reference(r) => self.of_value(&r.expr),
            Expr::Try(t) => self.of_value(&t.expr),
            Expr::Path(p) => self.known.get(&p.path.get_ident()?.to_string())?.first().copied(),
            // `Array2::zeros(…)`
            Expr::Call(c) => match &*c.func {
                Expr::Path(p) if p.qself.is_none() => {
                    let mut segments = p.path.segments.iter().rev();
                    let (function, of) = (segments.next()?, segments.next());
                    match (&*function.ident.to_string(), of) {
                        ("arr1" | "aview1", _) => Some(1),
                        ("arr2" | "aview2", _) => Some(2),
                        ("arr3", _) => Some(3),
                        ("eye" | "from_diag", _) => Some(2),
                        (_, Some(of)) => of_segment(of),
                        _ => None,
                    }
                }
                _ => None,
            },
            Expr::MethodCall(m) => {
                let same =
                    ["clone", "to_owned", "view", "view_mut", "unwrap", "expect", "as_standard_layout"];
                let same = same.iter().any(|name| m.method == name);
                same.then(|| self.of_value(&m.receiver)).flatten()
            }
            // `array![[1., 2.], [3., 4.]]`
            Expr::Macro(m) if m.mac.path.segments.last()?.ident == "array" => {
                let (mut tokens, mut dims) = (m.mac.tokens.clone(), 1);
                while let Some(TokenTree::Group(g)) = tokens.clone().into_iter().next() {
                    if g.delimiter() != Delimiter::Bracket {
                        break;
                    }
                    (tokens, dims) = (g.stream(), dims + 1);
                }
                (dims <= 3).then_some(dims)
            }
            _ => None,
        }
    }
}

impl<'ast> Visit<'ast> for Find {
    fn visit_local(&mut self, l: &'ast Local) {
        let dims = l.init.as_ref().and_then(|init| self.of_value(&init.expr));
        visit::visit_local(self, l);
        self.is(&l.pat, dims);
    }
    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
