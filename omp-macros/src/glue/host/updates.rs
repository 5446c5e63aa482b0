//! Atomic updates on the host: which arrays may be updated in private copies, one for each thread, that are combined
//! after the loop.
//!
//! No other access of the loop may touch such an array, no code may use the value before or after an update, and all
//! updates of an array have the same commutative operator. Sums of integers qualify only if overflow wraps: a partial
//! sum may overflow although the sum does not.
use super::rewrite::key_of;
use super::subscripts::subscripts;
use crate::ast::Number;
use crate::glue::{numbered, overflow, private};
use crate::lower::{CapturedReduction, Lowered};
use crate::marks::marked;
use crate::sema::CheckedRegion;
use crate::sema::accesses::atomic;
use crate::sema::accesses::atomic::Access;
use omp_ir::ids::AccessId;
use omp_ir::template::{Base, Expr as Node, Place, Projection, ReduceOp, Stmt};
use omp_ir::visit;
use proc_macro2::{Ident, Span, TokenStream};
use std::collections::HashMap;
use syn::visit::Visit;
use syn::{BinOp, Expr};

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
    let mut find =
        Find { subscripts: subscripts(lowered), lowered, found: HashMap::new(), all: 0, fits: true };
    find.visit_block(&region.body);
    let Find { found, all, fits: true, .. } = find else { return None };
    let is_found = |p: &Place| matches!(p.base, Base::Array(a) if found.contains_key(&a.index()));
    let mut fits = !code.exprs.iter().any(|node| match &node.expr {
        Node::Load(p) | Node::Borrow(p) | Node::Slice { base: p, .. } => is_found(p),
        _ => false,
    });
    let mut updates = 0;
    visit::each_stmt(&code.block, &mut |stmt| match stmt {
        Stmt::Atomic { place, new, .. } => {
            updates += 1;
            fits &= new.is_some() && matches!(place.projections[..], [Projection::Index { .. }]);
        }
        Stmt::Assign { place, .. } => fits &= !is_found(place),
        _ => {}
    });
    if !fits || updates != all {
        return None;
    }
    let mut items: Vec<_> = found.into_iter().collect();
    items.sort_by_key(|(array, _)| *array);
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
    items.into_iter().map(item).collect()
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

/// The atomic accesses of a body.
struct Find<'a> {
    subscripts: Vec<(Option<usize>, bool)>,
    lowered: &'a Lowered,
    /// By array.
    found: HashMap<usize, ReduceOp>,
    all: usize,
    fits: bool,
}

impl Find<'_> {
    fn array(&self, place: &Expr) -> Option<usize> {
        if let Expr::Index(x) = place {
            let access = marked::<AccessId>(&x.attrs)?;
            return self.subscripts.get(access.index())?.0;
        }
        let key = key_of(place)?;
        self.lowered.captures.arrays.iter().position(|a| a.scalar && a.key == key)
    }
}

impl<'ast> Visit<'ast> for Find<'_> {
    fn visit_expr(&mut self, e: &'ast Expr) {
        match atomic::of(e) {
            Some(Access::Change(change)) if !change.captured => {
                self.all += 1;
                let item = self.array(change.place).zip(operator(change.new));
                self.fits &= item.is_some_and(|(array, op)| *self.found.entry(array).or_insert(op) == op);
            }
            Some(Access::Change(_) | Access::Read(_)) => self.fits = false,
            None => {}
        }
        syn::visit::visit_expr(self, e);
    }
}

/// The operator of an update, if it is one that combines the results of others.
fn operator(new: &Expr) -> Option<ReduceOp> {
    let is_old = |e: &Expr| matches!(e, Expr::Path(p) if p.path.is_ident("__omp_old"));
    match new {
        Expr::Paren(p) => operator(&p.expr),
        Expr::Binary(b) => {
            let (old, turned) = (is_old(&b.left), is_old(&b.right));
            let other = if old { &b.right } else { &b.left };
            let op = match b.op {
                BinOp::Add(_) => ReduceOp::Add,
                BinOp::Sub(_) if old => ReduceOp::Add,
                BinOp::BitAnd(_) => ReduceOp::BitAnd,
                BinOp::BitOr(_) => ReduceOp::BitOr,
                BinOp::BitXor(_) => ReduceOp::BitXor,
                _ => return None,
            };
            (old != turned && !atomic::names_old(other)).then_some(op)
        }
        Expr::MethodCall(m) if is_old(&m.receiver) && m.args.len() == 1 && !atomic::names_old(&m.args[0]) => {
            match m.method.to_string().as_str() {
                "max" => Some(ReduceOp::Max),
                "min" => Some(ReduceOp::Min),
                "wrapping_add" | "wrapping_sub" => Some(ReduceOp::Add),
                _ => None,
            }
        }
        _ => None,
    }
}
