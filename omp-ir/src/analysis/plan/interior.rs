//! The interior of a nest with borders. Iterations near the ends of the parallel loops are often special: a condition
//! excludes elements outside of an array, or a subscript is clamped or wraps around. The interior is a box of iterations
//! in which each such condition has one value, and clamps and remainders have one of their operands, or differ from it by
//! a number.
//!
//! The ends of the box come from conditions that the ranges of a launch don't decide. Each is a condition on the sign of
//! an affine function. If that function depends on a single parallel variable, its zero becomes an end of the box. This
//! is only a guess: the proof is that all formulas are then evaluated for the box, as for a launch of its own.
use super::build::Formulas;
use super::build::graph::{Formula, Inst, InstId};
use super::decide::{Parts, section, touched, unproved};
use super::nest;
use super::values::Launch;
use super::{DimValues, Interior, LaunchValues};
use crate::analysis::form::{Arith, Rel};
use crate::analysis::numbers::{Interval, Val, arith};
use crate::desc::Prim;

/// Cuts, at most.
const MOST_CUTS: usize = 64;

/// The interior has at least three quarters of the iterations of each loop, and of all iterations: a smaller one does not pay.
const LEAST: (u128, u128) = (3, 4);

/// The box begins at a multiple of this value of the innermost parallel variable, so that rows of results begin at aligned addresses.
const ALIGNED: i128 = 4;

/// Quotients of a remainder that a box is sought for.
const MOST_QUOTIENTS: i128 = 4;

/// The interior of a nest, if it has borders. The values are those of the whole launch; they are lost.
pub(super) fn interior<const V: usize>(
    f: &Formulas,
    values: &LaunchValues<'_>,
    vals: &mut [Val<V>],
    mut dead: u64,
) -> Option<Interior> {
    let whole: Vec<DimValues> = values.dims.iter().copied().collect::<Option<_>>()?;
    let own = |d: usize| f.graph.slots.iter().position(|s| s.var.index() == d).is_some_and(|slot| slot < V);
    if !f.nested || whole.iter().any(|d| d.step < 1) || !(0..whole.len()).all(own) {
        return None;
    }
    let mut dims = whole.clone();
    for _ in 0..MOST_CUTS {
        let Some(cut) = Cuts { f, vals, dead, dims: &dims }.first() else { break };
        dims = cut;
        dead = eval(f, values, &dims, vals);
    }
    if dims == whole {
        return None;
    }
    align(dims.last_mut()?);
    dead = eval(f, values, &dims, vals);
    let all = |dims: &[DimValues]| dims.iter().fold(1u128, |all, d| all.saturating_mul(d.count.into()));
    if !leaves(all(&dims), all(&whole), LEAST) {
        return None;
    }
    let boxed: Vec<_> = dims.iter().copied().map(Some).collect();
    let inner = LaunchValues { dims: &boxed, ..*values };
    if !unproved(f, &inner, vals, dead).is_empty() {
        return None;
    }
    let footprint: Vec<_> =
        (0..f.arrays.len()).map(|a| touched(f, a, section(f, &inner, a), vals, dead)).collect();
    let parts = Parts { f, values: &inner, footprint: &footprint };
    let nest = nest::nest(&parts, &dims, vals, dead)?;
    let start =
        |(part, all): (&DimValues, &DimValues)| u64::try_from((part.first - all.first) / all.step).ok();
    let starts = dims.iter().zip(&whole).map(start).collect::<Option<_>>()?;
    Some(Interior { nest, starts })
}

/// Evaluates all formulas for the iterations of a box; gives the contexts that are never reached.
fn eval<const V: usize>(
    f: &Formulas,
    values: &LaunchValues<'_>,
    dims: &[DimValues],
    vals: &mut [Val<V>],
) -> u64 {
    let boxed: Vec<_> = dims.iter().copied().map(Some).collect();
    let inner = LaunchValues { dims: &boxed, ..*values };
    f.graph.eval(&Launch { syms: &f.syms, values: &inner }, vals)
}

