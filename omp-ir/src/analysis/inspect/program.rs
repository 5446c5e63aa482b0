//! Forms compiled for many points at a time: each node is a column of numbers, computed from other columns.
//!
//! A number is kept as 64 bits, sign- or zero-extended from its type, so most operations are those of `u64` and a mask. The lane
//! of a point in a node's column is what [`Forms::eval`] returns for the node at that point: a value, or unknown.
use super::{Element, Memory};
use crate::analysis::form::{Arith, At, Fold, FoldId, Forms, Node, NodeId, Op, Rel, VarId, counted};
use crate::analysis::survey::Adapt;
use crate::desc::Prim;
use crate::interp::method::of_integers;
use crate::method::{IntMethod, Method};
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
    Turns(usize),
    /// One of these values.
    Value(usize, usize),
    /// What stands in the element with this number.
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
            Self::Given | Self::Method(..) | Self::Turns(_) | Self::Value(..) | Self::Load(..) => {
                return None;
            }
        })
    }
}

/// A loop that computes values, run for all lanes together.
#[derive(Debug, Clone)]
struct Turns {
    of: FoldId,
    shape: Fold,
    /// What a turn computes.
    body: Program,
    /// Columns around the loop: in the program around, and in the body.
    given: Vec<(Col, Col)>,
    /// The loop's variable, in the body.
    var: Option<Col>,
    /// The loop's ends and steps, in the program around.
    ends: (Col, Col),
    steps: Vec<(NodeId, Col)>,
    /// It ends before the turn in which its variable has this value; it runs to its end without.
    until: Option<Col>,
    /// Of each value: before the loop, in the program around; at the start of a turn and at its end, in the body.
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
    turns: Vec<Option<Turns>>,
    /// Of a loop's body: the loop, and what it asks for of what is around it.
    within: Option<FoldId>,
    inputs: Vec<(NodeId, Col)>,
    /// How many lanes of loops have been computed, and whether there were too many.
    turned: u64,
    overrun: bool,
}

