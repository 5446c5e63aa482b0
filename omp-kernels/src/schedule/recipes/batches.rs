//! Batches of small nests: only the loop around them has a directive, and the loops inside are few iterations each, which the launch shows
//! to be independent (products of small matrices). A block has some of the nests, and neighbouring threads have neighbouring results. With
//! one thread for each nest, a warp would access 32 of them at a time, each element in a transaction of its own.
use super::numbers::{Made, Numbers};
use super::{Facts, MOST_STATEMENTS, WIDEST};
use crate::program::{Term, gcd};

/// Threads of a block that has small nests, or more for whole warps.
const THREADS: u32 = 256;

/// Bytes of a block's shared memory, so that a multiprocessor has room for several blocks.
const MOST_BYTES: u64 = 32 << 10;

/// Iterations of the sequential loops of a result: the text has them all.
const MOST_TERMS: u64 = 64;

/// Sums of all nests: fewer don't fill a device.
const LEAST: u64 = 1 << 16;

/// Iterations of a long row.
const LONG: u64 = 32;

/// Results of a nest.
const MOST_RESULTS: u64 = 4096;

impl Facts<'_> {
    /// Parallel loops that a sequential one has become, of few iterations.
    pub(super) fn batches(&self) -> Vec<(f64, Made)> {
        let (dims, count) = (self.kernel.template.dims.len(), |l: usize| self.nest.loops[l].count);
        let results: u64 = (dims..self.parallel).map(count).product();
        let all = self.nest.loops.iter().fold(1u64, |all, l| all.saturating_mul(l.count));
        let terms = self.sums_of_each();
        if dims != 1
            || self.parallel == dims
            || self.fast < dims
            || self.windowed()
            || !self.nest.limits.is_empty()
            || !(2..=MOST_RESULTS).contains(&results)
            || !(1..=MOST_TERMS).contains(&terms)
            || count(self.fast) < 2
            || all < LEAST
            // A thread with a byte each would need more accesses than one with a row.
            || !self.is_far(4 * WIDEST)
        {
            return Vec::new();
        }
        // What the terms of one sequential loop read comes through shared memory, in the order of memory.
        let staged = self.nest.loops.len() == self.parallel + 1;
        // Without sums, threads share rows.
        if !staged && count(self.fast) >= LONG || self.parallel == 2 && self.is_stream() {
            return Vec::new();
        }
        let size = self.reads.iter().map(|r| self.size(r.1)).max().unwrap_or(4).max(1);
        let vector = if staged { gcd(WIDEST / size.min(WIDEST), count(self.fast)) as u32 } else { 1 };
        // Of a nest.
        let elements = |n: &usize| -> u64 {
            (1..self.nest.loops.len()).filter(|l| self.moves(*n, *l)).map(count).product()
        };
        let read = (0..self.reads.len()).filter(|n| !self.reads[*n].3 && self.moves(*n, self.parallel));
        let bytes = if staged {
            read.map(|n| elements(&n) * self.size(self.reads[n].1)).sum::<u64>().max(1)
        } else {
            1
        };
        let recipe = |(n, (vector, depth)): (usize, (u32, Option<u32>))| {
            let mut tiles = vec![[1; 3]; self.parallel];
            let mut threads = count(self.fast) as u32 / vector;
            tiles[self.fast] = [threads, vector, vector];
            for l in (1..self.parallel).filter(|l| *l != self.fast) {
                let along = count(l) as u32;
                let fits = |t: &u32| along.is_multiple_of(*t) && t * threads <= THREADS;
                let of = (1..=along.min(THREADS)).rev().find(fits).unwrap_or(1);
                tiles[l] = [of, along / of, 1];
                threads *= of;
            }
            let whole = 32 / gcd(threads.into(), 32) as u32;
            let room = if depth.is_some() { MOST_BYTES / bytes / u64::from(whole) } else { THREADS.into() };
            let times = u64::from(THREADS / (threads * whole)).min(room).max(1).ilog2();
            tiles[0][0] = whole << times;
            let made = self.candidate(Numbers { depth, ..Numbers::of(tiles, 0) })?;
            let places: u32 = made.recipe.tiles.tiles.iter().map(|t| t.registers).product();
            (u64::from(places) * terms <= MOST_STATEMENTS).then_some((n as f64, made))
        };
        let depth = staged.then_some(terms as u32);
        let mut shapes = vec![(vector, depth), (1, depth), (1, None)];
        shapes.dedup();
        shapes.into_iter().enumerate().filter_map(recipe).collect()
    }

    /// Whether results of neighbouring iterations of the loop with the directive lie far apart, while nothing else that moves along that
    /// loop lies side by side. Results of less than a word are far apart if more than `narrow` bytes lie between them.
    pub(super) fn is_far(&self, narrow: u64) -> bool {
        let around = self.kernel.template.dims.len() - 1;
        let far = |n: usize| {
            let (_, array, ref affine, ..) = self.reads[n];
            let bytes = affine.strides[around].unsigned_abs().saturating_mul(self.size(array));
            bytes > if self.size(array) < 4 { narrow } else { WIDEST }
        };
        (0..self.reads.len()).all(|n| match self.reads[n].3 {
            true => far(n),
            false => !self.moves(n, around) || !self.moves(n, self.fast) || far(n),
        })
    }

    /// The numbers of a small nest, which the text has: those of its loops, but not how many nests there are.
    pub(super) fn sizes_of_each(&self) -> Vec<(Term, i64)> {
        let strides = (0..self.reads.len()).flat_map(|n| {
            let (id, _, ref affine, ..) = self.reads[n];
            (0..).zip(&affine.strides).map(move |(l, by)| (Term::Stride(id, l), *by))
        });
        let trips = (0..).zip(&self.nest.loops).skip(1).map(|(l, of)| (Term::Trips(l), of.count as i64));
        strides.chain(trips).collect()
    }
}
