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
