//! Recipes for nests whose loops and subscripts are numbers at launch: facts of strides and reuse decide which numbers to
//! try, a model of the device which of them to take.
use super::explain::reasons::{About, all, bytes, names, variable};
use super::survey::Survey;
use super::{DeviceClass, DeviceKind, Request};
use crate::program::recipe::{Chunks, Recipe};
use crate::program::steps::{Pipeline, TERMS, Tile, Tiles};
use crate::program::{Access, AxisOf, DECLARED, Keep, Lanes, SLOWER, Term, decided, gcd};
use crate::valid::may_overflow;
use omp_ir::analysis::plan::{Affine, DimValues, Interior, Nest};
use omp_ir::desc::Prim;
use omp_ir::ids::{AccessId, ArrayId, ExprId};
use omp_ir::kernel::Kernel;
use omp_ir::template::FpMode;
use omp_ir::visit;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of the widest access.
const WIDEST: u64 = 16;

/// Sums below which a nest is not worth tiles.
const LEAST_SUMS: u64 = 1 << 21;

/// Places of a thread at most.
const MOST_PLACES: u32 = 256;

/// Terms of a window that is short.
const SHORT: u64 = 32;

/// Sums that are written one after the other: more than that outgrow the caches of instructions.
const MOST_STATEMENTS: u64 = 2500;

/// The same in a chunk of a loop, which is shorter text.
const MOST_IN_CHUNK: u64 = 4096;

/// Numbers to try for products: threads down and across, places of each, the depth of chunks, and asynchronous stages.
const PRODUCTS: [([u32; 4], u32, u32); 9] = [
    ([8, 16, 16, 8], 8, 0),
    ([8, 16, 16, 8], 12, 0),
    ([16, 16, 8, 8], 8, 0),
    ([8, 16, 8, 8], 8, 0),
    ([16, 8, 8, 8], 8, 0),
    ([8, 8, 8, 8], 8, 0),
    ([8, 16, 8, 8], 16, 2),
    ([16, 16, 4, 8], 16, 2),
    ([16, 16, 4, 4], 16, 0),
];

/// The same for the matrix instruction; the threads of a warp are 8 × 4.
const MATRICES: [([u32; 4], u32, u32); 6] = [
    ([16, 16, 8, 8], 16, 4),
    ([16, 8, 4, 16], 16, 3),
    ([16, 8, 8, 8], 16, 3),
    ([16, 16, 4, 8], 16, 4),
    ([16, 8, 4, 8], 16, 4),
    ([8, 8, 4, 8], 16, 3),
];

/// Checks that are written one after the other: each is a branch, and compilers take seconds for more.
const MOST_CHECKS: u64 = 2048;

/// Bytes of constant memory for one array; multiprocessors cache 2 KiB near their arithmetic.
const MOST_CONSTANT: u64 = 2 << 10;

/// A tile reaches at most so many iterations beyond the last one of a loop.
const BEYOND: i64 = 4096;

/// Iterations of a chunk, at most, that a user may ask for.
const MOST_DEPTH: u32 = 256;

/// A subscript, its array and form, whether the array is written, and which number of a struct it is.
type Read<'a> = (AccessId, ArrayId, &'a Affine, bool, u32);

/// What is known of a nest.
struct Facts<'a> {
    kernel: &'a Kernel,
    request: &'a Request<'a>,
    nest: &'a Nest,
    /// The nest is the interior of one.
    interior: Option<&'a Interior>,
    /// How many of the loops run in parallel.
    parallel: usize,
    /// The parallel loop along which results lie side by side.
    fast: usize,
    /// Subscripts that differ, with their numbers, and whether the array is written.
    reads: Vec<Read<'a>>,
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
                facts.tell(&recipe, proposals);
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
    interior: Option<&'a Interior>,
}

/// All iterations first, which need no other code for some of them.
fn subjects<'a>(kernel: &'a Kernel, request: &Request<'a>, survey: &Survey) -> Vec<Subject<'a>> {
    if !may_have_tiles(kernel, request, survey) {
        return Vec::new();
    }
    let proved = request.facts.unproved.is_empty();
    let whole = request.facts.nest.as_ref().filter(|_| proved).map(|nest| Subject {
        whole: kernel,
        kernel: Cow::Borrowed(kernel),
        nest,
        interior: None,
    });
    let interior = request.facts.interior.as_deref().map(|of| Subject::inside(kernel, of));
    whole.into_iter().chain(interior).collect()
}

impl<'a> Subject<'a> {
    fn inside(kernel: &'a Kernel, of: &'a Interior) -> Self {
        let made = decided(kernel, &of.decided);
        Self { whole: kernel, kernel: Cow::Owned(made), nest: &of.nest, interior: Some(of) }
    }

    fn facts<'s>(&'s self, request: &'s Request<'s>) -> Option<Facts<'s>> {
        Some(Facts { interior: self.interior, ..Facts::new(&self.kernel, request, self.nest)? })
    }

    /// The recipes, the best first.
    fn ranked(&self, request: &Request<'_>) -> Vec<Made> {
        let Some(facts) = self.facts(request) else { return Vec::new() };
        let mut all = facts.products();
        all.extend(facts.sums());
        all.extend(facts.permutations());
        all.extend(facts.windows());
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.into_iter().map(|(_, made)| made).collect()
    }

    /// The recipe, if its steps are legal and its shared memory fits the device.
    fn fits(&self, request: &Request<'_>, mut recipe: Recipe) -> Option<Recipe> {
        let made = recipe.build(self.whole).ok()?;
        recipe.shared = made.dynamic_bytes();
        // The matrix instruction leaves time enough to compute addresses.
        if request.specialised && recipe.chunks.is_some() && recipe.matrix == 0 {
            let value = |term: Term| Some((term, term.value(self.nest)?));
            recipe.sizes.extend(made.terms().into_iter().filter_map(value));
        }
        (made.checks() <= MOST_CHECKS && made.shared_bytes() <= shared_bytes(request.device))
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
    if request.device.kind == DeviceKind::OpenClCpu || request.device.warp != 32 {
        "they are for GPUs, whose threads share fast memory; a CPU has its caches"
    } else if kernel.template.scan.is_some() {
        "a scan has tiles of its own"
    } else if !kernel.template.reductions.is_empty() {
        "a reduction reads each element once"
    } else if pins.chunk.is_some() || pins.team_chunk.is_some() {
        "the `schedule` or `dist_schedule` clause deals iterations out"
    } else if request.num_teams.is_some() || request.thread_limit.is_some() {
        "`num_teams` or `thread_limit` fixes how many threads there are"
    } else if survey.queries {
        "the body asks for its team or thread"
    } else if !facts.unproved.is_empty() {
        "not all subscripts are proved for these sizes"
    } else if !facts.claims.is_empty() {
        "only the data shows whether iterations meet"
    } else if facts.nest.is_some() {
        "subscripts need 64 bits"
    } else if kernel.template.dims.len() == 1 && !survey.loops {
        "it is one loop alone, and no other reads its elements again"
    } else {
        "a subscript, a condition or a trip count shows in the kernel alone, so that nobody can tell before what a block would share"
    }
}

