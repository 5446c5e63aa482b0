//! Which elements of a variable are certainly assigned, as intervals of subscripts.
//!
//! Only of variables that iterations have copies of: what an iteration reads of one has to be its own. A subscript is a sum of
//! numbers and names that keep their values. A loop over a range assigns all elements of it that each of its rounds assigns one of,
//! and the rounds before one have assigned those before.
use super::{How, Use, Uses};
use crate::sema::place::Step;
use std::collections::BTreeMap;

/// No number in a sum is larger, so that what is known to be between numbers does not wrap in a `usize`.
const LARGEST: u128 = 1 << 40;

/// A sum of a number and multiples of names, of which those that the iteration binds bear numbers: `k#3`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sum {
    terms: BTreeMap<String, i128>,
    plus: i128,
}

impl Sum {
    pub fn number(plus: i128) -> Self {
        Self { terms: BTreeMap::new(), plus }
    }

    pub fn name(name: String) -> Self {
        Self { terms: BTreeMap::from([(name, 1)]), plus: 0 }
    }

    /// The number that it is.
    pub fn constant(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.plus)
    }

    /// The name that it is.
    pub fn single(&self) -> Option<&str> {
        let mut terms = self.terms.iter();
        let (name, factor) = terms.next()?;
        (self.plus == 0 && *factor == 1 && terms.next().is_none()).then_some(name)
    }

    /// With so many of another.
    pub fn and(&self, times: i128, other: &Self) -> Option<Self> {
        let small = |n: i128| (n.unsigned_abs() <= LARGEST).then_some(n);
        let mut sum = self.clone();
        sum.plus = small(sum.plus.checked_add(other.plus.checked_mul(times)?)?)?;
        for (name, factor) in &other.terms {
            let own = sum.terms.entry(name.clone()).or_default();
            *own = small(own.checked_add(factor.checked_mul(times)?)?)?;
        }
        sum.terms.retain(|_, factor| *factor != 0);
        Some(sum)
    }

    /// With a value for a name.
    fn with(&self, name: &str, value: &Self) -> Option<Self> {
        let mut rest = self.clone();
        match rest.terms.remove(name) {
            Some(factor) => rest.and(factor, value),
            None => Some(rest),
        }
    }

    fn next(&self) -> Option<Self> {
        self.and(1, &Self::number(1))
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        self.terms.keys()
    }

    /// No name of the iteration's stands in it: it is the same in all iterations.
    fn is_common(&self) -> bool {
        self.names().all(|name| !name.contains('#'))
    }

    /// The least that it can be, or the most, where the variables of loops have any of their values.
    fn extreme(&self, least: bool, ranges: &[Range]) -> Option<Self> {
        let mut sum = self.clone();
        for _ in 0..32 {
            let known = |name: &String| ranges.iter().rev().find(|r| r.name == *name);
            let Some((range, factor)) = sum.terms.iter().find_map(|(n, f)| Some((known(n)?, *f))) else {
                return Some(sum);
            };
            let last = range.hi.and(-1, &Self::number(1))?;
            sum = sum.with(&range.name, if (factor > 0) == least { &range.lo } else { &last })?;
        }
        None
    }

    fn least(&self, ranges: &[Range]) -> Option<i128> {
        self.extreme(true, ranges)?.constant()
    }

    /// Whether it is at most another.
    fn within(&self, other: &Self, ranges: &[Range]) -> bool {
        other.and(-1, self).and_then(|rest| rest.least(ranges)).is_some_and(|least| least >= 0)
    }

    /// Whether it is less than another, as their difference tells.
    pub fn is_below(&self, other: &Self) -> bool {
        other.and(-1, self).and_then(|rest| rest.constant()).is_some_and(|rest| rest > 0)
    }

    /// Whether it is never below zero.
    pub fn is_positive(&self, ranges: &[Range]) -> bool {
        self.least(ranges).is_some_and(|least| least >= 0)
    }

    /// Whether all that it may be is a number of any type.
    pub fn fits(&self, ranges: &[Range]) -> bool {
        let rest = Self::number(i128::from(i8::MAX)).and(-1, self);
        self.is_positive(ranges) && rest.is_some_and(|rest| rest.is_positive(ranges))
    }

    /// Whether all that it may be is between two numbers.
    pub fn is_bounded(&self, ranges: &[Range]) -> bool {
        let least = |sum: Option<Self>| sum.and_then(|s| s.least(ranges)).is_some();
        least(Some(self.clone())) && least(Self::default().and(-1, self))
    }
}

