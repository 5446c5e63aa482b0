//! Particle swarms with a benchmark function chosen at run time by an enum; lexicographic best.
use omp_tests::twice;

twice! {
    #[repr(u8)]
    #[derive(Clone, Copy, PartialEq, Eq, Debug, omp::Device)]
    pub enum Function {
        Sphere,
        Rosenbrock,
        Ackley,
    }

    #[omp::declare_target]
    impl Function {
        fn eval<const D: usize>(self, x: &[f64; D]) -> f64 {
            match self {
                Function::Sphere => x.iter().map(|v| v * v).sum(),
                Function::Rosenbrock => x.windows(2).map(|w| 100.0 * (w[1] - w[0] * w[0]).powi(2) + (1.0 - w[0]).powi(2)).sum(),
                Function::Ackley => {
                    let n = D as f64;
                    let (a, b) = x.iter().fold((0.0, 0.0), |(a, b), v| (a + v * v, b + (std::f64::consts::TAU * v).cos()));
                    -20.0 * (-0.2 * (a / n).sqrt()).exp() - (b / n).exp() + 20.0 + std::f64::consts::E
                }
            }
        }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Particle<const D: usize> {
        x: [f64; D],
        v: [f64; D],
        best_x: [f64; D],
        best: f64,
    }

    #[omp::declare_target]
    fn hash01(a: u32, b: u32) -> f64 {
        let mut h = a.wrapping_mul(0x9E3779B1) ^ b.wrapping_mul(0x85EBCA77);
        h = (h ^ (h >> 15)).wrapping_mul(0x2C1B3C6D);
        h ^= h >> 12;
        f64::from(h) / f64::from(u32::MAX)
    }

    pub struct Swarm<const D: usize> {
        particles: Vec<Particle<D>>,
        global: [f64; D],
        global_best: f64,
        function: Function,
    }

    impl<const D: usize> Swarm<D> {
        const INERTIA: f64 = 0.72;
        const C: (f64, f64) = (1.5, 1.4);

        #[omp::offload]
        pub fn step(&mut self, iteration: u32) {
            let global = self.global;
            let function = self.function;
            let (c1, c2) = Self::C;
            #[omp::target]
            for (i, p) in self.particles.iter_mut().enumerate() {
                for d in 0..D {
                    let r1 = hash01(i as u32 * D as u32 + d as u32, iteration * 2);
                    let r2 = hash01(i as u32 * D as u32 + d as u32, iteration * 2 + 1);
                    p.v[d] = Self::INERTIA * p.v[d] + c1 * r1 * (p.best_x[d] - p.x[d]) + c2 * r2 * (global[d] - p.x[d]);
                    p.x[d] = (p.x[d] + p.v[d]).clamp(-5.0, 5.0);
                }
                let value = function.eval(&p.x);
                if value < p.best {
                    (p.best, p.best_x) = (value, p.x);
                }
            }
            let mut best = self.global_best;
            #[omp::target(reduction(min: best))]
            for p in &self.particles {
                best = best.min(p.best);
            }
            if best < self.global_best {
                self.global_best = best;
                if let Some(p) = self.particles.iter().find(|p| p.best == best) {
                    self.global = p.best_x;
                }
            }
        }
    }

    pub fn run(n: usize) -> Vec<f64> {
        let mut out = vec![];
        for function in [Function::Sphere, Function::Rosenbrock, Function::Ackley] {
            let particles = (0..n).map(|i| { let x: [f64; 3] = std::array::from_fn(|d| ((i * 7 + d * 13) % 19) as f64 * 0.4 - 3.5); Particle { x, v: [0.0; 3], best_x: x, best: f64::MAX } }).collect();
            let mut s = Swarm { particles, global: [1.0; 3], global_best: 1e9, function };
            for it in 0..3 {
                s.step(it);
            }
            out.extend(s.global);
            out.extend(s.particles.iter().map(|p| p.best.min(1e9)));
        }
        out
    }
}
port!(particle_swarm: (run(0), run(1), run(33)));
