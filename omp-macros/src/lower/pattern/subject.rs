//! The value that patterns are matched against: evaluated once, before any test. A tuple that is only taken apart is never made: its
//! elements are matched one by one.
use crate::lower::cx::Lower;
use crate::sema::syntax::forms::{strip, strip_mut};
use omp_ir::ids::ExprId;
use omp_ir::template::{Base, Code, Expr, Place, Projection};

/// The value that patterns are matched against.
pub(in crate::lower) enum Subject {
    /// A value that has a name.
    Place(Place),
    /// The elements of a tuple that is never made.
    Elems(Vec<Subject>),
}

impl Subject {
    /// The subject of a value that is the load of a place.
    pub fn of(code: &Code, value: ExprId) -> Self {
        match &code.exprs[value.index()].expr {
            Expr::Load(p) => Self::Place(p.clone()),
            _ => unreachable!("subjects are loads"),
        }
    }
}

impl Lower {
    /// Evaluates the value that patterns are matched against, and queries the types of their literals.
    pub fn subject_of(&mut self, e: &mut syn::Expr, pats: &mut [&mut syn::Pat]) -> Option<Subject> {
        if let syn::Expr::Tuple(t) = strip(e)
            && !t.elems.is_empty()
            && pats.iter().all(|p| splits(p, t.elems.len()))
        {
            let syn::Expr::Tuple(t) = strip_mut(e) else { unreachable!("seen") };
            let mut elems = Vec::new();
            let mut values = Vec::new();
            for (i, elem) in t.elems.iter_mut().enumerate() {
                let mut parts: Vec<&mut syn::Pat> = Vec::new();
                for p in pats.iter_mut() {
                    part(p, i, &mut parts);
                }
                let mark = self.mark();
                let Some(value) = self.subject_value(elem, &mut parts) else {
                    self.unused_before(&values, mark);
                    return None;
                };
                self.settle(&mut values, mark);
                values.push(value);
            }
            for value in values {
                elems.push(self.named(value));
            }
            return Some(Subject::Elems(elems));
        }
        let value = self.subject_value(e, pats)?;
        Some(self.named(value))
    }

    /// As [`Lower::subject_of`] for one pattern.
    pub fn subject(&mut self, e: &mut syn::Expr, pat: &mut syn::Pat) -> Option<Subject> {
        self.subject_of(e, &mut [pat])
    }

    fn subject_value(&mut self, e: &mut syn::Expr, pats: &mut [&mut syn::Pat]) -> Option<ExprId> {
        let value = self.value(e)?;
        self.query_literals(e, pats);
        // Fields have other names in patterns of variants than elsewhere, so these are held against a copy.
        let variants = pats.iter().any(|p| self.has_variant(p));
        Some(if variants { self.temp("subject", value) } else { value })
    }

    /// A value that is evaluated once.
    pub fn named(&mut self, value: ExprId) -> Subject {
        let simple = matches!(&self.code.exprs[value.index()].expr, Expr::Load(p)
            if !matches!(p.base, Base::Array(_)) && !p.projections.iter().any(|p| matches!(p, Projection::Index { .. })));
        let value = if simple && self.is_stable(value) { value } else { self.temp("subject", value) };
        Subject::of(&self.code, value)
    }
}

/// Whether a pattern can be held against the elements of a tuple one by one.
fn splits(p: &syn::Pat, n: usize) -> bool {
    match p {
        syn::Pat::Wild(_) => true,
        syn::Pat::Paren(p) => splits(&p.pat, n),
        syn::Pat::Tuple(t) => t.elems.len() == n && !t.elems.iter().any(|p| matches!(p, syn::Pat::Rest(_))),
        syn::Pat::Or(o) => o.cases.iter().all(|c| splits(c, n)),
        _ => false,
    }
}

/// The parts of a pattern that are held against element `i`.
fn part<'p>(p: &'p mut syn::Pat, i: usize, parts: &mut Vec<&'p mut syn::Pat>) {
    match p {
        syn::Pat::Paren(p) => part(&mut p.pat, i, parts),
        syn::Pat::Tuple(t) => parts.extend(t.elems.iter_mut().nth(i)),
        syn::Pat::Or(o) => o.cases.iter_mut().for_each(|c| part(c, i, parts)),
        _ => {}
    }
}
