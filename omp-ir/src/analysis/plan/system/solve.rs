//! Whether a system has a solution.
use super::linear::{Equation, Interval, Lin, System, gcd};

/// More inequalities than this are too many, and so are more sums of two.
const MOST_INEQUALITIES: usize = 128;
const MOST_SUMS: usize = 1500;

/// A conjunction of facts.
#[derive(Debug, Clone, Default)]
pub(super) struct Case {
    /// At most 0.
    pub most: Vec<Lin>,
    /// Equal to 0.
    pub zero: Vec<Lin>,
}

/// Cases of which one holds.
pub(super) type Split = Vec<Case>;

impl Case {
    pub(super) fn most(lin: Lin) -> Self {
        Self { most: vec![lin], zero: Vec::new() }
    }

    /// Puts the solution of an equation in. What becomes too large says nothing any more.
    fn put(&mut self, v: usize, l: &Lin) {
        for list in [&mut self.most, &mut self.zero] {
            list.retain_mut(|fact| fact.put(v, l).is_some());
        }
    }

    fn add(&self, system: &mut System) {
        self.zero.iter().for_each(|l| system.equals(*l));
        self.most.iter().for_each(|l| system.at_most(*l));
    }
}

/// `l != 0`
pub(super) fn unequal(l: &Lin) -> Option<Split> {
    Some(vec![Case::most(l.plus(1)?), Case::most(l.times(-1)?.plus(1)?)])
}

/// What a system leaves open.
#[derive(Debug, Clone)]
pub(super) struct Choices {
    /// There is a solution, as long as nothing is chosen.
    pub possible: bool,
    /// The ways in which iterations may differ, of which one is a fact; `None`: it has been put into the system.
    pub differences: Option<Vec<Split>>,
    /// Which of two squares is larger, and other facts that are a choice. One is tried after the other.
    pub orders: Vec<Split>,
    pub splits: Vec<Split>,
}

impl Choices {
    fn put(&mut self, v: usize, l: &Lin) {
        let facts = self.orders.iter_mut().chain(&mut self.splits);
        facts.chain(self.differences.iter_mut().flatten()).flatten().for_each(|case| case.put(v, l));
    }

    /// Drops the cases that bounds exclude. A choice with one case left becomes a fact. `false` if no case is left.
    fn prune(&mut self, system: &mut System) -> bool {
        if let Some(differences) = &mut self.differences {
            differences.retain(|split| !split.iter().all(|case| impossible(system, case)));
            if differences.is_empty() {
                return false;
            }
        }
        for split in self.orders.iter_mut().chain(&mut self.splits) {
            split.retain(|case| !impossible(system, case));
            match split.as_slice() {
                [] => return false,
                [only] => only.add(system),
                _ => {}
            }
        }
        self.orders.retain(|split| split.len() > 1);
        self.splits.retain(|split| split.len() > 1);
        !system.is_empty()
    }
}

/// Whether the system has no solution with one of the differences and a case of each split. Only so many cases are tried.
pub(super) fn apart(mut system: System, mut choices: Choices, cases: &mut usize) -> bool {
    match settle(&mut system, &mut choices) {
        None => return false,
        Some(false) => return true,
        Some(true) => {}
    }
    let possible = std::mem::take(&mut choices.possible);
    if !choices.prune(&mut system) || (!possible && eliminate(&system) == Some(false)) {
        return true;
    }
    let next = if let Some(order) = choices.orders.pop() {
        vec![order]
    } else if let Some(differences) = choices.differences.take() {
        differences
    } else {
        choices.splits.pop().into_iter().collect()
    };
    let mut refuted = |case: &Case| {
        *cases = cases.saturating_sub(1);
        let mut system = system.clone();
        case.add(&mut system);
        system.is_empty() || (*cases > 0 && apart(system, choices.clone(), cases))
    };
    !next.is_empty() && next.iter().flatten().all(|case| impossible(&system, case) || refuted(case))
}

/// Whether the bounds alone exclude a case.
fn impossible(system: &System, case: &Case) -> bool {
    case.most.iter().any(|l| system.range(l).0 > 0)
        || case.zero.iter().any(|l| {
            let (lo, hi) = system.range(l);
            lo > 0 || hi < 0
        })
}

/// Solves the equations, as far as variables have factors of ±1, and puts the solutions into everything else; `false`
/// if there are none.
fn settle(s: &mut System, choices: &mut Choices) -> Option<bool> {
    let mut facts = Vec::with_capacity(s.most.len() + 2);
    loop {
        if s.is_empty() || !reduce(s)? {
            return Some(false);
        }
        let Some((e, v)) = s.equal.iter().enumerate().find_map(|(e, l)| Some((e, unit(s, &l.lin)?))) else {
            return Some(!s.is_empty());
        };
        let l = s.equal.swap_remove(e).lin;
        for other in s.equal.iter_mut().filter(|other| other.lin.has(v)) {
            other.lin.put(v, &l)?;
            other.seen = false;
        }
        s.most.retain(|fact| {
            let with = fact.has(v);
            facts.extend(with.then_some(*fact));
            !with
        });
        choices.put(v, &l);
        let (lo, hi) = s.bounds[v];
        s.forget(v);
        facts.extend(bounds(v, (lo, hi)));
        // A fact whose coefficients become too large is dropped.
        for mut fact in facts.drain(..) {
            if fact.put(v, &l).is_some() {
                s.at_most(fact);
            }
        }
    }
}

/// The bounds of a variable, as inequalities.
fn bounds(v: usize, (lo, hi): Interval) -> impl Iterator<Item = Lin> {
    [(-1, lo), (1, -hi)]
        .into_iter()
        .filter_map(move |(k, konst)| Lin::term(v, k).plus(konst.try_into().ok()?))
}

