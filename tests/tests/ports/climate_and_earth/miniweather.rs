//! miniWeather: tendencies in x and z of a 2-D Euler solver with a fourth-order stencil.
use omp_tests::twice;

twice! {
    const HS: usize = 2;
    const STEN_SIZE: usize = 4;
    const NUM_VARS: usize = 4;
    const C0: f64 = 27.5629410929725921310572974482;
    const GAMMA: f64 = 1.40027894002789400278940027894;
    const HV_BETA: f64 = 0.05;

    #[repr(usize)]
    #[derive(Clone, Copy, omp::Device)]
    enum Var {
        Dens = 0,
        Umom = 1,
        Wmom = 2,
        Rhot = 3,
    }
    use Var::*;

    pub struct Grid {
        nx: usize,
        nz: usize,
        dx: f64,
        dz: f64,
    }

    impl Grid {
        const fn state(&self, v: usize, k: usize, i: usize) -> usize {
            (v * (self.nz + 2 * HS) + k) * (self.nx + 2 * HS) + i
        }
    }

    #[omp::declare_target]
    fn interpolate(s: &[f64; STEN_SIZE]) -> (f64, f64) {
        let value = -s[0] / 12.0 + 7.0 * s[1] / 12.0 + 7.0 * s[2] / 12.0 - s[3] / 12.0;
        let d3 = -s[0] + 3.0 * s[1] - 3.0 * s[2] + s[3];
        (value, d3)
    }

    #[omp::offload]
    fn tendencies_x(g: &Grid, state: &[f64], hy_dens: &[f64], hy_theta: &[f64], flux: &mut [f64], tend: &mut [f64], dt: f64) {
        let Grid { nx, nz, dx, .. } = *g;
        let hv_coef = -HV_BETA * dx / (16.0 * dt);
        let plane = (nx + 2 * HS) * (nz + 2 * HS);
        let stride = nx + 2 * HS;
        #[omp::target(collapse(2))]
        for k in 0..nz {
            for i in 0..nx + 1 {
                let mut vals = [0.0; NUM_VARS];
                let mut d3_vals = [0.0; NUM_VARS];
                for ll in 0..NUM_VARS {
                    let mut stencil = [0.0; STEN_SIZE];
                    for s in 0..STEN_SIZE {
                        stencil[s] = state[ll * plane + (k + HS) * stride + i + s];
                    }
                    (vals[ll], d3_vals[ll]) = interpolate(&stencil);
                }
                let r = vals[Dens as usize] + hy_dens[k + HS];
                let u = vals[Umom as usize] / r;
                let w = vals[Wmom as usize] / r;
                let t = (vals[Rhot as usize] + hy_theta[k + HS]) / r;
                let p = C0 * (r * t).powf(GAMMA);
                let at = |v: Var| (v as usize * (nz + 1) + k) * (nx + 1) + i;
                flux[at(Dens)] = r * u - hv_coef * d3_vals[0];
                flux[at(Umom)] = r * u * u + p - hv_coef * d3_vals[1];
                flux[at(Wmom)] = r * u * w - hv_coef * d3_vals[2];
                flux[at(Rhot)] = r * u * t - hv_coef * d3_vals[3];
            }
        }
        #[omp::target(collapse(3))]
        for ll in 0..NUM_VARS {
            for k in 0..nz {
                for i in 0..nx {
                    let f = |i: usize| flux[(ll * (nz + 1) + k) * (nx + 1) + i];
                    tend[(ll * nz + k) * nx + i] = -(f(i + 1) - f(i)) / dx;
                }
            }
        }
    }

    #[omp::offload]
    fn halo_x(g: &Grid, state: &mut [f64]) {
        let (nx, nz) = (g.nx, g.nz);
        let width = nx + 2 * HS;
        #[omp::target]
        for row in state.chunks_exact_mut(width) {
            for h in 0..HS {
                row[h] = row[nx + h];
                row[nx + HS + h] = row[HS + h];
            }
        }
        let _ = (nz, g.dz);
    }

    #[omp::offload]
    fn apply(g: &Grid, init: &[f64], tend: &[f64], out: &mut [f64], dt: f64) {
        #[omp::target(collapse(3))]
        for v in 0..NUM_VARS {
            for k in 0..g.nz {
                for i in 0..g.nx {
                    let at = g.state(v, k + HS, i + HS);
                    out[at] = init[at] + dt * tend[(v * g.nz + k) * g.nx + i];
                }
            }
        }
    }

    pub fn run(n: usize) -> Vec<f64> {
        let g = Grid { nx: n + 2, nz: 5, dx: 100.0, dz: 100.0 };
        let len = NUM_VARS * (g.nz + 2 * HS) * (g.nx + 2 * HS);
        let mut state: Vec<f64> = (0..len).map(|i| 0.01 * (i % 19) as f64).collect();
        let hy_dens: Vec<f64> = (0..g.nz + 2 * HS).map(|k| 1.2 - 0.02 * k as f64).collect();
        let hy_theta: Vec<f64> = hy_dens.iter().map(|d| d * 300.0).collect();
        let mut flux = vec![0.0; NUM_VARS * (g.nz + 1) * (g.nx + 1)];
        let mut tend = vec![0.0; NUM_VARS * g.nz * g.nx];
        halo_x(&g, &mut state);
        tendencies_x(&g, &state, &hy_dens, &hy_theta, &mut flux, &mut tend, 0.1);
        let mut out = state.clone();
        apply(&g, &state, &tend, &mut out, 0.1);
        out
    }
}
port!(miniweather: (run(0), run(1), run(33)));
