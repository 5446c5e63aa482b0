//! The owners of private fields.
//!
//! A field may be read under another name: through a reference or a guard, or by code that runs when its owner is
//! dropped. A type that is `Copy` allows neither (a `&T` is `Copy`, but nothing is assigned through it), so generated
//! code requires that the owner's type is `Copy`. The exception is a reference parameter: it is the only name until the
//! end of the function, and its reads are looked for.
use super::host_paths::first;
use crate::parse::std_macros::stays;
use crate::sema::syntax::names::bound;
use crate::sema::syntax::types::behind_parens;
use syn::visit::Visit;
use syn::{Block, FnArg, Macro, Pat, ReceiverKind, Signature, Type};

/// Whether a name is that of a parameter that is a reference, and of nothing else.
pub(super) fn is_lent(name: &str, sig: &Signature, body: &Block) -> bool {
    let lent = |input: &FnArg| match input {
        FnArg::Receiver(r) => {
            name == "self"
                && r.mutability.is_none()
                && match &r.kind {
                    ReceiverKind::Reference(..) => true,
                    ReceiverKind::Typed(_, ty) => is_reference(ty),
                    _ => false,
                }
        }
        FnArg::Typed(t) => match &*t.pat {
            Pat::Ident(p) => {
                p.ident == name && p.mutability.is_none() && p.by_ref.is_none() && is_reference(&t.ty)
            }
            _ => false,
        },
    };
    let mut find = Find { name, found: false };
    find.visit_block(body);
    sig.inputs.iter().any(lent) && !find.found
}

fn is_reference(ty: &Type) -> bool {
    matches!(behind_parens(ty), Type::Reference(_))
}

/// Whether anything in the body may give the name to something else.
struct Find<'n> {
    name: &'n str,
    found: bool,
}

impl<'ast> Visit<'ast> for Find<'_> {
    fn visit_pat(&mut self, pat: &'ast Pat) {
        self.found |= bound(pat).iter().any(|name| name == self.name);
    }

    /// `name!(t)` may declare a `t`.
    fn visit_macro(&mut self, m: &'ast Macro) {
        self.found |= !stays(m) && self.name != "self" && first(&m.tokens, self.name).is_some();
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
