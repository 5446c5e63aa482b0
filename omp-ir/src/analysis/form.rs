//! Index forms: integer expressions over loop variables and launch constants, hash-consed in one arena.
//!
//! A form is an expression after immutable locals have been substituted. It is evaluated in two ways: with numbers for
//! every variable ([`Forms::eval`], the brute force of macro time and the exact search of a launch), and with ranges
//! ([`super::numbers`]). Both follow Rust: a result that does not fit the node's type wraps. Without types (at macro
//! time) arithmetic is that of the whole numbers.
use super::survey::Adapt;
use crate::desc::Prim;
use crate::ids::{ArrayId, ScalarId};
use crate::interp::method::of_integers;
use crate::method::Method;
use std::collections::HashMap;

/// A node of [`Forms`]; operands have smaller numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(pub u32);

/// A loop variable of a survey: parallel dimensions first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct VarId(pub u32);

/// A number that is the same in all iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SymId(pub u32);

/// A loop that computes values: [`Fold`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FoldId(pub u32);

impl FoldId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl NodeId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl VarId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl SymId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a symbol stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Sym {
    /// A captured scalar; after those of the template, a number in a captured struct
    /// ([`Survey::parts`](super::survey::Survey::parts)).
    Scalar(ScalarId),
    /// The length of a mapped array.
    Len(ArrayId),
    /// A launch constant that only macro time treats as known: a const, a nested length, a bound that the host
    /// evaluates.
    Free(String),
}

/// Comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Rel {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Rel {
    /// The opposite.
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Eq => Self::Ne,
            Self::Ne => Self::Eq,
            Self::Lt => Self::Ge,
            Self::Le => Self::Gt,
            Self::Gt => Self::Le,
            Self::Ge => Self::Lt,
        }
    }

    /// With the sides exchanged.
    pub(crate) fn flipped(self) -> Self {
        match self {
            Self::Eq => Self::Eq,
            Self::Ne => Self::Ne,
            Self::Lt => Self::Gt,
            Self::Le => Self::Ge,
            Self::Gt => Self::Lt,
            Self::Ge => Self::Le,
        }
    }

    fn holds(self, a: i128, b: i128) -> bool {
        match self {
            Self::Eq => a == b,
            Self::Ne => a != b,
            Self::Lt => a < b,
            Self::Le => a <= b,
            Self::Gt => a > b,
            Self::Ge => a >= b,
        }
    }
}

/// Arithmetic with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Arith {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    DivEuclid,
    RemEuclid,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    Min,
    Max,
    /// The first, which is known to be at most, or at least, the second.
    AtMost,
    AtLeast,
    SaturatingAdd,
    SaturatingSub,
    AbsDiff,
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    Const(i128),
    Sym(SymId),
    Var(VarId),
    /// An unknown value. The number distinguishes occurrences and finds the reason.
    Opaque(u32),
    Neg(NodeId),
    Not(NodeId),
    Cast(NodeId),
    Bin(Arith, NodeId, NodeId),
    Rel(Rel, NodeId, NodeId),
    /// The second operand where the first, a truth value, holds, else the third.
    Select(NodeId, NodeId, NodeId),
    /// A method of integers that is none of [`Arith`]. Before types are known, the method is that of some type.
    Method(Method, NodeId, Option<NodeId>),
    /// A value that a loop computes, at the start of the iteration in which the loop's variable has its current value.
    Carried(FoldId, u32),
    /// The same after the loop.
    After(FoldId, u32),
}

/// A node: what it is, and its type where one is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Node {
    pub op: Op,
    pub ty: Option<Prim>,
}

/// A counted loop without early exits that computes values from one iteration to the next.
#[derive(Debug, Clone)]
pub(crate) struct Fold {
    pub var: VarId,
    pub lo: NodeId,
    pub hi: NodeId,
    pub inclusive: bool,
    pub adaptors: Vec<Adapt>,
    /// For each value: what it is before the loop, and at the end of an iteration.
    pub values: Vec<(NodeId, NodeId)>,
}

/// An integer or truth value in an array that nothing writes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Load {
    /// The number of the opaque value.
    pub opaque: u32,
    pub array: ArrayId,
    pub index: NodeId,
    /// From the element on.
    pub fields: Vec<String>,
}

