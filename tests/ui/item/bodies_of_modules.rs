//! Bodies of other modules that can't stand in the place of their calls.
mod grid {
    pub struct Grid {
        pub cells: Vec<f32>,
        width: usize,
    }

    const HALF: f32 = 0.5;

    pub trait Scaled {
        fn scaled(self) -> f32;
    }
    impl Scaled for f32 {
        fn scaled(self) -> f32 {
            self * HALF
        }
    }

    macro_rules! third {
        ($x:expr) => {
            $x / 3.0
        };
    }

    #[omp::declare_target]
    impl Grid {
        pub fn at(&self, x: usize, y: usize) -> f32 {
            self.cells[y * self.width + x]
        }
        pub fn half(&self, i: usize) -> f32 {
            self.cells[i] * HALF
        }
        pub fn third(&self, i: usize) -> f32 {
            third!(self.cells[i])
        }
        pub fn scaled(&self, i: usize) -> f32 {
            self.cells[i].scaled()
        }
    }
}

#[omp::offload]
mod loops {
    use super::grid::Grid;

    pub fn sum(g: &Grid, y: &mut [f32]) {
        #[omp::target]
        for i in 0..y.len() {
            y[i] = g.at(i, 0);
            y[i] += g.half(i);
            y[i] += g.third(i);
            y[i] += g.scaled(i);
        }
    }
}

fn main() {}
