//! Scratch memory of a launch, and the number of launches of one kernel.
use super::{Accumulator, Each, FOUND, Geometry, Schedule, Strategy};
use omp_ir::ids::ArrayId;
use omp_ir::kernel::{Kernel, Reducer};

/// Iterations that one thread combines in a reproducible reduction of scalars, and partial results that a thread or warp
/// combines after.
pub(crate) const REPRODUCIBLE_RUN: u64 = 512;
/// The most runs that have copies of reduced arrays, their bytes, and their elements for each iteration.
const REPRODUCIBLE_COPIES: u64 = 8192;
const REPRODUCIBLE_BYTES: u64 = 64 << 20;
const REPRODUCIBLE_EACH: u64 = 16;
/// Iterations that are combined one after the other in a reproducible reduction.
pub(crate) const REPRODUCIBLE_LEAF: u64 = 64;

/// Tiles of a scan in a group whose sums are added, groups in a group of these, and the bytes before their sums in memory
/// (`templates/scan.cuh`).
const GROUP: u64 = 32;
const HEAD: u64 = 128;

/// The most bytes of copies of reduced arrays.
const MOST_COPIES: u64 = 256 << 20;
/// Copies start at multiples of this.
const ALIGN: u128 = 256;

/// Bytes of scratch memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Room {
    /// For [`Arg::Partials`](crate::back::Arg::Partials).
    pub partials: u64,
    /// For [`Arg::Copies`](crate::back::Arg::Copies).
    pub copies: u64,
    /// For [`Arg::Tiles`](crate::back::Arg::Tiles).
    pub tiles: u64,
}

/// What a launch needs. `extents`: elements of each array's section; `total`: iterations.
#[must_use]
pub fn room(kernel: &Kernel, schedule: &Schedule, geometry: &Geometry, extents: &[u64], total: u64) -> Room {
    // Three sizes of 32 bits, and sizes of arrays with them: in 128 bits, and no more than an allocation is refused at.
    let product =
        |all: [u32; 3]| all.iter().map(|n| u128::from(*n)).fold(1, |all: u128, n| all.saturating_mul(n));
    let (blocks, threads) = (product(geometry.grid), product(geometry.block));
    let one = u128::from(crate::back::partial_bytes(kernel));
    let all = blocks.saturating_mul(threads);
    let aligned = |bytes: u128| bytes.checked_next_multiple_of(ALIGN).unwrap_or(u128::MAX);
    let sum = |all: u128, one: u128| all.saturating_add(one);
    let bytes = |bytes: u128| u64::try_from(bytes).unwrap_or(u64::MAX);
    let partials = match schedule.strategy {
        Strategy::Linear | Strategy::Chunked { .. } | Strategy::Vector { .. } | Strategy::Grid { .. } => 0,
        Strategy::LookBack { .. }
        | Strategy::AtomicPrivatisation { .. }
        | Strategy::Rows { .. }
        | Strategy::Recipe(_) => 0,
        Strategy::CopyPrivatisation { .. } | Strategy::Accumulators { .. } => 0,
        Strategy::Reduce { .. } | Strategy::Tiles { .. } | Strategy::Teams | Strategy::Ordered { .. } => {
            blocks.saturating_mul(one)
        }
        Strategy::Scan => all.saturating_mul(one),
        Strategy::Reproducible { run, .. } => {
            let first = u128::from(total.div_ceil(run));
            (first + first.div_ceil(REPRODUCIBLE_RUN.into())) * one
        }
    };
    let copies = match &schedule.strategy {
        Strategy::Reproducible { run, .. } => {
            let runs = u128::from(total.div_ceil(*run));
            copies(kernel, extents).map(|(_, bytes)| aligned(runs.saturating_mul(bytes))).fold(0, sum)
        }
        Strategy::Ordered { .. } => {
            copies(kernel, extents).map(|(_, bytes)| aligned(all.saturating_mul(bytes))).fold(0, sum)
        }
        Strategy::CopyPrivatisation { each, .. } => {
            let far = *each == Each::Warp { far: true };
            let count = if far { blocks.saturating_mul(threads / 32) } else { blocks };
            copies(kernel, extents).map(|(_, bytes)| aligned(count.saturating_mul(bytes))).fold(0, sum)
        }
        Strategy::Accumulators { of, .. } => {
            let bytes = |((k, array), one): ((usize, ArrayId), &Accumulator)| match kernel.reducers[k] {
                Reducer::Builtin(_, prim) => {
                    one.bytes(prim, extents.get(array.index()).copied().unwrap_or(0))
                }
                Reducer::Declared { .. } => 0,
            };
            let items = kernel.array_items().into_iter().zip(of).map(|of| u128::from(bytes(of)));
            items.fold(u128::from(FOUND) * 8, sum)
        }
        _ => 0,
    };
    let tiles = match schedule.strategy {
        Strategy::LookBack { run, chunks, .. } => {
            let threads = u64::try_from(threads).unwrap_or(u64::MAX);
            let group = u128::from(GROUP);
            let groups = u128::from(tiles(total, threads, run, chunks)).div_ceil(group);
            let parts = groups.div_ceil(group);
            u128::from(HEAD) + ((groups + parts) * group + parts) * one.div_ceil(4) * 8
        }
        _ => 0,
    };
    Room { partials: bytes(partials), copies: bytes(copies), tiles: bytes(tiles) }
}