impl std::fmt::Display for Sum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.terms.iter().try_for_each(|(name, factor)| write!(f, "{factor}*{name}+"))?;
        write!(f, "{}", self.plus)
    }
}

/// What the variable of a loop may be where it stands: from the first to before the second.
#[derive(Clone, Debug)]
pub struct Range {
    pub name: String,
    pub lo: Sum,
    pub hi: Sum,
}

/// A step on the way to what is certainly assigned: a field, or elements from the first to before the second.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Name(String),
    Span(Sum, Sum),
}

/// A step on the way to what is used: a field, or elements, of which it may not be known which.
#[derive(Clone, Debug)]
pub enum At {
    Name(String),
    Elements(Option<(Sum, Sum)>),
}

impl At {
    /// The same, but which elements they are where names tell.
    pub fn anywhere(&self) -> Self {
        match self {
            At::Elements(Some((lo, hi))) if lo.constant().is_none() || hi.constant().is_none() => {
                At::Elements(None)
            }
            other => other.clone(),
        }
    }
}

/// What an assignment of a place assigns for certain.
pub fn fact(at: &[At]) -> Option<Vec<Part>> {
    let part = |step: &At| match step {
        At::Name(name) => Some(Part::Name(name.clone())),
        At::Elements(span) => span.clone().map(|(lo, hi)| Part::Span(lo, hi)),
    };
    at.iter().map(part).collect()
}

/// A loop over a range.
pub struct Counted {
    pub range: Range,
    /// It takes all of them, from the first or from the last.
    pub every: bool,
    pub backwards: bool,
    /// The names that it binds have numbers from this one on.
    pub start: usize,
}

impl Counted {
    /// The step of a fact that is elements of its own for each round, by number, with the first of them and how far those of the
    /// next round are.
    fn element<'p>(&self, fact: &'p [Part]) -> Option<(usize, &'p Sum, i128)> {
        let name = &self.range.name;
        let inside = |n: &String| n != name && numbers(n).any(|id| id >= self.start);
        let sums = |part: &'p Part| match part {
            Part::Name(_) => vec![],
            Part::Span(lo, hi) => vec![lo, hi],
        };
        if fact.iter().flat_map(sums).flat_map(Sum::names).any(inside) {
            return None;
        }
        let names = |part: &&'p Part| sums(part).iter().any(|sum| sum.terms.contains_key(name));
        if !self.every || fact.iter().filter(names).count() != 1 {
            return None;
        }
        let at = fact.iter().position(|part| names(&part))?;
        let Part::Span(lo, hi) = &fact[at] else { return None };
        // As many as there are from the one of a round to that of the next.
        let factor = *lo.terms.get(name)?;
        (hi.and(-1, lo)?.constant() == factor.checked_abs()).then_some((at, lo, factor))
    }

    /// The elements of the rounds from the loop's first number on, or up to its last, where each has these.
    fn elements(&self, (lo, factor): (&Sum, i128), from: Option<&Sum>, to: Option<&Sum>) -> Option<Part> {
        let name = &self.range.name;
        let at = |value: Option<&Sum>| value.map_or_else(|| Some(lo.clone()), |v| lo.with(name, v));
        let (from, to, width) = (at(from)?, at(to)?, Sum::number(factor.checked_abs()?));
        Some(if factor > 0 {
            Part::Span(from, to)
        } else {
            Part::Span(to.and(1, &width)?, from.and(1, &width)?)
        })
    }

    /// What is assigned behind the loop, where each round assigns this. `runs`: there is a round for certain.
    pub fn behind(&self, fact: &[Part], runs: bool) -> Option<Vec<Part>> {
        let Some((at, lo, factor)) = self.element(fact) else {
            return (runs && is_older(fact, self.start)).then(|| fact.to_vec());
        };
        let span = self.elements((lo, factor), Some(&self.range.lo), Some(&self.range.hi))?;
        Some(replaced(fact, at, span))
    }

    /// What the rounds before one have assigned.
    pub fn ahead(&self, fact: &[Part]) -> Option<Vec<Part>> {
        let (at, lo, factor) = self.element(fact)?;
        let span = if self.backwards {
            let next = Sum::name(self.range.name.clone()).next()?;
            self.elements((lo, factor), Some(&next), Some(&self.range.hi))?
        } else {
            self.elements((lo, factor), Some(&self.range.lo), None)?
        };
        Some(replaced(fact, at, span))
    }
}

