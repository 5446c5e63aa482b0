//! Forms compiled for many points at a time: each node is a column of numbers, computed from other columns.
//!
//! A number is kept as its 64 bits, sign- or zero-extended from its type, so that most operations are those of `u64`
//! and a mask. What [`Forms::eval`] says of a node at a point, the node's column says of the point's lane: a value, or
//! that nothing is known of it.
use crate::analysis::form::{Arith, At, Forms, Node, NodeId, Op, Rel, VarId};
use crate::desc::Prim;
use std::collections::HashMap;

/// How many points are evaluated together: the columns of a few subscripts stay in the first cache.
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
            Some(ty) if !ty.is_float() => Some(Self { bits: 8 * ty.size() as u32, signed: ty.is_signed() }),
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
    Rel(Rel, Col, Col),
    /// The second where the first, a truth value, holds, else the third.
    Select(Col, Col, Col),
}

/// The columns of some forms.
#[derive(Debug, Clone, Default)]
pub(super) struct Program {
    steps: Vec<(Step, Kind)>,
    values: Vec<Lanes>,
    /// By column: which lanes have a value; empty if all have.
    known: Vec<Vec<bool>>,
    /// The columns of loop variables.
    vars: Vec<(VarId, Col)>,
    constants: Vec<Option<u64>>,
    nodes: HashMap<NodeId, Col>,
}

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
}

impl Numbers<'_> {
    /// Whether the value is known wherever its computation does not fail.
    pub(super) fn understands(&self, node: NodeId) -> bool {
        let mut all = true;
        self.forms.visit(node, &mut |_, n| {
            all &= match n.op {
                Op::Opaque(_) => false,
                Op::Sym(s) => self.syms[s.index()].is_some(),
                Op::Var(v) => self.counted[v.index()],
                Op::Const(_)
                | Op::Neg(_)
                | Op::Not(_)
                | Op::Cast(_)
                | Op::Bin(..)
                | Op::Rel(..)
                | Op::Select(..) => true,
            };
            all &= Kind::of(n).is_some();
        });
        all
    }
}

impl Program {
    /// The column of a form.
    pub(super) fn column(&mut self, numbers: Numbers<'_>, node: NodeId) -> Col {
        if let Some(&col) = self.nodes.get(&node) {
            return col;
        }
        let col = self.compile(numbers, node);
        self.nodes.insert(node, col);
        col
    }

    fn compile(&mut self, numbers: Numbers<'_>, node: NodeId) -> Col {
        let n = numbers.forms.get(node);
        let Some(kind) = Kind::of(n) else { return self.unknown() };
        let mut varies = false;
        numbers.forms.visit(node, &mut |_, n| varies |= matches!(n.op, Op::Var(_)));
        if !varies {
            let at = At { syms: numbers.syms, vars: &[] };
            return match numbers.forms.eval(node, at) {
                Some(v) => self.constant(kind.narrow(v as u64), kind),
                None => self.unknown(),
            };
        }
        let (step, inputs) = match n.op {
            Op::Var(v) if numbers.counted[v.index()] => {
                let col = self.push(Step::Given, kind, false);
                self.vars.push((v, col));
                return col;
            }
            Op::Var(_) | Op::Const(_) | Op::Sym(_) | Op::Opaque(_) => return self.unknown(),
            Op::Neg(a) => {
                let a = self.column(numbers, a);
                (Step::Neg(a), [a; 3])
            }
            Op::Not(a) => {
                let truth = numbers.forms.is_bool(a);
                let a = self.column(numbers, a);
                (if truth { Step::Negated(a) } else { Step::Not(a) }, [a; 3])
            }
            Op::Cast(a) => {
                let a = self.column(numbers, a);
                (Step::Cast(a), [a; 3])
            }
            Op::Rel(rel, a, b) => {
                let (a, b) = (self.column(numbers, a), self.column(numbers, b));
                (Step::Rel(rel, a, b), [a, b, b])
            }
            Op::Bin(op, a, b) => {
                let (a, b) = (self.column(numbers, a), self.column(numbers, b));
                (Step::Bin(op, a, b), [a, b, b])
            }
            Op::Select(c, a, b) => {
                let c = self.column(numbers, c);
                let (a, b) = (self.column(numbers, a), self.column(numbers, b));
                (Step::Select(c, a, b), [c, a, b])
            }
        };
        let divides = match step {
            Step::Bin(Arith::Div | Arith::Rem | Arith::DivEuclid | Arith::RemEuclid, _, by) => {
                self.constants[by].is_none_or(|by| by == 0)
            }
            _ => false,
        };
        let partly = divides || inputs.iter().any(|c| !self.known[*c].is_empty());
        self.push(step, kind, partly)
    }

