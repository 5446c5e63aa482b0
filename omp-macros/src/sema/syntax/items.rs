//! The items of iterators, judged by tokens.
use super::forms::strip;
use syn::{Expr, ExprMethodCall, Pat};

/// Methods of slices that give iterators: no number has them, and they are no device functions.
pub const GIVE_ITERATORS: [&str; 6] = ["iter", "iter_mut", "into_iter", "chunks", "chunks_exact", "windows"];

/// Whether a method is an adaptor that passes on the items of its iterator, or some of them, as they are.
pub fn passes_on(m: &ExprMethodCall) -> bool {
    match m.args.len() {
        0 => ["rev", "cycle", "fuse"].iter().any(|name| m.method == name),
        1 => ["filter", "step_by", "skip", "take", "skip_while", "take_while", "inspect"]
            .iter()
            .any(|name| m.method == name),
        _ => false,
    }
}

/// Which of the items are references.
pub enum Items {
    References,
    Pairs(Box<[Items; 2]>),
    /// Anything else.
    Others,
}

impl Items {
    /// Those of an expression. `source`: the items of what no adaptor gives.
    pub fn of(e: &Expr, source: &dyn Fn(&Expr) -> Self) -> Self {
        let Expr::MethodCall(m) = strip(e) else { return source(strip(e)) };
        let own = || Self::of(&m.receiver, source);
        match (m.method.to_string().as_str(), m.args.first()) {
            ("iter", None) => Self::References,
            ("enumerate", None) => Self::Pairs(Box::new([Self::Others, own()])),
            ("zip", Some(other)) => Self::Pairs(Box::new([own(), Self::of(other, source)])),
            _ if passes_on(m) => own(),
            _ => Self::Others,
        }
    }

    /// The parts of a pattern, with the items that they are bound to.
    pub fn bound_to(&self, pat: &Pat, each: &mut dyn FnMut(&Pat, &Self)) {
        match (pat, self) {
            (Pat::Tuple(t), Self::Pairs(of)) if t.elems.len() == 2 => {
                t.elems.iter().zip(of.iter()).for_each(|(pat, items)| items.bound_to(pat, each));
            }
            (pat, items) => each(pat, items),
        }
    }
}
