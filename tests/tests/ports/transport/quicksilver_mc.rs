//! Quicksilver: particles that scatter, fission or are absorbed in a mesh of cells.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Event { Collision, Facet, Census }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Rng(u64);
    #[omp::declare_target]
    impl Rng {
        fn new(seed: u64) -> Self { Rng(seed.wrapping_mul(2862933555777941757).wrapping_add(3037000493)) }
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(2862933555777941757).wrapping_add(3037000493);
            (self.0 >> 11) as f64 / (1u64 << 53) as f64
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Particle { x: f64, mu: f64, weight: f64, time: f64, cell: usize, alive: bool, rng: Rng }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Material { total: f64, scatter: f64, fission: f64 }

    #[omp::declare_target]
    impl Particle {
        fn next_event(&mut self, sigma: f64, dx: f64, dt: f64) -> (Event, f64) {
            let to_collision = -(self.rng.next().max(1e-12)).ln() / sigma;
            let edge = if self.mu > 0.0 { (self.cell + 1) as f64 * dx } else { self.cell as f64 * dx };
            let to_facet = ((edge - self.x) / self.mu).abs();
            let to_census = dt - self.time;
            if to_census <= to_collision && to_census <= to_facet {
                (Event::Census, to_census)
            } else if to_collision < to_facet {
                (Event::Collision, to_collision)
            } else {
                (Event::Facet, to_facet)
            }
        }
    }

    pub fn cycle(particles: &mut [Particle], materials: &[Material], cells: usize, dx: f64, dt: f64) -> (Vec<f64>, [u64; 4]) {
        let mut flux = vec![0.0; cells];
        let (mut n_abs, mut n_scat, mut n_census, mut n_leak) = (0u64, 0u64, 0u64, 0u64);
        #[omp::target(reduction(+: n_abs, n_scat, n_census, n_leak))]
        for p in particles.iter_mut() {
            if !p.alive { continue; }
            let mut segments = 0;
            loop {
                let m = materials[p.cell % materials.len()];
                let (event, distance) = p.next_event(m.total, dx, dt);
                p.x += p.mu * distance;
                p.time += distance;
                #[omp::atomic]
                flux[p.cell] += p.weight * distance;
                match event {
                    Event::Census => { n_census += 1; break; }
                    Event::Facet => {
                        match (p.mu > 0.0, p.cell) {
                            (true, c) if c + 1 == cells => { p.alive = false; n_leak += 1; break }
                            (true, c) => p.cell = c + 1,
                            (false, 0) => { p.mu = -p.mu; }
                            (false, c) => p.cell = c - 1,
                        }
                    }
                    Event::Collision => {
                        let r = p.rng.next() * m.total;
                        if r < m.scatter {
                            n_scat += 1;
                            p.mu = 2.0 * p.rng.next() - 1.0;
                        } else if r < m.scatter + m.fission {
                            p.weight *= 1.1;
                        } else {
                            n_abs += 1;
                            p.alive = false;
                            break;
                        }
                    }
                }
                segments += 1;
                if segments > 100 { break; }
            }
        }
        (flux, [n_abs, n_scat, n_census, n_leak])
    }
    pub fn run() -> (Vec<f64>, Vec<u64>, Vec<f64>) {
        let mut ps: Vec<Particle> = (0..60).map(|i| {
            let mut rng = Rng::new(i as u64 + 1);
            let mu = 2.0 * rng.next() - 1.0;
            Particle { x: 0.5 + (i % 8) as f64, mu, weight: 1.0, time: 0.0, cell: i % 8, alive: true, rng }
        }).collect();
        let mats = [Material { total: 1.0, scatter: 0.6, fission: 0.1 }, Material { total: 2.0, scatter: 1.2, fission: 0.0 }];
        let (flux, counts) = cycle(&mut ps, &mats, 8, 1.0, 3.0);
        (flux, counts.to_vec(), ps.iter().map(|p| p.x).collect())
    }
}
port!(quicksilver_mc: run());
