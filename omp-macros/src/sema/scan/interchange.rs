//! Loop interchange for scans in nests: whether all other effects of the iterations are the same in both orders. The
//! race analysis checks the arrays; this file checks what depends on the order of the iterations.
use super::recurrence::{bound_names, expression};
use super::segments::Nest;
use crate::ast::{ClauseOp, Item};
use crate::diag::{Code, Sink};
use crate::lower::region::copies::assigned_before_reads;
use crate::sema::CheckedRegion;
use crate::sema::syntax::place;
use crate::sema::syntax::place::covers;
use crate::sema::syntax::uses;
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::cell::LazyCell;
use syn::visit::Visit;
use syn::{Block, Expr};

/// Whether the loops may go in another order; says what stands in the way.
pub(super) fn may(region: &CheckedRegion, nest: &Nest, sink: &mut Sink) -> bool {
    let jumps = jumps(&nest.body);
    if let Some(at) = jumps.out {
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
        if jumps.on || !always_assigned(&nest.body, item) {
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
    let draft =
        LazyCell::new(|| super::draft(region, &nest.heads, &nest.body.stmts, &clauses.reductions));
    let written = uses::of_block(&nest.body, region.context.names.clone());
    for item in clauses.private.iter().chain(&clauses.firstprivate).chain(&clauses.lastprivate) {
        let key = place::item_key(item);
        let changes = written.iter().any(|u| u.writes() && (covers(&key, &u.key) || covers(&u.key, &key)));
        let anew = || draft.is_whole() && !assigned_before_reads(&draft, None, &key).contains(&false);
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
    let bound = place::of(&item.place).is_none_or(|p| bound_names(body).contains(&p.base));
    !bound && body.stmts.iter().filter_map(expression).any(|e| matches!(e, Expr::Assign(a) if own(&a.left)))
}

/// How iterations of the nest end early.
#[derive(Default)]
struct Jumps {
    /// The first `break` out of a loop that the body stands in, or `continue` of one by its label.
    out: Option<TokenStream>,
    /// A `continue` of the innermost.
    on: bool,
}

fn jumps(body: &Block) -> Jumps {
    #[derive(Default)]
    struct Find {
        loops: usize,
        labels: Vec<String>,
        found: Jumps,
    }
    impl<'ast> Visit<'ast> for Find {
        fn visit_expr(&mut self, e: &'ast Expr) {
            let (label, is_loop) = match e {
                Expr::ForLoop(l) => (l.label.as_ref(), true),
                Expr::While(l) => (l.label.as_ref(), true),
                Expr::Loop(l) => (l.label.as_ref(), true),
                Expr::Block(b) => (b.label.as_ref(), false),
                _ => (None, false),
            };
            let own = |of: &syn::Lifetime| self.labels.contains(&of.ident.to_string());
            let out = match e {
                Expr::Break(b) => b.label.as_ref().map_or(self.loops == 0, |of| !own(of)),
                Expr::Continue(c) => c.label.as_ref().is_some_and(|of| !own(of)),
                _ => false,
            };
            if out && self.found.out.is_none() {
                self.found.out = Some(e.to_token_stream());
            }
            self.found.on |= matches!(e, Expr::Continue(c) if c.label.is_none() && self.loops == 0);
            self.labels.extend(label.map(|l| l.name.ident.to_string()));
            self.loops += usize::from(is_loop);
            syn::visit::visit_expr(self, e);
            self.loops -= usize::from(is_loop);
            if label.is_some() {
                self.labels.pop();
            }
        }
    }
    let mut find = Find::default();
    find.visit_block(body);
    find.found
}
