//! Recipes for nests whose trip counts and strides are known at the launch. Strides and reuse give candidate numbers, and
//! a model of the device chooses among them.
mod batches;
mod comparisons;
mod cores;
mod costs;
mod explained;
mod facts;
mod numbers;
mod products;
mod rows;
mod streams;
mod windows;

use crate::program::recipe::{Recipe, of_iterations};
use crate::program::steps::Pipeline;
use crate::program::{DECLARED, Subscript, Term};
use crate::schedule::explain::reasons::About;
use crate::schedule::survey::Survey;
use crate::schedule::{DeviceClass, DeviceKind, Request};
use facts::Beyond;
use numbers::Made;
pub use numbers::Numbers;
use omp_ir::analysis::plan::{Iterations, LaunchFacts, Nest};
use omp_ir::ids::{AccessId, ArrayId, ExprId};
use omp_ir::kernel::Kernel;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Bytes of the widest access.
const WIDEST: u64 = 16;

/// Sums below which a nest is not worth tiles.
const LEAST_SUMS: u64 = 1 << 21;

/// Terms of a window that is short.
const SHORT: u64 = 32;

/// Sums that are written one after the other: more than that outgrow the caches of instructions.
const MOST_STATEMENTS: u64 = 2500;

/// The same in a chunk of a loop, which is shorter text.
const MOST_IN_CHUNK: u64 = 4096;

/// Checks that are written one after the other: each is a branch, and compilers take seconds for more.
const MOST_CHECKS: u64 = 2048;

/// The same on a CPU core, where branches also keep compilers from making vectors.
const MOST_CHECKS_OF_CORE: u64 = 64;

/// Rows of a block that keeps them on the chip, at most: a warp has a thread for each.
const MOST_ROWS: u32 = 32;

/// Threads that have the same iteration, at most.
const MOST_REPLICAS: u32 = 8;

/// The most iterations of a chunk that a clause may set.
const MOST_DEPTH: u32 = 256;

/// A subscript, its array and form, whether the array is written, and which number of a struct it is.
type Read = (AccessId, ArrayId, Subscript, bool, u32);

/// What is known of a nest.
struct Facts<'a> {
    kernel: &'a Kernel,
    request: &'a Request<'a>,
    nest: &'a Nest,
    /// Which iterations the nest has, in which order.
    iterations: Iterations,
    /// How many of the loops run in parallel.
    parallel: usize,
    /// The parallel loop along which results lie side by side.
    fast: usize,
    /// How far tiles may reach beyond the last iteration of a loop.
    beyond: Beyond,
    /// Subscripts that differ, with their numbers, and whether the array is written.
    reads: Vec<Read>,
    of: Vec<(AccessId, u32, u32)>,
    /// Operators that may overflow with these numbers.
    checked: BTreeSet<ExprId>,
}

/// The recipe for a nest, if there is one that pays.
pub(super) fn recipe(kernel: &Kernel, request: &Request<'_>, survey: &Survey) -> Option<Recipe> {
    const NAME: About = About::Without("tiles");
    let subjects = subjects(kernel, request, survey);
    for subject in &subjects {
        let ranked = subject.ranked(request);
        let proposals = ranked.len();
        if let Some(recipe) = ranked.into_iter().find_map(|made| subject.fits(request, made.recipe)) {
            if let Some(facts) = subject.facts(request) {
                facts.record(&recipe, proposals);
            }
            return Some(recipe);
        }
    }
    let why = || {
        let of = |s: &Subject<'_>| s.refusal(request).or_else(|| Some(s.facts(request)?.no_use()));
        subjects.iter().find_map(of)
    };
    request.why(NAME, || why().unwrap_or_else(|| no_nest(request, survey, kernel).to_owned()));
    None
}

/// What recipes are made for: a nest, or its interior.
struct Subject<'a> {
    /// The kernel.
    whole: &'a Kernel,
    /// That of the iterations.
    kernel: Cow<'a, Kernel>,
    nest: &'a Nest,
    iterations: Iterations,
}

