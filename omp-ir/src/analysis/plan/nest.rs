//! Subscripts as affine functions of the iteration numbers, if the trip counts of all loops of a region are known at
//! the launch.
use super::build::{Formulas, PlanChecked};
use super::conflict::Level;
use super::decide::Parts;
use super::{Affine, DimValues, Limits, Nest};
use crate::analysis::numbers::{Interval, Val, arith};
use crate::analysis::survey::{Adapt, Ctx, CtxId, CtxKind, LoopVar, Step, Survey, Touch};
use crate::ids::ExprId;
use std::collections::{BTreeMap, BTreeSet};

/// Whether a launch can have a [`Nest`]: there are several loops, and places are subscripts, and fields after them.
pub(super) fn is_one(survey: &Survey) -> bool {
    let vars = &survey.vars;
    let plain = |v: &LoopVar| v.local.is_some() && matches!(v.adaptors[..], [] | [Adapt::Rev]);
    let is_index = |step: &Step| matches!(step, Step::Index(_));
    let subscripts = |path: &[Step]| !path.iter().skip_while(|s| is_index(s)).any(is_index);
    let place = |t: &Touch| t.access.is_some() && t.at_most.is_none() && !t.chosen && subscripts(&t.path);
    vars.len() > 1
        && survey.inners.is_empty()
        && vars[survey.dims..].iter().all(plain)
        && survey.touches.iter().all(place)
}

/// The nest of a launch, if all subscripts are understood but those that read arrays that nothing writes. It is without what the
/// iterations don't reach, by conditions that have one value in all of them.
pub(super) fn nest<const V: usize>(
    parts: &Parts<'_>,
    dims: &[DimValues],
    vals: &[Val<V>],
    dead: u64,
) -> Option<Nest> {
    let (f, values) = (parts.f, parts.values);
    if !f.nested {
        return None;
    }
    let decided = decided(f, vals, dead);
    let absent = absent(f, &decided);
    let (mut loops, mut moving, mut limits) = (Vec::new(), BTreeSet::new(), BTreeMap::new());
    let slot_of = |v: usize| f.graph.slots.iter().position(|s| s.var.index() == v);
    let is_absent = |ctx: CtxId| absent[ctx.index()];
    let mut vars: Vec<usize> = Vec::new();
    for (v, var) in f.survey.vars.iter().enumerate() {
        let is_it = |c: &Ctx| matches!(c.kind, CtxKind::Loop { var, .. } if var.index() == v);
        if f.survey.ctxs.iter().zip(&absent).any(|(ctx, absent)| *absent && is_it(ctx)) {
            continue;
        }
        let l = u32::try_from(loops.len()).ok()?;
        let values = match (values.dims.get(v), dims.get(v)) {
            (Some(Some(_)), Some(known)) => *known,
            _ => {
                let slot = slot_of(v)?;
                if f.graph.slots[slot].offset.is_some() {
                    moving.insert(l);
                }
                let (values, of) = limited(f, slot, (&loops, &vars), vals)?;
                let limited = of != Limits::default();
                if limited {
                    limits.insert(l, of);
                }
                match var.adaptors[..] {
                    [] => values,
                    // Limits count iterations from the first value.
                    [Adapt::Rev] if !limited => backwards(values)?,
                    _ => return None,
                }
            }
        };
        vars.push(v);
        loops.push(values);
    }
    let (mut subscripts, mut everywhere, mut gathers) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
    let written: BTreeSet<_> = f.survey.of_arrays().iter().filter(|t| t.write).map(|t| t.array).collect();
    'touches: for (t, (touch, seen)) in f.touches.iter().zip(f.survey.of_arrays()).enumerate() {
        if is_absent(seen.ctx) || dead & touch.bits != 0 {
            continue;
        }
        let (Some(access), Some(shape), Some(numbers)) = (seen.access, &f.shapes[t], f.numbers[t]) else {
            return None;
        };
        // Elements of fixed arrays lie side by side, and so do the numbers of a struct.
        let each = shape.iter().chain([&numbers]);
        let scale = each.into_iter().try_fold(1i128, |all, n| all.checked_mul(i128::from(*n)))?;
        if scale == 0 {
            return None;
        }
        let (mut of, mut base, mut coefs) = (scale, 0i128, vec![0i128; loops.len()]);
        for (at, level) in touch.path.iter().enumerate() {
            let Level::Index(i) = level else { break };
            let v = &vals[*i as usize];
            if !v.exact || v.noise != (0, 0) {
                if written.contains(&seen.array) {
                    return None;
                }
                gathers.insert(access);
                continue 'touches;
            }
            of = if at == 0 { of } else { of / i128::from(shape[at - 1]) };
            base = base.checked_add(v.konst.checked_mul(of)?)?;
            for (l, all) in coefs.iter_mut().enumerate() {
                let coef = slot_of(vars[l]).map_or(0, |slot| v.coef[slot]);
                *all = all.checked_add(coef.checked_mul(of)?)?;
            }
        }
        let mut strides = Vec::with_capacity(loops.len());
        for (coef, range) in coefs.into_iter().zip(&loops) {
            base = base.checked_add(coef.checked_mul(range.first)?)?;
            strides.push(i64::try_from(coef.checked_mul(range.step)?).ok()?);
        }
        let (lo, hi) = span(base, &strides, &loops);
        let (first, last) = (lo.div_euclid(scale), hi.div_euclid(scale));
        let count = u64::try_from(last.checked_sub(first)?).ok()?.checked_add(1)?;
        if hi > i128::from(i32::MAX) {
            return None;
        }
        if parts.have(seen.array, Some(first), count) {
            everywhere.insert(access);
        }
        let affine = Affine { base: i64::try_from(base).ok()?, strides };
        if subscripts.insert(access, affine.clone()).is_some_and(|other| other != affine) {
            return None;
        }
    }
    if subscripts.keys().any(|access| gathers.contains(access)) {
        return None;
    }
    let holds = |c: &&PlanChecked| dead & c.bits != 0 || fits(f, c, vals);
    let mut fitting: BTreeSet<_> = f.checked.iter().filter(holds).map(|c| c.expr).collect();
    f.checked.iter().filter(|c| !holds(c)).for_each(|c| {
        fitting.remove(&c.expr);
    });
    Some(Nest {
        loops,
        moving,
        limits,
        subscripts,
        gathers,
        narrow: false,
        everywhere,
        fits: fitting,
        decided,
        coalesced: BTreeSet::new(),
    })
}

