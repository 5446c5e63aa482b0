//! Launches that formulas don't decide: an inspection of all iterations, or checks at run time.
//!
//! An inspection takes about as long as the loop on the host. Its verdict is cached with the other results of the numbers
//! (`decisions`), so a loop with the same numbers is inspected once. If numbers change with each launch, a loop on a device would
//! be inspected each time. So after the first long inspection of a site, launches with other numbers are checked at run time,
//! until launches with one set of numbers have cost as much as an inspection. A program pays at most twice the cost of the better
//! choice. The host always inspects, because its loop takes longer and runs on one thread without a proof.
//!
//! Under `disjoint`, loops of the host are inspected with the contents of the arrays that they only read, unless these are the same as
//! before (`seen`).
use super::seen::{Recalled, Seen};
use crate::data::section::Mapped;
use crate::device::team;
use crate::host::loops::parallel;
use crate::host::loops::schedule::Schedule;
use crate::launch::site::{Ready, TypedSite, lock};
use crate::observe;
use omp_ir::analysis::inspect::{Element, Executor, Memory};
use omp_ir::analysis::plan::{DimValues, LaunchFacts, LaunchValues, RaceAtLaunch, Verdict, WithData};
use omp_ir::ids::ArrayId;
use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The inspections of a site.
#[derive(Debug)]
pub(crate) struct Inspections {
    cost: Mutex<Cost>,
    /// Launches that claim before the next inspection with data: the last one has left it to the claims.
    claiming: AtomicU32,
    /// What long ones have found: for every device, and after [`Recent`](super::decisions::Recent) has forgotten the numbers.
    known: Mutex<HashMap<Key, Settled>>,
}

/// The numbers of an inspection.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Key {
    dims: Vec<Option<DimValues>>,
    scalars: Vec<Option<i128>>,
    lens: Vec<u64>,
    sections: Vec<(u64, u64)>,
}

impl Key {
    fn of(values: &LaunchValues<'_>) -> Self {
        Self {
            dims: values.dims.to_vec(),
            scalars: values.scalars.to_vec(),
            lens: values.lens.to_vec(),
            sections: values.sections.to_vec(),
        }
    }
}

/// What an inspection has found.
#[derive(Debug, Clone)]
struct Settled {
    race: Option<RaceAtLaunch>,
    claims: BTreeSet<ArrayId>,
    ordered: BTreeSet<ArrayId>,
}

impl Settled {
    fn of(facts: &LaunchFacts) -> Self {
        let LaunchFacts { race, claims, ordered, .. } = facts;
        Self { race: race.clone(), claims: claims.clone(), ordered: ordered.clone() }
    }

    fn put(self, facts: &mut LaunchFacts) {
        facts.open.clear();
        (facts.race, facts.claims, facts.ordered) = (self.race, self.claims, self.ordered);
    }
}

/// Inspections that take longer are made once for their numbers.
const LONG: Duration = Duration::from_micros(200);
/// So many of them are remembered.
const KEPT: usize = 1 << 16;

/// What is known of how long they take.
#[derive(Debug, Clone, Copy)]
struct Cost {
    /// Picoseconds for an iteration of the region.
    each: u64,
    /// One was long.
    paid: bool,
}

/// What may be spent on any numbers.
const CHEAP: u64 = 50_000;
/// What may be spent on a site's first numbers.
const FIRST: u64 = 1_000_000_000;
/// Picoseconds that an iteration takes, before anything is known.
const GUESS: u64 = 10_000;
/// With fewer iterations, the time of one iteration is not known well enough.
const TELLING: u64 = 1 << 14;
/// More points than this are never looked at.
const MOST_POINTS: u64 = 1 << 30;

/// The time that launches with the same numbers have spent on checks. An inspection, which makes them unnecessary, runs when it pays.
#[derive(Debug, Default)]
pub(crate) struct Owed(AtomicU64);

