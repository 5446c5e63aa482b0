//! Smoothed particle hydrodynamics: density and pressure by a cubic spline, neighbours from a cell grid.
use omp_tests::{Values, twice};

twice! {
    const H: f32 = 0.12;

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Particle { pub pos: [f32; 2], pub vel: [f32; 2], pub rho: f32, pub p: f32 }

    #[omp::declare_target]
    fn kernel(r: f32) -> f32 {
        let q = r / H;
        let sigma = 10.0 / (7.0 * std::f32::consts::PI * H * H);
        sigma * match q {
            q if q < 1.0 => 1.0 - 1.5 * q * q * (1.0 - 0.5 * q),
            q if q < 2.0 => 0.25 * (2.0 - q).powi(3),
            _ => 0.0,
        }
    }

    #[omp::declare_target]
    fn distance(a: &Particle, b: &Particle) -> f32 {
        a.pos.iter().zip(b.pos.iter()).map(|(p, q)| (p - q) * (p - q)).sum::<f32>().sqrt()
    }

    pub fn densities(rho: &mut [f32], particles: &[Particle], cell_start: &[usize], cells: usize) {
        #[omp::target]
        for (i, a) in particles.iter().enumerate() {
            let [cx, cy] = a.pos.map(|c| ((c / (2.0 * H)) as i32).clamp(0, cells as i32 - 1));
            let mut sum = 0.0;
            for ny in (cy - 1).max(0)..=(cy + 1).min(cells as i32 - 1) {
                for nx in (cx - 1).max(0)..=(cx + 1).min(cells as i32 - 1) {
                    let c = ny as usize * cells + nx as usize;
                    sum += particles[cell_start[c]..cell_start[c + 1]]
                        .iter()
                        .map(|b| distance(a, b))
                        .filter(|&r| r < 2.0 * H)
                        .map(kernel)
                        .sum::<f32>();
                }
            }
            rho[i] = sum;
        }
    }

    pub fn pressures(particles: &mut [Particle], rho: &[f32], dt: f32) {
        #[omp::target]
        for (p, &rho) in particles.iter_mut().zip(rho) {
            p.rho = rho;
            p.p = 20.0 * ((rho / 1000.0).powi(7) - 1.0).max(0.0);
            p.vel[1] -= 9.81 * dt;
            for (x, v) in p.pos.iter_mut().zip(p.vel.iter_mut()) {
                *x += *v * dt;
                if *x < 0.0 || *x > 1.0 {
                    *v *= -0.5;
                    *x = x.clamp(0.0, 1.0);
                }
            }
        }
    }

    pub fn run() -> Vec<[f32; 6]> {
        let mut v = Values(6);
        let cells = 5;
        let mut unit = || v.bits() as f32 / 4.3e9;
        let mut particles: Vec<Particle> = (0..150).map(|_| Particle { pos: [unit(), unit()], ..Default::default() }).collect();
        let cell = |p: &Particle| {
            let [x, y] = p.pos.map(|c| ((c / (2.0 * H)) as i32).clamp(0, cells as i32 - 1));
            y as usize * cells + x as usize
        };
        particles.sort_by_key(cell);
        let start: Vec<usize> = (0..=cells * cells).map(|c| particles.iter().filter(|p| cell(p) < c).count()).collect();
        let mut rho = vec![0.0; 150];
        densities(&mut rho, &particles, &start, cells);
        pressures(&mut particles, &rho, 0.01);
        particles.iter().map(|p| [p.pos[0], p.pos[1], p.vel[0], p.vel[1], p.rho / 1000.0, p.p]).collect()
    }
}
port!(sph: run());
