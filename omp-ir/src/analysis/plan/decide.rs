//! Evaluation of a plan with the numbers of a launch.
use super::build::graph::{MAX_SLOTS, NONE};
use super::build::{Formulas, LimitInst, PlanCheck, PlanDim, What, too_deep};
use super::conflict::{Evaluated, Iterations, Level};
use super::interior;
use super::nest;
use super::numbering::Numbering;
use super::system;
use super::values::{Launch, Nothing, Source, Sources};
use super::{DimValues, Footprint, LaunchFacts, LaunchValues, Lines, OpenPair};
use crate::analysis::form::{Arith, NodeId, Op, Sym, VarId};
use crate::analysis::numbers::{Interval, Val};
use crate::analysis::survey::Step;
use crate::ids::{AccessId, ArrayId, ExprId};
use crate::template::Level as Nesting;
use std::collections::{BTreeMap, BTreeSet};

/// Runs `$body` with a buffer for all values, as small as will do: `$vals: &mut [Val<N>]`.
macro_rules! with_values {
    ($f:expr, |$vals:ident| $body:expr) => {{
        match ($f.graph.slots.len(), $f.graph.len()) {
            (0..=1, 0..=12) => {
                let $vals: &mut [Val<1>] = &mut [Val::number(0); 12];
                $body
            }
            (0..=2, 0..=14) => {
                let $vals: &mut [Val<2>] = &mut [Val::number(0); 14];
                $body
            }
            (0..=2, 0..=32) => {
                let $vals: &mut [Val<2>] = &mut [Val::number(0); 32];
                $body
            }
            (0..=4, 0..=32) => {
                let $vals: &mut [Val<4>] = &mut [Val::number(0); 32];
                $body
            }
            (0..=4, n) => {
                let $vals: &mut [Val<4>] = &mut vec![Val::number(0); n];
                $body
            }
            (_, n) => {
                let $vals: &mut [Val<MAX_SLOTS>] = &mut vec![Val::number(0); n];
                $body
            }
        }
    }};
}

/// What a launch may rely on.
pub(super) fn decide(f: &Formulas, values: &LaunchValues<'_>) -> LaunchFacts {
    with_values!(f, |vals| run(f, values, vals))
}

/// Which checks constants alone prove.
pub(super) fn prove_constants(f: &Formulas) -> Vec<bool> {
    with_values!(f, |vals| {
        let dead = f.graph.eval(&Nothing, vals);
        let proved = |c: &PlanCheck| {
            // A mapped array's length is not a constant.
            !matches!(c.limit, LimitInst::Array(_)) && (dead & c.bits != 0 || in_bounds(f, c, (0, 0), vals))
        };
        f.checks.iter().map(proved).collect()
    })
}

/// `lo..hi` of the elements of an array that may be touched.
pub(super) fn section(f: &Formulas, values: &LaunchValues<'_>, array: usize) -> Interval {
    let len = values.lens.get(array).copied().unwrap_or(0);
    let (lo, hi) = if f.arrays[array].section { values.sections[array] } else { (0, len) };
    (i128::from(lo), i128::from(hi.min(len)))
}

fn in_bounds<const V: usize>(f: &Formulas, check: &PlanCheck, section: Interval, vals: &[Val<V>]) -> bool {
    let get = |i: u32| &vals[i as usize];
    // `a <= b` in all iterations
    let below = |a: &Val<V>, b: &Val<V>, strict: bool| {
        let least = i128::from(strict);
        a.exact
            && b.exact
            && (b.lo.saturating_sub(a.hi) >= least
                || Val::linear(b, 1, a, -1)
                    .and_then(|d| f.graph.range(&d, check.fact_ctx, vals))
                    .is_some_and(|(lo, _)| lo >= least))
    };
    if let What::Divisor { of, by } = check.what {
        let by = get(by);
        let no_overflow = || of.is_none_or(|(of, least)| get(of).exact && get(of).lo > least);
        let not_zero = by.lo > 0 || by.hi < 0;
        return by.exact && not_zero && (by.lo > -1 || by.hi < -1 || no_overflow());
    }
    let (from, to) = match check.limit {
        LimitInst::Array(_) => (Val::number(section.0), Val::number(section.1)),
        LimitInst::Known(n) => (Val::number(0), *get(n)),
        LimitInst::Unknown => return false,
    };
    match check.what {
        What::At(i) => below(&from, get(i), false) && below(get(i), &to, true),
        What::Divisor { .. } | What::Nowhere => false,
        What::Range(lo, hi) => {
            below(&from, get(lo), false) && below(get(lo), get(hi), false) && below(get(hi), &to, false)
        }
    }
}

