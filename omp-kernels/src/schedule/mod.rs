//! Schedules: the mapping of a kernel's iterations to a device. A schedule is data, separate from the algorithm.
//!
//! [`choose`] selects the default schedule from the facts of the launch plan and the properties of the device. [`geometry`] gives
//! the grid for a schedule. Any grid is correct for any schedule: all loops in the emitted kernels are strided by the grid.
mod access_width;
mod candidates;
pub(crate) mod choose;
pub mod explain;
mod geometry;
mod grid;
pub(crate) mod interleaved;
pub(crate) mod late_stores;
pub(crate) mod loads_ahead;
pub(crate) mod nests;
mod pins;
pub mod recipes;
mod reduction;
mod room;
mod scan;
pub(crate) mod staged_stores;
mod survey;

pub(crate) use access_width::aligned_to;
pub use candidates::{Candidate, Choice, candidates, choose_as, neighbours};
pub use choose::choose;
pub use explain::reasons::{About, Reasons};
pub use geometry::geometry;
pub use interleaved::{Interleaved, Part, sizes_of_parts};
pub use loads_ahead::Ahead;
pub(crate) use nests::unroll_and_jam::Jammed;
pub use pins::Pins;
pub use recipes::is_specialised;
pub use reduction::accumulators::Accumulator;
pub(crate) use reduction::accumulators::FOUND;
pub(crate) use reduction::copy_privatisation::{SLOTS, copy_unit};
pub(crate) use reduction::ordered::{pitch, quads};
pub(crate) use reduction::reproducible::IN_FLIGHT;
pub(crate) use room::{REPRODUCIBLE_LEAF, REPRODUCIBLE_RUN, reproducible_loops};
pub use room::{Room, reproducible_run, reproducible_total, room};
pub(crate) use scan::seeds;

use crate::program::recipe::Recipe;
use omp_ir::analysis::plan::{Iterations, LaunchFacts};
use omp_ir::ids::{AccessId, ArrayId, ExprId, LocalId, ScalarId};
use std::collections::{BTreeMap, BTreeSet};

/// What the choice depends on, in addition to the kernel.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// By array: elements of its section.
    pub extents: &'a [u64],
    /// From the launch plan.
    pub facts: &'a LaunchFacts,
    /// The device.
    pub device: &'a DeviceClass,
    /// `num_teams`, honoured exactly.
    pub num_teams: Option<u64>,
    /// `thread_limit`, honoured exactly.
    pub thread_limit: Option<u64>,
    /// By array: alignment in bytes (a power of two, at most 16) of the device address of element `0` of the array
    /// (the virtual one, if only a section is mapped).
    pub alignment: &'a [u32],
    /// What the user fixed.
    pub pins: Pins,
    /// The text may name the sizes of the launch as numbers: [`is_specialised`].
    pub specialised: bool,
    /// It may name those of an iteration, of its parts of mapped arrays or of a small nest: [`sizes_of_parts`].
    pub parts: bool,
    /// The place in which the choice records its reasons. The choice does not depend on it.
    pub reasons: Option<&'a Reasons>,
}

/// What schedules need to know of a device.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceClass {
    /// CUDA GPU, OpenCL GPU or OpenCL CPU.
    pub kind: DeviceKind,
    /// Multiprocessors or compute units.
    pub units: u32,
    /// Largest block.
    pub max_block: u32,
    /// Lanes that run in step; 1 on a CPU.
    pub warp: u32,
    /// Shared (local) memory of a block, in bytes.
    pub shared_bytes: u32,
    /// CUDA compute capability, `90` for 9.0; 0 elsewhere.
    pub arch: u32,
    /// The device has double precision.
    pub f64: bool,
    /// It has atomic operations of 64 bits.
    pub atomics64: bool,
}

/// Kinds of device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum DeviceKind {
    Cuda,
    OpenClGpu,
    OpenClCpu,
}

/// How a kernel runs. Everything that changes the source text is in here (and nothing else is), so that the
/// schedule is a cache key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Schedule {
    /// The way iterations are dealt out.
    pub strategy: Strategy,
    /// Threads of a block, by axis.
    pub block: [u32; 3],
    /// Compute loop variables and proved subscripts in 32 bits.
    pub index32: bool,
    /// Other values of 64 bits, and variables with such values, to compute in 32.
    pub short: BTreeSet<ExprId>,
    /// Subscripts of the body that this launch must check.
    pub checks: BTreeSet<AccessId>,
    /// Arrays under `disjoint` whose elements this launch must claim.
    pub claims: BTreeSet<ArrayId>,
    /// Arrays without a section whose address is not that of element 0, because they are part of memory that was
    /// mapped before.
    pub shifted: BTreeSet<ArrayId>,
    /// Arrays that begin where accesses of several fields, or of several neighbouring numbers, may: at a multiple of so many bytes.
    pub aligned: BTreeMap<ArrayId, u64>,
    /// Arrays whose elements the threads of a warp store together, through shared memory.
    pub staged: BTreeSet<ArrayId>,
    /// Arrays of iterations that are kept in shared memory.
    pub interleaved: Interleaved,
    /// Sequential loops, by their variables, that load for several iterations ahead.
    pub ahead: BTreeMap<LocalId, Ahead>,
    /// Short loops, by their variables, that store after all of their iterations.
    pub late: BTreeSet<LocalId>,
    /// How often the innermost sequential loops are unrolled; 0: as far as the compiler can. `None` is its own choice.
    pub unroll: Option<u32>,
    /// Short loops are unrolled as a whole, and loops around them, too: compilers unroll fewer of them where local arrays are in shared
    /// memory, and where accesses to bytes next to each other are to become one. Not if the user says how to unroll.
    pub unroll_short: bool,
    /// The loops without a directive that are nests of the teams.
    pub shared_loops: SharedLoops,
    /// Those of them whose iterations access different elements by the numbers of the launch.
    pub apart: BTreeSet<LocalId>,
}

