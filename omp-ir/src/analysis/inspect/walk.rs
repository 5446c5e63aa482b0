//! The iterations of a region, and the elements that each of them accesses.
//!
//! Accesses with the same innermost loop are one *stream*. The points of a stream are collected from the whole nest, [`LANES`] at
//! a time, and their subscripts and conditions are computed in one pass. The tables don't depend on the order of accesses.
use super::Inspected;
use super::program::{Col, LANES, Lanes, Numbers, Program};
use super::table::{AccessKind, Marks, Nested, Table};
use crate::analysis::form::{At, NodeId, VarId};
use crate::analysis::plan::DimValues;
use crate::analysis::survey::{Adapt, CtxId, CtxKind, InnerNest, Step, Survey};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A touch in its stream.
#[derive(Debug, Clone)]
struct Leaf {
    /// Its number among the touches.
    touch: usize,
    /// Whether it is reached depends on more than the numbers.
    uncertain: bool,
    /// What has to hold.
    conds: Vec<LeafCond>,
    /// The subscripts, with the lengths of what they subscript and the elements of one of those.
    path: Vec<(Col, u64, u64)>,
    /// How many elements it touches.
    width: u64,
}

/// A condition around a place. `asserted`: where it does not hold the region fails, so a conflict that needs it is certain.
#[derive(Debug, Clone)]
struct LeafCond {
    cond: Col,
    holds: bool,
    asserted: bool,
}

/// Touches with the same innermost loop.
#[derive(Debug, Clone)]
pub(super) struct Stream {
    at: CtxId,
    /// From the region's body to the innermost loop's.
    levels: Vec<CtxId>,
    leaves: Vec<Leaf>,
    program: Program,
    numbers: Box<Lanes>,
    filled: usize,
}

/// What a pass looks at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Job<'a> {
    pub survey: &'a Survey,
    pub numbers: Numbers<'a>,
    pub nest: Option<&'a InnerNest>,
    /// Values of the parallel loops that the host has evaluated.
    pub dims: &'a [Option<DimValues>],
    /// An upper bound of the trip count of every parallel loop.
    pub counts: &'a [u64],
    /// Only touches that are reached whatever the data.
    pub certain: bool,
    /// The first element of the array, of those that count.
    pub low: u64,
}

/// What all threads of a pass have in common.
#[derive(Debug)]
pub(super) struct Pass<'a> {
    pub job: Job<'a>,
    pub budget: &'a AtomicU64,
    /// A conflict was found, or the budget is used up.
    pub over: AtomicBool,
    pub conflict: AtomicBool,
    pub short: AtomicBool,
    /// In a sample of the marked elements: how often an element is near the one before, and how often it is not.
    pub near: AtomicU64,
    pub far: AtomicU64,
}

impl<'a> Pass<'a> {
    pub(super) fn new(job: Job<'a>, certain: bool, budget: &'a AtomicU64) -> Self {
        let flag = || AtomicBool::new(false);
        let (near, far) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { job: Job { certain, ..job }, budget, over: flag(), conflict: flag(), short: flag(), near, far }
    }
}