/// Iterations of a run of a reproducible reduction, which has copies of its own of the reduced arrays: of `elements`
/// elements and `bytes` bytes. It depends on sizes alone, so that it is the same on all devices and the host.
#[must_use]
pub fn reproducible_run(total: u64, elements: u64, bytes: u64) -> u64 {
    if elements == 0 {
        return REPRODUCIBLE_RUN;
    }
    let worth = total.saturating_mul(REPRODUCIBLE_EACH) / elements;
    let runs = REPRODUCIBLE_COPIES.min(REPRODUCIBLE_BYTES / bytes.max(1)).min(worth).max(1);
    total.div_ceil(runs).clamp(REPRODUCIBLE_RUN, 1 << 62).next_power_of_two()
}

/// How many of the loops of a nest, from the outermost, have bounds of their own: the iterations of these are those that
/// reproducible reductions count. The others run in each of them.
pub(crate) fn reproducible_loops(kernel: &Kernel) -> usize {
    kernel.template.dims.iter().take_while(|dim| dim.host).count().max(1)
}

/// The iterations of these loops.
#[must_use]
pub fn reproducible_total(kernel: &Kernel, facts: &omp_ir::analysis::plan::LaunchFacts) -> u64 {
    let dims = facts.dims.iter().take(reproducible_loops(kernel));
    dims.fold(1, |total, dim| total.saturating_mul(dim.count))
}

/// The most tiles of a scan in one launch: they may begin up to 127 iterations before the first one.
pub(super) fn tiles(total: u64, threads: u64, run: u32, chunks: u32) -> u64 {
    let tile = threads.saturating_mul(u64::from(run)).saturating_mul(u64::from(chunks));
    total.saturating_add(127).div_ceil(tile.max(1)).max(1)
}

/// By array item: its elements, and the bytes of a thread's copy.
fn copies<'a>(kernel: &'a Kernel, extents: &'a [u64]) -> impl Iterator<Item = (u64, u128)> + 'a {
    kernel.array_items().into_iter().map(|(_, array)| {
        let len = extents.get(array.index()).copied().unwrap_or(0);
        let size = kernel.types.size(kernel.array_ty[array.index()]).unwrap_or(0);
        (len, u128::from(len) * u128::from(size))
    })
}

/// The most blocks that may have copies of the reduced arrays: copies neither fill the memory nor take more time to
/// make and combine than the loop itself.
pub(super) fn copying_blocks(kernel: &Kernel, extents: &[u64], total: u64, threads: u64) -> u64 {
    let (mut len, mut bytes) = (0u128, 0u128);
    for (n, b) in copies(kernel, extents) {
        (len, bytes) = (len + u128::from(n), bytes + b);
    }
    if len == 0 {
        return u64::MAX;
    }
    let by_memory = u128::from(MOST_COPIES) / bytes.max(1);
    let by_time = (4 * u128::from(total)).div_ceil(len);
    u64::try_from(by_memory.min(by_time) / u128::from(threads.max(1))).unwrap_or(u64::MAX).max(1)
}

impl Schedule {
    /// How often the kernel is launched.
    #[must_use]
    pub fn phases(&self, kernel: &Kernel) -> u32 {
        match &self.strategy {
            Strategy::Linear
            | Strategy::Chunked { .. }
            | Strategy::Vector { .. }
            | Strategy::Grid { .. }
            | Strategy::Reduce { .. }
            | Strategy::Tiles { .. }
            | Strategy::LookBack { .. }
            | Strategy::AtomicPrivatisation { .. }
            | Strategy::Rows { .. }
            | Strategy::Recipe(_)
            | Strategy::Teams => 1,
            Strategy::Ordered { .. } => 1 + u32::from(!kernel.array_items().is_empty()),
            Strategy::CopyPrivatisation { .. } => 2,
            Strategy::Reproducible { .. } | Strategy::Scan => 3,
            Strategy::Accumulators { of, .. } => 3 + u32::from(of.iter().any(|one| one.copies > 1)),
        }
    }
}