/// Conditions that have one value in all iterations.
fn decided<const V: usize>(f: &Formulas, vals: &[Val<V>], dead: u64) -> BTreeMap<ExprId, bool> {
    let reached = || f.branches.iter().filter(|b| dead & b.bits == 0);
    let value = |cond: u32| vals[cond as usize].is_number().map(|n| n != 0);
    let mut decided: BTreeMap<_, _> = reached().filter_map(|b| Some((b.expr, value(b.cond)?))).collect();
    // A condition may be reached in several places.
    for b in reached() {
        if value(b.cond) != decided.get(&b.expr).copied() {
            decided.remove(&b.expr);
        }
    }
    decided
}

/// By context: it is in a side of an `if` that its condition never takes.
fn absent(f: &Formulas, decided: &BTreeMap<ExprId, bool>) -> Vec<bool> {
    let mut absent: Vec<bool> = Vec::with_capacity(f.survey.ctxs.len());
    for ctx in &f.survey.ctxs {
        let not_taken = match ctx.kind {
            CtxKind::Cond { cond, holds, .. } => f.survey.branches.iter().any(|b| {
                let value = decided.get(&b.expr);
                (b.cond, b.ctx) == (cond, ctx.parent) && value.is_some_and(|value| *value != holds)
            }),
            CtxKind::Root | CtxKind::Loop { .. } | CtxKind::Opaque { .. } => false,
        };
        // Contexts stand after those around them.
        absent.push(not_taken || absent.get(ctx.parent.index()).is_some_and(|absent| *absent));
    }
    absent
}

