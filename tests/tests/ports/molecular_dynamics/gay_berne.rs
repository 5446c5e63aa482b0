//! Gay-Berne liquid crystal: pair energies and trial rotations of ellipsoidal particles.
use omp_tests::twice;

twice! {
    use std::iter::Sum;
    use std::ops::{Add, AddAssign, Mul, Neg, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Vec3 {
        pub x: f64,
        pub y: f64,
        pub z: f64,
    }

    #[omp::declare_target]
    impl Vec3 {
        pub const fn new(x: f64, y: f64, z: f64) -> Self {
            Self { x, y, z }
        }
        pub fn dot(self, o: Self) -> f64 {
            self.x * o.x + self.y * o.y + self.z * o.z
        }
        pub fn cross(self, o: Self) -> Self {
            Self::new(
                self.y * o.z - self.z * o.y,
                self.z * o.x - self.x * o.z,
                self.x * o.y - self.y * o.x,
            )
        }
        pub fn norm(self) -> f64 {
            self.dot(self).sqrt()
        }
        pub fn unit(self) -> Self {
            self * self.norm().recip()
        }
        fn map(self, f: impl Fn(f64) -> f64) -> Self {
            Self::new(f(self.x), f(self.y), f(self.z))
        }
    }
    #[omp::declare_target]
    impl Add for Vec3 {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            Self::new(self.x + o.x, self.y + o.y, self.z + o.z)
        }
    }
    #[omp::declare_target]
    impl Neg for Vec3 {
        type Output = Self;
        fn neg(self) -> Self {
            self.map(|c| -c)
        }
    }
    #[omp::declare_target]
    impl Sub for Vec3 {
        type Output = Self;
        fn sub(self, o: Self) -> Self {
            self + -o
        }
    }
    #[omp::declare_target]
    impl Mul<f64> for Vec3 {
        type Output = Self;
        fn mul(self, s: f64) -> Self {
            self.map(|c| c * s)
        }
    }
    #[omp::declare_target]
    impl AddAssign for Vec3 {
        fn add_assign(&mut self, o: Self) {
            *self = *self + o;
        }
    }
    #[omp::declare_target]
    impl Sum for Vec3 {
        fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
            iter.fold(Self::default(), |a, b| a + b)
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Ellipsoid {
        pub centre: Vec3,
        pub axis: Vec3,
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct GayBerne {
        chi: f64,
        chi_prime: f64,
        cutoff: f64,
        edge: f64,
    }

    #[omp::declare_target]
    impl GayBerne {
        pub fn with_aspect(kappa: f64, kappa_prime: f64) -> Self {
            let ratio = |q: f64| (q - 1.0) / (q + 1.0);
            Self { chi: ratio(kappa * kappa), chi_prime: ratio(kappa_prime.sqrt()), cutoff: 5.0, edge: 1e9 }
        }
        pub fn in_box(self, edge: f64) -> Self {
            Self { edge, ..self }
        }
        fn overlap(chi: f64, a: f64, b: f64, c: f64) -> f64 {
            let (plus, minus) = (a + b, a - b);
            1.0 - 0.5 * chi * (plus * plus / (1.0 + chi * c) + minus * minus / (1.0 - chi * c))
        }
        fn pair(&self, p: &Ellipsoid, q: &Ellipsoid) -> Option<f64> {
            let sep = (p.centre - q.centre).map(|c| c - self.edge * (c / self.edge).round());
            let r = sep.norm();
            if r > self.cutoff {
                return None;
            }
            let dir = sep * r.recip();
            let (a, b, c) = (dir.dot(p.axis), dir.dot(q.axis), p.axis.dot(q.axis));
            let sigma = Self::overlap(self.chi, a, b, c).sqrt().recip();
            let well = Self::overlap(self.chi_prime, a, b, c).powi(2) / (1.0 - (self.chi * c).powi(2)).sqrt();
            let inv6 = (r - sigma + 1.0).max(0.3).powi(-6);
            Some(4.0 * well * (inv6 * inv6 - inv6))
        }
        fn site_energy(&self, i: usize, me: &Ellipsoid, all: &[Ellipsoid]) -> f64 {
            all.iter()
                .enumerate()
                .filter(|&(j, _)| j != i)
                .filter_map(|(_, other)| self.pair(me, other))
                .sum()
        }
    }

    pub fn total_energy(ff: GayBerne, all: &[Ellipsoid]) -> f64 {
        let mut twice_total = 0.0;
        #[omp::target(reduction(+: twice_total))]
        for (i, me) in all.iter().enumerate() {
            twice_total += ff.site_energy(i, me, all);
        }
        0.5 * twice_total
    }

    /// Energy change of tilting each particle on its own by `spin[i]`.
    pub fn trial_tilts(ff: GayBerne, all: &[Ellipsoid], spin: &[Vec3], delta: &mut [f64]) {
        #[omp::target(schedule(dynamic))]
        for (i, (out, &w)) in delta.iter_mut().zip(spin).enumerate() {
            let old = all[i];
            let mut tilted = old;
            tilted.axis += w.cross(old.axis);
            tilted.axis = tilted.axis.unit();
            *out = ff.site_energy(i, &tilted, all) - ff.site_energy(i, &old, all);
        }
    }

    pub fn director(all: &[Ellipsoid]) -> Vec3 {
        all.iter().map(|e| if e.axis.z < 0.0 { -e.axis } else { e.axis }).sum::<Vec3>().unit()
    }
}
port!(gay_berne: crate::Shown::of({
    let side = 4usize;
    let particles: Vec<_> = (0..side * side * side)
        .map(|n| {
            let (i, j, k) = (n % side, n / side % side, n / (side * side));
            let wobble = ((n * 29) % 13) as f64 * 0.02;
            Ellipsoid {
                centre: Vec3::new(1.5 * i as f64 + wobble, 1.5 * j as f64 - wobble, 3.4 * k as f64),
                axis: Vec3::new(wobble, 0.3 - wobble, 1.0).unit(),
            }
        })
        .collect();
    let spin: Vec<_> = (0..particles.len())
        .map(|n| Vec3::new(0.1 * (n % 3) as f64, 0.05, -0.02 * (n % 5) as f64))
        .collect();
    let ff = GayBerne::with_aspect(3.0, 5.0).in_box(13.6);
    let mut delta = vec![0.0; particles.len()];
    trial_tilts(ff, &particles, &spin, &mut delta);
    let n = director(&particles);
    (
        (total_energy(ff, &particles) * 1e4).round() as i64,
        delta.iter().map(|v| (v * 1e4).round() as i64).collect::<Vec<_>>(),
        (n.z * 1e6).round() as i64,
    )
}));
