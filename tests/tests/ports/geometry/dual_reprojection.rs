//! Camera pose refinement by Gauss-Newton, with Jacobians from forward-mode dual numbers.
use omp_tests::twice;

twice! {
    use std::ops::{Add, Div, Mul, Neg, Sub};

    #[omp::declare_target]
    pub trait Scalar:
        Copy + Neg<Output = Self>
        + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
    {
        fn constant(v: f64) -> Self;
        fn value(self) -> f64;
        fn sqrt(self) -> Self;
        fn sin_cos(self) -> (Self, Self);
    }
    #[omp::declare_target]
    impl Scalar for f64 {
        fn constant(v: f64) -> f64 { v }
        fn value(self) -> f64 { self }
        fn sqrt(self) -> f64 { f64::sqrt(self) }
        fn sin_cos(self) -> (f64, f64) { f64::sin_cos(self) }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Dual<const N: usize> {
        re: f64,
        eps: [f64; N],
    }
    #[omp::declare_target]
    impl<const N: usize> Dual<N> {
        pub fn variable(re: f64, index: usize) -> Self {
            let mut eps = [0.0; N];
            eps[index] = 1.0;
            Dual { re, eps }
        }
        /// f(x) by the chain rule from f and f' at the real part.
        fn chain(self, f: f64, df: f64) -> Self { Dual { re: f, eps: self.eps.map(|e| df * e) } }
        fn combine(self, o: Self, re: f64, a: f64, b: f64) -> Self {
            Dual { re, eps: std::array::from_fn(|k| a * self.eps[k] + b * o.eps[k]) }
        }
    }
    #[omp::declare_target]
    impl<const N: usize> Add for Dual<N> {
        type Output = Self;
        fn add(self, o: Self) -> Self { self.combine(o, self.re + o.re, 1.0, 1.0) }
    }
    #[omp::declare_target]
    impl<const N: usize> Sub for Dual<N> {
        type Output = Self;
        fn sub(self, o: Self) -> Self { self.combine(o, self.re - o.re, 1.0, -1.0) }
    }
    #[omp::declare_target]
    impl<const N: usize> Mul for Dual<N> {
        type Output = Self;
        fn mul(self, o: Self) -> Self { self.combine(o, self.re * o.re, o.re, self.re) }
    }
    #[omp::declare_target]
    impl<const N: usize> Div for Dual<N> {
        type Output = Self;
        fn div(self, o: Self) -> Self {
            let q = self.re / o.re;
            self.combine(o, q, 1.0 / o.re, -q / o.re)
        }
    }
    #[omp::declare_target]
    impl<const N: usize> Neg for Dual<N> {
        type Output = Self;
        fn neg(self) -> Self { self.chain(-self.re, -1.0) }
    }
    #[omp::declare_target]
    impl<const N: usize> Scalar for Dual<N> {
        fn constant(v: f64) -> Self { Dual { re: v, eps: [0.0; N] } }
        fn value(self) -> f64 { self.re }
        fn sqrt(self) -> Self {
            let r = self.re.sqrt();
            self.chain(r, 0.5 / r)
        }
        fn sin_cos(self) -> (Self, Self) {
            let (s, c) = self.re.sin_cos();
            (self.chain(s, c), self.chain(c, -s))
        }
    }

    #[omp::declare_target]
    fn dot<S: Scalar>(a: [S; 3], b: [S; 3]) -> S { a[0] * b[0] + a[1] * b[1] + a[2] * b[2] }
    #[omp::declare_target]
    fn cross<S: Scalar>(a: [S; 3], b: [S; 3]) -> [S; 3] {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    }
    #[omp::declare_target]
    fn rotate<S: Scalar>(w: [S; 3], p: [S; 3]) -> [S; 3] {
        let theta2 = dot(w, w);
        if theta2.value() < 1e-16 {
            let c = cross(w, p);
            return [p[0] + c[0], p[1] + c[1], p[2] + c[2]];
        }
        let theta = theta2.sqrt();
        let (sin, cos) = theta.sin_cos();
        let axis = w.map(|c| c / theta);
        let along = dot(axis, p) * (S::constant(1.0) - cos);
        let side = cross(axis, p);
        std::array::from_fn(|k| p[k] * cos + side[k] * sin + axis[k] * along)
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Camera { pub focal: f64, pub k1: f64, pub k2: f64 }

    #[omp::declare_target]
    impl Camera {
        /// Pose: an axis-angle rotation, then a translation.
        pub fn project<S: Scalar>(&self, pose: &[S; 6], point: [f64; 3]) -> [S; 2] {
            let q = rotate([pose[0], pose[1], pose[2]], point.map(S::constant));
            let z = q[2] + pose[5];
            let (x, y) = ((q[0] + pose[3]) / z, (q[1] + pose[4]) / z);
            let r2 = x * x + y * y;
            let radial = S::constant(1.0) + r2 * (S::constant(self.k1) + r2 * S::constant(self.k2));
            let scale = S::constant(self.focal) * radial;
            [x * scale, y * scale]
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Observation { pub point: [f64; 3], pub pixel: [f64; 2] }

    #[derive(Clone, Copy, Default, omp::Device)]
    struct Row { gradient: [f64; 6], residual: f64 }

    pub fn cost(camera: &Camera, pose: &[f64; 6], observations: &[Observation]) -> f64 {
        let mut sum = 0.0;
        #[omp::target(reduction(+: sum))]
        for obs in observations {
            let [u, v] = camera.project(pose, obs.point);
            sum += (u - obs.pixel[0]).powi(2) + (v - obs.pixel[1]).powi(2);
        }
        sum
    }

    fn solve(mut a: [[f64; 6]; 6], mut b: [f64; 6]) -> [f64; 6] {
        for k in 0..6 {
            for i in k + 1..6 {
                let f = a[i][k] / a[k][k];
                for j in k..6 {
                    a[i][j] -= f * a[k][j];
                }
                b[i] -= f * b[k];
            }
        }
        for i in (0..6).rev() {
            let tail: f64 = (i + 1..6).map(|j| a[i][j] * b[j]).sum();
            b[i] = (b[i] - tail) / a[i][i];
        }
        b
    }

    pub fn refine(camera: &Camera, start: [f64; 6], observations: &[Observation], iterations: usize) -> [f64; 6] {
        let mut pose = start;
        let mut rows = vec![Row::default(); 2 * observations.len()];
        for _ in 0..iterations {
            #[omp::target]
            for (pair, obs) in rows.chunks_exact_mut(2).zip(observations) {
                let duals: [Dual<6>; 6] = std::array::from_fn(|k| Dual::variable(pose[k], k));
                let image = camera.project(&duals, obs.point);
                for (axis, row) in pair.iter_mut().enumerate() {
                    *row = Row { gradient: image[axis].eps, residual: image[axis].re - obs.pixel[axis] };
                }
            }
            let mut normal = [[0.0; 6]; 6];
            #[omp::target(collapse(2))]
            for i in 0..6 {
                for j in 0..6 {
                    normal[i][j] = rows.iter().map(|r| r.gradient[i] * r.gradient[j]).sum::<f64>();
                }
            }
            let mut rhs = [0.0; 6];
            #[omp::target]
            for (i, b) in rhs.iter_mut().enumerate() {
                *b = -rows.iter().map(|r| r.gradient[i] * r.residual).sum::<f64>();
            }
            let step = solve(normal, rhs);
            pose.iter_mut().zip(step).for_each(|(p, s)| *p += s);
        }
        pose
    }
}
port!(dual_reprojection: crate::Shown::of({
    let camera = Camera { focal: 500.0, k1: -0.05, k2: 0.01 };
    let truth: [f64; 6] = [0.1, -0.2, 0.05, 0.3, -0.1, 6.0];
    let observations: Vec<Observation> = (0..150)
        .map(|n| {
            let point = [(n % 5) as f64 - 2.0, (n / 5 % 6) as f64 * 0.7 - 1.7, (n / 30) as f64 * 0.5 - 1.0];
            let [u, v] = camera.project(&truth, point);
            let jitter = (n * 37 % 11) as f64 / 11.0 - 0.45;
            Observation { point, pixel: [u + jitter, v - 0.5 * jitter] }
        })
        .collect();
    let start = [0.0, 0.0, 0.0, 0.0, 0.0, 5.0];
    let before = cost(&camera, &start, &observations);
    let pose = refine(&camera, start, &observations, 8);
    let after = cost(&camera, &pose, &observations);
    (pose.map(|p| (p * 1e7).round()), (before * 1e3).round(), (after * 1e5).round())
}));