/// The subscripts that kernels have to check.
pub(super) fn unproved<const V: usize>(
    f: &Formulas,
    values: &LaunchValues<'_>,
    vals: &[Val<V>],
    dead: u64,
) -> BTreeSet<AccessId> {
    let proved = |c: &PlanCheck| {
        let section = match c.limit {
            LimitInst::Array(a) => section(f, values, a.index()),
            LimitInst::Known(_) | LimitInst::Unknown => (0, 0),
        };
        in_bounds(f, c, section, vals)
    };
    let open = f.checks.iter().filter(|c| c.at_launch && dead & c.bits == 0 && !proved(c));
    open.map(|c| c.access).chain(f.never.iter().copied()).collect()
}

/// The facts of a launch in which no iteration runs.
fn nothing_runs(f: &Formulas, dims: Vec<DimValues>) -> LaunchFacts {
    LaunchFacts {
        dims,
        total: Some(0),
        unproved: BTreeSet::new(),
        race: None,
        open: Vec::new(),
        claims: BTreeSet::new(),
        ordered: BTreeSet::new(),
        numbering: Numbering::default(),
        index32: true,
        short: BTreeSet::new(),
        inner_trips: Some(0),
        trips: BTreeMap::new(),
        in_step: BTreeSet::new(),
        in_step_inner: BTreeSet::new(),
        in_row: BTreeSet::new(),
        lines: Lines::default(),
        nest: None,
        interchanged: None,
        coalesced: None,
        interior: None,
        overwritten: vec![false; f.arrays.len()],
        footprint: vec![Some(Footprint::default()); f.arrays.len()],
    }
}

fn run<const V: usize>(f: &Formulas, values: &LaunchValues<'_>, vals: &mut [Val<V>]) -> LaunchFacts {
    let source = Launch { syms: &f.syms, values };
    let empty = (0..f.dims.len()).any(|d| matches!(source.dim(d), Source::Known(v) if v.count == 0));
    if empty {
        let dims = (0..f.dims.len()).map(|d| match source.dim(d) {
            Source::Known(v) => v,
            Source::Unknown => DimValues { first: 0, step: 1, count: 0 },
        });
        return nothing_runs(f, dims.collect());
    }
    let dead = f.graph.eval(&source, vals);
    let dims = dims(f, &source, vals);
    let total = dims.iter().try_fold(1u64, |n, d| n.checked_mul(d.count));
    if dims.iter().any(|d| d.count == 0) {
        return nothing_runs(f, dims);
    }
    let unproved = unproved(f, values, vals, dead);
    let (mut overwritten, mut footprint) =
        (Vec::with_capacity(f.arrays.len()), Vec::with_capacity(f.arrays.len()));
    for (a, array) in f.arrays.iter().enumerate() {
        let section = section(f, values, a);
        let touched = touched(f, a, section, vals, dead).filter(|_| are_within_bounds(f, a, &unproved));
        let covered = |part| array.covers.iter().any(|c| c.holds(&f.graph, vals, &source, part, dead));
        // If no `map` names an array, only the accessed elements have to be on a device.
        let part = match touched.as_ref().map(|t| &t.all[..]) {
            Some([(lo, hi)]) if !array.mapped => (i128::from(*lo), i128::from(*hi)),
            _ => section,
        };
        overwritten.push(covered(part));
        footprint.push(touched);
    }
    let narrow = |without: &BTreeSet<AccessId>| {
        let skips = |access: &AccessId| unproved.contains(access) || without.contains(access);
        index32(f, (&dims, total), (vals, dead), &skips)
    };
    let index32 = narrow(&BTreeSet::new());
    let (open, claims) = open(f, values, &dims, vals, dead);
    let race = open.first().map(|pair| pair.race(&f.survey, None));
    let proved = open.is_empty() && claims.is_empty();
    let numbering = if proved { Numbering::default() } else { numbering(f, &dims, values, vals) };
    let trips = |var: VarId| trips(f, vals, var);
    let inner_trips = inner_trips(f, &trips);
    let sequential = f.survey.vars.iter().enumerate().skip(f.survey.dims);
    let trips =
        sequential.filter_map(|(v, var)| Some((var.local?, trips(VarId(u32::try_from(v).ok()?))?))).collect();
    let parts = Parts { f, values, footprint: &footprint };
    let (in_step, in_step_inner) = (in_step(&parts, vals), in_step_inner(&parts, vals));
    let in_row = in_row(&parts, &dims, vals);
    let lines = lines(f, &dims, values, vals);
    let mut nest = nest::nest(&parts, &dims, vals, dead);
    if let Some(nest) = &mut nest {
        nest.narrow = index32 || (!nest.gathers.is_empty() && narrow(&nest.gathers));
    }
    let order = nest.as_ref().zip(f.interchanged.as_ref());
    let interchanged =
        order.and_then(|(nest, order)| nest::interchanged(nest, dims.len(), order)).map(Box::new);
    let coalesced =
        nest.as_ref().and_then(|nest| nest::coalesced(nest, dims.len(), &f.perfect)).map(Box::new);
    let interior =
        if proved && race.is_none() { interior::interior(f, values, vals, dead).map(Box::new) } else { None };
    LaunchFacts {
        dims,
        total,
        unproved,
        race,
        open,
        claims,
        ordered: BTreeSet::new(),
        numbering,
        index32,
        short: if index32 { short(f, vals, dead) } else { BTreeSet::new() },
        inner_trips,
        trips,
        in_step,
        in_step_inner,
        in_row,
        lines,
        nest,
        interchanged,
        coalesced,
        interior,
        overwritten,
        footprint,
    }
}

