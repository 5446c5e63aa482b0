//! CloverLeaf: equation of state, viscosity and the smallest time step of a staggered grid.
use omp_tests::twice;

twice! {
    #[derive(Clone, Debug, omp::Mapper)]
    pub struct Field {
        nx: usize,
        ny: usize,
        data: Vec<f64>,
    }

    #[omp::declare_target]
    impl std::ops::Index<(usize, usize)> for Field {
        type Output = f64;
        fn index(&self, (i, j): (usize, usize)) -> &f64 {
            &self.data[j * self.nx + i]
        }
    }

    #[omp::declare_target]
    impl std::ops::IndexMut<(usize, usize)> for Field {
        fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
            &mut self.data[j * self.nx + i]
        }
    }

    impl Field {
        pub fn new(nx: usize, ny: usize, f: impl Fn(usize, usize) -> f64) -> Self {
            let mut data = Vec::with_capacity(nx * ny);
            for j in 0..ny {
                for i in 0..nx {
                    data.push(f(i, j));
                }
            }
            Self { nx, ny, data }
        }
    }

    const GAMMA: f64 = 1.4;

    pub fn ideal_gas(density: &Field, energy: &Field, pressure: &mut Field, soundspeed: &mut Field) {
        let (nx, ny) = (density.nx, density.ny);
        #[omp::target(collapse(2))]
        for j in 0..ny {
            for i in 0..nx {
                let v = 1.0 / density[(i, j)];
                let p = (GAMMA - 1.0) * density[(i, j)] * energy[(i, j)];
                pressure[(i, j)] = p;
                let by_energy = (GAMMA - 1.0) * density[(i, j)];
                let by_volume = -density[(i, j)] * p;
                let square = v * v * (p * by_energy - by_volume);
                soundspeed[(i, j)] = square.sqrt();
            }
        }
    }

    pub fn viscosity(xvel: &Field, yvel: &Field, density: &Field, q: &mut Field, dx: f64, dy: f64) {
        #[omp::target]
        for j in 0..q.ny {
            for i in 0..q.nx {
                let ugrad = 0.5 * ((xvel[(i + 1, j)] + xvel[(i + 1, j + 1)]) - (xvel[(i, j)] + xvel[(i, j + 1)]));
                let vgrad = 0.5 * ((yvel[(i, j + 1)] + yvel[(i + 1, j + 1)]) - (yvel[(i, j)] + yvel[(i + 1, j)]));
                let div = dx * ugrad + dy * vgrad;
                q[(i, j)] = if div >= 0.0 { 0.0 } else { 2.0 * density[(i, j)] * div.powi(2) };
            }
        }
    }

    pub fn calc_dt(soundspeed: &Field, q: &Field, density: &Field, dx: f64, dy: f64) -> f64 {
        let mut dt = f64::MAX;
        #[omp::target(reduction(min: dt), collapse(2))]
        for j in 0..q.ny {
            for i in 0..q.nx {
                let cc = (soundspeed[(i, j)].powi(2) + 2.0 * q[(i, j)] / density[(i, j)]).sqrt().max(1e-8);
                dt = dt.min(0.7 * dx.min(dy) / cc);
            }
        }
        dt
    }

    pub fn step(n: usize) -> (Vec<f64>, Vec<f64>, f64) {
        let density = Field::new(n, n, |i, j| if i < n / 2 && j < n / 3 { 1.0 } else { 0.2 });
        let energy = Field::new(n, n, |i, j| 1.0 + ((i * 3 + j) % 5) as f64 * 0.3);
        let xvel = Field::new(n + 1, n + 1, |i, j| (i as f64 - j as f64).sin());
        let yvel = Field::new(n + 1, n + 1, |i, j| (i as f64 * 0.5 + j as f64).cos());
        let mut pressure = Field::new(n, n, |_, _| 0.0);
        let mut soundspeed = pressure.clone();
        let mut q = pressure.clone();
        ideal_gas(&density, &energy, &mut pressure, &mut soundspeed);
        viscosity(&xvel, &yvel, &density, &mut q, 0.1, 0.1);
        let dt = calc_dt(&soundspeed, &q, &density, 0.1, 0.1);
        (pressure.data, q.data, dt)
    }
}
port!(cloverleaf: step(13));