/// Larger trees count as not understood, which bounds the cost of an evaluation for any chain of locals.
const MAX_WEIGHT: u32 = 2048;
/// Loops of more iterations are not run for one value.
const MOST_ITERATIONS: u64 = 1 << 7;

/// Why a value is opaque.
#[derive(Debug, Clone)]
pub(crate) struct Reason {
    pub text: String,
    /// It is computed from numbers by a function whose body macro time does not see: the launch does.
    pub later: bool,
}

/// The arena.
#[derive(Debug, Clone, Default)]
pub(crate) struct Forms {
    nodes: Vec<Node>,
    weight: Vec<u32>,
    index: HashMap<Node, NodeId>,
    /// Symbols, with the name that messages use.
    pub syms: Vec<(Sym, String)>,
    /// Why each opaque value is opaque.
    pub reasons: Vec<Reason>,
    /// Opaque values that are integers in an array that nothing writes.
    pub loads: Vec<Load>,
    pub folds: Vec<Fold>,
}

/// Numbers for symbols and variables; `None` is anything.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At<'a> {
    pub syms: &'a [Option<i128>],
    pub vars: &'a [Option<i128>],
}

impl Forms {
    pub(crate) fn get(&self, id: NodeId) -> Node {
        self.nodes[id.index()]
    }

    /// A node, if there is such a one.
    pub(crate) fn find(&self, node: Node) -> Option<NodeId> {
        self.index.get(&node).copied()
    }

    /// The node of a loop's variable, if anything names it.
    pub(crate) fn var(&self, var: VarId) -> Option<NodeId> {
        let at = self.nodes.iter().position(|n| n.op == Op::Var(var))?;
        Some(NodeId(u32::try_from(at).expect("an arena has fewer than 2^32 entries")))
    }

    /// The node of `op`; of `a + (b - a)`, also where it wraps, that of `b`.
    pub(crate) fn add(&mut self, op: Op, ty: Option<Prim>) -> NodeId {
        if let Op::Bin(Arith::Add, a, b) = op {
            for (a, b) in [(a, b), (b, a)] {
                if let Node { op: Op::Bin(Arith::Sub, whole, from), ty: of } = self.get(b)
                    && (from, of) == (a, ty)
                    && self.get(whole).ty == ty
                {
                    return whole;
                }
            }
        }
        let node = Node { op, ty };
        if let Some(&id) = self.index.get(&node) {
            return id;
        }
        let w = |id: NodeId| self.weight[id.index()];
        let weight = 1 + match op {
            Op::Const(_) | Op::Sym(_) | Op::Var(_) | Op::Opaque(_) => 0,
            Op::Neg(a) | Op::Not(a) | Op::Cast(a) => w(a),
            Op::Bin(_, a, b) | Op::Rel(_, a, b) => w(a) + w(b),
            Op::Select(c, a, b) => w(c) + w(a) + w(b),
            Op::Method(_, a, b) => w(a) + b.map_or(0, w),
            Op::Carried(..) => 0,
            Op::After(f, _) => {
                self.folds[f.index()].values.iter().map(|(init, next)| w(*init) + w(*next)).sum()
            }
        };
        if weight > MAX_WEIGHT {
            return self.opaque("the index is a very long expression".into(), ty);
        }
        let id = NodeId(u32::try_from(self.nodes.len()).expect("an arena has fewer than 2^32 entries"));
        self.nodes.push(node);
        self.weight.push(weight);
        self.index.insert(node, id);
        id
    }

    pub(crate) fn constant(&mut self, value: i128, ty: Option<Prim>) -> NodeId {
        self.add(Op::Const(value), ty)
    }

    /// The value of a node that is the same at all launches.
    pub(crate) fn as_constant(&self, id: NodeId) -> Option<i128> {
        let syms = vec![None; self.syms.len()];
        self.eval_in(id, At { syms: &syms, vars: &[] }, None)
    }

    pub(crate) fn sym(&mut self, sym: Sym, name: &str, ty: Option<Prim>) -> NodeId {
        let at = self.syms.iter().position(|(s, _)| *s == sym).unwrap_or_else(|| {
            self.syms.push((sym, name.to_owned()));
            self.syms.len() - 1
        });
        self.add(Op::Sym(SymId(u32::try_from(at).expect("few symbols"))), ty)
    }

