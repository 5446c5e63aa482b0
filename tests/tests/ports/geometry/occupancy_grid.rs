//! Occupancy grids of a range finder: Bresenham's lines from the origin to each hit.
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Cell { x: i32, y: i32 }
    #[omp::declare_target]
    impl PartialEq for Cell { fn eq(&self, o: &Cell) -> bool { self.x == o.x && self.y == o.y } }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Bresenham { at: Cell, to: Cell, dx: i32, dy: i32, sx: i32, sy: i32, err: i32, done: bool }
    #[omp::declare_target]
    impl Bresenham {
        fn new(at: Cell, to: Cell) -> Self {
            let (dx, dy) = ((to.x - at.x).abs(), -(to.y - at.y).abs());
            Self { at, to, dx, dy, sx: (to.x - at.x).signum(), sy: (to.y - at.y).signum(), err: dx + dy, done: false }
        }
        fn next(&mut self) -> Option<Cell> {
            if self.done { return None; }
            let cell = self.at;
            if cell == self.to { self.done = true; return Some(cell); }
            let e2 = 2 * self.err;
            if e2 >= self.dy { self.err += self.dy; self.at.x += self.sx; }
            if e2 <= self.dx { self.err += self.dx; self.at.y += self.sy; }
            Some(cell)
        }
    }
    #[omp::declare_target]
    impl PartialEq<(i32, i32)> for Cell { fn eq(&self, o: &(i32, i32)) -> bool { self.x == o.0 && self.y == o.1 } }
    pub fn cell(x: i32, y: i32) -> Cell { Cell { x, y } }
    pub fn update(d: usize, w: usize, h: usize, origin: Cell, hits: &[Cell]) -> (Vec<i32>, u32) {
        let mut odds = vec![0i32; w * h];
        let mut longest = 0u32;
        #[omp::target(device(d), reduction(+: odds[0..w * h]), reduction(max: longest))]
        for &hit in hits {
            let mut line = Bresenham::new(origin, hit);
            let mut steps = 0;
            while let Some(c) = line.next() {
                if c.x < 0 || c.y < 0 || c.x as usize >= w || c.y as usize >= h { break; }
                let k = c.y as usize * w + c.x as usize;
                if c == hit { odds[k] += 9; } else { odds[k] -= 4; }
                steps += 1;
            }
            longest = longest.max(steps);
        }
        (odds, longest)
    }
}

#[test]
fn occupancy_grid() {
    compare!(m, d => { let h: Vec<_> = (0..70).map(|i| m::cell((i * 13) % 37 - 3, (i * 7) % 29)).collect(); m::update(d, 32, 24, m::cell(15, 11), &h) });
}