/// The subscripts that move by records, in bounds for all iterations of the only loop, followed by fields and by subscripts that are the
/// same in all iterations.
fn in_step<const V: usize>(parts: &Parts<'_>, vals: &[Val<V>]) -> BTreeSet<AccessId> {
    let strides = &parts.f.strides;
    let records: BTreeMap<_, _> =
        strides.iter().filter_map(|s| Some((s.access, s.record.as_ref()?))).collect();
    let same = |level: &Level| match level {
        Level::Index(i) => {
            let v = &vals[*i as usize];
            v.exact && v.noise == (0, 0) && v.coef.iter().all(|c| *c == 0)
        }
        Level::Field(_) => true,
    };
    in_steps(parts, vals, &|access, v, rest| {
        let record = records.get(&access).filter(|record| i128::from(record.by) == v.coef[0])?;
        // Other variables are those of loops whose bounds are constants.
        let alone = || v.coef[1..].iter().all(|c| *c == 0) && v.konst == i128::from(record.from);
        let one = !record.along.is_empty() || alone();
        (one && rest.iter().all(same)).then_some((record.shift(), record.by))
    })
}

/// The subscripts that are the variable of the only loop and a constant, whatever follows them.
fn in_step_inner<const V: usize>(parts: &Parts<'_>, vals: &[Val<V>]) -> BTreeSet<AccessId> {
    in_steps(parts, vals, &|_, v, _| {
        let moves = v.coef[0] == 1 && v.coef[1..].iter().all(|c| *c == 0);
        moves.then_some((i64::try_from(v.konst).ok()?, 1))
    })
}

/// Which subscript, its value, and the steps after it, as records of so many elements, so many records from that of the variable's own
/// number; `None` if it is none.
type Moves<'a, const V: usize> = dyn Fn(AccessId, &Val<V>, &[Level]) -> Option<(i64, i64)> + 'a;

/// The subscripts of a single loop that move in a way, in bounds for all of its iterations.
fn in_steps<const V: usize>(parts: &Parts<'_>, vals: &[Val<V>], moves: &Moves<'_, V>) -> BTreeSet<AccessId> {
    let (f, values) = (parts.f, parts.values);
    let (mut found, mut others) = (BTreeSet::new(), BTreeSet::new());
    let [Some(DimValues { first, step: 1, count })] = *values.dims else { return found };
    for (touch, seen) in f.touches.iter().zip(f.survey.of_arrays()) {
        let ([Level::Index(i), rest @ ..], Some(access)) = (touch.path.as_slice(), seen.access) else {
            continue;
        };
        let v = &vals[*i as usize];
        // Conditions don't count: code that moves groups of elements evaluates no condition.
        let inside = |(shift, by): (i64, i64)| {
            let from = first.checked_add(shift.into()).and_then(|first| first.checked_mul(by.into()));
            u64::try_from(by)
                .ok()
                .and_then(|by| count.checked_mul(by))
                .is_some_and(|n| parts.have(seen.array, from, n))
        };
        let one = !seen.chosen && v.exact && v.noise == (0, 0);
        let of = if one && moves(access, v, rest).is_some_and(inside) { &mut found } else { &mut others };
        of.insert(access);
    }
    found.retain(|access| !others.contains(access));
    found
}

