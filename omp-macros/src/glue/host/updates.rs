//! Atomic updates on the host: which arrays may be updated in private copies, one for each thread, that are combined
//! after the loop.
//!
//! No other access of the loop may touch such an array, no code may use the value before or after an update, and all
//! updates of an array have the same commutative operator. Sums of integers qualify only if overflow wraps: a partial
//! sum may overflow although the sum does not.
use crate::ast::Number;
use crate::glue::{numbered, overflow, private};
use crate::lower::{CapturedReduction, Lowered};
use crate::sema::CheckedRegion;
use omp_ir::template::{Base, Block, Expr as Node, Place, Projection, ReduceOp, Stmt};
use omp_ir::visit;
use proc_macro2::{Ident, Span, TokenStream};
use std::collections::BTreeMap;

/// The arrays as items of a reduction; none where one of them has no copies.
pub(in crate::glue) fn of(region: &CheckedRegion, lowered: &Lowered) -> Vec<CapturedReduction> {
    items(region, lowered).unwrap_or_default()
}

fn items(region: &CheckedRegion, lowered: &Lowered) -> Option<Vec<CapturedReduction>> {
    let (captures, code) = (&lowered.captures, &lowered.template.code);
    let clauses = &region.directive.clauses;
    // Who says how iterations are shared has them shared.
    let shares = clauses.schedule.is_some() || clauses.number(Number::Threads).is_some();
    if shares
        || region.scan.is_some()
        || !captures.reductions.is_empty()
        || !region.context.generics.is_empty()
    {
        return None;
    }
    // How often a block loads one of these.
    let loads = |block: &Block, of: [Base; 2]| {
        let mut n = 0;
        visit::each_stmt(block, &mut |stmt| {
            visit::of_stmt(stmt, &mut |root| {
                visit::each_expr(code, root, &mut |e| {
                    let node = &code.exprs[e.index()].expr;
                    n += usize::from(matches!(node, Node::Load(p) if of.contains(&p.base)));
                });
            });
        });
        n
    };
    let update = |stmt: &Stmt| {
        let Stmt::Atomic { place, old, new, update, .. } = stmt else { return None };
        let (Base::Array(array), [Projection::Index { .. }]) = (place.base, &place.projections[..]) else {
            return None;
        };
        let values = [Base::Local(*old), Base::Local((*new)?)];
        let op = lowered.paths.atomic_operator(code, *old, update).filter(|op| combines(*op))?;
        // Nothing else uses the value before or after.
        (loads(&code.block, values) == loads(update, values)).then_some((array.index(), op))
    };
    let (mut found, mut fits) = (BTreeMap::new(), true);
    visit::each_stmt(&code.block, &mut |stmt| {
        if let Stmt::Atomic { .. } = stmt {
            fits &= update(stmt).is_some_and(|(array, op)| *found.entry(array).or_insert(op) == op);
        }
    });
    let is_found = |p: &Place| matches!(p.base, Base::Array(a) if found.contains_key(&a.index()));
    fits &= !code.exprs.iter().any(|node| match &node.expr {
        Node::Load(p) | Node::Borrow(p) | Node::Slice { base: p, .. } => is_found(p),
        _ => false,
    });
    visit::each_stmt(&code.block, &mut |stmt| {
        if let Stmt::Assign { place, .. } = stmt {
            fits &= !is_found(place);
        }
    });
    if !fits {
        return None;
    }
    let item = |(array, op): (usize, ReduceOp)| {
        let captured = &captures.arrays[array];
        let whole =
            captured.sections.is_empty() && !captured.declared && captured.written && !captured.passed;
        let name = Ident::new(&format!("{op:?}"), Span::mixed_site());
        whole.then(|| CapturedReduction {
            place: captured.place.clone(),
            key: captured.key.clone(),
            op: code!(::omp::__private::op::#name),
            array: Some(array),
            reproducible: false,
            carried: false,
            ty: None,
            span: Span::mixed_site(),
        })
    };
    found.into_iter().map(item).collect()
}

/// Whether it doesn't matter which updates of these arrays are combined first.
pub(super) fn exact(items: &[CapturedReduction]) -> TokenStream {
    let (p, checks) = (private(), overflow::checks());
    let sums = items.iter().filter(|item| item.op.to_string().ends_with("Add")).filter_map(|item| item.array);
    let overflow = sums.map(|array| {
        let array = numbered("m", array);
        code!(&& !#p::overflows(&#array))
    });
    code!(!#checks || (true #(#overflow)*))
}

/// Whether an operator combines the results of other updates by it.
fn combines(op: ReduceOp) -> bool {
    match op {
        ReduceOp::Add
        | ReduceOp::BitAnd
        | ReduceOp::BitOr
        | ReduceOp::BitXor
        | ReduceOp::Max
        | ReduceOp::Min => true,
        ReduceOp::Mul | ReduceOp::And | ReduceOp::Or => false,
    }
}
