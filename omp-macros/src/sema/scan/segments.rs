//! Scans along one loop of a nest: the iterations of the other loops run in parallel.
//!
//! The draft decides which elements are carried, and by which operator. What is read from syntax is the nest, whose loops are put into another
//! order, and the places that the clauses name.
use super::interchange;
use super::recurrence::{
    Axis, Carried, clause_of, expression, forms, is_read, recurrence, targets, unknown_distance,
};
use super::{Recurrence, by_another, with_body};
use crate::ast::{LoopHead, ReductionClause};
use crate::diag::{Code, Sink};
use crate::lower::region::draft::{Draft, LazyDraft};
use crate::parse::loop_nest;
use crate::sema::CheckedRegion;
use crate::sema::loops::bounds;
use crate::sema::reduction::{fits, otherwise, repeats, updates};
use crate::sema::syntax::names::Names;
use crate::sema::syntax::search;
use crate::sema::syntax::uses::{How, Use};
use crate::sema::syntax::{place, uses};
use omp_ir::flow::update_form::{self, Form};
use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Stmt};

/// The loops of a perfect nest, outermost first: as the host's serial form has them, as the region has them, and their
/// heads. (The outermost one's body is the region's.)
pub(super) struct Nest {
    pub(super) serial: Vec<syn::ExprForLoop>,
    pub(super) marked: Vec<syn::ExprForLoop>,
    pub(super) heads: Vec<LoopHead>,
    pub(super) body: Block,
    pub(super) serial_body: Block,
}

impl Nest {
    pub(super) fn of(region: &CheckedRegion, sink: &mut Sink) -> Option<Self> {
        let (mut serial, mut marked) = (vec![region.serial.clone()], vec![region.serial.clone()]);
        let mut heads = vec![region.loops.first()?.clone()];
        let (mut body, mut serial_body) = (&region.body, &region.serial.body);
        while let (Some(inner), Some(inner_serial)) =
            (loop_nest::only_loop(body), loop_nest::only_loop(serial_body))
        {
            let Ok(head) = loop_nest::head(inner) else {
                sink.error(
                    Code::ScanPattern,
                    region.directive.span,
                    "scan pattern not found: the inner loop is not counted",
                )
                .help("count with a range: `for j in 0..n`");
                return None;
            };
            heads.push(head);
            marked.push(inner.clone());
            serial.push(inner_serial.clone());
            (body, serial_body) = (&inner.body, &inner_serial.body);
        }
        let (body, serial_body) = (body.clone(), serial_body.clone());
        Some(Self { serial, marked, heads, body, serial_body })
    }

    /// Whether the bounds of loop `k` name the variable of loop `of`.
    fn depends(&self, k: usize, of: usize) -> bool {
        let names = Names::of_expr(&self.heads[k].whole).mentioned;
        self.heads[of].var.as_ref().is_some_and(|v| names.contains(&v))
    }
}