/// The parts of arrays that are on the device.
pub(super) struct Parts<'a> {
    pub f: &'a Formulas,
    pub values: &'a LaunchValues<'a>,
    pub footprint: &'a [Option<Footprint>],
}

impl Parts<'_> {
    /// Whether `count` elements from the given one on are there.
    pub(super) fn have(&self, array: ArrayId, from: Option<i128>, count: u64) -> bool {
        let end = from.and_then(|from| from.checked_add(i128::from(count)));
        let Some((from, end)) = from.zip(end) else { return false };
        let inside = |(lo, hi): Interval| lo <= from && end <= hi;
        let section = || inside(section(self.f, self.values, array.index()));
        match &self.footprint[array.index()] {
            Some(touched) => {
                let touched = touched.all.iter().any(|(lo, hi)| inside((i128::from(*lo), i128::from(*hi))));
                // Another task may write elements of an array that is written.
                let read_only = || !self.f.survey.touches.iter().any(|t| t.array == array && t.write);
                touched || self.f.arrays[array.index()].mapped && read_only() && section()
            }
            None => section(),
        }
    }
}

/// The subscripts that are the number of the iteration, in nests whose loops begin at 0.
fn in_row<const V: usize>(parts: &Parts<'_>, dims: &[DimValues], vals: &[Val<V>]) -> BTreeSet<AccessId> {
    let (f, values) = (parts.f, parts.values);
    let mut found = BTreeSet::new();
    let plain = |(d, dim): (usize, &DimValues)| {
        matches!(values.dims.get(d), Some(Some(_))) && (dim.first, dim.step) == (0, 1)
    };
    if dims.len() < 2 || !dims.iter().enumerate().all(plain) {
        return found;
    }
    let total = dims.iter().try_fold(1u64, |n, d| n.checked_mul(d.count));
    let mut counts = vec![1i128; dims.len()];
    for d in (1..dims.len()).rev() {
        let Some(n) = counts[d].checked_mul(i128::from(dims[d].count)) else { return found };
        counts[d - 1] = n;
    }
    for (touch, seen) in f.touches.iter().zip(f.survey.of_arrays()) {
        let ([Level::Index(i)], Some(access), false) = (touch.path.as_slice(), seen.access, seen.chosen)
        else {
            continue;
        };
        let v = &vals[*i as usize];
        let coefficient = |slot: usize| counts.get(slot).copied().unwrap_or(0);
        if v.exact
            && (v.konst, v.noise) == (0, (0, 0))
            && total.is_some_and(|total| parts.have(seen.array, Some(0), total))
            && v.coef.iter().enumerate().all(|(slot, c)| *c == coefficient(slot))
            && dims.len() <= v.coef.len()
        {
            found.insert(access);
        }
    }
    found
}

/// What is known of memory along the innermost of two or three loops.
fn lines<const V: usize>(
    f: &Formulas,
    dims: &[DimValues],
    values: &LaunchValues<'_>,
    vals: &[Val<V>],
) -> Lines {
    let group = i128::from(Lines::GROUP);
    let mut lines = Lines::default();
    let plain = |(d, dim): (usize, &DimValues)| matches!(values.dims.get(d), Some(Some(_))) && dim.step == 1;
    if !(2..=3).contains(&dims.len()) || V < dims.len() || !dims.iter().enumerate().all(plain) {
        return lines;
    }
    let inner = dims.len() - 1;
    let is_whole = |n: Option<i128>| n.is_some_and(|n| n % group == 0);
    let sources = Launch { syms: &f.syms, values };
    let mut whole: BTreeSet<usize> = (0..f.syms.len()).filter(|at| is_whole(sources.sym(*at))).collect();
    let mut subscripts = Vec::new();
    for (touch, seen) in f.touches.iter().zip(f.survey.of_arrays()) {
        let ([Level::Index(i)], [Step::Index(node)], Some(access), false) =
            (touch.path.as_slice(), seen.path.as_slice(), seen.access, seen.chosen)
        else {
            continue;
        };
        let v = &vals[*i as usize];
        if !v.exact || v.noise != (0, 0) || v.coef[inner + 1..].iter().any(|c| *c != 0) {
            continue;
        }
        if v.coef[inner] == 1 && v.coef[..inner].iter().all(|c| c % group == 0) {
            let place = v.konst.rem_euclid(group) as u32;
            if residue(f, inner, &whole, *node) == Some([1, place]) {
                lines.places.insert(access, place);
                subscripts.push(*node);
            }
        } else if v.coef[inner] == 0 {
            lines.same.insert(access);
        }
    }
    // A kernel states what scalars are multiples: each one more is another kernel.
    let scalars = values.scalars.len().saturating_sub(f.survey.parts.len());
    for at in (0..f.syms.len()).rev() {
        let Sym::Scalar(scalar) = f.syms[at] else { continue };
        if scalar.index() < scalars && whole.remove(&at) {
            let is_needed = |node: &NodeId| residue(f, inner, &whole, *node).is_none();
            if subscripts.iter().any(is_needed) {
                whole.insert(at);
                lines.multiples.insert(scalar);
            }
        }
    }
    lines
}

