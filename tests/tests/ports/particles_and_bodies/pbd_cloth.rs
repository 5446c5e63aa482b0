//! Cloth by position-based dynamics: Jacobi constraint corrections, collisions with a sphere, normals.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct P3 { x: f32, y: f32, z: f32 }

    macro_rules! op {
        ($($tr:ident $f:ident $op:tt)*) => { $(
            #[omp::declare_target]
            impl std::ops::$tr for P3 {
                type Output = P3;
                fn $f(self, o: P3) -> P3 { P3 { x: self.x $op o.x, y: self.y $op o.y, z: self.z $op o.z } }
            }
        )* };
    }
    op!(Add add + Sub sub -);
    #[omp::declare_target]
    impl std::ops::Mul<f32> for P3 { type Output = P3; fn mul(self, k: f32) -> P3 { P3 { x: self.x * k, y: self.y * k, z: self.z * k } } }
    #[omp::declare_target]
    impl P3 {
        fn norm(self) -> f32 { (self.x * self.x + self.y * self.y + self.z * self.z).sqrt() }
        fn cross(self, o: P3) -> P3 { P3 { x: self.y * o.z - self.z * o.y, y: self.z * o.x - self.x * o.z, z: self.x * o.y - self.y * o.x } }
        fn unit(self) -> P3 { let n = self.norm(); if n > 0.0 { self * (1.0 / n) } else { self } }
    }

    const NEIGHBOURS: [(isize, isize); 8] = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)];

    pub struct Cloth { w: usize, h: usize, spacing: f32, pos: Vec<P3>, prev: Vec<P3>, pinned: Vec<bool> }

    impl Cloth {
        fn neighbour(&self, i: usize, (dx, dy): (isize, isize)) -> Option<usize> {
            let x = (i % self.w).checked_add_signed(dx).filter(|&x| x < self.w)?;
            let y = (i / self.w).checked_add_signed(dy).filter(|&y| y < self.h)?;
            Some(y * self.w + x)
        }

        pub fn integrate(&mut self, dt: f32) {
            let gravity = P3 { y: -9.8, ..P3::default() };
            #[omp::target]
            for ((p, old), &pinned) in self.pos.iter_mut().zip(&mut self.prev).zip(&self.pinned) {
                if pinned {
                    continue;
                }
                let next = *p + (*p - *old) * 0.99 + gravity * (dt * dt);
                *old = *p;
                *p = next;
            }
        }

        pub fn satisfy(&mut self, iterations: usize) {
            let mut next = self.pos.clone();
            for _ in 0..iterations {
                #[omp::target]
                for i in 0..next.len() {
                    if self.pinned[i] {
                        continue;
                    }
                    let p = self.pos[i];
                    let (mut shift, mut n) = (P3::default(), 0);
                    for (k, &offset) in NEIGHBOURS.iter().enumerate() {
                        if let Some(j) = self.neighbour(i, offset) {
                            let rest = self.spacing * if k < 4 { 1.0 } else { std::f32::consts::SQRT_2 };
                            let d = self.pos[j] - p;
                            let len = d.norm().max(1e-6);
                            let share = if self.pinned[j] { 1.0 } else { 0.5 };
                            shift = shift + d * (share * (len - rest) / len);
                            n += 1;
                        }
                    }
                    next[i] = p + shift * (1.0 / n as f32);
                }
                std::mem::swap(&mut self.pos, &mut next);
            }
        }

        pub fn collide(&mut self, centre: P3, radius: f32) -> usize {
            let mut touched = 0;
            #[omp::target(reduction(+: touched))]
            for p in self.pos.iter_mut() {
                let d = *p - centre;
                if d.norm() < radius {
                    *p = centre + d.unit() * radius;
                    touched += 1;
                }
            }
            touched
        }

        pub fn normals(&self) -> Vec<P3> {
            let mut out = vec![P3::default(); self.pos.len()];
            #[omp::target]
            for (i, n) in out.iter_mut().enumerate() {
                let around = |d| self.neighbour(i, d).map(|j| self.pos[j]).unwrap_or(self.pos[i]);
                *n = (around((1, 0)) - around((-1, 0))).cross(around((0, 1)) - around((0, -1))).unit();
            }
            out
        }
    }

    pub fn run() -> (crate::Shown, crate::Shown, usize) {
        let (w, h) = (9, 7);
        let pos: Vec<P3> = (0..w * h).map(|i| P3 { x: (i % w) as f32 * 0.1, y: 1.0, z: (i / w) as f32 * 0.1 }).collect();
        let mut c = Cloth { w, h, spacing: 0.1, prev: pos.clone(), pos, pinned: (0..w * h).map(|i| i < w).collect() };
        let mut touched = 0;
        for _ in 0..8 {
            c.integrate(0.016);
            c.satisfy(5);
            touched += c.collide(P3 { x: 0.4, y: 0.85, z: 0.4 }, 0.18);
        }
        let n = c.normals();
        (crate::Shown::of(&c.pos), crate::Shown::of(n), touched)
    }
}
port!(pbd_cloth: run());
