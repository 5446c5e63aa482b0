//! The reasons for the numbers of a recipe, and for having no recipe.
use super::{Facts, LEAST_SUMS, Read, shared_bytes};
use crate::program::Keep;
use crate::program::recipe::Recipe;
use crate::program::steps::{Pipeline, Tile};
use crate::schedule::explain::reasons::{About, all, bytes, names, variable};
use omp_ir::analysis::plan::Iterations;

impl Facts<'_> {
    /// Why a nest has no recipe at all.
    pub(super) fn no_use(&self) -> String {
        if self.is_of_cores() {
            return self
                .cores()
                .err()
                .unwrap_or("the checks of all results of a tile would be too long a text")
                .into();
        }
        let sums = self.nest.loops.iter().fold(1u64, |all, l| all.saturating_mul(l.count));
        let shared = (0..self.parallel).any(|l| !self.shared_along(l).is_empty()) || self.windowed();
        let across = |n: usize| !self.reads[n].3 && !matches!(self.reads[n].2.strides[self.fast], 0 | 1);
        let stencil = |n: usize| {
            let (_, array, ref affine, written, _) = self.reads[n];
            let moved = |other: &Read| {
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
    pub(super) fn record(&self, recipe: &Recipe, proposals: usize) {
        let request = self.request;
        if request.reasons.is_none() {
            return;
        }
        match &recipe.rows {
            Some(rows) => {
                request.why(About::Strategy, || self.why_rows(rows));
                request.because(
                    About::Resident,
                    "other blocks run while threads of one wait for each other or for memory",
                );
            }
            None => self.explain_tiles(recipe, proposals),
        }
        if self.iterations == Iterations::Interior {
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
            About::Carried,
            "each loop then accesses what it stores by one subscript, so that chunks of it can be copied",
        );
        request
            .because(About::Jam, "their sums read the same elements, which are loaded once for all of them");
        request.because(
            About::Interchanged,
            "its iterations have elements of their own, and a register keeps each of them during the sequential loops",
        );
        request.because(
            About::Coalesced,
            "one loop moves all subscripts as they do, so a chunk may go on from one iteration of the outer loop to the next",
        );
        request.because(
            About::Limits,
            "the bounds of a loop depend on others: tiles are of the box around all iterations, and what is outside of the bounds is left out",
        );
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
            crate::schedule::choose::overflow(request, recipe.checked.len());
        }
        if request.pins.block.is_some() || request.pins.tile.is_some() {
            request.because(About::Block, "the `block` or `tile` clause sets it");
        } else {
            request.why(About::Block, || {
                if self.is_of_cores() {
                    return "a core runs a work-group by itself".into();
                }
                let threads = recipe.tiles.threads();
                let of = if recipe.rows.is_some() { "rows" } else { "tile" };
                format!("{threads} threads have the {of} between them")
            });
        }
    }

    /// The same of tiles of a CPU core.
    fn explain_cores(&self, recipe: &Recipe) {
        let request = self.request;
        let places = recipe.tiles.tiles.iter().map(|t| t.registers).product::<u32>();
        request.why(About::Strategy, || {
            format!("a core computes {places} results at a time in registers: vectors have neighbouring results, and sums of different results don't wait for each other")
        });
        request.because(About::Registers, "an element is loaded once for all results of a tile that use it");
        request.because(About::Band, "tiles that follow each other read the same columns from the caches");
        request.because(About::Resident, "a core runs one block at a time");
    }

    /// The same of what tiles alone have.
    fn explain_tiles(&self, recipe: &Recipe, proposals: usize) {
        let (request, tiles) = (self.request, &recipe.tiles.tiles);
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
        if self.is_of_cores() {
            return self.explain_cores(recipe);
        }
        request.why(About::Strategy, || {
            if recipe.tiles.lanes == 0 {
                return format!(
                    "an iteration of {} is a nest of few independent iterations: a block has {} of them, so that neighbouring threads have \
                     neighbouring results",
                    self.variable(0),
                    tiles[0].extent()
                );
            }
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
            if said.is_empty() && recipe.tiles.replicas > 1 {
                said.push("several loops go through long rows: a block copies the next chunk of each row in the order of memory while it computes".into());
            }
            if said.is_empty() && !recipe.carried.is_empty() {
                said.push("iterations of a row take what those before them have stored, so a thread has a row: a block copies chunks of its rows in the order of memory".into());
            }
            if said.is_empty() && self.is_stream() {
                said.push("iterations of the loops without a directive are independent, so that neighbouring threads have neighbouring elements of a row".into());
            }
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
        request.because(
            About::Replicas,
            "rows are long, so that a multiprocessor has few of them, whose sums in order take as long for one thread as for several; the \
             other operations take less time if more threads share them",
        );
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
            format!(
                "a thread keeps {sums} results in registers, and while a block waits, another one computes"
            )
        });
    }
}
