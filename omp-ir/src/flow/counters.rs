//! Counters: variables that number the elements which a loop stores, as in `if c { y[n] = v; n += 1; }`.
//!
//! An iteration that stores to `y[n]` and does not count leaves `n` to the next one, which stores to the same element. A store
//! is reported as such if the conditions around it are those around all counts but for one branch, or if a `continue` stands
//! between it and the counts. (Of conditions that stand apart the pass does not know whether they are the same.)
use super::effects;
use super::recurrence::Root;
use crate::ids::{ExprId, LabelId, LocalId, SrcId};
use crate::template::{BinOp, Block, Code, Expr, LocalKind, Place, Projection, Stmt, UnOp};
use crate::visit;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A variable from outside of a block to which the block adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The variable.
    pub root: Root,
    /// Every assignment of it, or of a part of it, adds a literal above zero.
    pub counts_up: bool,
    /// It stands in a subscript of a store.
    pub places: bool,
    /// A condition reads it.
    pub decides: bool,
    /// A store to the element of its number, in an iteration that may not count.
    pub uncounted: Option<SrcId>,
}

/// Finds the counters of a block, in the order in which they are first added to.
#[must_use]
pub fn counters(code: &Code, block: &Block) -> Vec<Counter> {
    let mut walk = Walk {
        code,
        own: effects::bound_in(block),
        temps: HashMap::new(),
        around: Vec::new(),
        at: 0,
        counts: BTreeMap::new(),
        order: Vec::new(),
        changes: Vec::new(),
        stores: Vec::new(),
        exits: Vec::new(),
        conditions: Vec::new(),
    };
    walk.block(block);
    walk.order.iter().map(|root| walk.counter(root)).collect()
}

/// What a statement stands in.
#[derive(Clone, PartialEq)]
enum Around {
    /// The `if` of this number, and whether its condition holds.
    Branch(usize, bool),
    Loop(LabelId),
    /// A number that is 0 or 1 is added, in the statement of this number: `n += usize::from(c);`
    Truth(usize),
    /// The variable changes in another way.
    Unknown,
}

/// A statement and all that it stands in.
struct Event<T> {
    around: Vec<Around>,
    at: usize,
    what: T,
}

/// A store to an element.
struct Store<'a> {
    place: &'a Place,
    src: SrcId,
    /// It is `y[n] = …`, not `y[n] += …`, and iterations share `y`.
    overwrites: bool,
}

struct Walk<'a> {
    code: &'a Code,
    /// The variables of the block.
    own: HashSet<LocalId>,
    /// The values of temporaries.
    temps: HashMap<LocalId, Vec<ExprId>>,
    around: Vec<Around>,
    at: usize,
    counts: BTreeMap<Root, Vec<Event<()>>>,
    /// The variables to which the block adds.
    order: Vec<Root>,
    /// What is changed otherwise than by adding a literal.
    changes: Vec<Root>,
    stores: Vec<Event<Store<'a>>>,
    /// What ends the iteration of the block, or of this loop.
    exits: Vec<Event<Option<LabelId>>>,
    conditions: Vec<ExprId>,
}

impl<'a> Walk<'a> {
    fn event<T>(&self, what: T) -> Event<T> {
        Event { around: self.around.clone(), at: self.at, what }
    }

    fn within(&mut self, around: Around, block: &'a Block) {
        self.around.push(around);
        self.block(block);
        self.around.pop();
    }

    fn block(&mut self, block: &'a Block) {
        block.0.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        self.at += 1;
        visit::of_stmt(stmt, &mut |root| {
            effects::borrowed(self.code, root, &mut |base| {
                self.changes.push(Root { base, fields: Vec::new() });
            });
        });
        match stmt {
            Stmt::Let { local, init: Some(init) } => self.temp(*local, *init),
            Stmt::Assign { place, value, src } => self.assign(place, *value, *src),
            Stmt::Atomic { place, .. } => self.changes.push(Root::of(place)),
            Stmt::If { cond, then, els } => {
                self.conditions.push(*cond);
                let at = self.at;
                self.within(Around::Branch(at, true), then);
                self.within(Around::Branch(at, false), els);
            }
            Stmt::For { label, body, .. } | Stmt::Loop { label, body } => {
                self.within(Around::Loop(*label), body);
            }
            Stmt::Labelled { body, .. } => self.block(body),
            Stmt::Inner(inner) => self.block(&inner.body),
            Stmt::Continue(label) => self.exits.push(self.event(Some(*label))),
            Stmt::Return(_) => self.exits.push(self.event(None)),
            Stmt::Let { init: None, .. } | Stmt::Eval(_) | Stmt::Break(_) | Stmt::Check { .. } => {}
        }
    }

    fn temp(&mut self, local: LocalId, value: ExprId) {
        if self.code.locals[local.index()].kind == LocalKind::Temp {
            self.temps.entry(local).or_default().push(value);
        }
    }

    fn assign(&mut self, place: &'a Place, value: ExprId, src: SrcId) {
        let root = Root::of(place);
        let own = place.base.local().filter(|local| self.own.contains(local));
        if root.fields.len() < place.projections.len() {
            let updates = self.code.operators.iter().any(|o| o.expr == value && o.assigns);
            self.stores.push(self.event(Store { place, src, overwrites: own.is_none() && !updates }));
        } else if let Some(local) = own {
            self.temp(local, value);
        } else {
            self.count(root, place, value);
        }
    }

