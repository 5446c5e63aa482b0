//! Strides of subscripts by parallel variable, as far as they are constant.
use super::{AccessStride, Along, Record};
use crate::analysis::form::{Arith, NodeId, Op, VarId};
use crate::analysis::survey::{Step, Survey, Touch};
use crate::kernel::{Kernel, Ty};

/// Elements of a record, at most: rows of matrices are longer.
const MOST_ELEMENTS: i64 = 64;

/// An affine function whose coefficients may be unknown numbers.
#[derive(Debug, Clone, PartialEq)]
struct Symbolic {
    /// By loop variable: those of the parallel dimensions come first.
    per_var: Vec<Option<i64>>,
    /// `None`: depends on more than constants.
    konst: Option<i64>,
}

impl Symbolic {
    fn constant(vars: usize, konst: Option<i64>) -> Self {
        Self { per_var: vec![Some(0); vars], konst }
    }

    fn combine(&self, other: &Self, op: impl Fn(i64, i64) -> Option<i64>) -> Self {
        let both = |x: &Option<i64>, y: &Option<i64>| op((*x)?, (*y)?);
        Self {
            per_var: self.per_var.iter().zip(&other.per_var).map(|(x, y)| both(x, y)).collect(),
            konst: both(&self.konst, &other.konst),
        }
    }

    /// Times something that does not depend on the variables.
    fn scaled(&self, by: Option<i64>) -> Self {
        let times = |x: &Option<i64>| match (x, by) {
            (Some(0), _) => Some(0),
            (Some(x), Some(by)) => x.checked_mul(by),
            (_, _) => None,
        };
        Self { per_var: self.per_var.iter().map(times).collect(), konst: times(&self.konst) }
    }

    fn constant_only(&self) -> bool {
        self.per_var.iter().all(|c| *c == Some(0))
    }

    /// Some function of the same variables.
    fn unknown(&self) -> Self {
        Self { per_var: self.per_var.iter().map(|c| c.filter(|c| *c == 0)).collect(), konst: None }
    }
}

/// The strides of all touches with subscripts.
pub(super) fn strides(kernel: &Kernel, survey: &Survey) -> Vec<AccessStride> {
    let places = survey.of_arrays().iter().filter(|t| t.at_most.is_none() && !t.chosen);
    places.filter_map(|t| stride(kernel, survey, t)).collect()
}

fn stride(kernel: &Kernel, survey: &Survey, touch: &Touch) -> Option<AccessStride> {
    let mut all = Symbolic::constant(survey.vars.len(), Some(0));
    let mut ty = kernel.array_ty[touch.array.index()];
    let mut in_loop = false;
    // The first subscript, if those that follow it are numbers.
    let mut first: Option<Symbolic> = None;
    for (subscripts, step) in touch.path.iter().enumerate() {
        // What follows a field is not in the array's own order.
        let Step::Index(n) = step else { break };
        if subscripts > 0 {
            let Ty::Array(elem, len) = kernel.types.get(ty) else { return None };
            all = all.scaled(i64::try_from(*len).ok());
            ty = *elem;
        }
        let part = symbolic(survey, *n);
        match subscripts {
            0 => first = Some(part.clone()),
            _ if !part.constant_only() || part.konst.is_none() => first = None,
            _ => {}
        }
        all = all.combine(&part, i64::checked_add);
        survey.forms.visit(*n, &mut |_, node| {
            in_loop |= matches!(node.op, Op::Var(v) if v.index() >= survey.dims);
        });
    }
    let record = first.and_then(|of| record(survey, &of));
    let unconditional = survey.unconditional(touch.ctx);
    let reached =
        unconditional && survey.loops_around(touch.ctx).into_iter().all(|var| has_iterations(survey, var));
    Some(AccessStride {
        access: touch.access?,
        array: touch.array,
        per_dim: all.per_var[..survey.dims].to_vec(),
        record,
        unconditional,
        reached,
        in_loop,
    })
}