impl Owed {
    fn after(time: u64) -> Self {
        Self(AtomicU64::new(time.max(1)))
    }

    /// A launch has taken this long.
    pub fn spent(&self, time: Duration) {
        let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let left = |owed: u64| (owed > 1).then(|| owed.saturating_sub(time).max(1));
        // 0 is nothing owed at all, 1 is that it is time.
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left);
    }

    /// A task is launched with them, whose time is not measured.
    pub fn launched(&self) {
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |owed| {
            (owed > 1).then_some((owed / 2).max(1))
        });
    }

    /// It is time to inspect.
    pub fn is_due(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 1
    }
}

/// So many of the host's threads.
struct Threads(usize);

/// The arrays of a launch, and which of them were read.
#[derive(Debug)]
struct Arrays<'a> {
    mapped: &'a [Mapped],
    read: Vec<AtomicBool>,
}

impl<'a> Arrays<'a> {
    fn of(mapped: &'a [Mapped]) -> Self {
        Self { mapped, read: mapped.iter().map(|_| AtomicBool::new(false)).collect() }
    }

    /// The numbers of those that were read.
    fn read(&self) -> Vec<usize> {
        (0..self.read.len()).filter(|k| self.read[*k].load(Ordering::Relaxed)).collect()
    }
}

// SAFETY: threads read numbers of arrays that no code writes (`load`).
unsafe impl Sync for Arrays<'_> {}

impl Memory for Arrays<'_> {
    fn load(&self, from: Element, at: &[u64], to: (&mut [u64], &mut [bool])) -> bool {
        let read = &self.read[from.array.index()];
        if !read.load(Ordering::Relaxed) {
            read.store(true, Ordering::Relaxed);
        }
        // SAFETY: the region that is being run borrows its arrays, and neither it nor a concurrent task writes this one (an
        // inspection reads no others). rustc has given the element's type, of which this is a value.
        unsafe { self.mapped[from.array.index()].array.numbers((from.offset, from.ty), at, to) }
    }
}

impl Executor for Threads {
    fn threads(&self) -> usize {
        self.0
    }

    fn run(&self, parts: usize, part: &(dyn Fn(usize) + Sync)) {
        let some = |from: u64, to: u64| (from..to).for_each(|k| part(k as usize));
        parallel::for_each(Schedule::Dynamic(1), parts as u64, self.0, &some);
    }
}

impl Default for Inspections {
    fn default() -> Self {
        Self {
            cost: Mutex::new(Cost { each: GUESS, paid: false }),
            claiming: AtomicU32::new(0),
            known: Mutex::default(),
        }
    }
}

impl Inspections {
    /// Settles what formulas have left open with these numbers. `device`: a kernel can check instead. `due`: it pays to inspect.
    pub fn settle(
        &self,
        (site, ready): (&TypedSite, &Ready),
        values: &LaunchValues<'_>,
        facts: &mut LaunchFacts,
        (device, due): (bool, bool),
    ) -> Owed {
        let plan = &ready.info.plan;
        let key = Key::of(values);
        if let Some(settled) = lock(&self.known).get(&key) {
            settled.clone().put(facts);
            return Owed::default();
        }
        let iterations = facts.total.unwrap_or(u64::MAX).max(1);
        let Cost { each, paid } = *lock(&self.cost);
        let expected = u64::try_from(u128::from(iterations) * u128::from(each) / 1000).unwrap_or(u64::MAX);
        let cheap = expected <= CHEAP || !paid && expected <= FIRST;
        if device && !due && !cheap && plan.is_checkable(facts) {
            let (verdict, _) = plan.inspect(values, facts, 0, &Threads(team::max_threads()));
            if verdict == Verdict::TooMuch {
                observe::not_inspected(site, Duration::from_nanos(expected));
                return Owed::after(expected);
            }
            return Owed::default();
        }
        let start = Instant::now();
        let (verdict, points) = plan.inspect(values, facts, MOST_POINTS, &Threads(team::max_threads()));
        let time = start.elapsed();
        observe::inspected(site, points, (start, time), verdict);
        if time >= LONG {
            let mut known = lock(&self.known);
            if known.len() >= KEPT {
                known.clear();
            }
            known.insert(key, Settled::of(facts));
        }
        let mut cost = lock(&self.cost);
        cost.paid |= expected > CHEAP;
        // The time of one that ended early is not representative.
        if iterations >= TELLING && matches!(verdict, Verdict::Apart | Verdict::Data) {
            cost.each =
                u64::try_from(time.as_nanos() * 1000 / u128::from(iterations)).unwrap_or(u64::MAX).max(1);
        }
        Owed::default()
    }
}

