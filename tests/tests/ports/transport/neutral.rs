//! neutral: Monte Carlo neutral particle transport with collision, facet and census events.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, PartialEq, Debug)]
    #[repr(u8)]
    #[derive(omp::Device)]
    enum Event {
        Collision(f64),
        Facet { distance: f64, axis: u8 },
        Census(f64),
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    struct Particle {
        pos: [f64; 2],
        omega: [f64; 2],
        energy: f64,
        weight: f64,
        dt: f64,
        mfp: f64,
        cell: (u32, u32),
        dead: bool,
        seed: u64,
    }

    struct Mesh {
        nx: u32,
        ny: u32,
        dx: f64,
        density: Vec<f64>,
    }

    #[omp::declare_target]
    fn random(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let xorshifted = (((*seed >> 18) ^ *seed) >> 27) as u32;
        let rot = (*seed >> 59) as u32;
        xorshifted.rotate_right(rot) as f64 / u32::MAX as f64
    }

    #[omp::declare_target]
    impl Particle {
        const SPEED_CONST: f64 = 1.3;

        fn speed(&self) -> f64 {
            (self.energy * Self::SPEED_CONST).sqrt()
        }

        fn distance_to_facet(&self, dx: f64) -> (f64, u8) {
            let dist = |axis: usize, cell: u32| {
                let o = self.omega[axis];
                if o >= 0.0 {
                    ((cell + 1) as f64 * dx - self.pos[axis]) / o.max(1e-12)
                } else {
                    (cell as f64 * dx - self.pos[axis]) / o
                }
            };
            let (x, y) = (dist(0, self.cell.0), dist(1, self.cell.1));
            if x < y { (x, 0) } else { (y, 1) }
        }

        fn next_event(&self, dx: f64, sigma: f64) -> Event {
            let collision = self.mfp / sigma;
            let (facet, axis) = self.distance_to_facet(dx);
            let census = self.speed() * self.dt;
            if collision < facet && collision < census {
                Event::Collision(collision)
            } else if facet < census {
                Event::Facet { distance: facet, axis }
            } else {
                Event::Census(census)
            }
        }

        fn travel(&mut self, d: f64) {
            self.dt -= d / self.speed();
            for (p, o) in self.pos.iter_mut().zip(&self.omega) {
                *p += d * o;
            }
        }
    }

    #[omp::offload]
    fn transport(mesh: &Mesh, particles: &mut [Particle], tally: &mut [f64]) -> (u32, u32) {
        let (mut facets, mut collisions) = (0, 0);
        #[omp::target(reduction(+: facets, collisions))]
        for p in particles.iter_mut() {
            let mut guard = 0;
            while !p.dead && p.dt > 0.0 && guard < 1000 {
                guard += 1;
                let cell = (p.cell.1 * mesh.nx + p.cell.0) as usize;
                let sigma = mesh.density[cell] * (0.5 + 1.0 / p.energy.sqrt());
                match p.next_event(mesh.dx, sigma) {
                    Event::Collision(d) => {
                        p.travel(d);
                        collisions += 1;
                        let absorbed = 0.3;
                        #[omp::atomic]
                        tally[cell] += p.weight * p.energy * absorbed;
                        p.weight *= 1.0 - absorbed;
                        if p.weight < 1e-2 || p.energy < 1e-3 {
                            p.dead = true;
                            continue;
                        }
                        let mu = 2.0 * random(&mut p.seed) - 1.0;
                        let e_new = p.energy * (1.0 + 2.0 * 0.9 * mu + 0.81) / 3.61;
                        let angle = std::f64::consts::TAU * random(&mut p.seed);
                        (p.omega[0], p.omega[1]) = (angle.cos(), angle.sin());
                        p.energy = e_new;
                        p.mfp = -random(&mut p.seed).max(1e-12).ln();
                    }
                    Event::Facet { distance, axis } => {
                        p.travel(distance);
                        facets += 1;
                        p.mfp = (p.mfp - distance * sigma).max(0.0);
                        let (c, n) = if axis == 0 { (&mut p.cell.0, mesh.nx) } else { (&mut p.cell.1, mesh.ny) };
                        let a = axis as usize;
                        if p.omega[a] >= 0.0 {
                            if *c + 1 >= n {
                                p.omega[a] = -p.omega[a];
                            } else {
                                *c += 1;
                            }
                        } else if *c == 0 {
                            p.omega[a] = -p.omega[a];
                        } else {
                            *c -= 1;
                        }
                    }
                    Event::Census(d) => {
                        p.travel(d);
                        p.dt = 0.0;
                        break;
                    }
                }
            }
        }
        (facets, collisions)
    }

    pub fn run(n: usize) -> Vec<f64> {
        let mesh = Mesh { nx: 6, ny: 5, dx: 0.5, density: (0..30).map(|i| 0.5 + (i % 7) as f64 * 0.2).collect() };
        let mut ps: Vec<Particle> = (0..n).map(|i| {
            let t = i as f64 * 0.7;
            let cell = ((i % 6) as u32, (i % 5) as u32);
            Particle { pos: [cell.0 as f64 * 0.5 + 0.21, cell.1 as f64 * 0.5 + 0.13], omega: [t.cos(), t.sin()], energy: 1.0 + (i % 3) as f64, weight: 1.0, dt: 0.7, mfp: 0.3 + (i % 4) as f64 * 0.2, cell, dead: false, seed: i as u64 * 7919 + 1 }
        }).collect();
        let mut tally = vec![0.0; 30];
        let (f, c) = transport(&mesh, &mut ps, &mut tally);
        tally.into_iter().chain([f as f64, c as f64]).chain(ps.iter().flat_map(|p| [p.energy, p.weight])).collect()
    }
}
port!(neutral: (run(0), run(1), run(33)));