/// Loops without a directive whose iterations the threads of a team share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum SharedLoops {
    /// None.
    #[default]
    None,
    /// Those whose iterations are independent.
    Independent,
    /// These, and those that fold values in a way that does not depend on the order.
    Folds,
}

/// Ways to deal out iterations.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// One dimension, or several linearised: thread `t` takes `t`, `t + threads`, … (grid stride).
    Linear,
    /// Iterations, linearised, are distributed to the teams in chunks of `team`, and within these to the threads in chunks of `each`,
    /// round-robin.
    Chunked {
        /// Contiguous iterations of a team. A multiple of what its threads take at a time is best.
        team: u64,
        /// Iterations that a thread has in a row.
        each: u64,
    },
    /// One dimension, `width` neighbouring iterations a thread through 16-byte accesses, `unroll` such groups.
    Vector {
        /// Elements of one access.
        width: u32,
        /// Groups a thread has in flight.
        unroll: u32,
        /// The arrays that are accessed so, in order; the others are accessed element by element.
        arrays: Vec<ArrayId>,
    },
    /// Axis x over the last (or the most contiguous) dimension, y over the next, z over the rest.
    Grid {
        /// Which dimension is on x, y, z.
        axes: Vec<u32>,
        /// How the grid covers the trip counts.
        cover: Cover,
        /// The factor of unroll and jam along y; 1 where the grid is strided.
        jam: u32,
        /// Instead, it has neighbouring ones along x: `jam` is 1.
        wide: Option<Wide>,
        /// Registers are kept few enough for as many blocks on a multiprocessor; 0: the compiler takes what it wants.
        resident: u32,
    },
    /// Each outer iteration has a team, whose threads share the iterations of inner nests. Reduces as well.
    Teams,
    /// A reduction in one kernel: grid stride, `width` × `unroll` elements in flight, the last block finishes.
    Reduce {
        /// Elements of one access; 1 if not vectorised.
        width: u32,
        /// Groups a thread has in flight.
        unroll: u32,
        /// The arrays that are accessed so, in order.
        arrays: Vec<ArrayId>,
        /// No other block shares a block's multiprocessor: it may have all of its registers.
        alone: bool,
    },
    /// A reduction over two dimensions in one kernel, as [`Self::Reduce`]: a thread has `rows` neighbouring iterations of
    /// the outer dimension in unroll and jam, a block as many neighbouring ones of the inner dimension as it has threads.
    Tiles {
        /// Iterations of the outer dimension.
        rows: u32,
        /// Instead, it has neighbouring iterations of the inner one: `rows` is 1.
        wide: Option<Wide>,
    },
    /// A reduction that keeps the order of operands: each thread (on CUDA each warp, where no arrays are reduced) has
    /// a part of the iterations in a row, in runs of `run`. Reduced arrays are copied for each thread.
    Ordered {
        /// Iterations that a thread runs in a row.
        run: u32,
        /// In how many steps what a run needs is read.
        steps: u32,
        /// The arrays that the lanes of a warp read cooperatively: the elements of all their runs, in the order of memory.
        arrays: Vec<ArrayId>,
    },
    /// A reduction of arrays of integers by atomic updates, grid stride as [`Self::Reduce`].
    AtomicPrivatisation {
        /// Elements of one access; 1 if not vectorised.
        width: u32,
        /// Groups a thread has in flight.
        unroll: u32,
        /// The arrays that are accessed so, in order.
        arrays: Vec<ArrayId>,
        /// Bytes of shared memory for copies of the reduced arrays; 0: they are updated where they are.
        shared: u32,
        /// Elements of each array that a block may keep in shared memory where there is no room for copies.
        slots: u32,
    },
    /// Sums of floats into arrays, as integers in the device's memory; further launches zero them before, and add copies and
    /// the arrays' own elements up after.
    Accumulators {
        /// Elements of one access; 1 if not vectorised.
        width: u32,
        /// Groups a thread has in flight.
        unroll: u32,
        /// The arrays that are accessed so, in order.
        arrays: Vec<ArrayId>,
        /// By reduced array.
        of: Vec<Accumulator>,
        /// Words of accumulators that a block may keep in shared memory.
        hot: u32,
    },
    /// A reduction of arrays in copies in shared memory; a second launch combines what blocks come to.
    CopyPrivatisation {
        /// Elements of one access; 1 if not vectorised.
        width: u32,
        /// Groups that a thread, iterations that a lane has in flight.
        unroll: u32,
        /// The arrays that are accessed in groups, in order.
        arrays: Vec<ArrayId>,
        /// The threads that have a copy: each thread, or each warp.
        each: Each,
        /// Bytes of shared memory.
        shared: u32,
    },
    /// A scan in three launches: parts of the loop in a row are added up, then run from what the parts before them add
    /// up to.
    Scan,
    /// A scan in one launch, for blocks of whole warps that make progress independently: tiles of the loop, in order,
    /// each from what those before it add up to.
    LookBack {
        /// Iterations that a thread has in a row.
        run: u32,
        /// Such rows of a thread in a tile; those of a warp's lanes lie side by side.
        chunks: u32,
        /// The arrays that go through shared memory.
        arrays: Vec<ArrayId>,
        /// Those whose elements come to stand side by side, by what is carried: they do so in shared memory first.
        compacted: Vec<ArrayId>,
    },
    /// A device program.
    Recipe(Box<Recipe>),
    /// Iterations that are scans along a loop: some warps have one at a time.
    Rows {
        /// Neighbouring elements that a lane has.
        group: u32,
        /// Such groups of a lane in flight.
        chunks: u32,
        /// Warps that share an iteration: one, or all of a block.
        warps: u32,
    },
    /// A reproducible reduction: one tree over all iterations, whatever the grid, and copies of reduced arrays for each
    /// run of them.
    Reproducible {
        /// Iterations of a run ([`reproducible_run`]).
        run: u64,
        /// A warp has a run: each lane has leaves of it, or, for reduced arrays, the lanes have neighbouring iterations.
        warps: bool,
        /// In how many steps what a leaf needs is read.
        steps: u32,
        /// The arrays that the lanes of a warp read cooperatively, in the order of memory.
        arrays: Vec<ArrayId>,
    },
}