    fn push(&mut self, step: Step, kind: Kind, partly: bool) -> Col {
        self.steps.push((step, kind));
        self.values.push([0; LANES]);
        self.known.push(vec![false; if partly { LANES } else { 0 }]);
        self.constants.push(None);
        self.steps.len() - 1
    }

    fn unknown(&mut self) -> Col {
        self.push(Step::Given, Kind::default(), true)
    }

    fn constant(&mut self, value: u64, kind: Kind) -> Col {
        let col = self.push(Step::Given, kind, false);
        self.values[col] = [value; LANES];
        self.constants[col] = Some(value);
        col
    }

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

    /// Whether all values of the column are known.
    pub(super) fn is_known(&self, col: Col) -> bool {
        self.known[col].is_empty()
    }

    /// Computes the first `n` lanes of all columns.
    pub(super) fn run(&mut self, n: usize) {
        for at in 0..self.steps.len() {
            let (step, kind) = self.steps[at];
            let (before, rest) = self.values.split_at_mut(at);
            let out = &mut rest[0][..n];
            match step {
                Step::Given => continue,
                Step::Neg(a) => one(&before[a], out, u64::wrapping_neg),
                Step::Not(a) => one(&before[a], out, |v| !v),
                Step::Negated(a) => one(&before[a], out, |v| u64::from(v == 0)),
                Step::Cast(a) => one(&before[a], out, |v| v),
                Step::Rel(rel, a, b) => relation(rel, self.steps[a].1.signed, (&before[a], &before[b]), out),
                Step::Bin(op, a, b) => {
                    let by = self.constants[b];
                    binary(op, (self.steps[a].1, kind), (&before[a], &before[b], by), out);
                }
                Step::Select(c, a, b) => {
                    let (c, a, b) = (&before[c], &before[a], &before[b]);
                    for (k, o) in out.iter_mut().enumerate() {
                        *o = if c[k] != 0 { a[k] } else { b[k] };
                    }
                }
            }
            if kind.bits < 64 {
                out.iter_mut().for_each(|v| *v = kind.narrow(*v));
            }
            if !self.known[at].is_empty() {
                self.know(at, step, n);
            }
        }
    }

    /// Computes which lanes have a value.
    fn know(&mut self, at: Col, step: Step, n: usize) {
        let (before, rest) = self.known.split_at_mut(at);
        let out = &mut rest[0];
        let is = |col: Col, k: usize| before[col].is_empty() || before[col][k];
        match step {
            Step::Given => {}
            Step::Neg(a) | Step::Not(a) | Step::Negated(a) | Step::Cast(a) => {
                (0..n).for_each(|k| out[k] = is(a, k));
            }
            Step::Rel(_, a, b) => (0..n).for_each(|k| out[k] = is(a, k) && is(b, k)),
            Step::Select(c, a, b) => {
                let chosen = |k: usize| if self.values[c][k] != 0 { a } else { b };
                (0..n).for_each(|k| out[k] = is(c, k) && is(chosen(k), k));
            }
            Step::Bin(op, a, b) => {
                let (x, y) = (&self.values[a], &self.values[b]);
                for k in 0..n {
                    let (p, q) = (is(a, k), is(b, k));
                    out[k] = match op {
                        // Nothing and anything is nothing: as computed, whatever the other's lane has.
                        Arith::And => p && (q || x[k] == 0) || q && y[k] == 0,
                        Arith::Or if self.steps[at].1 == Kind::default() => {
                            p && (q || x[k] == 1) || q && y[k] == 1
                        }
                        Arith::Div | Arith::Rem | Arith::DivEuclid | Arith::RemEuclid => p && q && y[k] != 0,
                        _ => p && q,
                    };
                }
            }
        }
    }
}

fn one(a: &Lanes, out: &mut [u64], f: impl Fn(u64) -> u64) {
    out.iter_mut().zip(a).for_each(|(o, a)| *o = f(*a));
}

fn two(a: &Lanes, b: &Lanes, out: &mut [u64], f: impl Fn(u64, u64) -> u64) {
    out.iter_mut().zip(a.iter().zip(b)).for_each(|(o, (a, b))| *o = f(*a, *b));
}