/// Whether a launch may run as a device program, if its nest is one.
fn may_have_tiles(kernel: &Kernel, request: &Request<'_>, survey: &Survey) -> bool {
    let facts = request.facts;
    let dealt = request.pins.chunk.is_some() || request.pins.team_chunk.is_some();
    let limited = request.num_teams.is_some() || request.thread_limit.is_some();
    let plain = kernel.template.reductions.is_empty() && kernel.template.scan.is_none() && !survey.queries;
    let device = request.device.kind != DeviceKind::OpenClCpu && request.device.warp == 32;
    !(dealt || limited || !facts.claims.is_empty() || !plain || !device || !facts.index32)
}

/// Whether a kernel for one set of sizes pays: compilers then know strides and how often loops run, which takes 3 % off products of
/// matrices. A launch that takes less than a tenth of a millisecond gains nothing that anybody would see.
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

/// The recipe with numbers that somebody proposes. They may be anything; `None` if they are not legal for this launch.
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
        && [1, 2, 4, 8, 16, 32].contains(&numbers.lanes)
        && (1..=64).contains(&numbers.band)
        && (1..=32).contains(&numbers.resident)
        && numbers.depth.is_none_or(|depth| (1..=MOST_DEPTH).contains(&depth))
        && (!numbers.direct || facts.windowed());
    // Which steps a nest takes is the recipes' decision: the numbers alone are free.
    let steps = |n: &Numbers| {
        let asynchronous = matches!(n.pipeline, Pipeline::Asynchronous(_));
        (n.depth.is_some(), n.matrix, n.stage_all, n.pipeline == Pipeline::None, asynchronous)
    };
    let stages = !matches!(numbers.pipeline, Pipeline::Asynchronous(n) if !(2..=8).contains(&n));
    if !sane || !stages || !subject.ranked(request).iter().any(|made| steps(&made.numbers) == steps(numbers))
    {
        return None;
    }
    let numbers = facts.pinned(numbers.clone())?;
    let last = nest.loops.last().map_or(0, |l| l.count);
    let places: u64 = numbers.tiles.iter().map(|t| u64::from(t[1])).product();
    let statements = places * numbers.depth.map_or_else(|| facts.sums_of_each(), u64::from);
    let short = statements <= if numbers.depth.is_some() { MOST_IN_CHUNK } else { MOST_STATEMENTS };
    let deep = numbers.depth.is_some_and(|depth| u64::from(depth) > last);
    if deep || !short {
        return None;
    }
    let found = subject.fits(request, facts.recipe(&numbers));
    if let Some(recipe) = &found {
        facts.tell(recipe, 0);
    }
    found
}

/// Bytes of shared memory that a block may have.
fn shared_bytes(device: &DeviceClass) -> u64 {
    match (device.kind, device.arch) {
        (DeviceKind::Cuda, 80 | 87) => 163 << 10,
        (DeviceKind::Cuda, 90 | 100 | 103) => 227 << 10,
        (DeviceKind::Cuda, 86..) => 99 << 10,
        _ => DECLARED.min(device.shared_bytes.into()),
    }
}

/// A recipe, and the numbers that it is made of.
struct Made {
    numbers: Numbers,
    recipe: Recipe,
}

/// The open numbers of a recipe.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Numbers {
    /// By parallel loop: threads along it, places of each, and of these neighbours.
    pub tiles: Vec<[u32; 3]>,
    /// Lanes of a warp along the fast loop.
    pub lanes: u32,
    /// Rows of tiles that blocks go through together.
    pub band: u32,
    /// Iterations of a chunk of the last sequential loop.
    pub depth: Option<u32>,
    /// Chunks are added up by the matrix instruction, for so many groups of eight rows at a time; 0: they are not.
    pub matrix: u32,
    /// How chunks overlap.
    pub pipeline: Pipeline,
    /// What neighbouring threads read side by side goes through shared memory, too: copies in flight hold no registers there.
    pub stage_all: bool,
    /// Threads load windows straight into their registers.
    pub direct: bool,
    /// Blocks that a multiprocessor should have room for.
    pub resident: u32,
}

impl Numbers {
    /// One pass over tiles, without what recipes can do besides.
    pub(super) fn of(tiles: Vec<[u32; 3]>, lanes: u32) -> Self {
        let pipeline = Pipeline::None;
        let (stage_all, direct) = (false, false);
        Self { tiles, lanes, band: 1, depth: None, matrix: 0, pipeline, stage_all, direct, resident: 1 }
    }
}

/// The recipe with these numbers, if the nest is one that has recipes.
#[must_use]
pub fn with_numbers(
    kernel: &Kernel,
    request: &Request<'_>,
    nest: &Nest,
    numbers: &Numbers,
) -> Option<Recipe> {
    Facts::new(kernel, request, nest).map(|facts| facts.recipe(numbers))
}

/// As [`with_numbers`], for the interior of a nest.
#[must_use]
pub fn inside_with_numbers(
    kernel: &Kernel,
    request: &Request<'_>,
    interior: &Interior,
    numbers: &Numbers,
) -> Option<Recipe> {
    Subject::inside(kernel, interior).facts(request).map(|facts| facts.recipe(numbers))
}

/// Programs compute iterations and places in 32 bits, also those that a cut tile then leaves out.
fn fits_32_bits(nest: &Nest) -> bool {
    let past = |l: &DimValues| i128::from(l.count) + i128::from(BEYOND);
    let reach = |l: &DimValues, stride: i128| stride.saturating_abs().saturating_mul(past(l));
    let values =
        nest.loops.iter().flat_map(|l| [past(l), l.first.saturating_abs().saturating_add(reach(l, l.step))]);
    let places = nest.subscripts.values().map(|a| {
        let strides = a.strides.iter().zip(&nest.loops);
        strides.fold(i128::from(a.base).abs(), |at, (s, l)| at.saturating_add(reach(l, i128::from(*s))))
    });
    values.chain(places).all(|most| most <= i128::from(i32::MAX))
}

impl<'a> Facts<'a> {
    fn new(kernel: &'a Kernel, request: &'a Request<'a>, nest: &'a Nest) -> Option<Self> {
        if !fits_32_bits(nest) {
            return None;
        }
        let arrays = super::survey::arrays_of(kernel);
        let parts = crate::program::parts(kernel);
        let (mut reads, mut of): (Vec<Read<'_>>, Vec<_>) = (Vec::new(), Vec::new());
        for (id, affine) in &nest.subscripts {
            if affine.strides.iter().any(|s| *s < 0) || affine.base < 0 {
                return None;
            }
            let array = *arrays.get(id)?;
            for &part in parts.get(id).unwrap_or(&BTreeSet::from([0])) {
                let same = |(_, other, form, _, number): &Read<'_>| {
                    *other == array && *form == affine && *number == part
                };
                let at = reads.iter().position(same).unwrap_or_else(|| {
                    reads.push((*id, array, affine, kernel.template.arrays[array.index()].written, part));
                    reads.len() - 1
                });
                of.push((*id, part, u32::try_from(at).ok()?));
            }
        }
        let parallel = kernel.template.dims.len();
        let mut facts = Self {
            kernel,
            request,
            nest,
            interior: None,
            parallel,
            fast: 0,
            reads,
            of,
            checked: checked(kernel, nest),
        };
        // Inner loops that are all of the outer ones', and whose iterations keep to elements of their own.
        while facts.parallel < nest.loops.len().min(3) && facts.is_apart(facts.parallel + 1) {
            facts.parallel += 1;
        }
        let along = |l: &usize| facts.reads.iter().any(|r| r.3 && r.2.strides[*l] == 1);
        facts.fast = (0..facts.parallel).rev().find(along).unwrap_or(facts.parallel - 1);
        Some(facts)
    }