    /// `if cond { a } else { b }`. `cond && b` and `cond || b` are such values: `if cond { b } else { cond }`.
    pub(crate) fn select(&mut self, cond: NodeId, a: NodeId, b: NodeId) -> NodeId {
        let truth = Some(Prim::Bool);
        match (cond == a, cond == b) {
            (true, _) => self.add(Op::Bin(Arith::Or, cond, b), truth),
            (_, true) => self.add(Op::Bin(Arith::And, cond, a), truth),
            (false, false) => {
                let ty = self.get(a).ty.or(self.get(b).ty);
                self.add(Op::Select(cond, a, b), ty)
            }
        }
    }

    /// A condition on data that chooses what the value is, if there is one.
    pub(crate) fn chosen_by_data(&self, id: NodeId) -> Option<NodeId> {
        match self.get(id).op {
            Op::Select(cond, _, _) if !self.is_of_numbers(cond) => Some(cond),
            Op::Select(_, a, b) | Op::Bin(_, a, b) | Op::Rel(_, a, b) | Op::Method(_, a, Some(b)) => {
                self.chosen_by_data(a).or_else(|| self.chosen_by_data(b))
            }
            Op::Neg(a) | Op::Not(a) | Op::Cast(a) | Op::Method(_, a, None) => self.chosen_by_data(a),
            Op::Const(_) | Op::Sym(_) | Op::Var(_) | Op::Opaque(_) | Op::Carried(..) | Op::After(..) => None,
        }
    }

    /// The value where what `cond` chooses is the one side.
    pub(crate) fn where_it_is(&mut self, cond: NodeId, holds: bool, id: NodeId) -> NodeId {
        let Node { op, ty } = self.get(id);
        let mut side = |n: NodeId| self.where_it_is(cond, holds, n);
        let op = match op {
            Op::Select(by, a, b) if by == cond => return side(if holds { a } else { b }),
            Op::Select(by, a, b) => Op::Select(by, side(a), side(b)),
            Op::Bin(op, a, b) => Op::Bin(op, side(a), side(b)),
            Op::Rel(rel, a, b) => Op::Rel(rel, side(a), side(b)),
            Op::Method(method, a, b) => Op::Method(method, side(a), b.map(side)),
            Op::Neg(a) => Op::Neg(side(a)),
            Op::Not(a) => Op::Not(side(a)),
            Op::Cast(a) => Op::Cast(side(a)),
            Op::Const(_) | Op::Sym(_) | Op::Var(_) | Op::Opaque(_) | Op::Carried(..) | Op::After(..) => op,
        };
        self.add(op, ty)
    }

    /// A value of which nothing is known, different from all others.
    pub(crate) fn opaque(&mut self, text: String, ty: Option<Prim>) -> NodeId {
        self.unknown(Reason { text, later: false }, ty)
    }

    /// The same, until a launch knows the functions.
    pub(crate) fn later(&mut self, text: String, ty: Option<Prim>) -> NodeId {
        self.unknown(Reason { text, later: true }, ty)
    }

    fn unknown(&mut self, reason: Reason, ty: Option<Prim>) -> NodeId {
        let at = u32::try_from(self.reasons.len()).expect("few opaque values");
        self.reasons.push(reason);
        self.add(Op::Opaque(at), ty)
    }

    /// What stands at `path` in a struct that macro time takes for a number.
    pub(crate) fn field_of(&mut self, whole: NodeId, path: &str) -> Option<NodeId> {
        match self.get(whole).op {
            Op::Opaque(at) if self.reasons[at as usize].later => {
                let text = self.reasons[at as usize].text.clone();
                Some(self.later(text, None))
            }
            Op::Sym(s) => {
                let (sym, name) = &self.syms[s.index()];
                let (sym, name) = (Sym::Free(format!("{sym:?}{path}")), format!("{name}{path}"));
                Some(self.sym(sym, &name, None))
            }
            _ => None,
        }
    }

    /// Whether the value is the same in all iterations.
    pub(crate) fn is_invariant(&self, id: NodeId) -> bool {
        let mut same = true;
        self.visit(id, &mut |_, n| {
            same &= !matches!(n.op, Op::Opaque(_) | Op::Var(_) | Op::Carried(..) | Op::After(..));
        });
        same
    }

