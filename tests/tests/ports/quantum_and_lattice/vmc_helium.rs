//! Variational Monte Carlo for helium: walkers with their own random numbers.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, omp::Device)]
    pub struct Walker {
        r1: [f64; 3],
        r2: [f64; 3],
        rng: XorShift,
    }

    #[derive(Clone, Copy, omp::Device)]
    struct XorShift(u64);

    #[omp::declare_target]
    impl XorShift {
        fn next(&mut self) -> f64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as f64 / (1u64 << 53) as f64
        }
        fn step(&mut self, delta: f64) -> [f64; 3] {
            [self.next(), self.next(), self.next()].map(|u| delta * (u - 0.5))
        }
    }

    #[omp::declare_target]
    fn norm(r: &[f64; 3]) -> f64 {
        r.iter().map(|x| x * x).sum::<f64>().sqrt()
    }

    #[omp::declare_target]
    fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|i| a[i] + b[i])
    }

    #[derive(Clone, Copy, omp::Device)]
    struct Trial {
        alpha: f64,
        beta: f64,
    }

    #[omp::declare_target]
    impl Trial {
        fn psi(&self, r1: &[f64; 3], r2: &[f64; 3]) -> f64 {
            let r12 = norm(&[r1[0] - r2[0], r1[1] - r2[1], r1[2] - r2[2]]);
            (-self.alpha * (norm(r1) + norm(r2))).exp() * (r12 / (2.0 * (1.0 + self.beta * r12))).exp()
        }
        fn local_energy(&self, w: &Walker) -> f64 {
            let (r1, r2) = (norm(&w.r1), norm(&w.r2));
            let d: [f64; 3] = std::array::from_fn(|i| w.r1[i] - w.r2[i]);
            let r12 = norm(&d);
            let u = 1.0 + self.beta * r12;
            let dot: f64 = (0..3).map(|i| (w.r1[i] / r1 - w.r2[i] / r2) * d[i]).sum();
            -4.0 + self.alpha * dot / (r12 * u * u) - 1.0 / (r12 * u.powi(3)) - 1.0 / (4.0 * u.powi(4)) + 1.0 / r12
        }
    }

    #[omp::offload]
    pub fn vmc(walkers: &mut [Walker], steps: usize, delta: f64, alpha: f64, beta: f64) -> (f64, f64, u64) {
        let trial = Trial { alpha, beta };
        let (mut e, mut e2, mut accepted) = (0.0, 0.0, 0u64);
        #[omp::target(reduction(+: e, e2, accepted))]
        for w in walkers.iter_mut() {
            let mut psi = trial.psi(&w.r1, &w.r2);
            for _ in 0..steps {
                let new1 = add(w.r1, w.rng.step(delta));
                let new2 = add(w.r2, w.rng.step(delta));
                let new_psi = trial.psi(&new1, &new2);
                if new_psi * new_psi >= w.rng.next() * psi * psi {
                    (w.r1, w.r2, psi) = (new1, new2, new_psi);
                    accepted += 1;
                }
                let energy = trial.local_energy(w);
                e += energy;
                e2 += energy * energy;
            }
        }
        (e, e2, accepted)
    }

    pub fn run(n: usize) -> Vec<f64> {
        let mut w: Vec<Walker> = (0..n).map(|i| Walker { r1: [0.5 + 0.01 * (i % 9) as f64, 0.3, 0.1], r2: [-0.4, 0.2, 0.6], rng: XorShift(0x9E3779B97F4A7C15 ^ (i as u64 + 1) * 77) }).collect();
        let (e, e2, a) = vmc(&mut w, 5, 0.6, 1.7, 0.2);
        let mut out = vec![e, e2, a as f64];
        out.extend(w.iter().flat_map(|w| w.r1.into_iter().chain(w.r2)));
        out
    }
}
port!(vmc_helium: (run(0), run(1), run(33)));
