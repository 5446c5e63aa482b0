//! The search for a launch's schedule: `OMP_TUNE=auto` and `full`.
//!
//! A search runs between the copies to the device and the launch itself. Trials read the launch's own arrays, but what
//! the region writes they write to copies in the device's memory, which begin with the values of the launch; so trials
//! and their failures have no effect on the program, and the launch runs as it would without a search. A candidate that
//! does not compile or launch, or whose results differ from those of the default schedule, is dropped: by a bit, or where
//! sums may be added in another order, by more than the tolerance of `OMP_VERIFY`.
//!
//! Regions whose trials could not be compared or would cost too much are not tried, and `OMP_INFO=tune` says why.
use super::execute::args::{Sources, values, words};
use super::execute::{self, Launch, Made, Preparation};
use super::outcome::fault::Fault;
use super::plan::decisions::OnDevice;
use super::site::{Compiled, Ready, Scratch};
use super::verify::Pair;
use super::verify::reference::typed;
use crate::backend::api::DeviceError;
use crate::backend::erased::{DynBuffer, DynDevice, DynQueue};
use crate::backend::submission::Submission;
use crate::data::mapping::Environment;
use crate::env::Tolerance;
use crate::observe;
use crate::tune::{Entry, GAIN, Key, Search, Tried};
use omp_ir::template::{FpMode, Stmt};
use omp_ir::visit;
use omp_kernels::back::Arg;
use omp_kernels::schedule::{self, Candidate, Choice, Geometry, Schedule};
use omp_kernels::valid;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// What a search may take: no batch of candidates is begun that would end later if it takes as long as the longest before. A launch of
/// the default schedule that takes longer by itself ends the search.
const LIMIT: Duration = Duration::from_secs(10);

/// So many candidates are tried by `auto`.
const FIRST: usize = 4;

/// The most bytes that trials copy.
const MOST_COPIED: u64 = 2 << 30;

/// A candidate is run until it has taken so long, but at least and at most so often: the caches are cold in the first run, which does not
/// matter for a long one.
const ENOUGH: Duration = Duration::from_millis(30);
const RUNS: std::ops::RangeInclusive<usize> = 2..=7;
const LONG: Duration = Duration::from_millis(300);

/// So many kernels are compiled side by side.
const COMPILERS: usize = 8;

/// What searches know launches by.
pub(super) fn key(launch: &Launch<'_>) -> Key {
    let (site, facts) = (launch.site, launch.device.handle.facts());
    let mut text = omp_ir::print::kernel(&launch.ready.kernel.template);
    let kernel = &launch.ready.kernel;
    let scalars: Vec<_> = kernel.scalar_ty.iter().map(|ty| kernel.types.prim(*ty)).collect();
    let Launch { pins, num_teams, thread_limit, .. } = launch;
    let _ = write!(
        text,
        "{:?} {scalars:?} {:?} {} {pins:?} {num_teams:?} {thread_limit:?}",
        site.elems, kernel.template.fp, kernel.body.overflow_checks
    );
    let digest = Sha256::digest(text.as_bytes());
    let mut hash = String::new();
    for byte in &digest[..12] {
        let _ = write!(hash, "{byte:02x}");
    }
    let of_launch = &launch.decisions.facts;
    let interior = of_launch.interior.as_ref().map(|of| &of.nest);
    let mut trips: Vec<u64> = match of_launch.nest.as_ref().or(interior) {
        Some(nest) => nest.loops.iter().map(|l| l.count).collect(),
        None => of_launch.dims.iter().map(|dim| dim.count).collect(),
    };
    if of_launch.nest.is_none() && interior.is_none() {
        trips.extend(of_launch.inner_trips.filter(|n| *n > 0));
    }
    let lower = |n: &u64| n.checked_ilog2().map_or(0, |log| 1 << log);
    Key {
        kernel: hash,
        device: format!("{} {}", facts.backend, facts.name),
        driver: facts.versions.clone(),
        library: env!("CARGO_PKG_VERSION").into(),
        sizes: trips.iter().map(lower).collect(),
        whole: trips.iter().all(|n| n.is_multiple_of(32)),
    }
}

/// Whether later launches try schedules.
pub(super) fn is_open(launch: &Launch<'_>, on_device: &OnDevice) -> bool {
    on_device.key.as_ref().is_some_and(|key| !launch.tuner.is_decided(key))
}