/// Whether a fact names nothing that is bound from this number on.
pub fn is_older(fact: &[Part], start: usize) -> bool {
    fact.iter().all(|part| match part {
        Part::Name(_) => true,
        Part::Span(lo, hi) => lo.names().chain(hi.names()).flat_map(|n| numbers(n)).all(|id| id < start),
    })
}

/// Whether a fact means the same wherever it stands.
pub fn is_fixed(fact: &[Part]) -> bool {
    fact.iter().all(|part| match part {
        Part::Name(_) => true,
        Part::Span(lo, hi) => lo.constant().is_some() && hi.constant().is_some(),
    })
}

fn replaced(fact: &[Part], at: usize, part: Part) -> Vec<Part> {
    let mut fact = fact.to_vec();
    fact[at] = part;
    fact
}

/// The numbers of the bindings that a name is made of.
fn numbers(name: &str) -> impl Iterator<Item = usize> + '_ {
    name.split('#').skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..end].parse().ok()
    })
}

/// A step of what has to be assigned: a field, or any of these intervals.
enum Need {
    Name(String),
    Elements(Vec<(Sum, Sum)>),
}

/// Whether all that a use reads of a variable, or of these fields of it, is assigned before it for certain.
pub fn is_certain(read: &Use, of: &[Step], uses: &Uses) -> bool {
    let names: Vec<String> = of
        .iter()
        .map_while(|step| if let Step::Name(name) = step { Some(name.clone()) } else { None })
        .collect();
    let (key, fields) = (names.join("."), names.len());
    let at = names.into_iter().map(At::Name).collect();
    let whole = Use { at, ranges: vec![], ..read.clone() };
    holds(read, &whole, &|n| uses.length(&key, n.checked_sub(fields)?))
}

/// Whether some use of a variable is of what it has where an iteration starts.
pub fn reads_start(uses: &Uses, name: &str) -> bool {
    uses.body.iter().any(|u| {
        u.key.split('.').next() == Some(name)
            && !matches!(u.how, How::Write | How::Len)
            && !is_certain(u, &u.path[..1], uses)
    })
}

/// Whether what is assigned before a use holds all that it reads of what another writes in some iteration. `length` tells how long
/// an array is, by how many steps lead to it.
pub fn holds(read: &Use, write: &Use, length: &dyn Fn(usize) -> Option<Sum>) -> bool {
    let Some(facts) = &read.assigned else { return true };
    let mut need = Vec::new();
    for n in 0..read.at.len().max(write.at.len()) {
        need.push(match (read.at.get(n), write.at.get(n)) {
            (Some(At::Name(a)), Some(At::Name(b))) if a != b => return true,
            (Some(At::Name(name)), _) | (None, Some(At::Name(name))) => Need::Name(name.clone()),
            (a, b) => {
                let (own, all, others) = (span(a), hull(a, &read.ranges), hull(b, &write.ranges));
                if let (Some(a), Some(b)) = (&all, &others)
                    && let [Some(a), Some(to_a), Some(b), Some(to_b)] =
                        [&a.0, &a.1, &b.0, &b.1].map(Sum::constant)
                    && (to_a <= b || to_b <= a)
                {
                    return true;
                }
                // Other iterations write elsewhere, where names of the iteration tell where.
                let others = others.filter(|(lo, hi)| lo.is_common() && hi.is_common());
                let whole = length(n).map(|length| (Sum::default(), length));
                Need::Elements([own, others, whole].into_iter().flatten().collect())
            }
        });
    }
    let facts: Vec<&[Part]> = facts.iter().map(Vec::as_slice).collect();
    covered(&facts, &need, &read.ranges)
}