/// The sink of the accesses of a pass.
#[derive(Debug)]
pub(super) enum Sink<'a> {
    Table(&'a Table),
    Nested(Nested),
    /// Marks the elements that are accessed, without the iteration.
    Marks(&'a mut Marks),
    /// Looks whether what is touched was marked.
    Marked(&'a [Marks]),
    /// Looks for an access of the element that conflicts with this one.
    Search(Hit),
}

/// An access that conflicts with an earlier one, or whose earlier one is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    pub element: u64,
    pub epoch: u64,
    pub number: u64,
    pub deed: AccessKind,
    pub touch: usize,
}

/// How often each loop's count fits in a number of an inner nest's iteration.
fn bits(nest: &InnerNest) -> u32 {
    60 / nest.vars.len().max(1) as u32
}

/// The streams of some accesses; `None` if a subscript is not understood.
pub(super) fn streams(job: Job<'_>, inspected: &[Inspected]) -> Option<Vec<Stream>> {
    let mut streams: Vec<Stream> = Vec::new();
    for one in inspected {
        let touch = &job.survey.touches[one.touch];
        let chain = job.survey.chain(touch.ctx);
        let counted = |c: &CtxId| match job.survey.ctx(*c).kind {
            CtxKind::Loop { var, .. } => job.numbers.counted[var.index()],
            CtxKind::Root | CtxKind::Cond { .. } | CtxKind::Opaque { .. } => false,
        };
        let depth = chain.iter().rposition(counted).map_or(0, |at| at + 1);
        let at = depth.checked_sub(1).map_or(CtxId::ROOT, |last| chain[last]);
        if !streams.iter().any(|s| s.at == at) {
            let (levels, numbers) = (chain[..depth].to_vec(), Box::new([0; LANES]));
            let (leaves, program) = (Vec::new(), Program::default());
            streams.push(Stream { at, levels, leaves, program, numbers, filled: 0 });
        }
        let stream = streams.iter_mut().find(|s| s.at == at)?;
        let mut leaf =
            Leaf { touch: one.touch, uncertain: false, conds: Vec::new(), path: Vec::new(), width: 1 };
        for c in &chain[depth..] {
            match job.survey.ctx(*c).kind {
                CtxKind::Root => {}
                CtxKind::Cond { cond, holds, asserted } => {
                    let cond = stream.program.column(job.numbers, cond);
                    leaf.conds.push(LeafCond { cond, holds, asserted });
                }
                CtxKind::Loop { .. } | CtxKind::Opaque { .. } => leaf.uncertain = true,
            }
        }
        let mut lens = one.lens.iter();
        let mut rest: u64 = one.lens.iter().skip(1).product();
        for step in &touch.path {
            let Step::Index(node) = step else { continue };
            if !job.numbers.understands(*node) {
                return None;
            }
            let len = *lens.next()?;
            leaf.path.push((stream.program.bits(job.numbers, *node), len, rest));
            if let Some(next) = lens.as_slice().first() {
                rest /= (*next).max(1);
            }
        }
        leaf.width = lens.product();
        stream.leaves.push(leaf);
    }
    Some(streams)
}

impl Stream {
    /// Whether all that it does is certain.
    pub(super) fn is_certain(&self, job: Job<'_>) -> bool {
        let level = |c: &CtxId| match job.survey.ctx(*c).kind {
            CtxKind::Root => true,
            CtxKind::Loop { var, cut } => !cut && job.numbers.counted[var.index()],
            CtxKind::Cond { cond, asserted, .. } => asserted || job.numbers.understands(cond),
            CtxKind::Opaque { .. } => false,
        };
        let own = |c: &CtxId| match job.survey.ctx(*c).kind {
            CtxKind::Loop { var, .. } => job.nest.is_some_and(|nest| nest.vars.contains(&var)),
            CtxKind::Root | CtxKind::Cond { .. } | CtxKind::Opaque { .. } => false,
        };
        let inside = self.levels.iter().position(own).unwrap_or(0);
        let known = |c: &LeafCond| c.asserted || self.program.is_known(c.cond);
        let leaf = |l: &Leaf| !l.uncertain && l.conds.iter().all(known);
        self.levels[inside..].iter().all(level) && self.leaves.iter().all(leaf)
    }
}

/// The values of a loop.
type Counted = (i128, i128, u64);

/// One thread's part of a pass.
pub(super) struct Runner<'p, 't> {
    pass: &'p Pass<'p>,
    streams: Vec<Stream>,
    deeds: &'p [Inspected],
    sink: Sink<'t>,
    vars: Vec<Option<i128>>,
    /// The iteration of the region and of the loops around an inner nest.
    epoch: u64,
    /// Points that the budget does not know of yet.
    work: u64,
    /// How many lists of elements it has looked at for [`Pass::near`].
    sampled: u32,
    pub hit: Option<Hit>,
    /// Of a hit: the loop variables around an inner nest.
    pub around: Vec<Option<i128>>,
}

impl<'p, 't> Runner<'p, 't> {
    pub(super) fn new(
        pass: &'p Pass<'p>,
        streams: Vec<Stream>,
        deeds: &'p [Inspected],
        sink: Sink<'t>,
    ) -> Self {
        let vars = vec![None; pass.job.survey.vars.len()];
        Self {
            pass,
            streams,
            deeds,
            sink,
            vars,
            epoch: 0,
            work: 0,
            sampled: 0,
            hit: None,
            around: Vec::new(),
        }
    }

    /// Runs the iterations `from..to` of the leading parallel loops.
    pub(super) fn run(&mut self, from: u64, to: u64) {
        let job = self.pass.job;
        let lead = lead(job.dims);
        let Some(Some(last)) = lead.checked_sub(1).map(|d| job.dims[d]) else { return };
        let mut at = from;
        while at < to && !self.over() {
            let (row, begin) = (at / last.count, at % last.count);
            let end = (begin + (to - at)).min(last.count);
            let mut rest = row;
            for d in (0..lead - 1).rev() {
                let dim = job.dims[d].unwrap_or(last);
                self.vars[d] = Some(dim.first + i128::from(rest % dim.count) * dim.step);
                rest /= dim.count;
            }
            let first = last.first + i128::from(begin) * last.step;
            self.row(lead - 1, (first, last.step, end - begin), at);
            at += end - begin;
        }
        for s in 0..self.streams.len() {
            self.flush(s);
        }
        let rest = std::mem::take(&mut self.work);
        self.pass.budget.fetch_sub(rest.min(self.pass.budget.load(Ordering::Relaxed)), Ordering::Relaxed);
    }

    fn over(&self) -> bool {
        self.hit.is_some() || self.pass.over.load(Ordering::Relaxed)
    }

    /// Some iterations of a parallel loop, of which the first has this number.
    fn row(&mut self, d: usize, (first, step, count): Counted, number: u64) {
        let last = d + 1 == self.pass.job.survey.dims;
        let plain = last && self.pass.job.nest.is_none();
        if plain {
            for s in 0..self.streams.len() {
                if self.streams[s].levels.is_empty() {
                    self.fill(s, VarId(d as u32), (first, step, count), (number, 1));
                }
            }
        }
        let deep = !plain || self.streams.iter().any(|s| !s.levels.is_empty());
        for k in 0..if deep { count } else { 0 } {
            self.worked(1);
            if self.over() {
                break;
            }
            self.vars[d] = Some(first + i128::from(k) * step);
            // Touches of an inner nest have its own numbers; of the loops around it, there may be more than 64 bits count.
            let number = number.wrapping_add(k);
            if !last {
                let given = self.pass.job.dims[d + 1].map(|v| (v.first, v.step, v.count));
                let Some(inner) = given.or_else(|| self.range(VarId(d as u32 + 1))) else { continue };
                self.row(d + 1, inner, number.wrapping_mul(self.pass.job.counts[d + 1]));
            } else if self.pass.job.nest.is_some() {
                self.around(0);
            } else {
                for s in 0..self.streams.len() {
                    if !self.streams[s].levels.is_empty() {
                        self.level(s, 0, number);
                    }
                }
            }
        }
        self.vars[d] = None;
    }

    /// Evaluates what is around an inner nest, which all of its accesses have in common.
    fn around(&mut self, at: usize) {
        let Some(nest) = self.pass.job.nest else { return };
        let Some(&ctx) = self.streams.first().and_then(|s| s.levels.get(at)) else { return };
        let own = match self.pass.job.survey.ctx(ctx).kind {
            CtxKind::Loop { var, .. } => nest.vars.contains(&var),
            CtxKind::Root | CtxKind::Cond { .. } | CtxKind::Opaque { .. } => false,
        };
        if !own {
            // A nest whose iterations conflict in every execution is an error, also where data decides whether it is executed.
            return self.through(ctx, false, &mut |runner| runner.around(at + 1));
        }
        self.epoch += 1;
        for s in 0..self.streams.len() {
            self.level(s, at, 0);
            self.flush(s);
        }
    }

    /// Runs `f` for each time that a place is reached: `certain`, whatever the data.
    fn through(&mut self, ctx: CtxId, certain: bool, f: &mut dyn FnMut(&mut Self)) {
        match self.pass.job.survey.ctx(ctx).kind {
            CtxKind::Root => f(self),
            CtxKind::Opaque { .. } if certain => {}
            CtxKind::Opaque { .. } => f(self),
            CtxKind::Cond { cond, holds, asserted } => match self.eval(cond) {
                Some(v) if (v % 2 != 0) != holds => {}
                None if certain && !asserted => {}
                _ => f(self),
            },
            CtxKind::Loop { var, cut } => {
                if certain && (cut || !self.pass.job.numbers.counted[var.index()]) {
                    return;
                }
                if !self.pass.job.numbers.counted[var.index()] {
                    return f(self);
                }
                let Some((first, step, count)) = self.range(var) else { return };
                for k in 0..count {
                    self.worked(1);
                    if self.over() {
                        break;
                    }
                    self.vars[var.index()] = Some(first.wrapping_add(step.wrapping_mul(i128::from(k))));
                    f(self);
                }
                self.vars[var.index()] = None;
            }
        }
    }

    /// What stands in the iteration with this number, from level `at` on.
    fn level(&mut self, s: usize, at: usize, number: u64) {
        let Some(&ctx) = self.streams[s].levels.get(at) else { return };
        let certain = self.pass.job.certain;
        let own = |var: &VarId| self.pass.job.nest.is_some_and(|nest| nest.vars.contains(var));
        let CtxKind::Loop { var, cut } = self.pass.job.survey.ctx(ctx).kind else {
            return self.through(ctx, certain, &mut |runner| runner.level(s, at + 1, number));
        };
        let (last, own) = (at + 1 == self.streams[s].levels.len(), own(&var));
        if !last && !own {
            return self.through(ctx, certain, &mut |runner| runner.level(s, at + 1, number));
        }
        if certain && cut {
            return;
        }
        let Some((first, step, count)) = self.range(var) else { return };
        let shift = self.pass.job.nest.map_or(0, bits);
        let numbers = if own {
            if count >> shift != 0 {
                return self.give_up();
            }
            (number << shift, 1)
        } else {
            (number, 0)
        };
        if last {
            return self.fill(s, var, (first, step, count), numbers);
        }
        for k in 0..count {
            self.worked(1);
            if self.over() {
                break;
            }
            self.vars[var.index()] = Some(first.wrapping_add(step.wrapping_mul(i128::from(k))));
            self.level(s, at + 1, numbers.0 + k);
        }
        self.vars[var.index()] = None;
    }

    fn eval(&self, node: NodeId) -> Option<i128> {
        let numbers = self.pass.job.numbers;
        numbers.forms.eval(node, At { syms: numbers.syms, vars: &self.vars })
    }

    /// The values of a loop; `None` where its bounds can't be computed, and the region fails.
    fn range(&mut self, var: VarId) -> Option<Counted> {
        let range = range(self.pass.job, var, &self.vars);
        if range.is_err() {
            self.give_up();
        }
        range.ok().flatten()
    }

    /// There is too much to look at.
    fn give_up(&mut self) {
        self.pass.short.store(true, Ordering::Relaxed);
        self.pass.over.store(true, Ordering::Relaxed);
    }

    fn worked(&mut self, points: u64) {
        self.work += points;
        if self.work < 1 << 12 {
            return;
        }
        let work = std::mem::take(&mut self.work);
        let left = self
            .pass
            .budget
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| Some(n.saturating_sub(work)));
        if left.is_ok_and(|left| left <= work) {
            self.give_up();
        }
    }

    /// Points along the innermost loop of a stream.
    fn fill(&mut self, s: usize, var: VarId, (first, step, count): Counted, (number, by): (u64, u64)) {
        let mut k = 0;
        // A mark has no iteration.
        let numbered = !matches!(self.sink, Sink::Marks(_) | Sink::Marked(_));
        while k < count && !self.over() {
            let stream = &mut self.streams[s];
            let from = stream.filled;
            let n = usize::try_from(count - k).unwrap_or(LANES).min(LANES - from);
            for at in 0..stream.program.vars() {
                let (v, lanes) = stream.program.var(at);
                let lanes = &mut lanes[from..from + n];
                if v == var {
                    let mut value = (first as u64).wrapping_add((step as u64).wrapping_mul(k));
                    for lane in lanes {
                        *lane = value;
                        value = value.wrapping_add(step as u64);
                    }
                } else {
                    lanes.fill(self.vars[v.index()].unwrap_or(0) as u64);
                }
            }
            if numbered {
                let mut number = number + k * by;
                for lane in &mut stream.numbers[from..from + n] {
                    *lane = number;
                    number += by;
                }
            }
            stream.filled += n;
            if stream.filled == LANES {
                self.flush(s);
            }
            k += n as u64;
        }
    }

    /// Touches what the collected points of a stream touch.
    fn flush(&mut self, s: usize) {
        let n = std::mem::take(&mut self.streams[s].filled);
        if n == 0 || self.over() {
            return;
        }
        self.worked((n * self.streams[s].leaves.len()) as u64);
        let (certain, low) = (self.pass.job.certain, self.pass.job.low);
        let stream = &mut self.streams[s];
        stream.program.run(n, self.pass.job.numbers.data.map(|data| data.memory));
        match stream.program.iterated() {
            Some(iterated) => self.worked(iterated),
            None => return self.give_up(),
        }
        let stream = &mut self.streams[s];
        for leaf in stream.leaves.iter().filter(|l| !(certain && l.uncertain)) {
            if let (Sink::Marks(marks), [], [(col, len, 1)], 1) =
                (&mut self.sink, &leaf.conds[..], &leaf.path[..], leaf.width)
                && stream.program.is_whole(*col, n)
            {
                // The most frequent case, in one pass.
                sample(self.pass, &mut self.sampled, &stream.program.values(*col)[..n]);
                if !marks.mark_each(&stream.program.values(*col)[..n], (low, *len)) {
                    self.pass.conflict.store(true, Ordering::Relaxed);
                    self.pass.over.store(true, Ordering::Relaxed);
                    return;
                }
                continue;
            }
            let mut alive = [true; LANES];
            let alive = &mut alive[..n];
            for LeafCond { cond, holds, asserted } in &leaf.conds {
                let (values, wanted) = (stream.program.values(*cond), u64::from(*holds));
                match stream.program.known(*cond) {
                    None => alive.iter_mut().zip(values).for_each(|(a, v)| *a &= v & 1 == wanted),
                    Some(known) => {
                        alive.iter_mut().zip(values.iter().zip(known)).for_each(|(a, (v, known))| {
                            *a &= if *known { v & 1 == wanted } else { !certain || *asserted };
                        });
                    }
                }
            }
            let mut places = [0u64; LANES];
            let places = &mut places[..n];
            for (level, (col, len, each)) in leaf.path.iter().enumerate() {
                let low = if level == 0 { low } else { 0 };
                let values = stream.program.values(*col);
                for ((alive, place), value) in alive.iter_mut().zip(&mut *places).zip(values) {
                    // The region's own check finds subscripts out of bounds.
                    let at = value.wrapping_sub(low);
                    *alive &= at < *len;
                    *place = place.wrapping_add(at.wrapping_mul(*each));
                }
                if let Some(known) = stream.program.known(*col) {
                    alive.iter_mut().zip(known).for_each(|(a, known)| *a &= *known);
                }
            }
            let deed = self.deeds.iter().find(|a| a.touch == leaf.touch).map_or(AccessKind::Read, |a| a.deed);
            if let Sink::Marks(marks) = &mut self.sink {
                sample(self.pass, &mut self.sampled, places);
                if !marks.mark(places, alive, leaf.width) {
                    self.pass.conflict.store(true, Ordering::Relaxed);
                    self.pass.over.store(true, Ordering::Relaxed);
                    return;
                }
                continue;
            }
            for k in (0..n).filter(|k| alive[*k]) {
                let number = stream.numbers[k];
                for element in places[k]..places[k] + leaf.width {
                    let hit = Hit { element, epoch: self.epoch, number, deed, touch: leaf.touch };
                    let found = match &mut self.sink {
                        Sink::Table(table) => !table.touch(element as usize, number, deed),
                        Sink::Nested(table) => !table.touch(element as usize, self.epoch, number, deed),
                        Sink::Marks(_) => false,
                        Sink::Marked(all) => Marks::is_marked(all, element),
                        Sink::Search(other) => hit.conflicts_with(other),
                    };
                    if found {
                        self.pass.conflict.store(true, Ordering::Relaxed);
                        self.pass.over.store(true, Ordering::Relaxed);
                        (self.hit, self.around) = (Some(hit), self.vars.clone());
                        return;
                    }
                }
            }
        }
    }
}

