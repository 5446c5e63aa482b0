//! The origin of a value: the item with a number of updates applied, or an expression that can be compared with another
//! one.
use super::{Operator, Update};
use crate::ids::{ExprId, LocalId};
use crate::template::{Base, BinOp, Expr, ReduceOp};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The value of an expression.
#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct Value {
    /// The loads of the item that it is made of.
    pub(super) loads: BTreeSet<ExprId>,
    /// The conditions that compare with the item, on which it depends.
    pub(super) claims: BTreeSet<ExprId>,
    pub(super) of: Of,
}

#[derive(Clone, Debug, PartialEq, Default)]
pub(super) enum Of {
    /// No item.
    #[default]
    Free,
    /// The item's old value, maybe combined with others.
    Item(Rc<Tree>, Option<Update>),
    /// The value of an element that has changed, or that is another by now.
    Moved,
    /// The item's value has no effect any more: an operator has absorbed it (`true` of `||`).
    Absorbed,
    /// The item's value in another way, or by this operator together with what depends on the item as well.
    Mixed(Option<ReduceOp>),
}

/// An expression with the values of variables in it: equal trees have one value, until something changes that they name.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// The node without its operands, without types that the operands imply and without numbers of subscripts; `None` where two branches
    /// have joined.
    pub(super) node: Option<Expr>,
    pub(super) operands: Vec<Rc<Tree>>,
    /// Where it stands.
    pub(super) at: ExprId,
    /// What it reads.
    pub(super) reads: BTreeSet<Base>,
    pub(super) size: usize,
}

impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size && self.node == other.node && self.operands == other.operands
    }
}

impl Eq for Tree {}
impl Tree {
    /// Variables keep no larger value: a tree that is computed from itself (`x = x + x`) doubles each time.
    pub(super) const LARGEST: usize = 4096;

    pub(super) fn new(node: Option<Expr>, operands: Vec<Rc<Self>>, at: ExprId) -> Rc<Self> {
        let mut reads: BTreeSet<Base> = operands.iter().flat_map(|o| o.reads.iter().copied()).collect();
        if let Some(Expr::Load(p) | Expr::Borrow(p) | Expr::Slice { base: p, .. }) = &node {
            reads.insert(p.base);
        }
        let size = operands.iter().map(|o| o.size).fold(1, usize::saturating_add);
        Rc::new(Self { node, operands, at, reads, size })
    }
}

#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct State {
    /// Temporaries that are made of the item.
    pub(super) forms: BTreeMap<LocalId, Value>,
    /// The current values of temporaries and of variables with a single assignment.
    pub(super) values: BTreeMap<LocalId, Rc<Tree>>,
    /// Conditions that hold, or do not.
    pub(super) under: Vec<(Rc<Tree>, bool)>,
}

impl Update {
    pub(super) fn by(by: Operator) -> Self {
        Self {
            by,
            turned: false,
            unordered: false,
            effects: false,
            shortens: false,
            names: BTreeSet::new(),
            negative: false,
        }
    }

    /// The same operator in two branches.
    pub(super) fn join(&self, other: &Self) -> Option<Self> {
        let by = match (&self.by, &other.by) {
            (Operator::Calls(a), Operator::Calls(b)) => Operator::Calls(a | b),
            (a, b) => (a == b).then(|| a.clone())?,
        };
        (self.negative == other.negative).then_some(Self {
            by,
            turned: self.turned | other.turned,
            unordered: self.unordered | other.unordered,
            effects: self.effects | other.effects,
            shortens: self.shortens | other.shortens,
            names: &self.names | &other.names,
            negative: self.negative,
        })
    }
}

