//! A cloth of masses and springs.
use omp_tests::twice;
twice! {
    use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct V3 { pub x: f64, pub y: f64, pub z: f64 }

    macro_rules! ops { ($($op:ident $f:ident)*) => { $(
        #[omp::declare_target]
        impl $op for V3 { type Output = V3; fn $f(self, o: V3) -> V3 { V3 { x: self.x.$f(o.x), y: self.y.$f(o.y), z: self.z.$f(o.z) } } }
    )* } }
    ops!(Add add Sub sub);
    #[omp::declare_target]
    impl Mul<f64> for V3 { type Output = V3; fn mul(self, k: f64) -> V3 { V3 { x: self.x * k, y: self.y * k, z: self.z * k } } }
    #[omp::declare_target]
    impl Mul<V3> for f64 { type Output = V3; fn mul(self, v: V3) -> V3 { v * self } }
    #[omp::declare_target]
    impl Div<f64> for V3 { type Output = V3; fn div(self, k: f64) -> V3 { self * k.recip() } }
    #[omp::declare_target]
    impl Neg for V3 { type Output = V3; fn neg(self) -> V3 { V3 { x: -self.x, y: -self.y, z: -self.z } } }
    #[omp::declare_target]
    impl AddAssign for V3 { fn add_assign(&mut self, o: V3) { self.x += o.x; self.y += o.y; self.z += o.z; } }
    #[omp::declare_target]
    impl V3 {
        pub const ZERO: V3 = V3 { x: 0.0, y: 0.0, z: 0.0 };
        pub fn dot(self, o: V3) -> f64 { self.x * o.x + self.y * o.y + self.z * o.z }
        pub fn length(self) -> f64 { self.dot(self).sqrt() }
        pub fn normalized(self) -> Option<V3> {
            let l = self.length();
            (l > 0.0).then(|| self / l)
        }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Node { pos: V3, vel: V3, pinned: bool }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Spring { di: i32, dj: i32, rest: f64, k: f64 }

    pub struct Cloth { w: usize, h: usize, nodes: Vec<Node>, springs: Vec<Spring> }

    impl Cloth {
        fn neighbour(&self, i: usize, s: &Spring) -> Option<usize> {
            let x = (i % self.w) as i32 + s.di;
            let y = (i / self.w) as i32 + s.dj;
            if (0..self.w as i32).contains(&x) && (0..self.h as i32).contains(&y) {
                Some(y as usize * self.w + x as usize)
            } else {
                None
            }
        }

        pub fn step(&mut self, dt: f64) {
            let old = self.nodes.clone();
            let gravity = V3 { y: -9.81, ..V3::ZERO };
            #[omp::target]
            for i in 0..self.nodes.len() {
                let node = old[i];
                if node.pinned { continue; }
                let mut force = gravity;
                for s in &self.springs {
                    let Some(j) = self.neighbour(i, s) else { continue };
                    let d = old[j].pos - node.pos;
                    if let Some(dir) = d.normalized() {
                        force += s.k * (d.length() - s.rest) * dir;
                    }
                    force += -0.1 * (node.vel - old[j].vel);
                }
                let node = &mut self.nodes[i];
                node.vel += force * dt;
                node.pos += node.vel * dt;
                if node.pos.y < -2.0 {
                    node.pos.y = -2.0;
                    node.vel = -node.vel * 0.5;
                }
            }
        }

        pub fn energy(&self) -> f64 {
            let mut e = 0.0;
            #[omp::target(reduction(+: e))]
            for n in &self.nodes {
                e += 0.5 * n.vel.dot(n.vel) + 9.81 * n.pos.y;
            }
            e
        }
    }

    pub fn run() -> (Vec<(f64, f64, f64)>, f64) {
        let (w, h) = (7, 5);
        let nodes = (0..w * h).map(|i| Node { pos: V3 { x: (i % w) as f64, y: 0.0, z: (i / w) as f64 }, vel: V3::ZERO, pinned: i < w }).collect();
        let mut springs = Vec::new();
        for (di, dj) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)] {
            springs.push(Spring { di, dj, rest: f64::hypot(di as f64, dj as f64), k: 40.0 });
        }
        let mut cloth = Cloth { w, h, nodes, springs };
        for _ in 0..6 { cloth.step(0.02); }
        (cloth.nodes.iter().map(|n| (n.pos.x, n.pos.y, n.pos.z)).collect(), cloth.energy())
    }
}
port!(cloth: run());
