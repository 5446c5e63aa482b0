//! Counters: variables that number the elements which a loop stores, as in `if c { y[n] = v; n += 1; }`.
//!
//! An iteration that stores to `y[n]` and does not count leaves `n` to the next one, which stores to the same element. A store
//! is reported as such if the conditions around it are those around all counts but for one branch. What follows a `continue`
//! is a branch, too. (Of conditions that stand apart the pass does not know whether they are the same.)
use super::early_exit::may_leave;
use super::effects;
use super::recurrence::Root;
use crate::ids::{CallId, ExprId, LocalId, SrcId};
use crate::template::{BinOp, Block, Code, Expr, LocalKind, Place, Projection, Stmt, UnOp};
use crate::visit;
use std::collections::{HashMap, HashSet};

/// What a block does with a variable from outside of it.
#[derive(Debug)]
pub struct Counter {
    /// Every assignment of it, or of a part of it, adds a literal above zero.
    pub counts_up: bool,
    /// It stands in a subscript of a store.
    pub places: bool,
    /// The array of which the last of the stores is to the element of its number.
    pub array: Option<Root>,
    /// A condition reads it.
    pub decides: bool,
    /// A store to the element of its number, in an iteration that may not count.
    pub uncounted: Option<SrcId>,
}

/// Looks at a variable from outside of a block.
#[must_use]
pub fn counter(code: &Code, block: &Block, root: &Root) -> Counter {
    let mut temps: HashMap<LocalId, Vec<&Expr>> = HashMap::new();
    visit::each_stmt(block, &mut |stmt| {
        let assigned = match stmt {
            Stmt::Let { local, init: Some(value) } => Some((*local, value)),
            Stmt::Assign { place, value, .. } => place.base.local().map(|local| (local, value)),
            _ => None,
        };
        if let Some((local, value)) = assigned
            && code.locals[local.index()].kind == LocalKind::Temp
        {
            temps.entry(local).or_default().push(&code.exprs[value.index()].expr);
        }
    });
    let found = Counter { counts_up: true, places: false, array: None, decides: false, uncounted: None };
    let own = effects::bound_in(block);
    let (counts, stores) = (Vec::new(), Vec::new());
    let mut walk = Walk { code, root, own, temps, found, number: 0, around: Vec::new(), counts, stores };
    walk.block(block);
    let uncounted = walk.stores.iter().find(|(store, _)| walk.is_left_out(store));
    Counter { uncounted: uncounted.map(|(_, src)| *src), ..walk.found }
}

/// What a statement stands in, outermost first: numbers of statements, and the branch of each that decides. What follows a `continue` has a
/// number of its own.
type Around = Vec<(usize, Option<bool>)>;

struct Walk<'a> {
    code: &'a Code,
    root: &'a Root,
    /// The variables of the block.
    own: HashSet<LocalId>,
    /// The values of temporaries.
    temps: HashMap<LocalId, Vec<&'a Expr>>,
    found: Counter,
    /// How many statements were seen.
    number: usize,
    around: Around,
    /// The assignments of the variable. One that adds 0 or 1 is a branch of its own.
    counts: Vec<Around>,
    /// The stores `y[n] = …`.
    stores: Vec<(Around, SrcId)>,
}

impl<'a> Walk<'a> {
    fn block(&mut self, block: &Block) {
        let depth = self.around.len();
        for stmt in &block.0 {
            self.number += 1;
            let number = self.number;
            if let Stmt::Assign { place, value, src } = stmt {
                self.assign(place, *value, *src);
            }
            if let Stmt::If { cond, .. } = stmt {
                self.found.decides |= self.reads(*cond);
            }
            for (inner, branch) in visit::blocks_of(stmt).into_iter().zip([true, false]) {
                let decides = matches!(stmt, Stmt::If { .. });
                self.around.push((number, decides.then_some(branch)));
                inner.into_iter().for_each(|inner| self.block(inner));
                self.around.pop();
            }
            if may_leave(std::slice::from_ref(stmt), &mut Vec::new()) {
                self.number += 1;
                self.around.push((self.number, Some(false)));
            }
        }
        self.around.truncate(depth);
    }

