//! Describes schedules for people: what was done to the loops, step by step, and why.
use super::{Cover, Each, Schedule, Strategy};
use crate::program::steps::Pipeline;
use omp_ir::ids::ArrayId;
use omp_ir::kernel::Kernel;

/// A step of a schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What is done.
    pub what: String,
    /// What for.
    pub why: String,
}

impl Schedule {
    /// It is a device program.
    #[must_use]
    pub fn is_recipe(&self) -> bool {
        matches!(self.strategy, Strategy::Recipe(_))
    }
}

/// The device program of a schedule that is one, as text.
#[must_use]
pub fn program(schedule: &Schedule, kernel: &Kernel) -> Option<String> {
    match &schedule.strategy {
        Strategy::Recipe(recipe) => recipe.build(kernel).ok().map(|program| program.to_string()),
        _ => None,
    }
}

/// The steps of a schedule, in order.
#[must_use]
pub fn steps(schedule: &Schedule, kernel: &Kernel) -> Vec<Step> {
    let mut steps = Steps { kernel, list: Vec::new() };
    steps.strategy(&schedule.strategy);
    let Schedule {
        strategy: _,
        block: _,
        index32,
        checks,
        claims,
        shifted: _,
        aligned,
        unroll,
        parallelised,
    } = schedule;
    if *parallelised {
        steps.add(
            "inner loops without a directive run in parallel",
            "their iterations are independent, and the parallel loops alone don't fill the device",
        );
    }
    match unroll {
        Some(0) => steps.add("sequential loops are unrolled", "the `unroll` clause asks for it"),
        Some(n) => steps.add(
            format!("sequential loops are unrolled {n} times"),
            "the `unroll` clause, or several loads in flight",
        ),
        None => {}
    }
    if !aligned.is_empty() {
        let names = steps.names(aligned);
        steps.add(
            format!("several fields of an element of {names} in one access"),
            "the memory of this launch begins where such accesses may",
        );
    }
    if *index32 {
        steps.add(
            "subscripts are computed in 32 bits",
            "every trip count and proved subscript of this launch fits",
        );
    }
    if !checks.is_empty() {
        steps.add(
            format!("{} subscripts are checked in the kernel", checks.len()),
            "the sizes of this launch don't prove them",
        );
    }
    if !claims.is_empty() {
        let names = steps.names(claims.iter());
        steps.add(
            format!("iterations claim the elements of {names} that they touch"),
            "only the data shows whether two iterations meet there",
        );
    }
    steps.list
}

struct Steps<'a> {
    kernel: &'a Kernel,
    list: Vec<Step>,
}

