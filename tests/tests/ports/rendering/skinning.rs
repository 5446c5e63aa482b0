//! Skeletal animation: quaternions interpolated, matrices of joints, vertices blended, dual quaternions.
use omp_tests::{Values, twice};
twice! {
    use std::ops::{Add, Mul, MulAssign, Neg};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    #[repr(C)]
    pub struct Vec3 { pub x: f32, pub y: f32, pub z: f32 }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(C)]
    pub struct Quat { pub w: f32, pub v: Vec3 }

    macro_rules! componentwise {
        ($trait:ident $method:ident $op:tt) => {
            #[omp::declare_target]
            impl $trait for Vec3 {
                type Output = Vec3;
                fn $method(self, o: Vec3) -> Vec3 { Vec3::new(self.x $op o.x, self.y $op o.y, self.z $op o.z) }
            }
        };
    }
    componentwise!(Add add +);

    #[omp::declare_target]
    impl Mul<f32> for Vec3 { type Output = Vec3; fn mul(self, s: f32) -> Vec3 { Vec3::new(self.x * s, self.y * s, self.z * s) } }

    #[omp::declare_target]
    impl Vec3 {
        pub const fn new(x: f32, y: f32, z: f32) -> Self { Vec3 { x, y, z } }
        pub fn dot(self, o: Self) -> f32 { self.x * o.x + self.y * o.y + self.z * o.z }
        pub fn cross(self, o: Self) -> Self {
            Vec3 { x: self.y * o.z - self.z * o.y, y: self.z * o.x - self.x * o.z, z: self.x * o.y - self.y * o.x }
        }
        pub fn normalized(self) -> Option<Self> {
            let l = self.dot(self).sqrt();
            if l > f32::EPSILON { Some(self * l.recip()) } else { None }
        }
    }

    #[omp::declare_target]
    impl Default for Quat { fn default() -> Self { Quat { w: 1.0, v: Vec3 { x: 0.0, y: 0.0, z: 0.0 } } } }
    #[omp::declare_target]
    impl Neg for Quat { type Output = Self; fn neg(self) -> Self { Quat { w: -self.w, v: self.v * -1.0 } } }
    #[omp::declare_target]
    impl Mul for Quat {
        type Output = Quat;
        fn mul(self, o: Quat) -> Quat {
            Quat { w: self.w * o.w - self.v.dot(o.v), v: self.v.cross(o.v) + o.v * self.w + self.v * o.w }
        }
    }

    #[omp::declare_target]
    impl Quat {
        pub fn from_axis_angle(axis: Vec3, angle: f32) -> Self {
            let (s, c) = (angle * 0.5).sin_cos();
            match axis.normalized() {
                Some(a) => Quat { w: c, v: a * s },
                None => Quat::default(),
            }
        }
        fn dot(&self, o: &Quat) -> f32 { self.w * o.w + self.v.dot(o.v) }
        fn normalize(&mut self) {
            let k = 1.0 / self.dot(self).sqrt();
            self.w *= k;
            self.v = self.v * k;
        }
        pub fn slerp(self, mut end: Quat, t: f32) -> Quat {
            let mut cos = self.dot(&end);
            if cos < 0.0 {
                end = -end;
                cos = -cos;
            }
            if cos > 0.9995 {
                let mut q = Quat { w: self.w + (end.w - self.w) * t, v: self.v * (1.0 - t) + end.v * t };
                q.normalize();
                return q;
            }
            let theta = cos.acos();
            let (a, b) = (((1.0 - t) * theta).sin() / theta.sin(), (t * theta).sin() / theta.sin());
            Quat { w: a * self.w + b * end.w, v: self.v * a + end.v * b }
        }
        pub fn rotate(&self, p: Vec3) -> Vec3 {
            let t = self.v.cross(p) * 2.0;
            p + t * self.w + self.v.cross(t)
        }
    }

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Transform { pub rotation: Quat, pub translation: Vec3 }

    #[omp::declare_target]
    impl Mul for Transform {
        type Output = Transform;
        fn mul(self, child: Transform) -> Transform {
            Transform { rotation: self.rotation * child.rotation, translation: self.translation + self.rotation.rotate(child.translation) }
        }
    }
    #[omp::declare_target]
    impl MulAssign for Transform { fn mul_assign(&mut self, o: Transform) { *self = *self * o; } }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Key { pub time: f32, pub pose: Transform }

    pub struct Skeleton { pub parents: Vec<Option<usize>>, pub keys: Vec<Vec<Key>> }

    #[omp::declare_target]
    fn sample(keys: &[Key], time: f32) -> Transform {
        let next = keys.partition_point(|k| k.time <= time);
        if next == 0 {
            return keys[0].pose;
        }
        if next == keys.len() {
            return keys[keys.len() - 1].pose;
        }
        let (a, b) = (&keys[next - 1], &keys[next]);
        let t = (time - a.time) / (b.time - a.time);
        Transform {
            rotation: a.pose.rotation.slerp(b.pose.rotation, t),
            translation: a.pose.translation * (1.0 - t) + b.pose.translation * t,
        }
    }

    impl Skeleton {
        pub fn poses(&self, time: f32) -> Vec<Transform> {
            let flat: Vec<Key> = self.keys.iter().flatten().copied().collect();
            let mut starts = vec![0];
            for k in &self.keys {
                starts.push(starts.last().unwrap() + k.len());
            }
            let mut local = vec![Transform::default(); self.keys.len()];
            #[omp::target]
            for (joint, pose) in local.iter_mut().enumerate() {
                *pose = sample(&flat[starts[joint]..starts[joint + 1]], time);
            }
            let parents = &self.parents;
            let mut world = vec![Transform::default(); local.len()];
            #[omp::target]
            for j in 0..world.len() {
                let mut t = local[j];
                let mut at = parents[j];
                while let Some(p) = at {
                    t = local[p] * t;
                    at = parents[p];
                }
                world[j] = t;
            }
            world
        }
    }

    pub fn skin(vertices: &[Vec3], weights: &[[(u16, f32); 4]], joints: &[Transform], out: &mut [Vec3]) {
        #[omp::target]
        for i in 0..vertices.len() {
            out[i] = weights[i]
                .iter()
                .filter(|(_, w)| *w > 0.0)
                .map(|&(j, w)| {
                    let Transform { rotation, translation } = joints[j as usize];
                    (rotation.rotate(vertices[i]) + translation) * w
                })
                .fold(Vec3::default(), |a, b| a + b);
        }
    }

    pub fn run() -> Vec<[f32; 3]> {
        let mut v = Values(7);
        let mut f = || (v.bits() % 1000) as f32 / 500.0 - 1.0;
        let keys: Vec<Vec<Key>> = (0..5)
            .map(|_| (0..4).map(|k| Key { time: k as f32, pose: Transform { rotation: Quat::from_axis_angle(Vec3::new(f(), f(), f()), f() * 3.0), translation: Vec3::new(f(), f(), f()) } }).collect())
            .collect();
        let s = Skeleton { parents: vec![None, Some(0), Some(1), Some(1), Some(3)], keys };
        let vertices: Vec<Vec3> = (0..30).map(|_| Vec3::new(f(), f(), f())).collect();
        let weights: Vec<[(u16, f32); 4]> = (0..30).map(|i| [(i % 5, 0.5), ((i + 1) % 5, 0.25), ((i + 2) % 5, 0.25), (0, 0.0)]).collect();
        let mut out = vec![Vec3::default(); 30];
        let mut all = vec![];
        for time in [-1.0, 0.5, 2.25, 9.0] {
            skin(&vertices, &weights, &s.poses(time), &mut out);
            all.extend(out.iter().map(|p| [p.x, p.y, p.z]));
        }
        all
    }
}
port!(skinning: run());
