//! A bank of extended Kalman filters that track targets by range and bearing.
use omp_tests::{Values, twice};

twice! {
    type Mat<const R: usize, const C: usize> = [[f64; C]; R];

    #[omp::declare_target]
    fn mul<const R: usize, const K: usize, const C: usize>(a: &Mat<R, K>, b: &Mat<K, C>) -> Mat<R, C> {
        let mut out = [[0.0; C]; R];
        for i in 0..R {
            for j in 0..C {
                for k in 0..K {
                    out[i][j] += a[i][k] * b[k][j];
                }
            }
        }
        out
    }

    #[omp::declare_target]
    fn transpose<const R: usize, const C: usize>(a: &Mat<R, C>) -> Mat<C, R> {
        let mut out = [[0.0; R]; C];
        for (i, row) in a.iter().enumerate() {
            for (j, &x) in row.iter().enumerate() {
                out[j][i] = x;
            }
        }
        out
    }

    #[omp::declare_target]
    fn inverse2(m: &Mat<2, 2>) -> Mat<2, 2> {
        let det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
        [[m[1][1] / det, -m[0][1] / det], [-m[1][0] / det, m[0][0] / det]]
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Filter { x: [f64; 4], p: Mat<4, 4> }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Measurement { range: f64, bearing: f64 }

    #[omp::declare_target]
    impl Filter {
        fn predict(&mut self, dt: f64, q: f64) {
            let f = [[1.0, 0.0, dt, 0.0], [0.0, 1.0, 0.0, dt], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
            self.x[0] += dt * self.x[2];
            self.x[1] += dt * self.x[3];
            self.p = mul(&mul(&f, &self.p), &transpose(&f));
            for i in 0..4 {
                self.p[i][i] += q;
            }
        }

        fn update(&mut self, z: Measurement, r: [f64; 2]) -> f64 {
            let [px, py, ..] = self.x;
            let d2 = px * px + py * py;
            let d = d2.sqrt();
            let h = [[px / d, py / d, 0.0, 0.0], [-py / d2, px / d2, 0.0, 0.0]];
            let mut innovation = [z.range - d, z.bearing - py.atan2(px)];
            while innovation[1] > std::f64::consts::PI {
                innovation[1] -= std::f64::consts::TAU;
            }
            while innovation[1] < -std::f64::consts::PI {
                innovation[1] += std::f64::consts::TAU;
            }
            let pht = mul(&self.p, &transpose(&h));
            let mut s = mul(&h, &pht);
            s[0][0] += r[0];
            s[1][1] += r[1];
            let si = inverse2(&s);
            let k = mul(&pht, &si);
            for i in 0..4 {
                self.x[i] += k[i][0] * innovation[0] + k[i][1] * innovation[1];
            }
            let kh = mul(&k, &h);
            let mut ikh = [[0.0; 4]; 4];
            for i in 0..4 {
                for j in 0..4 {
                    ikh[i][j] = if i == j { 1.0 } else { 0.0 } - kh[i][j];
                }
            }
            self.p = mul(&ikh, &self.p);
            let nis: f64 = innovation.iter().enumerate().map(|(i, a)| innovation.iter().enumerate().map(|(j, b)| a * si[i][j] * b).sum::<f64>()).sum();
            nis
        }
    }

    pub fn track(filters: &mut [Filter], z: &[Vec<Measurement>], dt: f64) -> f64 {
        let mut total = 0.0;
        for step in z {
            #[omp::target(reduction(+: total))]
            for (filter, z) in filters.iter_mut().zip(step) {
                filter.predict(dt, 0.01);
                total += filter.update(*z, [0.1, 0.01]);
            }
        }
        total
    }

    pub fn run() -> (Vec<[f64; 4]>, f64) {
        let mut v = Values(64);
        let n = 9;
        let mut filters: Vec<Filter> = (0..n)
            .map(|i| Filter { x: [1.0 + i as f64, 2.0, 0.5, -0.2], p: std::array::from_fn(|a| std::array::from_fn(|b| if a == b { 1.0 } else { 0.0 })) })
            .collect();
        let z: Vec<Vec<Measurement>> = (1..6)
            .map(|t| {
                (0..n)
                    .map(|i| {
                        let (x, y) = (1.0 + i as f64 + 0.5 * t as f64, 2.0 - 0.2 * t as f64);
                        Measurement { range: x.hypot(y) + v.bits() as f64 / 1e11, bearing: y.atan2(x) }
                    })
                    .collect()
            })
            .collect();
        let total = track(&mut filters, &z, 1.0);
        (filters.iter().map(|f| f.x).collect(), total)
    }
}
port!(ekf_bank: run());