impl Value {
    pub(super) fn join(&mut self, other: Self) {
        self.loads.extend(other.loads);
        self.claims.extend(other.claims);
        let of = match (std::mem::take(&mut self.of), other.of) {
            (Of::Absorbed, of) | (of, Of::Absorbed) => of,
            (Of::Free, Of::Free) => Of::Free,
            (Of::Item(item, a), Of::Item(same, b)) if item == same => match (a, b) {
                (Some(a), Some(b)) => a.join(&b).map_or(Of::Mixed(None), |both| Of::Item(item, Some(both))),
                (a, b) => Of::Item(item, a.or(b)),
            },
            (Of::Moved, Of::Moved) => Of::Moved,
            (a, b) => Of::Mixed(a.repeated().or(b.repeated()).filter(|op| a.is_by(*op) && b.is_by(*op))),
        };
        self.of = of;
    }

    /// Made of several values, in no way that is known.
    pub(super) fn mixed(values: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::default();
        for value in values {
            all.loads.extend(value.loads);
            all.claims.extend(value.claims);
        }
        if !all.loads.is_empty() {
            all.of = Of::Mixed(None);
        }
        all
    }

    /// `a ⊕ b`.
    pub(super) fn combined(op: BinOp, a: Self, b: Self) -> Self {
        let of = match (&a.of, &b.of, reduces(op)) {
            (Of::Item(item, u), Of::Free, Some(reduces)) => {
                updated(u, reduces, op == BinOp::Sub, false).map(|u| Of::Item(item.clone(), Some(u)))
            }
            (Of::Free, Of::Item(item, u), Some(reduces)) => {
                updated(u, reduces, true, op == BinOp::Sub).map(|u| Of::Item(item.clone(), Some(u)))
            }
            (Of::Moved, Of::Free, Some(_)) | (Of::Free, Of::Moved, Some(_)) => Some(Of::Moved),
            _ => None,
        };
        let repeated = reduces(op).filter(|by| op != BinOp::Sub && (a.of.is_by(*by) || b.of.is_by(*by)));
        let mut all = Self::mixed([a, b]);
        all.of = match (of, all.of) {
            (Some(of), _) => of,
            (None, Of::Mixed(_)) => Of::Mixed(repeated),
            (None, of) => of,
        };
        all
    }
}

impl Of {
    /// The operator by which the item is combined with what depends on it.
    const fn repeated(&self) -> Option<ReduceOp> {
        match self {
            Self::Mixed(op) => *op,
            _ => None,
        }
    }

    /// Whether it is the item, or the item combined by this operator.
    fn is_by(&self, op: ReduceOp) -> bool {
        match self {
            Self::Item(_, update) => update.as_ref().is_none_or(|u| u.by == Operator::Builtin(op)),
            of => of.repeated() == Some(op),
        }
    }
}

/// The reduction that an operator is a step of.
fn reduces(op: BinOp) -> Option<ReduceOp> {
    Some(match op {
        BinOp::Add | BinOp::Sub => ReduceOp::Add,
        BinOp::Mul => ReduceOp::Mul,
        BinOp::BitAnd => ReduceOp::BitAnd,
        BinOp::BitOr => ReduceOp::BitOr,
        BinOp::BitXor => ReduceOp::BitXor,
        BinOp::And => ReduceOp::And,
        BinOp::Or => ReduceOp::Or,
        _ => return None,
    })
}

/// An update of what is updated already.
pub(super) fn updated(before: &Option<Update>, op: ReduceOp, turned: bool, negates: bool) -> Option<Update> {
    let by = match before.as_ref().map(|u| &u.by) {
        None => op,
        Some(Operator::Builtin(other)) => match (op, other) {
            (ReduceOp::And | ReduceOp::BitAnd, ReduceOp::And | ReduceOp::BitAnd) if op != *other => {
                ReduceOp::And
            }
            (ReduceOp::Or | ReduceOp::BitOr, ReduceOp::Or | ReduceOp::BitOr) if op != *other => ReduceOp::Or,
            _ if op == *other => op,
            _ => return None,
        },
        Some(_) => return None,
    };
    let by = Operator::Builtin(by);
    let mut update = before.clone().unwrap_or_else(|| Update::by(by.clone()));
    update.by = by;
    update.turned |= turned;
    update.negative ^= negates;
    Some(update)
}
