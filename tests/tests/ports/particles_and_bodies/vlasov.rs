//! A Vlasov-Poisson solver: semi-Lagrangian advection with cubic interpolation.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, omp::Device)]
    pub struct Axis { lo: f64, hi: f64, n: usize }

    #[omp::declare_target]
    impl Axis {
        fn step(&self) -> f64 { (self.hi - self.lo) / self.n as f64 }
        fn point(&self, i: usize) -> f64 { self.lo + (i as f64 + 0.5) * self.step() }
        fn wrap(&self, i: i64) -> usize { i.rem_euclid(self.n as i64) as usize }
    }

    #[omp::declare_target]
    fn cubic(p: [f64; 4], t: f64) -> f64 {
        let [a, b, c, d] = p;
        b + 0.5 * t * (c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a)))
    }

    pub struct Phase { x: Axis, v: Axis, f: Vec<f64> }

    impl Phase {
        fn new(x: Axis, v: Axis, init: impl Fn(f64, f64) -> f64) -> Self {
            let f = (0..x.n * v.n).map(|k| init(x.point(k / v.n), v.point(k % v.n))).collect();
            Self { x, v, f }
        }

        fn advect_x(&mut self, dt: f64) {
            let Phase { x, v, ref f } = *self;
            let mut out = vec![0.0; f.len()];
            #[omp::target(collapse(2))]
            for i in 0..x.n {
                for j in 0..v.n {
                    let shift = -v.point(j) * dt / x.step();
                    let cell = shift.floor();
                    let base = i as i64 + cell as i64;
                    let p = [base - 1, base, base + 1, base + 2].map(|k| f[x.wrap(k) * v.n + j]);
                    out[i * v.n + j] = cubic(p, shift - cell);
                }
            }
            self.f = out;
        }

        fn advect_v(&mut self, e: &[f64], dt: f64) {
            let nv = self.v.n;
            let dv = self.v.step();
            #[omp::target]
            for (row, &e) in self.f.chunks_mut(nv).zip(e) {
                let mut old = [0.0; 32];
                old[..nv].copy_from_slice(row);
                for j in 0..nv {
                    let at = j as f64 - e * dt / dv;
                    let k = at.floor() as i64;
                    let get = |k: i64| if k >= 0 && k < nv as i64 { old[k as usize] } else { 0.0 };
                    row[j] = cubic([get(k - 1), get(k), get(k + 1), get(k + 2)], at - k as f64);
                }
            }
        }

        fn density(&self) -> Vec<f64> {
            let mut rho = vec![0.0; self.x.n];
            let dv = self.v.step();
            #[omp::target]
            for (r, row) in rho.iter_mut().zip(self.f.chunks(self.v.n)) {
                *r = dv * row.iter().sum::<f64>();
            }
            rho
        }

        fn field(&self) -> Vec<f64> {
            let rho = self.density();
            let mean = rho.iter().sum::<f64>() / rho.len() as f64;
            let mut acc = 0.0;
            rho.iter().map(|r| { acc += (r - mean) * self.x.step(); acc }).collect()
        }
    }
    pub fn run() -> (Vec<f64>, Vec<f64>) {
        let x = Axis { lo: 0.0, hi: 12.0, n: 16 };
        let v = Axis { lo: -4.0, hi: 4.0, n: 20 };
        let mut p = Phase::new(x, v, |x, v| (1.0 + 0.1 * (0.5 * x).cos()) * (-0.5 * v * v).exp());
        for _ in 0..3 {
            p.advect_x(0.05);
            let e = p.field();
            p.advect_v(&e, 0.1);
            p.advect_x(0.05);
        }
        (p.field(), p.f)
    }
}
port!(vlasov: run());
