//! Rows that are computed element by element: only the loop around them has a directive, and the launch shows that the iterations of the
//! loops inside are independent, too. Neighbouring threads have neighbouring elements of a row, or of the next rows if rows are short. With
//! one thread for each row, a warp would access 32 rows at a time, each in a transaction of its own.
use super::numbers::{Made, Numbers};
use super::{Facts, WIDEST};
use crate::program::gcd;
use omp_ir::analysis::plan::Iterations;
use omp_ir::template::{Base, Place, Stmt};
use omp_ir::visit;

/// Threads of a block, and of a warp.
const THREADS: u32 = 256;
const WARP: u32 = 32;

/// Bytes of a row of numbers of less than a word, at most, that a thread accesses as fast as one of them.
const NARROW: u64 = 3;

/// Rows of a thread, at most, whose loads are under way at the same time.
const ROWS_OF_THREAD: u32 = 4;

/// Threads of a multiprocessor: if there are no more, each has one row.
const THREADS_OF_UNIT: u64 = 2048;

impl Facts<'_> {
    /// Whether sequential loops have become parallel and none is left, and whether all accesses follow the rows.
    pub(super) fn is_stream(&self) -> bool {
        let dims = self.kernel.template.dims.len();
        let inside = self.parallel > dims && self.nest.loops.len() == self.parallel && self.fast >= dims;
        let turned = (0..self.reads.len()).any(|n| self.is_staged(n, &[], false));
        inside && !turned && !self.is_of_cores() && self.nest.limits.is_empty()
    }

    /// The recipe of rows of such elements. The numbers depend little on the sizes, so that rows that get shorter with each launch have few
    /// kernels.
    pub(super) fn streams(&self) -> Vec<(f64, Made)> {
        // A row at the border of an interior would be one thread's.
        if !self.is_stream() || !self.is_far(NARROW) || self.iterations == Iterations::Interior {
            return Vec::new();
        }
        let (pins, count) = (&self.request.pins, |l: usize| self.nest.loops[l].count);
        let vector = self.neighbours();
        let mut around = (0..self.parallel).filter(|l| *l != self.fast);
        // A row has one warp of a block, or more if there are fewer rows than a block has room for.
        let rows = around.clone().fold(1u64, |rows, l| rows.saturating_mul(count(l)));
        let most = (u64::from(THREADS) / rows.clamp(1, THREADS.into())).max(WARP.into());
        let accesses = count(self.fast).div_ceil(vector.into()).clamp(1, most);
        let across = pins.block.map_or(accesses.next_power_of_two() as u32, |[x, ..]| x.max(1));
        let lanes = gcd(across.into(), WARP.into()) as u32;
        // The block's other threads are along one of the loops around: that of which `block` gives their number, or the longest one.
        let most = |l: &usize| u64::from((THREADS / across).max(1)).min(count(*l).next_power_of_two());
        let slow = if pins.block.is_some() { around.next_back() } else { around.max_by_key(most) };
        let Some(slow) = slow else { return Vec::new() };
        let down = (most(&slow) as u32).max(WARP / lanes);
        let size = self.reads.iter().map(|r| self.size(r.1)).max().unwrap_or(WIDEST);
        let rows = (WIDEST as u32 / (size as u32 * vector).max(1)).clamp(1, ROWS_OF_THREAD);
        let all = self.nest.loops.iter().fold(1u64, |all, l| all.saturating_mul(l.count));
        let threads = all / u64::from(vector * rows);
        let many = threads >= u64::from(self.request.device.units.max(1)) * THREADS_OF_UNIT;
        let rows = if many && count(slow) >= u64::from(down * rows) { rows } else { 1 };
        let mut tiles = vec![[1; 3]; self.parallel];
        tiles[slow] = [down, rows, 1];
        tiles[self.fast] = [across, vector, vector];
        self.candidate(Numbers::of(tiles, lanes)).map(|made| (0.0, made)).into_iter().collect()
    }

    /// Elements of a row that one access of each array loads or stores.
    fn neighbours(&self) -> u32 {
        // A store that not all iterations reach is of one element.
        let mut conditional = false;
        visit::each_stmt(&self.kernel.body.code.block, &mut |stmt| {
            if let Stmt::If { then, els, .. } = stmt {
                let blocks = [then, els].into_iter();
                blocks.for_each(|block| visit::each_stmt(block, &mut |stmt| conditional |= stores(stmt)));
            }
        });
        let width = |n: usize| {
            let access = self.access(n);
            let along = access.axes.last().is_some_and(|a| a.unit && a.loops == [(self.fast as u32, 1)]);
            match (self.moves(n, self.fast), along) {
                (true, true) => self.width(n, &access, 0, WIDEST).0,
                (true, false) => 1,
                (false, _) => u32::MAX,
            }
        };
        let widths = (0..self.reads.len()).map(width);
        if conditional { 1 } else { widths.min().unwrap_or(1).min(WIDEST as u32) }
    }
}

/// A store to an array.
fn stores(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Assign { place: Place { base: Base::Array(_), .. }, .. })
}