impl Steps<'_> {
    fn add(&mut self, what: impl Into<String>, why: impl Into<String>) {
        self.list.push(Step { what: what.into(), why: why.into() });
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
                format!("{width} neighbouring elements of {names} in one access"),
                "consecutive iterations access consecutive elements, and the addresses are aligned",
            );
        }
        if unroll > 1 {
            self.add(
                format!("a thread has {unroll} independent loads in flight"),
                "memory answers late; loads that wait at the same time wait once",
            );
        }
    }

    fn strategy(&mut self, strategy: &Strategy) {
        match strategy {
            Strategy::Linear => self.add(
                "iterations go to the threads one by one: thread t has t, t + threads, …",
                "neighbouring threads have neighbouring iterations, whatever the sizes",
            ),
            Strategy::Dealt { team, each } => self.add(
                format!("teams have {team} iterations in a row, their threads {each}"),
                "the `schedule` and `dist_schedule` clauses say so",
            ),
            Strategy::Vector { width, unroll, arrays } => {
                self.add(
                    "a thread has groups of neighbouring iterations",
                    "a loop over arrays is limited by memory",
                );
                self.groups(*width, *unroll, arrays);
            }
            Strategy::Grid { axes, cover, together, resident } => {
                let on: Vec<_> = axes
                    .iter()
                    .zip(["x", "y", "z"])
                    .map(|(d, axis)| format!("{} on {axis}", self.variable(*d)))
                    .collect();
                self.add(
                    format!("loops on the axes of the grid: {}", on.join(", ")),
                    "neighbouring threads (axis x) take the loop along which memory is contiguous",
                );
                match cover {
                    Cover::Exact => {}
                    Cover::Guarded => self.add(
                        "threads outside of the loops leave at once",
                        "the trip counts are no multiples of the block",
                    ),
                    Cover::Strided => self.add(
                        "threads take several iterations, a grid apart",
                        "there are more iterations than threads",
                    ),
                }
                if *together > 1 {
                    self.add(
                        format!("a thread runs {together} neighbouring iterations jointly"),
                        "they read the same elements, which are loaded once",
                    );
                }
                if *resident > 0 {
                    self.add(
                        format!("registers are limited, so that {resident} blocks run on a multiprocessor"),
                        "more threads hide the latency of memory",
                    );
                }
            }
            Strategy::Teams => self.add(
                "a team for each outer iteration; its threads share the inner loop",
                "an inner directive says so, or the inner iterations are independent",
            ),
            Strategy::Reduce { width, unroll, arrays, alone } => {
                self.add(
                    "threads reduce their iterations in registers, blocks in shared memory; the last block finishes",
                    "one launch, no atomics on floats, and the same result in each run",
                );
                self.groups(*width, *unroll, arrays);
                if *alone {
                    self.add(
                        "a block has a multiprocessor to itself",
                        "its partial results need the registers",
                    );
                }
            }
            Strategy::Tiles { rows, wide } => {
                self.add(
                    format!("a reduction over two loops: a thread has {rows} neighbouring iterations of the outer one"),
                    "what they read of the inner loop's arrays is loaded once",
                );
                if let Some(wide) = wide {
                    self.add(
                        format!("and {} neighbouring iterations of the inner one", wide.columns),
                        "neighbouring elements are loaded in one access",
                    );
                }
            }
            Strategy::Ordered { run, .. } => self.add(
                format!("a thread reduces {run} iterations in a row, and parts are combined in order"),
                "the operator need not commute, so operands keep their order",
            ),
            Strategy::Bins { width, unroll, arrays, shared, slots } => {
                self.add(
                    "integers of the reduced arrays are updated atomically",
                    "many iterations may update the same element",
                );
                if *shared > 0 || *slots > 0 {
                    self.add(
                        "blocks update copies in shared memory first",
                        "atomics there are quicker, and the device's memory sees one update a block",
                    );
                }
                self.groups(*width, *unroll, arrays);
            }
            Strategy::Accumulators { width, unroll, arrays, .. } => {
                self.add(
                    "sums of floats are kept as integers in the device's memory",
                    "integer addition is associative: the result is the same in each run",
                );
                self.groups(*width, *unroll, arrays);
            }
            Strategy::Copies { width, unroll, arrays, each, .. } => {
                let who = match each {
                    Each::Thread { .. } => "each thread",
                    Each::Warp { .. } => "each warp",
                };
                self.add(
                    format!(
                        "{who} reduces into a copy of the arrays of its own; a second launch combines them"
                    ),
                    "the operator has no atomic form, or its order matters",
                );
                self.groups(*width, *unroll, arrays);
            }
            Strategy::Scan => self.add(
                "three launches: sums of parts, their scan, and the parts again from where they start",
                "the blocks of this device can't wait for each other",
            ),
            Strategy::LookBack { run, packed, .. } => {
                self.add(
                    format!("one launch: a thread has {run} iterations in a row, and tiles take over from those before them"),
                    "data is read and written once",
                );
                if !packed.is_empty() {
                    let names = self.names(packed);
                    self.add(
                        format!("results in {names} are collected in shared memory before they are stored"),
                        "neighbouring threads then store neighbouring elements",
                    );
                }
            }
            Strategy::Recipe(recipe) => self.recipe(recipe),
            Strategy::Rows { chunks } => self.add(
                format!("a warp scans one row at a time, with {chunks} elements of a lane in flight"),
                "rows are independent, and lanes exchange partial sums without memory",
            ),
            Strategy::Fixed { run, .. } => self.add(
                format!("partial results of runs of {run} iterations are combined by one fixed tree"),
                "`reproducible`: the result doesn't depend on the device or the grid",
            ),
        }
    }

    fn recipe(&mut self, recipe: &crate::program::recipe::Recipe) {
        if recipe.parallelised > 0 {
            self.add(
                format!("{} sequential loops run in parallel", recipe.parallelised),
                "their iterations are independent",
            );
        }
        self.add(
            "accumulators are promoted to registers",
            "an element that all iterations of a loop update is loaded and stored once",
        );
        if let Some(chunks) = recipe.chunks {
            let tail = if chunks.tail { ", and what is left of it" } else { "" };
            self.add(
                format!("the sequential loop is split into chunks of {}{tail}", chunks.depth),
                "what a chunk reads fits shared memory",
            );
        }
        let sides: Vec<_> = recipe.tiles.tiles.iter().map(|tile| tile.extent().to_string()).collect();
        self.add(
            format!("a block has a tile of {} iterations", sides.join("x")),
            "elements that its threads share are loaded once for all of them",
        );
        let registers: Vec<_> = recipe.tiles.tiles.iter().map(|tile| tile.registers.to_string()).collect();
        if recipe.tiles.tiles.iter().any(|tile| tile.registers > 1) {
            self.add(
                format!("a thread has {} of them, unrolled and jammed", registers.join("x")),
                "an element that is in a register is used several times",
            );
        }
        if recipe.tiles.band > 1 {
            self.add(
                format!("blocks go through {} rows of tiles together", recipe.tiles.band),
                "what they share stays in the second-level cache",
            );
        }
        if recipe.matrix > 0 {
            self.add(
                "chunks are multiplied by matrix instructions",
                "the products and sums have their form and precision",
            );
        }
        self.add(
            "what tiles read again, or across memory, is staged in shared memory",
            "accesses to the device's memory become contiguous, and fewer",
        );
        match recipe.pipeline {
            Pipeline::None => {}
            Pipeline::Registers => {
                self.add(
                    "the next chunk is loaded into registers meanwhile",
                    "loads overlap with arithmetic",
                );
            }
            Pipeline::Asynchronous(n) => {
                self.add(
                    format!("{n} chunks are on their way by asynchronous copies"),
                    "loads overlap with arithmetic, without registers",
                );
            }
        }
        if recipe.store > 1 {
            self.add(
                format!("{} results are stored together", recipe.store),
                "one access in place of several",
            );
        }
        if recipe.resident > 0 {
            self.add(
                format!("registers are limited, so that {} blocks run on a multiprocessor", recipe.resident),
                "while one waits for memory, another computes",
            );
        }
        if !recipe.checked.is_empty() {
            self.add(
                format!("{} operators are checked for overflow", recipe.checked.len()),
                "the crate is built with overflow checks",
            );
        }
    }
}
