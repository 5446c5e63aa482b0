//! A forest fire: the states of an automaton are an enum with data.
use omp_tests::twice;

twice! {
    use std::mem::size_of;
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    enum Cell { Empty, Tree { age: u8 }, Burning { left: u8 }, Ash(u16) }
    #[omp::declare_target]
    fn is_burning(c: &Cell) -> bool { matches!(c, Cell::Burning { left } if *left > 0) }
    #[omp::declare_target]
    impl Cell {
        const YOUNG: Cell = Cell::Tree { age: 0 };
        fn next(self, hot: usize, r: u32) -> Self {
            match self {
                Self::Empty if r % 7 == 0 => Self::YOUNG,
                Self::Empty => Self::Empty,
                Self::Tree { .. } if hot > 0 => Self::Burning { left: 2 },
                Self::Tree { age: age @ 0..=200 } => Self::Tree { age: age + 1 },
                Self::Tree { age } => Self::Tree { age },
                Self::Burning { left: 0 | 1 } => Self::Ash(3),
                Self::Burning { left } => Self::Burning { left: left - 1 },
                Self::Ash(0) => Self::Empty,
                Self::Ash(n) => Self::Ash(n - 1),
            }
        }
    }
    #[omp::offload]
    fn step(old: &[Cell], new: &mut [Cell], w: usize, h: usize, seed: u32) {
        #[omp::target(collapse(2))]
        for y in 0..h {
            for x in 0..w {
                let mut hot = 0;
                for (dx, dy) in [(0i32, 1i32), (1, 0), (0, -1), (-1, 0)] {
                    let (nx, ny) = (x as i32 + dx, y as i32 + dy);
                    if nx >= 0 && ny >= 0 && (nx as usize) < w && (ny as usize) < h {
                        if is_burning(&old[ny as usize * w + nx as usize]) { hot += 1; }
                    }
                }
                let r = (x as u32 * 73 + y as u32 * 151 + seed) ^ (seed << 3);
                new[y * w + x] = old[y * w + x].next(hot, r);
            }
        }
    }
    #[omp::offload]
    fn count(cells: &[Cell]) -> (usize, usize, u64) {
        let (mut trees, mut fires, mut ages) = (0, 0, 0);
        #[omp::target(reduction(+: trees, fires, ages))]
        for c in cells {
            match c {
                Cell::Tree { age } => { trees += 1; ages += *age as u64; }
                Cell::Burning { .. } => fires += 1,
                _ => {}
            }
        }
        (trees, fires, ages)
    }

    pub fn run() -> (usize, usize, u64) {
        let (w, h) = (32, 20);
        let mut a = vec![Cell::YOUNG; w * h];
        a[100] = Cell::Burning { left: 2 };
        let mut b = vec![Cell::Empty; w * h];
        for s in 0..30 {
            step(&a, &mut b, w, h, s);
            std::mem::swap(&mut a, &mut b);
        }
        count(&a)
    }
}
port!(forest_fire: run());
