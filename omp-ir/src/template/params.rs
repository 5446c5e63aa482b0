//! Parameters and results of a region: arrays, scalars, loops, reduction items.
use crate::ids::{ArrayId, CallId, ExprId, LocalId, ScalarId, SlotId, SrcId};
use serde::{Deserialize, Serialize};

/// A mapped array.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArrayParam {
    /// As the user wrote it: `x`, `self.cells`.
    pub name: String,
    /// Whether a `map` gave a section: then an access outside of it is an error and the launch passes its bounds.
    pub section: bool,
    /// The map type, `None` for an implicit map.
    pub map: Option<MapType>,
    /// The body stores through it (or passes it to something that may).
    pub written: bool,
    /// The body loads from it.
    pub read: bool,
}

/// Map types of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum MapType {
    To,
    From,
    ToFrom,
    Alloc,
}

/// A captured scalar: a local of the host function, or a field path such as `self.gain`, passed by value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScalarParam {
    /// As the user wrote it.
    pub name: String,
    /// Its type.
    pub slot: SlotId,
    /// The array parameter for the same capture, if only the type determines whether it is an array: one of the two parameters has the
    /// value, the other is empty.
    pub array: Option<ArrayId>,
}

/// One parallel loop: `for var in range`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dim {
    /// The loop variable; its type is that of the range.
    pub var: LocalId,
    /// The range. If [`Self::host`], the launch gives first value, step and count as numbers and the expressions
    /// serve analysis only.
    pub range: Range,
    /// The bounds depend on no outer loop variable: the host evaluates them.
    pub host: bool,
    /// The place of the range.
    pub src: SrcId,
}

/// `lo..hi` or `lo..=hi` with adaptors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// First bound; `None` when the expression is beyond the template (host-evaluated only).
    pub lo: Option<ExprId>,
    /// Second bound.
    pub hi: Option<ExprId>,
    /// `..=`
    pub inclusive: bool,
    /// `.rev()` and `.step_by(s)` in the order written.
    pub adaptors: Vec<Adaptor>,
}

/// An adaptor of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Adaptor {
    /// `.rev()`
    Rev,
    /// `.step_by(s)`; `s` is `None` when host-evaluated only.
    StepBy(Option<ExprId>),
}

/// A reduction item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reduction {
    /// As the user wrote it.
    pub name: String,
    /// The operator.
    pub op: Combiner,
    /// What the body updates.
    pub item: ReductionItem,
    /// The value of the item before the loop, for `min` and `max`: of floats, copies start from it, not from the
    /// infinity that is the identity and would hide a NaN.
    pub start: Option<ScalarId>,
    /// Some update has the item on the right, or subtracts from it: only an operator that commutes allows that.
    pub turned: bool,
    /// `reproducible` was given.
    pub reproducible: bool,
}

/// What a reduction's updates go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReductionItem {
    /// The private copy of a scalar, which starts at the operator's identity in each thread.
    Local(LocalId),
    /// Each element of a mapped array (of its section, if it has one) by itself. The body updates the elements as if
    /// no other iteration does; the kernel gives each thread elements of its own, or makes the updates atomic.
    Array(ArrayId),
}

impl Reduction {
    /// The reduction of a scalar by a built-in operator.
    #[must_use]
    pub const fn of_local(name: String, op: ReduceOp, local: LocalId) -> Self {
        Self {
            name,
            op: Combiner::Builtin(op),
            item: ReductionItem::Local(local),
            start: None,
            turned: false,
            reproducible: false,
        }
    }

    /// The private copy, of a scalar.
    #[must_use]
    pub const fn local(&self) -> Option<LocalId> {
        match self.item {
            ReductionItem::Local(local) => Some(local),
            ReductionItem::Array(_) => None,
        }
    }

    /// The array, of array items.
    #[must_use]
    pub const fn array(&self) -> Option<ArrayId> {
        match self.item {
            ReductionItem::Local(_) => None,
            ReductionItem::Array(array) => Some(array),
        }
    }
}

/// The operator of a reduction as the clause names it. A built-in symbol may still turn out to be a declared operator
/// of the item's type: [`CodeTypes::operators`](crate::kernel::CodeTypes::operators).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Combiner {
    /// `+`, `max`, …
    Builtin(ReduceOp),
    /// The name of a declared reduction.
    Declared(String),
}

impl Combiner {
    /// The built-in operator of this symbol.
    #[must_use]
    pub const fn builtin(&self) -> Option<ReduceOp> {
        match self {
            Self::Builtin(op) => Some(*op),
            Self::Declared(_) => None,
        }
    }

    /// The operator as the clause writes it.
    #[must_use]
    pub fn symbol(&self) -> &str {
        match self {
            Self::Builtin(op) => op.symbol(),
            Self::Declared(name) => name,
        }
    }
}

/// A call that is taken for an update by its name, which may be that of a method or operator of the program's: `m = m.max(e)`,
/// `s += e`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NamedUpdate {
    /// The call.
    pub call: CallId,
    /// Where it stands.
    pub src: SrcId,
    /// What the name stands for.
    pub op: ReduceOp,
    /// Which argument of a method the item is; `None` of an operator that assigns.
    pub operand: Option<u32>,
}

/// Built-in reduction operators; `-` is `Add`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum ReduceOp {
    Add,
    Mul,
    Min,
    Max,
    BitAnd,
    BitOr,
    BitXor,
    And,
    Or,
}
