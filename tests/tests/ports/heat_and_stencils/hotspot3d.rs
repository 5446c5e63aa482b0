//! Rodinia hotspot3D: temperatures of a chip of layers, with clamped borders.
use omp_tests::twice;

twice! {
    const MAX_PD: f32 = 3.0e6;
    const PRECISION: f32 = 0.001;
    const SPEC_HEAT_SI: f32 = 1.75e6;
    const K_SI: f32 = 100.0;
    const FACTOR_CHIP: f32 = 0.5;
    static AMB_TEMP: f32 = 80.0;

    #[derive(Clone, Copy, omp::Device)]
    struct Coefficients { cc: f32, cn: f32, cs: f32, ce: f32, cw: f32, ct: f32, cb: f32, step_div_cap: f32 }

    impl Coefficients {
        fn new(nx: usize, ny: usize, nz: usize) -> Self {
            let (dx, dy, dz) = (0.016 / nx as f32, 0.016 / ny as f32, 0.0005 / nz as f32);
            let cap = FACTOR_CHIP * SPEC_HEAT_SI * 0.0005 * dx * dy;
            let (rx, ry, rz) = (dy / (2.0 * K_SI * 0.0005 * dx), dx / (2.0 * K_SI * 0.0005 * dy), dz / (K_SI * dx * dy));
            let max_slope = MAX_PD / (FACTOR_CHIP * 0.0005 * SPEC_HEAT_SI);
            let dt = PRECISION / max_slope;
            let step_div_cap = dt / cap;
            let (ce, cn, ct) = (step_div_cap / rx, step_div_cap / ry, step_div_cap / rz);
            Self { cc: 1.0 - (2.0 * ce + 2.0 * cn + 3.0 * ct), cn, cs: cn, ce, cw: ce, ct, cb: ct, step_div_cap }
        }
    }

    fn simulate(power: &[f32], temp: &mut Vec<f32>, (nx, ny, nz): (usize, usize, usize), iterations: u32) {
        let c = Coefficients::new(nx, ny, nz);
        let mut out = temp.clone();
        let idx = |x: usize, y: usize, z: usize| x + y * nx + z * nx * ny;
        for _ in 0..iterations {
            let tin = &*temp;
            #[omp::target(collapse(2))]
            for y in 0..ny {
                for x in 0..nx {
                    let (w, e) = (x.saturating_sub(1), (x + 1).min(nx - 1));
                    let (n, s) = (y.saturating_sub(1), (y + 1).min(ny - 1));
                    for z in 0..nz {
                        let b = if z == 0 { 0 } else { z - 1 };
                        let t = if z == nz - 1 { z } else { z + 1 };
                        let i = idx(x, y, z);
                        out[i] = tin[i] * c.cc
                            + tin[idx(x, n, z)] * c.cn + tin[idx(x, s, z)] * c.cs
                            + tin[idx(e, y, z)] * c.ce + tin[idx(w, y, z)] * c.cw
                            + tin[idx(x, y, t)] * c.ct + tin[idx(x, y, b)] * c.cb
                            + c.step_div_cap * power[i] + c.ct * AMB_TEMP;
                    }
                }
            }
            std::mem::swap(temp, &mut out);
        }
    }

    pub fn run() -> Vec<f32> {
        let dims = (12, 10, 4);
        let n = 12 * 10 * 4;
        let power: Vec<f32> = (0..n).map(|i| (i % 7) as f32 * 1e-4).collect();
        let mut temp: Vec<f32> = (0..n).map(|i| 300.0 + (i % 11) as f32).collect();
        simulate(&power, &mut temp, dims, 4);
        temp
    }
}
port!(hotspot3d: run());
