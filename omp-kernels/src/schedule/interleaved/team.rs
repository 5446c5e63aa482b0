//! Teams that share loops of an iteration whose parts of mapped arrays are in shared memory.
use super::Interleaved;
use super::parts::{Reached, Touch};
use super::sums::{Sum, product};
use crate::schedule::explain::reasons::About;
use crate::schedule::nests::{independent, teams};
use crate::schedule::recipes::shared_bytes;
use crate::schedule::survey::Survey;
use crate::schedule::{DeviceKind, Request};
use omp_ir::analysis::plan::Affine;
use omp_ir::ids::LocalId;
use omp_ir::kernel::Kernel;
use std::collections::BTreeSet;

/// Iterations of a shared loop below which most threads of a warp would idle.
const LEAST: u64 = 12;

/// Iterations of the innermost loops that a thread has between two barriers, below which it would wait more than it works.
const LEAST_BETWEEN: u64 = 4;

/// Threads of a multiprocessor that hide the latency of an iteration which one thread runs by itself.
const HIDING: u64 = 256;

/// A block for each iteration, whose threads share independent loops of it, where its parts of mapped arrays are in shared memory.
#[derive(Debug)]
pub(in crate::schedule) struct Team {
    /// The loops.
    pub apart: BTreeSet<LocalId>,
    pub interleaved: Interleaved,
    pub block: [u32; 3],
}

/// The team for each iteration, where the device would have few threads if each ran an iteration by itself.
pub(in crate::schedule) fn team(kernel: &Kernel, request: &Request<'_>, survey: &Survey) -> Option<Team> {
    let (facts, device) = (request.facts, request.device);
    if device.kind != DeviceKind::Cuda || !independent::may_share(kernel, request, survey) {
        return None;
    }
    let reached = Reached::by(kernel, request, survey)?;
    let interleaved = Interleaved { locals: BTreeSet::new(), parts: reached.parts(true) };
    if interleaved.is_empty() {
        return None;
    }
    let apart: BTreeSet<LocalId> =
        (0..reached.loops.len()).filter(|l| reached.is_apart(*l)).map(|l| reached.loops[l].var).collect();
    let (shared, made) = independent::shared_of(kernel, &facts.unproved, &apart)?;
    let trips = shared.iter().map(|var| facts.trips.get(var).copied()).collect::<Option<BTreeSet<_>>>()?;
    let (least, most) = (*trips.first()?, *trips.last()?);
    if least < LEAST || !teams::suits(&made) {
        return None;
    }
    let bytes = interleaved.team_bytes(kernel).max(1);
    let room = shared_bytes(device);
    let alone = facts.total?.div_ceil(u64::from(device.units.max(1))).min(room / bytes);
    let threads = most.next_power_of_two().clamp(64, 256) / 2;
    let (work, barriers) = reached.work(&shared);
    let fits = bytes + teams::shared_bytes(&made, threads, 32) + 1024 <= room;
    if alone >= HIDING || !fits || work / (threads * barriers.max(1)) < LEAST_BETWEEN {
        return None;
    }
    request.why(About::Interleaved, || {
        format!(
            "each iteration goes through its part of {} several times; the {most} iterations of the inner loop access different elements of it",
            interleaved.names(kernel)
        )
    });
    request.why(About::Block, || {
        format!("an inner loop of up to {most} iterations keeps {threads} threads busy")
    });
    let apart = apart.intersection(&shared).copied().collect();
    Some(Team { apart, interleaved, block: [u32::try_from(threads).ok()?, 1, 1] })
}