/// All iterations first, which need no other code for some of them; and before them, those of which a loop inside is independent.
fn subjects<'a>(kernel: &'a Kernel, request: &Request<'a>, survey: &Survey) -> Vec<Subject<'a>> {
    if !may_have_tiles(kernel, request, survey) {
        return Vec::new();
    }
    // Subscripts of the interior have a proof of their own.
    let proved = request.facts.unproved.is_empty();
    use Iterations::{All, Coalesced, Interchanged, Interior};
    // Cores have no chunks, which coalesced loops are for; each iteration outside of an interior would be a work-group; and loops that go
    // through rows are fast on cores as they are.
    let all: &[_] = match request.device.kind {
        DeviceKind::OpenClCpu => &[All],
        DeviceKind::Cuda | DeviceKind::OpenClGpu => &[Interchanged, Coalesced, All, Interior],
    };
    // Away from the borders, more subscripts may be affine. On cores, gathers keep compilers from making vectors.
    let gathers = |of: Iterations| request.facts.nest_of(of).map(|nest| nest.gathers.len());
    let most = match request.device.kind {
        DeviceKind::OpenClCpu => 0,
        DeviceKind::Cuda | DeviceKind::OpenClGpu => gathers(Interior).unwrap_or(usize::MAX),
    };
    let some = all.iter().copied().filter(|of| proved || *of == Interior);
    let some = some.filter(|of| gathers(*of).is_some_and(|n| n <= most));
    some.filter_map(|of| Subject::of(kernel, request.facts, of)).collect()
}

impl<'a> Subject<'a> {
    fn of(whole: &'a Kernel, facts: &'a LaunchFacts, iterations: Iterations) -> Option<Self> {
        let nest = facts.nest_of(iterations)?;
        Some(Self {
            whole,
            kernel: of_iterations(whole, iterations, &nest.decided, &nest.coalesced)?,
            nest,
            iterations,
        })
    }

    fn facts<'s>(&'s self, request: &'s Request<'s>) -> Option<Facts<'s>> {
        let facts = Facts::new(&self.kernel, request, self.nest)?;
        // The loop that is outside now has independent iterations.
        let apart =
            self.iterations != Iterations::Interchanged || facts.parallel > self.kernel.template.dims.len();
        apart.then_some(Facts { iterations: self.iterations, ..facts })
    }

    /// The recipes, the best first.
    fn ranked(&self, request: &Request<'_>) -> Vec<Made> {
        let Some(facts) = self.facts(request) else { return Vec::new() };
        if facts.is_of_cores() {
            return facts.cores().into_iter().collect();
        }
        let mut all = facts.products();
        all.extend(facts.sums());
        all.extend(facts.comparisons());
        all.extend(facts.rows());
        all.extend(facts.windows());
        // What gathers wait for, other strategies hide better where nothing is shared.
        let streams = self.nest.gathers.is_empty();
        if streams {
            all.extend(facts.permutations());
        }
        if all.is_empty() && streams && !self.is_one_loop(request) {
            if request.parts {
                all.extend(facts.batches());
            }
            if all.is_empty() {
                all.extend(facts.streams());
            }
        }
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.into_iter().map(|(_, made)| made).collect()
    }

    /// Whether the loops that are interchanged here go through memory in their order as one loop, which has a recipe.
    fn is_one_loop(&self, request: &Request<'_>) -> bool {
        let coalesced = || Subject::of(self.whole, request.facts, Iterations::Coalesced);
        self.iterations == Iterations::Interchanged
            && coalesced().is_some_and(|of| {
                of.ranked(request).into_iter().any(|made| of.fits(request, made.recipe).is_some())
            })
    }

    /// The recipe, if its steps are legal and its shared memory fits the device.
    fn fits(&self, request: &Request<'_>, mut recipe: Recipe) -> Option<Recipe> {
        let made = recipe.build(self.whole).ok()?;
        recipe.shared = made.dynamic_bytes();
        // Programs with the matrix instruction have time enough to compute addresses, and small nests have their sizes already.
        let others = recipe.matrix == 0 && recipe.tiles.lanes > 0;
        if request.specialised && !recipe.chunks.is_empty() && others {
            let value = |term: Term| Some((term, term.value(self.nest)?));
            recipe.sizes.extend(made.terms().into_iter().filter_map(value));
        }
        let narrow = made.only.iter().flat_map(|(_, sums)| sums).all(|sum| sum.is_narrow(self.nest));
        let most =
            if request.device.kind == DeviceKind::OpenClCpu { MOST_CHECKS_OF_CORE } else { MOST_CHECKS };
        (narrow && made.checks() <= most && made.shared_bytes() <= shared_bytes(request.device))
            .then_some(recipe)
    }

    /// Why a nest that has recipes runs by none of them.
    fn refusal(&self, request: &Request<'_>) -> Option<String> {
        self.ranked(request).into_iter().find_map(|made| match made.recipe.build(self.whole) {
            Err(why) => Some(why),
            Ok(made) => (made.shared_bytes() > shared_bytes(request.device))
                .then(|| "they take more shared memory than the device gives a block".to_owned()),
        })
    }
}

