//! CloverLeaf: equation of state, viscosity and time step on a field with halos.
use omp_tests::twice;

twice! {
    use std::ops::{Index, IndexMut};
    type Real = f64;

    #[derive(Clone, omp::Mapper)]
    pub struct Field { halo: usize, pitch: usize, data: Vec<Real> }

    impl Field {
        fn new(nx: usize, ny: usize, halo: usize, f: impl Fn(usize, usize) -> Real) -> Self {
            let pitch = nx + 2 * halo;
            let data = (0..pitch * (ny + 2 * halo)).map(|k| f(k % pitch, k / pitch)).collect();
            Field { halo, pitch, data }
        }
    }
    #[omp::declare_target]
    impl Index<[isize; 2]> for Field {
        type Output = Real;
        fn index(&self, [j, k]: [isize; 2]) -> &Real {
            let h = self.halo as isize;
            &self.data[(k + h) as usize * self.pitch + (j + h) as usize]
        }
    }
    #[omp::declare_target]
    impl IndexMut<[isize; 2]> for Field {
        fn index_mut(&mut self, [j, k]: [isize; 2]) -> &mut Real {
            let h = self.halo as isize;
            &mut self.data[(k + h) as usize * self.pitch + (j + h) as usize]
        }
    }

    pub struct Chunk { nx: isize, ny: isize, density: Field, energy: Field, pressure: Field, soundspeed: Field, xvel: Field, yvel: Field, viscosity: Field }

    impl Chunk {
        pub fn ideal_gas(&mut self) {
            const GAMMA: Real = 1.4;
            let Chunk { nx, ny, density, energy, pressure, soundspeed, .. } = self;
            #[omp::target(collapse(2))]
            for k in 0..*ny {
                for j in 0..*nx {
                    let v = 1.0 / density[[j, k]];
                    pressure[[j, k]] = (GAMMA - 1.0) * density[[j, k]] * energy[[j, k]];
                    let pressurebyenergy = (GAMMA - 1.0) * density[[j, k]];
                    let pressurebyvolume = -density[[j, k]] * pressure[[j, k]] * v;
                    let sound_speed_squared = v * v * (pressure[[j, k]] * pressurebyenergy - pressurebyvolume);
                    soundspeed[[j, k]] = sound_speed_squared.sqrt();
                }
            }
        }

        pub fn viscosity(&mut self, celldx: Real, celldy: Real) {
            let (nx, ny) = (self.nx, self.ny);
            let (xv, yv, p, d) = (&self.xvel, &self.yvel, &self.pressure, &self.density);
            let visc = &mut self.viscosity;
            #[omp::target(collapse(2))]
            for k in 0..ny {
                for j in 0..nx {
                    let ugrad = (xv[[j + 1, k]] + xv[[j + 1, k + 1]]) - (xv[[j, k]] + xv[[j, k + 1]]);
                    let vgrad = (yv[[j, k + 1]] + yv[[j + 1, k + 1]]) - (yv[[j, k]] + yv[[j + 1, k]]);
                    let div = celldx * ugrad + celldy * vgrad;
                    let pgradx = (p[[j + 1, k]] - p[[j - 1, k]]) / (2.0 * celldx);
                    let pgrady = (p[[j, k + 1]] - p[[j, k - 1]]) / (2.0 * celldy);
                    let limiter = 0.5 * ugrad / celldx + 0.5 * vgrad / celldy;
                    visc[[j, k]] = if limiter > 0.0 || div >= 0.0 {
                        0.0
                    } else {
                        let dirx = if pgradx < 0.0 { -1.0 } else { 1.0 };
                        let gradx = dirx * pgradx.abs().max(1e-16);
                        let grady = pgrady.abs().max(1e-16).copysign(pgrady);
                        let pgrad = (gradx * gradx + grady * grady).sqrt();
                        let grad = (celldx * pgrad / gradx).abs().min((celldy * pgrad / grady).abs());
                        2.0 * d[[j, k]] * grad * grad * limiter * limiter
                    };
                }
            }
        }

        pub fn calc_dt(&self, dx: Real, dy: Real) -> Real {
            let mut dt_min = Real::MAX;
            #[omp::target(collapse(2), reduction(min: dt_min))]
            for k in 0..self.ny {
                for j in 0..self.nx {
                    let cc = self.soundspeed[[j, k]].powi(2) + 2.0 * self.viscosity[[j, k]] / self.density[[j, k]];
                    let cc = cc.sqrt().max(1e-10);
                    let dtct = 0.7 * dx.min(dy) / cc;
                    let u = self.xvel[[j, k]].abs().max(self.xvel[[j + 1, k]].abs());
                    let dtut = if u > 0.0 { 0.5 * dx / u } else { Real::MAX };
                    dt_min = dt_min.min(dtct).min(dtut);
                }
            }
            dt_min
        }
    }
    pub fn run() -> (Vec<f64>, Vec<f64>, f64) {
        let f = |a: usize, s: f64| Field::new(10, 8, 2, move |x, y| s + 0.1 * ((x * a + y * 3) % 7) as f64);
        let mut c = Chunk { nx: 10, ny: 8, density: f(2, 1.0), energy: f(3, 2.0), pressure: f(5, 1.0), soundspeed: f(1, 0.0), xvel: f(4, -0.3), yvel: f(6, -0.2), viscosity: f(1, 0.0) };
        c.ideal_gas();
        c.viscosity(0.1, 0.1);
        let dt = c.calc_dt(0.1, 0.1);
        (c.pressure.data, c.viscosity.data, dt)
    }
}
port!(clover_hydro: run());
