//! Enumeration: the elements that an access reaches in each iteration of a small piece of the iteration space.
use super::form::{Arith, At, NodeId, Op, Rel};
use super::numbers::{ANYTHING, Interval};
use super::plan::DimValues;
use super::survey::{Adapt, CtxKind, InnerNest, Step, Survey, Touch};

/// One execution of a touch.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Point {
    /// Values of the parallel loop variables; of an inner nest, those of its own.
    pub iteration: Vec<i128>,
    /// Of an inner nest: the values of the loops around it, which two of its iterations have in common.
    pub around: Vec<Option<i128>>,
    /// The subscripts on the way; `None` is anything [within](Self::within).
    pub subscripts: Vec<Option<i128>>,
    pub within: Vec<Interval>,
    /// No condition on the way is beyond us.
    pub certain: bool,
}

/// The numbers of an enumeration and its limits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Space<'a> {
    /// Whose iterations are looked at: the region's, or those of an inner nest.
    pub nest: Option<&'a InnerNest>,
    pub syms: &'a [Option<i128>],
    /// Values of the parallel loops that the host has evaluated.
    pub dims: &'a [Option<DimValues>],
    /// At most so many iterations of each loop: the first ones.
    pub per_loop: u64,
    /// At most so many points.
    pub points: usize,
    /// Where the values are that data decides.
    pub data: Interval,
}

/// What came of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Points {
    pub points: Vec<Point>,
    /// Some iterations were left out because of the limits.
    pub cut: bool,
    /// The bounds of one of the nest's own loops are not understood: some values were taken for its variable.
    pub pretended: bool,
    /// A subscript or condition depends on numbers alone, which only types or a launch determine.
    pub later: bool,
    /// How many parallel iterations were seen (of an inner nest: how many of its iterations got to the touch).
    pub iterations: usize,
}

/// The points of a touch.
pub(crate) fn points(survey: &Survey, touch: &Touch, space: Space<'_>) -> Points {
    let levels = survey.chain(touch.ctx).into_iter().map(|c| &survey.ctx(c).kind).collect();
    let mut run = Run {
        survey,
        touch,
        space,
        levels,
        facts: Vec::new(),
        vars: vec![None; survey.vars.len()],
        budget: space.points.saturating_mul(4),
        out: Points::default(),
    };
    run.dim(0);
    if space.nest.is_some() {
        let of = |p: &Point| p.iteration.clone();
        run.out.iterations = run.out.points.iter().map(of).collect::<std::collections::BTreeSet<_>>().len();
    }
    run.out
}

struct Run<'a> {
    survey: &'a Survey,
    touch: &'a Touch,
    space: Space<'a>,
    levels: Vec<&'a CtxKind>,
    /// What conditions around say of values that are not known.
    facts: Vec<(NodeId, Interval)>,
    vars: Vec<Option<i128>>,
    /// How many more loop iterations there may be, in all loops.
    budget: usize,
    out: Points,
}

/// `first`, `step`, `count`.
type Counted = (i128, i128, u64);

