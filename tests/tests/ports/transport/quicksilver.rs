//! Quicksilver: particles through a mesh of cells until they are absorbed, leave or come to census; tallies by cell and energy group.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Particle {
        position: [f64; 3],
        direction: [f64; 3],
        energy: f64,
        weight: f64,
        time_to_census: f64,
        seed: u64,
        cell: usize,
        alive: bool,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    enum Event { Collision, Facet, Census }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Material { total: f64, absorption: f64, fission: f64 }

    pub struct Tallies<'a> {
        flux: &'a mut [f64],
        absorbed: &'a mut [u32],
        escaped: &'a mut u32,
    }

    #[omp::declare_target]
    fn rng(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    #[omp::declare_target]
    impl Particle {
        fn isotropic(&mut self) {
            let mu = 2.0 * rng(&mut self.seed) - 1.0;
            let phi = std::f64::consts::TAU * rng(&mut self.seed);
            let s = (1.0 - mu * mu).sqrt();
            self.direction = [s * phi.cos(), s * phi.sin(), mu];
        }

        fn advance(&mut self, d: f64) {
            for (p, u) in self.position.iter_mut().zip(&self.direction) {
                *p += d * u;
            }
        }
    }

    /// The distance to the wall of the unit cell, and which one.
    #[omp::declare_target]
    fn nearest_facet(p: &Particle) -> (f64, usize, i64) {
        let mut nearest = (f64::INFINITY, 0, 0);
        for axis in 0..3 {
            let u = p.direction[axis];
            if u == 0.0 {
                continue;
            }
            let wall = if u > 0.0 { p.position[axis].floor() + 1.0 } else { p.position[axis].ceil() - 1.0 };
            let d = (wall - p.position[axis]) / u;
            if d < nearest.0 {
                nearest = (d, axis, if u > 0.0 { 1 } else { -1 });
            }
        }
        nearest
    }

    pub fn cycle(particles: &mut [Particle], materials: &[Material], n: i64, flux: &mut [f64], absorbed: &mut [u32]) -> u32 {
        let mut escaped = 0;
        #[omp::target(reduction(+: escaped, flux, absorbed))]
        for slot in particles.iter_mut() {
            let mut p = *slot;
            while p.alive {
                let material = materials[p.cell % materials.len()];
                let to_collision = -rng(&mut p.seed).max(1e-12).ln() / material.total;
                let (to_facet, axis, side) = nearest_facet(&p);
                let event = if p.time_to_census <= to_collision && p.time_to_census <= to_facet {
                    Event::Census
                } else if to_collision < to_facet {
                    Event::Collision
                } else {
                    Event::Facet
                };
                let d = match event {
                    Event::Census => p.time_to_census,
                    Event::Collision => to_collision,
                    Event::Facet => to_facet,
                };
                p.advance(d);
                p.time_to_census -= d;
                flux[p.cell] += d * p.weight;
                match event {
                    Event::Census => break,
                    Event::Collision => {
                        if rng(&mut p.seed) * material.total < material.absorption {
                            absorbed[p.cell] += 1;
                            p.alive = false;
                        } else {
                            p.energy *= 0.5 + 0.5 * rng(&mut p.seed);
                            p.isotropic();
                        }
                    }
                    Event::Facet => {
                        p.position[axis] = p.position[axis].round();
                        let mut at = [p.cell as i64 % n, p.cell as i64 / n % n, p.cell as i64 / (n * n)];
                        at[axis] += side;
                        if !(0..n).contains(&at[axis]) {
                            escaped += 1;
                            p.alive = false;
                        } else {
                            p.cell = (at[0] + n * (at[1] + n * at[2])) as usize;
                        }
                    }
                }
            }
            *slot = p;
        }
        escaped
    }

    pub fn run() -> (Vec<Vec<f64>>, Vec<u32>) {
        let n = 4i64;
        let mut particles: Vec<Particle> = (0..200)
            .map(|i| {
                let cell = i * 7 % 64;
                let at = [cell % 4, cell / 4 % 4, cell / 16].map(|c| c as f64 + 0.5);
                let mut p = Particle { position: at, energy: 1.0, weight: 1.0, time_to_census: 3.0, seed: i as u64 * 977 + 5, cell, alive: true, ..Particle::default() };
                p.isotropic();
                p
            })
            .collect();
        let materials = [Material { total: 1.0, absorption: 0.2, fission: 0.1 }, Material { total: 2.5, absorption: 0.5, fission: 0.0 }];
        let (mut flux, mut absorbed) = (vec![0.0; 64], vec![0; 64]);
        let escaped = cycle(&mut particles, &materials, n, &mut flux, &mut absorbed);
        absorbed.push(escaped);
        (vec![flux, particles.iter().map(|p| p.energy * p.position[0]).collect()], absorbed)
    }
}
port!(quicksilver: run());