    /// Iterations of the outermost loops touch different elements of what is written: each only one, by subscripts that
    /// give each of them another.
    fn is_apart(&self, loops: usize) -> bool {
        let first = |array: ArrayId, part| self.reads.iter().filter(move |r| (r.1, r.4) == (array, part));
        self.reads.iter().filter(|r| r.3).all(|(_, array, affine, _, part)| {
            let mut strides: Vec<(u64, u64)> =
                (0..loops).map(|l| (affine.strides[l].unsigned_abs(), self.nest.loops[l].count)).collect();
            strides.sort_unstable();
            let mut span = 0u64;
            let injective = strides.iter().all(|(stride, count)| {
                let apart = *stride > span;
                span = span.saturating_add(stride.saturating_mul(count - 1));
                apart
            });
            injective && affine.strides[loops..].iter().all(|s| *s == 0) && first(*array, *part).count() == 1
        })
    }

    fn size(&self, array: ArrayId) -> u64 {
        crate::program::element(self.kernel, array).map_or(16, |prim| prim.size() as u64)
    }

    /// The numbers of an element: of a struct several, each of which has registers and statements of its own.
    fn parts(&self) -> u32 {
        self.reads.iter().map(|r| r.4 + 1).max().unwrap_or(1)
    }

    /// The class of a subscript.
    fn access(&self, n: usize) -> Access {
        let (id, array, affine, _, part) = self.reads[n];
        let axes = axes(self.nest, affine);
        let everywhere = self.nest.everywhere.contains(&id);
        Access { id, array, part, based: affine.base != 0, axes, everywhere, keep: Keep::Direct }
    }

    /// The widest vectors of elements along the fast axis of a subscript, which begin where tiles do: at multiples of
    /// `starts`.
    ///
    /// The second says whether the last coordinate cuts a vector, the rest of which the array has, too; nothing writes it.
    fn width(&self, n: usize, access: &Access, starts: u64) -> (u32, bool) {
        let (_, array, affine, written, _) = self.reads[n];
        let size = self.size(array);
        let Some((last, others)) = access.axes.split_last() else { return (1, false) };
        if !last.unit || !size.is_power_of_two() {
            return (1, false);
        }
        let limit = self.limit(last);
        let whole = self.kernel.types.prim(self.kernel.array_ty[array.index()]).is_some();
        let room = if whole && !written { self.request.extents[array.index()] } else { 0 };
        // The elements up to the last one that is read, with those of other axes.
        let reach = |axis: &AxisOf| {
            let stride = affine.strides[axis.loops[0].0 as usize].unsigned_abs();
            (self.limit(axis) - 1).saturating_mul(stride)
        };
        let before = others.iter().map(reach).fold(affine.base.unsigned_abs(), u64::saturating_add);
        let address = u64::from(self.request.alignment[array.index()]);
        let fits = |wide: u64| {
            let stride = |axis: &AxisOf| affine.strides[axis.loops[0].0 as usize].unsigned_abs();
            (wide * size <= address)
                && affine.base.unsigned_abs().is_multiple_of(wide)
                && others.iter().all(|axis| stride(axis).is_multiple_of(wide))
                && (limit.is_multiple_of(wide) || before.saturating_add(limit.next_multiple_of(wide)) <= room)
                && starts.is_multiple_of(wide)
        };
        let mut wide = (WIDEST / size).max(1).min(self.request.pins.width());
        while wide > 1 && !fits(wide) {
            wide /= 2;
        }
        (wide as u32, !limit.is_multiple_of(wide))
    }

    /// The accesses that load a window from memory: their widths may be other than the rows', unless tiles are cut off across rows
    /// that begin at different places of an access.
    fn lanes(&self, n: usize, access: &Access, starts: u64, tiles: &[Tile]) -> Lanes {
        let (width, beyond) = self.width(n, access, starts);
        let plain = Lanes { width, beyond, first: 0, strides: [0; SLOWER] };
        let (_, array, affine, written, _) = self.reads[n];
        let size = self.size(array);
        let whole = self.kernel.types.prim(self.kernel.array_ty[array.index()]).is_some();
        let cut = |axis: &AxisOf| {
            axis.loops.iter().any(|(l, _)| tiles.get(*l as usize).is_some_and(|tile| tile.ragged))
        };
        let Some((last, others)) = access.axes.split_last().filter(|(last, _)| last.unit) else {
            return plain;
        };
        if written || !whole || !size.is_power_of_two() || others.len() > SLOWER {
            return plain;
        }
        let stride = |axis: &AxisOf| affine.strides[axis.loops[0].0 as usize].unsigned_abs();
        let reach = |axis: &AxisOf| (self.limit(axis) - 1).saturating_mul(stride(axis));
        let first = affine.base.unsigned_abs();
        let end = others.iter().map(reach).fold(first, u64::saturating_add).saturating_add(self.limit(last));
        let address = u64::from(self.request.alignment[array.index()]);
        let fits = |wide: u64| {
            wide * size <= address
                && starts.is_multiple_of(wide)
                && end.next_multiple_of(wide) <= self.request.extents[array.index()]
        };
        let mut wide = (WIDEST / size).max(1).min(self.request.pins.width());
        while wide > 1 && !fits(wide) {
            wide /= 2;
        }
        // Rows that tiles cut off stop at the last one, which has to begin where they do.
        let apart = |axis: &&AxisOf| cut(axis) && !stride(axis).is_multiple_of(wide);
        if wide <= u64::from(width) || others.iter().any(|axis| apart(&axis)) {
            return plain;
        }
        let mut strides = [0; SLOWER];
        strides.iter_mut().zip(others).for_each(|(s, axis)| *s = (stride(axis) % wide) as u32);
        Lanes { width: wide as u32, beyond: false, first: (first % wide) as u32, strides }
    }

    /// Coordinates along an axis.
    fn limit(&self, axis: &AxisOf) -> u64 {
        let of = |(l, by): &(u32, u32)| (self.nest.loops[*l as usize].count - 1) * u64::from(*by);
        1 + axis.loops.iter().map(of).sum::<u64>()
    }

    fn moves(&self, n: usize, l: usize) -> bool {
        self.reads[n].2.strides[l] != 0
    }

