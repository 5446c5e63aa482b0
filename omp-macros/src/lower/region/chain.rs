//! Captured places: chains of fields on a name.
use crate::sema::syntax::forms::strip;
use omp_ir::template::{Base, Place, Projection};
use proc_macro2::Ident;
use quote::ToTokens;

/// The base of a captured chain.
pub(in crate::lower) struct Chain {
    pub root: Ident,
    pub members: Vec<syn::Member>,
    /// The root is dereferenced: `*x`.
    pub deref: bool,
}

impl Chain {
    /// The key of the first `n` members.
    pub(in crate::lower) fn key(&self, n: usize) -> String {
        let mut key = self.root.to_string();
        for m in &self.members[..n] {
            key.push('.');
            key.push_str(&m.to_token_stream().to_string());
        }
        key
    }
}

/// `x`, `self.a.b`, `(*x).a`: the chain, if the expression is one.
pub(in crate::lower) fn chain(e: &syn::Expr) -> Option<Chain> {
    match strip(e) {
        syn::Expr::Path(p) if p.qself.is_none() => {
            Some(Chain { root: p.path.get_ident()?.clone(), members: Vec::new(), deref: false })
        }
        syn::Expr::Field(f) => {
            let mut c = chain(&f.base)?;
            c.members.push(f.member.clone());
            Some(c)
        }
        syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => {
            let mut c = chain(&u.expr)?;
            c.deref |= c.members.is_empty();
            Some(c)
        }
        _ => None,
    }
}

/// A base and fields.
pub(super) fn with_fields(base: Base, members: &[syn::Member]) -> Place {
    let projections =
        members.iter().map(|m| Projection::Field(crate::lower::expr::place::field_name(m))).collect();
    Place { base, projections }
}
