//! Stillinger-Weber silicon with a Verlet list, and a Nosé-Hoover thermostat.
use omp_tests::{Values, twice};

twice! {
    pub type Vec3 = [f64; 3];

    #[derive(Clone, Copy, Debug)]
    pub struct Sw { eps: f64, sigma: f64, a: f64, big_a: f64, big_b: f64, lambda: f64, gamma: f64 }

    impl Default for Sw {
        fn default() -> Self { Sw { eps: 2.1683, sigma: 2.0951, a: 1.8, big_a: 7.049556277, big_b: 0.6022245584, lambda: 21.0, gamma: 1.2 } }
    }

    pub struct System { len: Vec3, x: Vec<Vec3>, v: Vec<Vec3>, f: Vec<Vec3>, start: Vec<u32>, list: Vec<u32> }

    #[omp::declare_target]
    fn sub_pbc(a: &Vec3, b: &Vec3, len: &Vec3) -> Vec3 {
        let mut d = [0.0; 3];
        for k in 0..3 {
            d[k] = a[k] - b[k];
            d[k] -= len[k] * (d[k] / len[k]).round();
        }
        d
    }

    #[omp::declare_target]
    fn dot(a: &Vec3, b: &Vec3) -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() }

    impl System {
        pub fn build_list(&mut self, cutoff: f64) {
            let n = self.x.len();
            self.start = vec![0; n + 1];
            let System { x, len, start, .. } = self;
            #[omp::target]
            for i in 0..n {
                start[i + 1] = (0..n).filter(|&j| j != i).filter(|&j| {
                    let d = sub_pbc(&x[i], &x[j], len);
                    dot(&d, &d) < cutoff * cutoff
                }).count() as u32;
            }
            #[omp::scan(+)]
            for i in 1..n + 1 {
                start[i] += start[i - 1];
            }
            let mut list = vec![0u32; start[n] as usize];
            #[omp::target(disjoint(list))]
            for i in 0..n {
                let mut at = start[i] as usize;
                for j in 0..n {
                    let d = sub_pbc(&x[i], &x[j], len);
                    if j != i && dot(&d, &d) < cutoff * cutoff {
                        list[at] = j as u32;
                        at += 1;
                    }
                }
            }
            self.list = list;
        }

        pub fn compute(&mut self, p: &Sw) -> f64 {
            let Self { len, x, f, start, list, .. } = self;
            let rc = p.a * p.sigma;
            let mut energy = 0.0;
            f.fill([0.0; 3]);
            #[omp::target(reduction(+: energy, f))]
            for i in 0..x.len() {
                let mine = &list[start[i] as usize..start[i + 1] as usize];
                for (n, &j) in mine.iter().enumerate() {
                    let rij = sub_pbc(&x[j as usize], &x[i], len);
                    let r = dot(&rij, &rij).sqrt();
                    if r >= rc { continue; }
                    if (j as usize) > i {
                        let e = (p.sigma / (r - rc)).exp();
                        let b = p.big_b * (p.sigma / r).powi(4);
                        let v2 = p.eps * p.big_a * (b - 1.0) * e;
                        let dv = p.eps * p.big_a * e * (-4.0 * b / r - (b - 1.0) * p.sigma / (r - rc).powi(2));
                        energy += v2;
                        for k in 0..3 {
                            f[i][k] += dv * rij[k] / r;
                            f[j as usize][k] -= dv * rij[k] / r;
                        }
                    }
                    let e1 = (p.gamma * p.sigma / (r - rc)).exp();
                    for &k in &mine[n + 1..] {
                        let rik = sub_pbc(&x[k as usize], &x[i], len);
                        let s = dot(&rik, &rik).sqrt();
                        if s >= rc { continue; }
                        let e2 = (p.gamma * p.sigma / (s - rc)).exp();
                        let c = dot(&rij, &rik) / (r * s) + 1.0 / 3.0;
                        let h = p.lambda * p.eps * e1 * e2;
                        energy += h * c * c;
                        for d in 0..3 {
                            let gj = 2.0 * h * c * (rik[d] / (r * s) - (c - 1.0 / 3.0) * rij[d] / (r * r));
                            let gk = 2.0 * h * c * (rij[d] / (r * s) - (c - 1.0 / 3.0) * rik[d] / (s * s));
                            f[j as usize][d] -= gj;
                            f[k as usize][d] -= gk;
                            f[i][d] += gj + gk;
                        }
                    }
                }
            }
            energy
        }

        pub fn half_kick(&mut self, dt: f64, mass: f64, xi: f64) -> f64 {
            let mut kinetic = 0.0;
            #[omp::target(reduction(+: kinetic))]
            for (v, f) in self.v.iter_mut().zip(&self.f) {
                for (v, f) in v.iter_mut().zip(f) {
                    *v += 0.5 * dt * (f / mass - xi * *v);
                }
                kinetic += 0.5 * mass * dot(v, v);
            }
            kinetic
        }

        pub fn drift(&mut self, dt: f64) {
            let len = self.len;
            #[omp::target]
            for (x, v) in self.x.iter_mut().zip(self.v.iter()) {
                for k in 0..3 {
                    x[k] = (x[k] + dt * v[k]).rem_euclid(len[k]);
                }
            }
        }
    }

    pub fn run() -> (Vec<Vec3>, f64, f64) {
        let mut r = Values(7);
        let mut x = vec![];
        for c in 0..27 {
            x.push([c % 3, c / 3 % 3, c / 9].map(|k| k as f64 * 2.5 + (r.bits() % 100) as f64 / 400.0));
        }
        let n = x.len();
        let mut s = System { len: [7.5; 3], x, v: vec![[0.01, -0.02, 0.005]; n], f: vec![[0.0; 3]; n], start: vec![], list: vec![] };
        let (p, dt) = (Sw::default(), 1e-3);
        let (mut energy, mut kinetic, mut xi) = (0.0, 0.0, 0.0);
        for step in 0..3 {
            if step % 2 == 0 { s.build_list(4.2); }
            energy = s.compute(&p);
            kinetic = s.half_kick(dt, 28.0, xi);
            xi += dt * (kinetic - 0.1);
            s.drift(dt);
        }
        (s.x, energy, kinetic)
    }
}
port!(stillinger_weber: run());
