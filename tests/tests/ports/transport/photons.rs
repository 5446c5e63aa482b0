//! Photon transport in a layered tissue: hop, drop and spin.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, omp::Device)]
    pub struct Layer { z0: f64, z1: f64, mua: f64, mus: f64, g: f64, n: f64 }

    #[derive(Clone, Copy, omp::Device)]
    struct Photon { pos: [f64; 3], dir: [f64; 3], w: f64, layer: usize }

    #[omp::declare_target]
    fn random(state: &mut u64) -> f64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        (*state >> 11) as f64 / 9007199254740992.0
    }

    #[omp::declare_target]
    fn fresnel(n1: f64, n2: f64, cos_i: f64) -> (f64, f64) {
        if n1 == n2 { return (0.0, cos_i); }
        let sin_t = n1 / n2 * (1.0 - cos_i * cos_i).max(0.0).sqrt();
        if sin_t >= 1.0 { return (1.0, 0.0); }
        let cos_t = (1.0 - sin_t * sin_t).sqrt();
        let rs = (n1 * cos_i - n2 * cos_t) / (n1 * cos_i + n2 * cos_t);
        let rp = (n1 * cos_t - n2 * cos_i) / (n1 * cos_t + n2 * cos_i);
        (0.5 * (rs * rs + rp * rp), cos_t)
    }

    #[omp::declare_target]
    impl Photon {
        fn launch() -> Self { Photon { pos: [0.0; 3], dir: [0.0, 0.0, 1.0], w: 1.0, layer: 0 } }
        fn hop(&mut self, s: f64) {
            for (p, d) in self.pos.iter_mut().zip(&self.dir) { *p += s * d; }
        }
        fn spin(&mut self, g: f64, seed: &mut u64) {
            let cost = if g == 0.0 {
                2.0 * random(seed) - 1.0
            } else {
                let t = (1.0 - g * g) / (1.0 - g + 2.0 * g * random(seed));
                (1.0 + g * g - t * t) / (2.0 * g)
            };
            let sint = (1.0 - cost * cost).max(0.0).sqrt();
            let (sinp, cosp) = (std::f64::consts::TAU * random(seed)).sin_cos();
            let [ux, uy, uz] = self.dir;
            self.dir = if uz.abs() > 0.99999 {
                [sint * cosp, sint * sinp, cost * uz.signum()]
            } else {
                let t = (1.0 - uz * uz).sqrt();
                [sint * (ux * uz * cosp - uy * sinp) / t + ux * cost, sint * (uy * uz * cosp + ux * sinp) / t + uy * cost, -sint * cosp * t + uz * cost]
            };
        }
    }

    pub struct Tally { absorbed: Vec<f64>, reflected: f64, transmitted: f64 }

    pub fn simulate(layers: &[Layer], photons: usize, bins: usize, dz: f64) -> Tally {
        let mut absorbed = vec![0.0; bins];
        let mut reflected = 0.0;
        let mut transmitted = 0.0;
        #[omp::target(reduction(+: reflected, transmitted))]
        for id in 0..photons {
            let mut seed = 88172645463325252u64.wrapping_add((id as u64).wrapping_mul(0x9E3779B97F4A7C15));
            let mut p = Photon::launch();
            let mut steps = 0;
            'life: while p.w > 0.0 && steps < 200 {
                steps += 1;
                let Layer { z0, z1, mua, mus, g, n } = layers[p.layer];
                let mut s = -random(&mut seed).max(1e-12).ln() / (mua + mus);
                let distance = match p.dir[2] {
                    d if d > 0.0 => (z1 - p.pos[2]) / d,
                    d if d < 0.0 => (z0 - p.pos[2]) / d,
                    _ => f64::INFINITY,
                };
                if s > distance {
                    s = distance;
                    p.hop(s);
                    let down = p.dir[2] > 0.0;
                    let outside = if down { p.layer + 1 == layers.len() } else { p.layer == 0 };
                    let n2 = if outside { 1.0 } else if down { layers[p.layer + 1].n } else { layers[p.layer - 1].n };
                    let (r, cos_t) = fresnel(n, n2, p.dir[2].abs());
                    if random(&mut seed) < r {
                        p.dir[2] = -p.dir[2];
                    } else if outside {
                        if down { transmitted += p.w } else { reflected += p.w }
                        break 'life;
                    } else {
                        p.layer = if down { p.layer + 1 } else { p.layer - 1 };
                        p.dir[0] *= n / n2;
                        p.dir[1] *= n / n2;
                        p.dir[2] = cos_t.copysign(p.dir[2]);
                    }
                    continue 'life;
                }
                p.hop(s);
                let dw = p.w * mua / (mua + mus);
                p.w -= dw;
                let bin = ((p.pos[2] / dz) as usize).min(absorbed.len() - 1);
                #[omp::atomic]
                absorbed[bin] += dw;
                p.spin(g, &mut seed);
                if p.w < 1e-3 {
                    if random(&mut seed) < 0.1 { p.w /= 0.1; } else { p.w = 0.0; }
                }
            }
        }
        Tally { absorbed, reflected, transmitted }
    }
    pub fn run() -> (Vec<f64>, f64, f64) {
        let layers = [Layer { z0: 0.0, z1: 0.1, mua: 1.0, mus: 10.0, g: 0.0, n: 1.37 }, Layer { z0: 0.1, z1: 0.3, mua: 2.0, mus: 10.0, g: 0.7, n: 1.4 }];
        let Tally { absorbed, reflected, transmitted } = simulate(&layers, 150, 12, 0.025);
        (absorbed, reflected, transmitted)
    }
}
port!(photons: run());
