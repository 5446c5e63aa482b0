//! `mem::swap` and `mem::replace` of references under names are assignments, so that what follows the names of patterns sees them.
use crate::sema::syntax::forms::is_name;
use crate::sema::syntax::std_names;
use crate::visits;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{Block, Expr, ExprCall};

/// Writes the calls out.
pub(super) fn assigned(block: &mut Block) {
    visits::change(block, |e| {
        if let Expr::Call(c) = &*e
            && let Some(written) = by_reference(c)
        {
            *e = written;
        }
    });
}

/// `mem::swap(a, &mut b)` of a reference `a` as `{ let t = *a; *a = b; b = t; }`, and `mem::replace(a, v)` likewise.
fn by_reference(c: &ExprCall) -> Option<Expr> {
    let Expr::Path(p) = &*c.func else { return None };
    let function = std_names::in_mem(&p.path)?;
    let place = |e: &Expr| match e {
        Expr::Reference(r) if r.mutability.is_some() && is_place(&r.expr) => Some(r.expr.to_token_stream()),
        e if is_name(e) => Some(quote_spanned!(e.span()=> *#e)),
        _ => None,
    };
    let (span, args) = (function.span(), c.args.iter().collect::<Vec<_>>());
    let [kept, new] = ["__kept", "__new"].map(|name| Ident::new(name, Span::mixed_site().located_at(span)));
    match (function.to_string().as_str(), &args[..]) {
        ("swap", [a, b]) if is_name(a) || is_name(b) => {
            let (a, b) = (place(a)?, place(b)?);
            syn::parse2(quote_spanned!(span=> { let #kept = #a; #a = #b; #b = #kept; })).ok()
        }
        ("replace", [a, value]) if is_name(a) => {
            let a = place(a)?;
            syn::parse2(quote_spanned!(span=> { let #new = #value; let #kept = #a; #a = #new; #kept })).ok()
        }
        _ => None,
    }
}

/// A place that may be evaluated twice.
fn is_place(e: &Expr) -> bool {
    match e {
        Expr::Path(p) => p.path.get_ident().is_some(),
        Expr::Field(f) => is_place(&f.base),
        Expr::Index(x) => is_place(&x.expr) && matches!(&*x.index, Expr::Lit(_) | Expr::Path(_)),
        Expr::Unary(u) => matches!(u.op, syn::UnOp::Deref(_)) && is_place(&u.expr),
        _ => false,
    }
}
