//! Subscripts as affine functions of the numbers of iterations, where all of a region's loops have numbers at launch.
use super::build::Formulas;
use super::conflict::Level;
use super::{Affine, DimValues, LaunchValues, Nest};
use crate::analysis::numbers::Val;
use crate::analysis::survey::Step;
use std::collections::BTreeMap;

/// Whether a launch can have a [`Nest`]: there are several loops, and each subscript is the only one of its place.
pub(super) fn is_one(f: &Formulas) -> bool {
    let vars = &f.survey.vars;
    let plain = |v: &crate::analysis::survey::LoopVar| v.real && v.adaptors.is_empty();
    let single = |path: &[Step]| matches!(path, [Step::Index(_)]);
    vars.len() > 1
        && f.survey.inners.is_empty()
        && vars[f.survey.dims..].iter().all(plain)
        && f.survey.touches.iter().all(|t| t.access.is_some() && t.at_most.is_none() && single(&t.path))
}

/// The nest of a launch, if all subscripts are understood.
pub(super) fn nest<const V: usize>(
    f: &Formulas,
    dims: &[DimValues],
    values: &LaunchValues<'_>,
    vals: &[Val<V>],
) -> Option<Nest> {
    if !f.nested || !values.dims.iter().all(Option::is_some) {
        return None;
    }
    let mut loops = dims.to_vec();
    let slot_of = |v: usize| f.graph.slots.iter().position(|s| s.var.index() == v);
    for (v, var) in f.survey.vars.iter().enumerate().skip(f.survey.dims) {
        let slot = f.graph.slots[slot_of(v)?];
        let (first, end) = (vals[slot.lo as usize].is_number()?, vals[slot.hi as usize].is_number()?);
        let count = end.checked_sub(first)?.checked_add(i128::from(var.inclusive))?;
        let count = u64::try_from(count).ok().filter(|n| slot.offset.is_none() && *n > 0)?;
        loops.push(DimValues { first, step: 1, count });
    }
    let mut subscripts = BTreeMap::new();
    for (touch, seen) in f.touches.iter().zip(&f.survey.touches) {
        let (&[Level::Index(i)], Some(access)) = (touch.path.as_slice(), seen.access) else { return None };
        let v = &vals[i as usize];
        if !v.exact || v.noise != (0, 0) {
            return None;
        }
        let (mut base, mut strides) = (v.konst, Vec::with_capacity(loops.len()));
        for (l, range) in loops.iter().enumerate() {
            let coef = slot_of(l).map_or(0, |slot| v.coef[slot]);
            base = base.checked_add(coef.checked_mul(range.first)?)?;
            strides.push(i64::try_from(coef.checked_mul(range.step)?).ok()?);
        }
        let affine = Affine { base: i64::try_from(base).ok()?, strides };
        if subscripts.insert(access, affine.clone()).is_some_and(|other| other != affine) {
            return None;
        }
    }
    Some(Nest { loops, subscripts })
}
