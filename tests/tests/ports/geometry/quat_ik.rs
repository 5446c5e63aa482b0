//! Quaternions by operators, FABRIK chains, dual-quaternion-like blending, frustum culling with plane arrays.
use omp_tests::twice;
twice! {
    use std::ops::{Add, Mul, Neg, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct V3<T> { x: T, y: T, z: T }

    #[omp::declare_target]
    impl<T: omp::Device + Add<Output = T>> Add for V3<T> {
        type Output = Self;
        fn add(self, o: Self) -> Self { V3 { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z } }
    }
    #[omp::declare_target]
    impl<T: omp::Device + Sub<Output = T>> Sub for V3<T> {
        type Output = Self;
        fn sub(self, o: Self) -> Self { V3 { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z } }
    }
    #[omp::declare_target]
    impl Mul<f32> for V3<f32> {
        type Output = Self;
        fn mul(self, k: f32) -> Self { V3 { x: self.x * k, y: self.y * k, z: self.z * k } }
    }

    #[omp::declare_target]
    impl V3<f32> {
        fn dot(self, o: Self) -> f32 { self.x * o.x + self.y * o.y + self.z * o.z }
        fn cross(self, o: Self) -> Self {
            V3 { x: self.y * o.z - self.z * o.y, y: self.z * o.x - self.x * o.z, z: self.x * o.y - self.y * o.x }
        }
        fn len(self) -> f32 { self.dot(self).sqrt() }
        fn towards(self, target: Self, distance: f32) -> Self {
            let d = target - self;
            self + d * (distance / d.len().max(1e-6))
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Quat { w: f32, v: V3<f32> }

    #[omp::declare_target]
    impl Mul for Quat {
        type Output = Quat;
        fn mul(self, o: Quat) -> Quat {
            Quat { w: self.w * o.w - self.v.dot(o.v), v: o.v * self.w + self.v * o.w + self.v.cross(o.v) }
        }
    }
    #[omp::declare_target]
    impl Neg for Quat {
        type Output = Quat;
        fn neg(self) -> Quat { Quat { w: -self.w, v: self.v * -1.0 } }
    }
    #[omp::declare_target]
    impl Quat {
        fn conj(&self) -> Quat { Quat { w: self.w, v: self.v * -1.0 } }
        fn rotate(&self, p: V3<f32>) -> V3<f32> { (*self * Quat { w: 0.0, v: p } * self.conj()).v }
        fn axis_angle(axis: V3<f32>, angle: f32) -> Quat {
            let (s, c) = (angle / 2.0).sin_cos();
            Quat { w: c, v: axis * (s / axis.len()) }
        }
        fn slerp(self, mut to: Quat, t: f32) -> Quat {
            let mut cos = self.w * to.w + self.v.dot(to.v);
            if cos < 0.0 {
                to = -to;
                cos = -cos;
            }
            let (a, b) = if cos > 0.9995 {
                (1.0 - t, t)
            } else {
                let theta = cos.acos();
                (((1.0 - t) * theta).sin() / theta.sin(), (t * theta).sin() / theta.sin())
            };
            Quat { w: self.w * a + to.w * b, v: self.v * a + to.v * b }
        }
    }

    const JOINTS: usize = 5;
    type Chain = [V3<f32>; JOINTS];

    #[omp::declare_target]
    fn fabrik(chain: &mut Chain, lengths: &[f32; JOINTS - 1], target: V3<f32>) -> u32 {
        let root = chain[0];
        for iteration in 0..10 {
            if (chain[JOINTS - 1] - target).len() < 1e-3 {
                return iteration;
            }
            chain[JOINTS - 1] = target;
            for i in (0..JOINTS - 1).rev() {
                chain[i] = chain[i + 1].towards(chain[i], lengths[i]);
            }
            chain[0] = root;
            for i in 1..JOINTS {
                chain[i] = chain[i - 1].towards(chain[i], lengths[i - 1]);
            }
        }
        10
    }

    #[omp::offload]
    fn solve(chains: &mut [Chain], lengths: &[f32; JOINTS - 1], targets: &[V3<f32>]) -> u64 {
        let mut iterations = 0u64;
        #[omp::target(reduction(+: iterations))]
        for (chain, &target) in chains.iter_mut().zip(targets) {
            iterations += u64::from(fabrik(chain, lengths, target));
        }
        iterations
    }

    #[omp::offload]
    fn animate(points: &[V3<f32>], keys: &[(f32, Quat)], times: &[f32], out: &mut [V3<f32>]) {
        #[omp::target]
        for ((o, &p), &t) in out.iter_mut().zip(points).zip(times) {
            let k = keys.iter().rposition(|&(at, _)| at <= t).unwrap_or(0).min(keys.len() - 2);
            let ((t0, a), (t1, b)) = (keys[k], keys[k + 1]);
            let q = a.slerp(b, ((t - t0) / (t1 - t0)).clamp(0.0, 1.0));
            *o = q.rotate(p);
        }
    }

    #[omp::offload]
    fn cull(centres: &[V3<f32>], radii: &[f32], planes: &[(V3<f32>, f32); 6], visible: &mut Vec<u32>) {
        visible.resize(centres.len(), 0);
        let mut n = 0;
        #[omp::target]
        for (i, (&c, &r)) in centres.iter().zip(radii).enumerate() {
            let inside = planes.iter().all(|(normal, d)| normal.dot(c) + d > -r);
            if inside {
                visible[n] = i as u32;
                n += 1;
            }
        }
        visible.truncate(n);
    }

    pub fn run(n: usize) -> (Vec<Chain>, bool, Vec<V3<f32>>, Vec<u32>) {
        let v = |i: usize, k: usize| V3 { x: (i * 7 + k) as f32 % 5.0 - 2.0, y: (i * 3 + k * 2) as f32 % 4.0 - 1.5, z: (i + k * 5) as f32 % 3.0 - 1.0 };
        let mut chains: Vec<Chain> = (0..n).map(|_| std::array::from_fn(|k| V3 { x: k as f32, y: 0.0, z: 0.0 })).collect();
        let targets: Vec<V3<f32>> = (0..n).map(|i| v(i, 1) * 1.3).collect();
        let iterations = solve(&mut chains, &[1.0; 4], &targets);
        let keys: Vec<(f32, Quat)> = (0..4).map(|k| (k as f32, Quat::axis_angle(V3 { x: 1.0, y: k as f32, z: 0.5 }, k as f32 * 0.9))).collect();
        let points: Vec<V3<f32>> = (0..n).map(|i| v(i, 2)).collect();
        let times: Vec<f32> = (0..n).map(|i| (i % 37) as f32 * 0.1).collect();
        let mut out = points.clone();
        animate(&points, &keys, &times, &mut out);
        let planes = [(V3 { x: 1.0, y: 0.0, z: 0.0 }, 1.0), (V3 { x: -1.0, y: 0.0, z: 0.0 }, 1.0), (V3 { x: 0.0, y: 1.0, z: 0.0 }, 1.0), (V3 { x: 0.0, y: -1.0, z: 0.0 }, 1.0), (V3 { x: 0.0, y: 0.0, z: 1.0 }, 1.0), (V3 { x: 0.0, y: 0.0, z: -1.0 }, 1.0)];
        let radii: Vec<f32> = (0..n).map(|i| (i % 3) as f32 * 0.2).collect();
        let mut visible = vec![];
        cull(&points, &radii, &planes, &mut visible);
        (chains, iterations >= n as u64 / 100, out, visible)
    }
}
port!(quat_ik: [0, 1, 17, 400].map(|n| crate::Shown::of(run(n))));
