//! Products and other sums along a sequential loop: numbers to try, and a model of their cost.
use super::numbers::{Made, Numbers};
use super::{Facts, LEAST_SUMS, WIDEST};
use crate::program::Keep;
use crate::program::recipe::Recipe;
use crate::program::steps::Pipeline;
use crate::schedule::DeviceKind;
use omp_ir::desc::Prim;
use omp_ir::ids::ArrayId;
use omp_ir::template::FpMode;

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

/// The same where one of the parallel loops is narrow: memory delivers the long factor once, which many small blocks wait for.
const NARROW: [([u32; 4], u32, u32); 2] = [([8, 16, 4, 4], 16, 0), ([8, 8, 4, 4], 16, 0)];

/// The same where both are: one block has all sums, and copies of many terms are in flight.
const FEW: [([u32; 4], u32, u32); 2] = [([1; 4], 64, 4), ([1; 4], 16, 0)];

/// Iterations of a parallel loop from which on it has the tiles above.
const WIDE: u64 = 32;

/// Iterations of a parallel loop from which on a product has tiles.
const NARROWEST: u64 = 8;

/// The numbers for loops of which one or both have few iterations (`slow`, `fast`): threads that the tile has too many of along one go to the
/// other.
fn narrowed([down, across, rows, columns]: [u32; 4], [slow, fast]: [u64; 2], vector: u32) -> [u32; 4] {
    let (few, threads) = (vector.clamp(1, 4), down * across);
    let of = |count: u64, places: u32| count.div_ceil(places.into()).next_power_of_two() as u32;
    match (slow < WIDE, fast < WIDE) {
        (false, false) => [down, across, rows, columns],
        (false, true) => {
            let (across, columns) = (of(fast, few), few);
            [threads / across, across, rows, columns]
        }
        (true, false) => {
            let (down, rows) = (of(slow, few), few);
            [down, threads / down, rows, columns]
        }
        // (Each thread has few sums, so that it waits less for the term before.)
        (true, true) => {
            let mut columns = few;
            while columns > 1 && of(slow, 1) * of(fast, columns) < 32 {
                columns /= 2;
            }
            [of(slow, 1), of(fast, columns), 1, columns]
        }
    }
}

impl Facts<'_> {
    /// Two parallel loops, none of which moves all that a sequential one reads: products of matrices and their like. Of a
    /// parallel loop around them, a block has one iteration.
    pub(super) fn products(&self) -> Vec<(f64, Made)> {
        let (parallel, loops) = (self.parallel, self.nest.loops.len());
        let count = |l: usize| self.nest.loops[l].count;
        if !(2..=3).contains(&parallel) || loops != parallel + 1 {
            return Vec::new();
        }
        let (tiled, sum) = (parallel - 2..parallel, parallel);
        let all = self.nest.loops.iter().fold(1u64, |all, l| all.saturating_mul(l.count));
        // (Many small products have batches.)
        let least = if parallel == 2 { NARROWEST } else { WIDE };
        if tiled.clone().any(|l| count(l) < least) || count(sum) < 16 || all < LEAST_SUMS {
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
        let words = self.words(size);
        let cuda = self.request.device.kind == DeviceKind::Cuda;
        let turned = inner.iter().any(|n| self.reads[*n].2.strides[sum] == 1);
        let mut found = Vec::new();
        let slow = if self.fast == tiled.start { self.fast + 1 } else { tiled.start };
        let (counts, vector) = ([count(slow), count(self.fast)], WIDEST as u32 / size);
        let matrix = cuda
            && parallel == 2
            && counts.iter().all(|n| *n >= WIDE)
            && self.request.device.arch >= 80
            && self.kernel.template.fp != FpMode::Strict
            && inner.iter().all(|n| self.is_f64(self.reads[*n].1));
        // From that on, 16 rows at a time are faster.
        let groups = if self.request.device.arch >= 90 { 2 } else { 1 };
        let matrices = MATRICES.iter().filter(|_| matrix).map(|numbers| (numbers, true));
        let others: &[_] = match counts.iter().filter(|n| **n < WIDE).count() {
            0 => &PRODUCTS,
            1 => &NARROW,
            _ => &FEW,
        };
        for ((shape, depth, stages), matrix) in matrices.chain(others.iter().map(|numbers| (numbers, false)))
        {
            let [down, across, rows, columns] = narrowed(*shape, counts, vector);
            let places = rows * columns * words;
            // Chunks that are turned fall into rows of lanes if their depth is a power of two.
            let uneven = turned && !depth.is_power_of_two();
            if places > 128 || count(sum) < u64::from(*depth) || (*stages > 0 && !cuda) || uneven {
                continue;
            }
            let mut tiles = vec![[1; 3]; parallel];
            // The matrix instruction has neighbours of a column alone.
            tiles[slow] = [down, rows, if matrix { 1 } else { vector.min(rows) }];
            tiles[self.fast] = [across, columns, vector.min(columns)];
            let resident = |besides: u32| {
                (65536 / ((places + besides) * down * across)).clamp(1, 2048 / (down * across))
            };
            let pipeline = if *stages > 0 { Pipeline::Asynchronous(*stages) } else { Pipeline::Registers };
            let mut numbers = Numbers {
                tiles,
                lanes: if matrix { 4 } else { across.min(8).max(32 / down.min(32)) },
                band: 8,
                depth: Some(*depth),
                matrix: if matrix { groups } else { 0 },
                pipeline,
                stage_all: false,
                direct: false,
                rows: 0,
                replicas: 1,
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
                    self.product_cost(recipe, &inner, 4 * words)
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
        let depth = f64::from(recipe.depth());
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

    /// Waves of blocks on a multiprocessor; the last wave has it for itself.
    fn waves(&self, recipe: &Recipe) -> f64 {
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
        let depth = recipe.depth();
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
        self.waves(recipe) * block
    }
}

/// Whether single elements are copied into shared memory.
fn is_narrow(recipe: &Recipe) -> bool {
    recipe.accesses.iter().any(|access| matches!(access.keep, Keep::Shared { width: 1, .. }))
}