    /// Whether the value is one that only a launch knows.
    pub(crate) fn is_later(&self, id: NodeId) -> bool {
        matches!(self.get(id).op, Op::Opaque(at) if self.reasons[at as usize].later)
    }

    /// Whether a launch, which knows all functions, can compute the value from numbers.
    pub(crate) fn will_be_of_numbers(&self, id: NodeId) -> bool {
        let mut known = true;
        self.visit(id, &mut |n, node| known &= !matches!(node.op, Op::Opaque(_)) || self.is_later(n));
        known
    }

    /// The value in an array that nothing writes: the same node wherever it is read.
    pub(crate) fn load(
        &mut self,
        (array, index, fields): (ArrayId, NodeId, Vec<String>),
        (reason, ty): (String, Option<Prim>),
    ) -> NodeId {
        let known = |l: &&Load| (l.array, l.index) == (array, index) && l.fields == fields;
        if let Some(known) = self.loads.iter().find(known) {
            return self.add(Op::Opaque(known.opaque), ty);
        }
        let opaque = u32::try_from(self.reasons.len()).expect("few opaque values");
        self.loads.push(Load { opaque, array, index, fields });
        self.opaque(reason, ty)
    }

    /// Which of [`Self::loads`] an opaque value is.
    pub(crate) fn load_of(&self, opaque: u32) -> Option<usize> {
        self.loads.binary_search_by_key(&opaque, |l| l.opaque).ok()
    }

    /// A truth value?
    pub(crate) fn is_bool(&self, id: NodeId) -> bool {
        let node = self.get(id);
        node.ty == Some(Prim::Bool) || matches!(node.op, Op::Rel(..))
    }

    /// A float, of which ranges say nothing?
    pub(crate) fn is_float(&self, id: NodeId) -> bool {
        self.get(id).ty.is_some_and(Prim::is_float)
    }

    /// An integer?
    pub(crate) fn is_integer(&self, id: NodeId) -> bool {
        self.get(id).ty.is_some_and(|t| t.int_range().is_some())
    }

    /// Calls `f` on the node and all below it.
    pub(crate) fn visit(&self, id: NodeId, f: &mut impl FnMut(NodeId, Node)) {
        self.visit_but(id, &mut Vec::new(), f);
    }

    /// `seen`: loops that have been looked into.
    fn visit_but(&self, id: NodeId, seen: &mut Vec<FoldId>, f: &mut impl FnMut(NodeId, Node)) {
        let node = self.get(id);
        f(id, node);
        match node.op {
            Op::Const(_) | Op::Sym(_) | Op::Var(_) | Op::Opaque(_) => {}
            Op::Neg(a) | Op::Not(a) | Op::Cast(a) | Op::Method(_, a, None) => self.visit_but(a, seen, f),
            Op::Bin(_, a, b) | Op::Rel(_, a, b) | Op::Method(_, a, Some(b)) => {
                self.visit_but(a, seen, f);
                self.visit_but(b, seen, f);
            }
            Op::Select(c, a, b) => {
                self.visit_but(c, seen, f);
                self.visit_but(a, seen, f);
                self.visit_but(b, seen, f);
            }
            Op::Carried(fold, _) | Op::After(fold, _) if seen.contains(&fold) => {}
            Op::Carried(fold, _) | Op::After(fold, _) => {
                seen.push(fold);
                let fold = &self.folds[fold.index()];
                let steps = fold.adaptors.iter().filter_map(|a| match a {
                    Adapt::Rev => None,
                    Adapt::By(step) => Some(*step),
                });
                let values = fold.values.iter().flat_map(|(init, next)| [*init, *next]);
                for part in [fold.lo, fold.hi].into_iter().chain(steps).chain(values) {
                    self.visit_but(part, seen, f);
                }
            }
        }
    }

    /// Whether the value depends on numbers alone: on nothing that is loaded, called or otherwise beyond us.
    pub(crate) fn is_of_numbers(&self, id: NodeId) -> bool {
        let mut known = true;
        self.visit(id, &mut |_, n| known &= !matches!(n.op, Op::Opaque(_)));
        known
    }

