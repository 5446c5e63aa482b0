//! Particle in cell: charge by atomics, fields interpolated, particles that leave are packed away.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Particle { x: f64, v: f64, alive: bool }

    #[omp::declare_target]
    fn cell_of(x: f64, dx: f64) -> (usize, f64) {
        let s = x / dx;
        (s as usize, s.fract())
    }

    pub fn deposit(rho: &mut [f64], particles: &[Particle], dx: f64) {
        #[omp::target(reduction(+: rho))]
        for p in particles.iter().filter(|p| p.alive) {
            let (i, f) = cell_of(p.x, dx);
            rho[i] += 1.0 - f;
            rho[i + 1] += f;
        }
    }

    pub fn push(particles: &mut [Particle], field: &[f64], dx: f64, dt: f64, length: f64) {
        #[omp::target]
        for p in particles.iter_mut() {
            if !p.alive {
                continue;
            }
            let (i, f) = cell_of(p.x, dx);
            p.v += dt * ((1.0 - f) * field[i] + f * field[i + 1]);
            p.x += p.v * dt;
            p.alive = (0.0..length).contains(&p.x);
        }
    }

    pub fn pack(kept: &mut [Particle], lost: &mut [u32], particles: &[Particle]) -> (usize, usize) {
        let mut n = 0;
        let mut gone = 0;
        #[omp::target]
        for (i, p) in particles.iter().enumerate() {
            if p.alive {
                kept[n] = *p;
                n += 1;
            } else {
                lost[gone] = i as u32;
                gone += 1;
            }
        }
        (n, gone)
    }

    pub fn run() -> (Vec<f64>, Vec<(f64, f64)>, Vec<u32>) {
        let mut v = Values(20);
        let mut unit = || v.bits() as f64 / 4294967296.0;
        let mut particles: Vec<Particle> =
            (0..300).map(|_| Particle { x: unit() * 10.0, v: unit() * 8.0 - 4.0, alive: true }).collect();
        let field: Vec<f64> = (0..42).map(|_| unit() - 0.5).collect();
        push(&mut particles, &field, 0.25, 0.1, 10.0);
        let mut rho = vec![0.0; 42];
        deposit(&mut rho, &particles, 0.25);
        let mut kept = vec![Particle::default(); 300];
        let mut lost = vec![0; 300];
        let (n, gone) = pack(&mut kept, &mut lost, &particles);
        (rho, kept[..n].iter().map(|p| (p.x, p.v)).collect(), lost[..gone].to_vec())
    }
}
port!(pic: run());
