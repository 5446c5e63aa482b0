//! N-body with softened gravity: accelerations, energy, a leapfrog step.
use omp_tests::twice;

twice! {
    use std::ops::*;

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct V3([f64; 3]);
    #[omp::declare_target]
    impl V3 {
        fn dot(self, o: V3) -> f64 { self.0[0] * o.0[0] + self.0[1] * o.0[1] + self.0[2] * o.0[2] }
    }
    #[omp::declare_target]
    impl Sub for V3 { type Output = V3; fn sub(self, o: V3) -> V3 { V3(std::array::from_fn(|k| self.0[k] - o.0[k])) } }
    #[omp::declare_target]
    impl AddAssign for V3 { fn add_assign(&mut self, o: V3) { for k in 0..3 { self.0[k] += o.0[k]; } } }
    #[omp::declare_target]
    impl Mul<f64> for V3 { type Output = V3; fn mul(self, s: f64) -> V3 { V3(self.0.map(|v| v * s)) } }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Body { pos: V3, vel: V3, mass: f64 }

    const EPS2: f64 = 1e-4;

    #[omp::declare_target]
    fn acceleration(bodies: &[Body], i: usize) -> V3 {
        let me = bodies[i].pos;
        bodies.iter().fold(V3::default(), |mut acc, b| {
            let d = b.pos - me;
            let inv = (d.dot(d) + EPS2).sqrt().recip();
            acc += d * (b.mass * inv.powi(3));
            acc
        })
    }

    pub fn leapfrog(bodies: &mut Vec<Body>, dt: f64) {
        let mut acc = vec![V3::default(); bodies.len()];
        #[omp::target]
        for (i, a) in acc.iter_mut().enumerate() { *a = acceleration(bodies, i); }
        #[omp::target]
        for (b, &a) in bodies.iter_mut().zip(&acc) {
            b.vel += a * dt;
            b.pos += b.vel * dt;
        }
    }

    pub fn energy(bodies: &[Body]) -> f64 {
        let mut e = 0.0;
        #[omp::target(reduction(+: e))]
        for (i, b) in bodies.iter().enumerate() {
            e += 0.5 * b.mass * b.vel.dot(b.vel);
            for other in &bodies[i + 1..] {
                let d = other.pos - b.pos;
                e -= b.mass * other.mass / (d.dot(d) + EPS2).sqrt();
            }
        }
        e
    }
    pub fn run() -> (f64, Vec<f64>) {
        let mut b: Vec<Body> = (0..20).map(|i| Body { pos: V3([(i % 5) as f64, (i / 5) as f64, 0.3 * (i % 3) as f64]), vel: V3([0.0, 0.1 * (i % 2) as f64, 0.0]), mass: 1.0 + 0.1 * i as f64 }).collect();
        for _ in 0..3 { leapfrog(&mut b, 0.01); }
        (energy(&b), b.iter().map(|b| b.pos.0[0]).collect())
    }
}
port!(nbody_tiles: run());