/// The records that a subscript moves by.
fn record(survey: &Survey, of: &Symbolic) -> Option<Record> {
    let (dims, loops) = of.per_var.split_at(survey.dims);
    let moved: Vec<_> = (0..survey.dims).filter(|d| dims[*d] != Some(0)).collect();
    let ([dim], Some(from)) = (moved.as_slice(), of.konst) else { return None };
    let by = dims[*dim].filter(|by| (1..=MOST_ELEMENTS).contains(by))?;
    let (mut along, mut span) = (Vec::new(), (from, from));
    for (n, by) in loops.iter().enumerate().filter(|(_, by)| **by != Some(0)) {
        let (by, n) = ((*by)?, survey.dims + n);
        let var = &survey.vars[n];
        let (lo, hi) = values(survey, n).filter(|_| var.adaptors.is_empty())?;
        let ends = (by.checked_mul(lo)?, by.checked_mul(hi)?);
        span.0 = span.0.checked_add(ends.0.min(ends.1))?;
        span.1 = span.1.checked_add(ends.0.max(ends.1))?;
        along.push(Along { var: var.local?, by, values: (lo, hi) });
    }
    let inside = span.0.div_euclid(by) == span.1.div_euclid(by);
    (along.is_empty() || inside).then_some(Record { dim: *dim, by, from, along, span })
}

/// Whether a sequential loop is known to have iterations: its bounds are constants.
fn has_iterations(survey: &Survey, var: VarId) -> bool {
    values(survey, var.index()).is_some()
}

/// The least and the greatest value of a loop's variable, if the bounds are constants and it has iterations.
fn values(survey: &Survey, n: usize) -> Option<(i64, i64)> {
    let var = &survey.vars[n];
    let constant = |node| match survey.forms.get(node).op {
        Op::Const(c) => i64::try_from(c).ok(),
        _ => None,
    };
    let (lo, hi) = (constant(var.lo)?, constant(var.hi)?);
    let last = if var.inclusive { hi } else { hi.checked_sub(1)? };
    (lo <= last).then_some((lo, last))
}

fn symbolic(survey: &Survey, node: NodeId) -> Symbolic {
    let constant = |k| Symbolic::constant(survey.vars.len(), k);
    match survey.forms.get(node).op {
        Op::Const(c) => constant(i64::try_from(c).ok()),
        Op::Sym(_) => constant(None),
        // An element of an array that nothing writes: it depends on what its subscript depends on.
        Op::Opaque(at) if let Some(load) = survey.forms.load_of(at) => {
            let index = symbolic(survey, survey.forms.loads[load].index);
            index.unknown()
        }
        // It may depend on anything.
        Op::Opaque(_) | Op::Select(..) | Op::Method(..) | Op::Carried(..) | Op::After(..) => {
            Symbolic { per_var: vec![None; survey.vars.len()], konst: None }
        }
        Op::Var(v) => {
            let mut s = constant(Some(0));
            s.per_var[v.index()] = Some(1);
            s
        }
        Op::Neg(a) => symbolic(survey, a).scaled(Some(-1)),
        Op::Cast(a) => symbolic(survey, a),
        Op::Not(a) => symbolic(survey, a).unknown(),
        Op::Rel(_, a, b) => {
            let (a, b) = (symbolic(survey, a), symbolic(survey, b));
            a.combine(&b, i64::checked_add).unknown()
        }
        Op::Bin(op, a, b) => {
            let (a, b) = (symbolic(survey, a), symbolic(survey, b));
            match op {
                Arith::Add => a.combine(&b, i64::checked_add),
                Arith::Sub => a.combine(&b, i64::checked_sub),
                Arith::Mul if b.constant_only() => a.scaled(b.konst),
                Arith::Mul if a.constant_only() => b.scaled(a.konst),
                Arith::Shl if b.constant_only() => {
                    a.scaled(b.konst.and_then(|k| u32::try_from(k).ok()).and_then(|k| 1i64.checked_shl(k)))
                }
                _ => {
                    let used = |x: &Option<i64>| *x != Some(0);
                    let per_var = a.per_var.iter().zip(&b.per_var);
                    Symbolic {
                        per_var: per_var.map(|(x, y)| (!used(x) && !used(y)).then_some(0)).collect(),
                        konst: None,
                    }
                }
            }
        }
    }
}
