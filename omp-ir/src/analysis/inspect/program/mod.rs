//! Forms compiled for many points at a time: each node is a column of numbers, computed from other columns.
//!
//! A number is kept as 64 bits, sign- or zero-extended from its type, so most operations are those of `u64` and a mask. The lane
//! of a point in a node's column is what [`Forms::eval`] returns for the node at that point: a value, or unknown.
mod compile;
mod evaluate;

use super::{Element, Memory};
use crate::analysis::form::{Arith, Fold, FoldId, Forms, Node, NodeId, Op, Rel, VarId};
use crate::desc::Prim;
use crate::method::Method;
use std::collections::HashMap;

/// How many points are evaluated at a time: so many that the columns of a few subscripts fit the first-level cache.
pub(super) const LANES: usize = 128;

/// A column's number.
pub(super) type Col = usize;

/// The values of a column.
pub(super) type Lanes = [u64; LANES];

/// An integer type: truth values are 0 and 1 in 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kind {
    bits: u32,
    signed: bool,
}

impl Kind {
    fn of(node: Node) -> Option<Self> {
        match node.ty {
            Some(Prim::Bool) => Some(Self { bits: 64, signed: false }),
            Some(ty) if !ty.is_float() && ty != Prim::U128 => {
                Some(Self { bits: 8 * ty.size() as u32, signed: ty.is_signed() })
            }
            _ => matches!(node.op, Op::Rel(..)).then_some(Self { bits: 64, signed: false }),
        }
    }

    /// The value that wraps to this type.
    fn narrow(self, v: u64) -> u64 {
        let spare = 64 - self.bits;
        if self.signed { ((v << spare) as i64 >> spare) as u64 } else { v << spare >> spare }
    }

    fn wide(self, v: u64) -> i128 {
        if self.signed { i128::from(v as i64) } else { i128::from(v) }
    }
}

/// How a column is computed.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// It is filled from outside, or never changes.
    Given,
    Neg(Col),
    Not(Col),
    /// Of a truth value.
    Negated(Col),
    Cast(Col),
    Bin(Arith, Col, Col),
    /// `||`: it holds where one of two truth values does, whatever the other is.
    Either(Col, Col),
    Rel(Rel, Col, Col),
    /// The second where the first, a truth value, holds, else the third.
    Select(Col, Col, Col),
    /// With the types of the operands.
    Method(Method, (Col, Option<Prim>), Option<(Col, Option<Prim>)>),
    /// Runs a loop that computes values.
    Loop(usize),
    /// One of these values.
    Value(usize, usize),
    /// The value of the element with this number.
    Load(Element, Col),
}

impl Step {
    /// The columns of which all lanes with values give a value here; `None` if that takes more.
    fn operands(self) -> Option<[Col; 3]> {
        Some(match self {
            Self::Neg(a) | Self::Not(a) | Self::Negated(a) | Self::Cast(a) => [a; 3],
            Self::Bin(Arith::Div | Arith::Rem | Arith::DivEuclid | Arith::RemEuclid, ..) => return None,
            Self::Bin(_, a, b) | Self::Either(a, b) | Self::Rel(_, a, b) => [a, b, b],
            Self::Select(c, a, b) => [c, a, b],
            Self::Given | Self::Method(..) | Self::Loop(_) | Self::Value(..) | Self::Load(..) => {
                return None;
            }
        })
    }
}

/// A loop that computes values, run for all lanes at a time.
#[derive(Debug, Clone)]
struct Loop {
    of: FoldId,
    shape: Fold,
    /// What an iteration computes.
    body: Program,
    /// Columns around the loop: in the program around, and in the body.
    given: Vec<(Col, Col)>,
    /// The loop's variable, in the body.
    var: Option<Col>,
    /// The loop's ends and steps, in the program around.
    ends: (Col, Col),
    steps: Vec<(NodeId, Col)>,
    /// The loop ends before the iteration in which its variable has this value. `None`: it runs to its end.
    until: Option<Col>,
    /// For each value, its columns: before the loop, in the program around; at the start of an iteration and at its end, in the body.
    values: Vec<(Col, Col, Col)>,
}