    /// An assignment of a variable from outside.
    fn count(&mut self, root: Root, place: &Place, value: ExprId) {
        let added = match self.expr(value) {
            Expr::Binary(BinOp::Add, old, by) if matches!(self.expr(*old), Expr::Load(p) if p == place) => {
                Some(*by)
            }
            _ => None,
        };
        let how = match added {
            Some(by) if matches!(self.expr(by), Expr::Int { value: 1.., negative: false, .. }) => None,
            Some(by) if self.is_truth(by) => Some(Around::Truth(self.at)),
            _ => Some(Around::Unknown),
        };
        if added.is_some() && !self.order.contains(&root) {
            self.order.push(root.clone());
        }
        if how.is_some() {
            self.changes.push(root.clone());
        }
        let mut event = self.event(());
        event.around.extend(how);
        self.counts.entry(root).or_default().push(event);
    }

    fn expr(&self, e: ExprId) -> &'a Expr {
        &self.code.exprs[e.index()].expr
    }

    /// `usize::from(c)` of a condition, `(a < b) as usize`.
    fn is_truth(&self, e: ExprId) -> bool {
        self.is_always(e, &|of| match of {
            Expr::Cast { value, .. } => self.is_condition(*value),
            Expr::Call { call, args } => {
                let is_from = self.code.calls[call.index()].name.ends_with("from");
                is_from && matches!(args[..], [value] if self.is_condition(value))
            }
            _ => false,
        })
    }

    fn is_condition(&self, e: ExprId) -> bool {
        self.is_always(e, &|of| match of {
            Expr::Binary(op, ..) => op.compares() || matches!(op, BinOp::And | BinOp::Or),
            Expr::Unary(UnOp::Not, _) | Expr::Bool(_) => true,
            _ => false,
        })
    }

    /// Whether an expression is of this kind, or a temporary with such values alone.
    fn is_always(&self, e: ExprId, is: &dyn Fn(&Expr) -> bool) -> bool {
        let temp = match self.expr(e) {
            Expr::Load(place) => place.base.local().and_then(|local| self.temps.get(&local)),
            _ => None,
        };
        temp.map_or_else(|| is(self.expr(e)), |values| values.iter().all(|value| is(self.expr(*value))))
    }

    /// Whether an expression reads a variable, also through temporaries.
    fn reads(&self, e: ExprId, root: &Root) -> bool {
        let (mut found, mut open, mut seen) = (false, vec![e], HashSet::new());
        while let Some(e) = open.pop() {
            visit::each_expr(self.code, e, &mut |e| {
                let Expr::Load(place) = self.expr(e) else { return };
                found |= Root::of(place) == *root;
                let temp = place.base.local().filter(|local| seen.insert(*local));
                open.extend(temp.and_then(|local| self.temps.get(&local)).into_iter().flatten());
            });
        }
        found
    }

    /// Whether an expression is the value of a variable, also as another type.
    fn is_value(&self, e: ExprId, root: &Root) -> bool {
        match self.expr(e) {
            Expr::Cast { value, .. } => self.is_value(*value, root),
            Expr::Load(place) => Root::of(place) == *root && place.projections.len() == root.fields.len(),
            _ => false,
        }
    }

    fn counter(&self, root: &Root) -> Counter {
        let counts = &self.counts[root];
        let uncounted = self.stores.iter().filter(|store| {
            store.what.overwrites
                && only_subscript(store.what.place).is_some_and(|index| self.is_value(index, root))
                && self.is_left_out(store, counts)
        });
        let places = |store: &Event<Store<'_>>| {
            only_subscript(store.what.place).is_some_and(|index| self.reads(index, root))
        };
        Counter {
            root: root.clone(),
            counts_up: !self.changes.iter().any(|other| other.overlaps(root))
                && !self.counts.keys().any(|other| other != root && other.overlaps(root)),
            places: self.stores.iter().any(places),
            decides: self.conditions.iter().any(|cond| self.reads(*cond, root)),
            uncounted: uncounted.map(|store| store.what.src).next(),
        }
    }

    /// Whether an iteration that stores here may not count.
    fn is_left_out(&self, store: &Event<Store<'_>>, counts: &[Event<()>]) -> bool {
        let depth = store.around.len();
        let branch = counts[0].around.get(depth);
        let in_branch = matches!(branch, Some(Around::Branch(..) | Around::Truth(_)))
            && counts.iter().all(|c| c.around.starts_with(&store.around) && c.around.get(depth) == branch);
        // `y[n] = …; if c { continue; } n += 1;`
        let between = counts.iter().all(|count| {
            store.around.starts_with(&count.around)
                && self.exits.iter().any(|exit| {
                    let ends = exit.what.is_none_or(|label| count.around.contains(&Around::Loop(label)));
                    ends && (store.at..count.at).contains(&exit.at)
                        && exit.around.len() > count.around.len()
                        && exit.around.starts_with(&count.around)
                })
        });
        in_branch || between
    }
}

/// The subscript of a place that has one, at its end.
fn only_subscript(place: &Place) -> Option<ExprId> {
    let mut steps = place.projections.iter().rev();
    let Some(Projection::Index { index, .. }) = steps.next() else { return None };
    steps.all(|step| matches!(step, Projection::Field(_))).then_some(*index)
}
