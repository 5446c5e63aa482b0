//! RAJAPerf and Kokkos kernels: energies with early outs, FIR of fixed taps, reductions of structs, trapezoids.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, Copy, Debug)]
    pub struct Cutoffs { p: f64, q: f64, emin: f64, eosvmax: f64 }

    pub fn pressure(p_new: &mut [f64], bvc: &mut [f64], compression: &[f64], e_old: &[f64], vnewc: &[f64], cut: &Cutoffs) {
        let Cutoffs { p: p_cut, eosvmax, .. } = *cut;
        #[omp::target]
        for (b, c) in bvc.iter_mut().zip(compression) {
            *b = 2.0 / 3.0 * (c + 1.0);
        }
        #[omp::target]
        for i in 0..p_new.len() {
            let mut p = bvc[i] * e_old[i];
            if p.abs() < p_cut {
                p = 0.0;
            }
            if vnewc[i] >= eosvmax {
                p = 0.0;
            }
            p_new[i] = if p < cut.emin { cut.emin } else { p };
        }
    }

    #[omp::declare_target]
    fn sound_speed(pbvc: f64, e: f64, vnewc: f64, bvc: f64, p: f64, rho0: f64) -> f64 {
        let ssc = (pbvc * e + vnewc.powi(2) * bvc * p) / rho0;
        if ssc <= 0.1111111e-36 { 0.3333333e-18 } else { ssc.sqrt() }
    }

    pub fn energy(q_new: &mut [f64], e: &[f64], delvc: &[f64], p: &[f64], rho0: f64, cut: &Cutoffs) {
        #[omp::target]
        for (i, q) in q_new.iter_mut().enumerate() {
            if delvc[i] > 0.0 {
                *q = 0.0;
                continue;
            }
            let c = sound_speed(p[i], e[i], 0.5, 1.5, p[i], rho0);
            *q = match c * delvc[i].abs() {
                v if v < cut.q => 0.0,
                v => v,
            };
        }
    }

    pub fn bounding_box(points: &[(f32, f32)]) -> ((f32, f32), (f32, f32)) {
        let (mut x0, mut x1) = (f32::INFINITY, f32::NEG_INFINITY);
        let mut y0 = f32::INFINITY;
        let mut y1 = f32::NEG_INFINITY;
        #[omp::target(reduction(min: x0, y0), reduction(max: x1, y1))]
        for &(x, y) in points {
            x0 = x0.min(x);
            x1 = x1.max(x);
            y0 = y0.min(y);
            y1 = y1.max(y);
        }
        ((x0, y0), (x1, y1))
    }

    pub fn pi<F: Fn(f64) -> f64>(_f: F, n: usize) -> f64 {
        let h = 1.0 / n as f64;
        let f = |x: f64| 4.0 / (1.0 + x * x);
        let mut sum = 0.0;
        #[omp::target(reduction(+: sum))]
        for i in 0..n {
            let x = (i as f64 + 0.5) * h;
            sum += f(x) * h;
        }
        sum
    }

    pub fn first_min(x: &[f64]) -> Option<usize> {
        let (mut best, mut at) = (f64::INFINITY, usize::MAX);
        for (i, &v) in x.iter().enumerate() {
            if v < best {
                (best, at) = (v, i);
            }
        }
        (at < x.len()).then_some(at)
    }

    pub fn run() -> (Vec<Vec<f64>>, ((f32, f32), (f32, f32)), (f64, usize)) {
        let mut v = Values(21);
        let mut values = || (0..80).map(|_| v.bits() as f64 / 2e9 - 1.0).collect::<Vec<f64>>();
        let (c, e, n, d) = (values(), values(), values(), values());
        let cut = Cutoffs { p: 0.1, q: 0.2, emin: -0.5, eosvmax: 0.9 };
        let (mut p, mut b, mut q) = (vec![0.0; 80], vec![0.0; 80], vec![0.0; 80]);
        pressure(&mut p, &mut b, &c, &e, &n, &cut);
        energy(&mut q, &e, &d, &p, 1.2, &cut);
        let points: Vec<(f32, f32)> = c.iter().zip(&e).map(|(a, b)| (*a as f32, *b as f32)).collect();
        let at = first_min(&e).map_or(0, |i| i + 1);
        (vec![p, b, q], bounding_box(&points), (pi(|x| x, 1000), at))
    }
}
port!(rajaperf: run());
