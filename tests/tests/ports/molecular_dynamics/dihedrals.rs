//! Bonded forces of molecules: angles and dihedrals with atomics, a pressure tensor, velocities rescaled.
use omp_tests::{Values, twice};
twice! {
    use std::ops::{Add, AddAssign, Mul, Neg, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct V3([f64; 3]);

    #[omp::declare_target]
    impl Add for V3 { type Output = V3; fn add(self, o: V3) -> V3 { V3([self.0[0] + o.0[0], self.0[1] + o.0[1], self.0[2] + o.0[2]]) } }
    #[omp::declare_target]
    impl Sub for V3 { type Output = V3; fn sub(self, o: V3) -> V3 { V3(std::array::from_fn(|i| self.0[i] - o.0[i])) } }
    #[omp::declare_target]
    impl Neg for V3 { type Output = V3; fn neg(self) -> V3 { V3(self.0.map(|c| -c)) } }
    #[omp::declare_target]
    impl Mul<V3> for f64 { type Output = V3; fn mul(self, v: V3) -> V3 { V3(v.0.map(|c| c * self)) } }
    #[omp::declare_target]
    impl AddAssign for V3 {
        fn add_assign(&mut self, o: V3) {
            for (a, b) in self.0.iter_mut().zip(o.0) { *a += b; }
        }
    }
    #[omp::declare_target]
    impl V3 {
        const ZERO: V3 = V3([0.0; 3]);
        fn dot(self, o: V3) -> f64 { self.0.iter().zip(&o.0).map(|(a, b)| a * b).sum() }
        fn cross(self, o: V3) -> V3 {
            let ([a, b, c], [x, y, z]) = (self.0, o.0);
            V3([b * z - c * y, c * x - a * z, a * y - b * x])
        }
        fn norm(self) -> f64 { self.dot(self).sqrt() }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Angle { atoms: [u32; 3], k: f64, theta0: f64 }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Dihedral { atoms: [u32; 4], k: f64, n: i32, phase: f64 }

    pub struct Molecule { x: Vec<V3>, angles: Vec<Angle>, dihedrals: Vec<Dihedral> }

    impl Molecule {
        pub fn angle_forces(&self, f: &mut [[f64; 3]]) -> f64 {
            let mut energy = 0.0;
            #[omp::target(reduction(+: energy, f))]
            for &Angle { atoms: [i, j, k], k: spring, theta0 } in &self.angles {
                let (i, j, k) = (i as usize, j as usize, k as usize);
                let a = self.x[i] - self.x[j];
                let b = self.x[k] - self.x[j];
                let (la, lb) = (a.norm(), b.norm());
                let cos = (a.dot(b) / (la * lb)).clamp(-1.0, 1.0);
                let dt = cos.acos() - theta0;
                energy += 0.5 * spring * dt * dt;
                let c = spring * dt / (1.0 - cos * cos).sqrt().max(1e-8);
                let fi = c / la * ((1.0 / lb) * b - cos / la * a);
                let fk = c / lb * ((1.0 / la) * a - cos / lb * b);
                for d in 0..3 {
                    f[i][d] += fi.0[d];
                    f[k][d] += fk.0[d];
                    f[j][d] -= fi.0[d] + fk.0[d];
                }
            }
            energy
        }

        pub fn dihedral_energies(&self) -> Vec<(f64, f64)> {
            let mut out = vec![(0.0, 0.0); self.dihedrals.len()];
            #[omp::target]
            for (d, o) in self.dihedrals.iter().zip(&mut out) {
                let [a, b, c, e] = d.atoms.map(|i| self.x[i as usize]);
                let (b1, b2, b3) = (b - a, c - b, e - c);
                let (n1, n2) = (b1.cross(b2), b2.cross(b3));
                let phi = (b2.norm() * b1.dot(n2)).atan2(n1.dot(n2));
                *o = (phi, d.k * (1.0 + (d.n as f64 * phi - d.phase).cos()));
            }
            out
        }
    }

    pub fn virial(x: &[V3], f: &[[f64; 3]]) -> [[f64; 3]; 3] {
        let mut p = [[0.0; 3]; 3];
        #[omp::target(reduction(+: p))]
        for (r, f) in x.iter().zip(f) {
            for (a, row) in p.iter_mut().enumerate() {
                for (b, cell) in row.iter_mut().enumerate() {
                    *cell += r.0[a] * f[b];
                }
            }
        }
        p
    }

    pub fn run() -> (Vec<[f64; 3]>, Vec<(f64, f64)>, Vec<f64>) {
        let mut v = Values(4);
        let n = 30u32;
        let x: Vec<V3> = (0..n).map(|i| V3([i as f64, (v.bits() % 100) as f64 / 60.0, (v.bits() % 100) as f64 / 70.0])).collect();
        let angles = (0..n - 2).map(|i| Angle { atoms: [i, i + 1, i + 2], k: 2.5, theta0: 1.9 }).collect();
        let dihedrals = (0..n - 3).map(|i| Dihedral { atoms: [i, i + 1, i + 2, i + 3], k: 1.5, n: 3, phase: 0.3 }).collect();
        let m = Molecule { x, angles, dihedrals };
        let mut f = vec![[0.0; 3]; n as usize];
        let e = m.angle_forces(&mut f);
        let p = virial(&m.x, &f);
        let mut s: Vec<f64> = p.into_iter().flatten().collect();
        s.push(e);
        (f, m.dihedral_energies(), s)
    }
}
port!(dihedrals: run());
