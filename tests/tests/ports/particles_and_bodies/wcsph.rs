//! Weakly compressible SPH: density and pressure force, with a smoothing kernel behind a trait.
use omp_tests::{Values, twice};

twice! {
    use std::f32::consts::PI;

    #[omp::declare_target]
    pub trait Smoothing: omp::Device {
        fn w(&self, r: f32) -> f32;
        fn dw(&self, r: f32) -> f32;
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct CubicSpline { h: f32 }

    #[omp::declare_target]
    impl CubicSpline {
        const fn new(h: f32) -> Self { Self { h } }
        fn sigma(&self) -> f32 { 40.0 / (7.0 * PI * self.h * self.h) }
    }

    #[omp::declare_target]
    impl Smoothing for CubicSpline {
        fn w(&self, r: f32) -> f32 {
            let q = r / self.h;
            self.sigma() * match q {
                q if q <= 0.5 => 6.0 * (q.powi(3) - q.powi(2)) + 1.0,
                q if q <= 1.0 => 2.0 * (1.0 - q).powi(3),
                _ => 0.0,
            }
        }
        fn dw(&self, r: f32) -> f32 {
            let q = r / self.h;
            let d = if q > 1.0 { 0.0 } else if q > 0.5 { -6.0 * (1.0 - q).powi(2) } else { 6.0 * (3.0 * q * q - 2.0 * q) };
            self.sigma() * d / self.h
        }
    }

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Particle { pos: (f32, f32), density: f32, pressure: f32, accel: (f32, f32) }

    const MASS: f32 = 1.25;
    const STIFFNESS: f32 = 3.0;
    const REST: f32 = 1.0;

    #[omp::declare_target]
    fn separation(a: &Particle, b: &Particle) -> (f32, f32, f32) {
        let (dx, dy) = (a.pos.0 - b.pos.0, a.pos.1 - b.pos.1);
        (dx, dy, dx.hypot(dy))
    }

    pub fn step<K: Smoothing>(particles: &mut [Particle], kernel: K) {
        let old = particles.to_vec();
        #[omp::target]
        for p in particles.iter_mut() {
            p.density = old.iter().map(|q| separation(p, q).2).map(|r| MASS * kernel.w(r)).sum();
            p.pressure = STIFFNESS * (p.density - REST).max(0.0);
        }
        let old = particles.to_vec();
        #[omp::target]
        for (i, p) in particles.iter_mut().enumerate() {
            let mut a = (0.0, 0.0);
            for (_, q) in old.iter().enumerate().filter(|&(j, _)| j != i) {
                let (dx, dy, r) = separation(p, q);
                let r = r.max(1e-6);
                let f = -MASS * (p.pressure / p.density.powi(2) + q.pressure / q.density.powi(2)) * kernel.dw(r);
                a.0 += f * dx / r;
                a.1 += f * dy / r;
            }
            p.accel = a;
        }
    }

    pub fn run() -> Vec<(f32, f32, f32)> {
        let mut v = Values(7);
        let mut particles: Vec<Particle> = (0..100)
            .map(|i| Particle {
                pos: ((i % 10) as f32 * 0.4 + (v.bits() % 100) as f32 * 1e-3, (i / 10) as f32 * 0.4),
                ..Default::default()
            })
            .collect();
        step(&mut particles, CubicSpline::new(1.3));
        particles.iter().map(|p| (p.density, p.accel.0, p.accel.1)).collect()
    }
}
port!(wcsph: run());