impl Run<'_> {
    fn eval(&self, node: NodeId) -> Option<i128> {
        self.survey.forms.eval(node, At { syms: self.space.syms, vars: &self.vars })
    }

    fn range(&self, var: usize) -> Option<Counted> {
        let v = &self.survey.vars[var];
        let (lo, hi) = (self.eval(v.lo)?, self.eval(v.hi)?);
        let end = hi.checked_add(i128::from(v.inclusive))?;
        let mut counted = (lo, 1, u64::try_from(end.checked_sub(lo)?.max(0)).ok()?);
        for a in &v.adaptors {
            let (first, step, count) = counted;
            counted = match *a {
                Adapt::Rev => (first + i128::from(count.max(1) - 1) * step, -step, count),
                Adapt::By(s) => {
                    let s = u64::try_from(self.eval(s)?).ok().filter(|s| *s > 0)?;
                    (first, step.checked_mul(i128::from(s))?, count.div_ceil(s))
                }
            };
        }
        Some(counted)
    }

    fn dim(&mut self, d: usize) {
        if d == self.survey.dims {
            self.out.iterations += 1;
            return self.level(0, true);
        }
        let known = self.space.dims.get(d).copied().flatten().map(|v| (v.first, v.step, v.count));
        match known.or_else(|| self.range(d)) {
            Some(counted) => self.each(d, counted, |run| run.dim(d + 1)),
            None => self.out.cut = true,
        }
    }

    fn each(&mut self, var: usize, (first, step, count): Counted, f: impl Fn(&mut Self)) {
        self.out.cut |= count > self.space.per_loop;
        for k in 0..count.min(self.space.per_loop) {
            if self.out.points.len() >= self.space.points || self.budget == 0 {
                self.out.cut = true;
                break;
            }
            self.budget -= 1;
            self.vars[var] = first.checked_add(step.saturating_mul(i128::from(k)));
            f(self);
        }
        self.vars[var] = None;
    }

    fn level(&mut self, at: usize, certain: bool) {
        let Some(kind) = self.levels.get(at).copied() else { return self.leaf(certain) };
        match kind {
            CtxKind::Root => self.level(at + 1, certain),
            CtxKind::Loop { var, cut } => {
                let certain = certain && !cut;
                match self.range(var.index()) {
                    Some(counted) => self.each(var.index(), counted, |run| run.level(at + 1, certain)),
                    // A question about a nest's iterations needs several of them: these may be some.
                    None if self.space.nest.is_some_and(|nest| nest.vars.contains(var)) => {
                        (self.out.cut, self.out.pretended) = (true, true);
                        self.each(var.index(), (0, 1, 3), |run| run.level(at + 1, false));
                    }
                    None => self.level(at + 1, false),
                }
            }
            CtxKind::Cond { cond, holds, asserted: _ } => match self.eval(*cond) {
                // A symbol may stand for a `bool`: odd is true.
                Some(v) if (v % 2 != 0) == *holds => self.level(at + 1, certain),
                Some(_) => {}
                None => {
                    self.out.later |= self.is_later(*cond);
                    let before = self.facts.len();
                    self.facts_of(*cond, *holds);
                    self.level(at + 1, false);
                    self.facts.truncate(before);
                }
            },
            CtxKind::Opaque { .. } => self.level(at + 1, false),
        }
    }

    fn is_later(&self, node: NodeId) -> bool {
        let mut later = false;
        self.survey.forms.visit(node, &mut |_, n| {
            later |= matches!(n.op, Op::Method(..) | Op::Carried(..) | Op::After(..));
        });
        later && self.survey.forms.is_of_numbers(node)
    }

    /// Takes in what a condition says of values that are not known, which are taken for unsigned.
    fn facts_of(&mut self, cond: NodeId, holds: bool) {
        let mut conjuncts = Vec::new();
        self.survey.forms.conjuncts(cond, holds, &mut conjuncts);
        for (l, rel, r) in conjuncts {
            for (of, rel, by) in [(l, rel, r), (r, rel.flipped(), l)] {
                let Some(by) = self.eval(by).filter(|_| self.eval(of).is_none()) else { continue };
                let within = match rel {
                    Rel::Eq => (by, by),
                    Rel::Lt => (0, by - 1),
                    Rel::Le => (0, by),
                    Rel::Gt => (by + 1, ANYTHING.1),
                    Rel::Ge => (by, ANYTHING.1),
                    Rel::Ne => continue,
                };
                self.facts.push((of, within));
            }
        }
    }

    /// The values that a node may have at a point, if its operands fit their types.
    fn range_of(&self, node: NodeId) -> Interval {
        if let Some(value) = self.eval(node) {
            return (value, value);
        }
        let part = |n: NodeId| self.range_of(n);
        let range = match self.survey.forms.get(node).op {
            Op::Cast(a) => Some(part(a)),
            Op::Neg(a) => Some((-part(a).1, -part(a).0)),
            Op::Select(_, a, b) => Some((part(a).0.min(part(b).0), part(a).1.max(part(b).1))),
            Op::Bin(op, a, b) => combined(op, part(a), part(b)),
            Op::Rel(..) => Some((0, 1)),
            Op::Opaque(_) | Op::Method(..) => Some(self.space.data),
            _ => None,
        };
        let (mut lo, mut hi) = range.unwrap_or(ANYTHING);
        for (_, (least, most)) in self.facts.iter().filter(|(of, _)| *of == node) {
            (lo, hi) = (lo.max(*least), hi.min(*most));
        }
        (lo.max(ANYTHING.0), hi.min(ANYTHING.1))
    }

    fn leaf(&mut self, certain: bool) {
        let indices = self.touch.path.iter().filter_map(|s| match s {
            Step::Index(n) => Some(*n),
            Step::Field(_) => None,
        });
        let subscripts: Vec<_> = indices.clone().map(|n| self.eval(n)).collect();
        self.out.later |= indices.clone().zip(&subscripts).any(|(n, s)| s.is_none() && self.is_later(n));
        let within = indices.map(|n| self.range_of(n)).collect();
        if subscripts.iter().flatten().any(|s| *s < 0) {
            return; // out of bounds: the region fails
        }
        let dims = &self.vars[..self.survey.dims];
        let (iteration, around) = match self.space.nest {
            None => (dims.iter().map(|v| v.unwrap_or(0)).collect(), Vec::new()),
            Some(nest) => {
                let around = nest.around.iter().map(|v| self.vars[v.index()]);
                let own = nest.vars.iter().map(|v| self.vars[v.index()].unwrap_or(0));
                (own.collect(), dims.iter().copied().chain(around).collect())
            }
        };
        self.out.points.push(Point { iteration, around, subscripts, within, certain });
    }
}