/// Why a launch has no nest that may run as a device program: the conditions of [`may_have_tiles`], and a nest.
fn no_nest(request: &Request<'_>, survey: &Survey, kernel: &Kernel) -> &'static str {
    let (facts, pins) = (request.facts, &request.pins);
    if request.device.kind != DeviceKind::OpenClCpu && request.device.warp != 32 {
        "warps of the device have another size than 32 threads"
    } else if kernel.template.scan.is_some() {
        "a scan has tiles of its own"
    } else if !kernel.template.reductions.is_empty() {
        "a reduction reads each element once"
    } else if pins.chunk.is_some() || pins.team_chunk.is_some() {
        "the `schedule` or `dist_schedule` clause deals iterations out"
    } else if request.num_teams.is_some() || request.thread_limit.is_some() {
        "`num_teams` or `thread_limit` fixes how many threads there are"
    } else if survey.queries {
        "the body uses the number of its team or thread"
    } else if !facts.unproved.is_empty() {
        "not all subscripts are proved for these sizes"
    } else if !facts.claims.is_empty() {
        "only the data shows whether iterations conflict"
    } else if facts.nest.as_ref().is_some_and(|nest| !nest.limits.is_empty()) {
        "the bounds of a sequential loop depend on other sequential loops, or it moves a window"
    } else if let Some(nest) = facts.nest.as_ref().filter(|nest| nest.gathers.is_empty()) {
        if nest.narrow && Beyond::of(nest, kernel.template.dims.len()).is_some() {
            "a subscript goes down along a parallel loop, or begins below 0"
        } else {
            "subscripts need 64 bits"
        }
    } else if kernel.template.dims.len() == 1 && !survey.loops {
        "it is a single loop, and no other loop reads its elements a second time"
    } else {
        "a subscript, a condition or a trip count is known only in the kernel, so what a block would share is unknown before"
    }
}

/// Whether a launch may run as a device program, if its nest is one.
fn may_have_tiles(kernel: &Kernel, request: &Request<'_>, survey: &Survey) -> bool {
    let facts = request.facts;
    let dealt = request.pins.chunk.is_some() || request.pins.team_chunk.is_some();
    let limited = request.num_teams.is_some() || request.thread_limit.is_some();
    let plain = kernel.template.reductions.is_empty() && kernel.template.scan.is_none() && !survey.queries;
    let device = request.device.kind == DeviceKind::OpenClCpu || request.device.warp == 32;
    let narrow = facts.index32 || facts.nest.as_ref().is_some_and(|nest| nest.narrow);
    !(dealt || limited || !facts.claims.is_empty() || !plain || !device || !narrow)
}

/// Whether a kernel for one set of sizes pays: compilers then know strides and how often loops run, which takes 3 % off products of
/// matrices. For a launch of less than a tenth of a millisecond, the gain would not be visible.
#[must_use]
pub fn is_specialised(nest: &Nest) -> bool {
    nest.loops.iter().fold(1u64, |all, l| all.saturating_mul(l.count)) >= 1 << 31
}

/// The recipes that the model proposes, in its order, and that are legal.
pub(super) fn proposed(kernel: &Kernel, request: &Request<'_>, survey: &Survey) -> Vec<(Numbers, Recipe)> {
    let legal = |subject: &Subject<'_>| -> Vec<_> {
        let legal = |made: Made| Some((made.numbers, subject.fits(request, made.recipe)?));
        subject.ranked(request).into_iter().filter_map(legal).collect()
    };
    subjects(kernel, request, survey).iter().map(legal).find(|all| !all.is_empty()).unwrap_or_default()
}

