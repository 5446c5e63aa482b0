//! CloverLeaf: compressible Euler hydrodynamics; ideal gas, PdV, flux calculation and cell advection.
use omp_tests::twice;

twice! {
    use std::ops::{Index, IndexMut};

    const GAMMA: f64 = 1.4;
    const HALO: usize = 2;
    const ONE_BY_SIX: f64 = 1.0 / 6.0;

    #[derive(Clone, Debug, omp::Mapper)]
    pub struct Field {
        width: usize,
        pub data: Vec<f64>,
    }

    #[omp::declare_target]
    impl Index<(usize, usize)> for Field {
        type Output = f64;
        #[inline]
        fn index(&self, (j, k): (usize, usize)) -> &f64 {
            &self.data[k * self.width + j]
        }
    }

    #[omp::declare_target]
    impl IndexMut<(usize, usize)> for Field {
        #[inline]
        fn index_mut(&mut self, (j, k): (usize, usize)) -> &mut f64 {
            &mut self.data[k * self.width + j]
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub enum Dir {
        X,
        Y,
    }

    #[omp::declare_target]
    impl Dir {
        fn back(self, (j, k): (usize, usize), n: usize) -> (usize, usize) {
            match self {
                Dir::X => (j - n, k),
                Dir::Y => (j, k - n),
            }
        }
        fn next(self, (j, k): (usize, usize)) -> (usize, usize) {
            match self {
                Dir::X => (j + 1, k),
                Dir::Y => (j, k + 1),
            }
        }
    }

    #[derive(Clone, Debug, omp::Mapper)]
    pub struct Clover {
        pub nx: usize,
        pub ny: usize,
        pub dx: f64,
        pub dy: f64,
        pub density0: Field, pub density1: Field,
        pub energy0: Field, pub energy1: Field,
        pub pressure: Field, pub soundspeed: Field,
        pub xvel: Field, pub yvel: Field,
        vol_flux_x: Field, vol_flux_y: Field,
        mass_flux: Field, ener_flux: Field,
        pre_vol: Field, post_vol: Field,
    }

    /// Van Leer limited slope between the donor cell and the face.
    #[omp::declare_target]
    fn limited(upwind: f64, donor: f64, downwind: f64, sigma: f64, sigmat: f64) -> f64 {
        let diffuw = donor - upwind;
        let diffdw = downwind - donor;
        if diffuw * diffdw <= 0.0 {
            return 0.0;
        }
        let wind = if diffdw <= 0.0 { -1.0 } else { 1.0 };
        let (auw, adw) = (diffuw.abs(), diffdw.abs());
        let third = ONE_BY_SIX * ((1.0 + sigmat) * auw + (2.0 - sigmat) * adw);
        (1.0 - sigma) * wind * auw.min(adw).min(third)
    }

    impl Clover {
        pub fn new(nx: usize, ny: usize, dx: f64, dy: f64) -> Self {
            let width = nx + 2 * HALO + 1;
            let f = || Field { width, data: vec![0.0; width * (ny + 2 * HALO + 1)] };
            Clover {
                nx, ny, dx, dy,
                density0: f(), density1: f(), energy0: f(), energy1: f(), pressure: f(), soundspeed: f(),
                xvel: f(), yvel: f(), vol_flux_x: f(), vol_flux_y: f(), mass_flux: f(), ener_flux: f(),
                pre_vol: f(), post_vol: f(),
            }
        }

        fn ideal_gas(&mut self, predicted: bool) {
            let (density, energy) = if predicted { (&self.density1, &self.energy1) } else { (&self.density0, &self.energy0) };
            #[omp::target(collapse(2))]
            for k in HALO..self.ny + HALO {
                for j in HALO..self.nx + HALO {
                    let c = (j, k);
                    let v = 1.0 / density[c];
                    self.pressure[c] = (GAMMA - 1.0) * density[c] * energy[c];
                    let pressurebyenergy = (GAMMA - 1.0) * density[c];
                    let pressurebyvolume = -density[c] * self.pressure[c];
                    let ss2 = v * v * (self.pressure[c] * pressurebyenergy - pressurebyvolume);
                    self.soundspeed[c] = ss2.sqrt();
                }
            }
        }

        fn calc_dt(&self) -> f64 {
            let mut dt_min = 0.04_f64;
            #[omp::target(collapse(2), reduction(min: dt_min))]
            for k in HALO..self.ny + HALO {
                for j in HALO..self.nx + HALO {
                    let speed = self.soundspeed[(j, k)] + self.xvel[(j, k)].abs().max(self.yvel[(j, k)].abs());
                    dt_min = dt_min.min(0.5 * self.dx.min(self.dy) / speed);
                }
            }
            dt_min
        }

        fn pdv(&mut self, dt: f64) {
            let volume = self.dx * self.dy;
            let (xarea, yarea) = (self.dy, self.dx);
            #[omp::target(collapse(2))]
            for k in HALO..self.ny + HALO {
                for j in HALO..self.nx + HALO {
                    let left = xarea * (self.xvel[(j, k)] + self.xvel[(j, k + 1)]) * 0.5 * dt;
                    let right = xarea * (self.xvel[(j + 1, k)] + self.xvel[(j + 1, k + 1)]) * 0.5 * dt;
                    let bottom = yarea * (self.yvel[(j, k)] + self.yvel[(j + 1, k)]) * 0.5 * dt;
                    let top = yarea * (self.yvel[(j, k + 1)] + self.yvel[(j + 1, k + 1)]) * 0.5 * dt;
                    let total_flux = right - left + top - bottom;
                    let volume_change = volume / (volume + total_flux);
                    let energy_change = self.pressure[(j, k)] / self.density0[(j, k)] * total_flux / volume;
                    self.energy1[(j, k)] = self.energy0[(j, k)] - energy_change;
                    self.density1[(j, k)] = self.density0[(j, k)] * volume_change;
                }
            }
        }

        fn flux_calc(&mut self, dt: f64) {
            #[omp::target(collapse(2))]
            for k in HALO..self.ny + HALO + 1 {
                for j in HALO..self.nx + HALO + 1 {
                    self.vol_flux_x[(j, k)] = 0.5 * dt * self.dy * (self.xvel[(j, k)] + self.xvel[(j, k + 1)]);
                    self.vol_flux_y[(j, k)] = 0.5 * dt * self.dx * (self.yvel[(j, k)] + self.yvel[(j + 1, k)]);
                }
            }
        }

        /// Reflects density and energy into the halo.
        fn update_halo(&mut self) {
            let (nx, ny) = (self.nx, self.ny);
            for field in [&mut self.density1, &mut self.energy1] {
                #[omp::target]
                for k in HALO..ny + HALO {
                    for depth in 0..HALO {
                        field[(HALO - 1 - depth, k)] = field[(HALO + depth, k)];
                        field[(nx + HALO + depth, k)] = field[(nx + HALO - 1 - depth, k)];
                    }
                }
                #[omp::target]
                for j in 0..nx + 2 * HALO {
                    for depth in 0..HALO {
                        field[(j, HALO - 1 - depth)] = field[(j, HALO + depth)];
                        field[(j, ny + HALO + depth)] = field[(j, ny + HALO - 1 - depth)];
                    }
                }
            }
        }

        fn advec_cell(&mut self, dir: Dir, first_sweep: bool) {
            let (nx, ny) = (self.nx, self.ny);
            let volume = self.dx * self.dy;
            let (vol_flux, other_flux) = match dir {
                Dir::X => (&self.vol_flux_x, &self.vol_flux_y),
                Dir::Y => (&self.vol_flux_y, &self.vol_flux_x),
            };
            let other = if dir == Dir::X { Dir::Y } else { Dir::X };
            let Self { density1, energy1, pre_vol, post_vol, mass_flux, ener_flux, .. } = self;

            #[omp::target(collapse(2))]
            for k in 0..ny + 2 * HALO {
                for j in 0..nx + 2 * HALO {
                    let c = (j, k);
                    let along = vol_flux[dir.next(c)] - vol_flux[c];
                    let across = if first_sweep { other_flux[other.next(c)] - other_flux[c] } else { 0.0 };
                    pre_vol[c] = volume + along + across;
                    post_vol[c] = volume + across;
                }
            }

            let (j_end, k_end, last) = match dir {
                Dir::X => (nx + 2 * HALO, ny + HALO, nx + 2 * HALO - 1),
                Dir::Y => (nx + HALO, ny + 2 * HALO, ny + 2 * HALO - 1),
            };
            #[omp::target(collapse(2))]
            for k in HALO..k_end {
                for j in HALO..j_end {
                    let c = (j, k);
                    let (upwind, donor, downwind) = if vol_flux[c] > 0.0 {
                        (dir.back(c, 2), dir.back(c, 1), c)
                    } else {
                        let ahead = match dir {
                            Dir::X => ((j + 1).min(last), k),
                            Dir::Y => (j, (k + 1).min(last)),
                        };
                        (ahead, c, dir.back(c, 1))
                    };
                    let sigmat = vol_flux[c].abs() / pre_vol[donor];
                    let slope = limited(density1[upwind], density1[donor], density1[downwind], sigmat, sigmat);
                    mass_flux[c] = vol_flux[c] * (density1[donor] + slope);
                    let sigmam = mass_flux[c].abs() / (density1[donor] * pre_vol[donor]);
                    let slope = limited(energy1[upwind], energy1[donor], energy1[downwind], sigmam, sigmat);
                    ener_flux[c] = mass_flux[c] * (energy1[donor] + slope);
                }
            }

            #[omp::target(collapse(2))]
            for k in HALO..ny + HALO {
                for j in HALO..nx + HALO {
                    let (c, n) = ((j, k), dir.next((j, k)));
                    let pre_mass = density1[c] * pre_vol[c];
                    let post_mass = pre_mass + mass_flux[c] - mass_flux[n];
                    energy1[c] = (energy1[c] * pre_mass + ener_flux[c] - ener_flux[n]) / post_mass;
                    density1[c] = post_mass / post_vol[c];
                }
            }
        }

        fn reset_field(&mut self) {
            #[omp::target]
            for (d0, d1) in self.density0.data.iter_mut().zip(&self.density1.data) {
                *d0 = *d1;
            }
            #[omp::target]
            for (e0, e1) in self.energy0.data.iter_mut().zip(&self.energy1.data) {
                *e0 = *e1;
            }
        }

        pub fn hydro(&mut self, steps: usize) -> f64 {
            let mut time = 0.0;
            for step in 0..steps {
                self.ideal_gas(false);
                let dt = self.calc_dt();
                self.pdv(0.5 * dt);
                self.ideal_gas(true);
                self.pdv(dt);
                self.flux_calc(dt);
                let order = if step % 2 == 0 { [Dir::X, Dir::Y] } else { [Dir::Y, Dir::X] };
                for (sweep, dir) in order.into_iter().enumerate() {
                    self.update_halo();
                    self.advec_cell(dir, sweep == 0);
                }
                self.reset_field();
                time += dt;
            }
            time
        }

        pub fn field_summary(&self) -> (f64, f64) {
            let cell = self.dx * self.dy;
            let (mut mass, mut ie) = (0.0, 0.0);
            #[omp::target(collapse(2), reduction(+: mass, ie))]
            for k in HALO..self.ny + HALO {
                for j in HALO..self.nx + HALO {
                    mass += cell * self.density0[(j, k)];
                    ie += cell * self.density0[(j, k)] * self.energy0[(j, k)];
                }
            }
            (mass, ie)
        }
    }
}
port!(clover_advection: crate::Shown::of({
    let (nx, ny) = (22, 17);
    let mut clover = Clover::new(nx, ny, 0.45, 0.5);
    for k in 0..ny {
        for j in 0..nx {
            let inside = j < 9 && k < 6;
            clover.density0[(j + 2, k + 2)] = if inside { 1.0 } else { 0.2 };
            clover.energy0[(j + 2, k + 2)] = if inside { 2.5 } else { 1.0 };
        }
    }
    for k in 0..=ny {
        for j in 0..=nx {
            // no flow through the walls
            let (x, y) = (j as f64 / nx as f64, k as f64 / ny as f64);
            clover.xvel[(j + 2, k + 2)] = 3.0 * x * (1.0 - x) * (0.6 - y);
            clover.yvel[(j + 2, k + 2)] = 2.0 * y * (1.0 - y) * (x - 0.3);
        }
    }
    let time = clover.hydro(10);
    let (mass, ie) = clover.field_summary();
    let round = |v: &[f64]| v.iter().map(|x| (x * 1e8).round() as i64).collect::<Vec<_>>();
    (
        (time * 1e9).round() as i64,
        (mass * 1e7).round() as i64,
        (ie * 1e7).round() as i64,
        round(&clover.density0.data),
        round(&clover.energy0.data),
        round(&clover.pressure.data),
    )
}));
