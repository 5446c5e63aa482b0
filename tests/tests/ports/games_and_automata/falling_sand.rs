//! Falling sand by Margolus blocks; cells as an enum; a flow field over the result.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default, omp::Device)]
    #[repr(u8)]
    pub enum Cell {
        #[default]
        Air,
        Sand,
        Water,
        Wall,
    }

    #[omp::declare_target]
    impl Cell {
        fn density(self) -> u8 {
            match self {
                Cell::Air => 0,
                Cell::Water => 1,
                Cell::Sand => 2,
                Cell::Wall => u8::MAX,
            }
        }
        fn sinks_in(self, other: Cell) -> bool {
            self != Cell::Wall && other != Cell::Wall && self.density() > other.density()
        }
    }

    #[omp::declare_target]
    fn settle([mut tl, mut tr, mut bl, mut br]: [Cell; 4], coin: bool) -> [Cell; 4] {
        if tl.sinks_in(bl) {
            std::mem::swap(&mut tl, &mut bl);
        }
        if tr.sinks_in(br) {
            std::mem::swap(&mut tr, &mut br);
        }
        if tl.sinks_in(br) && coin {
            std::mem::swap(&mut tl, &mut br);
        } else if tr.sinks_in(bl) && !coin {
            std::mem::swap(&mut tr, &mut bl);
        }
        if bl == Cell::Water && br == Cell::Air {
            (bl, br) = (br, bl);
        }
        [tl, tr, bl, br]
    }

    pub struct World {
        w: usize,
        h: usize,
        cells: Vec<Cell>,
    }

    impl World {
        #[omp::offload]
        fn step(&mut self, t: usize) {
            let (ox, oy) = (t & 1, t >> 1 & 1);
            let (w, h) = (self.w, self.h);
            #[omp::target(collapse(2))]
            for by in 0..(h - oy) / 2 {
                for bx in 0..(w - ox) / 2 {
                    let (x, y) = (bx * 2 + ox, by * 2 + oy);
                    let i = y * w + x;
                    let block = [self.cells[i], self.cells[i + 1], self.cells[i + w], self.cells[i + w + 1]];
                    let coin = (x ^ y ^ t) & 2 == 0;
                    let [a, b, c, d] = settle(block, coin);
                    self.cells[i] = a;
                    self.cells[i + 1] = b;
                    self.cells[i + w] = c;
                    self.cells[i + w + 1] = d;
                }
            }
        }

        #[omp::offload]
        fn relax(&self, dist: &[u32], next: &mut [u32]) -> bool {
            let mut changed = false;
            #[omp::target(reduction(||: changed))]
            for (i, new) in next.iter_mut().enumerate() {
                let old = dist[i];
                *new = old;
                if self.cells[i] == Cell::Wall {
                    continue;
                }
                let (x, y) = (i % self.w, i / self.w);
                let mut best = old;
                if x > 0 {
                    best = best.min(dist[i - 1].saturating_add(1));
                }
                if x + 1 < self.w {
                    best = best.min(dist[i + 1].saturating_add(1));
                }
                if y > 0 {
                    best = best.min(dist[i - self.w].saturating_add(1));
                }
                if y + 1 < self.h {
                    best = best.min(dist[i + self.w].saturating_add(1));
                }
                *new = best;
                changed |= best != old;
            }
            changed
        }

        #[omp::offload]
        fn directions(&self, dist: &[u32]) -> Vec<Option<(i8, i8)>> {
            const NEIGHBOURS: [(i8, i8); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
            let mut out = vec![None; dist.len()];
            #[omp::target]
            for (i, o) in out.iter_mut().enumerate() {
                let (x, y) = ((i % self.w) as i32, (i / self.w) as i32);
                *o = NEIGHBOURS
                    .iter()
                    .copied()
                    .filter(|&(dx, dy)| {
                        let (nx, ny) = (x + dx as i32, y + dy as i32);
                        nx >= 0 && ny >= 0 && nx < self.w as i32 && ny < self.h as i32
                    })
                    .min_by_key(|&(dx, dy)| dist[(y + dy as i32) as usize * self.w + (x + dx as i32) as usize])
                    .filter(|_| dist[i] != u32::MAX);
            }
            out
        }
    }

    pub fn run(n: usize) -> (Vec<Cell>, Vec<u32>, Vec<Option<(i8, i8)>>) {
        if n == 0 {
            return Default::default();
        }
        let cells = (0..n * n).map(|i| [Cell::Air, Cell::Sand, Cell::Water, Cell::Air, Cell::Wall, Cell::Air, Cell::Air][(i * i + i / n) % 7]).collect();
        let mut world = World { w: n, h: n, cells };
        for t in 0..12 {
            world.step(t);
        }
        let mut dist = vec![u32::MAX; n * n];
        dist[0] = 0;
        let mut next = dist.clone();
        while world.relax(&dist, &mut next) {
            std::mem::swap(&mut dist, &mut next);
        }
        let d = world.directions(&dist);
        (world.cells, dist, d)
    }
}
port!(falling_sand: [0, 1, 13, 24].map(|n| crate::Shown::of(run(n))));
