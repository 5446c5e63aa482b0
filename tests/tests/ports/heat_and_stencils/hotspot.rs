//! Rodinia's hotspot: temperatures of a chip, a grid indexed by pairs.
use omp_tests::twice;
twice! {
    use std::ops::{Index, IndexMut};

    #[derive(Clone, Debug, omp::Mapper)]
    pub struct Grid { rows: usize, cols: usize, cells: Vec<f32> }

    impl Grid {
        pub fn new(rows: usize, cols: usize, f: impl Fn(usize, usize) -> f32) -> Self {
            let cells = (0..rows * cols).map(|k| f(k / cols, k % cols)).collect();
            Grid { rows, cols, cells }
        }
        fn clamped(&self, r: isize, c: isize) -> f32 {
            let r = r.clamp(0, self.rows as isize - 1) as usize;
            let c = c.clamp(0, self.cols as isize - 1) as usize;
            self[(r, c)]
        }
    }

    #[omp::declare_target]
    impl Index<(usize, usize)> for Grid {
        type Output = f32;
        fn index(&self, (r, c): (usize, usize)) -> &f32 { &self.cells[r * self.cols + c] }
    }
    #[omp::declare_target]
    impl IndexMut<(usize, usize)> for Grid {
        fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut f32 { &mut self.cells[r * self.cols + c] }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Chip { cap: f32, rx: f32, ry: f32, rz: f32, ambient: f32 }

    impl Default for Chip {
        fn default() -> Self { Chip { cap: 0.5, rx: 1.2, ry: 0.9, rz: 4.75, ambient: 80.0 } }
    }

    fn step(next: &mut Grid, temp: &Grid, power: &Grid, chip: &Chip, dt: f32) {
        let Chip { cap, rx, ry, rz, ambient } = *chip;
        #[omp::target(collapse(2))]
        for r in 0..temp.rows {
            for c in 0..temp.cols {
                let here = temp[(r, c)];
                let (ri, ci) = (r as isize, c as isize);
                let [north, south, west, east] = [(-1, 0), (1, 0), (0, -1), (0, 1)].map(|(dr, dc)| temp.clamped(ri + dr, ci + dc));
                let delta = (dt / cap) * (power[(r, c)]
                    + (south + north - 2.0 * here) / ry
                    + (east + west - 2.0 * here) / rx
                    + (ambient - here) / rz);
                next[(r, c)] = here + delta;
            }
        }
    }

    pub fn run() -> Vec<f32> {
        let mut temp = Grid::new(12, 9, |r, c| 320.0 + (r * 7 + c * 3) as f32 % 11.0);
        let power = Grid::new(12, 9, |r, c| if (r + c) % 5 == 0 { 1.5 } else { 0.1 });
        let mut next = temp.clone();
        let chip = Chip::default();
        for _ in 0..4 {
            step(&mut next, &temp, &power, &chip, 0.05);
            std::mem::swap(&mut temp, &mut next);
        }
        temp.cells
    }
}
port!(hotspot: run());