/// The remainder of a subscript divided by [`Lines::GROUP`], as a multiple of the innermost variable and a number. It follows from
/// the form of the subscript and from which symbols are multiples (`whole`), so compilers find it, too.
fn residue(f: &Formulas, inner: usize, whole: &BTreeSet<usize>, node: NodeId) -> Option<[u32; 2]> {
    const GROUP: u32 = Lines::GROUP;
    let of = |node| residue(f, inner, whole, node);
    match f.survey.forms.get(node).op {
        Op::Const(n) => Some([0, n.rem_euclid(GROUP.into()) as u32]),
        Op::Var(v) if v.index() == inner => Some([1, 0]),
        Op::Sym(at) => whole.contains(&at.index()).then_some([0, 0]),
        Op::Cast(a) => of(a),
        Op::Neg(a) => of(a).map(|a| a.map(|n| (GROUP - n) % GROUP)),
        Op::Bin(Arith::Add, a, b) => {
            let ([a, m], [b, n]) = (of(a)?, of(b)?);
            Some([(a + b) % GROUP, (m + n) % GROUP])
        }
        Op::Bin(Arith::Sub, a, b) => {
            let ([a, m], [b, n]) = (of(a)?, of(b)?);
            Some([(a + GROUP - b) % GROUP, (m + GROUP - n) % GROUP])
        }
        Op::Bin(Arith::Shl, _, b) => {
            // A shift by two bits or more leaves a multiple of four.
            let bits = matches!(f.survey.forms.get(b).op, Op::Const(n) if n >= GROUP.ilog2().into());
            bits.then_some([0, 0])
        }
        Op::Bin(Arith::Mul, a, b) => match (of(a), of(b)) {
            (Some([0, 0]), _) | (_, Some([0, 0])) => Some([0, 0]),
            (Some([0, k]), Some(by)) | (Some(by), Some([0, k])) => Some(by.map(|n| n * k % GROUP)),
            _ => None,
        },
        _ => None,
    }
}

/// The digits of iterations' numbers.
fn numbering<const V: usize>(
    f: &Formulas,
    dims: &[DimValues],
    values: &LaunchValues<'_>,
    vals: &[Val<V>],
) -> Numbering {
    let digit = |(d, known): (usize, &DimValues)| match values.dims.get(d) {
        Some(Some(_)) => *known,
        _ => {
            // A variable whose bounds depend on others has the range from its least value to its greatest.
            let inst = if d < f.graph.slots.len() { f.graph.range_of(0, d) } else { NONE };
            let (lo, hi) = match vals.get(inst as usize) {
                Some(v) if inst != NONE => (v.lo, v.hi),
                _ => (0, i128::MAX),
            };
            let count = hi.checked_sub(lo).and_then(|n| u64::try_from(n + 1).ok()).unwrap_or(u64::MAX);
            DimValues { first: lo, step: 1, count }
        }
    };
    Numbering { digits: dims.iter().enumerate().map(digit).collect() }
}

