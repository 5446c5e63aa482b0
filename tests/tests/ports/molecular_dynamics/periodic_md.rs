//! A velocity-Verlet step in a periodic box: minimum image, pair potential, and the virial.
use omp_tests::{Values, twice};

twice! {
    type V3 = [f64; 3];

    #[derive(Clone, Copy, omp::Device)]
    pub struct SimBox { len: V3 }

    #[omp::declare_target]
    impl SimBox {
        fn min_image(&self, a: &V3, b: &V3) -> V3 {
            std::array::from_fn(|k| {
                let d = a[k] - b[k];
                d - self.len[k] * (d / self.len[k]).round()
            })
        }
        fn wrap(&self, mut p: V3) -> V3 {
            for (x, l) in p.iter_mut().zip(self.len) {
                *x = x.rem_euclid(l);
            }
            p
        }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    #[repr(u8)]
    pub enum Pair {
        LennardJones { eps: f64, sigma: f64 },
        Yukawa(f64),
        None,
    }

    #[omp::declare_target]
    impl Pair {
        /// Energy, and force over distance.
        fn eval(self, r2: f64) -> (f64, f64) {
            match self {
                Pair::LennardJones { eps, sigma } => {
                    let s6 = (sigma * sigma / r2).powi(3);
                    (4.0 * eps * s6 * (s6 - 1.0), 24.0 * eps * s6 * (2.0 * s6 - 1.0) / r2)
                }
                Pair::Yukawa(kappa) => {
                    let r = r2.sqrt();
                    let e = (-kappa * r).exp() / r;
                    (e, e * (kappa + 1.0 / r) / r)
                }
                Pair::None => (0.0, 0.0),
            }
        }
    }

    pub struct System { pub pos: Vec<V3>, pub vel: Vec<V3>, pub force: Vec<V3>, pub kind: Vec<u8>, pub cell: SimBox, pub table: [[Pair; 2]; 2] }

    impl System {
        #[omp::offload]
        pub fn forces(&mut self) -> (f64, f64) {
            let Self { pos, force, kind, cell, table, .. } = self;
            let (mut energy, mut virial) = (0.0, 0.0);
            #[omp::target(reduction(+: energy, virial))]
            for i in 0..pos.len() {
                let mut f = [0.0; 3];
                for j in (0..pos.len()).filter(|&j| j != i) {
                    let d = cell.min_image(&pos[i], &pos[j]);
                    let r2: f64 = d.iter().map(|x| x * x).sum();
                    let pair = table[kind[i] as usize][kind[j] as usize];
                    let (e, s) = pair.eval(r2);
                    energy += 0.5 * e;
                    virial += 0.5 * s * r2;
                    f.iter_mut().zip(d).for_each(|(f, d)| *f += s * d);
                }
                force[i] = f;
            }
            (energy, virial)
        }

        #[omp::offload]
        pub fn drift(&mut self, dt: f64) {
            let cell = self.cell;
            #[omp::target]
            for ((p, v), f) in self.pos.iter_mut().zip(self.vel.iter_mut()).zip(&self.force) {
                for k in 0..3 {
                    v[k] += 0.5 * dt * f[k];
                    p[k] += dt * v[k];
                }
                *p = cell.wrap(*p);
            }
        }
    }

    pub fn run() -> (Vec<V3>, (f64, f64)) {
        let mut v = Values(9);
        let n = 64;
        let mut s = System {
            pos: (0..n).map(|i| [(i % 4) as f64 * 1.2 + (v.bits() % 10) as f64 * 0.01, (i / 4 % 4) as f64 * 1.2, (i / 16) as f64 * 1.2]).collect(),
            vel: vec![[0.1, -0.2, 0.05]; n],
            force: vec![[0.0; 3]; n],
            kind: (0..n).map(|i| (i % 3 == 0) as u8).collect(),
            cell: SimBox { len: [4.9, 4.9, 4.9] },
            table: [[Pair::LennardJones { eps: 1.0, sigma: 1.0 }, Pair::Yukawa(0.7)], [Pair::Yukawa(0.7), Pair::None]],
        };
        let first = s.forces();
        s.drift(0.001);
        s.forces();
        (s.pos, first)
    }
}
port!(periodic_md: run());