/// The device refuses to launch the kernel of a choice: from now on the default schedule is taken. Whether it can be.
pub(super) fn withdraw(launch: &Launch<'_>, fault: &Fault) -> bool {
    let origins = launch.origins();
    let numbers = Preparation::new(launch, &origins);
    let (Ok(refused), Ok(made)) = (execute::on_device(launch), numbers.default()) else { return false };
    // Tasks under way have decided what they copy by whether the kernel may stop half-way.
    if may_stop(&refused.compiled) != may_stop(&made.2) {
        return false;
    }
    let place = &launch.site.place;
    launch.tuner.say_once(place, &format!("`{}` is left out: {}", refused.choice, fault.reason()));
    launch.tuner.end(numbers.key(), Choice::Default);
    launch.decisions.replace(&origins, Some(&Arc::new(numbers.on_device(made, Choice::Default))));
    true
}

fn may_stop(compiled: &Compiled) -> bool {
    compiled.source.args.contains(&Arg::Status)
}

/// Tries schedules, if that is requested and no other launch is doing so. Gives a better one.
pub(super) fn search(
    launch: &Launch<'_>,
    submission: Submission<'_>,
    on_device: &Arc<OnDevice>,
    environment: &Environment,
    total: u64,
) -> Option<Arc<OnDevice>> {
    let key = on_device.key.as_ref()?;
    let (tuner, place) = (launch.tuner, &launch.site.place);
    if let Submission::Queue(_) = submission {
        tuner.not_tuned(place, "tasks try nothing; they take what was found by others");
        return None;
    }
    let mut search = tuner.take(key)?;
    let began = Instant::now();
    let origins = launch.origins();
    let numbers = Preparation::new(launch, &origins);
    let trials = Sandbox::open(launch, on_device, environment, total)
        .and_then(|sandbox| Trials::new(launch, &numbers, sandbox, began));
    let mut trials = match trials {
        Ok(trials) => trials,
        Err(why) => {
            tuner.not_tuned(place, &why);
            tuner.end(key.clone(), on_device.choice.clone());
            return None;
        }
    };
    if tuner.at_once() {
        trials.all();
        trials.compare();
        search.tried = std::mem::take(&mut trials.tried);
    } else {
        trials.one(&search.tried);
        search.add(std::mem::take(&mut trials.tried));
    }
    search.seconds += began.elapsed().as_secs_f64();
    let more = trials.proposed.len().min(FIRST);
    if !tuner.at_once() && !trials.stopped && search.tried.len() < more {
        tuner.pause(key, search);
        return None;
    }
    let (choice, default_us, best_us) = if tuner.at_once() {
        let (best, default) = (trials.leader(), &trials.default);
        let gains = best.us < default.us * GAIN;
        let best = if gains { best } else { default };
        (best.candidate.choice.clone(), default.us, best.us)
    } else {
        search.best()
    };
    // Of earlier launches, the kernel is gone.
    let made = match trials.best.take().filter(|best| best.candidate.choice == choice) {
        Some(best) => Some(best.on_device),
        None if choice == Choice::Default => Some(trials.default.on_device),
        None => numbers.chosen(&choice).ok().map(|made| Arc::new(numbers.on_device(made, choice.clone()))),
    };
    let choice = if made.is_some() { choice } else { on_device.choice.clone() };
    report(launch, key, search, (&choice, default_us, best_us));
    tuner.end(key.clone(), choice);
    let made = made.filter(|made| made.choice != on_device.choice)?;
    numbers.keep(&made);
    launch.decisions.replace(&origins, Some(&made));
    Some(made)
}

/// Reports and keeps the results of a search.
fn report(
    launch: &Launch<'_>,
    key: &Key,
    search: Search,
    (choice, default_us, best_us): (&Choice, f64, f64),
) {
    let place = &launch.site.place;
    let entry = Entry {
        region: place.region.to_string(),
        place: format!("{}:{}", place.file, place.line),
        key: key.clone(),
        schedule: choice.to_string(),
        default_us,
        best_us,
        candidates: search.tried.len() as u64,
        dropped: search.tried.iter().filter(|one| one.us.is_none()).count() as u64,
        seconds: search.seconds,
        found: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_secs()),
        tried: search.tried,
    };
    let sizes: Vec<_> = key.sizes.iter().map(u64::to_string).collect();
    let Entry { schedule, candidates, dropped, seconds, .. } = &entry;
    let what = format!(
        "{}, sizes from {}: {default_us:.1} us by default, {best_us:.1} us by `{schedule}`; {candidates} candidates, \
         {dropped} dropped, {seconds:.2} s",
        launch.device.label(),
        sizes.join(" x "),
    );
    observe::tuned(place, &what);
    launch.tuner.keep(&entry);
}