/// The columns of some forms.
#[derive(Debug, Clone, Default)]
pub(super) struct Program {
    steps: Vec<(Step, Kind)>,
    values: Vec<Lanes>,
    /// By column: which lanes have a value; empty if all have.
    known: Vec<Vec<bool>>,
    /// By column: all lanes of this run have a value.
    whole: Vec<bool>,
    /// The columns of loop variables.
    vars: Vec<(VarId, Col)>,
    constants: Vec<Option<u64>>,
    nodes: HashMap<NodeId, Col>,
    /// `None` while it runs.
    loops: Vec<Option<Loop>>,
    /// For a loop's body: the loop, and the nodes around it that the body uses.
    within: Option<FoldId>,
    inputs: Vec<(NodeId, Col)>,
    /// How many lanes of loops have been computed, and whether there were too many.
    iterated: u64,
    overrun: bool,
}

/// Limit of the iterations of a loop that computes values, for one lane.
const MOST_ITERATIONS: u64 = 1 << 16;

impl Default for Kind {
    fn default() -> Self {
        Self { bits: 64, signed: false }
    }
}

/// What forms are compiled for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers<'a> {
    pub forms: &'a Forms,
    pub syms: &'a [Option<i128>],
    /// By loop variable: its loop's bounds are understood.
    pub counted: &'a [bool],
    /// What arrays hold that nothing writes, where that counts.
    pub data: Option<Data<'a>>,
}

/// The numbers in arrays that nothing writes, and by load what is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Data<'a> {
    pub memory: &'a dyn Memory,
    pub loads: &'a [Option<Element>],
}

impl Numbers<'_> {
    /// What is read for an opaque value, and where.
    fn load(&self, opaque: u32) -> Option<(Element, NodeId)> {
        let at = self.forms.load_of(opaque)?;
        Some(((*self.data?.loads.get(at)?)?, self.forms.loads[at].index))
    }

    /// Whether the value is known wherever its computation does not fail.
    pub(super) fn understands(&self, node: NodeId) -> bool {
        let mut all = true;
        self.forms.visit(node, &mut |_, n| {
            all &= match n.op {
                Op::Opaque(o) => self.load(o).is_some_and(|(_, index)| self.understands(index)),
                Op::Sym(s) => self.syms[s.index()].is_some(),
                Op::Var(v) => self.counted[v.index()],
                Op::Const(_)
                | Op::Neg(_)
                | Op::Not(_)
                | Op::Cast(_)
                | Op::Bin(..)
                | Op::Rel(..)
                | Op::Select(..)
                | Op::Method(..)
                | Op::Carried(..)
                | Op::After(..) => true,
            };
            all &= Kind::of(n).is_some();
        });
        all
    }
}

impl Program {
    /// The columns of loop variables, to be filled.
    pub(super) fn vars(&self) -> usize {
        self.vars.len()
    }

    /// Column number `at` of those.
    pub(super) fn var(&mut self, at: usize) -> (VarId, &mut Lanes) {
        let (v, col) = self.vars[at];
        (v, &mut self.values[col])
    }

    pub(super) fn values(&self, col: Col) -> &Lanes {
        &self.values[col]
    }

    /// Which lanes have a value, unless all have.
    pub(super) fn known(&self, col: Col) -> Option<&[bool]> {
        Some(self.known[col].as_slice()).filter(|k| !k.is_empty())
    }

    /// Whether the first `n` lanes have a value.
    pub(super) fn is_whole(&self, col: Col, n: usize) -> bool {
        self.whole[col] || self.known[col][..n].iter().all(|known| *known)
    }

    /// Whether all values of the column are known.
    pub(super) fn is_known(&self, col: Col) -> bool {
        self.known[col].is_empty()
    }
}