fn span(at: Option<&At>) -> Option<(Sum, Sum)> {
    match at {
        Some(At::Elements(span)) => span.clone(),
        _ => None,
    }
}

/// The elements that a step may mean in any round of the loops around.
fn hull(at: Option<&At>, ranges: &[Range]) -> Option<(Sum, Sum)> {
    let (lo, hi) = span(at)?;
    Some((lo.extreme(true, ranges)?, hi.extreme(false, ranges)?))
}

fn covered(facts: &[&[Part]], need: &[Need], ranges: &[Range]) -> bool {
    if facts.iter().any(|fact| fact.is_empty()) {
        return true;
    }
    match need.split_first() {
        None => false,
        Some((Need::Name(name), rest)) => {
            let of = |fact: &&[Part]| matches!(&fact[0], Part::Name(own) if own == name);
            let facts: Vec<&[Part]> = facts.iter().copied().filter(of).map(|fact| &fact[1..]).collect();
            covered(&facts, rest, ranges)
        }
        Some((Need::Elements(any), rest)) => {
            let span = |fact: &&[Part]| match &fact[0] {
                Part::Span(lo, hi) if covered(&[&fact[1..]], rest, ranges) => Some((lo.clone(), hi.clone())),
                _ => None,
            };
            let spans = merged(facts.iter().filter_map(span).collect(), ranges);
            any.iter().any(|(lo, hi)| {
                spans.iter().any(|(from, to)| from.within(lo, ranges) && hi.within(to, ranges))
            })
        }
    }
}

/// Intervals, and those that neighbours of them make.
fn merged(mut spans: Vec<(Sum, Sum)>, ranges: &[Range]) -> Vec<(Sum, Sum)> {
    let mut n = 0;
    while n < spans.len() && spans.len() < 64 {
        for m in 0..spans.len() {
            let joined = |a: &(Sum, Sum), b: &(Sum, Sum)| {
                // The one ends where the other begins or behind it, which itself does not end before it begins.
                (b.0.within(&a.1, ranges) && a.1.within(&b.1, ranges)).then(|| (a.0.clone(), b.1.clone()))
            };
            let found = [joined(&spans[n], &spans[m]), joined(&spans[m], &spans[n])];
            for span in found.into_iter().flatten() {
                if !spans.contains(&span) {
                    spans.push(span);
                }
            }
        }
        n += 1;
    }
    spans
}

/// What is assigned in both of two cases.
pub fn both<'f>(a: &'f [Vec<Part>], b: &'f [Vec<Part>]) -> impl Iterator<Item = Vec<Part>> + 'f {
    let held = |of: &'f [Vec<Part>], by: &'f [Vec<Part>]| {
        let of = of.iter().filter(move |fact| {
            let need = |part: &Part| match part {
                Part::Name(name) => Need::Name(name.clone()),
                Part::Span(lo, hi) => Need::Elements(vec![(lo.clone(), hi.clone())]),
            };
            let need: Vec<Need> = fact.iter().map(need).collect();
            let by: Vec<&[Part]> = by.iter().map(Vec::as_slice).collect();
            covered(&by, &need, &[])
        });
        of.cloned()
    };
    held(a, b).chain(held(b, a))
}
