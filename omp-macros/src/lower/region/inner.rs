//! Inner nests with directives. Their copies of variables (reduction variables, `private` and so on) are locals of the
//! same names inside the nest.
use super::capture::combiner;
use super::copies::Own;
use crate::ast::{DirectiveKind, Evaluated, InnerLoop, Item, Number, ReductionClause};
use crate::diag::Code as DiagCode;
use crate::lower::Caught;
use crate::lower::cx::{Flow, Lower, Name, Target, TargetKind};
use crate::lower::stmt::control::is_range;
use crate::marks::{NestId, take};
use crate::sema::loops::nesting::number;
use crate::sema::reduction;
use crate::sema::syntax::place::item_key;
use omp_ir::flow::definite_assignment::Answer;
use omp_ir::flow::liveness::Copied;
use omp_ir::flow::{effects, liveness};
use omp_ir::ids::{ExprId, LocalId, SlotId, SrcId};
use omp_ir::template::{
    Base, Block, Expr, Inner, InnerLast, InnerReduction, Level, LocalKind, Place, Range, Stmt,
};
use omp_ir::visit;
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use std::collections::HashMap;
use syn::spanned::Spanned;

/// The reductions of an inner nest.
#[derive(Default)]
struct Items {
    copied: Vec<InnerReduction>,
    /// The keys of what is updated where it is.
    in_place: Vec<String>,
    /// By key: the operators, whose updates are checked when the body is lowered.
    operators: HashMap<String, ItemOperator>,
}

struct ItemOperator {
    op: TokenStream,
    /// The slot of a variable.
    caught: Option<Caught>,
}

/// A copy of a variable for each iteration.
#[derive(Clone)]
pub(in crate::lower) struct Copy {
    name: String,
    local: LocalId,
    init: Option<ExprId>,
    /// The variable, if it is one of the outer loop's body.
    of: Option<LocalId>,
    /// The span of the clause's item.
    item: Span,
}

