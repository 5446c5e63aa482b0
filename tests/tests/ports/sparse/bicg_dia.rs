//! BiCGStab on a matrix in diagonal format.
use omp_tests::twice;

twice! {
    pub struct Dia<'a> { offsets: &'a [isize], data: &'a [f64], n: usize }

    impl<'a> Dia<'a> {
        fn diagonals(&self) -> usize { self.offsets.len() }
        fn apply(&self, x: &[f64], y: &mut [f64]) {
            let n = self.n as isize;
            #[omp::target]
            for (i, out) in y.iter_mut().enumerate() {
                let mut sum = 0.0;
                for (d, &off) in self.offsets.iter().enumerate() {
                    let j = i as isize + off;
                    if (0..n).contains(&j) {
                        sum += self.data[d * self.n + i] * x[j as usize];
                    }
                }
                *out = sum;
            }
        }
    }

    #[inline]
    fn dot(x: &[f64], y: &[f64]) -> f64 {
        debug_assert_eq!(x.len(), y.len());
        let mut s = 0.0;
        #[omp::target(reduction(+: s))]
        for i in 0..x.len() { s += x[i] * y[i]; }
        s
    }

    pub fn bicgstab(a: &Dia, b: &[f64], tol: f64) -> Result<(Vec<f64>, usize), &'static str> {
        let n = b.len();
        let mut x = vec![0.0; n];
        let mut r = b.to_vec();
        let rhat = r.clone();
        let (mut p, mut v, mut s, mut t) = (r.clone(), vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        let mut rho = dot(&rhat, &r);
        for it in 1..=30 {
            a.apply(&p, &mut v);
            let alpha = rho / dot(&rhat, &v);
            #[omp::target]
            for ((s, r), v) in s.iter_mut().zip(r.iter()).zip(v.iter()) { *s = r - alpha * v; }
            a.apply(&s, &mut t);
            let omega = dot(&t, &s) / dot(&t, &t);
            if !omega.is_finite() { return Err("breakdown"); }
            #[omp::target]
            for i in 0..n {
                x[i] += alpha * p[i] + omega * s[i];
                r[i] = s[i] - omega * t[i];
            }
            if dot(&r, &r) < tol * tol { return Ok((x, it)); }
            let rho_new = dot(&rhat, &r);
            let beta = rho_new / rho * (alpha / omega);
            rho = rho_new;
            #[omp::target]
            for i in 0..n { p[i] = r[i] + beta * (p[i] - omega * v[i]); }
        }
        Ok((x, 30))
    }
    pub fn run() -> (Vec<f64>, usize) {
        let n = 36;
        let offsets = [-6, -1, 0, 1, 6];
        let data: Vec<f64> = (0..5 * n).map(|k| match k / n { 2 => 5.0, d => if d < 2 { -1.0 } else { -0.7 } }).collect();
        let b: Vec<f64> = (0..n).map(|i| 1.0 + (i % 4) as f64).collect();
        let (x, _) = bicgstab(&Dia { offsets: &offsets, data: &data, n }, &b, 1e-8).unwrap();
        (x, data.len() / n)
    }
}
port!(bicg_dia: run());