/// Limit of the iterations of a loop that computes values, for one lane.
const MOST_TURNS: u64 = 1 << 16;

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
    /// A column with the same 64 bits as the form's: a cast to that many changes none.
    pub(super) fn bits(&mut self, numbers: Numbers<'_>, mut node: NodeId) -> Col {
        while let Node { op: Op::Cast(of), .. } = numbers.forms.get(node)
            && Kind::of(numbers.forms.get(node)).is_some_and(|kind| kind.bits == 64)
            && numbers.forms.get(of).ty.is_some_and(|ty| !ty.is_float())
        {
            node = of;
        }
        self.column(numbers, node)
    }

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
        numbers.forms.visit(node, &mut |_, n| {
            varies |= match n.op {
                Op::Var(_) | Op::Carried(..) | Op::After(..) => true,
                Op::Opaque(o) => numbers.load(o).is_some(),
                Op::Const(_)
                | Op::Sym(_)
                | Op::Neg(_)
                | Op::Not(_)
                | Op::Cast(_)
                | Op::Bin(..)
                | Op::Rel(..)
                | Op::Select(..)
                | Op::Method(..) => false,
            };
        });
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
                match self.within {
                    Some(fold) if numbers.forms.folds[fold.index()].var != v => self.inputs.push((node, col)),
                    _ => self.vars.push((v, col)),
                }
                return col;
            }
            Op::Carried(fold, _) if self.within.is_some_and(|within| within != fold) => {
                let col = self.push(Step::Given, kind, true);
                self.inputs.push((node, col));
                return col;
            }
            Op::Carried(_, _) if self.within.is_some() => return self.push(Step::Given, kind, true),
            Op::Carried(fold, k) | Op::After(fold, k) => {
                let until = matches!(n.op, Op::Carried(..));
                let at = self.turns(numbers, fold, until);
                return self.push(Step::Value(at, k as usize), kind, true);
            }
            Op::Method(method, a, b) => {
                let ty = |n: NodeId| numbers.forms.get(n).ty;
                let x = (self.column(numbers, a), ty(a));
                let y = b.map(|b| (self.column(numbers, b), ty(b)));
                let partly = quick(method).is_none();
                let inputs = [Some(x), y].into_iter().flatten();
                let partly = partly || inputs.into_iter().any(|(col, _)| !self.known[col].is_empty());
                return self.push(Step::Method(method, x, y), kind, partly);
            }
            Op::Opaque(o) => {
                let Some((element, index)) = numbers.load(o) else { return self.unknown() };
                let index = self.column(numbers, index);
                return self.push(Step::Load(element, index), kind, true);
            }
            Op::Var(_) | Op::Const(_) | Op::Sym(_) => return self.unknown(),
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
                let either = op == Arith::Or && numbers.forms.is_bool(node);
                (if either { Step::Either(a, b) } else { Step::Bin(op, a, b) }, [a, b, b])
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

    /// The number of a loop that computes values. `until`: at the start of the turn that its variable tells.
    fn turns(&mut self, numbers: Numbers<'_>, of: FoldId, until: bool) -> usize {
        if let Some(at) = self
            .turns
            .iter()
            .position(|t| t.as_ref().is_some_and(|t| t.of == of && t.until.is_some() == until))
        {
            return at;
        }
        let fold = &numbers.forms.folds[of.index()];
        let ends = (self.column(numbers, fold.lo), self.column(numbers, fold.hi));
        let step = |a: &Adapt| match a {
            Adapt::Rev => None,
            Adapt::By(step) => Some(*step),
        };
        let steps = fold.adaptors.iter().filter_map(step);
        let steps = steps.map(|step| (step, self.column(numbers, step))).collect();
        let mut body = Self { within: Some(of), ..Self::default() };
        let mut values = Vec::new();
        for (k, (init, next)) in fold.values.iter().enumerate() {
            // What is computed from data nothing asks for.
            if numbers.understands(*init) && numbers.understands(*next) {
                let (op, ty) = (Op::Carried(of, k as u32), numbers.forms.get(*init).ty);
                let state = match numbers.forms.find(Node { op, ty }) {
                    Some(node) => body.column(numbers, node),
                    None => body.unknown(),
                };
                values.push((self.column(numbers, *init), state, body.column(numbers, *next)));
            } else {
                values.push((self.unknown(), body.unknown(), body.unknown()));
            }
        }
        let inputs = std::mem::take(&mut body.inputs);
        let given = inputs.into_iter().map(|(node, col)| (self.column(numbers, node), col)).collect();
        let var = body.vars.first().map(|(_, col)| *col);
        let until = until.then(|| match numbers.forms.var(fold.var) {
            Some(node) => self.column(numbers, node),
            None => self.unknown(),
        });
        self.turns.push(Some(Turns {
            of,
            shape: fold.clone(),
            body,
            given,
            var,
            ends,
            steps,
            until,
            values,
        }));
        let at = self.turns.len() - 1;
        self.push(Step::Turns(at), Kind::default(), false);
        at
    }

    fn push(&mut self, step: Step, kind: Kind, partly: bool) -> Col {
        self.steps.push((step, kind));
        self.values.push([0; LANES]);
        self.known.push(vec![false; if partly { LANES } else { 0 }]);
        self.whole.push(!partly);
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

    /// Whether the first `n` lanes have a value.
    pub(super) fn is_whole(&self, col: Col, n: usize) -> bool {
        self.whole[col] || self.known[col][..n].iter().all(|known| *known)
    }

    /// Whether all values of the column are known.
    pub(super) fn is_known(&self, col: Col) -> bool {
        self.known[col].is_empty()
    }

    /// Computes the first `n` lanes of all columns.
    pub(super) fn run(&mut self, n: usize, memory: Option<&dyn Memory>) {
        for at in 0..self.steps.len() {
            let (step, kind) = self.steps[at];
            if let Step::Turns(t) = step {
                self.turn(t, n, memory);
                continue;
            }
            let (before, rest) = self.values.split_at_mut(at);
            let out = &mut rest[0][..n];
            match step {
                Step::Given | Step::Turns(_) => continue,
                Step::Value(t, k) => {
                    let Some(turns) = &self.turns[t] else { continue };
                    let (_, state, _) = turns.values[k];
                    out.copy_from_slice(&turns.body.values[state][..n]);
                }
                Step::Load(element, index) => {
                    let (before_known, known) = self.known.split_at_mut(at);
                    let known = &mut known[0][..n];
                    let mut whole = match memory {
                        Some(memory) => memory.load(element, &before[index][..n], (out, known)),
                        None => {
                            known.fill(false);
                            false
                        }
                    };
                    if !self.whole[index] {
                        known.iter_mut().zip(&before_known[index]).for_each(|(k, index)| *k &= *index);
                        whole = known.iter().all(|k| *k);
                    }
                    self.whole[at] = whole;
                    continue;
                }
                Step::Method(method, (a, ty), b) => match (quick(method), b) {
                    (Some(f), None) => one(&before[a], out, |v| f(v, self.steps[a].1)),
                    _ => {
                        let known = &mut self.known[at];
                        for (k, o) in out.iter_mut().enumerate() {
                            let wide = |col: Col| self.steps[col].1.wide(before[col][k]);
                            let value = of_integers(method, (wide(a), ty), b.map(|(b, ty)| (wide(b), ty)));
                            known[k] = value.is_some();
                            *o = value.unwrap_or(0) as u64;
                        }
                    }
                },
                Step::Neg(a) => one(&before[a], out, u64::wrapping_neg),
                Step::Not(a) => one(&before[a], out, |v| !v),
                Step::Negated(a) => one(&before[a], out, |v| u64::from(v == 0)),
                Step::Cast(a) => one(&before[a], out, |v| v),
                Step::Rel(rel, a, b) => relation(rel, self.steps[a].1.signed, (&before[a], &before[b]), out),
                Step::Either(a, b) => two(&before[a], &before[b], out, |a, b| a | b),
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
            if self.known[at].is_empty() {
                continue;
            }
            self.whole[at] = step.operands().is_some_and(|inputs| inputs.iter().all(|c| self.whole[*c]));
            if self.whole[at] {
                self.known[at][..n].fill(true);
            } else {
                self.know(at, step, n);
            }
        }
    }

    /// Runs a loop for all lanes.
    fn turn(&mut self, t: usize, n: usize, memory: Option<&dyn Memory>) {
        let Some(mut turns) = self.turns[t].take() else { return };
        let number = |col: Col, k: usize| {
            let known = self.known[col].is_empty() || self.known[col][k];
            known.then(|| self.steps[col].1.wide(self.values[col][k]))
        };
        // By lane: the first value of the variable, its step, and the trip count.
        let mut counts = [(0i128, 0i128, 0u64); LANES];
        let mut alive = [true; LANES];
        for k in 0..n {
            let steps = |node: NodeId| {
                let col = turns.steps.iter().find(|(of, _)| *of == node)?.1;
                number(col, k)
            };
            let ends = number(turns.ends.0, k).zip(number(turns.ends.1, k));
            let range = ends.and_then(|ends| counted(ends, &turns.shape, steps));
            let count = range.and_then(|(first, step, count)| match turns.until {
                None => Some((first, step, count)),
                Some(col) => {
                    let at = number(col, k)?.checked_sub(first)?.checked_div(step)?;
                    Some((first, step, u64::try_from(at).ok().filter(|at| *at < count)?))
                }
            });
            match count {
                Some(count) => counts[k] = count,
                None => alive[k] = false,
            }
        }
        let most = counts[..n].iter().map(|c| c.2).max().unwrap_or(0);
        if most > MOST_TURNS {
            self.overrun = true;
        } else {
            self.turned += most * n as u64;
            let body = &mut turns.body;
            for (from, to) in &turns.given {
                body.values[*to] = self.values[*from];
                if !body.known[*to].is_empty() {
                    for k in 0..n {
                        body.known[*to][k] = self.known[*from].is_empty() || self.known[*from][k];
                    }
                }
            }
            for (init, state, _) in &turns.values {
                body.values[*state] = self.values[*init];
                for (k, alive) in alive[..n].iter().enumerate() {
                    let known = self.known[*init].is_empty() || self.known[*init][k];
                    body.known[*state][k] = *alive && known;
                }
            }
            for turn in 0..most {
                if let Some(var) = turns.var {
                    for (lane, (first, step, _)) in body.values[var].iter_mut().zip(&counts[..n]) {
                        *lane = first.wrapping_add(step.wrapping_mul(i128::from(turn))) as u64;
                    }
                }
                body.run(n, memory);
                // A value may be what another one was.
                let next = turns.values.iter().map(|(_, _, next)| {
                    (body.values[*next], std::array::from_fn(|k| body.known[*next].get(k).is_none_or(|k| *k)))
                });
                let next: Vec<(Lanes, [bool; LANES])> = next.collect();
                for ((_, state, _), (values, known)) in turns.values.iter().zip(next) {
                    for k in (0..n).filter(|k| turn < counts[*k].2) {
                        body.values[*state][k] = values[k];
                        body.known[*state][k] &= known[k];
                    }
                }
            }
            self.turned += std::mem::take(&mut body.turned);
            self.overrun |= std::mem::take(&mut body.overrun);
        }
        self.turns[t] = Some(turns);
    }

    /// How many lanes of loops have been computed since the last call; `None`: there were too many.
    pub(super) fn turned(&mut self) -> Option<u64> {
        let turned = std::mem::take(&mut self.turned);
        (!self.overrun).then_some(turned)
    }

    /// Computes which lanes have a value.
    fn know(&mut self, at: Col, step: Step, n: usize) {
        let (before, rest) = self.known.split_at_mut(at);
        let out = &mut rest[0];
        let is = |col: Col, k: usize| before[col].is_empty() || before[col][k];
        match step {
            Step::Given | Step::Turns(_) | Step::Load(..) => {}
            Step::Value(t, k) => {
                let Some(turns) = &self.turns[t] else { return };
                let (_, state, _) = turns.values[k];
                out[..n].copy_from_slice(&turns.body.known[state][..n]);
            }
            Step::Method(method, (a, _), b) => {
                // Where the method itself is not quick, it has said so.
                let own = |out: &[bool], k: usize| quick(method).is_some() || out[k];
                (0..n).for_each(|k| out[k] = own(out, k) && is(a, k) && b.is_none_or(|(b, _)| is(b, k)));
            }
            Step::Neg(a) | Step::Not(a) | Step::Negated(a) | Step::Cast(a) => {
                (0..n).for_each(|k| out[k] = is(a, k));
            }
            Step::Rel(_, a, b) => (0..n).for_each(|k| out[k] = is(a, k) && is(b, k)),
            Step::Select(c, a, b) => {
                let chosen = |k: usize| if self.values[c][k] != 0 { a } else { b };
                (0..n).for_each(|k| out[k] = is(c, k) && is(chosen(k), k));
            }
            Step::Either(a, b) => {
                let (x, y) = (&self.values[a], &self.values[b]);
                for k in 0..n {
                    let (p, q) = (is(a, k), is(b, k));
                    out[k] = p && (q || x[k] == 1) || q && y[k] == 1;
                }
            }
            Step::Bin(op, a, b) => {
                let (x, y) = (&self.values[a], &self.values[b]);
                for k in 0..n {
                    let (p, q) = (is(a, k), is(b, k));
                    out[k] = match op {
                        // Nothing and anything is nothing: as computed, whatever the other's lane has.
                        Arith::And => p && (q || x[k] == 0) || q && y[k] == 0,
                        Arith::Div | Arith::Rem | Arith::DivEuclid | Arith::RemEuclid => p && q && y[k] != 0,
                        _ => p && q,
                    };
                }
            }
        }
    }
}

/// A method of one operand that has always a value, on the bits of its type.
fn quick(method: Method) -> Option<fn(u64, Kind) -> u64> {
    let Method::Int(method) = method else { return None };
    /// The bits of the type alone.
    fn low(v: u64, of: Kind) -> u64 {
        v << (64 - of.bits) >> (64 - of.bits)
    }
    Some(match method {
        IntMethod::CountOnes => |v, of| u64::from(low(v, of).count_ones()),
        IntMethod::CountZeros => |v, of| u64::from(of.bits - low(v, of).count_ones()),
        IntMethod::LeadingZeros => |v, of| u64::from(low(v, of).leading_zeros() + of.bits - 64),
        IntMethod::TrailingZeros => |v, of| u64::from(v.trailing_zeros().min(of.bits)),
        IntMethod::ReverseBits => |v, of| v.reverse_bits() >> (64 - of.bits),
        IntMethod::SwapBytes => |v, of| v.swap_bytes() >> (64 - of.bits),
        _ => return None,
    })
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
