//! miniQMC: 3-D B-spline value, gradient and Hessian of many orbitals.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Default, Debug, omp::Device)]
    struct Weights {
        v: [f64; 4],
        d: [f64; 4],
        d2: [f64; 4],
    }

    #[omp::declare_target]
    impl Weights {
        fn at(t: f64) -> Self {
            let (t2, t3) = (t * t, t * t * t);
            Weights {
                v: [(1.0 - t).powi(3) / 6.0, (3.0 * t3 - 6.0 * t2 + 4.0) / 6.0, (-3.0 * t3 + 3.0 * t2 + 3.0 * t + 1.0) / 6.0, t3 / 6.0],
                d: [-0.5 * (1.0 - t).powi(2), 1.5 * t2 - 2.0 * t, -1.5 * t2 + t + 0.5, 0.5 * t2],
                d2: [1.0 - t, 3.0 * t - 2.0, -3.0 * t + 1.0, t],
            }
        }
    }

    struct Spline {
        coefs: Vec<f64>,
        num: usize,
        n: [usize; 3],
        inv_delta: [f64; 3],
    }

    struct Output {
        vals: Vec<f64>,
        grads: Vec<[f64; 3]>,
        hess: Vec<[f64; 6]>,
    }

    #[omp::declare_target]
    fn split(x: f64, inv: f64, n: usize) -> (usize, f64) {
        let x = x * inv;
        let i = (x.trunc() as usize).min(n - 1);
        (i, x - i as f64)
    }

    impl Spline {
        #[omp::offload]
        fn evaluate_vgh(&self, [x, y, z]: [f64; 3], out: &mut Output) {
            let (ix, tx) = split(x, self.inv_delta[0], self.n[0]);
            let (iy, ty) = split(y, self.inv_delta[1], self.n[1]);
            let (iz, tz) = split(z, self.inv_delta[2], self.n[2]);
            let (a, b, c) = (Weights::at(tx), Weights::at(ty), Weights::at(tz));
            let ys = (self.n[2] + 3) * self.num;
            let xs = (self.n[1] + 3) * ys;
            let [dx, dy, dz] = self.inv_delta;
            #[omp::target]
            for m in 0..self.num {
                let mut val = 0.0;
                let mut g = [0.0; 3];
                let mut h = [0.0; 6];
                for i in 0..4 {
                    for j in 0..4 {
                        let at = (ix + i) * xs + (iy + j) * ys + iz * self.num;
                        let p: [f64; 4] = std::array::from_fn(|k| self.coefs[at + k * self.num + m]);
                        let dot = |w: &[f64; 4]| -> f64 { w.iter().zip(p.iter()).map(|(w, p)| w * p).sum() };
                        let (s, ds, d2s) = (dot(&c.v), dot(&c.d), dot(&c.d2));
                        let (pre20, pre10, pre00) = (a.d2[i] * b.v[j], a.d[i] * b.v[j], a.v[i] * b.v[j]);
                        let (pre11, pre01, pre02) = (a.d[i] * b.d[j], a.v[i] * b.d[j], a.v[i] * b.d2[j]);
                        h[0] += pre20 * s;
                        h[1] += pre11 * s;
                        h[2] += pre10 * ds;
                        h[3] += pre02 * s;
                        h[4] += pre01 * ds;
                        h[5] += pre00 * d2s;
                        g[0] += pre10 * s;
                        g[1] += pre01 * s;
                        g[2] += pre00 * ds;
                        val += pre00 * s;
                    }
                }
                out.vals[m] = val;
                out.grads[m] = [g[0] * dx, g[1] * dy, g[2] * dz];
                let scale = [dx * dx, dx * dy, dx * dz, dy * dy, dy * dz, dz * dz];
                for (o, (h, s)) in out.hess[m].iter_mut().zip(h.iter().zip(scale)) {
                    *o = h * s;
                }
            }
        }
    }

    pub fn run(n: usize) -> Vec<f64> {
        let g = [3, 4, 5];
        let s = Spline { num: n, n: g, inv_delta: [3.0, 4.0, 5.0], coefs: (0..6 * 7 * 8 * n).map(|i| ((i * 13) % 29) as f64 * 0.1).collect() };
        let mut o = Output { vals: vec![0.0; n], grads: vec![[0.0; 3]; n], hess: vec![[0.0; 6]; n] };
        s.evaluate_vgh([0.4, 0.7, 0.2], &mut o);
        o.vals.into_iter().chain(o.grads.into_iter().flatten()).chain(o.hess.into_iter().flatten()).collect()
    }
}
port!(bspline_vgh: (run(0), run(1), run(33)));