    /// Two parallel loops, none of which moves all that a sequential one reads: products of matrices and their like. Of a
    /// parallel loop around them, a block has one iteration.
    fn products(&self) -> Vec<(f64, Made)> {
        let (parallel, loops) = (self.parallel, self.nest.loops.len());
        let count = |l: usize| self.nest.loops[l].count;
        if !(2..=3).contains(&parallel) || loops != parallel + 1 {
            return Vec::new();
        }
        let (tiled, sum) = (parallel - 2..parallel, parallel);
        let all = self.nest.loops.iter().fold(1u64, |all, l| all.saturating_mul(l.count));
        if tiled.clone().any(|l| count(l) < 32) || count(sum) < 16 || all < LEAST_SUMS {
            return Vec::new();
        }
        let inner: Vec<usize> =
            (0..self.reads.len()).filter(|n| self.moves(*n, sum) && !self.reads[*n].3).collect();
        let written = (0..self.reads.len()).any(|n| self.moves(n, sum) && self.reads[n].3);
        let reused =
            |l: usize| inner.iter().any(|n| !self.moves(*n, l) && tiled.clone().any(|p| self.moves(*n, p)));
        let mixed = inner.iter().any(|n| self.access(*n).axes.iter().any(|a| a.loops.len() > 1));
        if written || mixed || !tiled.clone().all(reused) || !tiled.contains(&self.fast) {
            return Vec::new();
        }
        let size = inner.iter().map(|n| self.size(self.reads[*n].1)).max().unwrap_or(4).max(4) as u32;
        let words = size / 4 * self.parts();
        let cuda = self.request.device.kind == DeviceKind::Cuda;
        let turned = inner.iter().any(|n| self.reads[*n].2.strides[sum] == 1);
        let mut found = Vec::new();
        let matrix = cuda
            && parallel == 2
            && self.request.device.arch >= 80
            && self.kernel.template.fp != FpMode::Strict
            && inner.iter().all(|n| self.is_f64(self.reads[*n].1));
        // From that on, 16 rows at a time are faster.
        let groups = if self.request.device.arch >= 90 { 2 } else { 1 };
        let matrices = MATRICES.iter().filter(|_| matrix).map(|numbers| (numbers, true));
        for (([down, across, rows, columns], depth, stages), matrix) in
            matrices.chain(PRODUCTS.iter().map(|numbers| (numbers, false)))
        {
            let places = rows * columns * words;
            // Chunks that are turned fall into rows of lanes if their depth is a power of two.
            let uneven = turned && !depth.is_power_of_two();
            if places > 128 || count(sum) < u64::from(*depth) || (*stages > 0 && !cuda) || uneven {
                continue;
            }
            let vector = WIDEST as u32 / size;
            let mut tiles = vec![[1; 3]; parallel];
            let slow = if self.fast == tiled.start { self.fast + 1 } else { tiled.start };
            // The matrix instruction has neighbours of a column alone.
            tiles[slow] = [*down, *rows, if matrix { 1 } else { vector.min(*rows) }];
            tiles[self.fast] = [*across, *columns, vector.min(*columns)];
            let resident = |besides: u32| {
                (65536 / ((places + besides) * down * across)).clamp(1, 2048 / (down * across))
            };
            let pipeline = if *stages > 0 { Pipeline::Asynchronous(*stages) } else { Pipeline::Registers };
            let mut numbers = Numbers {
                tiles,
                lanes: if matrix { 4 } else { 8 },
                band: 8,
                depth: Some(*depth),
                matrix: if matrix { groups } else { 0 },
                pipeline,
                stage_all: false,
                direct: false,
                resident: resident(if matrix { 100 } else { 64 }),
            };
            let mut made = self.candidate(numbers.clone());
            // Copies of single elements are many, each with an address in registers.
            if matrix && made.as_ref().is_some_and(|made| is_narrow(&made.recipe)) {
                (numbers.pipeline, numbers.resident) = (Pipeline::Asynchronous(2), resident(150));
                made = self.candidate(numbers);
            }
            if let Some(made) = made {
                let recipe = &made.recipe;
                let cost = if matrix {
                    self.matrix_cost(recipe)
                } else {
                    self.product_cost(recipe, &inner, size * self.parts())
                };
                found.push((cost, made));
            }
        }
        found
    }

    fn is_f64(&self, array: ArrayId) -> bool {
        self.kernel.types.prim(self.kernel.array_ty[array.index()]) == Some(Prim::F64)
    }

    /// What a product costs by the matrix instruction, in cycles of a multiprocessor. The constants are fitted to 24 kernels
    /// on an H200, so that of each of four sizes the fastest one is chosen.
    fn matrix_cost(&self, recipe: &Recipe) -> f64 {
        let tiles = &recipe.tiles.tiles;
        let (columns, rows) = (tiles[self.fast], tiles[1 - self.fast]);
        let depth = f64::from(recipe.chunks.map_or(1, |c| c.depth));
        let warps = f64::from(columns.threads * rows.threads) / 32.0;
        let running = f64::from(recipe.resident).min(self.blocks_of_each(recipe).max(1.0));
        let chunks = self.nest.loops[2].count as f64 / depth;
        // Copies of single elements are twice as many and take more instructions, which more warps hide.
        let (of_each, enough) = if is_narrow(recipe) { (1.0, 12.0) } else { (2.0, 8.0) };
        let copied = f64::from(columns.extent() + rows.extent()) * depth / of_each / (warps * 32.0);
        let sums = f64::from(columns.registers * rows.registers) * depth / 4.0;
        let shared = f64::from(rows.registers) * depth / 2.0
            + f64::from(columns.registers) * depth / 4.0
            + 4.0 * copied;
        let few = (enough - running * warps).max(0.0) / enough;
        let block = chunks * warps * (sums + 0.5 * shared) * (1.0 + 0.35 * few);
        self.blocks_of_each(recipe).ceil() * block
    }

    /// Blocks for each multiprocessor.
    fn blocks_of_each(&self, recipe: &Recipe) -> f64 {
        let tiles = recipe.tiles.tiles.iter().zip(&self.nest.loops);
        let blocks: f64 = tiles.map(|(t, l)| l.count.div_ceil(t.extent().into()) as f64).product();
        blocks / f64::from(self.request.device.units.max(1))
    }

    /// Blocks one after the other on a multiprocessor; the last ones have it for themselves.
    fn rounds(&self, recipe: &Recipe) -> f64 {
        let (per, room) = (self.blocks_of_each(recipe), f64::from(recipe.resident.max(1)));
        let whole = (per / room).floor() * room;
        let rest = per - whole;
        if per > room { whole + 0.6 * rest.ceil() + 0.4 * rest } else { per.ceil() }
    }

    /// What a product costs, in cycles of a multiprocessor. The constants are fitted to 200 kernels that NVRTC compiled, on an
    /// H200, so that the recipes that they choose are at most 4 % slower than the best.
    fn product_cost(&self, recipe: &Recipe, inner: &[usize], size: u32) -> f64 {
        let count = |l: usize| self.nest.loops[l].count;
        let tiles = &recipe.tiles.tiles;
        let depth = recipe.chunks.map_or(1, |c| c.depth);
        let threads = f64::from(tiles.iter().map(|t| t.threads).product::<u32>());
        let (warps, words) = (threads / 32.0, f64::from(size) / 4.0);
        let running = f64::from(recipe.resident.max(1)).min(self.blocks_of_each(recipe).max(1.0));
        let chunks = count(self.parallel) as f64 / f64::from(depth);
        let sums = f64::from(tiles.iter().map(|t| t.registers).product::<u32>() * depth) * words;
        let vector = f64::from((WIDEST as u32 / size).max(1));
        let reads = f64::from(tiles.iter().map(|t| t.registers).sum::<u32>() * depth) / vector;
        let (mut shared, mut others, mut short) = (reads, reads * 4.0, 0.0);
        for n in inner {
            let along = (self.parallel - 2..self.parallel).find(|l| self.moves(*n, *l)).unwrap_or(0);
            let copied = f64::from(tiles[along].extent() * depth) / threads;
            let turned = self.reads[*n].2.strides[self.parallel] == 1;
            let width = match recipe.accesses[*n].keep {
                Keep::Shared { width, .. } => f64::from(width),
                Keep::Direct | Keep::Window(_) | Keep::Constant { .. } => 1.0,
            };
            match (recipe.pipeline, turned) {
                (Pipeline::Asynchronous(_), true) => {
                    short += copied;
                    others += copied * 3.0;
                    shared += copied;
                }
                (_, true) => {
                    others += copied / width * (2.0 + width);
                    shared += copied;
                }
                (_, false) => {
                    others += copied / width * 3.0;
                    shared += copied / width;
                }
            }
        }
        let few = (16.0 - running * warps).max(0.0) / 16.0;
        let each = chunks * warps;
        let fma = each * sums / 4.0;
        // Results are stored while the block computes nothing, and others may.
        let stores = sums / f64::from(depth) / running;
        let block = fma * (1.0967 + 0.183 * few)
            + each * (2.6206 * shared + 0.0373 * others / 4.0 + 2.9447 * short)
            + chunks * (124.3 / running.min(4.0) + 255.4 * warps / (running * warps).min(16.0))
            + 37.1 * stores;
        self.rounds(recipe) * block
    }