/// The nest in the order that [`interchanged`](crate::flow::interchange) gives its sequential loops, if the loops that become one have the
/// same iterations.
pub(super) fn interchanged(nest: &Nest, dims: usize, order: &[Vec<u32>]) -> Option<Nest> {
    let of = |l: usize| -> Vec<usize> {
        if l < dims { vec![l] } else { order[l - dims].iter().map(|k| dims + *k as usize).collect() }
    };
    let from: Vec<Vec<usize>> = (0..dims + order.len()).map(of).collect();
    let permuted = |affine: &Affine| {
        let stride =
            |all: &Vec<usize>| all.iter().map(|l| affine.strides.get(*l).copied().unwrap_or(0)).sum();
        Affine { base: affine.base, strides: from.iter().map(stride).collect() }
    };
    let (mut loops, mut moving, mut limits) = (Vec::new(), BTreeSet::new(), BTreeMap::new());
    for (l, all) in from.iter().enumerate() {
        let (l, at) = (u32::try_from(l).ok()?, |l: &usize| u32::try_from(*l).ok());
        let limit = |l: &usize| {
            let limits = nest.limits.get(&at(l)?)?;
            let end = |end: &Option<Affine>| end.as_ref().map(permuted);
            Some(Limits { lower: end(&limits.lower), upper: end(&limits.upper) })
        };
        let moves = |l: &usize| at(l).is_some_and(|l| nest.moving.contains(&l));
        // A loop that moves out of another has no limits by that one.
        let by_outer = |of: &Affine| of.strides.iter().skip(dims).all(|by| *by == 0);
        let is_by_outer = |l: &usize| {
            at(l)
                .and_then(|l| nest.limits.get(&l))
                .is_none_or(|of| [&of.lower, &of.upper].into_iter().flatten().all(by_outer))
        };
        if !all.iter().all(is_by_outer) {
            return None;
        }
        let first = all.first()?;
        // After an assertion that always fails there is no loop.
        let values = nest.loops.get(*first)?;
        let same = |l: &usize| nest.loops.get(*l) == Some(values) && limit(l) == limit(first) && !moves(l);
        if all.len() > 1 && !all.iter().all(same) {
            return None;
        }
        if moves(first) {
            moving.insert(l);
        }
        limits.extend(limit(first).map(|limit| (l, limit)));
        loops.push(*values);
    }
    let subscripts = nest.subscripts.iter().map(|(access, affine)| (*access, permuted(affine))).collect();
    Some(Nest { loops, moving, limits, subscripts, ..nest.clone() })
}

/// The nest in which sequential loops of these numbers are one with the loop after them, where one loop moves every subscript as both
/// do. `all` is the number of sequential loops.
pub(super) fn coalesced(nest: &Nest, dims: usize, (perfect, all): &(BTreeSet<u32>, u32)) -> Option<Nest> {
    let whole = nest.loops.len() == dims + *all as usize && nest.limits.is_empty() && nest.decided.is_empty();
    if perfect.is_empty() || !whole {
        return None;
    }
    let mut made = nest.clone();
    // Loops whose variable has no number of an iteration: as given, and as made here.
    let mut moving: BTreeSet<usize> = nest.moving.iter().map(|l| *l as usize).collect();
    let mut both = BTreeSet::new();
    for number in perfect.iter().rev() {
        let l = dims + *number as usize;
        let inner = made.loops[l + 1].count;
        let count = made.loops[l].count.checked_mul(inner)?;
        let moves = |affine: &Affine| {
            let of_inner = i128::from(affine.strides[l + 1]) * i128::from(inner);
            of_inner == i128::from(affine.strides[l])
        };
        // Without iterations inside, what stands before them would not run.
        if inner == 0
            || moving.contains(&l)
            || moving.contains(&(l + 1))
            || !made.subscripts.values().all(moves)
        {
            continue;
        }
        made.coalesced.insert(*number);
        made.loops.remove(l);
        made.loops[l] = DimValues { first: 0, step: 1, count };
        made.subscripts.values_mut().for_each(|affine| {
            affine.strides.remove(l);
        });
        let renumbered =
            |all: BTreeSet<usize>| all.into_iter().map(|n| if n > l { n - 1 } else { n }).collect();
        (moving, both) = (renumbered(moving), renumbered(both));
        both.insert(l);
    }
    made.moving = moving.union(&both).filter_map(|l| u32::try_from(*l).ok()).collect();
    (!made.coalesced.is_empty()).then_some(made)
}

