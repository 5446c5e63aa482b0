//! Loops over iterators become counted loops.
//!
//! `for (a, b) in y.iter_mut().zip(x.iter())` becomes `for k in 0..y.len().min(x.len())`, in whose body `y[k]` stands
//! for `*a` and `x[k]` for `*b`. So everything behind (rules, races, bounds, schedules, the host's parallel loop)
//! knows subscripts alone. The serial copy keeps the loop as the user wrote it, and rustc judges that one.
//!
//! * [`chain`] reads what stands after `in`: how many items there are, and which one number `k` is.
//! * [`pattern`] holds the loop's pattern against that item.
//! * [`walk`] puts the items in the place of their names, with Rust's scoping.
mod chain;
mod pattern;
mod tokens;
mod walk;

use crate::diag::Sink;
pub use chain::{Kinds, Whole};
use syn::{Block, Expr, ExprForLoop, Stmt};
pub use tokens::generated;

/// A nest whose loops are counted.
pub struct Nest {
    /// The nest.
    pub counted: ExprForLoop,
    /// What is evaluated once, before the nest: parts of what the outermost loop iterates.
    pub prelude: Vec<Stmt>,
    /// What the outermost loop iterates, with the names of [`Self::prelude`], if it is no range.
    pub iterated: Option<Expr>,
}

/// Rewrites a parallel nest: the first `collapse` loops, and everything inside. `fixed` tells which variables keep
/// their value in the body, `kinds` how those are iterated that stand in a loop alone.
pub fn nest(
    f: &ExprForLoop,
    collapse: u32,
    fixed: &dyn Fn(&str) -> bool,
    kinds: Kinds<'_>,
    sink: &mut Sink,
) -> Nest {
    let mut counted = f.clone();
    let (prelude, iterated) = walk::Walk::new(fixed, kinds, sink).parallel(&mut counted, collapse);
    Nest { counted, prelude, iterated }
}

/// Rewrites the loops of a device function.
pub fn block(body: &mut Block, kinds: Kinds<'_>, sink: &mut Sink) {
    walk::Walk::new(&|_| false, kinds, sink).function(body);
}

/// How a variable of this type is iterated.
pub fn of_type(ty: &syn::Type) -> Option<Whole> {
    use syn::Type;
    let array = |ty: &Type| match ty {
        Type::Slice(_) | Type::Array(_) => true,
        Type::Path(p) => p.path.segments.last().is_some_and(|s| s.ident == "Vec"),
        _ => false,
    };
    match ty {
        Type::Paren(p) => of_type(&p.elem),
        Type::Group(g) => of_type(&g.elem),
        Type::Array(_) => Some(Whole::Owned),
        Type::Reference(r) if array(&r.elem) => {
            Some(if r.mutability.is_some() { Whole::Exclusive } else { Whole::Shared })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