/// The values of every dimension; for a dependent one the most iterations that it has.
fn dims<const V: usize>(f: &Formulas, source: &Launch<'_>, vals: &[Val<V>]) -> Vec<DimValues> {
    let dim = |(d, dim): (usize, &PlanDim)| match source.dim(d) {
        Source::Known(v) => v,
        Source::Unknown => {
            let (lo, hi) = (&vals[dim.lo as usize], &vals[dim.hi as usize]);
            let most = Val::linear(hi, 1, lo, -1).filter(|v| v.exact).and_then(|v| {
                let (_, most) = f.graph.range(&v, 0, vals)?;
                u64::try_from((most.min(v.hi) + i128::from(dim.inclusive)).max(0)).ok()
            });
            DimValues { first: 0, step: 1, count: most.unwrap_or(u64::MAX) }
        }
    };
    f.dims.iter().enumerate().map(dim).collect()
}

/// The most iterations of a loop that goes one by one, or by larger steps.
fn trips<const V: usize>(f: &Formulas, vals: &[Val<V>], var: VarId) -> Option<u64> {
    let slot = f.graph.slots.iter().find(|s| s.var == var)?;
    let (lo, hi) = (&vals[slot.lo as usize], &vals[slot.hi as usize]);
    let span = hi.hi.checked_sub(lo.lo).filter(|_| hi.exact && lo.exact)?;
    u64::try_from(span.checked_add(i128::from(slot.inclusive))?.max(0)).ok()
}

/// The most iterations of any inner nest for a team.
fn inner_trips(f: &Formulas, trips: &dyn Fn(VarId) -> Option<u64>) -> Option<u64> {
    let nests = f.survey.inners.iter().filter(|n| n.level == Nesting::Team);
    nests
        .map(|n| n.vars.iter().try_fold(1u64, |all, v| all.checked_mul(trips(*v)?)))
        .try_fold(0, |most, n| Some(n?.max(most)))
}

/// Whether all subscripts of an array are proved: one that the kernel has to check could access any element.
fn are_within_bounds(f: &Formulas, array: usize, unproved: &BTreeSet<AccessId>) -> bool {
    let astray = |c: &PlanCheck| match c.limit {
        LimitInst::Array(a) => a.index() == array && unproved.contains(&c.access),
        LimitInst::Unknown => unproved.contains(&c.access),
        LimitInst::Known(_) => false,
    };
    unproved.is_empty() || (f.never.is_empty() && !f.checks.iter().any(astray))
}

/// The elements that the accesses of an array cover.
pub(super) fn touched<const V: usize>(
    f: &Formulas,
    array: usize,
    section: Interval,
    vals: &[Val<V>],
    dead: u64,
) -> Option<Footprint> {
    // All elements of a reduced array are combined.
    if f.arrays[array].reduced {
        return None;
    }
    let mut footprint = Footprint::default();
    for (t, write) in f.arrays[array].touches.iter().map(|t| (&f.touches[*t], f.survey.touches[*t].write)) {
        if dead & t.bits != 0 {
            continue;
        }
        let Some(Level::Index(i)) = t.path.first() else { return None };
        let v = &vals[*i as usize];
        if !v.exact || v.lo < section.0 || v.hi >= section.1 {
            return None;
        }
        if v.lo > v.hi {
            continue;
        }
        let range = (u64::try_from(v.lo).ok()?, u64::try_from(v.hi).ok()? + 1);
        footprint.all.push(range);
        if write {
            footprint.written.push(range);
        }
    }
    apart(&mut footprint.all);
    apart(&mut footprint.written);
    Some(footprint)
}

/// Brings ranges into order, and joins those that overlap or adjoin.
fn apart(ranges: &mut Vec<(u64, u64)>) {
    ranges.sort_unstable();
    ranges.dedup_by(|next, before| {
        let joined = next.0 <= before.1;
        if joined {
            before.1 = before.1.max(next.1);
        }
        joined
    });
}

/// The integers of 64 bits that 32 hold, with all that they are made of, wherever they are computed.
fn short<const V: usize>(f: &Formulas, vals: &[Val<V>], dead: u64) -> BTreeSet<ExprId> {
    let reached = || f.computed.iter().filter(|c| dead & c.bits == 0);
    // (The least number divided by -1 is none.)
    let holds = |i: u32| {
        let of = &vals[i as usize];
        of.narrow && of.exact && of.lo > i128::from(i32::MIN)
    };
    let mut short: BTreeSet<_> = reached().map(|c| c.expr).collect();
    reached().filter(|c| !holds(c.value)).for_each(|c| {
        short.remove(&c.expr);
    });
    short
}