/// Lets a loop begin at an aligned value.
fn align(dim: &mut DimValues) {
    let skip = (-dim.first).rem_euclid(ALIGNED);
    if dim.step == 1 && skip < i128::from(dim.count) {
        dim.first += skip;
        dim.count -= skip as u64;
    }
}

/// The formulas that need a smaller box.
struct Cuts<'a, const V: usize> {
    f: &'a Formulas,
    vals: &'a [Val<V>],
    dead: u64,
    dims: &'a [DimValues],
}

/// An affine function that is not to be negative in the box.
type Natural<const V: usize> = Val<V>;

impl<const V: usize> Cuts<'_, V> {
    /// The box after the first cut after which it is large enough.
    fn first(&self) -> Option<Vec<DimValues>> {
        self.f.graph.insts.iter().enumerate().find_map(|(at, inst)| {
            if !self.is_reached(inst) {
                return None;
            }
            let ways = self.ways(at, inst)?;
            let boxes = ways.iter().filter_map(|way| self.cut(way));
            let best = boxes.max_by_key(|dims| dims.iter().map(|d| u128::from(d.count)).product::<u128>())?;
            (best != self.dims).then_some(best)
        })
    }

    fn is_reached(&self, inst: &Inst) -> bool {
        let ctxs = &self.f.graph.fact_ctxs;
        let mut at = inst.fact_ctx;
        while at != 0 {
            if ctxs[at].bit & self.dead != 0 {
                return false;
            }
            at = ctxs[at].parent;
        }
        true
    }

    /// What decides a formula that the ranges leave open: one of several sets of functions that are not negative.
    fn ways(&self, at: usize, inst: &Inst) -> Option<Vec<Vec<Natural<V>>>> {
        let get = |i: u32| &self.vals[i as usize];
        let less = |a: &Val<V>, b: &Val<V>| Val::linear(b, 1, a, -1);
        let plus = |v: &Val<V>, n: i128| Val::linear(v, 1, &Val::number(n), 1);
        match inst.formula {
            Formula::Rel(rel, a, b) if self.vals[at].is_number().is_none() => {
                let (up, down) = (less(get(a), get(b))?, less(get(b), get(a))?);
                let (below, above) = (plus(&up, -1)?, plus(&down, -1)?);
                Some(match rel {
                    Rel::Lt | Rel::Ge => vec![vec![below], vec![down]],
                    Rel::Le | Rel::Gt => vec![vec![up], vec![above]],
                    Rel::Eq | Rel::Ne => vec![vec![below], vec![above]],
                })
            }
            Formula::Bin(Arith::Min | Arith::Max | Arith::AbsDiff, a, b) => {
                let (a, b) = (get(a), get(b));
                (a.hi > b.lo && b.hi > a.lo).then_some(vec![vec![less(a, b)?], vec![less(b, a)?]])
            }
            Formula::Bin(op @ (Arith::SaturatingAdd | Arith::SaturatingSub), a, b) => {
                let sum = Val::linear(get(a), 1, get(b), if op == Arith::SaturatingAdd { 1 } else { -1 })?;
                self.within(sum, inst.ty)
            }
            Formula::Bin(op @ (Arith::Add | Arith::Sub | Arith::Mul), a, b) => {
                self.within(arith(op, get(a), get(b), inst.ty)?, inst.ty)
            }
            Formula::Cast(a) => self.within(*get(a), inst.ty),
            Formula::Bin(Arith::Rem | Arith::RemEuclid, a, b) => {
                let (a, n) = (get(a), get(b).is_number().filter(|n| *n > 0)?);
                let (first, last) = (a.lo.div_euclid(n), a.hi.div_euclid(n));
                if first == last || last - first >= MOST_QUOTIENTS {
                    return None;
                }
                let way = |times: i128| {
                    let from = times.checked_mul(n)?;
                    let end = from.checked_add(n - 1)?;
                    Some(vec![plus(a, -from)?, less(a, &Val::number(end))?])
                };
                (first..=last).map(way).collect()
            }
            _ => None,
        }
    }

    /// The function is to be in the range of the type, where it is not.
    fn within(&self, v: Val<V>, ty: Option<Prim>) -> Option<Vec<Vec<Natural<V>>>> {
        let (lo, hi) = ty.and_then(Prim::int_range)?;
        let least = Val::linear(&v, 1, &Val::number(lo), -1)?;
        let most = Val::linear(&Val::number(hi), 1, &v, -1)?;
        Some(vec![vec![least, most]])
    }

    /// The box in which the functions are not negative, if enough of it is left.
    fn cut(&self, way: &[Natural<V>]) -> Option<Vec<DimValues>> {
        let mut dims = self.dims.to_vec();
        for v in way {
            let (d, c, rest) = match self.of_one(v)? {
                (None, least) if least >= 0 => continue,
                (None, _) => return None,
                (Some((d, c)), rest) => (d, c, rest),
            };
            // c·x + rest >= 0
            let dim = &mut dims[d];
            let last = dim.first.checked_add(dim.step.checked_mul(i128::from(dim.count) - 1)?)?;
            let (mut from, mut to) = (dim.first, last);
            match c > 0 {
                true => from = from.max(-rest.div_euclid(c)),
                false => to = to.min(rest.div_euclid(-c)),
            }
            // (Rounded up; it is not negative.)
            let skip = (from - dim.first + dim.step - 1).div_euclid(dim.step);
            let first = dim.first.checked_add(skip.checked_mul(dim.step)?)?;
            let count = to.checked_sub(first)?.div_euclid(dim.step).checked_add(1)?;
            let count = u64::try_from(count)
                .ok()
                .filter(|n| leaves(u128::from(*n), u128::from(self.dims[d].count), LEAST))?;
            *dim = DimValues { first, step: dim.step, count };
        }
        Some(dims)
    }

    /// A function's only parallel variable with its factor, and the least value of the rest; without one, its own least value.
    fn of_one(&self, v: &Val<V>) -> Option<(Option<(usize, i128)>, i128)> {
        let graph = &self.f.graph;
        let (mut least, mut found) = (v.konst.checked_add(v.noise.0)?, None);
        let mut of = Vec::new();
        for (s, slot) in graph.slots.iter().enumerate().take(V).filter(|(s, _)| v.coef[*s] != 0) {
            let c = v.coef[s];
            let d = slot.var.index();
            if d < self.dims.len() {
                of.push((d, c));
                continue;
            }
            let is_it = |i: &InstId| graph.insts[*i as usize].slot == Some(s);
            let inst = slot.offset.or_else(|| self.f.loops.iter().copied().find(is_it))?;
            let (lo, hi) = (self.vals[inst as usize].lo, self.vals[inst as usize].hi);
            least = least.checked_add(c.checked_mul(lo)?.min(c.checked_mul(hi)?))?;
        }
        match of[..] {
            [] => {}
            [(d, c)] => found = Some((d, c)),
            _ => {
                for (d, c) in of {
                    let (lo, hi) = ends(&self.dims[d])?;
                    least = least.checked_add(c.checked_mul(lo)?.min(c.checked_mul(hi)?))?;
                }
            }
        }
        Some((found, least))
    }
}

/// Whether a part is at least this fraction of a whole.
fn leaves(part: u128, whole: u128, (of, parts): (u128, u128)) -> bool {
    part.saturating_mul(parts) >= whole.saturating_mul(of)
}

/// The first and the last value.
fn ends(dim: &DimValues) -> Option<Interval> {
    let last = dim.first.checked_add(dim.step.checked_mul(i128::from(dim.count) - 1)?)?;
    Some((dim.first, last))
}
