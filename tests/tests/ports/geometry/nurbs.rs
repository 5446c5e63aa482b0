//! Points and normals of B-spline surfaces by de Boor's algorithm, and the nearest parameters of points by Newton's.
use omp_tests::twice;

twice! {
    const DEGREE: usize = 3;
    type P = [f64; 3];

    #[derive(omp::Mapper)]
    pub struct Surface { nu: usize, nv: usize, knots_u: Vec<f64>, knots_v: Vec<f64>, control: Vec<P> }

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Frame { point: P, du: P, dv: P }

    #[omp::declare_target]
    fn add_scaled(acc: &mut P, p: &P, w: f64) { for (a, x) in acc.iter_mut().zip(p) { *a += w * x; } }
    #[omp::declare_target]
    fn minus(a: P, b: P) -> P { [a[0] - b[0], a[1] - b[1], a[2] - b[2]] }
    #[omp::declare_target]
    fn dot(a: P, b: P) -> f64 { a.into_iter().zip(b).map(|(x, y)| x * y).sum() }

    #[omp::declare_target]
    fn span(knots: &[f64], n: usize, t: f64) -> usize {
        match knots[DEGREE..=n].binary_search_by(|k| k.partial_cmp(&t).unwrap()) {
            Ok(k) => (k + DEGREE).min(n - 1),
            Err(k) => (k + DEGREE).saturating_sub(1).clamp(DEGREE, n - 1),
        }
    }

    /// Values of the basis functions that do not vanish, and their derivatives.
    #[omp::declare_target]
    fn basis(knots: &[f64], s: usize, t: f64) -> ([f64; DEGREE + 1], [f64; DEGREE + 1]) {
        let mut n = [0.0; DEGREE + 1];
        let mut lower = n;
        n[0] = 1.0;
        for d in 1..=DEGREE {
            lower = n;
            let mut saved = 0.0;
            for r in 0..d {
                let (right, left) = (knots[s + r + 1] - t, t - knots[s + 1 + r - d]);
                let q = n[r] / (right + left);
                n[r] = saved + right * q;
                saved = left * q;
            }
            n[d] = saved;
        }
        let slope = |k: usize| DEGREE as f64 * lower[k] / (knots[s + k + 1] - knots[s + k + 1 - DEGREE]);
        let derivative = std::array::from_fn(|k| match k {
            0 => -slope(0),
            DEGREE => slope(DEGREE - 1),
            _ => slope(k - 1) - slope(k),
        });
        (n, derivative)
    }

    impl Surface {
        fn domain(knots: &[f64], n: usize) -> (f64, f64) { (knots[DEGREE], knots[n]) }
        fn frame(&self, u: f64, v: f64) -> Frame {
            let (su, sv) = (span(&self.knots_u, self.nu, u), span(&self.knots_v, self.nv, v));
            let (bu, du) = basis(&self.knots_u, su, u);
            let (bv, dv) = basis(&self.knots_v, sv, v);
            let mut f = Frame::default();
            for i in 0..=DEGREE {
                for j in 0..=DEGREE {
                    let c = &self.control[(su - DEGREE + i) * self.nv + sv - DEGREE + j];
                    add_scaled(&mut f.point, c, bu[i] * bv[j]);
                    add_scaled(&mut f.du, c, du[i] * bv[j]);
                    add_scaled(&mut f.dv, c, bu[i] * dv[j]);
                }
            }
            f
        }
        fn project(&self, target: P, start: (f64, f64)) -> (f64, f64, f64) {
            let (mut u, mut v) = start;
            let (lo_u, hi_u) = Self::domain(&self.knots_u, self.nu);
            let (lo_v, hi_v) = Self::domain(&self.knots_v, self.nv);
            for _ in 0..8 {
                let Frame { point, du, dv } = self.frame(u, v);
                let r = minus(point, target);
                let (a, b, c) = (dot(du, du), dot(du, dv), dot(dv, dv));
                let (p, q) = (dot(du, r), dot(dv, r));
                let det = a * c - b * b;
                if det.abs() < 1e-12 { break; }
                u = (u - (c * p - b * q) / det).clamp(lo_u, hi_u);
                v = (v - (a * q - b * p) / det).clamp(lo_v, hi_v);
            }
            let d = minus(self.frame(u, v).point, target);
            (u, v, dot(d, d).sqrt())
        }
    }

    pub fn tessellate(s: &Surface, m: usize) -> Vec<Frame> {
        let mut out = vec![Frame::default(); m * m];
        #[omp::target(collapse(2))]
        for i in 0..m {
            for j in 0..m {
                out[i * m + j] = s.frame(i as f64 / (m - 1) as f64, j as f64 / (m - 1) as f64);
            }
        }
        out
    }
    pub fn project_all(s: &Surface, points: &[P]) -> Vec<(f64, f64, f64)> {
        let mut out = vec![(0.0, 0.0, 0.0); points.len()];
        #[omp::target]
        for (o, &p) in out.iter_mut().zip(points) { *o = s.project(p, (0.5, 0.5)); }
        out
    }
    pub fn run() -> (Vec<P>, Vec<(f64, f64, f64)>) {
        let knots = vec![0.0, 0.0, 0.0, 0.0, 0.4, 0.7, 1.0, 1.0, 1.0, 1.0];
        let control = (0..36).map(|k| { let (i, j) = ((k / 6) as f64, (k % 6) as f64); [i, j, 0.3 * (i * 0.8).sin() + 0.2 * j] }).collect();
        let s = Surface { nu: 6, nv: 6, knots_u: knots.clone(), knots_v: knots, control };
        let frames = tessellate(&s, 7);
        let points: Vec<P> = (0..12).map(|k| [1.0 + 0.2 * k as f64, 3.0 - 0.15 * k as f64, 0.8]).collect();
        (frames.iter().flat_map(|f| [f.point, f.du, f.dv]).collect(), project_all(&s, &points))
    }
}
port!(nurbs: run());
