//! Whether a store overwrites a whole section.
//!
//! It does if every iteration reaches the store, different iterations store to different elements, all elements are in the
//! section, and there are as many iterations as elements. The subscripts prove that elements differ and are in the section. Under
//! `disjoint` that holds unless the region fails.
use super::build::graph::{Graph, InstId};
use super::build::instances::GraphBuilder;
use super::values::{Source, Sources};
use crate::analysis::form::VarId;
use crate::analysis::numbers::Val;
use crate::analysis::survey::{Adapt, CtxKind, Step, Survey, Touch};
use crate::ids::ArrayId;
use crate::kernel::{Kernel, Ty};

/// A store that may overwrite everything.
#[derive(Debug, Clone)]
pub(super) struct Cover {
    /// The subscripts, and for all but the first the length of what they select from.
    levels: Vec<(InstId, i128)>,
    /// The parallel loops and the sequential ones around the store.
    loops: Vec<CoverLoop>,
    /// Iterations of the region that store to one element are found out.
    claimed: bool,
    /// Contexts without which it is not reached.
    bits: u64,
}

#[derive(Debug, Clone)]
struct CoverLoop {
    var: VarId,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Dim(usize),
    Inner { lo: InstId, hi: InstId, inclusive: bool },
}

/// The formulas for a store, if it is of the right shape.
pub(super) fn cover(
    kernel: &Kernel,
    survey: &Survey,
    builder: &mut GraphBuilder<'_>,
    array: ArrayId,
    touch: &Touch,
) -> Option<Cover> {
    // The value of a reduction item before the loop is one of the operands.
    if !touch.write || !survey.unconditional(touch.ctx) || kernel.template.reduces(array) {
        return None;
    }
    let fact_ctx = builder.facts(touch.ctx);
    let mut ty = kernel.array_ty[array.index()];
    let mut levels = Vec::new();
    for (k, step) in touch.path.iter().enumerate() {
        let Step::Index(n) = step else { return None };
        let mut len = 1;
        if k > 0 {
            let Ty::Array(elem, n) = kernel.types.get(ty) else { return None };
            (ty, len) = (*elem, i128::from(*n));
        }
        levels.push((builder.inst(*n, fact_ctx), len));
    }
    let mut loops: Vec<CoverLoop> = (0..survey.dims)
        .map(|d| CoverLoop { var: VarId(u32::try_from(d).unwrap_or(u32::MAX)), kind: Kind::Dim(d) })
        .collect();
    for ctx in survey.chain(touch.ctx) {
        let CtxKind::Loop { var, cut: _ } = survey.ctx(ctx).kind else { continue };
        let v = &survey.vars[var.index()];
        if v.local.is_none() || v.adaptors.iter().any(|a| *a != Adapt::Rev) {
            return None;
        }
        let around = builder.facts(survey.ctx(ctx).parent);
        let (lo, hi) = (builder.inst(v.lo, around), builder.inst(v.hi, around));
        loops.push(CoverLoop { var, kind: Kind::Inner { lo, hi, inclusive: v.inclusive } });
    }
    // Whole elements are claimed, by iterations of the region.
    let alone = levels.len() == 1 && loops.len() == survey.dims;
    let claimed = alone && kernel.template.check_disjoint.contains(&array);
    Some(Cover { levels, loops, claimed, bits: builder.bits(touch.ctx) })
}

/// More loops than this are not looked at.
const LOOPS: usize = 12;

impl Cover {
    /// Whether it covers the section.
    pub(super) fn holds<const V: usize, S: Sources>(
        &self,
        graph: &Graph,
        vals: &[Val<V>],
        source: &S,
        section: (i128, i128),
        dead: u64,
    ) -> bool {
        let permutes = || self.claimed && self.iterations(vals, source) == section.1.checked_sub(section.0);
        dead & self.bits == 0 && (permutes() || self.covers(graph, vals, source, section).unwrap_or(false))
    }

    /// How often it is reached, if that is always the same.
    fn iterations<const V: usize, S: Sources>(&self, vals: &[Val<V>], source: &S) -> Option<i128> {
        self.loops.iter().try_fold(1i128, |n, l| n.checked_mul(l.counted(vals, source)?.1))
    }

    fn covers<const V: usize, S: Sources>(
        &self,
        graph: &Graph,
        vals: &[Val<V>],
        source: &S,
        section: (i128, i128),
    ) -> Option<bool> {
        // The subscripts as one: elements of the innermost arrays.
        let mut coef = [0i128; V];
        let mut elements = section.1.checked_sub(section.0)?;
        for (k, (inst, len)) in self.levels.iter().enumerate() {
            let val = &vals[*inst as usize];
            let allowed = if k == 0 { section } else { (0, *len) };
            if !val.exact || val.noise != (0, 0) || val.lo < allowed.0 || val.hi >= allowed.1 {
                return Some(false);
            }
            if k > 0 {
                elements = elements.checked_mul(*len)?;
            }
            for (c, x) in coef.iter_mut().zip(&val.coef) {
                *c = c.checked_mul(*len)?.checked_add(*x)?;
            }
        }
        let mut moves = [(0i128, 0i128); LOOPS];
        let mut count = 0;
        let mut iterations = 1i128;
        for l in &self.loops {
            let (step, trips) = l.counted(vals, source)?;
            iterations = iterations.checked_mul(trips)?;
            if trips == 1 {
                continue;
            }
            let slot = graph.slots.iter().position(|s| s.var == l.var).filter(|s| *s < V)?;
            *moves.get_mut(count)? = (coef[slot].checked_mul(step)?.checked_abs()?, trips);
            count += 1;
        }
        let moves = &mut moves[..count];
        moves.sort_unstable();
        let mut span = 0i128;
        for (unit, trips) in moves.iter() {
            if *unit <= span {
                return Some(false);
            }
            span = span.checked_add(unit.checked_mul(trips - 1)?)?;
        }
        Some(iterations == elements)
    }
}

impl CoverLoop {
    /// Step and number of iterations, if they are always the same.
    fn counted<const V: usize, S: Sources>(&self, vals: &[Val<V>], source: &S) -> Option<(i128, i128)> {
        match self.kind {
            Kind::Dim(d) => match source.dim(d) {
                Source::Known(v) => Some((v.step, i128::from(v.count))),
                Source::Unknown => None,
            },
            Kind::Inner { lo, hi, inclusive } => {
                let (lo, hi) = (vals[lo as usize].is_number()?, vals[hi as usize].is_number()?);
                Some((1, (hi.checked_sub(lo)? + i128::from(inclusive)).max(0)))
            }
        }
    }
}
