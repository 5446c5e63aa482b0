//! Accesses that the formulas leave undecided: inspections, and the checks that remain if data decides.
use super::build::Formulas;
use super::decide::given_syms;
use super::{LaunchFacts, LaunchValues, LaunchWitness, OpenPair, RaceAtLaunch, Verdict, WithData};
use crate::analysis::inspect::{Executor, Found, Memory, Question, inspect, inspect_data};
use crate::analysis::numbers::ANYTHING;
use crate::analysis::points::{Space, overlap, points};
use crate::analysis::race::{NO_ACCESS, is_wide, reason};
use crate::analysis::survey::{InnerNest, Survey, Touch};
use crate::ids::{ArrayId, LocalId};
use std::sync::atomic::{AtomicU64, Ordering};

impl OpenPair {
    /// The conflict of these two.
    pub(super) fn race(&self, survey: &Survey, witness: Option<LaunchWitness>) -> RaceAtLaunch {
        let (a, b) = (&survey.touches[self.first], &survey.touches[self.second]);
        let either = a.access.or(b.access).unwrap_or(NO_ACCESS);
        let (first, second) = (a.access.unwrap_or(either), b.access.unwrap_or(either));
        RaceAtLaunch { array: a.array, first, second, witness, reason: None }
    }
}

/// Settles the open pairs of a launch, and says how many points were looked at.
pub(super) fn settle(
    f: &Formulas,
    values: &LaunchValues<'_>,
    facts: &mut LaunchFacts,
    budget: u64,
    executor: &dyn Executor,
) -> (Verdict, u64) {
    let open = std::mem::take(&mut facts.open);
    facts.race = None;
    let left = AtomicU64::new(budget);
    let (syms, counts) = (given_syms(f, values), counts(facts));
    let mut verdict = Verdict::Apart;
    let mut seen: Vec<(Option<usize>, ArrayId, Option<LocalId>)> = Vec::new();
    for pair in &open {
        let key = |pair: &OpenPair| {
            let touch = &f.survey.touches[pair.first];
            (pair.nest, touch.array, touch.part)
        };
        let (_, array, part) = key(pair);
        if seen.contains(&key(pair)) {
            continue;
        }
        seen.push(key(pair));
        let of = |p: &&OpenPair| key(p) == key(pair);
        let pairs: Vec<(usize, usize)> = open.iter().filter(of).map(|p| (p.first, p.second)).collect();
        let nest = pair.nest.map(|n| &f.survey.inners[n]);
        let mut ask = question((f, values, facts), (&syms, &counts), array, nest);
        if part.is_some() {
            // Subscripts count from the slice's start.
            ask.section = (0, values.lens.get(array.index()).copied().unwrap_or(0));
        }
        // What numbers of 128 bits decide is checked at every launch, as what data decides.
        let wide = |(a, b): &(usize, usize)| is_wide(&f.survey, &f.survey.touches[*a], &f.survey.touches[*b]);
        let found = match inspect(ask, array, &pairs, &left, executor) {
            Found::NotUnderstood if pairs.iter().any(wide) => Found::Perhaps,
            found => found,
        };
        let found = match found {
            Found::TooMuch | Found::NotUnderstood if budget > 0 => {
                corner(ask, &open, of).map_or(found, |(pair, witness)| {
                    facts.race = Some(pair.race(&f.survey, Some(witness)));
                    Found::Perhaps
                })
            }
            found => found,
        };
        match found {
            Found::Apart => continue,
            Found::Conflict(conflict) => {
                let (first, second) = conflict.touches;
                let pair = OpenPair { first, second, ..*pair };
                facts.race = Some(pair.race(&f.survey, Some((conflict.iterations, conflict.element))));
            }
            Found::NotUnderstood => {
                let unknown = || {
                    let (a, b) = (&f.survey.touches[pair.first], &f.survey.touches[pair.second]);
                    RaceAtLaunch { reason: reason(&f.survey, a, b), ..pair.race(&f.survey, None) }
                };
                facts.race = facts.race.take().or_else(|| Some(unknown()));
                verdict = Verdict::NotUnderstood;
            }
            Found::Perhaps | Found::TooMuch => {
                if facts.race.is_none() && found == Found::TooMuch {
                    verdict = Verdict::TooMuch;
                } else if verdict == Verdict::Apart {
                    verdict = Verdict::Data;
                }
                let checked = if is_checkable(f, array) { &mut facts.claims } else { &mut facts.ordered };
                checked.insert(array);
            }
        }
        if facts.race.as_ref().is_some_and(|race| race.witness.is_some()) {
            verdict = Verdict::Race;
            break;
        }
    }
    (verdict, budget - left.load(Ordering::Relaxed))
}