/// The recipe with given numbers, which may be any; `None` if they are not legal for this launch.
pub(super) fn admitted(
    kernel: &Kernel,
    request: &Request<'_>,
    survey: &Survey,
    numbers: &Numbers,
) -> Option<Recipe> {
    subjects(kernel, request, survey).iter().find_map(|subject| admitted_of(subject, request, numbers))
}

fn admitted_of(subject: &Subject<'_>, request: &Request<'_>, numbers: &Numbers) -> Option<Recipe> {
    let (facts, nest) = (subject.facts(request)?, subject.nest);
    let sane = numbers.tiles.len() == facts.parallel
        && numbers.tiles.iter().flatten().all(|n| (1..=1024).contains(n))
        && numbers.tiles.iter().all(|[_, places, neighbours]| places.is_multiple_of(*neighbours))
        && [0, 1, 2, 4, 8, 16, 32].contains(&numbers.lanes)
        && (1..=64).contains(&numbers.band)
        && (1..=32).contains(&numbers.resident)
        && (!facts.is_of_cores() || (numbers.lanes, numbers.resident) == (1, 1))
        && numbers.rows <= MOST_ROWS
        && (1..=MOST_REPLICAS).contains(&numbers.replicas)
        && (numbers.replicas == 1 || (numbers.depth.is_some() && numbers.rows == 0))
        && numbers.depth.is_none_or(|depth| (1..=MOST_DEPTH).contains(&depth))
        && (!numbers.direct || facts.windowed());
    // Which steps a nest takes is the recipes' decision: the numbers alone are free.
    let steps = |n: &Numbers| {
        let asynchronous = matches!(n.pipeline, Pipeline::Asynchronous(_));
        let others = (n.rows > 0, n.lanes == 0);
        (n.depth.is_some(), n.matrix, n.stage_all, n.pipeline == Pipeline::None, asynchronous, others)
    };
    let stages = !matches!(numbers.pipeline, Pipeline::Asynchronous(n) if !(2..=8).contains(&n));
    if !sane || !stages || !subject.ranked(request).iter().any(|made| steps(&made.numbers) == steps(numbers))
    {
        return None;
    }
    let numbers = facts.pinned(numbers.clone())?;
    let places: u64 = numbers.tiles.iter().map(|t| u64::from(t[1])).product();
    let statements = places * facts.statements_of_each(numbers.depth);
    let short = statements <= if numbers.depth.is_some() { MOST_IN_CHUNK } else { MOST_STATEMENTS };
    let deep =
        numbers.depth.is_some_and(|depth| facts.in_chunks().any(|l| u64::from(depth) > nest.loops[l].count));
    if deep || !short {
        return None;
    }
    let found = subject.fits(request, facts.recipe(&numbers));
    if let Some(recipe) = &found {
        facts.record(recipe, 0);
    }
    found
}

/// Bytes of shared memory that a block may have.
pub(in crate::schedule) fn shared_bytes(device: &DeviceClass) -> u64 {
    match (device.kind, device.arch) {
        (DeviceKind::Cuda, 80 | 87) => 163 << 10,
        (DeviceKind::Cuda, 90 | 100 | 103) => 227 << 10,
        (DeviceKind::Cuda, 86..) => 99 << 10,
        _ => DECLARED.min(device.shared_bytes.into()),
    }
}

/// The recipe with these numbers, if these iterations have recipes.
#[must_use]
pub fn with_numbers(
    kernel: &Kernel,
    request: &Request<'_>,
    iterations: Iterations,
    numbers: &Numbers,
) -> Option<Recipe> {
    Subject::of(kernel, request.facts, iterations)?.facts(request).map(|facts| facts.recipe(numbers))
}
