//! LULESH: gradients and the monotonic limiter of the artificial viscosity, with boundary conditions as bit masks.
use omp_tests::twice;

twice! {
    const XI_M: u32 = 0x007;
    const XI_M_SYMM: u32 = 0x001;
    const XI_M_FREE: u32 = 0x002;
    const XI_P: u32 = 0x1c0;
    const XI_P_SYMM: u32 = 0x040;
    const XI_P_FREE: u32 = 0x080;

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Limits { monoq_limiter_mult: f64, monoq_max_slope: f64, qlc: f64, qqc: f64 }

    pub struct Domain {
        delv_xi: Vec<f64>,
        delx_xi: Vec<f64>,
        lxim: Vec<usize>,
        lxip: Vec<usize>,
        bc: Vec<u32>,
        vdov: Vec<f64>,
        mass: Vec<f64>,
        vnew: Vec<f64>,
        volo: Vec<f64>,
        ql: Vec<f64>,
        qq: Vec<f64>,
        limits: Limits,
    }

    impl Domain {
        pub fn elements(&self) -> usize { self.bc.len() }

        pub fn monotonic_q(&mut self) {
            let ptiny = 1e-36;
            let Limits { monoq_limiter_mult, monoq_max_slope, qlc, qqc } = self.limits;
            #[omp::target]
            for i in 0..self.elements() {
                let norm = 1.0 / (self.delv_xi[i] + ptiny);
                let bc = self.bc[i];
                let delvm = match bc & XI_M {
                    0 => self.delv_xi[self.lxim[i]],
                    XI_M_SYMM => self.delv_xi[i],
                    XI_M_FREE => 0.0,
                    other => panic!("unknown boundary {other}"),
                } * norm;
                let delvp = match bc & XI_P {
                    0 => self.delv_xi[self.lxip[i]],
                    XI_P_SYMM => self.delv_xi[i],
                    XI_P_FREE => 0.0,
                    _ => unreachable!(),
                } * norm;
                let mut phixi = 0.5 * (delvm + delvp);
                let delvm = delvm * monoq_limiter_mult;
                let delvp = delvp * monoq_limiter_mult;
                if delvm < phixi { phixi = delvm }
                if delvp < phixi { phixi = delvp }
                phixi = phixi.max(0.0).min(monoq_max_slope);

                let (qlin, qquad) = if self.vdov[i] > 0.0 {
                    (0.0, 0.0)
                } else {
                    let delvx = (self.delv_xi[i] * self.delx_xi[i]).min(0.0);
                    let rho = self.mass[i] / (self.volo[i] * self.vnew[i]);
                    (-qlc * rho * delvx * (1.0 - phixi), qqc * rho * delvx * delvx * (1.0 - phixi * phixi))
                };
                self.ql[i] = qlin;
                self.qq[i] = qquad;
            }
        }

        /// The stricter of the Courant and the hydro constraint.
        pub fn time_constraint(&self, ss: &[f64], arealg: &[f64]) -> Option<f64> {
            let qqc2 = 64.0 * self.limits.qqc * self.limits.qqc;
            let mut dt = f64::MAX;
            #[omp::target(reduction(min: dt))]
            for i in 0..self.elements() {
                if self.vdov[i] == 0.0 {
                    continue;
                }
                let mut dtf = ss[i] * ss[i];
                if self.vdov[i] < 0.0 {
                    dtf += qqc2 * arealg[i] * arealg[i] * self.vdov[i] * self.vdov[i];
                }
                dt = dt.min(arealg[i] / dtf.sqrt());
            }
            if dt == f64::MAX { None } else { Some(dt) }
        }
    }

    pub fn run() -> (Vec<f64>, Vec<f64>, Option<f64>) {
        let n = 50;
        let wave = |k: f64| (0..n).map(|i| (i as f64 * k).sin()).collect::<Vec<_>>();
        let pos = |k: f64| (0..n).map(|i| 1.5 + (i as f64 * k).cos()).collect::<Vec<_>>();
        let mut d = Domain {
            delv_xi: wave(0.3),
            delx_xi: pos(0.2),
            lxim: (0..n).map(|i: usize| i.saturating_sub(1)).collect(),
            lxip: (0..n).map(|i| (i + 1).min(n - 1)).collect(),
            bc: (0..n).map(|i| if i == 0 { XI_M_SYMM } else if i == n - 1 { XI_P_FREE } else { 0 }).collect(),
            vdov: wave(0.9),
            mass: pos(0.5),
            vnew: pos(0.7),
            volo: vec![1.0; n],
            ql: vec![0.0; n],
            qq: vec![0.0; n],
            limits: Limits { monoq_limiter_mult: 2.0, monoq_max_slope: 1.0, qlc: 0.5, qqc: 2.0 / 3.0 },
        };
        d.monotonic_q();
        let dt = d.time_constraint(&pos(0.1), &pos(0.33));
        (d.ql, d.qq, dt)
    }
}
port!(lulesh_monoq: run());