    /// One parallel loop, and a sum: rows that threads would walk across memory, or columns.
    fn sums(&self) -> Vec<(f64, Made)> {
        let count = |l: usize| self.nest.loops[l].count;
        let units = u64::from(self.request.device.units.max(1));
        if self.parallel != 1 || self.nest.loops.len() != 2 || self.request.device.kind != DeviceKind::Cuda {
            return Vec::new();
        }
        let read = |n: &usize| !self.reads[*n].3 && self.moves(*n, 1);
        let inner: Vec<usize> = (0..self.reads.len()).filter(read).collect();
        let large = |n: &usize| self.moves(*n, 0) && self.access(*n).axes.iter().all(|a| a.loops.len() == 1);
        let written = (0..self.reads.len()).any(|n| self.moves(n, 1) && self.reads[n].3);
        let fits = inner.iter().filter(|n| self.moves(**n, 0)).all(large) && inner.iter().any(large);
        if written || !fits || count(0) < units * 32 || count(1) < 64 {
            return Vec::new();
        }
        let size = inner.iter().map(|n| self.size(self.reads[*n].1)).sum::<u64>().max(4);
        let shapes = [(32, 64, 3), (64, 32, 4), (64, 32, 2)];
        let recipe = |(n, (threads, depth, stages)): (usize, &(u32, u32, u32))| {
            let bytes = u64::from(threads + 4) * u64::from(depth + 4) * u64::from(*stages) * size;
            let numbers = Numbers {
                depth: Some(*depth),
                pipeline: Pipeline::Asynchronous(*stages),
                stage_all: true,
                ..Numbers::of(vec![[*threads, 1, 1]], 32)
            };
            let made = self.candidate(numbers).filter(|_| bytes <= 2 * DECLARED)?;
            Some((n as f64, made))
        };
        shapes.iter().enumerate().filter_map(recipe).collect()
    }

    /// Two parallel loops and no sum, where what is read and what is written follow different ones.
    fn permutations(&self) -> Vec<(f64, Made)> {
        let count = |l: usize| self.nest.loops[l].count;
        if self.parallel != 2 || self.nest.loops.len() != 2 || count(0) < 64 || count(1) < 64 {
            return Vec::new();
        }
        let slow = 1 - self.fast;
        let turned =
            |n: usize| !self.reads[n].3 && self.reads[n].2.strides[slow] == 1 && self.moves(n, self.fast);
        let fits = |n: usize| self.access(n).axes.iter().all(|a| a.loops.len() == 1);
        let reads = 0..self.reads.len();
        if !reads.clone().any(turned)
            || !reads.filter(|n| turned(*n)).all(fits)
            || count(0) * count(1) < LEAST_SUMS / 2
        {
            return Vec::new();
        }
        let vector = (WIDEST / self.reads.iter().map(|r| self.size(r.1)).max().unwrap_or(4)).max(1) as u32;
        let shapes = [(16, 16), (8, 8)];
        let recipe = |(n, (y, x)): (usize, &(u32, u32))| {
            let mut tiles = vec![[0; 3]; 2];
            tiles[slow] = [*y, 4, vector];
            tiles[self.fast] = [*x, 4, vector];
            Some((n as f64, self.candidate(Numbers::of(tiles, (*x).min(16)))?))
        };
        shapes.iter().enumerate().filter_map(recipe).collect()
    }

    /// Parallel and sequential loops move a subscript along one axis.
    fn is_window(&self, n: usize) -> bool {
        let mixed = |axis: &AxisOf| {
            let parallel = |(l, _): &(u32, u32)| (*l as usize) < self.parallel;
            axis.loops.iter().any(parallel) && !axis.loops.iter().all(parallel)
        };
        !self.reads[n].3 && self.access(n).axes.iter().any(mixed)
    }

    /// A loop moves a subscript along an axis that others move it along, too.
    fn is_mixed(&self, n: usize, l: usize) -> bool {
        let of = |axis: &AxisOf| axis.loops.len() > 1 && axis.loops.iter().any(|(of, _)| *of as usize == l);
        self.access(n).axes.iter().any(of)
    }

    fn windowed(&self) -> bool {
        (0..self.reads.len()).any(|n| self.is_window(n))
    }

    /// Iterations of the sequential loops, all together.
    fn sums_of_each(&self) -> u64 {
        self.nest.loops[self.parallel..].iter().fold(1, |all, l| all.saturating_mul(l.count))
    }

    /// Sums over windows: convolutions and filters. Their sequential loops are short, and the text has all of their iterations.
    fn windows(&self) -> Vec<(f64, Made)> {
        let count = |l: usize| self.nest.loops[l].count;
        let each = self.sums_of_each();
        let total = (0..self.parallel).fold(1u64, |all, l| all.saturating_mul(count(l)));
        let uniform = |n: usize| (0..self.parallel).all(|l| !self.moves(n, l));
        let fits = |n: usize| self.reads[n].3 || self.is_window(n) || uniform(n);
        let written = (self.parallel..self.nest.loops.len())
            .any(|l| (0..self.reads.len()).any(|n| self.moves(n, l) && self.reads[n].3));
        let all = (0..self.reads.len()).all(fits);
        // The numbers of a struct are copied one by one, which short windows don't make up for.
        let whole = self.parts() == 1 || each > SHORT;
        if !self.windowed()
            || !all
            || !whole
            || written
            || total.saturating_mul(each) < LEAST_SUMS
            || each > 256
        {
            return Vec::new();
        }
        let words = (0..self.reads.len()).all(|n| self.size(self.reads[n].1) <= 4);
        let cuda = self.request.device.kind == DeviceKind::Cuda;
        // By tile: lanes along the fast loop, and whether threads load windows themselves.
        let shapes: Vec<(Vec<[u32; 3]>, bool)> = match self.parallel {
            1 => [[64, 32, 16], [64, 16, 16], [128, 8, 8], [128, 4, 4]]
                .into_iter()
                .filter(|[_, places, _]| words || *places <= 16)
                .map(|tile| (vec![tile], false))
                .collect(),
            2 if (0..2).all(|l| count(l) >= 32) => {
                let tile = |down: u32, rows: u32| {
                    let mut tiles = vec![[32, 4, 4]; 2];
                    tiles[1 - self.fast] = [down, rows, rows];
                    tiles
                };
                let staged = [(tile(4, 4), false), (tile(4, 2), false)];
                let direct = [(tile(4, 4), true), (tile(2, 4), true)].into_iter().filter(|_| cuda && words);
                // Short windows wait for memory, which copies in flight hide; of others, copies take part of the arithmetic's time.
                match each <= SHORT {
                    true => staged.into_iter().chain(direct).collect(),
                    false => direct.chain(staged).collect(),
                }
            }
            // What a block has of the outermost loop, its threads have in registers: layers that windows share, or one of many.
            3 if (1..3).all(|l| count(l) >= 32) && self.fast > 0 && words => {
                let layered = (0..self.reads.len()).any(|n| self.is_window(n) && self.is_mixed(n, 0));
                let tile = |layers: u32, rows: u32| {
                    let mut tiles = vec![[4, rows, rows]; 3];
                    tiles[0] = [1, layers, layers];
                    tiles[self.fast] = [32, 4, 4];
                    (tiles, false)
                };
                match layered {
                    true => vec![tile(4, 2), tile(4, 1), tile(2, 2)],
                    false => vec![tile(1, 4), tile(1, 2)],
                }
            }
            _ => Vec::new(),
        };
        let lean = cuda && words && self.parallel == 2 && (SHORT + 1..=128).contains(&each);
        let recipe = |(n, (tiles, direct)): (usize, (Vec<[u32; 3]>, bool))| {
            let numbers = Numbers {
                pipeline: if cuda && each <= SHORT && !direct {
                    Pipeline::Asynchronous(2)
                } else {
                    Pipeline::None
                },
                direct,
                // Of those in between, the compiler takes a few registers more than an eighth block leaves, for nothing.
                resident: if lean && !direct { 8 } else { 1 },
                ..Numbers::of(tiles, 32)
            };
            let made = self.candidate(numbers)?;
            let places: u32 = made.recipe.tiles.tiles.iter().map(|t| t.registers).product();
            // A check is a branch of its own.
            let most = if self.checked.is_empty() { MOST_STATEMENTS } else { MOST_STATEMENTS / 4 };
            // Narrow accesses are too many for who loads what its neighbours load.
            let narrow = |n: usize| match made.recipe.accesses[n].keep {
                Keep::Window(lanes) => u64::from(lanes.width) * self.size(self.reads[n].1) < WIDEST,
                _ => false,
            };
            let short = u64::from(places * self.parts()) * each <= most;
            (short && !(0..self.reads.len()).any(narrow)).then_some((n as f64, made))
        };
        shapes.into_iter().enumerate().filter_map(recipe).collect()
    }

