//! Loop interchange for scans in nests: whether all other effects of the iterations are the same in both orders. The
//! race analysis checks the arrays; this file checks what depends on the order of the iterations.
use super::recurrence::expression;
use super::segments::Nest;
use super::with_body;
use crate::ast::{ClauseOp, Item};
use crate::diag::{Code, Sink};
use crate::lower::region::copies::assigned_before_reads;
use crate::lower::region::draft::Draft;
use crate::sema::CheckedRegion;
use crate::sema::syntax::names::bound_in;
use crate::sema::syntax::place::covers;
use crate::sema::syntax::uses;
use crate::sema::syntax::{jumps, place};
use syn::{Block, Expr};

/// Whether the loops may go in another order; says what stands in the way.
pub(super) fn may(region: &CheckedRegion, nest: &Nest, sink: &mut Sink) -> bool {
    let jumps = jumps::out_of(&nest.body);
    let goes_on = |e: &Expr| matches!(e, Expr::Continue(c) if c.label.is_none());
    if let Some(at) = jumps.iter().find(|e| !goes_on(e)) {
        sink.error_at(
            Code::ScanPattern,
            at,
            "scan pattern not found: this leaves a loop of the nest, and the scan interchanges the loops of this nest",
        )
        .help("write `if` around what it leaves out");
        return false;
    }
    let clauses = &region.directive.clauses;
    for item in &clauses.lastprivate {
        if !jumps.is_empty() || !always_assigned(&nest.body, item) {
            let what = format!(
                "scan pattern not found: `{}` is `lastprivate`, but not every iteration assigns it, and the scan interchanges the loops of this nest, so another iteration would assign it last",
                item.key
            );
            sink.error(Code::ScanPattern, item.span, what).help(format!(
                "assign all of `{}` in each iteration by a statement of its own, or scan in a nest of its own",
                item.key
            ));
            return false;
        }
    }
    // With the innermost iterations as those of the region.
    let innermost = with_body(region, &nest.heads, &nest.body.stmts, &clauses.reductions);
    let draft = Draft::lazy(&innermost);
    let written = uses::of_block(&nest.body, region.context.names.clone());
    for item in clauses.private.iter().chain(&clauses.firstprivate).chain(&clauses.lastprivate) {
        let key = place::item_key(item);
        let changes = written.iter().any(|u| u.writes() && (covers(&key, &u.key) || covers(&u.key, &key)));
        // Code that can't be lowered is reported by the lowering.
        let anew = || match draft.is_whole() {
            true => !assigned_before_reads(&draft, None, &key).contains(&false),
            false => !Draft::of(region).is_whole(),
        };
        if changes && !anew() {
            let what = format!(
                "scan pattern not found: `{}` is private, and an iteration may read what an earlier one assigned, but the scan interchanges the loops of this nest",
                item.key
            );
            sink.error(Code::ScanPattern, item.span, what).help(format!(
                "declare it in the body, `let mut {0} = …;`, or begin with `{0} = …;`",
                item.key
            ));
            return false;
        }
    }
    for clause in &clauses.reductions {
        let unknown = |item: &Item| {
            !region.context.generics.is_empty()
                && !region.context.scalar_names.contains(&place::item_key(item))
        };
        let declared = matches!(clause.op, ClauseOp::Declared(_));
        let Some(item) = clause.items.iter().find(|item| declared || unknown(item)) else { continue };
        let (key, by) = (&item.key, &clause.spelled);
        let what = format!(
            "scan pattern not found: `reduction({by}: {key})` keeps the order of its operands, but the scan interchanges the loops of this nest"
        );
        sink.error(Code::ScanPattern, item.span, what).help(if declared {
            "reduce in a nest of its own; a `target` block around both keeps the data on the device".to_owned()
        } else {
            format!("write the type of `{key}`, `let mut {key}: u64 = …`, if it is a number; others are reduced in a nest of their own")
        });
        return false;
    }
    true
}

/// Whether a statement of the body assigns all of the variable, whatever else happens.
fn always_assigned(body: &Block, item: &Item) -> bool {
    let key = place::item_key(item);
    let own = |e: &Expr| place::of(e).is_some_and(|p| p.subscripts.is_empty() && p.key == key);
    let bound = place::of(&item.place).is_none_or(|p| bound_in(body).contains(&p.base));
    !bound && body.stmts.iter().filter_map(expression).any(|e| matches!(e, Expr::Assign(a) if own(&a.left)))
}
