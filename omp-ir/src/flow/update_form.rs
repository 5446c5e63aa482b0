//! Update forms: how assignments to an item use its old value.
//!
//! An assignment *updates* an item by an operator if the new value is the old one combined with operands that don't depend on
//! the item: `s = s ⊕ e`, `s = f(s, e)`, `s = s.max(e)`, `if e > s { s = e }`. A temporary may hold the old value on the way,
//! also in branches: its value is propagated to the assignment (copy propagation), as long as nothing changes what it is made of.
//!
//! A load of the item that is no part of an update is a read. An `if` that compares with the item may only update the item:
//! anything else would depend on the partial value of a thread.
mod comparisons;
mod values;

use super::early_exit::may_leave;
use super::{Pass, Walk, effects, value_numbering};
use crate::ids::{AccessId, CallId, ExprId, LocalId, SlotId, SrcId};
use crate::template::{
    Base, BinOp, Block, Check, Code, Combiner, Expr, Inner, LocalKind, NamedUpdate, Place, Projection,
    ReduceOp, Stmt,
};
use crate::visit;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use values::{Of, State, Tree, Value, updated};

/// The question that the pass answers.
pub struct Question<'a> {
    /// The arenas.
    pub code: &'a Code,
    /// The statements.
    pub block: &'a Block,
    /// The variable or array of the item.
    pub item: Base,
    /// The fields that lead to it.
    pub fields: &'a [String],
    /// Whether a call is of a method, or of a primitive's or the standard library's function of that name.
    pub library: &'a dyn Fn(CallId) -> bool,
    /// Whether two calls are of the same function.
    pub same: &'a dyn Fn(CallId, CallId) -> bool,
    /// The first slot that is certainly of the same type.
    pub ty: &'a dyn Fn(SlotId) -> SlotId,
}

/// Something that is done to the item.
#[derive(Clone, Debug)]
pub struct Use {
    /// Where.
    pub src: SrcId,
    /// The subscripts of the place.
    pub accesses: Vec<AccessId>,
    /// The expression that loads it, or whose value it is assigned.
    pub value: Option<ExprId>,
    /// What.
    pub kind: Kind,
}

impl Use {
    /// How it is assigned, if it is.
    #[must_use]
    pub fn form(&self) -> Option<&Form> {
        match &self.kind {
            Kind::Assigned(form) => Some(form),
            Kind::Read | Kind::Lent => None,
        }
    }
}

/// Kinds of use.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Its value is used otherwise than for an update.
    Read,
    /// It is lent by `&mut`.
    Lent,
    /// It is assigned.
    Assigned(Form),
}

/// How a new value is made of the old one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// It is the old one.
    Keep,
    /// The old value plays no part.
    Store,
    /// It is `true` or `false`.
    Constant(bool),
    /// It is made of another element, or of one that can't be shown to be the same.
    Elsewhere,
    /// By an operator.
    Update(Update),
    /// By this operator, with an operand that is made of the old value as well.
    Repeated(ReduceOp),
    /// In another way.
    Other,
}

/// An update by an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// The operator.
    pub by: Operator,
    /// The item is not the first operand, or is subtracted from.
    pub turned: bool,
    /// A comparison decides, so that a value is stored which is neither smaller nor larger than the old one.
    pub unordered: bool,
    /// Something else depends on a comparison with the item.
    pub effects: bool,
    /// An operand of `&&` or `||` has effects, but is not always evaluated.
    pub shortens: bool,
    /// The methods and operators by whose names it was recognised.
    pub names: BTreeSet<NamedUpdate>,
    negative: bool,
}

/// The operator of an update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operator {
    /// A built-in one. `-` is `Add`.
    Builtin(ReduceOp),
    /// Functions of two values; the item is the first.
    Calls(BTreeSet<CallId>),
    /// The declared operator of an inner nest's reduction.
    Declared(String),
}

/// Finds the uses of an item, in program order.
#[must_use]
pub fn uses(question: &Question<'_>) -> Vec<Use> {
    let mut forms = Forms {
        q: question,
        found: Vec::new(),
        ids: HashMap::new(),
        parts: HashMap::new(),
        bad: HashSet::new(),
        good: HashSet::new(),
        claimed: HashMap::new(),
        claims: HashMap::new(),
        chosen: HashMap::new(),
        keeps: HashSet::new(),
        tainted: BTreeSet::new(),
        conditions: HashMap::new(),
        short: HashMap::new(),
    };
    Walk::from(State::default()).block(&mut forms, question.block);
    forms.answer()
}

