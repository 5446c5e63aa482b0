//! GMRES: an Arnoldi process over a basis in one buffer, Givens rotations on the host, a matrix-free operator.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug)]
    pub struct ConvDiff { n: usize, pe: f64 }

    impl ConvDiff {
        fn apply(&self, x: &[f64], y: &mut [f64]) {
            let ConvDiff { n, pe } = *self;
            let get = |i: usize, j: usize, di: i32, dj: i32| {
                let (a, b) = (i as i32 + di, j as i32 + dj);
                if a < 0 || b < 0 || a >= n as i32 || b >= n as i32 { 0.0 } else { x[a as usize * n + b as usize] }
            };
            #[omp::target(collapse(2))]
            for i in 0..n {
                for j in 0..n {
                    let c = get(i, j, 0, 0);
                    let lap = 4.0 * c - get(i, j, -1, 0) - get(i, j, 1, 0) - get(i, j, 0, -1) - get(i, j, 0, 1);
                    y[i * n + j] = lap + pe * (get(i, j, 0, 1) - get(i, j, 0, -1));
                }
            }
        }
    }

    fn dots(basis: &[f64], k: usize, w: &[f64]) -> Vec<f64> {
        let n = w.len();
        let mut h = vec![0.0; k];
        #[omp::target]
        for j in 0..k {
            let v = &basis[j * n..(j + 1) * n];
            let mut s = 0.0;
            #[omp::parallel_for(reduction(+: s))]
            for i in 0..n {
                s += v[i] * w[i];
            }
            h[j] = s;
        }
        h
    }

    fn subtract(basis: &[f64], h: &[f64], w: &mut [f64]) -> f64 {
        let n = w.len();
        let mut norm2 = 0.0;
        #[omp::target(reduction(+: norm2))]
        for i in 0..n {
            let mut wi = w[i];
            for (j, hj) in h.iter().enumerate() {
                wi -= hj * basis[j * n + i];
            }
            w[i] = wi;
            norm2 += wi * wi;
        }
        norm2.sqrt()
    }

    fn scaled_into(w: &[f64], s: f64, basis: &mut [f64], k: usize) {
        let n = w.len();
        let column = &mut basis[k * n..(k + 1) * n];
        #[omp::target]
        for (c, w) in column.iter_mut().zip(w) {
            *c = w / s;
        }
    }

    pub fn gmres(op: &ConvDiff, b: &[f64], m: usize) -> (Vec<f64>, Vec<f64>) {
        let n = b.len();
        let mut basis = vec![0.0; (m + 1) * n];
        let mut w = vec![0.0; n];
        let beta = b.iter().map(|x| x * x).sum::<f64>().sqrt();
        scaled_into(b, beta, &mut basis, 0);
        let mut hess = vec![vec![0.0; m]; m + 1];
        let mut g = vec![0.0; m + 1];
        g[0] = beta;
        let mut rotations: Vec<(f64, f64)> = vec![];
        let mut history = vec![];
        for k in 0..m {
            op.apply(&basis[k * n..(k + 1) * n], &mut w);
            let h = dots(&basis, k + 1, &w);
            let norm = subtract(&basis[..(k + 1) * n], &h, &mut w);
            scaled_into(&w, norm, &mut basis, k + 1);
            let mut column: Vec<f64> = h.into_iter().chain([norm]).collect();
            for (i, &(c, s)) in rotations.iter().enumerate() {
                let t = c * column[i] + s * column[i + 1];
                column[i + 1] = c * column[i + 1] - s * column[i];
                column[i] = t;
            }
            let r = column[k].hypot(column[k + 1]);
            let (c, s) = (column[k] / r, column[k + 1] / r);
            rotations.push((c, s));
            column[k] = r;
            g[k + 1] = -s * g[k];
            g[k] *= c;
            for i in 0..=k { hess[i][k] = column[i]; }
            history.push(g[k + 1].abs());
        }
        let mut y = vec![0.0; m];
        for i in (0..m).rev() {
            y[i] = (g[i] - (i + 1..m).map(|j| hess[i][j] * y[j]).sum::<f64>()) / hess[i][i];
        }
        let mut x = vec![0.0; n];
        #[omp::target]
        for (i, x) in x.iter_mut().enumerate() {
            *x = y.iter().enumerate().map(|(j, y)| y * basis[j * n + i]).sum();
        }
        (x, history)
    }

    pub fn run() -> (Vec<f64>, Vec<f64>) {
        let n = 9;
        let b: Vec<f64> = (0..n * n).map(|i| 1.0 + (i % 4) as f64).collect();
        gmres(&ConvDiff { n, pe: 0.3 }, &b, 7)
    }
}
port!(gmres_arnoldi: run());