    /// What tiles read again, or across memory, is staged: what the loop in chunks moves, and not all parallel loops; and
    /// where no loop is in chunks, what the fast loop does not walk element by element.
    fn is_staged(&self, n: usize, chunks: Option<Chunks>, stage_all: bool) -> bool {
        if !self.nest.everywhere.contains(&self.reads[n].0) {
            return false;
        }
        let written = self.reads[n].3;
        let strided = !matches!(self.reads[n].2.strides[self.fast], 0 | 1);
        let all = (0..self.parallel).all(|l| self.moves(n, l));
        if self.windowed() {
            let uniform = (0..self.parallel).all(|l| !self.moves(n, l));
            let moved = self.reads[n].2.strides.iter().any(|s| *s != 0);
            return !written && moved && (self.is_window(n) || uniform);
        }
        match chunks {
            Some(chunks) => !written && self.moves(n, chunks.of as usize) && (strided || !all || stage_all),
            None => !written && strided,
        }
    }

    /// Elements from the first to the last one that a subscript reads, if they are read from constant memory: weights of
    /// windows, of which all threads read the same at a time, in text that has all iterations of the sequential loops. An
    /// instruction names them in place of a register. Few weights don't gain what their copy takes, unless a block would share
    /// nothing else (`direct`); and weights far apart would mean a large copy, and a kernel for each distance.
    fn constant(&self, n: usize, direct: bool) -> Option<u32> {
        let (_, array, affine, _, part) = self.reads[n];
        let cuda = self.request.device.kind == DeviceKind::Cuda;
        let size = crate::program::element(self.kernel, array).map(|prim| prim.size() as u64)?;
        let many = direct || self.sums_of_each() > 2 * SHORT;
        let fits =
            cuda && many && self.windowed() && !self.is_window(n) && matches!(size, 4 | 8) && part == 0;
        let steps = affine.strides.iter().zip(&self.nest.loops);
        let span = steps.fold(1u64, |span, (stride, l)| {
            span.saturating_add(stride.unsigned_abs().saturating_mul(l.count - 1))
        });
        let dense = span <= 2 * self.sums_of_each();
        (fits && dense && span.saturating_mul(size) <= MOST_CONSTANT).then_some(span as u32)
    }

    /// Subscripts that iterations of a parallel loop share, by their numbers: it doesn't move them.
    fn shared_along(&self, l: usize) -> Vec<ArrayId> {
        let reads = (0..self.reads.len()).filter(|n| !self.reads[*n].3 && !self.moves(*n, l));
        reads.filter(|n| self.reads[*n].2.strides.iter().any(|s| *s != 0)).map(|n| self.reads[n].1).collect()
    }