fn relation(rel: Rel, signed: bool, (a, b): (&Lanes, &Lanes), out: &mut [u64]) {
    // The order of signed numbers is that of unsigned ones with the sign turned over.
    let turn = if signed { 1u64 << 63 } else { 0 };
    match rel {
        Rel::Eq => two(a, b, out, |a, b| u64::from(a == b)),
        Rel::Ne => two(a, b, out, |a, b| u64::from(a != b)),
        Rel::Lt => two(a, b, out, |a, b| u64::from(a ^ turn < b ^ turn)),
        Rel::Le => two(a, b, out, |a, b| u64::from(a ^ turn <= b ^ turn)),
        Rel::Gt => two(a, b, out, |a, b| u64::from(a ^ turn > b ^ turn)),
        Rel::Ge => two(a, b, out, |a, b| u64::from(a ^ turn >= b ^ turn)),
    }
}

/// `of`: the operands' type, `to`: the result's. `by`: the second operand, where it is one number.
fn binary(op: Arith, (of, to): (Kind, Kind), (a, b, by): (&Lanes, &Lanes, Option<u64>), out: &mut [u64]) {
    let places = u64::from(to.bits - 1);
    match op {
        Arith::Add => two(a, b, out, u64::wrapping_add),
        Arith::Sub => two(a, b, out, u64::wrapping_sub),
        Arith::Mul => two(a, b, out, u64::wrapping_mul),
        Arith::And => two(a, b, out, |a, b| a & b),
        Arith::Or => two(a, b, out, |a, b| a | b),
        Arith::Xor => two(a, b, out, |a, b| a ^ b),
        Arith::Shl => two(a, b, out, |a, b| a << (b & places)),
        Arith::Shr if of.signed => two(a, b, out, |a, b| (a as i64 >> (b & places)) as u64),
        Arith::Shr => two(a, b, out, |a, b| a >> (b & places)),
        Arith::Min if of.signed => two(a, b, out, |a, b| (a as i64).min(b as i64) as u64),
        Arith::Min => two(a, b, out, u64::min),
        Arith::Max if of.signed => two(a, b, out, |a, b| (a as i64).max(b as i64) as u64),
        Arith::Max => two(a, b, out, u64::max),
        Arith::SaturatingAdd => two(a, b, out, |a, b| saturated(of.wide(a) + of.wide(b), to)),
        Arith::SaturatingSub => two(a, b, out, |a, b| saturated(of.wide(a) - of.wide(b), to)),
        Arith::AbsDiff if of.signed => {
            two(a, b, out, |a, b| if (a as i64) < b as i64 { b.wrapping_sub(a) } else { a.wrapping_sub(b) });
        }
        Arith::AbsDiff => two(a, b, out, u64::abs_diff),
        Arith::Div | Arith::Rem | Arith::DivEuclid | Arith::RemEuclid if of.signed => {
            two(a, b, out, |a, b| {
                let (a, b) = (a as i64, b as i64);
                let value = match op {
                    _ if b == 0 => 0,
                    Arith::Div => a.wrapping_div(b),
                    Arith::Rem => a.wrapping_rem(b),
                    Arith::DivEuclid => a.wrapping_div_euclid(b),
                    _ => a.wrapping_rem_euclid(b),
                };
                value as u64
            });
        }
        Arith::Div | Arith::DivEuclid => match by {
            Some(by) if by.is_power_of_two() => one(a, out, |a| a >> by.trailing_zeros()),
            Some(by) if small(a, out.len(), by) => one(a, out, |a| u64::from(a as u32 / by as u32)),
            _ => two(a, b, out, |a, b| a.checked_div(b).unwrap_or(0)),
        },
        Arith::Rem | Arith::RemEuclid => match by {
            Some(by) if by.is_power_of_two() => one(a, out, |a| a & (by - 1)),
            Some(by) if small(a, out.len(), by) => one(a, out, |a| u64::from(a as u32 % by as u32)),
            _ => two(a, b, out, |a, b| a.checked_rem(b).unwrap_or(0)),
        },
    }
}

/// Whether a division of 32 bits will do, which is the quicker one.
fn small(a: &Lanes, n: usize, by: u64) -> bool {
    by != 0 && (a[..n].iter().fold(by, |all, a| all | a)) >> 32 == 0
}

fn saturated(value: i128, to: Kind) -> u64 {
    let least = if to.signed { -(1i128 << (to.bits - 1)) } else { 0 };
    let most = (1i128 << (to.bits - u32::from(to.signed))) - 1;
    value.clamp(least, most) as u64
}