    /// The comparisons that hold when `cond` is `holds`.
    pub(crate) fn conjuncts(&self, cond: NodeId, holds: bool, out: &mut Vec<(NodeId, Rel, NodeId)>) {
        match self.get(cond).op {
            Op::Rel(rel, a, b) => out.push((a, if holds { rel } else { rel.negated() }, b)),
            Op::Not(a) => self.conjuncts(a, !holds, out),
            Op::Bin(Arith::And, a, b) if holds && self.is_bool(cond) => {
                self.conjuncts(a, true, out);
                self.conjuncts(b, true, out);
            }
            Op::Bin(Arith::Or, a, b) if !holds && self.is_bool(cond) => {
                self.conjuncts(a, false, out);
                self.conjuncts(b, false, out);
            }
            Op::Const(_)
            | Op::Sym(_)
            | Op::Var(_)
            | Op::Opaque(_)
            | Op::Neg(_)
            | Op::Cast(_)
            | Op::Bin(..)
            | Op::Select(..)
            | Op::Method(..)
            | Op::Carried(..)
            | Op::After(..) => {}
        }
    }

    /// The parts of a condition that `!`, `&&` and `||` join.
    pub(crate) fn comparisons(&self, cond: NodeId, out: &mut Vec<NodeId>) {
        match self.get(cond).op {
            Op::Not(a) if self.is_bool(a) => self.comparisons(a, out),
            Op::Bin(Arith::And | Arith::Or, a, b) if self.is_bool(cond) => {
                self.comparisons(a, out);
                self.comparisons(b, out);
            }
            _ => out.push(cond),
        }
    }

    /// The value at a point, as Rust computes it; `None` where it is not known or the computation panics.
    pub(crate) fn eval(&self, id: NodeId, at: At<'_>) -> Option<i128> {
        self.eval_in(id, at, None)
    }

    fn eval_in(&self, id: NodeId, at: At<'_>, iteration: Option<&Iteration<'_>>) -> Option<i128> {
        let Node { op, ty } = self.get(id);
        let eval = |id: NodeId| self.eval_in(id, at, iteration);
        let value = match op {
            Op::Const(c) => c,
            Op::Sym(s) => at.syms[s.index()]?,
            Op::Var(v) => match Iteration::around(iteration).find(|t| self.folds[t.of.index()].var == v) {
                Some(iteration) => iteration.var,
                None => (*at.vars.get(v.index())?)?,
            },
            Op::Opaque(_) => return None,
            Op::Neg(a) => eval(a)?.checked_neg()?,
            Op::Not(a) if self.is_bool(a) => i128::from(eval(a)? == 0),
            Op::Not(a) => !eval(a)?,
            Op::Cast(a) => eval(a)?,
            Op::Rel(rel, a, b) => i128::from(rel.holds(eval(a)?, eval(b)?)),
            Op::Select(c, a, b) => eval(if eval(c)? != 0 { a } else { b })?,
            Op::Bin(op, a, b) => match (op, eval(a), eval(b)) {
                (Arith::And, Some(0), _) | (Arith::And, _, Some(0)) => 0,
                (Arith::Or, Some(1), _) | (Arith::Or, _, Some(1)) if self.is_bool(id) => 1,
                (op, a, b) => arith(op, a?, b?, ty)?,
            },
            Op::Method(method, a, b) => {
                let (x, y) = (eval(a)?, b.map(|b| Some((eval(b)?, self.get(b).ty))));
                let y = if b.is_some() { Some(y??) } else { None };
                of_integers(method, (x, self.get(a).ty), y)?
            }
            Op::Carried(fold, k) => match Iteration::around(iteration).find(|t| t.of == fold) {
                Some(iteration) => iteration.values[k as usize]?,
                None => {
                    let until = (*at.vars.get(self.folds[fold.index()].var.index())?)?;
                    *self.folded(fold, at, iteration, Some(until))?.get(k as usize)?.as_ref()?
                }
            },
            Op::After(fold, k) => *self.folded(fold, at, iteration, None)?.get(k as usize)?.as_ref()?,
        };
        Some(wrap(value, ty))
    }

