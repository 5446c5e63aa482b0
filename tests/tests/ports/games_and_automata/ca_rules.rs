//! Elementary automata packed in words, Langton-like ants on tiles, Gray-Scott with reflecting borders, Turing patterns.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, PartialEq, Eq, Debug, omp::Device)]
    pub struct Rule(pub u8);

    #[omp::declare_target]
    impl Rule {
        fn word(self, left: u64, mid: u64, right: u64) -> u64 {
            let l = mid << 1 | left >> 63;
            let r = mid >> 1 | right << 63;
            (0..8).filter(|k| self.0 >> k & 1 == 1).fold(0, |acc, k| {
                let a = if k & 4 != 0 { r } else { !r };
                let b = if k & 2 != 0 { mid } else { !mid };
                let c = if k & 1 != 0 { l } else { !l };
                acc | a & b & c
            })
        }
    }

    #[omp::offload]
    fn evolve(rule: Rule, cells: &mut Vec<u64>, steps: usize) {
        let n = cells.len();
        let mut next = vec![0; n];
        for _ in 0..steps {
            #[omp::target]
            for i in 0..n {
                let left = cells[(i + n - 1) % n];
                let right = cells[if i + 1 == n { 0 } else { i + 1 }];
                next[i] = rule.word(left, cells[i], right);
            }
            std::mem::swap(cells, &mut next);
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    enum Turn {
        Left,
        Right,
        Around,
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Ant {
        x: i16,
        y: i16,
        heading: u8,
    }

    #[omp::declare_target]
    impl Ant {
        const MOVES: [(i16, i16); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
        fn walk(&mut self, tile: &mut [u8], side: i16, turns: &[Turn]) {
            let here = self.y as usize * side as usize + self.x as usize;
            let state = &mut tile[here];
            self.heading = (self.heading + match turns[*state as usize] { Turn::Right => 1, Turn::Around => 2, Turn::Left => 3 }) % 4;
            *state = (*state + 1) % turns.len() as u8;
            let (dx, dy) = Self::MOVES[self.heading as usize];
            self.x = (self.x + dx).rem_euclid(side);
            self.y = (self.y + dy).rem_euclid(side);
        }
    }

    #[omp::offload]
    fn ants(tiles: &mut [u8], side: usize, ants: &mut [Ant], turns: &[Turn], steps: u32) {
        #[omp::target]
        for (tile, ant) in tiles.chunks_exact_mut(side * side).zip(ants.iter_mut()) {
            for _ in 0..steps {
                ant.walk(tile, side as i16, turns);
            }
        }
    }

    #[derive(Clone, Copy, Debug)]
    pub struct GrayScott {
        pub feed: f32,
        pub kill: f32,
        pub du: f32,
        pub dv: f32,
    }

    impl GrayScott {
        #[omp::offload]
        fn step(&self, w: usize, h: usize, src: &[(f32, f32)], dst: &mut [(f32, f32)]) {
            let reflect = |i: isize, n: usize| -> usize {
                if i < 0 {
                    (-i - 1) as usize
                } else if i >= n as isize {
                    2 * n - 1 - i as usize
                } else {
                    i as usize
                }
            };
            #[omp::target(collapse(2))]
            for y in 0..h {
                for x in 0..w {
                    let cell = |dx: isize, dy: isize| src[reflect(y as isize + dy, h) * w + reflect(x as isize + dx, w)];
                    let (u, v) = cell(0, 0);
                    let mut lap = (-u, -v);
                    for (dx, dy, k) in [(-1, 0, 0.2), (1, 0, 0.2), (0, -1, 0.2), (0, 1, 0.2), (-1, -1, 0.05), (1, -1, 0.05), (-1, 1, 0.05), (1, 1, 0.05)] {
                        let (a, b) = cell(dx, dy);
                        lap.0 += k * a;
                        lap.1 += k * b;
                    }
                    let reaction = u * v * v;
                    dst[y * w + x] = (
                        (u + self.du * lap.0 - reaction + self.feed * (1.0 - u)).clamp(0.0, 1.0),
                        (v + self.dv * lap.1 + reaction - (self.feed + self.kill) * v).clamp(0.0, 1.0),
                    );
                }
            }
        }
    }

    pub fn run(n: usize) -> (Vec<u64>, Vec<u8>, Vec<Ant>, Vec<(f32, f32)>) {
        let mut cells: Vec<u64> = (0..n as u64).map(|i| i.wrapping_mul(0x9e3779b97f4a7c15)).collect();
        evolve(Rule(110), &mut cells, 5);
        let side = 11;
        let mut tiles = vec![0u8; n * side * side];
        let mut all: Vec<Ant> = (0..n).map(|i| Ant { x: (i % 11) as i16, y: (i / 2 % 11) as i16, heading: (i % 4) as u8 }).collect();
        ants(&mut tiles, side, &mut all, &[Turn::Left, Turn::Right, Turn::Around], 60);
        let (w, h) = (n, n / 2 + 1);
        let mut a: Vec<(f32, f32)> = (0..w * h).map(|i| (1.0, if i % 13 == 0 { 0.5 } else { 0.0 })).collect();
        let mut b = a.clone();
        let gs = GrayScott { feed: 0.055, kill: 0.062, du: 1.0, dv: 0.5 };
        for _ in 0..4 {
            gs.step(w, h, &a, &mut b);
            std::mem::swap(&mut a, &mut b);
        }
        (cells, tiles, all, a)
    }
}
port!(ca_rules: [0, 1, 33, 50].map(|n| crate::Shown::of(run(n))));
