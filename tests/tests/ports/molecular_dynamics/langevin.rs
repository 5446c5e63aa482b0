//! Langevin dynamics with xoshiro behind a trait, a generator a particle, Box-Muller, radial distribution, autocorrelation.
use omp_tests::twice;
twice! {
    #[omp::declare_target]
    pub trait Rng {
        fn next_u64(&mut self) -> u64;
        fn uniform(&mut self) -> f64 { (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64) }
        fn range(&mut self, lo: f64, hi: f64) -> f64 { lo + (hi - lo) * self.uniform() }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct Xoshiro256 { s: [u64; 4] }

    #[omp::declare_target]
    fn split_mix(state: &mut u64) -> u64 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    #[omp::declare_target]
    impl Xoshiro256 {
        pub fn seed_from_u64(seed: u64) -> Self {
            let mut state = seed;
            Self { s: [split_mix(&mut state), split_mix(&mut state), split_mix(&mut state), split_mix(&mut state)] }
        }
    }

    #[omp::declare_target]
    impl Rng for Xoshiro256 {
        fn next_u64(&mut self) -> u64 {
            let s = &mut self.s;
            let result = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
            let t = s[1] << 17;
            s[2] ^= s[0];
            s[3] ^= s[1];
            s[1] ^= s[2];
            s[0] ^= s[3];
            s[2] ^= t;
            s[3] = s[3].rotate_left(45);
            result
        }
    }

    #[omp::declare_target]
    fn normal_pair<R: Rng>(rng: &mut R) -> (f64, f64) {
        loop {
            let (u, v) = (rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
            let s = u * u + v * v;
            if s > 0.0 && s < 1.0 {
                let k = (-2.0 * s.ln() / s).sqrt();
                break (u * k, v * k);
            }
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Particle { pub x: [f64; 2], pub v: [f64; 2], pub rng: Xoshiro256 }

    #[derive(Clone, Debug)]
    pub struct Config { pub gamma: f64, pub temperature: f64, pub dt: f64, pub steps: usize, pub side: f64 }

    impl Config {
        pub fn builder() -> Self { Config { gamma: 1.0, temperature: 1.0, dt: 0.01, steps: 10, side: 6.0 } }
        pub fn temperature(mut self, t: f64) -> Self { self.temperature = t; self }
        pub fn steps(mut self, n: usize) -> Self { self.steps = n; self }
    }

    #[omp::declare_target]
    fn trap(x: &[f64; 2], t: f64) -> [f64; 2] {
        let r2: f64 = x.iter().map(|v| v * v).sum();
        x.map(|c| -c * (1.0 + 0.1 * r2) + 0.05 * t.sin())
    }

    pub fn evolve(particles: &mut Vec<Particle>, config: &Config) -> f64 {
        let c1 = (-config.gamma * config.dt).exp();
        let c2 = ((1.0 - c1 * c1) * config.temperature).sqrt();
        let mut kinetic = 0.0;
        #[omp::target(reduction(+: kinetic))]
        for p in particles.iter_mut() {
            for step in 0..config.steps {
                let t = step as f64 * config.dt;
                let f = trap(&p.x, t);
                for d in 0..2 {
                    p.v[d] += 0.5 * config.dt * f[d];
                    p.x[d] += 0.5 * config.dt * p.v[d];
                }
                let (a, b) = normal_pair(&mut p.rng);
                p.v = [c1 * p.v[0] + c2 * a, c1 * p.v[1] + c2 * b];
                for d in 0..2 {
                    p.x[d] += 0.5 * config.dt * p.v[d];
                }
                let f = trap(&p.x, t + config.dt);
                for (v, f) in p.v.iter_mut().zip(f) {
                    *v += 0.5 * config.dt * f;
                }
            }
            kinetic += 0.5 * (p.v[0].powi(2) + p.v[1].powi(2));
        }
        kinetic / particles.len() as f64
    }

    pub fn radial(particles: &[Particle], side: f64, bins: usize) -> Vec<u64> {
        let mut histogram = vec![0u64; bins];
        let width = side / bins as f64;
        #[omp::target(reduction(+: histogram))]
        for i in 0..particles.len() {
            for j in i + 1..particles.len() {
                let [dx, dy] = [0, 1].map(|d| particles[i].x[d] - particles[j].x[d]);
                let r = dx.hypot(dy);
                let bin = (r / width) as usize;
                if let Some(h) = histogram.get_mut(bin) {
                    *h += 2;
                }
            }
        }
        histogram
    }

    pub fn autocorrelation(x: &[f64], max_lag: usize) -> Vec<f64> {
        let n = x.len();
        let mean = x.iter().sum::<f64>() / n as f64;
        let mut acf = vec![0.0; max_lag];
        #[omp::target]
        for (lag, a) in acf.iter_mut().enumerate() {
            let sum: f64 = x[..n - lag].iter().zip(x.iter().skip(lag)).map(|(p, q)| (p - mean) * (q - mean)).sum();
            *a = sum / (n - lag) as f64;
        }
        let var = acf[0];
        acf.iter().map(|a| a / var).collect()
    }

    pub fn run() -> (Vec<[f64; 2]>, Vec<u64>, Vec<f64>) {
        let config = Config::builder().temperature(0.7).steps(25);
        let mut p: Vec<Particle> = (0..50).map(|i| Particle { x: [i as f64 * 0.05, 1.0 - i as f64 * 0.03], v: [0.0; 2], rng: Xoshiro256::seed_from_u64(i) }).collect();
        let series: Vec<f64> = (0..6).map(|_| evolve(&mut p, &config)).collect();
        let h = radial(&p, config.side, 20);
        let mut acf = autocorrelation(&p.iter().map(|p| p.x[0]).collect::<Vec<_>>(), 8);
        acf.extend(series);
        (p.iter().map(|p| p.x.map(|x| (x * 1e7).round() / 1e7)).collect(), h, acf)
    }
}
port!(langevin: run());
