//! RAJAPerf apps: nodal accumulation, the divergence of a vector on a 2-D mesh, and the LTIMES views.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, omp::Device)]
    pub struct Domain { imin: usize, imax: usize, jmin: usize, jmax: usize, jp: usize }

    #[omp::declare_target]
    impl Domain {
        fn zone(&self, ic: usize) -> Option<usize> {
            let width = self.imax - self.imin;
            let (j, i) = (ic / width, ic % width);
            (self.jmin + j < self.jmax).then(|| (self.jmin + j) * self.jp + self.imin + i)
        }
        fn nodes(&self, zone: usize) -> [usize; 4] {
            [zone, zone + 1, zone + 1 + self.jp, zone + self.jp]
        }
    }

    pub fn accumulate(d: &Domain, zones: usize, vol: &[f64], x: &mut [f64]) {
        #[omp::target]
        for ic in 0..zones {
            let Some(zone) = d.zone(ic) else { continue };
            let share = 0.25 * vol[zone];
            for n in d.nodes(zone) {
                #[omp::atomic]
                x[n] += share;
            }
        }
    }

    pub fn divergence(d: &Domain, zones: usize, (x, y): (&[f64], &[f64]), (u, v): (&[f64], &[f64]), div: &mut [f64]) {
        const HALF: f64 = 0.5;
        #[omp::target(disjoint(div))]
        for ic in 0..zones {
            let Some(z) = d.zone(ic) else { continue };
            let corners = d.nodes(z);
            let [x1, x2, x3, x4] = corners.map(|n| x[n]);
            let [y1, y2, y3, y4] = corners.map(|n| y[n]);
            let [u1, u2, u3, u4] = corners.map(|n| u[n]);
            let [v1, v2, v3, v4] = corners.map(|n| v[n]);
            let (xi, xj) = (HALF * (x1 + x2 - x3 - x4), HALF * (x2 + x3 - x4 - x1));
            let (yi, yj) = (HALF * (y1 + y2 - y3 - y4), HALF * (y2 + y3 - y4 - y1));
            let (ui, uj) = (HALF * (u1 + u2 - u3 - u4), HALF * (u2 + u3 - u4 - u1));
            let (vi, vj) = (HALF * (v1 + v2 - v3 - v4), HALF * (v2 + v3 - v4 - v1));
            let rarea = 1.0 / (xi * yj - xj * yi + 1e-20);
            let dux = rarea * (ui * yj - uj * yi);
            let dvy = rarea * (vj * xi - vi * xj);
            div[z] = dux + dvy;
        }
    }

    pub fn ltimes(phi: &mut [f64], ell: &[f64], psi: &[f64], s: [usize; 4]) {
        #[omp::target(collapse(3))]
        for z in 0..s[0] {
            for g in 0..s[1] {
                for m in 0..s[2] {
                    for d in 0..s[3] {
                        phi[(z * s[1] + g) * s[2] + m] += ell[m * s[3] + d] * psi[(z * s[1] + g) * s[3] + d];
                    }
                }
            }
        }
    }

    pub fn run() -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let d = Domain { imin: 1, imax: 9, jmin: 1, jmax: 7, jp: 11 };
        let n = 11 * 9;
        let f = |k: usize, s: f64| (0..n).map(|i| (i as f64 * s + k as f64).sin() + (i % 11) as f64 * k as f64).collect::<Vec<f64>>();
        let (vol, x, y, u, v) = (f(1, 0.3), f(2, 0.1), f(0, 0.7), f(3, 0.9), f(1, 0.2));
        let mut nodal = vec![0.0; n];
        accumulate(&d, 50, &vol, &mut nodal);
        let mut div = vec![0.0; n];
        divergence(&d, 50, (&x, &y), (&u, &v), &mut div);
        let s = [4, 3, 5, 6];
        let (mut phi, ell, psi) = (vec![0.0; 60], vol[..30].to_vec(), x[..72].to_vec());
        ltimes(&mut phi, &ell, &psi, s);
        (nodal, div, phi)
    }
}
port!(zonal: run());