/// The range of an operation; `None`: it may be anything. What is not negative in the end is taken for unsigned.
fn combined(op: Arith, a: Interval, b: Interval) -> Option<Interval> {
    let positive = |v: Interval| (v.0 == v.1 && v.0 > 0).then_some(v.0);
    let ends = |f: &dyn Fn(i128, i128) -> Option<i128>| {
        let all = [f(a.0, b.0)?, f(a.0, b.1)?, f(a.1, b.0)?, f(a.1, b.1)?];
        Some((*all.iter().min()?, *all.iter().max()?))
    };
    match op {
        Arith::Add => ends(&i128::checked_add),
        Arith::Sub => ends(&i128::checked_sub),
        Arith::Mul => ends(&i128::checked_mul),
        Arith::Div | Arith::DivEuclid => {
            let by = positive(b)?;
            Some((a.0.div_euclid(by), a.1.div_euclid(by)))
        }
        Arith::Rem | Arith::RemEuclid => positive(b).map(|by| (0, by - 1)),
        Arith::Shl => {
            let by = u32::try_from(b.0).ok().filter(|by| b.0 == b.1 && *by < 64)?;
            Some((a.0.checked_mul(1 << by)?, a.1.checked_mul(1 << by)?))
        }
        Arith::Shr => {
            let by = u32::try_from(b.0).ok().filter(|by| b.0 == b.1 && *by < 64)?;
            Some((a.0 >> by, a.1 >> by))
        }
        Arith::And => {
            let most = [a, b].into_iter().filter(|v| v.0 >= 0).map(|v| v.1).min()?;
            Some((0, most))
        }
        // Bits that one side has and the other has not.
        Arith::Or | Arith::Xor if a.0 >= 0 && b.0 >= 0 => {
            let (fixed, other) = if a.0 == a.1 { (a.0, b) } else { (b.0, a) };
            let ones = |n: i128| {
                u64::try_from(n).map_or(i128::MAX >> 1, |n| i128::from(u64::MAX >> n.leading_zeros()))
            };
            let apart =
                (a.0 == a.1 || b.0 == b.1) && fixed & if other.1 == 0 { 0 } else { ones(other.1) } == 0;
            if apart { Some((fixed + other.0, fixed + other.1)) } else { Some((0, ones((a.1 | b.1).max(1)))) }
        }
        Arith::Min => Some((a.0.min(b.0), a.1.min(b.1))),
        Arith::Max => Some((a.0.max(b.0), a.1.max(b.1))),
        _ => None,
    }
}

/// Two points of different iterations that may be one element.
#[derive(Debug)]
pub(crate) struct Overlap {
    pub first: Vec<i128>,
    pub second: Vec<i128>,
    pub element: Vec<Option<i128>>,
    /// They surely are.
    pub certain: bool,
}

impl Overlap {
    /// The smallest one makes the best example.
    fn size(&self) -> (u128, &[i128], &[i128]) {
        let far = self.first.iter().chain(&self.second).map(|v| v.unsigned_abs());
        (far.sum(), &self.first, &self.second)
    }
}

/// An overlap of two accesses, a certain one if there is any.
pub(crate) fn overlap<'p>(a: &'p [Point], b: &'p [Point]) -> Option<Overlap> {
    use std::collections::HashMap;
    let depth = |p: &[Point]| p.first().map_or(0, |p| p.subscripts.len());
    let common = depth(a).min(depth(b));
    let exact = |p: &&Point| p.certain && p.subscripts.iter().chain(&p.around).all(Option::is_some);
    let of_points = |p: &Point, q: &Point, certain| Overlap {
        first: p.iteration.clone(),
        second: q.iteration.clone(),
        element: p.subscripts[..common].to_vec(),
        certain,
    };
    // By element: the first touch, and the first of another iteration.
    type Element<'p> = (&'p [Option<i128>], &'p [Option<i128>]);
    let element = |p: &'p Point| -> Element<'p> { (&p.around, &p.subscripts[..common]) };
    let mut at: HashMap<Element<'_>, (&Point, Option<&Point>)> = HashMap::new();
    for p in a.iter().filter(exact) {
        let entry = at.entry(element(p)).or_insert((p, None));
        if entry.1.is_none() && entry.0.iteration != p.iteration {
            entry.1 = Some(p);
        }
    }
    let mut found: Option<Overlap> = None;
    for q in b.iter().filter(exact) {
        if let Some((p, other)) = at.get(&element(q)) {
            let p = if p.iteration == q.iteration { *other } else { Some(*p) };
            if let Some(p) = p {
                let new = of_points(p, q, true);
                if found.as_ref().is_none_or(|f| new.size() < f.size()) {
                    found = Some(new);
                }
            }
        }
    }
    if found.is_some() {
        return found;
    }
    // Uncertain points may be anywhere.
    const MANY: usize = 128;
    let uncertain = |p: &Point| !exact(&p);
    for p in a.iter().take(MANY) {
        for q in b.iter().take(MANY) {
            let same = |(x, y): (&Option<i128>, &Option<i128>)| x.is_none() || y.is_none() || x == y;
            let overlap = |(x, y): (&Interval, &Interval)| x.0 <= y.1 && y.0 <= x.1;
            let meet =
                p.within.iter().zip(&q.within).all(overlap) && p.around.iter().zip(&q.around).all(same);
            if p.iteration != q.iteration && (uncertain(p) || uncertain(q)) && meet {
                return Some(of_points(p, q, false));
            }
        }
    }
    None
}
