//! Fast multipole (treecode) with a flattened octree: traversal with an explicit stack.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Cell {
        centre: [f64; 3],
        half: f64,
        mass: f64,
        quad: [[f64; 3]; 3],
        first_child: Option<u32>,
        bodies: (u32, u32),
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Body {
        pos: [f64; 3],
        mass: f64,
    }

    pub struct Octree {
        cells: Vec<Cell>,
        bodies: Vec<Body>,
    }

    impl Octree {
        const LEAF: usize = 4;

        fn build(bodies: Vec<Body>) -> Self {
            let mut t = Octree { cells: vec![], bodies };
            let n = t.bodies.len();
            t.cells.push(t.summary([8.0; 3], 8.0, 0, n));
            let mut at = 0;
            while at < t.cells.len() {
                let Cell { centre, half, bodies: (lo, hi), .. } = t.cells[at];
                if (hi - lo) as usize > Self::LEAF && half > 0.2 {
                    let octant = |b: &Body| (0..3).fold(0usize, |o, d| o | ((b.pos[d] >= centre[d]) as usize) << d);
                    t.bodies[lo as usize..hi as usize].sort_by_key(octant);
                    let first = t.cells.len() as u32;
                    let mut start = lo as usize;
                    for o in 0..8 {
                        let count = t.bodies[start..hi as usize].iter().take_while(|b| octant(b) == o).count();
                        let c = std::array::from_fn(|d| centre[d] + if o >> d & 1 == 1 { half / 2.0 } else { -half / 2.0 });
                        t.cells.push(t.summary(c, half / 2.0, start, start + count));
                        start += count;
                    }
                    t.cells[at].first_child = Some(first);
                }
                at += 1;
            }
            t
        }

        fn summary(&self, c: [f64; 3], half: f64, lo: usize, hi: usize) -> Cell {
            let mass: f64 = self.bodies[lo..hi].iter().map(|b| b.mass).sum();
            let mut com = c;
            if mass > 0.0 {
                for d in 0..3 {
                    com[d] = self.bodies[lo..hi].iter().map(|b| b.mass * b.pos[d]).sum::<f64>() / mass;
                }
            }
            let mut quad = [[0.0; 3]; 3];
            for b in &self.bodies[lo..hi] {
                for i in 0..3 {
                    for j in 0..3 {
                        quad[i][j] += 3.0 * b.mass * (b.pos[i] - com[i]) * (b.pos[j] - com[j]);
                    }
                }
            }
            let _ = com;
            Cell { centre: c, half, mass, quad, first_child: None, bodies: (lo as u32, hi as u32) }
        }

        #[omp::offload]
        fn potential(&self, theta: f64, eps: f64) -> (Vec<f64>, u64) {
            let Octree { cells, bodies } = self;
            let mut phi = vec![0.0; bodies.len()];
            let mut interactions = 0u64;
            #[omp::target(reduction(+: interactions))]
            for (i, phi) in phi.iter_mut().enumerate() {
                let p = bodies[i].pos;
                let mut stack = [0u32; 128];
                let mut sp = 1;
                while sp > 0 {
                    sp -= 1;
                    let cell = cells[stack[sp] as usize];
                    if cell.mass == 0.0 {
                        continue;
                    }
                    let d: [f64; 3] = [p[0] - cell.centre[0], p[1] - cell.centre[1], p[2] - cell.centre[2]];
                    let r2 = d.iter().map(|x| x.powi(2)).sum::<f64>() + eps * eps;
                    if 4.0 * cell.half * cell.half < theta * theta * r2 {
                        let r = r2.sqrt();
                        let qrr: f64 = (0..3).map(|a| (0..3).map(|b| cell.quad[a][b] * d[a] * d[b]).sum::<f64>()).sum();
                        *phi -= cell.mass / r + 0.5 * qrr / (r2 * r2 * r) * 1e-2;
                        interactions += 1;
                    } else if let Some(first) = cell.first_child {
                        for c in 0..8 {
                            stack[sp] = first + c;
                            sp += 1;
                        }
                    } else {
                        let (lo, hi) = cell.bodies;
                        for (j, b) in bodies[lo as usize..hi as usize].iter().enumerate() {
                            if lo as usize + j != i {
                                let r2: f64 = p.iter().zip(&b.pos).map(|(a, b)| (a - b) * (a - b)).sum::<f64>() + eps * eps;
                                *phi -= b.mass / r2.sqrt();
                                interactions += 1;
                            }
                        }
                    }
                }
            }
            (phi, interactions)
        }
    }

    pub fn run(n: usize) -> Vec<f64> {
        let bodies = (0..n).map(|i| Body { pos: [(i * 37 % 160) as f64 * 0.1, (i * 59 % 157) as f64 * 0.1, (i * 83 % 149) as f64 * 0.1], mass: 1.0 + (i % 3) as f64 }).collect();
        let t = Octree::build(bodies);
        let (phi, k) = t.potential(0.6, 0.05);
        phi.into_iter().chain([k as f64]).collect()
    }
}
port!(fmm_octree: (run(0), run(7), run(99)));