/// Memory in which trials run.
struct Sandbox<'a> {
    launch: &'a Launch<'a>,
    environment: &'a Environment,
    total: u64,
    /// By array: memory for one that is written.
    copies: Vec<Option<DynBuffer>>,
    /// Their parts, and the values of these before the launch.
    parts: Vec<Part>,
    /// Copies within the device.
    queue: DynQueue,
    /// Memory of the last trial, except the first, for reuse.
    spare: Vec<Vec<MaybeUninit<u8>>>,
    /// A run changes what the next one reads.
    in_place: bool,
    /// What the default schedule gives.
    expected: Option<Results>,
    by_bits: bool,
    /// What all runs have taken.
    spent: Duration,
}

struct Part {
    array: usize,
    offset: usize,
    bytes: usize,
    before: DynBuffer,
}

/// The results of a trial: the bytes of each part, and the results of reductions.
struct Results {
    parts: Vec<Vec<MaybeUninit<u8>>>,
    items: Vec<u8>,
}

/// What becomes of a trial.
enum Failed {
    /// The candidate is dropped.
    Dropped(String),
    /// Nothing more can be tried.
    Stop(String),
}

/// Memory of the host. A program must not end because a trial finds none.
fn host_room(bytes: usize) -> Result<Vec<MaybeUninit<u8>>, DeviceError> {
    let mut room = Vec::new();
    room.try_reserve_exact(bytes)
        .map_err(|_| DeviceError::Transfer { reason: "the host has no memory for a copy".into() })?;
    room.resize(bytes, MaybeUninit::uninit());
    Ok(room)
}

impl From<Fault> for Failed {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Program(_) => Self::Stop("the loop fails".into()),
            fault if fault.lost().is_some() => Self::Stop(fault.reason()),
            fault => Self::Dropped(fault.reason()),
        }
    }
}

impl From<DeviceError> for Failed {
    fn from(error: DeviceError) -> Self {
        Fault::from(error).into()
    }
}

impl<'a> Sandbox<'a> {
    /// Makes copies of what the region writes. The error is the reason why that is impossible.
    fn open(
        launch: &'a Launch<'a>,
        on_device: &OnDevice,
        environment: &'a Environment,
        total: u64,
    ) -> Result<Self, String> {
        let (kernel, device) = (&launch.ready.kernel, &*launch.device.handle);
        if !launch.decisions.facts.claims.is_empty() {
            return Err("its iterations claim what they touch".into());
        }
        if valid::draws(kernel) {
            return Err("what its iterations take from atomics depends on their order".into());
        }
        let params = kernel.template.arrays.iter().enumerate();
        let written: Vec<usize> = params.filter(|(_, param)| param.written).map(|(i, _)| i).collect();
        if written.iter().any(|i| launch.site.elems.get(*i).copied().flatten().is_none()) {
            return Err("the type of an array is not known".into());
        }
        let failed = |error: DeviceError| error.to_string();
        device.wait().map_err(failed)?;
        // By part: its array, where it begins in the copy, and its bytes; by array, the bytes of the copy.
        let (mut places, mut rooms) = (Vec::new(), vec![0usize; launch.arrays.len()]);
        for &array in &written {
            let mapped = &launch.arrays[array];
            for &(lo, hi) in on_device.movements[array].touched.iter().filter(|(lo, hi)| lo < hi) {
                let (buffer, first, start) = environment.place(array, mapped, lo);
                let bytes = mapped.array.bytes_of(lo, hi);
                rooms[array] = rooms[array].max(first - start + bytes);
                if bytes > 0 {
                    places.push((array, buffer, first, start, bytes));
                }
            }
        }
        let needed: u64 = rooms.iter().map(|bytes| *bytes as u64).sum();
        // What trials write, and what it is before.
        if needed > MOST_COPIED.min(device.memory().0 / 4) {
            return Err(format!("it writes {needed} bytes, too many for copies"));
        }
        let mut copies: Vec<Option<DynBuffer>> = Vec::new();
        copies.resize_with(launch.arrays.len(), || None);
        for &array in &written {
            copies[array] = Some(device.alloc(rooms[array].max(16).into()).map_err(failed)?);
        }
        let mut parts = Vec::with_capacity(places.len());
        let queue = device.queue().map_err(failed)?;
        for (array, buffer, first, start, bytes) in places {
            let before = device.alloc(bytes.into()).map_err(failed)?;
            queue.copy((&before, 0), (buffer, first), bytes).map_err(failed)?;
            parts.push(Part { array, offset: first - start, bytes, before });
        }
        let template = &kernel.template;
        let in_place =
            written.iter().any(|i| template.arrays[*i].read || !launch.decisions.facts.overwritten[*i]);
        let mut others = !template.reductions.is_empty() || template.scan.is_some();
        visit::each_stmt(&kernel.body.code.block, &mut |stmt| {
            others |= matches!(stmt, Stmt::Atomic { .. } | Stmt::Inner { .. });
        });
        let by_bits = !others && template.fp != FpMode::Fast;
        Ok(Self {
            launch,
            environment,
            total,
            copies,
            parts,
            queue,
            spare: Vec::new(),
            in_place,
            expected: None,
            by_bits,
            spent: Duration::ZERO,
        })
    }