impl Hit {
    fn conflicts_with(&self, other: &Self) -> bool {
        let kinds = match (self.deed, other.deed) {
            (AccessKind::Read, AccessKind::Read) | (AccessKind::Atomic, AccessKind::Atomic) => false,
            (_, _) => true,
        };
        kinds && (self.element, self.epoch) == (other.element, other.epoch) && self.number != other.number
    }

    /// The values of the iteration's own loop variables. `vars`: of the loops around an inner nest.
    pub(super) fn iteration(&self, job: Job<'_>, mut vars: Vec<Option<i128>>) -> Vec<(String, i128)> {
        let own: Vec<VarId> = match job.nest {
            Some(nest) => nest.vars.clone(),
            None => (0..job.survey.dims).map(|d| VarId(d as u32)).collect(),
        };
        let mut digits = Vec::new();
        let mut rest = self.number;
        for (d, _) in own.iter().enumerate().rev() {
            let base = match job.nest {
                Some(nest) => 1 << bits(nest),
                None => job.counts[d].max(1),
            };
            digits.push(rest % base);
            rest /= base;
        }
        digits.reverse();
        let mut out = Vec::new();
        for (var, k) in own.into_iter().zip(digits) {
            let given = job.nest.is_none().then(|| job.dims.get(var.index()).copied().flatten()).flatten();
            let counted = match given {
                Some(dim) => Some((dim.first, dim.step, dim.count)),
                None => range(job, var, &vars).ok().flatten(),
            };
            let value = counted.map_or(0, |(first, step, _)| first + i128::from(k) * step);
            vars[var.index()] = Some(value);
            out.push((job.survey.vars[var.index()].name.clone(), value));
        }
        out
    }
}

