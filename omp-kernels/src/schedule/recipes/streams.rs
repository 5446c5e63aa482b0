//! Rows that are computed element by element: only the loop around them has a directive, and the launch shows that the iterations of the
//! loops inside are independent, too. Neighbouring threads have neighbouring elements of a row, or of the next rows if rows are short. With
//! one thread for each row, a warp would access 32 rows at a time, each in a transaction of its own.
use super::numbers::{Made, Numbers};
use super::{Facts, WIDEST};
use omp_ir::template::{Base, Place, Stmt};
use omp_ir::visit;

/// Threads of a block.
const THREADS: u32 = 256;

/// Bytes of a row of numbers of less than a word, at most, that a thread accesses as fast as one of them.
const WORD: u64 = 3;

/// Elements of a thread whose loads are under way at the same time, at most.
const MOST_IN_FLIGHT: u32 = 4;

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

    /// The recipe of rows of such elements.
    pub(super) fn streams(&self) -> Vec<(f64, Made)> {
        if !self.is_stream() || !self.is_far(WORD) {
            return Vec::new();
        }
        let count = |l: usize| self.nest.loops[l].count;
        let vector = self.neighbours();
        let groups = count(self.fast).div_ceil(vector.into());
        // Of several tiles of a row, few threads are beyond its end.
        let fits = |threads: &u32| groups.next_multiple_of((*threads).into()) - groups <= groups / 8;
        let short = groups.clamp(1, 32).next_power_of_two() as u32;
        let across = [256, 128, 64].into_iter().find(fits).unwrap_or(short);
        // The block's other threads are along one of the loops around.
        let most = |l: &usize| u64::from(THREADS / across).min(count(*l).next_power_of_two());
        let around = (0..self.parallel).filter(|l| *l != self.fast);
        let Some(slow) = around.max_by_key(most) else { return Vec::new() };
        let down = (most(&slow) as u32).max(32 / across.min(32));
        let size = self.reads.iter().map(|r| self.size(r.1)).max().unwrap_or(WIDEST);
        let rows = (WIDEST as u32 / (size as u32 * vector).max(1)).clamp(1, MOST_IN_FLIGHT);
        let all = self.nest.loops.iter().fold(1u64, |all, l| all.saturating_mul(l.count));
        let threads = all / u64::from(vector * rows);
        let many = threads >= u64::from(self.request.device.units.max(1)) * THREADS_OF_UNIT;
        let rows = if many && count(slow) >= u64::from(down * rows) { rows } else { 1 };
        let mut tiles = vec![[1; 3]; self.parallel];
        tiles[slow] = [down, rows, 1];
        tiles[self.fast] = [across, vector, vector];
        self.candidate(Numbers::of(tiles, across.min(32))).map(|made| (0.0, made)).into_iter().collect()
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
