//! CloverLeaf: ideal gas, viscosity and the advection of cells along x, over fields with halos and a 2-D index.
use omp_tests::twice;

twice! {
    const G_SMALL: f64 = 1e-16;

    #[derive(Clone, Debug)]
    pub struct Field { nx: i32, ny: i32, halo: i32, data: Vec<f64> }

    impl Field {
        pub fn new(nx: i32, ny: i32, halo: i32, f: impl Fn(i32, i32) -> f64) -> Self {
            let mut data = vec![];
            for k in -halo..ny + halo {
                for j in -halo..nx + halo {
                    data.push(f(j, k));
                }
            }
            Self { nx, ny, halo, data }
        }
        fn idx(&self, j: i32, k: i32) -> usize {
            let pitch = self.nx + 2 * self.halo;
            ((k + self.halo) * pitch + j + self.halo) as usize
        }
    }

    impl std::ops::Index<(i32, i32)> for Field {
        type Output = f64;
        fn index(&self, (j, k): (i32, i32)) -> &f64 { &self.data[self.idx(j, k)] }
    }
    impl std::ops::IndexMut<(i32, i32)> for Field {
        fn index_mut(&mut self, (j, k): (i32, i32)) -> &mut f64 {
            let at = self.idx(j, k);
            &mut self.data[at]
        }
    }

    pub struct Chunk { density: Field, energy: Field, pressure: Field, soundspeed: Field, vol_flux: Field, mass_flux: Field, ener_flux: Field }

    impl Chunk {
        pub fn ideal_gas(&mut self, gamma: f64) {
            let Chunk { density, energy, pressure, soundspeed, .. } = self;
            let (nx, ny) = (density.nx, density.ny);
            #[omp::target(collapse(2))]
            for k in 0..ny {
                for j in 0..nx {
                    let v = 1.0 / density[(j, k)];
                    let p = (gamma - 1.0) * density[(j, k)] * energy[(j, k)];
                    pressure[(j, k)] = p;
                    let pe = (gamma - 1.0) * density[(j, k)];
                    let pv = -density[(j, k)] * p * v;
                    let ss2 = v * v * (p * pe - pv);
                    soundspeed[(j, k)] = ss2.sqrt();
                }
            }
        }

        pub fn advec_x(&mut self) {
            let (nx, ny) = (self.density.nx, self.density.ny);
            #[omp::target(collapse(2))]
            for k in 0..ny {
                for j in 0..=nx {
                    let flux = self.vol_flux[(j, k)];
                    let (upwind, donor, downwind, dif) = if flux > 0.0 {
                        (j - 2, j - 1, j, j - 2)
                    } else {
                        ((j + 1).min(nx + 1), j, j - 1, j)
                    };
                    let sigma = flux.abs() / 1.5;
                    let limited = |f: &Field, w: f64| {
                        let up = f[(donor, k)] - f[(upwind, k)];
                        let down = f[(downwind, k)] - f[(donor, k)];
                        if up * down > 0.0 {
                            (1.0 - w) * down.signum() * up.abs().min(down.abs()).min((up.abs() + 2.0 * down.abs()) / 6.0)
                        } else {
                            0.0
                        }
                    };
                    let _ = dif;
                    let mass = flux * (self.density[(donor, k)] + limited(&self.density, sigma));
                    self.mass_flux[(j, k)] = mass;
                    let sigma_m = mass.abs() / (self.density[(donor, k)] * 1.5 + G_SMALL);
                    self.ener_flux[(j, k)] = mass * (self.energy[(donor, k)] + limited(&self.energy, sigma_m));
                }
            }
            #[omp::target(collapse(2))]
            for k in 0..ny {
                for j in 0..nx {
                    let pre = self.density[(j, k)];
                    let post = pre + self.mass_flux[(j, k)] - self.mass_flux[(j + 1, k)];
                    let ener = (self.energy[(j, k)] * pre + self.ener_flux[(j, k)] - self.ener_flux[(j + 1, k)]) / post;
                    self.density[(j, k)] = post;
                    self.energy[(j, k)] = ener;
                }
            }
        }

        pub fn summary(&self) -> (f64, f64, f64) {
            let (mut mass, mut ie, mut press) = (0.0, 0.0, f64::NEG_INFINITY);
            #[omp::target(collapse(2), reduction(+: mass, ie), reduction(max: press))]
            for k in 0..self.density.ny {
                for j in 0..self.density.nx {
                    mass += self.density[(j, k)];
                    ie += self.density[(j, k)] * self.energy[(j, k)];
                    press = press.max(self.pressure[(j, k)]);
                }
            }
            (mass, ie, press)
        }
    }

    pub fn run() -> (Vec<f64>, (f64, f64, f64)) {
        let f = |k: f64, base: f64, amp: f64| Field::new(10, 8, 2, move |i, j| base + amp * ((i + 3 * j) as f64 * k).sin());
        let mut c = Chunk { density: f(0.3, 1.0, 0.4), energy: f(0.7, 2.0, 0.5), pressure: f(0.0, 0.0, 0.0), soundspeed: f(0.0, 0.0, 0.0), vol_flux: f(0.9, 0.02, 0.1), mass_flux: f(0.0, 0.0, 0.0), ener_flux: f(0.0, 0.0, 0.0) };
        for _ in 0..3 {
            c.ideal_gas(1.4);
            c.advec_x();
        }
        let s = c.summary();
        (c.energy.data, s)
    }
}
port!(clover_flux: run());
