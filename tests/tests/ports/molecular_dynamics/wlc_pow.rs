//! HeCBench wlcpow: worm-like chains with power-law repulsion between bonded beads.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct V3 { x: f64, y: f64, z: f64 }

    #[omp::declare_target]
    impl V3 {
        fn dot(self, o: V3) -> f64 { self.x * o.x + self.y * o.y + self.z * o.z }
    }
    #[omp::declare_target]
    impl std::ops::Sub for V3 { type Output = V3; fn sub(self, o: V3) -> V3 { V3 { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z } } }
    #[omp::declare_target]
    impl std::ops::Mul<V3> for f64 { type Output = V3; fn mul(self, v: V3) -> V3 { V3 { x: self * v.x, y: self * v.y, z: self * v.z } } }
    #[omp::declare_target]
    impl std::ops::SubAssign for V3 { fn sub_assign(&mut self, o: V3) { *self = *self - o; } }

    #[derive(Clone, Copy, omp::Device)]
    pub struct BondType { temperature: f64, r0: f64, mu_target: f64, q: f64, x0: f64, ell: f64 }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Periodic { size: V3 }

    #[omp::declare_target]
    impl Periodic {
        fn minimum_image(&self, d: V3) -> V3 {
            let wrap = |d: f64, l: f64| d - l * (d / l).round();
            V3 { x: wrap(d.x, self.size.x), y: wrap(d.y, self.size.y), z: wrap(d.z, self.size.z) }
        }
    }

    #[omp::declare_target]
    impl BondType {
        /// Force over distance of a bond, or none past its contour length.
        fn force(&self, rsq: f64) -> Result<f64, u32> {
            let r = rsq.sqrt();
            let ratio = r / self.r0;
            if ratio >= 1.0 {
                return Err(1);
            }
            if !ratio.is_finite() {
                return Err(2);
            }
            let BondType { temperature, x0, q, mu_target, ell, .. } = *self;
            let kph = mu_target * x0.powf(q) + ell;
            let rep = kph / r.powf(q + 1.0);
            let wlc = temperature / ell * (0.25 / (1.0 - ratio).powi(2) - 0.25 + ratio);
            Ok((rep - wlc) / r)
        }
    }

    pub fn forces(pos: &[V3], bonds: &[Vec<(u32, u8)>], types: &[BondType], cell: Periodic) -> (Vec<V3>, u32) {
        let starts: Vec<usize> = std::iter::once(0)
            .chain(bonds.iter().scan(0, |n, b| { *n += b.len(); Some(*n) }))
            .collect();
        let flat: Vec<(u32, u8)> = bonds.iter().flatten().copied().collect();
        let mut force = vec![V3::default(); pos.len()];
        let mut broken = 0;
        #[omp::target(reduction(+: broken))]
        for (i, f) in force.iter_mut().enumerate() {
            for &(j, kind) in &flat[starts[i]..starts[i + 1]] {
                let d = cell.minimum_image(pos[i] - pos[j as usize]);
                match types[kind as usize].force(d.dot(d)) {
                    Ok(k) => *f -= -k * d,
                    Err(_) => broken += 1,
                }
            }
        }
        (force, broken)
    }

    pub fn run() -> (crate::Shown, u32) {
        let n = 40;
        let pos: Vec<V3> = (0..n).map(|i| { let t = i as f64 * 0.8; V3 { x: 3.0 * t.cos(), y: 3.0 * t.sin(), z: t % 6.0 } }).collect();
        let bonds: Vec<Vec<(u32, u8)>> = (0..n as u32)
            .map(|i| [i.checked_sub(1), Some(i + 1).filter(|&j| j < n as u32)].iter().flatten().map(|&j| (j, (i.min(j) % 2) as u8)).collect())
            .collect();
        let base = BondType { temperature: 0.1, r0: 4.0, mu_target: 1.5, q: 2.0, x0: 0.5, ell: 0.9 };
        let types = [base, BondType { r0: 2.2, ..base }];
        let cell = Periodic { size: V3 { x: 10.0, y: 10.0, z: 6.0 } };
        let (f, b) = forces(&pos, &bonds, &types, cell);
        (crate::Shown::of(f), b)
    }
}
port!(wlc_pow: run());
