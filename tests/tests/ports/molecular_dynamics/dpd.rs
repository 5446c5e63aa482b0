//! Dissipative particle dynamics with linked cells.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct V3 { x: f64, y: f64, z: f64 }

    #[omp::declare_target]
    impl std::ops::Sub for V3 {
        type Output = V3;
        fn sub(self, o: V3) -> V3 { V3 { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z } }
    }
    #[omp::declare_target]
    impl std::ops::AddAssign for V3 {
        fn add_assign(&mut self, o: V3) { self.x += o.x; self.y += o.y; self.z += o.z; }
    }
    #[omp::declare_target]
    impl std::ops::Mul<V3> for f64 {
        type Output = V3;
        fn mul(self, v: V3) -> V3 { V3 { x: self * v.x, y: self * v.y, z: self * v.z } }
    }
    #[omp::declare_target]
    impl V3 {
        fn dot(self, o: V3) -> f64 { self.x * o.x + self.y * o.y + self.z * o.z }
        fn norm(self) -> f64 { self.dot(self).sqrt() }
        fn map(self, f: impl Fn(f64) -> f64) -> V3 { V3 { x: f(self.x), y: f(self.y), z: f(self.z) } }
    }

    pub struct CellList { m: usize, head: Vec<i32>, next: Vec<i32> }

    impl CellList {
        fn build(pos: &[V3], side: f64) -> Self {
            let m = (side / 1.0).floor() as usize;
            let mut head = vec![-1; m * m * m];
            let mut next = vec![-1; pos.len()];
            for (i, p) in pos.iter().enumerate() {
                let c = cell_of(*p, side, m);
                next[i] = head[c];
                head[c] = i as i32;
            }
            CellList { m, head, next }
        }
    }

    #[omp::declare_target]
    fn cell_of(p: V3, side: f64, m: usize) -> usize {
        let k = |x: f64| ((x / side * m as f64) as usize).min(m - 1);
        (k(p.x) * m + k(p.y)) * m + k(p.z)
    }

    pub struct Dpd { side: f64, a: f64, gamma: f64, sigma: f64 }

    #[omp::declare_target]
    fn pair_noise(i: u32, j: u32, step: u32) -> f64 {
        let (lo, hi) = if i < j { (i, j) } else { (j, i) };
        let mut h = lo.wrapping_mul(0x9E3779B1) ^ hi.wrapping_mul(0x85EBCA77) ^ step.wrapping_mul(0xC2B2AE3D);
        h ^= h >> 15;
        h = h.wrapping_mul(0x2C1B3C6D);
        h ^= h >> 12;
        (h as f64 / u32::MAX as f64 - 0.5) * 3.4641
    }

    impl Dpd {
        pub fn forces(&self, pos: &[V3], vel: &[V3], force: &mut [V3], step: u32) -> (f64, f64) {
            let cells = CellList::build(pos, self.side);
            let CellList { m, head, next } = &cells;
            let m = *m;
            let side = self.side;
            let mut potential = 0.0;
            let mut virial = 0.0;
            #[omp::target(reduction(+: potential, virial))]
            for i in 0..pos.len() {
                let pi = pos[i];
                let home = cell_of(pi, side, m);
                let (cx, cy, cz) = (home / (m * m), home / m % m, home % m);
                let mut f = V3::default();
                for dx in 0..3 {
                    for dy in 0..3 {
                        for dz in 0..3 {
                            let c = (((cx + dx + m - 1) % m) * m + (cy + dy + m - 1) % m) * m + (cz + dz + m - 1) % m;
                            let mut j = head[c];
                            while j >= 0 {
                                let other = j as usize;
                                j = next[other];
                                if other == i {
                                    continue;
                                }
                                let d = (pi - pos[other]).map(|x| x - side * (x / side).round());
                                let r = d.norm();
                                if r >= 1.0 || r < 1e-10 {
                                    continue;
                                }
                                let w = 1.0 - r;
                                let e = (1.0 / r) * d;
                                let drag = self.gamma * w * w * e.dot(vel[i] - vel[other]);
                                let kick = self.sigma * w * pair_noise(i as u32, other as u32, step);
                                let magnitude = self.a * w - drag + kick;
                                f += magnitude * e;
                                potential += 0.25 * self.a * w * w;
                                virial += 0.5 * magnitude * r;
                            }
                        }
                    }
                }
                force[i] = f;
            }
            (potential, virial)
        }
    }

    pub fn run() -> (Vec<[f64; 3]>, f64, f64) {
        let mut v = Values(19);
        let side = 4.0;
        let mut random = |scale: f64| V3 {
            x: v.bits() as f64 / 4294967296.0 * scale,
            y: v.bits() as f64 / 4294967296.0 * scale,
            z: v.bits() as f64 / 4294967296.0 * scale,
        };
        let pos: Vec<V3> = (0..120).map(|_| random(side)).collect();
        let vel: Vec<V3> = (0..120).map(|_| random(1.0)).collect();
        let mut force = vec![V3::default(); pos.len()];
        let (e, w) = Dpd { side, a: 25.0, gamma: 4.5, sigma: 3.0 }.forces(&pos, &vel, &mut force, 7);
        (force.iter().map(|f| [f.x, f.y, f.z]).collect(), e, w)
    }
}
port!(dpd: run());
