//! Windows (convolutions, stencils), short sums and permutations: numbers to try, and which accesses go through shared or constant
//! memory.
use super::costs::{BYTES, ISSUED, TERM, Work};
use super::numbers::{Made, Numbers};
use super::{Facts, LEAST_SUMS, MOST_STATEMENTS, SHORT, WIDEST, shared_bytes};
use crate::program::recipe::Chunks;
use crate::program::steps::Pipeline;
use crate::program::{Access, AxisOf, DECLARED, Keep};
use crate::schedule::DeviceKind;
use omp_ir::ids::ArrayId;
use omp_ir::template::Stmt;
use omp_ir::visit;
use std::collections::BTreeMap;
use std::ops::Range;

/// Bytes of constant memory for one array; multiprocessors cache 2 KiB near their arithmetic.
const MOST_CONSTANT: u64 = 2 << 10;

/// Bytes of an access that a thread makes as fast as it makes wider ones.
const WORD: u64 = 4;

/// Threads that have the same iteration.
const REPLICAS: [u32; 4] = [1, 2, 4, 8];

/// Instructions of a term of a recurrence, which each replica runs.
const REPLICATED: f64 = 2.0;

/// Bytes that shared memory delivers in a cycle.
const BANKS: f64 = 128.0;

/// Cycles between the chunks of a recurrence that stores its elements: threads wait for each other before they copy these.
const CHUNK: f64 = 256.0;

/// Bytes that memory loads or stores at least.
const SECTOR: u64 = 32;

/// Blocks of a multiprocessor that run at the same time, at most.
const MOST_BLOCKS: u64 = 6;

/// Iterations of sequential loops, at least, for chunks, and for those that always cost less than loads of single elements.
const SHORTEST: u64 = 8;
const LONG: u64 = 64;

/// Rows of a multiprocessor, at least, for short ones that are only read.
const FEWEST_ROWS: u64 = 64;

/// Bytes of a thread's rows that caches keep until it comes to them, at most; with gathers, which need these caches, too.
const CACHED: [u64; 2] = [192, 96];

/// Iterations of the parallel loop, at least, for sums that go on across several loops: a warp has one for each of its threads.
const FEWEST_CHAINS: u64 = 16;