/// The variable that an equation is solved for: a square before others, as little is known of those, and else the one
/// with the most values, so that digits remain.
fn unit(s: &System, l: &Lin) -> Option<usize> {
    let values = |v: usize| s.bounds[v].1 - s.bounds[v].0;
    l.vars().filter(|v| l.at(*v).abs() == 1).max_by_key(|v| (s.root(*v).is_some(), values(*v)))
}

/// Splits and divides the equations; `false` if one of them has no solution.
fn reduce(s: &mut System) -> Option<bool> {
    let mut done = Vec::with_capacity(s.equal.len() + 2);
    let moved = std::mem::take(&mut s.moved);
    while let Some(equation) = s.equal.pop() {
        if s.is_settled(&equation, moved | s.moved) {
            done.push(equation);
            continue;
        }
        let mut l = equation.lin;
        for v in l.vars() {
            if s.bounds[v].0 == s.bounds[v].1 {
                l = l.with(v, s.bounds[v].0)?;
            }
        }
        let g = l.divisor();
        if g == 0 {
            if l.konst != 0 {
                return Some(false);
            }
            continue;
        }
        if l.konst % g != 0 {
            return Some(false);
        }
        l = l.tightened(g);
        // For a sum without squares, narrowing gives the same.
        if s.has_squares(&l) {
            let (lo, hi) = s.range(&l);
            if lo > 0 || hi < 0 {
                return Some(false);
            }
        }
        s.narrow(&l, true);
        if s.is_empty() {
            return Some(false);
        }
        match split(s, &l) {
            Some(parts) => {
                s.equal.extend(<[Lin; 2]>::from(parts).map(|lin| Equation { lin, seen: false }));
            }
            None => done.push(Equation { lin: l, seen: true }),
        }
    }
    s.equal = done;
    Some(true)
}

/// `U·large + small = 0` with `|small| < U` is two equations.
fn split(s: &System, l: &Lin) -> Option<(Lin, Lin)> {
    // From the largest on, each once.
    let below = |limit: i64| l.terms().map(|(_, c)| c.abs()).filter(|u| (2..limit).contains(u)).max();
    for unit in std::iter::successors(below(i64::MAX), |unit| below(*unit)) {
        let (large, small) = l.parted(unit);
        if large.is_number().is_some() || small.is_number().is_some() {
            continue;
        }
        let low = l.konst.rem_euclid(unit);
        for rest in [low, low - unit] {
            let small = small.plus(rest)?;
            let (lo, hi) = s.range(&small);
            if lo > -i128::from(unit) && hi < i128::from(unit) {
                return Some((large.plus((l.konst - rest) / unit)?, small));
            }
        }
    }
    None
}

/// Eliminates all variables from the inequalities (Fourier and Motzkin); `None`: perhaps there is a solution.
fn eliminate(s: &System) -> Option<bool> {
    let mut s = s.clone();
    // Equations without factors of ±1 are two inequalities each.
    for Equation { lin: l, .. } in std::mem::take(&mut s.equal) {
        s.most.extend([l, l.times(-1)?]);
    }
    if !narrowed(&mut s) {
        return Some(false);
    }
    let mut most = Vec::with_capacity(s.most.len() + 16);
    for l in std::mem::take(&mut s.most) {
        if !keep(&s, &mut most, l) {
            return Some(false);
        }
    }
    let mut left: Vec<usize> = Vec::with_capacity(16);
    for v in most.iter().flat_map(Lin::vars) {
        if !left.contains(&v) {
            left.push(v);
        }
    }
    for &v in &left {
        most.extend(bounds(v, s.bounds[v]));
    }
    let mut sums = 0;
    loop {
        let products = |v: usize| {
            let (mut up, mut down) = (0, 0);
            for l in most.iter().filter(|l| l.has(v)) {
                *if l.at(v) > 0 { &mut up } else { &mut down } += 1;
            }
            up * down
        };
        let at = (0..left.len()).min_by_key(|k| products(left[*k]))?;
        let v = left.swap_remove(at);
        let (ups, mut rest): (Vec<Lin>, Vec<Lin>) = most.into_iter().partition(|l| l.at(v) > 0);
        let downs: Vec<Lin> = rest.extract_if(.., |l| l.has(v)).collect();
        for up in &ups {
            for down in &downs {
                let g = gcd(up.at(v), down.at(v));
                sums += 1;
                // A sum whose coefficients become too large is dropped.
                let sum = up.combine(-down.at(v) / g, down, up.at(v) / g);
                if sum.is_some_and(|sum| !keep(&s, &mut rest, sum)) {
                    return Some(false);
                }
                if rest.len() > MOST_INEQUALITIES || sums > MOST_SUMS {
                    return None;
                }
            }
        }
        most = rest;
    }
}

/// Takes the inequalities into the bounds until nothing changes; `false`: there is no solution.
fn narrowed(s: &mut System) -> bool {
    let most = std::mem::take(&mut s.most);
    for _ in 0..4 {
        let mut changed = false;
        for l in &most {
            changed |= s.narrow(l, false);
        }
        if s.is_empty() {
            return false;
        }
        if !changed {
            break;
        }
    }
    s.most = most;
    true
}

/// Adds an inequality to a list, unless it says nothing new; `false` if it can't be.
fn keep(s: &System, list: &mut Vec<Lin>, l: Lin) -> bool {
    let l = l.tightened(l.divisor());
    let (lo, hi) = s.range(&l);
    if lo > 0 {
        return false;
    }
    if hi <= 0 {
        return true;
    }
    match list.iter_mut().find(|other| other.is_parallel(&l)) {
        Some(same) => same.konst = same.konst.max(l.konst),
        None => list.push(l),
    }
    true
}
