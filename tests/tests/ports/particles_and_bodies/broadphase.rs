//! Uniform-grid broad phase: cell counts, offsets, scattering, pair tests, impulses.
use omp_tests::twice;
twice! {
    use std::ops::{Add, Mul, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct V2 { x: f32, y: f32 }
    #[omp::declare_target]
    impl Add for V2 { type Output = V2; fn add(self, o: V2) -> V2 { V2 { x: self.x + o.x, y: self.y + o.y } } }
    #[omp::declare_target]
    impl Sub for V2 { type Output = V2; fn sub(self, o: V2) -> V2 { V2 { x: self.x - o.x, y: self.y - o.y } } }
    #[omp::declare_target]
    impl Mul<f32> for V2 { type Output = V2; fn mul(self, k: f32) -> V2 { V2 { x: self.x * k, y: self.y * k } } }
    #[omp::declare_target]
    impl V2 {
        fn dot(self, o: V2) -> f32 { self.x * o.x + self.y * o.y }
        fn norm2(self) -> f32 { self.dot(self) }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Ball { pos: V2, vel: V2, radius: f32, mass: f32 }

    #[derive(Clone, Copy, omp::Device)]
    struct Grid { cell: f32, side: u32 }

    #[omp::declare_target]
    impl Grid {
        fn cell_of(&self, p: V2) -> (u32, u32) {
            let clamp = |v: f32| ((v / self.cell) as u32).min(self.side - 1);
            (clamp(p.x), clamp(p.y))
        }
        fn index(&self, (x, y): (u32, u32)) -> usize { (y * self.side + x) as usize }
        fn cells(&self) -> usize { (self.side * self.side) as usize }
    }

    struct Buckets { start: Vec<u32>, items: Vec<u32> }

    impl Buckets {
        #[omp::offload]
        fn build(balls: &[Ball], grid: &Grid) -> Self {
            let mut start = vec![0u32; grid.cells() + 1];
            #[omp::target]
            for ball in balls {
                let c = grid.index(grid.cell_of(ball.pos));
                #[omp::atomic]
                start[c + 1] += 1;
            }
            #[omp::scan(+)]
            for c in 1..start.len() {
                start[c] += start[c - 1];
            }
            let mut cursor = start.clone();
            let mut items = vec![0u32; balls.len()];
            #[omp::target(disjoint(items))]
            for (i, ball) in balls.iter().enumerate() {
                let c = grid.index(grid.cell_of(ball.pos));
                let at;
                #[omp::atomic(capture)]
                {
                    at = cursor[c];
                    cursor[c] += 1;
                }
                items[at as usize] = i as u32;
            }
            Buckets { start, items }
        }

        fn of(&self, cell: usize) -> &[u32] {
            &self.items[self.start[cell] as usize..self.start[cell + 1] as usize]
        }
    }

    #[omp::declare_target]
    fn impulse(a: &Ball, b: &Ball) -> Option<V2> {
        let d = a.pos - b.pos;
        let reach = a.radius + b.radius;
        let d2 = d.norm2();
        if d2 >= reach * reach || d2 == 0.0 {
            return None;
        }
        let approach = (a.vel - b.vel).dot(d);
        if approach >= 0.0 {
            return None;
        }
        Some(d * (-2.0 * b.mass / (a.mass + b.mass) * approach / d2))
    }

    #[omp::offload]
    fn collide(balls: &[Ball], grid: &Grid, buckets: &Buckets, out: &mut [Ball]) -> u32 {
        let mut contacts = 0u32;
        #[omp::target(reduction(+: contacts))]
        for (i, (ball, next)) in balls.iter().zip(out.iter_mut()).enumerate() {
            let (cx, cy) = grid.cell_of(ball.pos);
            let mut dv = V2::default();
            for y in cy.saturating_sub(1)..=(cy + 1).min(grid.side - 1) {
                for x in cx.saturating_sub(1)..=(cx + 1).min(grid.side - 1) {
                    let cell = grid.index((x, y));
                    let (from, to) = (buckets.start[cell] as usize, buckets.start[cell + 1] as usize);
                    for &j in &buckets.items[from..to] {
                        if j as usize == i {
                            continue;
                        }
                        if let Some(push) = impulse(ball, &balls[j as usize]) {
                            dv = dv + push;
                            contacts += 1;
                        }
                    }
                }
            }
            *next = Ball { vel: ball.vel + dv, ..*ball };
        }
        contacts
    }

    pub fn run(n: usize) -> (Vec<Ball>, u32, Vec<u32>) {
        let balls: Vec<Ball> = (0..n)
            .map(|i| Ball {
                pos: V2 { x: (i * 37 % 101) as f32 * 0.1, y: (i * 53 % 97) as f32 * 0.1 },
                vel: V2 { x: (i % 7) as f32 - 3.0, y: (i % 5) as f32 - 2.0 },
                radius: 0.1 + (i % 4) as f32 * 0.05,
                mass: 1.0 + (i % 3) as f32,
            })
            .collect();
        let grid = Grid { cell: 0.6, side: 17 };
        let mut buckets = Buckets::build(&balls, &grid);
        for c in 0..grid.cells() {
            let (a, b) = (buckets.start[c] as usize, buckets.start[c + 1] as usize);
            buckets.items[a..b].sort();
        }
        let _ = buckets.of(0).len();
        let mut out = balls.clone();
        let contacts = collide(&balls, &grid, &buckets, &mut out);
        (out, contacts, buckets.items)
    }
}
port!(broadphase: [0, 1, 45, 300].map(|n| crate::Shown::of(run(n))));