/// Elements that are no further apart are near: they are mostly in one line of a cache, or two.
const NEAR: u64 = 16;

/// So many lists of elements are a sample of a thread's.
const SAMPLES: u32 = 4;

/// Looks how far elements are from one another, as long as that was done for few lists.
fn sample(pass: &Pass<'_>, sampled: &mut u32, elements: &[u64]) {
    if *sampled >= SAMPLES {
        return;
    }
    *sampled += 1;
    let near = elements.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) <= NEAR).count() as u64;
    pass.near.fetch_add(near, Ordering::Relaxed);
    pass.far.fetch_add((elements.len() as u64).saturating_sub(1 + near), Ordering::Relaxed);
}

/// How many parallel loops, from the outermost on, the host has evaluated.
pub(super) fn lead(dims: &[Option<DimValues>]) -> usize {
    dims.iter().take_while(|d| d.is_some()).count()
}

/// The values of a loop; `None` where its bounds can't be computed; an error if there are too many.
fn range(job: Job<'_>, var: VarId, vars: &[Option<i128>]) -> Result<Option<Counted>, ()> {
    let eval = |node| job.numbers.forms.eval(node, At { syms: job.numbers.syms, vars });
    let v = &job.survey.vars[var.index()];
    let (Some(lo), Some(hi)) = (eval(v.lo), eval(v.hi)) else { return Ok(None) };
    let count = (hi - lo + i128::from(v.inclusive)).max(0);
    let mut counted = (lo, 1, u64::try_from(count).map_err(|_| ())?);
    if v.local.is_none() && hi < lo {
        return Ok(None);
    }
    for a in &v.adaptors {
        let (first, step, count) = counted;
        counted = match *a {
            Adapt::Rev => (first + i128::from(count.max(1) - 1) * step, -step, count),
            Adapt::By(s) => {
                let Some(s) = eval(s).and_then(|s| u64::try_from(s).ok()).filter(|s| *s > 0) else {
                    return Ok(None);
                };
                (first, step.saturating_mul(i128::from(s)), count.div_ceil(s))
            }
        };
    }
    Ok(Some(counted))
}