    fn device(&self) -> &'a dyn DynDevice {
        &*self.launch.device.handle
    }

    /// Resets the copies to the values of the launch.
    fn restore(&self) -> Result<(), DeviceError> {
        for Part { array, offset, bytes, before } in &self.parts {
            if let Some(copy) = &self.copies[*array] {
                self.queue.copy((copy, *offset), (before, 0), *bytes)?;
            }
        }
        self.queue.record(false)?.wait()
    }

    /// One launch; gives its time.
    fn launch(&self, made: &OnDevice, scratch: &Scratch) -> Result<Duration, Fault> {
        let (device, facts) = (self.device(), &self.launch.decisions.facts);
        let Compiled { source, kernel, .. } = &*made.compiled;
        let start = Instant::now();
        for phase in 0..source.phases {
            let sources = Sources {
                claims: &[],
                digits: &facts.numbering.digits,
                arrays: self.launch.arrays,
                environment: self.environment,
                scalars: self.launch.scalars,
                dims: &facts.dims,
                facts,
                total: self.total,
                scratch,
                phase,
                instead: &self.copies,
            };
            let numbers = words(&source.args, &sources);
            let args = values(&source.args, &numbers, &sources)?;
            device.launch(kernel, &made.geometry, &args, source.phases == 1)?;
        }
        device.wait()?;
        let all = start.elapsed();
        Ok(device.last_kernel_time().filter(|_| source.phases == 1).unwrap_or(all))
    }

    /// Runs a candidate, compares its results, and gives the least time.
    fn measure(&mut self, made: &OnDevice) -> Result<Duration, Failed> {
        let (_, result_bytes) = self.launch.ready.kernel.result_places();
        let scratch = Scratch::ready(&made.compiled, self.device(), made.room, result_bytes)?;
        self.restore()?;
        let mut least = self.launch(made, &scratch)?;
        self.spent += least;
        scratch.check(self.launch, &made.compiled.source)?;
        let mut items = Vec::new();
        scratch.results(self.device(), result_bytes, &mut items)?;
        let mut parts = std::mem::take(&mut self.spare);
        parts.resize_with(self.parts.len(), Vec::new);
        for (Part { array, offset, bytes, .. }, after) in self.parts.iter().zip(&mut parts) {
            if after.len() != *bytes {
                *after = host_room(*bytes)?;
            }
            if let Some(copy) = &self.copies[*array] {
                self.device().download(after, copy, *offset)?;
            }
        }
        let results = Results { parts, items };
        match &self.expected {
            Some(expected) => {
                let equal = self.equal(expected, &results);
                self.spare = results.parts;
                if !equal {
                    return Err(Failed::Dropped("its results are others".into()));
                }
            }
            None => self.expected = Some(results),
        }
        let mut spent = least;
        for run in 1..*RUNS.end() {
            if least > LONG || run >= *RUNS.start() && spent > ENOUGH {
                break;
            }
            if self.in_place {
                self.restore()?;
            }
            let time = self.launch(made, &scratch)?;
            (least, spent) = (least.min(time), spent + time);
            self.spent += time;
        }
        scratch.keep(&made.compiled);
        Ok(least)
    }

    fn equal(&self, expected: &Results, found: &Results) -> bool {
        let pair = || {
            let mut pair = Pair::new(Tolerance::Usual);
            pair.by_bits = self.by_bits;
            pair
        };
        let part = |(part, (one, other)): (&Part, (&Vec<_>, &Vec<_>))| {
            let desc = self.launch.site.elems.get(part.array).copied().flatten();
            let size = self.launch.arrays[part.array].array.elem().max(1);
            desc.is_some_and(|desc| pair().equal(desc, size, one, other))
        };
        let kernel = &self.launch.ready.kernel;
        let (places, _) = kernel.result_places();
        let item = |(reduction, at): (&omp_ir::template::Reduction, usize)| {
            let Some(ty) = reduction.local().map(|l| kernel.body.local_ty[l.index()]) else { return true };
            let range = at..at + kernel.types.size(ty).unwrap_or(0) as usize;
            match (expected.items.get(range.clone()), found.items.get(range)) {
                (Some(one), Some(other)) => typed(&mut pair(), &kernel.types, ty, one, other, ""),
                _ => false,
            }
        };
        self.parts.iter().zip(expected.parts.iter().zip(&found.parts)).all(part)
            && kernel.template.reductions.iter().zip(places).all(item)
    }
}