    fn assign(&mut self, place: &Place, value: ExprId, src: SrcId) {
        if let Some(index) = only_subscript(place) {
            self.found.places |= self.reads(index);
            let shared = place.base.local().is_none_or(|local| !self.own.contains(&local));
            let updates = self.code.operators.iter().any(|o| o.expr == value && o.assigns);
            if shared && !updates && self.is_value(index) {
                self.found.array = Some(Root::of(place));
                self.stores.push((self.around.clone(), src));
            }
        }
        let to = Root::of(place);
        if to != *self.root || place.projections.len() > to.fields.len() {
            self.found.counts_up &= !to.overlaps(self.root);
            return;
        }
        let added = match self.expr(value) {
            Expr::Binary(BinOp::Add, old, by) if self.is_value(*old) => Some(self.expr(*by)),
            Expr::Binary(BinOp::Add, by, old) if self.is_value(*old) => Some(self.expr(*by)),
            _ => None,
        };
        let mut around = self.around.clone();
        if !matches!(added, Some(Expr::Int { value: 1.., negative: false, .. })) {
            self.found.counts_up = false;
            around.push((self.number, added.is_some_and(|by| self.is_truth(by)).then_some(true)));
        }
        self.counts.push(around);
    }

    fn expr(&self, e: ExprId) -> &'a Expr {
        &self.code.exprs[e.index()].expr
    }

    /// What an expression may be: where it is a temporary, one of the values of that.
    fn values(&self, of: &'a Expr) -> Vec<&'a Expr> {
        let temp = match of {
            Expr::Load(place) => place.base.local().and_then(|local| self.temps.get(&local)),
            _ => None,
        };
        temp.cloned().unwrap_or_else(|| vec![of])
    }

    /// `usize::from(c)` of a condition, `(a < b) as usize`.
    fn is_truth(&self, of: &'a Expr) -> bool {
        let is_from = |call: &CallId| self.code.calls[call.index()].name.ends_with("from");
        self.values(of).into_iter().all(|of| match of {
            Expr::Cast { value, .. } => self.is_condition(*value),
            Expr::Call { call, args } => is_from(call) && matches!(args[..], [c] if self.is_condition(c)),
            _ => false,
        })
    }

    fn is_condition(&self, e: ExprId) -> bool {
        self.values(self.expr(e)).into_iter().all(|of| match of {
            Expr::Binary(op, ..) => op.compares() || matches!(op, BinOp::And | BinOp::Or),
            Expr::Unary(UnOp::Not, _) | Expr::Bool(_) => true,
            _ => false,
        })
    }

    /// Whether an expression reads the variable, also through temporaries.
    fn reads(&self, e: ExprId) -> bool {
        let (mut found, mut open, mut seen) = (false, vec![self.expr(e)], HashSet::new());
        while let Some(of) = open.pop() {
            if let Expr::Load(place) = of {
                found |= Root::of(place) == *self.root;
                let temp = place.base.local().filter(|local| seen.insert(*local));
                open.extend(temp.and_then(|local| self.temps.get(&local)).into_iter().flatten());
            }
            visit::of_expr(of, &mut |e| open.push(self.expr(e)));
        }
        found
    }

    /// Whether an expression is the value of the variable, also as another type.
    fn is_value(&self, e: ExprId) -> bool {
        match self.expr(e) {
            Expr::Cast { value, .. } => self.is_value(*value),
            Expr::Load(place) => {
                Root::of(place) == *self.root && place.projections.len() == self.root.fields.len()
            }
            _ => false,
        }
    }

    /// Whether an iteration that stores here may not count.
    fn is_left_out(&self, store: &Around) -> bool {
        let branch = self.counts.first().and_then(|count| count.get(store.len()));
        let in_branch = |count: &Around| count.starts_with(store) && count.get(store.len()) == branch;
        matches!(branch, Some((_, Some(_)))) && self.counts.iter().all(in_branch)
    }
}

/// The subscript of a place that has one, at its end.
fn only_subscript(place: &Place) -> Option<ExprId> {
    let (last, before) = place.projections.split_last()?;
    let Projection::Index { index, .. } = last else { return None };
    before.iter().all(|step| matches!(step, Projection::Field(_))).then_some(*index)
}