    /// Why a nest has no recipe at all.
    fn no_use(&self) -> String {
        let sums = self.nest.loops.iter().fold(1u64, |all, l| all.saturating_mul(l.count));
        let shared = (0..self.parallel).any(|l| !self.shared_along(l).is_empty()) || self.windowed();
        let across = |n: usize| !self.reads[n].3 && !matches!(self.reads[n].2.strides[self.fast], 0 | 1);
        let stencil = |n: usize| {
            let (_, array, affine, written, _) = self.reads[n];
            let moved = |other: &Read<'_>| {
                other.1 == array && other.2.strides == affine.strides && other.2.base != affine.base
            };
            !written && self.reads.iter().any(moved)
        };
        if !shared && !(0..self.reads.len()).any(across) {
            let again: Vec<_> =
                (0..self.reads.len()).filter(|n| stencil(*n)).map(|n| self.reads[n].1).collect();
            match again.is_empty() {
                true => "each element is read once, and neighbouring threads read neighbours: there is nothing to share".into(),
                false => format!(
                    "neighbouring iterations read some elements of {} again, which caches keep: shared memory pays for elements that \
                     many iterations read",
                    names(self.kernel, &again)
                ),
            }
        } else if sums < LEAST_SUMS {
            format!(
                "{sums} iterations of the whole nest are few: filling shared memory would take longer than it saves"
            )
        } else {
            "the nest is no product, sum along rows, transposition or window: caches have to do".into()
        }
    }

    /// The loop variable of a loop of the nest.
    fn variable(&self, l: usize) -> String {
        match l < self.kernel.template.dims.len() {
            true => variable(self.kernel, l),
            false => format!("sequential loop {}", l + 1 - self.kernel.template.dims.len()),
        }
    }

    /// Records the reasons of a recipe. `proposals`: so many were compared.
    fn tell(&self, recipe: &Recipe, proposals: usize) {
        let (request, tiles) = (self.request, &recipe.tiles.tiles);
        if request.reasons.is_none() {
            return;
        }
        let extent = |l: usize| u64::from(tiles.get(l).map_or(1, Tile::extent));
        let kept = |how: fn(&Keep) -> bool| -> Vec<usize> {
            (0..self.reads.len()).filter(|n| how(&recipe.accesses[*n].keep)).collect()
        };
        let staged = kept(|keep| matches!(keep, Keep::Shared { .. }));
        let shared = kept(|keep| matches!(keep, Keep::Shared { .. } | Keep::Window(_)));
        // By array that is staged: how many iterations of a block read an element that is loaded once.
        let reuse = |n: usize, part: &dyn Fn(usize) -> u64| -> u64 {
            (0..self.parallel).filter(|l| !self.moves(n, *l)).map(part).product()
        };
        let compared = match proposals {
            0 | 1 => String::new(),
            n => format!("; by the model the fastest of {n} shapes"),
        };
        request.why(About::Strategy, || {
            let mut said = Vec::new();
            for &n in &shared {
                let array = names(self.kernel, [&self.reads[n].1]);
                let times = reuse(n, &extent);
                if self.is_window(n) {
                    said.push(format!("neighbouring iterations read overlapping windows of {array}"));
                } else if times > 1 {
                    let along: Vec<_> =
                        (0..self.parallel).filter(|l| !self.moves(n, *l)).map(|l| self.variable(l)).collect();
                    said.push(format!("an element of {array} is the same for all {}, so a block loads it once for {times} iterations", all(&along)));
                }
            }
            said.dedup();
            if said.is_empty() {
                said.push("reads and writes follow different loops: a tile is read along one and written along the other".into());
            }
            format!("{}{compared}", said.join("; "))
        });
        request.why(About::Registers, || {
            let part = |l: usize| u64::from(tiles[l].registers);
            let mut said = Vec::new();
            for n in 0..self.reads.len() {
                let times = reuse(n, &part);
                if times > 1 && !self.reads[n].3 && self.reads[n].2.strides.iter().any(|s| *s != 0) {
                    said.push(format!("{} {times} times", names(self.kernel, [&self.reads[n].1])));
                }
            }
            said.dedup();
            match said.is_empty() {
                true if self.windowed() => {
                    "windows of neighbours overlap: what is loaded into a register is used by several".into()
                }
                true => "several loads of a thread are under way at a time".into(),
                false => format!("what is loaded into a register is used several times: {}", all(&said)),
            }
        });
        request.why(About::Shared, || {
            let why = |n: &usize| {
                let array = names(self.kernel, [&self.reads[*n].1]);
                let by = self.reads[*n].2.strides[self.fast];
                if self.is_window(*n) {
                    format!("windows of {array} overlap")
                } else if !matches!(by, 0 | 1) {
                    format!("neighbouring threads would read {array} {by} elements apart")
                } else if reuse(*n, &extent) > 1 {
                    format!("several threads read the same elements of {array}")
                } else {
                    format!("copies of {array} that are under way hold no registers there")
                }
            };
            let mut said: Vec<_> = staged.iter().map(why).collect();
            said.dedup();
            said.join("; ")
        });
        request.because(
            About::Direct,
            "a row of a window is a few accesses of 16 bytes, caches have what neighbouring threads load too, and no thread waits for a \
             block",
        );
        request.because(
            About::Constant,
            "all threads read the same element at a time, and instructions name it in place of a register",
        );
        let direct: Vec<_> = (0..self.reads.len())
            .filter(|n| recipe.accesses[*n].keep == Keep::Direct && !self.reads[*n].3)
            .collect();
        if !direct.is_empty() {
            request.why(About::Without("shared memory for other reads"), || {
                let of = names(self.kernel, direct.iter().map(|n| &self.reads[*n].1));
                format!("{of}: read once by a block, along its threads, or not in every iteration")
            });
        }
        let size = recipe.build(self.kernel).map_or(0, |made| made.shared_bytes());
        request.why(About::Chunks, || {
            format!("what a block reads in one chunk takes {} of shared memory, of which the device gives a block {}", bytes(size), bytes(shared_bytes(request.device)))
        });
        request.because(About::Band, "blocks that run at the same time then read the same rows and columns from the second-level cache");
        request.why(About::Matrix, || {
            format!(
                "sums of f64 products: the matrix instruction of compute capability {}.{} adds term by term, with the bits of \
                 fused multiply-adds",
                request.device.arch / 10,
                request.device.arch % 10
            )
        });
        request.why(About::Pipeline, || match recipe.pipeline {
            Pipeline::Asynchronous(_) => "the device copies from memory to shared memory by itself, without registers, while threads compute".into(),
            Pipeline::Registers | Pipeline::None => "loads of the next chunk overlap with the arithmetic of this one".into(),
        });
        request.because(
            About::Store,
            "a thread's results lie side by side, at addresses that such accesses allow",
        );
        request.why(About::Resident, || {
            let sums: u32 = tiles.iter().map(|t| t.registers).product();
            format!("a thread keeps {sums} results in registers, and a block that waits leaves the arithmetic to another")
        });
        if self.interior.is_some() {
            let all = |counts: &mut dyn Iterator<Item = u64>| counts.fold(1u64, u64::saturating_mul);
            let dims = &request.facts.dims;
            let inner = all(&mut self.nest.loops[..dims.len()].iter().map(|l| l.count));
            let whole = all(&mut dims.iter().map(|l| l.count));
            request.why(About::Interior, || {
                format!(
                    "conditions have one value, and clamps and remainders change nothing, in {inner} of {whole} iterations; only these \
                     share what tiles load"
                )
            });
            request.because(About::Checks, "their bounds are proved for the other iterations alone");
        }
        request.because(
            About::Parallelised,
            "its iterations write different elements, which the subscripts show",
        );
        request.because(
            About::Overflow,
            "the crate is built with overflow checks, and these sizes don't prove that there is none",
        );
        request.because(
            About::Sizes,
            "compilers then know strides and how often loops run; launches with other sizes share one kernel without",
        );
        request.because(About::Index32, "all places of this launch are below 2^31");
        if !recipe.checked.is_empty() {
            super::choose::overflow(request, recipe.checked.len());
        }
        if request.pins.block.is_some() || request.pins.tile.is_some() {
            request.because(About::Block, "the `block` or `tile` clause asks for it");
        } else {
            request.why(About::Block, || {
                let threads: u32 = tiles.iter().map(|t| t.threads).product();
                format!("{threads} threads have the tile between them")
            });
        }
    }

    /// The recipe with these numbers, but for those that the user pins.
    fn candidate(&self, numbers: Numbers) -> Option<Made> {
        let numbers = self.pinned(numbers)?;
        Some(Made { recipe: self.recipe(&numbers), numbers })
    }

    /// The numbers with what the user pins; `None` where they don't fit it: `block` is the threads along the loops, `tile` the
    /// places of a block along them, `unroll` the iterations of a chunk, and `vector` the most neighbours.
    fn pinned(&self, mut numbers: Numbers) -> Option<Numbers> {
        let pins = &self.request.pins;
        let slow = (0..self.parallel).rev().find(|l| *l != self.fast);
        if let Some([x, y, z]) = pins.block {
            match slow {
                Some(slow) => {
                    numbers.tiles[self.fast][0] = x;
                    numbers.tiles[slow][0] = y.checked_mul(z)?;
                }
                None => numbers.tiles[0][0] = x.checked_mul(y)?.checked_mul(z)?,
            }
        }
        if let Some(tile) = pins.tile {
            let loops = self.parallel.saturating_sub(2)..self.parallel;
            for (l, extent) in loops.zip(tile) {
                let of = &mut numbers.tiles[l];
                if pins.block.is_none() {
                    of[0] = gcd(of[0].into(), extent.into()) as u32;
                }
                if of[0] == 0 || !extent.is_multiple_of(of[0]) {
                    return None;
                }
                of[1] = extent / of[0];
            }
        }
        for of in &mut numbers.tiles {
            of[2] = gcd(u64::from(of[2]).min(pins.width()), of[1].into()) as u32;
        }
        let depth = pins.unroll.filter(|n| *n > 0);
        if let (Some(depth), true) = (depth, numbers.depth.is_some()) {
            let last = self.nest.loops.last().map_or(0, |l| l.count);
            numbers.depth = (u64::from(depth) <= last && depth <= MOST_DEPTH).then_some(depth);
            numbers.depth?;
        }
        let product = |part: usize| numbers.tiles.iter().try_fold(1u32, |all, t| all.checked_mul(t[part]));
        let (threads, places) = (product(0)?, product(1)?);
        let most = self.request.device.max_block;
        let fits = threads <= most && threads.is_multiple_of(32) && (1..=MOST_PLACES).contains(&places);
        if pins.block.is_some() || pins.tile.is_some() {
            numbers.resident = 1;
        }
        // The proof that places fit 32 bits is about tiles of so many.
        let small = numbers.tiles.iter().all(|[t, r, _]| i64::from(*t) * i64::from(*r) <= BEYOND);
        (fits && small && threads > 0).then_some(numbers)
    }

    fn recipe(&self, numbers: &Numbers) -> Recipe {
        let count = |l: usize| self.nest.loops[l].count;
        let tile = |(l, [threads, registers, vector]): (usize, &[u32; 3])| Tile {
            threads: *threads,
            registers: *registers,
            vector: *vector,
            ragged: !count(l).is_multiple_of(u64::from(threads * registers)),
        };
        let tiles: Vec<Tile> = numbers.tiles.iter().enumerate().map(tile).collect();
        let last = self.nest.loops.len() - 1;
        let chunks = numbers.depth.filter(|_| last >= self.parallel && !self.windowed()).map(|depth| {
            let tail = !count(last).is_multiple_of(u64::from(depth));
            Chunks { of: last as u32, depth, tail }
        });
        let tiles = Tiles { tiles, fast: self.fast, lanes: numbers.lanes, band: numbers.band };
        // By how much the starts of boxes move along a loop; those of loops without tiles or chunks don't.
        let extent = |l: usize| match chunks {
            Some(chunks) if chunks.of as usize == l => u64::from(chunks.depth),
            _ => tiles.tiles.get(l).map_or(0, |t| u64::from(t.extent())),
        };
        let mut accesses: Vec<Access> = (0..self.reads.len()).map(|n| self.access(n)).collect();
        let (mut store, mut sizes) = (u32::MAX, BTreeMap::new());
        for (n, access) in accesses.iter_mut().enumerate() {
            let starts = |axis: &AxisOf| {
                axis.loops.iter().map(|(l, by)| extent(*l as usize) * u64::from(*by)).fold(0, gcd)
            };
            let starts = access.axes.last().map_or(1, starts);
            let (width, beyond) = self.width(n, access, starts);
            if self.is_staged(n, chunks, numbers.stage_all) {
                access.keep = match self.constant(n, numbers.direct) {
                    Some(len) => Keep::Constant { len },
                    None if numbers.direct && self.is_window(n) => {
                        Keep::Window(self.lanes(n, access, starts, &tiles.tiles))
                    }
                    None => Keep::Shared { width, beyond },
                };
            }
            if let Keep::Constant { .. } = access.keep {
                let strides = access.axes.iter().map(|axis| axis.loops[0].0);
                sizes.extend(
                    strides.map(|l| (Term::Stride(access.id, l), self.reads[n].2.strides[l as usize])),
                );
            }
            let along = access.axes.last().is_some_and(|a| a.unit && a.loops == [(self.fast as u32, 1)]);
            if self.reads[n].3 {
                store = store.min(if along { width.min(tiles.tiles[self.fast].vector) } else { 1 });
            }
        }
        let store = if store == u32::MAX { 1 } else { store };
        let windowed = self.windowed();
        let known = |l: usize| (windowed && l >= self.parallel).then(|| count(l) as u32);
        Recipe {
            accesses,
            of: self.of.clone(),
            checked: self.checked.clone(),
            trips: (0..self.nest.loops.len()).map(known).collect(),
            parallelised: (self.parallel - self.kernel.template.dims.len()) as u32,
            tiles,
            chunks,
            matrix: numbers.matrix,
            pipeline: numbers.pipeline,
            // Sums of fragments that the matrix instruction multiplies leave room for a second set of them.
            prefetch: numbers.matrix > 0
                && matches!(numbers.pipeline, Pipeline::Asynchronous(_))
                && chunks.is_some_and(|chunks| chunks.depth.is_multiple_of(2 * TERMS)),
            store,
            resident: numbers.resident,
            sizes,
            moving: self.nest.moving.clone(),
            interior: self.interior.map(|of| of.decided.clone()),
            shared: 0,
        }
    }
}