    /// The values that a loop computes: at its end, or at the start of the iteration in which its variable has the value `until`.
    fn folded(
        &self,
        of: FoldId,
        at: At<'_>,
        around: Option<&Iteration<'_>>,
        until: Option<i128>,
    ) -> Option<Vec<Option<i128>>> {
        let fold = &self.folds[of.index()];
        let eval = |id: NodeId| self.eval_in(id, at, around);
        let (first, step, count) = counted((eval(fold.lo)?, eval(fold.hi)?), fold, eval)?;
        let mut values: Vec<Option<i128>> = fold.values.iter().map(|(init, _)| eval(*init)).collect();
        if count > MOST_ITERATIONS {
            return None;
        }
        for k in 0..count {
            let var = first + i128::from(k) * step;
            if until == Some(var) {
                break;
            }
            let iteration = Iteration { of, var, values: &values, around };
            values = fold.values.iter().map(|(_, next)| self.eval_in(*next, at, Some(&iteration))).collect();
        }
        Some(values)
    }
}

/// First value, step and trip count of a loop whose bounds are known.
pub(crate) fn counted(
    (lo, hi): (i128, i128),
    fold: &Fold,
    mut step_of: impl FnMut(NodeId) -> Option<i128>,
) -> Option<(i128, i128, u64)> {
    let count = hi.checked_sub(lo)?.checked_add(i128::from(fold.inclusive))?.max(0);
    let mut counted = (lo, 1i128, u64::try_from(count).ok()?);
    for a in &fold.adaptors {
        let (first, step, count) = counted;
        counted = match *a {
            Adapt::Rev => (first + i128::from(count.max(1) - 1) * step, -step, count),
            Adapt::By(s) => {
                let s = u64::try_from(step_of(s)?).ok().filter(|s| *s > 0)?;
                (first, step.checked_mul(i128::from(s))?, count.div_ceil(s))
            }
        };
    }
    Some(counted)
}

/// An iteration of a loop that computes values.
struct Iteration<'a> {
    of: FoldId,
    var: i128,
    values: &'a [Option<i128>],
    around: Option<&'a Iteration<'a>>,
}

impl<'a> Iteration<'a> {
    /// The iteration, and those of the loops around it.
    fn around(iteration: Option<&'a Self>) -> impl Iterator<Item = &'a Self> {
        std::iter::successors(iteration, |iteration| iteration.around)
    }
}

fn arith(op: Arith, a: i128, b: i128, ty: Option<Prim>) -> Option<i128> {
    let bits = ty.map_or(64, |t| 8 * t.size() as i128);
    let saturate = |v: i128| match ty.and_then(Prim::int_range) {
        Some((lo, hi)) => v.clamp(lo, hi),
        None => v.max(0),
    };
    // Products of 64-bit numbers may need more than 128 bits. Wrapping does not change the low bits.
    let whole = |exact: Option<i128>, wrapped: i128| exact.or(ty.map(|_| wrapped));
    Some(match op {
        Arith::Add => a.checked_add(b)?,
        Arith::Sub => a.checked_sub(b)?,
        Arith::Mul => whole(a.checked_mul(b), a.wrapping_mul(b))?,
        Arith::Div => a.checked_div(b)?,
        Arith::Rem => a.checked_rem(b)?,
        Arith::DivEuclid => a.checked_div_euclid(b)?,
        Arith::RemEuclid => a.checked_rem_euclid(b)?,
        Arith::Shl => {
            let by = 1i128 << (b & (bits - 1));
            whole(a.checked_mul(by), a.wrapping_mul(by))?
        }
        Arith::Shr => a >> (b & (bits - 1)),
        Arith::And => a & b,
        Arith::Or => a | b,
        Arith::Xor => a ^ b,
        Arith::AtMost | Arith::AtLeast => a,
        Arith::Min => a.min(b),
        Arith::Max => a.max(b),
        Arith::SaturatingAdd => saturate(a.checked_add(b)?),
        Arith::SaturatingSub => saturate(a.checked_sub(b)?),
        Arith::AbsDiff => a.checked_sub(b)?.checked_abs()?,
    })
}

/// The value that a variable of the type has after wrapping.
pub(crate) fn wrap(value: i128, ty: Option<Prim>) -> i128 {
    match ty.and_then(Prim::int_range) {
        Some((lo, hi)) if value < lo || value > hi => (value - lo).rem_euclid(hi - lo + 1) + lo,
        _ => value,
    }
}
