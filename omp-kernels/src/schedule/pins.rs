//! The parts of a schedule that the user fixes by clauses. All others are chosen.

/// The clauses `block`, `tile`, `unroll`, `vector`, `schedule(static, n)` and `dist_schedule(static, n)`, as far as a
/// directive has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Pins {
    /// `block(x[, y[, z]])`: threads of a block. On kernels whose iterations are one row, their product.
    pub block: Option<[u32; 3]>,
    /// `tile(a[, b])`: neighbouring iterations that a team takes, of the outer and of the inner loop. Its threads take
    /// one each, so a tile larger than a block is cut.
    pub tile: Option<[u32; 2]>,
    /// `unroll[(n)]`: of the innermost sequential loops; where there are none, iterations that a thread has in flight.
    /// 0: as far as the compiler can.
    pub unroll: Option<u32>,
    /// `vector(n)`: neighbouring elements in one access, where the accesses allow it and they fit 16 bytes; 1: none.
    pub vector: Option<u32>,
    /// `schedule(static, n)`
    pub chunk: Option<u64>,
    /// `dist_schedule(static, n)`
    pub team_chunk: Option<u64>,
}

impl Pins {
    /// Threads of a block in a row, if the user said how many.
    pub(super) fn flat(&self) -> Option<u64> {
        match (self.block, self.tile) {
            (Some(block), _) => Some(block.iter().map(|b| u64::from(*b)).product()),
            (None, Some([a, _])) => Some(u64::from(a)),
            (None, None) => None,
        }
    }

    /// Threads of a block by axis, for two or more dimensions: `axes` are the dimensions on x, y and z.
    pub(super) fn by_axis(&self, axes: &[u32]) -> Option<[u32; 3]> {
        if let Some(block) = self.block {
            return Some(block);
        }
        let tile = self.tile?;
        let mut block = [1; 3];
        for (axis, dim) in axes.iter().enumerate().take(3) {
            block[axis] = tile.get(*dim as usize).copied().unwrap_or(1);
        }
        Some(block)
    }

    /// The widest access in elements that the user allows.
    pub(super) fn width(&self) -> u64 {
        self.vector.map_or(u64::MAX, |v| 1 << u64::from(v.max(1)).ilog2())
    }
}

/// A block with at most so many threads, none of its sides zero: the largest side is halved until it fits.
pub(super) fn fitting(mut block: [u32; 3], most: u32) -> [u32; 3] {
    block = block.map(|side| side.clamp(1, most.max(1)));
    block[2] = block[2].min(64);
    while block.iter().map(|b| u64::from(*b)).product::<u64>() > u64::from(most.max(1)) {
        let largest = (0..3).max_by_key(|&a| block[a]).unwrap_or(0);
        block[largest] = (block[largest] / 2).max(1);
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_fit() {
        assert_eq!(fitting([32, 8, 1], 1024), [32, 8, 1]);
        assert_eq!(fitting([4096, 4096, 1], 1024), [32, 32, 1]);
        assert_eq!(fitting([0, 7, 0], 4), [1, 4, 1]);
        assert_eq!(fitting([1, 1, 1000], 1024), [1, 1, 64]);
        let tile = Pins { tile: Some([4, 16]), ..Pins::default() };
        assert_eq!((tile.by_axis(&[1, 0]), tile.flat()), (Some([16, 4, 1]), Some(4)));
        assert_eq!(Pins { vector: Some(6), ..Pins::default() }.width(), 4);
    }
}
