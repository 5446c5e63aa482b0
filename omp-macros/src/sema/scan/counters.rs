//! Counters without a clause: `if c { kept[n] = v; n += 1; }` in a loop under `target` is a scan over `n`.
//!
//! A counter is a captured variable that occurs in a subscript of a store, and that every assignment in the body
//! increments by a literal, wherever it stores. A scan numbers the stored elements as the serial loop does, so the meaning of the program does not
//! change. If the loop can't be made a scan, it is left unchanged, and the rules of shared scalars apply.
use super::{split, uncounted};
use crate::ast::{ClauseOp, Clauses, DirectiveKind, Item, ReductionClause};
use crate::sema::CheckedRegion;
use crate::sema::reduction::updates;
use crate::sema::syntax::names::bound_in;
use crate::sema::syntax::place;
use omp_ir::template::ReduceOp;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Attribute, BinOp, Expr};

/// The clause that names the counters of a region, if it has some.
pub(super) fn clause(region: &CheckedRegion) -> Option<ReductionClause> {
    let clauses = &region.directive.clauses;
    if !matches!(region.directive.kind, DirectiveKind::Target)
        || region.loops.len() != 1
        || clauses.collapse.is_some()
        || !clauses.scans.is_empty()
        || clauses.reductions.iter().any(|r| r.inscan || r.reproducible)
    {
        return None;
    }
    let mut counts = Counts::default();
    counts.visit_block(&region.body);
    if counts.marked {
        return None;
    }
    let bound = bound_in(&region.body);
    let mut items: Vec<Item> = Vec::new();
    for target in &counts.up {
        let Some(place) = place::of(target).filter(|p| p.subscripts.is_empty()) else { continue };
        let key = place.key;
        let stores = || split::stored_at(&region.body.stmts, &|name| name == key);
        if bound.contains(&place.base)
            || named(clauses, &key)
            || items.iter().any(|i| i.key == key)
            || counts.other.iter().any(|other| place::covers(other, &key) || place::covers(&key, other))
            || stores().is_empty()
            || uncounted::store(&region.body, &key).is_some()
        {
            continue;
        }
        let span = target.span();
        items.push(Item { key, place: target.clone(), sections: vec![], span });
    }
    let span = items.first()?.span;
    Some(ReductionClause {
        op: ClauseOp::Builtin(ReduceOp::Add),
        spelled: "+".to_owned(),
        reproducible: false,
        inscan: true,
        ty: None,
        span,
        items,
    })
}

/// Whether a clause says what a variable is.
fn named(c: &Clauses, key: &str) -> bool {
    let shared = [&c.private, &c.firstprivate, &c.lastprivate];
    let reduced = c.reductions.iter().map(|r| &r.items);
    shared
        .into_iter()
        .chain(reduced)
        .flatten()
        .any(|i| place::covers(&i.key, key) || place::covers(key, &i.key))
}

/// The assignments of a body.
#[derive(Default)]
struct Counts {
    /// Targets of `+= 1`, or of another number above zero.
    up: Vec<Expr>,
    /// The keys of all others.
    other: Vec<String>,
    /// There are directives inside.
    marked: bool,
}

impl<'ast> Visit<'ast> for Counts {
    fn visit_expr(&mut self, e: &'ast Expr) {
        match (e, updates::target(e)) {
            (Expr::Binary(b), Some(target))
                if matches!(b.op, BinOp::AddAssign(_)) && uncounted::is_positive(&b.right) =>
            {
                self.up.push(target.clone());
            }
            (_, Some(target)) => self.other.extend(place::of(target).map(|p| p.key)),
            _ => {}
        }
        if let Expr::Reference(r) = e
            && r.mutability.is_some()
        {
            self.other.extend(place::of(&r.expr).map(|p| p.key));
        }
        syn::visit::visit_expr(self, e);
    }

    fn visit_attribute(&mut self, a: &'ast Attribute) {
        self.marked |= a.path().to_token_stream().to_string().contains("omp");
    }
}
