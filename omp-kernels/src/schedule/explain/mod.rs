//! Describes schedules as text: the steps by which the loops were transformed, with the [`reasons`] that their choice
//! recorded.
pub(super) mod reasons;

use super::{Cover, Each, Schedule, SharedLoops, Strategy};
use crate::program::Keep;
use crate::program::steps::Pipeline;
use omp_ir::analysis::plan::Iterations;
use omp_ir::ids::ArrayId;
use omp_ir::kernel::Kernel;
use reasons::{About, Reasons};

/// A step of a schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What is done, or `no …`.
    pub what: String,
    /// What for, as the choice recorded it; `None` for parts of the step before.
    pub why: Option<String>,
}

/// The device program of a schedule that is one, as text.
#[must_use]
pub fn program(schedule: &Schedule, kernel: &Kernel) -> Option<String> {
    match &schedule.strategy {
        Strategy::Recipe(recipe) => recipe.build(kernel).ok().map(|program| program.to_string()),
        _ => None,
    }
}

/// The steps of a schedule, in order, with the reasons that its choice recorded.
#[must_use]
pub fn steps(schedule: &Schedule, kernel: &Kernel, reasons: &Reasons) -> Vec<Step> {
    let mut steps = Steps { kernel, reasons, list: Vec::new() };
    let Schedule {
        strategy,
        block: [x, y, z],
        index32,
        short: _,
        checks,
        claims,
        shifted: _,
        aligned,
        staged,
        interleaved,
        ahead,
        late,
        unroll,
        unroll_short: _,
        shared_loops,
        apart: _,
    } = schedule;
    if reasons.of(About::Searched).is_some() {
        steps.add(About::Searched, "the numbers of a search");
    }
    match shared_loops {
        SharedLoops::None => {}
        SharedLoops::Independent => {
            steps.part("inner loops without a directive run in parallel: their iterations are independent");
        }
        SharedLoops::Folds => {
            steps.part("inner loops without a directive run in parallel, and the parts are combined");
        }
    }
    steps.strategy(strategy);
    let block = match (y, z) {
        (1, 1) => format!("blocks of {x} thread{}", if *x == 1 { "" } else { "s" }),
        (_, 1) => format!("blocks of {x} x {y} threads"),
        _ => format!("blocks of {x} x {y} x {z} threads"),
    };
    steps.add(About::Block, block);
    match unroll {
        Some(0) => steps.add(About::Unroll, "sequential loops are unrolled"),
        Some(n) => steps.add(About::Unroll, format!("sequential loops are unrolled {n} times")),
        None => {}
    }
    if !aligned.is_empty() {
        let names = steps.names(aligned.keys());
        steps.add(About::Aligned, format!("several neighbouring numbers of {names} in one access"));
    }
    if !staged.is_empty() {
        let names = steps.names(staged);
        steps.add(
            About::Staged,
            format!("the elements of {names} are stored by all threads of a warp together"),
        );
    }
    if !interleaved.is_empty() {
        let names = interleaved.names(kernel);
        steps.add(
            About::Interleaved,
            format!(
                "{names} {} kept in shared memory, interleaved",
                if interleaved.count() == 1 { "is" } else { "are" }
            ),
        );
    }
    if let Some(most) = ahead.values().map(|of| of.iterations).max() {
        let loads = counted(ahead.values().map(|of| of.loads.len()).sum(), "subscript");
        steps.add(About::Ahead, format!("sequential loops load {loads} for up to {most} iterations ahead"));
    }
    if !late.is_empty() {
        steps.add(About::Late, "short loops store after all of their iterations");
    }
    if *index32 {
        steps.add(About::Index32, "subscripts are computed in 32 bits");
    }
    if !checks.is_empty() {
        let are = if checks.len() == 1 { "is" } else { "are" };
        steps.add(
            About::Checks,
            format!("{} {are} checked in the kernel", counted(checks.len(), "subscript")),
        );
    }
    if !claims.is_empty() {
        let names = steps.names(claims.iter());
        steps.add(About::Claims, format!("iterations claim the elements of {names} that they touch"));
    }
    steps.list.extend(
        reasons.without().into_iter().map(|(what, why)| Step { what: format!("no {what}"), why: Some(why) }),
    );
    steps.list
}

fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

struct Steps<'a> {
    kernel: &'a Kernel,
    reasons: &'a Reasons,
    list: Vec<Step>,
}

impl Steps<'_> {
    fn add(&mut self, about: About, what: impl Into<String>) {
        self.list.push(Step { what: what.into(), why: self.reasons.of(about) });
    }

    /// A part of the step before, or of the one that follows.
    fn part(&mut self, what: impl Into<String>) {
        self.list.push(Step { what: what.into(), why: None });
    }

    fn names<'a>(&self, arrays: impl IntoIterator<Item = &'a ArrayId>) -> String {
        let name = |a: &ArrayId| self.kernel.template.arrays.get(a.index()).map_or("?", |p| &*p.name);
        let names: Vec<_> = arrays.into_iter().map(|a| format!("`{}`", name(a))).collect();
        names.join(", ")
    }

    fn variable(&self, dim: u32) -> String {
        let dims = &self.kernel.template.dims;
        let locals = &self.kernel.template.code.locals;
        dims.get(dim as usize).map_or_else(|| "?".to_owned(), |d| format!("`{}`", locals[d.var.index()].name))
    }

    /// Groups of neighbouring elements, and how many a thread has in flight.
    fn groups(&mut self, width: u32, unroll: u32, arrays: &[ArrayId]) {
        if width > 1 {
            let names = self.names(arrays);
            self.add(
                About::Wide,
                format!("what {width} neighbouring iterations access of {names} in wide accesses"),
            );
        }
        if unroll > 1 {
            self.add(About::InFlight, format!("a thread has {unroll} independent loads in flight"));
        }
    }

    fn strategy(&mut self, strategy: &Strategy) {
        match strategy {
            Strategy::Linear => self.add(
                About::Strategy,
                "iterations go to the threads one by one: thread t has t, t + threads, …",
            ),
            Strategy::Chunked { team, each } => self
                .add(About::Strategy, format!("teams have {team} iterations in a row, their threads {each}")),
            Strategy::Vector { width, unroll, arrays } => {
                self.add(About::Strategy, "a thread has groups of neighbouring iterations");
                self.groups(*width, *unroll, arrays);
            }
            Strategy::Grid { axes, cover, jam, wide, resident } => {
                let on: Vec<_> = axes
                    .iter()
                    .zip(["x", "y", "z"])
                    .map(|(d, axis)| format!("{} on {axis}", self.variable(*d)))
                    .collect();
                self.add(About::Strategy, format!("loops on the axes of the grid: {}", on.join(", ")));
                match cover {
                    Cover::Exact => self.add(About::Cover, "a thread for each iteration, and no more"),
                    Cover::Guarded => self.add(About::Cover, "threads outside of the loops return at once"),
                    Cover::Strided => self.add(About::Cover, "threads take several iterations, a grid apart"),
                }
                if let Some(wide) = wide {
                    self.add(
                        About::UnrollAndJam,
                        format!(
                            "a thread runs {} neighbouring iterations of the innermost loop, unrolled and jammed",
                            wide.columns
                        ),
                    );
                }
                if *jam > 1 {
                    self.add(
                        About::UnrollAndJam,
                        format!("a thread runs {jam} neighbouring iterations, unrolled and jammed"),
                    );
                }
                if *resident > 0 {
                    self.resident(*resident);
                }
            }
            Strategy::Teams => {
                self.add(
                    About::Strategy,
                    "a team for each outer iteration; its threads share the inner loop",
                );
            }
            Strategy::Reduce { width, unroll, arrays, alone } => {
                self.add(
                    About::Strategy,
                    "threads reduce their iterations in registers, blocks in shared memory; the last block finishes",
                );
                self.groups(*width, *unroll, arrays);
                if *alone {
                    self.add(About::Resident, "a block has a multiprocessor to itself");
                }
            }
            Strategy::Tiles { rows, wide } => {
                let what = match wide {
                    Some(wide) => {
                        format!("a thread has {} neighbouring iterations of the inner loop", wide.columns)
                    }
                    None => format!("a thread has {rows} neighbouring iterations of the outer loop"),
                };
                self.add(About::Strategy, format!("a reduction over two loops: {what}"));
            }
            Strategy::Ordered { run, .. } => self.add(
                About::Strategy,
                format!("a thread reduces {run} iterations in a row, and parts are combined in order"),
            ),
            Strategy::AtomicPrivatisation { width, unroll, arrays, shared, slots } => {
                self.add(About::Strategy, "integers of the reduced arrays are updated atomically");
                if *shared > 0 || *slots > 0 {
                    self.add(About::Shared, "blocks update copies in shared memory first");
                }
                self.groups(*width, *unroll, arrays);
            }
            Strategy::Accumulators { width, unroll, arrays, .. } => {
                self.add(About::Strategy, "sums of floats are kept as integers in the device's memory");
                self.groups(*width, *unroll, arrays);
            }
            Strategy::CopyPrivatisation { width, unroll, arrays, each, .. } => {
                let who = match each {
                    Each::Thread { .. } => "each thread",
                    Each::Warp { .. } => "each warp",
                };
                let what = "reduces into a copy of the arrays of its own; a second launch combines them";
                self.add(About::Strategy, format!("{who} {what}"));
                match each {
                    Each::Thread { .. } => self.groups(*width, *unroll, arrays),
                    Each::Warp { .. } => self.groups(1, *unroll, arrays),
                }
            }
            Strategy::Scan => self.add(
                About::Strategy,
                "three launches: the sums of parts, their scan, and a second pass over the parts from their starting values",
            ),
            Strategy::LookBack { run, chunks, arrays, compacted } => {
                let rows = if *chunks > 1 { format!("{chunks} rows of {run}") } else { run.to_string() };
                self.add(About::Strategy, format!("one launch: a thread has {rows} iterations in a row"));
                if !arrays.is_empty() {
                    let names = self.names(arrays);
                    self.add(About::Shared, format!("elements of {names} go through shared memory"));
                }
                if !compacted.is_empty() {
                    let names = self.names(compacted);
                    self.add(
                        About::Store,
                        format!("results in {names} are collected in shared memory before they are stored"),
                    );
                }
            }
            Strategy::Recipe(recipe) => self.recipe(recipe),
            Strategy::Rows { group, chunks, warps } => {
                let who = if *warps == 1 { "a warp scans" } else { "the warps of a block scan" };
                self.add(About::Strategy, format!("{who} one row at a time"));
                self.add(About::InFlight, format!("a lane has {} elements in flight", group * chunks));
            }
            Strategy::Reproducible { run, arrays, .. } => {
                self.add(
                    About::Strategy,
                    format!("partial results of runs of {run} iterations are combined by one fixed tree"),
                );
                if !arrays.is_empty() {
                    let names = self.names(arrays);
                    self.add(About::Shared, format!("the lanes of a warp read {names} cooperatively"));
                }
            }
        }
    }

    fn resident(&mut self, blocks: u32) {
        let what = format!("registers are limited, so that {blocks} blocks run on a multiprocessor");
        self.add(About::Resident, what);
    }

    fn recipe(&mut self, recipe: &crate::program::recipe::Recipe) {
        if recipe.iterations == Iterations::Interchanged {
            self.add(About::Interchanged, "sequential loops run inside of the loop that stands in them");
        }
        if recipe.iterations == Iterations::Coalesced {
            self.add(About::Coalesced, "sequential loops that stand one in the other run as one loop");
        }
        if recipe.parallelised > 0 {
            let loops = counted(recipe.parallelised as usize, "sequential loop");
            self.add(About::Parallelised, format!("{loops} without a directive run in parallel"));
        }
        if recipe.is_specialised() {
            self.add(About::Sizes, "the kernel is compiled for these sizes");
        }
        let tiles = &recipe.tiles.tiles;
        let sides: Vec<_> = recipe.extents().iter().map(u32::to_string).collect();
        self.add(
            About::Strategy,
            match recipe.rows {
                Some(_) => format!("a block keeps {} rows in shared memory", sides.join(" x ")),
                None => format!("a block has a tile of {} iterations", sides.join(" x ")),
            },
        );
        if recipe.iterations == Iterations::Interior {
            self.add(About::Interior, "iterations at the borders run one by one, by blocks of their own");
        }
        if !recipe.limits.is_empty() {
            self.add(About::Limits, "blocks outside of the loops' bounds run nothing");
        }
        let registers: Vec<_> = tiles.iter().map(|tile| tile.registers.to_string()).collect();
        if tiles.iter().any(|tile| tile.registers > 1) {
            self.add(
                About::Registers,
                format!("a thread has {} of them, in registers, unrolled and jammed", registers.join(" x ")),
            );
        }
        if recipe.tiles.replicas > 1 {
            self.add(
                About::Replicas,
                format!(
                    "{} threads have each iteration: each of them runs its recurrences, and they share what is independent in its \
                     sequential loops",
                    recipe.tiles.replicas
                ),
            );
        }
        let kept = |how: fn(&Keep) -> bool| -> Vec<_> {
            let arrays = recipe.accesses.iter().filter(|a| how(&a.keep)).map(|a| a.array);
            std::collections::BTreeSet::from_iter(arrays).into_iter().collect()
        };
        for (about, arrays, what) in [
            (About::Shared, kept(|keep| matches!(keep, Keep::Shared { .. })), "staged in shared memory"),
            (
                About::Direct,
                kept(|keep| matches!(keep, Keep::Window(_))),
                "loaded from memory into the registers of each thread, a window at a time",
            ),
            (
                About::Constant,
                kept(|keep| matches!(keep, Keep::Constant { .. })),
                "read from constant memory",
            ),
        ] {
            if !arrays.is_empty() {
                let are = if arrays.len() > 1 { "are" } else { "is" };
                self.add(about, format!("{} {are} {what}", self.names(&arrays)));
            }
        }
        if !recipe.carried.is_empty() {
            let arrays = recipe.carried.iter().map(|carried| recipe.accesses[carried.load as usize].array);
            let arrays: Vec<_> = std::collections::BTreeSet::from_iter(arrays).into_iter().collect();
            let names = self.names(&arrays);
            self.add(
                About::Carried,
                format!("elements of {names} that an iteration takes from those before it stay in registers"),
            );
        }
        if let Some((_, by)) = recipe.jammed {
            self.add(
                About::Jam,
                format!("{by} iterations of the loop around the sum are unrolled and jammed"),
            );
        }
        if let Some(chunks) = recipe.chunks.first() {
            let head = match chunks.head {
                0 => String::new(),
                n => format!(" after {n} of its iterations, so that they begin where wide accesses do"),
            };
            let tail = if chunks.tail { ", and what is left of it" } else { "" };
            self.add(
                About::Chunks,
                format!(
                    "{} into chunks of {}{head}{tail}",
                    if recipe.chunks.len() > 1 {
                        "the sequential loops are split"
                    } else {
                        "the sequential loop is split"
                    },
                    chunks.depth
                ),
            );
        }
        match recipe.pipeline {
            Pipeline::None => {}
            Pipeline::Registers => {
                self.add(About::Pipeline, "the next chunk is loaded into registers meanwhile");
            }
            Pipeline::Asynchronous(n) => {
                self.add(About::Pipeline, format!("{n} chunks are on their way by asynchronous copies"));
            }
        }
        if recipe.matrix > 0 {
            let prefetch =
                if recipe.prefetch { ", while the factors of the next terms are loaded" } else { "" };
            self.add(About::Matrix, format!("chunks are multiplied by matrix instructions{prefetch}"));
        }
        if recipe.tiles.band > 1 {
            self.add(
                About::Band,
                format!("neighbouring blocks go through bands of {} rows of tiles", recipe.tiles.band),
            );
        }
        if recipe.store > 1 {
            self.add(About::Store, format!("a store writes {} results", recipe.store));
        }
        if recipe.resident > 1 {
            self.resident(recipe.resident);
        }
        if !recipe.checked.is_empty() {
            self.add(
                About::Overflow,
                format!("{} with checks for overflow", counted(recipe.checked.len(), "operator")),
            );
        }
    }
}