fn index32<const V: usize>(
    f: &Formulas,
    (dims, total): (&[DimValues], Option<u64>),
    (vals, dead): (&[Val<V>], u64),
    skips: &dyn Fn(&AccessId) -> bool,
) -> bool {
    const MOST: i128 = i32::MAX as i128;
    let small = |v: i128| (-MOST..=MOST).contains(&v);
    let ends = |d: &DimValues| {
        let past = d.step.checked_mul(i128::from(d.count)).and_then(|s| s.checked_add(d.first));
        small(d.first) && small(d.step) && past.is_some_and(small)
    };
    let narrow = |i: u32| vals[i as usize].narrow;
    // A bound that wraps is another number in 64 bits: `2 - 3..n` has no iterations.
    let whole = |i: u32| narrow(i) && vals[i as usize].exact;
    total.is_some_and(|t| i128::from(t) <= MOST)
        && dims.iter().all(ends)
        && f.loops.iter().all(|i| whole(*i))
        && f.checks.iter().filter(|c| c.trusted_or_proved && dead & c.bits == 0 && !skips(&c.access)).all(
            |c| match c.what {
                What::At(i) => narrow(i),
                What::Range(lo, hi) => narrow(lo) && narrow(hi),
                // Nothing is left out for it.
                What::Divisor { .. } | What::Nowhere => true,
            },
        )
}

/// The accesses that no formula shows to keep apart, and the arrays under `disjoint` among theirs.
fn open<const V: usize>(
    f: &Formulas,
    values: &LaunchValues<'_>,
    dims: &[DimValues],
    vals: &[Val<V>],
    dead: u64,
) -> (Vec<OpenPair>, BTreeSet<ArrayId>) {
    let (mut open, mut claims) = (Vec::new(), BTreeSet::new());
    let alone = dims.iter().all(|d| d.count <= 1);
    if f.inner_pairs.is_empty() && (f.pairs.is_empty() || alone) {
        return (open, claims);
    }
    let mut steps = [(1i128, 0i128); MAX_SLOTS];
    for ((step, d), given) in steps.iter_mut().zip(dims).zip(values.dims) {
        if given.is_some() {
            *step = (d.step.saturating_abs().max(1), d.first);
        }
    }
    let depth = f.dims.len().min(MAX_SLOTS);
    let evaluated = Evaluated { graph: &f.graph, vals, dims: depth, steps: &steps[..depth] };
    let outer = Iterations { own: (1 << depth) - 1, common: 0 };
    let syms = given_syms(f, values);
    let numbers = system::Numbers { syms: &syms, dims: values.dims };
    let mut put: Option<((Option<usize>, usize), system::First<'_>)> = None;
    let outer_pairs = f.pairs.iter().filter(|_| !alone).map(|(a, b)| (None, *a, *b));
    for (nest, a, b) in outer_pairs.chain(f.inner_pairs.iter().map(|(n, a, b)| (Some(*n), *a, *b))) {
        let (x, y) = (&f.touches[a], &f.touches[b]);
        if dead & (x.bits | y.bits) != 0 {
            continue;
        }
        let of = nest.map_or(Some(outer), |n| f.inners[n]);
        let apart = !too_deep(f) && of.is_some_and(|of| evaluated.apart(of, x.side(), y.side()));
        if apart {
            continue;
        }
        let touches = &f.survey.touches;
        let first = match &put {
            Some((of, first)) if *of == (nest, a) => first,
            _ => {
                let inner = nest.map(|n| &f.survey.inners[n]);
                &put.insert(((nest, a), system::First::new(&f.survey, numbers, inner, &touches[a]))).1
            }
        };
        if first.apart(&touches[b]) {
            continue;
        }
        if f.claimed.contains(&touches[a].array) {
            claims.insert(touches[a].array);
        } else {
            open.push(OpenPair { nest, first: a, second: b });
        }
    }
    (open, claims)
}

/// The numbers of the launch's symbols.
pub(super) fn given_syms(f: &Formulas, values: &LaunchValues<'_>) -> Vec<Option<i128>> {
    let given = |s: &Sym| match s {
        Sym::Scalar(s) => values.scalars.get(s.index()).copied().flatten(),
        Sym::Len(a) => values.lens.get(a.index()).map(|n| i128::from(*n)),
        Sym::Free(_) => None,
    };
    f.syms.iter().map(given).collect()
}