/// A candidate with its kernel.
struct Kept {
    candidate: Candidate,
    on_device: Arc<OnDevice>,
    us: f64,
}

/// The trials of a search.
struct Trials<'a> {
    launch: &'a Launch<'a>,
    numbers: &'a Preparation<'a>,
    sandbox: Sandbox<'a>,
    began: Instant,
    /// What the model proposes.
    proposed: Vec<Candidate>,
    /// The schedules that were tried.
    seen: Vec<Schedule>,
    tried: Vec<Tried>,
    default: Kept,
    /// The best of the others.
    best: Option<Kept>,
    /// What the longest batch has taken.
    longest: Duration,
    /// Nothing more can be tried.
    stopped: bool,
}

impl<'a> Trials<'a> {
    /// Runs the default schedule, with which others are compared.
    fn new(
        launch: &'a Launch<'a>,
        numbers: &'a Preparation<'a>,
        mut sandbox: Sandbox<'a>,
        began: Instant,
    ) -> Result<Self, String> {
        let Ready { kernel, info, .. } = launch.ready;
        let proposed = schedule::candidates(kernel, info, &numbers.request());
        let candidate = proposed.first().cloned().ok_or("there is nothing to try")?;
        if proposed.len() == 1 {
            return Err("there is one schedule alone".into());
        }
        let made = numbers.default().map_err(|fault| fault.reason())?;
        let on_device = Arc::new(numbers.on_device(made, Choice::Default));
        let time = sandbox.measure(&on_device).map_err(|failed| match failed {
            Failed::Dropped(why) | Failed::Stop(why) => why,
        })?;
        let us = micros(time);
        let first =
            Tried { schedule: Choice::Default.to_string(), rank: Some(0), us: Some(us), dropped: None };
        let seen = vec![candidate.schedule.clone()];
        let default = Kept { candidate, on_device, us };
        Ok(Self {
            launch,
            numbers,
            sandbox,
            began,
            proposed,
            seen,
            tried: vec![first],
            default,
            best: None,
            longest: time,
            stopped: false,
        })
    }

    /// Tries what the model proposes, then neighbours of the best until none gains.
    fn all(&mut self) {
        let Ready { kernel, info, .. } = self.launch.ready;
        let proposed = self.proposed[1..].to_vec();
        self.several(proposed.into_iter().enumerate().map(|(n, c)| (c, Some(n as u64 + 1))).collect());
        while !self.is_over() {
            let before = self.leader().us;
            let near = schedule::neighbours(kernel, info, &self.numbers.request(), &self.leader().candidate);
            self.several(near.into_iter().map(|c| (c, None)).collect());
            if self.leader().us >= before * GAIN {
                break;
            }
        }
    }

    /// Tries the candidate after those that were tried.
    fn one(&mut self, tried: &[Tried]) {
        let n = tried.len().max(1);
        if let Some(candidate) = self.proposed.get(n).cloned() {
            self.several(vec![(candidate, Some(n as u64))]);
        }
    }

    fn leader(&self) -> &Kept {
        self.best.as_ref().filter(|best| best.us < self.default.us).unwrap_or(&self.default)
    }

    fn is_over(&self) -> bool {
        self.stopped || self.spent() + self.longest > LIMIT
    }

    /// What the search has taken.
    fn spent(&self) -> Duration {
        self.began.elapsed().max(self.sandbox.spent)
    }

