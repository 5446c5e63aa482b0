//! Syntactic forms of loops and paths.
use crate::ast::private_name;
use crate::sema::clauses::combine::constant;
use crate::sema::syntax::forms::strip;
use syn::Expr;

/// Whether a `for` over this has at least one iteration, judged by its tokens: a range between two numbers, or an array written out.
pub fn surely_runs(e: &Expr) -> bool {
    match strip(e) {
        Expr::Reference(r) => surely_runs(&r.expr),
        Expr::Array(a) => !a.elems.is_empty(),
        // A step of 0 panics. Of arrays, methods may be the user's: what they have from slices comes after it.
        Expr::MethodCall(m) => {
            matches!(&*m.method.to_string(), "rev" | "step_by" | "enumerate")
                && is_of_range(&m.receiver)
                && surely_runs(&m.receiver)
        }
        Expr::Range(r) => {
            let number = |e: &Option<Box<Expr>>| e.as_deref().and_then(constant);
            match (number(&r.start), number(&r.end), &r.limits) {
                (Some(lo), Some(hi), syn::RangeLimits::HalfOpen(_)) => lo < hi,
                (Some(lo), Some(hi), syn::RangeLimits::Closed(_)) => lo <= hi,
                _ => false,
            }
        }
        _ => false,
    }
}

fn is_of_range(e: &Expr) -> bool {
    match strip(e) {
        Expr::MethodCall(m) => is_of_range(&m.receiver),
        e => matches!(e, Expr::Range(_)),
    }
}

/// The nested array whose elements' length `::omp::__private::inner_len(&z[..])` returns.
pub(super) fn inner_len(c: &syn::ExprCall) -> Option<&Expr> {
    let Expr::Path(p) = &*c.func else { return None };
    private_name(&p.path).filter(|name| *name == "inner_len" || *name == "innermost_len")?;
    match c.args.first()? {
        Expr::Reference(r) => match &*r.expr {
            Expr::Index(x) => Some(&x.expr),
            _ => None,
        },
        _ => None,
    }
}
