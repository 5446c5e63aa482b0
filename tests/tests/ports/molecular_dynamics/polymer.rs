//! Brownian chains of beads with springs, bending and repulsion; a generator with a spare normal number.
use omp_tests::twice;

twice! {
    use std::ops::*;
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct R3 { x: f64, y: f64, z: f64 }
    macro_rules! by_parts {
        ($($Op:ident $f:ident $op:tt)*) => { $(
            #[omp::declare_target]
            impl $Op for R3 { type Output = R3; fn $f(self, o: R3) -> R3 { R3 { x: self.x $op o.x, y: self.y $op o.y, z: self.z $op o.z } } }
        )* };
    }
    by_parts!(Add add + Sub sub -);
    #[omp::declare_target]
    impl Mul<R3> for f64 { type Output = R3; fn mul(self, v: R3) -> R3 { R3 { x: self * v.x, y: self * v.y, z: self * v.z } } }
    #[omp::declare_target]
    impl AddAssign for R3 { fn add_assign(&mut self, o: R3) { *self = *self + o; } }
    #[omp::declare_target]
    impl SubAssign for R3 { fn sub_assign(&mut self, o: R3) { *self = *self - o; } }
    #[omp::declare_target]
    impl R3 {
        fn dot(self, o: R3) -> f64 { self.x * o.x + self.y * o.y + self.z * o.z }
        fn len(self) -> f64 { self.dot(self).sqrt() }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Gauss { state: [u32; 4], spare: Option<f64> }
    #[omp::declare_target]
    impl Gauss {
        fn seeded(seed: u32) -> Self { Gauss { state: [seed ^ 0x9e3779b9, seed.wrapping_mul(69069) + 1, 362436069, 521288629], spare: None } }
        fn bits(&mut self) -> u32 {
            let [x, y, z, w] = self.state;
            let t = x ^ (x << 11);
            let n = w ^ (w >> 19) ^ t ^ (t >> 8);
            self.state = [y, z, w, n];
            n
        }
        fn unit(&mut self) -> f64 { (self.bits() as f64 + 0.5) / 4294967296.0 }
        fn normal(&mut self) -> f64 {
            if let Some(v) = self.spare.take() { return v; }
            let (u, v) = (self.unit(), self.unit());
            let r = (-2.0 * u.ln()).sqrt();
            let (s, c) = (2.0 * std::f64::consts::PI * v).sin_cos();
            self.spare = Some(r * s);
            r * c
        }
        fn vector(&mut self) -> R3 { R3 { x: self.normal(), y: self.normal(), z: self.normal() } }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Model { spring: f64, rest: f64, bend: f64, sigma: f64, noise: f64, dt: f64 }

    #[omp::declare_target]
    impl Model {
        fn forces(&self, beads: &[R3], forces: &mut [R3]) {
            forces.fill(R3::default());
            for i in 1..beads.len() {
                let d = beads[i] - beads[i - 1];
                let r = d.len();
                let f = self.spring * (r - self.rest) / r * d;
                forces[i - 1] += f;
                forces[i] -= f;
            }
            for i in 2..beads.len() {
                let b = beads[i] - 2.0 * beads[i - 1] + beads[i - 2];
                forces[i - 2] -= self.bend * b;
                forces[i - 1] += 2.0 * self.bend * b;
                forces[i] -= self.bend * b;
            }
            for i in 0..beads.len() {
                for j in i + 2..beads.len() {
                    let d = beads[i] - beads[j];
                    let r2 = d.dot(d).max(0.04);
                    if r2 > self.sigma.powi(2) * 2f64.powf(1.0 / 3.0) { continue; }
                    let s6 = (self.sigma * self.sigma / r2).powi(3);
                    let f = (24.0 * (2.0 * s6 * s6 - s6) / r2).min(50.0) * d;
                    forces[i] += f;
                    forces[j] -= f;
                }
            }
        }
    }

    pub fn simulate(chains: &mut [R3], forces: &mut [R3], rngs: &mut [Gauss], beads: usize, model: &Model, steps: usize) -> Vec<f64> {
        let mut end_to_end = vec![0.0; rngs.len()];
        #[omp::target]
        for ((chain, force), (rng, out)) in chains.chunks_exact_mut(beads).zip(forces.chunks_exact_mut(beads)).zip(rngs.iter_mut().zip(end_to_end.iter_mut())) {
            for _ in 0..steps {
                model.forces(chain, force);
                for (bead, f) in chain.iter_mut().zip(force.iter()) {
                    *bead += model.dt * *f + model.noise * model.dt.sqrt() * rng.vector();
                }
            }
            *out = (chain[beads - 1] - chain[0]).len();
        }
        end_to_end
    }
    pub fn run() -> (Vec<f64>, Vec<f64>) {
        let (n, beads) = (8, 10);
        let mut chains: Vec<R3> = (0..n * beads).map(|k| R3 { x: (k % beads) as f64, y: 0.1 * (k / beads) as f64, z: 0.01 * (k % 3) as f64 }).collect();
        let mut forces = vec![R3::default(); n * beads];
        let mut rngs: Vec<Gauss> = (0..n as u32).map(Gauss::seeded).collect();
        let model = Model { spring: 30.0, rest: 0.97, bend: 1.0, sigma: 0.9, noise: 0.5, dt: 0.001 };
        let e = simulate(&mut chains, &mut forces, &mut rngs, beads, &model, 15);
        (chains.iter().map(|c| c.x + c.y * 0.5 + c.z).collect(), e)
    }
}
port!(polymer: run());