    /// Tries candidates. Their kernels are compiled side by side where compilers can.
    fn several(&mut self, mut list: Vec<(Candidate, Option<u64>)>) {
        list.retain(|(candidate, _)| !self.seen.contains(&candidate.schedule));
        let cores = std::thread::available_parallelism().map_or(1, usize::from).min(COMPILERS);
        let at_once = if self.launch.device.handle.facts().backend == "cuda" { cores } else { 1 };
        let known = self.seen.len() + list.len();
        for batch in list.chunks(at_once) {
            if self.is_over() {
                return;
            }
            let before = self.spent();
            self.seen.extend(batch.iter().map(|(candidate, _)| candidate.schedule.clone()));
            for ((candidate, rank), made) in batch.iter().zip(self.make(batch)) {
                let measured = made.map_err(Failed::from).and_then(|made| self.measure(candidate, made));
                let (us, dropped) = match measured {
                    Ok(us) => (Some(us), None),
                    Err(Failed::Dropped(why)) => (None, Some(why)),
                    Err(Failed::Stop(why)) => {
                        self.stopped = true;
                        (None, Some(why))
                    }
                };
                if let Some(why) = &dropped {
                    let what = format!("`{}` is dropped: {why}", candidate.choice);
                    observe::tuned(&self.launch.site.place, &what);
                }
                self.tried.push(Tried { schedule: candidate.choice.to_string(), rank: *rank, us, dropped });
                if self.launch.tuner.at_once() {
                    let best = self.leader().us;
                    observe::report::searching(&self.launch.site.place, (self.tried.len(), known), best);
                }
                if self.stopped {
                    return;
                }
            }
            self.longest = self.longest.max(self.spent() - before);
        }
    }

    /// The kernels of candidates.
    fn make(&self, batch: &[(Candidate, Option<u64>)]) -> Vec<Result<Made, Fault>> {
        let Launch { ready, device, disk, .. } = *self.launch;
        let request = self.numbers.request();
        let schedules = batch.iter().map(|(candidate, _)| {
            let mut schedule = candidate.schedule.clone();
            let geometry = self.numbers.grid(&mut schedule, &request);
            (schedule, geometry)
        });
        let compile = move |(schedule, geometry): (Schedule, Geometry)| {
            let source = execute::emit(ready, device, &schedule)?;
            let (kernel, _) = execute::load_or_compile(ready, device, disk, &source)?;
            Ok((schedule, geometry, Arc::new(Compiled::new(source, kernel))))
        };
        if batch.len() == 1 {
            return schedules.map(compile).collect();
        }
        let schedules: Vec<_> = schedules.collect();
        let panicked = |_| Err(Fault::Unsupported("its compilation panicked".into()));
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                schedules.into_iter().map(|schedule| scope.spawn(move || compile(schedule))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(panicked)).collect()
        })
    }

    /// Runs a candidate.
    fn measure(&mut self, candidate: &Candidate, made: Made) -> Result<f64, Failed> {
        if !self.numbers.fits(&made) {
            return Err(Failed::Dropped("its blocks have too many threads".into()));
        }
        // Tasks under way have decided what they copy by whether the kernel may stop half-way.
        if may_stop(&made.2) != may_stop(&self.default.on_device.compiled) {
            return Err(Failed::Dropped("it checks otherwise than the default schedule".into()));
        }
        let on_device = Arc::new(self.numbers.on_device(made, candidate.choice.clone()));
        let us = micros(self.sandbox.measure(&on_device)?);
        if self.best.as_ref().is_none_or(|best| us < best.us) {
            self.best = Some(Kept { candidate: candidate.clone(), on_device, us });
        }
        Ok(us)
    }

    /// Both run once more, alternating: the default was the first, when caches and clocks were cold.
    fn compare(&mut self) {
        let Some(mut best) = self.best.take().filter(|_| !self.stopped) else { return };
        // Long runs differ little, and four more of them are no search.
        if best.us.max(self.default.us) > micros(LONG) {
            self.best = Some(best);
            return;
        }
        for _ in 0..2 {
            for kept in [&mut self.default, &mut best] {
                match self.sandbox.measure(&kept.on_device) {
                    Ok(time) => kept.us = kept.us.min(micros(time)),
                    // A candidate that fails now may fail later, too.
                    Err(_) => return,
                }
            }
        }
        self.best = Some(best);
    }
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
