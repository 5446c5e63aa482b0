//! Curves and surfaces: de Casteljau, B-splines with knots, Catmull-Rom by generic points, a patch of Bézier.
use omp_tests::{Values, twice};
twice! {
    use std::ops::{Add, Mul};

    pub trait Affine: Copy + omp::Device + Add<Output = Self> + Mul<f64, Output = Self> {}
    impl<T: Copy + omp::Device + Add<Output = T> + Mul<f64, Output = T>> Affine for T {}

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct P2 { x: f64, y: f64 }
    #[omp::declare_target]
    impl Add for P2 { type Output = Self; fn add(self, o: Self) -> Self { Self { x: self.x + o.x, y: self.y + o.y } } }
    #[omp::declare_target]
    impl Mul<f64> for P2 { type Output = Self; fn mul(self, k: f64) -> Self { Self { x: self.x * k, y: self.y * k } } }

    #[omp::declare_target]
    fn lerp(a: P2, b: P2, t: f64) -> P2 { a * (1.0 - t) + b * t }

    #[omp::declare_target]
    fn casteljau<const N: usize>(mut p: [P2; N], t: f64) -> P2 {
        for k in 1..N {
            for i in 0..N - k {
                p[i] = lerp(p[i], p[i + 1], t);
            }
        }
        p[0]
    }

    pub fn curve<const N: usize>(control: &[P2; N], samples: usize) -> Vec<P2> {
        let mut out = vec![P2::default(); samples];
        #[omp::target]
        for (i, p) in out.iter_mut().enumerate() {
            *p = casteljau(*control, i as f64 / (samples - 1) as f64);
        }
        out
    }

    pub struct BSpline { degree: usize, knots: Vec<f64>, control: Vec<P2> }

    impl BSpline {
        fn span(&self, t: f64) -> usize {
            let last = self.control.len() - 1;
            if t >= self.knots[last + 1] { return last; }
            let (mut lo, mut hi) = (self.degree, last + 1);
            while hi - lo > 1 {
                let mid = lo + (hi - lo) / 2;
                if t < self.knots[mid] { hi = mid; } else { lo = mid; }
            }
            lo
        }

        pub fn eval(&self, t: f64) -> P2 {
            let k = self.span(t);
            let p = self.degree;
            let mut d = [P2::default(); 4];
            d[..=p].copy_from_slice(&self.control[k - p..=k]);
            for r in 1..=p {
                for j in (r..=p).rev() {
                    let (a, b) = (self.knots[j + k - p], self.knots[j + 1 + k - r]);
                    let alpha = (t - a) / (b - a);
                    d[j] = d[j - 1] * (1.0 - alpha) + d[j] * alpha;
                }
            }
            d[p]
        }

        pub fn sample(&self, ts: &[f64]) -> Vec<(f64, f64)> {
            let mut out = vec![(0.0, 0.0); ts.len()];
            #[omp::target]
            for (&t, o) in ts.iter().zip(out.iter_mut()) {
                let P2 { x, y } = self.eval(t);
                *o = (x, y);
            }
            out
        }
    }

    const fn binomial(n: usize, k: usize) -> usize {
        let (mut r, mut i) = (1, 0);
        while i < k { r = r * (n - i) / (i + 1); i += 1; }
        r
    }

    #[omp::declare_target]
    fn bernstein(n: usize, k: usize, u: f64) -> f64 {
        const ROW: [usize; 4] = [binomial(3, 0), binomial(3, 1), binomial(3, 2), binomial(3, 3)];
        ROW[k] as f64 * u.powi(k as i32) * (1.0 - u).powi((n - k) as i32)
    }

    pub fn surface(heights: &[[f64; 4]; 4], resolution: usize) -> Vec<f64> {
        let mut out = vec![0.0; resolution * resolution];
        #[omp::target(collapse(2))]
        for i in 0..resolution {
            for j in 0..resolution {
                let (u, v) = (i as f64 / resolution as f64, j as f64 / resolution as f64);
                out[i * resolution + j] = heights
                    .iter()
                    .enumerate()
                    .map(|(ki, row)| bernstein(3, ki, u) * row.iter().enumerate().map(|(kj, h)| h * bernstein(3, kj, v)).sum::<f64>())
                    .sum();
            }
        }
        out
    }

    pub fn catmull_rom<T: Affine>(points: &[T], per: usize) -> Vec<T> {
        let segments = points.len() - 3;
        let mut out = vec![points[0]; segments * per];
        #[omp::target]
        for (w, out) in points.windows(4).zip(out.chunks_mut(per)) {
            for (k, o) in out.iter_mut().enumerate() {
                let t = k as f64 / per as f64;
                let (t2, t3) = (t * t, t * t * t);
                *o = w[0] * (-0.5 * t3 + t2 - 0.5 * t) + w[1] * (1.5 * t3 - 2.5 * t2 + 1.0) + w[2] * (-1.5 * t3 + 2.0 * t2 + 0.5 * t) + w[3] * (0.5 * t3 - 0.5 * t2);
            }
        }
        out
    }

    pub fn run() -> (Vec<(f64, f64)>, Vec<f64>, Vec<f64>) {
        let mut v = Values(1);
        let p: Vec<P2> = (0..9).map(|i| P2 { x: i as f64, y: (v.bits() % 10) as f64 }).collect();
        let c = curve(&[p[0], p[3], p[1], p[7], p[4]], 11);
        let s = BSpline { degree: 3, knots: vec![0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 6.0, 6.0, 6.0], control: p.clone() };
        let mut points: Vec<(f64, f64)> = c.iter().chain(&catmull_rom(&p, 4)).map(|p| (p.x, p.y)).collect();
        points.extend(s.sample(&[0.0, 0.5, 1.0, 2.75, 5.99, 6.0]));
        (points, surface(&[[1.0, 2.0, 0.0, 1.0], [0.5; 4], [3.0, 1.0, 4.0, 1.0], [0.0, 0.0, 2.0, 5.0]], 6), catmull_rom(&[1.0, 2.0, 0.5, 4.0, 3.0], 3))
    }
}
port!(bezier: run());