struct Forms<'a> {
    q: &'a Question<'a>,
    found: Vec<Found>,
    /// By load, by the value of an assignment, or by the nest that assigns.
    ids: HashMap<Key, usize>,
    /// By assignment: what its value is made of.
    parts: HashMap<usize, Value>,
    /// Loads whose value goes elsewhere.
    bad: HashSet<ExprId>,
    /// Loads whose value goes into assignments of the item.
    good: HashSet<ExprId>,
    /// Conditions by which the item is updated, and their loads of it.
    claimed: HashMap<ExprId, BTreeSet<ExprId>>,
    /// The values that are assigned by them.
    claims: HashMap<ExprId, BTreeSet<ExprId>>,
    /// The temporaries for which the branches of a condition have values that are assigned by another.
    chosen: HashMap<ExprId, LocalId>,
    /// Values that are the item's own.
    keeps: HashSet<ExprId>,
    /// Conditions on which something else depends.
    tainted: BTreeSet<ExprId>,
    conditions: HashMap<ExprId, Condition>,
    /// By the condition of what `&&` and `||` are lowered to: the temporary, what it was, and whether the other side has effects.
    short: HashMap<ExprId, (LocalId, Value, bool)>,
}

struct Found {
    of: Use,
    load: Option<ExprId>,
}

struct Condition {
    tree: Rc<Tree>,
    loads: BTreeSet<ExprId>,
    /// The statements under it only update the item by it.
    benign: bool,
    /// The values of variables at the end of both branches, if the value of the condition has not changed.
    values: Option<[BTreeMap<LocalId, Rc<Tree>>; 2]>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Expr(ExprId),
    Assigned(ExprId),
    Nest(SrcId),
}

