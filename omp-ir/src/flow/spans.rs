//! Definitely assigned elements of arrays, as intervals between affine sums.
use super::affine::{Atom, Range, Sum};
use crate::ids::LocalId;

/// A step on the way to what is certainly assigned: a field, or elements from the first to before the second.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// A field.
    Name(String),
    /// Elements.
    Span(Sum, Sum),
}

/// A step on the way to what is used: a field, or elements, of which it may not be known which.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum At {
    /// A field.
    Name(String),
    /// Elements.
    Elements(Option<(Sum, Sum)>),
}

/// The parts that an assignment of a place certainly assigns.
#[must_use]
pub fn fact(at: &[At]) -> Option<Vec<Part>> {
    let part = |step: &At| match step {
        At::Name(name) => Some(Part::Name(name.clone())),
        At::Elements(span) => span.clone().map(|(lo, hi)| Part::Span(lo, hi)),
    };
    at.iter().map(part).collect()
}

/// A loop over a range.
pub struct Counted<'a> {
    /// Its variable's values.
    pub range: Range,
    /// It takes all of them.
    pub every: bool,
    /// From the last.
    pub backwards: bool,
    /// Its range depends only on the variables of such loops around.
    pub fixed: bool,
    /// The variables that the loop binds: they have other values in each iteration.
    pub binds: &'a dyn Fn(LocalId) -> bool,
}

impl Counted<'_> {
    /// The step of a fact that is elements of its own for each iteration, by number, with the first of them and how far those of the
    /// next iteration are.
    fn element<'p>(&self, fact: &'p [Part]) -> Option<(usize, &'p Sum, i128)> {
        let atom = &self.range.atom;
        let inside =
            |sum: &Sum| sum.terms.keys().any(|other| other != atom && other.depends(self.binds, true));
        let sums = |part: &'p Part| match part {
            Part::Name(_) => vec![],
            Part::Span(lo, hi) => vec![lo, hi],
        };
        if fact.iter().flat_map(sums).any(inside) {
            return None;
        }
        let names = |part: &&'p Part| sums(part).iter().any(|sum| sum.terms.contains_key(atom));
        if !self.every || fact.iter().filter(names).count() != 1 {
            return None;
        }
        let at = fact.iter().position(|part| names(&part))?;
        let Part::Span(lo, hi) = &fact[at] else { return None };
        // As many as there are from the one of an iteration to that of the next.
        let factor = *lo.terms.get(atom)?;
        (hi.and(-1, lo)?.constant() == factor.checked_abs()).then_some((at, lo, factor))
    }

    /// The elements of the iterations from the loop's first number on, or up to its last, where each has these.
    fn elements(&self, (lo, factor): (&Sum, i128), from: Option<&Sum>, to: Option<&Sum>) -> Option<Part> {
        let atom = &self.range.atom;
        let at = |value: Option<&Sum>| value.map_or_else(|| Some(lo.clone()), |v| lo.with(atom, v));
        let (from, to, width) = (at(from)?, at(to)?, Sum::number(factor.checked_abs()?));
        Some(if factor > 0 {
            Part::Span(from, to)
        } else {
            Part::Span(to.and(1, &width)?, from.and(1, &width)?)
        })
    }

    /// What is assigned after a loop if each iteration assigns this. `runs`: there is certainly an iteration.
    #[must_use]
    pub fn after(&self, fact: &[Part], runs: bool) -> Option<Vec<Part>> {
        let Some((at, lo, factor)) = self.element(fact) else {
            return (runs && !depends(fact, self.binds)).then(|| fact.to_vec());
        };
        let span = self.elements((lo, factor), Some(&self.range.lo), Some(&self.range.hi))?;
        Some(replaced(fact, at, span))
    }

    /// The same, for each value of the loop's variable.
    #[must_use]
    pub fn each(&self, fact: &[Part]) -> Option<Vec<Part>> {
        let Atom::Local(own) = self.range.atom else { return None };
        let over = |part: &Part| match part {
            Part::Name(name) => Part::Name(name.clone()),
            Part::Span(lo, hi) => Part::Span(lo.over(&|l| l == own), hi.over(&|l| l == own)),
        };
        let fact: Vec<Part> = fact.iter().map(over).collect();
        let rest = |part: &Part| match part {
            Part::Name(_) => false,
            Part::Span(lo, hi) => lo.has(self.binds, false) || hi.has(self.binds, false),
        };
        (self.every && self.fixed && depends(&fact, self.binds) && !fact.iter().any(rest)).then_some(fact)
    }

    /// What the earlier iterations have assigned at the start of an iteration.
    #[must_use]
    pub fn before(&self, fact: &[Part]) -> Option<Vec<Part>> {
        let (at, lo, factor) = self.element(fact)?;
        let span = if self.backwards {
            let next = Sum::atom(self.range.atom.clone()).next()?;
            self.elements((lo, factor), Some(&next), Some(&self.range.hi))?
        } else {
            self.elements((lo, factor), Some(&self.range.lo), None)?
        };
        Some(replaced(fact, at, span))
    }
}