/// Loops with fewer iterations use claims: even the comparison of what they read takes as long.
const LEAST: u64 = if cfg!(miri) { 64 } else { 1 << 9 };
/// With fewer threads, or fewer iterations, loops use claims if the arrays that they read change: an inspection takes as long as several
/// executions of the loop, claims of a single thread as long as one, because they are plain stores to a table that is kept.
const FEWEST_THREADS: usize = 4;
const FEWEST_CHANGING: u64 = 1 << 14;
/// After an inspection without a proof, so many launches use claims without an inspection.
const CLAIMING: u32 = 31;

impl Inspections {
    /// Whether iterations that would have to claim elements access different ones, with the current contents of the arrays that the loop
    /// only reads; if so, the number of arrays with scattered writes.
    /// Claims take longer than an inspection, and an inspection takes longer than the comparison with contents for which the result is
    /// known (`seen`).
    pub fn keep_apart(
        &self,
        (site, ready): (&TypedSite, &Ready),
        values: &LaunchValues<'_>,
        (facts, seen): (&LaunchFacts, &Seen),
        (arrays, threads): (&[Mapped], usize),
    ) -> Option<u32> {
        let total = facts.total.unwrap_or(0);
        let unread = arrays.iter().any(|mapped| !mapped.array.on_host());
        let again = |n: u32| n.checked_sub(1);
        let relaxed = Ordering::Relaxed;
        if total < LEAST || unread || self.claiming.fetch_update(relaxed, relaxed, again).is_ok() {
            return None;
        }
        // SAFETY: the region that is being run borrows its arrays, and no code writes those that an inspection reads (`load`).
        let before = match unsafe { seen.recall(arrays, threads) } {
            Recalled::Apart(scattered) => return Some(scattered),
            Recalled::Changing if threads < FEWEST_THREADS || total < FEWEST_CHANGING => return None,
            Recalled::Changing => None,
            Recalled::Unknown(before) => Some(before),
        };
        let start = Instant::now();
        let (memory, executor) = (Arrays::of(arrays), Threads(threads));
        let found = ready.info.plan.inspect_data(values, facts, &memory, MOST_POINTS, &executor);
        let WithData { verdict, points, scattered } = found;
        observe::inspected(site, points, (start, start.elapsed()), verdict);
        if matches!(verdict, Verdict::Data | Verdict::NotUnderstood) {
            self.claiming.store(CLAIMING, relaxed);
        }
        if let (Verdict::Apart, Some(before)) = (verdict, before) {
            // SAFETY: as above.
            unsafe { seen.keep((arrays, &site.elems), (&memory.read(), scattered), before.as_ref()) };
        }
        (verdict == Verdict::Apart).then_some(scattered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_owed_is_due_when_it_was_spent() {
        let owed = Owed::after(1000);
        assert!(!owed.is_due());
        owed.spent(Duration::from_nanos(600));
        assert!(!owed.is_due());
        owed.spent(Duration::from_nanos(600));
        assert!(owed.is_due());
        let (never, task) = (Owed::default(), Owed::after(4));
        never.spent(Duration::from_secs(1));
        never.launched();
        assert!(!never.is_due());
        task.launched();
        assert!(!task.is_due());
        task.launched();
        assert!(task.is_due());
    }
}