impl Reached<'_> {
    /// Iterations of the innermost loops in loops that threads share, and how often these are reached.
    fn work(&self, shared: &BTreeSet<LocalId>) -> (u64, u64) {
        let (mut work, mut barriers) = (0u64, 0u64);
        for (number, _) in self.loops.iter().enumerate().filter(|(_, l)| shared.contains(&l.var)) {
            let around = (0..number).filter(|l| self.loops[*l].end > number);
            barriers = barriers.saturating_add(product(around.map(|l| self.count(l))));
            let inside = self.touched.iter().filter(|t| t.around.contains(&number));
            work = work.saturating_add(inside.map(|t| self.times(t)).max().unwrap_or(0));
        }
        (work, barriers)
    }

    /// Whether the numbers of the launch show that iterations of a loop access different elements of the arrays that it writes.
    fn is_apart(&self, number: usize) -> bool {
        let inside = || self.touched.iter().filter(|t| t.around.contains(&number));
        inside().filter(|t| t.writes).all(|a| {
            inside().filter(|b| b.array == a.array).all(|b| self.differ(number, a, b).unwrap_or(false))
        })
    }

    /// Whether two subscripts of an array have no element in common in different iterations of a loop around both, in the same iterations of
    /// the loops around it.
    fn differ(&self, number: usize, a: &Touch, b: &Touch) -> Option<bool> {
        // (Of an element that has parts, a subscript is that of the first one alone.)
        self.kernel.types.prim(self.kernel.array_ty[a.array.index()])?;
        let of = |touch: &Touch| self.nest.subscripts.get(&touch.access);
        let (first, second) = (of(a)?, of(b)?);
        if self.never_equal(number, first, second)? {
            return Some(true);
        }
        // What the parallel loop adds is left out below: it has to be the same in both.
        if first.strides.first() != second.strides.first() {
            return Some(false);
        }
        // If both are a number of rows and less than a row, one of these numbers is enough.
        let row = self.row(a.array)?;
        let (rows, rest) = self.in_rows(first, row)?;
        let (other_rows, other_rest) = self.in_rows(second, row)?;
        Some(self.never_equal(number, &rows, &other_rows)? || self.never_equal(number, &rest, &other_rest)?)
    }

    /// Whether two functions of iterations are never equal in different iterations of a loop, in the same iterations of the loops around it.
    fn never_equal(&self, number: usize, a: &Affine, b: &Affine) -> Option<bool> {
        let (own, inside) = (number + 1, self.loops[number].end + 1);
        let mut difference = Sum::difference(self.nest, a, b, own..inside)?;
        let (lo, hi) = difference.range()?;
        if lo > 0 || hi < 0 {
            return Some(true);
        }
        // Steps of the loop are longer than what the loops in it add.
        let [first, second] = difference.take(own);
        let (lo, hi) = difference.range()?;
        Some(first == -second && first != 0 && -first.abs() < lo && hi < first.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::scheduled;
    use crate::schedule::Strategy;
    use kernel_samples::build::{X, count};

    /// A subscript by `k`, `i`, `j`, `m` and `b`.
    type At = fn([&X; 5]) -> X;

    /// Which loop in `for b { for k in 0..m { for i in k + 1..m { c[b * m * m + i * m + k] = …; for j in k + 1..m { … } } } }`
    /// is shared by a team, with what it does in place of the dots.
    fn shared_loop(first: fn([&X; 4]) -> X, (store, load): (At, At)) -> Option<String> {
        let (kernel, schedule) = scheduled((1000, 16), 256_000, false, |r, b, [a, c, m]| {
            r.for_("k", count(0, &m), |r, k, _| {
                r.for_("i", count(&k + 1, &m), |r, i, _| {
                    let base = &b * &m * &m;
                    r.set(c.at(&base + &i * &m + &k), c.at(&base + first([&k, &i, &m, &b])) * a.at(&b));
                    r.for_("j", count(&k + 1, &m), |r, j, _| {
                        let [to, from] = [store, load].map(|at| at([&k, &i, &j, &m, &b]));
                        r.set(c.at(&base + &to), c.at(&base + to) - c.at(&base + from));
                    });
                });
            });
        });
        let part = schedule.interleaved.parts.into_values().next()?;
        assert_eq!(part.step, 256);
        let apart: Vec<_> = schedule.apart.iter().collect();
        assert_eq!(apart.is_empty(), schedule.strategy == Strategy::Linear);
        Some(apart.first().map_or_else(String::new, |l| kernel.body.code.locals[l.index()].name.clone()))
    }

    #[test]
    fn teams_share_loops_that_the_numbers_of_the_launch_show_to_be_independent() {
        let own = |[_, i, j, m, _]: [&X; 5]| i * m + j;
        let pivots = |[k, _, j, m, _]: [&X; 5]| k * m + j;
        let before = |[k, i, m, _]: [&X; 4]| i * m + k;
        assert_eq!(shared_loop(before, (own, pivots)), Some("i".into()));
        // The pivot, the diagonal, columns, and columns in place of rows.
        assert_eq!(shared_loop(|[k, _, m, _]| k * m + k, (own, pivots)), Some("i".into()));
        assert_eq!(shared_loop(|[_, i, m, _]| i * m + i, (own, pivots)), Some("i".into()));
        assert_eq!(shared_loop(before, (own, |[k, i, _, m, _]| i * m + k)), Some("i".into()));
        assert_eq!(shared_loop(before, (|[_, i, j, m, _]| j * m + i, pivots)), Some("i".into()));
        // The row before, and what other iterations store.
        assert_eq!(shared_loop(|[k, i, m, _]| (i - 1) * m + k, (own, pivots)), Some(String::new()));
        assert_eq!(shared_loop(before, (own, |[_, _, j, m, _]| j * m + j)), Some(String::new()));
        assert_eq!(shared_loop(before, (own, |[k, _, j, m, _]| j * m + k)), Some(String::new()));
    }
}