/// Whether a fact depends on one of these variables.
pub fn depends(fact: &[Part], on: &dyn Fn(LocalId) -> bool) -> bool {
    fact.iter().any(|part| match part {
        Part::Name(_) => false,
        Part::Span(lo, hi) => lo.depends(on) || hi.depends(on),
    })
}

fn replaced(fact: &[Part], at: usize, part: Part) -> Vec<Part> {
    let mut fact = fact.to_vec();
    fact[at] = part;
    fact
}

/// A step of what has to be assigned: a field, or any of these intervals.
enum Need {
    Name(String),
    Elements(Vec<(Sum, Sum)>),
}

/// Something that is read or written where loop variables have these ranges.
pub struct Access<'a> {
    /// The way to it.
    pub at: &'a [At],
    /// The ranges of the variables.
    pub ranges: &'a [Range],
}

/// Whether two places are never the same element or field.
#[must_use]
pub fn apart(a: &Access<'_>, b: &Access<'_>) -> bool {
    a.at.iter().zip(b.at).any(|steps| match steps {
        (At::Name(a), At::Name(b)) => a != b,
        (At::Elements(_), At::Elements(_)) => {
            let numbers = |at: &At, ranges: &[Range]| {
                let (lo, hi) = hull(at, ranges)?;
                Some((lo.constant()?, hi.constant()?))
            };
            match (numbers(steps.0, a.ranges), numbers(steps.1, b.ranges)) {
                (Some(a), Some(b)) => a.1 <= b.0 || b.1 <= a.0,
                _ => false,
            }
        }
        _ => false,
    })
}

/// Whether the facts cover all that one access reads of what another access writes in some iteration. `length`: the length of an array,
/// by the number of steps that lead to it. `varies`: which variables may have other values in the other iteration.
#[must_use]
pub fn holds(
    facts: &[&[Part]],
    read: &Access<'_>,
    write: &Access<'_>,
    length: &dyn Fn(usize) -> Option<Sum>,
    varies: &dyn Fn(LocalId) -> bool,
) -> bool {
    if apart(read, write) {
        return true;
    }
    let mut need = Vec::new();
    for n in 0..read.at.len().max(write.at.len()) {
        need.push(match (read.at.get(n), write.at.get(n)) {
            (Some(At::Name(name)), _) | (None, Some(At::Name(name))) => Need::Name(name.clone()),
            (a, b) => {
                let (all, others) =
                    (a.and_then(|a| hull(a, read.ranges)), b.and_then(|b| hull(b, write.ranges)));
                let own = match a {
                    Some(At::Elements(span)) => span.clone(),
                    _ => None,
                };
                let written = match b {
                    Some(At::Elements(span)) => span.clone(),
                    _ => None,
                };
                // The elements that another iteration writes are known only where its sums are the same as this one's.
                let looped = |l: LocalId| write.ranges.iter().any(|r| r.atom == Atom::Local(l));
                let written = written.map(|(lo, hi)| (lo.over(&looped), hi.over(&looped)));
                let common = |(lo, hi): &(Sum, Sum)| !lo.has(varies, false) && !hi.has(varies, false);
                let [written, others] = [written, others].map(|span| span.filter(common));
                let whole = length(n).map(|length| (Sum::default(), length));
                Need::Elements([own, all, written, others, whole].into_iter().flatten().collect())
            }
        });
    }
    covered(facts, &need, read.ranges)
}

/// The elements that a step may mean in any iteration of the loops around.
fn hull(at: &At, ranges: &[Range]) -> Option<(Sum, Sum)> {
    let At::Elements(Some((lo, hi))) = at else { return None };
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
                // One interval ends at or after the start of the other, and the other is not empty.
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

/// Whether the facts hold another.
#[must_use]
pub fn implied(facts: &[&[Part]], fact: &[Part]) -> bool {
    let need = |part: &Part| match part {
        Part::Name(name) => Need::Name(name.clone()),
        Part::Span(lo, hi) => Need::Elements(vec![(lo.clone(), hi.clone())]),
    };
    let need: Vec<Need> = fact.iter().map(need).collect();
    covered(facts, &need, &[])
}