/// The accesses of an array that an inspection compares.
fn question<'a>(
    (f, values, facts): (&'a Formulas, &LaunchValues<'a>, &LaunchFacts),
    (syms, counts): (&'a [Option<i128>], &'a [u64]),
    array: ArrayId,
    nest: Option<&'a InnerNest>,
) -> Question<'a> {
    let len = values.lens.get(array.index()).copied().unwrap_or(0);
    let (lo, hi) = match facts.footprint.get(array.index()).and_then(|f| Some(&f.as_ref()?.all[..])) {
        Some([first, .., last]) => (first.0, last.1),
        Some([all]) => *all,
        _ if f.arrays[array.index()].section => values.sections[array.index()],
        _ => (0, len),
    };
    let (survey, dims, shapes) = (&f.survey, values.dims, &f.shapes[..]);
    Question { survey, syms, dims, counts, shapes, nest, section: (lo, hi.min(len)) }
}

/// Looks whether what a launch would have to claim keeps apart with what arrays hold now. Only the region's iterations are compared, not those of inner nests.
pub(super) fn with_data(
    f: &Formulas,
    values: &LaunchValues<'_>,
    facts: &LaunchFacts,
    memory: &dyn Memory,
    budget: u64,
    executor: &dyn Executor,
) -> WithData {
    let left = AtomicU64::new(budget);
    let (syms, counts) = (given_syms(f, values), counts(facts));
    let (mut verdict, mut all_scattered) = (Verdict::Apart, 0);
    for &array in &facts.claims {
        // Not the plan's pairs: they stand for others under conditions on data, which are distinguished here.
        let all = || f.arrays[array.index()].touches.iter().copied();
        let writes = all().filter(|t| f.survey.touches[*t].write);
        let pairs: Vec<(usize, usize)> = writes.flat_map(|w| all().map(move |t| (w, t))).collect();
        let ask = question((f, values, facts), (&syms, &counts), array, None);
        let mut scattered = false;
        let with = (&left, &mut scattered);
        verdict = match inspect_data(ask, (array, &pairs), (memory, &f.loads), with, executor) {
            Found::Apart => {
                all_scattered += u32::from(scattered);
                continue;
            }
            Found::Conflict(_) | Found::Perhaps => Verdict::Data,
            Found::TooMuch => Verdict::TooMuch,
            Found::NotUnderstood => Verdict::NotUnderstood,
        };
        break;
    }
    WithData { verdict, points: budget - left.load(Ordering::Relaxed), scattered: all_scattered }
}

/// The most iterations of each parallel loop; of a loop whose bounds depend on others, as many as the numbers of iterations
/// distinguish.
fn counts(facts: &LaunchFacts) -> Vec<u64> {
    facts.dims.iter().map(|d| d.count).collect()
}

/// How many iterations of each loop are tried where there are too many.
const CORNER: u64 = 16;
const CORNER_POINTS: usize = 4096;

/// Looks for a conflict among the first iterations of each loop.
fn corner<'p>(
    ask: Question<'_>,
    open: &'p [OpenPair],
    of: impl Fn(&&OpenPair) -> bool,
) -> Option<(&'p OpenPair, LaunchWitness)> {
    let space = Space {
        nest: ask.nest,
        syms: ask.syms,
        dims: ask.dims,
        per_loop: CORNER,
        points: CORNER_POINTS,
        data: ANYTHING,
    };
    let at = |t: usize| points(ask.survey, &ask.survey.touches[t], space).points;
    open.iter().filter(of).find_map(|pair| {
        let m = overlap(&at(pair.first), &at(pair.second)).filter(|m| m.certain)?;
        let var = |d: usize| ask.nest.map_or(d, |nest| nest.vars[d].index());
        let names = (0..).map(|d| ask.survey.vars[var(d)].name.clone());
        let iterations = m.first.iter().zip(&m.second).zip(names).map(|((x, y), n)| (n, *x, *y)).collect();
        Some((pair, (iterations, m.element.first().copied().flatten().unwrap_or(0))))
    })
}

/// Arrays of which a pair of accesses may be open at a launch, and that a kernel can check.
pub(super) fn checkable(f: &Formulas) -> Vec<ArrayId> {
    let all = f.pairs.iter().map(|(a, _)| *a).chain(f.inner_pairs.iter().map(|(_, a, _)| *a));
    let mut arrays: Vec<ArrayId> = all.map(|t| f.survey.touches[t].array).collect();
    arrays.sort_unstable();
    arrays.dedup();
    arrays.retain(|a| !f.claimed.contains(a) && is_checkable(f, *a));
    arrays
}

/// Whether a kernel can check these: its claims are of the region's iterations, not of an inner nest's.
pub(super) fn are_checkable(f: &Formulas, open: &[OpenPair]) -> bool {
    open.iter().all(|p| p.nest.is_none() && is_checkable(f, f.survey.touches[p.first].array))
}

/// Whether every touch of an array is a plain access by a subscript, before which a claim can stand.
fn is_checkable(f: &Formulas, array: ArrayId) -> bool {
    let plain = |t: &Touch| !t.atomic && t.access.is_some();
    f.survey.of_arrays().iter().filter(|t| t.array == array).all(plain)
}