impl Facts<'_> {
    /// One parallel loop, and a sum: rows that threads would walk across memory, or columns. If the sum goes on across loops around it, the
    /// chunks are those of the innermost loop.
    pub(super) fn sums(&self) -> Vec<(f64, Made)> {
        let count = |l: usize| self.nest.loops[l].count;
        let units = u64::from(self.request.device.units.max(1));
        let (nested, all) = (self.are_nested(), 1..self.nest.loops.len());
        if self.parallel != 1
            || all.is_empty()
            || self.request.device.kind != DeviceKind::Cuda
            || (nested && !self.is_chain())
        {
            return Vec::new();
        }
        let stored = |l: usize| (0..self.reads.len()).any(|n| self.reads[n].3 && self.moves(n, l));
        let plain = !self.windowed() && self.nest.limits.is_empty() && !all.clone().any(stored);
        if nested && (self.jammed().is_some() || !plain) {
            return Vec::new();
        }
        let sequential = if nested { all.end - 1..all.end } else { all };
        let (fewest, shortest) = if nested { (FEWEST_CHAINS, LONG) } else { (64, SHORTEST) };
        let moved = |n: usize| sequential.clone().any(|l| self.moves(n, l));
        // What the loops carry is in registers.
        let carried = self.carried();
        let boxed = |n: usize| !carried.iter().any(|carried| carried.load as usize == n);
        let inner: Vec<usize> = (0..self.reads.len()).filter(|n| moved(*n) && boxed(*n)).collect();
        let large = |n: &usize| self.moves(*n, 0) && self.access(*n).axes.iter().all(|a| a.loops.len() == 1);
        let fits = inner.iter().filter(|n| self.moves(**n, 0)).all(large) && inner.iter().any(large);
        // Stores go through boxes, too.
        let stays =
            |n: &usize| self.reads[*n].3 && !(large(n) && self.nest.everywhere.contains(&self.reads[*n].0));
        let least = sequential.clone().map(count).min().unwrap_or(0);
        if inner.iter().any(stays) || !fits || count(0) < fewest || least < shortest {
            return Vec::new();
        }
        // Loops share the boxes of an array: its elements of a chunk, of all iterations of a block and of what these share, and those that
        // are stored, of which there is one chunk.
        let accessed = self.accessed(&self.kernel.body.code.block);
        let mut boxes: BTreeMap<ArrayId, [u64; 3]> = BTreeMap::new();
        for l in sequential.clone() {
            let mut here: BTreeMap<ArrayId, [u64; 3]> = BTreeMap::new();
            for n in inner.iter().filter(|n| self.moves(**n, l)) {
                let array = self.reads[*n].1;
                let sizes = here.entry(array).or_default();
                let bytes = |stores| self.size(array) * u64::from(accessed.contains(&(*n, stores)));
                sizes[usize::from(!self.moves(*n, 0))] += bytes(false);
                sizes[2] += bytes(true);
            }
            here.into_iter().for_each(|(array, sizes)| {
                let most = boxes.entry(array).or_default();
                *most = std::array::from_fn(|k| sizes[k].max(most[k]));
            });
        }
        let [own, shared, stored] = [0, 1, 2].map(|k| boxes.values().map(|sizes| sizes[k]).sum::<u64>());
        let mut works = self.works();
        if !nested && works.len() != sequential.len() {
            return Vec::new();
        }
        let all: Vec<(f64, Work)> = sequential.clone().map(|l| count(l) as f64).zip(works.clone()).collect();
        let others = self.cost_of_lines(&all, boxes.len());
        for of in &carried {
            let work = &mut works[of.of as usize - self.parallel];
            work.accesses -= 1.0;
            work.bytes -= self.size(self.reads[of.load as usize].1) as f64;
        }
        // Short rows with carried elements are on the chip.
        let short = least < LONG;
        if short && (!carried.is_empty() || self.are_cached(&inner)) {
            return Vec::new();
        }
        let several = !nested && (works.len() > 1 || !carried.is_empty() || short);
        // A multiprocessor has one block of few rows, which then has more bytes of them under way.
        let few = (count(0) < units * 96 && least >= 512).then_some((
            32,
            if own <= WORD / 2 { 256 } else { 128 },
            4,
        ));
        // Loops that carry elements go through several arrays, which are stored, too.
        let small: &[_] = match least {
            0..16 => &[(64, 8, 2)],
            _ if carried.is_empty() && !short => &[],
            _ => &[(32, 32, 2), (32, 16, 2)],
        };
        let shapes = few
            .into_iter()
            .chain([(32, 64, 3), (64, 32, 4), (64, 32, 2)])
            .chain(small.iter().copied())
            .filter(|(_, depth, _)| u64::from(*depth) <= least);
        let recipe = |((n, (threads, depth, stages)), replicas): ((usize, (u32, u32, u32)), u32)| {
            let chunk = [own, stored].map(|size| u64::from(threads + 4) * size * u64::from(depth + 4));
            let bytes = (chunk[0] + shared * u64::from(depth + 4)) * u64::from(stages) + chunk[1];
            let numbers = Numbers {
                depth: Some(depth),
                pipeline: Pipeline::Asynchronous(stages),
                stage_all: true,
                replicas,
                ..Numbers::of(vec![[threads, 1, 1]], 32)
            };
            let made = self.candidate(numbers).filter(|_| bytes <= 2 * DECLARED)?;
            // Shapes that the model doesn't tell apart have an order.
            let order = n as f64;
            let cost = match several {
                true => self.cost_of_chunks(&works, &made.numbers, bytes) * (1.0 + order / 1e3),
                false => order,
            };
            ((carried.is_empty() && !short) || cost < others).then_some((cost, made))
        };
        let shares = several && carried.is_empty() && works.iter().any(|work| work.shares);
        let each = REPLICAS.into_iter().filter(|n| shares || *n == 1);
        let all = shapes.enumerate().flat_map(|shape| each.clone().map(move |n| (shape, n)));
        all.filter_map(recipe).collect()
    }

    /// Whether caches have the rest of short rows that are only read when threads come to it. They don't where neighbours begin at the same
    /// places of lines, which compete for the same sets; where the rows of all threads are more than the caches; and each store goes on to
    /// memory as a sector of its own.
    fn are_cached(&self, inner: &[usize]) -> bool {
        let units = u64::from(self.request.device.units.max(1));
        let rows = || inner.iter().filter(|n| self.moves(**n, 0));
        let begin = |n: &usize| self.reads[*n].2.strides[0].unsigned_abs() * self.size(self.reads[*n].1);
        let few = self.nest.loops[0].count < units * FEWEST_ROWS;
        let arrays: BTreeMap<ArrayId, u64> = rows().map(|n| (self.reads[*n].1, begin(n))).collect();
        if !few && arrays.values().sum::<u64>() > CACHED[usize::from(!self.nest.gathers.is_empty())] {
            return false;
        }
        rows().all(|n| !self.reads[*n].3 && (few || !begin(n).is_multiple_of(2 * SECTOR)))
    }

    /// The cost of sequential loops in chunks, one after the other: cycles of a multiprocessor.
    fn cost_of_chunks(&self, works: &[Work], numbers: &Numbers, bytes: u64) -> f64 {
        let count = |l: usize| self.nest.loops[l].count as f64;
        let (units, replicas) = (f64::from(self.request.device.units.max(1)), f64::from(numbers.replicas));
        let (threads, depth) = (numbers.tiles[0][0], f64::from(numbers.depth.unwrap_or(1)));
        let blocks = (count(0) / f64::from(threads) / units).ceil();
        let resident = (shared_bytes(self.request.device) / (bytes + 1024)).clamp(1, MOST_BLOCKS) as f64;
        let waves = (blocks / resident).ceil();
        let of = |(k, work): (usize, &Work)| {
            let [recurs, shares] = [work.recurs, work.shares].map(|does| f64::from(u8::from(does)));
            let rows = blocks * f64::from(threads) * count(self.parallel + k);
            // All replicas read what a recurrence needs; what is stored comes and goes through shared memory, too.
            let times = 1.0 + recurs * replicas + shares * 2.0;
            let instructions = recurs * REPLICATED * replicas / ISSUED + shares * work.shared();
            let waits = TERM * recurs + shares * work.alone() / replicas;
            let all = [
                rows * work.bytes / BYTES,
                rows * work.bytes * times / BANKS,
                rows * instructions,
                waves * count(self.parallel + k) * waits,
            ];
            // Copies are on their way while threads compute, but not for all of the time.
            let most = all.into_iter().fold(0.0, f64::max);
            let ends = waves * (count(self.parallel + k) / depth).ceil() * CHUNK;
            most + (all.iter().sum::<f64>() - most) / 4.0 + if work.serial { ends } else { 0.0 }
        };
        works.iter().enumerate().map(of).sum()
    }

    /// Parallel loops and no sum, where what is read and what is written follow different ones. Of others, a block has one iteration.
    pub(super) fn permutations(&self) -> Vec<(f64, Made)> {
        let count = |l: usize| self.nest.loops[l].count;
        if !(2..=3).contains(&self.parallel) || self.nest.loops.len() != self.parallel {
            return Vec::new();
        }
        let turned = |n: usize, slow: usize| {
            !self.reads[n].3 && self.reads[n].2.strides[slow] == 1 && self.moves(n, self.fast)
        };
        let reads = 0..self.reads.len();
        let read_along = |slow: &usize| *slow != self.fast && reads.clone().any(|n| turned(n, *slow));
        let Some(slow) = (0..self.parallel).find(read_along) else { return Vec::new() };
        let fits = |n: usize| self.access(n).axes.iter().all(|a| a.loops.len() == 1);
        let total = self.nest.loops.iter().fold(1u64, |all, l| all.saturating_mul(l.count));
        if !reads.clone().filter(|n| turned(*n, slow)).all(fits)
            || count(self.fast) < 64
            || total < LEAST_SUMS / 2
        {
            return Vec::new();
        }
        let size = self.reads.iter().map(|r| self.size(r.1)).max().unwrap_or(4);
        let vector = (WIDEST / size).max(1) as u32;
        if count(slow) < 64 {
            // Channels of bytes next to each other, to planes: a thread has all channels of a group of pixels, and stores groups.
            let words = reads.clone().filter(|n| turned(*n, slow)).all(|n| {
                let (width, _) = self.width(n, &self.access(n), 0, count(slow));
                u64::from(width) * self.size(self.reads[n].1) >= WORD
            });
            let few = count(slow) as u32;
            if size >= WORD || !words {
                return Vec::new();
            }
            let mut tiles = vec![[1; 3]; self.parallel];
            tiles[slow] = [1, few, few];
            tiles[self.fast] = [128, vector, vector];
            return self.candidate(Numbers::of(tiles, 32)).map(|made| (0.0, made)).into_iter().collect();
        }
        let shapes = [(16, 16), (8, 8)];
        let recipe = |(n, (y, x)): (usize, &(u32, u32))| {
            let mut tiles = vec![[1; 3]; self.parallel];
            tiles[slow] = [*y, 4, vector];
            tiles[self.fast] = [*x, 4, vector];
            Some((n as f64, self.candidate(Numbers::of(tiles, (*x).min(16)))?))
        };
        shapes.iter().enumerate().filter_map(recipe).collect()
    }

    /// Parallel and sequential loops move a subscript along one axis.
    pub(super) fn is_window(&self, n: usize) -> bool {
        let mixed = |axis: &AxisOf| {
            let parallel = |(l, _): &(u32, u32)| (*l as usize) < self.parallel;
            axis.loops.iter().any(parallel) && !axis.loops.iter().all(parallel)
        };
        !self.reads[n].3 && self.access(n).axes.iter().any(mixed)
    }

    /// A loop moves a window over an array.
    fn slides(&self, l: usize) -> bool {
        (0..self.reads.len()).any(|n| self.is_window(n) && self.is_mixed(n, l))
    }

    /// A loop moves a subscript along an axis that others move it along, too.
    fn is_mixed(&self, n: usize, l: usize) -> bool {
        let of = |axis: &AxisOf| axis.loops.len() > 1 && axis.loops.iter().any(|(of, _)| *of as usize == l);
        self.access(n).axes.iter().any(of)
    }

    pub(super) fn windowed(&self) -> bool {
        (0..self.reads.len()).any(|n| self.is_window(n))
    }

    /// Whether a sequential loop is in another one.
    pub(super) fn are_nested(&self) -> bool {
        let mut nested = false;
        visit::each_stmt(&self.kernel.body.code.block, &mut |stmt| {
            if let Stmt::For { body, .. } | Stmt::Loop { body, .. } = stmt {
                visit::each_stmt(body, &mut |inner| {
                    nested |= matches!(inner, Stmt::For { .. } | Stmt::Loop { .. });
                });
            }
        });
        nested
    }

    /// Whether each sequential loop but the innermost one contains the next one, and no other.
    fn is_chain(&self) -> bool {
        let (mut at, mut depth) = (&self.kernel.body.code.block, self.kernel.template.dims.len());
        loop {
            let mut loops = at.0.iter().filter_map(|stmt| match stmt {
                Stmt::For { body, .. } => Some(body),
                _ => None,
            });
            match (loops.next(), loops.next()) {
                (Some(body), None) => (at, depth) = (body, depth + 1),
                (None, _) => return depth == self.nest.loops.len(),
                (Some(_), Some(_)) => return false,
            }
        }
    }

    /// The sequential loops that chunks are of: all, or of sums over windows of several arrays the one that chooses the arrays. Of loops
    /// in each other it is the innermost one.
    pub(super) fn in_chunks(&self) -> Range<usize> {
        let loops = self.nest.loops.len();
        if let Some((outer, _)) = self.jammed() {
            return outer + 1..loops;
        }
        if self.windowed() {
            return self.parallel..(self.parallel + 1).min(loops);
        }
        let first = if self.parallel == 1 && self.are_nested() { loops - 1 } else { self.parallel };
        first..loops
    }

    /// Iterations of a loop before its chunks, which are no others than those of rows: so many that most bytes of a chunk come and go by
    /// wide accesses, and whole sectors of memory. A sector of which two chunks store a part each may go to memory twice.
    pub(super) fn head(&self, l: usize, numbers: &Numbers) -> u32 {
        let Some(depth) = numbers.depth else { return 0 };
        let rows = numbers.stage_all && numbers.replicas == 1 && self.parallel == 1;
        let plain = rows && !self.are_nested() && !self.windowed() && self.nest.limits.is_empty();
        let carried = self.carried();
        let boxed = |n: &usize| !carried.iter().any(|carried| carried.load as usize == *n);
        let along: Vec<(usize, Access)> = (0..self.reads.len())
            .filter(|n| boxed(n) && self.moves(*n, l) && self.moves(*n, 0))
            .map(|n| (n, self.access(n)))
            .filter(|(_, access)| access.axes.last().is_some_and(|axis| axis.loops == [(l as u32, 1)]))
            .collect();
        if !plain {
            return 0;
        }
        // Bytes that come and go by wide accesses, and those of them that are stored in whole sectors.
        let bytes = |head: u32| {
            let of = |(n, access): &(usize, Access)| {
                let (_, array, ref affine, stored, _) = self.reads[*n];
                let (width, _) = self.width(*n, access, head.into(), depth.into());
                let (size, down) = (self.size(array), access.down.contains(&(l as u32)));
                let begin = affine.base.unsigned_abs() + u64::from(if down { 0 } else { head });
                let rows = affine.strides.iter().enumerate().filter(|(of, _)| *of != l);
                let rows = rows.map(|(_, stride)| stride.unsigned_abs());
                let whole = stored && rows.chain([begin]).all(|n| (n * size).is_multiple_of(SECTOR));
                (u64::from(width) * size, if whole { size } else { 0 })
            };
            along
                .iter()
                .map(of)
                .fold((0, 0), |(all, whole), (wide, in_sectors)| (all + wide, whole + in_sectors))
        };
        let smallest = along.iter().map(|(n, _)| self.size(self.reads[*n].1)).min().unwrap_or(WIDEST);
        let longest = (SECTOR / smallest.max(1)).clamp(1, WIDEST) - 1;
        let most = (self.nest.loops[l].count.saturating_sub(depth.into())).min(longest) as u32;
        (0..=most).max_by_key(|head| (bytes(*head), u32::MAX - head)).unwrap_or(0)
    }

    /// Sums of a place that the text has; for cores, its statements.
    pub(super) fn statements_of_each(&self, depth: Option<u32>) -> u64 {
        if self.is_of_cores() {
            return self.straight().unwrap_or(1);
        }
        let Some(depth) = depth else { return self.sums_of_each() };
        let chunks = self.in_chunks();
        let rest = (self.parallel..self.nest.loops.len()).filter(|l| !chunks.contains(l));
        let count = |l: usize| match self.jammed() {
            Some((outer, by)) if outer == l => by.into(),
            _ => self.nest.loops[l].count,
        };
        rest.fold(u64::from(depth), |all, l| all.saturating_mul(count(l)))
    }

    /// Iterations of the sequential loops: the product of their trip counts.
    pub(super) fn sums_of_each(&self) -> u64 {
        self.nest.loops[self.parallel..].iter().fold(1, |all, l| all.saturating_mul(l.count))
    }

    /// Sums over windows: convolutions and filters. Their sequential loops are short, and the text has all of their iterations.
    pub(super) fn windows(&self) -> Vec<(f64, Made)> {
        let count = |l: usize| self.nest.loops[l].count;
        let each = self.sums_of_each();
        let total = (0..self.parallel).fold(1u64, |all, l| all.saturating_mul(count(l)));
        let sequential = self.parallel..self.nest.loops.len();
        let fixed = |n: usize| sequential.clone().all(|l| !self.moves(n, l));
        // Windows, what a thread reads once, and weights, which may be others for each iteration of a loop without windows.
        let weight = |n: usize| (0..self.parallel).all(|l| !self.moves(n, l) || !self.slides(l));
        let fits = |n: usize| self.reads[n].3 || self.is_window(n) || fixed(n) || weight(n);
        let written = (self.parallel..self.nest.loops.len())
            .any(|l| (0..self.reads.len()).any(|n| self.moves(n, l) && self.reads[n].3));
        let all = (0..self.reads.len()).all(fits);
        // The numbers of a struct are copied one by one, which short windows don't make up for.
        let whole = self.numbers_of_element() == 1 || each > SHORT;
        if !self.windowed() || !all || !whole || written || total.saturating_mul(each) < LEAST_SUMS {
            return Vec::new();
        }
        // Too many for the text are sums of several windows, one array after the other.
        let many = each > 256;
        let apart = || sequential.len() > 1 && !self.slides(self.parallel) && self.parallel == 3;
        let each = if many { self.statements_of_each(Some(1)) } else { each };
        if each > 256 || (many && !apart()) {
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
            // A block's iterations of the outermost loop are in the registers of its threads: layers that windows share, or one of many.
            3 if (1..3).all(|l| count(l) >= 32) && self.fast > 0 => {
                let layered = (0..self.reads.len())
                    .any(|n| self.is_window(n) && (self.is_mixed(n, 0) || !self.moves(n, 0)));
                let shape = |layers: u32, middle: [u32; 3], fast: [u32; 3]| {
                    let mut tiles = vec![middle; 3];
                    tiles[0] = [1, layers, layers];
                    tiles[self.fast] = fast;
                    (tiles, false)
                };
                let tile = |layers: u32, rows: u32| {
                    shape(layers, [4, rows, rows], if words { [32, 4, 4] } else { [32, 2, 2] })
                };
                // Rows of 128 or 256 bytes of a layer, so that its rows and layers are shared as well.
                let cubic = |layers: u32| match words {
                    true => shape(layers, [8, 1, 1], [16, 2, 2]),
                    false => shape(4, [16, 1, 1], [8, 4, 4]),
                };
                match layered {
                    true if many => vec![tile(8, 2), tile(8, 1), tile(4, 1)],
                    true if each <= SHORT => vec![cubic(8), cubic(4), tile(4, 1), tile(2, 2)],
                    true => vec![cubic(4), tile(4, 1), tile(2, 2)],
                    false => vec![tile(1, 4), tile(1, 2)],
                }
            }
            _ => Vec::new(),
        };
        let lean = cuda && words && self.parallel == 2 && (SHORT + 1..=128).contains(&each);
        let recipe = |(n, (tiles, direct), stage_all): (usize, (Vec<[u32; 3]>, bool), bool)| {
            let lanes = tiles[self.fast][0].min(32);
            let numbers = Numbers {
                depth: many.then_some(1),
                pipeline: if cuda && each <= SHORT && !direct {
                    Pipeline::Asynchronous(2)
                } else {
                    Pipeline::None
                },
                direct,
                stage_all,
                // With numbers in between, the compiler takes a few registers more than eight blocks allow, and gains nothing.
                resident: if lean && !direct { 8 } else { 1 },
                ..Numbers::of(tiles, lanes)
            };
            let made = self.candidate(numbers)?;
            let places: u32 = made.recipe.tiles.tiles.iter().map(|t| t.registers).product();
            // A check is a branch of its own.
            let most = if self.checked.is_empty() { MOST_STATEMENTS } else { MOST_STATEMENTS / 4 };
            // There are too many narrow accesses if each thread loads what its neighbours load, too.
            let narrow = |n: usize| match made.recipe.accesses[n].keep {
                Keep::Window(lanes) => u64::from(lanes.width) * self.size(self.reads[n].1) < WIDEST,
                _ => false,
            };
            let short = u64::from(places * self.parts()) * each <= most;
            (short && !(0..self.reads.len()).any(narrow)).then_some((n as f64, made))
        };
        let stored: Vec<usize> = (0..self.reads.len()).filter(|n| self.reads[*n].3).collect();
        let only = |n: &usize| self.reads.iter().filter(|r| r.1 == self.reads[*n].1).count() == 1;
        // Results leave by way of shared memory where each thread's own stores would not be side by side with those of its neighbours: one by
        // one, because they lie between multiples of an access, or several accesses of a thread in a row. Of bytes, the copies take longer.
        let bytes = stored.iter().map(|n| self.size(self.reads[*n].1)).max().unwrap_or(WIDEST);
        let scattered = |made: &Made| {
            let (group, most) =
                (made.recipe.tiles.tiles[self.fast].vector, WIDEST as u32 / bytes.max(1) as u32);
            let apart = group > most && each <= SHORT;
            bytes >= WORD && (group.min(most) > made.recipe.store || apart)
        };
        let shapes = shapes.into_iter().enumerate().flat_map(|(n, shape)| {
            let plain = recipe((n, shape.clone(), false));
            let apart =
                plain.as_ref().filter(|(_, made)| !many && scattered(made) && stored.iter().all(only));
            let staged = apart.and_then(|_| recipe((n, shape, true)));
            staged.into_iter().chain(plain)
        });
        shapes.collect()
    }

    /// Whether an access is staged in shared memory: tiles read its elements repeatedly, or not in the order of memory. Of windows without
    /// chunks, results are if `stage_all` says so. If a loop is in chunks, this loop moves the access, and some parallel loop does not.
    /// Otherwise, the stride of the access along the fast loop is neither 0 nor 1.
    pub(super) fn is_staged(&self, n: usize, chunks: &[Chunks], stage_all: bool) -> bool {
        if !self.nest.everywhere.contains(&self.reads[n].0) {
            return false;
        }
        let written = self.reads[n].3;
        let strided = !matches!(self.reads[n].2.strides[self.fast], 0 | 1);
        let all = (0..self.parallel).all(|l| self.moves(n, l));
        if self.windowed() {
            let moved = (self.parallel..self.nest.loops.len()).any(|l| self.moves(n, l));
            return if written { stage_all && chunks.is_empty() } else { moved };
        }
        match chunks {
            [] => !written && strided,
            _ => {
                let moved = chunks.iter().any(|chunks| self.moves(n, chunks.of as usize));
                moved && (stage_all || !written && (strided || !all))
            }
        }
    }

    /// Elements from the first to the last one that a subscript reads, if they are read from constant memory: weights of
    /// windows, of which all threads read the same at a time, in text that has all iterations of the sequential loops. An
    /// instruction names them in place of a register. Few weights don't gain what their copy takes, unless a block would share
    /// nothing else (`direct`); and weights far apart would mean a large copy, and a kernel for each distance.
    pub(super) fn constant(&self, n: usize, direct: bool) -> Option<u32> {
        let (_, array, ref affine, _, part) = self.reads[n];
        let cuda = self.request.device.kind == DeviceKind::Cuda;
        let size = crate::program::element(self.kernel, array).map(|prim| prim.size() as u64)?;
        let many = direct || self.sums_of_each() > 2 * SHORT;
        let uniform = (0..self.parallel).all(|l| !self.moves(n, l));
        let fits = cuda
            && many
            && self.windowed()
            && uniform
            && !self.is_window(n)
            && matches!(size, 4 | 8)
            && part == 0;
        let steps = affine.strides.iter().zip(&self.nest.loops);
        let span = steps.fold(1u64, |span, (stride, l)| {
            span.saturating_add(stride.unsigned_abs().saturating_mul(l.count - 1))
        });
        let dense = span <= 2 * self.sums_of_each();
        (fits && dense && span.saturating_mul(size) <= MOST_CONSTANT).then_some(span as u32)
    }

    /// Subscripts that iterations of a parallel loop share, by their numbers: it doesn't move them.
    pub(super) fn shared_along(&self, l: usize) -> Vec<ArrayId> {
        let reads = (0..self.reads.len()).filter(|n| !self.reads[*n].3 && !self.moves(*n, l));
        reads.filter(|n| self.reads[*n].2.strides.iter().any(|s| *s != 0)).map(|n| self.reads[n].1).collect()
    }
}
