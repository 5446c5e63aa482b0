//! RSBench: cross sections by the multipole method, with complex numbers and a Faddeeva function.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Complex { r: f64, i: f64 }

    #[omp::declare_target]
    fn c_mul(a: Complex, b: Complex) -> Complex { Complex { r: a.r * b.r - a.i * b.i, i: a.r * b.i + a.i * b.r } }
    #[omp::declare_target]
    fn c_add(a: Complex, b: Complex) -> Complex { Complex { r: a.r + b.r, i: a.i + b.i } }
    #[omp::declare_target]
    fn c_sub(a: Complex, b: Complex) -> Complex { Complex { r: a.r - b.r, i: a.i - b.i } }
    #[omp::declare_target]
    fn c_div(a: Complex, b: Complex) -> Complex {
        let d = b.r * b.r + b.i * b.i;
        Complex { r: (a.r * b.r + a.i * b.i) / d, i: (a.i * b.r - a.r * b.i) / d }
    }
    #[omp::declare_target]
    fn c_abs(a: Complex) -> f64 { (a.r * a.r + a.i * a.i).sqrt() }
    #[omp::declare_target]
    fn c_exp(z: Complex) -> Complex { Complex { r: z.r.exp() * z.i.cos(), i: z.r.exp() * z.i.sin() } }

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Pole { mp_ea: Complex, mp_rt: Complex, mp_ra: Complex, l_value: u16 }

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Window { t: f64, a: f64, f: f64, start: u32, end: u32 }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct MicroXs { sig_t: f64, sig_a: f64, sig_f: f64 }

    #[omp::declare_target]
    fn fast_nuclear_w(z: Complex) -> Complex {
        if c_abs(z) < 6.0 {
            let prefactor = Complex { r: 0.0, i: 8.124330e+01 };
            let an = [2.758402e-01, 2.245740e-01, 1.594149e-01, 9.866577e-02, 5.324414e-02, 2.505215e-02];
            let neg_1n = [-1.0, 1.0, -1.0, 1.0, -1.0, 1.0];
            let denominator_left = [9.869604e+00, 3.947842e+01, 8.882644e+01, 1.579137e+02, 2.467401e+02, 3.553058e+02];
            let t1 = Complex { r: 0.0, i: 12.0 };
            let t2 = Complex { r: 12.0, i: 0.0 };
            let i = Complex { r: 0.0, i: 1.0 };
            let one = Complex { r: 1.0, i: 0.0 };
            let mut w = c_div(c_mul(i, c_sub(one, c_exp(c_mul(t1, z)))), c_mul(t2, z));
            let mut sum = Complex { r: 0.0, i: 0.0 };
            for n in 0..6 {
                let t3 = Complex { r: neg_1n[n], i: 0.0 };
                let top = c_sub(c_mul(t3, c_exp(c_mul(t1, z))), one);
                let t4 = Complex { r: denominator_left[n], i: 0.0 };
                let t5 = Complex { r: 144.0, i: 0.0 };
                let bot = c_sub(t4, c_mul(t5, c_mul(z, z)));
                let t6 = Complex { r: an[n], i: 0.0 };
                sum = c_add(sum, c_mul(t6, c_div(top, bot)));
            }
            w = c_add(w, c_mul(prefactor, c_mul(z, sum)));
            w
        } else {
            const QUICK_2: f64 = 0.27525512860841095;
            const QUICK_5: f64 = 2.724744871391589;
            let z2 = c_mul(z, z);
            let left = c_div(Complex { r: 0.5124242247547, i: 0.0 }, c_sub(z2, Complex { r: QUICK_2, i: 0.0 }));
            let right = c_div(Complex { r: 0.05176536, i: 0.0 }, c_sub(z2, Complex { r: QUICK_5, i: 0.0 }));
            c_mul(c_mul(Complex { r: 0.0, i: 1.0 }, z), c_add(left, right))
        }
    }

    pub struct SimulationData {
        n_windows: Vec<i32>, n_poles: Vec<i32>, poles: Vec<Pole>, windows: Vec<Window>, max_poles: usize, max_windows: usize,
    }

    #[omp::declare_target]
    fn lcg_random_double(seed: &mut u64) -> f64 {
        const M: u64 = 9223372036854775808;
        *seed = (2806196910506780709u64.wrapping_mul(*seed).wrapping_add(1)) % M;
        *seed as f64 / M as f64
    }

    pub fn lookups(data: &SimulationData, count: u64) -> (u64, MicroXs) {
        let SimulationData { n_windows, n_poles, poles, windows, max_poles, max_windows } = data;
        let nuclides = n_windows.len();
        let mut verification = 0u64;
        let (mut st, mut sa, mut sf) = (0.0, 0.0, 0.0);
        #[omp::target(reduction(+: verification, st, sa, sf))]
        for i in 0..count {
            let mut seed = (i + 1).wrapping_mul(1070);
            let e = lcg_random_double(&mut seed).max(1e-6);
            let nuc = (lcg_random_double(&mut seed) * nuclides as f64) as usize;
            let spacing = 1.0 / n_windows[nuc] as f64;
            let window = ((e / spacing) as usize).min(n_windows[nuc] as usize - 1);
            let w = windows[nuc * max_windows + window];
            let mut xs = MicroXs { sig_t: e * w.t, sig_a: e * w.a, sig_f: e * w.f };
            for p in w.start..w.end.min(n_poles[nuc] as u32) {
                let pole = &poles[nuc * max_poles + p as usize];
                let z = c_sub(Complex { r: e.sqrt(), i: 0.01 }, pole.mp_ea);
                let fadd = c_div(fast_nuclear_w(z), Complex { r: e, i: pole.l_value as f64 * 0.1 });
                xs.sig_t += c_mul(pole.mp_rt, fadd).r;
                xs.sig_a += c_mul(pole.mp_ra, fadd).r;
                xs.sig_f += 0.5 * c_mul(pole.mp_ra, fadd).i;
            }
            let max = if xs.sig_t > xs.sig_a { if xs.sig_t > xs.sig_f { 0 } else { 2 } } else if xs.sig_a > xs.sig_f { 1 } else { 2 };
            verification += max + 1;
            st += xs.sig_t;
            sa += xs.sig_a;
            sf += xs.sig_f;
        }
        (verification, MicroXs { sig_t: st, sig_a: sa, sig_f: sf })
    }

    pub fn run() -> (u64, f64, f64, f64) {
        let mut v = Values(2);
        let mut u = || v.bits() as f64 / 4294967296.0;
        let (nuclides, max_poles, max_windows) = (5, 12, 4);
        let poles = (0..nuclides * max_poles)
            .map(|k| Pole { mp_ea: Complex { r: u(), i: u() }, mp_rt: Complex { r: u(), i: u() }, mp_ra: Complex { r: u(), i: u() }, l_value: k as u16 % 4 })
            .collect();
        let windows = (0..nuclides * max_windows).map(|k| Window { t: u(), a: u(), f: u(), start: (k % 4 * 3) as u32, end: (k % 4 * 3 + 3) as u32 }).collect();
        let data = SimulationData { n_windows: vec![4; nuclides], n_poles: vec![12, 11, 12, 10, 12], poles, windows, max_poles, max_windows };
        let (check, xs) = lookups(&data, 200);
        (check, xs.sig_t, xs.sig_a, xs.sig_f)
    }
}
port!(rsbench: run());
