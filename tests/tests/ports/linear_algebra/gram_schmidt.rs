//! Pieces of GMRES: modified Gram-Schmidt against a basis, rotations, update of the solution.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Givens { c: f64, s: f64 }
    impl Givens {
        fn new(a: f64, b: f64) -> (Self, f64) {
            let r = a.hypot(b);
            if r == 0.0 { (Givens { c: 1.0, s: 0.0 }, 0.0) } else { (Givens { c: a / r, s: b / r }, r) }
        }
        fn apply(self, (x, y): (f64, f64)) -> (f64, f64) { (self.c * x + self.s * y, -self.s * x + self.c * y) }
    }

    pub struct Basis { n: usize, v: Vec<f64> }
    impl Basis {
        fn column(&self, j: usize) -> &[f64] { &self.v[j * self.n..(j + 1) * self.n] }
        fn orthogonalise(&self, w: &mut [f64], k: usize) -> Vec<f64> {
            let mut hs = Vec::with_capacity(k + 1);
            for j in 0..=k {
                let q = self.column(j);
                let mut h = 0.0;
                #[omp::target(reduction(+: h))]
                for i in 0..w.len() { h += q[i] * w[i]; }
                #[omp::target]
                for (w, q) in w.iter_mut().zip(q) { *w -= h * q; }
                hs.push(h);
            }
            hs
        }
        fn push(&mut self, w: &[f64], norm: f64, k: usize) {
            let (_, tail) = self.v.split_at_mut(k * self.n);
            #[omp::target]
            for (t, w) in tail.iter_mut().zip(w) { *t = w / norm; }
        }
        fn combine(&self, y: &[f64], x: &mut [f64]) {
            #[omp::target]
            for (i, x) in x.iter_mut().enumerate() {
                *x += y.iter().enumerate().map(|(j, yj)| yj * self.v[j * self.n + i]).sum::<f64>();
            }
        }
    }

    pub fn gmres(apply: impl Fn(&[f64]) -> Vec<f64>, b: &[f64], m: usize) -> (Vec<f64>, f64) {
        let n = b.len();
        let beta = b.iter().map(|x| x * x).sum::<f64>().sqrt();
        let mut basis = Basis { n, v: vec![0.0; n * (m + 1)] };
        basis.push(b, beta, 0);
        let mut h: Vec<Vec<f64>> = vec![];
        let mut rot: Vec<Givens> = vec![];
        let mut g = vec![0.0; m + 1];
        g[0] = beta;
        for k in 0..m {
            let mut w = apply(basis.column(k));
            let mut col = basis.orthogonalise(&mut w, k);
            let norm = w.iter().map(|x| x * x).sum::<f64>().sqrt();
            basis.push(&w, norm, k + 1);
            for (i, r) in rot.iter().enumerate() { (col[i], col[i + 1]) = r.apply((col[i], col[i + 1])); }
            let (r, d) = Givens::new(col[k], norm);
            col[k] = d;
            (g[k], g[k + 1]) = r.apply((g[k], g[k + 1]));
            rot.push(r);
            h.push(col);
        }
        let mut y = vec![0.0; m];
        for i in (0..m).rev() { y[i] = (g[i] - (i + 1..m).map(|j| h[j][i] * y[j]).sum::<f64>()) / h[i][i]; }
        let mut x = vec![0.0; n];
        basis.combine(&y, &mut x);
        (x, g[m].abs())
    }
    pub fn run() -> (Vec<f64>, f64) {
        let b: Vec<f64> = (0..20).map(|i| 1.0 + (i % 4) as f64).collect();
        gmres(|v| (0..v.len()).map(|i| 3.0 * v[i] - if i > 0 { v[i - 1] } else { 0.0 } - v.get(i + 1).copied().unwrap_or(0.0) * 0.5).collect(), &b, 8)
    }
}
port!(gram_schmidt: run());