/// All values of the variable of a loop whose bounds are affine in those of the loops around it, and which of them an iteration of
/// these has.
fn limited<const V: usize>(
    f: &Formulas,
    slot: usize,
    (loops, vars): (&[DimValues], &[usize]),
    vals: &[Val<V>],
) -> Option<(DimValues, Limits)> {
    let of = f.graph.slots[slot];
    let (lo, hi) = (&vals[of.lo as usize], &vals[of.hi as usize]);
    let more = i128::from(of.inclusive);
    if !lo.exact || !hi.exact {
        return None;
    }
    let (first, end) = (lo.lo, hi.hi.checked_add(more)?);
    let count = u64::try_from(end.checked_sub(first)?).ok().filter(|n| *n > 0)?;
    // A bound in numbers of iterations, less the first value.
    let limit = |bound: &Val<V>, more: i128| -> Option<Affine> {
        let (mut base, mut left) = (bound.konst.checked_add(more)?.checked_sub(first)?, bound.coef);
        let mut strides = Vec::with_capacity(loops.len());
        for (range, v) in loops.iter().zip(vars) {
            let at = f.graph.slots.iter().position(|s| s.var.index() == *v);
            let coef = at.and_then(|at| left.get_mut(at)).map_or(0, std::mem::take);
            base = base.checked_add(coef.checked_mul(range.first)?)?;
            strides.push(i64::try_from(coef.checked_mul(range.step)?).ok()?);
        }
        let known = bound.noise == (0, 0) && left.iter().all(|c| *c == 0);
        known.then_some(Affine { base: i64::try_from(base).ok()?, strides })
    };
    let mut limits = Limits::default();
    if lo.is_number().is_none() {
        limits.lower = Some(limit(lo, 0)?);
    }
    if hi.is_number().is_none() {
        limits.upper = Some(limit(hi, more)?);
    }
    Some((DimValues { first, step: 1, count }, limits))
}

/// The values of a loop from the last one to the first.
fn backwards(of: DimValues) -> Option<DimValues> {
    let last = of.first.checked_add(of.step.checked_mul(i128::from(of.count.checked_sub(1)?))?)?;
    Some(DimValues { first: last, step: -of.step, count: of.count })
}

/// The least and the greatest value of a subscript in all iterations of the loops.
fn span(base: i128, strides: &[i64], loops: &[DimValues]) -> Interval {
    let (mut lo, mut hi) = (base, base);
    for (stride, l) in strides.iter().zip(loops) {
        let span = i128::from(*stride).saturating_mul(i128::from(l.count - 1));
        lo = lo.saturating_add(span.min(0));
        hi = hi.saturating_add(span.max(0));
    }
    (lo, hi)
}

/// Whether the result of an operator is in the range of its type in all iterations.
fn fits<const V: usize>(f: &Formulas, c: &PlanChecked, vals: &[Val<V>]) -> bool {
    let (a, b) = (&vals[c.a as usize], &vals[c.b as usize]);
    let Some((least, most)) = c.ty.int_range().filter(|_| a.exact && b.exact) else { return false };
    arith(c.op, a, b, Some(c.ty)).is_some_and(|v| {
        let (lo, hi) = f.graph.range(&v, c.fact_ctx, vals).unwrap_or((v.lo, v.hi));
        least <= lo.max(v.lo) && hi.min(v.hi) <= most
    })
}
