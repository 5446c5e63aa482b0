//! LULESH: energies of the elements of a region, with cut-offs.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, omp::Device)]
    pub struct Params { rho0: f64, e_cut: f64, p_cut: f64, q_cut: f64, pmin: f64, emin: f64, eosvmax: f64 }

    impl Default for Params {
        fn default() -> Self { Params { rho0: 1.0, e_cut: 1e-7, p_cut: 1e-7, q_cut: 1e-7, pmin: 0.0, emin: -1e15, eosvmax: 1e9 } }
    }

    #[omp::declare_target]
    fn pressure(p: &Params, e: f64, compression: f64, vnewc: f64) -> (f64, f64, f64) {
        const C1S: f64 = 2.0 / 3.0;
        let bvc = C1S * (compression + 1.0);
        let pbvc = C1S;
        let mut pnew = bvc * e;
        if pnew.abs() < p.p_cut { pnew = 0.0 }
        if vnewc >= p.eosvmax { pnew = 0.0 }
        (pnew.max(p.pmin), bvc, pbvc)
    }

    #[omp::declare_target]
    fn sound_speed_term(pbvc: f64, e: f64, v: f64, bvc: f64, p: f64, rho0: f64) -> f64 {
        let ssc = (pbvc * e + v * v * bvc * p) / rho0;
        if ssc <= 0.1111111e-36 { 0.3333333e-18 } else { ssc.sqrt() }
    }

    pub struct Domain { e: Vec<f64>, p: Vec<f64>, q: Vec<f64>, delv: Vec<f64>, vnew: Vec<f64>, ql: Vec<f64>, qq: Vec<f64> }

    pub fn eval_eos(d: &mut Domain, params: &Params, region: &[usize], rep: usize) {
        let Domain { e, p, q, delv, vnew, ql, qq } = d;
        #[omp::target(disjoint(e, p, q))]
        for &elem in region {
            let (e_old, p_old, q_old, dv) = (e[elem], p[elem], q[elem], delv[elem]);
            let v = vnew[elem];
            let compression = 1.0 / v - 1.0;
            let half = 1.0 / (v - 0.5 * dv) - 1.0;
            let mut e_new = e_old;
            let (mut p_new, mut q_new) = (p_old, q_old);
            for _ in 0..rep {
                e_new = (e_old - 0.5 * dv * (p_old + q_old)).max(params.emin);
                let (p_half, bvc, pbvc) = pressure(params, e_new, half, v);
                let vhalf = 1.0 / (1.0 + half);
                q_new = if dv > 0.0 {
                    0.0
                } else {
                    let ssc = sound_speed_term(pbvc, e_new, vhalf, bvc, p_half, params.rho0);
                    ssc * ql[elem] + qq[elem]
                };
                e_new += 0.5 * dv * (3.0 * (p_old + q_old) - 4.0 * (p_half + q_new));
                if e_new.abs() < params.e_cut { e_new = 0.0; }
                e_new = e_new.max(params.emin);
                (p_new, _, _) = pressure(params, e_new, compression, v);
                if q_new.abs() < params.q_cut { q_new = 0.0; }
            }
            e[elem] = e_new;
            p[elem] = p_new;
            q[elem] = q_new;
        }
    }
    pub fn run() -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let n = 50;
        let f = |s: f64, m: usize| (0..n).map(|i| s + 0.01 * (i % m) as f64).collect::<Vec<_>>();
        let mut d = Domain { e: f(1.0, 5), p: f(0.5, 7), q: f(0.0, 3), delv: f(-0.04, 9), vnew: f(0.9, 11), ql: f(0.1, 4), qq: f(0.2, 6) };
        let region: Vec<usize> = (0..n).filter(|i| i % 3 != 1).collect();
        eval_eos(&mut d, &Params::default(), &region, 2);
        (d.e, d.p, d.q)
    }
}
port!(lulesh_eos: run());