impl<'a> Forms<'a> {
    fn expr(&self, e: ExprId) -> &'a Expr {
        &self.q.code.exprs[e.index()].expr
    }

    fn is_temp(&self, local: LocalId) -> bool {
        self.q.code.locals[local.index()].kind == LocalKind::Temp
    }

    /// The temporary that a place is.
    fn temp(&self, place: &Place) -> Option<LocalId> {
        match place.base {
            Base::Local(l) if place.projections.is_empty() && self.is_temp(l) => Some(l),
            _ => None,
        }
    }

    /// Whether a place is the item, or an element of it. (A field of it is another place.)
    fn is_item(&self, place: &Place) -> bool {
        let mut steps = place.projections.iter();
        let leads = |name: &String| matches!(steps.next(), Some(Projection::Field(field)) if field == name);
        let leads = place.base == self.q.item && self.q.fields.iter().all(leads);
        leads && !matches!(steps.next(), Some(Projection::Field(_)))
    }

    fn record(&mut self, key: Key, of: Use, load: Option<ExprId>) -> usize {
        let next = self.found.len();
        let at = *self.ids.entry(key).or_insert(next);
        if at == next {
            self.found.push(Found { of, load });
        } else {
            self.found[at].of = of;
        }
        at
    }

    fn used(place: &Place, src: SrcId, value: Option<ExprId>, kind: Kind) -> Use {
        let accesses = place.projections.iter().filter_map(|p| match p {
            Projection::Index { access, .. } => Some(*access),
            Projection::Field(_) | Projection::Payload => None,
        });
        Use { src, accesses: accesses.collect(), value, kind }
    }

    // ------------------------------------------------------------------------------------------ equal values

    fn tree(&self, state: &State, e: ExprId) -> Rc<Tree> {
        let mut node = self.expr(e).clone();
        if let Expr::Load(Place { base: Base::Local(l), projections }) = &node
            && let (true, Some(value)) = (projections.is_empty(), state.values.get(l))
        {
            return value.clone();
        }
        let mut operands = Vec::new();
        visit::of_expr(&node, &mut |e| operands.push(self.tree(state, e)));
        value_numbering::bare(&mut node, self.q.same, self.q.ty);
        Tree::new(Some(node), operands, e)
    }

    /// This may have another value from here on.
    fn changes(&self, state: &mut State, base: Base) {
        let another_name = match base {
            Base::Local(l) => {
                matches!(self.q.code.locals[l.index()].kind, LocalKind::Slice | LocalKind::Ref)
            }
            Base::Array(_) | Base::Scalar(_) | Base::Const(_) => false,
        };
        // Of any array or variable.
        let stays = |tree: &Tree| !another_name && !tree.reads.contains(&base);
        state.values.retain(|_, tree| stays(tree));
        state.under.retain(|(tree, _)| stays(tree));
        for form in state.forms.values_mut() {
            if matches!(&form.of, Of::Item(item, _) if !stays(item)) {
                form.of = Of::Moved;
            }
        }
    }

    // ------------------------------------------------------------------------------------------ values

    fn goes_elsewhere(&mut self, value: &Value) {
        self.bad.extend(value.loads.iter().copied());
    }

    fn indices(&mut self, state: &mut State, place: &Place) {
        let mut all = Vec::new();
        visit::of_place(place, &mut |e| all.push(e));
        for index in all {
            let value = self.value(state, index);
            self.goes_elsewhere(&value);
        }
    }

    fn value(&mut self, state: &mut State, e: ExprId) -> Value {
        let code = self.q.code;
        let node = &code.exprs[e.index()];
        match &node.expr {
            Expr::Load(place) => {
                self.indices(state, place);
                if self.is_item(place) {
                    self.record(Key::Expr(e), Self::used(place, node.src, Some(e), Kind::Read), Some(e));
                    let of = Of::Item(self.tree(state, e), None);
                    return Value { loads: BTreeSet::from([e]), of, ..Value::default() };
                }
                let Base::Local(l) = place.base else { return Value::default() };
                let value = state.forms.get(&l).cloned().unwrap_or_default();
                if place.projections.is_empty() { value } else { Value::mixed([value]) }
            }
            Expr::Borrow(place) | Expr::Slice { base: place, .. } => {
                self.indices(state, place);
                let mutable = !matches!(node.expr, Expr::Slice { mutable: false, .. });
                if self.is_item(place) {
                    let kind = if mutable { Kind::Lent } else { Kind::Read };
                    self.record(Key::Expr(e), Self::used(place, node.src, None, kind), None);
                }
                let mut bounds = Vec::new();
                visit::of_expr(&node.expr, &mut |e| bounds.push(e));
                for bound in bounds {
                    let value = self.value(state, bound);
                    self.goes_elsewhere(&value);
                }
                Value::default()
            }
            Expr::Len(place) => {
                self.indices(state, place);
                Value::default()
            }
            Expr::Binary(op, a, b) => {
                let assigns = self.q.code.operators.iter().find(|o| o.expr == e && o.assigns);
                let (a, mut b) = (self.value(state, *a), self.value(state, *b));
                if assigns.is_some() && matches!(a.of, Of::Item(..)) {
                    // `s += s`
                    self.goes_elsewhere(&std::mem::take(&mut b));
                }
                let mut value = Value::combined(*op, a, b);
                if let (Some(assigns), Of::Item(_, Some(update))) = (assigns, &mut value.of)
                    && let Operator::Builtin(op) = update.by
                {
                    update.names.insert(NamedUpdate { call: assigns.call, src: node.src, op, operand: None });
                }
                value
            }
            Expr::Call { call, args } => {
                let values: Vec<Value> = args.iter().map(|a| self.value(state, *a)).collect();
                self.called(*call, node.src, values)
            }
            other => {
                let mut operands = Vec::new();
                visit::of_expr(other, &mut |e| operands.push(e));
                Value::mixed(operands.into_iter().map(|e| self.value(state, e)).collect::<Vec<_>>())
            }
        }
    }

    /// `key.max(e)`, `f64::max(e, key)`, `a.mul_add(b, key)`, `f(key, e)`.
    fn called(&mut self, call: CallId, src: SrcId, mut values: Vec<Value>) -> Value {
        let library = (self.q.library)(call);
        let name = self.q.code.calls[call.index()].name.as_str();
        if library && name == "len" {
            // The length of a fixed array depends on its type, not on its elements.
            values.iter().for_each(|v| self.good.extend(v.loads.iter().copied()));
            return Value::default();
        }
        let op = match (name, values.len()) {
            _ if !library => None,
            ("max", 2) => Some(ReduceOp::Max),
            ("min", 2) => Some(ReduceOp::Min),
            ("wrapping_add" | "wrapping_sub", 2) | ("mul_add", 3) => Some(ReduceOp::Add),
            ("wrapping_mul", 2) => Some(ReduceOp::Mul),
            _ => None,
        };
        if op.is_some() && matches!(values[0].of, Of::Item(..)) {
            // `s.max(s)`
            values[1..].iter_mut().for_each(|v| self.goes_elsewhere(&std::mem::take(v)));
        }
        let others_free = |at: usize| values.iter().enumerate().all(|(n, v)| n == at || v.of == Of::Free);
        let found = values.iter().position(|v| matches!(v.of, Of::Item(..))).filter(|at| others_free(*at));
        let of = found.and_then(|at| {
            let Of::Item(item, before) = &values[at].of else { return None };
            let update = match op {
                Some(op) => {
                    let fits = match name {
                        "mul_add" => at == 2,
                        "wrapping_sub" => at == 0,
                        _ => true,
                    };
                    let mut update = fits.then(|| updated(before, op, at != 0, false)).flatten();
                    if let Some(update) = &mut update {
                        update.names.insert(NamedUpdate { call, src, op, operand: Some(at as u32) });
                    }
                    update
                }
                None if !library && at == 0 && values.len() == 2 && before.is_none() => {
                    Some(Update::by(Operator::Calls(BTreeSet::from([call]))))
                }
                None => None,
            };
            Some(Of::Item(item.clone(), Some(update?)))
        });
        let mut all = Value::mixed(values);
        all.of = of.unwrap_or(all.of);
        all
    }

    /// Whether an expression lends something by `&mut`.
    fn lends(&self, e: ExprId) -> bool {
        !self.lent(e).is_empty()
    }

    /// What an expression lends by `&mut`.
    fn lent(&self, e: ExprId) -> Vec<Base> {
        let mut found = Vec::new();
        effects::lent(self.q.code, e, &mut |base| found.push(base));
        found
    }

    // ------------------------------------------------------------------------------------------ assignments

    fn assign(&mut self, state: &mut State, place: &Place, value: ExprId, src: SrcId) {
        let mut made = self.value(state, value);
        self.indices(state, place);
        if let Some(temp) = self.temp(place).filter(|_| !self.is_item(place)) {
            if made.of == Of::Free {
                let new = self.tree(state, value);
                made = self.replaces(state, &new, value, None).unwrap_or(made);
            } else if matches!(made.of, Of::Item(_, None)) {
                self.keeps.insert(value);
            }
            self.claims.insert(value, made.claims.clone());
            self.set(state, temp, Some(value), made);
            return;
        }
        if !self.is_item(place) {
            self.goes_elsewhere(&made);
            self.changes(state, place.base);
            return;
        }
        let target = self.tree_of(state, place, value);
        if made.of == Of::Free {
            let new = self.tree(state, value);
            made = self.replaces(state, &new, value, Some(&target)).unwrap_or(made);
        }
        let form = match &made.of {
            Of::Free | Of::Absorbed => match self.tree(state, value).node {
                Some(Expr::Bool(constant)) => Form::Constant(constant),
                _ => Form::Store,
            },
            Of::Moved => Form::Elsewhere,
            Of::Item(item, _) if *item != target => Form::Elsewhere,
            Of::Item(_, None) => Form::Keep,
            Of::Item(_, Some(update)) if !update.negative => Form::Update(update.clone()),
            Of::Mixed(Some(op)) => Form::Repeated(*op),
            Of::Item(..) | Of::Mixed(None) => Form::Other,
        };
        match form {
            Form::Elsewhere => self.goes_elsewhere(&made),
            _ => self.good.extend(made.loads.iter().copied()),
        }
        self.claims.insert(value, made.claims.clone());
        if form == Form::Keep {
            self.keeps.insert(value);
        }
        let of = Self::used(place, src, Some(value), Kind::Assigned(form));
        let at = self.record(Key::Assigned(value), of, None);
        self.parts.insert(at, made);
        self.changes(state, place.base);
    }

    fn tree_of(&self, state: &State, place: &Place, at: ExprId) -> Rc<Tree> {
        let mut place = place.clone();
        let mut operands = Vec::new();
        for step in &mut place.projections {
            if let Projection::Index { index, access } = step {
                operands.push(self.tree(state, *index));
                (*index, *access) = (ExprId(0), AccessId(0));
            }
        }
        Tree::new(Some(Expr::Load(place)), operands, at)
    }

    fn set(&self, state: &mut State, temp: LocalId, value: Option<ExprId>, made: Value) {
        let base = Base::Local(temp);
        let tree = value.filter(|v| !self.lends(*v)).map(|v| self.tree(state, v));
        self.changes(state, base);
        state.values.remove(&temp);
        if let Some(tree) = tree.filter(|tree| !tree.reads.contains(&base) && tree.size <= Tree::LARGEST) {
            state.values.insert(temp, tree);
        }
        state.forms.remove(&temp);
        if made != Value::default() {
            state.forms.insert(temp, made);
        }
    }

    /// `let t = a; if t { …; t = b; }`, which is `a && b`; of `a || b`, the statements are in the other branch.
    fn short_circuit(&self, stmt: &Stmt) -> Option<(ExprId, LocalId, bool)> {
        let Stmt::If { cond, then, els } = stmt else { return None };
        let Expr::Load(place) = self.expr(*cond) else { return None };
        let temp = self.temp(place)?;
        let block = match (then.0.is_empty(), els.0.is_empty()) {
            (false, true) => then,
            (true, false) => els,
            _ => return None,
        };
        let (Stmt::Assign { place, .. }, before) = block.0.split_last()? else { return None };
        let effects = may_leave(before, &mut Vec::new())
            || !self.only_updates(&Block(before.to_vec()), None, &mut HashSet::new());
        (self.temp(place) == Some(temp)).then_some((*cond, temp, effects))
    }

    fn answer(mut self) -> Vec<Use> {
        for (at, made) in &self.parts {
            let compares = !made.claims.is_empty();
            if made.claims.is_disjoint(&self.tainted)
                && !(compares && made.loads.iter().any(|l| self.bad.contains(l)))
            {
                continue;
            }
            if let Kind::Assigned(Form::Update(update)) = &mut self.found[*at].of.kind {
                update.effects = true;
            }
        }
        let (good, bad) = (self.good, self.bad);
        let stays =
            |found: &Found| found.load.is_none_or(|load| bad.contains(&load) || !good.contains(&load));
        self.found.into_iter().filter(stays).map(|found| found.of).collect()
    }
}