impl Lower {
    /// A `for` that bears an inner directive's number.
    pub fn inner(&mut self, f: &mut syn::ExprForLoop) -> Flow {
        let inners = std::rc::Rc::clone(&self.inners);
        let (n, inner) = number(&f.attrs).and_then(|n| Some((n, inners.get(n)?)))?;
        self.nest = n;
        take::<NestId>(&mut f.attrs);
        let c = &inner.directive.clauses;
        let level = if inner.directive.kind == DirectiveKind::Simd { Level::Simd } else { Level::Team };
        let src = self.src(inner.directive.span);
        let mut queries = Vec::new();
        let threads = self.clause_value("threads", c.number(Number::Threads), &mut queries)?;
        let when = self.clause_value("when", c.number(Number::If), &mut queries)?;
        let range = self.range(&mut f.expr, None, true)?;
        if !queries.is_empty() {
            // The type queries of the clauses come where they are evaluated.
            let range = &f.expr;
            *f.expr = syn::Expr::Verbatim(quote::quote!({ #(let _ = #queries;)* #range }));
        }
        self.scopes.push(HashMap::new());
        let mut replaced = Vec::new();
        let mut items = Items::default();
        let all = c.reductions.iter().flat_map(|r| r.items.iter().map(move |i| (r, i)));
        for (clause, item) in all.clone() {
            let array = reduction::is_array(item, &inner.nest.body);
            replaced.extend(self.reduced_inside(clause, item, array, &mut items));
        }
        let mut lasts = Vec::new();
        for item in &c.lastprivate {
            let Some(target) = self.variable_of(item) else { continue };
            let slot = self.code.locals[target.index()].slot;
            let local = self.local(&item.key, LocalKind::User, slot, true);
            replaced.extend(self.stand_in(&item.key, local));
            self.nest_copies.push(Own::of_nest(item, local, Some(target), n));
            lasts.push(InnerLast { local, target });
        }
        let loops = inner.loops.len() as u32;
        let (body, dependent) = self.nested(|this| this.nest_loop(inner, f, Some(range), loops));
        let places: Vec<_> = all.clone().map(|(_, item)| self.item_place(&item.key)).collect();
        for ((clause, item), place) in all.zip(&places) {
            let Some(place) = place else { continue };
            let facts = self.facts(clause, place, &body, &inner.nest.body);
            let Some(reduced) = items.operators.remove(&item.key) else { continue };
            self.same_operators(&facts.names, &reduced.op);
            if let Some(caught) = reduced.caught.filter(|_| !self.lenient) {
                self.ordered(&facts.unordered, &caught, false);
                if facts.turned {
                    self.may_exchange(&reduced.op, &caught, item.span, "omp_commutes");
                }
            }
            let regions = self.captured.as_ref().map_or(0, |c| c.reductions.len());
            for copy in items.copied.iter_mut().filter(|copy| Base::Local(copy.local) == place.0) {
                copy.turned = facts.turned;
                let number = regions as u32 + copy.number;
                self.code.named_updates.extend(facts.updates.iter().map(|update| (number, *update)));
            }
        }
        self.nest_items.push((n, src, places));
        for (key, local) in replaced {
            self.stand_in(&key, local);
        }
        self.scopes.pop();
        if let (Some(true), Some(item)) = (dependent, c.lastprivate.first()) {
            self.error(
                DiagCode::ClauseNotAllowed,
                item.span,
                "`lastprivate` on collapsed inner loops whose bounds depend on each other",
                "collapse loops with bounds of their own, or none",
            );
        }
        dependent?;
        self.keep_copies(&body, src);
        let Items { copied: reductions, in_place: keys, operators: _ } = items;
        // Iterations that run in order need no check.
        let in_place = !keys.is_empty() || !c.disjoint.is_empty();
        let captured = self.captured.as_ref();
        let mut arrays: Vec<_> = keys.iter().filter_map(|key| captured?.array_id(key)).collect();
        for item in c.disjoint.iter().chain(&c.trust_disjoint) {
            match self.captured.as_ref().and_then(|captured| captured.array_id(&item_key(item))) {
                Some(array) => arrays.push(array),
                None => self.error(
                    DiagCode::MalformedClause,
                    item.span,
                    format!("`{}` is no mapped array that this loop touches", item.key),
                    "name the array whose elements the iterations share out",
                ),
            }
        }
        self.push(Stmt::Inner(Inner {
            level,
            loops,
            threads,
            when,
            reductions,
            in_place,
            arrays,
            lasts,
            searches: Vec::new(),
            body,
            src,
        }));
        Some(())
    }

    /// The value of a clause, in a temporary; its type query is appended to `queries`.
    fn clause_value(
        &mut self,
        name: &str,
        clause: Option<&Evaluated>,
        queries: &mut Vec<syn::Expr>,
    ) -> Option<Option<ExprId>> {
        let Some(clause) = clause else { return Some(None) };
        let mut e = clause.values.first()?.clone();
        let value = self.value(&mut e)?;
        queries.push(e);
        Some(Some(self.temp(name, value)))
    }

    /// An item of an inner reduction: a variable is copied; elements, fields and what is `reproducible` are updated where
    /// they are. Gives what the name meant before.
    fn reduced_inside(
        &mut self,
        clause: &ReductionClause,
        item: &Item,
        array: bool,
        items: &mut Items,
    ) -> Option<(String, LocalId)> {
        let op = self.operator(&clause.op, clause.span);
        items.operators.insert(item.key.clone(), ItemOperator { op: op.clone(), caught: None });
        let root = item.key.split('.').next().unwrap_or_default();
        let field = root != item.key && matches!(self.lookup(root), Some(Name::Local(_)));
        if array || field {
            items.in_place.push(item.key.clone());
            return None;
        }
        let target = self.variable_of(item)?;
        let slot = self.code.locals[target.index()].slot?;
        let caught = self.typing.slots[slot.index()].clone();
        items
            .operators
            .insert(item.key.clone(), ItemOperator { op: op.clone(), caught: Some(caught.clone()) });
        if !self.lenient {
            let here = caught.at(item.span);
            self.checks.extend(
                quote_spanned!(item.span=> ::omp::__private::Item::<#op, _>::caught(#here).omp_asked();),
            );
        }
        if clause.reproducible || self.fixed_order {
            // In the order of the iterations, which is the same everywhere.
            items.in_place.push(item.key.clone());
            return None;
        }
        let local = self.local(&item.key, LocalKind::Reduction, Some(slot), true);
        let replaced = self.stand_in(&item.key, local);
        let regions = self.captured.as_ref().map_or(0, |c| c.reductions.len());
        let number = (self.typing.operators.len() - regions) as u32;
        self.typing.operators.push((op, caught));
        let op = combiner(&clause.op);
        items.copied.push(InnerReduction { op, number, turned: false, local, target });
        replaced
    }

    /// Remembers which variables the nest has copied and assigned: a read after the nest would expect the last value.
    fn keep_copies(&mut self, body: &Block, nest: SrcId) {
        let changed = effects::changed(&self.code, body);
        for Copy { name, local, of, item, init: _ } in std::mem::take(&mut self.copied_here) {
            if !changed.contains(&Base::Local(local)) {
                continue;
            }
            match of {
                Some(of) => self.copied.push(Copied { nest, of, copy: local }),
                None => self.error(
                    DiagCode::ScalarRace,
                    item,
                    format!("race: `{name}` is a variable from outside of the region, and an inner loop assigns copies of it: every outer iteration stores the last copy to the one variable (write/write)"),
                    format!("declare it inside the outer loop, or write `private({name})` on the outer loop as well"),
                ),
            }
        }
    }

    /// Reports a read of what an inner nest has copied and assigned.
    pub fn lost_copies_read(&mut self, answer: &Answer) {
        for (n, src) in liveness::first_reads(&self.code, &self.copied, &answer.starts) {
            let name = self.code.locals[self.copied[n].copy.index()].name.clone();
            let span = self.spans[src.index()];
            self.error(
                DiagCode::StalePrivate,
                span,
                format!("`{name}` is private to the iterations of an inner loop, but this reads it after that loop. There it has its old value; without the directive, it would have the last iteration's"),
                format!("write `lastprivate({name})` for the last iteration's value, or use a variable of the inner body"),
            );
        }
    }

    /// The local that a clause's item means.
    fn variable_of(&mut self, item: &Item) -> Option<LocalId> {
        let found = match self.lookup(&item.key) {
            Some(Name::Local(local)) => Some(*local),
            Some(Name::Const(_) | Name::Alias(_)) => None,
            None => self.captured.as_ref().and_then(|c| c.local(&item.key)),
        };
        if found.is_none() {
            self.error(
                DiagCode::ScalarRace,
                item.span,
                format!("race: `{}` is one variable for all iterations of the outer loop", item.key),
                format!(
                    "declare it inside the outer loop, or reduce it there as well: `reduction(+: {})`",
                    item.key
                ),
            );
        }
        found
    }

    /// Lets a name mean a copy. Where the name is a captured variable's, what it meant before is given.
    fn stand_in(&mut self, name: &str, local: LocalId) -> Option<(String, LocalId)> {
        if self.lookup(name).is_none()
            && let Some(captured) = &mut self.captured
            && let Some(before) = captured.replace_local(name, local)
        {
            return Some((name.to_owned(), before));
        }
        self.bind(name, local);
        None
    }

    /// Lowers one loop of a nest and its body. Returns whether the bounds of an inner loop depend on outer variables.
    fn nest_loop(
        &mut self,
        inner: &InnerLoop,
        f: &mut syn::ExprForLoop,
        range: Option<Range>,
        left: u32,
    ) -> Option<bool> {
        if range.is_none() && !is_range(&f.expr) {
            self.later(
                f.expr.span(),
                "this inner parallel loop",
                "count with a range: `for k in 0..x.len()`",
            );
            return None;
        }
        let (label, src) = (self.label(), self.src(f.expr.span()));
        let first = range.is_some();
        let (ident, mutable) = self.loop_variable(&mut f.pat)?;
        let (slot, see) = self.query_local(&ident);
        let range = match range {
            Some(range) => range,
            None => self.plain_range(&mut f.expr, slot)?,
        };
        let mut dependent = !first && self.mentions_loops(&range);
        let var = self.local(&ident.to_string(), LocalKind::Loop, Some(slot), false);
        let name = f.label.as_ref().map(|l| l.name.ident.to_string());
        let innermost = left == 1;
        self.targets.push(Target { name, kind: TargetKind::Inner(label, innermost), result: None });
        let (body, done) = self.nested(|this| {
            this.scoped(|this| {
                this.bind_loop_variable(&ident, var, mutable);
                if innermost {
                    for copy in this.copies(inner)? {
                        this.push(Stmt::Let { local: copy.local, init: copy.init });
                        this.bind(&copy.name, copy.local);
                    }
                    // An iteration may well never come to its end: the next one does.
                    let around = std::mem::replace(&mut this.around_nest, this.scopes.len());
                    this.block(&mut f.body, None);
                    this.around_nest = around;
                    return Some(());
                }
                let Some(syn::Stmt::Expr(syn::Expr::ForLoop(next), _)) = f.body.stmts.first_mut() else {
                    return None;
                };
                dependent |= this.nest_loop(inner, next, None, left - 1)?;
                Some(())
            })
        });
        self.targets.pop();
        f.body.stmts.insert(0, see);
        self.push(Stmt::For { label, var, range, body, src });
        done.map(|()| dependent)
    }

    /// The range of a loop inside a collapsed one: it has to be computed without statements.
    fn plain_range(&mut self, e: &mut syn::Expr, slot: SlotId) -> Option<Range> {
        let span = e.span();
        let (block, range) = self.nested(|this| this.range(e, Some(slot), false));
        if !block.0.is_empty() {
            self.error(
                DiagCode::BoundNotAffine,
                span,
                "the bounds of this loop are more than arithmetic on variables",
                "compute them before the nest, or collapse fewer loops",
            );
            return None;
        }
        range
    }

    /// Whether a range names the variable of a parallel loop.
    fn mentions_loops(&self, range: &Range) -> bool {
        let mut found = false;
        visit::of_range(range, &mut |e| {
            visit::each_expr(&self.code, e, &mut |e| {
                if let Expr::Load(Place { base: Base::Local(l), .. }) = &self.code.exprs[e.index()].expr {
                    found |= self.code.locals[l.index()].kind == LocalKind::Loop;
                }
            });
        });
        found
    }

    /// The copies of `private` and `firstprivate`.
    fn copies(&mut self, inner: &InnerLoop) -> Option<Vec<Copy>> {
        let c = &inner.directive.clauses;
        let last = |item: &&Item| !c.lastprivate.iter().any(|l| l.key == item.key);
        let mut copies = Vec::new();
        for item in c.private.iter().chain(&c.firstprivate).filter(last) {
            let mut place = item.place.clone();
            let value = self.value(&mut place)?;
            let (slot, unset, of) = match self.code.exprs[value.index()].expr.clone() {
                Expr::Load(Place { base: Base::Local(l), .. }) => {
                    (self.code.locals[l.index()].slot, self.is_unset(l), Some(l))
                }
                Expr::Load(Place { base: Base::Scalar(s), .. }) => {
                    (self.captured.as_ref().map(|c| c.scalars[s.index()].slot), false, None)
                }
                _ => (None, false, None),
            };
            let local = self.local(&item.key, LocalKind::User, slot, true);
            let (name, init) = (item.key.clone(), (!unset).then_some(value));
            self.nest_copies.push(Own::of_nest(item, local, of, self.nest));
            copies.push(Copy { name, local, init, of, item: item.span });
        }
        self.copied_here.clone_from(&copies);
        Some(copies)
    }

    /// Declared without a value.
    fn is_unset(&self, local: LocalId) -> bool {
        let unset = |s: &Stmt| matches!(s, Stmt::Let { local: l, init: None } if *l == local);
        self.blocks.iter().flatten().any(unset)
    }
}
