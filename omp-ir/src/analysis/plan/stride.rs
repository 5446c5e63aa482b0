//! Strides of subscripts by parallel variable, as far as they are constant.
use super::AccessStride;
use crate::analysis::form::{Arith, NodeId, Op, VarId};
use crate::analysis::survey::{Step, Survey, Touch};
use crate::kernel::{Kernel, Ty};

/// An affine function whose coefficients may be unknown numbers.
#[derive(Debug, Clone, PartialEq)]
struct Symbolic {
    per_dim: Vec<Option<i64>>,
    /// `None`: depends on more than constants.
    konst: Option<i64>,
}

impl Symbolic {
    fn constant(dims: usize, konst: Option<i64>) -> Self {
        Self { per_dim: vec![Some(0); dims], konst }
    }

    fn combine(&self, other: &Self, op: impl Fn(i64, i64) -> Option<i64>) -> Self {
        let both = |x: &Option<i64>, y: &Option<i64>| op((*x)?, (*y)?);
        Self {
            per_dim: self.per_dim.iter().zip(&other.per_dim).map(|(x, y)| both(x, y)).collect(),
            konst: both(&self.konst, &other.konst),
        }
    }

    /// Times something that does not depend on the parallel variables.
    fn scaled(&self, by: Option<i64>) -> Self {
        let times = |x: &Option<i64>| match (x, by) {
            (Some(0), _) => Some(0),
            (Some(x), Some(by)) => x.checked_mul(by),
            (_, _) => None,
        };
        Self { per_dim: self.per_dim.iter().map(times).collect(), konst: times(&self.konst) }
    }

    fn constant_only(&self) -> bool {
        self.per_dim.iter().all(|c| *c == Some(0))
    }

    /// Some function of the same variables.
    fn unknown(&self) -> Self {
        Self { per_dim: self.per_dim.iter().map(|c| c.filter(|c| *c == 0)).collect(), konst: None }
    }
}

/// The strides of all touches with subscripts.
pub(super) fn strides(kernel: &Kernel, survey: &Survey) -> Vec<AccessStride> {
    let places = survey.of_arrays().iter().filter(|t| t.at_most.is_none() && !t.chosen);
    places.filter_map(|t| stride(kernel, survey, t)).collect()
}

fn stride(kernel: &Kernel, survey: &Survey, touch: &Touch) -> Option<AccessStride> {
    let mut all = Symbolic::constant(survey.dims, Some(0));
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
    let unit = first.and_then(|of| {
        let ones: Vec<_> = (0..survey.dims).filter(|d| of.per_dim[*d] == Some(1)).collect();
        let others = (0..survey.dims).filter(|d| of.per_dim[*d] == Some(0)).count();
        match (ones.as_slice(), of.konst) {
            ([d], Some(c)) if others + 1 == survey.dims => Some((*d, c)),
            _ => None,
        }
    });
    let unconditional = survey.unconditional(touch.ctx);
    let reached =
        unconditional && survey.loops_around(touch.ctx).into_iter().all(|var| has_iterations(survey, var));
    Some(AccessStride {
        access: touch.access?,
        array: touch.array,
        per_dim: all.per_dim,
        unit,
        unconditional,
        reached,
        in_loop,
    })
}

/// Whether a sequential loop is known to have iterations: its bounds are constants.
fn has_iterations(survey: &Survey, var: VarId) -> bool {
    let var = &survey.vars[var.index()];
    let constant = |node| match survey.forms.get(node).op {
        Op::Const(c) => Some(c),
        _ => None,
    };
    matches!((constant(var.lo), constant(var.hi)), (Some(lo), Some(hi)) if lo < hi)
}

fn symbolic(survey: &Survey, node: NodeId) -> Symbolic {
    let constant = |k| Symbolic::constant(survey.dims, k);
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
            Symbolic { per_dim: vec![None; survey.dims], konst: None }
        }
        Op::Var(v) if v.index() < survey.dims => {
            let mut s = constant(Some(0));
            s.per_dim[v.index()] = Some(1);
            s
        }
        Op::Var(_) => constant(None),
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
                    let per_dim = a.per_dim.iter().zip(&b.per_dim);
                    Symbolic {
                        per_dim: per_dim.map(|(x, y)| (!used(x) && !used(y)).then_some(0)).collect(),
                        konst: None,
                    }
                }
            }
        }
    }
}