impl Pass for Forms<'_> {
    type State = State;

    fn code(&self) -> &Code {
        self.q.code
    }

    fn join(a: &mut State, b: State) {
        let mut forms = b.forms;
        for (temp, value) in &mut a.forms {
            value.join(forms.remove(temp).unwrap_or_default());
        }
        for (temp, mut value) in forms {
            value.join(Value::default());
            a.forms.insert(temp, value);
        }
        a.values.retain(|local, tree| b.values.get(local) == Some(tree));
        a.under.retain(|known| b.under.contains(known));
    }

    fn stmt(&mut self, state: &mut State, stmt: &Stmt) {
        match stmt {
            Stmt::Let { local, init } => {
                let made = init.map(|e| self.value(state, e)).unwrap_or_default();
                if self.is_temp(*local) {
                    self.set(state, *local, *init, made);
                } else {
                    self.goes_elsewhere(&made);
                    let keeps = !self.q.code.locals[local.index()].mutable && made.loads.is_empty();
                    self.set(state, *local, init.filter(|_| keeps), Value::default());
                }
            }
            Stmt::Assign { place, value, src } => self.assign(state, place, *value, *src),
            Stmt::If { cond, .. } => {
                let value = self.value(state, *cond);
                self.claimed.remove(cond);
                self.tainted.remove(cond);
                if let Some((cond, temp, effects)) = self.short_circuit(stmt) {
                    let before = state.forms.get(&temp).cloned().unwrap_or_default();
                    self.short.insert(cond, (temp, before, effects));
                }
                let tree = Rc::new(Tree { at: *cond, ..(*self.tree(state, *cond)).clone() });
                self.conditions
                    .insert(*cond, Condition { loads: value.loads, tree, benign: true, values: None });
            }
            Stmt::Atomic { place, src, .. } => {
                self.indices(state, place);
                if self.is_item(place) {
                    self.record(Key::Nest(*src), Self::used(place, *src, None, Kind::Read), None);
                }
                self.changes(state, place.base);
            }
            // What is checked is evaluated as well.
            Stmt::Check {
                check:
                    Check::Bounds { .. }
                    | Check::Slice { .. }
                    | Check::Divide { .. }
                    | Check::Claim { .. }
                    | Check::Step { .. },
                ..
            } => {}
            Stmt::Eval(_)
            | Stmt::For { .. }
            | Stmt::Loop { .. }
            | Stmt::Labelled { .. }
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::Return(_)
            | Stmt::Inner(_)
            | Stmt::Check { check: Check::Panic { .. }, .. } => {
                let mut all = Vec::new();
                visit::of_stmt(stmt, &mut |e| all.push(e));
                for e in all {
                    let value = self.value(state, e);
                    self.goes_elsewhere(&value);
                }
            }
        }
        visit::of_stmt(stmt, &mut |e| self.lent(e).into_iter().for_each(|base| self.changes(state, base)));
    }

    fn branch(&mut self, walk: &mut Walk<Self>, cond: ExprId, holds: bool, block: &Block) {
        // Control may not come here.
        let (Some(state), Some(condition)) = (&mut walk.state, self.conditions.get(&cond)) else {
            return walk.block(self, block);
        };
        let known = (condition.tree.clone(), holds);
        state.under.push(known.clone());
        let short = self.short.get(&cond).cloned();
        walk.block(self, block);
        if let (Some(state), Some((temp, before, effects))) = (&mut walk.state, short) {
            let op = if block.0.is_empty() != holds { BinOp::And } else { BinOp::Or };
            let after = match (block.0.is_empty(), before.of == Of::Free) {
                (true, true) => Value { of: Of::Absorbed, ..before },
                (true, false) => Value::combined(op, before, Value::default()),
                (false, _) => {
                    let after = state.forms.get(&temp).cloned().unwrap_or_default();
                    Value::combined(op, before, after)
                }
            };
            let after = match after {
                Value { of: Of::Item(item, Some(update)), loads, claims } => {
                    let shortens = update.shortens || effects;
                    Value { of: Of::Item(item, Some(Update { shortens, ..update })), loads, claims }
                }
                after => after,
            };
            state.forms.insert(temp, after);
        }
        let benign = self.only_updates(block, Some(cond), &mut HashSet::new());
        let Some(condition) = self.conditions.get_mut(&cond) else { return };
        condition.benign &= benign;
        let values = walk.state.as_mut().and_then(|state| {
            let worth = state.under.contains(&known).then(|| state.values.clone());
            state.under.retain(|other| *other != known);
            worth
        });
        condition.values = match (holds, condition.values.take(), values) {
            (true, _, Some(then)) => Some([then, BTreeMap::new()]),
            (false, Some([then, _]), Some(els)) => Some([then, els]),
            _ => None,
        };
        if !holds && !self.short.contains_key(&cond) {
            self.decided(cond);
        }
    }

    fn joined(&mut self, state: &mut State, cond: ExprId) {
        let Some(Condition { values: Some([then, els]), tree, .. }) = self.conditions.remove(&cond) else {
            return;
        };
        for (local, then) in then {
            if let (false, Some(els)) = (state.values.contains_key(&local), els.get(&local)) {
                let operands = vec![tree.clone(), then, els.clone()];
                let chosen = Tree::new(None, operands, cond);
                if chosen.size > Tree::LARGEST {
                    continue;
                }
                if self.is_temp(local)
                    && !state.forms.contains_key(&local)
                    && let Some(made) = self.replaces(state, &chosen, cond, None)
                {
                    state.forms.insert(local, made);
                    self.chosen.insert(cond, local);
                }
                state.values.insert(local, chosen);
            }
        }
    }

    fn inner(&mut self, walk: &mut Walk<Self>, inner: &Inner) {
        let before = walk.state.clone();
        walk.block(self, &inner.body);
        super::meet::<Self>(&mut walk.state, before);
        let item = |local: LocalId| Base::Local(local) == self.q.item && self.q.fields.is_empty();
        let reduced = inner.reductions.iter().find(|r| item(r.target));
        let form = match reduced.map(|r| &r.op) {
            Some(Combiner::Builtin(op)) => Some(Form::Update(Update::by(Operator::Builtin(*op)))),
            Some(Combiner::Declared(name)) => {
                Some(Form::Update(Update::by(Operator::Declared(name.clone()))))
            }
            None => inner.lasts.iter().any(|last| item(last.target)).then_some(Form::Store),
        };
        if let Some(form) = form {
            let of = Use { src: inner.src, accesses: Vec::new(), value: None, kind: Kind::Assigned(form) };
            self.record(Key::Nest(inner.src), of, None);
        }
        if let Some(state) = &mut walk.state {
            let targets =
                inner.reductions.iter().map(|r| r.target).chain(inner.lasts.iter().map(|l| l.target));
            targets.for_each(|target| self.changes(state, Base::Local(target)));
        }
    }
}

impl Forms<'_> {
    /// After both branches: what the item was read for.
    fn decided(&mut self, cond: ExprId) {
        let Some(condition) = self.conditions.get(&cond) else { return };
        let claimed = self.claimed.get(&cond).cloned().unwrap_or_default();
        let taints = !condition.benign && !claimed.is_empty();
        let bad: Vec<ExprId> =
            condition.loads.iter().filter(|load| taints || !claimed.contains(load)).copied().collect();
        self.bad.extend(bad);
        if taints {
            self.tainted.insert(cond);
        }
    }
}