/// The operators that the code checks for overflow, and that a launch does not show to have none.
fn checked(kernel: &Kernel, nest: &Nest) -> BTreeSet<ExprId> {
    let (code, mut found) = (&kernel.body, BTreeSet::new());
    if code.overflow_checks {
        visit::each_live_expr(&code.code, &mut |e| {
            if may_overflow(kernel, code, e) && !nest.fits.contains(&e) {
                found.insert(e);
            }
        });
    }
    found
}

/// The axes of a subscript, the slowest first: a loop joins the axis of another that it moves along by a multiple, within
/// what that axis spans.
fn axes(nest: &Nest, affine: &Affine) -> Vec<AxisOf> {
    let strides = affine.strides.iter().enumerate().filter(|(_, s)| **s != 0);
    let mut loops: Vec<(i64, usize)> = strides.map(|(l, s)| (*s, l)).collect();
    loops.sort_unstable();
    let mut axes: Vec<(i64, i64, AxisOf)> = Vec::new();
    for (stride, l) in loops {
        let more = (nest.loops[l].count - 1) as i64;
        match axes.last_mut() {
            Some((of, span, axis)) if stride % *of == 0 && stride / *of < *span => {
                axis.loops.push((l as u32, (stride / *of) as u32));
                *span = span.saturating_add(more.saturating_mul(stride / *of));
            }
            _ => {
                let axis = AxisOf { loops: vec![(l as u32, 1)], unit: stride == 1 };
                axes.push((stride, more.saturating_add(1), axis));
            }
        }
    }
    axes.into_iter().rev().map(|(_, _, axis)| axis).collect()
}

/// Whether single elements are copied into shared memory.
fn is_narrow(recipe: &Recipe) -> bool {
    recipe.accesses.iter().any(|access| matches!(access.keep, Keep::Shared { width: 1, .. }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use omp_ir::ids::AccessId;
    use std::collections::BTreeMap;

    #[test]
    fn cut_tiles_stay_within_32_bits() {
        let nest = |count: u64, stride: i64| Nest {
            loops: vec![DimValues { first: 0, step: 1, count }],
            subscripts: BTreeMap::from([(AccessId(0), Affine { base: 0, strides: vec![stride] })]),
            everywhere: BTreeSet::new(),
            fits: BTreeSet::new(),
        };
        let most = i32::MAX as u64;
        assert!(fits_32_bits(&nest(1000, 1000)) && fits_32_bits(&nest(most - BEYOND as u64, 1)));
        // The last tile's iterations, and what they would touch, are numbers that wrap.
        assert!(!fits_32_bits(&nest(most - 10, 1)) && !fits_32_bits(&nest(most / 1000, 1000)));
        let stepped = DimValues { first: 5, step: 1 << 20, count: 2000 };
        assert!(!fits_32_bits(&Nest { loops: vec![stepped], ..nest(1, 1) }));
    }
}
