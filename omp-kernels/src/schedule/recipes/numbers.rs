//! The numbers of a recipe, the numbers that clauses fix, and the recipe that results.
use super::{Facts, MOST_DEPTH, MOST_ROWS, WIDEST};
use crate::program::recipe::{Chunks, Limit, Recipe};
use crate::program::steps::{Last, Pipeline, TERMS, Tile, Tiles};
use crate::program::{Access, AxisOf, Keep, Term, gcd};
use omp_ir::analysis::plan::Affine;
use std::collections::{BTreeMap, BTreeSet};

/// Places of a thread at most.
const MOST_PLACES: u32 = 256;

/// A recipe, and the numbers that it is made of.
pub(super) struct Made {
    pub(super) numbers: Numbers,
    pub(super) recipe: Recipe,
}

/// The open numbers of a recipe.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Numbers {
    /// By parallel loop: threads along it, places of each, and of these neighbours.
    pub tiles: Vec<[u32; 3]>,
    /// Lanes of a warp along the fast loop; 0: a block has small nests, and its threads are numbered in order (`batches.rs`).
    pub lanes: u32,
    /// Rows of tiles in a band: neighbouring blocks go through a band column by column.
    pub band: u32,
    /// Iterations of a chunk of the last sequential loop.
    pub depth: Option<u32>,
    /// Chunks are added up by the matrix instruction, for so many groups of eight rows at a time; 0: they are not.
    pub matrix: u32,
    /// How chunks overlap.
    pub pipeline: Pipeline,
    /// Elements that neighbouring threads read contiguously go through shared memory, too: copies in flight need no registers. Of windows:
    /// the results do.
    pub stage_all: bool,
    /// Threads load windows straight into their registers.
    pub direct: bool,
    /// Rows of a block that stay on the chip while it runs; 0: none do.
    pub rows: u32,
    /// Threads that have the same places of a tile, and share what is independent in their sequential loops.
    pub replicas: u32,
    /// Blocks that a multiprocessor should have room for.
    pub resident: u32,
}

impl Numbers {
    /// One pass over tiles, without any other step.
    #[must_use]
    pub fn of(tiles: Vec<[u32; 3]>, lanes: u32) -> Self {
        let pipeline = Pipeline::None;
        let (stage_all, direct) = (false, false);
        Self {
            tiles,
            lanes,
            band: 1,
            depth: None,
            matrix: 0,
            pipeline,
            stage_all,
            direct,
            rows: 0,
            replicas: 1,
            resident: 1,
        }
    }
}

