//! Parboil's cutoff Coulomb potential.
use omp_tests::{Values, twice};
twice! {
    use std::ops::{Add, Mul, Sub};

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Vec3 { x: f64, y: f64, z: f64 }

    #[omp::declare_target]
    impl Vec3 {
        pub const fn new(x: f64, y: f64, z: f64) -> Self { Vec3 { x, y, z } }
        pub fn dot(self, o: Self) -> f64 { self.x * o.x + self.y * o.y + self.z * o.z }
        pub fn norm2(self) -> f64 { self.dot(self) }
    }
    #[omp::declare_target]
    impl Sub for Vec3 { type Output = Self; fn sub(self, o: Self) -> Self { Self::new(self.x - o.x, self.y - o.y, self.z - o.z) } }
    #[omp::declare_target]
    impl Add for Vec3 { type Output = Self; fn add(self, o: Self) -> Self { Self::new(self.x + o.x, self.y + o.y, self.z + o.z) } }
    #[omp::declare_target]
    impl Mul<f64> for Vec3 { type Output = Self; fn mul(self, k: f64) -> Self { Self::new(self.x * k, self.y * k, self.z * k) } }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Atom { pos: Vec3, charge: f64 }

    pub struct Lattice { dim: [usize; 3], origin: Vec3, spacing: f64, potential: Vec<f64> }

    impl Lattice {
        fn position(&self, i: usize) -> Vec3 {
            let [nx, ny, _] = self.dim;
            let (x, y, z) = (i % nx, i / nx % ny, i / (nx * ny));
            self.origin + Vec3::new(x as f64, y as f64, z as f64) * self.spacing
        }

        pub fn accumulate(&mut self, atoms: &[Atom], cutoff: f64) {
            let cut2 = cutoff * cutoff;
            #[omp::target]
            for i in 0..self.potential.len() {
                let here = self.position(i);
                self.potential[i] += atoms
                    .iter()
                    .filter_map(|a| {
                        let r2 = (a.pos - here).norm2();
                        (r2 < cut2).then(|| {
                            let s = 1.0 - r2 / cut2;
                            a.charge / r2.sqrt() * s * s
                        })
                    })
                    .sum::<f64>();
            }
        }
    }

    pub fn run() -> Vec<f64> {
        let mut v = Values(5);
        let mut unit = || (v.bits() % 1000) as f64 / 100.0 + 0.0031;
        let atoms: Vec<Atom> = (0..60).map(|i| Atom { pos: Vec3::new(unit(), unit(), unit()), charge: if i % 2 == 0 { 1.0 } else { -0.5 } }).collect();
        let mut lattice = Lattice { dim: [6, 5, 4], origin: Vec3::new(0.0, 0.0, 0.0), spacing: 1.7, potential: vec![0.0; 120] };
        lattice.accumulate(&atoms, 4.0);
        lattice.potential
    }
}
port!(cutcp: run());