impl Nest {
    /// Whether the bounds of loop `k` are the same whenever they are evaluated, and nothing else happens then.
    fn is_counted_once(&self, k: usize, names: &[String]) -> bool {
        let written = uses::of_block(&self.body, names.to_vec());
        let changes = |read: &Use| {
            let same = |w: &Use| place::covers(&w.key, &read.key) || place::covers(&read.key, &w.key);
            read.how != How::Len && written.iter().any(|w| w.writes() && same(w))
        };
        uses::expressions(&self.heads[k]).all(|e| {
            let read = uses::of_block(&syn::parse_quote!({ #e; }), names.to_vec());
            bounds::effect(e).is_none() && !read.iter().any(changes)
        })
    }
}

/// The loops `order`, one in the other, around a body.
pub(super) fn nested(loops: &[syn::ExprForLoop], order: &[usize], body: &Block) -> Block {
    order.iter().rev().fold(body.clone(), |body, k| {
        let around = syn::ExprForLoop { body, ..loops[*k].clone() };
        syn::parse_quote!({ #around })
    })
}

/// A scan along one loop of a nest: the others' iterations run in parallel, and the scan is the loop itself.
pub(super) fn segmented(region: &mut CheckedRegion, sink: &mut Sink) {
    let Some(mut nest) = Nest::of(region, sink) else { return };
    let mut typed = Typed::default();
    match carried_within(region, &nest.body, &mut typed, sink) {
        Within::Nothing => {}
        Within::Carried => {
            typed.visit_block_mut(&mut nest.serial_body);
            let order: Vec<usize> = (0..nest.heads.len()).collect();
            return within(region, &nest, &order, order.len());
        }
        Within::Wrong => return,
    }
    let innermost = with_body(region, &nest.heads, &nest.body.stmts, &[]);
    let (draft, heard) = (Draft::lazy(&innermost), sink.len());
    let along = axis_of(region, &nest, &draft, &mut typed, sink);
    draft.explain(heard, sink);
    let Some(along) = along else { return };
    typed.visit_block_mut(&mut nest.serial_body);
    let others: Vec<usize> = (0..nest.heads.len()).filter(|k| *k != along).collect();
    // The loops inside of the scan go around it, if none of them counts by its variable, and none is counted anew each time.
    let inside = || others.iter().copied().filter(|k| *k > along);
    let depends = others.iter().copied().find(|k| nest.depends(*k, along));
    let counted = inside().find(|k| !nest.is_counted_once(*k, &region.context.names));
    // Without an iteration of the scan's loop their bounds are not evaluated.
    let outer = (0..along).any(|k| nest.depends(along, k));
    let total = inside().all(|k| uses::expressions(&nest.heads[k]).all(bounds::is_total));
    let moves = depends.is_none() && counted.is_none() && (total || !outer);
    region.moved = moves && inside().next().is_some();
    if region.moved && !interchange::may(region, &nest, sink) {
        return;
    }
    if let (false, 0, Some(k)) = (moves, along, depends) {
        sink.error_at(
            Code::ScanPattern,
            &nest.marked[k].expr,
            "scan pattern not found: the bounds of this loop depend on the loop that the scan goes along",
        )
        .help("scan along the inner loop, or make the bounds of both independent");
        return;
    }
    if let (false, 0, Some(k)) = (moves, along, counted) {
        sink.error_at(
            Code::ScanPattern,
            &nest.marked[k].expr,
            "scan pattern not found: the scan goes along another loop of the nest, so the bounds of this loop are evaluated once, and they may change or have effects",
        )
        .help("put their values in variables before the loops");
        return;
    }
    if moves && !total {
        region.reached = Some(nest.heads[along].clone());
    }
    let order: Vec<usize> =
        if moves { others.iter().copied().chain([along]).collect() } else { (0..nest.heads.len()).collect() };
    // Parallel are those before the scan whose bounds the host knows.
    let before = order.iter().take_while(|k| **k != along).count();
    within(region, &nest, &order, before);
}

/// Makes the region of a nest whose first `before` loops in this order are not the scan's.
fn within(region: &mut CheckedRegion, nest: &Nest, order: &[usize], before: usize) {
    let outer = order[..before].iter().enumerate();
    let parallel =
        outer.take_while(|(n, k)| *n == 0 || order[..*n].iter().all(|of| !nest.depends(**k, *of))).count();
    region.loops = order[..parallel].iter().map(|k| nest.heads[*k].clone()).collect();
    region.body = nested(&nest.marked, &order[parallel..], &nest.body);
    let serial = nested(&nest.serial, order, &nest.serial_body);
    if let Some(f) = loop_nest::only_loop(&serial) {
        region.serial = f.clone();
    }
}

/// The types that scans name, for the places that are found to be carried: the host's loop has each checked by rustc, behind
/// the first statement that stores the place.
#[derive(Default)]
pub(super) struct Typed(Vec<(syn::Type, String)>);

impl Typed {
    fn add(&mut self, clause: &ReductionClause, place: String) {
        if let Some(ty) = &clause.ty {
            self.0.push((ty.clone(), place));
        }
    }
}

impl VisitMut for Typed {
    fn visit_block_mut(&mut self, block: &mut Block) {
        syn::visit_mut::visit_block_mut(self, block);
        let mut checks = Vec::new();
        for (n, stmt) in block.stmts.iter().enumerate() {
            let Some(target) = expression(stmt).and_then(updates::target) else { continue };
            let text = updates::text(target).unwrap_or_default();
            let Some(k) = self.0.iter().position(|(_, place)| *place == text) else { continue };
            let ((ty, _), allow) = (self.0.remove(k), crate::glue::lints_off());
            // At the type, where rustc says that it is another.
            let like = Ident::new("__like", Span::mixed_site().located_at(ty.span()));
            let typed = quote_spanned!(like.span()=> let #like = &#target; let _: &#ty = #like;);
            checks.push((n, Stmt::Expr(Expr::Verbatim(quote!(#allow if false { #typed })), None)));
        }
        // After the statement, which fixes the type of a variable's literal.
        for (n, check) in checks.into_iter().rev() {
            if let Stmt::Expr(_, semi) = &mut block.stmts[n] {
                semi.get_or_insert_with(Default::default);
            }
            block.stmts.insert(n + 1, check);
        }
    }
}

/// The values that the loops in a body carry from one iteration to the next.
pub(super) enum Within {
    /// No variable of the body's.
    Nothing,
    /// A variable of the body's, by the operator of its clause.
    Carried,
    /// A variable of the body's, by another operator, as is reported.
    Wrong,
}

/// Looks for `let mut s = …; for c in 1..w { s ⊕= x[c]; y[c] = s; }`: each iteration of the loops around has a scan of
/// its own, along the loop within.
pub(super) fn carried_within(
    region: &CheckedRegion,
    body: &Block,
    typed: &mut Typed,
    sink: &mut Sink,
) -> Within {
    let scans = &region.directive.clauses.scans;
    let draft = Draft::lazy(region);
    let mut own = Vec::new();
    let mut found = Within::Nothing;
    for stmt in &body.stmts {
        match stmt {
            Stmt::Local(l) => {
                let names = Names::of_pattern(&l.pat).bound.into_iter();
                own.extend(names.filter(|p| p.mutability.is_some()).map(|p| p.ident.to_string()));
            }
            Stmt::Expr(Expr::ForLoop(f), _) => {
                for name in
                    targets(&f.body).into_iter().filter_map(updates::text).filter(|name| own.contains(name))
                {
                    let stored = places_stored(&f.body);
                    // A sum that the loop only adds to is a reduction, not a scan: no iteration reads its intermediate values.
                    let named = clause_of(scans, &name)
                        .filter(|c| !c.items.is_empty() || f.body.stmts.iter().any(|s| is_read(s, &name)));
                    let Some(clause) = named
                        .or_else(|| scans.iter().find(|c| c.items.iter().any(|i| stored.contains(&i.key))))
                    else {
                        continue;
                    };
                    match by_clause(&draft, &f.body, &name, clause, sink) {
                        Within::Nothing => {}
                        Within::Carried => {
                            typed.add(clause, name);
                            found = Within::Carried;
                        }
                        Within::Wrong => return Within::Wrong,
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// The arrays of which a block stores elements.
fn places_stored(block: &Block) -> Vec<String> {
    targets(block)
        .into_iter()
        .filter_map(place::of)
        .filter(|p| !p.subscripts.is_empty())
        .map(|p| p.key)
        .collect()
}

/// Whether all updates of a variable in a block are by the clause's operator.
fn by_clause(draft: &Draft, block: &Block, name: &str, clause: &ReductionClause, sink: &mut Sink) -> Within {
    let mut updates = Vec::new();
    search::each(block, |e| {
        let target = updates::target(e);
        if let Some(target) = target.filter(|t| updates::text(t).is_some_and(|text| text == name)) {
            updates.push((e, target.span()));
        }
    });
    let mut found = Within::Nothing;
    for (e, at) in updates {
        let Some(form) = draft.form_at(at) else { continue };
        if fits(&form, &clause.op) || repeats(&form, &clause.op) {
            found = Within::Carried;
        } else if let Some(how) = otherwise(&form, Some(e), &clause.op) {
            let at = draft
                .statement_at(at, Some(&form))
                .map_or_else(|| e.to_token_stream(), |e| e.to_token_stream());
            by_another(name, &how.to_string(), clause, at, sink);
            return Within::Wrong;
        }
    }
    found
}

/// Which loop of the nest the scan goes along.
fn axis_of(
    region: &CheckedRegion,
    nest: &Nest,
    draft: &LazyDraft<'_>,
    typed: &mut Typed,
    sink: &mut Sink,
) -> Option<usize> {
    let scans = &region.directive.clauses.scans;
    let heads = nest.heads.iter().enumerate();
    let axes: Vec<_> = heads.map(|(k, head)| Axis::of(head, &nest.body, k, draft)).collect();
    let mut along: Option<usize> = None;
    for (n, stmt) in nest.body.stmts.iter().enumerate() {
        let Some(e) = expression(stmt) else { continue };
        for (k, axis) in axes.iter().enumerate() {
            let Some(axis) = axis else { continue };
            let Some(carried) = recurrence(n, stmt, axis) else { continue };
            let key = place::of(carried.left).map(|p| p.key).unwrap_or_default();
            let Some(clause) = clause_of(scans, &key) else { continue };
            if !along_axis((region, nest), e, &carried, clause, sink) {
                return None;
            }
            if along.is_some_and(|other| other != k) {
                sink.error_at(
                    Code::ScanPattern,
                    e,
                    "scan pattern not found: this nest carries values along more than one of its loops",
                )
                .help("scan along one loop in a nest of its own, then along the other");
                return None;
            }
            along = Some(k);
            typed.add(clause, updates::text(carried.left).unwrap_or_default());
        }
    }
    if along.is_none() {
        let op = scans.first().map_or("+", |c| c.spelled.as_str());
        sink.error(
            Code::ScanPattern,
            region.directive.span,
            "scan pattern not found: the nest carries no value along one of its loops",
        )
        .note(None, forms(op))
        .help("for a nest whose iterations are independent, write `target`");
    }
    along
}

/// Whether a recurrence is by the clause's operator, and reads nothing else of its array.
fn along_axis(
    (region, nest): (&CheckedRegion, &Nest),
    e: &Expr,
    carried: &Carried<'_>,
    clause: &ReductionClause,
    sink: &mut Sink,
) -> bool {
    if let Some(other) = carried.other {
        unknown_distance(carried.left, other, &clause.spelled, sink);
        return false;
    }
    let (_, stmts, item) = Recurrence::carried(carried, 0);
    let right = |form: &Form| fits(form, &clause.op) || repeats(form, &clause.op);
    let body: Vec<Stmt> = nest
        .body
        .stmts
        .iter()
        .flat_map(|stmt| match expression(stmt) {
            Some(own) if std::ptr::eq(own, e) => stmts.to_vec(),
            _ => vec![stmt.clone()],
        })
        .collect();
    let clauses = [ReductionClause { items: vec![item], inscan: true, ..clause.clone() }];
    let draft = Draft::of(&with_body(region, &nest.heads, &body, &clauses));
    let uses = draft.uses(&clauses[0].items[0]);
    let Some(form) = uses.iter().filter_map(update_form::Use::form).find(|form| !right(form)) else {
        return true;
    };
    Recurrence::of(carried).refuse(form, clause, e.to_token_stream(), sink);
    false
}