impl Facts<'_> {
    /// The recipe with these numbers, except those that the user pins.
    pub(super) fn candidate(&self, numbers: Numbers) -> Option<Made> {
        let numbers = self.pinned(numbers)?;
        Some(Made { recipe: self.recipe(&numbers), numbers })
    }

    /// The numbers with what the user pins; `None` where they don't fit it: `block` is the threads along the loops, `tile` the
    /// places of a block along them, `unroll` the iterations of a chunk, and `vector` the most neighbours.
    pub(super) fn pinned(&self, mut numbers: Numbers) -> Option<Numbers> {
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
        if let (Some([slow, fast]), true) = (pins.tile, numbers.rows > 0) {
            // Rows of a block are neighbours along the last parallel loop.
            numbers.rows = if self.parallel == 1 { slow } else { fast };
            if !(1..=MOST_ROWS).contains(&numbers.rows) || (self.parallel > 1 && slow != 1) {
                return None;
            }
        } else if let Some(tile) = pins.tile {
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
            let fits = self.in_chunks().all(|l| u64::from(depth) <= self.nest.loops[l].count);
            numbers.depth = (fits && depth <= MOST_DEPTH).then_some(depth);
            numbers.depth?;
        }
        let product = |part: usize| numbers.tiles.iter().try_fold(1u32, |all, t| all.checked_mul(t[part]));
        let (threads, places) = (product(0)?, product(1)?);
        let most = self.request.device.max_block;
        if pins.block.is_some() {
            numbers.replicas = 1;
        }
        let fits = threads.checked_mul(numbers.replicas)? <= most
            && if self.is_of_cores() { threads == 1 } else { threads.is_multiple_of(32) }
            && (1..=MOST_PLACES).contains(&places);
        if pins.block.is_some() || pins.tile.is_some() {
            numbers.resident = 1;
        }
        // The blocks of a band are counted in 32 bits.
        let across = self.nest.loops[self.fast]
            .count
            .div_ceil(numbers.tiles[self.fast].iter().take(2).map(|n| u64::from(*n)).product::<u64>().max(1));
        while numbers.band > 1 && across * u64::from(numbers.band) > i32::MAX as u64 {
            numbers.band /= 2;
        }
        // The proof that places fit 32 bits is about tiles of so many.
        let dims = self.kernel.template.dims.len();
        let small = numbers
            .tiles
            .iter()
            .enumerate()
            .all(|(l, [t, r, _])| i64::from(*t) * i64::from(*r) <= self.beyond.along(self.nest, dims, l));
        (fits && small && threads > 0).then_some(numbers)
    }

    /// The limits of the loops, by which loops move them.
    fn limits(&self) -> Vec<Limit> {
        let ends = self
            .nest
            .limits
            .iter()
            .flat_map(|(l, of)| [(*l, false, of.lower.as_ref()), (*l, true, of.upper.as_ref())]);
        let limit = |(of, upper, affine): (u32, bool, Option<&Affine>)| {
            let by =
                (0..).zip(&affine?.strides).filter(|(_, by)| **by != 0).map(|(l, by)| (l, *by)).collect();
            Some(Limit { of, upper, by })
        };
        ends.filter_map(limit).collect()
    }

    pub(super) fn recipe(&self, numbers: &Numbers) -> Recipe {
        let count = |l: usize| self.nest.loops[l].count;
        let is_stream = numbers.lanes > 0 && self.is_stream();
        let tile = |(l, [threads, registers, vector]): (usize, &[u32; 3])| Tile {
            threads: *threads,
            registers: *registers,
            vector: *vector,
            last: match u64::from(threads * registers) {
                extent if !is_stream && count(l).is_multiple_of(extent) => Last::Whole,
                extent if self.is_of_cores() && count(l) >= extent => Last::Shifted,
                _ if is_stream && *vector > 1 && count(l).is_multiple_of((*vector).into()) => Last::Groups,
                _ => Last::Cut,
            },
        };
        let tiles: Vec<Tile> = numbers.tiles.iter().enumerate().map(tile).collect();
        let in_chunks = |depth: u32| {
            let of = |l: usize| {
                let head = self.head(l, numbers);
                let tail = !(count(l) - u64::from(head)).is_multiple_of(u64::from(depth));
                Chunks { of: l as u32, depth, head, tail }
            };
            self.in_chunks().map(of).collect()
        };
        let carried = if numbers.depth.is_some() && numbers.stage_all { self.carried() } else { Vec::new() };
        let chunks: Vec<Chunks> = numbers.depth.map_or_else(Vec::new, in_chunks);
        let vector = tiles[self.fast].vector;
        let split = |l: usize| chunks.iter().find(|chunks| chunks.of as usize == l);
        let Numbers { lanes, band, replicas, .. } = *numbers;
        let tiles = Tiles { tiles, fast: self.fast, lanes, band, replicas };
        // By how much the starts of boxes move along a loop: those of a loop that a box has all iterations of don't, and a box has one
        // iteration of a loop around chunks, or those that are jammed.
        let jammed = self.jammed();
        let around = |l: usize| !self.windowed() && chunks.iter().any(|chunks| l < chunks.of as usize);
        let extent = |l: usize| match (split(l), jammed) {
            (Some(chunks), _) => u64::from(chunks.depth),
            (None, Some((outer, by))) if outer == l => by.into(),
            (None, _) => match tiles.tiles.get(l) {
                Some(tile) => tile.extent().into(),
                None => u64::from(around(l)),
            },
        };
        let rows = self.rows_of(numbers);
        let mut accesses: Vec<Access> = (0..self.reads.len()).map(|n| self.access(n)).collect();
        let mut loads = BTreeSet::new();
        let (mut store, mut sizes, limits) = (u32::MAX, BTreeMap::new(), self.limits());
        for (n, access) in accesses.iter_mut().enumerate() {
            let starts = |axis: &AxisOf| {
                axis.loops.iter().map(|(l, by)| extent(*l as usize) * u64::from(*by)).fold(0, gcd)
            };
            let starts = access.axes.last().map_or(1, starts);
            let head = |(l, by): &(u32, u32)| {
                split(*l as usize).map_or(0, |chunks| u64::from(chunks.head)) * u64::from(*by)
            };
            let head = access.axes.last().map_or(0, |axis| axis.loops.iter().map(head).sum());
            let (width, beyond) = self.width(n, access, head, starts);
            let staged = !self.is_of_cores() && (numbers.lanes > 0 || numbers.depth.is_some());
            let is_carried = carried.iter().any(|carried| carried.load as usize == n);
            if rows.is_none() && staged && !is_carried && self.is_staged(n, &chunks, numbers.stage_all) {
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
            // A limit along the results may cut what one store would write.
            let along = along && !limits.iter().any(|limit| limit.names(self.fast as u32));
            if self.reads[n].3 {
                store = store.min(match access.keep {
                    Keep::Shared { .. } if self.windowed() => {
                        vector.min((WIDEST / self.size(self.reads[n].1)).max(1) as u32)
                    }
                    _ if along => width.min(vector),
                    _ => 1,
                });
            } else if along && access.keep == Keep::Direct && width >= vector {
                loads.insert(n as u32);
            }
        }
        let store = if store == u32::MAX || self.is_of_cores() { 1 } else { store };
        let small = numbers.lanes == 0;
        if small {
            sizes.extend(self.sizes_of_each());
        }
        let fixed = (self.windowed() && !self.is_of_cores()) || rows.is_some() || small;
        // What goes down along a loop is counted from its end.
        let goes_down = |l: usize| {
            let carried = carried.iter().find(|carried| carried.of as usize == l);
            carried.is_some_and(|carried| !accesses[carried.store as usize].down.is_empty())
        };
        let known = |l: usize| match split(l) {
            Some(_) => goes_down(l),
            None => fixed && l >= self.parallel,
        };
        let known = |l: usize| known(l).then(|| count(l) as u32);
        let trips = (0..self.nest.loops.len()).map(known).collect();
        let even = chunks.first().is_some_and(|chunks| chunks.depth.is_multiple_of(2 * TERMS));
        Recipe {
            accesses,
            of: self.of.clone(),
            gathers: self.nest.gathers.clone(),
            checked: self.checked.clone(),
            trips,
            limits,
            parallelised: (self.parallel - self.kernel.template.dims.len()) as u32,
            tiles,
            rows,
            carried,
            chunks,
            jammed: jammed.map(|(l, by)| (l as u32, by)),
            matrix: numbers.matrix,
            pipeline: numbers.pipeline,
            // Next to the sums of the matrix instruction there are registers for a second set of fragments.
            prefetch: numbers.matrix > 0 && matches!(numbers.pipeline, Pipeline::Asynchronous(_)) && even,
            store,
            phases: (is_stream && store == vector).then_some(loads),
            resident: numbers.resident,
            sizes,
            moving: self.nest.moving.clone(),
            iterations: self.iterations,
            decided: self.nest.decided.clone(),
            coalesced: self.nest.coalesced.clone(),
            shared: 0,
        }
    }
}
