//! SHOC's MD: Lennard-Jones forces over a neighbour list.
use omp_tests::{Values, twice};

twice! {
    use std::ops::{Add, AddAssign, Mul, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Vec3 { pub x: f64, pub y: f64, pub z: f64 }

    #[omp::declare_target]
    impl Sub for Vec3 {
        type Output = Vec3;
        fn sub(self, o: Vec3) -> Vec3 { Vec3 { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z } }
    }
    #[omp::declare_target]
    impl Add for Vec3 {
        type Output = Vec3;
        fn add(self, o: Vec3) -> Vec3 { Vec3 { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z } }
    }
    #[omp::declare_target]
    impl Mul<f64> for Vec3 {
        type Output = Vec3;
        fn mul(self, s: f64) -> Vec3 { Vec3 { x: self.x * s, y: self.y * s, z: self.z * s } }
    }
    #[omp::declare_target]
    impl AddAssign for Vec3 {
        fn add_assign(&mut self, o: Vec3) { *self = *self + o; }
    }
    #[omp::declare_target]
    impl Vec3 {
        pub fn norm2(&self) -> f64 { self.x * self.x + self.y * self.y + self.z * self.z }
    }

    pub struct Params { pub cutoff2: f64, pub lj1: f64, pub lj2: f64 }

    pub fn forces(pos: &[Vec3], neighbours: &[u32], max_neighbours: usize, p: &Params) -> Vec<Vec3> {
        let mut force = vec![Vec3::default(); pos.len()];
        #[omp::target]
        for (i, f) in force.iter_mut().enumerate() {
            let list = &neighbours[i * max_neighbours..(i + 1) * max_neighbours];
            *f = list
                .iter()
                .map(|&j| pos[i] - pos[j as usize])
                .filter(|d| d.norm2() < p.cutoff2)
                .fold(Vec3::default(), |acc, d| {
                    let r2inv = 1.0 / d.norm2();
                    let r6inv = r2inv * r2inv * r2inv;
                    acc + d * (r2inv * r6inv * (p.lj1 * r6inv - p.lj2))
                });
        }
        force
    }

    pub fn run() -> Vec<[f64; 3]> {
        let mut v = Values(1);
        let n = 40;
        let pos: Vec<Vec3> = (0..n).map(|i| Vec3 { x: i as f64 * 0.7, y: (v.bits() % 5) as f64, z: (v.bits() % 7) as f64 }).collect();
        let list: Vec<u32> = (0..n as u32).flat_map(|i| (1..9).map(move |k| (i + k * 3) % n as u32)).collect();
        forces(&pos, &list, 8, &Params { cutoff2: 30.0, lj1: 1.5, lj2: 2.0 }).iter().map(|f| [f.x, f.y, f.z]).collect()
    }
}
port!(md: run());
