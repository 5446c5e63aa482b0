//! Declared traits of another crate than the one that implements them.

/// What has an area by default.
#[omp::declare_target]
pub trait Shape {
    /// The length of a side.
    fn side(&self) -> f32;
    /// That of a square.
    fn area(&self) -> f32 {
        self.side() * self.side()
    }
}

/// Another trait of this name.
pub mod further {
    /// What has a colour by default.
    #[omp::declare_target]
    pub trait Shape {
        /// Its number.
        fn colour(&self) -> u32 {
            7
        }
    }
}

/// Where elements stand.
pub mod layout {
    /// Row by row.
    #[omp::declare_target]
    #[must_use]
    pub const fn row_major(i: usize, j: usize, n: usize) -> usize {
        i * n + j
    }

    /// The lower triangle, row by row.
    #[omp::declare_target]
    #[must_use]
    pub const fn lower(i: usize, j: usize) -> usize {
        i * (i + 1) / 2 + j
    }

    /// Rows of `N` elements, of which the last ones may be padding.
    #[omp::declare_target]
    #[must_use]
    pub const fn padded<const N: usize>(i: usize, j: usize) -> usize {
        i * N + j
    }
}
