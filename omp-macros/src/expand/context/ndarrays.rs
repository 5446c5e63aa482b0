//! Finds the variables of a function that are arrays of the crate `ndarray`, and their numbers of dimensions, from tokens.
//!
//! A region needs to know such an array before rustc infers its type, because the elements have a subscript and a shape of their
//! own. So the type comes from the function's head, from a `let`, or from the function that makes the array. Generated code
//! checks that the type is `ndarray`'s.
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::types::behind_references;
use proc_macro2::{Delimiter, TokenTree};
use syn::{Expr, FnArg, GenericArgument, Local, Pat, PathArguments, PathSegment, Signature, Type};

/// The arrays that a search through a function has come by.
#[derive(Default)]
pub struct Ndarrays(Vec<Known>);

struct Known {
    /// Its position among the names that patterns have bound where the search is; parameters have none.
    at: Option<usize>,
    name: String,
    dims: usize,
}

impl Ndarrays {
    /// Those among the parameters.
    pub fn of(sig: &Signature) -> Self {
        let dims = |input: &FnArg| match input {
            FnArg::Typed(arg) => Some((plain_name(&arg.pat)?, of_type(&arg.ty)?)),
            FnArg::Receiver(_) => None,
        };
        let known = |(name, dims)| Known { at: None, name, dims };
        let inputs = sig.inputs.iter().filter(|_| cfg!(feature = "ndarray"));
        Self(inputs.filter_map(dims).map(known).collect())
    }

    /// Comes by a `let`, before its names are `bound`.
    pub fn visit_local(&mut self, l: &Local, bound: &[String]) {
        let (pat, declared) = match &l.pat {
            Pat::Type(t) => (&*t.pat, Some(of_type(&t.ty))),
            pat => (pat, None),
        };
        let dims = || l.init.as_ref().and_then(|init| self.of_value(&init.expr, bound));
        if let (true, Some(name), Some(dims)) =
            (cfg!(feature = "ndarray"), plain_name(pat), declared.unwrap_or_else(dims))
        {
            self.0.push(Known { at: Some(bound.len()), name, dims });
        }
    }

    /// Leaves a scope in which names were bound from this position on.
    pub fn leave(&mut self, from: usize) {
        self.0.retain(|known| known.at < Some(from));
    }

    /// The dimensions of a variable.
    pub fn dims(&self, name: &str, bound: &[String]) -> Option<usize> {
        let at = bound.iter().rposition(|other| other == name);
        self.0.iter().find(|known| known.at == at && known.name == name).map(|known| known.dims)
    }
}

fn plain_name(pat: &Pat) -> Option<String> {
    match pat {
        Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => Some(p.ident.to_string()),
        _ => None,
    }
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

impl Ndarrays {
    /// The dimensions of a value.
    fn of_value(&self, e: &Expr, bound: &[String]) -> Option<usize> {
        match strip(e) {
            Expr::Reference(r) => self.of_value(&r.expr, bound),
            Expr::Try(t) => self.of_value(&t.expr, bound),
            Expr::Path(p) => self.dims(&p.path.get_ident()?.to_string(), bound),
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
                same.then(|| self.of_value(&m.receiver, bound)).flatten()
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