impl Strategy {
    /// A short description for reports.
    #[must_use]
    pub fn summary(&self) -> String {
        if let Self::Recipe(recipe) = self {
            let extents: Vec<_> = recipe.extents().iter().map(u32::to_string).collect();
            let chunks =
                recipe.chunks.first().map(|c| format!(", chunks of {}", c.depth)).unwrap_or_default();
            let checks = match recipe.checked.len() {
                0 => String::new(),
                n => format!(", {n} operators checked for overflow"),
            };
            let borders = if recipe.iterations == Iterations::Interior { " away from borders" } else { "" };
            let kept = if recipe.rows.is_some() { "rows on the chip, " } else { "tiles of " };
            return format!("{kept}{}{chunks}{checks}{borders}", extents.join("x"));
        }
        let text = format!("{self:?}");
        let mut words = String::new();
        for c in text.chars().take_while(char::is_ascii_alphanumeric) {
            if c.is_ascii_uppercase() && !words.is_empty() {
                words.push(' ');
            }
            words.push(c.to_ascii_lowercase());
        }
        words
    }
}

/// The owners of copies of reduced arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Each {
    /// Each thread.
    Thread {
        /// Its iterations are in a row, and operands keep their order.
        in_order: bool,
    },
    /// The lanes of a warp, cooperatively.
    Warp {
        /// In the device's memory.
        far: bool,
    },
}

/// Neighbouring iterations of the innermost dimension, unrolled and jammed in one thread, so that compilers combine accesses of
/// neighbouring elements. The text states the alignment of addresses.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Wide {
    /// How many; a power of two.
    pub columns: u32,
    /// How many iterations stand before the first thread's; less than `columns`.
    pub before: u32,
    /// The value of each thread's first iteration, modulo `columns`.
    pub place: u32,
    /// The captured integers that are multiples of `columns`.
    pub multiples: Vec<ScalarId>,
}

impl Wide {
    /// Groups of a row that a block has at most. Its other threads have the rows after it, which share some elements with it.
    pub(crate) const ACROSS: u32 = 32;

    /// How many iterations the group before the first whole one lacks.
    #[must_use]
    pub fn lead(&self) -> u32 {
        (self.columns - self.before) % self.columns
    }
}

/// How a grid covers the trip counts of its axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cover {
    /// A thread for each iteration (or for each group in unroll and jam), and no other threads.
    Exact,
    /// The same; threads outside of the loops return at once.
    Guarded,
    /// Threads take several iterations, a grid apart.
    Strided,
}

/// Grid and block of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Geometry {
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory, in addition to what the kernel declares.
    pub shared: u32,
}
