//! The abelian sandpile and a cyclic automaton with rules behind a trait.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, omp::Device)]
    pub struct Sandpile { limit: u32 }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Cyclic { colours: u8, threshold: usize }
    #[omp::declare_target]
    impl Sandpile {
        fn next(&self, centre: u32, around: [u32; 4]) -> u32 {
            let kept = if centre >= self.limit { centre - self.limit } else { centre };
            kept + around.iter().filter(|&&n| n >= self.limit).count() as u32
        }
    }
    #[omp::declare_target]
    impl Cyclic {
        fn successor(&self, c: u8) -> u8 { (c + 1) % self.colours }
        fn next(&self, centre: u8, around: [u8; 4]) -> u8 {
            let s = self.successor(centre);
            if around.into_iter().filter(|n| *n == s).count() >= self.threshold { s } else { centre }
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub enum Side { North, East, South, West }
    #[omp::declare_target]
    impl Side {
        const ALL: [Side; 4] = [Side::North, Side::East, Side::South, Side::West];
        fn step(self, x: usize, y: usize, w: usize, h: usize) -> Option<(usize, usize)> {
            Some(match self {
                Side::North => (x, y.checked_sub(1)?),
                Side::West => (x.checked_sub(1)?, y),
                Side::East => (Some(x + 1).filter(|&x| x < w)?, y),
                Side::South if y + 1 < h => (x, y + 1),
                Side::South => return None,
            })
        }
    }

    pub fn topple(grid: &[u32], w: usize, rule: &Sandpile) -> Vec<u32> {
        let h = grid.len() / w;
        let mut next = vec![0; grid.len()];
        #[omp::target]
        for (y, row) in next.chunks_mut(w).enumerate() {
            for (x, cell) in row.iter_mut().enumerate() {
                let around = Side::ALL.map(|s| s.step(x, y, w, h).map_or(0, |(nx, ny)| grid[ny * w + nx]));
                *cell = rule.next(grid[y * w + x], around);
            }
        }
        next
    }
    pub fn cycle(grid: &[u8], w: usize, rule: Cyclic) -> Vec<u8> {
        let h = grid.len() / w;
        let mut next = grid.to_vec();
        #[omp::target]
        for (k, cell) in next.iter_mut().enumerate() {
            let (x, y) = (k % w, k / w);
            let mut around = [*cell; 4];
            for (n, side) in around.iter_mut().zip(Side::ALL) {
                if let Some((nx, ny)) = side.step(x, y, w, h) { *n = grid[ny * w + nx]; }
            }
            *cell = rule.next(*cell, around);
        }
        next
    }
    pub fn run() -> (Vec<u32>, Vec<u8>) {
        let (w, h) = (12, 9);
        let mut sand: Vec<u32> = (0..w * h).map(|k| if k == w * 4 + 6 { 60 } else { (k % 4) as u32 }).collect();
        let mut cells: Vec<u8> = (0..w * h).map(|k| (k * k % 5) as u8).collect();
        for _ in 0..10 {
            sand = topple(&sand, w, &Sandpile { limit: 4 });
            cells = cycle(&cells, w, Cyclic { colours: 5, threshold: 1 });
        }
        (sand, cells)
    }
}
port!(sandpile: run());
